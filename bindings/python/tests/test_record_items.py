"""Items of the arrays that calls return: fields by name as before, and the attributes of one result."""

import dataclasses
import inspect
import json
import pickle
import re
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
    same(ccd.scene.Scene(MESH, X0).step(range(3, 6), X1[3:]).collisions()[0], ccd.step.earliest(MESH, X0, X1))
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


def one_of_each_kind():
    """An impact of every call that returns one, by what it is of."""
    bodies, motions = scene()
    tets = volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    flat, x, up = patch.Body(4, patch.Form.quad(1, 1), [[0, 1, 2, 3]]), np.array(TET[0]), np.array([0, 0, 1])
    square = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], dtype=float)
    mesh, squeeze = ccd.Mesh(faces=TET[1]), x - [0, 0, 2] * (np.arange(4)[:, None] == 3)
    query = [*X0[[3, 0, 1, 2]].ravel(), *X1[[3, 0, 1, 2]].ravel()]
    fall, listed = ccd.Motion.accelerated(X0, X1 - X0, 0 * X0), ccd.broad.candidates(MESH, X0, X1)
    two = (bodies[0], motions[0], bodies[1], motions[1])
    return {
        "step": ccd.step.earliest(MESH, X0, X1),
        "item of a step": ccd.step.collisions(MESH, X0, X1)[0],
        "motion": ccd.step.earliest(MESH, fall),
        "pair": ccd.pair.vertex_face(query),
        "item of pairs": ccd.pair.vertex_face([query])[0],
        "candidates": listed.step(X0, X1).earliest(),
        "scene": ccd.scene.Scene(MESH, X0).step(range(3, 6), X1[3:]).earliest(),
        "activeset": ccd.step.activeset(MESH, X0, X1)[0],
        "rigid": rigid.earliest(*two),
        "rigid scene": rigid.scene_earliest(bodies, motions),
        "item of a rigid scene": rigid.scene_collisions(bodies, motions)[0],
        "rigid mesh": rigid.mesh_earliest(bodies[1:], motions[1:], mesh, x, x),
        "item of a rigid mesh": rigid.mesh_collisions(bodies[1:], motions[1:], mesh, x, x)[0],
        "volume": volume.earliest(tets, x, squeeze),
        "item of a volume": volume.collisions(tets, x, squeeze)[0],
        "patch": patch.earliest(flat, square, square, flat, square + up, square - up),
        "item of patches": patch.collisions(flat, square, square, flat, square + up, square - up)[0],
    }


OF_ALL = ("verdict", "flags", "toi_lo", "toi_hi", "point", "normal")
OF_SOME = {  # what a kind of impact has beside these; all others are None
    "mesh": "kind a b u v width",
    "rigid": "point_a point_b distance index_a index_b feature_a feature_b iterations",
    "volume": "kind a b u v width vertices elements pair_class",
    "patch": "a b uv_a uv_b width",
}


def test_every_impact_has_the_fields_of_all():
    known = {name for names in OF_SOME.values() for name in names.split()} | {"body", "shape"}
    assert known | {*OF_ALL} == {name for name in typed(ccd.AnyImpact)}
    for of, one in one_of_each_kind().items():
        assert isinstance(one, (ccd.AnyImpact, np.void)), of  # an item of an array is no AnyImpact, and has its attributes
        assert one and one.contact and not one.separate and str(one.verdict) == "contact" and one.reason is None, of
        assert 0 < one.toi_lo <= one.toi_hi < 1 and np.linalg.norm(one.normal) == pytest.approx(1), of
        assert len(one.point) == 3 and np.isfinite(one.point).all(), of
        said = (one.certified, one.initial, one.intersecting, one.approximate)
        assert said == (bool(one.flags & ccd.CERTIFIED), False, False, False), of
        family = next((name for name in ("rigid", "volume", "patch") if name in of), "mesh")
        has = {*OF_SOME[family].split()} | ({"a", "b"} if "rigid scene" in of else set())
        has |= {"a", "body", "shape"} if "rigid mesh" in of else set()
        has |= {"vertices"} if of == "activeset" else set()
        if isinstance(one, np.void) and "rigid mesh" not in of:
            assert one.shape == ()  # NumPy's own attribute of an item, not the shape of a primitive
            has |= {"shape"}
        assert {name for name in known if getattr(one, name) is not None} == has, of
        if of != "activeset":  # a constraint holds an impact
            assert isinstance(one, np.void) or str(one).startswith("contact in ["), of
            assert json.loads(json.dumps(one.as_dict())) == one.as_dict(), of


def test_what_an_impact_has_of_another_it_holds():
    kinds = one_of_each_kind()
    for of in ("rigid scene", "rigid mesh", "volume"):
        one, item = kinds[of], kinds[f"item of a {of}"]
        for name in ("toi_lo", "point", "normal", "width", "distance", "point_a", "u", "feature_b", "iterations"):
            assert getattr(one, name) == getattr(item, name) == getattr(one.impact, name), (of, name)
        assert type(one).from_record(item) == one and str(type(one).from_record(item)) == str(one)
        with pytest.raises(ccd.errors.ArgumentError, match="record is int: must be one element of an array"):
            type(one).from_record(1)
    rigid_one, mesh_one = kinds["rigid"], kinds["rigid mesh"]
    assert rigid_one.point == tuple(np.mean([rigid_one.point_a, rigid_one.point_b], axis=0))
    assert str(kinds["rigid scene"]).endswith("bodies 0 1, triangles 0 3") or "bodies 0 1, triangles" in str(
        kinds["rigid scene"]
    )
    assert f"body 0, triangle {mesh_one.index_a}, with {mesh_one.shape} {mesh_one.index_b}" in str(mesh_one)
    assert str(kinds["volume"]) == f"{kinds['volume'].impact}, within-element"
    with pytest.raises(AttributeError, match="'time'; did you mean toi_lo"):
        mesh_one.time  # noqa: B018


def typed(kind):
    """The fields that an impact's class documents."""
    return re.findall(r"^    (\w+) : ", inspect.getdoc(kind).replace("\n", "\n    "), re.MULTILINE)


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
