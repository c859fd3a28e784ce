"""Streams of single accesses without structure, as a trace of another tool would be: cache_bench.cpp has them."""
import json
import pathlib
import subprocess

import measure


class Foreign:
    def __init__(self, kernel, name, wanted):
        self.kernel, self.name, self.wanted = kernel, name, wanted

    def run(self, mansard, folder):
        del folder
        bench = pathlib.Path(mansard.program).parents[2] / "tests" / "bench" / "bench_cache"
        if not bench.exists():
            print(f"{self.name:50} needs google-benchmark (libbenchmark-dev)")
            return
        done = subprocess.run([str(bench), f"--benchmark_filter=^{self.kernel}/", "--benchmark_format=json",
                               f"--benchmark_repetitions={mansard.times}"], capture_output=True, text=True, check=True)
        runs = [entry for entry in json.loads(done.stdout)["benchmarks"] if entry["run_type"] == "iteration"]
        found = {side: max((r for r in runs if r["name"].split("/")[1] == side), key=lambda r: r["accesses/s"])
                 for side in ("fast", "naive")}  # the fastest of each
        fast, naive = (1 / found[side]["accesses/s"] for side in ("fast", "naive"))
        accesses = found["fast"]["accesses"]
        measure.row(self.name, fast * accesses, naive * accesses, "naive twin", naive / fast, self.wanted,
                    f"{found['fast']['look-ups/access']:.3g} look-ups/access, " +
                    ("same misses" if found["fast"]["memory lines"] == found["naive"]["memory lines"] else "MISSES DIFFER"))


CASES = [
    Foreign("din_stencil", "single accesses of a 7-point stencil", ">= 1.6"),
    Foreign("din_random", "single accesses at random", ">= 4"),
]
