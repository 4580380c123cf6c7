"""Rigid bodies: contact, separation, batches, poses, errors, and the command."""

import ctypes
import json
import subprocess

import numpy as np
import pytest

import ccd
from ccd._native import abi
from ccd.cli import main
from ccd.rigid import Body, Motion, impact_dtype, motion_dtype

TETRA = np.array([[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1]], float)
SIDES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
PLATE = [[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0]]
HALVES = [[0, 1, 2], [0, 2, 3]]
DOWN = Motion(position=(0, 0, 1), velocity=(0, 0, -2), angular_velocity=(0, 0, 3))


@pytest.fixture(scope="module")
def bodies():
    return Body(TETRA, SIDES), Body(PLATE, HALVES)


def test_records_have_the_layout_of_the_structs():
    for struct, dtype, size in ((abi.RigidMotion, motion_dtype, 128), (abi.RigidImpact, impact_dtype, 136),
                                (abi.RigidSceneImpact, ccd.rigid.scene_impact_dtype, 152),
                                (abi.RigidMeshImpact, ccd.rigid.mesh_impact_dtype, 152)):  # fmt: skip
        assert ctypes.sizeof(struct) == dtype.itemsize == size
        for name, _ in struct._fields_:
            assert getattr(struct, name).offset == dtype.fields[name][1], name


def test_contact_and_separation(bodies):
    cone, ground = bodies
    hit = ccd.rigid.earliest(cone, DOWN, ground, Motion())
    assert hit.contact and not hit.initial and not hit.separate
    assert 0.5 - 1e-9 < hit.toi_lo <= hit.toi_hi < 0.5 and 1.25e-11 < hit.distance <= 1e-10
    np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(hit.point_a, (0, 0, hit.distance), atol=1e-14)
    assert json.loads(json.dumps(hit.as_dict()))["verdict"] == "contact"
    assert ccd.rigid.earliest(cone, DOWN, ground, Motion(), t_max=0.49).separate
    late = ccd.rigid.earliest(cone, DOWN, ground, Motion(), t_min=0.6)
    assert late.intersecting and late.initial and late.toi_lo == 0.6
    wide = ccd.rigid.earliest(cone, DOWN, ground, Motion(), min_separation=0.1, tolerance=1e-6)
    assert 0.45 - 1e-6 < wide.toi_lo <= 0.45 and 0.1 <= wide.distance <= 0.1 + 1e-6
    open_ = ccd.rigid.earliest(cone, DOWN, ground, Motion(), max_iterations=1)
    assert open_.verdict == ccd.Verdict.UNDECIDED and open_.toi_lo < 0.5


def test_d2m_agrees_with_the_default(bodies):
    cone, ground = bodies
    fast = ccd.rigid.earliest(cone, DOWN, ground, Motion())
    d2m = ccd.rigid.earliest(cone, DOWN, ground, Motion(), method="d2m")
    assert d2m.contact and d2m.toi_lo <= 0.5 <= d2m.toi_hi + 1e-10
    assert abs(d2m.toi_lo - fast.toi_lo) < 1e-9 and not d2m.approximate
    rough = ccd.rigid.earliest(cone, DOWN, ground, Motion(), method="d2m-spheres")
    assert rough.approximate and rough.toi_lo <= 0.5 and rough.index_a == -1
    with pytest.raises(ccd.ArgumentError, match="method is 'fcl'"):
        ccd.rigid.earliest(cone, DOWN, ground, Motion(), method="fcl")
    with pytest.raises(ccd.UnsupportedError, match=r"flags"):
        ccd.rigid.earliest(cone, DOWN, ground, Motion(), method="d2m", ignore_separating=True)


def test_parting(bodies):
    cone, ground = bodies
    up = Motion(position=(0, 0, 0.5e-10), velocity=(0, 0, 1), angular_velocity=(0, 0, 30))
    assert ccd.rigid.earliest(cone, up, ground, Motion()).contact
    assert ccd.rigid.earliest(cone, up, ground, Motion(), ignore_separating=True).separate


