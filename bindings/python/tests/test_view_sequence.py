"""Pages of `ccd view` for sequences of frames."""

import json
from itertools import pairwise

import numpy as np
import pytest
from browser import BROWSER, browse
from scenes_view import sequence, volume, vtk
from test_view import data, unpack

import ccd
from ccd.cli import main
from ccd.cli.sequence import expand


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames")
    files, (faces, arrays) = sequence(folder)
    page = folder / "page.html"
    assert main(["view", str(folder / "f*.off"), "-o", str(page)]) == 1
    return files, faces, arrays, page.read_text()


def test_a_pattern_is_in_the_order_of_its_numbers(frames, tmp_path):
    files, *_ = frames
    folder = files[0].rpartition("/")[0]
    assert expand([f"{folder}/f*.off"]) == files and expand([f"{folder}/f?.off", files[-1]]) == [*files[:10], files[-1]]
    with pytest.raises(ccd.errors.ArgumentError, match=r"none\*\.off: no file matches"):
        expand([f"{folder}/none*.off"])
    (tmp_path / "a[1].off").write_text("x")
    assert expand([str(tmp_path / "a[1].off")]) == [str(tmp_path / "a[1].off")]  # a file of this name, not a pattern


def test_every_step_is_that_of_ccd_step(frames):
    _, faces, arrays, text = frames
    held, mesh = data(text), ccd.Mesh(faces)
    assert held["steps"] == held["t_max"] == len(arrays) - 1 and held["frame_names"][3] == "f3.off"
    want = [ccd.step.collisions(mesh, a, b, check_start=True) for a, b in pairwise(arrays)]
    assert held["met"] == sum(map(len, want)) > 0 and held["facts"]["frames"] == str(len(arrays))
    for k, impacts in enumerate(want):
        listed = [i for i in held["impacts"] if i["step"] == k]
        assert [i["time"] for i in listed] == [k + r["toi_lo"] for r in impacts[: held["quota"]]]
        assert all(["step", f"frame {k} to {k + 1}"] in i["rows"] and i["rows"][4][0] == "t" for i in listed)
    for marks in held["marks"]:  # each mark is at its impact's point at its time
        t, a, b = unpack(marks["times"], columns=1), unpack(marks["x0"]), unpack(marks["x1"])
        at = a * (1 - t) + b * t
        for step, first, count in marks["steps"]:
            points = [i["point"] for i in held["impacts"] if i["step"] == step]
            apart = at[first : first + len(points)] - np.reshape(points, (-1, 3))
            assert count == len(want[step]) and np.abs(apart).max(initial=0) < 1e-5
    near = {(n["step"], n["label"]) for n in held["near"]}
    assert near and not near & {(i["step"], i["label"]) for i in held["impacts"]}


def test_frames_are_all_there_once(frames, tmp_path):
    _, faces, arrays, text = frames
    held = data(text)
    origin = np.array(held["origin"])
    for x, packed in zip(arrays, held["parts"][0]["frames"], strict=True):
        assert np.abs(unpack(packed) * held["scale"] + origin - x).max() < 1e-6
    page = ccd.view.Page("still")
    page.add_sequence(ccd.Mesh(faces), [arrays[0], arrays[0], arrays[0], arrays[1], arrays[1]])
    kept = data(page.html())["parts"][0]["frames"]
    assert kept[1:3] == [0, 0] and kept[4] == 3 and isinstance(kept[3], str)  # what stands still is written once


