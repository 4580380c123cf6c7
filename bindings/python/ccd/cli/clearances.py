"""The options --clearance and --profile of `ccd rigid` and `ccd step`: the least distance of a motion, and its curve."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import plot
from .._io import write
from ..clearance import Clearance
from ..rigid import Gap
from . import output

TIMES = 101  #: a profile has so many times


def add(parser: argparse.ArgumentParser, of: str, where: str = "") -> None:
    """Add the options."""
    text = f"{where}also find the least distance over the {of}, with its time and place"
    parser.add_argument("--clearance", action="store_true", help=text)
    text = f"{where}write the distance over time as a chart (.svg), else as a table in CSV"
    parser.add_argument("--profile", metavar="FILE", help=text)


def times(t_min: float, t_max: float) -> NDArray[np.float64]:
    """Return the times of a profile."""
    return np.linspace(t_min, t_max, TIMES)


def write_profile(path: str, curve: NDArray[np.void], least: Gap | Clearance) -> None:
    """Write a profile."""
    if path.endswith(".svg"):
        text = plot.svg([plot.profile(curve, least)])
    else:
        rows = zip(*(curve[name].tolist() for name in ("time", "lo", "hi")))
        text = "t,distance_lo,distance_hi\n" + "".join(f"{t!r},{lo!r},{hi!r}\n" for t, lo, hi in rows)
    write.whole(Path(path), text.encode())


def row(least: Gap | Clearance) -> tuple[str, str]:
    """Return the row of the text."""
    return ("clearance", f"in [{least.lo!r}, {least.hi!r}] at t = {output.time(least.time)}")


def as_json(least: Gap | Clearance) -> dict[str, Any]:
    """Return the object of the JSON: in it, as in a table, the names of lengths and times say what they are of."""
    values = {name: x for name, x in least.as_dict().items() if name not in ("lo", "hi", "time", "flags", "iterations")}
    numbers = least.as_dict()
    return {"distance_lo": numbers["lo"], "distance_hi": numbers["hi"], "t": numbers["time"]} | values
