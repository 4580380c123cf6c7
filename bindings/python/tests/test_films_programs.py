"""Films that other programs' libraries write: positions, point by point, are those that the same library evaluates."""

import ctypes
import importlib.util
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_audit_files import FRAMES, RIGHT, TRI, verdicts
from test_audit_formats import snapshots

import ccd
from ccd.cli import main

FACES = [[0, 1, 2], [3, 4, 5]]


# ---- trimesh


def test_glb_of_trimesh(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    rng = np.random.default_rng(1)
    scene = trimesh.Scene()
    matrices = {}
    for name in ("box", "ball"):
        matrices[name] = trimesh.transformations.random_rotation_matrix(rng.uniform(size=3))
        matrices[name][:3, 3] = rng.normal(size=3)
        shape = trimesh.creation.box() if name == "box" else trimesh.creation.icosphere(subdivisions=2)
        scene.add_geometry(shape, node_name=name, transform=matrices[name])
    path = str(tmp_path / "a.glb")
    scene.export(path)
    (found,) = snapshots([path])
    assert found.names == ["ball", "box"]
    loaded = trimesh.load_scene(path, process=False)
    for number, name in enumerate(found.names):
        matrix, geometry = loaded.graph[name]
        wanted = loaded.geometry[geometry].vertices @ matrix[:3, :3].T + matrix[:3, 3]
        own = found.x[found.part == number]
        assert len(own) == len(np.unique(wanted.round(6), axis=0))
        nearest = np.linalg.norm(own[:, None] - wanted[None], axis=2).min(1)
        assert nearest.max() < 1e-12
    assert main(["check", path]) in (0, 1)


# ---- USD


def stage(path, frames, **metadata):
    """A stage with a floor that rests and a tile whose points have samples."""
    usd, geom = (pytest.importorskip(f"pxr.{name}", reason="usd-core is not installed") for name in ("Usd", "UsdGeom"))
    made = usd.Stage.CreateNew(str(path))
    made.SetTimeCodesPerSecond(24)
    for name, rows in (("floor", slice(0, 3)), ("tile", slice(3, 6))):
        mesh = geom.Mesh.Define(made, f"/world/{name}")
        mesh.GetSubdivisionSchemeAttr().Set("none")
        mesh.GetFaceVertexCountsAttr().Set([3])
        mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2])
        if name == "floor":
            mesh.GetPointsAttr().Set(np.float32(frames[0][rows]))
        else:
            for k, frame in enumerate(frames):
                mesh.GetPointsAttr().Set(np.float32(frame[rows]), k)
    return made


@pytest.mark.parametrize("end", ["usda", "usdc", "usd"])
def test_usd_is_audited_as_its_frames_are(end, tmp_path):
    path = tmp_path / f"a.{end}"
    stage(path, FRAMES).Save()
    found = snapshots([str(path)])
    assert verdicts(path) == RIGHT and np.allclose([f.item.time for f in found], np.arange(5) / 24)
    assert found[0].names == ["/world/floor", "/world/tile"]
    assert all(np.array_equal(np.float32(frame), one.x) for frame, one in zip(FRAMES, found))
    assert main(["step", f"{path}[1]", f"{path}[2]"]) == 1 and main(["check", f"{path}[0]"]) == 0
    assert main(["view", str(path), "-o", str(tmp_path / "page.html")]) == 1
    notes = ccd.audit.files(path).notes
    assert any("lengths are in centimeters" in n and "y is up" in n for n in notes)


