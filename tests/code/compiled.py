"""Compiles the C of schedules and of the plain nests, and compares the checksums of all arrays, bit for bit.

Usage: compiled.py MANSARD CC CASES
A line of CASES is: workload and -D options | schedule
"""
import pathlib
import subprocess
import sys
import tempfile


def checksum(mansard, cc, words, folder):
    source, program = folder / "nest.c", folder / "nest"
    subprocess.run([mansard, "code", *words, "--main", "-o", source], check=True)
    # Products are not contracted into sums: plain and scheduled loops might be contracted differently.
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unknown-pragmas",
             "-Wno-unused-function", "-ffp-contract=off"]
    if "parallel" in " ".join(words):
        flags.append("-fopenmp")
    subprocess.run([cc, *flags, source, "-o", program, "-lm"], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.strip()


def main():
    mansard, cc, cases = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    failures, count, plain = 0, 0, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for line in cases.read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            workload, schedule = (part.strip() for part in line.split("|"))
            words = workload.split()
            if workload not in plain:
                plain[workload] = checksum(mansard, cc, [*words, "--schedule", ""], folder)
            found = checksum(mansard, cc, [*words, "--schedule", schedule], folder)
            count += 1
            if found != plain[workload]:
                failures += 1
                print(f"{workload}: {schedule}: checksum {found}, but {plain[workload]} of the plain nest")
    print(f"{count} schedules, {failures} failed")
    sys.exit(1 if failures or count == 0 else 0)


main()
