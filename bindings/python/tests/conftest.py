"""Small scenes, and where the real data is."""

from __future__ import annotations

import locale
import os
import signal
from pathlib import Path

import numpy as np
import pytest

import ccd.compat.ipctk

CHECKOUT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("CCD_DATA", CHECKOUT.parent / "shared" / "data"))


LONG = os.environ.get("CCD_LONG") == "1"  # make test-long


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes seconds; make test-long runs it")
    # A shell has what it starts in the background ignore SIGINT, and children inherit that: Ctrl-C could not be tried.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The files that take longest. They begin first: the last would keep one process busy while the other has nothing left to do.
LONGEST = (
    "test_distributed.py", "test_distributed_plans.py", "test_distributed_engines.py", "test_package.py",
    "test_export.py", "test_view_hand.py", "test_view_phone.py", "test_device_arrays.py", "test_types.py", "test_imports.py",
    "test_cli_input.py", "test_rigid.py", "test_process.py", "test_ipc_example.py", "test_cli_words.py",
    "test_robot_check.py", "test_compat_programs.py", "test_regions_example.py", "test_steps_example.py",
    "test_memory.py",
)  # fmt: skip


def pytest_collection_modifyitems(items):
    place = {name: i for i, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(place)))


def pytest_runtest_setup(item):
    if item.get_closest_marker("long") and not LONG:
        pytest.skip("a long test: make test-long")


@pytest.fixture(autouse=True)
def _locale_stays():
    """Give the process its locale back: lib3mf sets "C", in which Python reads text as ASCII from then on."""
    before = locale.setlocale(locale.LC_ALL)
    yield
    locale.setlocale(locale.LC_ALL, before)


# Straight edges of robots are decided by the library first: these tests run with what it decides, and with the search in Python
# for all edges; those of the steps of that search with it alone.
DECIDED_BY = {
    "test_robot_check": ("library", "search"),
    "test_robot_inside": ("library", "search"),
    "test_robot_overlap": ("library", "search"),
    "test_robot_parts": ("search",),
}


def pytest_generate_tests(metafunc):
    by = DECIDED_BY.get(metafunc.module.__name__.rpartition(".")[2])
    if by is not None:
        metafunc.parametrize("decided_by", by, indirect=True)


@pytest.fixture(autouse=True)
def decided_by(request):
    if getattr(request, "param", "library") == "search":
        nothing = lambda self, control, *_: np.zeros(len(control), ccd._native.edges.edge_dtype)  # noqa: E731
        request.getfixturevalue("monkeypatch").setattr(ccd.robot._core.Core, "decide", nothing)


def longer(values, *short):
    """Values of a parameter, of which all but a few have the mark of long tests."""
    return [value if value in short else pytest.param(value, marks=pytest.mark.long) for value in values]


@pytest.fixture
def data():
    if not all((DATA / name).is_dir() for name in ("scenes", "queries")):
        pytest.skip(f"no data at {DATA} (set CCD_DATA)")
    return DATA


@pytest.fixture
def vertex_face():
    """The vertex falls through the face at t = 1/2."""
    return np.array([[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, -1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])


@pytest.fixture
def triangles():
    """Two triangles, the second falling through the first: faces, x0, x1. Vertex 3 meets face 0 at t = 1/2."""
    faces = [[0, 1, 2], [3, 4, 5]]
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1], [0.5, 0.25, 2], [0.25, 0.5, 2]])
    x1 = x0 - [0, 0, 2] * (np.arange(6)[:, None] >= 3)
    return faces, x0, x1


def sheets(n, seed=0):
    """Two crumpled sheets of n x n vertices that pass through each other: faces, x0, x1."""
    rng = np.random.default_rng(seed)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    one = np.vstack([np.stack([corner, corner + 1, corner + n], 1), np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    x, y = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n)))
    flat = np.stack([x, y, np.zeros_like(x)], 1)
    above = flat + np.array([0.013, 0.007, 0.1])
    x0 = np.vstack([flat, above]) + rng.uniform(-0.02, 0.02, (2 * n * n, 3))
    x1 = x0 + rng.uniform(-0.05, 0.05, x0.shape) - [0, 0, 0.2] * (np.arange(2 * n * n)[:, None] >= n * n)
    return np.vstack([one, one + n * n]), x0, x1


# ---- beside ipctk


@pytest.fixture
def real():
    """The released ipctk, where it is installed."""
    module = pytest.importorskip("ipctk")
    module.set_logger_level(module.LoggerLevel.error)
    return module


@pytest.fixture(scope="module")
def scene():
    """Two sheets in the form that both libraries take: edges, faces, x0, x1."""
    faces, x0, x1 = sheets(9)
    faces, x0, x1 = faces.astype(np.int32), np.asfortranarray(x0), np.asfortranarray(x1)
    return ccd.compat.ipctk.edges(faces), faces, x0, x1


def ids(candidates):
    """Index pairs of a list of either library, two edges or two vertices in either order."""
    names = (
        ("face_id", "vertex_id"), ("edge_id", "vertex_id"), ("edge_id", "face_id"),
        ("edge0_id", "edge1_id"), ("vertex0_id", "vertex1_id"), ("face0_id", "face1_id"),
    )  # fmt: skip
    out = set()
    for c in candidates:
        first, second = next(pair for pair in names if hasattr(c, pair[0]) and hasattr(c, pair[1]))
        pair = getattr(c, first), getattr(c, second)
        out.add(pair if second in ("vertex_id", "face_id") else (min(pair), max(pair)))
    return out


def regions_along(axis, x, count):
    """Regions that partition space along an axis, with about as many of the numbers x each."""
    cuts = np.quantile(x, np.linspace(0, 1, count + 1)[1:-1]).tolist()
    regions = []
    for ends in zip([-np.inf, *cuts], [*cuts, np.inf]):
        lo, hi = [-np.inf] * 3, [np.inf] * 3
        lo[axis], hi[axis] = ends
        regions.append((lo, hi))
    return regions
