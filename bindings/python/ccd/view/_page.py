"""The page: what it holds, in the units of the scene; and how that becomes text, in the units of the page."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid, volume
from .._io import write
from .._native import arrays
from ..errors import ArgumentError, InvalidIndexError, NonFiniteError, shown
from ..impact import EDGE_FACE, IntersectionKind, Kind, impact_dtype, kind_of
from ..mesh import Mesh
from ..patch import Impact as PatchImpact
from ..patch import Model
from ..rigid._motion import to_motion
from ..rigid._pose import PoseLike
from ..verify import corners
from . import _html, _patches, _rows, _thick, _volumes
from ._parts import Part, components
from ._unit import Unit, pack

MOST_PAIRS = 5000
"""Most impacts, and most near pairs, that a page lists: the earliest and the nearest of them."""
MOST_DRAWN = 200_000
"""Most impacts that are marked: the earliest of them."""

_OVERLAP = "pairs whose swept boxes overlap and that do not meet"
_NO_KEYS = np.empty(0, np.int64)


_T = TypeVar("_T")


def _is(name: str, x: Any, kind: type[_T]) -> _T:
    if not isinstance(x, kind):
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a {kind.__module__.split('._')[0]}.{kind.__name__}")
    return x


def _frames(mesh: Any, x0: ArrayLike, x1: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two frames of a mesh or volume, in coordinates that can be drawn."""
    if not isinstance(mesh, volume.Volume):
        _is("mesh", mesh, Mesh)
    count = mesh.counts[0]
    return arrays.frame("x0", x0, count), arrays.frame("x1", x1, count)


