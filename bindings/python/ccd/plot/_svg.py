"""Charts as SVG: bars and lines, axes with round numbers, light and dark. The same figures give the same bytes."""

from __future__ import annotations

import html as _html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

# One color a series, apart from each other also for the color-blind (Okabe and Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#8C7A00", "#777777")

_STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#39414c}.title{font-size:13px;font-weight:600}"
    ".grid{stroke:#d5dae0;stroke-width:.6}"
    ".axis{stroke:#7b8592}.line{fill:none;stroke-width:1.8}.end{text-anchor:end}.middle{text-anchor:middle}"
    "@media(prefers-color-scheme:dark){text{fill:#c5ccd6}.grid{stroke:#3a424d}.back{fill:#15191f}}"
)


def escape(text: str) -> str:
    """Text as it stands between tags."""
    return _html.escape(text, quote=False)


@dataclass
class Series:
    """One series of a chart: a name, a color and values.

    Parameters
    ----------
    name : str
        Name in the legend.
    y : sequence of float or None
        Values; None leaves a gap.
    x : sequence of float, default ()
        Places of the values of a line; bars stand at the groups of their chart.
    dashed : bool, default False
        Whether a line is dashed.

    Examples
    --------
    >>> import ccd
    >>> ccd.plot.Series("ours", [1.0, None, 2.0], [10, 100, 1000]).dashed
    False
    """

    name: str
    y: Sequence[float | None]
    x: Sequence[float] = ()
    dashed: bool = False


@dataclass
class Chart:
    """A chart: bars if it has groups, else lines.

    Parameters
    ----------
    title : str
        Title above the chart.
    y_label : str
        Label of the vertical axis.
    series : list of Series
        Series to draw.
    groups : list of str, default []
        Names of groups of bars; without any, series are lines.
    x_label : str, default ''
        Label of the horizontal axis.
    log_x : bool, default False
        Whether x is logarithmic.
    log_y : bool, default False
        Whether y is logarithmic.

    Examples
    --------
    >>> import ccd
    >>> ccd.plot.Chart("Times", "ms", [ccd.plot.Series("ours", [1.0])], ["cloth"]).groups
    ['cloth']
    """

    title: str
    y_label: str
    series: list[Series]
    groups: list[str] = field(default_factory=list)
    x_label: str = ""
    log_x: bool = False
    log_y: bool = False


