"""Steps of a mesh on many processes or machines, and of meshes that no process can hold.

A scene is divided into parts by regions of space. Each part is a mesh of its own with maps to the 64-bit indices of the
whole. `reduce` combines the results of parts, and they have the bits of one call. The engine is the caller's: an executor of
the standard library, Dask, mpi4py or Ray. This module imports NumPy alone; engines and pyarrow are imported where they are
used.

See :doc:`/howto/distributed` for how to use it, and :doc:`/proofs/distributed` for why the bits are those of one call.

>>> import numpy as np, ccd, ccd.distributed as cd
>>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
>>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
>>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
>>> cd.earliest(mesh, x0, x1, parts=4) == ccd.step.earliest(mesh, x0, x1)
True
"""

from ._calls import candidates, collisions, earliest, near, size
from ._folder import read_candidates, read_impacts, read_near
from ._least import MPILeast
from ._part import Origin, Part, cut, split
from ._part_file import load
from ._plan import Plan, plan
from ._probe import Probes, probe
from ._reduce import reduce
from ._region import Region
from ._run import PartError, RayExecutor
from ._sample import Sample, sample
from ._scene import Scene, write_edges
from ._whole import Report

__all__ = [
    "MPILeast",
    "Origin",
    "Part",
    "PartError",
    "Plan",
    "Probes",
    "RayExecutor",
    "Region",
    "Report",
    "Sample",
    "Scene",
    "candidates",
    "collisions",
    "cut",
    "earliest",
    "load",
    "near",
    "plan",
    "probe",
    "read_candidates",
    "read_impacts",
    "read_near",
    "reduce",
    "sample",
    "size",
    "split",
    "write_edges",
]
