"""examples/steps: cloths with one step and with a step for each vertex, and bodies on a terrain that stands still."""

import sys

import numpy as np
import pytest
from conftest import CHECKOUT, LONG

import ccd

pytest.importorskip("scipy", reason="SciPy is not installed: the cloths of examples/steps are not tested")
FOLDER = CHECKOUT / "examples" / "steps"
NAMES = ("cloths", "contact", "drawing", "terrain")


@pytest.fixture
def example(monkeypatch):
    """The example's modules; some of their names are those of other examples."""
    before = {name: sys.modules.pop(name, None) for name in NAMES}
    monkeypatch.syspath_prepend(str(FOLDER))
    import cloths
    import terrain

    yield cloths, terrain
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def fallen(cloths, each, rounds):
    images, scene, used = cloths.simulate(8, 24, each, rounds, 2)
    assert len(images) == 2 and images[0].shape[2] == 3 and images[0].std() > 5
    assert not ccd.proximity.intersects(scene.mesh, scene.x) and np.isfinite(scene.x).all()
    still = ~scene.moving
    assert np.array_equal(scene.x[still], cloths.Cloths(8).x[still])
    return scene.x[: scene.count, 2].reshape(3, -1).min(axis=1), used


def test_one_contact_stops_all_cloths_unless_each_vertex_has_a_step(example):
    cloths, _ = example
    one, used = fallen(cloths, False, 0)
    each, more = fallen(cloths, True, 0)
    assert min(used) < 0.01 and np.mean(used) < 0.4 and np.mean(more) > 0.7 and min(more) > 0.05
    assert (each < one - 0.2).all()


def test_contact_response_resolves_most_contacts(example):
    cloths, _ = example
    for each in (False, True) if LONG else (True,):
        lowest, used = fallen(cloths, each, 2)
        assert np.mean(used) > 0.9 and (lowest < [0.5, 0.8, 1.2]).all()


def test_bodies_on_a_terrain(example, tmp_path):
    _, terrain = example
    world = terrain.World(60, 3)
    ground, start = world.x[world.count :].copy(), world.x[: world.count].copy()
    contacts = [world.step() for _ in range(25)]
    assert max(contacts) > 10 and np.array_equal(world.x[world.count :], ground)
    assert not ccd.proximity.intersects(world.mesh, world.x) and (world.x[: world.count] - start)[:, 2].mean() < -0.5
    off = world.x[: world.count] - world.shaped(world.x[: world.count])
    assert abs(off).max() < 0.3 * terrain.RADIUS
    (_, fewer), (_, every) = world.seconds(True), world.seconds(False)
    assert len(fewer) > 10 and fewer.tobytes() == every.tobytes()
    sys.modules["drawing"].write_png(tmp_path / "terrain.png", world.picture(90, 60))
    assert (tmp_path / "terrain.png").read_bytes().startswith(b"\x89PNG")


def test_the_nearest_face_is_seen(example):
    """A face in front of another hides it, from both sides."""
    drawing = sys.modules["drawing"]
    x = np.array([[-2, 1, -2], [2, 1, -2], [0, 1, 2], [-1, 0, -1], [1, 0, -1], [0, 0, 1.0]])
    faces = np.array([[0, 1, 2], [3, 4, 5]])
    for order in (faces, faces[::-1], faces[:, ::-1]):
        p = drawing.Camera((0, -1, 0), (0, 0, 0), 8)(x, 40, 40)
        seen = drawing.raster(p, order, 40, 40)
        front = int((np.sort(order[1]) == faces[1]).all())
        assert seen[20, 20] == front and seen[32, 8] == 1 - front and seen[8, 8] == -1
        assert (seen == front).sum() == pytest.approx(128, abs=20) and (seen >= 0).sum() == pytest.approx(512, abs=30)
