"""Line plots as SVG, without a library: panels side by side, each with its own axes, one legend below.

The same figures give the same bytes.

    plot.page([plot.Panel("title", "x", "y", [plot.Line("name", [(0, 0), (1, 1)])])])
"""

import math
from dataclasses import dataclass, field
from html import escape

COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#e377c2", "#7f7f7f", "#bcbd22")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 300, 52, 12, 28, 40


@dataclass
class Line:
    name: str
    points: list
    colour: int = 0
    dash: str = ""  # as SVG's stroke-dasharray
    marks: bool = True
    joined: bool = True


@dataclass
class Panel:
    title: str
    x: str
    y: str
    lines: list
    y_range: tuple = None
    log_x: bool = False
    log_y: bool = False
    levels: list = field(default_factory=list)  # horizontal lines: (y, what it is)


class Axis:
    def __init__(self, low, high, log, start, length):
        self.log, self.start, self.length = log, start, length
        self.low, self.high = low, high if high > low else low + 1

    def at(self, value):
        scale = math.log10 if self.log else float
        share = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return self.start + self.length * share

    def ticks(self):
        if self.log:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = (1, 2, 5) if len(decades) < 4 else (1,)
            wanted = [step * 10.0**decade for decade in decades for step in steps]
        else:
            step = 10 ** math.floor(math.log10(self.high - self.low))
            step = next(s for s in (step / 5, step / 2, step, step * 2) if (self.high - self.low) / s <= 6)
            wanted = [step * n for n in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]
        return [value for value in wanted if self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)]


def label(value):
    if value >= 1_000_000:
        return f"{value / 1_000_000:g}M"
    if value >= 10_000:
        return f"{value / 1_000:g}k"
    if value >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def draw(panel, offset):
    xs = [x for line in panel.lines for x, _ in line.points]
    ys = [y for line in panel.lines for _, y in line.points] + [y for y, _ in panel.levels]
    low, high = panel.y_range or (min(ys) if panel.log_y else 0, max(ys))
    across = Axis(min(xs), max(xs), panel.log_x, offset + LEFT, WIDTH - LEFT - RIGHT)
    up = Axis(low, high, panel.log_y, HEIGHT - BOTTOM, -(HEIGHT - TOP - BOTTOM))
    right, bottom, middle = across.start + across.length, up.start, across.start + across.length / 2
    out = [f'<text x="{middle:.0f}" y="16" text-anchor="middle" font-weight="bold">{escape(panel.title)}</text>']
    for value in across.ticks():
        x = across.at(value)
        out.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#eee"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{label(value)}</text>')
    for value in up.ticks():
        y = up.at(value)
        out.append(f'<path d="M{across.start} {y:.1f}H{right}" stroke="#eee"/>')
        out.append(f'<text x="{across.start - 4}" y="{y + 4:.1f}" text-anchor="end">{label(value)}</text>')
    out.append(f'<path d="M{across.start} {TOP}V{bottom}H{right}" fill="none" stroke="#333"/>')
    out.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(panel.x)}</text>')
    centre = (TOP + bottom) / 2
    turned = f'transform="rotate(-90 {offset + 11} {centre:.0f})"'
    out.append(f'<text x="{offset + 11}" y="{centre:.0f}" text-anchor="middle" {turned}>{escape(panel.y)}</text>')
    for y, name in panel.levels:
        out.append(f'<path d="M{across.start} {up.at(y):.1f}H{right}" stroke="#999" stroke-dasharray="1 3"/>')
        out.append(f'<text x="{right - 2}" y="{up.at(y) - 3:.1f}" text-anchor="end" fill="#666">{escape(name)}</text>')
    for line in panel.lines:
        colour = COLOURS[line.colour % len(COLOURS)]
        places = [(across.at(x), up.at(min(max(y, low), high))) for x, y in line.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        if line.joined:
            out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        if line.marks:
            radius = 2.4 if line.joined else 1.2
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>' for x, y in places]
    return out


def legend(lines, width):
    """One entry a name, in rows of as many as fit."""
    known = {line.name: line for line in lines}
    column = 28 + max(len(name) for name in known) * 6.4
    columns = max(1, int((width - 20) // column))
    out = []
    for place, (name, line) in enumerate(known.items()):
        x, y = 20 + place % columns * column, HEIGHT + 14 + place // columns * 16
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        colour = COLOURS[line.colour % len(COLOURS)]
        out.append(f'<path d="M{x:.0f} {y - 4}h20" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{x + 25:.0f}" y="{y}">{escape(name)}</text>')
    return out, HEIGHT + 14 + (len(known) - 1) // columns * 16 + 10


def page(panels):
    width = WIDTH * len(panels)
    out = [part for place, panel in enumerate(panels) for part in draw(panel, place * WIDTH)]
    entries, height = legend([line for panel in panels for line in panel.lines], width)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = ' font-family="sans-serif" font-size="11">'
    background = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head + style, background] + out + entries + ["</svg>"]) + "\n"
