"""The loops of faces of Open CASCADE as polygons in the plane of their surfaces' parameters, within a tolerance.

A curve of the file is divided until its control points are within half the tolerance of the chord, so all of the curve is. The
map of a circle's angle bends a chord by at most its second derivative times the square of its length over 8.
docs/proofs/trimmed-faces.md has the proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cad_keys import as_edge, as_face, as_wire
from .cad_surfaces import Axis

_Points = NDArray[np.float64]
_JOINT = 24  # segments of what two faces have in common, along a curve
_LEVELS = 26  # halvings of a curve, at most


@dataclass(frozen=True)
class Edge:
    """An edge as one face has it."""

    key: Any  # the edge of the shape
    line: bool  # whether the curve is a straight line
    points: _Points  # on the curve, by the parameter of the edge, in the face's own plane; what joints are made of
    vertices: tuple[Any, Any]  # at the ends of the parameter; None where there is none


@dataclass(frozen=True)
class Outline:
    """The loops of a face."""

    loops: list[_Points]  # empty: all of the box
    tolerance: tuple[float, float]
    edges: list[Edge]
    closed: bool


def box_of(face: Any) -> tuple[float, float, float, float]:
    """The box of the parameters of a face."""
    from OCP.BRepTools import BRepTools

    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    return u0, u1, v0, v1


def outline(face: Any, axes: tuple[Axis, Axis], share: float) -> Outline:
    """The loops of a face in its own plane, within a share of the sides of its box."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepTools import BRepTools_WireExplorer
    from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_WIRE
    from OCP.TopExp import TopExp_Explorer

    forward = as_face(face.Oriented(TopAbs_FORWARD))
    sides = np.array([axis.high - axis.low for axis in axes])
    tolerance = share * sides
    gap, closed = np.zeros(2), True
    loops: list[_Points] = []
    edges: list[Edge] = []
    wires = TopExp_Explorer(forward, TopAbs_WIRE)
    while wires.More():
        wire = as_wire(wires.Current())
        wires.Next()
        found = []
        explorer = BRepTools_WireExplorer(wire, forward)
        while explorer.More():
            found.append(explorer.Current())
            explorer.Next()
        every = []
        all_edges = TopExp_Explorer(wire, TopAbs_EDGE)
        while all_edges.More():
            every.append(as_edge(all_edges.Current()))
            all_edges.Next()
        if len(found) != len(every):  # The explorer stops where edges do not follow each other.
            found, closed = every, False
        runs = []
        for edge in found:
            curve, first, last = _curve_on(edge, forward)
            if curve is None:
                closed = False
                continue
            made = _polygon(curve, first, last, axes, 0.5 * tolerance)
            edges.append(_edge(edge, curve, first, last, axes, BRep_Tool.Degenerated_s(edge)))
            runs.append(made[::-1] if edge.Orientation() == TopAbs_REVERSED else made)
        if not runs:
            continue
        for run, then in zip(runs, runs[1:] + runs[:1]):
            gap = np.maximum(gap, np.abs(run[-1] - then[0]))
        corners = np.concatenate(runs)
        same = (corners == np.roll(corners, -1, axis=0)).all(axis=1)
        loops.append(corners[~same])
    if (gap > 1e-3 * sides).any():
        closed = False
    whole = not closed or not loops or _is_box(loops, axes)
    kept = [] if whole else [loop for loop in loops if len(loop) >= 3]
    used = tolerance + gap + 2.0**-40 * np.array([max(abs(axis.low), abs(axis.high)) for axis in axes])
    return Outline(kept, (float(used[0]), float(used[1])), edges, closed)


def _curve_on(edge: Any, face: Any) -> tuple[Any, float, float]:
    """The curve of an edge in the plane of a face's parameters, and its range; None if there is none."""
    from OCP.BRepAdaptor import BRepAdaptor_Curve2d

    try:
        adaptor = BRepAdaptor_Curve2d(edge, face)
    except Exception:  # Standard_NullObject, which has no common base in Python
        return None, 0.0, 0.0
    first, last = adaptor.FirstParameter(), adaptor.LastParameter()
    if not (math.isfinite(first) and math.isfinite(last)) or first >= last:
        return None, 0.0, 0.0
    return adaptor, first, last


def _values(curve: Any, parameters: NDArray[np.float64]) -> _Points:
    out = np.empty((len(parameters), 2))
    for k, t in enumerate(parameters):
        p = curve.Value(float(t))
        out[k] = p.X(), p.Y()
    return out


