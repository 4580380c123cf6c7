"""Paths of robots, checked: every edge is proven free of collisions, or has a counterexample.

`read` makes a `Robot` of a URDF file, `Path` and `read_path` a path of joints, and `check` tests it against the robot itself
and a scene of meshes. docs/howto/robots.md shows how; docs/proofs/robots.md has the proofs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._inner.errors import names_of
from . import ompl
from ._check import check
from ._checker import Checker
from ._coupling import Coupling, read_coupling
from ._joint import JointModel
from ._loop import Loop
from ._loops import close
from ._measure import Clearance, Meeting, clearance, ranges, touching
from ._model import Robot
from ._path import Path, read_path
from ._propose import Proposal, propose_allowed, write_allowed
from ._replay import Replay, read_replay, replay
from ._report import Contact, EdgeReport, LeftLimit, Report, ShortWay, Verdict
from ._shapes import Shape
from ._srdf import Semantics, read_allowed, read_semantics
from ._urdf import read

__all__ = [
    "Checker",
    "Clearance",
    "Contact",
    "Coupling",
    "EdgeReport",
    "JointModel",
    "LeftLimit",
    "Loop",
    "Meeting",
    "Path",
    "Proposal",
    "Replay",
    "Report",
    "Robot",
    "Semantics",
    "Shape",
    "ShortWay",
    "Verdict",
    "check",
    "clearance",
    "close",
    "ompl",
    "propose_allowed",
    "ranges",
    "read",
    "read_allowed",
    "read_coupling",
    "read_path",
    "read_replay",
    "read_semantics",
    "replay",
    "touching",
    "write_allowed",
]


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
