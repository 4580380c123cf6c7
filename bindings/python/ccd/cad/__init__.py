"""Assemblies of CAD files that move: first contact, least clearance, interference of trimmed solids.

`read` reads STEP and IGES with Open CASCADE (``pip install cadquery-ocp-novtk``, the extra ``cad``). Each face is covered by
triangles whose
distance from it is proven, not sampled; the distance is a radius of the rigid body that searches use, so no contact is
missed. Where it decides, triangles
are split until they are as near to the surface as the tolerance asks for. Lengths are in millimeters.

`by_poses`, `by_joints`, `close`, `read_drive` and `read_gcode` say how parts move. `check` takes all pairs over a drive,
`first_contact` and
`least_clearance` one pair, `at_rest` what touches or crosses where the assembly rests. `write_page` draws it.

The parts are the trimmed faces as Open CASCADE reads them: surfaces, and the curves in their parameters that trim them. Offset
surfaces are refused.
"""

from __future__ import annotations

from ._assembly import Assembly, Part, Product, read
from ._check import at_rest, check, first_contact, least_clearance
from ._closed import ClosedDrive, Loop, close
from ._drive import Drive, Joint, by_joints, by_poses
from ._page import profile, write_page
from ._read_drive import read_drive, read_gcode, read_joints, read_loops
from ._report import PairReport, Report, Rest

__all__ = [
    "Assembly",
    "ClosedDrive",
    "Drive",
    "Joint",
    "Loop",
    "PairReport",
    "Part",
    "Product",
    "Report",
    "Rest",
    "at_rest",
    "by_joints",
    "by_poses",
    "check",
    "close",
    "first_contact",
    "least_clearance",
    "profile",
    "read",
    "read_drive",
    "read_gcode",
    "read_joints",
    "read_loops",
    "write_page",
]
