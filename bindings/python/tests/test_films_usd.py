"""What moves a USD body besides its own samples: skins between samples, splines, and what shows or hides a prototype."""

import numpy as np
import pytest
from test_audit_formats import snapshots

import ccd


@pytest.fixture
def pxr():
    """The modules of usd-core."""
    names = ("Usd", "UsdGeom", "UsdSkel", "Gf")
    return [pytest.importorskip(f"pxr.{name}", reason="usd-core is not installed") for name in names]


def triangle(geom, stage, path):
    mesh = geom.Mesh.Define(stage, path)
    mesh.GetSubdivisionSchemeAttr().Set("none")
    mesh.GetFaceVertexCountsAttr().Set([3])
    mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2])
    mesh.GetPointsAttr().Set(np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    return mesh


def test_skins_are_where_usd_has_them_between_samples_of_their_joints(pxr, tmp_path):
    usd, geom, skel, gf = pxr
    path = str(tmp_path / "a.usda")
    stage = usd.Stage.CreateNew(path)
    root = skel.Root.Define(stage, "/root")
    moved = geom.Xformable(root).AddTranslateOp()
    for code in (0.5, 2.25):  # the joints have samples at 0 and 3
        moved.Set(gf.Vec3d(code, 2, 3), code)
    bones = skel.Skeleton.Define(stage, "/root/bones")
    bones.GetJointsAttr().Set(["a"])
    bones.GetBindTransformsAttr().Set([gf.Matrix4d(1)])
    bones.GetRestTransformsAttr().Set([gf.Matrix4d(1)])
    turning = skel.Animation.Define(stage, "/root/bones/turning")
    turning.GetJointsAttr().Set(["a"])
    turning.GetTranslationsAttr().Set([gf.Vec3f(0)])
    turning.GetScalesAttr().Set([gf.Vec3h(1)])
    for code, angle in ((0, 0), (3, 90)):
        turning.GetRotationsAttr().Set([gf.Quatf(gf.Rotation(gf.Vec3d(0, 0, 1), angle).GetQuat())], code)
    skel.BindingAPI.Apply(bones.GetPrim()).CreateAnimationSourceRel().SetTargets([turning.GetPath()])
    binding = skel.BindingAPI.Apply(triangle(geom, stage, "/root/skin").GetPrim())
    binding.CreateSkeletonRel().SetTargets([bones.GetPath()])
    binding.CreateJointIndicesPrimvar(False, 1).Set([0, 0, 0])
    binding.CreateJointWeightsPrimvar(False, 1).Set([1.0, 1, 1])
    stage.Save()
    found = snapshots([path])
    assert [one.item.time * 24 for one in found] == pytest.approx([0, 0.5, 2.25, 3])
    for one in found:
        code = one.item.time * 24
        c, s = np.cos(np.radians(30 * code)), np.sin(np.radians(30 * code))
        at = min(max(code, 0.5), 2.25)
        wanted = np.add([[0, 0, 0], [c, s, 0], [-s, c, 0]], [at, 2, 3])
        assert np.abs(one.x - wanted).max() < 1e-6, code
    assert usd.Stage.Open(path).GetPrimAtPath("/root/bones/turning").GetAttribute("scales").GetTimeSamples() == []


def test_splines_are_refused_and_not_taken_for_rest(pxr, tmp_path):
    usd, geom, _, _ = pxr
    path = tmp_path / "a.usda"
    path.write_text(
        '#usda 1.0\ndef Xform "body" {\n  uniform token[] xformOpOrder = ["xformOp:translateX"]\n'
        "  double xformOp:translateX.spline = {\n    1: 0; post linear,\n    5: 4; post linear,\n  }\n}\n"
    )
    stage = usd.Stage.Open(str(path))
    triangle(geom, stage, "/body/mesh")
    assert geom.Xformable(stage.GetPrimAtPath("/body")).ComputeLocalToWorldTransform(3)[3][0] == 2
    stage.Save()
    with pytest.raises(ccd.UnsupportedError, match=r"/body.xformOp:translateX is moved by a spline"):
        ccd.audit.files(str(path))


def test_a_prototype_is_hidden_by_itself_and_not_by_what_is_above_it(pxr, tmp_path):
    usd, geom, _, gf = pxr
    path = str(tmp_path / "a.usda")
    stage = usd.Stage.CreateNew(path)
    geom.Imageable(geom.Scope.Define(stage, "/prototypes")).MakeInvisible()
    triangle(geom, stage, "/prototypes/a")
    shown = triangle(geom, stage, "/prototypes/b").CreateVisibilityAttr()
    shown.Set("inherited", 1)
    shown.Set("invisible", 2)
    many = geom.PointInstancer.Define(stage, "/many")
    many.GetPrototypesRel().SetTargets(["/prototypes/a", "/prototypes/b"])
    many.GetPositionsAttr().Set([gf.Vec3f(10, 0, 0), gf.Vec3f(20, 0, 0)])
    many.GetProtoIndicesAttr().Set([0, 1])
    stage.Save()
    drawn = geom.BBoxCache(1, ["default"]).ComputeWorldBound(many.GetPrim()).ComputeAlignedRange()
    first, second = snapshots([path])
    assert first.names == ["/many[0]", "/many[1]"] and second.names == ["/many[0]"]
    assert np.array_equal([first.x.min(0), first.x.max(0)], [drawn.GetMin(), drawn.GetMax()])
    report = ccd.audit.files(path)
    assert str(report.steps[0].verdict) == "not proven"


@pytest.mark.parametrize("rate", [0.0, -24.0])
def test_time_codes_need_a_rate(rate, pxr, tmp_path):
    usd, geom, _, gf = pxr
    path = str(tmp_path / "a.usda")
    stage = usd.Stage.CreateNew(path)
    geom.Xformable(triangle(geom, stage, "/a")).AddTranslateOp().Set(gf.Vec3d(0), 1)
    stage.GetRootLayer().timeCodesPerSecond = rate
    stage.Save()
    with pytest.raises(ccd.FileError, match="time codes a second: must be above 0"):
        ccd.audit.files(path)


def test_what_was_written_since_is_read(pxr, tmp_path):
    usd, geom, _, gf = pxr
    path, part = str(tmp_path / "a.usda"), str(tmp_path / "part.usda")
    stage = usd.Stage.CreateNew(part)
    points = triangle(geom, stage, "/a").GetPointsAttr()
    stage.SetDefaultPrim(stage.GetPrimAtPath("/a"))
    stage.Save()
    outer = usd.Stage.CreateNew(path)
    outer.DefinePrim("/b").GetReferences().AddReference("part.usda")
    outer.Save()
    (first,) = snapshots([path])
    with open(part) as file:
        text = file.read()
    with open(part, "w") as file:  # another program writes, while this one has the layer
        file.write(text.replace("(1, 0, 0)", "(3, 0, 0)"))
    (second,) = snapshots([path])
    assert first.x[:, 0].max() == 1 and second.x[:, 0].max() == 3
    points.Set([gf.Vec3f(9, 0, 0)] * 3)  # not saved: the file is read, and this program's stage stays as it is
    (third,) = snapshots([path])
    assert third.x[:, 0].max() == 3 and points.Get()[0][0] == 9


@pytest.mark.filterwarnings("error")
def test_transforms_that_are_not_finite_are_an_error_alone(pxr, tmp_path):
    usd, geom, _, gf = pxr
    path = str(tmp_path / "a.usda")
    stage = usd.Stage.CreateNew(path)
    moved = geom.Xformable(triangle(geom, stage, "/a"))
    moved.AddTranslateOp().Set(gf.Vec3d(float("inf"), 0, 0))
    moved.AddScaleOp().Set(gf.Vec3f(1, 2, 3))
    stage.Save()
    with pytest.raises(ccd.FileError, match="vertex 0 is at"):
        ccd.audit.files(path)
