"""Single queries and batches."""

import numpy as np
import pytest
from conftest import DATA

import ccd

SINGLE = {  # points at t = 0; the first ones, as many as stated, fall by 2 and meet the others at t = 1/2
    ccd.Kind.VERTEX_FACE: ([[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]], 1),
    ccd.Kind.EDGE_EDGE: ([[-1, 0, 1], [1, 0, 1], [0, -1, 0], [0, 1, 0]], 2),
    ccd.Kind.POINT_EDGE: ([[0, 0, 1], [-1, 0, 0], [1, 0, 0]], 1),
    ccd.Kind.POINT_POINT: ([[0, 0, 1], [0, 0, 0]], 1),
}
FUNCTIONS = {
    ccd.Kind.VERTEX_FACE: ccd.pair.vertex_face,
    ccd.Kind.EDGE_EDGE: ccd.pair.edge_edge,
    ccd.Kind.POINT_EDGE: ccd.pair.point_edge,
    ccd.Kind.POINT_POINT: ccd.pair.point_point,
}
METHODS = ["default", "tight-inclusion", "time-contracted"]


def query(kind):
    start, falling = SINGLE[kind]
    end = np.array(start, float)
    end[:falling, 2] -= 2
    return np.vstack([start, end])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", list(ccd.Kind))
def test_a_contact_at_one_half(kind, method):
    hit = FUNCTIONS[kind](query(kind), method=method)
    assert isinstance(hit, ccd.Impact) and hit.contact and not hit.separate
    assert hit.kind is kind and (hit.a, hit.b) == (-1, -1)
    assert 0.5 - 1e-5 < hit.toi_lo <= 0.5 <= hit.toi_hi + 1e-5
    np.testing.assert_allclose(hit.point, [hit.point[0], hit.point[1], 0], atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(hit.normal), 1, atol=1e-12)


@pytest.mark.parametrize("kind", list(ccd.Kind))
def test_the_exact_method_knows_the_very_time(kind):
    hit = FUNCTIONS[kind](query(kind), method="exact")
    assert hit.contact and hit.certified and hit.toi_lo == hit.toi_hi == 0.5


