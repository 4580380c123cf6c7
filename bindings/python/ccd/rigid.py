"""Rigid bodies that move and turn at constant rates, and when two of them first come close.

    a, b = ccd.rigid.Body(vertices_a, faces_a), ccd.rigid.Body(vertices_b, faces_b)
    hit = ccd.rigid.earliest(a, Motion(spin=(0, 0, 3)), b, Motion(position=(0, 0, 5), velocity=(0, 0, -4)))
    if hit.contact: hit.toi_lo, hit.normal          # toi_lo is already the step back: proven apart

Answers have the same bits on every machine. Ctrl-C stops the calls on scenes and meshes promptly; `earliest` and `batch` hear
it when they are back, which max_steps bounds.
Raises HandleError, ArgumentError, NonFiniteError, InvalidIndexError, UnsupportedError or ForkedError.
"""

from __future__ import annotations

import ctypes
import math
import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import IntEnum
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi, _arrays, _found
from ._call import Arguments, Call, check, create
from ._records import Records
from .errors import ArgumentError, shown
from .impact import INITIAL_CONTACT, Verdict, plain
from .mesh import Mesh
from .options import Stats

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "FEATURES",
    "METHODS",
    "Body",
    "Contact",
    "Element",
    "Impact",
    "MeshContact",
    "Motion",
    "Options",
    "Scene",
    "batch",
    "between",
    "contact_dtype",
    "earliest",
    "impact_dtype",
    "mesh_collisions",
    "mesh_contact_dtype",
    "mesh_earliest",
    "motion_dtype",
    "pose",
    "read_scene",
    "scene_contacts",
    "scene_earliest",
    "screw",
]  # fmt: skip

PENETRATING = 4  # flag of an impact beside INITIAL_CONTACT: triangles pierce each other at t0
APPROXIMATE = 8  # flag of an impact by "capoeira": spheres met; the surfaces may be far apart, or never meet
_IGNORE_PARTING = 1
#: What `Impact.feature_a` and `feature_b` number.
FEATURES = ("corner 0", "corner 1", "corner 2", "edge 0", "edge 1", "edge 2", "inside")
METHODS = ("default", "d2m", "capoeira")


class Options(TypedDict, total=False):
    """Keywords of `earliest` and `batch`. Lengths and times are in the units of the bodies and their motions.

    t0              0: the start
    t1              1: times in [t0, t1] count
    separation      1e-10: the Euclidean distance that the bodies keep before an impact, and at toi_lo
    tolerance       1e-10: contact is within separation + tolerance
    max_steps       1000000: pairs of boxes and triangles that are computed before the answer stays open; 0 = no limit. Bodies
                    that turn by more radians than that within reach of each other get less: max_steps**2 / radians, at
                    least 4096
    method          'default': best-first advancement. 'd2m' [Buddingh2017]: slower, independent; surfaces do not touch
                    before toi_hi, and the pose at toi_lo keeps the separation. 'capoeira': the same down to small spheres,
                    approximate
    ignore_parting  False: triangles within the tolerance that provably part are not in contact, be they nearer than the
                    separation at t0: they come no nearer than they are, and are found where they meet again
    """

    t0: float
    t1: float
    separation: float
    tolerance: float
    max_steps: int
    method: str
    ignore_parting: bool


#: Record of a motion, 128 bytes, the layout of ccd_rigid_motion: what `batch` takes arrays of.
motion_dtype: np.dtype[np.void] = np.dtype(
    [("rotation", np.float64, 4)] + [(name, np.float64, 3) for name in ("position", "velocity", "spin", "pivot")]
)

#: Record of an impact, 136 bytes, the layout of ccd_rigid_impact. The fields are those of `Impact`.
impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("flags", np.uint32),
        ("toi_lo", np.float64),
        ("toi_hi", np.float64),
        ("face_a", np.int64),
        ("face_b", np.int64),
        ("feature_a", np.int32),
        ("feature_b", np.int32),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("normal", np.float64, 3),
        ("distance", np.float64),
        ("steps", np.int64),
    ]
)

#: Record of a contact in a scene, 152 bytes, the layout of ccd_rigid_contact. The fields are those of `Contact`.
contact_dtype: np.dtype[np.void] = np.dtype([("a", np.int64), ("b", np.int64), ("impact", impact_dtype)])

