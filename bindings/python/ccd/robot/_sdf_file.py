"""What counts of an SDF file: the parser gets places and shapes alone, and nothing that has some is left out in silence."""

from __future__ import annotations

import xml.etree.ElementTree as xml

import numpy as np

from .._inner import files
from ..errors import FileError, UnsupportedError

# What counts for places and shapes, by element. The rest of a file, which may be of any program, does not reach Drake.
COUNTS = {
    "sdf": ("world", "model", "include"),
    "world": ("model", "include", "frame", "joint"),
    "model": ("link", "joint", "frame", "model", "include", "pose", "static"),
    "link": ("pose", "collision"),
    "collision": ("pose", "geometry"),
    "joint": ("pose", "parent", "child", "axis", "axis2", "screw_thread_pitch", "thread_pitch"),
    "axis": ("xyz", "limit", "use_parent_model_frame"),
    "axis2": ("xyz", "limit", "use_parent_model_frame"),
    "limit": ("lower", "upper"),
    "include": ("uri", "name", "pose", "static", "placement_frame"),
}
# What is left out with all that it has: pictures, masses, sensors and programs.
_WITHOUT = frozenset(
    {"visual", "inertial", "sensor", "plugin", "light", "gui", "scene", "physics", "state", "drake:linear_bushing_rpy"}
)
# What places or shapes something wherever it stands. Sensors name a collision, without a shape.
_PLACES = frozenset({"link", "joint", "model", "include", "geometry", "origin", "drake:joint", "drake:mimic"})


def strip(element: xml.Element, path: str) -> None:
    """Remove what does not count. Refuse what is in no place of `COUNTS`, and has places or shapes."""
    kept = COUNTS.get(element.tag)
    for child in list(element):
        if kept is None or child.tag in kept or (element.tag == "model" and _of_drake(child)):
            strip(child, path)
            continue
        if child.tag not in _WITHOUT:
            for inner in child.iter():
                if inner.tag in _PLACES:
                    what = "" if inner is child else f" has <{inner.tag}>, and"
                    raise UnsupportedError(f"{path}: <{child.tag}> in <{element.tag}>{what} is not read there: take it out")
        element.remove(child)


def _of_drake(child: xml.Element) -> bool:
    """Whether an element of a model is Drake's own and counts: its joints, constraints and filters."""
    return child.tag.startswith("drake:") and child.tag not in _WITHOUT


def refuse_state(world: xml.Element, path: str) -> None:
    """Refuse the state of a saved world where what rests is elsewhere in it, or has another size."""
    for state in world.findall("state"):
        if state.find("insertions/model") is not None:
            raise UnsupportedError(f"{path}: <state> inserts models: write them into the world")
        for model in state.findall("model"):
            name = model.get("name", "")
            where = f"{path}: <state> of model {name!r}"
            if _numbers(where, model.findtext("scale", "1 1 1")) != [1, 1, 1]:
                raise UnsupportedError(f"{where} has a <scale>: write its shapes in their sizes")
            own = next((m for m in world.findall("model") if m.get("name") == name), None)
            if own is None:
                own = next((m for m in world.findall("include") if m.findtext("name") == name), None)
            if own is None or own.findtext("static", "false").strip().lower() not in ("true", "1"):
                continue
            there, here = (_numbers(where, m.findtext("pose", "0 0 0 0 0 0")) for m in (model, own))
            if len(there) != len(here) or not np.allclose(there, here, rtol=0, atol=1e-9):
                raise UnsupportedError(f"{where} has another pose than the model, which rests: write it into the model")


def _numbers(where: str, text: str) -> list[float]:
    try:
        return [files.decimal(word) for word in text.split()]
    except ValueError:
        raise FileError(f"{where}: {text!r}: must be numbers") from None
