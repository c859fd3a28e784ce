"""Simulates the measured stencils and writes docs/validation.md and its plot.

Usage: validate.py MANSARD REPOSITORY [--every N] [--quick]
--every N: only every Nth size, for a quick look, printed and not written. --quick: two stencils up to 300, for the tests.
Results are kept in out/validation.jsonl: an interrupted run goes on, another build of Mansard begins anew.
Exits with 1 where a target of shares.py is missed.
"""
import argparse
import pathlib
import sys
import time

import inspect_points
import shares
from inspect_points import MACHINE

QUICK = {(1, "isotropic", "star", "constant"), (2, "isotropic", "star", "variable")}
COLOURS = {"L1-L2": "#1f77b4", "L2-L3": "#2ca02c", "L3-DRAM": "#d62728"}


def percent(value):
    return "-" if value != value else f"{100 * value:.0f} %"


def traffic_row(name, regime, here, level):
    errors = [shares.error(p, level) for p in here]
    spread = " / ".join(f"{100 * shares.quantile(errors, q):+.1f}" for q in (0.05, 0.25, 0.5, 0.75, 0.95)) if here else ""
    banded = percent(shares.share_in_band(here, level)) if regime == "near" else ""
    return [MACHINE, name, regime, str(len(here)), percent(shares.share(errors, 0.05)), percent(shares.share(errors, 0.10)),
            spread, banded]


def traffic_rows(points):
    for level, name in enumerate(shares.LEVELS):
        away = shares.regime(points, level, False)
        yield traffic_row(name, "away", away, level)
        if name == "L2-L3":
            yield traffic_row(name, "away, sound", [p for p in away if p["sound"]], level)
        yield traffic_row(name, "no edge", shares.far(points, level), level)
        yield traffic_row(name, "near", shares.regime(points, level, True), level)


def cycle_rows(points):
    for coefficients in ("constant", "variable"):
        for shape in ("star", "box"):
            for radius in (1, 2):
                here = [shares.cycle_error(p) for p in points if p["stencil"][0] == radius and p["stencil"][2:] == (shape, coefficients)]
                if here:
                    yield [f"{coefficients} {shape}, r{radius}", str(len(here)), percent(shares.quantile(map(abs, here), 0.5)),
                           f"{100 * shares.quantile(here, 0.5):+.0f} %", percent(shares.share(here, 0.10))]


def missed(points):
    """The targets that are not met, in words."""
    for level, (name, (tolerance, target)) in enumerate(shares.TARGETS.items()):
        away = shares.share((shares.error(p, level) for p in shares.regime(points, level, False)), tolerance)
        if away < target:
            yield f"{name} away from transitions: {percent(away)} within {percent(tolerance)}, target {percent(target)}"
        near = shares.regime(points, level, True)
        inside = shares.share_in_band(near, level)
        if near and inside < shares.BAND_TARGET:
            yield f"{name} near transitions: {percent(inside)} in the band, target {percent(shares.BAND_TARGET)}"


def table(header, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]) + "\n"


def curves(points):
    for level, name in enumerate(shares.LEVELS):
        for near in (False, True):
            errors = [shares.error(p, level) for p in shares.regime(points, level, near)]
            yield f"{name}, {'near' if near else 'away'}", COLOURS[name], near, errors
    yield "cycles (ECM)", "#777", False, [shares.cycle_error(p) for p in points]


def results(points):
    everything = [shares.cycle_error(p) for p in points]
    beyond = sum(p["bytes"] > shares.SOCKET_MEMORY for p in points)
    text = table(["machine", "boundary", "transition", "points", "within 5 %", "within 10 %", "5 / 25 / 50 / 75 / 95th percentile, %",
                  "measured in the band"], traffic_rows(points))
    text += f"\n{beyond} points with more data than one socket's memory are left out at L3-DRAM.\n\n"
    text += table(["stencils", "points", "median of the deviation", "median with sign", "within 10 %"], cycle_rows(points))
    return text + f"\nCycles over all points: median deviation {percent(shares.quantile(map(abs, everything), 0.5))}.\n"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("mansard")
    arguments.add_argument("root", type=pathlib.Path)
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--quick", action="store_true")
    options = arguments.parse_args()

    def wanted(point):
        if options.quick:
            return point["stencil"] in QUICK and point["n"] <= 300
        return point["n"] // inspect_points.STEP % options.every == 0

    start = time.monotonic()
    (options.root / "out").mkdir(exist_ok=True)
    points = inspect_points.all_points(options.mansard, options.root, wanted, lambda text: print(text, file=sys.stderr, flush=True),
                                       None if options.quick else options.root / "out" / "validation.jsonl")
    text, wrong = results(points), list(missed(points))
    cycles = shares.quantile(map(abs, map(shares.cycle_error, points)), 0.5)
    if not options.quick and cycles > shares.CYCLE_TARGET:  # two stencils say nothing about all of them
        wrong.append(f"cycles: median deviation {percent(cycles)}, target {percent(shares.CYCLE_TARGET)}")
    print(text)
    for line in wrong:
        print("MISSED:", line)
    print(f"{len(points)} points in {time.monotonic() - start:.0f} s", file=sys.stderr)
    if not options.quick and options.every == 1:
        docs = options.root / "docs"
        page = docs / "validation.md"
        before, after = page.read_text().split("<!-- results -->")[0], page.read_text().split("<!-- end of results -->")[1]
        page.write_text(f"{before}<!-- results -->\n\n{text}\n<!-- end of results -->{after}")
        (docs / "validation.svg").write_text(shares.plot(curves(points), "Share of the measured points met"))
    sys.exit(1 if wrong else 0)


main()
