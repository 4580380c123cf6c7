"""What users of collision libraries ask about bodies: distances, clearance, depth, contact, sliding; one call answers each.

The questions are those of public reports, in their words or nearly so. Each test is named for its question. The tables of
docs/reference/questions.md name the calls in all languages; `SHOWN` has the test of each row.
"""

import argparse
import inspect
import operator
import re
from pathlib import Path

import numpy as np
import pytest
from test_rigid_distance import NO_TURN, blob, cube

import ccd
from ccd.rigid import Body, Containment, Motion

HERE = (NO_TURN, (0.0, 0.0, 0.0))


def at(x, y=0.0, z=0.0):
    """A pose without a turn."""
    return (NO_TURN, (float(x), float(y), float(z)))


@pytest.fixture(scope="module")
def box():
    return Body(*cube(1))


@pytest.fixture(scope="module")
def small():
    return Body(*cube(0.25))


# ---- at a pose


def test_how_far_apart_are_two_parts_and_where(box):
    gap = ccd.rigid.distance(box, HERE, box, at(2.5, 0.25))
    assert gap.lo <= 0.5 <= gap.hi < 0.5 + 1e-11 and gap.normal == (-1, 0, 0)
    assert gap.point_a[0] == pytest.approx(1, abs=gap.epsilon) and gap.point_b[0] == pytest.approx(1.5, abs=gap.epsilon)


def test_do_parts_that_intersect_have_a_positive_distance(box):
    """No: the distance is 0, and a flag says that the surfaces share a point."""
    gap = ccd.rigid.distance(box, HERE, box, at(1.5, 0.25))
    assert gap.lo == gap.hi == 0 and gap.intersecting


def test_is_a_part_inside_another_one_free_of_it(box, small):
    """Its surface is 0.75 away, which no sign tells: containment is a question of its own."""
    assert ccd.rigid.containment(small, HERE, box, HERE) == Containment.INSIDE


def test_do_parts_overlap_at_a_pose(box, small):
    poses = [at(x) for x in (0, 0.75, 1, 1.25, 1.5)]
    where = ccd.rigid.containment_batch(small, [Motion(position=p[1]) for p in poses], box, [Motion()] * 5)
    assert [str(Containment(int(w))) for w in where] == ["inside", "crossing", "crossing", "crossing", "outside"]


def test_can_a_new_pose_be_asked_for_without_building_trees_anew(box):
    """One body, many poses in one call: the body keeps its tree."""
    poses = np.zeros(1000, ccd.rigid.pose_dtype)
    poses["rotation"][:, 0], poses["position"][:, 0] = 1, np.linspace(2.5, 6, 1000)
    found = ccd.rigid.distances(box, [HERE] * 1000, box, poses)
    assert found["hi"] == pytest.approx(poses["position"][:, 0] - 2, abs=1e-10)


def test_which_parts_of_an_assembly_are_nearer_than_a_clearance(box, small):
    near = ccd.rigid.within([box, box, small, small], [HERE, at(2.5), at(0), at(1.5, 3)], 0.5)
    assert near[["a", "b"]].tolist() == [(0, 1)] and near["gap"]["hi"] == pytest.approx([0.5])


def test_how_does_the_distance_change_with_the_poses(box):
    (g,) = ccd.rigid.distance_gradients(box, [HERE], box, [at(3, 3, 3)])
    assert g["state"] == ccd.GradientState.DEFINED and g["position_a"] == pytest.approx([-(3**-0.5)] * 3)


def test_is_a_point_inside_a_part_in_the_middle_or_on_an_edge(box):
    points = [[0, 0, 0], [0.5, 0.5, 0.5], [1, 1, 0], [1.5, 0, 0]]
    assert ccd.rigid.winding(box, HERE, points).tolist() == [1, 1, ccd.rigid.ON_SURFACE, 0]


def test_which_parts_of_one_file_are_inside_others():
    x, faces = cube(1)
    both = ccd.Mesh(faces=np.vstack([faces, faces + 8]))
    assert ccd.proximity.nested(both, np.vstack([x, x / 4]))[["inner", "outer"]].tolist() == [(12, 0)]


