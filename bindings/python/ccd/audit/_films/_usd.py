"""USD: the meshes of a stage at the times at which something in it has samples, through usd-core.

Points are those of the attribute at a time (`Get`), never extrapolated by velocities. Coordinates are those of the stage, in
its unit and with its up axis. Instances are bodies of their own, and skins are baked by UsdSkel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._packages import package
from ._film import HALF, Ball, Film, Shape, matrix_of, turned_corners

_SHARES = {"PrecisionDouble": 0.0, "PrecisionFloat": HALF, "PrecisionHalf": 2.0**-11}
_LINES = ("BasisCurves", "NurbsCurves", "HermiteCurves", "Points")  # no surface: left out and counted
_MESHES = ("Mesh", "TetMesh", "Cube")
_UNITS = {1.0: "meters", 0.01: "centimeters", 0.001: "millimeters", 1e-6: "micrometers", 0.0254: "inches", 0.3048: "feet"}


@dataclass
class _Body:
    prim: Any
    instance: tuple[Any, int] | None = None  # an instancer, and a row of its arrays


class USD(Film):
    """The visible meshes of a stage whose purpose is default or render."""

    def __init__(self, path: str):
        super().__init__(path)
        names = ("Usd", "UsdGeom", "UsdSkel", "UsdUtils", "Gf")
        self.usd, self.geom, self.skel, utils, self.gf = (package(f"pxr.{name}", path, "usd-core") for name in names)
        with files.reading(path):
            missing = [str(one) for one in utils.ComputeAllDependencies(path)[2]]
            if scenes := [one for one in missing if one.lower().endswith((".usd", ".usda", ".usdc", ".usdz", ".abc"))]:
                raise FileError(f"{path} refers to {scenes[0]}, which is not there")
            self.stage = self.usd.Stage.Open(path)
            rate = float(self.stage.GetTimeCodesPerSecond())
            if not rate > 0:
                raise FileError(f"{path} has {rate:g} time codes a second: must be above 0")
            self._prepare()
            codes = self._walked()
        self.codes = codes
        self.times = [code / rate for code in codes] if codes else [None]
        self._rows: tuple[int, dict[str, _Body]] = (-1, {})
        self._mirrored: dict[str, bool] = {}
        self._remark(codes)

    # ---- the stage

    def _prepare(self) -> None:
        """Make instances bodies of their own, and bake skins, in the session: the file stays as it is."""
        stage = self.stage
        stage.SetEditTarget(stage.GetSessionLayer())
        while shared := [prim for prim in self._all() if prim.IsInstance()]:
            for prim in shared:
                prim.SetInstanceable(False)
        self._refuse_splines()
        roots = [prim for prim in stage.Traverse() if prim.IsA(self.skel.Root)]
        self.baked = [str(prim.GetPath()) for prim in roots]
        if roots:
            self._sample_skins(self._walked())
        for prim in roots:
            if not self.skel.BakeSkinning(self.usd.PrimRange(prim), self.gf.Interval.GetFullInterval()):
                raise UnsupportedError(f"{self.path}: the skins under {prim.GetPath()} cannot be baked by UsdSkel")

    def _all(self) -> list[Any]:
        """All prims, also what `over` holds, as programs write prototypes."""
        return list(self.usd.PrimRange.Stage(self.stage, self.usd.PrimIsActive & self.usd.PrimIsLoaded))

    def _refuse_splines(self) -> None:
        """Refuse curves of animation: they have no samples, and at the default time no value."""
        for prim in self._all():
            for attribute in prim.GetAuthoredAttributes():
                moves = attribute.GetName().startswith("xformOp:") or prim.IsA(self.geom.Gprim)
                if moves and not prim.IsA(self.geom.Camera) and getattr(attribute, "HasSpline", bool)():
                    raise UnsupportedError(
                        f"{self.path}: {attribute.GetPath()} is moved by a spline, which is not read: write time samples"
                    )

    def _sample_skins(self, codes: list[float]) -> None:
        """Give animations of skeletons a sample at each time code of the stage: a skin is baked at its samples alone.

        Between two samples the points of a baked skin move on lines, and not as the joints turn.
        """
        found = []
        for prim in self._all():
            if prim.IsA(self.skel.Animation):
                one = self.skel.Animation(prim)
                found += [
                    one.GetTranslationsAttr(), one.GetRotationsAttr(), one.GetScalesAttr(), one.GetBlendShapeWeightsAttr()
                ]  # fmt: skip
        every = sorted({*codes, *(code for attribute in found for code in attribute.GetTimeSamples())})
        for attribute in found:
            values = [(code, attribute.Get(code)) for code in every]
            for code, value in values:
                if value is not None:
                    attribute.Set(value, code)

    def _walked(self) -> list[float]:
        """Find the bodies, and the time codes at which they have samples."""
        self.bodies, self.instancers, self._inners = dict[str, _Body](), list[Any](), dict[str, list[Any]]()
        self.left_out.clear()
        self._walk()
        return self._codes()

    def _walk(self) -> None:
        geom, walk = self.geom, iter(self.usd.PrimRange(self.stage.GetPseudoRoot()))
        for prim in walk:
            if prim.IsA(geom.PointInstancer):
                walk.PruneChildren()
                if self._counts(prim):
                    self._check_prototypes(prim)
                    self.instancers.append(prim)
            elif self._counts(prim) and self._is_read(prim):
                self.bodies[str(prim.GetPath())] = _Body(prim)

    def _counts(self, prim: Any, top: Any = None) -> bool:
        """Whether a prim has a shape that is seen at some time. What is above a prototype, `top`, does not hide it."""
        if not prim.IsA(self.geom.Gprim) and not prim.IsA(self.geom.PointInstancer):
            return False
        purpose = str(self.geom.Imageable(prim).ComputePurpose())
        if purpose not in ("default", "render"):
            self.leave(f"prims whose purpose is {purpose}")
            return False
        one = prim
        while one and one.IsA(self.geom.Imageable):
            shown = self.geom.Imageable(one).GetVisibilityAttr()
            if not shown.GetNumTimeSamples() and shown.Get() == "invisible":
                self.leave("invisible prims")
                return False
            if one == top:
                break
            one = one.GetParent()
        return True

    def _shown(self, prim: Any, top: Any, code: Any) -> bool:
        """Whether nothing from a prim up to its prototype hides it at a time."""
        while prim:
            if prim.IsA(self.geom.Imageable) and self.geom.Imageable(prim).GetVisibilityAttr().Get(code) == "invisible":
                return False
            if prim == top:
                break
            prim = prim.GetParent()
        return True

    def _is_read(self, prim: Any) -> bool:
        kind = str(prim.GetTypeName())
        if kind in _LINES:
            self.leave(f"prims of type {kind}")
            return False
        if kind not in _MESHES:
            raise UnsupportedError(
                f"{self.path}: {prim.GetPath()} is a {kind}: meshes and cubes are read; make it a mesh, or invisible"
            )
        return True

    def _check_prototypes(self, instancer: Any) -> None:
        for prim in self._prototypes(instancer):
            for inner in self.usd.PrimRange(prim):
                if inner.IsA(self.geom.PointInstancer):
                    raise UnsupportedError(
                        f"{self.path}: {inner.GetPath()} is an instancer within an instancer, which is not read"
                    )

    def _prototypes(self, instancer: Any) -> list[Any]:
        rel = self.geom.PointInstancer(instancer).GetPrototypesRel()
        return [self.stage.GetPrimAtPath(target) for target in rel.GetForwardedTargets()]

    def _inner(self, prototype: Any) -> list[Any]:
        """The meshes under a prototype."""
        key = str(prototype.GetPath())
        if key not in self._inners:
            found = [prim for prim in self.usd.PrimRange(prototype) if prim.IsA(self.geom.Gprim)]
            self._inners[key] = [prim for prim in found if self._counts(prim, prototype) and self._is_read(prim)]
            if not found:
                self.leave("prototypes without meshes")
        return self._inners[key]

    # ---- times

    def _codes(self) -> list[float]:
        """The time codes at which something that is read has one of several samples; what has one holds at all times."""
        found: set[float] = set()
        self.own: set[tuple[float, ...]] = set()  # the samples of points and transforms
        self._single: list[float] = []
        prims = [body.prim for body in self.bodies.values()]
        for instancer in self.instancers:
            one = self.geom.PointInstancer(instancer)
            for attribute in (
                one.GetPositionsAttr(), one.GetOrientationsAttr(), one.GetScalesAttr(), one.GetProtoIndicesAttr(),
                one.GetInvisibleIdsAttr(), one.GetIdsAttr(), *self._finer(one),
            ):  # fmt: skip
                self._add(found, attribute.GetTimeSamples(), False)
            prims += [instancer, *(prim for proto in self._prototypes(instancer) for prim in self._inner(proto))]
        seen = set()
        for prim in prims:
            if prim.IsA(self.geom.Mesh):
                mesh = self.geom.Mesh(prim)
                for attribute in (mesh.GetPointsAttr(), mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr()):
                    self._add(found, attribute.GetTimeSamples())
            elif prim.IsA(self.geom.PointBased):
                self._add(found, self.geom.PointBased(prim).GetPointsAttr().GetTimeSamples())
            elif prim.IsA(self.geom.Cube):
                self._add(found, self.geom.Cube(prim).GetSizeAttr().GetTimeSamples())
            while prim and prim.GetPath() not in seen:
                seen.add(prim.GetPath())
                if prim.IsA(self.geom.Imageable):
                    self._add(found, self.geom.Imageable(prim).GetVisibilityAttr().GetTimeSamples(), False)
                if prim.IsA(self.geom.Xformable):
                    self._add(found, self.geom.Xformable(prim).GetTimeSamples())
                prim = prim.GetParent()
        return sorted(found) or sorted(self._single)[:1]

    def _add(self, found: set[float], times: Any, moves: bool = True) -> None:
        if len(times) < 2:
            self._single += list(times)
            return
        found.update(times)
        if moves:
            self.own.add(tuple(times))

    def _finer(self, instancer: Any) -> list[Any]:
        """The attribute of orientations in single precision, where usd-core has it."""
        get = getattr(instancer, "GetOrientationsfAttr", None)
        return [] if get is None else [get()]

    def _remark(self, codes: list[float]) -> None:
        unit, up = float(self.geom.GetStageMetersPerUnit(self.stage)), str(self.geom.GetStageUpAxis(self.stage))
        self.say(f"lengths are in {_UNITS.get(unit, f'units of {unit:g} m')}, and {up.lower()} is up, as in the file")
        schemes: dict[str, int] = {}
        velocities = False
        for body in self.bodies.values():
            if body.prim.IsA(self.geom.Mesh):
                scheme = str(self.geom.Mesh(body.prim).GetSubdivisionSchemeAttr().Get())
                schemes[scheme] = schemes.get(scheme, 0) + 1
            if body.prim.IsA(self.geom.PointBased):
                velocities = velocities or self.geom.PointBased(body.prim).GetVelocitiesAttr().HasAuthoredValue()
        for scheme, count in sorted(schemes.items()):
            if scheme != "none":
                self.say(f"{count:,} meshes are subdivision surfaces ({scheme}): their control cages are read")
        if self.baked:
            self.say("skins are baked by UsdSkel, in single precision; the rounding of weights and joints is not counted")
        if velocities:
            self.say("velocities are not used: points are those of the samples")
        if len(self.own) > 1:
            self.say("bodies have samples at times of their own: between two of them USD interpolates linearly")
        gaps = np.diff(codes)
        if len(gaps) > 1 and all(float(code).is_integer() for code in codes) and (gaps != gaps[0]).any():
            self.say("time codes are whole and uneven: the program may have rounded times down to frames, and left states out")

    # ---- frames

    def _code(self, k: int) -> Any:
        return self.usd.TimeCode(self.codes[k]) if self.codes else self.usd.TimeCode.Default()

    def _there(self, k: int) -> dict[str, _Body]:
        """The bodies of a frame, by name."""
        if self._rows[0] == k:
            return self._rows[1]
        code = self._code(k)
        found = {
            name: body
            for name, body in self.bodies.items()
            if self.geom.Imageable(body.prim).ComputeVisibility(code) != "invisible"
        }
        for instancer in self.instancers:
            if self.geom.Imageable(instancer).ComputeVisibility(code) == "invisible":
                continue
            one = self.geom.PointInstancer(instancer)
            indices, positions = one.GetProtoIndicesAttr().Get(code), one.GetPositionsAttr().Get(code)
            if indices is None or positions is None or len(indices) != len(positions):
                counts = [0 if a is None else len(a) for a in (indices, positions)]
                raise FileError(f"{self.path}: {instancer.GetPath()} has {counts[0]} indices and {counts[1]} positions")
            ids, mask = one.GetIdsAttr().Get(code), one.ComputeMaskAtTime(code)
            ids = list(range(len(indices))) if not ids else list(ids)
            if len(ids) != len(indices) or len(set(ids)) != len(ids):
                raise FileError(f"{self.path}: {instancer.GetPath()} has {len(set(ids))} ids for {len(indices)} instances")
            inner = [(proto, self._inner(proto)) for proto in self._prototypes(instancer)]
            for row, (number, key) in enumerate(zip(indices, ids)):
                if mask and not mask[row]:
                    continue
                if not 0 <= number < len(inner):
                    raise FileError(f"{self.path}: {instancer.GetPath()} names prototype {number} of {len(inner)}")
                proto, prims = inner[number]
                for prim in prims:
                    if not self._shown(prim, proto, code):
                        continue
                    below = str(prim.GetPath())[len(str(proto.GetPath())) :]
                    found[f"{instancer.GetPath()}[{key}]{below}"] = _Body(prim, (instancer, row))
        self._rows = k, found
        return found

    def names(self, k: int) -> list[str]:
        """The bodies that are visible."""
        return list(self._there(k))

    def shape(self, k: int, name: str) -> Shape:
        """A body in a frame."""
        body, code = self._there(k)[name], self._code(k)
        x, ball, corners, sizes = self._local(body.prim, code)
        top = None
        if body.instance is not None:
            top = next(p for p in self._prototypes(body.instance[0]) if body.prim.GetPath().HasPrefix(p.GetPath())).GetParent()
        matrix, ball = self._chain(body.prim, code, ball, top)
        if body.instance is not None:
            outer, ball = self._instance(*body.instance, code, ball)
            matrix = outer @ matrix
        mirrored = self._mirrored.setdefault(name, bool(np.linalg.det(matrix[:3, :3]) < 0))
        left = self.geom.Gprim(body.prim).GetOrientationAttr().Get() == "leftHanded"
        if mirrored != left:
            corners = turned_corners(corners, sizes)
        return Shape(x @ matrix[:3, :3].T + matrix[:3, 3], corners, sizes, off=ball.off)

    def _local(self, prim: Any, code: Any) -> tuple[NDArray[np.float64], Ball, NDArray[np.int32], NDArray[np.int32]]:
        """The points and polygons of a prim."""
        if prim.GetTypeName() == "Cube":
            half = float(self.geom.Cube(prim).GetSizeAttr().Get(code)) / 2
            x = half * np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64)
            sides = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3]
            return x, Ball.of(x, 0.0), np.array(sides, np.int32), np.full(6, 4, np.int32)
        attribute = self.geom.PointBased(prim).GetPointsAttr()
        points = attribute.Get(code)
        x = np.zeros((0, 3)) if points is None else np.array(points, np.float64).reshape(-1, 3)
        ball = Ball.of(x, HALF)
        for value in self._stored(attribute, code)[1:]:
            ball = max(ball, Ball.of(np.array(value, np.float64).reshape(-1, 3), HALF), key=lambda one: one.off)
        if prim.IsA(self.geom.TetMesh):
            faces = np.array(self.geom.TetMesh.ComputeSurfaceFaces(self.geom.TetMesh(prim), code), np.int32).reshape(-1, 3)
            return x, ball, faces.reshape(-1), np.full(len(faces), 3, np.int32)
        mesh = self.geom.Mesh(prim)
        corners, sizes = (
            np.array(() if values is None else values, np.int32)
            for values in (mesh.GetFaceVertexIndicesAttr().Get(code), mesh.GetFaceVertexCountsAttr().Get(code))
        )
        holes = mesh.GetHoleIndicesAttr().Get(code)
        if holes and len(corners) == sizes.sum():
            kept = np.ones(len(sizes), bool)
            kept[[hole for hole in holes if 0 <= hole < len(sizes)]] = False
            corners, sizes = corners[np.repeat(kept, sizes)], sizes[kept]
        return x, ball, corners, sizes

    def _stored(self, attribute: Any, code: Any) -> list[Any]:
        """The samples that the value at a time is made of."""
        if code.IsDefault() or attribute.GetNumTimeSamples() < 2:
            return [attribute.Get(code)]
        found = attribute.GetBracketingTimeSamples(code.GetValue())
        times = sorted({float(t) for t in (found[-2:] if isinstance(found, tuple) else [])})
        return [attribute.Get(t) for t in times] or [attribute.Get(code)]

    def _chain(self, prim: Any, code: Any, ball: Ball, top: Any = None) -> tuple[NDArray[np.float64], Ball]:
        """The matrix from a prim to the world, or to the prim above all that count, and what it does to a ball."""
        matrix = np.eye(4)
        while prim and not prim.IsPseudoRoot() and prim != top:
            form = self.geom.Xformable(prim)
            if form:
                for op in reversed(form.GetOrderedXformOps()):
                    step = np.array(op.GetOpTransform(code), np.float64).T
                    if not np.array_equal(step[3], [0, 0, 0, 1]):
                        raise FileError(f"{self.path}: {prim.GetPath()} has a projective transform")
                    ball = self._through(op, code, step, ball)
                    matrix = step @ matrix
                if form.GetResetXformStack():
                    break
            prim = prim.GetParent()
        return matrix, ball

    def _through(self, op: Any, code: Any, step: NDArray[np.float64], ball: Ball) -> Ball:
        share, kind = _SHARES[op.GetPrecision().name.rpartition(".")[2]], op.GetOpType().name
        values = [one for one in self._stored(op.GetAttr(), code) if one is not None]
        if kind.startswith("TypeRotate"):
            return ball.turned(2.1 * share * max((float(np.abs(np.radians(np.array(v))).sum()) for v in values), default=0.0))
        if kind == "TypeOrient":
            return ball.turned(3.0 * share)
        if kind.startswith("TypeTranslate"):
            moved = ball.moved(step[:3, 3], 0.0)
            size = max((float(np.linalg.norm(np.array(v, np.float64))) for v in values), default=0.0)
            return Ball(moved.reach, moved.off + share * size)
        if kind.startswith("TypeScale"):
            return ball.scaled(np.diag(step)[:3], 2 * share)
        return ball.mapped(step, share)

    def _instance(self, instancer: Any, row: int, code: Any, ball: Ball) -> tuple[NDArray[np.float64], Ball]:
        """The matrix of one instance. Its quaternion is brought to length 1: half precision is not."""
        one, matrix = self.geom.PointInstancer(instancer), np.eye(4)
        scales = one.GetScalesAttr().Get(code)
        if scales:
            scale = np.array(scales[row], np.float64)
            matrix[:3, :3] *= scale
            ball = ball.scaled(scale, HALF)
        for attribute, share in [(a, HALF) for a in self._finer(one)] + [(one.GetOrientationsAttr(), 2.0**-11)]:
            turns = attribute.Get(code)
            if turns:
                turn = turns[row]
                value = np.array([*turn.GetImaginary(), turn.GetReal()], np.float64)
                if np.linalg.norm(value) < 0.5:
                    raise FileError(f"{self.path}: orientation {row} of {instancer.GetPath()} is no unit quaternion")
                matrix[:3, :3] = matrix_of(value) @ matrix[:3, :3]
                ball = ball.turned(3.0 * share)
                break
        at = np.array(one.GetPositionsAttr().Get(code)[row], np.float64)
        matrix[:3, 3] = at
        outer, ball = self._chain(instancer, code, ball.moved(at, HALF))
        return outer @ matrix, ball
