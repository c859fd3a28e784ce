"""Writes generated parts into docs/gpu.md and draws its figures. Standard library only."""
import math


def write(root, name, text):
    """Replaces what stands between the two comments that carry the name."""
    page = root / "docs" / "gpu.md"
    old = page.read_text()
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, rest = old.split(begin)
    page.write_text(f"{before}{begin}\n\n{text}\n{end}{rest.split(end)[1]}")


class Axes:
    """Logarithmic axes from (x0, y0) to (x1, y1)."""

    def __init__(self, x, y, title, x_label, y_label, width=640, height=440):
        self.x, self.y, self.width, self.height = x, y, width, height
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="60" y="20" font-size="14">{title}</text>',
            f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">{x_label}</text>',
            f'<text x="14" y="{height / 2}" text-anchor="middle" transform="rotate(-90 14 {height / 2})">{y_label}</text>']
        for low, high, vertical in ((*x, False), (*y, True)):
            for decade in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
                for step in (1, 2, 5):
                    tick = step * 10.0**decade
                    if low <= tick <= high:
                        self.tick(tick, vertical)

    def place(self, x, y):
        def share(value, low, high):
            return (math.log(value) - math.log(low)) / (math.log(high) - math.log(low))
        return 60 + (self.width - 90) * share(x, *self.x), self.height - 45 - (self.height - 80) * share(y, *self.y)

    def tick(self, at, vertical):
        if vertical:
            (x0, y), (x1, _) = self.place(self.x[0], at), self.place(self.x[1], at)
            label = f'<text x="{x0 - 5:.1f}" y="{y + 4:.1f}" text-anchor="end">{at:g}</text>'
            self.lines.append(f'<path d="M{x0:.1f} {y:.1f}H{x1:.1f}" stroke="#ddd"/>{label}')
        else:
            (x, y0), (_, y1) = self.place(at, self.y[0]), self.place(at, self.y[1])
            label = f'<text x="{x:.1f}" y="{y0 + 16:.1f}" text-anchor="middle">{at:g}</text>'
            self.lines.append(f'<path d="M{x:.1f} {y0:.1f}V{y1:.1f}" stroke="#ddd"/>{label}')

    def line(self, points, colour, dashed=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.place(*p) for p in points))
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')

    def dot(self, x, y, colour, label=""):
        px, py = self.place(x, y)
        self.lines.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="{colour}"/><text x="{px + 6:.1f}" y="{py - 5:.1f}">{label}</text>')

    def text(self, x, y, text, colour="#000"):
        px, py = self.place(x, y)
        self.lines.append(f'<text x="{px:.1f}" y="{py:.1f}" fill="{colour}">{text}</text>')

    def svg(self):
        return "\n".join(self.lines) + "\n</svg>\n"


def scatter(points, title, x_label, y_label):
    """(measured, predicted, marked): on the diagonal they agree; the dashed lines are 10 % off."""
    low = min(min(x, y) for x, y, _ in points) / 1.2
    high = max(max(x, y) for x, y, _ in points) * 1.2
    axes = Axes((low, high), (low, high), title, x_label, y_label)
    axes.line([(low, low), (high, high)], "#777")
    axes.line([(low * 1.1, low), (high, high / 1.1)], "#bbb", True)
    axes.line([(low, low * 1.1), (high / 1.1, high)], "#bbb", True)
    for x, y, marked in points:
        axes.dot(x, y, "#d62728" if marked else "#1f77b4")
    axes.text(low * 1.1, high / 1.1, "red: warned of too many pages", "#d62728")
    return axes.svg()