def test_transforms_instances_and_visibility_of_usd(tmp_path):
    usd, geom, gf = (pytest.importorskip(f"pxr.{n}", reason="usd-core is not installed") for n in ("Usd", "UsdGeom", "Gf"))
    path, rng = tmp_path / "a.usda", np.random.default_rng(2)
    made = stage(path, FRAMES[:1])
    tile = geom.Xformable(made.GetPrimAtPath("/world/tile"))
    move, turn, size = tile.AddTranslateOp(), tile.AddRotateXYZOp(), tile.AddScaleOp()
    pivot = tile.AddTranslateOp(opSuffix="pivot", isInverseOp=False)
    for t in (1, 2, 4):
        move.Set(gf.Vec3d(*rng.normal(size=3)), t)
        turn.Set(gf.Vec3f(*rng.uniform(-90, 90, 3)), t)
    size.Set(gf.Vec3f(1, 2, -1))
    pivot.Set(gf.Vec3d(1, 2, 3))
    world = geom.Xformable(made.GetPrimAtPath("/world"))
    geom.Xform.Define(made, "/world")
    geom.Xformable(made.GetPrimAtPath("/world")).AddOrientOp().Set(gf.Quatf(0.8, 0.6, 0, 0))
    del world
    box = geom.Cube.Define(made, "/model/box")
    geom.Xformable(box).AddTranslateOp().Set(gf.Vec3d(0, 0, 50))
    made.GetPrimAtPath("/model").SetSpecifier(usd.Stage.GetPrimAtPath(made, "/model").GetSpecifier())
    for k in range(2):
        prim = geom.Xform.Define(made, f"/copies/c{k}")
        prim.GetPrim().GetReferences().AddInternalReference("/model")
        prim.GetPrim().SetInstanceable(True)
        geom.Xformable(prim).AddTranslateOp().Set(gf.Vec3d(100 + 9 * k, 0, 0))
    geom.Imageable(made.GetPrimAtPath("/world/floor")).GetVisibilityAttr().Set("invisible", 4)
    geom.Imageable(made.GetPrimAtPath("/world/floor")).GetVisibilityAttr().Set("inherited", 1)
    many = geom.PointInstancer.Define(made, "/many")
    leaf = geom.Cube.Define(made, "/many/leaf")
    geom.Xformable(leaf).AddScaleOp().Set(gf.Vec3f(1, 2, 3))
    many.GetPrototypesRel().AddTarget("/many/leaf")
    many.GetProtoIndicesAttr().Set([0, 0, 0])
    many.GetIdsAttr().Set([7, 8, 9])
    for t in (1, 4):
        many.GetPositionsAttr().Set([gf.Vec3f(*rng.normal(size=3)) for _ in range(3)], t)
        many.GetOrientationsAttr().Set([gf.Quath(*(q / np.linalg.norm(q))) for q in rng.normal(size=(3, 4))], t)
    many.GetScalesAttr().Set([gf.Vec3f(1, 1, 2)] * 3)
    many.GetInvisibleIdsAttr().Set([8])
    made.Save()
    found = snapshots([str(path)])
    assert [f.item.time for f in found] == [1 / 24, 2 / 24, 4 / 24]
    assert found[0].names == [
        "/copies/c0/box", "/copies/c1/box", "/many[7]", "/many[9]", "/model/box", "/world/floor", "/world/tile"
    ]  # fmt: skip
    assert "/world/floor" not in found[2].names and "not proven" in str(ccd.audit.files(path).steps[1].verdict)
    again = usd.Stage.Open(str(path))
    for t, one in zip((1, 2, 4), found):
        cache = geom.XformCache(t)
        for name in ("/copies/c0/box", "/copies/c1/box", "/model/box", "/world/tile"):
            prim = again.GetPrimAtPath(name)
            matrix = np.array(cache.GetLocalToWorldTransform(prim))
            own = one.x[one.part == one.names.index(name)]
            if name.endswith("tile"):
                x = np.array(geom.Mesh(prim).GetPointsAttr().Get(t), float)
            else:
                x = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
            assert np.abs(own - (x @ matrix[:3, :3] + matrix[3, :3])).max() < 1e-12
        places = geom.PointInstancer(again.GetPrimAtPath("/many")).ComputeInstanceTransformsAtTime(t, t)
        x = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
        for row, name in ((0, "/many[7]"), (-1, "/many[9]")):
            own, matrix = one.x[one.part == one.names.index(name)], np.array(places[row])
            assert np.abs(own - (x @ matrix[:3, :3] + matrix[3, :3])).max() < 2e-2  # half precision is no rotation there


