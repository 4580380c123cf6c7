"""The audit: what passes, enters, leaves, touches; against a reference in rational numbers, and by hand."""

import numpy as np
import pytest
from audit_reference import Degenerate, events

import ccd
from ccd import audit
from ccd.audit import Verdict

FLOOR = np.array([[0, 0, 0], [8, 0, 0], [0, 8, 0]], float)


def scene(seed):
    """Two to four triangles and rods with integer places, which move; ends of small range make contacts at borders."""
    rng = np.random.default_rng(seed)
    reach = int(rng.choice([3, 6, 20]))
    triangles, rods = int(rng.integers(1, 4)), int(rng.integers(0, 3))
    n = 3 * triangles + 2 * rods
    x0 = rng.integers(-reach, reach + 1, (n, 3)).astype(float)
    x1 = x0 + rng.integers(-reach, reach + 1, (n, 3)) if rng.random() < 0.5 else rng.integers(-reach, reach + 1, (n, 3))
    faces = np.arange(3 * triangles).reshape(-1, 3)
    if triangles > 1 and rng.random() < 0.5:  # two triangles with a common edge
        faces[1, :2] = faces[0, [1, 0]]
    return faces, np.arange(3 * triangles, n).reshape(-1, 2), x0, np.asarray(x1, float)


def mesh_of(faces, rods, n):
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]], rods])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    used = np.isin(np.arange(n), np.concatenate([faces.ravel(), rods.ravel()]))
    return ccd.Mesh(faces=faces, edges=edges, vertices=n, ignored=~used)


def compared(seeds):
    """How many scenes were compared, and what was seen in them."""
    seen, count = {}, 0
    for seed in seeds:
        faces, rods, x0, x1 = scene(seed)
        try:
            right, standing = events(faces.tolist(), rods.tolist(), x0.tolist(), x1.tolist())
        except Degenerate:
            continue
        [step] = audit.frames(mesh_of(faces, rods, len(x0)), [x0, x1], distances=False, threads=1).steps
        found = sorted((str(e.verdict), e.pairs, e.before, e.after) for e in step.events if e.pairs)
        assert found == right, (seed, found, right)
        assert sum(e.before for e in step.events if not e.pairs) == standing
        assert (step.verdict == Verdict.SEPARATE) == (not right and not standing)
        count += 1
        for verdict, *_ in right:
            seen[verdict] = seen.get(verdict, 0) + 1
    return count, seen


def test_events_are_those_of_the_reference():
    count, seen = compared(range(40))
    assert count > 20 and {"passed through", "entered", "left", "crossing"} <= set(seen), (count, seen)


@pytest.mark.long
def test_events_are_those_of_the_reference_in_many_scenes():
    count, seen = compared(range(1000, 2500))
    assert count > 800 and {"passed through", "entered", "left", "crossing", "returned"} <= set(seen), (count, seen)


# ---- by hand: a needle of three vertices over a triangle


def needle(*heights, at=(2, 2)):
    """Frames of a floor and a needle of three vertices, the lowest at these heights."""
    tips = [np.array([[*at, h], [*at, h + 1], [*at, h + 2]], float) for h in heights]
    return ccd.Mesh(faces=[[0, 1, 2]], edges=[[0, 1], [1, 2], [0, 2], [3, 4], [4, 5]]), [np.vstack([FLOOR, t]) for t in tips]


def verdicts(mesh, frames, **options):
    return [str(step.verdict) for step in audit.frames(mesh, frames, **options).steps]


@pytest.mark.parametrize(
    "heights, right",
    [
        ((1, -3), ["passed through"]),
        ((-3, 1), ["passed through"]),
        ((1, -0.5), ["entered"]),
        ((1, -0.5, -1.5, -3), ["entered", "crossing", "left"]),
        ((-0.5, 1), ["left"]),
        ((-0.5, -0.6), ["crossing"]),
        ((1, 0, 1), ["touched", "touched"]),  # it touches in the frame between, and goes back
        ((1, 0, 0, 1), ["touched", "touched", "touched"]),
        ((1, 0, -3), ["touched", "passed through"]),  # its side before is known from the step before
        ((1, 0, 0, -3), ["touched", "touched", "passed through"]),
        ((1, -2, -3), ["passed through", "passed through"]),  # the last vertex is in the face between, and goes on
        ((1, -1, -3), ["entered", "left"]),  # the middle vertex is in the face: its edges are on both sides
        ((0, -2), ["passed through"]),  # it begins in the face, all of it above, and ends in it, all of it below
        ((0, 1), ["touched"]),
        ((-2, -3), ["touched"]),
        ((1, 0.5, 0.25), ["separate", "separate"]),
    ],
)
def test_a_needle(heights, right):
    assert verdicts(*needle(*heights)) == right
    frames = audit.frames(*needle(*heights)).frames
    assert [f.crossings for f in frames] == [{-0.5: 1, -0.6: 1, -1.5: 1, -1: 2}.get(h, 0) for h in heights]
    assert [f.distance_lo == 0 for f in frames] == [-2 <= h <= 0 for h in heights]


