"""One set of options for every call: defaults, names of methods and norms, and what a call does not support."""

import numpy as np
import pytest

import ccd
import ccd.distributed
from ccd.options import to_c
from ccd.rigid import Motion

TETRA = np.array([[0, 0, 0], [0.1, 0, 0.1], [-0.1, 0.1, 0.1], [-0.1, -0.1, 0.1]])
SIDES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
PLATE = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]
DOWN = Motion(position=(0, 0, 1), velocity=(0, 0, -2))


@pytest.fixture
def calls(triangles):
    """One call of every kind, as a function of the options."""
    faces, x0, x1 = triangles
    mesh, cone, plate = ccd.Mesh(faces), ccd.rigid.Body(TETRA, SIDES), ccd.rigid.Body(PLATE, [[0, 1, 2], [0, 2, 3]])
    volume = ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    plane, point = ccd.patch.Form.quad(1, 1), ccd.patch.Form.curve(0)
    flat = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]
    q = np.concatenate([x0[[3, 0, 1, 2]], x1[[3, 0, 1, 2]]])
    return {
        "pair": lambda **o: ccd.pair.vertex_face(q, **o),
        "step": lambda **o: ccd.step.earliest(mesh, x0, x1, **o),
        "broad": lambda **o: ccd.broad.candidates(mesh, x0, x1, **o),
        "proximity": lambda **o: ccd.proximity.near(mesh, x0, 0.1, **o),
        "volume": lambda **o: ccd.volume.earliest(volume, TETRA, TETRA, **o),
        "patch": lambda **o: ccd.patch.pair(plane, flat, flat, point, [[0.5, 0.5, 1]], [[0.5, 0.5, -1]], **o),
        "rigid": lambda **o: ccd.rigid.earliest(cone, DOWN, plate, Motion(), **o),
        "scene": lambda **o: ccd.rigid.scene_collisions([cone, plate], [DOWN, Motion()], **o),
        "over": lambda **o: ccd.rigid.mesh_earliest([cone], [DOWN], ccd.Mesh([[0, 1, 2]]), PLATE[:3], PLATE[:3], **o),
    }


PAIRS = {"default", "tight-inclusion", "time-contracted", "exact"}
METHODS = {
    "pair": PAIRS, "step": PAIRS, "broad": PAIRS, "proximity": PAIRS, "volume": PAIRS | {"volccd"}, "patch": PAIRS - {"exact"},
    "rigid": {"default", "d2m", "d2m-spheres"}, "scene": {"default", "d2m", "d2m-spheres"}, "over": {"default", "d2m"},
}  # fmt: skip


def test_every_method_by_its_name(calls):
    assert {str(m) for m in ccd.Method} == set().union(*METHODS.values())
    for name, call in calls.items():
        for method in ccd.Method:
            for spelled in (method, str(method), method.name.lower(), int(method)):
                if str(method) in METHODS[name]:
                    call(method=spelled)
                else:
                    with pytest.raises(ccd.UnsupportedError, match=r"^method is ") as caught:
                        call(method=spelled)
                    assert "CCD_" not in str(caught.value) and "ccd_" not in str(caught.value)
        with pytest.raises(ccd.ArgumentError, match=r"method is 'fast': must be one of default, tight-inclusion, .*, volccd"):
            call(method="fast")
        with pytest.raises(ccd.ArgumentError, match="method is 9: must be"):
            call(method=9)


def test_every_norm_by_its_name(calls):
    for name, call in calls.items():
        for norm in ("default", "max", "euclidean", *ccd.Norm):
            if str(norm) == "max" and name in ("proximity", "patch", "rigid", "scene", "over"):
                with pytest.raises(ccd.UnsupportedError, match="norm is 'max'"):
                    call(norm=norm)
            else:
                call(norm=norm)
        with pytest.raises(ccd.ArgumentError, match="norm is 'taxi': must be one of default, max, euclidean"):
            call(norm="taxi")
        with pytest.raises(TypeError, match=r"unknown option 'euclidean'; the options are .*min_separation, tolerance"):
            call(euclidean=True)


