"""Arrays of records: what NumPy and pandas make of them."""

import pickle
import sys

import numpy as np
import pytest
from conftest import sheets

import ccd
from ccd._native import results
from ccd.rigid import Body, Motion

FLAT = ["verdict", "kind", "a", "b", "toi_lo", "toi_hi", "u", "v", "point_x", "point_y", "point_z"]
FLAT += ["normal_x", "normal_y", "normal_z", "width", "flags"]


@pytest.fixture(scope="module")
def answers():
    """Of every call that answers with an array of records, one array."""
    faces, x0, x1 = sheets(8)
    mesh = ccd.Mesh(faces)
    hits = ccd.step.collisions(mesh, x0, x1)
    body, motion = Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), ccd.rigid.motion_dtype
    still, falling = (np.zeros(2, motion) for _ in range(2))
    for array in (still, falling):
        array["rotation"][:, 0] = 1
    falling["position"][:, 2], falling["velocity"][:, 2] = 1, -2
    solid = ccd.volume.Volume(5, "tetrahedron", [[0, 1, 2, 3], [0, 1, 2, 4]])
    y0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 2], [1, 1, -2]], float)
    y1 = y0 * [1, 1, -0.5]
    plane, drop = ccd.patch.Body(4, [ccd.patch.Form.quad(1, 1)], range(4)), ccd.patch.Body(1, [ccd.patch.Form.curve(0)], [0])
    flat = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]
    return {
        "patch": ccd.patch.collisions(plane, flat, flat, drop, [[0.25, 0.5, 1]], [[0.25, 0.5, -1]]),
        "rigid mesh": ccd.rigid.mesh_collisions([body], [Motion(position=(0, 0, 9), velocity=(0, 0, -9))], mesh, x0, x0),
        "motions": falling.view(results.Records),
        "collisions": hits,
        "pairs": ccd.step.pairs(mesh, x0, x1, "vf", [[0, 60], [1, 70]]),
        "batch": ccd.pair.point_point(np.ones((3, 12)) * np.arange(12)),
        "constraints": ccd.step.activeset(mesh, x0, x1, min_separation=1e-3),
        "intersections": ccd.proximity.intersections(mesh, (x0 + x1) / 2),
        "near": ccd.proximity.near(mesh, x0, 0.15),
        "rigid batch": ccd.rigid.earliest_batch(body, falling, body, still),
        "rigid scene": ccd.rigid.scene_collisions([body, body], [Motion(position=(0, 0, 1), velocity=(0, 0, -2)), Motion()]),
        "volume": ccd.volume.collisions(solid, y0, y1),
    }


def numbers(dtype):
    """How many numbers a record holds, without those called reserved."""
    total = 0
    for name in dtype.names:
        field = dtype[name]
        inner = field.base
        size = int(np.prod(field.shape))
        total += 0 if name == "reserved" else size * (numbers(inner) if inner.names else 1)
    return total


def test_pandas_makes_a_table_of_every_answer(answers):
    pandas = pytest.importorskip("pandas")
    for name, records in answers.items():
        assert len(records), name
        table = pandas.DataFrame(records)
        assert table.shape == (len(records), numbers(records.dtype)), name
        of = ccd.columns(records)
        assert list(table.columns) == list(of) and not any("reserved" in column for column in of)
        for column, values in of.items():
            assert np.array_equal(table[column], values, equal_nan=True) and table[column].dtype == values.dtype, (name, column)
    hits = answers["collisions"]
    table = pandas.DataFrame(hits)
    assert list(table.columns) == FLAT
    assert np.array_equal(table[["point_x", "point_y", "point_z"]].to_numpy(), hits["point"])
    assert len(pandas.DataFrame(hits[hits["kind"] == 2])) == (hits["kind"] == 2).sum()
    assert list(pandas.DataFrame(hits[:0]).columns) == FLAT and list(pandas.DataFrame(hits, columns=["b", "a"]).columns) == [
        "b",
        "a",
    ]


def test_columns(answers):
    hits = answers["collisions"]
    of = ccd.columns(hits)
    assert list(of) == FLAT and all(values.shape == (len(hits),) and values.base is not None for values in of.values())
    assert np.array_equal(np.stack([of["normal_x"], of["normal_y"], of["normal_z"]], 1), hits["normal"])
    of = ccd.columns(answers["constraints"])
    assert list(of)[:16] == [f"impact_{name}" for name in FLAT]
    assert list(of)[16:] == [*(f"vertices_{i}" for i in range(4)), *(f"weights_{i}" for i in range(4)), "gap", "separation"]
    assert np.array_equal(of["impact_point_y"], answers["constraints"]["impact"]["point"][:, 1])
    plain = np.asarray(hits)
    assert type(plain) is np.ndarray and all(
        np.array_equal(a, b) for a, b in zip(ccd.columns(plain).values(), ccd.columns(hits).values())
    )
    for wrong in (np.zeros(3), hits.reshape(1, -1), 5):
        with pytest.raises(ccd.ArgumentError, match="records has dtype"):
            ccd.columns(wrong)


def test_to_pandas(answers):
    pandas = pytest.importorskip("pandas")
    for records in answers.values():
        table = ccd.to_pandas(records)
        assert isinstance(table, pandas.DataFrame) and table.equals(pandas.DataFrame(records))
        assert table.equals(ccd.to_pandas(np.asarray(records)))
    table = ccd.to_pandas(answers["patch"])
    assert {"uv_a_0", "uv_a_1", "point_z"} <= set(table.columns) and table["uv_a_1"][0] == pytest.approx(0.5)
    before = table["toi_lo"][0]
    answers["patch"]["toi_lo"][0] += 1  # the table is a copy
    assert table["toi_lo"][0] == before
    answers["patch"]["toi_lo"][0] = before
    with pytest.raises(ccd.ArgumentError, match="records has dtype float64"):
        ccd.to_pandas(np.zeros(3))


def test_to_pandas_without_pandas(answers, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_pandas needs pandas: pip install pandas; ccd\.columns does without"):
        ccd.to_pandas(answers["collisions"])


def test_records_are_numpy_arrays_as_before(answers):
    hits = answers["collisions"]
    assert isinstance(hits, np.ndarray) and hits.dtype == ccd.impact_dtype and hits.flags.c_contiguous
    assert type(hits["toi_lo"]) is type(hits["point"]) is type(hits["point"][0]) is np.ndarray
    assert isinstance(hits[3], np.void) and ccd.Impact.from_record(hits[3]).toi_lo == hits["toi_lo"][3]
    assert all(type(part) is results.Records for part in (hits[2:5], hits[hits["kind"] == 1], hits[[1, 2]], hits.copy()))
    again = pickle.loads(pickle.dumps(hits))
    assert type(again) is results.Records and again.tobytes() == hits.tobytes()
    joined = np.concatenate([hits, hits])
    assert joined.dtype == hits.dtype and len(joined) == 2 * len(hits)
    hits["u"][0] += 1
    assert hits[0]["u"] == ccd.columns(hits)["u"][0]
    hits["u"][0] -= 1
