"""Parts of a step against the whole: known candidates, line search, active set, regions."""

import copy
import pickle

import numpy as np
import pytest
from conftest import regions_along, sheets

import ccd


@pytest.fixture(scope="module")
def scene():
    faces, x0, x1 = sheets(14)
    return ccd.Mesh(faces), x0, x1


def key(impact):
    return impact.toi_lo, impact.kind or 0, impact.a, impact.b


@pytest.mark.parametrize("separation", [0, 1e-3])
def test_candidates_serve_a_line_search(scene, separation):
    mesh, x0, x1 = scene
    dx = x1 - x0
    known = ccd.broad.candidates(mesh, x0, x0 + dx, min_separation=2e-3)
    for alpha in (0, 0.1, 0.35, 0.7, 1):
        x = x0 + alpha * dx
        given = {"min_separation": separation}
        assert known.step(x0, x).earliest(**given) == ccd.step.earliest(mesh, x0, x, **given)
        assert known.step(x0, x).collisions(**given).tobytes() == ccd.step.collisions(mesh, x0, x, **given).tobytes()
        assert known.step(x0, x).size(**given) == ccd.step.size(mesh, x0, x, **given)


def test_candidates_refuse_what_they_do_not_serve(scene):
    mesh, x0, x1 = scene
    known = ccd.broad.candidates(mesh, x0, x1)
    outside = x1.copy()
    outside[17, 2] = np.nextafter(max(x0[17, 2], x1[17, 2]), np.inf)
    for name in ("earliest", "collisions", "size", "visit", "intervals", "advance", "sizes", "activeset"):

        def call(x0, x1, name=name, **options):
            return getattr(known.step(x0, x1), name)(*([list] if name == "visit" else []), **options)

        with pytest.raises(ccd.ArgumentError, match=r"x1\[17\]\[2\] is .*: outside of \["):
            call(x0, outside)
        with pytest.raises(ccd.ArgumentError, match=r"candidates are for a separation of 0, not 0.001"):
            call(x0, x1, min_separation=1e-3)
        with pytest.raises(ccd.ArgumentError, match="n is 5"):
            known.step(x0[:5], x1[:5])
    known.close()
    with pytest.raises(ccd.HandleError, match="candidates was destroyed"):
        known.step(x0, x1).size()


def test_candidates_outlive_their_mesh_and_travel_without_a_step(scene):
    mesh, x0, x1 = scene
    other = copy.deepcopy(mesh)
    known = ccd.broad.candidates(other, x0, x1)
    other.close()
    assert known.step(x0, x1).earliest() == ccd.step.earliest(mesh, x0, x1)
    traveled = pickle.loads(pickle.dumps(known))
    assert len(traveled) == len(known)
    assert all(np.array_equal(traveled[kind], known[kind]) for kind in ccd.Kind)
    with pytest.raises(ccd.HandleError, match="candidates is NULL"):
        traveled.step(x0, x1).size()


def test_line_search_leaves_room_for_the_next(scene):
    mesh, x0, x1 = scene
    x = x0
    for _ in range(4):
        bound = ccd.step.linesearch(mesh, x, x1, 0.2, min_separation=0.05)
        assert 0 < bound.alpha < 1 and bound.separation == 0.2 * bound.distance
        assert np.log2(0.05 / bound.distance) % 1 == 0
        assert ccd.step.earliest(mesh, x, x, min_separation=bound.distance).separate
        assert ccd.step.earliest(mesh, x, x1, t_max=bound.alpha, min_separation=bound.separation).separate
        x = x + 0.99 * bound.alpha * (x1 - x)


def test_line_search_where_a_pair_touches(triangles):
    faces, x0, x1 = triangles
    x0[3, 2] = 0
    assert ccd.step.linesearch(ccd.Mesh(faces), x0, x1, 0.5, min_separation=1) == (0, 0, 0)


@pytest.mark.parametrize("ratio", [0, 1, -1, np.nan, "half", None])
def test_a_keep_ratio_out_of_range(triangles, ratio):
    faces, x0, x1 = triangles
    with pytest.raises(ccd.ArgumentError, match="keep_ratio is"):
        ccd.step.linesearch(ccd.Mesh(faces), x0, x1, ratio, min_separation=1)
    with pytest.raises(ccd.ArgumentError, match="min_separation must be positive"):
        ccd.step.linesearch(ccd.Mesh(faces), x0, x1, 0.5)


def test_active_set_is_the_collisions_linearized(scene):
    mesh, x0, x1 = scene
    active = ccd.step.activeset(mesh, x0, x1)
    assert active.dtype == ccd.constraint_dtype and active.dtype.itemsize == 184 and len(active) > 10
    assert active["impact"].tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    points = np.einsum("ci,cik->ck", active["weights"], x1[active["vertices"]])
    np.testing.assert_allclose(
        np.einsum("ck,ck->c", active["impact"]["normal"], points) - active["separation"], active["gap"], atol=1e-12
    )
    np.testing.assert_allclose(active["weights"].sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_regions_along_an_axis_are_the_step(scene, count):
    mesh, x0, x1 = scene
    regions = regions_along(0, x0[:, 0], count)
    given = {"min_separation": 1e-3, "no_zero_toi": True}
    parts = [ccd.step.earliest(mesh, x0, x1, region=region, **given) for region in regions]
    assert min(parts, key=key) == ccd.step.earliest(mesh, x0, x1, **given)
    sizes = [ccd.step.size(mesh, x0, x1, region=region, **given) for region in regions]
    assert min(sizes) == ccd.step.size(mesh, x0, x1, **given)
    found = np.concatenate([ccd.step.collisions(mesh, x0, x1, region=region, **given) for region in regions])
    found = found[np.lexsort((found["b"], found["a"], found["kind"], found["toi_lo"]))]
    assert found.tobytes() == ccd.step.collisions(mesh, x0, x1, **given).tobytes()


def test_a_region_needs_only_the_primitives_that_reach_it(scene):
    """What the header promises to a process that holds a part of the scene."""
    mesh, x0, x1 = scene
    d = 1e-3
    best = []
    for region in regions_along(0, x0[:, 0], 5):
        x = np.stack([x0[:, 0], x1[:, 0]])
        lo, hi = x[:, mesh.faces].min(axis=(0, 2)), x[:, mesh.faces].max(axis=(0, 2))
        faces = np.flatnonzero((lo < region[1][0]) & (hi + d >= region[0][0]))
        assert 0 < len(faces) < len(mesh.faces)
        vertices, local = np.unique(mesh.faces[faces], return_inverse=True)
        part = ccd.Mesh(local.reshape(-1, 3))
        hit = ccd.step.earliest(part, x0[vertices], x1[vertices], region=region, min_separation=d)
        best.append((hit.toi_lo, hit.point, hit.normal))
    whole = ccd.step.earliest(mesh, x0, x1, min_separation=d)
    assert min(best) == (whole.toi_lo, whole.point, whole.normal)