# ---- over a motion


PASSING = Motion(position=(3, 3, 0), velocity=(-6, 0, 0), angular_velocity=(0, 0, np.pi / 2))


def test_how_near_do_two_parts_come_over_a_motion_when_and_where(box):
    least = ccd.rigid.clearance(box, Motion(), box, PASSING)
    assert least.lo <= 2 - 2**0.5 <= least.hi and least.hi - least.lo < 1e-7
    assert least.time == pytest.approx(0.5, abs=1e-3) and least.point_a[1] == pytest.approx(1, abs=1e-6)


def test_is_a_clearance_kept_at_all_times_and_until_when(box):
    assert ccd.rigid.earliest(box, Motion(), box, PASSING, min_separation=0.5).separate
    hit = ccd.rigid.earliest(box, Motion(), box, PASSING, min_separation=0.6)
    assert hit.contact and 0.4 < hit.toi_lo < 0.5


def test_what_is_the_clearance_over_time(box):
    """For a plot of a path: distances at given times."""
    curve = ccd.rigid.profile(box, Motion(), box, PASSING, np.linspace(0, 1, 5))
    assert curve["hi"].round(3).tolist() == [1.414, 0.693, 0.586, 0.693, 1.414]


def test_does_a_body_that_starts_inside_another_one_stay_there(box, small):
    """Where nothing meets, what is inside at the start is inside at all times."""
    shake = Motion(velocity=(0.25, 0, 0), angular_velocity=(0, 0, 0.5))
    assert ccd.rigid.earliest(small, shake, box, Motion()).separate
    assert ccd.rigid.containment(small, shake, box, Motion()) == Containment.INSIDE


def test_how_near_do_two_meshes_come_over_a_step_when_and_which_pair():
    x, faces = cube(1)
    mesh = ccd.Mesh(faces=np.vstack([faces, faces + 8]))
    start, end = (np.vstack([x, np.add(x, to)]) for to in ((3, 3, 0), (-3, 3, 0)))
    least = ccd.step.clearance(mesh, start, end)
    assert least.lo <= 1 <= least.hi < 1 + 1e-7 and 1 / 6 <= least.time <= 5 / 6


def test_does_the_answer_depend_on_which_body_is_first_or_on_the_triangles():
    """No: other cuts of the same faces, in other order, and the bodies exchanged."""
    rng = np.random.default_rng(5)
    x, faces = cube(1)
    other = np.roll(rng.permutation(faces), 1, axis=1)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    flipped = np.array([t for a, b, c, d in quads for t in ((a, b, d), (b, c, d))])
    first, second, blobs = Body(x, faces), [Body(x, f) for f in (faces, other, flipped)], Body(*blob(rng))
    for place in (at(2, 0.5), at(2, 2), at(0.5), at(3, 1), at(2, 2, 2)):
        gaps = [ccd.rigid.distance(first, HERE, body, place) for body in second]
        back = ccd.rigid.distance(second[0], place, first, HERE)
        assert len({gap.intersecting for gap in (*gaps, back)}) == 1
        assert max(gap.lo for gap in (*gaps, back)) <= min(gap.hi for gap in (*gaps, back))
        if place != at(0.5):  # there the surfaces pass through each other
            normals = np.array([gap.normal for gap in gaps] + [np.negative(back.normal)])
            assert np.ptp(normals, axis=0).max() < 1e-9
        inside = {ccd.rigid.containment(first, HERE, body, place) for body in second}
        assert len(inside) == 1
        assert ccd.rigid.containment(blobs, HERE, first, at(9)) == Containment.OUTSIDE


# ---- depth, overlap, contact


def test_how_deep_do_two_parts_overlap_and_which_way_is_out(box):
    found = ccd.rigid.penetration_depth(box, at(1.5, 0.25), box, HERE)
    assert found.lo <= 0.5 <= found.hi < 0.5 + 1e-12 and found.normal == (1, 0, 0) and not found.upper_bound
    assert ccd.rigid.penetration_depth(box, at(2.5), box, HERE).hi == 0


