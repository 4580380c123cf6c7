"""Motions that are not straight: polynomials in time, piece by piece, with a radius for what is not a polynomial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.names import names_of
from ._joint import Joint
from ._motion import Motion

__all__ = ["Joint", "Motion"]

for _one in (Joint, Motion):
    _one.__module__ = __name__  # users find them here
del _one


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
