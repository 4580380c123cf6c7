"""Broad phase and whole steps."""

import numpy as np
import pytest
from conftest import sheets

import ccd


@pytest.fixture(scope="module")
def scene():
    faces, x0, x1 = sheets(14)
    return ccd.Mesh(faces), x0, x1


def test_two_triangles(triangles):
    faces, x0, x1 = triangles
    mesh, stats = ccd.Mesh(faces), ccd.Stats()
    hit = ccd.step.earliest(mesh, x0, x1, stats=stats)
    assert hit.contact and (hit.kind, hit.a, hit.b) == (ccd.Kind.VERTEX_FACE, 3, 0)
    assert hit.toi_lo == hit.toi_hi == 0.5  # exact by default
    np.testing.assert_allclose(hit.point, [0.25, 0.25, 0], atol=1e-5)
    np.testing.assert_allclose(np.abs(hit.normal), [0, 0, 1], atol=1e-5)
    assert stats.boxes == 6 + 6 + 2 and stats.threads >= 1 and stats.candidates[ccd.Kind.VERTEX_FACE] == 3
    assert stats.as_dict()["candidates"]["vertex-face"] == 3


def test_earliest_is_the_first_of_the_collisions(scene):
    hits, stats = ccd.step.collisions(*scene, stats=(stats := ccd.Stats())), stats
    assert hits.dtype == ccd.impact_dtype and len(hits) == stats.impacts > 10
    order = np.lexsort((hits["b"], hits["a"], hits["kind"], hits["toi_lo"]))
    assert (order == np.arange(len(hits))).all()
    first = ccd.step.earliest(*scene)
    assert first.toi_lo == hits[0]["toi_lo"] and (first.kind, first.a, first.b) == tuple(hits[0][["kind", "a", "b"]])


def test_brute_force_finds_the_same(scene):
    sweep, brute = ccd.broad.candidates(*scene), ccd.broad.candidates(*scene, brute_force=True)
    for kind in ccd.Kind:
        assert np.array_equal(sweep[kind], brute[kind])
    assert len(sweep) == sum(len(sweep[str(kind)]) for kind in ccd.Kind) > 1000
    assert np.array_equal(sweep.vertex_face, np.unique(sweep.vertex_face, axis=0))
    assert ccd.step.collisions(*scene).tobytes() == ccd.step.collisions(*scene, brute_force=True).tobytes()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_same_bits_for_any_number_of_threads(scene, threads):
    assert ccd.step.collisions(*scene, threads=threads).tobytes() == ccd.step.collisions(*scene).tobytes()
    assert ccd.step.earliest(*scene, threads=threads) == ccd.step.earliest(*scene)


def test_pairs_answer_as_the_step(scene):
    mesh, x0, x1 = scene
    hits = ccd.step.collisions(mesh, x0, x1)
    for kind in (ccd.Kind.VERTEX_FACE, ccd.Kind.EDGE_EDGE):
        some = hits[hits["kind"] == kind]
        pairs = np.stack([some["a"], some["b"]], 1)
        assert ccd.step.pairs(mesh, x0, x1, kind, pairs).tobytes() == some.tobytes()
        assert ccd.step.pairs(mesh, x0, x1, kind, pairs[::-1])["toi_lo"].tolist() == some["toi_lo"][::-1].tolist()
    assert ccd.step.pairs(mesh, x0, x1, "vf", []).shape == (0,)


def test_a_step_is_the_queries_of_its_candidates(scene):
    mesh, x0, x1 = scene
    pairs = ccd.broad.candidates(mesh, x0, x1).edge_edge
    alone = ccd.pair.edge_edge(ccd.verify.gather(mesh, x0, x1, "edge-edge", pairs))
    together = ccd.step.pairs(mesh, x0, x1, "edge-edge", pairs)
    for name in ("verdict", "toi_lo", "toi_hi", "u", "v"):
        assert alone[name].tobytes() == together[name].tobytes(), name


def test_step_size_is_safe(scene):
    mesh, x0, x1 = scene
    alpha = ccd.step.size(mesh, x0, x1)
    assert isinstance(alpha, float) and 0 <= alpha < 1
    assert ccd.step.earliest(mesh, x0, x0 + alpha * (x1 - x0) if alpha else x0).separate or alpha == 0


