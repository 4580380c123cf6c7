"""Markdown of the rows. Nothing is measured here; the same rows give the same text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

Row = dict[str, Any]

TASKS = {"broad": "Broad phase", "earliest": "Earliest impact", "all": "All impacts"}

NARROW = """# Narrow phase, query by query

Microseconds of processor time for one query, one thread, each query by itself; d is the minimum separation.
libccd is measured in Go (`bench/latency`), the other libraries through their Python functions, less the
overhead of such a call. *Missed* and *false* compare with the truth of the data, which holds for d = 0; false
positives are counted there only. The number of queries is smaller where the time limit stopped a method.

![Mean time a query](narrow.svg)

![Share of the queries decided within a time](shares.svg)"""

STEPS = """# Whole steps

Milliseconds of wall-clock and of processor time (all threads together), medians of alternating runs; `x` is the
time of the other library divided by that of libccd with as many threads. Broad phase: all candidates, unsorted
(ipctk has a few more where its boxes are in floats). Neither list is copied into Python, except where the table
states it; then libccd sorts, too. Earliest: libccd returns the exact time; for ipctk it is
`compute_collision_free_stepsize` with LBVH and TightInclusionCCD (tolerance 1e-6, no rescaling).

The libraries take turns, so a call finds the caches full of the other's data, as in a simulator that does much between
its steps. *Calls in a row* come right after a call of the same library, which is not timed.

![Whole steps](steps.svg)"""

GROWTH = """# Growth, and kinds of scenes

One thread, medians of alternating runs, nanoseconds of processor time per edge. The scene is a crumpled sheet
whose vertices move by up to 0.8 of an edge on every axis: the number of candidates and impacts per edge does
not depend on the size. Shuffled: the same sheet with its vertices in random order, so that neighbors in space
are far apart in memory.

![Growth](growth.svg)"""

KINDS = """## Kinds of scenes

The broad phase compared with a tree, milliseconds of processor time, unsorted candidates. In these scenes a
grid of one cell width may be unsuitable (`bench/ccdbench/growth.py` makes them)."""

FRAMES = """# One frame

Milliseconds of wall-clock and of processor time, medians of alternating runs, one thread; `x` is the time of
the other library divided by that of libccd. Intersections: ipctk's `has_intersections` stops at the first, and
so does libccd. Near pairs within a twentieth of the mean edge: libccd returns proven distances, ipctk
`NormalCollisions`, which keeps one of those that meet in one feature. Neither list is copied into Python.
Smallest distance: ipctk gets one and a half times the result, because it measures the pairs within a given
distance. libccd tests edges against faces as well and returns 0 where one passes through the other; ipctk then
gets d."""

MADE = """# Made scenes

Milliseconds of processor time, medians of alternating runs, one thread, beside ipctk in the same run. A figure in bold
misses the goal beside it. Lists of candidates and of near pairs stay in the library that made them, but for *tiny*.

- *flat sheets*: one falls onto another, exactly flat: thousands of pairs are coplanar and touch at one time; *rough sheets*:
  the same with heights of a thousandth
- *needles*: 10,000 thin triangles along a diagonal; *long needles*: 2,000 that reach across the whole scene, so that all
  boxes overlap (earliest impact only)
- *twisted rods*: 37 tubes whose upper end turns; *twisted bundle*: 91 tubes twisted twice about, pressed together as in the
  scene rod-twist of [Belgrod2023]; *shuffled*: its vertices and faces in another order
- *two worlds*: two static landscapes of 79,202 triangles each, and a sheet of 242 that falls between them. ipctk has no
  static vertices
- *tiny*: two triangles, called a thousand times, from Python with its results

Near pairs are within a twentieth of the mean edge. The result is the number of pairs, or the time of the earliest impact."""

SWAP = """# Drop-in interfaces

Programs that keep their calls and link or import libccd instead (docs/migrate.md). Single queries: microseconds
of processor time for one query, minimum separation 0; libccd in C++ through the drop-in header, the original
through ipctk's Python function, less the overhead of such a call. *Missed* and *false* compare with the truth
of the data. (ipc-toolkit's interface leaves a gap by definition, in both libraries; pairs within this gap count
as false here.) The number of queries is smaller where the time limit stopped the original. Scenes: one thread,
medians; `x` is the original's time divided by that of libccd."""

