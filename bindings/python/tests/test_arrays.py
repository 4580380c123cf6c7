"""Any dtype and memory order is the same query; no copy when none is needed."""

import ctypes
import weakref

import numpy as np
import pytest

import ccd
from ccd._native import arrays

DTYPES = ["<f8", ">f8", "<f4", ">f4", "f2", "g", "i1", "<i2", ">i2", "i4", ">i8", "u1", "u8"]


def integral():
    """A query that every dtype can hold."""
    return np.array([[1, 1, 4], [0, 0, 2], [4, 0, 2], [0, 4, 2], [1, 1, 0], [0, 0, 2], [4, 0, 2], [0, 4, 2]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    q = integral().astype(dtype)
    assert ccd.pair.vertex_face(q) == ccd.pair.vertex_face(integral().astype(float))
    batch = np.stack([q] * 3)
    assert (ccd.pair.vertex_face(batch)["toi_lo"] == ccd.pair.vertex_face(q).toi_lo).all()


def orders(a):
    """The same numbers laid out in every way NumPy knows."""
    a = np.ascontiguousarray(a, float)
    yield "C", a
    yield "F", np.asfortranarray(a)
    yield "strided", np.repeat(a, 3, axis=0)[::3]
    yield "reversed", np.ascontiguousarray(a[::-1])[::-1]
    yield "columns", np.hstack([a, a])[:, : a.shape[1]]
    buffer = np.zeros(a.nbytes + 1, np.uint8)
    unaligned = buffer[1:].view(np.uint8)[: a.nbytes].view(np.float64).reshape(a.shape)
    unaligned[...] = a
    yield "unaligned", unaligned
    readonly = a.copy()
    readonly.flags.writeable = False
    yield "readonly", readonly
    yield "list", a.tolist()
    yield "big-endian F", np.asfortranarray(a.astype(">f8"))


def test_orders_of_queries(vertex_face):
    want = ccd.pair.vertex_face(vertex_face)
    for name, q in orders(vertex_face):
        assert ccd.pair.vertex_face(q) == want, name
    batch = vertex_face.ravel() + np.random.default_rng(0).normal(0, 0.2, (9, 24))
    for name, q in orders(batch):
        assert ccd.pair.vertex_face(q).tobytes() == ccd.pair.vertex_face(batch).tobytes(), name


def test_orders_of_frames(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    want = ccd.step.earliest(mesh, x0, x1)
    for (name, a), (_, b) in zip(orders(x0), orders(x1)):
        assert ccd.step.earliest(mesh, a, b) == want, name
        assert ccd.step.earliest(mesh, a, x1) == want, name


@pytest.mark.parametrize("dtype", ["i1", "u1", "<i2", ">i4", "i4", "i8", "u8"])
def test_index_dtypes(triangles, dtype):
    faces, x0, x1 = triangles
    for array in (np.array(faces, dtype), np.asfortranarray(np.array(faces, dtype)), np.array(faces, dtype)[::-1]):
        mesh = ccd.Mesh(array)
        assert ccd.step.earliest(mesh, x0, x1).toi_lo == pytest.approx(0.5, abs=1e-5)
        assert np.array_equal(mesh.faces, array)


def test_no_copy_when_none_is_needed():
    x = np.arange(12.0).reshape(4, 3)
    assert np.shares_memory(arrays.coordinates("x", x), x)
    q = np.zeros((5, 8, 3))
    assert np.shares_memory(arrays.queries("q", q, 4)[0], q)
    readonly = x.copy()
    readonly.flags.writeable = False
    assert np.shares_memory(arrays.coordinates("x", readonly), readonly)
    faces = np.zeros((4, 3), np.int32)
    assert np.shares_memory(arrays.primitives("faces", faces, 3), faces)


def test_inputs_are_never_written(triangles):
    faces, x0, x1 = triangles
    before = x0.tobytes(), x1.tobytes()
    ccd.step.collisions(ccd.Mesh(faces), x0, x1)
    assert (x0.tobytes(), x1.tobytes()) == before


@pytest.mark.parametrize(
    "bad", [np.zeros((8, 3), complex), np.zeros((8, 3), bool), np.full((8, 3), "0"), np.full((8, 3), None), [[1, 2], [3]], None]
)
def test_what_is_no_number_is_an_argument_error(bad):
    with pytest.raises(ccd.ArgumentError, match=r"^q "):
        ccd.pair.vertex_face(bad)


def test_masked_elements_are_an_error():
    masked = np.ma.masked_array(np.zeros((8, 3)), mask=np.eye(8, 3, dtype=bool))
    with pytest.raises(ccd.ArgumentError, match="masked"):
        ccd.pair.vertex_face(masked)
    assert ccd.pair.vertex_face(np.ma.masked_array(np.zeros((8, 3)))).contact


def test_an_index_beyond_the_type_is_an_error_that_names_it():
    with pytest.raises(ccd.InvalidIndexError, match=r"faces\[1\]\[2\] is 4294967296"):
        ccd.Mesh([[0, 1, 2], [0, 1, 2**32]])
    with pytest.raises(ccd.InvalidIndexError, match=r"faces\[0\]\[1\] is 18446744073709551615"):
        ccd.Mesh(np.array([[0, 2**64 - 1, 2]], np.uint64))
    with pytest.raises(ccd.ArgumentError, match="faces has dtype float64"):
        ccd.Mesh([[0.0, 1.0, 2.0]])


def test_pointers_keep_their_arrays():
    """What a C function gets is the array's memory, as long as the pointer exists; empty and read-only arrays included."""
    x = np.array([[1.0, 2, 3]])
    readonly = x.copy()
    readonly.flags.writeable = False
    for array in x, readonly:
        copy = np.zeros(3)
        ctypes.memmove(arrays.pointer(copy), arrays.pointer(array), 24)
        assert (copy == array).all()
    arrays.pointer(np.empty((0, 3)))
    held = np.array([4.0])
    gone = weakref.ref(held)
    pointer = arrays.pointer(held)
    del held
    assert gone() is not None
    del pointer
    assert gone() is None
