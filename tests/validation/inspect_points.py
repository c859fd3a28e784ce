"""Simulates the measured stencils: one point is a stencil, an N, what was measured and what Mansard says."""
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import subprocess
import threading

import shares
import stencils

MACHINE = "ivybridge-ep-e5-2660v2"
COLUMNS = ("l1l2", "l2l3", "mem")
STEP = 10  # between the measured N


def measured(folder):
    """Points with `stencil`, `n`, `measured` bytes per update at the three boundaries and `cycles` per line, the `bytes` of all
    arrays. Not `sound`: fewer dirty lines left the L2 than left the L1 and reached memory, which cannot be."""
    with open(folder / "inspect_ivybridge.csv", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            stencil = (int(row["radius"]), row["weights"], row["shape"], row["coefficients"])
            moved = [float(row[c + "_in"]) + float(row[c + "_out"]) for c in COLUMNS]
            out = [float(row[c + "_out"]) for c in COLUMNS]
            n = int(row["N"])
            yield {"stencil": stencil, "n": n, "measured": moved, "cycles": float(row["cycles_per_cl"]),
                   "sound": out[1] >= 0.97 * min(out[0], out[2]), "bytes": 8 * n**3 * stencils.arrays_of(stencil)}


def run(program, root, workload, n, band):
    command = [program, "run", str(workload), "-m", MACHINE, "-D", f"N={n}", "--band", band, "--format", "json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr)
    return json.loads(done.stdout)


class Kept:
    """Results of earlier runs of the same program, one JSON line each, so that an interrupted validation goes on."""

    def __init__(self, file, program):
        self.file, self.program = file, hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]
        self.known, self.lock = {}, threading.Lock()
        if file and file.exists():
            for line in file.read_text().splitlines():
                entry = json.loads(line)
                self.known[tuple(entry["key"])] = entry["value"]

    def get(self, point, what, compute):
        key = (self.program, stencils.name_of(point["stencil"]), point["n"], what)
        if key not in self.known:
            value = compute()
            with self.lock:
                self.known[key] = value
                if self.file:
                    with open(self.file, "a") as out:
                        out.write(json.dumps({"key": key, "value": value}) + "\n")
        return self.known[key]


def simulated(program, root, workload, n):
    result = run(program, root, workload, n, "never")
    closed = result["layer_conditions"]["levels"]
    return {"simulated": [level["bytes_per_update"] for level in result["levels"][1:]],
            "closed": [level["bytes_per_update"] for level in closed],
            "edge": [abs(level["at_half_capacity"] - level["at_1.4_capacity"]) > 0.05 * level["at_1.4_capacity"] for level in closed],
            "predicted": result["ecm"]["one_core"]["cycles"], "notation": result["ecm"]["notation"]}


def band(program, root, workload, n):
    levels = run(program, root, workload, n, "always")["levels"][1:]
    return [level.get("band", [level["bytes_per_update"]] * 2) for level in levels]


def agrees(point, level):
    """Simulation and layer condition within 5 %. Below 0.5 B per update nothing moves."""
    a, b = point["simulated"][level], point["closed"][level]
    return abs(a - b) <= max(0.05 * b, 0.5)


def mark_transitions(points):
    """`near[level]`: the simulation and the closed form differ here or one step of N away."""
    by_place = {(p["stencil"], p["n"]): p for p in points}
    for p in points:
        around = [by_place.get((p["stencil"], p["n"] + d)) for d in (-STEP, 0, STEP)]
        p["near"] = [not all(agrees(q, level) for q in around if q) for level in range(len(COLUMNS))]


def all_points(program, root, wanted=lambda point: True, report=lambda text: None, keep=None):
    """Every wanted point simulated, with their band those near a transition that need it. `keep`: file of results, see Kept."""
    folder = pathlib.Path(__file__).parent
    points = list(measured(folder))
    files = stencils.write_workloads({p["stencil"] for p in points}, folder / "stencils")
    points = [p for p in points if wanted(p)]
    kept = Kept(keep, program)

    def simulate(p):
        p.update(kept.get(p, "simulated", lambda: simulated(program, root, files[p["stencil"]], p["n"])))

    def add_band(p):
        p["band"] = kept.get(p, "band", lambda: band(program, root, files[p["stencil"]], p["n"]))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, _ in enumerate(pool.map(simulate, points)):
            if done % 100 == 0:
                report(f"{done} of {len(points)} points")
        mark_transitions(points)
        near = [p for p in points if any(n and not shares.met(p, level) for level, n in enumerate(p["near"]))]
        report(f"{len(near)} points near a transition are not met: bands")
        list(pool.map(add_band, near))
    return points
