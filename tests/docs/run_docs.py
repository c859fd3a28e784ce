"""Runs every `mansard …` line of the ```sh blocks of the documentation, in the repository's root, and expects success.

Usage: run_docs.py MANSARD REPOSITORY FILE…
A line that ends in `# exit N` is expected to exit with N.
"""
import pathlib
import re
import shlex
import subprocess
import sys


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("mansard "):
                yield line


def main():
    program, root, files = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    failures, count = 0, 0
    for name in files:
        for line in commands((root / name).read_text()):
            words = shlex.split(line, comments=True)
            expected = re.search(r"# exit (\d)\s*$", line)
            done = subprocess.run([program, *words[1:]], cwd=root, capture_output=True, text=True, timeout=300)
            count += 1
            if done.returncode != (int(expected[1]) if expected else 0):
                failures += 1
                print(f"{name}: {line}\n  exited with {done.returncode}\n{done.stderr}")
    print(f"{count} commands, {failures} failed")
    sys.exit(1 if failures or count == 0 else 0)


main()
