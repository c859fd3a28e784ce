#include "machine/load.hpp"

#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

TEST_CASE("what is not given is unknown or has its documented default") {
  const Machine machine = machine_with({});
  CHECK(machine.id == "m");
  CHECK(machine.name == "Small");
  CHECK(machine.clock.value == 2e9);
  CHECK(machine.sockets == 1);
  CHECK(machine.domains == 1);
  CHECK_FALSE(machine.core.per_cycle.loads.has_value());
  CHECK_FALSE(machine.launch.has_value());
  CHECK(machine.memory.bandwidth.empty());
  CHECK(machine.memory.name == "DRAM");
  CHECK_FALSE(machine.caches[1].link.load.has_value());
  CHECK(machine.caches[0].replacement == "lru");
  CHECK(machine.caches[0].role == Role::nine);
  CHECK(machine.caches[0].write_back);
  CHECK(machine.caches[0].allocate);
  CHECK(machine.serial == std::vector<std::string>{"REG-L1", "L1-L2", "L2-DRAM"});
  CHECK(machine.layout_gap == 4096 + 21 * 64);
  CHECK(machine.warnings.empty());
}

TEST_CASE("every key arrives where it belongs") {
  const Machine machine = machine_with(
      {"sockets=2", "domains=2", "core.per_cycle={loads: 2, stores: 1, fma: 2, add: 1, mul: 2, div: 1/42, sqrt: 0.05}",
       "core.scalar.div=1/22", "core.latency={add: 4, load: 5}", "core.llvm_mca=-mcpu=haswell",
       "core.separate_add=true",
       "caches.L2={name: L2, sets: 3, ways: 5, replacement: fifo, role: victim, victim_copies: true, shared_by: 4,"
       " allocate: false, store_promotes: false, writeback_miss: forward, assumed: true,"
       " link: {load: 64 B/cy, evict: 32 B/cy, duplex: full}}",
       "memory={name: HBM, latency: 88 ns, spec: 140.8 GB/s, bandwidth: {copy: {core: 13 GB/s, domain: 125 GB/s}}}",
       "overlap.serial=[REG-L1, L2-HBM]", "launch=0.02 ms", "layout.gap=0 B", "sources.clock=a data sheet"});
  CHECK(machine.sockets == 2);
  CHECK(machine.domains == 2);
  CHECK(machine.core.per_cycle.div.value() == 1.0 / 42);
  CHECK(machine.core.per_cycle.sqrt.value() == 0.05);
  CHECK(machine.core.scalar.div.value() == 1.0 / 22);
  CHECK(machine.core.latency == std::map<std::string, double>{{"add", 4}, {"load", 5}});
  CHECK(machine.core.llvm_mca == "-mcpu=haswell");
  CHECK(machine.core.separate_add);
  const CacheLevel& l2 = machine.caches[1];
  CHECK(l2.replacement == "fifo");
  CHECK(l2.role == Role::victim);
  CHECK(l2.victim_copies);
  CHECK(l2.shared_by == 4);
  CHECK_FALSE(l2.allocate);
  CHECK_FALSE(l2.store_promotes);
  CHECK(l2.writeback_miss == WritebackMiss::forward);
  CHECK(l2.link.load->value == 64);
  CHECK(l2.link.evict->value == 32);
  CHECK(l2.link.duplex == Duplex::full);
  CHECK(machine.memory.latency->value == 88e-9);
  CHECK(machine.memory.spec->value == 140.8e9);
  CHECK(machine.memory.bandwidth.at("copy").domain->value == 125e9);
  CHECK_FALSE(machine.memory.bandwidth.at("copy").socket.has_value());
  CHECK(machine.serial == std::vector<std::string>{"REG-L1", "L2-HBM"});
  CHECK(machine.launch->value == 2e-5);
  CHECK(machine.layout_gap == 0);
  CHECK(machine.sources.at("clock") == "a data sheet");
  CHECK(machine.warnings == std::vector<std::string>{"L2: the geometry of 3 sets and 5 ways is assumed, not known"});
}

TEST_CASE("exclusive is a victim level that moves the line") {
  CHECK(machine_with({"caches.L2.role=exclusive"}).caches[1].role == Role::victim);
  CHECK(machine_with({"caches.L2.role=inclusive"}).caches[1].role == Role::inclusive);
  CHECK(mistakes({"caches.L2.role=exclusive", "caches.L2.victim_copies=true"}) ==
        "caches.L2.victim_copies: makes sense only with role: victim");
}

TEST_CASE("registers are limited and split loads wait where the file says so") {
  CHECK_FALSE(machine_with({}).core.registers.has_value());
  CHECK_FALSE(machine_with({}).core.split_loads_wait);
  const Machine machine = machine_with({"core.registers=16", "core.split_loads=wait", "core.latency.simd_load=7"});
  CHECK(machine.core.registers == 16U);
  CHECK(machine.core.split_loads_wait);
  CHECK(machine.core.latency.at("simd_load") == 7);
  CHECK(mistakes({"core.registers=0"}) == "core.registers: '0': expected a whole number from 1 to 1048576");
  CHECK(mistakes({"core.split_loads=stall"}) == "core.split_loads: expected one of pass, wait, found 'stall'");
}