def test_skins_of_usd_are_baked(tmp_path):
    usd, geom, skel, gf, vt = (
        pytest.importorskip(f"pxr.{n}", reason="usd-core is not installed") for n in ("Usd", "UsdGeom", "UsdSkel", "Gf", "Vt")
    )
    path = tmp_path / "a.usda"
    made = usd.Stage.CreateNew(str(path))
    root = skel.Root.Define(made, "/root")
    bones = skel.Skeleton.Define(made, "/root/bones")
    bones.GetJointsAttr().Set(["a", "a/b"])
    eye = gf.Matrix4d(1)
    up = gf.Matrix4d(1).SetTranslate(gf.Vec3d(0, 0, 1))
    bones.GetBindTransformsAttr().Set(vt.Matrix4dArray([eye, up]))
    bones.GetRestTransformsAttr().Set(vt.Matrix4dArray([eye, up]))
    moves = skel.Animation.Define(made, "/root/moves")
    moves.GetJointsAttr().Set(["a/b"])
    moves.GetScalesAttr().Set(vt.Vec3hArray([gf.Vec3h(1, 1, 1)]))
    for t in (0, 1, 2):
        moves.GetTranslationsAttr().Set(vt.Vec3fArray([gf.Vec3f(0, 0, 1 + t)]), t)
        moves.GetRotationsAttr().Set(vt.QuatfArray([gf.Quatf(np.cos(t / 2), gf.Vec3f(np.sin(t / 2), 0, 0))]), t)
    mesh = geom.Mesh.Define(made, "/root/mesh")
    mesh.GetPointsAttr().Set(np.float32(TRI))
    mesh.GetFaceVertexCountsAttr().Set([3, 3])
    mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2, 3, 4, 5])
    binding = skel.BindingAPI.Apply(mesh.GetPrim())
    weights = np.linspace(0, 1, 6)
    binding.CreateJointIndicesPrimvar(False, 2).Set([0, 1] * 6)
    binding.CreateJointWeightsPrimvar(False, 2).Set(np.float32(np.column_stack([1 - weights, weights])).ravel().tolist())
    binding.CreateSkeletonRel().SetTargets(["/root/bones"])
    skel.BindingAPI.Apply(bones.GetPrim()).CreateAnimationSourceRel().SetTargets(["/root/moves"])
    geom.Xformable(root).AddTranslateOp().Set(gf.Vec3d(10, 0, 0))
    made.Save()
    found = snapshots([str(path)])
    assert [f.item.time for f in found] == [0, 1 / 24, 2 / 24]
    for t, one in enumerate(found):
        c, s = np.cos(t), np.sin(t)
        turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        bent = (TRI - [0, 0, 1]) @ turn.T + [0, 0, 1 + t]
        wanted = (1 - weights)[:, None] * TRI + weights[:, None] * bent + [10, 0, 0]
        assert np.abs(one.x - wanted).max() < 1e-5
    notes = ccd.audit.files(path).notes
    assert any("baked by UsdSkel" in n for n in notes) and any("catmullClark" in n for n in notes)


def test_what_usd_has_beside_meshes(tmp_path):
    geom = pytest.importorskip("pxr.UsdGeom", reason="usd-core is not installed")
    path = tmp_path / "a.usda"
    made = stage(path, FRAMES)
    geom.BasisCurves.Define(made, "/hair")
    guide = geom.Sphere.Define(made, "/guide")
    guide.GetPurposeAttr().Set("guide")
    made.Save()
    found = ccd.audit._files.Audited(ccd.audit.Report())
    ccd.audit._files.run(found, path, ccd.audit._read.Meaning(), None, ccd.audit._files.Settings(), None)
    assert found.left_out == {str(path): {"prims of type BasisCurves": 1, "prims whose purpose is guide": 1}}
    geom.Sphere.Define(made, "/ball")
    made.Save()
    with pytest.raises(ccd.UnsupportedError, match="/ball is a Sphere: meshes and cubes are read"):
        ccd.audit.files(path)
    made.RemovePrim("/ball")
    made.GetPrimAtPath("/world").GetReferences().AddReference("./gone.usda")
    made.Save()
    with pytest.raises(ccd.FileError, match=r"refers to .*gone\.usda, which is not there"):
        ccd.audit.files(path)


def test_usd_names_its_package(tmp_path):
    if importlib.util.find_spec("pxr") is not None:
        pytest.skip("usd-core is installed")
    path = tmp_path / "a.usda"
    path.write_text("#usda 1.0\n")
    with pytest.raises(ccd.UnsupportedError, match=r"needs usd-core: pip install usd-core"):
        ccd.audit.files(path)


# ---- Alembic