def test_is_the_depth_of_parts_that_are_not_convex_one_of_bodies(box):
    """Yes: it does not depend on pairs of triangles, the way out is proven, and it leads into a gap."""
    x, faces = cube(1)
    two = Body(np.vstack([x, np.add(x, (6, 0, 0))]), np.vstack([faces, faces + 8]))
    found = ccd.rigid.penetration_depth(box, at(1.5, 0.125, 0.125), two, HERE)
    assert found.upper_bound and 0.5 <= found.hi < 0.7
    moved = at(*np.add((1.5, 0.125, 0.125), found.translation))
    assert not ccd.rigid.intersects(box, moved, two, HERE)


def test_which_volume_do_two_parts_have_in_common(box, small):
    common = ccd.rigid.overlap(box, at(1.5, 0.25), box, HERE)
    assert common.volume_lo <= 0.5 * 1.75 * 2 <= common.volume_hi and not common.unfinished
    assert ccd.rigid.overlap(small, HERE, box, HERE).volume == pytest.approx(0.125, rel=1e-6)


def test_how_deep_do_two_parts_overlap_at_thousands_of_poses(box):
    x = np.linspace(-3, 3, 2001)
    found = ccd.rigid.penetration_depths(box, [at(v) for v in x], box, [HERE] * len(x))
    assert np.allclose(found["hi"], np.maximum(2 - np.abs(x), 0), atol=1e-9) and (found["lo"] <= found["hi"]).all()


def test_which_volume_do_two_parts_have_in_common_at_thousands_of_poses(box):
    x = np.linspace(-3, 3, 2001)
    found = ccd.rigid.overlaps(box, [Motion(position=(v, 0, 0)) for v in x], box, [Motion()] * len(x))
    assert np.allclose(found["volume_hi"], 4 * np.maximum(2 - np.abs(x), 0), rtol=1e-6, atol=1e-9)


def test_which_volumes_do_closed_meshes_have_alone_and_in_common():
    x, faces = (np.asarray(part) for part in cube(1))
    mesh, shift = ccd.Mesh(vertices=len(x), faces=faces), np.array([1.5, 0.25, 0])
    alone, common = ccd.overlap.solid(mesh, x), ccd.overlap.volume(mesh, x, mesh, x + shift)
    assert alone[0] <= 8 <= alone[1] and common.volume_lo <= 0.5 * 1.75 * 2 <= common.volume_hi
    assert ccd.overlap.depths(mesh, x, 0.75 * x)["distance_hi"].tolist() == pytest.approx([0.25] * len(x))


def test_what_do_two_parts_share_that_only_touch(box):
    assert ccd.rigid.overlap(box, at(2), box, HERE).volume_hi == 0


def test_how_deep_is_each_vertex_of_a_part_in_another_one(box):
    inside = ccd.rigid.depths(box, HERE, [[0.75, 0, 0], [0.5, 0.5, -0.875], [3, 0, 0]])
    assert [item.inside for item in inside] == [True, True, False]
    assert inside["distance_hi"].tolist() == pytest.approx([0.25, 0.125, 2])


def test_how_does_the_depth_change_with_the_poses(box):
    (g,) = ccd.rigid.penetration_gradients(Body.sphere(0.5), [at(0.25, 0, 1.25)], box, [HERE])
    assert ccd.GradientState(int(g["state"])) == ccd.GradientState.DEFINED and g["position_a"].tolist() == [0, 0, -1]


def test_where_do_two_parts_touch_in_at_most_four_points(box):
    touch = ccd.rigid.manifold(box, at(0.5, 0.25, 2), box, HERE, 1e-6, reduce=True)
    assert len(touch.points) == 4 and not touch.crossing
    assert touch.points["normal"].tolist() == [[0, 0, 1]] * 4


