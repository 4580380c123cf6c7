"""Nastran by pyNastran: meshes in bulk data (BDF), and motions in OP2, whose displacements are turned here, by ids."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import ArgumentError, FileError, UnsupportedError
from .._packages import package
from .._read import Meaning
from ._decks import Deck
from ._elements import Block, Rows
from ._orders import UPRIGHT_FIRST, ordered
from ._recorded import Found, Recorded, Vectors, single, stored

ENDS = (".bdf", ".nas")
_MOST = 1 << 33  # bytes

_SOLID, _TRIANGLE, _QUADRILATERAL, _LINE = (
    ({4: 10, 10: 24}, {6: 13, 15: 26}, {8: 12, 20: 25}, {5: 14, 13: 27}),
    {3: 5, 6: 22},
    {4: 9, 8: 23, 9: 28},
    {2: 3},
)
_CARDS: dict[str, dict[int, int]] = {
    "CTETRA": _SOLID[0], "CPENTA": _SOLID[1], "CHEXA": _SOLID[2], "CPYRAM": _SOLID[3],
    **dict.fromkeys(("CTRIA3", "CTRIA6", "CTRIAR", "CPLSTN3", "CPLSTS3"), _TRIANGLE),
    **dict.fromkeys(("CQUAD4", "CQUAD8", "CQUADR", "CQUAD", "CSHEAR", "CPLSTN4", "CPLSTS4"), _QUADRILATERAL),
    **dict.fromkeys(("CBAR", "CBEAM", "CROD", "CONROD", "CTUBE", "CBEND"), _LINE),
}  # fmt: skip
_CORNERS = {10: 4, 15: 6, 20: 8, 13: 5, 6: 3, 8: 4, 9: 4}
_NO_BODIES = (
    "CELAS",
    "CDAMP",
    "CBUSH",
    "CGAP",
    "CMASS",
    "CVISC",
    "CONM",
    "CFAST",
    "CWELD",
    "PLOTEL",
    "CHBDY",
    "GENEL",
    "CBUSH1D",
    "CAABSF",
)
_BODIES = re.compile(r"C(TETRA|HEXA|PENTA|PYR|QUAD|TRI|TRAX|BAR|BEAM|ROD|ONROD|TUBE|BEND|SHEAR|PLST|SHELL)")
_BASIC = ("BOUGV", "BOPHIG", "TOUGV")  # tables of displacements in the basic system
_UNITS_OF_TIME = {6: "in time", 10: "of a nonlinear static solution"}
_WHY = {
    1: "linear static subcases, which do not follow one another",
    **dict.fromkeys((2, 3, 4), "modes"),
    5: "responses at frequencies",
    **dict.fromkeys((7, 8), "modes of buckling"),
    9: "complex modes",
    11: "a nonlinear static solution of geometry alone",
}
_WHAT = ["elements", "properties", "masses", "materials", "loads", "constraints", "aero", "sets", "optimization"]
_OFF = dict.fromkeys((f"xref_{what}" for what in _WHAT), False)


class _Mesh:
    """The nodes and elements of a model of pyNastran, in the basic system."""

    def __init__(self, path: str, model: Any):
        self.path, self.model = path, model
        if model.superelement_models or model.gridb or model.ringaxs:
            raise UnsupportedError(f"{path} has superelements or axisymmetric points, which are not read")
        if model.grdset is not None and (model.grdset.Cp() or model.grdset.Cd()):
            raise UnsupportedError(
                f"{path} has GRDSET with a coordinate system, which pyNastran 1.4.1 applies by half: "
                "write CP and CD on each GRID"
            )
        with files.reading(path), _silent():
            model.cross_reference(**_OFF)
        self.left_out: dict[str, int] = {}
        self.notes: list[str] = []
        self.ids = np.array(sorted(model.nodes), np.int64)
        if not len(self.ids):
            raise FileError(f"{path} has no grid points")
        nodes = [model.nodes[int(i)] for i in self.ids]
        self.x: Vectors = np.array([node.xyz for node in nodes], np.float64)
        self.half = stored(np.asarray(nodes[0].xyz))
        cp, self.cd = (np.array([getattr(node, name)() for node in nodes], np.int64) for name in ("Cp", "Cd"))
        for number in np.unique(cp[cp != 0]):
            rows = cp == number
            coord = self.coord(int(number))
            self.x[rows] = _to_cartesian(coord.type, self.x[rows]) @ coord.beta() + coord.origin
        self.names, self.blocks = self._elements()

    def coord(self, number: int) -> Any:
        """A coordinate system by its id."""
        if number not in self.model.coords or self.model.coords[number].type[:5] not in ("CORD1", "CORD2"):
            raise UnsupportedError(f"{self.path}: coordinate system {number} is not there, or of a type that is not read")
        return self.model.coords[number]

    def rows(self, ids: NDArray[np.int64]) -> Rows:
        """The rows of grid points by their ids."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        wrong = ids[self.ids[at] != ids]
        if len(wrong):
            raise FileError(f"{self.path}: grid point {int(wrong.flat[0])} is named, and not there")
        return at.astype(np.int64)

    def _elements(self) -> tuple[list[str], list[Block]]:
        tables: dict[tuple[int, int], list[list[int]]] = {}
        offset = 0
        for card, count in sorted((getattr(self.model, "reject_count", None) or {}).items()):
            if _BODIES.match(card):
                plain = re.sub(r"\W|_", "", card)
                way = f": is it {plain}? meshio 5.3.5 writes {card}" if plain in _CARDS else ""
                raise UnsupportedError(f"{self.path} has {count:,} elements {card}, which pyNastran does not know{way}")
            if card.startswith("C"):
                self.notes.append(f"{count:,} cards {card} are unknown to pyNastran, and left out")
        for element in (self.model.elements[i] for i in sorted(self.model.elements)):
            known = _CARDS.get(element.type)
            if known is None:
                if not element.type.startswith(_NO_BODIES):
                    raise UnsupportedError(f"{self.path}: element {element.eid} is a {element.type}, which is not read")
                what = f"elements {element.type}, which have no surface"
                self.left_out[what] = self.left_out.get(what, 0) + 1
                continue
            offset += bool(getattr(element, "zoffset", 0)) or any(np.any(getattr(element, name, 0)) for name in ("wa", "wb"))
            nodes = [0 if node is None else int(node) for node in element.node_ids]
            pid = 0 if element.type == "CONROD" else int(element.pid)
            tables.setdefault((pid, known[self._count(element, nodes, known)]), []).append(nodes)
        if offset:
            self.notes.append(f"{offset:,} beams or shells have offsets from their grid points (WA, WB, ZOFFS): not applied")
        pids = sorted({pid for pid, _ in tables})
        names = [_title(self.model, pid) for pid in pids] or [""]
        blocks = [
            Block(pids.index(pid), cell, ordered(cell, self.rows(np.array(rows, np.int64)), UPRIGHT_FIRST))
            for (pid, cell), rows in sorted(tables.items())
        ]
        return names, blocks

    def _count(self, element: Any, nodes: list[int], known: dict[int, int]) -> int:
        """The number of nodes; one without nodes on its sides has straight ones, and those are cut off."""
        corners = _CORNERS.get(len(nodes), len(nodes))
        if any(nodes[corners:]) and not all(nodes):
            raise UnsupportedError(
                f"{self.path}: element {element.eid} has nodes on some of its sides, and not on all: not read"
            )
        if not any(nodes[corners:]):
            del nodes[corners:]
        if len(nodes) not in known or not all(nodes):
            raise UnsupportedError(
                f"{self.path}: element {element.eid}, a {element.type}, has the nodes {nodes}, which are not read"
            )
        return len(nodes)


