"""Every public function with everything a caller may get wrong, one argument at a time, and with every form of what is right.

What is right gives the same answer in whatever form it comes. What is wrong is a ccd.Error (a ValueError or an IndexError, too)
that names the argument. Nothing warns, prints, hangs or crashes.
"""

import array
import importlib.util
import warnings

import numpy as np
import pytest

import ccd
from ccd import broad, pair, patch, proximity, rigid, robot, step, verify, view, volume

FACES = np.array([[0, 1, 2], [3, 4, 5]])
EDGES = np.array([[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]])
X0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 4], [2, 1, 8], [1, 2, 8]], float)
X1 = X0 - [0, 0, 8] * (np.arange(6)[:, None] >= 3)
Q = np.array([[1, 1, 4], [0, 0, 2], [4, 0, 2], [0, 4, 2], [1, 1, 0], [0, 0, 2], [4, 0, 2], [0, 4, 2]], float)
V0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [4, 4, 4]], float)
V1 = np.array([[4, 4, 4], [4, 0, 0], [0, 4, 0], [0, 0, 4], [4, 4, 4]], float)
P0 = np.array([[0, 0, 0], [0, 4, 0], [4, 0, 0], [4, 4, 0]], float)
ABOVE, BELOW = P0 + np.array([0, 0, 4]), P0 - np.array([0, 0, 4])
TETRAHEDRA = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
QUAD = patch.Form.quad(1, 1)


class Foreign:
    """What gives NumPy an array: a tensor, say."""

    def __init__(self, x):
        self.x = x

    def __array__(self, dtype=None, copy=None):
        if self.x is None:
            raise RuntimeError("cannot convert a tensor that requires a gradient")
        return self.x if dtype is None else self.x.astype(dtype)


# ---- values


def forms(x):
    """The same numbers in other forms."""
    yield from (np.asfortranarray(x), np.ascontiguousarray(x[::-1])[::-1], np.repeat(x, 3, axis=0)[::3], x.tolist(), list(x))
    yield from (x.astype(x.dtype.newbyteorder(">")), memoryview(np.ascontiguousarray(x)), Foreign(x), np.ma.masked_array(x))
    readonly = x.copy()
    readonly.flags.writeable = False
    yield readonly
    for dtype in "bBhHiIqQefdg" if x.dtype.kind == "f" else "bBhHiIqQ" if x.dtype.kind == "i" else "bB":
        if np.array_equal(x.astype(dtype).astype(x.dtype), x):
            yield x.astype(dtype)
    if x.ndim == 1 and x.dtype.kind in "if":
        yield array.array("d" if x.dtype.kind == "f" else "q", x.tolist())


def no_arrays():
    yield from (object(), {}, {1}, len, "abc", b"abc", [[1, 2, 3], [1, 2]], Foreign(None), np.zeros((2, 3), "M8[s]"))


def wrong_field(x, name, value):
    out = x.copy()
    out[name] = value
    return out


def changed(x, value, dtype=None):
    out = x.astype(dtype or x.dtype)
    out.reshape(-1)[-1] = value
    return out


def masked(x):
    return np.ma.masked_array(x, mask=changed(np.zeros(x.shape, bool), True))


def no_numbers(x):
    """No array of numbers, or one of others."""
    yield from no_arrays()
    yield from (x.astype(str), x.astype(object), x.astype(complex), x.astype(bool), np.float64(1), masked(x))
    yield from (changed(x, value) for value in (np.nan, np.inf, -np.inf, 1e200))


def no_points(x):
    """Not (n, 3) coordinates, or not those of as many points."""
    yield from no_numbers(x)
    yield from (x.ravel(), np.hstack([x, x]), x[None], np.empty((len(x), 0)), np.empty((0, 0, 3)), None)
    yield from (x[:-1], x[:0], np.vstack([x, x]))


def no_indices(x):
    """No array of integers, or one with an index that is out of range."""
    yield from no_arrays()
    yield from (x.astype(str), x.astype(object), x.astype(float), x.astype(bool), x.astype(complex), masked(x))
    for value in (-1, 100, 2**31, 2**32, 2**40, 2**63 - 1, -(2**63)):
        yield changed(x, value, np.int64)
    yield changed(x, 2**64 - 1, np.uint64)
    yield [[2**70] * 3]


