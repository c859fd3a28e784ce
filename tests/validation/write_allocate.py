"""Memory traffic over the bytes that a streaming kernel names, beside what was measured: within 2 %.

Usage: write_allocate.py MANSARD REPOSITORY
Machines without a file in machines/ are left out, and said so. One core stands for the socket: the factor is the same.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 0.02
KERNELS = {"load": "s += a[i]", "store": "a[i] = s", "copy": "a[i] = b[i]", "stream": "a[i] = b[i] + s * c[i]",
           "triad": "a[i] = b[i] + c[i] * d[i]"}
NAMED = {"load": 8, "store": 8, "copy": 16, "stream": 24, "triad": 32}  # bytes per update


def factor(program, root, machine, kernel):
    with tempfile.TemporaryDirectory() as folder:
        code = pathlib.Path(folder) / f"{kernel}.c"
        code.write_text(f"double a[N], b[N], c[N], d[N], s;\nfor (int i = 0; i < N; ++i) {KERNELS[kernel]};\n")
        command = [program, "run", str(code), "-m", machine, "-D", "N=32000000", "--format", "json"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout)["levels"][-1]["bytes_per_update"] / NAMED[kernel]


def rows(program, root):
    """Machine, kernel, measured factor and ours (absent without a machine file)."""
    file = pathlib.Path(__file__).parent / "write_allocate.csv"
    with open(file, newline="") as lines:
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            known = (root / "machines" / "cpu" / f"{row['machine']}.yaml").exists()
            ours = factor(program, root, row["machine"], row["kernel"]) if known else None
            yield row["machine"], row["kernel"], float(row["measured"]), ours


def table(found):
    lines = ["| machine | kernel | measured | ours | difference |", "| --- | --- | --- | --- | --- |"]
    for machine, kernel, measured, ours in found:
        if ours is not None:
            lines.append(f"| {machine} | {kernel} | {measured:.3f} | {ours:.3f} | {100 * (ours / measured - 1):+.1f} % |")
    return "\n".join(lines) + "\n"


def main():
    found = list(rows(sys.argv[1], pathlib.Path(sys.argv[2])))
    print(table(found))
    for machine in sorted({machine for machine, _, _, ours in found if ours is None}):
        print(f"left out: there is no machine file {machine}")
    wrong = [f"{m} {k}" for m, k, measured, ours in found if ours is not None and abs(ours / measured - 1) > TOLERANCE]
    print("\n".join(f"DISAGREES: {w}" for w in wrong))
    sys.exit(1 if wrong or all(ours is None for *_, ours in found) else 0)


if __name__ == "__main__":
    main()
