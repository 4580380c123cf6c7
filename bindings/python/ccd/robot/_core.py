"""Edges decided by the library (package core/robot), before the search in Python is asked.

docs/proofs/robot-edges.md has the proofs. What is left undecided, and sizes beyond the library's bounds,
are searched in Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner.edges import Edges, Parts, edge_dtype, joint_dtype, shape_dtype
from ..errors import Error
from ._bodies import Bodies
from ._joint import JointModel

FREE, COLLIDES = 1, 2  # ccd_verdict
HOW = {1: "crossing", 2: "near", 3: "inside"}  # CCD_ROBOT_...

_KINDS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 2}
_LONGEST = 1e60  # what the library takes as a separation or tolerance
_PORTION = 256  # edges of a call: Ctrl-C is noticed between two
_LONG, _MOST = 25000.0, 40  # radians that the parts of an edge suffice for; edges that turn farther have up to 40 times as many


class Core:
    """The edges of a robot among a scene, with the pairs that are tested at one separation; `edges` is None if the library
    cannot hold them.
    """

    def __init__(self, bodies: Bodies, pairs: list[tuple[int, int]]):
        self.edges: Edges | None = None
        tree = bodies.tree
        if tree.variables == 0 or len(tree.joints) != tree.count - 1:  # no tree of all links
            return
        try:
            self.edges = Edges(_parts(bodies, pairs))
        except Error:  # sizes beyond the library's
            return

    def decide(
        self,
        control: NDArray[np.float64],
        d: float,
        tolerance: float,
        max_steps: int,
        threads: int,
        turning: NDArray[np.float64],
    ) -> NDArray[np.void]:
        """Records of `edge_dtype` of edges, control values (n, degree + 1, variables); undecided where it cannot tell.

        `turning` has the radians that the joints turn on each edge.
        """
        found = np.zeros(len(control), edge_dtype)
        if self.edges is None or max(d, tolerance) > _LONGEST:
            return found
        options: dict[str, Any] = {
            "min_separation": d, "tolerance": tolerance, "threads": threads,
        }  # fmt: skip
        budgets = max_steps * np.clip(np.ceil(turning / _LONG), 1, _MOST).astype(np.int64)
        try:
            for budget in np.unique(budgets).tolist():
                rows = np.flatnonzero(budgets == budget)
                for some in np.split(rows, range(_PORTION, len(rows), _PORTION)):
                    found[some] = self.edges.curves(control[some], max_iterations=budget, **options)
        except Error:  # angles beyond the library's
            return np.zeros(len(control), edge_dtype)
        return found


def together(groups: list[NDArray[np.void]]) -> NDArray[np.void]:
    """The records of edges whose pairs were decided in groups: free if all are, undecided if one is, else the first contact."""
    found = groups[0].copy()
    for other in groups[1:]:
        undecided = (found["verdict"] == 0) | (other["verdict"] == 0)
        later = (other["verdict"] == FREE) | ((found["verdict"] == COLLIDES) & (found["s"] <= other["s"]))
        free = np.minimum(found["s_free"], other["s_free"])  # 1 of a free edge
        steps = found["iterations"] + other["iterations"]
        found = np.where(later, found, other)
        found["s_free"], found["iterations"] = free, steps
        found["verdict"][undecided] = 0
    return found


def _parts(bodies: Bodies, pairs: list[tuple[int, int]]) -> Parts:
    shapes = [(i, b.link, s) for i, b in enumerate(bodies.all) for s in b.shapes]
    joints = np.array([_joint(j, bodies.errors) for j in bodies.tree.joints], joint_dtype)
    records = np.array([(i, link, len(s.vertices), len(s.edges), len(s.faces)) for i, link, s in shapes], shape_dtype)
    edges = np.vstack([np.empty((0, 2), np.int32), *(s.edges for _, _, s in shapes)]).astype(np.int32)
    faces = np.vstack([np.empty((0, 3), np.int32), *(s.faces for _, _, s in shapes)]).astype(np.int32)
    tested = np.array(pairs, np.int32).reshape(-1, 2)
    return Parts(bodies.tree.variables, joints, records, bodies.local, bodies.radii, edges, faces, tested)


def _joint(j: JointModel, errors: NDArray[np.float64]) -> tuple[object, ...]:
    variable = max(j.source, 0)
    off = 0.0 if j.kind == "fixed" else abs(j.multiplier) * float(errors[variable]) * (1 + 2.0**-50)
    return joint_record(j, j.parent, j.child, -1 if j.kind == "fixed" else variable, off)


def joint_record(j: JointModel, parent: int, child: int, variable: int, off: float = 0.0) -> tuple[object, ...]:
    """A joint as a record of `joint_dtype`, with other numbers of its links and its variable; fixed if that is below 0."""
    kind = _KINDS[j.kind] if variable >= 0 else 0
    return kind, parent, child, max(variable, 0), j.multiplier, j.offset, j.rotation, j.position, j.axis, off
