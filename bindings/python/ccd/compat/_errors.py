"""Errors that are those of this package and, for scripts that catch them, of the types that ipctk raises."""

from __future__ import annotations

from ..errors import ArgumentError


class EdgeError(ArgumentError, RuntimeError):
    """A face has an edge that is not in the list of edges; to ipctk a RuntimeError."""


class OverrideError(ArgumentError, RuntimeError):
    """A method that a subclass has to define is not defined; to ipctk a RuntimeError."""


class TypedError(ArgumentError, TypeError):
    """An argument has another type, dtype or shape than it must have; to ipctk, whose calls are typed, a TypeError."""


def wrong_type(name: str, x: object, must: str) -> TypedError:
    """The error for an argument of another type, which says where that type is from."""
    of = type(x)
    where = "" if of.__module__ == "builtins" else f"{of.__module__}."
    return TypedError(f"{name} is {where}{of.__qualname__}: must be {must}")