def test_the_default_norm_of_each_call(calls):
    """Euclidean. The max norm is never larger: contact is earlier in it."""
    assert to_c({}).norm == 0 and to_c({"norm": "max"}).norm == 1 and to_c({"norm": "Euclidean"}).norm == 2
    diagonal = [[0.15, 0.15, 0], [0, 0, 0]] * 2  # 0.15 apart in the max norm, 0.21 in the Euclidean
    verdicts = [ccd.pair.point_point(diagonal, min_separation=0.2, norm=n).verdict for n in ("default", "max", "euclidean")]
    assert verdicts == [ccd.Verdict.SEPARATE, ccd.Verdict.CONTACT, ccd.Verdict.SEPARATE]
    for name in ("patch", "rigid"):
        assert calls[name](min_separation=0.1) == calls[name](min_separation=0.1, norm="euclidean")


def test_the_tolerance_of_each_call(calls):
    assert to_c({}).tolerance == to_c({"tolerance": None}).tolerance == 0
    for name, call in calls.items():
        if name not in ("broad", "proximity", "scene"):
            default = call(tolerance=None)
            assert call() == default == call(tolerance=1e-10 if name in ("rigid", "over") else 1e-6), name
        for wrong in (0, -1.0, np.nan, "small"):
            with pytest.raises(ccd.ArgumentError, match="tolerance is"):
                call(tolerance=wrong)
    loose, tight = calls["rigid"](tolerance=1e-3), calls["rigid"]()
    assert loose.distance <= 1e-3 and tight.distance <= 2e-10 and loose.toi_lo <= tight.toi_lo < 0.5


def test_t_min_is_for_rigid_bodies(calls):
    for name, call in calls.items():
        call(t_min=0)
        if name in ("rigid", "scene", "over"):
            call(t_min=0.1, t_max=3.0)
            call(t_min=-1e3, t_max=-1e2)
            with pytest.raises(ccd.ArgumentError, match="t_max"):
                call(t_min=2.0, t_max=1.0)
        else:
            with pytest.raises(ccd.UnsupportedError, match=r"t_min is 0\.1: calls of ccd\.\w+ begin at 0"):
                call(t_min=0.1)
            with pytest.raises(ccd.ArgumentError, match=r"t_max is 1\.5"):
                call(t_max=1.5)
    assert calls["rigid"](t_max=0.4).separate and calls["rigid"](t_min=0.52).initial


def test_min_separation_means_the_same_in_each_call(calls):
    for name, call in calls.items():
        for wrong in (-1, -1e-300, float("nan"), float("inf")):
            with pytest.raises(ccd.ArgumentError, match=r"^min_separation is "):
                call(min_separation=wrong)
        for wrong in ("1", None, [1]):
            with pytest.raises(ccd.ArgumentError, match=r"^min_separation"):
                call(min_separation=wrong)
        if name in ("pair", "step", "volume", "patch", "rigid", "scene", "over"):
            call(min_separation=0), call(min_separation=0.01)


def test_toi_lo_keeps_min_separation(calls):
    """What falls by two lengths in a unit of time from a height of one is at 1 - 2 t."""
    for name in ("patch", "rigid"):
        for d in (0.0, 0.25):
            for tolerance in (1e-3, 1e-6):
                hit = calls[name](min_separation=d, tolerance=tolerance)
                kept = tolerance / 8 if name == "rigid" and d == 0 else d
                assert hit.contact and 1 - 2 * hit.toi_lo > kept * (1 - 1e-12)
                assert 1 - 2 * hit.toi_hi <= (d + tolerance) * (1 + 1e-12)