#: Record of a contact with a mesh, 152 bytes, the layout of ccd_rigid_mesh_contact. The fields are those of `MeshContact`.
mesh_contact_dtype: np.dtype[np.void] = np.dtype(
    [("body", np.int64), ("element", np.int32), ("reserved", np.int32), ("impact", impact_dtype)]
)


@dataclass(frozen=True)
class Motion:
    """At the time t the body's point p is at position + t velocity + exp(t [spin]x) R(rotation) (p - pivot).

    rotation is a quaternion w, x, y, z, not 0; R is the rotation of rotation / |rotation|. spin is in radians per unit of time,
    in the world's frame. pivot, in the body's coordinates, is the point that moves on a straight line, and position where it
    is at t = 0.

    rotation  a quaternion w, x, y, z, not 0, of any length
    position  where the pivot is at t = 0
    velocity  of the pivot, per unit of time
    spin      axis times radians per unit of time, in the world's frame
    pivot     the point of the body, in its coordinates, that moves on a straight line
    """

    rotation: Sequence[float] | NDArray[Any] = (1.0, 0.0, 0.0, 0.0)
    position: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    velocity: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    spin: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    pivot: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)

    def at(self, t: float, points: ArrayLike) -> NDArray[np.float64]:
        """Where the body's points (n, 3) are in the world at the time t, rounded."""
        rotation, position = pose(self, t)
        inside = _arrays.finite("points", _arrays.coordinates("points", points))
        placed: NDArray[np.float64] = inside @ _matrix(rotation).T + position
        return placed

    def back(self, t: float, points: ArrayLike) -> NDArray[np.float64]:
        """The points (n, 3) of the world at the time t in the body's coordinates, rounded."""
        rotation, position = pose(self, t)
        return (_arrays.finite("points", _arrays.coordinates("points", points)) - position) @ _matrix(rotation)

    def _c(self) -> _abi.RigidMotion:
        return _abi.RigidMotion(*(_vector(name, getattr(self, name), n) for name, n in _SIZES.items()))


