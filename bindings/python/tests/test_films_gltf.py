"""glTF as the specification reads: nodes, keys, skins, morph targets, sparse and quantized accessors, against a reference."""

import base64
import json

import numpy as np
import pytest
from films import Made, between, turned
from test_audit_files import FALL, FRAMES, RIGHT, TRI, verdicts
from test_audit_formats import snapshots

import ccd
from ccd.cli import main

FACES = [[0, 1, 2], [3, 4, 5]]
RNG = np.random.default_rng(52)


def single(x):
    """Numbers as single precision holds them."""
    return np.asarray(np.float32(x), float)


def positions(path, **meaning):
    """The positions of each frame, bodies in the order of their names."""
    return [found.x for found in snapshots([path], **meaning)]


def falling(path, frames=5, **entries):
    """A tile that falls through a floor, which rests: two nodes."""
    made = Made()
    mesh = [made.mesh(TRI[:3], [0, 1, 2]), made.mesh(TRI[3:], [0, 1, 2])]
    nodes = [made.node(name=name, mesh=k) for name, k in zip(("floor", "tile"), mesh)]
    shift = [[0, 0, -0.75 * k] for k in range(frames)]
    made.animation((nodes[1], "translation", np.arange(frames) / 2, shift, "LINEAR"), name="fall")
    made.json |= entries
    return made.write(path, nodes)


@pytest.mark.parametrize("name", ["fall.glb", "fall.gltf", "beside.gltf"])
def test_a_film_is_audited_as_its_frames_are(name, tmp_path):
    path = falling(tmp_path / name)
    found = snapshots([path])
    assert verdicts(path) == RIGHT and [one.item.time for one in found] == [0, 0.5, 1, 1.5, 2]
    assert found[0].names == ["floor", "tile"] and found[2].item.name == f"{name}[2]"
    for frame, one in zip(FRAMES, found):
        assert np.allclose(one.x, frame, atol=1e-7) and one.faces.tolist() == FACES