@pytest.mark.parametrize("kind", list(ccd.Kind))
def test_shapes_single_and_batch(kind):
    q = query(kind)
    k = q.size
    flat = FUNCTIONS[kind](q.ravel())
    assert flat == FUNCTIONS[kind](q) == ccd.pair.solve(str(kind), q)
    for batch in (np.stack([q, q, q]), np.stack([q, q, q]).reshape(3, k)):
        out = FUNCTIONS[kind](batch)
        assert out.dtype == ccd.impact_dtype and out.shape == (3,)
        assert out["a"].tolist() == [0, 1, 2] and (out["b"] == -1).all()
        assert (out["toi_lo"] == flat.toi_lo).all()
    for empty in (np.empty((0, k)), np.empty((0, k // 3, 3)), []):
        assert FUNCTIONS[kind](empty).shape == (0,)


def test_a_batch_answers_as_the_single_call(vertex_face):
    q = vertex_face.ravel() + np.random.default_rng(1).normal(0, 0.3, (500, 24))
    for method in METHODS:
        batch = ccd.pair.vertex_face(q, method=method)
        for i in range(0, 500, 50):
            one = ccd.pair.vertex_face(q[i], method=method)
            assert ccd.Impact.from_record(batch[i]).toi_lo == one.toi_lo
            assert batch[i]["verdict"] == one.verdict and tuple(batch[i]["point"]) == one.point


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_bits_for_any_number_of_threads(vertex_face, threads):
    q = vertex_face.ravel() + np.random.default_rng(2).normal(0, 0.3, (1000, 24))
    assert ccd.pair.edge_edge(q, threads=threads).tobytes() == ccd.pair.edge_edge(q, threads=3).tobytes()


def test_separate_is_infinite(vertex_face):
    away = vertex_face + [0, 0, 5] * (np.arange(8)[:, None] % 4 == 0)
    hit = ccd.pair.vertex_face(away)
    assert hit.separate and hit.toi_lo == hit.toi_hi == np.inf and hit.normal == (0, 0, 0)
    assert hit.as_dict()["toi_lo"] is None


def test_options_reach_the_library(vertex_face):
    assert ccd.pair.vertex_face(vertex_face, t_max=0.25).separate
    near = vertex_face.copy()
    near[4, 2] = 0.1  # comes to 0.1 above the face, no nearer
    assert ccd.pair.vertex_face(near).separate
    assert ccd.pair.vertex_face(near, min_separation=0.2).contact
    diagonal = [[0.15, 0.15, 0], [0, 0, 0]] * 2  # 0.15 apart in the max norm, 0.21 in the Euclidean
    assert ccd.pair.point_point(diagonal, min_separation=0.2).separate
    assert ccd.pair.point_point(diagonal, min_separation=0.2, norm="max").contact
    tight = ccd.pair.vertex_face(vertex_face, method=ccd.Method.TIGHT_INCLUSION, tolerance=1e-2)
    assert 1e-9 < 0.5 - tight.toi_lo < 1e-1
    touching = vertex_face.copy()
    touching[0, 2] = 0
    assert ccd.pair.vertex_face(touching).toi_lo == 0
    almost = vertex_face.copy()
    almost[0, 2] = 1e-9
    assert ccd.pair.vertex_face(almost, method="tight-inclusion", no_zero_toi=True).toi_lo > 0


def test_a_spent_budget_is_undecided_and_safe(vertex_face):
    q = vertex_face + np.random.default_rng(4).normal(0, 1e-3, (8, 3))
    hit = ccd.pair.vertex_face(q, method="tight-inclusion", max_iterations=1, tolerance=1e-9)
    assert hit.verdict == ccd.Verdict.UNDECIDED and 0 <= hit.toi_lo <= 0.51 and not hit.contact


def test_integers_and_lists_are_queries():
    q = [[1, 1, 4], [0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -4], [0, 0, 0], [4, 0, 0], [0, 4, 0]]
    assert ccd.pair.vertex_face(q, method="exact").toi_lo == 0.5
    assert ccd.pair.vertex_face(np.array(q, np.int8), method="exact").toi_lo == 0.5


def test_kind_and_method_by_name_number_and_initials():
    assert ccd.Kind("vf") is ccd.Kind("vertex-face") is ccd.Kind("VERTEX_FACE") is ccd.Kind(1)
    assert ccd.Method("tight-inclusion") is ccd.Method.TIGHT_INCLUSION
    assert f"{ccd.Kind.EDGE_EDGE} {ccd.Verdict.CONTACT:>9}" == "edge-edge   contact"


def crossings(kind):
    """Queries of small integers, of which anybody sees whether they touch: (n, 8, 3), and the truth."""
    rng = np.random.default_rng(5)
    found, truth = [], []
    for _ in range(200):
        a, b, h = rng.integers((-2, -2, 1), 11)
        if kind == "vertex-face":  # a vertex falls through the plane of a triangle
            start = np.array([[a, b, h], [0, 0, 0], [8, 0, 0], [0, 8, 0]])
            hit = min(a, b) >= 0 and a + b <= 8
            count = 1
        else:  # an edge falls through the line of another
            start = np.array([[a, b - 4, h], [a, b + 4, h], [0, 0, 0], [8, 0, 0]])
            hit = 0 <= a <= 8 and abs(b) <= 4
            count = 2
        end = start * np.where((np.arange(4) < count)[:, None], [1, 1, -1], 1)
        moves, turn, sign = rng.integers(-5, 6, (2, 1, 3)), rng.permutation(3), rng.choice([-1, 1], 3)
        found.append(np.concatenate([start + moves[0], end + moves[1]])[:, turn] * sign)
        truth.append(bool(hit))
    assert 30 < sum(truth) < 170
    return found, truth


@pytest.fixture
def queries(tmp_path):
    """The folder of the handcrafted queries, or, where there is no data, of queries made in the same form."""
    if (DATA / "queries").is_dir():
        return DATA / "queries"
    for kind in ("vertex-face", "edge-edge"):
        folder = tmp_path / "made" / kind
        folder.mkdir(parents=True)
        rows = [",".join(f"{x},1" for x in row) + f",{hit:d}" for q, hit in zip(*crossings(kind)) for row in q]
        (folder / "made.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


@pytest.mark.parametrize("method", ["default", "time-contracted"])
@pytest.mark.parametrize("kind", ["vertex-face", "edge-edge"])
def test_no_false_negative_on_the_handcrafted_queries(queries, kind, method):
    files = sorted(queries.glob(f"*/{kind}/*.csv"))
    assert files
    for path in files:
        read = ccd.read_queries(path)
        impacts = ccd.pair.solve(kind, read.q, method=method)
        assert not (read.truth & (impacts["verdict"] == ccd.Verdict.SEPARATE)).any(), path


@pytest.mark.parametrize("kind", ["vertex-face", "edge-edge"])
def test_the_exact_method_agrees_with_every_handcrafted_truth(queries, kind):
    files = sorted(queries.glob(f"*/{kind}/*.csv"))
    assert files
    for path in files:
        read = ccd.read_queries(path)
        impacts = ccd.pair.solve(kind, read.q, method="exact")
        assert np.array_equal(impacts["verdict"] == ccd.Verdict.CONTACT, read.truth), path