def test_a_batch_has_the_answers_of_single_queries(bodies):
    cone, ground = bodies
    rng = np.random.default_rng(3)
    ma, mb = np.zeros(50, motion_dtype), np.zeros(50, motion_dtype)
    ma["rotation"], mb["rotation"] = rng.normal(size=(50, 4)), (1, 0, 0, 0)
    ma["position"], ma["velocity"] = (0, 0, 3), rng.normal(size=(50, 3)) - (0, 0, 2)
    ma["angular_velocity"] = rng.normal(size=(50, 3))
    out = ccd.rigid.earliest_batch(cone, ma, ground, mb)
    assert {1, 2} == set(out["verdict"])
    for i in range(0, 50, 7):
        one = ccd.rigid.earliest(cone, Motion(*ma[i].tolist()), ground, Motion())
        assert one.toi_lo == out["toi_lo"][i] and one.point_a == tuple(out["point_a"][i])
    listed = ccd.rigid.earliest_batch(cone, [Motion(*m) for m in ma.tolist()], ground, (Motion() for _ in range(50)))
    assert listed.tobytes() == out.tobytes()
    posed = ccd.rigid.earliest_batch(cone, [DOWN, DOWN], ground, [np.eye(4), Motion()])
    assert posed[0] == posed[1] and posed["toi_lo"][0] == ccd.rigid.earliest(cone, DOWN, ground, Motion()).toi_lo


def test_a_scene_has_the_contacts_of_all_pairs(bodies):
    cone, ground = bodies
    rng = np.random.default_rng(5)
    motions = [Motion()] + [
        Motion(rng.normal(size=4), rng.uniform((-3, -3, 2), (3, 3, 5)), rng.normal(size=3) - (0, 0, 3), rng.normal(size=3))
        for _ in range(9)
    ]
    them = [ground] + 9 * [cone]
    pairs = [(a, b) for a in range(10) for b in range(a + 1, 10)]
    alone = {p: ccd.rigid.earliest(them[p[0]], motions[p[0]], them[p[1]], motions[p[1]]) for p in pairs}
    want = sorted((x.toi_lo, *p) for p, x in alone.items() if not x.separate)
    assert len(want) > 5
    for threads in (1, 2):
        found = ccd.rigid.scene_collisions(them, motions, threads=threads)
        assert [(x["impact"]["toi_lo"], x["a"], x["b"]) for x in found] == want
        first = ccd.rigid.scene_earliest(them, motions, threads=threads)
        assert (first.a, first.b) == want[0][1:] and first.impact == alone[first.a, first.b]
    assert ccd.rigid.scene_earliest(them, motions, groups=np.zeros(10, int)).impact.separate
    left = ccd.rigid.scene_collisions(them, motions, skip=[(b, a) for _, a, b in want[1:]])
    assert [(x["a"], x["b"]) for x in left] == [want[0][1:]]
    assert len(ccd.rigid.scene_collisions([], [])) == 0
    with pytest.raises(ccd.ArgumentError, match="motions has 1 items for 10"):
        ccd.rigid.scene_earliest(them, motions[:1])
    with pytest.raises(ccd.InvalidIndexError, match=r"skip\[0\]\[1\] is 10"):
        ccd.rigid.scene_collisions(them, motions, skip=[(0, 10)])
    with pytest.raises(ccd.errors.Cancelled):
        ccd.rigid.scene_collisions(them, motions, progress=lambda fraction: True)


def test_statistics_and_portions_of_a_scene(bodies):
    cone, _ = bodies
    rng = np.random.default_rng(8)
    motions = [Motion(rng.normal(size=4), x, -0.9 * x, rng.normal(size=3)) for x in 5 * rng.normal(size=(120, 3))]
    stats, parts = ccd.Stats(), ccd.Stats()
    whole = ccd.rigid.scene_collisions(120 * [cone], motions, stats=stats)
    assert stats.boxes == 120 and stats.candidates[ccd.Kind.VERTEX_FACE] > 5000 and stats.impacts == len(whole) > 0
    again = ccd.rigid.scene_collisions(120 * [cone], motions, memory_limit=1, stats=parts)
    assert again.tobytes() == whole.tobytes() and parts.peak_bytes < stats.peak_bytes


