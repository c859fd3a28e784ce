"""Another simulator on the accesses of a case: it is given a din trace, timed, and its output printed beside ours."""
import dataclasses
import pathlib
import subprocess
import time

MOST_ACCESSES = 1 << 28  # a trace of some gigabytes


def run(mansard, case, command, folder):
    case = dataclasses.replace(case, cold=True)  # a trace starts with empty caches, and nothing is drained after it
    report = mansard.report(case, case.workload, [*case.options, "--no-drain"])
    work = report["work"]
    print(f"\n== {case.name}: {work['accesses']} accesses")
    print(f"mansard: {work['seconds']:.4f} s")
    for level in report["levels"]:
        print(f"  {level['boundary']:8} {level['bytes_in']:>15} B in {level['bytes_out']:>15} B out"
              + ("" if level.get("hits") is None else f" {level['hits']:>13} hits {level['misses']:>12} misses"))
    if work["accesses"] > MOST_ACCESSES:
        print("  too long for a trace; scripts/bench --list names smaller ones")
        return
    trace = folder / "trace.din"
    writer = pathlib.Path(mansard.program).parents[2] / "tests" / "bench" / "din_trace"
    with trace.open("wb") as out:
        subprocess.run([str(writer), *case.workload, "-m", case.machine], stdout=out, check=True)
    with trace.open("rb") as stream:
        start = time.perf_counter()
        done = subprocess.run(command, shell=True, stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = time.perf_counter() - start
    trace.unlink()
    print(f"{command}: {seconds:.4f} s, {seconds / work['seconds']:.1f}x" +
          (f", exit status {done.returncode}" if done.returncode else ""))
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()), flush=True)

