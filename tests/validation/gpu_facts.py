"""What is known of GPUs without a model: prints a Markdown table of figures known and simulated, and checks it.

Usage: gpu_facts.py MANSARD REPOSITORY [--write] [--quick]
  bandwidth  copy, scale and init return the bandwidths that the machine files state as measured.
  sectors    a copy of 2^30 floats, loads of 4 B far apart, transposes as CUDA courses describe them.
  LBM        in place in FP32: 153 B per update, and the rates in gpu_lbm.csv.
  GEMM       tiles of 128 x 128 x 8 at N = 4096 against the closed form for blocks that go along k together.
  GPP        the hierarchical roofline of gpu_gpp_v100.csv.
  what-if    a 25-point stencil with twice the L2.
--write: into docs/gpu.md, with the figure of GPP. --quick: two GPUs' bandwidths, LBM on one, no what-if, for the tests.
"""
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import gpu_page

STREAMS = {"copy": "scale", "scale": "scale", "init": "init"}  # the bandwidth that each must return
GPP = {"clock": "1.4 GHz", "caches.L1.bandwidth": "128 B/cy", "caches.L2.measured": "{read: 2996.77 GB/s}",
       "memory.measured": "{read: 828.758 GB/s}", "rates.vector": "{fp64: 7068.86 GFLOP/s}"}


class Facts:
    def __init__(self, program, root):
        self.program, self.root = program, root
        self.rows, self.wrong = [], []

    def mansard(self, *words):
        command = [self.program, *words, "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return json.loads(done.stdout)

    def check(self, what, known, found, tolerance, unit=""):
        off = found / known - 1 if known else found
        self.rows.append(f"| {what} | {known:.9g} {unit} | {found:.9g} {unit} | {100 * off:+.1f} % |")
        if abs(off) > tolerance:
            self.wrong.append(f"{what}: {found}, known {known}")

    def read(self, name):
        with open(self.root / "tests" / "validation" / name, newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))


def measured_bandwidths(root):
    for path in sorted((root / "machines" / "gpu").glob("*.yaml")):
        memory = path.read_text().split("\nmemory:")[1].split("\nrates:")[0]
        found = re.search(r"measured: \{(.*?)\}", memory)
        if found:
            yield path.stem, {k: float(v) for k, v in re.findall(r"(\w+): ([\d.]+) GB/s", found.group(1))}


def of(run, level):
    return next(one for one in run["levels"] if one["level"] == level)


def bandwidth(facts, machine, workload):
    run = facts.mansard("run", workload, "-m", machine, "-D", "N=64000000")
    return run["levels"][-1]["bytes"] / run["roofline"]["seconds"] / 1e9


def bandwidths(facts, pool, machines):
    wanted = [(m, w, values[mix]) for m, values in measured_bandwidths(facts.root) for w, mix in STREAMS.items()
              if mix in values and (not machines or m in machines)]
    for (m, w, value), found in zip(wanted, pool.map(lambda one: bandwidth(facts, one[0], one[1]), wanted)):
        facts.check(f"{w} on {m}", value, found, 0.02, "GB/s")


def sectors(facts):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "copy.c"
        path.write_text("float a[N], b[N];\nfor (int i = 0; i < N; ++i) b[i] = a[i];\n")
        run = facts.mansard("run", str(path), "-m", "v100-pcie", "-D", f"N={1 << 30}", "--schedule", "gpu(x: i, block: 256)")
        facts.check("copy of 2^30 floats, sectors read at the L2", 134217728, run["gpu"]["sectors_read"], 0)
        facts.check("copy of 2^30 floats, sectors written", 134217728, run["gpu"]["sectors_written"], 0)
        path.write_text("float a[N][65536], s = 0;\nfor (int i = 0; i < N; ++i) s += a[i][0];\n")
        run = facts.mansard("run", str(path), "-m", "v100-pcie", "-D", "N=4096", "--schedule", "reassociate; gpu(x: i, block: 256)")
        facts.check("loads of 4 B, 256 KiB apart: share of the sectors used", 0.125, run["gpu"]["sector_efficiency"], 0)


