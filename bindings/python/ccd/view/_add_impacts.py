"""Impacts of a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid, volume
from .._inner import arrays
from .._inner.records import IntersectionKind, kind_of
from ..errors import ArgumentError, InvalidIndexError
from ..impact import EDGE_FACE, Kind, Verdict, impact_dtype
from ..mesh import Mesh
from ..patch import Impact as PatchImpact
from ..verify import corners
from . import _listed, _motions, _rows, _state, _volumes
from ._state import Marks, State, check_pairs, check_verdicts, frames_of, is_a


def add_impacts(
    state: State, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0, step: int = 0
) -> None:
    """Add impacts of a step.

    Parameters
    ----------
    mesh : Mesh
        The mesh of the step.
    x0 : array_like
        Its vertices at the start, (n, 3).
    x1 : array_like
        Its vertices at the end, (n, 3).
    impacts : numpy.ndarray
        Impacts (k,) of `ccd.step.collisions`.
    part : int, default 0
        Number of the mesh's part.
    step : int, default 0
        Number of the step in a sequence.

    Raises
    ------
    ArgumentError
        An array has another shape or dtype, or there is no such part or step.
    InvalidIndexError
        An impact is not of this mesh; the message names it.
    NonFiniteError
        A coordinate is not finite; the message names it.
    """
    start, end = frames_of(mesh, x0, x1)
    impacts = arrays.records("impacts", impacts, impact_dtype)
    check_verdicts(impacts)
    by_kind: dict[Kind | IntersectionKind, tuple[NDArray[Any], NDArray[Any]]] = {}
    by_kind.update(corners(mesh).items())
    by_kind[EDGE_FACE] = mesh.edges, mesh.faces
    check_pairs("impacts", impacts, by_kind)
    part, step = state.number("part", part), state.step(step)
    drawn = impacts[: state.quota(_state.MOST_DRAWN)]
    ends, others = np.empty((len(drawn), 2), int), np.empty(len(drawn), int)
    for kind in np.unique(drawn["kind"]):
        rows = np.flatnonzero(drawn["kind"] == kind)
        ends[rows] = by_kind[kind_of(kind)][0][drawn["a"][rows]][:, [0, -1]]
        others[rows] = by_kind[kind_of(kind)][1][drawn["b"][rows]][:, 0]
    _listed.remember(state, part, step, impacts)
    marks = _listed.mark(state, part, step, start, end, ends, others, drawn)
    state.count(len(impacts))
    for record, mark in zip(impacts[: state.quota()], marks):
        kind = kind_of(record["kind"])
        first, second = by_kind[kind]
        sides = [{"part": part, "vertices": v.tolist()} for v in (first[record["a"]], second[record["b"]])]
        written = _rows.named(kind, record["a"], record["b"]) + _listed.met(state, record, step)
        _listed.impact(state, f"{kind} {record['a']} {record['b']}", record, sides, written, mark, step)


def add_motion_impacts(
    state: State, mesh: Mesh, impacts: NDArray[Any], part: int = 0, vertices: ArrayLike | None = None
) -> None:
    """Add impacts of a motion, at times of the whole motion; separate pairs add nothing.

    Parameters
    ----------
    mesh : Mesh
        The mesh of the part.
    impacts : numpy.ndarray
        Impacts (k,) whose a and b are primitives of the mesh; or, with `vertices`, those of `Motion.pairs`.
    part : int, default 0
        Number of the part, which `add_motion` returned.
    vertices : array_like, optional
        What `Motion.pairs` was given: the vertices of its pairs, (m, k).

    Raises
    ------
    ArgumentError
        An impact is of a pair that is not there.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2]], vertices=4)
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.75]])
    >>> fall = ccd.Motion.accelerated(x, 0 * x, np.outer([0, 0, 0, 1], [0, 0, -6]))
    >>> page, pair = ccd.view.Page("a point falls"), [[3, 0, 1, 2]]
    >>> part = page.add_motion(mesh, fall)
    >>> page.add_motion_impacts(mesh, fall.pairs("vertex-face", pair), part, pair)
    >>> page.met, page.impacts[0]["time"]
    (1, 0.5)
    """
    part = state.number("part", part)
    held, count = state.parts[part], is_a("mesh", mesh, Mesh).counts[0]
    impacts = arrays.records("impacts", impacts, impact_dtype)
    check_verdicts(impacts)
    impacts = impacts[impacts["verdict"] != Verdict.SEPARATE]
    impacts = impacts[np.argsort(impacts["toi_lo"], kind="stable")]
    index = None if vertices is None else arrays.indices("vertices", vertices)
    if index is not None and index.ndim != 2:
        raise ArgumentError(f"vertices has shape {index.shape}: must be (m, k), as Motion.pairs takes it")
    sides = _motions.primitives(mesh, impacts, index, count)
    steps = np.clip(np.floor(impacts["toi_lo"] * held.steps).astype(int), 0, held.steps - 1)
    for step in np.unique(steps).tolist():
        rows = np.flatnonzero(steps == step)
        shown = rows[: state.quota(_state.MOST_DRAWN)]
        found, both = impacts[rows], [sides[i] for i in rows]
        ends = np.array([first[[0, -1]] for first, _ in both[: len(shown)]])
        others = np.array([second[0] for _, second in both[: len(shown)]])
        frames = [x[:count] for x in held.frames[step : step + 2]]
        times = found["toi_lo"][: len(shown)]
        marks = _listed.mark(state, part, step, frames[0], frames[1], ends, others, found[: len(shown)], times)
        state.count(len(rows))
        for record, (first, second), mark in zip(found[: state.quota()], both, marks):
            kind = kind_of(record["kind"])
            if vertices is None:
                named = _rows.named(kind, record["a"], record["b"])
            else:
                told = zip(_rows.SINGLE[kind], (first, second), ("first", "second"))
                named = [[name, f"of vertices {_rows.numbers(v.tolist())}", tone] for name, v, tone in told]
            shape = [{"part": part, "vertices": v.tolist()} for v in (first, second)]
            label = f"{kind} {record['a']}" + (f" {record['b']}" if vertices is None else "")
            _listed.impact(
                state, label, record, shape, named + _listed.met(state, record, step), mark, step, float(record["toi_lo"])
            )


def add_rigid_impact(
    state: State, hit: rigid.Impact, a: int, b: int, shape: rigid.Shape | str | int = rigid.Shape.FACE
) -> None:
    """Add the impact of two bodies, or of a body and a primitive of a mesh.

    Parameters
    ----------
    hit : ccd.rigid.Impact
        The impact; one without contact adds nothing.
    a : int
        Number of the part of the first body.
    b : int
        Number of the part of the second body, or of the mesh.
    shape : ccd.rigid.Shape or str or int, default Shape.FACE
        Shape of the primitive of a mesh.

    Raises
    ------
    ArgumentError
        `hit` is of another type, or there is no such part.
    InvalidIndexError
        The impact is not of these parts.

    Examples
    --------
    >>> import ccd
    >>> x, faces = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> body, rest = ccd.rigid.Body(x, faces), ccd.rigid.Motion()
    >>> fall = ccd.rigid.Motion(position=(0, 0, 1), velocity=(0, 0, -2))
    >>> page = ccd.view.Page("two plates")
    >>> a, b = page.add_body(x, faces, fall, "falling"), page.add_body(x, faces, rest, "lying")
    >>> page.add_rigid_impact(ccd.rigid.earliest(body, fall, body, rest), a, b)
    >>> page.met
    1
    """
    of_mesh: rigid.Shape = rigid.Shape.of("shape", shape)
    if is_a("hit", hit, rigid.Impact).index_a < 0:
        return
    a, b = state.number("a", a), state.number("b", b)
    first, second = state.parts[a], state.parts[b]
    touched = len(second.frames[0]) if of_mesh == rigid.Shape.VERTEX else len(second.edges if of_mesh else second.faces)
    for name, index, count in (("index_a", hit.index_a, len(first.faces)), ("index_b", hit.index_b, touched)):
        if not 0 <= index < count:
            raise InvalidIndexError(f"hit.{name} is {index}: out of range for the {count} primitives of its part")
    at_b = [hit.index_b] if of_mesh == rigid.Shape.VERTEX else (second.edges if of_mesh else second.faces)[hit.index_b].tolist()
    sides: list[dict[str, Any]] = [
        {"part": a, "vertices": first.faces[hit.index_a].tolist()},
        {"part": b, "vertices": at_b},
    ]
    of_a = f"triangle {hit.index_a}, {rigid.FEATURES[hit.feature_a]}"
    of_b = f"{of_mesh} {hit.index_b}" if of_mesh else f"triangle {hit.index_b}, {rigid.FEATURES[hit.feature_b]}"
    rows = [[first.name, of_a, "first"], [second.name, of_b, "second"]]
    rows += _rows.met({"verdict": hit.verdict, "toi_lo": hit.toi_lo, "point": hit.point_a, "normal": hit.normal})
    rows.append(["distance", f"{hit.distance:.6g}"])
    motion, at = first.motion, np.array([hit.point_a])
    at = at if motion is None else motion.back(hit.toi_lo, at)
    state.drawn += 1
    pair = np.column_stack([_listed.objects_of(state, p, [side["vertices"][0]]) for p, side in zip((a, b), sides)])
    state.marks.append(Marks(a, 0, at, at, np.array([hit.toi_lo]), np.array([hit.normal], float), pair))
    state.count(1)
    record = {"toi_lo": hit.toi_lo, "point": hit.point_a, "normal": hit.normal}
    if len(state.impacts) < _state.MOST_PAIRS:
        _listed.impact(
            state, f"{first.name} {hit.index_a}, {second.name} {hit.index_b}", record, sides, rows, (a, at[0], at[0])
        )


def add_volume_impacts(
    state: State, cells: volume.Cells, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0, step: int = 0
) -> None:
    """Add impacts of a volume, with the elements of the pairs.

    Parameters
    ----------
    cells : ccd.volume.Cells
        The elements.
    x0 : array_like
        Vertices at the start, (n, 3).
    x1 : array_like
        Vertices at the end, (n, 3).
    impacts : numpy.ndarray
        Impacts (k,) of `ccd.volume.collisions`.
    part : int, default 0
        Number of the volume's part.
    step : int, default 0
        Number of the step in a sequence.

    Raises
    ------
    ArgumentError
        An argument has another type, shape or dtype, or there is no such part or step.
    InvalidIndexError
        An impact is not of this volume; the message names it.
    NonFiniteError
        A coordinate is not finite; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1.0]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2], [0, 0, 1])  # the apex passes through the base
    >>> cells = ccd.volume.Cells(x0, np.array([10], np.int32), np.arange(4, dtype=np.int32))
    >>> volume, page = cells.volume(), ccd.view.Page("a tetrahedron")
    >>> part = page.add_volume(cells, volume, x0, x1)
    >>> page.add_volume_impacts(cells, x0, x1, ccd.volume.collisions(volume, x0, x1), part)
    >>> page.met
    1
    """
    count = len(is_a("cells", cells, volume.Cells).vertices)
    start, end = (arrays.frame(n, x, count) for n, x in (("x0", x0), ("x1", x1)))
    impacts, part = arrays.records("impacts", impacts, volume.impact_dtype), state.number("part", part)
    check_verdicts(impacts["impact"])
    classes = set(volume.PairClass)
    for i, (kind, pair_class) in enumerate(zip(impacts["impact"]["kind"].tolist(), impacts["pair_class"].tolist())):
        if kind not in (Kind.VERTEX_FACE, Kind.EDGE_EDGE) or pair_class not in classes:
            raise ArgumentError(f"impacts[{i}] has the kind {kind} and the class {pair_class}: no impact of a volume has")
    arrays.in_range("impacts['vertices']", impacts["vertices"], count, "vertices")
    arrays.in_range("impacts['elements']", impacts["elements"], len(cells.elements), "elements")
    step = state.step(step)
    lines = _volumes.Outlines(cells)
    drawn = impacts[: state.quota(_state.MOST_DRAWN)]
    second = np.where(drawn["impact"]["kind"] == Kind.EDGE_EDGE, 1, 0)
    first = np.stack([drawn["vertices"][:, 0], drawn["vertices"][np.arange(len(drawn)), second]], 1)
    marks = _listed.mark(state, part, step, start, end, first, drawn["vertices"][:, 3], drawn["impact"])
    _listed.remember(state, part, step, impacts["impact"])
    state.count(len(impacts))
    for impact, mark in zip(impacts[: state.quota()], marks):
        record, vertices = impact["impact"], impact["vertices"].tolist()
        kind, pair_class = Kind(int(record["kind"])), volume.PairClass(int(impact["pair_class"]))
        split = 1 if kind == Kind.VERTEX_FACE else 2
        sides = [{"part": part, "vertices": v} for v in (vertices[:split], vertices[split:])]
        elements = list(dict.fromkeys(impact["elements"].tolist()))
        rows = _rows.named(kind, record["a"], record["b"]) + _listed.met(state, record, step)
        rows[2:2] = [["class", str(pair_class)], *([lines.name(e), str(e)] for e in elements)]
        pair = _listed.impact(state, f"{kind} {record['a']} {record['b']}, {pair_class}", record, sides, rows, mark, step)
        pair["outline"] = {"part": part, "edges": [v for e in elements for v in lines.edges(e)]}


def add_patch_impacts(state: State, impacts: Iterable[PatchImpact], a: int, b: int) -> None:
    """Add impacts of two bodies of patches.

    Parameters
    ----------
    impacts : iterable of ccd.patch.Impact
        The impacts; separate ones add nothing.
    a : int
        Number of the part of the first body.
    b : int
        Number of the part of the second body.

    Raises
    ------
    ArgumentError
        `impacts` holds what is no `ccd.patch.Impact`, or there is no such part.
    InvalidIndexError
        An impact is not of these parts; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> form = ccd.patch.Form.quad(1, 1)
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0.0]])
    >>> model = ccd.patch.Model(x, [form], np.arange(4, dtype=np.int32), None, 0.0)
    >>> page, up = ccd.view.Page("two squares"), [0, 0, 1]
    >>> a, b = page.add_patches(model, x, x, "floor"), page.add_patches(model, x + up, x - up, "falling")
    >>> body = model.body()
    >>> hit = ccd.patch.earliest(body, x, x, body, x + up, x - up)
    >>> page.add_patch_impacts([hit], a, b)
    >>> page.met
    1
    """
    if not isinstance(impacts, Iterable):
        raise ArgumentError(f"impacts is {type(impacts).__name__}: must hold ccd.patch.Impact objects")
    listed = [is_a(f"impacts[{i}]", hit, PatchImpact) for i, hit in enumerate(impacts)]
    a, b = state.number("a", a), state.number("b", b)
    for i, hit in enumerate(listed):
        for side, part, index in (("a", a, hit.a), ("b", b, hit.b)):
            drawn = state.parts[part].patches
            count = 0 if drawn is None else len(drawn.ranges.hulls) - 1
            if drawn is not None and not hit.separate and not 0 <= index < count:
                raise InvalidIndexError(f"impacts[{i}].{side} is {index}: out of range for the {count} patches of its part")
    found = sorted((hit for hit in listed if not hit.separate), key=lambda hit: hit.toi_lo)
    state.patches.update((a, b, hit.a, hit.b) for hit in found)
    shown, touched = found[: _state.MOST_PAIRS], state.parts[a]
    if not shown or touched.patches is None:
        state.count(len(found))
        return
    both = [touched.patches.places(x, [(hit.a, hit.uv_a) for hit in shown]) for x in touched.frames]
    state.drawn += len(shown)
    times, normals = (np.array([getattr(hit, name) for hit in shown], float) for name in ("toi_lo", "normal"))
    chosen_patches = ((a, [hit.a for hit in shown]), (b, [hit.b for hit in shown]))
    pairs = np.column_stack([_listed.objects_of(state, p, _listed.on_patches(state, p, k)) for p, k in chosen_patches])
    state.marks.append(Marks(a, 0, both[0], both[1], times, normals, pairs))
    state.count(len(found))
    for hit, start, end in zip(shown, *both):
        chosen = (("first", a, hit.a, hit.uv_a), ("second", b, hit.b, hit.uv_b))
        sides: list[dict[str, Any]] = [{"part": p, "patch": k} for _, p, k, _ in chosen]
        rows = [[state.parts[p].name, f"patch {k} at ({uv[0]:.6g}, {uv[1]:.6g})", tone] for tone, p, k, uv in chosen]
        record = {"verdict": hit.verdict, "toi_lo": hit.toi_lo, "point": hit.point, "normal": hit.normal}
        _listed.impact(state, f"patches {hit.a} {hit.b}", record, sides, rows + _rows.met(record), (a, start, end))