def archive(path, frames, sampling=(1 / 24, 0.5), turns=True, hidden=None):
    """A floor that rests and a tile with samples, under a transform that moves and turns; with alembic3d."""
    alembic, imath = pytest.importorskip("alembic3d"), pytest.importorskip("imath", reason="alembic3d is not installed")
    made = alembic.Abc.OArchive(str(path))
    made.addTimeSampling(alembic.AbcCoreAbstract.TimeSampling(*sampling))
    up = alembic.AbcGeom.OXform(made.getTop(), "world", 1)
    for k in range(len(frames)):
        sample = alembic.AbcGeom.XformSample()
        sample.setTranslation(imath.V3d(0.1 * k, 0, 7))
        if turns:
            sample.setRotation(imath.V3d(0, 0, 1), 30.0 * k)
        up.getSchema().set(sample)
    down = alembic.AbcGeom.OXform(up, "group", 0)
    sample = alembic.AbcGeom.XformSample()
    sample.setScale(imath.V3d(1, 2, -3))
    down.getSchema().set(sample)
    for name, rows in (("floor", slice(0, 3)), ("tile", slice(3, 6))):
        mesh = alembic.AbcGeom.OPolyMesh(down, name, 1 if name == "tile" else 0)
        if name == "tile" and hidden is not None:
            shown = alembic.AbcGeom.CreateVisibilityProperty(mesh, 1)
            for k in range(len(frames)):
                shown.setValue(0 if k in hidden else 1)
        for frame in frames if name == "tile" else frames[:1]:
            points, corners, counts = imath.V3fArray(3), imath.IntArray(3), imath.IntArray(1)
            counts[0] = 3
            for i, x in enumerate(frame[rows].tolist()):
                points[i], corners[i] = imath.V3f(*x), i
            mesh.getSchema().set(alembic.AbcGeom.OPolyMeshSchemaSample(points, corners, counts))
    return str(path)


def test_alembic_with_the_transforms_above(tmp_path):
    path = archive(tmp_path / "a.abc", FRAMES)
    found = snapshots([path])
    assert np.allclose([f.item.time for f in found], 0.5 + np.arange(5) / 24, atol=1e-9)
    assert found[0].names == ["/world/group/floor", "/world/group/tile"] and found[0].faces.tolist() == [[0, 2, 1], [3, 5, 4]]
    for k, one in enumerate(found):
        c, s = np.cos(np.pi / 6 * k), np.sin(np.pi / 6 * k)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        wanted = (np.float32(FRAMES[k]) * [1, 2, -3]) @ turn.T + [0.1 * k, 0, 7]
        assert np.abs(one.x - wanted).max() < 1e-12
        assert 0 < one.off < 1e-5
    still = archive(tmp_path / "b.abc", FRAMES, turns=False)
    assert verdicts(still) == RIGHT and main(["view", still, "-o", str(tmp_path / "page.html")]) == 1
    assert main(["check", f"{still}[4]"]) == 0
    hidden = archive(tmp_path / "c.abc", FRAMES, turns=False, hidden=[2])
    assert verdicts(hidden) == ["separate", "not proven", "not proven", "separate"]


def test_alembic_that_cannot_be_read(tmp_path):
    pytest.importorskip("alembic3d")
    (tmp_path / "a.abc").write_bytes(b"Ogawa no more")
    with pytest.raises(ccd.FileError, match=r"a\.abc"):
        ccd.audit.files(tmp_path / "a.abc")
    (tmp_path / "b.abc").write_bytes(b"nothing")
    with pytest.raises(ccd.FileError, match="is no Alembic archive"):
        ccd.audit.files(tmp_path / "b.abc")


# ---- 3MF


def test_3mf_of_lib3mf(tmp_path):
    pytest.importorskip("lib3mf")
    import lib3mf

    wrapper = lib3mf.get_wrapper()
    model = wrapper.CreateModel()
    model.SetUnit(lib3mf.ModelUnit.Inch)
    mesh = model.AddMeshObject()
    mesh.SetName("tile")
    x = np.float32(np.random.default_rng(5).normal(size=(6, 3)) * 100)
    mesh.SetGeometry(
        [lib3mf.Position((3 * ctypes.c_float)(*row)) for row in x], [lib3mf.Triangle((3 * ctypes.c_uint32)(*f)) for f in FACES]
    )
    both = model.AddComponentsObject()
    turned = wrapper.GetIdentityTransform()
    rows = np.float32([[0, 2, 0], [-1, 0, 0], [0, 0, 1], [10.5, 20.25, 30]])
    for i in range(4):
        for j in range(3):
            turned.Fields[i][j] = rows[i, j]
    both.AddComponent(mesh, wrapper.GetIdentityTransform())
    both.AddComponent(mesh, turned)
    model.AddBuildItem(both, turned)
    path = tmp_path / "a.3mf"
    model.QueryWriter("3mf").WriteToFile(str(path))
    again = wrapper.CreateModel()
    again.QueryReader("3mf").ReadFromFile(str(path))
    objects = again.GetMeshObjects()
    assert objects.MoveNext()
    stored = np.array([list(p.Coordinates) for p in objects.GetCurrentMeshObject().GetVertices()])
    (found,) = snapshots([str(path)])
    m = np.asarray(rows, float)
    once = stored @ m[:3] + m[3]
    assert found.x.shape == (12, 3)
    wanted = np.vstack([once, once @ m[:3] + m[3]])
    assert np.abs(found.x - wanted).max() <= 4 * max(found.off, 1e-4)  # lib3mf rounds what it reads to single precision
    assert any("lengths are in inches" in note for note in ccd.audit.files(path).notes)


