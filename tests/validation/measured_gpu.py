"""Measured against predicted, for scripts/measure-gpu: prints a Markdown table.

Usage: measured_gpu.py MANSARD REPOSITORY MACHINE MEASURED.csv [--write]
MEASURED.csv is what measure.cu prints. --write: into docs/gpu.md.
"""
import csv
import json
import pathlib
import subprocess
import sys

import gpu_page

STREAM = ["--schedule", "gpu(x: i, block: 256)"]


def words_of(name):
    """The arguments of mansard for a measurement, and how many launches it is."""
    if name.startswith("star "):
        return ["star-3d-25pt", "-D", "N=640", "-D", "M=512", "-D", "L=512", "--schedule",
                f"gpu(x: i, y: j, z: k, block: {name.split()[1]}, registers: 64)"], 1
    if name.startswith("copy in L2 x "):
        return ["copy", "-D", "N=98304", *STREAM], int(name.rsplit(" ", 1)[1])
    return [name, "-D", "N=128000000", *STREAM], 1


def main():
    program, root, machine, path = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    lines = [f"| on {machine} | measured | predicted | bound by | |", "|---|---|---|---|---|"]
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            words, launches = words_of(row["name"])
            done = subprocess.run([program, "run", *words, "-m", machine, "--format", "json"], capture_output=True, text=True,
                                  timeout=300)
            if done.returncode != 0:
                sys.exit(done.stderr)
            roofline = json.loads(done.stdout)["roofline"]
            measured, predicted = float(row["seconds"]) / launches, roofline["seconds"]
            lines.append(f"| {row['name']} | {1e3 * measured:.4g} ms | {1e3 * predicted:.4g} ms | {roofline['bound_by']} | "
                         f"{100 * (predicted / measured - 1):+.0f} % |")
    text = "\n".join(lines) + "\n"
    print(text)
    if "--write" in sys.argv:
        gpu_page.write(root, "measured here", text)


main()