def test_nodes_keys_and_splines_against_the_reference(tmp_path):
    made, x = Made(), RNG.normal(size=(6, 3))
    mesh = made.mesh(x, FACES)
    matrix = np.array([[0, -2, 0, 1], [1, 0, 0, 2], [0, 0, 3, 3], [0, 0, 0, 1.0]])
    inner = made.node(mesh=mesh, name="body", scale=[1, 2, 3])
    middle = made.node(children=[inner], matrix=matrix.T.ravel().tolist())
    root = made.node(children=[middle])
    times = [0.25, 0.5, 2.0]
    turns = RNG.normal(size=(3, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    moves, sizes, spline = RNG.normal(size=(3, 3)), RNG.uniform(0.5, 2, (2, 3)), RNG.normal(size=(9, 3))
    made.animation(
        (root, "rotation", times, turns, "LINEAR"), (root, "translation", [0.0, 1.0, 3.0], moves, "LINEAR"),
        (root, "scale", [0.3, 1.5], sizes, "STEP"), (inner, "translation", times, spline, "CUBICSPLINE"),
    )  # fmt: skip
    path = made.write(tmp_path / "a.glb", [root])
    found = snapshots([path])
    every = sorted({float(np.float32(t)) for t in [*times, 0.0, 1.0, 3.0, 0.3, 1.5]})
    assert [one.item.time for one in found] == every
    for t, one in zip(every, found):
        inside = single(x) * [1, 2, 3] + between(times, spline, "CUBICSPLINE", t)
        up = inside @ matrix[:3, :3].T + matrix[:3, 3]
        scale, q = between([0.3, 1.5], sizes, "STEP", t), between(times, turns, "LINEAR", t)
        move = between([0.0, 1.0, 3.0], moves, "LINEAR", t)
        wanted = np.array([turned(q, p * scale) + move for p in up])
        assert np.abs(one.x - wanted).max() < 1e-12
    notes = ccd.audit.files(path).notes
    assert any("turn by up to" in note for note in notes) and any("STEP" in note for note in notes)
    assert any("CUBICSPLINE" in note for note in notes)


def skinned(made, x, joints, weights, **attributes):
    """A mesh with joints and weights."""
    return made.mesh(x, FACES, JOINTS_0=made.accessor(joints, "u1"), WEIGHTS_0=made.accessor(weights), **attributes)


def test_skins_and_targets_against_the_reference(tmp_path):
    made, x = Made(), RNG.normal(size=(6, 3))
    joints = RNG.integers(0, 2, (6, 4))
    joints[:, 0] = np.arange(6) % 3
    weights = RNG.uniform(0.1, 1, (6, 4))
    weights = np.float32(weights / weights.sum(1)[:, None])
    rows, moved = [1, 4], RNG.normal(size=(2, 3))
    mesh = skinned(made, x, joints, weights)
    targets = [
        made.accessor(RNG.normal(size=(6, 3))),
        made.sparse(None, [1, 5], moved),
        made.sparse(np.ones((6, 3)), rows, moved),
    ]
    made.json["meshes"][mesh]["primitives"][0]["targets"] = [{"POSITION": t} for t in targets]
    made.json["meshes"][mesh]["weights"] = [0.1, 0.2, 0.3]
    bind = np.tile(np.eye(4), (3, 1, 1))
    bind[:, :3, 3] = RNG.normal(size=(3, 3))
    bones = [made.node(translation=[1, 0, 0]), made.node(scale=[1, 2, 1]), made.node(rotation=[0, 0, 0.6, 0.8])]
    made.json["nodes"][bones[0]]["children"] = [bones[1]]
    matrices = made.accessor(bind.transpose(0, 2, 1).reshape(3, 16))
    made.json["skins"] = [{"joints": bones, "inverseBindMatrices": matrices}]
    body = made.node(mesh=mesh, skin=0, translation=[100, 100, 100])  # has no effect: the joints place a skin
    turns = np.array([[0, 0, 0, 1], [0.6, 0, 0, 0.8], [0, 0.8, 0, -0.6]])
    bend = RNG.uniform(-1, 1, (3, 3))
    made.animation((bones[1], "rotation", [0, 1, 2], turns, "LINEAR"), (body, "weights", [0, 1.5, 3], bend.ravel(), "LINEAR"))
    path = made.write(tmp_path / "a.glb", [bones[0], bones[2], body])
    target = [np.zeros((6, 3)) for _ in range(3)]
    target[0] = values_of(made, targets[0])
    target[1][[1, 5]] = single(moved)
    target[2][:] = 1
    target[2][rows] = single(moved)
    found = snapshots([path])
    assert [one.item.time for one in found] == [0, 1, 1.5, 2, 3] and found[0].names == ["body (node 3)"]
    for t, one in zip([0, 1, 1.5, 2, 3], found):
        w = between([0, 1.5, 3], bend, "LINEAR", t)
        base = single(x) + sum(share * one for share, one in zip(w, target))
        q = between([0, 1, 2], turns, "LINEAR", t)
        place = [
            lambda p, q: p + np.array([1, 0, 0]),
            lambda p, q: turned(q, p * [1, 2, 1]) + np.array([1, 0, 0]),
            lambda p, q: turned([0, 0, 0.6, 0.8], p),
        ]
        wanted = np.zeros((6, 3))
        for i in range(6):
            for j, share in zip(joints[i], weights[i]):
                wanted[i] += float(share) * place[j](base[i] + single(bind[j, :3, 3]), q)
        assert np.abs(one.x - wanted).max() < 1e-12


def values_of(made, index):
    """The rows of a dense accessor of single precision."""
    view = made.json["bufferViews"][made.json["accessors"][index]["bufferView"]]
    return np.frombuffer(made.data, "<f4", view["byteLength"] // 4, view["byteOffset"]).reshape(-1, 3).astype(float)


@pytest.mark.parametrize(("kind", "most"), [("i1", 127), ("u1", 255), ("i2", 32767), ("u2", 65535)])
@pytest.mark.parametrize("normalized", [True, False])
def test_quantized_positions_and_strides(kind, most, normalized, tmp_path):
    made = Made()
    low = 0 if kind[0] == "u" else -most - 1
    stored = RNG.integers(low, most, (6, 3), endpoint=True)
    stored[0], stored[5] = low, most
    more = {"normalized": True} if normalized else {}
    mesh = made.mesh(made.accessor(stored, kind, stride=8, **more), FACES)
    made.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    path = made.write(tmp_path / "a.glb", [made.node(mesh=mesh, scale=[2, 2, 2])])
    wanted = np.maximum(stored / most, -1) if normalized else stored.astype(float)
    (found,) = snapshots([path])
    assert np.array_equal(found.x, 2 * wanted)
    half = 0.5 / most if normalized else 0.5
    assert 2 * half * np.sqrt(3) <= found.off < 2 * half * 1.8 + 1e-2


def test_vertices_of_seams_are_one_in_every_pose(tmp_path):
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    made = Made()
    x = corners[np.ravel(sides)]
    faces = [[4 * k, 4 * k + i, 4 * k + i + 1] for k in range(6) for i in (1, 2)]
    made.mesh(x, faces)
    (found,) = snapshots([made.write(tmp_path / "a.glb", [made.node(mesh=0)])])
    assert len(found.x) == 8 and len(found.faces) == 12 and sorted(map(tuple, found.x)) == sorted(map(tuple, corners))
    assert ccd.Mesh(faces=found.faces).counts == (8, 18, 12)
    assert main(["check", str(tmp_path / "a.glb"), "--json"]) == 0

    # A target that parts two of them keeps them apart.
    made.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": made.accessor(np.eye(24)[:, :3])}]
    (found,) = snapshots([made.write(tmp_path / "b.glb", [0])])
    assert len(found.x) > 8


def test_strips_fans_lines_and_points(tmp_path):
    made, x = Made(), RNG.normal(size=(5, 3))
    for mode, indices in (
        (5, [0, 1, 2, 3, 4]),
        (6, [0, 1, 2, 3, 4]),
        (1, [0, 1, 2, 3]),
        (2, [0, 1, 2]),
        (3, [0, 1, 2]),
        (0, [0, 1]),
    ):
        k = made.mesh(x, indices)
        made.json["meshes"][k]["primitives"][0]["mode"] = mode
        made.node(mesh=k, name=f"mode {mode}")
    (found,) = snapshots([made.write(tmp_path / "a.glb", list(range(6)))])
    assert found.names == ["mode 1", "mode 2", "mode 3", "mode 5", "mode 6"]
    faces = [sorted(f) for f in (found.faces - 15).tolist()]
    assert faces[:3] == [[0, 1, 2], [1, 2, 3], [2, 3, 4]] and sorted(faces[3:]) == [[5, 6, 7], [5, 7, 8], [5, 8, 9]]
    a, b, c = (found.faces[1] - 15).tolist()
    assert (a, b, c) in ((2, 1, 3), (1, 3, 2), (3, 2, 1))  # every other triangle of a strip is turned
    edges = sorted(map(sorted, found.edges.tolist()))
    assert edges == [[0, 1], [2, 3], [5, 6], [5, 7], [6, 7], [10, 11], [11, 12]]


def test_mirrored_nodes_keep_outside_outside(tmp_path):
    made = Made()
    mesh = made.mesh(TRI[:3], [0, 1, 2])
    roots = [made.node(mesh=mesh, scale=s) for s in ([1, 1, 1], [-1, 1, 1], [-1, -1, 1])]
    (found,) = snapshots([made.write(tmp_path / "a.glb", roots)])
    for face in found.faces:
        a, b, c = found.x[face]
        assert np.cross(b - a, c - a)[2] > 0


def test_instances_are_bodies(tmp_path):
    made = Made()
    mesh = made.mesh(TRI[:3], [0, 1, 2])
    at, turns, sizes = (
        RNG.normal(size=(3, 3)),
        np.array([[0, 0, 0, 1], [0.6, 0, 0, 0.8], [0, 1, 0, 0.0]]),
        RNG.uniform(1, 2, (3, 3)),
    )
    attributes = {"TRANSLATION": made.accessor(at), "ROTATION": made.accessor(turns), "SCALE": made.accessor(sizes)}
    node = made.node(mesh=mesh, name="leaf", translation=[1, 2, 3])
    made.json["nodes"][node]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    made.json["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    (found,) = snapshots([made.write(tmp_path / "a.glb", [node])])
    assert found.names == ["leaf[0]", "leaf[1]", "leaf[2]"]
    for k in range(3):
        wanted = [turned(single(turns[k]), p * single(sizes[k])) + single(at[k]) + [1, 2, 3] for p in TRI[:3]]
        assert np.abs(found.x[3 * k : 3 * k + 3] - wanted).max() < 1e-12


# ---- what rounding may do


def rounded_otherwise(values, rng, unit=None):
    """The same numbers, each as far off as single precision allows."""
    return (
        values * (1 + rng.choice([-1, 1], values.shape) * 2.0**-24)
        if unit is None
        else values + rng.choice([-unit, unit], values.shape)
    )


@pytest.mark.parametrize("seed", range(6))
def test_what_the_file_may_stand_for_is_within_the_bound(seed, monkeypatch, tmp_path):
    """All stored numbers are put as far off as they may be: no vertex leaves the ball that the audit counts."""
    from ccd.audit._films import _gltf_file

    rng, made = np.random.default_rng(seed), Made()
    x = rng.normal(size=(6, 3)) * 10.0 ** rng.integers(-2, 3)
    joints, weights = rng.integers(0, 2, (6, 4)), rng.uniform(0.1, 1, (6, 4))
    integer = seed % 2 == 1
    weights /= weights.sum(1)[:, None]
    if integer:
        stored = np.floor(weights * 255).astype(int)
        stored[:, 0] += 255 - stored.sum(1)
        share = made.accessor(stored, "u1", normalized=True)
    else:
        share = made.accessor(weights)
    skin = made.mesh(x, FACES, JOINTS_0=made.accessor(joints, "u1"), WEIGHTS_0=share)
    target = made.accessor(rng.normal(size=(6, 3)))
    made.json["meshes"][skin]["primitives"][0]["targets"] = [{"POSITION": target}]
    rigid = made.mesh(x, FACES)
    quaternions = rng.normal(size=(8, 4))
    quaternions = np.float32(quaternions / np.linalg.norm(quaternions, axis=1)[:, None])
    bind = np.tile(np.eye(4), (2, 1, 1)) + rng.normal(size=(2, 4, 4)) * [[1, 1, 1, 1]] * np.array([[1], [1], [1], [0]])
    bones = [
        made.node(translation=(rng.normal(size=3) * 5).tolist()),
        made.node(rotation=quaternions[7].astype(float).tolist()),
    ]
    made.json["nodes"][bones[0]]["children"] = [bones[1]]
    made.json["skins"] = [{"joints": bones, "inverseBindMatrices": made.accessor(bind.transpose(0, 2, 1).reshape(2, 16))}]
    body = [made.node(mesh=skin, skin=0, name="skin"), made.node(mesh=rigid, name="rigid")]
    made.animation(
        (bones[1], "rotation", [0, 1, 2.5], quaternions[:3], "LINEAR"), (body[0], "weights", [0, 1], [0.3, -2], "LINEAR"),
        (body[1], "rotation", [0, 1, 2.2], quaternions[3:6], "LINEAR"),
        (body[1], "scale", [0.5, 3], rng.normal(size=(2, 3)), "LINEAR"),
        (body[1], "translation", [0.5, 3], rng.normal(size=(6, 3)), "CUBICSPLINE"),
    )  # fmt: skip
    path = made.write(tmp_path / "a.glb", [bones[0], *body])
    right = snapshots([path])
    read = _gltf_file.Container.accessor

    def off(self, index, types, real=True):
        values, unit = read(self, index, types, real)
        if not real or (types == ("SCALAR",) and len(values) in (2, 3) and (np.diff(values[:, 0]) > 0).all()):
            return values, unit  # integers and times
        if unit:
            moved = np.where(values > 0, values + rng.choice([-unit, unit], values.shape), 0.0)
            moved[:, 0] += 1 - moved.sum(1)  # the true weights are 1 together
            return (moved if np.abs(moved - values).max() <= 1.01 * unit else values), unit
        return rounded_otherwise(values, rng), unit

    monkeypatch.setattr(_gltf_file.Container, "accessor", off)
    worst = 0.0
    for turn in range(8):
        (tmp_path / f"{turn}.glb").write_bytes((tmp_path / "a.glb").read_bytes())
        for one, other in zip(right, snapshots([str(tmp_path / f"{turn}.glb")])):
            moved = np.linalg.norm(one.x - other.x, axis=1).max()
            worst = max(worst, moved / one.off)
    assert 0.0 < worst <= 1.0


def test_rounding_is_said_and_taken_as_a_radius(tmp_path):
    path = falling(tmp_path / "a.glb")
    report = ccd.audit.files(path)
    assert any("rounded in the file: each may be off by up to" in note for note in report.notes)
    assert [str(s.verdict) for s in ccd.audit.files(path, rounding=True).steps] == RIGHT


# ---- what is refused


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "compressed by Draco"),
        ({"extensionsRequired": ["EXT_meshopt_compression"]}, "compressed by meshopt"),
        ({"extensionsRequired": ["KHR_unheard_of"]}, "requires the extension 'KHR_unheard_of'"),
        ({"asset": {"version": "1.0"}}, "glTF of version '1.0'"),
        ({"scenes": []}, None),
    ],
)
def test_what_is_not_understood_is_named(entries, words, tmp_path):
    path = falling(tmp_path / "a.gltf")
    found = json.loads((tmp_path / "a.gltf").read_text()) | entries
    if words is None:
        del found["scenes"]
    (tmp_path / "a.gltf").write_text(json.dumps(found))
    if words is None:
        assert verdicts(path) == RIGHT
        return
    with pytest.raises(ccd.UnsupportedError, match=words):
        ccd.audit.files(path)


def test_harmless_extensions_are_let_be(tmp_path):
    path = falling(tmp_path / "a.glb", extensionsRequired=["KHR_texture_transform", "KHR_materials_unlit"])
    assert verdicts(path) == RIGHT


def test_one_of_several_animations_must_be_named(tmp_path, capsys):
    made = Made()
    mesh = [made.mesh(TRI[:3], [0, 1, 2]), made.mesh(TRI[3:], [0, 1, 2])]
    nodes = [made.node(name=name, mesh=k) for name, k in zip(("floor", "tile"), mesh)]
    for name, size in (("fall", -0.75), ("rise", 0.75), (None, 0)):
        made.animation((nodes[1], "translation", np.arange(5), [[0, 0, size * k] for k in range(5)], "LINEAR"), name=name)
    path = made.write(tmp_path / "a.glb", nodes)
    with pytest.raises(ccd.ArgumentError, match=r"several animations: name one .* '\*' for all at once, .*: 'fall', 'rise', 2"):
        ccd.audit.files(path)
    with pytest.raises(ccd.FileError, match=r"moves translation of nodes\[1\] twice"):
        ccd.audit.files(path, animation="*")
    with pytest.raises(ccd.ArgumentError, match="none of the name 'walk'"):
        ccd.audit.files(path, animation="walk")
    assert verdicts(path, animation="fall") == RIGHT
    assert verdicts(path, animation="rise") == verdicts(path, animation="2") == ["separate"] * 4
    assert main(["audit", path, "--animation", "fall"]) == 1 and "passed through" in capsys.readouterr().out
    assert main(["step", f"{path}[1]", f"{path}[2]", "--animation", "fall"]) == 1
    assert main(["check", f"{path}[1]", "--animation", "rise"]) == 0
    with pytest.raises(ccd.ArgumentError, match=r"animation: .* takes none"):
        obj = tmp_path / "a.obj"
        obj.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        ccd.audit.files(obj, animation="fall")


def test_weights_that_are_not_one_together_are_named(tmp_path):
    made = Made()
    mesh = skinned(made, RNG.normal(size=(6, 3)), np.zeros((6, 4)), np.tile([0.5, 0.25, 0, 0], (6, 1)))
    bone = made.node()
    made.json["skins"] = [{"joints": [bone]}]
    path = made.write(tmp_path / "a.glb", [bone, made.node(mesh=mesh, skin=0)])
    with pytest.raises(ccd.FileError, match=r"weights of vertex 0 have the sum 0.75"):
        ccd.audit.files(path)


@pytest.mark.parametrize("count", [300, pytest.param(6000, marks=pytest.mark.long)])
def test_damaged_files_are_errors(count, tmp_path):
    falling(tmp_path / "a.glb", 3)
    whole = bytearray((tmp_path / "a.glb").read_bytes())
    rng, failed = np.random.default_rng(7), 0
    for k in range(count):
        data = bytearray(whole)
        for _ in range(rng.integers(1, 4)):
            data[rng.integers(len(data))] = rng.integers(256)
        if k % 5 == 0:
            del data[rng.integers(len(data)) :]
        path = tmp_path / f"m{k}.glb"
        path.write_bytes(data)
        try:
            ccd.audit.files(path, distances=False)
        except ccd.Error as error:
            assert "m" + str(k) in str(error) or "animation" in str(error)
            failed += 1
        path.unlink()
    assert failed > count / 4


# ---- commands


def test_commands_take_frames_by_number(tmp_path, capsys):
    path = falling(tmp_path / "a.glb")
    assert (
        main(["check", path]) == 2
        and "has 5 frames: name one by its number, from a.glb[0] to a.glb[4]" in capsys.readouterr().err
    )
    assert main(["check", f"{path}[4]"]) == 0 and main(["check", f"{path}[5]"]) == 2
    assert "their numbers are from 0 to 4" in capsys.readouterr().err
    assert main(["step", f"{path}[1]", f"{path}[2]"]) == 1 and "t = 0.333" in capsys.readouterr().out
    assert main(["step", path]) == 2 and "B is missing: " in capsys.readouterr().err
    two = falling(tmp_path / "two.glb", 2)
    assert main(["step", two]) == 0
    page = tmp_path / "page.html"
    assert main(["view", path, "-o", str(page)]) == 1 and "5 frames" in capsys.readouterr().out and page.stat().st_size > 10000
    assert main(["view", f"{path}[1]", f"{path}[2]", "-o", str(page)]) == 1
    assert main(["audit", f"{path}[1]", f"{path}[2]"]) == 1
    assert main(["audit", path, f"{path}[2]"]) == 2 and "has 5 frames" in capsys.readouterr().err


def test_an_audit_of_a_film_goes_on_where_it_was_stopped(tmp_path):
    path, state = falling(tmp_path / "a.glb"), tmp_path / "state.json"
    whole = ccd.audit.files(path)
    stopped = ccd.audit.files(path, resume=state, progress=lambda frame, step: frame.number == 2)
    assert not stopped.complete
    again = ccd.audit.files(path, resume=state)
    assert again.as_dict() == whole.as_dict()


def test_a_file_for_each_frame(tmp_path):
    for k in range(5):
        made = Made()
        mesh = [made.mesh((TRI + k * FALL)[:3], [0, 1, 2]), made.mesh((TRI + k * FALL)[3:], [0, 1, 2])]
        made.write(tmp_path / f"f{k}.glb", [made.node(name=name, mesh=m) for name, m in zip(("floor", "tile"), mesh)])
    assert verdicts(str(tmp_path / "f*.glb")) == RIGHT
    assert main(["step", str(tmp_path / "f1.glb"), str(tmp_path / "f2.glb")]) == 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"scenes": [{}]}, "has no meshes"),
        ({"accessors": [{"componentType": 5126, "type": "VEC3", "count": 1 << 28}]}, "268435456 rows without data"),
        ({"accessors": [{"bufferView": 0, "componentType": [], "type": "VEC3", "count": 3}]}, "a.gltf"),
        ({"nodes": [{"mesh": 0, "extensions": [1]}]}, "a.gltf"),
        ({"nodes": [{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": [1]}}]}, "a.gltf"),
        ({"nodes": [{"mesh": []}]}, "a.gltf"),
        ({"extensionsRequired": [{}]}, "requires the extension"),
        ({"animations": [{"samplers": [], "channels": [{"sampler": 0, "target": {"node": [], "path": "scale"}}]}]}, "a.gltf"),
    ],
)
def test_values_of_other_types_than_gltf_asks_for(change, what, tmp_path):
    data = base64.b64encode(np.eye(3, dtype="<f4").tobytes()).decode()
    content = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": f"data:application/octet-stream;base64,{data}"}],
    }  # fmt: skip
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(content))
    assert len(ccd.audit.files(str(path)).frames) == 1
    path.write_text(json.dumps(content | change))
    with pytest.raises((ccd.FileError, ccd.UnsupportedError), match=what):
        ccd.audit.files(str(path))
