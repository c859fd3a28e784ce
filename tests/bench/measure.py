"""Runs of mansard: the JSON report of one, the fastest of several, and what a whole process takes."""
import json
import os
import subprocess
import time


class Mansard:
    def __init__(self, program, times):
        self.program, self.times = program, times

    def command(self, case, workload, options):
        return [self.program, "run", *workload, "-m", case.machine, *(["--cold"] if case.cold else []), "--band", "never",
                "--format", "json", *options]

    def report(self, case, workload, options, times=None):
        """Of the run with the shortest simulation."""
        def once():
            done = subprocess.run(self.command(case, workload, options), capture_output=True, text=True, check=True)
            return json.loads(done.stdout)
        return min((once() for _ in range(times or self.times)), key=lambda report: report["work"]["seconds"])

    def process(self, words, times=None):
        """From start to finish (the fastest of several): seconds, those of them on a processor, and the peak in MB."""
        runs = []
        for _ in range(times or self.times):
            start = time.perf_counter()
            child = subprocess.Popen([self.program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - start
            if status != 0:
                raise RuntimeError(f"{words} failed")
            runs.append((seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000))
        return min(runs)


def counters(report):
    return report["levels"], report["arrays"]


def memory_bytes(report):
    return report["levels"][-1]["bytes"]


def row(name, seconds, other, against, ratio, wanted, note=""):
    print(f"{name:50} {seconds:9.4f} {other:9.3f} {against:13} {ratio:7.2f}x {wanted:>8}  {note}", flush=True)


def heading():
    print(f"{'case':50} {'engine s':>9} {'other s':>9} {'against':13} {'ratio':>8} {'wanted':>8}  note", flush=True)
