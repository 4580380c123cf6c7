"""examples/rigid: its surfaces, and a short fall in which nothing ever intersects."""

import sys

import numpy as np
import pytest
from conftest import CHECKOUT

import ccd

ROOM = CHECKOUT / "examples" / "rigid"


@pytest.fixture
def example(monkeypatch):
    """The example's modules; some of their names are those of other examples."""
    names = ("shapes", "world", "draw", "run")
    before = {name: sys.modules.pop(name, None) for name in names}
    monkeypatch.syspath_prepend(str(ROOM))
    import run
    import shapes

    yield run, shapes
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def test_surfaces_are_closed_and_do_not_intersect(example):
    _, shapes = example
    for vertices, faces in (shapes.gear(), shapes.blob()):
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        assert len({tuple(e) for e in edges}) == len(edges) == 2 * len({tuple(sorted(e)) for e in edges})
        assert not ccd.proximity.intersects(ccd.Mesh(faces, vertices=len(vertices)), vertices)
        volume = np.einsum("ij,ij->", vertices[faces[:, 0]], np.cross(vertices[faces[:, 1]], vertices[faces[:, 2]])) / 6
        assert volume > 0  # faces look outwards


def test_a_short_fall_never_intersects(example, tmp_path):
    run, _ = example
    world = run.build(8)
    for _ in range(20):
        world.frame(1 / 30)
        assert world.intersections() == 0
    assert world.events > 30
    assert world.still[1:].any()  # something came to rest
    assert np.isfinite(world.x).all() and (world.x[1:, 2] > 0).all()
    run.sheet(world, [world.vertices()], tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").read_bytes().startswith(b"\x89PNG")


def test_the_loop_ends_without_a_limit_of_events(example, monkeypatch):
    """Law 12: bodies that leave every impact at a least speed go on, also where nothing stops them."""
    run, _ = example
    world = run.build(8)
    module = sys.modules["world"]
    monkeypatch.setattr(module, "EVENTS", 10**9)
    monkeypatch.setattr(module, "PART", 0.02)
    for _ in range(20):
        world.frame(1 / 30)
        assert world.intersections() == 0
    assert world.events > 100 and not world.still[1:].any()


def test_the_check_sees_an_intersection(example):
    run, _ = example
    world = run.build(2)
    world.x[1] = world.x[2] + 0.01
    assert world.intersections() > 0
