"""Errors that are those of this package and, for scripts that catch them, of the types that ipctk raises."""

from __future__ import annotations

import sys

from ..errors import ArgumentError


class EdgeError(ArgumentError, RuntimeError):
    """A face has an edge that is not in the list of edges; to ipctk a RuntimeError of just this text, which scripts compare.

    The edge is in `edge`, and from Python 3.11 on in the note below the text of a traceback.
    """

    def __init__(self, a: int, b: int):
        super().__init__("Unable to find edge!")
        self.edge = a, b
        if sys.version_info >= (3, 11):
            self.add_note(f"faces has the edge {a}, {b}, which is not in edges")


class OverrideError(ArgumentError, RuntimeError):
    """A method that a subclass has to define is not defined; to ipctk a RuntimeError."""


class TypedError(ArgumentError, TypeError):
    """An argument has another type, dtype or shape than it must have; to ipctk, whose calls are typed, a TypeError."""


def wrong_type(name: str, x: object, must: str) -> TypedError:
    """The error for an argument of another type, which says where that type is from."""
    of = type(x)
    where = "" if of.__module__ == "builtins" else f"{of.__module__}."
    return TypedError(f"{name} is {where}{of.__qualname__}: must be {must}")