def no_ids(x):
    """No array of ids for the vertices; negative ones stand for none."""
    yield from no_arrays()
    yield from (x.astype(str), x.astype(object), x.astype(float), x.astype(bool), x.astype(complex), masked(x), x[None], x[:-1])
    for value in (100, 2**31, 2**63 - 1, -(2**63)):
        yield changed(x, value, np.int64)


def no_flags(x):
    yield from no_arrays()
    yield from (x.astype(str), x.astype(object), x.astype(float), np.bool_(True), masked(x), x[None], x[:-1], [2] * len(x))


def no_radii(x):
    yield from (x.astype(str), x.astype(object), x.astype(complex), x.astype(bool), masked(x), x[None], x[:-1], "1")
    yield from (np.nan, -1.0)
    for value in (np.nan, np.inf, -np.inf, -1e-300, 1e151):
        yield changed(x, value)


def no_number(x):
    yield from no_arrays()
    yield from (None, "1", b"1", 1j, np.complex128(1), True, np.bool_(True), np.ones(1), [1.0], np.nan, 10**400)


def no_tolerance(x):
    """None is the call's default."""
    yield from (value for value in no_number(x) if value is not None)
    yield from (0, -1.0)


def no_integer(x):
    yield from no_arrays()
    yield from (None, "1", 1.0, 1.5, np.float64(1), True, np.ones(1), np.ones(1, int), 2**64, 2**64 + 1, -(2**64), np.nan, 1j)


def no_choice(x):
    yield from no_arrays()
    yield from (None, "", "vff", -1, 99, 1.0, True, [1], 2**64, np.nan)


def no_object(x):
    yield from no_arrays()
    yield from (None, 0, 1.5)


def no_text(x):
    yield from (None, 1, b"abc", [], {}, len, np.zeros(3), object())


def no_flag(x):
    """Neither true nor false; text and arrays would be taken for one of them."""
    yield from (None, 2, -1, 1.0, "", "abc", [], {}, np.zeros(3), np.ones(1, bool), len, object())


def no_pairs(x):
    """Pairs of no mesh, whose indices are not compared with one."""
    yield from (*no_arrays(), x.astype(float), x.astype(str), x[None], x.ravel(), masked(x), [[2**70] * 2])


def no_records(x):
    """What is no array of impacts, and impacts whose kind or index is wrong."""
    yield from (None, 3, "abc", {}, [[3, 0]], np.zeros(3), x["a"], x[None])
    for field, value in (("kind", 0), ("kind", 9), ("a", -2), ("a", 6), ("b", 2), ("b", 2**40)):
        bad = x.copy()
        bad[field][-1] = value
        yield bad


# ---- calls: a function, and for each argument what is right, and what is not


