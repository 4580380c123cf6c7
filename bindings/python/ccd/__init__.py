"""Continuous collision detection: the first time at which two parts of a moving mesh touch. Answers are proven.

    mesh = ccd.Mesh(faces=faces, vertices=len(x0))
    hit = ccd.step.earliest(mesh, x0, x1)           # the earliest impact of a step
    impacts = ccd.step.collisions(mesh, x0, x1)     # every impact, a NumPy structured array
    alpha = ccd.step.size(mesh, x0, x1, min_separation=1e-3)
    bound = ccd.step.linesearch(mesh, x0, x1, 0.2, min_separation=0.1)
    hit = ccd.pair.vertex_face(q)                   # one query (24 numbers), or a batch (n, 24)
    ccd.proximity.intersects(mesh, x)               # whether the mesh intersects itself at x
    near = ccd.proximity.near(mesh, x, 0.1)         # the pairs within a distance of 0.1 at x
    hit = ccd.rigid.earliest(a, motion_a, b, motion_b)  # two bodies that move and turn at constant rates
    ccd.volume.earliest(volume, x0, x1)             # a volume of elements: tetrahedra, hexahedra, prisms, pyramids, shells
    hit = ccd.patch.earliest(a, a0, a1, b, b0, b1)  # two bodies of curved patches: Bezier, rational, NURBS
    pairs = ccd.broad.candidates(mesh, x0, x1)      # the broad phase alone; pairs.size(x0, x) uses it for any shorter step

Names follow the C interface (include/ccd.h): `ccd.step.earliest` calls `ccd_step_earliest`. Every call takes the fields of
`ccd.Options` as keywords. The first call loads the shared library; the import does not. Fork only before the first call: a
forked child cannot use a library that its parent has loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import broad, errors, pair, patch, proximity, rigid, step, verify, volume
from ._native import abi
from ._native.abi import library_path
from ._native.results import columns
from .broad import Candidates
from .errors import (
    ArgumentError,
    Cancelled,
    Error,
    FileError,
    ForkedError,
    HandleError,
    InternalError,
    InvalidIndexError,
    LibraryError,
    NonFiniteError,
    OutOfMemoryError,
    UnsupportedError,
)
from .files import Queries, Surface, read, read_queries
from .impact import CERTIFIED, INITIAL_CONTACT, Impact, Kind, Verdict, constraint_dtype, impact_dtype
from .mesh import Mesh
from .options import Device, Method, Norm, Options, Stats

if TYPE_CHECKING:
    from . import plot, view

__version__ = "0.1.0"

__all__ = [
    "CERTIFIED",
    "INITIAL_CONTACT",
    "ArgumentError",
    "Cancelled",
    "Candidates",
    "Device",
    "Error",
    "FileError",
    "ForkedError",
    "HandleError",
    "Impact",
    "InternalError",
    "InvalidIndexError",
    "Kind",
    "LibraryError",
    "Mesh",
    "Method",
    "NonFiniteError",
    "Norm",
    "Options",
    "OutOfMemoryError",
    "Queries",
    "Stats",
    "Surface",
    "UnsupportedError",
    "Verdict",
    "broad",
    "columns",
    "constraint_dtype",
    "errors",
    "impact_dtype",
    "library_path",
    "pair",
    "patch",
    "plot",
    "proximity",
    "read",
    "read_queries",
    "rigid",
    "simd_level",
    "step",
    "verify",
    "version",
    "view",
    "volume",
]


def __getattr__(name: str) -> Any:
    """Import `ccd.plot` and `ccd.view` on first use, because most programs draw nothing."""
    if name in ("plot", "view"):
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def version() -> int:
    """Version of the shared library: major * 10000 + minor * 100 + patch."""
    number: int = abi.library().ccd_version()
    return number


def simd_level() -> str:
    """The SIMD level in use: 'generic', 'avx2' or 'avx512'. CCD_SIMD in the environment can force a lower one."""
    level: bytes = abi.library().ccd_simd_level()
    return level.decode()
