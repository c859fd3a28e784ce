"""Bandwidths of caches measured on one core beside ECM predictions: prints a Markdown table and checks it.

Usage: cache_bandwidths.py MANSARD REPOSITORY
Measured: likwid-bench on one core, in the machine files of Kerncraft (RRZE-HPC/kerncraft), without write-allocate traffic.
Ours: the same bytes over the ECM time with the data in that cache, which is simulated: the victims of an exclusive L3 and
the write-allocates take their share of the links. Nothing is fitted: link widths and rates are the documented ones, so the
prediction is an upper limit that hardware comes near to. A note says why a row is shown and not checked.
"""
import csv
import json
import pathlib
import shlex
import subprocess
import sys

BYTES_PER_UPDATE = {"load": 8, "copy": 16, "update": 16, "daxpy": 24, "triad": 32}
RATIO = {"L1": (0.82, 1.0), "L2": (0.70, 1.10), "L3": (0.80, 1.13)}  # measured / ECM


def predicted(program, root, row):
    command = [program, "run", *shlex.split(row["arguments"]), "-m", row["machine"], "--format", "json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    ecm = json.loads(done.stdout)["ecm"]
    return ecm["updates_per_second"] * BYTES_PER_UPDATE[row["kernel"]] / 1e9, ecm["notation"].replace("|", "\\|")


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| machine | data in | kernel | measured GB/s | ECM GB/s | measured/ECM | ECM | not checked |\n|---|---|---|---|---|---|---|---|")
    wrong, checked = [], 0
    with open(root / "tests" / "validation" / "cache_bandwidths.csv", newline="") as file:
        for row in csv.DictReader(file):
            ours, notation = predicted(program, root, row)
            ratio, (low, high) = float(row["measured_GBs"]) / ours, RATIO[row["level"]]
            print(f"| {row['machine']} | {row['level']} | {row['kernel']} | {row['measured_GBs']} | {ours:.1f} | {ratio:.2f} "
                  f"| {notation} | {row['not_checked']} |")
            if row["not_checked"]:
                continue
            checked += 1
            if not low <= ratio <= high:
                wrong.append(f"{row['machine']} {row['level']} {row['kernel']}: {ratio:.2f} outside {low} to {high}")
    for line in wrong:
        print("DISAGREES:", line)
    print(f"{checked} checked, {len(wrong)} disagree")
    sys.exit(1 if wrong or checked == 0 else 0)


main()
