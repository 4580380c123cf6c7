"""Regions: boxes of space that own pairs, as an option of calls, and what refuses them."""

import numpy as np
import pytest
from tangles import tangle

import ccd
import ccd.distributed

INF = np.inf


def halves(rng, points, count):
    """Boxes that partition space, cut at coordinates of points, so that corners of pairs lie on borders."""
    boxes = [(np.full(3, -INF), np.full(3, INF))]
    while len(boxes) < count:
        number, axis = rng.integers(len(boxes)), rng.integers(3)
        lo, hi = boxes[number]
        at = points[rng.integers(len(points)), axis]
        if lo[axis] <= at <= hi[axis]:
            upper, lower = lo.copy(), hi.copy()
            upper[axis] = lower[axis] = at
            boxes[number] = lo, lower
            boxes.append((upper, hi))
    return boxes


def order(hit):
    return hit.toi_lo, hit.kind or 0, hit.a, hit.b


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{}, {"min_separation": 0.02}, {"brute_force": True}, {"memory_limit": 1}, {"threads": 2}])
def test_regions_that_partition_space_part_the_pairs(seed, options):
    rng = np.random.default_rng(seed)
    mesh, x0, x1 = tangle(seed)
    boxes = halves(rng, np.concatenate([x0, x1]), [2, 5, 9][seed])
    some = [ccd.step.collisions(mesh, x0, x1, region=box, **options) for box in boxes]
    found = np.concatenate(some)
    whole = ccd.step.collisions(mesh, x0, x1, **options)
    assert len(whole) and np.sort(found, order=("toi_lo", "kind", "a", "b")).tobytes() == whole.tobytes()
    assert min((ccd.step.earliest(mesh, x0, x1, region=box, **options) for box in boxes), key=order) == ccd.step.earliest(
        mesh, x0, x1, **options
    )
    assert min(ccd.step.size(mesh, x0, x1, region=box, **options) for box in boxes) == ccd.step.size(mesh, x0, x1, **options)
    for box, of in zip(boxes, some):
        assert sum(len(portion) for portion in ccd.step.stream(mesh, x0, x1, region=box, **options)) == len(of)
    if "memory_limit" not in options:
        pairs = [ccd.broad.candidates(mesh, x0, x1, region=box, **options) for box in boxes]
        assert sum(map(len, pairs)) == len(ccd.broad.candidates(mesh, x0, x1, **options))
        near = [ccd.proximity.near(mesh, x0, 0.1, region=box) for box in boxes]
        assert np.sort(np.concatenate(near), order=("kind", "a", "b")).tobytes() == ccd.proximity.near(mesh, x0, 0.1).tobytes()


def test_motions_have_regions(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    fall = ccd.Motion.accelerated(x0, np.zeros_like(x0), 2 * (np.asarray(x1) - x0))
    boxes = [((-INF,) * 3, (INF, INF, 0.0)), ((-INF, -INF, 0.0), (INF,) * 3)]
    found = [ccd.step.collisions(mesh, fall, region=box) for box in boxes]
    assert sum(map(len, found)) == len(ccd.step.collisions(mesh, fall)) > 0
    assert min((ccd.step.earliest(mesh, fall, region=box) for box in boxes), key=order) == ccd.step.earliest(mesh, fall)


@pytest.mark.parametrize(
    ("region", "words"),
    [
        (1, r"region is 1: must be two corners, \(lo, hi\)"),
        (((0, 0, 0),), "must be two corners"),
        (((0, 0), (1, 1)), r"region has corners of shape \(2,\) and \(2,\): must be \(3,\)"),
        ((("a", 0, 0), (1, 1, 1)), r"region\[0\]"),
        (((0, 0, 1), (1, 1, 0)), r"region is \[1, 0\) along axis 2: its ends are not in order"),
        (((0, np.nan, 0), (1, 1, 1)), r"region is \[NaN, 1\) along axis 1"),
    ],
)
def test_what_is_no_region(triangles, region, words):
    faces, x0, x1 = triangles
    with pytest.raises(ccd.ArgumentError, match=words):
        ccd.step.earliest(ccd.Mesh(faces), x0, x1, region=region)


def test_calls_on_all_pairs_refuse_regions(triangles):
    faces, x0, x1 = triangles
    mesh, box = ccd.Mesh(faces), ((0, 0, 0), (1, 1, 1))
    for call in (
        lambda: ccd.step.advance(mesh, x0, x1, region=box),
        lambda: ccd.broad.candidates(mesh, x0, x1).step(x0, x1).earliest(region=box),
        lambda: ccd.proximity.distance(mesh, x0, region=box),
        lambda: ccd.pair.point_point(np.zeros((4, 3)), region=box),
    ):
        with pytest.raises(ccd.UnsupportedError, match=r"^region: this call concerns all pairs"):
            call()
    with pytest.raises(ccd.ArgumentError, match="region is that of each part"):
        ccd.distributed.earliest(mesh, x0, x1, parts=2, region=box)
