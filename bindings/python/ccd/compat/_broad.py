"""ipctk's broad phases: one sweep behind all of its names, and brute force."""

from __future__ import annotations

from ._candidates import Candidates
from ._sweep import Sweep


class BroadPhase(Sweep):
    __doc__ = Sweep.__doc__

    def detect_collision_candidates(self) -> Candidates:
        """All that a scene of this dimension needs, as Candidates."""
        return Candidates()._take(self)


class BruteForce(BroadPhase):
    """All pairs: quadratic, for comparison."""

    _brute_force = True


class HashGrid(BroadPhase):
    """The sweep, under this name."""


class SpatialHash(BroadPhase):
    """The sweep, under this name."""


class SweepAndPrune(BroadPhase):
    """The sweep, under this name."""


class SweepAndTiniestQueue(BroadPhase):
    """The sweep, under this name; [Belgrod2023]."""


class BVH(BroadPhase):
    """The sweep, under this name."""


class LBVH(BroadPhase):
    """The sweep, under this name."""