def test_flags_and_devices(calls):
    for name, call in calls.items():
        rigid = name in ("rigid", "scene", "over")
        of_mesh = name in ("step", "broad", "proximity")
        flags = {"no_zero_toi": not rigid, "brute_force": not rigid, "ignore_separating": rigid, "check_start": of_mesh}
        for flag, supported in flags.items():
            call(**{flag: False})
            if supported:
                call(**{flag: True})
            else:
                with pytest.raises(ccd.UnsupportedError, match=f"^{flag}: calls of ccd.* do not support it"):
                    call(**{flag: True})
        call(device="cpu")
        call(device=ccd.Device.CPU)
        call(device="auto")
        if name not in ("step", "broad"):
            with pytest.raises(ccd.UnsupportedError, match=r"device is 'gpu': calls of ccd.* compute on the CPU"):
                call(device="gpu")
        with pytest.raises(ccd.UnsupportedError, match="device_index is 1: there is one CPU"):
            call(device_index=1)
        for wrong in ("tpu", 3, None):
            with pytest.raises(ccd.ArgumentError, match=r"device is .*: must be one of cpu, gpu, auto"):
                call(device=wrong)


def test_candidates_are_counted_by_kind(triangles):
    faces, x0, _ = triangles
    stats = ccd.Stats()
    crossing = np.array([[0, 0, -1], [0, 0, 1], [1, 0, 0], [-1, -1, 0], [1, -1, 0], [0, 1, 0]], float)
    assert ccd.proximity.intersects(ccd.Mesh(faces), crossing, stats=stats) or len(x0)
    ccd.proximity.intersections(ccd.Mesh(faces), crossing, stats=stats)
    assert list(map(str, stats.candidates)) == ["vertex-face", "edge-edge", "point-edge", "point-point", "edge-face"]
    assert stats.candidates[ccd.proximity.EDGE_FACE] > 0 == stats.candidates[ccd.Kind.VERTEX_FACE]
    assert stats.as_dict()["candidates"]["edge-face"] == stats.candidates[ccd.proximity.EDGE_FACE]