def test_step_size_keeps_the_separation(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    assert ccd.step.size(mesh, x0, x1, min_separation=1e-2) == pytest.approx(0.495, abs=1e-3)
    assert ccd.step.size(mesh, x0, x1, min_separation=1e-2) < 0.495
    assert ccd.step.size(mesh, x0, x1, t_max=0.25) == 0.25
    assert ccd.step.size(mesh, x0, x1, min_separation=1.5) == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize("frame", ["x0", "x1"])
def test_non_finite_coordinates_name_the_vertex(triangles, bad, frame):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    {"x0": x0, "x1": x1}[frame][4, 1] = bad
    for call in (ccd.step.earliest, ccd.step.collisions, ccd.step.size, ccd.broad.candidates):
        with pytest.raises(ccd.NonFiniteError, match=rf"{frame}\[\D*4"):
            call(mesh, x0, x1)
    q = np.zeros((3, 24))
    q[2, 5] = bad
    with pytest.raises(ccd.NonFiniteError, match="2"):
        ccd.pair.vertex_face(q)


def test_advance_returns_positions_that_are_proven(scene):
    mesh, x0, x1 = scene
    known = ccd.broad.candidates(mesh, x0, x1, min_separation=1e-3)
    for share in (1, 0.9, 0.3):
        for d in (0, 1e-3):
            alpha, x = ccd.step.advance(mesh, x0, x1, share, min_separation=d)
            assert share * (1 - 1e-9) <= alpha / ccd.step.size(mesh, x0, x1, min_separation=d) <= share
            assert x.shape == x0.shape and (x == x0 + alpha * (x1 - x0)).all()
            assert ccd.step.earliest(mesh, x0, x, min_separation=d).separate
            again = known.step(x0, x1).advance(share, min_separation=d)
            assert again.alpha == alpha and (again.x == x).all()


def test_advance_of_random_steps():
    rng, refused = np.random.default_rng(3), 0
    mesh = ccd.Mesh(np.arange(12).reshape(4, 3))
    for _ in range(300):
        x0 = rng.uniform(-1, 1, (12, 3)) + 10 ** rng.uniform(-3, 6)
        x1 = x0 + rng.uniform(-1, 1, (12, 3))
        size = ccd.step.size(mesh, x0, x1)
        refused += not ccd.step.earliest(mesh, x0, x0 + size * (x1 - x0)).separate and size > 0
        alpha, x = ccd.step.advance(mesh, x0, x1)
        assert (alpha > 0) == (size > 0) and alpha <= size
        assert alpha == 0 or ccd.step.earliest(mesh, x0, x).separate
        assert alpha > 0 or (x == x0).all()
    assert refused > 10


def test_sizes_go_farther_than_one_step(scene):
    mesh, x0, x1 = scene
    for d in (0, 1e-3):
        one = ccd.step.advance(mesh, x0, x1, 0.9, min_separation=d)
        step = ccd.step.sizes(mesh, x0, x1, min_separation=d)
        assert step.alpha.shape == (len(x0),) and step.y.shape == x0.shape and step.passes >= 2
        assert (step.alpha >= step.floor).all() and step.floor == pytest.approx(one.alpha) and step.resting == 0
        moved, all_of_it = (np.linalg.norm(x - x0, axis=1).sum() for x in (step.y, x1))
        assert step.used == pytest.approx(moved / all_of_it) and step.used > 1.2 * step.floor
        assert (step.y == np.where(step.alpha[:, None] == 1, x1, x0 + step.alpha[:, None] * (x1 - x0))).all()
        assert ccd.step.earliest(mesh, x0, step.y, min_separation=d).separate
        for threads in (1, 3):
            again = ccd.step.sizes(mesh, x0, x1, min_separation=d, threads=threads)
            assert (again.alpha == step.alpha).all() and (again.y == step.y).all() and again[2:] == step[2:]


def test_sizes_of_groups_and_of_near_pairs():
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=6)
    x0 = np.array([[0, 0, 0], [9, 0, 0], [0, 9, 0], [1, 1, 0.01], [1, 3, 1], [3, 1, 5.0]])
    x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    step = ccd.step.sizes(mesh, x0, x1, groups=[-1, -1, -1, 0, 1, 1], min_separation=0.1, keep_ratio=0.25)
    assert 0.0025 * 0.99 < step.y[3, 2] < 0.01 and step.y[4, 2] > 0.1 and step.alpha[4] == step.alpha[5] < 0.45
    assert (step.alpha[:3] == 1).all() and step.used < 0.4
    x0[3, 2] = 0
    assert ccd.step.sizes(mesh, x0, x1).resting == 1
    assert ccd.step.sizes(ccd.Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), groups=[]).used == 1


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"share": 1}, "share is 1"), ({"keep_ratio": -1}, "keep_ratio is -1"), ({"max_passes": 0}, "max_passes is 0"),
        ({"groups": [0, 1]}, "groups has 2 ids"), ({"groups": [0, 1, 6, 0, 0, 0]}, r"groups\[2\] is 6"),
        ({"t_max": 0.5}, "t_max is 0.5"), ({"method": "tight_inclusion"}, "method is 1"), ({"share": "half"}, "share is"),
    ],
)  # fmt: skip
def test_sizes_refuse_what_is_wrong(triangles, wrong, message):
    faces, x0, x1 = triangles
    with pytest.raises(ccd.Error, match=message):
        ccd.step.sizes(ccd.Mesh(faces), x0, x1, **wrong)


