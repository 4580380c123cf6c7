"""Pages of motions that are not straight: frames, times, and contacts against what is known."""

import json
import math

import numpy as np
import pytest
from browser import BROWSER, browse
from test_view import data, unpack

import ccd

WALL = [[-2, 0.5, -1], [2, 0.5, -1], [0, 0.5, 2]]


def gate():
    """A triangle turns about z by a half turn; its tip meets a wall at y = 1/2 after a sixth."""
    x = np.array([[1, 0, 0], [0.2, 0, 0.1], [0.2, 0, -0.1], *WALL])
    bones = [ccd.rigid.Motion(angular_velocity=(0, 0, math.pi)), ccd.rigid.Motion()]
    weights = np.repeat([[1, 0], [0, 1]], 3, axis=0)
    return ccd.Mesh([[0, 1, 2], [3, 4, 5]]), ccd.Motion.skinned(x, bones, weights)


def test_frames_are_positions_of_the_motion():
    mesh, motion = gate()
    page = ccd.view.Page("turn")
    part = page.add_motion(mesh, motion, frames=9)
    held = data(page.html())
    assert page.steps == held["steps"] == 8 and held["t_min"] == 0 and held["t_max"] == 1
    for k in range(9):
        text = held["parts"][part]["frames"][k]
        shown = unpack(text).reshape(-1, 3) * held["scale"] + held["origin"]
        assert np.allclose(shown, motion.at(k / 8), atol=1e-6)


def test_as_many_frames_as_the_bend_takes():
    straight = ccd.Motion(np.zeros((2, 3, 3)) + np.arange(2)[:, None, None])
    mesh = ccd.Mesh([[0, 1, 2]])
    steps = []
    for motion in (straight, ccd.Motion.rigid(np.eye(3), ccd.rigid.Motion(angular_velocity=(0, 0, 20 * math.pi)))):
        page = ccd.view.Page("x")
        page.add_motion(mesh, motion)
        steps.append(page.steps)
    assert steps == [16, 512]


def test_contacts_are_on_the_time_line():
    mesh, motion = gate()
    page = ccd.view(mesh, motion, tolerance=1e-9).page
    assert page.met >= 1 and page.facts["degree"] == "3"
    first = page.impacts[0]
    assert first["label"] == "vertex-face 0 1" and abs(first["time"] - 1 / 6) < 1e-8
    assert first["step"] == int(page.steps / 6)
    held = data(page.html())
    (marks,) = held["marks"]
    times = unpack(marks["times"], columns=1)[:, 0]
    at = {step: times[start] for step, start, count in marks["steps"]}
    assert (at[first["step"]] + first["step"]) / page.steps == pytest.approx(1 / 6, abs=1e-6)
    assert dict((row[0], row[1]) for row in first["rows"])["t"] == repr(first["time"])


def test_a_motion_of_degree_one_has_the_contacts_of_the_step():
    rng = np.random.default_rng(2)
    x0 = rng.uniform(-1, 1, (60, 3))
    x1 = x0 + rng.uniform(-1, 1, (60, 3))
    mesh = ccd.Mesh(np.arange(60).reshape(-1, 3))
    want = ccd.step.collisions(mesh, x0, x1)
    page = ccd.view(mesh, ccd.Motion([x0, x1])).page
    assert page.met == len(want) > 20
    assert [pair["time"] for pair in page.impacts] == want["toi_lo"].tolist()
    assert {pair["label"] for pair in page.impacts} == {f"{ccd.Kind(int(r['kind']))} {r['a']} {r['b']}" for r in want}


def test_pairs_that_were_computed_one_by_one():
    mesh, motion = gate()
    page = ccd.view.Page("turn")
    part, pairs = page.add_motion(mesh, motion), [[1, 3, 4, 5], [0, 3, 4, 5]]
    impacts = motion.pairs("vertex-face", pairs, tolerance=1e-9)
    assert impacts["verdict"][0] == ccd.Verdict.SEPARATE
    page.add_motion_impacts(mesh, impacts, part, pairs)
    (only,) = page.impacts
    assert only["sides"] == [{"part": 0, "vertices": [0]}, {"part": 0, "vertices": [3, 4, 5]}]
    assert abs(only["time"] - 1 / 6) < 1e-8
    assert page.impacts[0]["rows"][0] == ["vertex", "of vertices 0", "first"]


def test_what_does_not_fit():
    mesh, motion = gate()
    page = ccd.view.Page("turn")
    with pytest.raises(ccd.ArgumentError, match="motion has 6 vertices: the mesh has 3"):
        page.add_motion(ccd.Mesh([[0, 1, 2]]), motion)
    with pytest.raises(ccd.ArgumentError, match=r"motion is ndarray: must be a ccd.*Motion"):
        page.add_motion(mesh, np.zeros((6, 3)))
    with pytest.raises(ccd.ArgumentError, match="frames"):
        page.add_motion(mesh, motion, frames=1)
    part = page.add_motion(mesh, motion)
    impacts = motion.pairs("vertex-face", [[0, 3, 4, 5]])
    with pytest.raises(ccd.ArgumentError, match="give vertices"):
        page.add_motion_impacts(mesh, impacts, part)
    with pytest.raises(ccd.ArgumentError, match=r"vertices has shape \(1, 3\)"):
        page.add_motion_impacts(mesh, impacts, part, [[0, 3, 4]])
    with pytest.raises(ccd.ArgumentError, match="out of range for 6"):
        page.add_motion_impacts(mesh, impacts, part, [[0, 3, 4, 6]])
    with pytest.raises(ccd.ArgumentError, match=r"ccd\.Motion is given alone"):
        ccd.view(mesh, motion, motion.at(1))
    assert ccd.view(mesh, motion, impacts=False).page.verdict == "impacts were not computed"


def test_radii_count():
    mesh, motion = gate()
    bare = ccd.step.earliest(mesh, motion, tolerance=1e-9).toi_lo
    mesh.set_radii(np.full(6, 0.01))
    assert ccd.step.earliest(mesh, motion, tolerance=1e-9).toi_lo < bare - 1e-3
    listed = ccd.step.collisions(mesh, motion, tolerance=1e-9)
    assert ccd.view(mesh, motion, tolerance=1e-9).page.met == len(listed) > 0


PROBE = """<script>
addEventListener("error", (e) => { document.body.dataset.error = e.message; });
setTimeout(() => {
  setTime(0.3); render();
  const here = at(0, 0, state.s);
  jump("impacts", 0); render();
  const time = timeOf(state.s), tip = at(0, 0, state.s), listed = document.querySelector("#list li:not(.heading)").textContent;
  Object.assign(document.body.dataset, { told: JSON.stringify({ here, time, tip, listed, ticks: tickTimes(700) }) });
}, 300);
</script>"""


@BROWSER
def test_a_browser_plays_it(tmp_path):
    mesh, motion = gate()
    text = ccd.view(mesh, motion, tolerance=1e-9).page.html()
    _, body = browse(text, tmp_path, "", PROBE)
    assert "error" not in body, body
    held, told = data(text), json.loads(body["told"])
    place = [np.array(told[name]) * held["scale"] + held["origin"] for name in ("here", "tip")]
    assert np.abs(place[0] - motion.at(0.3)[0]).max() < 2e-3  # a chord
    assert told["time"] == pytest.approx(1 / 6) and np.abs(place[1] - motion.at(1 / 6)[0]).max() < 2e-3
    assert told["listed"].startswith("vertex-face 0 1") and len(told["ticks"]) > 5
