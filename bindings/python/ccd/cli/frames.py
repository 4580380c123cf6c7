"""Frames of a step as their files mean them: welded, displaced by a field of point data, and checked for motion."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import errors
from .._io import checks
from ..files import Surface
from ..mesh import Mesh
from ..volume import Cells, Volume
from . import output, remarks

_Found = TypeVar("_Found", Surface, Cells)
_Fields = dict[str, NDArray[np.float64]]


def prepared(path: str, found: _Found, given: argparse.Namespace | None, first: _Found | None = None) -> _Found:
    """What a file holds with --weld and --displacement; `first` is the first frame, by whose places later ones are welded."""
    if getattr(given, "weld", False):
        with checks.naming(path):
            places = None if first is None or first.places is None else first.places
            if places is not None and len(places) != len(found.vertices):
                raise errors.ArgumentError(f"{len(found.vertices)} vertices: must be {len(places)}, as in the first frame")
            found = found.weld(places=places)
            found = dataclasses.replace(found, notes=[text for text in found.notes if "weld them" not in text.lower()])
    name = getattr(given, "displacement", None)
    if name is not None:
        found = dataclasses.replace(found, vertices=found.vertices + _displacement(path, found, name))
    remarks.read(path, found)
    if first is None and given is not None and hasattr(given, "weld") and not given.weld:
        _hint_at_weld(path, found)
    return found


def without_fields(path: str, given: argparse.Namespace | None) -> None:
    """Refuse --displacement with a file that holds vertices alone."""
    if getattr(given, "displacement", None) is not None:
        raise errors.ArgumentError(f"--displacement: {path} has no point data: give its vertices in a file that has")


def _displacement(path: str, found: Surface | Cells, name: str) -> NDArray[np.float64]:
    """The field of a name as (n, 3); of two components the third is 0."""
    field = found.fields.get(name)
    if field is None:
        known = ", ".join(_described(one, values) for one, values in found.fields.items())
        raise errors.ArgumentError(
            f"--displacement: {path} has no point data {name!r}: " + (f"it has {known}" if known else "it has none at all")
        )
    if field.ndim != 2 or field.shape[1] not in (2, 3):
        raise errors.ArgumentError(f"--displacement: {_described(name, field)} of {path} must have 3 components")
    wrong = np.flatnonzero(~(np.abs(field) <= 1e150).all(axis=1))
    if len(wrong):
        raise errors.NonFiniteError(f"--displacement: {name} of vertex {wrong[0]} of {path} is {field[wrong[0]].tolist()}")
    return np.column_stack([field, np.zeros((len(field), 3 - field.shape[1]))])


def _described(name: str, field: NDArray[np.float64]) -> str:
    return f"{name} ({1 if field.ndim == 1 else field.shape[1]})"


# ---- what is probably meant otherwise


def note_stillness(
    paths: Sequence[str], frames: Sequence[NDArray[np.float64]], fields: Sequence[_Fields], given: argparse.Namespace
) -> None:
    """Say so if no vertex moves between any two frames, and name the point data that could be the motion."""
    if getattr(given, "alone", False) or len(frames) < 2 or any(not np.array_equal(frames[0], x) for x in frames[1:]):
        return
    text = f"nothing moves: all vertices of {paths[-1]} are where they are in {paths[0]}"
    names = [] if getattr(given, "displacement", None) is not None else could_move(fields)
    if names:
        listed = " and ".join(map(repr, names[:3]))
        text += f"; if {listed} of the point data is the displacement, --displacement {_quoted(names[0])} adds it"
    remarks.note(text)


def could_move(fields: Sequence[_Fields]) -> list[str]:
    """Names of point data of three components that change between frames, else of those that are not 0; displacements first."""
    vectors = [{name: v for name, v in held.items() if v.ndim == 2 and v.shape[1] == 3} for held in fields]
    common = [name for name in vectors[0] if all(name in held for held in vectors)] if vectors else []
    moving = [
        name for name in common if any(not np.array_equal(vectors[0][name], held[name], equal_nan=True) for held in vectors[1:])
    ]
    found = moving or [name for name in common if any(np.nan_to_num(held[name]).any() for held in vectors)]
    return sorted(found, key=lambda name: "disp" not in name.lower())  # stable


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else repr(name)


def _hint_at_weld(path: str, found: Surface | Cells) -> None:
    """Say so where many elements have points of their own, at the places of those of their neighbors."""
    if any("weld them" in text.lower() for text in found.notes):  # the reader has seen it
        remarks.note(f"{path}: --weld joins the points of a place")
        return
    used = found.corners if isinstance(found, Cells) else found.faces.reshape(-1)
    size = len(used)
    several = len(found.elements) > 1 if isinstance(found, Cells) else len(found.faces) > 1
    points = len(np.unique(used))
    if not several or size >= 2 * points:  # where elements share their points, each is in several
        return
    with output.bar("points"):
        places = len(np.unique(np.asarray(found.weld().places)[used]))
    if places < points:
        whose = "each element has points of its own" if points == size else "elements have copies of points"
        remarks.note(
            f"{path}: {whose}, {points:,} at {places:,} places, so neighbors touch; --weld joins the points of a place"
        )


def note_untested(given: argparse.Namespace, mesh: Mesh | Volume) -> bool:
    """Say so if there is nothing to test: points alone, without a separation. Reports whether that is so."""
    thick = getattr(given, "min_separation", 0.0) or getattr(given, "radius", None) or getattr(given, "radii", None)
    if isinstance(mesh, Volume):
        nothing = not mesh.counts[3] and not mesh.counts[2]
    else:
        nothing = not mesh.counts[1] and not mesh.counts[2] and not thick
    if nothing:
        text = "no faces and no edges" if isinstance(mesh, Mesh) else "no elements"
        way = ", and points meet only within a distance (--min-separation, --radius)" if isinstance(mesh, Mesh) else ""
        remarks.note(f"nothing is tested: there are {text}{way}")
    return nothing
