"""The charts of the benchmark reports. The columns of a table decide which one it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ._svg import Chart, Series
from ._tables import Cell, Table

Figure = tuple[str, list[Chart], int]  # a name, charts, and how many stand side by side


def figures(tables: list[Table]) -> Iterator[Figure]:
    """The figures of a report's tables."""
    for columns, draw in _KNOWN:
        fitting = [t for t in tables if set(columns) <= set(t.columns)]
        if fitting:
            yield from draw(fitting)


def _number(value: Cell) -> float | None:
    return value if isinstance(value, float) else None


def _bars(rows: list[tuple[str, str, Cell]], title: str, label: str, log: bool = True) -> Chart:
    """Rows of group, series, value."""
    groups, names = list(dict.fromkeys(row[0] for row in rows)), list(dict.fromkeys(row[1] for row in rows))
    of = {(g, n): _number(v) for g, n, v in rows}
    return Chart(title, label, [Series(n, [of.get((g, n)) for g in groups]) for n in names], groups, log_y=log)


def _narrow(tables: list[Table]) -> Iterator[Figure]:
    means: list[tuple[str, str, Cell]] = []
    shares = []
    for t in tables:
        plain = [dict(zip(t.columns, row)) for row in t.rows]
        finest = min((_number(r["tolerance"]) or 1.0 for r in plain), default=1.0)
        plain = [r for r in plain if r["d"] == 0 and (_number(r["tolerance"]) or finest) == finest]
        means += [(t.heading.replace(",", ""), str(r["method"]), r["mean"]) for r in plain]
        parts, names = ("p50", "p90", "p99", "worst"), ["50 %", "90 %", "99 %", "all"]
        # A peer's time is what is left when the cost of its call is taken away: sometimes nothing.
        series = [Series(str(r["method"]), [max(_number(r[p]) or 0.0, 0.01) for p in parts]) for r in plain]
        shares.append(Chart(t.heading, "microseconds", series, names, log_y=True))
    yield "narrow", [_bars(means, "Single queries, minimum separation 0, one thread: mean", "microseconds a query")], 1
    yield "shares", shares, 2


def _steps(tables: list[Table]) -> Iterator[Figure]:
    charts = []
    for t in tables:
        plain = [dict(zip(reversed(t.columns), reversed(row))) for row in t.rows]
        rows = [(str(r["scene"]), str(r["library"]).split(", from")[0], r["processor"]) for r in plain if r["threads"] == 1]
        charts.append(_bars(rows, t.heading, "processor milliseconds, one thread"))
    yield "steps", charts, 2


def _growth(tables: list[Table]) -> Iterator[Figure]:
    for t in tables:
        tasks = [c for c in t.columns if c not in ("edges", "vertices") and not c.endswith("an edge")]
        series = []
        for order in dict.fromkeys(t.column("vertices")):
            for task in tasks:
                points = [(row[0], row[t.columns.index(task)]) for row in t.rows if row[1] == order]
                x, y = [_number(a) or 0.0 for a, _ in points], [_number(b) for _, b in points]
                series.append(Series(f"{task}, {order}", y, x, dashed=order == "shuffled"))
        yield "growth", [Chart("Growth", "processor nanoseconds an edge", series, x_label="edges", log_x=True)], 1


def _kinds(tables: list[Table]) -> Iterator[Figure]:
    for t in tables:
        rows = [(str(row[0]), who, row[t.columns.index(who)]) for row in t.rows for who in ("libccd", "ipctk LBVH")]
        yield "kinds", [_bars(rows, t.heading, "processor milliseconds", log=False)], 1


def _rigid(tables: list[Table]) -> Iterator[Figure]:
    for t in tables:
        plain = [dict(zip(t.columns, row)) for row in t.rows]
        rows = [(f"{r['pair']} at {r['speed']:g}", str(r["library"]), r["us"]) for r in plain]
        yield "rigid-pairs", [_bars(rows, "Rigid bodies: mean of 256 trials, by speed", "processor microseconds")], 1


def _rigid_growth(tables: list[Table]) -> Iterator[Figure]:
    for t in tables:
        series = []
        for speed in dict.fromkeys(t.column("speed")):
            points = [(_number(row[0]) or 0.0, _number(row[2])) for row in t.rows if row[1] == speed]
            series.append(Series(f"speed {speed:g}", [b for _, b in points], [a for a, _ in points]))
        label = "processor microseconds a query"
        yield "rigid", [Chart("Rigid bodies, refined", label, series, x_label="triangles of both bodies", log_x=True)], 1


def _poses(tables: list[Table]) -> Iterator[Figure]:
    for t in tables:
        plain = [dict(zip(t.columns, row)) for row in t.rows]
        rows = [
            (f"{r['surface']}, {_number(r['distance']) or 0.0:g}", who, r[f"{who}, us"])
            for r in plain
            for who in ("libccd", "coal", "fcl")
            if r["distance"] in (0.01, 1.0)
        ]
        yield "poses", [_bars(rows, "Distances of two bodies at poses", "processor microseconds a query")], 1


_KNOWN: list[tuple[tuple[str, ...], Callable[[list[Table]], Iterator[Figure]]]] = [
    (("method", "d", "tolerance", "mean", "p50", "worst"), _narrow),
    (("scene", "library", "threads", "processor", "wall", "x"), _steps),
    (("edges", "vertices", "candidates an edge"), _growth),
    (("scene", "pairs", "libccd", "ipctk LBVH"), _kinds),
    (("pair", "speed", "library", "us"), _rigid),
    (("triangles", "speed", "us", "steps"), _rigid_growth),
    (("surface", "triangles", "distance", "libccd, us", "coal, us", "fcl, us"), _poses),
]
