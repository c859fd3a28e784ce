"""What share of the measured points is met, by level and regime, and a plot of it. Standard library only."""

NOISE = 1.0  # B per update: what counters see of other programs when all data fit into the cache
SOCKET_MEMORY = 31e9  # bytes; beyond, pages lie on the other socket, whose counters were not read (docs/validation.md)
CYCLE_TARGET = 0.10  # median deviation of the predicted cycles
BAND_TARGET = 0.90  # share of the points near a transition whose measurement lies in the band
LEVELS = ("L1-L2", "L2-L3", "L3-DRAM")
TARGETS = {"L1-L2": (0.05, 0.90), "L2-L3": (0.05, 0.92), "L3-DRAM": (0.10, 0.86)}  # tolerance, share of the points away


def error(point, level):
    """Relative deviation of the simulated from the measured bytes per update; none where nothing moves in either."""
    simulated, measured = point["simulated"][level], point["measured"][level]
    if max(simulated, measured) < NOISE:
        return 0.0
    return simulated / max(measured, NOISE) - 1


def cycle_error(point):
    return point["predicted"] / point["cycles"] - 1


def within(measured, level, low, high):
    """Whether `measured` lies between two amounts of traffic, with the tolerance that holds away from edges."""
    tolerance = TARGETS[LEVELS[level]][0]
    return low * (1 - tolerance) - NOISE <= measured <= high * (1 + tolerance) + NOISE


def met(point, level):
    return within(point["measured"][level], level, point["simulated"][level], point["simulated"][level])


def in_band(point, level):
    """Whether hardware moved what the report prints as a band; the simulation lies in it, so that none is needed if met."""
    return met(point, level) or within(point["measured"][level], level, *point["band"][level])


def comparable(point, level):
    return LEVELS[level] != "L3-DRAM" or point["bytes"] <= SOCKET_MEMORY


def regime(points, level, near):
    return [p for p in points if p["near"][level] == near and comparable(p, level)]


def far(points, level):
    """No layer condition has its edge between half and 1.4 of the capacity."""
    return [p for p in points if not p["edge"][level] and comparable(p, level)]


def share(values, within):
    values = list(values)
    return sum(abs(v) <= within for v in values) / len(values) if values else float("nan")


def share_in_band(points, level):
    inside = [in_band(p, level) for p in points]
    return sum(inside) / len(inside) if inside else float("nan")


def quantile(values, q):
    values = sorted(values)
    return values[round(q * (len(values) - 1))] if values else float("nan")


def curve(errors, limit, steps=60):
    return [(limit * i / steps, share(errors, limit * i / steps)) for i in range(steps + 1)]


def plot(curves, title):
    """An SVG of cumulative shares: `curves` are (label, colour, dashed, errors), errors relative."""
    width, height, left, top, limit = 640, 400, 60, 40, 0.3
    inner_width, inner_height = width - left - 190, height - top - 50

    def place(x, y):
        return f"{left + inner_width * x / limit:.1f},{top + inner_height * (1 - y):.1f}"

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="{left}" y="20" font-size="14">{title}</text>']
    for i in range(7):
        x, y = left + inner_width * i / 6, top + inner_height
        lines.append(f'<path d="M{x:.1f} {top}V{y}" stroke="#ddd"/><text x="{x:.1f}" y="{y + 16}" text-anchor="middle">{5 * i} %</text>')
    for i in range(6):
        y = top + inner_height * (1 - i / 5)
        lines.append(f'<path d="M{left} {y:.1f}H{left + inner_width}" stroke="#ddd"/>'
                     f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{20 * i} %</text>')
    lines.append(f'<text x="{left + inner_width / 2}" y="{height - 12}" text-anchor="middle">deviation from the measurement, at most</text>')
    for n, (label, colour, dashed, errors) in enumerate(curves):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        path = " ".join(place(x, y) for x, y in curve(errors, limit))
        y = top + 16 * n
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        lines.append(f'<path d="M{width - 180} {y}h24" stroke="{colour}" stroke-width="2"{dash}/>'
                     f'<text x="{width - 150}" y="{y + 4}">{label}</text>')
    return "\n".join(lines) + "\n</svg>\n"
