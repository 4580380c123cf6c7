"""Items of the arrays that calls return: fields by name as before, and the attributes of one result."""

import dataclasses
import pickle
import sys

import numpy as np
import pytest

import ccd
from ccd import patch, rigid, volume

X0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]], dtype=float)
X1 = X0 - [0, 0, 2] * (np.arange(6)[:, None] >= 3)
MESH = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
TET = ([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def same(item, one):
    """Whether an item has all attributes of the result of one query."""
    for field in dataclasses.fields(one):
        mine, value = getattr(item, field.name), getattr(one, field.name)
        assert mine == value and type(mine) is type(value), field.name
    for name in dir(type(one)):
        if isinstance(getattr(type(one), name), property):
            assert getattr(item, name) == getattr(one, name), name


def scene():
    body, motions = rigid.Body(*TET), [rigid.Motion(), rigid.Motion(position=(0, 0, 2), velocity=(0, 0, -4))]
    return [body] * 2, motions


def test_items_have_the_attributes_of_the_result_of_earliest():
    hits, one = ccd.step.collisions(MESH, X0, X1), ccd.step.earliest(MESH, X0, X1)
    same(hits[0], one)
    assert str(hits[0].kind) == "vertex-face" and hits[0].contact and str(hits[0].verdict) == "contact"
    assert [hit.toi_lo for hit in hits] == hits["toi_lo"].tolist()
    for found in (
        hits[hits["a"] >= 0],
        hits[::-1][::-1],
        np.sort(hits, order="toi_lo"),
        pickle.loads(pickle.dumps(hits)),
        hits.copy(),
    ):
        assert found[0].toi_lo == one.toi_lo and found.dtype == ccd.impact_dtype
    assert np.concatenate([hits, hits]).view(type(hits))[-1].a == hits[-1].a
    with pytest.raises(AttributeError, match="tio_lo: this record has verdict, kind, a, b, toi_lo"):
        hits[0].tio_lo  # noqa: B018
    assert repr(hits[0]).startswith("Record(verdict=") and not hasattr(hits[0], "reserved")
    assert hits[0]["flags"] == hits[0].flags == one.flags  # an attribute of NumPy's has this name too


def test_all_modules_that_return_arrays_of_impacts():
    portions = []
    ccd.step.visit(MESH, X0, X1, visitor=portions.append)
    same(portions[0][0], ccd.step.earliest(MESH, X0, X1))
    same(next(iter(ccd.step.stream(MESH, X0, X1)))[0], ccd.step.earliest(MESH, X0, X1))
    query = [*X0[[3, 0, 1, 2]].ravel(), *X1[[3, 0, 1, 2]].ravel()]
    listed = ccd.pair.vertex_face([query])[0]
    assert (listed.a, listed.b) == (0, -1)  # the index of the query
    assert listed.toi_lo == ccd.pair.vertex_face(query).toi_lo and listed.point == ccd.pair.vertex_face(query).point
    same(ccd.scene.Scene(MESH, X0).collisions(range(3, 6), X1[3:])[0], ccd.step.earliest(MESH, X0, X1))
    bodies, motions = scene()
    same(rigid.scene_collisions(bodies, motions)[0].impact, rigid.scene_earliest(bodies, motions).impact)
    found = rigid.scene_collisions(bodies, motions)[0]
    assert (found.a, found.b, found.toi_lo) == (0, 1, rigid.scene_earliest(bodies, motions).impact.toi_lo)
    tets = volume.Volume(8, "tetrahedron", [[0, 1, 2, 3], [4, 5, 6, 7]])
    a = np.array(TET[0])
    x0, x1 = (np.vstack([a, a + np.array([0, 0, height])]) for height in (2, 0.2))
    same(volume.collisions(tets, x0, x1)[0], volume.earliest(tets, x0, x1))
    near = ccd.proximity.near(MESH, X0, 5.0)[0]
    assert (
        near.kind is ccd.Kind(int(near["kind"])) and near.distance_lo == near["distance_lo"] and isinstance(near.point_a, tuple)
    )
    active = ccd.step.activeset(MESH, X0, X1)[0]
    same(active.impact, ccd.step.earliest(MESH, X0, X1))
    assert active.toi_lo == active.impact.toi_lo and len(active.weights) == 4


def test_curved_patches_too():
    body, up = patch.Body(4, patch.Form.quad(1, 1), [[0, 1, 2, 3]]), np.array([0, 0, 1])
    x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], dtype=float)
    arguments = (body, x, x, body, x + up, x - up)
    same(patch.collisions(*arguments)[0], patch.earliest(*arguments))


def test_every_impact_has_the_fields_of_all():
    bodies, motions = scene()
    tets = volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    flat, x, up = patch.Body(4, patch.Form.quad(1, 1), [[0, 1, 2, 3]]), np.array(TET[0]), np.array([0, 0, 1])
    square = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], dtype=float)
    for one in (
        ccd.step.earliest(MESH, X0, X1),
        rigid.earliest(bodies[0], motions[0], bodies[1], motions[1]),
        rigid.scene_earliest(bodies, motions),
        rigid.mesh_collisions(bodies[1:], motions[1:], ccd.Mesh(faces=TET[1]), x, x)[0],
        volume.earliest(tets, x, x - [0, 0, 2] * (np.arange(4)[:, None] == 3)),
        patch.earliest(flat, square, square, flat, square + up, square - up),
    ):
        inner = getattr(one, "impact", one)
        assert isinstance(one, (ccd.AnyImpact, np.void))  # an item of an array is no AnyImpact, and has its attributes
        assert one and one.contact and not one.separate and str(one.verdict) == "contact" and one.reason is None
        assert 0 < one.toi_lo == inner.toi_lo < 1 and one.normal == inner.normal and len(one.normal) == 3
        assert (one.certified, one.initial, one.intersecting, one.approximate) == (
            bool(one.flags & ccd.CERTIFIED),
            False,
            False,
            False,
        )


def test_attributes_cost_the_array_nothing():
    """A call makes the array with the items' type at once, and a field is NumPy's own array."""
    hits = ccd.step.collisions(MESH, X0, X1)
    assert type(hits["toi_lo"]) is np.ndarray and hits["toi_lo"].base is not None
    assert hits.nbytes == len(hits) * 120 and hits.dtype == ccd.impact_dtype and hits.dtype.hasobject is False
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code.co_name) if event == "call" else None)
    try:
        hits["toi_lo"].sum()
    finally:
        sys.setprofile(None)
    assert calls.count("from_record") == 0 and len(calls) < 12
