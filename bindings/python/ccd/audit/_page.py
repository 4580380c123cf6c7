"""The report as one page for a browser: a time line, least distances, crossings and contacts, and a viewer of each event."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Sequence

from .. import step, view
from ._cut import Cut
from ._results import Report, StepResult, Verdict

MOST_VIEWS = 24  # events that a page shows in the viewer
_MOST_ROWS = 500
_MOST_IMPACTS = 100  # impacts that a viewer shows
_WIDTH, _LEFT = 960, 60
_COLORS = {
    Verdict.PASSED_THROUGH: "#c1121f", Verdict.ENTERED: "#e36414", Verdict.RETURNED: "#d6336c", Verdict.LEFT: "#9c6644",
    Verdict.NOT_PROVEN: "#6c757d", Verdict.UNDECIDED: "#7b2cbf", Verdict.CROSSING: "#f4a261", Verdict.TOUCHED: "#e9c46a",
    Verdict.NEAR: "#8ecae6", Verdict.SEPARATE: "#2a9d8f",
}  # fmt: skip


class Views:
    """Keeps the neighborhoods of the gravest events, as many as a page shows: of each verdict the first."""

    def __init__(self, most: int = MOST_VIEWS):
        self.most, self._cuts = most, list[Cut]()

    def wants(self, verdict: Verdict) -> bool:
        """Whether an event of this verdict would be kept."""
        return len(self._cuts) < self.most or verdict < self._cuts[-1].event.verdict

    def add(self, cut: Cut) -> None:
        """Keep an event, in place of the last of the least grave."""
        self._cuts.append(cut)
        self._cuts.sort(key=lambda one: (one.event.verdict, one.step))
        del self._cuts[self.most :]

    def __iter__(self) -> Iterable[Cut]:
        return iter(self._cuts)

    @property
    def cuts(self) -> list[Cut]:
        """Those that were kept, the gravest first."""
        return list(self._cuts)


def viewer(cut: Cut) -> str:
    """A page of the viewer for one event."""
    mesh, event = cut.mesh(), cut.event
    page = view.Page(f"step {cut.step}: {event.verdict}")
    part = page.add_mesh(mesh, cut.x0, cut.x1)
    impacts = step.first_impacts(mesh, cut.x0, cut.x1, _MOST_IMPACTS, check_start=True)
    page.add_impacts(mesh, cut.x0, cut.x1, impacts, part)
    page.facts = {
        "objects": f"{event.a}, {event.b}",
        "whole scene": f"{event.kind} {event.pair[0]} {event.pair[1]}",
    } | page.facts
    return page.html()


def write_page(report: Report, title: str, cuts: Sequence[Cut], facts: dict[str, str]) -> str:
    """The page as text."""
    pages = [viewer(cut) for cut in cuts]
    start = _common(pages) if pages else ""
    rest = [page[len(start) :] for page in pages]
    end = _common([text[::-1] for text in rest])[::-1] if len(rest) > 1 else ""
    held = {"start": start, "end": end, "middle": [text[: len(text) - len(end)] for text in rest]}
    shown = {(cut.step, id(cut.event)): k for k, cut in enumerate(cuts)}
    return _TEXT.format(
        title=html.escape(title),
        verdict=_headline(report),
        facts="".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in facts.items()),
        notes="".join(f"<li>{html.escape(note)}</li>" for note in report.notes),
        legend="".join(f'<span><i style="background:{_COLORS[v]}"></i>{v}: {n:,}</span>' for v, n in report.counts.items()),
        charts="\n".join(filter(None, [_timeline(report), _distances(report), _counts(report)])),
        rows=_rows(report, shown),
        data=json.dumps(held).replace("<", "\\u003c"),
    )


def _common(texts: Sequence[str]) -> str:
    """The longest text that all begin with."""
    first, last = min(texts), max(texts)
    size = next((k for k, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last)))
    return first[:size]


def _headline(report: Report) -> str:
    if not report.steps:
        return "no step was audited"
    text = "separate: every step is proven" if report.clean else f"{report.verdict}"
    return html.escape(text + ("" if report.complete else " (cut short: the sequence was not audited to its end)"))


def _x(k: float, count: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - 10) * k / max(1, count)


def _timeline(report: Report) -> str:
    count = len(report.steps)
    runs: list[tuple[int, int, StepResult]] = []
    for k, one in enumerate(report.steps):
        if runs and runs[-1][2].verdict == one.verdict:
            runs[-1] = (runs[-1][0], k + 1, one)
        else:
            runs.append((k, k + 1, one))
    bars = "".join(
        f'<rect x="{_x(a, count):.2f}" y="4" width="{max(1.5, _x(b, count) - _x(a, count)):.2f}" height="24" '
        f'fill="{_COLORS[one.verdict]}"><title>{"step" if b == a + 1 else "steps"} {a}'
        f"{'' if b == a + 1 else f' to {b - 1}'}: {one.verdict}</title></rect>"
        for a, b, one in runs
    )
    return _svg("steps", 34, bars, "")


def _distances(report: Report) -> str:
    found = [(f.number, f.distance_hi) for f in report.frames if f.distance_hi is not None and math.isfinite(f.distance_hi)]
    positive = [d for _, d in found if d > 0]
    if not positive:
        return ""
    low, high = math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive)) + 1e-9)
    high = max(high, low + 1)

    def y(d: float) -> float:
        return 130.0 if d <= 0 else 120 - 110 * (math.log10(d) - low) / (high - low)

    count = max(1, len(report.frames) - 1)
    line = " ".join(f"{_x(k, count):.1f},{y(d):.1f}" for k, d in _thinned(found))
    ticks = "".join(_tick(y(10.0**e), f"1e{e}") for e in range(low, high + 1, max(1, (high - low) // 4))) + _tick(130, "0")
    return _svg("least distance of each frame", 140, f'<polyline points="{line}"/>{ticks}', "")


def _thinned(found: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """At most some thousand points: of each run the least."""
    size = max(1, len(found) // 2000)
    return [min(found[k : k + size], key=lambda one: one[1]) for k in range(0, len(found), size)]


def _counts(report: Report) -> str:
    crossings = [(f.number, f.crossings) for f in report.frames]
    pairs = [(s.number + 0.5, s.pairs) for s in report.steps]
    most = max([1, *(n for _, n in crossings), *(n for _, n in pairs)])
    if not any(n for _, n in crossings) and not any(n for _, n in pairs):
        return ""
    count = max(1, len(report.frames) - 1)
    marks = "".join(
        f'<line class="{name}" x1="{_x(k, count):.1f}" x2="{_x(k, count):.1f}" y1="110" '
        f'y2="{110 - 100 * math.log1p(n) / math.log1p(most):.1f}"/>'
        for name, found in (("pairs", pairs), ("crossings", crossings))
        for k, n in found
        if n
    )
    ticks = _tick(10, f"{most:,}") + _tick(110, "0")
    return _svg("crossings of each frame (red), pairs in contact in each step (grey)", 120, marks + ticks, "")


def _tick(y: float, text: str) -> str:
    line = f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return f'<text x="{_LEFT - 6}" y="{y + 4:.1f}">{text}</text>{line}'


def _svg(title: str, height: int, inside: str, _: str) -> str:
    return (
        f'<figure><figcaption>{title}</figcaption><svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{title}">'
        f"{inside}</svg></figure>"
    )


def _rows(report: Report, shown: dict[tuple[int, int], int]) -> str:
    rows: list[str] = []
    for number, event in report.events():
        if len(rows) == _MOST_ROWS:
            rows.append(f'<tr><td colspan="8">the first {_MOST_ROWS} events are listed</td></tr>')
            break
        k = shown.get((number, id(event)))
        button = "" if k is None else f'<button data-view="{k}">look</button>'
        where = ", ".join(f"{c:.6g}" for c in event.point)
        cells = [str(number), str(event.verdict), f"{event.time:.6g}", f"{event.a}, {event.b}", f"{event.pairs:,}",
                 f"{event.before:,} / {event.after:,}", where]  # fmt: skip
        color = _COLORS[event.verdict]
        rows.append(
            f'<tr style="border-left:6px solid {color}">'
            + "".join(f"<td>{html.escape(c)}</td>" for c in cells)
            + f"<td>{button}</td></tr>"
        )
    for one in report.steps:
        if one.note and len(rows) < 2 * _MOST_ROWS:
            rows.append(f'<tr><td>{one.number}</td><td>{one.verdict}</td><td colspan="6">{html.escape(one.note)}</td></tr>')
    return "".join(rows)


_TEXT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body{{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:2em auto;padding:0 1em;color:#222;background:#fff}}
h1{{font-size:1.4em;margin:0}} .verdict{{font-size:1.2em;margin:.3em 0 1em}}
dl{{display:grid;grid-template-columns:max-content 1fr;
gap:.1em 1em;margin:0 0 1em}} dt{{color:#666}} dd{{margin:0}} .legend span{{margin-right:1.2em;white-space:nowrap}}
.legend i{{display:inline-block;width:.9em;height:.9em;margin-right:.4em;vertical-align:-.1em}} figure{{margin:1em 0}}
figcaption{{color:#666;font-size:.9em}} svg{{width:100%;height:auto}} svg text{{font-size:11px;text-anchor:end;fill:#666}}
polyline{{fill:none;stroke:#1d6fb8;stroke-width:1.5}} .grid{{stroke:#ddd}} .pairs{{stroke:#999;stroke-width:2}}
.crossings{{stroke:#c1121f;stroke-width:2}} table{{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}}
td,th{{padding:.2em .6em;text-align:left;border-bottom:1px solid #eee}} th{{color:#666;font-weight:normal}}
iframe{{width:100%;height:620px;border:1px solid #ccc;margin-top:1em}} button{{cursor:pointer}}
</style></head><body><h1>{title}</h1><p class="verdict">{verdict}</p><dl>{facts}</dl>
<p class="legend">{legend}</p><ul>{notes}</ul>
{charts}
<table><thead><tr><th>step</th><th>verdict</th><th>t</th><th>objects</th><th>pairs</th><th>crossings before / after</th>
<th>place</th><th></th></tr></thead><tbody>{rows}</tbody></table>
<div id="view"></div><script id="data" type="application/json">{data}</script><script>
const held = JSON.parse(document.getElementById("data").textContent);
for (const button of document.querySelectorAll("button[data-view]")) button.onclick = () => {{
  const frame = document.createElement("iframe");
  frame.title = "the event";
  frame.srcdoc = held.start + held.middle[button.dataset.view] + held.end;
  document.getElementById("view").replaceChildren(frame);
  frame.scrollIntoView({{behavior: "smooth"}});
}};
</script></body></html>
"""
