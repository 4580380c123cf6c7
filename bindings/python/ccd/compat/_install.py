"""Replace the collision detection of the real ipctk by this library's.

The functions and methods of the module are replaced, and put back by `uninstall`. Meshes, candidates and collisions remain
ipctk's own objects, so potentials, friction and derivatives take them as before.

A list of candidates is not made when it is built: making an ipctk object from Python takes ten times as long as from C++, and
a step needs none of them. It is a promise, which ipctk's own broad phase fulfils when a script looks at the list, or hands it
to a function of ipctk that is not replaced. Steps are found from the mesh, for those pairs that are in the list.
"""

from __future__ import annotations

import functools
import importlib
import re
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType, TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import proximity
from ..errors import ArgumentError, UnsupportedError
from ..impact import Kind
from . import _candidates, _filters, _given_narrow, _steps, _threads, _whole
from ._mesh import in_space
from ._topology import Guest, Topology, guests, taken, topology

_Original = Callable[..., Any]

_FUNCTIONS = ("compute_collision_free_stepsize", "is_step_collision_free", "has_intersections")
_STEPS = ("compute_collision_free_stepsize", "is_step_collision_free", "compute_cfl_stepsize")
_FILTERS = ("make_vertex_patches_filter", "make_static_obstacle_filter", "make_connected_components_filter")
_CLASSES = ("Candidates", "NormalCollisions", "CollisionMesh", "CollisionFilter")


@dataclass
class _Promise:
    """What a list of candidates was built from."""

    mesh: Any
    frames: list[NDArray[np.float64]]  # the arrays as they were given
    radius: float
    phase: Any
    open: bool = True  # ipctk's list is empty still

    def ours(self, listed: bool = False) -> _candidates.Candidates:
        """A list of this library's that is the same: what it was built from, where that says enough, or all of it."""
        found = _candidates.Candidates()
        if listed or self.frames[0].shape[1] == 2:
            found.build(self.mesh, *self.frames, inflation_radius=self.radius)
        else:
            found._built = _steps.Built(self.frames[0], self.frames[-1], self.radius), taken(self.mesh).can_collide
        return found