def _mapped(points: _Points, axes: tuple[Axis, Axis]) -> _Points:
    return np.stack([axes[0](points[:, 0]), axes[1](points[:, 1])], 1)


def _edge(edge: Any, curve: Any, first: float, last: float, axes: tuple[Axis, Axis], degenerated: bool) -> Edge:
    from OCP.GeomAbs import GeomAbs_Line
    from OCP.TopExp import TopExp

    line = curve.GetType() == GeomAbs_Line
    points = _mapped(_values(curve, np.linspace(first, last, _JOINT + 1)), axes)
    ends = []
    for of in (TopExp.FirstVertex_s, TopExp.LastVertex_s):
        vertex = of(edge, False)
        ends.append(None if vertex.IsNull() else vertex)
    return Edge(None if degenerated else edge, line, points, (ends[0], ends[1]))


def _polygon(curve: Any, first: float, last: float, axes: tuple[Axis, Axis], tolerance: _Points) -> _Points:
    """Points of a curve in the face's own plane, so near that the chords are within a tolerance of it."""
    from OCP.GeomAbs import GeomAbs_Line

    if curve.GetType() == GeomAbs_Line:
        ends = _values(curve, np.array([first, last]))
        n = 1
        while not _straight(ends[0] + (ends[1] - ends[0]) * [[0.0], [1.0 / n]], axes, tolerance)[0]:
            n *= 2
        share = np.arange(n + 1)[:, None] / n
        return _mapped(ends[0] + (ends[1] - ends[0]) * share, axes)
    pieces = _bezier(curve, first, last)
    starts = np.arange(len(pieces), dtype=float)
    widths = np.ones(len(pieces))
    done: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    last_point = pieces[-1][-1, :2] / pieces[-1][-1, 2]
    for level in range(_LEVELS):
        plain = pieces[..., :2] / pieces[..., 2:]
        flat = _flat(plain, axes, tolerance) | (level == _LEVELS - 1)
        done.append((starts[flat], plain[flat][:, 0]))
        pieces, starts, widths = pieces[~flat], starts[~flat], widths[~flat]
        if not len(pieces):
            break
        pieces, starts, widths = _halved(pieces, starts, widths)
    order = np.argsort(np.concatenate([s for s, _ in done]), kind="stable")
    points = np.concatenate([np.concatenate([p for _, p in done])[order], [last_point]])
    return _mapped(points, axes)


def _halved(pieces: NDArray[np.float64], starts: NDArray[np.float64], widths: NDArray[np.float64]) -> Any:
    """Both halves of Bezier curves in homogeneous coordinates, by de Casteljau."""
    n = pieces.shape[1]
    left, right, row = np.empty_like(pieces), np.empty_like(pieces), pieces
    for k in range(n):
        left[:, k], right[:, n - 1 - k] = row[:, 0], row[:, -1]
        row = 0.5 * (row[:, :-1] + row[:, 1:])
    half = 0.5 * widths
    return np.concatenate([left, right]), np.concatenate([starts, starts + half]), np.concatenate([half, half])


def _flat(plain: NDArray[np.float64], axes: tuple[Axis, Axis], tolerance: _Points) -> NDArray[np.bool_]:
    """Whether curves of these control points (k, n, 2) are within a tolerance of their chords, once mapped."""
    n = plain.shape[1]
    share = np.linspace(0, 1, n)[None, :, None]
    chord = plain[:, :1] + share * (plain[:, -1:] - plain[:, :1])
    off = np.abs(plain - chord).max(axis=1) * [axis.slope for axis in axes]
    rest = tolerance - off
    return np.asarray((rest >= 0).all(axis=1) & _straight_all(plain[:, [0, -1]], axes, rest))


def _straight(ends: _Points, axes: tuple[Axis, Axis], tolerance: _Points) -> NDArray[np.bool_]:
    return _straight_all(ends[None], axes, np.asarray(tolerance)[None])