def transposes(facts):
    """In floats, whose rows of 32 take each of the 32 banks once: a column lies in one bank."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "transpose.c"
        path.write_text("float a[N][N], b[N][N];\nfor (int j = 0; j < N; ++j)\n  for (int i = 0; i < N; ++i) b[i][j] = a[j][i];\n")
        staged = "gpu(x: j, y: i, block: 32x8, coarsen: 1x4); stage(a, at: jb, into: shared)"
        for name, schedule, efficiency, ways in (("naive", "gpu(x: i, y: j, block: 32x8, coarsen: 1x4)", 1 / 8, None),
                                                 ("tiled", staged, 1, 32), ("tiled and padded", staged + "; pad(a_shared: 1)", 1, 1)):
            gpu = facts.mansard("run", str(path), "-m", "v100-pcie", "-D", "N=2048", "--schedule", schedule)["gpu"]
            stores = next(one for one in gpu["coalescing"] if one["array"] == "b")
            facts.check(f"transpose of floats, {name}: share of the sectors stored that is used", efficiency, stores["sector_efficiency"], 0)
            if ways:  # half of the instructions fill the tile, a row each, without conflicts
                shared = gpu["shared"]
                half = shared["instructions"] / 2
                facts.check(f"transpose of floats, {name}: bank conflicts of a column", ways, (shared["passes"] - half) / half, 0, "ways")


def lbm(facts, pool, quick):
    rows = [row for row in facts.read("gpu_lbm.csv") if not quick or row["machine"] == "v100-pcie"]
    runs = pool.map(lambda row: facts.mansard("run", "lbm-d3q19-aa-fp32", "-m", row["machine"], "-D", "N=256"), rows)
    for row, run in zip(rows, runs):
        if row["machine"] == "v100-pcie":
            asked = run["levels"][0]["bytes_per_update"]
            facts.check("LBM D3Q19 in place, FP32 and flags: bytes an update", 153, asked, 0, "B")
            facts.check("LBM D3Q19 in place, from and to memory on v100-pcie", 153, run["levels"][-1]["bytes_per_update"], 0.03, "B")
        facts.check(f"LBM D3Q19 in place on {row['machine']}", float(row["mlups"]), run["roofline"]["updates_per_second"] / 1e6, 0.10,
                    "MLUP/s")


def gemm(facts):
    n, tile, blocks = 4096, 128, 160  # 2 blocks on each of 80 SMs
    run = facts.mansard("run", "sgemm", "-m", "v100-pcie", "-D", f"N={n}")
    grid, matrix = (n // tile) ** 2, n * n * 4
    waves = -(-grid // blocks)
    facts.check("GEMM 4096, tiles of 128 x 128 x 8: reads from memory", (waves + 1 + 1) * matrix / 1e6, of(run, "HBM")["bytes_in"] / 1e6, 0.05, "MB")
    facts.check("GEMM 4096: loads from the L2", (grid * 2 * tile * n * 4 + matrix) / 1e6, of(run, "L2")["bytes_in"] / 1e6, 0.05, "MB")
    low, high = of(run, "HBM")["band"]
    facts.rows.append(f"| GEMM 4096: interval of memory traffic | | {low * n**3 / 1e6:.0f} … {high * n**3 / 1e6:.0f} MB | |")
    naive = facts.mansard("run", "sgemm", "-m", "v100-pcie", "-D", "N=4096", "--variant", "gpu-naive")
    facts.rows.append(f"| GEMM 4096, naive: bound by | L1 or L2 | {naive['roofline']['bound_by']} | |")
    if naive["roofline"]["bound_by"] not in ("L1", "L2"):
        facts.wrong.append(f"naive GEMM is bound by {naive['roofline']['bound_by']}")


def gpp(facts, draw):
    points = facts.read("gpu_gpp_v100.csv")
    sets = [word for key, value in GPP.items() for word in ("--set", f"{key}={value}")]
    colours = {"L1": "#d62728", "L2": "#2ca02c", "HBM": "#1f77b4"}
    axes = gpu_page.Axes((0.5, 30), (400, 12000), "GPP on a V100, nw = 1 … 6", "flop/B", "GFLOP/s")
    for row in points:
        intensities = {level: float(row[f"AI_{level}"]) for level in ("L1", "L2", "HBM")}
        text = ",".join(f"{level}={value}" for level, value in intensities.items())
        roofline = facts.mansard("roofline", "-m", "v100-pcie", "--intensity", text, *sets)["roofline"]
        expected = "HBM" if int(row["nw"]) <= 3 else "compute"
        roof = roofline["performance_flops"] / 1e9
        facts.rows.append(f"| GPP, nw = {row['nw']}: bound by | {expected} | {roofline['bound_by']} | "
                          f"{float(row['GFLOPs']):.0f} of {roof:.0f} GFLOP/s |")
        if roofline["bound_by"] != expected:
            facts.wrong.append(f"GPP, nw = {row['nw']}: bound by {roofline['bound_by']}, not {expected}")
        for level, value in intensities.items():
            axes.dot(value, float(row["GFLOPs"]), colours[level], row["nw"] if level == "HBM" else "")
    for one in roofline["levels"]:
        bandwidth = one["bandwidth"] / 1e9
        first, last = max(0.5, 400 / bandwidth), min(30, roofline["peak_flops"] / 1e9 / bandwidth)
        axes.line([(first, first * bandwidth), (last, last * bandwidth)], colours[one["level"]])
        axes.text(first * 1.05, first * bandwidth * 1.25, f"{one['level']} {bandwidth:.0f} GB/s", colours[one["level"]])
    for name, peak in (("FMA", roofline["peak_flops"]), ("no FMA", roofline["no_fma_flops"])):
        axes.line([(0.5, peak / 1e9), (30, peak / 1e9)], "#777", name != "FMA")
        axes.text(16, peak / 1e9 * 1.08, f"{name} {peak / 1e9:.0f}", "#777")
    if draw:
        (facts.root / "docs" / "gpu-gpp.svg").write_text(axes.svg())


def what_if(facts):
    words = ["run", "star-3d-25pt", "-m", "v100-pcie", "-D", "N=640", "-D", "M=512", "-D", "L=512", "--schedule",
             "gpu(x: i, y: j, z: k, block: 8x1x128, registers: 64)"]
    runs = [facts.mansard(*words), facts.mansard(*words, "--set", "caches.L2.size=12MiB")]
    for size, run in zip(("6 MiB", "12 MiB"), runs):
        facts.rows.append(f"| 25-point stencil, blocks of 8x1x128, L2 of {size} | | {of(run, 'HBM')['bytes_per_update']:.1f} B/update, "
                          f"{run['roofline']['updates_per_second'] / 1e9:.1f} GLUP/s | |")
    if of(runs[1], "HBM")["bytes"] >= of(runs[0], "HBM")["bytes"]:
        facts.wrong.append("twice the L2 does not help the 25-point stencil")


def main():
    facts, write, quick = Facts(sys.argv[1], pathlib.Path(sys.argv[2])), "--write" in sys.argv, "--quick" in sys.argv
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sectors(facts)
        transposes(facts)
        lbm(facts, pool, quick)
        gemm(facts)
        gpp(facts, write)
        if not quick:
            what_if(facts)
        bandwidths(facts, pool, {"v100-pcie", "mi210"} if quick else set())
    text = "| | known | simulated | |\n|---|---|---|---|\n" + "\n".join(facts.rows) + "\n"
    print(text)
    for line in facts.wrong:
        print("DISAGREES:", line)
    if write:
        gpu_page.write(facts.root, "known figures", text)
    sys.exit(1 if facts.wrong else 0)


main()