def test_calls_with_equal_options_share_one_copy_that_nothing_changes(calls, triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    reference = bytes(to_c({"threads": 1}))
    near, stats = len(ccd.broad.candidates(mesh, x0, x1, threads=1, min_separation=0.5)), ccd.Stats()
    assert len(ccd.broad.candidates(mesh, x0, x1, threads=1, stats=stats)) == sum(stats.candidates.values()) <= near
    assert ccd.options.pointer_to({"threads": 1}) is ccd.options.pointer_to({"threads": 1})
    assert bytes(ccd.options.pointer_to({"threads": 1})._obj) == reference == bytes(to_c({"threads": np.int64(1)}))
    for refused in True, 1.0, "1":  # equal to 1, or nearly
        with pytest.raises(ccd.ArgumentError, match="threads"):
            calls["broad"](threads=refused)


def test_candidates_are_counted_and_remain_after_close(triangles):
    faces, x0, x1 = triangles
    edges = [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [6, 7]]
    x0, x1 = (np.concatenate([x, [[0.2, 0.2, 0.5], [0.3, 0.3, 0.5], [0.25, 0.25, 0.5]]]) for x in (x0, x1))
    found = ccd.broad.candidates(ccd.Mesh(faces, edges=edges, vertices=9), x0, x1, min_separation=0.1)
    count = len(found)
    arrays = [found[kind] for kind in ccd.Kind]
    assert count == sum(map(len, arrays)) > len(arrays[0]) + len(arrays[1])
    found.close()
    found.close()
    assert len(found) == count
    with pytest.raises(ccd.HandleError):
        found.step(x0, x1).size()


@pytest.mark.parametrize(
    "given, meant",
    [
        ("min_seperation", "min_separation"),
        ("dhat", "min_separation"),
        ("radii", "ccd.Mesh.set_radii"),
        ("num_threads", "threads"),
    ],
)
def test_an_unknown_option_names_the_one_that_was_meant(given, meant):
    with pytest.raises(TypeError, match=rf"^unknown option '{given}'; did you mean {meant}\?; the options are .*stats$"):
        ccd.pair.point_point(np.zeros(12), **{given: 1})


def test_options_as_an_argument_are_refused_with_what_to_write():
    with pytest.raises(TypeError, match=r"^unknown option 'options': give options by name, as in min_separation=1e-3"):
        ccd.pair.point_point(np.zeros(12), options=ccd.Options(min_separation=1))


def test_an_unknown_option_lists_those_of_the_call_first():
    """Also of calls that pass options on, of methods, and of those that compute with other calls."""
    mesh, x = ccd.Mesh([[0, 1, 2]]), np.eye(3)
    answers = ccd.verify.Answers(np.zeros(0, bool), np.zeros(0))
    for call, own in (
        (lambda **o: ccd.step.respond(mesh, x, x, **o), "inverse_mass, friction, keep, max_rounds"),
        (lambda **o: ccd.step.respond(mesh, x, x, None, 0.5, **o), "inverse_mass, friction, keep, max_rounds"),
        (lambda **o: ccd.step.sizes(mesh, x, x, **o), "groups, share, keep_ratio, max_passes"),
        (lambda **o: ccd.step.Step(mesh, x, x).linesearch(**o), "keep_ratio"),
        (lambda **o: ccd.step.earliest(mesh, x, x, **o), None),
        (lambda **o: mesh.exclude_near(x, **o), "rings"),
        (lambda **o: ccd.rigid.scene_earliest([], [], **o), "groups, skip"),
        (lambda **o: ccd.view.view(mesh, x, x, **o), "impacts, title, up, height"),
        (lambda **o: ccd.distributed.collisions(mesh, x, x, **o), "executor, parts, plan, retries, report, folder"),
        (lambda **o: ccd.distributed.earliest(mesh, x, x, **o), "executor, parts, plan, retries, report"),
    ):
        first = "min_separation" if own is None else f"{own}, min_separation"
        with pytest.raises(TypeError, match=rf"^unknown option 'xyzzy'; the options are {first}, tolerance, .*stats$"):
            call(xyzzy=1)
    with pytest.raises(TypeError, match=r"^unknown option 'frction'; did you mean friction\?; the options are inverse_mass"):
        ccd.step.respond(mesh, x, x, frction=0.3)
    with pytest.raises(TypeError, match=r"^unknown option 'thread'; did you mean threads\?; the options are worst, min_sep"):
        ccd.verify.queries("vertex-face", np.zeros((0, 24)), answers, thread=1)


def test_an_unknown_option_that_resembles_none_gets_no_guess():
    with pytest.raises(TypeError, match=r"unknown option 'xyzzy'; the options are .*stats$"):
        ccd.pair.point_point(np.zeros(12), xyzzy=1)


def test_statistics_count_plans():
    """A memory limit divides space: each part has a plan. Without one a list has one, and given pairs have none."""
    rng = np.random.default_rng(6)
    x0 = rng.uniform(-1, 1, (9000, 3))
    x0[1::3], x0[2::3] = x0[::3] + np.array([0.01, 0, 0]), x0[::3] + np.array([0, 0.01, 0])
    mesh, x1, stats = ccd.Mesh(np.arange(9000).reshape(-1, 3)), x0 + 1e-3, ccd.Stats(plans=77)
    ccd.step.collisions(mesh, x0, x1, threads=1, stats=stats)
    assert stats.plans == stats.as_dict()["plans"] == 1
    ccd.step.collisions(mesh, x0, x1, threads=1, memory_limit=4096, stats=stats)
    assert stats.plans > 1
    ccd.step.pairs(mesh, x0, x1, ccd.Kind.VERTEX_FACE, [[0, 1]], stats=stats)
    assert stats.plans == 0