def test_a_volume_and_vertices_alone(tmp_path, capsys):
    (_, _), (x0, x1, elements) = volume(tmp_path)
    files = [vtk(tmp_path / "a.vtk", x0, elements), str(tmp_path / "m.npy"), vtk(tmp_path / "b.vtk", x1, elements)]
    np.save(files[1], x0 / 2 + x1 / 2)
    assert main(["view", *files, "-o", str(tmp_path / "page.html"), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    held = data((tmp_path / "page.html").read_text())
    assert report["frames"] == 3 and report["kind"] == "volume" and held["steps"] == 2
    assert {i["step"] for i in held["impacts"]} >= {0} and held["impacts"][0]["time"] == 1.0


def test_what_is_no_sequence_is_refused(frames, tmp_path, capsys, monkeypatch):
    files, faces, arrays, _ = frames
    other = str(tmp_path / "other.npy")
    np.save(other, arrays[0][:-1])
    out = ["-o", str(tmp_path / "page.html")]
    for arguments, text in (
        ([*files[:2], other], f"{other} has {len(arrays[0]) - 1}"),
        ([*files[:3], "--pose=0,0,1"], "a scene of kind rigid takes no third file"),
        ([str(tmp_path / "no*.obj")], "no file matches"),
    ):
        assert main(["view", *arguments, *out]) == 2
        assert text in capsys.readouterr().err
    mesh, page = ccd.Mesh(faces), ccd.view.Page("x")
    with pytest.raises(ccd.errors.ArgumentError, match="frames: 1 given"):
        page.add_sequence(mesh, arrays[:1])
    with pytest.raises(ccd.errors.ArgumentError, match=r"frames\[2\]"):
        page.add_sequence(mesh, [arrays[0], arrays[1], arrays[2][:-1]])
    page.add_sequence(mesh, arrays[:3])
    with pytest.raises(ccd.errors.ArgumentError, match="step"):
        page.add_impacts(mesh, arrays[0], arrays[1], ccd.step.collisions(mesh, arrays[0], arrays[1]), step=2)
    monkeypatch.setattr("ccd.view._state.MOST_BYTES", 12 * len(arrays[0]) * 4)
    with pytest.raises(ccd.errors.ArgumentError, match="do not fit into one page: give at most 4"):
        ccd.view.Page("x").add_sequence(mesh, arrays)
    assert main(["view", *files, *out]) == 2 and "give at most 4" in capsys.readouterr().err


PROBE = """<script>
addEventListener("error", (e) => { document.body.dataset.error = e.message; });
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const told = [];
const look = () => told.push([state.s * data.steps, $("step").textContent, ...at(0, 50, state.s)]);
setTimeout(() => {
  for (const k of [0, 2.25, 6.5, 10.75, 11]) { setTime(k / data.steps); render(); look(); }
  setTime(2.25 / data.steps);
  for (const key of [".", ".", ",", ","]) { press(key); look(); }
  $("after").click(); look();
  const most = Math.max(...built.parts.map((b) => b.frames.size));
  jump("impacts", data.impacts.length - 1);
  const m = current(), heads = [...document.querySelectorAll("#list li.heading")].map((li) => li.textContent);
  const shown = shownStep().k;
  play(true); setTime(0.999);
  frame(1000); frame(1000 + LENGTH); frame(1000 + 1.5 * LENGTH); // past the end it begins again
  const last = [m.step, shown, state.playing, state.s.toFixed(2)];
  Object.assign(document.body.dataset, { told: JSON.stringify(told), most, last, heads });
}, 300);
</script>"""


@BROWSER
def test_a_browser_plays_all_frames(frames, tmp_path):
    _, _, arrays, text = frames
    _, body = browse(text, tmp_path, "", PROBE)
    assert "error" not in body, body
    held, told = data(text), json.loads(body["told"])
    for t, words, *place in told:
        k = min(int(t + 1e-9), len(arrays) - 2)
        want = arrays[k][50] * (1 - (t - k)) + arrays[k + 1][50] * (t - k)
        assert np.abs(np.array(place) * held["scale"] + held["origin"] - want).max() < 1e-5
        assert words == f"frame {k} to {k + 1} of {len(arrays) - 1}"
    assert [t for t, *_ in told[5:]] == pytest.approx([3, 4, 3, 2, 3])
    assert int(body["most"]) <= 4  # frames on the GPU
    last = held["impacts"][-1]["step"]
    assert body["last"] == f"{last},{last},true,0.00"
    steps = sorted({i["step"] for i in held["impacts"]})
    assert body["heads"] == ",".join(f"frame {k} to {k + 1}" for k in steps)
