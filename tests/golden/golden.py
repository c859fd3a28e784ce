"""Compares what the program prints with the files in expected/, or writes those files anew.

Usage: golden.py MANSARD REPOSITORY [--update]
What differs from run to run is masked: wall times.
"""
import difflib
import pathlib
import re
import shlex
import subprocess
import sys


def masked(text):
    text = re.sub(r'("seconds": )[-+0-9.e]+', r"\1MASKED", text)
    return re.sub(r"(look-ups and )[-+0-9.e]+ (s|ms|us|µs|ns)", r"\1MASKED", text)


def main():
    program, root, update = sys.argv[1], pathlib.Path(sys.argv[2]), "--update" in sys.argv
    folder = root / "tests" / "golden"
    failed = 0
    for line in (folder / "cases.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, arguments = (part.strip() for part in line.split("|"))
        words = shlex.split(arguments.replace("(", "\\(").replace(")", "\\)"))
        done = subprocess.run([program, *words], cwd=root, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            print(f"{name}: exited with {done.returncode}\n{done.stderr}")
            failed += 1
            continue
        got, file = masked(done.stdout), folder / "expected" / f"{name}.txt"
        if update:
            file.write_text(got)
        elif not file.exists() or file.read_text() != got:
            failed += 1
            expected = file.read_text() if file.exists() else ""
            print(f"{name} differs (scripts/golden writes the expected files anew):")
            print("\n".join(difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "got", lineterm="")))
    sys.exit(1 if failed else 0)


main()
