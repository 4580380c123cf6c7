"""The options --slide and --first-depth of `ccd rigid`: how long a contact lasts, and when bodies are too deep."""

from __future__ import annotations

import argparse
import math
from typing import Any

from .. import rigid
from .._native.call import renaming
from ..rigid import Body, Motion, Slide, SlideEvent
from . import output


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    text = "of two convex surfaces in contact: also find when they are farther apart than D, or deeper in each other"
    parser.add_argument("--slide", type=float, metavar="D", help=text)
    text = "of two convex surfaces: also find when they are deeper in each other than D"
    parser.add_argument("--first-depth", type=float, metavar="D", help=text)


def asked(given: argparse.Namespace) -> bool:
    """Whether one of the options was given."""
    return given.slide is not None or given.first_depth is not None


def compute(given: argparse.Namespace, bodies: list[Body], a: Motion, b: Motion) -> dict[str, Slide]:
    """Compute what was asked for."""
    found = {}
    budget = given.max_iterations or None
    if given.slide is not None:
        with renaming((r"^tolerance\b", "--slide")):
            found["slide"] = rigid.slide(
                bodies[0], a, bodies[1], b, given.slide, t_min=given.t_min, t_max=given.t_max, max_iterations=budget
            )
    if given.first_depth is not None:
        with renaming((r"^limit\b", "--first-depth")):
            found["first depth"] = rigid.first_depth(
                bodies[0], a, bodies[1], b, given.first_depth, t_min=given.t_min, t_max=given.t_max, max_iterations=budget
            )
    return found


def rows(given: argparse.Namespace, found: dict[str, Slide]) -> list[tuple[str, str]]:
    """Return the rows of the text."""
    out = []
    for name, end in found.items():
        most = given.slide if name == "slide" else given.first_depth
        times = f"t in [{output.time(end.t_lo)}, {output.time(end.t_hi)}]"
        still = "in contact" if name == "slide" else f"not deeper than {most:g}"
        begins = end.initial
        text = {
            SlideEvent.STAYS: f"{still} up to t = {output.time(end.t_lo)}",
            SlideEvent.PENETRATES: f"deeper than {most:g} at t_min" if begins else f"deeper than {most:g} from {times}",
            SlideEvent.PARTS: f"not in contact at t_min: farther apart than {most:g}"
            if begins
            else f"farther apart than {most:g} from {times}",
            SlideEvent.UNDECIDED: f"{still} up to t = {output.time(end.t_lo)}, then undecided",
        }
        out.append((name, text[end.event]))
    return out


def as_json(found: dict[str, Slide]) -> dict[str, Any]:
    """Return the objects of the JSON; a time or length that is infinite is null."""
    return {name.replace(" ", "_"): {key: _finite(x) for key, x in end.as_dict().items()} for name, end in found.items()}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and math.isinf(value) else value