class Swap:
    """What `install` did. As a context manager it is undone at the end of the block, unless it was installed before."""

    def __init__(self, ipctk: ModuleType):
        self.ipctk = ipctk
        self._first = False
        self._saved: list[tuple[Any, str, Any]] = []
        self._promises: weakref.WeakKeyDictionary[Any, _Promise] = weakref.WeakKeyDictionary()
        self._described: weakref.WeakKeyDictionary[Any, _filters.CollisionFilter] = weakref.WeakKeyDictionary()

    def __enter__(self) -> Swap:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._first:
            uninstall()

    # ---- replacing

    def _replace(self, owner: Any, name: str, make: Callable[[_Original], Any]) -> None:
        original = vars(owner)[name]
        called = original.__func__ if isinstance(original, staticmethod) else original
        new = make(called)
        if not isinstance(new, property):
            functools.update_wrapper(new, called)
        self._saved.append((owner, name, original))
        setattr(owner, name, staticmethod(new) if isinstance(original, staticmethod) else new)

    def put(self) -> None:
        ipctk = self.ipctk
        lacking = [name for name in (*_FUNCTIONS, *_FILTERS, *_CLASSES, "get_num_threads") if not hasattr(ipctk, name)]
        if lacking:
            raise UnsupportedError(f"ipctk has no {', '.join(lacking)}: this works with release 1.6")
        for name in _FUNCTIONS:
            self._replace(ipctk, name, self._function(getattr(_whole, name)))
        for name in _FILTERS:
            self._replace(ipctk, name, self._filter(getattr(_filters, name)))
        for name in ("__ior__", "__iand__"):
            self._replace(ipctk.CollisionFilter, name, self._changed)
        self._replace(ipctk.CollisionMesh, "__init__", self._new_mesh)
        self._replace(ipctk.CollisionMesh, "build_from_full_mesh", self._made_mesh)
        self._replace(ipctk.CollisionMesh, "can_collide", self._can_collide)
        for name, member in list(vars(ipctk.Candidates).items()):
            if name in _STEPS:
                self._replace(ipctk.Candidates, name, self._step(name))
            elif name == "build":
                self._replace(ipctk.Candidates, name, self._build)
            elif name == "clear":
                self._replace(ipctk.Candidates, name, self._forgets)
            elif isinstance(member, property):
                self._replace(ipctk.Candidates, name, self._looked_at)
            elif name in ("__len__", "__getitem__") or (callable(member) and not name.startswith("_")):
                self._replace(ipctk.Candidates, name, self._keeps_word)
        self._replace(ipctk.NormalCollisions, "build", self._collisions)
        for owner, name in list(_takers(ipctk)):
            if (owner, name) != (ipctk.NormalCollisions, "build"):
                self._replace(owner, name, self._keeps_word)

    def take_back(self) -> None:
        for candidates in list(self._promises):
            self._fulfil(candidates)
        for owner, name, original in reversed(self._saved):
            setattr(owner, name, original)
        self._saved.clear()
        self._forget_filters()

    def _was(self, owner: Any, name: str) -> Any:
        return next(original for at, known, original in self._saved if at is owner and known == name)

    # ---- candidates

    def _fulfil(self, candidates: Any) -> None:
        """Have ipctk make the list that was promised."""
        promise = self._promises.get(candidates)
        if promise is not None and promise.open:
            promise.open = False
            frames = [np.asfortranarray(x) for x in promise.frames]
            self._was(self.ipctk.Candidates, "build")(candidates, promise.mesh, *frames, promise.radius, promise.phase)

    def _build(self, original: _Original) -> _Original:
        def build(candidates: Any, *args: Any, **named: Any) -> None:
            self._promises.pop(candidates, None)
            promise = self._promised(args, dict(named))
            if promise is None:
                original(candidates, *args, **named)
                return
            self._was(self.ipctk.Candidates, "clear")(candidates)
            self._promises[candidates] = promise

        return build

    def _promised(self, args: tuple[Any, ...], named: dict[str, Any]) -> _Promise | None:
        """The arguments of a `build`; None where it is ipctk's: planes, a broad phase of the script's own, other arguments."""
        order = ["mesh", "vertices", "inflation_radius", "broad_phase"]
        if "vertices_t0" in named or "vertices_t1" in named or (len(args) > 2 and np.ndim(args[2]) == 2):
            order[1:2] = ["vertices_t0", "vertices_t1"]
        given = {**dict(zip(order, args)), **named}
        twice = len(given) < len(args) + len(named)
        if len(args) > len(order) or twice or set(given) - set(order) or set(order[:-2]) - set(given):
            return None
        mesh, phase = given["mesh"], given.get("broad_phase")
        if not isinstance(mesh, self.ipctk.CollisionMesh) or len(mesh.planes) or not self._stock(phase):
            return None
        frames = [in_space(name, given[name])[:, : mesh.dim].copy() for name in order[1:-2]]
        for name, x in zip(order[1:-2], frames):
            if x.shape != (mesh.num_vertices, mesh.dim) or np.shape(given[name])[1] != mesh.dim:
                raise ArgumentError(f"{name} has shape {np.shape(given[name])}: must be {(mesh.num_vertices, mesh.dim)}")
        return _Promise(mesh, frames, float(given.get("inflation_radius", 0.0)), phase)

    def _stock(self, phase: Any) -> bool:
        """Whether a broad phase is one of ipctk's own, which this library replaces."""
        return phase is None or (isinstance(phase, self.ipctk.BroadPhase) and _given_narrow.is_real(phase))

    def _forgets(self, original: _Original) -> _Original:
        def clear(candidates: Any) -> None:
            self._promises.pop(candidates, None)
            original(candidates)

        return clear

    def _looked_at(self, original: Any) -> Any:
        def get(candidates: Any) -> Any:
            self._fulfil(candidates)
            return original.fget(candidates)

        def put(candidates: Any, found: Any) -> None:
            self._fulfil(candidates)
            original.fset(candidates, found)
            self._promises.pop(candidates, None)

        return property(get, put, doc=original.__doc__)

    def _keeps_word(self, original: _Original) -> _Original:
        """A function of ipctk's that looks at candidates."""

        def called(*args: Any, **named: Any) -> Any:
            for x in (*args, *named.values()):
                if isinstance(x, self.ipctk.Candidates):
                    self._fulfil(x)
            return original(*args, **named)

        return called

    def _ours(self, candidates: Any, listed: bool) -> _candidates.Candidates:
        """This library's list for one of ipctk's."""
        promise = self._promises.get(candidates)
        if promise is not None:
            return promise.ours(listed)
        found = _candidates.Candidates()
        for name in ("vv", "ev", "ee", "fv"):
            setattr(found, f"{name}_candidates", getattr(candidates, f"{name}_candidates"))
        return found

    def _step(self, name: str) -> Callable[[_Original], _Original]:
        ours = getattr(_candidates.Candidates, name)

        def make(original: _Original) -> _Original:
            def step(candidates: Any, mesh: Any, *args: Any, **named: Any) -> Any:
                promise = self._promises.get(candidates)
                if len(getattr(mesh, "planes", ())) or (promise is None and len(candidates.pv_candidates)):
                    self._fulfil(candidates)
                    return self._by_ipctk(original, candidates, mesh, *args, **named)
                with _threads.using(self.ipctk.get_num_threads()):
                    # That step needs to know whether there are candidates at all.
                    return ours(self._ours(candidates, name == "compute_cfl_stepsize"), mesh, *args, **named)

            return step

        return make

    def _by_ipctk(self, original: _Original, *args: Any, **named: Any) -> Any:
        """What this library does not do, as with planes: ipctk's own function, which takes no narrow phase of this library."""
        args = tuple(_given_narrow.theirs(x, self.ipctk) for x in args)
        return original(*args, **{name: _given_narrow.theirs(x, self.ipctk) for name, x in named.items()})

    def _function(self, ours: _Original) -> Callable[[_Original], _Original]:
        def make(original: _Original) -> _Original:
            def called(mesh: Any, *args: Any, **named: Any) -> Any:
                if len(getattr(mesh, "planes", ())):
                    return self._by_ipctk(original, mesh, *args, **named)
                with _threads.using(self.ipctk.get_num_threads()):
                    return ours(mesh, *args, **named)

            return called

        return make

    # ---- collisions

    def _collisions(self, original: _Original) -> _Original:
        """`NormalCollisions.build`: the pairs that are near are found here, and ipctk makes collisions of them."""

        def build(collisions: Any, *args: Any, **named: Any) -> None:
            first = args[0] if args else named.get("candidates")
            if isinstance(first, self.ipctk.Candidates):
                promise, order = self._promises.get(first), ["mesh", "vertices", "dhat", "dmin"]
                given = {**dict(zip(order, args[1:])), **named, "candidates": first}
                if promise is not None and promise.open and self._plain(given, order) and len(promise.frames[0].T) == 3:
                    found = self._near(given, promise.ours())
                    original(collisions, found, *(given.get(name, 0) for name in order))
                else:
                    self._fulfil(first)
                    original(collisions, *args, **named)
                return
            order = ["mesh", "vertices", "dhat", "dmin", "broad_phase"]
            given = {**dict(zip(order, args)), **named}
            if self._plain(given, order) and self._stock(given.get("broad_phase")) and not taken(given["mesh"]).dense:
                original(collisions, self._near(given, None), *(given.get(name, 0) for name in order[:-1]))
            else:
                original(collisions, *args, **named)

        return build

    def _plain(self, given: dict[str, Any], order: list[str]) -> bool:
        """Whether these are arguments as they should be, of a mesh in space without planes."""
        if set(given) - {*order, "candidates"} or not {"mesh", "vertices", "dhat"} <= set(given):
            return False
        mesh = given["mesh"]
        return isinstance(mesh, self.ipctk.CollisionMesh) and mesh.dim == 3 and not len(mesh.planes)

    def _near(self, given: dict[str, Any], within: _candidates.Candidates | None) -> Any:
        """Candidates of ipctk's: the pairs whose distance is below dhat + dmin, and of a list if there is one."""
        mesh, x = taken(given["mesh"]), in_space("vertices", given["vertices"])
        where = topology(mesh, len(x), mesh.can_collide)
        # ipctk compares squares of distances in doubles: what may be below by their rounding is among them.
        reach = (float(given["dhat"]) + float(given.get("dmin", 0.0))) * (1 + 2.0**-30)
        threads = self.ipctk.get_num_threads()
        found = proximity.near(where.mesh, x, reach, threads=threads)
        mesh.dense = len(found) > _MANY * len(x)
        candidates = self.ipctk.Candidates()
        for kind, name, one, flip in (
            (Kind.POINT_POINT, "vv_candidates", self.ipctk.VertexVertexCandidate, False),
            (Kind.POINT_EDGE, "ev_candidates", self.ipctk.EdgeVertexCandidate, True),
            (Kind.EDGE_EDGE, "ee_candidates", self.ipctk.EdgeEdgeCandidate, False),
            (Kind.VERTEX_FACE, "fv_candidates", self.ipctk.FaceVertexCandidate, True),
        ):
            a, b = _pairs(where, found[found["kind"] == kind], kind, within)
            setattr(candidates, name, list(map(one, *((b, a) if flip else (a, b)))))
        return candidates

    # ---- filters

    def _filter(self, ours: _Original) -> Callable[[_Original], _Original]:
        """A function that makes a filter: what it makes is known here too, so that it need not be called for every pair."""

        def make(original: _Original) -> _Original:
            def called(*args: Any, **named: Any) -> Any:
                made = original(*args, **named)
                self._described[made] = ours(*args, **named)
                return made

            return called

        return make

    def _changed(self, original: _Original) -> _Original:
        """A filter is changed in place; it may be that of any mesh."""

        def called(*args: Any) -> Any:
            self._forget_filters()
            for candidates in list(self._promises):  # the lists are those of the filters there were
                self._fulfil(candidates)
            self._promises.clear()
            return original(*args)

        return called

    def _forget_filters(self) -> None:
        self._described.clear()
        for guest in list(guests.values()):
            guest.described = None

    def _can_collide(self, original: Any) -> Any:
        def put(mesh: Any, rule: Any) -> None:
            for candidates, promise in list(self._promises.items()):
                if promise.mesh is mesh:  # the list is that of the filter there was
                    self._fulfil(candidates)
                    self._promises.pop(candidates)
            original.fset(mesh, rule)
            known = isinstance(rule, self.ipctk.CollisionFilter)
            _guest(mesh).described = self._described.get(rule) if known else None

        return property(original.fget, put, doc=original.__doc__)

    def _new_mesh(self, original: _Original) -> _Original:
        def init(mesh: Any, *args: Any, **named: Any) -> None:
            original(mesh, *args, **named)
            _guest(mesh).described = _filters.CollisionFilter()

        return init

    def _made_mesh(self, original: _Original) -> _Original:
        def called(*args: Any, **named: Any) -> Any:
            mesh = original(*args, **named)
            _guest(mesh).described = _filters.CollisionFilter()
            return mesh

        return called


