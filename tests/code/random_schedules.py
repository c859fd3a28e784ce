"""Random schedules of random small nests: the C of what is accepted computes bit for bit what the plain nest does.

Usage: random_schedules.py MANSARD CC CASES [SEED]
The draws come from the seed alone: case n of a seed is the same everywhere.
"""
import pathlib
import random
import subprocess
import sys
import tempfile

SIZE = 14


def subscript(draw, loop):
    return draw.choice([loop, loop, loop, f"{loop}-1", f"{loop}+1", f"{loop}-2"])


def element(draw, loops):
    array = draw.choice("abc")
    inner = [subscript(draw, loop) for loop in loops[-2:]]
    if draw.random() < 0.15:
        inner.reverse()
    if draw.random() < 0.25:
        return f"d[({inner[0]}) * {SIZE} + {inner[1]}]"
    first = draw.choice(["t%2", "(t+1)%2"]) if "t" in loops else "0"
    return f"{array}[{first}][{inner[0]}][{inner[1]}]"


def statement(draw, loops):
    target = element(draw, loops)
    value = " + ".join(f"{draw.choice(['0.5', '0.25', '1.5'])} * {element(draw, loops)}" for _ in range(draw.randint(1, 3)))
    return f"{target} {draw.choice(['=', '=', '=', '+='])} {value};"


def loop(draw, name, outer):
    low = draw.choice(["2", "2", "3", f"max(2, {outer})" if outer and outer != "t" else "2"])
    high = draw.choice([f"{SIZE - 2}", f"{SIZE - 3}", f"{outer} + 1" if outer and outer != "t" else f"{SIZE - 2}"])
    return f"for (int {name} = {low}; {name} < {high}; ++{name}) "


def nest(draw):
    loops, text = [], ""
    if draw.random() < 0.4:
        loops, text = ["t"], "for (int t = 0; t < 4; ++t) "
    text += loop(draw, "j", "") + loop(draw, "i", "j")
    loops += ["j", "i"]
    body = " ".join(statement(draw, loops) for _ in range(draw.randint(1, 2)))
    if draw.random() < 0.15:
        body = f"if (i + j < {SIZE}) {{ {body} }}"
    return text + "{ " + body + " }\n"


def program(draw):
    arrays = ", ".join(f"{name}[2][{SIZE}][{SIZE}]" for name in "abc")
    return f"double {arrays}, d[{SIZE * SIZE}];\n" + "".join(nest(draw) for _ in range(draw.randint(1, 3)))


def step(draw):
    size = draw.randint(2, 5)
    return draw.choice([
        f"tile(j: {size}, i: {size + 1})", f"tile(i: {size})", f"tile(t: 2, j: {size}, i: 3)", f"tile(j: {size} as jc)",
        "interchange(j, i)", "order(i, t, j)", "order(it, jt, i, j)", "skew(j: t, i: t)", f"skew(i: {size}*j)",
        "fuse(S1, S2)", "fuse(S1, S2, shift: 1)", "fuse(S1, S3)", "fission(S2)", f"unroll_jam(j: {size})",
        f"unroll_jam(j: 2, i: {size})", "parallel(j)", "parallel(j, chunk: 2)", "parallel(i)", "nontemporal(a)",
        "pad(b: 3)", "layout(c: 2 0 1)", "stage(a, at: jt, into: staged)", "vectorize(i)"])


def checksum(words, mansard, cc, folder):
    """Of the arrays after a run; none where the schedule is refused."""
    source, binary = folder / "nest.c", folder / "nest"
    printed = subprocess.run([mansard, "code", *words, "--main", "-o", source], capture_output=True, text=True)
    if printed.returncode == 2:
        return None
    printed.check_returncode()
    subprocess.run([cc, "-std=gnu11", "-O1", "-ffp-contract=off", "-fopenmp", source, "-o", binary, "-lm"], check=True)
    return subprocess.run([binary], check=True, capture_output=True, text=True, timeout=60).stdout


def main():
    mansard, cc, cases = sys.argv[1], sys.argv[2], int(sys.argv[3])
    draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    compared = failures = tried = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = folder / "case.c"
        while compared < cases and tried < 50 * cases:
            text.write_text(program(draw))
            plain = checksum([text], mansard, cc, folder)
            for _ in range(6):
                tried += 1
                schedule = "; ".join(step(draw) for _ in range(draw.randint(1, 3)))
                found = checksum([text, "--schedule", schedule], mansard, cc, folder)
                if found is None or plain is None:
                    continue
                compared += 1
                if found != plain:
                    failures += 1
                    print(f"{text.read_text()}schedule: {schedule}\n  {found.strip()}, but {plain.strip()} plain\n")
    print(f"{compared} schedules of {tried} were accepted, {failures} failed")
    sys.exit(1 if failures or compared < cases else 0)


main()
