"""The figure of examples/throw."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from drawing.canvas import Figure


def throw() -> Figure:
    path = Path(__file__).resolve().parents[2] / "examples" / "throw" / "throw.py"
    spec = importlib.util.spec_from_file_location("throw", path)
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example.picture(example.Thrower().aim(30, with_torch=False))


FIGURES = (throw,)
