"""Continuous collision detection: the first time at which two parts of a moving mesh touch. Results are proven.

===================== ===================================================================
`ccd.step`            whole steps of a mesh: earliest impact, all impacts, safe step size
`ccd.scene`           scenes that live over many steps, in which only some vertices move
`ccd.pair`            single pairs of primitives, and batches of them
`ccd.motion`          motions that are not straight: polynomials in time, turning bodies, skins, joints
`ccd.broad`           the broad phase alone: candidate pairs
`ccd.proximity`       distances and intersections of one configuration
`ccd.overlap`         volumes that solids have in common, depths of points
`ccd.rigid`           rigid bodies that move and turn at constant rates
`ccd.robot`           paths of robots from URDF files, proven free of collisions
`ccd.neighbors`       near pairs that are kept while vertices move little
`ccd.periodic`        meshes in periodic cells
`ccd.volume`          volumes of elements: tetrahedra, hexahedra, prisms, pyramids, shells
`ccd.patch`           curved patches: Bezier, rational, NURBS
`ccd.cad`             assemblies of CAD files that move: contacts, clearances
`ccd.verify`          grades the results of any library against the exact method
`ccd.audit`           recorded frames: what a simulation let pass
`ccd.certificate`     answers that a program of integers checks
`ccd.view`            pages for a browser that play a step
`ccd.plot`            charts of tables
`ccd.torch`           times of impact that PyTorch differentiates
`ccd.jax`             times of impact that JAX differentiates
`ccd.interop`         meshes of meshio, trimesh, PyVista and polyscope
`ccd.errors`          exceptions
===================== ===================================================================

Names follow the C interface (include/ccd.h): `ccd.step.earliest` calls ``ccd_step_earliest``. Functions that compute
take the fields of `ccd.Options` as keywords. The first call loads the shared library; the import does not. Fork only
before the first call: a forked child cannot use a library that its parent has loaded.

The second triangle falls through the first. Its vertices start 1 above and end 1 below it.

>>> import numpy as np, ccd
>>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
>>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
>>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
>>> hit = ccd.step.earliest(mesh, x0, x1)
>>> str(hit.kind), hit.a, hit.b, hit.toi_lo
('vertex-face', 3, 0, 0.5)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import (
    broad,
    errors,
    interop,
    motion,
    neighbors,
    overlap,
    pair,
    patch,
    periodic,
    proximity,
    rigid,
    robot,
    scene,
    step,
    verify,
    volume,
)
from ._group import Group
from ._memory import trim
from ._native import abi
from ._native.abi import include_path, library_path
from ._native.results import columns, to_pandas
from .broad import Candidates
from .clearance import Clearance, clearance_dtype
from .device import DeviceArray, DeviceColumns, DeviceInfo, devices
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
from .gradient import GradientState, gradient_dtype
from .impact import (
    CERTIFIED,
    FINAL_CONTACT,
    INITIAL_CONTACT,
    AnyImpact,
    Impact,
    Kind,
    Reason,
    Verdict,
    constraint_dtype,
    impact_dtype,
    interval_dtype,
)
from .mesh import Mesh
from .motion import Motion
from .options import Device, Method, Norm, Options, Stats
from .step import Step

if TYPE_CHECKING:
    from . import audit as audit
    from . import cad as cad
    from . import certificate as certificate
    from . import distributed as distributed
    from . import jax as jax
    from . import plot
    from . import torch as torch
    from .view._module import Module as view

__version__ = "0.1.0"

__all__ = [
    "CERTIFIED",
    "FINAL_CONTACT",
    "INITIAL_CONTACT",
    "AnyImpact",
    "ArgumentError",
    "Cancelled",
    "Candidates",
    "Clearance",
    "Device",
    "DeviceArray",
    "DeviceColumns",
    "DeviceInfo",
    "Error",
    "FileError",
    "ForkedError",
    "GradientState",
    "Group",
    "HandleError",
    "Impact",
    "InternalError",
    "InvalidIndexError",
    "Kind",
    "LibraryError",
    "Mesh",
    "Method",
    "Motion",
    "NonFiniteError",
    "Norm",
    "Options",
    "OutOfMemoryError",
    "Queries",
    "Reason",
    "Stats",
    "Step",
    "Surface",
    "UnsupportedError",
    "Verdict",
    "audit",
    "broad",
    "cad",
    "certificate",
    "clearance_dtype",
    "columns",
    "constraint_dtype",
    "devices",
    "distributed",
    "errors",
    "gradient_dtype",
    "impact_dtype",
    "include_path",
    "interop",
    "interval_dtype",
    "library_path",
    "motion",
    "neighbors",
    "overlap",
    "pair",
    "patch",
    "periodic",
    "plot",
    "proximity",
    "read",
    "read_queries",
    "rigid",
    "robot",
    "scene",
    "simd_level",
    "step",
    "to_pandas",
    "trim",
    "verify",
    "version",
    "view",
    "volume",
]


def __getattr__(name: str) -> Any:
    """Import modules on first use: most programs draw nothing, and PyTorch and JAX take seconds to import."""
    if name in ("audit", "cad", "certificate", "distributed", "jax", "plot", "torch", "view"):
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    from .errors import did_you_mean

    places = (step, proximity, rigid, broad, pair, volume, patch)
    found = next((f"; did you mean {one.__name__}.{name}?" for one in places if name in getattr(one, "__all__", ())), None)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{found or did_you_mean(name, __all__)}")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


def version() -> int:
    """Return the version of the shared library.

    Returns
    -------
    int
        Major * 10000 + minor * 100 + patch, e.g. 100 for 0.1.0.

    Examples
    --------
    >>> import ccd
    >>> ccd.version() >= 100
    True
    """
    number: int = abi.library().ccd_version()
    return number


def simd_level() -> str:
    """Return the SIMD level in use. The environment variable CCD_SIMD can force a lower one.

    Returns
    -------
    str
        ``'generic'``, ``'avx2'`` or ``'avx512'``.

    Examples
    --------
    >>> import ccd
    >>> ccd.simd_level() in ("generic", "avx2", "avx512")
    True
    """
    level: bytes = abi.library().ccd_simd_level()
    return level.decode()