class Page:
    """A page that shows a step.

    Parameters
    ----------
    title : str
        Title of the page.
    t_min : float, default 0.0
        Start of the time line.
    t_max : float, default 1.0
        End of the time line: fractions of the step, or the times of rigid motions.
    up : {'x', 'y', 'z'} or None, optional
        Axis that points up; None: the axis along which things fall, else z.

    Attributes
    ----------
    facts : dict of str to str
        Facts that the page lists as they are.
    verdict : str
        Text in place of an empty list of impacts.
    impacts : list of dict
        Impacts that the page lists.
    near : list of dict
        Near pairs that the page lists.
    met : int
        Number of impacts, listed or not.
    near_found : int
        Number of near pairs, listed or not.
    near_means : str
        Meaning of a near pair.

    Raises
    ------
    ArgumentError
        An argument has another type.
    NonFiniteError
        A time is not finite.

    See Also
    --------
    ccd.view : An example with a mesh.

    Examples
    --------
    >>> import ccd
    >>> ccd.view.Page("two sheets")
    <ccd.view.Page 'two sheets': 0 parts, 0 impacts, 0 near pairs>
    """

    def __init__(self, title: str, t_min: float = 0.0, t_max: float = 1.0, up: str | None = None):
        if not isinstance(title, str):
            raise ArgumentError(f"title is {type(title).__name__}: must be a string")
        if up is not None and (not isinstance(up, str) or up not in ("x", "y", "z")):
            raise ArgumentError(f"up is {shown(up)}: must be 'x', 'y', 'z' or None")
        self.title = title
        self.t_min: float = arrays.number("t_min", t_min)
        self.t_max: float = arrays.number("t_max", t_max)
        for name, t in (("t_min", self.t_min), ("t_max", self.t_max)):
            if not math.isfinite(t):
                raise NonFiniteError(f"{name} is {t}: must be finite")
        self.up = up
        self.facts: dict[str, str] = {}
        self.verdict = "no impacts: proven separate"
        self.impacts: list[dict[str, Any]] = []
        self.near: list[dict[str, Any]] = []
        self.met: int = 0
        self.near_found: int = 0
        self.near_means: str = ""
        self._drawn = 0  # impacts that have a mark
        self._keys: dict[tuple[int, Kind], list[NDArray[np.int64]]] = {}  # of all impacts, by part and kind: see _rows.keys
        self._patches: set[tuple[int, int, int, int]] = set()  # of all impacts of patches: parts and patches
        self._parts: list[Part] = []
        self._marks: list[tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]] = []  # part, both ends, times

    def __repr__(self) -> str:
        return f"<ccd.view.Page {self.title!r}: {len(self._parts)} parts, {self.met} impacts, {len(self.near)} near pairs>"

    # ---- parts

    def add_mesh(self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, name: str = "mesh") -> int:
        """Add a mesh whose vertices move on straight lines.

        Connected components have colours of their own. Codimensional edges and vertices with a radius (`Mesh.set_radii`) are
        drawn as capsules and balls; faces are drawn as they are.

        Parameters
        ----------
        mesh : Mesh
            The mesh.
        x0 : array_like
            Vertices at the start, (n, 3).
        x1 : array_like
            Vertices at the end, (n, 3).
        name : str, default 'mesh'
            Name of the part.

        Returns
        -------
        int
            Number of the part.
        """
        start, end = _frames(mesh, x0, x1)
        faces, tint = mesh.faces, self._tints(len(start), mesh.edges)
        if mesh._radii is not None:
            more0, more1, more, of = _thick.capsules(mesh, mesh._radii, start, end)
            faces, tint = np.concatenate([faces, more + len(start)]), np.concatenate([tint, tint[of]])
            start, end = np.concatenate([start, more0]), np.concatenate([end, more1])
        return self._add(Part(name, start, end, faces, mesh.edges, tint))

    def add_body(self, vertices: ArrayLike, faces: ArrayLike, motion: rigid.Motion | PoseLike, name: str = "body") -> int:
        """Add a rigid body.

        Parameters
        ----------
        vertices : array_like
            Vertices in the body's coordinates, (n, 3).
        faces : array_like
            Triangles, (m, 3) vertex indices.
        motion : ccd.rigid.Motion or array_like
            How the body moves and turns, or the pose of a body at rest.
        name : str, default 'body'
            Name of the part.

        Returns
        -------
        int
            Number of the part.

        Raises
        ------
        InvalidIndexError
            A vertex index is out of range.
        """
        x, f = arrays.finite("vertices", arrays.coordinates("vertices", vertices)), arrays.primitives("faces", faces, 3)
        wrong = np.argwhere((f < 0) | (f >= len(x)))
        if len(wrong):
            row, column = wrong[0].tolist()
            raise InvalidIndexError(f"faces[{row}][{column}] is {f[row, column]}: out of range for {len(x)} vertices")
        moving = to_motion("motion", motion)
        edges = np.unique(np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
        tint = np.full(len(x), len(self._parts) % 8, np.uint8)
        return self._add(Part(name, x, None, f, edges, tint, moving))

    def add_volume(self, cells: volume.Cells, mesh: volume.Volume, x0: ArrayLike, x1: ArrayLike, name: str = "volume") -> int:
        """Add the surface of a volume's elements.

        Quadrilateral sides are split into triangles as the volume splits them.

        Parameters
        ----------
        cells : ccd.volume.Cells
            The elements.
        mesh : ccd.volume.Volume
            The volume of these elements.
        x0 : array_like
            Vertices at the start, (n, 3).
        x1 : array_like
            Vertices at the end, (n, 3).
        name : str, default 'volume'
            Name of the part.

        Returns
        -------
        int
            Number of the part.
        """
        _is("cells", cells, volume.Cells)
        start, end = _frames(_is("mesh", mesh, volume.Volume), x0, x1)
        faces, sides = _volumes.surface(cells, mesh)
        return self._add(Part(name, start, end, faces, sides, self._tints(len(start), _volumes.edges(cells))))

    def add_patches(self, model: Model | _patches.NurbsSurface, x0: ArrayLike, x1: ArrayLike, name: str = "patches") -> int:
        """Add curved patches, drawn as triangles between points of the surface.

        Parameters
        ----------
        model : ccd.patch.Model
            The patches. The surfaces that the command ``ccd view`` reads are accepted too.
        x0 : array_like
            Control points at the start, (n, 3).
        x1 : array_like
            Control points at the end, (n, 3).
        name : str, default 'patches'
            Name of the part.

        Returns
        -------
        int
            Number of the part.
        """
        start, end = (arrays.finite(n, arrays.coordinates(n, x)) for n, x in (("x0", x0), ("x1", x1)))
        count = len(_is("model", model, Model).points) if not isinstance(model, _patches.NurbsSurface) else len(start)
        if not len(start) == len(end) == count:
            raise ArgumentError(f"x0 and x1 have {len(start)} and {len(end)} control points: model has {count}")
        drawn = _patches.tessellate(model)
        vertices0, vertices1 = (np.vstack([drawn.points(x), x]) for x in (start, end))
        tint = np.full(len(vertices0), len(self._parts) % 8, np.uint8)
        return self._add(Part(name, vertices0, vertices1, drawn.faces, drawn.edges, tint, None, drawn.nets, drawn))

    def _tints(self, count: int, edges: NDArray[Any]) -> NDArray[np.uint8]:
        """A colour for every connected component, after those of the parts before."""
        return ((components(count, edges) + len(self._parts)) % 8).astype(np.uint8)

    def _number(self, name: str, part: int) -> int:
        """The number of a part that is there."""
        if not self._parts:
            raise ArgumentError(f"{name} is {part!r}: the page has no parts yet")
        return arrays.integer(name, part, 0, len(self._parts) - 1)

    def _add(self, part: Part) -> int:
        self._parts.append(part)
        return len(self._parts) - 1

    # ---- pairs

    def add_impacts(self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0) -> None:
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
        """
        start, end = _frames(mesh, x0, x1)
        impacts = arrays.records("impacts", impacts, impact_dtype)
        by_kind: dict[Kind | IntersectionKind, tuple[NDArray[Any], NDArray[Any]]] = {}
        by_kind.update(corners(mesh).items())
        by_kind[EDGE_FACE] = mesh.edges, mesh.faces
        part = self._number("part", part)
        drawn = impacts[:MOST_DRAWN]
        ends = np.empty((len(drawn), 2), int)
        for kind in np.unique(drawn["kind"]):
            rows = np.flatnonzero(drawn["kind"] == kind)
            ends[rows] = by_kind[kind_of(kind)][0][drawn["a"][rows]][:, [0, -1]]
        self._remember(part, impacts)
        marks = self._mark(part, start, end, ends, drawn)
        self._count(len(impacts))
        for record, mark in zip(impacts[:MOST_PAIRS], marks):
            kind = kind_of(record["kind"])
            first, second = by_kind[kind]
            sides = [{"part": part, "vertices": v.tolist()} for v in (first[record["a"]], second[record["b"]])]
            told = _rows.named(kind, record["a"], record["b"]) + _rows.met(record)
            self._impact(f"{kind} {record['a']} {record['b']}", record, sides, told, mark)

    def add_rigid_impact(self, hit: rigid.Impact, a: int, b: int, shape: rigid.Shape = rigid.Shape.FACE) -> None:
        """Add the impact of two bodies, or of a body and a primitive of a mesh.

        Parameters
        ----------
        hit : ccd.rigid.Impact
            The impact; one without contact adds nothing.
        a : int
            Number of the part of the first body.
        b : int
            Number of the part of the second body, or of the mesh.
        shape : ccd.rigid.Shape, default Shape.FACE
            Shape of the primitive of a mesh.
        """
        if _is("hit", hit, rigid.Impact).index_a < 0:
            return
        a, b = self._number("a", a), self._number("b", b)
        first, second = self._parts[a], self._parts[b]
        at_b = [hit.index_b] if shape == rigid.Shape.VERTEX else (second.edges if shape else second.faces)[hit.index_b].tolist()
        sides: list[dict[str, Any]] = [
            {"part": a, "vertices": first.faces[hit.index_a].tolist()},
            {"part": b, "vertices": at_b},
        ]
        of_a = f"triangle {hit.index_a}, {rigid.FEATURES[hit.feature_a]}"
        of_b = f"{shape} {hit.index_b}" if shape else f"triangle {hit.index_b}, {rigid.FEATURES[hit.feature_b]}"
        rows = [[first.name, of_a, "first"], [second.name, of_b, "second"]]
        rows += _rows.met({"verdict": hit.verdict, "toi_lo": hit.toi_lo, "point": hit.point_a, "normal": hit.normal})
        rows.append(["distance", f"{hit.distance:.6g}"])
        motion, at = first.motion, np.array([hit.point_a])
        at = at if motion is None else motion.back(hit.toi_lo, at)
        self._drawn += 1
        self._marks.append((a, at, at, np.array([hit.toi_lo])))
        self._count(1)
        record = {"toi_lo": hit.toi_lo, "point": hit.point_a, "normal": hit.normal}
        if len(self.impacts) < MOST_PAIRS:
            self._impact(f"{first.name} {hit.index_a}, {second.name} {hit.index_b}", record, sides, rows, (a, at[0], at[0]))

    def add_volume_impacts(
        self, cells: volume.Cells, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0
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
        """
        start, end = (arrays.finite(n, arrays.coordinates(n, x)) for n, x in (("x0", x0), ("x1", x1)))
        impacts, part = arrays.records("impacts", impacts, volume.impact_dtype), self._number("part", part)
        lines = _volumes.Outlines(cells)
        drawn = impacts[:MOST_DRAWN]
        second = np.where(drawn["impact"]["kind"] == Kind.EDGE_EDGE, 1, 0)
        first = np.stack([drawn["vertices"][:, 0], drawn["vertices"][np.arange(len(drawn)), second]], 1)
        marks = self._mark(part, start, end, first, drawn["impact"])
        self._remember(part, impacts["impact"])
        self._count(len(impacts))
        for impact, mark in zip(impacts[:MOST_PAIRS], marks):
            record, vertices = impact["impact"], impact["vertices"].tolist()
            kind, pair_class = Kind(int(record["kind"])), volume.PairClass(int(impact["pair_class"]))
            split = 1 if kind == Kind.VERTEX_FACE else 2
            sides = [{"part": part, "vertices": v} for v in (vertices[:split], vertices[split:])]
            elements = list(dict.fromkeys(impact["elements"].tolist()))
            rows = _rows.named(kind, record["a"], record["b"]) + _rows.met(record)
            rows[2:2] = [["class", str(pair_class)], *([lines.name(e), str(e)] for e in elements)]
            pair = self._impact(f"{kind} {record['a']} {record['b']}, {pair_class}", record, sides, rows, mark)
            pair["outline"] = {"part": part, "edges": [v for e in elements for v in lines.edges(e)]}

    def add_patch_impacts(self, impacts: Iterable[PatchImpact], a: int, b: int) -> None:
        """Add impacts of two bodies of patches.

        Parameters
        ----------
        impacts : iterable of ccd.patch.Impact
            The impacts; separate ones add nothing.
        a : int
            Number of the part of the first body.
        b : int
            Number of the part of the second body.
        """
        found = sorted((hit for hit in impacts if not hit.separate), key=lambda hit: hit.toi_lo)
        self._count(len(found))
        a, b = self._number("a", a), self._number("b", b)
        self._patches.update((a, b, hit.a, hit.b) for hit in found)
        shown, touched = found[:MOST_PAIRS], self._parts[a]
        if not shown or touched.x1 is None or touched.patches is None:
            return
        both = [touched.patches.places(x, [(hit.a, hit.uv_a) for hit in shown]) for x in (touched.x0, touched.x1)]
        self._drawn += len(shown)
        self._marks.append((a, both[0], both[1], np.array([hit.toi_lo for hit in shown])))
        for hit, start, end in zip(shown, *both):
            chosen = (("first", a, hit.a, hit.uv_a), ("second", b, hit.b, hit.uv_b))
            sides: list[dict[str, Any]] = [{"part": p, "patch": k} for _, p, k, _ in chosen]
            rows = [[self._parts[p].name, f"patch {k} at ({uv[0]:.6g}, {uv[1]:.6g})", tone] for tone, p, k, uv in chosen]
            record = {"verdict": hit.verdict, "toi_lo": hit.toi_lo, "point": hit.point, "normal": hit.normal}
            self._impact(f"patches {hit.a} {hit.b}", record, sides, rows + _rows.met(record), (a, start, end))

    def add_near(
        self, mesh: Mesh, x0: ArrayLike, pairs: Mapping[Kind, NDArray[np.int64]], part: int = 0, of: volume.Volume | None = None
    ) -> None:
        """Add pairs that came near and have no impact; of many those whose centres are nearest at the start.

        Parameters
        ----------
        mesh : Mesh
            The mesh of the step.
        x0 : array_like
            Its vertices at the start, (n, 3).
        pairs : mapping of Kind to numpy.ndarray
            For each kind the indices of the two primitives, (k, 2).
        part : int, default 0
            Number of the mesh's part.
        of : ccd.volume.Volume, optional
            The volume that the mesh is the surface of; edges and faces then have the volume's indices.
        """
        (start, _), by_kind = _frames(mesh, x0, x0), corners(mesh)
        part = self._number("part", part)
        if not isinstance(pairs, Mapping):
            raise ArgumentError(f"pairs is {type(pairs).__name__}: must map each ccd.Kind to its pairs")
        numbers = (
            {}
            if of is None
            else {"edge": _volumes.numbers(of.edges, mesh.edges), "face": _volumes.numbers(of.faces, mesh.faces)}
        )
        # How far apart, the kind, the numbers as they are shown, and those in the mesh.
        found: list[tuple[float, Kind, list[int], list[int]]] = []
        for kind, these in pairs.items():
            first, second = by_kind[kind]
            named = np.stack([numbers[n][x] if n in numbers else x for n, x in zip(_rows.SINGLE[kind], these.T)], 1)
            apart = ~np.isin(_rows.keys(kind, named), np.concatenate([_NO_KEYS, *self._keys.get((part, kind), ())]))
            these, named = these[apart], named[apart]
            self.near_found += len(these)
            gap = _rows.apart(start[first].mean(1), start[second].mean(1), these)
            kept = np.argpartition(gap, MOST_PAIRS)[:MOST_PAIRS] if len(gap) > MOST_PAIRS else np.arange(len(gap))
            found += zip(gap[kept].tolist(), [kind] * len(kept), named[kept].tolist(), these[kept].tolist())
        self.near_means = _OVERLAP
        for _, kind, (a, b), (i, j) in sorted(found)[: MOST_PAIRS - len(self.near)]:
            first, second = by_kind[kind]
            sides = [{"part": part, "vertices": v.tolist()} for v in (first[i], second[j])]
            self.near.append(
                {"label": f"{kind} {a} {b}", "sides": sides, "rows": [*_rows.named(kind, a, b), ["boxes", "meet"]]}
            )

    def add_near_found(self, mesh: Mesh, found: NDArray[Any], starts: Sequence[int], time: float) -> None:
        """Add pairs that are near each other at one time, of all parts in one mesh.

        Parameters
        ----------
        mesh : Mesh
            The mesh of all parts.
        found : numpy.ndarray
            Pairs (k,) of `ccd.proximity.near`.
        starts : sequence of int
            First vertex of each part in the mesh.
        time : float
            The time.
        """
        by_kind = corners(mesh)
        self.near_found, self.near_means = self.near_found + len(found), f"pairs that are near each other at t = {time:.6g}"
        for record in found[: MOST_PAIRS - len(self.near)]:
            kind = Kind(int(record["kind"]))
            sides, rows = [], []
            for i, name in enumerate(("a", "b")):
                vertices = by_kind[kind][i][record[name]]
                part = int(np.searchsorted(starts, vertices[0], side="right")) - 1
                held = (vertices - starts[part]).tolist()
                sides.append({"part": part, "vertices": held})
                told = f"{_rows.SINGLE[kind][i]} of vertices {_rows.numbers(held)}"
                rows.append([self._parts[part].name, told, ("first", "second")[i]])
            distance = record["distance_hi"]
            rows += [["t", repr(time)], ["distance", f"{distance:.6g}"]]
            label = " / ".join(f"{self._parts[side['part']].name}: {_rows.numbers(side['vertices'])}" for side in sides)
            self.near.append({"label": label, "sides": sides, "rows": rows, "time": time, "aside": f"{distance:.3g}"})

    def add_near_patches(self, a: int, b: int, min_separation: float = 0.0) -> None:
        """Add pairs of patches of two parts whose boxes overlap and that have no impact; the nearest centres come first.

        If both parts are the same, pairs that share a control point are skipped: they always touch.

        Parameters
        ----------
        a : int
            Number of the first part.
        b : int
            Number of the second part.
        min_separation : float, default 0.0
            Length by which boxes are inflated.
        """
        pairs: list[tuple[float, int, int]] = []
        (lo_a, hi_a, at_a), (lo_b, hi_b, at_b) = (self._boxes(p) for p in (a, b))
        drawn = self._parts[a].patches
        hulls = [set(hull.tolist()) for hull in np.split(drawn.ranges.hull, drawn.ranges.hulls[1:-1])] if drawn else []
        for i in range(len(lo_a)):
            for j in np.flatnonzero(((lo_a[i] - min_separation <= hi_b) & (lo_b <= hi_a[i] + min_separation)).all(1)).tolist():
                met = (a, b, i, j) in self._patches
                if not met and (a != b or (i < j and not hulls[i] & hulls[j])):
                    pairs.append((float(np.linalg.norm(at_a[i] - at_b[j])), i, j))
        self.near_found, self.near_means = self.near_found + len(pairs), _OVERLAP
        for _, i, j in sorted(pairs)[: MOST_PAIRS - len(self.near)]:
            sides = [{"part": a, "patch": i}, {"part": b, "patch": j}]
            rows = [[self._parts[p].name, f"patch {k}", tone] for p, k, tone in ((a, i, "first"), (b, j, "second"))]
            self.near.append({"label": f"patches {i} {j}", "sides": sides, "rows": [*rows, ["boxes", "meet"]]})

    def _boxes(self, part: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        drawn = self._parts[part].patches
        return _patches.boxes(None if drawn is None else drawn.ranges, self._parts[part].ends(()))

    def faces(self, part: int) -> NDArray[Any]:
        """Return the triangles of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        numpy.ndarray
            Vertex indices in the part, (n, 3).
        """
        return self._parts[self._number("part", part)].faces

    def _count(self, found: int) -> None:
        self.met += found
        self.facts["impacts"] = f"{self.met:,}"
        if self._drawn < self.met:
            self.facts["impacts marked"] = f"the earliest {self._drawn:,}"

    def _remember(self, part: int, impacts: NDArray[Any]) -> None:
        """All impacts, listed or not, so that none of them is taken for a pair that did not meet."""
        for kind in Kind:
            rows = impacts[impacts["kind"] == kind]
            self._keys.setdefault((part, kind), []).append(_rows.keys(kind, np.stack([rows["a"], rows["b"]], 1)))

    def _impact(self, label: str, record: Any, sides: list[dict[str, Any]], rows: list[list[str]], mark: Any) -> dict[str, Any]:
        pair: dict[str, Any] = {"label": label, "time": float(record["toi_lo"]), "sides": sides, "rows": rows}
        pair |= {"point": np.asarray(record["point"], float), "normal": [float(x) for x in record["normal"]], "mark": mark}
        self.impacts.append(pair)
        return pair

    def _mark(self, part: int, start: Any, end: Any, first: NDArray[Any], impacts: NDArray[Any]) -> list[Any]:
        """Where the first primitive of every impact touches: a point of it, which moves with it. first holds its vertices."""
        u = np.where(first[:, 0] == first[:, 1], 0.0, impacts["u"])[:, None]
        both = [x[first[:, 0]] * (1 - u) + x[first[:, 1]] * u for x in (start, end)]
        self._drawn += len(impacts)
        self._marks.append((part, both[0], both[1], impacts["toi_lo"]))
        return [(part, a, b) for a, b in zip(*both)]

    # ---- text

    def html(self) -> str:
        """Return the page as text.

        Returns
        -------
        str
            HTML with everything in it.
        """
        return _html.document(self._data())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, atomically: a failure leaves the old file.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        write.whole(path, self.html().encode())

    def _data(self) -> dict[str, Any]:
        ends = [part.ends(np.linspace(self.t_min, self.t_max, 17).tolist()) for part in self._parts]
        unit = Unit(np.vstack(ends) if ends else np.empty((0, 3)))
        parts = [unit.part(part) for part in self._parts]
        length = self.t_max - self.t_min or 1.0
        marks = []
        for part in sorted({part for part, *_ in self._marks}):  # one for all of a part
            of_part = [mark[1:] for mark in self._marks if mark[0] == part]
            x0, x1, times = (np.concatenate(column) for column in zip(*of_part))
            packed = [pack(unit.of(self._parts[part], x)) for x in (x0, x1)]
            marks.append({"part": part, "x0": packed[0], "x1": packed[1], "times": pack((times - self.t_min) / length)})
        impacts = []
        for pair in self.impacts:
            part, x0, x1 = pair["mark"]
            ends = [unit.of(self._parts[part], x).tolist() for x in (x0, x1)]
            mark = {"part": part, "x0": ends[0], "x1": ends[1]}
            impacts.append(pair | {"point": unit.of(None, pair["point"]).tolist(), "mark": mark})
        return {
            "title": self.title, "facts": self.facts, "verdict": self.verdict, "t_min": self.t_min, "t_max": self.t_max,
            "up": self._up(), "scale": 1 / unit.scale, "parts": parts, "marks": marks, "impacts": impacts, "near": self.near,
            "met": self.met, "near_found": self.near_found, "near_means": self.near_means,
        }  # fmt: skip

    def _up(self) -> int:
        if self.up is not None:
            return "xyz".index(self.up)
        moves = [p.x1 - p.x0 for p in self._parts if p.x1 is not None and len(p.x0)]
        moves += [np.array([p.motion.velocity], float) for p in self._parts if p.motion is not None]
        way = sum((m.mean(0) for m in moves), np.zeros(3))
        down = int(np.argmin(way))
        return down if -way[down] > 0.8 * np.linalg.norm(way) > 0 else 2
