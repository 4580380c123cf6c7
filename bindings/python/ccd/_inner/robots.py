"""Where the bodies of a robot are along a path, and what its closed chains are made of, for pages and assemblies."""

from ..robot._bodies import Bodies
from ..robot._check import Scene, as_turned
from ..robot._check import _columns as columns
from ..robot._check import _surfaces as surfaces
from ..robot._path import _restricted as restricted
from ..robot._path import evaluate

__all__ = ["Bodies", "Scene", "as_turned", "columns", "evaluate", "restricted", "surfaces"]
