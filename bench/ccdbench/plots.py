"""The charts of the reports, as SVG that does not change when the figures do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "ccd", "svg.fonttype": "none", "font.size": 9, "axes.spines.right": False,
                            "axes.spines.top": False})  # fmt: skip

import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

from .report import TASKS, unique  # noqa: E402

# One colour a method, apart from each other also for the colour-blind (Okabe and Ito).
COLOURS = {
    "exact": "#0072B2", "time-contracted": "#56B4E9", "tight-inclusion": "#009E73",
    "libccd": "#0072B2", "libccd, d = 1e-3": "#56B4E9", "libccd, copied to NumPy": "#CC79A7",
    "ipctk Tight Inclusion": "#D55E00", "ipctk AdditiveCCD": "#E69F00", "ipctk LBVH": "#D55E00", "ipctk": "#D55E00",
}  # fmt: skip


def _bars(axes: Any, groups: list[str], series: dict[str, list[float | None]], log: bool) -> None:
    """Grouped bars, one group a tick; None leaves a gap."""
    width = 0.8 / max(len(series), 1)
    for k, (name, values) in enumerate(series.items()):
        at = [(i + (k - (len(series) - 1) / 2) * width, v) for i, v in enumerate(values) if v]
        colour = COLOURS.get(name, COLOURS.get(name.split(", from")[0], "#999999"))
        axes.bar([x for x, _ in at], [v for _, v in at], width * 0.92, label=name.split(", from")[0], color=colour)
    axes.set_xticks(range(len(groups)), groups)
    if log:
        axes.set_yscale("log")
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    axes.set_axisbelow(True)


def narrow(rows: list[dict[str, Any]], path: Path) -> None:
    """Mean microseconds a query at d = 0, by set and method."""
    rows = [r for r in rows if r["d"] == 0 and r["tolerance"] == min(q["tolerance"] for q in rows)]
    if not rows:
        return
    sets = unique((r["set"], r["kind"]) for r in rows)
    mean = {(r["set"], r["kind"], r["method"]): r["mean_us"] for r in rows}
    series = {m: [mean.get((*s, m)) for s in sets] for (m,) in unique((r["method"],) for r in rows)}
    figure, axes = plt.subplots(figsize=(9, 3.6))
    _bars(axes, [f"{s}\n{k}".replace("-", "-\n", 1) for s, k in sets], series, log=True)
    axes.set_ylabel("microseconds a query, mean")
    axes.set_title("Single queries, minimum separation 0, one thread (logarithmic)", loc="left")
    axes.legend(frameon=False, ncols=3, loc="upper left", bbox_to_anchor=(0, -0.22))
    _save(figure, path)


def shares(rows: list[dict[str, Any]], path: Path) -> None:
    """The time within which a share of the queries is answered, at d = 0: half, nine tenths, 99 of 100, all."""
    rows = [r for r in rows if r["d"] == 0 and r["tolerance"] == min(q["tolerance"] for q in rows)]
    sets = unique((r["set"], r["kind"]) for r in rows)
    if not sets:
        return
    figure, panels = plt.subplots(2, (len(sets) + 1) // 2, figsize=(11, 5.2), sharey=True, squeeze=False)
    figure.subplots_adjust(hspace=0.35)
    for axes, (name, kind) in zip(panels.T.flat, sets, strict=False):
        for r in rows:
            if (r["set"], r["kind"]) == (name, kind):
                # A peer's time is what is left when the cost of its call is taken away: sometimes nothing.
                times = [max(r[p], 0.01) for p in ("p50_us", "p90_us", "p99_us", "worst_us")]
                axes.plot(times, marker="o", markersize=3, label=r["method"], color=COLOURS.get(r["method"], "#999999"))
        axes.set_xticks(range(4), ["50 %", "90 %", "99 %", "all"])
        axes.set_yscale("log")
        axes.grid(axis="y", linewidth=0.4, alpha=0.5)
        axes.set_title(f"{name}, {kind}", loc="left", fontsize=8)
    panels[0][0].set_ylabel("microseconds")
    panels[1][0].set_ylabel("microseconds")
    panels[1][0].legend(frameon=False, ncols=5, fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.15))
    figure.suptitle("Time within which a share of the queries is answered, minimum separation 0", x=0.08, ha="left")
    _save(figure, path)


def steps(rows: list[dict[str, Any]], path: Path) -> None:
    """Milliseconds of each task on one thread, by scene."""
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.6))
    for axes, (task, title) in zip(panels, TASKS.items(), strict=True):
        one = [r for r in rows if r["task"] == task and r["threads"] == 1]
        scenes = [s for (s,) in unique((r["scene"],) for r in one)]
        ms = {(r["scene"], r["who"].split(", from")[0]): 1e3 * r["cpu"] for r in one}
        series = {w: [ms.get((s, w)) for s in scenes] for w in dict.fromkeys(w for _, w in ms)}
        _bars(axes, [s.replace("-", "-\n") for s in scenes], series, log=True)
        axes.set_title(title, loc="left")
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.16))
    panels[0].set_ylabel("processor milliseconds, one thread (logarithmic)")
    _save(figure, path)


def growth(rows: list[dict[str, Any]], path: Path) -> None:
    """Nanoseconds an edge by the number of edges: a line for each task, dashed where the vertices are shuffled."""
    figure, axes = plt.subplots(figsize=(7, 3.8))
    tasks = [t for (t,) in unique((r["task"],) for r in rows)]
    for task, colour in zip(tasks, ("#0072B2", "#D55E00", "#009E73"), strict=False):
        for order, style in (("in order", "-"), ("shuffled", "--")):
            mine = [r for r in rows if r["task"] == task and r["order"] == order]
            ns = [1e9 * r["cpu"] / r["edges"] for r in mine]
            axes.plot([r["edges"] for r in mine], ns, style, color=colour, marker="o", markersize=3, label=f"{task}, {order}")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.grid(linewidth=0.4, alpha=0.5)
    axes.set_xlabel("edges (logarithmic)")
    axes.set_ylabel("processor nanoseconds an edge, one thread")
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper left", bbox_to_anchor=(0, -0.18))
    _save(figure, path)


def rigid(rows: list[dict[str, Any]], path: Path) -> None:
    """Microseconds a query by the number of triangles: a straight line is growth with their logarithm."""
    figure, axes = plt.subplots(figsize=(7, 3.4))
    for (speed,), colour in zip(unique((r["speed"],) for r in rows), ("#0072B2", "#D55E00"), strict=False):
        mine = [r for r in rows if r["speed"] == speed]
        times = [r["mean_us"] for r in mine]
        axes.plot([r["triangles"] for r in mine], times, color=colour, marker="o", markersize=3, label=f"speed {speed}")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.grid(linewidth=0.4, alpha=0.5)
    axes.set_xlabel("triangles of both bodies (logarithmic)")
    axes.set_ylabel("processor microseconds a query")
    axes.legend(frameon=False)
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
