"""What is inside something else, in the words of the commands: a body in a body, a component of a mesh in another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import proximity, rigid
from ..errors import ArgumentError
from ..mesh import Mesh
from ..rigid import Body, Containment, Motion, Scene
from . import output


def of_mesh(mesh: Mesh, x: NDArray[np.float64], threads: int) -> NDArray[np.void]:
    """The components of a mesh that are inside others."""
    with output.bar("nested") as progress:
        return proximity.nested(mesh, x, threads=threads, progress=progress)


def mesh_as_json(nested: NDArray[np.void]) -> list[list[int]]:
    """Return the rows of inner, outer and winding."""
    return [[int(r["inner"]), int(r["outer"]), int(r["winding"])] for r in nested]


def mesh_row(nested: NDArray[np.void]) -> tuple[str, str]:
    """The row of a mesh."""
    if not len(nested):
        return "inside", "no component of the faces is inside a closed one without touching it (proven)"
    inner = len(np.unique(nested["inner"]))
    first = nested[0]
    what = "component is" if inner == 1 else "components are"
    return "inside", (
        f"{output.count(inner)} {what} INSIDE another one without touching it: first that of face {first['inner']}, in that of"
        f" face {first['outer']}"
    )


def of_bodies(a: Body, ma: Motion, b: Body, mb: Motion, t: float) -> tuple[Containment | None, str | None]:
    """How two bodies lie to each other at a time; or None, and why it is not known."""
    for name, body in (("A", a), ("B", b)):
        why = not_closed(body)
        if why:
            return None, f"{name} is not closed: {why}"
    return rigid.containment(a, ma, b, mb, t), None


def not_closed(body: Body) -> str | None:
    """Why a surface is not closed; None if it is."""
    try:
        rigid.winding(body, Motion(), np.empty((0, 3)))
    except ArgumentError as error:
        return str(error).removeprefix("body: ")
    return None


def bodies_row(where: Containment | None, why: str | None, t: float | None) -> tuple[str, str]:
    """The row of two bodies, at a time of their motions or at poses."""
    if where is None:
        return "inside", f"not known: {why}"
    words = {
        Containment.UNDECIDED: "not known: they nearly touch",
        Containment.OUTSIDE: "neither body is inside the other",
        Containment.INSIDE: "A is INSIDE B, and their surfaces do not meet",
        Containment.CONTAINS: "B is INSIDE A, and their surfaces do not meet",
        Containment.OVERLAPPING: "parts of one body are INSIDE the other, and their surfaces do not meet",
        Containment.CROSSING: "the surfaces meet",
    }
    return "inside", words[where] + ("" if t is None else f" at t = {t:g}")


def of_scene(scene: Scene, t: float) -> list[dict[str, Any]]:
    """The pairs of closed bodies of a scene of which one is inside the other at a time. Filters of the scene apply."""
    closed = {id(body): not_closed(body) is None for body in scene.bodies}
    found = []
    for a, b in _near(scene, t):
        if not (closed[id(scene.bodies[a])] and closed[id(scene.bodies[b])]):
            continue
        where = rigid.containment(scene.bodies[a], scene.motions[a], scene.bodies[b], scene.motions[b], t)
        if where in (Containment.INSIDE, Containment.CONTAINS, Containment.OVERLAPPING):
            found.append({"a": a, "b": b, "containment": str(where)})
    return found


def _near(scene: Scene, t: float) -> Iterator[tuple[int, int]]:
    """The pairs of bodies whose boxes may have a common point at a time, but for those that the scene leaves out."""
    boxes = []
    for surface, motion in zip(scene.surfaces, scene.motions):
        x = motion.at(t, surface.vertices)
        slack = 1e-9 * (np.abs(x).max() + np.abs(surface.vertices).max())  # far more than rounding
        boxes.append((x.min(axis=0) - slack, x.max(axis=0) + slack))
    if not boxes:
        return
    low, high = (np.array([box[k] for box in boxes]) for k in (0, 1))
    skipped = {tuple(sorted(map(int, pair))) for pair in (() if scene.skip is None else scene.skip)}
    for a in range(len(boxes)):
        meets = ((low[a + 1 :] <= high[a]) & (high[a + 1 :] >= low[a])).all(axis=1)
        for b in (a + 1 + np.flatnonzero(meets)).tolist():
            grouped = scene.groups is not None and scene.groups[a] >= 0 and scene.groups[a] == scene.groups[b]
            if not grouped and (a, b) not in skipped:
                yield a, b


def scene_row(found: list[dict[str, Any]]) -> tuple[str, str]:
    """The row of a scene."""
    if not found:
        return "inside", "no closed body is inside another one without touching it"
    first = found[0]
    words = {
        "inside": "{a} is INSIDE {b}",
        "contains": "{b} is INSIDE {a}",
        "overlapping": "parts of {a} or {b} are INSIDE the other",
    }
    more = f", and {len(found) - 1} more pairs" if len(found) > 1 else ""
    return "inside", words[first["containment"]].format(**first) + " without touching it" + more
