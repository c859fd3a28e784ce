"""Every shipped machine is listed, prints, and runs a kernel or has its roofs: every_machine.py MANSARD REPOSITORY

What its file says must come out: the name and the sources; of a CPU a level for each cache and one for memory, a warning
for each assumed geometry and none about a link or bandwidth that the file gives; of a GPU its roofs.
"""
import json
import pathlib
import subprocess
import sys

import yaml


def run(program, root, *words):
    done = subprocess.run([program, *words], cwd=root, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"mansard {' '.join(words)}\n{done.stderr}")
    return done.stdout


def sheet_mistakes(program, root, machine, name):
    shown = run(program, root, "machines", name)
    if machine["name"] not in shown:
        yield "its name is not shown"
    for key in machine["sources"]:
        if f"  {key}: " not in shown:
            yield f"the source of {key} is not shown"


def gpu_mistakes(program, root, machine, name):
    """A GPU has the roofs of its file: the peak of doubles, and the memory as measured, with reads first, or specified."""
    memory, peak = machine["memory"], machine["rates"]["vector"]["fp64"]
    words = ("roofline", "--flops", "1e9", "--bytes", "1e9", "-m", name, "--format", "json")
    roofs = json.loads(run(program, root, *words))["roofline"]
    mix = next((mix for mix in ("read", "scale", "init") if mix in memory.get("measured", {})), None)
    bandwidth = memory["measured"][mix] if mix else memory["spec"]
    expected = [float(peak.split()[0]) * 1e12, float(bandwidth.split()[0]) * 1e9]
    if any(abs(roofs[key] - value) > 1e-9 * value for key, value in zip(("peak_flops", "bandwidth"), expected)):
        yield f"roofs {roofs['peak_flops']} and {roofs['bandwidth']}, expected {expected}"
    if roofs["memory_mix"] != mix:
        yield f"mix {roofs['memory_mix']}"


def cpu_mistakes(program, root, machine, name):
    result = json.loads(run(program, root, "run", "daxpy", "-m", name, "-D", "N=5000", "--format", "json"))
    levels = [level["level"] for level in result["levels"]]
    if levels != [cache["name"] for cache in machine["caches"]] + [machine["memory"].get("name", "DRAM")]:
        yield f"levels {levels}"
    assumed = [w for w in result["warnings"] if "is assumed, not known" in w]
    if len(assumed) != sum(cache.get("assumed", False) for cache in machine["caches"]):
        yield f"warnings about assumed geometries: {assumed}"
    no_ecm = any("link" not in cache for cache in machine["caches"][1:])
    if (result["ecm"]["cycles"] is None) != no_ecm:
        yield f"ECM time {result['ecm']['cycles']}"


def mistakes(program, root, path):
    machine = yaml.safe_load(path.read_text(encoding="utf-8"))
    yield from sheet_mistakes(program, root, machine, path.stem)
    of_kind = gpu_mistakes if machine["kind"] == "gpu" else cpu_mistakes
    yield from of_kind(program, root, machine, path.stem)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    files = sorted((root / "machines").glob("*/*.yaml"))
    listed = [line.split()[0] for line in run(program, root, "machines").splitlines()]
    wrong = [f"{path.stem}: not listed" for path in files if path.stem not in listed]
    wrong += [f"{path.stem}: {text}" for path in files for text in mistakes(program, root, path)]
    print("\n".join(wrong) if wrong else f"{len(files)} machines")
    sys.exit(1 if wrong or not files else 0)


main()