def _straight_all(ends: NDArray[np.float64], axes: tuple[Axis, Axis], tolerance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the images of segments (k, 2, 2) are within a tolerance of the segments between the images of their ends.

    At equal shares each coordinate is off by at most bend d^2 / 8. At equal x, y is off by that of y and by the slope of
    the chord times that of x, which is less for segments along an axis.
    """
    d = np.abs(ends[:, 1] - ends[:, 0])
    bend = np.array([axis.bend for axis in axes]) / 8
    slope = np.array([axis.slope for axis in axes])
    off = bend * d * d
    both = (off <= tolerance).all(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        for k in range(2):  # at equal values of axis k
            least = d[:, k] * (2 - slope[k] if slope[k] < 2 else 0.5)
            other = off[:, 1 - k] + np.where(d[:, 1 - k] > 0, slope[1 - k] * d[:, 1 - k] / least * off[:, k], 0.0)
            both |= other <= tolerance[:, 1 - k]
    return np.asarray(both)


def _bezier(curve: Any, first: float, last: float) -> NDArray[np.float64]:
    """A curve as Bezier curves in homogeneous coordinates, (k, n, 3), in order."""
    from OCP.Geom2d import Geom2d_TrimmedCurve
    from OCP.Geom2dConvert import Geom2dConvert, Geom2dConvert_BSplineCurveToBezierCurve

    whole = Geom2d_TrimmedCurve(curve.Curve(), first, last)
    spline = Geom2dConvert.CurveToBSplineCurve_s(whole)
    parts = Geom2dConvert_BSplineCurveToBezierCurve(spline)
    out = []
    for k in range(1, parts.NbArcs() + 1):
        arc = parts.Arc(k)
        rows = []
        for j in range(1, arc.NbPoles() + 1):
            p, w = arc.Pole(j), arc.Weight(j)
            rows.append([w * p.X(), w * p.Y(), w])
        out.append(rows)
    return np.array(out)


def _is_box(loops: list[_Points], axes: tuple[Axis, Axis]) -> bool:
    """Whether the loops are one: the sides of the box."""
    if len(loops) != 1:
        return False
    low, high = np.array([axis.low for axis in axes]), np.array([axis.high for axis in axes])
    at = (loops[0] - low) / (high - low)
    near = 1e-9
    on = (np.abs(at) < near) | (np.abs(at - 1) < near)
    if not on.any(axis=1).all():
        return False
    x, y = at[:, 0], at[:, 1]
    area = 0.5 * abs(float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)))
    # Each side lies on a side of the box, and not across it.
    along = on & np.roll(on, -1, axis=0) & (np.abs(at - np.roll(at, -1, axis=0)) < near)
    return abs(area - 1) < 4 * near and bool(along.any(axis=1).all())


def joints(outlines: list[Outline], edge_key: Any, vertex_key: Any) -> list[tuple[int, int, _Points]]:
    """What faces have in common: edges, vertices, and vertices that are a line in the plane of a face, as poles are."""
    by_edge: dict[int, list[tuple[int, Edge]]] = {}
    by_vertex: dict[int, list[tuple[int, _Points]]] = {}
    poles: list[tuple[int, Edge]] = []  # edges that are a vertex: a whole line of the plane is one point
    for f, one in enumerate(outlines):
        for edge in one.edges:
            if edge.key is not None:
                by_edge.setdefault(edge_key(edge.key), []).append((f, edge))
            elif edge.vertices[0] is not None:
                poles.append((f, edge))
            for vertex, at in zip(edge.vertices, (edge.points[0], edge.points[-1])):
                if vertex is not None:
                    by_vertex.setdefault(vertex_key(vertex), []).append((f, at))
    found: list[tuple[int, int, _Points]] = []
    for uses in by_edge.values():
        for i, (f, a) in enumerate(uses):
            for g, b in uses[:i]:
                found.append((g, f, np.concatenate([b.points, a.points], axis=1)))
    for places in by_vertex.values():
        seen: set[tuple[Any, ...]] = set()
        for i, (f, p) in enumerate(places):
            for g, q in places[:i]:
                key = (g, f, *np.round(np.concatenate([q, p]), 9).tolist())
                if (f != g or np.abs(p - q).max() > 1e-9 * (1 + np.abs(p).max())) and key not in seen:
                    seen.add(key)
                    found.append((g, f, np.concatenate([q, p])[None]))
    for f, pole in poles:
        line = pole.points[[0, -1]]
        others = {(g, *np.round(q, 9).tolist()): q for g, q in by_vertex[vertex_key(pole.vertices[0])] if g != f}
        found += [(g, f, np.concatenate([[q, q], line], axis=1)) for (g, *_), q in others.items()]
    return found