@dataclass
class _Scale:
    """Numbers to places: lo at the place a, hi at b."""

    lo: float
    hi: float
    a: float
    b: float
    log: bool

    def __call__(self, value: float) -> float:
        f = math.log10 if self.log else float
        share = (f(value) - f(self.lo)) / ((f(self.hi) - f(self.lo)) or 1.0)
        return self.a + share * (self.b - self.a)

    def ticks(self) -> list[float]:
        """Round numbers within, some five of them."""
        if self.log:
            lo, hi = math.floor(math.log10(self.lo) + 1e-9), math.ceil(math.log10(self.hi) - 1e-9)
            every = max(1, round((hi - lo) / 6))
            return [10.0**e for e in range(lo, hi + 1, every) if self.lo * 0.999 <= 10.0**e <= self.hi * 1.001]
        step = 10 ** math.floor(math.log10((self.hi - self.lo) / 4))
        step *= next((m for m in (1, 2, 5) if (self.hi - self.lo) / (step * m) <= 6), 10)
        return [i * step for i in range(math.ceil(self.lo / step - 1e-9), math.floor(self.hi / step + 1e-9) + 1)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1 and value == round(value) else f"{value:.6g}"


def _scale(values: Iterable[float], a: float, b: float, log: bool, from_zero: bool) -> _Scale:
    known = [v for v in values if math.isfinite(v) and (v > 0 or not log)]
    lo, hi = min(known, default=1.0), max(known, default=1.0)
    if log:
        lo, hi = 10 ** math.floor(math.log10(lo) + 1e-9), 10 ** math.ceil(math.log10(hi) - 1e-9)
        return _Scale(lo, hi if hi > lo else 10 * lo, a, b, True)
    lo = min(lo, 0.0) if from_zero else lo
    return _Scale(lo, (hi + 0.05 * (hi - lo)) if hi > lo else lo + 1.0, a, b, False)


def svg(charts: Sequence[Chart], columns: int = 1, width: int = 420, height: int = 300) -> str:
    """Draw charts side by side in one picture; a single chart is drawn wider.

    Parameters
    ----------
    charts : sequence of Chart
        The charts.
    columns : int, default 1
        Charts in a row.
    width : int, default 420
        Width of a chart in pixels; a single chart has 760.
    height : int, default 300
        Height of a chart in pixels, without its legend.

    Returns
    -------
    str
        The picture as SVG.

    Examples
    --------
    >>> import ccd
    >>> picture = ccd.plot.svg([ccd.plot.Chart("Times", "ms", [ccd.plot.Series("ours", [1.0])], ["cloth"])])
    >>> picture[:4]
    '<svg'
    """
    wide = 760 if len(charts) == 1 else width
    rows = -(-len(charts) // columns)
    drawn = [_chart(chart, wide, height) for chart in charts]
    heights = [max((h for _, h in drawn[r * columns : (r + 1) * columns]), default=0) for r in range(rows)]
    total_x, total_y = wide * min(columns, len(charts)), sum(heights)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_x} {total_y}"'
        f' width="{total_x}" height="{total_y}" role="img">',
        f"<title>{escape('; '.join(chart.title for chart in charts))}</title><style>{_STYLE}</style>",
        f'<rect class="back" width="{total_x}" height="{total_y}" fill="#ffffff"/>',
    ]
    for i, (text, _) in enumerate(drawn):
        parts.append(f'<g transform="translate({i % columns * wide} {sum(heights[: i // columns])})">{text}</g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _chart(chart: Chart, width: int, height: int) -> tuple[str, int]:
    """The chart's marks, and how high it is with its legend."""
    left, right, top, bottom = 62, width - 14, 34, height - 40
    values = [v for s in chart.series for v in s.y if v is not None]
    y = _scale(values, bottom, top, chart.log_y, from_zero=True)
    out = [f'<text class="title" x="12" y="18">{escape(chart.title)}</text>']
    for tick in y.ticks():
        out.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{right}"/>')
        out.append(f'<text class="end" x="{left - 6}" y="{y(tick) + 4:.1f}">{_number(tick)}</text>')
    out.append(
        f'<text class="middle" transform="translate(13 {(top + bottom) / 2:.0f}) rotate(-90)">{escape(chart.y_label)}</text>'
    )
    out += _bars(chart, y, left, right, bottom) if chart.groups else _lines(chart, y, left, right, bottom)
    out.append(f'<path class="axis" d="M{left} {bottom}H{right}"/>')
    at, row = left, bottom + (38 if chart.groups else 44)
    for i, s in enumerate(chart.series):
        wide = 26 + 6.2 * len(s.name)
        if at + wide > width and at > left:
            at, row = left, row + 16
        dash = ' stroke-dasharray="5 3"' if s.dashed else ""
        out.append(
            f'<path d="M{at} {row}h14" stroke="{_color(chart, i)}" stroke-width="{2 if not chart.groups else 9}"{dash}/>'
        )
        out.append(f'<text x="{at + 19}" y="{row + 4}">{escape(s.name)}</text>')
        at += int(wide)
    return "\n".join(out), row + 16


def _color(chart: Chart, i: int) -> str:
    solid = [s for s in chart.series if not s.dashed]
    if chart.series[i].dashed and len(solid) < len(chart.series):  # a dashed line has the color of its solid one
        return COLORS[sum(s.dashed for s in chart.series[:i]) % len(COLORS)]
    return COLORS[sum(not s.dashed for s in chart.series[:i]) % len(COLORS)]


def _bars(chart: Chart, y: _Scale, left: float, right: float, bottom: float) -> list[str]:
    out, room = [], (right - left) / len(chart.groups)
    bar = 0.82 * room / max(len(chart.series), 1)
    for g, group in enumerate(chart.groups):
        start = left + g * room + 0.09 * room
        for i, s in enumerate(chart.series):
            value = s.y[g]
            if value is None or (chart.log_y and value <= 0):
                continue
            high = max(bottom - y(max(value, y.lo)), 1.0)
            tip = f"<title>{escape(f'{group}, {s.name}: {_number(value)}')}</title>"
            place = f'x="{start + i * bar:.1f}" y="{bottom - high:.1f}" width="{0.92 * bar:.1f}" height="{high:.1f}"'
            out.append(f'<rect {place} fill="{_color(chart, i)}">{tip}</rect>')
        words, lines = group.split(), [""]
        for word in words:
            lines = [*lines[:-1], f"{lines[-1]} {word}".strip()] if 6 * len(lines[-1] + word) < room else [*lines, word]
        for i, line in enumerate(lines[:2]):
            shown = line if 5.6 * len(line) < room or len(line) < 4 else line[: max(3, int(room / 6))] + "\u2026"
            out.append(
                f'<text class="middle" x="{left + (g + 0.5) * room:.1f}" y="{bottom + 13 + 11 * i:.0f}">{escape(shown)}</text>'
            )
    return out


def _lines(chart: Chart, y: _Scale, left: float, right: float, bottom: float) -> list[str]:
    x = _scale([v for s in chart.series for v in s.x], left, right, False, from_zero=False)
    if chart.log_x:
        known = [v for s in chart.series for v in s.x if v > 0]
        x = _Scale(min(known, default=1.0) / 1.15, max(known, default=10.0) * 1.15, left, right, True)
    out = [f'<text class="middle" x="{x(tick):.1f}" y="{bottom + 14:.0f}">{_number(tick)}</text>' for tick in x.ticks()]
    out.append(f'<text class="middle" x="{(left + right) / 2:.0f}" y="{bottom + 28:.0f}">{escape(chart.x_label)}</text>')
    for i, s in enumerate(chart.series):
        points = [(x(a), y(b), a, b) for a, b in zip(s.x, s.y) if b is not None and (b > 0 or not chart.log_y)]
        dash = ' stroke-dasharray="5 3"' if s.dashed else ""
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py, _, _ in points)
        out.append(f'<polyline class="line" points="{path}" stroke="{_color(chart, i)}"{dash}/>')
        for px, py, a, b in points:
            tip = f"<title>{escape(f'{s.name}: {_number(b)} at {_number(a)}')}</title>"
            out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.6" fill="{_color(chart, i)}">{tip}</circle>')
    return out


def html(figures: Sequence[tuple[str, str]], title: str) -> str:
    """Return a self-contained page of pictures.

    Parameters
    ----------
    figures : sequence of tuple
        Pictures: name and SVG.
    title : str
        Title of the page.

    Returns
    -------
    str
        The page as HTML.

    Examples
    --------
    >>> import ccd
    >>> ccd.plot.html([("times", "<svg/>")], "Report")[:15]
    '<!doctype html>'
    """
    body = "\n".join(f"<h2>{escape(name)}</h2>\n{picture}" for name, picture in figures)
    style = "body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem}"
    style += "svg{max-width:100%;height:auto}"
    dark = "@media(prefers-color-scheme:dark){body{background:#15191f;color:#e4e8ed}}"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f"<!doctype html>\n<html lang=en>\n{head}\n<style>{style}{dark}</style>\n<h1>{escape(title)}</h1>\n{body}\n</html>\n"