def calls():
    mesh, body = ccd.Mesh(FACES, vertices=6), rigid.Body(X0[:3], [[0, 1, 2]])
    still, down = rigid.Motion(), rigid.Motion(position=(0, 0, 4), velocity=(0, 0, -8))
    motions = np.frombuffer(bytes(still._c()) + bytes(down._c()), rigid.motion_dtype)
    tetrahedra, sheet = volume.Volume(5, "tetrahedron", TETRAHEDRA), patch.Body(4, QUAD, [0, 1, 2, 3])
    model = patch.Model(P0, [QUAD], np.arange(4, dtype=np.int32), None, 0.0)
    hits, pairs = step.collisions(mesh, X0, X1), broad.candidates(mesh, X0, X1)
    answers = verify.Answers(np.ones(2, bool), np.zeros(2))
    rows = verify.Answers(np.ones(1, bool), np.zeros(1), np.array([1], np.int32), np.array([[3, 0]]))
    on_mesh, frames = {"mesh": (mesh, no_object)}, {"x0": (X0, no_points), "x1": (X1, no_points)}
    kind, share = {"kind": ("vf", no_choice)}, {"pairs": (np.array([[3, 0]]), no_indices)}

    def page(name, *before):
        def call(**arguments):
            made = view.Page("page")
            for method, given in before:
                getattr(made, method)(*given)
            getattr(made, name)(**arguments)
            return made.html()

        return call

    yield lambda **a: ccd.Mesh(vertices=6, **a).counts, {"faces": (FACES, no_indices), "edges": (EDGES, no_indices)}
    yield lambda **a: ccd.Mesh(FACES, **a).counts, {"vertices": (6, lambda x: [v for v in no_integer(x) if v is not None])}
    yield lambda **a: ccd.Mesh(FACES).set_static(**a), {"static": (np.zeros(6, bool), no_flags)}
    yield lambda **a: ccd.Mesh(FACES).set_radii(**a), {"radii": (np.ones(6), no_radii)}
    yield lambda **a: ccd.Mesh(FACES).set_excluded(**a), kind | {"pairs": (np.array([[0, 1]]), no_indices)}
    listed = (step.collisions, step.intervals, step.activeset, lambda **a: len(broad.candidates(**a)))
    for call in (step.earliest, step.size, step.clearance, *listed):
        yield call, on_mesh | frames
    yield lambda pairs: len(broad.alone(pairs)), {"pairs": (np.array([[3, 0]]), no_pairs)}
    yield lambda **a: step.linesearch(min_separation=0.5, **a), on_mesh | frames | {"keep_ratio": (0.5, no_number)}
    yield step.advance, on_mesh | frames | {"share": (0.5, no_number)}
    yield lambda share, **a: pairs.step(**a).advance(share), frames | {"share": (0.5, no_number)}
    sizes = {"groups": (np.zeros(6, int), no_ids), "share": (0.5, no_number), "keep_ratio": (0.5, no_number)}
    yield step.sizes, on_mesh | frames | sizes | {"max_passes": (9, no_integer)}
    for call in (step.pairs, step.pairs_intervals):
        yield call, on_mesh | frames | kind | share
    yield step.gradients, on_mesh | frames | {"impacts": (hits, no_records)}
    active = {"active": (step.activeset(mesh, X0, X1), no_object)}
    mass = {"inverse_mass": (np.ones(6), no_radii)}
    yield step.effective_mass, active | mass
    yield step.colors, active | mass | {"n": (6, no_integer)}
    yield step.tangents, {"normals": (np.eye(3), lambda x: [*no_numbers(x), x.ravel(), np.hstack([x, x]), x[None], 0 * x])}
    if importlib.util.find_spec("scipy"):
        yield step.jacobian, active | {"n": (6, no_integer), "frame": ("contact", no_choice)}
    yield lambda **a: step.Step(**a).earliest(), on_mesh | frames
    for name in ("earliest", "collisions", "intervals", "size"):
        yield lambda name=name, **a: getattr(pairs.step(**a), name)(), {"x0": (X0, no_numbers), "x1": (X1, no_numbers)}
    for call in (proximity.intersections, proximity.intersects, proximity.distance):
        yield call, on_mesh | {"x": (X0, no_points)}
    yield proximity.near, on_mesh | {"x": (X0, no_points), "d": (8.0, no_number)}
    yield pair.vertex_face, {"q": (Q, no_numbers)}
    yield pair.clearance, kind | {"q": (Q.ravel(), no_numbers)}
    for call in (step.intervals, step.clearance, step.gradients, pair.intervals, pair.clearance, pair.gradients):
        of_step = call.__module__.startswith("ccd.step.")
        given = {"mesh": mesh, "x0": X0, "x1": X1} if of_step else {"kind": "vf", "q": Q.ravel()}
        given |= {"impacts": hits} if call is step.gradients else {}
        for name, value, wrong in (
            ("min_separation", 0.0, no_number), ("t_max", 1.0, no_number), ("threads", 1, no_integer),
            ("method", "exact", no_choice),
        ):  # fmt: skip
            yield lambda call=call, given=given, **a: call(**given, **a), {name: (value, wrong)}
    for call in (pair.solve, pair.intervals, pair.gradients):
        yield call, kind | {"q": (np.stack([Q.ravel()] * 2), no_numbers)}
    for name, value, wrong in (
        ("min_separation", 0.5, no_number), ("tolerance", 1e-6, no_tolerance), ("t_max", 1.0, no_number),
        ("norm", "max", no_choice), ("device", "cpu", no_choice),
        ("threads", 1, no_integer), ("max_iterations", 1000, no_integer), ("memory_limit", 2**30, no_integer),
        ("scene_bound", np.full(3, 8.0), no_numbers), ("method", "exact", no_choice),
        ("no_zero_toi", True, no_flag), ("brute_force", False, no_flag), ("check_start", True, no_flag),
        ("stats", ccd.Stats(), lambda x: [0, "abc", {}]), ("progress", lambda x: None, lambda x: [0, "abc", {}]),
    ):  # fmt: skip
        yield lambda **a: step.collisions(mesh, X0, X1, **a), {name: (value, wrong)}

    two = {"a": (body, no_object), "b": (body, no_object)}
    yield lambda **a: repr(rigid.Body(**a)), {"vertices": (X0, no_numbers), "faces": (FACES, no_indices)}
    yield rigid.earliest, two | {"ma": (still, no_object), "mb": (down, no_object)}
    yield rigid.earliest_batch, two | {"ma": (motions[:1], no_object), "mb": (motions[1:], no_object)}
    many = {"bodies": ([body, body], no_object), "motions": ([still, down], no_object)}
    groups = {"groups": (np.array([0, 1]), lambda x: [1.5, [0.0, 1.0], [0], "ab", [2**40, 0]])}
    for call in (rigid.scene_earliest, rigid.scene_collisions):
        yield call, many | groups | {"skip": (np.array([[0, 0]]), no_indices)}
    for call in (rigid.mesh_earliest, rigid.mesh_collisions):
        yield call, many | on_mesh | frames
    yield rigid.motion_pose, {"motion": (down, no_object), "t": (0.5, no_number)}
    line = {"rotation": np.array([1.0, 0, 0, 0]), "position": np.zeros(3)}
    line |= {"axis_point": np.eye(3)[0], "angular_velocity": np.eye(3)[2]}
    yield rigid.motion_screw, {name: (x, no_numbers) for name, x in line.items()} | {"speed": (1.0, no_number)}
    begin, end = rigid.motion_pose(still, 0.0), rigid.motion_pose(down, 1.0)
    yield lambda **a: rigid.motion_between(begin, end, **a), {"duration": (1.0, no_number)}
    yield lambda **a: rigid.motion_between(end=end, **a), {"start": (begin, no_object)}
    for call in (down.at, down.back):
        yield call, {"t": (0.5, no_number), "points": (X0, no_numbers)}
    for name in ("rotation", "position", "velocity", "angular_velocity", "pivot"):
        value = np.array([1.0, 0, 0, 0] if name == "rotation" else [1.0, 2, 3])
        yield lambda **a: rigid.earliest(body, rigid.Motion(**a), body, down), {name: (value, no_numbers)}
    for name, value, wrong in (
        ("t_min", 0.0, no_number), ("t_max", 1.0, no_number), ("min_separation", 1e-3, no_number),
        ("tolerance", 1e-3, no_tolerance), ("max_iterations", 1000, no_integer), ("method", "d2m", no_choice),
        ("norm", "euclidean", no_choice), ("ignore_separating", True, no_flag),
    ):  # fmt: skip
        yield lambda **a: rigid.earliest(body, still, body, down, **a), {name: (value, wrong)}
    yield lambda **a: pair.vertex_face(Q, **a), {"apart_at_toi": (True, no_flag)}

    one = lambda n=5: volume.Volume(n, "tetrahedron", TETRAHEDRA[:1])  # noqa: E731
    kinds = {"elements": (np.array([10, 10]), no_indices)}
    yield lambda **a: volume.Volume(**a).counts, {"vertices": (5, no_integer), "corners": (TETRAHEDRA, no_indices)} | kinds
    yield lambda **a: one().add(**a), {"elements": ("tetrahedron", no_object), "corners": (TETRAHEDRA[1:], no_indices)}
    yield lambda **a: one().add_vertices(**a), {"origins": (np.array([0, 1]), lambda x: [changed(x, 7), x + 0.5, None, "ab"])}
    yield lambda **a: one().remove(**a), {"elements": (np.array([0]), no_indices)}
    yield lambda **a: volume.Volume(5, "tetrahedron", TETRAHEDRA).set_radii(**a), {"radii": (np.ones(5), no_radii)}
    yield lambda **a: volume.Volume(5, "tetrahedron", TETRAHEDRA).split(**a), {
        "vertex": (1, no_integer), "elements": (np.array([0]), no_indices),
    }  # fmt: skip
    yield lambda **a: one(6).merge(**a), {"source": (0, no_integer), "into": (5, no_integer)}
    for call in (volume.earliest, volume.collisions):
        yield call, {
            "volume": (tetrahedra, no_object), "x0": (V0, no_numbers), "x1": (V1, no_numbers), "method": ("volccd", no_choice),
            "pair_classes": ("within-object", lambda x: [None, len, 1.5, "abc", [None], ["abc"], [3], object()]),
            "surface": (True, no_flag),
        }  # fmt: skip
    yield volume.backtrack, {
        "x1": (V1, no_numbers), "velocity": (V0, no_numbers), "duration": (0.5, no_number),
        "vertices": (np.array([0, 4]), no_indices), "x0": (V0, lambda x: [*no_arrays(), x[:-1]]),
    }  # fmt: skip

    weights = {"weights": (np.ones(4), no_numbers)}
    yield lambda **a: patch.Body(4, **a).counts, weights | {
        "index": (np.array([[0, 1, 2, 3]]), no_indices), "forms": (QUAD, lambda x: [None, 1, "abc", len, [None], [(3, 1)]]),
    }  # fmt: skip
    yield lambda **a: patch.Body(forms=QUAD, index=[0, 1, 2, 3], **a).counts, {"points": (4, no_integer)}
    yield lambda **a: patch.Body.lagrange(4, QUAD, [0, 1, 2, 3], **a).counts, {"order": ("vtk", no_choice)}
    yield QUAD.nodes, {"order": ("vtk", no_choice)}
    knots = {name: (np.array([0.0, 0, 1, 1]), no_numbers) for name in ("knots_u", "knots_v")}
    yield lambda **a: patch.Body.nurbs(**a).counts, weights | knots | {"u": (1, no_integer), "v": (1, no_integer)}
    ends = {"a0": (P0, no_points), "a1": (P0, no_points), "b0": (ABOVE, no_points), "b1": (BELOW, no_points)}
    yield patch.pair, ends | {
        "form_a": (QUAD, no_object), "form_b": (QUAD, no_object),
        "weights_a": (np.ones(4), no_numbers), "weights_b": (np.ones(4), no_numbers),
    }  # fmt: skip
    sheets = ends | {"a": (sheet, no_object), "b": (sheet, no_object)}
    yield patch.earliest, sheets
    yield patch.collisions, sheets
    yield patch.manifold, sheets | {"t_window": (0.1, no_number), "min_distance": (4.0, no_number)}
    alone = {"body": (sheet, no_object), "x0": (P0, no_points), "x1": (P0, no_points), "neighbourhood": (0.25, no_number)}
    yield patch.self_earliest, alone
    yield patch.self_collisions, alone
    yield patch.self_manifold, alone | {"t_window": (0.1, no_number), "min_distance": (4.0, no_number)}

    graded = {"hit": (np.ones(2, bool), no_flags), "toi": (np.zeros(2), lambda x: [*no_arrays(), x[:-1], x[None], masked(x)])}
    batch = {"q": (np.stack([Q.ravel()] * 2), no_numbers), "worst": (3, no_integer), "t_max": (1.0, no_number)}
    yield lambda **a: verify.grade(pair.vertex_face(np.stack([Q, Q])), **a), graded
    yield verify.grade, {"truth": (hits, no_object)} | {name: (x[0][:1].repeat(len(hits)), x[1]) for name, x in graded.items()}
    yield lambda **a: verify.queries("vf", np.stack([Q, Q]), verify.Answers(**a)).as_dict(), graded
    yield lambda **a: verify.queries(**a).as_dict(), kind | batch | {"answers": (answers, no_object)}
    yield lambda **a: verify.scene(**a).as_dict(), on_mesh | frames | {"answers": (rows, no_object)}
    yield verify.gather, on_mesh | frames | kind | share

    times = {"t_min": (0.0, no_number), "t_max": (1.0, no_number)}
    up = ("z", lambda x: [v for v in no_choice(x) if v is not None])
    ends = times | {"t_max": (1.0, lambda x: [bad for bad in no_number(x) if bad is not None])}  # None is the default
    yield lambda **a: view.Page(**a).html(), ends | {"title": ("page", lambda x: [None, 1, b"page", len]), "up": up}
    parts = ("add_mesh", (mesh, X0, X1))
    part = {"part": (0, no_integer)}
    called = {"name": ("part", no_text)}
    yield page("add_mesh"), on_mesh | frames | called
    some = {"frames": ([X0, X1], lambda x: [None, 1, "ab", len, [], [X0], [X0, X1[:-1]], [X0, "ab"]])}
    yield page("add_sequence"), on_mesh | some | called | {"cells": (None, lambda x: [0, "abc", mesh])}
    moving, few = ccd.Motion([X0, X1]), {"frames": (5, lambda x: [v for v in no_integer(x) if v is not None])}
    yield page("add_motion"), on_mesh | called | few | {"motion": (moving, no_object)}
    yield page("add_motion_impacts", ("add_motion", (mesh, moving))), {
        "mesh": (mesh, no_object), "impacts": (hits, lambda x: [*no_object(x), *no_records(x)]), "part": (0, no_integer),
    }  # fmt: skip
    yield page("add_body"), {"vertices": (X0, no_numbers), "faces": (FACES, no_indices), "motion": (down, no_object)}
    yield page("add_patches"), {"model": (model, no_object), "x0": (P0, no_points), "x1": (P0, no_points)}
    other = hits.copy()
    other["verdict"] = 7
    yield page("add_impacts", parts), on_mesh | frames | part | {
        "impacts": (hits, lambda x: [*no_object(x), *no_records(x), other]),
    }  # fmt: skip
    hit = rigid.earliest(body, still, body, down)
    yield page("add_rigid_impact", ("add_body", (X0[:3], [[0, 1, 2]], still)), ("add_body", (X0[:3], [[0, 1, 2]], down))), {
        "hit": (hit, no_object), "a": (0, no_integer), "b": (1, no_integer), "shape": ("face", no_choice),
    }  # fmt: skip
    cells = volume.Cells(V0, np.full(2, 10, np.int32), TETRAHEDRA.reshape(-1).astype(np.int32))
    met = volume.collisions(tetrahedra, V0, V1)
    inside = {"cells": (cells, no_object), "x0": (V0, no_points), "x1": (V1, no_points)}
    yield page("add_volume"), inside | called | {"mesh": (tetrahedra, no_object)}
    yield page("add_volume_impacts", ("add_volume", (cells, tetrahedra, V0, V1))), inside | part | {
        "impacts": (met, lambda x: [*no_object(x), *(wrong_field(x, name, 99) for name in x.dtype.names[1:4])]),
    }  # fmt: skip
    sheets_drawn = ("add_patches", (model, P0, P0)), ("add_patches", (model, ABOVE, BELOW))
    touch = patch.earliest(sheet, P0, P0, sheet, ABOVE, BELOW)
    both = {"a": (0, no_integer), "b": (1, no_integer)}
    yield page("add_patch_impacts", *sheets_drawn), both | {"impacts": ([touch], lambda x: [None, 1, len, [None], [hit]])}
    yield page("add_near_patches", *sheets_drawn), both | {"min_separation": (0.5, no_number)}
    close = proximity.near(mesh, X0, 8.0)
    yield page("add_near_found", parts), {
        "found": (close, lambda x: [*no_object(x), wrong_field(x, "a", 99), wrong_field(x, "kind", 9)]),
        "starts": ([0], lambda x: [None, 1.5, "ab", [], [0, 1], [0.5], [2**40]]),
        "mesh": (mesh, no_object), "time": (0.5, no_number),
    }  # fmt: skip
    arm = robot.Robot("arm", ["base"], [[robot.Shape.ball(1)]], [], [])
    way = robot.Path([], [[], []])
    yield page("add_robot"), {
        "robot": (arm, no_object), "path": (way, no_object), "report": (robot.check(arm, way), lambda x: [0, "abc", hit]),
    }  # fmt: skip
    yield arm.surface, {"link": ("base", no_choice)}
    yield lambda **a: robot.check(arm, way, **a), {"limits": (True, no_flag)}
    yield lambda **a: repr(robot.JointModel.moving("j", parent=0, child=1, source=0, **a)), {"kind": ("prismatic", no_choice)}
    curve = {
        "control": (np.array([[[0.0], [1.0]]]), no_numbers),
        "joints": (["j"], lambda x: [None, 1, len, "j", ["j", "k"], [1]]),
    }
    yield lambda **a: repr(robot.Path.polynomial(**a)), curve
    yield ccd.plot.Table("t", ["a"], [[1.0]]).column, {"name": ("a", no_choice)}
    yield (
        lambda **a: ccd.Surface(X0, **a).mesh().counts,
        {"faces": (FACES, no_indices), "edges": (EDGES[:0], lambda x: ["ab", [[9, 9]]])},
    )
    near = {k: pairs[k] for k in ccd.Kind}
    yield page("add_near", parts), on_mesh | part | {"x0": (X0, no_points), "pairs": (near, lambda x: [None, 1, len, "abc"])}
    for record, kind_of in ((hits[0], ccd.Impact), (patch.collisions(sheet, P0, P0, sheet, ABOVE, BELOW)[0], patch.Impact)):
        yield kind_of.from_record, {"record": (record, no_object)}
    more = ccd.Motion.load, rigid.read_scene, robot.read_path, view.Page("page").write
    for read in (ccd.read, ccd.read_queries, volume.read, patch.read, ccd.plot.read, *more):
        yield read, {"path": (None, lambda x: [None, 1.5, object(), [], {}])}


