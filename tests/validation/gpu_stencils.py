"""A 25-point stencil on a V100 in 43 shapes of blocks, measured and simulated: prints a Markdown table and checks it.

Usage: gpu_stencils.py MANSARD REPOSITORY [--check]
Measured: gpu_v100_25pt.csv (its first line says where it is from). The measured code ran at half occupancy, one block of
1024 threads on each SM, hence 64 registers. --check: for the tests. Without it, docs/gpu.md is written.
"""
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys

import gpu_page

TARGETS = {  # deviations of the volumes and times; the first two in the mean over blocks at least 16 wide
    "DRAM loads, wide, mean": 0.02, "L2 loads, wide, mean": 0.04, "DRAM loads, median": 0.03, "L2 loads, median": 0.06,
    "DRAM loads, mean": 0.12, "L2 loads, mean": 0.12, "time, median": 0.10}


def simulate(program, shape):
    command = [program, "run", "star-3d-25pt", "-m", "v100-pcie", "-D", "N=640", "-D", "M=512", "-D", "L=512", "--schedule",
               f"gpu(x: i, y: j, z: k, block: {shape}, registers: 64)", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    run = json.loads(done.stdout)
    updates = run["work"]["updates"]
    of = {level["level"]: level for level in run["levels"]}
    return {"dram": of["HBM"]["bytes_in"] / updates, "store": of["HBM"]["bytes_out"] / updates, "l2": of["L2"]["bytes_in"] / updates,
            "rate": run["roofline"]["updates_per_second"] / 1e9, "bound": run["roofline"]["bound_by"],
            "pages": any("pages" in w for w in run["warnings"]), "time": run["gpu"]["time"],
            "levels": {level["level"]: level["seconds"] for level in run["levels"]}}


def mean(values):
    return sum(values) / len(values)


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def deviations(points):
    """Of every quantity in TARGETS."""
    def of(key, measured, some=lambda row: True):
        return [abs(ours[key] / float(row[measured]) - 1) for row, ours in points if some(row)]

    def wide(row):
        return int(row["bx"]) >= 16

    dram, l2 = "meas_dram_load_BLup", "meas_l2_load_BLup"
    times = [abs(float(row["meas_GLups"]) / ours["rate"] - 1) for row, ours in points]
    return {"DRAM loads, wide, mean": mean(of("dram", dram, wide)), "L2 loads, wide, mean": mean(of("l2", l2, wide)),
            "DRAM loads, median": median(of("dram", dram)), "L2 loads, median": median(of("l2", l2)),
            "DRAM loads, mean": mean(of("dram", dram)), "L2 loads, mean": mean(of("l2", l2)),
            "time, median": median(times)}


def table(points):
    lines = ["| block | DRAM load, measured | simulated | L2 load, measured | simulated | GLUP/s, measured | predicted | pages |",
             "|---|---|---|---|---|---|---|---|"]
    for row, ours in points:
        lines.append(f"| {shape_of(row)} | {float(row['meas_dram_load_BLup']):.1f} | {ours['dram']:.1f} | "
                     f"{float(row['meas_l2_load_BLup']):.1f} | {ours['l2']:.1f} | {float(row['meas_GLups']):.1f} | {ours['rate']:.1f} | "
                     f"{'too many' if ours['pages'] else ''} |")
    return "\n".join(lines) + "\n"


def shape_of(row):
    return f"{row['bx']}x{row['by']}x{row['bz']}"


def main():
    program, root, check = sys.argv[1], pathlib.Path(sys.argv[2]), "--check" in sys.argv
    with open(root / "tests" / "validation" / "gpu_v100_25pt.csv", newline="") as file:
        rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        points = list(zip(rows, pool.map(lambda row: simulate(program, shape_of(row)), rows)))
    text, found = table(points), deviations(points)
    if "--json" in sys.argv:
        print(json.dumps(points))
        return
    wrong = [f"{name}: {found[name]:.3f}, at most {most}" for name, most in TARGETS.items() if found[name] > most]
    wrong += [f"{shape_of(row)}: {row['bz']} deep, and no warning of pages" for row, ours in points
              if int(row["bz"]) >= 64 and not ours["pages"]]
    text += "\n" + "; ".join(f"{name} {100 * value:.1f} %" for name, value in found.items()) + ".\n"
    print(text)
    for line in wrong:
        print("MISSED:", line)
    if not check:
        gpu_page.write(root, "25-point stencil", text)
        (root / "docs" / "gpu-stencils.svg").write_text(gpu_page.scatter(
            [(float(row["meas_GLups"]), ours["rate"], ours["pages"]) for row, ours in points],
            "25-point stencil on a V100, 43 shapes of blocks", "measured, GLUP/s", "predicted, GLUP/s"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