TEST_CASE("boundaries and levels have names") {
  const Machine machine = machine_with({});
  CHECK(machine.boundary(0) == "REG-L1");
  CHECK(machine.boundary(1) == "L1-L2");
  CHECK(machine.boundary(2) == "L2-DRAM");
  CHECK(machine.level(0) == "L1");
  CHECK(machine.level(2) == "DRAM");
}

TEST_CASE("mistakes of a machine") {
  CHECK(mistakes({"cahces.L1.size=1 KiB"}) == "cahces: unknown key (did you mean 'caches'?)");
  CHECK(mistakes({"caches.L1.wasy=1"}) == "caches.L1.wasy: unknown key (did you mean 'ways'?)");
  CHECK(mistakes({"kind=fpga"}) == "kind: expected one of cpu, gpu, found 'fpga'");
  CHECK(mistakes({"clock=0 GHz"}) == "clock: '0 GHz': must be above zero: expected a frequency such as 2.5 GHz");
  CHECK(mistakes({"clock=2.5"}) == "clock: '2.5': missing unit: expected a frequency such as 2.5 GHz");
  CHECK(mistakes({"cores=0"}) == "cores: '0': expected a whole number from 1 to 1048576");
  CHECK(mistakes({"cores=010"}) == "cores: '010': leading zero: expected a whole number such as 20");
  CHECK(mistakes({"domains=5"}) == "domains: more memory domains than the socket has cores");
  CHECK(mistakes({"core.simd=24 B"}) == "core.simd: expected a power of two from 8 B to 4096 B");
  CHECK(mistakes({"core.per_cycle.add=-1"}) == "core.per_cycle.add: '-1': expected a number above zero");
  CHECK(mistakes({"core.per_cycle.div=1/0"}) ==
        "core.per_cycle.div: '1/0': expected a number above zero or a fraction such as 1/42");
  CHECK(mistakes({"core.per_cycle.add=inf"}).find("not a finite number") != std::string::npos);
  CHECK(mistakes({"caches=[]"}) == "caches: expected a list of 1 to 8 caches, from the core outward");
  CHECK(mistakes({"caches=3"}) == "caches: expected a list of 1 to 8 caches, from the core outward");
  CHECK(mistakes({"caches.L1=3"}) ==
        "caches.0: expected a map of keys and values, found '3'\n"
        "caches.0.size: two of size, sets and ways are needed");
  CHECK(mistakes({"caches.L1.role=inclusive"}) ==
        "caches.L1.role: the first level has no level above it that it could be inclusive of: expected nine");
  CHECK(mistakes({"caches.L2.role=victim", "caches.L2.write=through"}) ==
        "caches.L2.write: a victim level holds dirty lines: expected back");
  CHECK(mistakes({"caches.L2.replacement=lur"}) ==
        "caches.L2.replacement: unknown replacement 'lur' (did you mean 'lru'?)");
  CHECK(mistakes({"caches.L2.shared_by=5"}) == "caches.L2.shared_by: shared by more cores than the 4 of the socket");
  CHECK(mistakes({"caches.L1.link={load: 64 B/cy}"}) ==
        "caches.L1.link: the path between the core and the first level is core.per_cycle");
  CHECK(mistakes({"caches.L2.name=L1"}) == "two caches with the name L1");
  CHECK(mistakes({"caches.L2.name=a.b"}) == "caches.a.b.name: 'a.b': expected a name of letters and digits such as L2");
  CHECK(mistakes({"memory.name=L2"}) == "the cache has the name of the memory, L2");
  CHECK(mistakes({"memory.bandwidth.laod.core=1 GB/s"}) == "memory.bandwidth.laod: unknown key (did you mean 'load'?)");
  CHECK(mistakes({"memory.bandwidth.load=1 GB/s"}) ==
        "memory.bandwidth.load: expected a map of keys and values, found '1 GB/s'");
  CHECK(mistakes({"overlap.serial=[L1-L3]"}) ==
        "overlap.serial: unknown boundary 'L1-L3'; there are REG-L1, L1-L2, L2-DRAM (did you mean 'L1-L2'?)");
  CHECK(mistakes({"layout.gap=2 TiB"}) == "layout.gap: larger than 1 TiB");
  CHECK(mistakes({"launch=-1 s"}).find("negative") != std::string::npos);
}

TEST_CASE("all mistakes of a file are found at once, with their positions") {
  const std::string text = "name: x\nclock: 2\ncaches:\n  - {name: L1, size: 1 KiB, ways: 0}\nmemry: {}\n";
  try {
    machine_with({}, text);
    FAIL("accepted");
  } catch (const InputError& wrong) {
    std::string positions;
    for (const Diagnostic& d : wrong.diagnostics()) positions += to_string(d.at) + " " + d.key + "\n";
    CHECK(positions ==
          "m.yaml:2:8 clock\nm.yaml:1:1 cores\nm.yaml:1:1 core\nm.yaml:4:35 caches.L1.ways\n"
          "m.yaml:1:1 memory\nm.yaml:5:1 memry\n");
  }
}

TEST_CASE("an empty file, a list, nine levels") {
  CHECK(mistakes({}, "") == "expected a map of keys and values, found nothing");
  CHECK(mistakes({}, "[1]") == "expected a map of keys and values, found a list");
  std::string nine = "caches=[";
  for (int i = 1; i <= 9; ++i) nine += "{name: L" + std::to_string(i) + ", sets: 1, ways: 1}, ";
  CHECK(mistakes({nine + "]"}) == "caches: expected a list of 1 to 8 caches, from the core outward");
}