def test_do_boxes_that_overlap_with_faces_in_common_planes_say_so(box):
    """Yes; their points are those at the end of the way out."""
    touch = ccd.rigid.manifold(box, at(1.5), box, HERE, 1e-6)
    assert touch.crossing and len(touch.points) == 0
    out = ccd.rigid.penetration_depth(box, at(1.5), box, HERE).translation
    assert len(ccd.rigid.manifold(box, at(*np.add((1.5, 0, 0), out)), box, HERE, 1e-6).points) == 4


def test_how_long_does_a_body_that_slides_keep_contact(box):
    slides = Motion(position=(0, 0, 2), velocity=(1, 0, 0))
    end = ccd.rigid.slide(box, slides, box, Motion(), 1e-6, t_max=4)
    assert str(end.event) == "parts" and end.t_lo <= 2 + 1e-6 and end.t_hi >= 2


def test_does_a_body_that_slides_penetrate(box):
    sinks = Motion(position=(0, 0, 2), velocity=(1, 0, -1e-3))
    end = ccd.rigid.slide(box, sinks, box, Motion(), 1e-6)
    assert str(end.event) == "penetrates" and end.t_lo == pytest.approx(1e-3, rel=1e-3)


def test_when_are_two_bodies_deeper_in_each_other_than_a_limit(box):
    falls = Motion(position=(0, 0, 3), velocity=(0, 0, -1))
    deep = ccd.rigid.first_depth(box, falls, box, Motion(), 0.25, t_max=2)
    assert str(deep.event) == "penetrates" and deep.t_lo <= 1.25 <= deep.t_hi and deep.t_hi - deep.t_lo < 1e-5


def test_which_objects_cross_at_the_start_how_deep_and_how_do_they_part():
    x, faces = cube(1)
    mesh, start = ccd.Mesh(faces=np.vstack([faces, faces + 8])), np.vstack([x, np.add(x, (1.75, 0.5, 0.5))])
    (crossing,) = ccd.proximity.crossings(mesh, start)
    assert (crossing["a"], crossing["b"]) == (0, 8) and 0.25 <= crossing["depth"] <= 0.5
    y, report = ccd.proximity.untangle(mesh, start)
    assert report.clean and not ccd.proximity.intersects(mesh, y)


@pytest.mark.parametrize(
    "call",
    [ccd.rigid.penetration_depth, ccd.rigid.distance, ccd.rigid.overlap, lambda *x: ccd.rigid.manifold(*x, 1e-6)],
)
def test_which_argument_is_wrong(call, box):
    """The one that the message begins with, in the call as it was written."""
    for bad in (at(np.nan), ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))):
        for arguments, name in (((box, bad, box, HERE), "a"), ((box, HERE, box, bad), "b")):
            with pytest.raises(ccd.ArgumentError, match=f"^[pm]{name}[.:]"):
                call(*arguments)


# ---- shapes


def test_can_a_body_be_a_shape_and_have_a_padding(box):
    """The gap of shapes along x, by their sizes."""
    shapes = {
        Body.capsule(0.5, 2): 0.5, Body.cylinder(0.5, 2): 0.5, Body.sphere(0.25): 0.25, box.padded(0.125): 1.125,
    }  # fmt: skip
    for shape, reach in shapes.items():
        gap = ccd.rigid.distance(shape, HERE, box, at(4))
        assert gap.lo <= 3 - reach <= gap.hi + shape.deviation and gap.hi - gap.lo <= 1e-9 + shape.deviation


def test_can_pairs_of_a_scene_have_separations_of_their_own(box):
    motions = [Motion(), Motion(position=(2.5, 0, 0)), Motion(position=(0, 2.5, 0))]
    found = ccd.rigid.scene_collisions([box] * 3, motions, separations=[(0, 2, 0.75)], min_separation=0.25)
    assert found[["a", "b"]].tolist() == [(0, 2)]


# ---- the tables of the page

