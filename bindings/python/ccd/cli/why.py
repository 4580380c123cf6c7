"""Why a step is short, in words of the command line."""

from __future__ import annotations

import re

from ..step import Cause, Why


def text(why: Why) -> str:
    """The sentences of a `Why`, with what can be typed after `ccd step` for each remedy."""
    if why.cause == Cause.NONE:
        return str(why)
    said = [str(why).partition(". ")[0] + ".", _remedy(why)]
    others = _OTHERS.search(str(why))
    return " ".join([*said, others[0]] if others else said)


# What is said of all other pairs, which has no names of calls or options.
_OTHERS = re.compile(r"(?:\d+ pairs are within|Other pairs need|Without (?:this pair|all of these)) .*")


def _remedy(why: Why) -> str:
    near, farther = "", "start from a mesh whose parts are farther apart"
    if why.rings >= 0:
        edges = "at a vertex" if why.rings == 0 else f"within {why.rings} edge{'s' if why.rings > 1 else ''}"
        near = f"They are {edges} of each other in the mesh: leave such pairs out with --exclude-near {max(1, why.rings)}"
    if why.cause == Cause.CROSSING:
        return "No step resolves that: start from a mesh that does not intersect itself, or go on with --no-check-start."
    if why.cause == Cause.TOUCHING and why.same[0] >= 0:
        return "If the file has vertices twice, join them with --weld; else start from a mesh whose parts are apart."
    if why.cause == Cause.TOUCHING:
        return "Start from a mesh whose parts are apart."
    if why.cause == Cause.RADII:
        return f"{near}; or give smaller radii." if near else f"Give smaller radii, or {farther}."
    if why.cause == Cause.SEPARATION:
        below = f"a --min-separation below {_room(why)}"
        return f"{near}; or give {below}." if near else f"Give {below}, or {farther}."
    if why.cause == Cause.UNDECIDED:
        return "Use --method exact, which always decides, or give more --max-iterations."
    if why.cause == Cause.MEETING and why.alpha == 0:
        return "The method has a tolerance, and proves no step with it: use --method exact, or a smaller --tolerance."
    if why.cause == Cause.TOO_SHORT:
        return "The pair rests: --per-vertex stops only its vertices."
    return "A simulator goes that far and responds to the contact; --per-vertex lets all other vertices go on."


def _room(why: Why) -> str:
    """The separation that the start has, as the sentences of `why` have it."""
    found = re.search(r"min_separation below (\d\S*?)[.,]?(?: |$)", str(why))
    return found[1] if found else "the distance that ccd check prints for the start"
