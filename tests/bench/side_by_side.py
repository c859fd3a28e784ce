"""The engine against its naive twin: times, ratios, and equal counters.

Usage: side_by_side.py MANSARD [PART OF A CASE'S NAME]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

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
CASES = [  # name, arguments, options of the engine, whether the twin is run as well
    ("7-point 256, no fast-forward", ["jacobi-3d-7pt", "-D", "N=256"], ["--no-warp"], True),
    ("7-point 256, victim L3, no fast-forward", ["jacobi-3d-7pt", "-D", "N=256", "--set", "caches.L3.role=victim"], ["--no-warp"], True),
    ("7-point 256, inclusive L3, no fast-forward", ["jacobi-3d-7pt", "-D", "N=256", "--set", "caches.L3.role=inclusive"], ["--no-warp"], True),
    ("7-point 256", ["jacobi-3d-7pt", "-D", "N=256"], [], True),
    ("7-point 512", ["jacobi-3d-7pt", "-D", "N=512"], [], True),
    ("7-point 1024", ["jacobi-3d-7pt", "-D", "N=1024"], [], False),
    ("7-point 2000", ["jacobi-3d-7pt", "-D", "N=2000"], [], False),
    ("LBM pull SoA 128, padded", ["lbm-d3q19-pull-soa", "-D", "N=128", "--schedule", "pad(src: 8); pad(dst: 8)"], [], True),
    ("LBM pull SoA 128, power of two", ["lbm-d3q19-pull-soa", "-D", "N=128"], ["--no-warp"], True),
    ("blocked GEMM 384", ["gemm-blocked", "-D", "N=384"], [], True),
    ("SpMV, random columns", ["RANDOM"], [], True),
]


def simulate(program, arguments, options):
    command = [program, "run", *arguments, "-m", MACHINE, "--cold", "--format", "json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def best(program, arguments, options, times):
    return min((simulate(program, arguments, options) for _ in range(times)), key=lambda j: j["work"]["seconds"])


def main():
    program, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as folder:
        random = pathlib.Path(folder) / "spmv-random.yaml"
        random.write_text(RANDOM_SPMV)
        print(f"{'case':44} {'engine s':>9} {'naive s':>9} {'ratio':>8} {'look-ups/access':>16}")
        for name, arguments, options, twin in CASES:
            if part not in name:
                continue
            arguments = [str(random) if a == "RANDOM" else a for a in arguments]
            fast = best(program, arguments, options, 3)
            seconds, lookups = fast["work"]["seconds"], fast["work"]["lookups"] / fast["work"]["accesses"]
            if not twin:
                print(f"{name:44} {seconds:9.4f} {'':>9} {'':>8} {lookups:16.3g}")
                continue
            naive = best(program, arguments, ["--engine", "naive"], 1)
            equal = fast["levels"] == naive["levels"] and fast["arrays"] == naive["arrays"]
            print(f"{name:44} {seconds:9.4f} {naive['work']['seconds']:9.3f} {naive['work']['seconds'] / seconds:7.1f}x "
                  f"{lookups:16.3g}{'' if equal else '   COUNTERS DIFFER'}", flush=True)


main()