def _title(model: Any, pid: int) -> str:
    if pid == 0:
        return "rods without a property"
    card = model.properties.get(pid)
    return f"property {pid}" if card is None else f"{card.type} {pid}"


def _to_cartesian(kind: str, p: Vectors) -> Vectors:
    """Coordinates of a system, angles in degrees, as Cartesian ones in its axes."""
    if kind.endswith("R"):
        return p
    if kind.endswith("C"):
        angle = np.radians(p[:, 1])
        return np.column_stack([p[:, 0] * np.cos(angle), p[:, 0] * np.sin(angle), p[:, 2]])
    theta, phi = np.radians(p[:, 1]), np.radians(p[:, 2])
    flat = p[:, 0] * np.sin(theta)
    return np.column_stack([flat * np.cos(phi), flat * np.sin(phi), p[:, 0] * np.cos(theta)])


def turned(coord: Any, x: Vectors, u: Vectors) -> Vectors:
    """Displacements (k, n, 3) in the directions that a system has at places x, at rest, in the basic system."""
    axes = np.asarray(coord.beta(), np.float64)
    local = (x - np.asarray(coord.origin)) @ axes.T
    if coord.type.endswith("R"):
        found: Vectors = u @ axes
        return found
    angle = np.arctan2(local[:, 1], local[:, 0])
    c, s, zero = np.cos(angle), np.sin(angle), np.zeros(len(x))
    if coord.type.endswith("C"):
        directions = np.stack(
            [np.column_stack([c, s, zero]), np.column_stack([-s, c, zero]), np.column_stack([zero, zero, zero + 1])], 1
        )
    else:
        flat = np.hypot(local[:, 0], local[:, 1])
        theta = np.arctan2(flat, local[:, 2])
        ct, st = np.cos(theta), np.sin(theta)
        directions = np.stack(
            [np.column_stack([st * c, st * s, ct]), np.column_stack([ct * c, ct * s, -st]), np.column_stack([-s, c, zero])], 1
        )
    found = np.einsum("...ni,nij->...nj", u, directions) @ axes
    return found