def _matrix(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rotation of a quaternion w, x, y, z."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


_SIZES = {"rotation": 4, "position": 3, "velocity": 3, "spin": 3, "pivot": 3}


def _vector(name: str, x: ArrayLike, n: int) -> Any:
    array = _arrays.doubles(name, x)
    if array.shape != (n,):
        raise ArgumentError(f"{name} has shape {array.shape}: must be ({n},)")
    return (ctypes.c_double * n)(*array)


class Body:
    """The surface of a rigid body with its tree: (n, 3) vertices in the body's coordinates, (m, 3) vertex indices.

    A body is its triangles, not what they enclose; a triangle that repeats a vertex is an edge or a point. Threads may share
    a body. It is freed with its last reference, or by `close()`, and is a context manager.
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike):
        v, f = _arrays.coordinates("vertices", vertices), _arrays.primitives("faces", faces, 3)
        self._handle = ctypes.c_void_p()
        lib = _abi.library()
        create(
            v.nbytes + f.nbytes, lib.ccd_rigid_body_create, lib.ccd_rigid_body_destroy, self._handle,
            v.ctypes, len(v), f.ctypes, len(f),
        )  # fmt: skip
        self._free = weakref.finalize(self, _destroy, self._handle)
        self._counts = len(v), len(f)

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.rigid.Body, closed>"
        return "<ccd.rigid.Body of {} vertices, {} triangles>".format(*self._counts)

    def close(self) -> None:
        """Free the body now. Calls under way on other threads finish first; later ones raise HandleError."""
        self._free()

    def __enter__(self) -> Body:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _destroy(handle: ctypes.c_void_p) -> None:
    _abi.library().ccd_rigid_body_destroy(handle)


@dataclass(frozen=True)
class Impact:
    """Whatever the verdict, the bodies keep more than the separation for all times in [t0, toi_lo).

    verdict    SEPARATE is a proof for all of [t0, t1]; UNDECIDED: the budget was spent, or doubles are too coarse
    flags      a sum of INITIAL_CONTACT, PENETRATING and APPROXIMATE
    toi_lo     inf when separate; the bodies are apart there too, unless contact is there at t0
    toi_hi     where the distance is at most separation + tolerance: toi_lo or the next double; 'd2m' steps back from it to
               toi_lo
    face_a     the triangle of a; -1 without contact
    face_b     the triangle of b; -1 without contact
    feature_a  the nearest feature of it: 0 to 2 a corner, 3 to 5 the edge that begins there, 6 the face
    feature_b  the same of b
    point_a    the nearest point of a, in the world
    point_b    the nearest point of b
    normal     unit, from b to a
    distance   of the two points
    steps      work done, in the unit of max_steps
    """

    verdict: Verdict
    flags: int
    toi_lo: float
    toi_hi: float
    face_a: int
    face_b: int
    feature_a: int
    feature_b: int
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    normal: tuple[float, ...]
    distance: float
    steps: int

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """The Impact in one element of an array of `impact_dtype`."""
        values = plain(record, impact_dtype)
        values["verdict"] = Verdict(values["verdict"])
        return cls(**values)

    @property
    def contact(self) -> bool:
        return self.verdict == Verdict.CONTACT

    @property
    def separate(self) -> bool:
        return self.verdict == Verdict.SEPARATE

    @property
    def initial(self) -> bool:
        """Contact is there at t0."""
        return bool(self.flags & INITIAL_CONTACT)

    @property
    def penetrating(self) -> bool:
        """Triangles pierce each other at t0."""
        return bool(self.flags & PENETRATING)

    @property
    def approximate(self) -> bool:
        """Spheres met, by the method "capoeira": the surfaces may be far apart, or never meet."""
        return bool(self.flags & APPROXIMATE)

    def as_dict(self) -> dict[str, Any]:
        """Plain types for JSON; a time, or a distance, of infinity becomes None."""
        values: dict[str, Any] = {name: list(x) if isinstance(x, tuple) else x for name, x in asdict(self).items()}
        for name in ("toi_lo", "toi_hi", "distance"):
            if not math.isfinite(values[name]):
                values[name] = None
        return values | {"verdict": str(self.verdict)}


def earliest(a: Body, ma: Motion, b: Body, mb: Motion, **options: Unpack[Options]) -> Impact:
    """The first time in [t0, t1] at which two bodies come close."""
    out = _abi.RigidImpact()
    first, second = _motion("ma", ma), _motion("mb", mb)
    arguments = (_body("a", a), ctypes.byref(first), _body("b", b), ctypes.byref(second))
    check(_abi.library().ccd_rigid_earliest(*arguments, _options(options), ctypes.byref(out)))
    return _impact(out)


def _body(name: str, body: Any) -> ctypes.c_void_p:
    if not isinstance(body, Body):
        raise ArgumentError(f"{name} is {type(body).__name__}: must be a ccd.rigid.Body")
    return body._handle


def _motion(name: str, motion: Any) -> _abi.RigidMotion:
    if not isinstance(motion, Motion):
        raise ArgumentError(f"{name} is {type(motion).__name__}: must be a ccd.rigid.Motion")
    try:
        return motion._c()
    except ArgumentError as error:
        raise type(error)(f"{name}.{error}") from None


def _impact(out: _abi.RigidImpact) -> Impact:
    values: dict[str, Any] = {name: getattr(out, name) for name in impact_dtype.names or ()}
    for name in ("point_a", "point_b", "normal"):
        values[name] = tuple(values[name])
    values["verdict"] = Verdict(out.verdict)
    return Impact(**values)


def batch(a: Body, ma: NDArray[Any], b: Body, mb: NDArray[Any], **options: Unpack[Options]) -> NDArray[np.void]:
    """Queries of two bodies with many motions: two arrays of `motion_dtype` of one length; an array of `impact_dtype`."""
    first, second = _motions("ma", ma), _motions("mb", mb)
    if len(first) != len(second):
        raise ArgumentError(f"ma has {len(first)} motions, mb has {len(second)}")
    out = np.empty(len(first), impact_dtype)
    arguments = (_body("a", a), first.ctypes, _body("b", b), second.ctypes, len(first), _options(options), out.ctypes)
    check(_abi.library().ccd_rigid_batch(*arguments))
    return out.view(Records)


@dataclass(frozen=True)
class Contact:
    """What two bodies of a scene answer.

    a       the first body; -1 when all are separate
    b       the second, a < b
    impact  when and where
    """

    a: int
    b: int
    impact: Impact


class Element(IntEnum):
    """What of a mesh a body touches."""

    FACE = 0
    EDGE = 1  #: in no face
    VERTEX = 2  #: in no edge

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class MeshContact:
    """What a body and an element of a mesh answer; in the impact, b is the mesh.

    body     the body; -1 when all are separate
    element  what impact.face_b counts, by its index in the mesh; feature_b of an edge: 0, 1 its ends, 3 the edge
    impact   when and where
    """

    body: int
    element: Element
    impact: Impact


class ManyOptions(Options, total=False):
    """Keywords of `mesh_earliest` and `mesh_collisions`, besides those of `earliest`; max_steps counts for each pair.

    threads       0 = all this process may use
    memory_limit  0 = none: bytes for pairs that may meet, which are then asked about in portions
    progress      called from time to time with the fraction done; a true value cancels the call
    stats         a ccd.Stats that the call fills in; candidates[Kind.VERTEX_FACE] are candidate pairs of bodies
    """

    threads: int
    memory_limit: int
    progress: Callable[[float], object]
    stats: Stats


class SceneOptions(ManyOptions, total=False):
    """Keywords of `scene_earliest` and `scene_contacts`, besides those.

    groups  one integer per body: bodies of one group that is not negative are not asked about against each other
    skip    (k, 2) pairs of bodies that are not asked about
    """

    groups: ArrayLike
    skip: ArrayLike


@dataclass(frozen=True)
class Scene:
    """What the file of a scene says: the arguments of `scene_contacts` and `mesh_collisions`.

    bodies   the bodies, in the file's order
    motions  one for each body
    groups   one integer for each body
    skip     pairs of bodies that are not tested
    mesh     the mesh that deforms from x0 to x1; None where there is none
    x0       its vertices at t0, (n, 3); None without a mesh
    x1       its vertices at t1, (n, 3); None without a mesh
    """

    bodies: list[Body]
    motions: list[Motion]
    groups: list[int]
    skip: list[list[int]]
    mesh: Mesh | None
    x0: NDArray[np.float64] | None
    x1: NDArray[np.float64] | None


def read_scene(path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None, strict: bool = False) -> Scene:
    """Read a scene in the JSON of `ccd rigid`: bodies in files, their motions, and a mesh if there is one.

    root    a folder that the files may not be outside of, whatever their paths: relative, absolute, or through symbolic links
    strict  root is the scene's own folder where none is given: for a service that reads the scenes of others

    Without either, paths may lead anywhere. Raises FileError for a file that cannot be read, or is outside.
    """
    from . import _cli_rigid_scene, _text  # seldom wanted

    name = os.fspath(path)
    top = os.fspath(root) if root is not None else os.path.dirname(name) or os.curdir if strict else None
    with _text.silent():
        held = _cli_rigid_scene.Scene(name, top)
    x0, x1 = held.frames if held.mesh is not None else (None, None)
    return Scene(held.bodies, held.motions, held.groups, held.skip, held.mesh, x0, x1)


def scene_earliest(
    bodies: Sequence[Body], motions: Sequence[Motion] | NDArray[Any], **options: Unpack[SceneOptions]
) -> Contact:
    """The first contact of many bodies, in the order (toi_lo, a, b). One body may be there many times.

    A verdict SEPARATE is a proof for all pairs that are asked about; otherwise they all keep the separation before toi_lo.
    """
    call, scene, held = _scene(bodies, motions, options)
    out = _abi.RigidContact()
    call(_abi.library().ccd_rigid_scene_earliest, *scene, call.options, ctypes.addressof(out))
    del held
    return Contact(out.a, out.b, _impact(out.impact))


def scene_contacts(
    bodies: Sequence[Body], motions: Sequence[Motion] | NDArray[Any], **options: Unpack[SceneOptions]
) -> NDArray[np.void]:
    """The answer of every pair that is not separate: an array of `contact_dtype` in the order (toi_lo, a, b)."""
    call, scene, held = _scene(bodies, motions, options)
    function = _abi.library().ccd_rigid_scene_contacts
    found = _found.listed("rigid_contacts", contact_dtype, call, function, (*scene, call.options))
    del held
    return found


def mesh_earliest(
    bodies: Sequence[Body],
    motions: Sequence[Motion] | NDArray[Any],
    mesh: Mesh,
    x0: ArrayLike,
    x1: ArrayLike,
    **options: Unpack[ManyOptions],
) -> MeshContact:
    """The first contact of bodies with a mesh that deforms, in the order (toi_lo, body, element, face_b).

    The vertices of the mesh move on straight lines, with constant velocities, from x0 at the time t0 to x1 at t1. Bodies are
    not asked about against each other. A verdict SEPARATE is a proof for all of [t0, t1]; otherwise all bodies keep the
    separation from the mesh before toi_lo. The method "d2m" asks all pairs of features: slow, and independent.
    """
    call, first, second, held = _over(bodies, motions, mesh, x0, x1, options)
    out = _abi.RigidMeshContact()
    call(_abi.library().ccd_rigid_mesh_earliest, *first, *second, call.options, ctypes.addressof(out))
    del held
    return MeshContact(out.body, Element(out.element), _impact(out.impact))


def mesh_collisions(
    bodies: Sequence[Body],
    motions: Sequence[Motion] | NDArray[Any],
    mesh: Mesh,
    x0: ArrayLike,
    x1: ArrayLike,
    **options: Unpack[ManyOptions],
) -> NDArray[np.void]:
    """The answer of every body and element that are not separate: an array of `mesh_contact_dtype`, in the same order."""
    call, first, second, held = _over(bodies, motions, mesh, x0, x1, options)
    function = _abi.library().ccd_rigid_mesh_collisions
    found = _found.listed("rigid_mesh_contacts", mesh_contact_dtype, call, function, (*first, *second, call.options))
    del held
    return found


def _over(
    bodies: Sequence[Body], motions: Any, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, options: Any
) -> tuple[Call, Arguments, Arguments, list[Any]]:
    """The call, its arguments before the common options, and what must live as long as they are used."""
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"mesh is {type(mesh).__name__}: must be a ccd.Mesh")
    frames = [_arrays.coordinates("x0", x0), _arrays.coordinates("x1", x1)]
    if len(frames[0]) != len(frames[1]):
        raise ArgumentError(f"x0 has {len(frames[0])} vertices, x1 has {len(frames[1])}: the frames must be of one size")
    first, held = _moving(bodies, motions)
    call, own = _split(options, ManyOptions.__annotations__)
    step = (mesh._handle, frames[0].ctypes, frames[1].ctypes, len(frames[0]), own)
    return call, first, step, [held, frames]


def _moving(bodies: Sequence[Body], motions: Any) -> tuple[Arguments, list[Any]]:
    """Bodies and motions as arguments, and what must live as long as they are used."""
    if not isinstance(motions, np.ndarray):
        listed = [bytes(_motion(f"motions[{i}]", m)) for i, m in enumerate(_items("motions", motions))]
        motions = np.frombuffer(b"".join(listed), motion_dtype)
    moving, held = _motions("motions", motions), _items("bodies", bodies)
    if len(moving) != len(held):
        raise ArgumentError(f"motions has {len(moving)} items for {len(held)} bodies")
    handles = (ctypes.c_void_p * len(held))(*(_body(f"bodies[{i}]", b) for i, b in enumerate(held)))
    return (ctypes.addressof(handles), moving.ctypes, len(held)), [handles, moving, held]


def _items(name: str, x: Any) -> list[Any]:
    try:
        return list(x)
    except TypeError:
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a sequence") from None


def _split(options: Mapping[str, Any], known: Iterable[str]) -> tuple[Call, Any]:
    """The call with the options of all rooms, and the options of this one; known are the keywords of the call."""
    common: Any = {name: options[name] for name in _COMMON if name in options}
    own = {name: x for name, x in options.items() if name in Options.__annotations__ or name not in known}
    return Call(common, long=True), _options(own, known)


_COMMON = ("threads", "memory_limit", "progress", "stats")


def _scene(bodies: Sequence[Body], motions: Any, options: Any) -> tuple[Call, Arguments, list[Any]]:
    """The call, its arguments before the common options, and what must live as long as they are used."""
    first, held = _moving(bodies, motions)
    groups, skip = options.get("groups"), options.get("skip", ())
    given = None if groups is None else _arrays.ids("groups", groups)
    if given is not None and len(given) != first[-1]:
        raise ArgumentError(f"groups has {len(given)} items for {first[-1]} bodies")
    pairs = _arrays.primitives("skip", skip, 2)
    call, own = _split(options, SceneOptions.__annotations__)
    second = (None if given is None else given.ctypes, pairs.ctypes, len(pairs), own)
    return call, (*first, *second), [held, given, pairs]


def pose(motion: Motion, t: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The pose at the time t, rounded: a quaternion and a position; the point p is at position + R(quaternion) p."""
    rotation, position, c = np.empty(4), np.empty(3), _motion("motion", motion)
    check(_abi.library().ccd_rigid_pose(ctypes.byref(c), _arrays.number("t", t), rotation.ctypes, position.ctypes))
    return rotation, position


def between(
    start: tuple[ArrayLike, ArrayLike],
    end: tuple[ArrayLike, ArrayLike],
    duration: float = 1.0,
    pivot: ArrayLike = (0.0, 0.0, 0.0),
) -> Motion:
    """The motion from one pose at t = 0 to another at t = duration: poses are (rotation, position), as `pose` returns them.

    The body's point pivot goes straight, and the body turns about it at a constant rate, by the shorter way.
    """
    given: list[Any] = []
    for name, p in (("start", start), ("end", end)):
        both = _items(name, p)
        if len(both) != 2:
            raise ArgumentError(f"{name} has {len(both)} items: must be a rotation and a position")
        given += [_vector(f"rotation of {name}", both[0], 4), _vector(f"position of {name}", both[1], 3)]
    c = _abi.RigidMotion()
    given += [_arrays.number("duration", duration), _vector("pivot", pivot, 3)]
    check(_abi.library().ccd_rigid_between(*given, ctypes.byref(c)))
    return Motion(**{name: tuple(getattr(c, name)) for name in _SIZES})


def screw(rotation: ArrayLike, position: ArrayLike, on: ArrayLike, spin: ArrayLike, slide: float) -> Motion:
    """The motion of a body, posed so at t = 0, that turns about the line through on along spin, and slides along it."""
    c = _abi.RigidMotion()
    given = (_vector("rotation", rotation, 4), _vector("position", position, 3), _vector("on", on, 3), _vector("spin", spin, 3))
    check(_abi.library().ccd_rigid_screw(*given, _arrays.number("slide", slide), ctypes.byref(c)))
    return Motion(**{name: tuple(getattr(c, name)) for name in _SIZES})


def _motions(name: str, x: Any) -> NDArray[np.void]:
    array = _arrays.to_array(name, x)
    if array.dtype != motion_dtype or array.ndim != 1:
        raise ArgumentError(f"{name} has dtype {array.dtype} and shape {array.shape}: must be an array of motion_dtype")
    return np.require(array, requirements=("C", "A"))


_FLOATS = ("t0", "t1", "separation", "tolerance")


def _options(options: Mapping[str, Any], known: Iterable[str] = Options.__annotations__) -> Any:
    """The options of this room in C form; known are the keywords of the call."""
    c = _abi.RigidOptions()
    _abi.library().ccd_rigid_options_init(ctypes.byref(c), ctypes.sizeof(c))
    for name, value in options.items():
        if name not in Options.__annotations__:
            raise TypeError(f"unknown option {name!r}; the options are {', '.join(known)}")
        if name in _FLOATS:
            setattr(c, name, _arrays.number(name, value))
        elif name == "method":
            if not isinstance(value, str) or value not in METHODS:
                raise ArgumentError(f"method is {shown(value)}: must be one of {', '.join(METHODS)}")
            c.method = METHODS.index(value)
        elif name == "max_steps":
            c.max_steps = _arrays.integer(name, value, -(2**63), 2**63 - 1)
        else:
            c.flags = _IGNORE_PARTING if value else 0
    return ctypes.byref(c)