def test_beside_the_triangle_nothing_passes():
    assert verdicts(*needle(1, -3, at=(6, 6))) == ["separate"]


def test_rods_pass_through_each_other_without_a_surface():
    mesh = ccd.Mesh(edges=[[0, 1], [2, 3]], vertices=4)
    x = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]], float)
    [step] = audit.frames(mesh, [x, x - np.outer([0, 0, 1, 1], [0, 0, 2])]).steps
    [event] = step.events
    assert (str(event.verdict), event.kind, event.time, event.point) == ("passed through", "edge-edge", 0.5, (0.0, 0.0, 0.0))
    assert verdicts(mesh, [x, x - np.outer([0, 0, 1, 1], [0, 0, 1]), x]) == ["touched", "touched"]


def test_what_slides_within_a_plane_is_undecided():
    x = np.vstack([FLOOR, [[9, 1, 0], [10, 1, 0], [9, 2, 0]]])
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    assert verdicts(mesh, [x, x - np.outer(np.arange(6) > 2, [5, 0, 0])]) == ["undecided"]


def test_a_crossing_at_the_start_does_not_hide_what_passes_elsewhere():
    mesh, (start, end) = needle(1, -3)
    both = ccd.Mesh(faces=[[0, 1, 2], [6, 7, 8], [9, 10, 11]], edges=[*mesh.edges.tolist(), *STUCK])
    apart = np.add([*FLOOR, [2, 2, -1], [2, 2, 1], [3, 3, 1]], [50, 0, 0])  # two triangles that cross and stay
    report = audit.frames(both, [np.vstack([x, apart]) for x in (start, start, end, end)], names=["floor", "needle", "a", "b"])
    assert [str(s.verdict) for s in report.steps] == ["crossing", "passed through", "crossing"]
    passed, still = report.steps[1].events
    assert (passed.a, passed.b, still.a, still.b) == ("floor", "needle", "a", "b")
    assert (
        report.frames[3].objects == {("a", "b"): report.frames[3].crossings} and report.frames[0].crossings == still.before > 0
    )


STUCK = [[6, 7], [7, 8], [6, 8], [9, 10], [10, 11], [9, 11]]


def test_objects_groups_and_thickness():
    mesh, frames = needle(1, 0.5, -3)
    assert verdicts(mesh, frames, min_separation=0.75) == ["near", "passed through"]
    assert verdicts(mesh, frames[:2], skip=[("object 0", "object 1")], min_separation=0.75) == ["separate"]
    assert verdicts(mesh, frames, skip=[("floor", "needle")], names=["floor", "needle"]) == ["separate", "separate"]
    assert verdicts(mesh, frames, objects=np.zeros(6, int), self_collisions=False) == ["separate", "separate"]
    floor = audit.frames(
        ccd.Mesh(faces=[[0, 1, 2]], edges=[[0, 1], [1, 2], [0, 2], [3, 4], [4, 5]]), frames, self_collisions=False
    )
    assert floor.frames[0].distance_hi == pytest.approx(1) and floor.verdict == Verdict.PASSED_THROUGH
    assert audit.frames(mesh, frames, skip=[("object 0", "object 1")]).frames[0].distance_lo is None
    mesh.set_radii([0, 0, 0, 0.75, 0, 0])
    assert verdicts(mesh, frames, self_collisions=False) == ["near", "passed through"]
    report = audit.frames(mesh, frames)
    assert [str(s.verdict) for s in report.steps] == ["near", "passed through"]
    assert report.frames[1].distance_lo == 0 and report.steps[0].events[0].time == 0.5 and not report.frames[1].crossings
    with pytest.raises(ccd.ArgumentError, match="skip names 'shirt': must be one of object 0"):
        audit.frames(mesh, frames, skip=[("shirt", "object 0")])
    with pytest.raises(ccd.ArgumentError, match=r"frames\[1\]"):
        audit.frames(mesh, [frames[0], frames[1][:5]])
    with pytest.raises(ccd.ArgumentError, match=r"objects: edge \d joins 'object 0' and 'object 1'"):
        audit.frames(mesh, frames, objects=[0, 0, 1, 1, 1, 1], skip=[("object 0", "object 0")])