def told(answer):
    """An answer as what can be compared."""
    if isinstance(answer, np.ndarray):
        return answer.tobytes()
    return tuple(map(told, answer)) if isinstance(answer, tuple) else repr(answer)


@pytest.mark.parametrize("call", [pytest.param(call, id=f"{i}-{'-'.join(call[1])}") for i, call in enumerate(calls())])
def test_every_argument(call, capfd):
    function, arguments = call
    right = {name: value for name, (value, _) in arguments.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Creating an ndarray from ragged")  # NumPy before 1.24
        want = None if "path" in right else told(function(**right))
        for name, (value, wrong) in arguments.items():
            if isinstance(value, np.ndarray) and value.dtype.kind in "ifb" and value.dtype.names is None:
                for form in forms(value):
                    assert told(function(**right | {name: form})) == want, (name, form)
            for bad in wrong(value):
                with pytest.raises(ccd.Error) as raised:
                    print(name, repr(bad)[:200], "->", function(**right | {name: bad}))
                # It may be said of what the argument does not fit: elements of their corners, weights of the knots.
                known = {"corners": "elements", "knots_u": "weights", "knots_v": "weights", "index": "weights"}
                known |= {"q": "answers", "inverse_mass": "active", "joints": "control"}
                assert name in str(raised.value) or known.get(name, name) in str(raised.value), (name, bad, raised.value)
                assert isinstance(raised.value, (ValueError, IndexError)) and "\n" not in str(raised.value)
    assert capfd.readouterr() == ("", "")


def test_an_option_that_is_none_is_told():
    mesh, body = ccd.Mesh(FACES), rigid.Body(X0[:3], [[0, 1, 2]])
    for call in (
        lambda: step.earliest(mesh, X0, X1, min_seperation=1),
        lambda: rigid.earliest(body, rigid.Motion(), body, rigid.Motion(), min_seperation=1),
        lambda: rigid.scene_earliest([body], [rigid.Motion()], min_seperation=1),
        lambda: verify.queries("vf", Q[None], verify.Answers(np.ones(1, bool), np.zeros(1)), min_seperation=1),
    ):
        with pytest.raises(TypeError, match="unknown option 'min_seperation'"):
            call()