CHECKOUT = Path(__file__).resolve().parents[3]
SHOWN = {
    "How far apart are two bodies, and where?": test_how_far_apart_are_two_parts_and_where,
    "How far apart are they at thousands of poses?": test_can_a_new_pose_be_asked_for_without_building_trees_anew,
    "Do their surfaces share a point?": test_is_the_depth_of_parts_that_are_not_convex_one_of_bodies,
    "Which pairs of many bodies are nearer than a distance?": test_which_parts_of_an_assembly_are_nearer_than_a_clearance,
    "How does the distance change with the poses?": test_how_does_the_distance_change_with_the_poses,
    "Is a body inside another one?": test_is_a_part_inside_another_one_free_of_it,
    "Which are inside at thousands of poses?": test_do_parts_overlap_at_a_pose,
    "Is a point inside a body?": test_is_a_point_inside_a_part_in_the_middle_or_on_an_edge,
    "Which parts of a mesh are inside others?": test_which_parts_of_one_file_are_inside_others,
    "When do two bodies first touch, and where?": test_is_a_clearance_kept_at_all_times_and_until_when,
    "How near do they come, when and where?": test_how_near_do_two_parts_come_over_a_motion_when_and_where,
    "Is a clearance kept, and until when?": test_is_a_clearance_kept_at_all_times_and_until_when,
    "What is the distance over time?": test_what_is_the_clearance_over_time,
    "Which pairs of a scene touch, each with its own separation?": test_can_pairs_of_a_scene_have_separations_of_their_own,
    "Does a body that starts inside another one stay there?": test_does_a_body_that_starts_inside_another_one_stay_there,
    "When are two bodies deeper in each other than a limit?": test_when_are_two_bodies_deeper_in_each_other_than_a_limit,
    "How long does a body that slides keep contact?": test_how_long_does_a_body_that_slides_keep_contact,
    "How deep do two bodies overlap, and which way is out?": test_how_deep_do_two_parts_overlap_and_which_way_is_out,
    "How deep do they overlap at thousands of poses?": test_how_deep_do_two_parts_overlap_at_thousands_of_poses,
    "How does the depth change with the poses?": test_how_does_the_depth_change_with_the_poses,
    "Which volume do they have in common?": test_which_volume_do_two_parts_have_in_common,
    "Which volumes at thousands of poses?": test_which_volume_do_two_parts_have_in_common_at_thousands_of_poses,
    "Which volume does a closed mesh have?": test_which_volumes_do_closed_meshes_have_alone_and_in_common,
    "Which volume do two closed meshes have in common?": test_which_volumes_do_closed_meshes_have_alone_and_in_common,
    "How deep is each vertex of a mesh in another one?": test_which_volumes_do_closed_meshes_have_alone_and_in_common,
    "How deep is a point, and which way is out?": test_how_deep_is_each_vertex_of_a_part_in_another_one,
    "Where do they touch, in at most four points?": test_where_do_two_parts_touch_in_at_most_four_points,
    "Which objects of a mesh cross at the start, and how deep?":
        test_which_objects_cross_at_the_start_how_deep_and_how_do_they_part,
    "Which objects of a mesh cross, how deep, and how do they part?":
        test_which_objects_cross_at_the_start_how_deep_and_how_do_they_part,
    "Can a body be a box, a ball, a capsule, a hull?": test_can_a_body_be_a_shape_and_have_a_padding,
    "A cylinder or a cone?": test_can_a_body_be_a_shape_and_have_a_padding,
    "Can one body have a padding?": test_can_a_body_be_a_shape_and_have_a_padding,
    "How near do the parts of a mesh come over a step?":
        test_how_near_do_two_meshes_come_over_a_step_when_and_which_pair,
}  # fmt: skip
ASSEMBLIES = "test_cad_assembly.py::test_clearance_clearance_holds_open_cascades_distances"
ELSEWHERE = {
    "Is a point inside a mesh?": "test_containment.py::test_points_of_a_lattice_are_all_right",
    "What is the distance over a step?": "test_clearance.py::test_a_profile_holds_the_clearance",
    "How near does a robot come to anything on an edge of its path?": "test_robot_loops.py::test_a_slider_and_its_wall",
    "How near do two parts of an assembly come over a drive?": ASSEMBLIES,
    "How does a closed mechanism move, and what touches then?": "test_cad_closed.py::test_a_contact_of_a_closed_mechanism",
    "What is the distance of two parts over a drive?": ASSEMBLIES,
}  #: a file of tests, and one of them
PAGE = CHECKOUT / "docs" / "reference" / "questions.md"