def _pynastran(name: str, path: str) -> Any:
    """A module of pyNastran 1.4.1, which takes `in1d` from NumPy: since NumPy 2.4 that is `isin` alone.

    This process reads for pyNastran, so no other program's NumPy is changed.
    """
    if not hasattr(np, "in1d"):
        np.in1d = np.isin  # type: ignore[attr-defined]
    return package(name, path, "pyNastran")


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep what pyNastran prints from the output."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _model(path: str) -> Any:
    bdf = _pynastran("pyNastran.bdf.bdf", path)
    try:
        return _parsed(path, bdf)
    except FileError as error:
        if "G0 vector" not in str(error):
            raise
        raise UnsupportedError(
            f"{error}; it is the orientation of a CBAR or CBEAM, without which pyNastran reads nothing: Gmsh writes lines as "
            "such bars, but not if physical groups have faces and solids alone"
        ) from None


def _parsed(path: str, bdf: Any) -> Any:
    with files.reading(path), _silent():
        with files.opened(path) as file:
            text = file.read(_MOST)
        model = bdf.BDF(debug=None, log=None)
        model.log.level = "critical"
        begin = re.search(rb"^[ \t]*BEGIN[ \t,]+BULK.*$", text, re.MULTILINE | re.IGNORECASE)
        if begin is None or re.search(rb"^[ \t]*CEND", text, re.MULTILINE | re.IGNORECASE):
            model.read_bdf(path, validate=False, xref=False, punch=begin is None)
            return model
        if re.search(rb"^[ \t]*INCLUDE", text, re.MULTILINE | re.IGNORECASE):
            raise UnsupportedError(f"{path} has BEGIN BULK without CEND, and includes files: take the line BEGIN BULK out")
        with tempfile.TemporaryDirectory() as folder:  # pyNastran reads bulk data alone only without that line
            name = os.path.join(folder, "bulk.bdf")
            with open(name, "wb") as out:
                out.write(text[begin.end() :])
            model.read_bdf(name, validate=False, xref=False, punch=True)
    return model


def read_deck(path: str) -> Deck:
    """The bodies in bulk data: the elements of each property."""
    mesh = _Mesh(path, _model(path))
    if not mesh.blocks:
        raise FileError(f"{path} has no elements")
    return Deck(mesh.x, mesh.blocks, mesh.names, mesh.ids, mesh.left_out, mesh.notes)


