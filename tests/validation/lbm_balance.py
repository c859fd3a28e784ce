"""The loop balance of lattice Boltzmann kernels, published and simulated: prints a Markdown table and checks it.

Usage: lbm_balance.py MANSARD REPOSITORY
Published: bytes per fluid lattice update of D3Q19 in double precision with 4-byte indices, RRZE-HPC/lbm-benchmark-kernels,
doc/main.rst. Two figures of ours must agree:
  balance   what the accesses imply: bytes loaded, stored, and stored again for arrays that are never loaded, whose lines
            are allocated first (not with non-temporal stores). Exactly the published figure.
  memory    what crosses the memory boundary in a cold run that drains. On a list of cells in a closed box every line is
            used up, so it is the published figure exactly, too; the others read a halo, which the volume of their cube
            bounds: (N / (N - 2))^3.
A published range holds for any geometry; ours must lie in it.
"""
import csv
import json
import pathlib
import shlex
import subprocess
import sys


def simulate(program, root, arguments):
    command = [program, "run", *shlex.split(arguments), "-m", "cascadelake-sp-6248", "--cold", "--format", "json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def balance(run):
    allocate = "nontemporal" not in " ".join(run["workload"]["schedule"])
    total = 0
    for array in run["arrays"]:
        core = array["levels"][0]
        assert core["boundary"] == "REG-L1"
        total += core["bytes_in"] + core["bytes_out"] * (2 if allocate and core["bytes_in"] == 0 else 1)
    return total / run["work"]["updates"]


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| kernel | published B/update | balance | memory | mansard run … | note |\n|---|---|---|---|---|---|")
    wrong, runs = [], {}
    with open(root / "tests" / "validation" / "lbm_balance.csv", newline="") as file:
        for row in csv.DictReader(file):
            arguments = row["arguments"]
            if arguments not in runs:
                runs[arguments] = simulate(program, root, arguments)
            run = runs[arguments]
            ours, memory = balance(run), run["levels"][-1]["bytes"] / run["work"]["updates"]
            low, _, high = row["balance"].partition("-")
            edge = run["workload"]["parameters"]["N"]
            halo = 1 if "list" in arguments else (edge / (edge - 2)) ** 3
            if not float(low) <= ours <= float(high or low):
                wrong.append(f"{row['kernel']}: balance {ours}, published {row['balance']}")
            if not ours <= memory <= ours * halo:
                wrong.append(f"{row['kernel']}: {memory} B/update at memory, expected {ours} to {ours * halo}")
            print(f"| {row['kernel']} | {row['balance']} | {ours:g} | {memory:.1f} | `{arguments}` | {row['note']} |")
    for line in wrong:
        print("DISAGREES:", line)
    sys.exit(1 if wrong else 0)


main()