def rows_of_the_page():
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [row for row in rows if row[0] != "question"]


def named(cell):
    """The name that a cell has, without what is said beside it; None for a dash."""
    found = re.match(r"`([^`]+)`", cell)
    assert found or cell == "-", cell
    return found and found[1]


@pytest.mark.skipif(not PAGE.exists(), reason="not in a checkout")
def test_every_row_of_the_page_has_calls_that_exist_and_tests():
    from ccd.cli import app

    commands = next(a for a in app.parser()._actions if isinstance(a, argparse._SubParsersAction)).choices
    tests = {
        language: "".join(path.read_text("utf-8") for path in CHECKOUT.glob(pattern))
        for language, pattern in {"c": "capi/test/*.c", "cpp": "bindings/cpp/tests/*.cpp", "go": "*_test.go"}.items()
    }
    header = (CHECKOUT / "include" / "ccd.h").read_text("utf-8")
    headers = {path.stem: path.read_text("utf-8") for path in (CHECKOUT / "bindings" / "cpp" / "include" / "ccd").glob("*.hpp")}
    sources = "".join(path.read_text("utf-8") for path in CHECKOUT.glob("*.go") if not path.name.endswith("_test.go"))
    rows = rows_of_the_page()
    assert sorted(row[0] for row in rows) == sorted([*SHOWN, *ELSEWHERE])
    for question, python, c, cpp, go, command, page in rows:
        what = operator.attrgetter(named(python))(ccd)
        assert callable(what), question
        last = named(python).rpartition(".")[2]
        if question in SHOWN:
            assert re.search(rf"\b{last}\(", inspect.getsource(SHOWN[question])), question
        else:
            file, _, test = ELSEWHERE[question].partition("::")
            text = (Path(__file__).parent / file).read_text("utf-8")
            assert f"def {test}(" in text and re.search(rf"\b{last}\(", text), question
        if named(c):
            assert re.search(rf"\b{named(c)}\(", header) and re.search(rf"\b{named(c)}\(", tests["c"]), question
        if named(cpp):
            folder, *_, name = named(cpp).lower().split("::")
            assert re.search(rf"\b{name}\(", headers[folder]) and re.search(rf"\b{name}\(", tests["cpp"]), question
        if named(go):
            owner, _, name = named(go).rpartition(".")
            method = rf"\(\w+ \*{owner}\) " if owner else ""
            assert re.search(rf"^func {method}{name}\(", sources, re.M), question
            assert re.search(rf"\b{name}\(", tests["go"]), question
        if named(command):
            _, name, *words = named(command).split()
            options = {option for action in commands[name]._actions for option in action.option_strings}
            assert options.issuperset(word for word in words if word.startswith("--")), question
        (link,) = re.findall(r"\]\(([^)#]+)[^)]*\)", page)
        assert re.search(rf"\b{last}\b", (PAGE.parent / link).read_text("utf-8")), f"{question}: {link} does not name {last}"


def test_every_question_of_these_tests_is_in_the_page():
    """Or is about how calls behave, not about which one to take."""
    behave = {
        "test_do_parts_that_intersect_have_a_positive_distance", "test_what_do_two_parts_share_that_only_touch",
        "test_does_the_answer_depend_on_which_body_is_first_or_on_the_triangles", "test_which_argument_is_wrong",
        "test_do_boxes_that_overlap_with_faces_in_common_planes_say_so", "test_does_a_body_that_slides_penetrate",
        "test_every_row_of_the_page_has_calls_that_exist_and_tests", "test_every_question_of_these_tests_is_in_the_page",
    }  # fmt: skip
    asked = {name for name in globals() if name.startswith("test_")}
    assert asked - behave == {test.__name__ for test in SHOWN.values()}