def test_bodies_over_a_mesh_that_deforms(bodies):
    cone, _ = bodies
    flat = np.array([(x, y, 0) for x in range(-3, 4) for y in range(-3, 4)], float)
    quads = [7 * i + j for i in range(6) for j in range(6)]
    mesh = ccd.Mesh([(q, q + 7, q + 1) for q in quads] + [(q + 7, q + 8, q + 1) for q in quads])
    raised = flat + np.array((0, 0, 1))
    apart = Motion(position=(0.5, 0, 9))
    them, motions = [cone, cone], [apart, DOWN]
    hit = ccd.rigid.mesh_earliest(them, motions, mesh, flat, raised)  # the tip at 1 - 2t meets what rises as t
    assert hit.body == 1 and hit.shape == ccd.rigid.Shape.FACE and 1 / 3 - 1e-9 < hit.impact.toi_lo < 1 / 3
    assert 1.25e-11 < hit.impact.distance <= 1e-10 and not hit.impact.initial
    np.testing.assert_allclose(hit.impact.normal, (0, 0, 1), atol=1e-9)
    stats = ccd.Stats()
    found = ccd.rigid.mesh_collisions(them, motions, mesh, flat, raised, threads=2, stats=stats)
    assert len(found) == stats.impacts and set(found["body"]) == {1} and found["impact"]["toi_lo"][0] == hit.impact.toi_lo
    assert (np.diff(found["impact"]["toi_lo"]) >= 0).all()
    d2m = ccd.rigid.mesh_earliest(them, motions, mesh, flat, raised, method="d2m")
    assert d2m.impact.contact and abs(d2m.impact.toi_hi - 1 / 3) < 1e-9
    assert ccd.rigid.mesh_earliest(them, motions, mesh, flat, flat, t_max=0.49).impact.separate
    assert ccd.rigid.mesh_earliest([], [], mesh, flat, raised).body == -1
    with pytest.raises(ccd.ArgumentError, match="x0 has 49 vertices, x1 has 2"):
        ccd.rigid.mesh_earliest(them, motions, mesh, flat, flat[:2])
    with pytest.raises(ccd.ArgumentError, match="mesh is Body"):
        ccd.rigid.mesh_earliest(them, motions, cone, flat, flat)
    with pytest.raises(ccd.UnsupportedError, match=r"method"):
        ccd.rigid.mesh_earliest(them, motions, mesh, flat, flat, method="d2m-spheres")
    with pytest.raises(TypeError, match="unknown option 'groups'"):
        ccd.rigid.mesh_collisions(them, motions, mesh, flat, flat, groups=[1, 1])
    raised[3, 2] = np.nan
    with pytest.raises(ccd.NonFiniteError, match=r"x1\[3\]\[2\]"):
        ccd.rigid.mesh_collisions(them, motions, mesh, flat, raised)
    with pytest.raises(ccd.errors.Cancelled):
        ccd.rigid.mesh_collisions(them, motions, mesh, flat, flat, progress=lambda fraction: True)


def test_the_pose_at_an_impact_is_apart(bodies):
    cone, ground = bodies
    m = Motion(rotation=(1, 0.2, -0.3, 0.4), position=(0, 0, 3), velocity=(0.1, 0, -3), angular_velocity=(1, 2, 3))
    hit = ccd.rigid.earliest(cone, m, ground, Motion())
    q, x = ccd.rigid.motion_pose(m, hit.toi_lo)
    w, v = q[0], q[1:]
    placed = TETRA + 2 * np.cross(v, np.cross(v, TETRA) + w * TETRA) / (q @ q) + x
    assert placed[:, 2].min() == pytest.approx(hit.distance, abs=1e-14)


def test_screw_turns_about_its_axis():
    m = ccd.rigid.motion_screw((1, 0, 0, 0), (0, 0, 0), axis_point=(1, 0, 0), angular_velocity=(0, 0, 2), speed=3)
    _, x = ccd.rigid.motion_pose(m, np.pi / 2)
    np.testing.assert_allclose(x, (2, 0, 1.5 * np.pi), atol=1e-14)