@pytest.mark.parametrize("share", [0, -1, 1.1, np.nan, "half", None])
def test_a_share_out_of_range(triangles, share):
    faces, x0, x1 = triangles
    with pytest.raises(ccd.ArgumentError, match="share is"):
        ccd.step.advance(ccd.Mesh(faces), x0, x1, share)


def test_frames_of_the_wrong_size(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    with pytest.raises(ccd.ArgumentError, match="x0 has 6 vertices, x1 has 5"):
        ccd.step.earliest(mesh, x0, x1[:5])
    with pytest.raises(ccd.ArgumentError, match="x0 and x1 have 7 vertices: the mesh has 6"):
        ccd.step.earliest(mesh, np.vstack([x0, x0[:1]]), np.vstack([x1, x1[:1]]))
    with pytest.raises(ccd.ArgumentError, match=r"x1 has shape \(6, 2\)"):
        ccd.step.earliest(mesh, x0, x1[:, :2])
    with pytest.raises(ccd.ArgumentError, match="mesh is list"):
        ccd.step.earliest(faces, x0, x1)


@pytest.mark.parametrize(
    "options, text",
    [
        ({"tolerance": -1e-6}, "tolerance"),
        ({"tolerance": 0}, "tolerance"),
        ({"tolerance": np.nan}, "tolerance"),
        ({"tolerance": "small"}, "tolerance is 'small'"),
        ({"min_separation": -1}, "min_separation"),
        ({"min_separation": np.inf}, "min_separation"),
        ({"t_max": -0.1}, "t_max"),
        ({"t_max": 1.5}, "t_max"),
        ({"t_max": None}, "t_max is None"),
        ({"max_iterations": -1}, "max_iterations"),
        ({"max_iterations": 2**64}, "max_iterations is 18446744073709551616: out of range"),
        ({"max_iterations": 1.5}, "max_iterations is 1.5: must be an integer"),
        ({"threads": -1}, "threads"),
        ({"threads": 2**32}, "threads is 4294967296: out of range"),
        ({"memory_limit": -1}, "memory_limit is -1"),
        ({"method": "fast"}, "method is 'fast': must be one of default, tight-inclusion"),
        ({"method": 9}, "method is 9"),
        ({"scene_bound": 3}, "scene_bound"),
        ({"scene_bound": [1, -1, 1]}, r"scene_bound\[1\]"),
        ({"progress": 5}, "progress is 5: must be callable"),
        ({"stats": {}}, "stats is {}: must be a ccd.Stats"),
    ],
)
def test_bad_options_name_the_option(triangles, options, text):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    for call in (ccd.step.earliest, ccd.step.collisions, ccd.step.size, ccd.broad.candidates):
        with pytest.raises(ccd.ArgumentError, match=text):
            call(mesh, x0, x1, **options)


def test_an_unknown_option_is_a_type_error(triangles):
    faces, x0, x1 = triangles
    with pytest.raises(
        TypeError,
        match=r"unknown option 'min_distance'; did you mean min_separation\?; the options are min_separation, tolerance",
    ):
        ccd.step.earliest(ccd.Mesh(faces), x0, x1, min_distance=1)


@pytest.mark.parametrize("pairs", [[[0, 9]], [[-1, 0]], [[0, 0], [2**40, 0]]])
def test_pairs_out_of_range(triangles, pairs):
    faces, x0, x1 = triangles
    with pytest.raises(ccd.InvalidIndexError, match="pairs"):
        ccd.step.pairs(ccd.Mesh(faces), x0, x1, "vertex-face", pairs)


def test_scenes_of_the_dataset(data):
    frames = data / "scenes" / "cloth-funnel" / "frames"
    start, end = ccd.read(frames / "227.ply"), ccd.read(frames / "228.ply")
    found = ccd.broad.candidates(start.mesh(), start.vertices, end.vertices)
    assert (len(found.vertex_face), len(found.edge_edge)) == (7319, 33770)


def test_no_double_lies_below_a_tiny_contact_time():
    """The exception of law 8: toi_lo is 0, without the flag of an initial contact, and so is a safe step."""
    two = ccd.Mesh(vertices=2)
    for exponent in (-610, -586, -582, -560):  # the contact time is 2**(exponent - 490)
        x0 = np.array([[2.0**exponent, 0, 0], [0, 0, 0]])
        x1 = np.array([[-(2.0**490), 0, 0], [0, 0, 0]])
        hit = ccd.step.earliest(two, x0, x1, no_zero_toi=True)
        alpha = ccd.step.size(two, x0, x1, no_zero_toi=True)
        assert hit.contact and not hit.initial
        assert (hit.toi_lo > 0) == (alpha > 0) == (exponent - 490 > -1073)


NEEDLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 0.5], [0.25, 0.25, -1.5]])


