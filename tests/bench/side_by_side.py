"""The engine beside its naive twin and beside itself: simulation times, ratios, look-ups per access, equal counters.

Times are the JSON's work.seconds, the least of --repeat runs. Nothing is tested: a ratio below what is wanted is shown.
"""
import argparse
import pathlib
import tempfile

import cases
import external
import foreign
import measure
import whole_process


def run_case(mansard, case):
    report = mansard.report(case, case.workload, case.options)
    if case.other:
        against, workload, options = case.other
        other = mansard.report(case, workload, options)
    else:
        against = "naive twin"
        other = mansard.report(case, case.workload, ["--engine", "naive"], times=1)
    work = report["work"]
    notes = [f"{work['lookups'] / work['accesses']:.3g} look-ups/access"]
    if case.same_counters:
        notes.append("same counters" if measure.counters(report) == measure.counters(other) else "COUNTERS DIFFER")
    if "--sample" in case.options:
        off = measure.memory_bytes(report) / measure.memory_bytes(other) - 1
        notes.append(f"{100 * abs(off):.2g} % off at memory")
    measure.row(case.name, work["seconds"], other["work"]["seconds"], against,
                other["work"]["seconds"] / work["seconds"], case.wanted, ", ".join(notes))


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="only cases with this in their names")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--all", action="store_true", help="also the cases whose naive runs take a minute or more")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of which the fastest counts (3)")
    parser.add_argument("--external", metavar="COMMAND",
                        help="run the command on a din trace of each case on its standard input, and print what it prints")
    options = parser.parse_args()
    wanted = lambda name: any(part in name for part in options.parts) if options.parts else True
    chosen = [c for c in cases.CASES if wanted(c.name) and (options.all or options.parts or not c.large)]
    others = [o for o in [*foreign.CASES, *whole_process.CASES] if wanted(o.name)]
    if options.list:
        print("\n".join(case.name for case in [*cases.CASES, *foreign.CASES, *whole_process.CASES]))
        return
    mansard = measure.Mansard(options.program, options.repeat)
    with tempfile.TemporaryDirectory() as folder:
        random = pathlib.Path(folder) / "spmv-random.yaml"
        random.write_text(cases.RANDOM_SPMV)
        for case in chosen:
            case.workload = [str(random) if word == "RANDOM" else word for word in case.workload]
            if case.other:
                name, workload, extra = case.other
                case.other = (name, [str(random) if word == "RANDOM" else word for word in workload], extra)
        if options.external:
            for case in chosen:
                external.run(mansard, case, options.external, pathlib.Path(folder))
            return
        measure.heading()
        for case in chosen:
            run_case(mansard, case)
        for other in others:
            other.run(mansard, pathlib.Path(folder))


main()