def test_between_takes_a_body_from_pose_to_pose(bodies):
    cone, ground = bodies
    start, end = ((1, 0, 0, 0), (0, 0, 3)), ((-2, 0, 0, -2), (1, 0, -3))
    m = ccd.rigid.motion_between(start, end, 2, pivot=(0.1, 0.2, 0.3))
    np.testing.assert_allclose(m.at(0, TETRA), TETRA + np.array((0, 0, 3)), atol=1e-14)
    turned = np.stack((-TETRA[:, 1], TETRA[:, 0], TETRA[:, 2]), 1)
    np.testing.assert_allclose(m.at(2, TETRA), turned + np.array((1, 0, -3)), atol=1e-14)
    assert m.pivot == (0.1, 0.2, 0.3) and m.angular_velocity == pytest.approx((0, 0, np.pi / 4))
    assert ccd.rigid.earliest(cone, m, ground, Motion(), t_max=2).contact
    for call, text in (
        (lambda: ccd.rigid.motion_between(start, end, 0), "duration is 0"),
        (lambda: ccd.rigid.motion_between(start, ((0, 0, 0, 0), (0, 0, 0))), "rotation of end is 0: must be"),
        (lambda: ccd.rigid.motion_between((1, 0, 0), end), "start has 3 items"),
        (lambda: ccd.rigid.motion_between(start, ((1, 0, 0), (0, 0, 0))), "rotation of end has shape"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            call()


def test_errors_name_the_argument(bodies):
    cone, ground = bodies
    bad = TETRA.copy()
    bad[2, 1] = np.nan
    for call, error, text in (
        (lambda: Body(bad, SIDES), ccd.NonFiniteError, r"vertices\[2\]\[1\]"),
        (lambda: Body(TETRA, [[0, 1, 9]]), ccd.InvalidIndexError, r"faces\[0\]\[2\]"),
        (lambda: Body(TETRA, []), ccd.ArgumentError, "faces has 0"),
        (lambda: ccd.rigid.earliest(cone, Motion(rotation=(0, 0, 0, 0)), ground, Motion()), ccd.ArgumentError, "rotation is 0"),
        (
            lambda: ccd.rigid.earliest(cone, Motion(angular_velocity=(1, 2)), ground, Motion()),
            ccd.ArgumentError,
            "angular_velocity has shape",
        ),
        (lambda: ccd.rigid.earliest(cone, DOWN, ground, Motion(), t_max=-1), ccd.ArgumentError, "t_max"),
        (lambda: ccd.rigid.earliest(cone, DOWN, ground, Motion(), speed=1), TypeError, "unknown option 'speed'"),
        (lambda: ccd.rigid.earliest(cone, DOWN, ground, Motion(), t_max="x"), ccd.ArgumentError, "t_max"),
        (lambda: ccd.rigid.earliest_batch(cone, np.zeros(3), ground, np.zeros(3)), ccd.ArgumentError, "motion_dtype"),
        (lambda: ccd.rigid.earliest_batch(cone, [DOWN, 3], ground, [DOWN]), ccd.ArgumentError, r"ma\[1\] is int"),
        (lambda: ccd.rigid.earliest_batch(cone, DOWN, ground, DOWN), ccd.ArgumentError, "ma is Motion: must be a sequence"),
    ):
        with pytest.raises(error, match=text):
            call()
    with Body(TETRA, SIDES) as body:
        pass
    with pytest.raises(ccd.HandleError):
        ccd.rigid.earliest(body, DOWN, ground, Motion())


@pytest.fixture
def files(tmp_path):
    def obj(name, vertices, faces):
        lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
        (tmp_path / name).write_text("\n".join(lines))
        return str(tmp_path / name)

    higher = [(x, y, z + 0.5) for x, y, z in PLATE]
    return [obj("cone.obj", TETRA, SIDES), obj("plate.obj", PLATE, HALVES), obj("higher.obj", higher, HALVES)]


@pytest.fixture
def run(capsys):
    """The command in this process: what it returns and prints."""

    def command(*arguments):
        try:
            code = main(["rigid", *arguments])
        except SystemExit as refused:  # of the parser
            code = refused.code
        out, err = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, out, err)

    return command


def test_command(files, run):
    falling = (*files[:2], "--pose", "0,0,1", "--velocity=0,0,-2", "--angular-velocity", "0,0,3")
    done = run(*falling)
    assert done.returncode == 1 and "contact" in done.stdout, done
    report = json.loads(run(*falling, "--json").stdout)
    assert 0.5 - 1e-9 < report["impact"]["toi_lo"] < 0.5
    done = run(*falling, "--t-max", "0.4")
    assert done.returncode == 0 and "separate" in done.stdout
    done = run(*files[:2], "--pose", "0,0,1,1,0,0,0", "--velocity-b=0,0,2")
    assert done.returncode == 1
    done = run(*files[:2], "--pose", "0,0")
    assert done.returncode == 2 and "pose" in done.stderr
    done = run(files[0])
    assert done.returncode == 2 and "two surfaces" in done.stderr


def test_command_on_a_scene(files, tmp_path, run):
    def write(**more):
        falling = {"velocity": [0, 0, -2], "angular_velocity": [0, 0, 3]}
        bodies = [{"file": "plate.obj", "position": [0, 0, -1], "group": 1}]
        bodies += [{"file": "cone.obj", "position": [3 * i, 0, 1 + i / 8]} | falling for i in range(2)]
        (tmp_path / "scene.json").write_text(json.dumps({"bodies": bodies} | more))
        return str(tmp_path / "scene.json")

    done = run(write(), "--t-max", "0.9")
    assert done.returncode == 0 and "separate" in done.stdout, done
    done = run(write())
    assert done.returncode == 1 and "bodies 0 1 at t = " in done.stdout and "bodies 0 2" not in done.stdout, done
    over = {"mesh": {"x0": "plate.obj", "x1": "higher.obj"}}
    report = json.loads(run(write(**over), "--json", "--t-max", "0.8").stdout)  # 1 - 2t meets 5t/8
    first = report["impacts"][0]
    assert (first["a"], first["b"], first["shape"]) == (1, None, "face") and report["mesh_stats"]["impacts"] >= 3
    assert 1 / 2.625 - 1e-9 < first["impact"]["toi_lo"] < 1 / 2.625
    only = json.loads(run(write(**over), "--json", "--earliest", "--t-max", "0.8").stdout)["impacts"]
    assert only == [first]
    assert "face" in run(write(**over), "--t-max", "0.8").stdout
    for more, text in (({"bodies": [{"position": [0, 0, 0]}]}, "bodies[0] has no file"), ({"speed": 1}, "'speed'"),
                       ({"mesh": {"x0": "plate.obj"}}, "both"), ({"bodies": 3}, "no list"),
                       ({"mesh": {"x0": "plate.obj", "x1": "cone.obj"}}, "one mesh"),
                       ({"skip": [[0, 9]]}, "skip[0][1] is 9")):  # fmt: skip
        done = run(write(**more))
        assert done.returncode == 2 and text in done.stderr, (text, done)


def test_a_body_names_the_order_of_its_arrays():
    with pytest.raises(ccd.ArgumentError, match=r"faces has dtype float64: .* the order is ccd.rigid.Body\(vertices, faces\)"):
        Body([[0, 1, 2]], np.eye(3))


def test_motions_of_tuples_and_of_other_sequences_are_the_same(bodies):
    """Tuples of floats are packed at once; lists, arrays and integers are converted: both have the same bytes."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        fields = {n: rng.normal(size=4 if n == "rotation" else 3) for n in ("rotation", "position", "velocity", "pivot")}
        fields["angular_velocity"] = np.array([0.0, -0.0, 2.0])
        packed = bytes(Motion(**{n: tuple(x.tolist()) for n, x in fields.items()})._c())
        for convert in (list, np.asarray, lambda x: tuple(np.float64(v) for v in x)):
            assert bytes(Motion(**{n: convert(x) for n, x in fields.items()})._c()) == packed
    assert bytes(Motion(position=(1, 0, -2))._c()) == bytes(Motion(position=(1.0, 0.0, -2.0))._c())
    with pytest.raises(ccd.NonFiniteError, match="velocity"):
        ccd.rigid.earliest(bodies[0], Motion(velocity=(0.0, float("nan"), 0.0)), bodies[1], Motion())
