"""Frames of a sequence: the files that a pattern names, in the order of their numbers."""

from __future__ import annotations

from ..audit._listing import expand

__all__ = ["expand"]
