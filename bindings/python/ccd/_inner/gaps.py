"""What a result has that holds a distance of two bodies with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

__all__ = ["WithGap"]


class _Gap(Protocol):
    """`ccd.rigid.Gap`, as far as it counts here."""

    @property
    def lo(self) -> float: ...
    @property
    def hi(self) -> float: ...
    @property
    def time(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def point_a(self) -> tuple[float, ...]: ...
    @property
    def point_b(self) -> tuple[float, ...]: ...
    @property
    def normal(self) -> tuple[float, ...]: ...
    @property
    def epsilon(self) -> float: ...
    @property
    def intersecting(self) -> bool: ...
    @property
    def unfinished(self) -> bool: ...


class WithGap:
    """What a result has that holds a `ccd.rigid.Gap` in its field ``gap``: the fields of that one that every clearance has."""

    if TYPE_CHECKING:  # a field of the dataclasses

        @property
        def gap(self) -> _Gap: ...

    @property
    def lo(self) -> float:
        """The distance is at least this."""
        return self.gap.lo

    @property
    def hi(self) -> float:
        """The distance is at most this; of a clearance at `time`."""
        return self.gap.hi

    @property
    def time(self) -> float:
        """Time of the points, of a clearance; else 0."""
        return self.gap.time

    @property
    def distance(self) -> float:
        """The middle of [lo, hi], a length."""
        return self.gap.distance

    @property
    def point_a(self) -> tuple[float, ...]:
        """About the nearest point of a, 3 coordinates."""
        return self.gap.point_a

    @property
    def point_b(self) -> tuple[float, ...]:
        """That of b, 3 coordinates."""
        return self.gap.point_b

    @property
    def normal(self) -> tuple[float, ...]:
        """Unit vector from b to a, 3 components; zeros where none is known."""
        return self.gap.normal

    @property
    def epsilon(self) -> float:
        """Each point is within this of its body."""
        return self.gap.epsilon

    @property
    def intersecting(self) -> bool:
        """Whether the two share a point, as `ccd.rigid.Gap.intersecting` says."""
        return self.gap.intersecting

    @property
    def unfinished(self) -> bool:
        """Whether the budget ended the search: the bracket holds, but may be wider than asked."""
        return self.gap.unfinished
