"""What the frames of a sequence decide for those after them: a resumed audit goes on with it as one that began anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_MOST_NOTES = 20


@dataclass
class Memory:
    """Records, in order. Each begins with the number of its frame, so that those of frames read ahead can be left out."""

    notes: list[tuple[int, str, str]] = field(default_factory=list)  # a file, and a remark on it
    left_out: list[tuple[int, str, dict[str, int]]] = field(default_factory=list)  # a file, and what is left out of it
    origins: list[tuple[int, str]] = field(default_factory=list)  # a part that is welded as in this frame from here
    rounding: list[tuple[int, float, float]] = field(default_factory=list)  # how far positions may be off; the largest length
    deviations: list[tuple[int, float]] = field(default_factory=list)  # how far curved faces are off, where it grows
    moved: list[tuple[int]] = field(default_factory=list)  # the frame before which vertices first move

    def until(self, count: int) -> Memory:
        """What the first frames decide, so many of them."""
        return Memory(**{name: [one for one in records if one[0] < count] for name, records in vars(self).items()})

    def say(self, number: int, path: str, text: str) -> None:
        """Keep a remark, with the first file that it is of."""
        if len(self.notes) < _MOST_NOTES and all(text != said for _, _, said in self.notes):
            self.notes.append((number, path, text))

    def leave(self, number: int, path: str, left_out: dict[str, int]) -> None:
        """Keep what is left out of a file: the same in all files once."""
        if left_out and all(left_out != known for _, _, known in self.left_out):
            self.left_out.append((number, path, left_out))

    def deviate(self, number: int, deviation: float) -> None:
        """Keep how far the curved faces of a frame are from the flat ones, if they are the farthest."""
        if deviation > self.deviation:
            self.deviations.append((number, deviation))

    @property
    def deviation(self) -> float:
        """How far curved faces are from the flat ones, at most."""
        return self.deviations[-1][1] if self.deviations else 0.0

    @property
    def single(self) -> float | None:
        """How far a position may be off by single precision; None if positions are in double precision."""
        return (self.rounding[-1][1] if self.rounding else 0.0) or None

    @property
    def largest(self) -> float:
        """The largest coordinate for which that holds; 0 as long as all are 0."""
        return self.rounding[-1][2] if self.rounding else 0.0

    @classmethod
    def of(cls, held: dict[str, Any], count: int) -> Memory:
        """The memory of so many frames as it was kept in a file."""
        found = cls(**{name: [tuple(one) for one in held[name]] for name in vars(cls())})
        if any(not 0 <= one[0] < count for records in vars(found).values() for one in records):
            raise ValueError(f"it has records of frames beyond its {count}")
        return found


class Remembering:
    """A source of frames: `number` is that of the frame which is read next."""

    def __init__(self) -> None:
        self.memory, self.number = Memory(), 0

    rounded = "in single precision"  # how positions are stored where they are not in double precision

    def room(self, first: Any, taken: bool) -> tuple[float, float]:
        """How far a position may be off by rounding, and the largest coordinate for which that holds."""
        return first.off, 2 * float(abs(first.x).max(initial=0.0))

    def rounded_as(self, found: Any) -> None:
        """Take note of how far the positions of one more frame may be off, in a source where frames differ."""

    def resume(self, memory: Memory) -> None:
        """Go on after the frames that the memory is of."""
        self.memory = Memory()
        self.decide({part: number for number, part in memory.origins})
        self.memory = memory

    def decide(self, origins: dict[str, int]) -> None:
        """Read what the first frames of parts decide again; nothing in a source whose frames do not depend on others."""