# Near pairs per vertex from which on ipctk's own way to `NormalCollisions` is the faster one: an object made from Python costs
# what its search costs per vertex. Measured on the scenes of docs/migrate.md.
_MANY = 1


def _guest(mesh: Any) -> Guest:
    guest = guests.get(mesh)
    if guest is None:
        guest = guests[mesh] = Guest(mesh)
    return guest


def _pairs(where: Topology, found: Any, kind: Kind, within: _candidates.Candidates | None) -> tuple[list[int], list[int]]:
    a, b = found["a"], found["b"]
    if within is not None and within._built is not None:
        kept = within._built[0].has(kind, where, a, b)
        a, b = a[kept], b[kept]
    allowed = where.allows(kind, a, b)
    return a[allowed].tolist(), b[allowed].tolist()


def _takers(ipctk: ModuleType) -> Iterator[tuple[Any, str]]:
    """Functions of ipctk's that are given candidates, by their signatures."""
    given = re.compile(r"(?:\(|, )(?!self)\w+: (?:ipctk\.|ipc::)Candidates\b")
    owners: list[Any] = [ipctk]
    for owner in owners:
        for name, member in vars(owner).items():
            if isinstance(member, (type, ModuleType)) and getattr(member, "__module__", "ipctk").startswith("ipctk"):
                if name[:2] != "__" and member not in owners:
                    owners.append(member)
            elif callable(member) and given.search(getattr(member, "__doc__", None) or ""):
                yield owner, name


_swap: Swap | None = None


def install() -> Swap:
    """Let this library do the collision detection of the ipctk that is installed: one line, and a script stays as it is.

    Step sizes, `is_step_collision_free`, `has_intersections`, `Candidates.build` and `NormalCollisions.build` are replaced, the
    objects they make and take are ipctk's own. It holds for the whole process, until `uninstall`; in `with install():`, to the
    end of the block. Names that a script imported before (`from ipctk import ...`) remain ipctk's.
    Raises ImportError without ipctk, UnsupportedError for a release without what is replaced.
    """
    global _swap
    if _swap is not None:
        again = Swap(_swap.ipctk)
        return again
    swap = Swap(importlib.import_module("ipctk"))
    try:
        swap.put()
    except BaseException:
        swap.take_back()
        raise
    swap._first, _swap = True, swap
    return swap


def uninstall() -> None:
    """Give ipctk its own functions back. Lists of candidates that are promised are made first. Without `install`, nothing."""
    global _swap
    if _swap is not None:
        _swap.take_back()
        _swap = None


def installed() -> bool:
    """Whether `install` holds."""
    return _swap is not None
