"""What calls on rigid bodies return: impacts of two bodies, in a scene, and with a mesh."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from .._native import abi
from ..impact import APPROXIMATE, INITIAL_CONTACT, INTERSECTING, Verdict, plain

#: What `Impact.feature_a` and `feature_b` number.
FEATURES = ("corner 0", "corner 1", "corner 2", "edge 0", "edge 1", "edge 2", "inside")

#: Record of an impact, 136 bytes, the layout of ccd_rigid_impact. The fields are those of `Impact`.
impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("flags", np.uint32),
        ("toi_lo", np.float64),
        ("toi_hi", np.float64),
        ("index_a", np.int64),
        ("index_b", np.int64),
        ("feature_a", np.int32),
        ("feature_b", np.int32),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("normal", np.float64, 3),
        ("distance", np.float64),
        ("iterations", np.int64),
    ]
)

#: Record of an impact in a scene, 152 bytes, the layout of ccd_rigid_scene_impact. The fields are those of `SceneImpact`.
scene_impact_dtype: np.dtype[np.void] = np.dtype([("a", np.int64), ("b", np.int64), ("impact", impact_dtype)])

#: Record of an impact with a mesh, 152 bytes, the layout of ccd_rigid_mesh_impact. The fields are those of `MeshImpact`.
mesh_impact_dtype: np.dtype[np.void] = np.dtype(
    [("body", np.int64), ("shape", np.int32), ("reserved", np.int32), ("impact", impact_dtype)]
)


@dataclass(frozen=True)
class Impact:
    """The answer to a query of two bodies. They keep more than min_separation for all times in [t_min, toi_lo].

    That holds whatever the verdict is, but for contact at t_min. With min_separation 0 contact is within the tolerance of
    touching, and an eighth of the tolerance is what they keep.

    verdict     SEPARATE is a proof for all of [t_min, t_max]; UNDECIDED: max_iterations is spent, or doubles are too coarse
    flags       a sum of INITIAL_CONTACT, INTERSECTING and APPROXIMATE
    toi_lo      a safe time, which itself may be applied unless contact is there at t_min; inf when separate
    toi_hi      where the distance is at most min_separation + tolerance: toi_lo or the next double; 'd2m' steps back from it
                to toi_lo
    index_a     the triangle of a; -1 without contact
    index_b     the triangle of b; -1 without contact
    feature_a   the nearest feature of it: 0 to 2 a corner, 3 to 5 the edge that begins there, 6 the face
    feature_b   the same of b
    point_a     the nearest point of a, in world coordinates
    point_b     the nearest point of b
    normal      unit, from b to a
    distance    of the two points
    iterations  work done, in the unit of max_iterations
    """

    verdict: Verdict
    flags: int
    toi_lo: float
    toi_hi: float
    index_a: int
    index_b: int
    feature_a: int
    feature_b: int
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    normal: tuple[float, ...]
    distance: float
    iterations: int

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """The Impact in one element of an array of `impact_dtype`."""
        values = plain(record, impact_dtype)
        values["verdict"] = Verdict(values["verdict"])
        return cls(**values)

    @property
    def contact(self) -> bool:
        """There is a contact."""
        return self.verdict == Verdict.CONTACT

    @property
    def separate(self) -> bool:
        """It is proven that there is none."""
        return self.verdict == Verdict.SEPARATE

    @property
    def initial(self) -> bool:
        """Contact is there at t_min."""
        return bool(self.flags & INITIAL_CONTACT)

    @property
    def intersecting(self) -> bool:
        """Triangles intersect at t_min."""
        return bool(self.flags & INTERSECTING)

    @property
    def approximate(self) -> bool:
        """Spheres met, by the method "d2m-spheres": the surfaces may be far apart, or never meet."""
        return bool(self.flags & APPROXIMATE)

    def as_dict(self) -> dict[str, Any]:
        """Plain types for JSON; a time, or a distance, of infinity becomes None."""
        values: dict[str, Any] = {name: list(x) if isinstance(x, tuple) else x for name, x in asdict(self).items()}
        for name in ("toi_lo", "toi_hi", "distance"):
            if not math.isfinite(values[name]):
                values[name] = None
        return values | {"verdict": str(self.verdict)}


def from_struct(out: abi.RigidImpact) -> Impact:
    """The Impact in a struct."""
    values: dict[str, Any] = {name: getattr(out, name) for name in impact_dtype.names or ()}
    for name in ("point_a", "point_b", "normal"):
        values[name] = tuple(values[name])
    values["verdict"] = Verdict(out.verdict)
    return Impact(**values)


@dataclass(frozen=True)
class SceneImpact:
    """The impact of two bodies of a scene.

    a       the first body; -1 when all are separate
    b       the second, a < b
    impact  when and where
    """

    a: int
    b: int
    impact: Impact


class Shape(IntEnum):
    """The shape of a primitive of a mesh."""

    FACE = 0
    EDGE = 1  #: in no face
    VERTEX = 2  #: in no edge

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class MeshImpact:
    """The impact of a body and a primitive of a mesh; in the impact, b is the mesh.

    body    the body; -1 when all are separate
    shape   what impact.index_b is an index of, in the mesh; feature_b of an edge: 0, 1 its ends, 3 the edge
    impact  when and where
    """

    body: int
    shape: Shape
    impact: Impact
