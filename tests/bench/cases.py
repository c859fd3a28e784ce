"""What is measured: rows of the table of issue "The engine", each with what it is held against and what is asked of it.

`workload` and `options` are arguments of `mansard run`. Without `other` the row is held against the naive twin.
"""
import dataclasses

MACHINE = "example-2tflops-200gbs"  # 32 KiB/8, 1 MiB/16, 32 MiB/16, LRU, NINE
RANDOM_SPMV = """name: spmv-random
parameters: {rows: 300000}
data: {A: {random_uniform: {rows: rows, columns: rows, per_row: 16, seed: 1}}}
code: |
  double val[nnz], x[ncols], y[nrows]; int col[nnz], row[nrows+1];
  for (int r = 0; r < nrows; ++r) {
    double sum = 0;
    for (int p = row[r]; p < row[r+1]; ++p) sum += val[p] * x[col[p]];
    y[r] = sum;
  }
"""


@dataclasses.dataclass
class Case:
    name: str
    wanted: str  # of the ratio: time of the other / time of this
    workload: list
    options: list = dataclasses.field(default_factory=list)
    other: tuple = None  # name, workload, options of another run of the engine
    machine: str = MACHINE
    same_counters: bool = True  # as the other's
    cold: bool = True
    large: bool = False  # takes a minute or more: only with --all or by name


def seven_point(n, *settings):
    return ["jacobi-3d-7pt", "-D", f"N={n}", *settings]


def with_l3(setting):
    return seven_point(256, "--set", f"caches.L3.{setting}")


FIFO = [word for level in ("L1", "L2", "L3") for word in ("--set", f"caches.{level}.replacement=fifo")]
LBM = ["lbm-d3q19-pull-soa", "-D", "N=256"]
SPMV = ["RANDOM"]  # a file with the text above
PLAIN = ["--no-warp"]
NINE = ("NINE LRU", seven_point(256), PLAIN)

CASES = [
    Case("7-point 256, no fast-forward", ">= 6", seven_point(256), PLAIN),
    Case("7-point 256", ">= 25", seven_point(256)),
    Case("7-point 512", ">= 250", seven_point(512), large=True),
    Case("7-point 1024", ">= 1/1.5", seven_point(1024), other=("7-point 512", seven_point(512), []), same_counters=False),
    Case("7-point 2000", ">= 1/4", seven_point(2000), other=("7-point 512", seven_point(512), []), same_counters=False),
    Case("LBM pull SoA 256, padded", ">= 60", [*LBM, "--schedule", "pad(src: 8); pad(dst: 8)"], large=True),
    Case("LBM pull SoA 256, power of two, no fast-forward", ">= 1", LBM, PLAIN, large=True),
    Case("LBM pull SoA 128, padded", "", ["lbm-d3q19-pull-soa", "-D", "N=128", "--schedule", "pad(src: 8); pad(dst: 8)"]),
    Case("LBM pull SoA 128, power of two, no fast-forward", ">= 1", ["lbm-d3q19-pull-soa", "-D", "N=128"], PLAIN),
    Case("blocked GEMM 384", ">= 5.5", ["gemm-blocked", "-D", "N=384"]),
    Case("SpMV, random columns", ">= 4", SPMV),
    Case("victim L3, no fast-forward", ">= 1/2", with_l3("role=victim"), PLAIN, NINE, same_counters=False),
    Case("inclusive L3, no fast-forward", ">= 1/2", with_l3("role=inclusive"), PLAIN, NINE, same_counters=False),
    Case("FIFO, no fast-forward", ">= 1/2", seven_point(256, *FIFO), PLAIN, NINE, same_counters=False),
    Case("victim L3 (Skylake-SP) 7-point 512, warm", ">= 50", seven_point(512), machine="skylake-sp-6148", cold=False,
         large=True),
    Case("two threads, 7-point 256, no fast-forward", ">= 1.6", seven_point(256), [*PLAIN, "--threads", "2"],
         ("one thread", seven_point(256), PLAIN)),
    Case("two threads, SpMV", ">= 1.4", SPMV, ["--threads", "2"], ("one thread", SPMV, [])),
    Case("--sample 1/16, SpMV", ">= 4", SPMV, ["--sample", "1/16"], ("all sets", SPMV, []), same_counters=False),
]
