"""Files of piecewise polynomials: paths over time and couplings over a drive, which ccd/spline.hpp reads too.

A file is text, and numbers keep all their digits:

    ccd spline 1
    over crank             the drive, or nothing for times
    2 joints               for each a line with its radius and its name
    6.6e-09 rod
    1.5e-09 slider
    3 knots                for each a line; pieces lie between them
    -2
    0
    2
    degree 5               then for each piece 6 lines, each with a control value for each joint
    2.3 2.4
    ...
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._inner import files
from ..errors import ArgumentError, FileError

MARK = b"ccd spline"
_FIRST = "ccd spline 1"
_MOST = 10_000_000  # numbers of a file


class Content(NamedTuple):
    """What a file holds."""

    over: str  # empty for times
    joints: list[str]
    errors: NDArray[np.float64]
    knots: NDArray[np.float64]
    control: NDArray[np.float64]


def write(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file, whole or not at all."""
    for name in (content.over, *content.joints):
        if name != name.strip() or len(name.splitlines()) > 1:
            raise ArgumentError(f"the joint {name!r} has blanks at an end, or two lines: a file cannot hold it")
    lines = [_FIRST, f"over {content.over}".rstrip(), f"{len(content.joints)} joints"]
    lines += [f"{error!r} {name}" for error, name in zip(content.errors.tolist(), content.joints)]
    lines += [f"{len(content.knots)} knots", *map(repr, content.knots.tolist())]
    lines += [f"degree {content.control.shape[1] - 1}"]
    lines += [" ".join(map(repr, row)) for row in content.control.reshape(-1, len(content.joints)).tolist()]
    files.whole(path, ("\n".join(lines) + "\n").encode())


def read(name: str) -> Content:
    """Read a file."""
    with files.reading(name), files.opened(name) as file:
        lines = _Lines(name, file.read().decode("utf-8").splitlines())
    if lines.next() != _FIRST:
        raise FileError(f"{name}: line 1 must be {_FIRST!r}")
    over = lines.next()
    if over != "over" and not over.startswith("over "):
        raise lines.wrong("'over' and the name of a drive")
    joints, errors = [], []
    for _ in range(lines.count("joints")):
        error, _, joint = lines.next().partition(" ")
        errors.append(lines.number(error))
        joints.append(joint)
    knots = [lines.number(lines.next()) for _ in range(lines.count("knots"))]
    word, _, degree = lines.next().partition(" ")
    if word != "degree" or degree not in ("1", "2", "3", "4", "5") or not joints or len(knots) < 2:
        raise lines.wrong("'degree' and 1 to 5, after a joint or more and two knots or more")
    rows = (len(knots) - 1) * (int(degree) + 1)
    if rows * len(joints) > _MOST:
        raise FileError(f"{name} has {rows * len(joints)} control values: at most {_MOST}")
    control = [[lines.number(x) for x in lines.row(len(joints))] for _ in range(rows)]
    lines.end()
    shape = len(knots) - 1, int(degree) + 1, len(joints)
    return Content(over[5:], joints, np.array(errors), np.array(knots), np.array(control).reshape(shape))


class _Lines:
    """The lines of a file, one after the other."""

    def __init__(self, name: str, lines: list[str]):
        self.name, self.lines, self.at = name, lines, 0

    def next(self) -> str:
        if self.at == len(self.lines):
            raise FileError(f"{self.name} ends after line {self.at}")
        self.at += 1
        return self.lines[self.at - 1]

    def end(self) -> None:
        if self.at < len(self.lines):
            raise FileError(f"{self.name}: line {self.at + 1} is one too many")

    def wrong(self, wanted: str) -> FileError:
        return FileError(f"{self.name}: line {self.at} is {self.lines[self.at - 1][:60]!r}: must be {wanted}")

    def count(self, what: str) -> int:
        number, _, word = self.next().partition(" ")
        if word != what or not number.isdecimal() or int(number) > _MOST:
            raise self.wrong(f"a number and {what!r}")
        return int(number)

    def row(self, size: int) -> list[str]:
        cells = self.next().split(" ")
        if len(cells) != size:
            raise self.wrong(f"{size} numbers")
        return cells

    def number(self, text: str) -> float:
        try:
            value = files.decimal(text)
        except ValueError:
            raise self.wrong("a number") from None
        if not abs(value) <= 1e150:
            raise self.wrong("finite numbers within 1e150")
        return value