def needle():
    return ccd.Mesh(faces=[[0, 1, 2]], edges=[[0, 1], [1, 2], [0, 2], [3, 4]], vertices=5)


def test_check_start_reports_what_crosses():
    mesh, x = needle(), NEEDLE
    assert ccd.step.earliest(mesh, x, x).separate and ccd.step.size(mesh, x, x) == 1
    hit = ccd.step.earliest(mesh, x, x, check_start=True)
    assert hit.contact and hit.certified and hit.initial and hit.intersecting and (hit.toi_lo, hit.toi_hi) == (0, 0)
    assert (hit.kind, hit.a, hit.b, str(hit.kind)) == (ccd.proximity.EDGE_FACE, 3, 0, "edge-face")
    assert (hit.u, hit.v, hit.point, hit.normal) == (0.25, 0.25, (0.25, 0.25, 0), (0, 0, -1))
    assert hit.as_dict()["intersecting"] is True and hit.as_dict()["kind"] == "edge-face"
    found = ccd.step.collisions(mesh, x, x, check_start=True)
    assert [ccd.Impact.from_record(record) for record in found] == [hit]
    assert ccd.step.size(mesh, x, x, check_start=True) == 0
    assert ccd.step.linesearch(mesh, x, x, 0.5, min_separation=0.01, check_start=True) == (0, 0, 0)
    assert np.concatenate(list(ccd.step.stream(mesh, x, x, check_start=True))).tobytes() == np.asarray(found).tobytes()
    with pytest.raises(ccd.ArgumentError, match="x0: edge 3 passes through face 0"):
        ccd.step.activeset(mesh, x, x, check_start=True)
    known = ccd.broad.candidates(mesh, x, x)
    assert known.step(x, x).earliest(check_start=True) == hit and known.step(x, x).size(check_start=True) == 0


def test_check_start_comes_before_contacts_at_the_start():
    mesh, x = needle(), NEEDLE
    plain = ccd.step.collisions(mesh, x, x, min_separation=0.5)
    found = ccd.step.collisions(mesh, x, x, min_separation=0.5, check_start=True)
    assert len(plain) and (plain["toi_lo"] == 0).all() and len(found) == len(plain) + 1
    assert found[0]["kind"] == ccd.proximity.EDGE_FACE and found[1:].tobytes() == plain.tobytes()
    assert ccd.step.earliest(mesh, x, x, min_separation=0.5, check_start=True).intersecting


def test_check_start_is_refused_where_only_some_pairs_are_tested():
    mesh, x = needle(), NEEDLE
    with pytest.raises(ccd.UnsupportedError, match=r"^check_start: calls on given pairs do not support it"):
        ccd.step.pairs(mesh, x, x, "vf", [[3, 0]], check_start=True)
