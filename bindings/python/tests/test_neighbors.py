"""Neighbor lists, against fresh calls; and the memory that is given back."""

import copy
import gc
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import sheets

import ccd

OPTIONS = [
    {},
    {"min_separation": 1e-3},
    {"norm": "max", "min_separation": 0.01},
    {"check_start": True},
    {"t_max": 0.7},
    {"threads": 2},
]


@pytest.fixture
def world():
    """Two sheets that cross: mesh, positions."""
    faces, x, _ = sheets(9)
    return ccd.Mesh(faces), x


def test_the_same_bits_as_fresh_calls(world):
    mesh, x = world
    neighbors = ccd.neighbors.Neighbors(mesh, x, 0.2)
    rng, pairs, impacts = np.random.default_rng(1), 0, 0
    for i in range(18):
        if i == 12:
            mesh.set_radii(np.full(len(x), 0.001))
        x1 = x + rng.normal(0, [0.0005, 0.003, 0.01][i % 3], x.shape)
        x1[len(x) // 2 :, 2] -= 0.12 * (i % 4 == 3)
        o = OPTIONS[i % len(OPTIONS)]
        got, want = neighbors.near(x, 0.15, threads=1 + i % 2), ccd.proximity.near(mesh, x, 0.15)
        assert got.tobytes() == want.tobytes() and got.dtype == want.dtype
        pairs += len(got)
        got, want = neighbors.collisions(x, x1, **o), ccd.step.collisions(mesh, x, x1, **o)
        assert got.tobytes() == want.tobytes()
        impacts += len(got)
        assert neighbors.earliest(x, x1, **o) == ccd.step.earliest(mesh, x, x1, **o)
        assert neighbors.size(x, x1, **o) == ccd.step.size(mesh, x, x1, **o)
        one, ours = ccd.step.advance(mesh, x, x1, 0.9, **o), neighbors.advance(x, x1, 0.9, **o)
        assert one.alpha == ours.alpha and (one.x == ours.x).all()
        x = x + rng.normal(0, 0.001, x.shape)
    state = neighbors.state
    assert pairs > 1000 and impacts > 20
    assert state.served > 20 and state.served + state.fresh == 18 * 5 and state.builds > 1
    assert state.reach == 0.2 and state.pairs > 0 and state.bytes > 12 * state.pairs


def test_a_call_beyond_the_reach_is_computed_without_the_list(world):
    mesh, x = world
    neighbors = ccd.neighbors.Neighbors(mesh, x, 0.1)
    before = neighbors.state
    assert neighbors.earliest(x, x - [0, 0, 1.0] * (np.arange(len(x)) > 80)[:, None]).toi_lo >= 0
    assert neighbors.state == before._replace(fresh=before.fresh + 1)


def test_refusals(world):
    mesh, x = world
    for reach in (0, -1, np.nan, np.inf, "far"):
        with pytest.raises(ccd.ArgumentError, match="reach"):
            ccd.neighbors.Neighbors(mesh, x, reach)
    with pytest.raises(ccd.ArgumentError, match="mesh is list"):
        ccd.neighbors.Neighbors([], x, 1)
    with pytest.raises(ccd.ArgumentError, match="x has 3 vertices"):
        ccd.neighbors.Neighbors(mesh, x[:3], 1)
    with pytest.raises(ccd.OutOfMemoryError):
        faces, y, _ = sheets(60)
        ccd.neighbors.Neighbors(ccd.Mesh(faces), y, 2.0, memory_limit=1 << 20)
    neighbors = ccd.neighbors.Neighbors(mesh, x, 0.1)
    with pytest.raises(ccd.ArgumentError, match=r"d is 0\.2"):
        neighbors.near(x, 0.2)
    with pytest.raises(ccd.ArgumentError, match=r"min_separation is 0\.2"):
        neighbors.size(x, x, min_separation=0.2)
    with pytest.raises(ccd.ArgumentError, match="x0 and x1 have 3 vertices"):
        neighbors.earliest(x[:3], x[:3])
    bad = x.copy()
    bad[2, 1] = np.nan
    with pytest.raises(ccd.NonFiniteError, match=r"x\[2\]\[1\]"):
        neighbors.near(bad, 0.05)
    with pytest.raises(ccd.Cancelled):
        neighbors.near(x, 0.05, progress=lambda fraction: True)


def test_lists_are_freed(world):
    mesh, x = world
    with ccd.neighbors.Neighbors(mesh, x, 0.1) as neighbors:
        neighbors.near(x, 0.05)
    for call in (lambda: neighbors.near(x, 0.05), lambda: neighbors.state, lambda: neighbors.size(x, x)):
        with pytest.raises(ccd.HandleError):
            call()
    other = ccd.neighbors.Neighbors(mesh, x, 0.1)
    del mesh, other
    gc.collect()


def test_threads_share_a_list(world):
    mesh, x = world
    neighbors = ccd.neighbors.Neighbors(mesh, x, 0.2)
    wrong = []

    def work(k):
        for i in range(10):
            y = x + [0, 0, 0.02 * ((i + k) % 5)] * (np.arange(len(x)) > 80)[:, None]
            if neighbors.near(y, 0.15, threads=1).tobytes() != ccd.proximity.near(mesh, y, 0.15, threads=1).tobytes():
                wrong.append((k, i))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))  # this raises what a thread raised
    assert not wrong


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
@pytest.mark.parametrize("kept", ["", "1000000"])
def test_trim_gives_memory_back(kept):
    """A call on a larger mesh leaves memory, which trim returns; with CCD_KEEP_MEMORY below that a collection returns it."""
    program = """
import ccd, gc, numpy as np, resource
n = 500
c = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
faces = np.vstack([np.stack([c, c + 1, c + n], 1), np.stack([c + 1, c + n + 1, c + n], 1)])
mesh = ccd.Mesh(faces)
x = np.stack([np.arange(n * n) % n, np.arange(n * n) // n, np.zeros(n * n)], 1).astype(float)
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
ccd.trim()
before = resident()
ccd.step.earliest(mesh, x, x - 0.1, threads=1)
between = resident()
ccd.trim()
print(between - before, resident() - before)
"""
    environment = os.environ | {"CCD_KEEP_MEMORY": kept}
    out = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout
    used, left = map(int, out.split())
    assert used > 60_000_000 and left < used / 4


def test_lists_are_not_copied(world):
    mesh, x = world
    for copied in pickle.dumps, copy.copy, copy.deepcopy:
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            copied(ccd.neighbors.Neighbors(mesh, x, 0.1))