def test_a_cloth_over_a_cloth_in_many_threads_and_by_a_recorder():
    n = 12
    i = np.arange(n * n).reshape(n, n)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]], -1).reshape(-1, 4)
    faces = np.vstack([quads[:, [0, 1, 2]], quads[:, [2, 1, 3]]])
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    sheet = np.stack([x, y, 0 * x], -1).reshape(-1, 3)
    mesh = ccd.Mesh(faces=np.vstack([faces, faces + n * n]))
    frames = [
        np.vstack(
            [sheet, sheet * [0.9, 0.9, 1] + [0.031, 0.017, 0.3 - 0.11 * k] + np.outer(np.sin(3 * sheet[:, 0]), [0, 0, 0.02])]
        )
        for k in range(6)
    ]
    report = audit.frames(mesh, iter(frames), threads=1)
    assert [str(s.verdict) for s in report.steps][:2] == ["separate", "separate"] and report.verdict == Verdict.PASSED_THROUGH
    assert audit.frames(mesh, frames, threads=3) == report
    recorder = audit.Recorder(mesh, distances=True)
    steps = [recorder.append(x) for x in frames]
    assert steps[0] is None and steps[1:] == report.steps and recorder.close().frames == report.frames
    seen = []
    assert not audit.frames(mesh, frames, progress=lambda frame, step: seen.append(frame.number) or frame.number == 2).complete
    assert seen == [0, 1, 2]


def test_sides_are_exact():
    rng = np.random.default_rng(5)
    for scale in (1.0, 1e-110, 1e120):
        points = scale * rng.integers(-3, 4, (400, 4, 3)) * rng.choice([1, 1 + 2.0**-52], (400, 4, 3))
        p, a, b, c = points.transpose(1, 0, 2)
        right = [audit._sides._exact(*row) for row in points]
        assert audit._sides.sides(p, a, b, c).tolist() == right and {-1, 0, 1} == set(right)
    exponents = rng.choice([498, -560, -540, -300], (3000, 4, 3))  # some products underflow
    apart = 2.0**exponents * rng.integers(-3, 4, (3000, 4, 3))
    apart[:, 0] = 0
    right = [audit._sides._exact(*row) for row in apart]
    assert audit._sides.sides(*apart.transpose(1, 0, 2)).tolist() == right
    flat = np.array([[0, 0, 5], [3, 1, 5], [1, 7, 5], [9, 9, 5]], float)[:, None]
    exact, audit._sides._exact = audit._sides._exact, None  # points of a plane z = 5 need no fractions
    try:
        assert audit._sides.sides(*flat).tolist() == [0]
    finally:
        audit._sides._exact = exact


def halved(seeds):
    """A step, and the same step with a frame in its middle, where much touches exactly: what is seen in one is in the other."""
    seen = set()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        triangles, rods = int(rng.integers(1, 3)), int(rng.integers(0, 2))
        n, reach = 3 * triangles + 2 * rods, int(rng.choice([1, 2, 3]))
        x0, x1 = (2.0 * rng.integers(-reach, reach + 1, (n, 3)) for _ in range(2))
        if rng.random() < 0.5:
            x1 = x0 + 2.0 * rng.integers(-reach, reach + 1, 3) * (np.arange(n)[:, None] >= 3)
        mesh = mesh_of(np.arange(3 * triangles).reshape(-1, 3), np.arange(3 * triangles, n).reshape(-1, 2), n)
        [one] = audit.frames(mesh, [x0, x1], distances=False, threads=1).steps
        two = {s.verdict for s in audit.frames(mesh, [x0, (x0 + x1) / 2, x1], distances=False, threads=1).steps}
        assert (one.verdict == Verdict.SEPARATE) == (two == {Verdict.SEPARATE}), seed
        assert one.verdict in (Verdict.SEPARATE, Verdict.TOUCHED) or min(two) < Verdict.TOUCHED, (seed, one, two)
        seen |= {(one.verdict, verdict) for verdict in two}
    return seen


def test_a_frame_in_the_middle_of_a_step_hides_nothing():
    assert (Verdict.PASSED_THROUGH, Verdict.TOUCHED) in halved(range(200))


@pytest.mark.long
def test_a_frame_in_the_middle_of_a_step_hides_nothing_in_many_scenes():
    assert len(halved(range(1000, 5000))) > 20
