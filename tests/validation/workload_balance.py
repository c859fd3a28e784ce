"""Flops and bytes per update of the shipped workloads, counted by hand and simulated: prints a Markdown table and checks it.

Usage: workload_balance.py MANSARD REPOSITORY
By hand: every element that an update needs moves once through memory, stored ones twice if they were not loaded
(docs/workloads.md). Simulated: the memory boundary of a warm run with the default sizes on a machine whose caches hold the
layer conditions and not the arrays. Simulated bytes are at least those by hand, and at most `most` times as many: halos
(expressions of the parameters), for sparse matrices the planes of x that are loaded again.
"""
import csv
import json
import pathlib
import shlex
import subprocess
import sys


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| workload | flops/update | bytes/update by hand | simulated | ratio | at most |\n|---|---|---|---|---|---|")
    wrong = []
    with open(root / "tests" / "validation" / "workload_balance.csv", newline="") as file:
        for row in csv.DictReader(file):
            words = [row["workload"], *shlex.split(row["arguments"])]
            command = [program, "run", *words, "-m", "cascadelake-sp-6248", "--format", "json"]
            done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
            run = json.loads(done.stdout)
            parameters = run["workload"]["parameters"]
            by_hand, most = (eval(row[key], {"__builtins__": {}}, parameters) for key in ("bytes", "most"))
            flops, bytes_ = run["work"]["flops_per_update"], run["levels"][-1]["bytes_per_update"]
            name, ratio = " ".join(words), bytes_ / by_hand
            print(f"| {name} | {flops:g} | {by_hand:.4g} | {bytes_:.4g} | {ratio:.4f} | {most:.4f} |")
            if flops != float(row["flops"]):
                wrong.append(f"{name}: {flops} flops per update, by hand {row['flops']}")
            if not 0.998 <= ratio <= most * 1.0001:  # a little of the arrays may stay in the caches
                wrong.append(f"{name}: {bytes_} bytes per update, by hand {by_hand}, at most {most} times as many")
    for line in wrong:
        print("DISAGREES:", line)
    sys.exit(1 if wrong else 0)


main()
