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


def words_of(arguments):
    return shlex.split(arguments.replace("(", "\\(").replace(")", "\\)"))


def lines_of(file):
    for line in file.read_text().splitlines():
        if not line.startswith("#") and line.strip():
            yield [part.strip() for part in line.split("|")]


def check_bad(program, root, folder):
    """What is wrong must be said in one go: exit code 2, the message, nothing on standard output."""
    failed = 0
    for arguments, message in lines_of(folder / "bad.txt"):
        done = subprocess.run([program, *words_of(arguments)], cwd=root, capture_output=True, text=True, timeout=20)
        if done.returncode != 2 or message not in done.stderr or done.stdout:
            failed += 1
            print(f"mansard {arguments}\n  exited with {done.returncode}, said: {done.stderr.strip()}\n  expected: {message}")
    return failed


def main():
    program, root, update = sys.argv[1], pathlib.Path(sys.argv[2]), "--update" in sys.argv
    folder = root / "tests" / "golden"
    failed = 0 if update else check_bad(program, root, folder)
    for name, arguments in lines_of(folder / "cases.txt"):
        done = subprocess.run([program, *words_of(arguments)], cwd=root, capture_output=True, text=True, timeout=300)
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