# ---- COLLADA


def test_collada_of_pycollada(tmp_path):
    collada = pytest.importorskip("collada", reason="pycollada is not installed")
    made = collada.Collada()
    made.assetInfo.unitname, made.assetInfo.unitmeter, made.assetInfo.upaxis = "centimeter", 0.01, "Z_UP"
    points = collada.source.FloatSource("points", np.float32(TRI).ravel(), ("X", "Y", "Z"))
    shape = collada.geometry.Geometry(made, "g", "tile", [points])
    inputs = collada.source.InputList()
    inputs.addInput(0, "VERTEX", "#points")
    shape.primitives.append(shape.createTriangleSet(np.array(FACES).ravel(), inputs, "m"))
    made.geometries.append(shape)
    matrix = np.array([[0, -2, 0, 1], [1, 0, 0, 2], [0, 0, 3, 3], [0, 0, 0, 1.0]])
    nodes = [
        collada.scene.Node("a", children=[collada.scene.GeometryNode(shape)]),
        collada.scene.Node(
            "b", children=[collada.scene.GeometryNode(shape)], transforms=[collada.scene.MatrixTransform(matrix.ravel())]
        ),
    ]
    made.scenes.append(collada.scene.Scene("scene", nodes))
    made.scene = made.scenes[0]
    path = tmp_path / "a.dae"
    made.write(str(path))
    (found,) = snapshots([str(path)])
    assert found.names == ["tile (0)", "tile (1)"]
    x = np.asarray(np.float32(TRI), float)
    assert np.abs(found.x - np.vstack([x, x @ matrix[:3, :3].T + matrix[:3, 3]])).max() < 1e-6
    assert any("units of 0.01 m, and z is up" in note for note in ccd.audit.files(path).notes)
    text = path.read_text().replace(
        "<library_geometries>",
        "<library_animations><animation><channel/></animation></library_animations><library_geometries>",
        1,
    )
    path.write_text(text)
    with pytest.raises(ccd.UnsupportedError, match="has animations, which are not read"):
        ccd.audit.files(path)


# ---- Blender


@pytest.mark.long
def test_what_blender_exports_is_where_blender_has_it(tmp_path):
    from test_blender import python_with_bpy
    from test_films import mdd, obj, pc2

    program = Path(__file__).with_name("blender_films.py")
    rest = obj(tmp_path / "rest.obj", TRI)
    files = {
        "PC2": pc2(tmp_path / "cache.pc2", FRAMES, 3.0, 0.5),
        "MDD": mdd(tmp_path / "cache.mdd", FRAMES, np.arange(5) / 24),
    }
    ran = subprocess.run([python_with_bpy(), program, tmp_path], capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0 and ran.stdout.endswith("ok\n"), ran.stdout + ran.stderr
    placed = np.load(tmp_path / "caches.npz")
    for kind, path in files.items():  # the sample k is at the scene's frame k
        assert np.array_equal(placed[kind], [one.x for one in snapshots([path], rest)])

    truth = np.load(tmp_path / "truth.npz")
    for name, upright, most, options in (
        ("b.glb", False, 1e-6, {"animation": "*"}), ("b.gltf", False, 1e-6, {"animation": "*"}),
        ("b.usdc", True, 1e-6, {}), ("b.abc", False, 0.0, {}),
    ):  # fmt: skip
        found = snapshots([str(tmp_path / name)], **options)
        assert len(found) == 6 and len(found[0].names) == 3
        for k, one in enumerate(found):
            for number, body in enumerate(one.names):
                wanted = truth[f"{next(n for n in ('ball', 'bar', 'sheet') if n in body)}.{k + 1}"]
                wanted = wanted if upright else np.column_stack([wanted[:, 0], wanted[:, 2], -wanted[:, 1]])
                own = one.x[one.part == number]
                assert own.shape == wanted.shape and np.abs(own - wanted).max() <= most
        assert "passed through" in verdicts(tmp_path / name, **options)
    with pytest.raises(ccd.UnsupportedError, match="compressed by Draco"):
        ccd.audit.files(tmp_path / "draco.glb")