class OP2(Recorded):
    """The steps of a transient or nonlinear solution. The mesh is that of the file, or of a deck beside it."""

    kind = "OP2"

    def __init__(self, path: str, meaning: Meaning, deck: str | None):
        super().__init__(path, meaning)
        with files.opened(path):
            pass
        geometry = _pynastran("pyNastran.op2.op2_geom", path)
        with files.reading(path), _silent():
            results = geometry.OP2Geom(debug=None, log=None, make_geom=deck is None)
            results.log.level = "critical"
            results.read_op2(path, build_dataframe=False)
        if deck is None and not results.nodes:
            raise ArgumentError(f"{path} holds no mesh (PARAM,POST writes it): give the deck, with mesh or --mesh FILE.bdf")
        self.mesh = _Mesh(path if deck is None else deck, results if deck is None else _model(deck))
        if not self.mesh.blocks:
            raise FileError(f"{self.mesh.path} has no elements")
        self.names = self.mesh.names
        for text in self.mesh.notes:
            self.say(text)
        self._displacements(results)

    def _displacements(self, results: Any) -> None:
        held = results.displacements
        if not held:
            other = [
                name for name in ("eigenvectors", "displacement_scaled", "displacements_nrl") if getattr(results, name, None)
            ]
            raise FileError(
                f"{self.path} has no displacements" + (f", but {other[0]}: shapes are no motion in time" if other else "")
            )
        for key, table in held.items():
            code = int(table.analysis_code)
            if code not in _UNITS_OF_TIME:
                raise UnsupportedError(
                    f"{self.path}: subcase {_shown(key)} has {_WHY.get(code, f'results of analysis code {code}')}: no motion"
                )
            if np.iscomplexobj(table.data):
                raise UnsupportedError(
                    f"{self.path}: subcase {_shown(key)} has complex displacements: they are no motion in time"
                )
        if len(held) != 1:
            raise UnsupportedError(
                f"{self.path} has displacements of {len(held)} subcases ({', '.join(map(_shown, held))}): write one"
            )
        (table,) = held.values()
        times = np.asarray(vars(table)["_times"], np.float64)
        data = np.asarray(table.data)
        if data.ndim != 3 or data.shape[:2] != (len(times), len(table.node_gridtype)) or data.shape[2] < 3:
            raise FileError(
                f"{self.path}: displacements are {data.shape}, for {len(times)} steps of {len(table.node_gridtype)} points"
            )
        grid = np.asarray(table.node_gridtype)
        points = grid[:, 1] == 1
        if not points.all():
            self.say(f"{int((~points).sum()):,} scalar and other points are left out: they have no place")
        self.u: NDArray[Any] = data[:, points, :3]
        self.half = stored(data)
        self.rows = self.mesh.rows(grid[points, 0].astype(np.int64))
        if len(np.unique(self.rows)) != len(self.rows):
            raise FileError(f"{self.path}: a grid point has two displacements")
        self.basic = str(table.table_name).startswith(_BASIC)
        known = np.zeros(len(self.mesh.ids), bool)
        known[self.rows] = True
        inside = [block.within(known) for block in self.mesh.blocks]
        self.blocks = [block.select(kept) for block, kept in zip(self.mesh.blocks, inside)]
        lost = sum(int((~kept).sum()) for kept in inside)
        self.left_out = self.mesh.left_out | ({"elements whose points have no displacement": lost} if lost else {})
        self.list_frames([float(t) for t in times])

    def frame(self, k: int) -> Found:
        """One step."""
        u = np.zeros((len(self.mesh.ids), 3))
        u[self.rows] = self.u[k]
        if not self.basic:
            for number in np.unique(self.mesh.cd[self.mesh.cd > 0]):
                rows = self.mesh.cd == number
                u[rows] = turned(self.mesh.coord(int(number)), self.mesh.x[rows], u[rows])
        rest = self.mesh.x
        return Found(
            rest + u, "", lambda: self.blocks, (self.mesh.half, self.half or single), rest=rest, left_out=self.left_out
        )


def _shown(key: Any) -> str:
    return str(key[0]) if isinstance(key, tuple) else str(key)