GRADED = """# Graded results

Every method computes the same queries (minimum separation 0). The table compares its results with those of the
exact method.

| column | meaning |
|---|---|
| missed | contacts that exist and are not reported |
| late | times later than the exact one: a simulator that steps there penetrates |
| latest by | the largest delay of a late time, as a fraction of the step |
| false | reported contacts that do not exist: they cost steps, not soundness |
| zero | times that are 0 although the exact one is not: a solver stalls on them |
| early | the median of how long before the exact time a correct result stops, as a fraction of the step |
| us | microseconds of processor time for one query |

Undecided results, and those of a method that ran out of memory, count as contacts.

ipctk Tight Inclusion is the released code of [Wang2021]. ipctk TightInclusionCCD is what ipc-toolkit calls with
its defaults (it keeps a fifth of the initial distance). Both have a budget of a million boxes. Where a method
has fewer queries, the time limit stopped it; the queries come in a fixed random order.

The queries of a scene are those of the data set, nearly all of them contacts. Its *random candidates* are pairs
from libccd's broad phase. *Moved by 2^33* are its queries far from the origin, with coordinates rounded to the
doubles there; TightInclusionCCD is left out of these, because on some it takes minutes and gigabytes. Written
by `make bench`."""


def table(headers: list[str], rows: Iterable[list[str]]) -> str:
    lines = ["| " + " | ".join(headers) + " |", "|" + "---|" * len(headers)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def number(x: float) -> str:
    """Three digits that mean something."""
    if math.isnan(x):
        return "-"
    if x == 0:
        return "0"
    if abs(x) >= 100:
        return f"{x:,.0f}"
    return f"{x:.3g}"


def machine(about: Row) -> str:
    return table(["", ""], [[key, str(value)] for key, value in about.items()])


def measured_on(results: Row, section: str) -> str:
    """The machine, the commit and the load of the run that made a section's rows."""
    return "## Measured on\n\n" + machine(results["machines"][section])


def narrow(results: Row) -> str:
    parts = [NARROW]
    for name, kind in unique((r["set"], r["kind"]) for r in results["narrow"]):
        rows = [r for r in results["narrow"] if (r["set"], r["kind"]) == (name, kind)]
        rows.sort(key=lambda r: (r["d"], r["method"].startswith("ipctk"), r["method"], -r["tolerance"]))
        parts.append(f"## {name}, {kind}")
        parts.append(
            table(
                ["method", "d", "tolerance", "queries", "mean", "p50", "p90", "p99", "worst", "undecided", "missed", "false"],
                (
                    [r["method"], f"{r['d']:g}", "-" if _exact(r) else f"{r['tolerance']:g}", f"{r['queries']:,}"]
                    + [number(r[key]) for key in ("mean_us", "p50_us", "p90_us", "p99_us", "worst_us")]
                    + [str(r["undecided"]), str(r["missed"]), str(r["false"]) if r["d"] == 0 else "-"]
                    for r in rows
                ),
            )
        )
    parts.append("## Batches from Python\n\nOne call for a whole set, default method: microseconds a query.")
    rows = (
        [r["set"], r["kind"], f"{r['d']:g}", str(r["threads"]), number(r["us"]), number(r["cpu_us"])]
        for r in results["batches"]
    )
    parts.append(table(["set", "kind", "d", "threads", "wall", "processor"], rows))
    return "\n\n".join(parts)


def _exact(row: Row) -> bool:
    return row["method"] == "exact" or "Additive" in row["method"]


def steps(results: Row) -> str:
    parts = [STEPS, _gains(results)]
    for task, title in TASKS.items():
        rows = [r for r in results["steps"] if r["task"] == task]
        ours = {(r["scene"], r["threads"], _row(r)): r for r in rows if r["who"].removesuffix(ROW) == "libccd"}
        parts.append(f"## {title}")
        found = "pairs" if task == "broad" else "impacts" if task == "all" else "toi"
        parts.append(
            table(["scene", "library", "threads", "wall", "x", "processor", "x", found], (_step(r, ours) for r in rows))
        )
    parts.append(
        "## Memory\n\nMiB by which the peak of the resident set rises during the call, each in a process of its own."
        " What the heap held already, from reading the\nmesh, is used first and not counted."
    )
    rows = ([r["scene"], r["task"], number(r["bytes"] / 2**20)] for r in results["memory"])
    parts.append(table(["scene", "task", "MiB"], rows))
    return "\n\n".join([*parts, *_first(results["first"])])


def _first(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    fault = 1e6 * min(r["fault"] for r in rows)
    text = (
        "## First call of a process\n\nMilliseconds of wall-clock time, one thread, a process for each row; later: the median"
        " of nine calls. *Pages*: pages of 4 KiB that the call\nwrites to for the first time since the system gave them. One"
        f" takes {number(fault)} us on this machine (measured by writing to 64 MiB); the last column has the first call"
        " less\nthis time."
    )
    cells = []
    for r in rows:
        less = r["first"] - r["fault"] * (r["first_faults"] - r["later_faults"])
        times = [number(1e3 * t) for t in (r["first"], r["later"])]
        pages = [f"{n:,.0f}" for n in (r["first_faults"], r["later_faults"])]
        cells.append([r["scene"], r["task"], *times, number(r["first"] / r["later"]), *pages, number(less / r["later"])])
    headers = ["scene", "task", "first", "later", "first / later", "pages, first", "pages, later", "without them / later"]
    return [text, table(headers, cells)]


def _gains(results: Row) -> str:
    """One line a task: the peer's processor time over ours on one thread, geometric mean over the scenes."""
    lines = []
    for task, title in TASKS.items():
        one = [r for r in results["steps"] if r["task"] == task and r["threads"] == 1]
        for row in (False, True):
            mine = [r for r in one if _row(r) == row]
            ours = {r["scene"]: r["cpu"] for r in mine if r["who"].removesuffix(ROW) == "libccd"}
            gains = [r["cpu"] / ours[r["scene"]] for r in mine if r["who"].startswith("ipctk")]
            if gains:
                mean = math.exp(math.fsum(map(math.log, gains)) / len(gains))
                spread = f"{number(mean)} times ({number(min(gains))} to {number(max(gains))})"
                lines.append(f"- {title}{ROW if row else ''}: {spread}")
    return "Processor time of ipctk over ours, one thread, geometric mean over the scenes:\n\n" + "\n".join(lines)


ROW = ", calls in a row"


def _row(row: Row) -> bool:
    return row["who"].endswith(ROW)


def _step(row: Row, ours: dict[tuple, Row]) -> list[str]:
    cells = [row["scene"], row["who"], str(row["threads"])]
    for clock in ("wall", "cpu"):
        base = ours[row["scene"], row["threads"], _row(row)][clock]
        cells += [number(1e3 * row[clock]), number(row[clock] / base) if row["who"].startswith("ipctk") else "-"]
    whole = row["task"] != "earliest" and row["result"] >= 0
    return [*cells, f"{row['result']:,.0f}" if whole else number(row["result"])]


def growth(results: Row) -> str:
    rows = results["growth"]
    tasks = [t for (t,) in unique((r["task"],) for r in rows)]
    found = {(r["edges"], r["order"], r["task"]): r for r in rows}
    lines = []
    for edges, order in unique((r["edges"], r["order"]) for r in rows):
        mine = [found[edges, order, t] for t in tasks]
        pairs, impacts = (number(mine[i]["result"] / edges) for i in (0, 1))
        lines.append([f"{edges:,}", order, *(number(1e9 * r["cpu"] / edges) for r in mine), pairs, impacts])
    parts = [GROWTH, table(["edges", "vertices", *tasks, "candidates an edge", "impacts an edge"], lines), KINDS]
    theirs = {r["scene"]: r for r in results["kinds"] if r["who"] != "libccd"}
    lines = []
    for r in results["kinds"]:
        if r["who"] == "libccd":
            peer = theirs.get(r["scene"], {"cpu": math.nan, "pairs": 0})
            times = [number(1e3 * r["cpu"]), number(1e3 * peer["cpu"]), number(peer["cpu"] / r["cpu"])]
            lines.append([r["scene"], f"{r['pairs']:,}", *times])
    return "\n\n".join([*parts, table(["scene", "pairs", "libccd", "ipctk LBVH", "x"], lines)])


def frames(results: Row) -> str:
    parts = [FRAMES]
    for task, title in {"intersections": "Intersections", "near": "Near pairs", "distance": "Smallest distance"}.items():
        rows = [r for r in results["frames"] if r["task"] == task]
        ours = {r["scene"]: r for r in rows if r["who"] == "libccd"}
        cells = []
        for row in rows:
            cells.append([row["scene"], row["who"]])
            for clock in ("wall", "cpu"):
                ratio = number(row[clock] / ours[row["scene"]][clock]) if row["who"] == "ipctk" else "-"
                cells[-1] += [number(1e3 * row[clock]), ratio]
            cells[-1].append(number(row["result"]))
        parts += [f"## {title}", table(["scene", "library", "wall", "x", "processor", "x", "found"], cells)]
    return "\n\n".join(parts)


def made(results: Row) -> str:
    rows = results["made"]
    times = {(r["task"], r["scene"], r["who"], r["threads"]): r for r in rows}
    parts = [MADE]
    for task, (title, goal) in {
        "broad": ("Broad phase beside LBVH", 8.0),
        "earliest": ("Earliest impact beside ipctk's collision-free step size", 200.0),
        "near": ("Near pairs beside ipctk's NormalCollisions", 5.0),
    }.items():
        cells, ratios = [], []
        for scene in unique([r["scene"] for r in rows if r["task"] == task]):
            ours, theirs = times[task, scene, "libccd", 1], times.get((task, scene, "ipctk", 1))
            line = [scene, number(1e3 * ours["cpu"])]
            if theirs is None:
                cells.append([*line, "-", "-", "-", number(ours["result"])])
                continue
            ratio, wanted = theirs["cpu"] / ours["cpu"], 5.0 if "twisted" in scene and task == "broad" else goal
            beside = [number(1e3 * theirs["cpu"]), bold(number(ratio), ratio < wanted), number(wanted)]
            if scene != "tiny":
                ratios.append(ratio)
            cells.append([*line, *beside, number(ours["result"])])
        head = ["scene", "libccd, ms", "ipctk, ms", "ratio", "goal", "result of libccd"]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
        parts.append(f"## {title}\n\n{table(head, cells)}\n\nGeometric mean without *tiny*: {number(mean)}.")
    return "\n\n".join([*parts, *_made_pairs(times, results["machines"]["made"]), measured_on(results, "made")])


def _made_pairs(times: dict[tuple, Row], about: Row) -> list[str]:
    """What the goals compare within libccd."""
    cells = []
    for task in ("broad", "earliest", "near"):
        for one, other, goal in (
            ("flat sheets", "rough sheets", 1.5),
            ("twisted bundle, shuffled", "twisted bundle", 1.05),
        ):
            a, b = (times[task, scene, "libccd", 1]["cpu"] for scene in (one, other))
            cells.append([task, f"{one} beside {other}", f"{number(1e3 * a)} ms", f"{number(1e3 * b)} ms"])
            cells[-1] += [bold(number(a / b), a / b > goal), f"at most {goal}"]
    for task, goal in (("earliest", 20), ("near", 30)):
        us = 1e6 * times[task, "tiny", "libccd", 1]["cpu"]
        figure = bold(f"{number(us)} us", us > goal)
        cells.append([task, "tiny, a call from Python", "-", "-", figure, f"at most {goal} us"])
    parts = ["## Goals within libccd", table(["task", "what", "time", "beside", "figure", "goal"], cells)]
    cells = []
    for (task, scene, who, threads), row in times.items():
        if who == "libccd" and threads > 1 and times[task, scene, who, 1]["wall"] > 0.01:
            one = times[task, scene, who, 1]
            gain, more = one["wall"] / row["wall"], row["cpu"] / one["cpu"]
            cells.append([task, scene, str(threads), number(1e3 * one["wall"]), number(1e3 * row["wall"])])
            cells[-1] += [bold(number(gain), gain < 1.8), number(more)]
    head = ["task", "scene", "threads", "wall of one, ms", "wall, ms", "times as fast (goal 1.8)", "processor time, ratio"]
    if cells:
        parts += ["## All cores, where one thread takes over 10 ms", *_busy(about), table(head, cells)]
    return parts


def _busy(about: Row) -> list[str]:
    """What wall-clock times are worth where other processes take the cores."""
    load = float(about["load"].split()[0])
    if load < 2:
        return []
    return [
        f"The load was {about['load'].split()[0]}: other processes took most of the cores, so the wall-clock times below say "
        "nothing about threads. The processor time of all threads, relative to that of one, does: it bounds what they cost."
    ]


def bold(text: str, missed: bool) -> str:
    """A figure, in bold where it misses its goal."""
    return f"**{text}**" if missed else text


def swap(every: Row) -> str:
    results = every["swap"]
    lines = []
    for r in results["pairs"]:
        times = [number(r[key]) for key in ("mean_us", "p50_us", "worst_us")]
        counts = [f"{r[key]:,}" for key in ("queries", "missed", "false")]
        lines.append([r["interface"], r["who"], f"{r['set']}, {r['kind']}", *times, *counts])
    head = ["interface", "computed by", "queries of", "mean", "half within", "worst", "queries", "missed", "false"]
    parts = [SWAP, "## Single queries", table(head, lines), "## Scalable CCD: boxes and pairs"]
    for name, column in (("boxes", "pairs"), ("python", "result")):
        ours = {r["scene"]: r["cpu"] for r in results[name][::-1] if r["who"] in ("libccd", "ccd.compat.ipctk")}
        cells = [
            [r["scene"], r["who"], number(1e3 * r["cpu"]), number(r["cpu"] / ours[r["scene"]]), number(r[column])]
            for r in results[name]
        ]
        parts.append(
            table(["scene", "library", "processor, ms", "x", {"pairs": "pairs", "result": "step size"}[column]], cells)
        )
        if name == "boxes":
            parts.append("## Python: compute_collision_free_stepsize")
    return "\n\n".join([*parts, measured_on(every, "swap")])


SCENES = """*crowd*: bunnies and gears fly and spin through a cube, at a constant number per unit of space; *pairs* are
those whose boxes over the step meet. *drape*: nine bunnies fall, spinning, on a sheet that rises under them in
waves; pairs are of a body and a face. Processor time of one thread, medians of three."""

RIGID = """# Rigid bodies

Two bodies move and turn at constant rates; when do they first come within 1e-10 of each other? 256 trials of
each pair and speed, as in section VIII of [Buddingh2017]; bounding radius 1, 4 or 512 units a step. Processor
time of one thread, mean of the trials; the trees exist already. *Missed* counts results that differ from the
reference; FCL may report a near pass as a hit, within its distance. For FCL this is its conservative advancement
for meshes with RSS volumes, which stops at a distance of 2e-5 (speed 4) to 2e-3 (speed 512). *2017* is the method
of the paper, `d2m`, on the first 24 trials; its distance is that at the raw contact, before the step back."""


def rigid(results: Row) -> str:
    rows = results["rigid"]["trials"]
    ours = {(r["a"], r["b"], r["speed"]): r["mean_us"] for r in rows if r["who"] == "libccd"}
    cells = []
    for r in sorted(rows, key=lambda r: (r["a"], r["b"], r["speed"], r["who"] != "libccd")):
        ratio = r["mean_us"] / ours[r["a"], r["b"], r["speed"]]
        cells.append([f"{r['a']}-{r['b']}", str(r["speed"]), r["who"], f"{r['triangles']:,}", number(r["mean_us"])])
        cells[-1] += ["-" if r["who"] == "libccd" else number(ratio), number(r["worst_us"]), str(r["hits"])]
        cells[-1] += [str(r.get("missed", "-")), f"{r['nearest']:.3g} to {r['farthest']:.3g}" if "nearest" in r else "-"]
    header = ["pair", "speed", "library", "triangles", "us", "x", "worst us", "hits", "missed", "distance at contact"]
    growth = [
        [f"{r['triangles']:,}", str(r["speed"]), number(r["mean_us"]), number(r["steps"]), number(r["build_ms"])]
        for r in results["rigid"]["growth"]
    ]
    about = "The bunnies, refined again and again: the same surface, more triangles."
    parts = [RIGID, table(header, cells), "## Growth", about]
    parts += ["![growth](rigid.svg)", table(["triangles", "speed", "us", "steps", "build of one, ms"], growth)]
    scenes = []
    for r in results["rigid"]["scenes"]:
        counts = [f"{r[name]:,}" for name in ("bodies", "triangles", "faces", "pairs", "contacts")]
        scenes.append([r["scene"], *counts, *(number(r[name]) for name in ("all_ms", "earliest_ms"))])
    header = ["scene", "bodies", "triangles", "faces", "pairs", "contacts", "all contacts, ms", "earliest, ms"]
    parts += ["## Many bodies, and a mesh that deforms", SCENES, table(header, scenes)]
    return "\n\n".join([*parts, measured_on(results, "rigid")])


def graded(results: Row) -> str:
    judged = [r for r in results["graded"] if "recorded" in r]
    parts = [
        GRADED,
        f"The data records a truth for {sum(r['recorded'] for r in judged):,} of these queries; the exact method disagrees "
        f"with it on {sum(r['disagrees'] for r in judged)}.",
    ]
    for name, kind in unique((r["set"], r["kind"]) for r in results["graded"]):
        rows = [r for r in results["graded"] if (r["set"], r["kind"]) == (name, kind)]
        parts.append(f"## {name}, {kind}")
        parts.append(
            table(
                ["method", "queries", "contacts", "missed", "late", "latest by", "false", "zero", "undecided", "early", "us"],
                map(_grade, rows),
            )
        )
    parts.append(measured_on(results, "graded"))
    return "\n\n".join(parts)


def _grade(row: Row) -> list[str]:
    counts = {key: f"{row[key]:,}" for key in ("queries", "contacts", "missed", "late", "false", "zero", "undecided")}
    cells = {"method": row["method"]} | counts | {key: number(row[key]) for key in ("latest", "early", "us")}
    order = ("method", "queries", "contacts", "missed", "late", "latest", "false", "zero", "undecided", "early", "us")
    return [cells[key] for key in order]


def overview(results: Row) -> str:
    parts = [
        "# Benchmark reports",
        "Written by `make bench` (`bench/run.py`). Compare times only within one run.",
        "- [Narrow phase, query by query](narrow.md)\n- [Whole steps: broad phase, impacts, memory](steps.md)\n"
        "- [Growth from 10,000 to 3,000,000 edges, and kinds of scenes](growth.md)\n"
        "- [One frame: intersections, near pairs, smallest distance](frames.md)\n"
        "- [Made scenes: flat sheets, needles, twisted rods, two triangles](made.md)\n"
        "- [Drop-in interfaces](swap.md)\n"
        "- [Rigid bodies: comparison with FCL, refined meshes](rigid.md)\n"
        "- [Paths of robots: certified, and sampled with coal](robots.md) (`bench/robots.py`, by hand)\n"
        "- [Edges of robots: yes or no, first contact, clearance, the worst of a thousand](robot-edges.md)"
        " (`bench/robot_edges.py`, by hand)\n"
        "- [Paths of planners on MotionBenchMaker: what samples miss](motionbench.md) (`bench/motionbench.py`, by hand)\n"
        "- [Common volumes, beside manifold3d and Open CASCADE](overlap.md) (`bench/overlap.py --write`, by hand)\n"
        "- [Distances of bodies at poses, beside coal and FCL](poses.md) (`bench/poses.py --write`, by hand)\n"
        "- [Penetration depths of convex bodies, beside coal and FCL](penetration.md) "
        "(`bench/penetration.py --write`, by hand)\n"
        "- [Many worlds of one mesh in one call, beside single calls](worlds.md) (`bench/worlds.py --write`, by hand)\n"
        "- [Volumes: sequences, comparison with methods without culling](volumes.md)\n"
        "- [Volumes in the tables of VolCCD's paper](volccd.md)\n"
        "- [Curved patches in the table of their paper](patch-methods.md)\n"
        "- [Assemblies, beside Open CASCADE](cad.md) (`bench/cad.py`, by hand)\n"
        "- [What solvers need: steps for each vertex, intervals, gradients, rows](solvers.md)\n"
        "- [Contact that lasts: rest, screws, gears, patches over areas, stacks](contact.md) (`bench/contact.py`, by hand)\n"
        "- [Steps on curved paths](motions.md)\n"
        "- [Independent verification of separation](judge.md)\n"
        "- [Graded results](../../docs/graded.md)",
        "## Measured on\n\nEach report of `bench/run.py` is of the run that measured its section:",
        _runs(results["machines"]),
    ]
    return "\n\n".join(parts)


def _runs(machines: dict[str, Row]) -> str:
    """The runs of the sections, one line for each."""
    heads = list(dict.fromkeys(key for about in machines.values() for key in about))
    return table(
        ["section", *heads], [[name, *(str(about.get(key, "-")) for key in heads)] for name, about in sorted(machines.items())]
    )


def unique(items: Iterable[tuple]) -> list[tuple]:
    return list(dict.fromkeys(items))
