"""The command `ccd info`: versions, SIMD level, threads, graphics processors, where the library is."""

from __future__ import annotations

import argparse
import dataclasses
import platform
from typing import Any

import numpy as np

from .. import __version__, device, simd_level, step, version
from .._native import abi
from ..mesh import Mesh
from ..options import Stats
from . import output
from .exit_codes import FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd info`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print the facts."""
    facts: dict[str, Any] = {
        "package": __version__,
        "library": str(abi.library_path()),
        "library_version": f"{version() // 10000}.{version() // 100 % 100}.{version() % 100}",
        "simd_level": simd_level(),
        "threads": _threads(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
    }
    found = device.devices()
    if given.json:
        output.emit_json(facts | {"devices": [dataclasses.asdict(one) for one in found]})
    else:
        rows = [(name.replace("_", " "), str(value)) for name, value in facts.items()]
        rows += [(f"device {one.index}", _line(one)) for one in found] or [("devices", f"none: {device.why_none()}")]
        output.say(output.lines(rows))
    return FOUND_NOTHING


def _line(one: device.DeviceInfo) -> str:
    text = f"{one.name}, {one.memory / 2**30:.1f} GiB, {one.driver}"
    return f"{text}; refused: {one.refused}" if one.refused else text


def _threads() -> int:
    """Threads a call uses by default, from the statistics of an empty call."""
    stats = Stats()
    step.earliest(Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), stats=stats)
    return stats.threads
