"""The command: text, JSON, exit codes."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import sheets

import ccd
from ccd.cli import main


def off(path, vertices, faces):
    rows = "".join("{:.17g} {:.17g} {:.17g}\n".format(*v) for v in vertices)
    rows += "".join("3 {} {} {}\n".format(*f) for f in faces)
    path.write_text(f"OFF\n{len(vertices)} {len(faces)} 0\n{rows}")
    return str(path)


@pytest.fixture
def frames(tmp_path, triangles):
    faces, x0, x1 = triangles
    return off(tmp_path / "a.off", x0, faces), off(tmp_path / "b.off", x1, faces)


def run(*arguments, capsys):
    code = main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_json(*arguments, capsys):
    code, out, _ = run(*arguments, "--json", capsys=capsys)
    return code, json.loads(out)


def test_step(frames, capsys):
    code, out, err = run("step", *frames, capsys=capsys)
    assert code == 1 and err == ""
    for word in (
        "6 vertices",
        "earliest    vertex-face 3 0 at t = 0.",
        "boxes       14",
        "candidates  3 vertex-face",
        "narrow",
        "total",
    ):
        assert word in out


def test_step_json(frames, capsys):
    code, report = run_json("step", *frames, "--all", capsys=capsys)
    assert code == 1 and report["verdict"] == "contact"
    assert (report["vertices"], report["edges"], report["faces"]) == (6, 6, 2)
    first = report["earliest"]
    assert (first["kind"], first["a"], first["b"]) == ("vertex-face", 3, 0)
    assert 0.5 - 1e-5 < first["toi_lo"] <= 0.5
    assert report["impacts"][0] == first and len(report["impacts"]) == report["stats"]["impacts"]
    assert report["options"]["method"] == "default"
    code, alone = run_json("step", *frames, "--earliest", capsys=capsys)
    assert code == 1 and alone["earliest"]["toi_lo"] == first["toi_lo"]


def test_step_without_contact(frames, capsys):
    code, out, _ = run("step", frames[0], frames[0], capsys=capsys)
    assert code == 0 and "separate" in out and "proven for every t in [0, 1]" in out
    assert "start       no edge passes through a face (proven)" in out
    code, report = run_json("step", *frames, "--t-max", 0.25, "--earliest", capsys=capsys)
    assert code == 0 and report["verdict"] == "separate" and report["earliest"] is None
    assert run("step", *frames, "--t-max", 0.25, "--min-separation", 0.75, capsys=capsys)[0] == 1


def test_step_per_vertex(frames, tmp_path, triangles, capsys):
    faces, x0, x1 = triangles
    code, out, _ = run("step", *frames, "--per-vertex", "--positions", tmp_path / "y.npy", capsys=capsys)
    want = ccd.step.sizes(ccd.Mesh(faces), x0, x1)
    assert code == 1 and f"{100 * want.used:.3g} % of the motion is left, in {want.passes} passes" in out
    assert (np.load(tmp_path / "y.npy") == want.y).all()
    assert run("step", frames[0], tmp_path / "y.npy", capsys=capsys)[0] == 0
    code, report = run_json("step", *frames, "--per-vertex", capsys=capsys)
    assert code == 1 and report["per_vertex"] == {
        "used": want.used, "floor": want.floor, "resting": want.resting, "passes": want.passes
    }  # fmt: skip
    code, _, err = run("step", *frames, "--positions", tmp_path / "y.npy", capsys=capsys)
    assert code == 2 and "--positions needs --per-vertex" in err
    code, _, err = run("step", *frames, "--per-vertex", "--positions", tmp_path / "none" / "y.npy", capsys=capsys)
    assert code == 2 and "none" in err


def test_step_intervals(frames, triangles, capsys):
    faces, x0, x1 = triangles
    for options, settings in (((), {}), (("--min-separation", 0.1, "--norm", "max"), {"min_separation": 0.1, "norm": "max"})):
        want = ccd.step.intervals(ccd.Mesh(faces), x0, x1, **settings)
        code, out, _ = run("step", *frames, "--intervals", *options, capsys=capsys)
        assert code == 1 and f"{len(want)} intervals of contact" in out and "enter" in out
        code, report = run_json("step", *frames, "--intervals", *options, capsys=capsys)
        names = ("kind", "a", "b", "enter", "exit", "side_before", "side_after")
        assert code == 1 and [[x[n] for n in names] for x in report["intervals"]] == [
            [str(ccd.Kind(r["kind"])), *(r[n] for n in names[1:])] for r in want
        ]
        flags = [
            ccd.INITIAL_CONTACT * x["initial_contact"] + ccd.FINAL_CONTACT * x["final_contact"] for x in report["intervals"]
        ]
        assert flags == want["flags"].tolist()
    code, _, err = run("step", *frames, "--intervals", "--method", "tight-inclusion", capsys=capsys)
    assert code == 2 and "method" in err
    code, report = run_json("step", frames[0], frames[0], "--intervals", capsys=capsys)
    assert code == 0 and report["intervals"] == []


def test_step_checks_the_start(tmp_path, triangles, capsys):
    faces, x0, _ = triangles
    x0 = x0.copy()
    x0[3, 2] = -0.25
    file = off(tmp_path / "crossing.off", x0, faces)
    code, out, _ = run("step", file, file, capsys=capsys)
    assert code == 1 and "A INTERSECTS ITSELF: 2 pairs of an edge that passes through a face" in out
    assert "earliest    edge-face" in out and "separate" not in out
    code, out, _ = run("step", file, file, "--all", capsys=capsys)
    assert code == 1 and sum(line.startswith("edge-face") for line in out.splitlines()) == 2
    code, out, _ = run("step", file, file, "--earliest", capsys=capsys)
    assert code == 1 and "A INTERSECTS ITSELF: an edge passes through a face" in out
    code, report = run_json("step", file, file, "--all", capsys=capsys)
    assert code == 1 and report["verdict"] == "contact" and report["options"]["check_start"] is True
    assert report["start_intersects"] is True and report["start_crossings"] == 2
    assert report["earliest"]["kind"] == "edge-face" and report["earliest"]["intersecting"] and len(report["impacts"]) == 2
    code, report = run_json("step", file, file, "--earliest", capsys=capsys)
    assert code == 1 and report["start_intersects"] is True and report["start_crossings"] is None
    code, out, _ = run("step", file, file, "--no-check-start", capsys=capsys)
    assert code == 0 and "not checked" in out and "separate" in out
    code, report = run_json("step", file, file, "--no-check-start", capsys=capsys)
    assert code == 0 and report["start_intersects"] is None and report["start_crossings"] is None


def test_step_to_displaced_vertices(frames, tmp_path, triangles, capsys):
    np.save(tmp_path / "b.npy", triangles[2].astype(np.float32))
    code, report = run_json("step", frames[0], tmp_path / "b.npy", capsys=capsys)
    assert code == 1 and report["earliest"]["a"] == 3
    np.save(tmp_path / "c.npy", np.full((6, 3), np.inf, np.float32))
    code, _, err = run("step", frames[0], tmp_path / "c.npy", capsys=capsys)
    assert code == 2 and "c.npy: vertex 0 is at [inf, inf, inf]" in err


def test_step_all_lists_every_impact(tmp_path, capsys):
    faces, x0, x1 = sheets(8)
    a, b = off(tmp_path / "a.off", x0, faces), off(tmp_path / "b.off", x1, faces)
    _, report = run_json("step", a, b, "--all", capsys=capsys)
    _, out, _ = run("step", a, b, "--all", capsys=capsys)
    assert len(out.split("\n\n")[1].strip().splitlines()) == 1 + len(report["impacts"])
    _, apart = run_json("step", a, b, "--components", capsys=capsys)
    assert apart["stats"]["candidates"]["edge-edge"] < report["stats"]["candidates"]["edge-edge"]


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["step", "{a}", "none.off"], "none.off"),
        (["step", "{a}", "{c}"], "a.off has 6 vertices"),
        (["step", "{a}", "{d}"], "other faces"),
        (["step", "{a}", "{cut}"], "cut.ply"),
        (["step", "{a}", "{bad}"], "bad.npy"),
        (["step", "{a}", "{b}", "--t-max", "2"], "t_max"),
        (["step", "{a}", "{b}", "--tolerance", "-1"], "tolerance"),
        (["step", "{a}", "{b}", "--min-separation", "nan"], "min_separation"),
        (["query", "{zero}", "--kind", "vf"], "line 3"),
        (["query", "{ok}"], "give --kind"),
        (["query", "none.csv", "--kind", "vf"], "none.csv"),
        (["verify", "{a}", "--method", "exact"], "give two frames"),
        (["verify", "{ok}", "--kind", "vf", "--answers", "none.npz"], "none.npz"),
        (["verify", "{ok}", "--kind", "vf", "--peer", "nobody"], "peer is 'nobody'"),
    ],
)
def test_bad_input_exits_2_and_says_what(frames, tmp_path, triangles, capsys, arguments, text):
    faces, x0, _ = triangles
    names = {"a": frames[0], "b": frames[1], "c": off(tmp_path / "c.off", x0[:3], faces[:1])}
    names["d"] = off(tmp_path / "d.off", x0, [[0, 2, 1], [3, 4, 5]])
    for name, content in {
        "cut.ply": b"ply\nformat binary_little_endian 1.0\nelement vertex 9\nproperty double x\n",
        "bad.npy": b"\x93NUMPY\x01",
        "zero.csv": b"1,1,1,1,1,1\n1,1,1,1,1,1\n1,0,1,1,1,1\n" + b"1,1,1,1,1,1\n" * 5,
        "ok.csv": b"1,1,1,1,1,1\n" * 8,
    }.items():
        (tmp_path / name).write_bytes(content)
        names[name.split(".")[0]] = str(tmp_path / name)
    code, out, err = run(*(argument.format(**names) for argument in arguments), capsys=capsys)
    assert code == 2 and out == "" and err.startswith("ccd: ") and text in err and err.count("\n") == 1


def test_bad_usage_exits_2(capsys):
    for arguments in ([], ["step"], ["step", "a", "b", "--method", "fast"], ["step", "a", "b", "--t-max", "x"], ["dance"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2


def test_options_that_a_mode_does_not_use_are_refused(capsys):
    """They are refused before a file is read. A value that is the default is one too."""
    for words, option in (
        (["rigid", "s.json", "--velocity=1,0,0"], "--velocity"),
        (["rigid", "s.json", "--pose-b", "0,0,0"], "--pose-b"),
        (["rigid", "a.off", "b.off", "--earliest"], "--earliest"),
        (["pose", "s.json", "--min-separation", "0"], "--min-separation"),
        (["pose", "s.json", "--depth"], "--depth"),
        (["pose", "a.off", "b.off", "--within", "1"], "--within"),
        (["rigid", "a.off", "b.off", "--strict"], "--strict"),
        (["patch", "a.npz", "b.npz", "--neighbourhood", "0"], "--neighbourhood"),
        (["patch", "a.npz", "b.npz", "--t-window", "1e-3"], "--t-window"),
        (["robot", "replay", "edge.json", "--min-separation", "0.1"], "--min-separation"),
        (["robot", "replay", "edge.json", "--scene", "a.off"], "--scene"),
        (["robot", "replay", "edge.json", "--view", "page.html"], "--view"),
        (["robot", "replay", "edge.json", "--thr", "1"], "--threads"),
        (["view", "a.off", "b.off", "--seconds", "3"], "--seconds"),
        (["view", "a.off", "b.off", "--video", "v.mp4", "--at", "0.5"], "--at"),
        (["view", "a.off", "b.off", "--size", "1280x800"], "--size"),
        (["view", "a.off", "b.off", "--state", "impact=0"], "--state"),
        (["view", "a.off", "b.off", "--as", "mesh", "--strict"], "--strict"),
        (["view", "s.json", "--velocity-b=1,0,0"], "--velocity-b"),
        (["view", "a.npz", "b.npz", "--t-window", "0.1"], "--t-window"),
        (["view", "a.off", "b.off", "--as", "rigid", "--no-near", "--within", "1"], "--within"),
    ):
        code, out, err = run(*words, capsys=capsys)
        assert code == 2 and out == "" and err.startswith(f"ccd: {option} would have no effect: "), (words, err)


def queries(path, truth=True, miss=False):
    """Two queries: one that hits at 1/2, one that does not."""
    face = ["0,1,0,1,0,1", "1,1,0,1,0,1", "0,1,1,1,0,1"]
    hit = ["1,4,1,4,1,1", *face, "1,4,1,4,-1,1", *face]
    away = ["1,4,1,4,1,1", *face, "1,4,1,4,1,2", *face]
    rows = [row + (",1" if truth else "") for row in hit] + [row + (f",{int(miss)}" if truth else "") for row in away]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(rows) + "\n")
    return path


def test_query(tmp_path, capsys):
    right = queries(tmp_path / "vertex-face" / "data.csv")
    code, report = run_json("query", right, capsys=capsys)
    assert code == 0 and report["total"] == {
        "queries": 2, "contacts": 1, "undecided": 0, "truths": 2, "missed": 0, "false_contacts": 0
    }  # fmt: skip
    unknown = queries(tmp_path / "12vf.csv", truth=False)
    code, out, _ = run("query", right, unknown, "--all", capsys=capsys)
    assert code == 0 and "total" in out and "contact" in out and "separate" in out
    wrong = queries(tmp_path / "12vf.csv", miss=True)
    code, report = run_json("query", wrong, capsys=capsys)
    assert code == 1 and report["total"]["missed"] == 1


def test_query_up_to_t_max(tmp_path, capsys):
    """A contact after t_max is not missed. A contact before it, where the truth says there is none, is false."""
    right = queries(tmp_path / "12vf.csv")
    code, report = run_json("query", right, "--t-max", "0.4", capsys=capsys)
    assert code == 0 and report["total"]["contacts"] == report["total"]["missed"] == 0
    right.write_text(right.read_text().replace(",1\n", ",0\n"))
    code, report = run_json("query", right, "--t-max", "0.6", capsys=capsys)
    assert code == 1 and report["total"]["false_contacts"] == 1


def test_check(frames, tmp_path, triangles, capsys):
    code, out, err = run("check", frames[0], capsys=capsys)
    assert code == 0 and err == "" and "none (proven)" in out and "nearest        vertex-face 3 0" in out
    faces, x0, x1 = triangles
    middle = off(tmp_path / "middle.off", 0.4 * x0 + 0.6 * x1, faces)
    code, report = run_json("check", middle, "--near", "0.9", "--all", capsys=capsys)
    assert code == 1 and report["intersects"] and report["intersections"] == len(report["intersecting_pairs"]) == 2
    assert {kind for kind, _, _ in report["intersecting_pairs"]} == {"edge-face"}
    assert report["near"] == len(report["near_pairs"]) > 0
    nearest, least = report["distance"], min(hi for *_, hi in report["near_pairs"])
    assert nearest["distance_lo"] == nearest["distance_hi"] == 0 < least
    assert [nearest[name] for name in ("kind", "a", "b")] == report["intersecting_pairs"][0]
    code, out, _ = run("check", middle, "--all", "--near", "0.9", capsys=capsys)
    assert code == 1 and "edge-face  0" not in out.split("\n\n")[0] and "within 0.9" in out and out.count("edge-face") == 3
    _, report = run_json("check", frames[0], "--near", "1.5", "--all", capsys=capsys)
    nearest, least = report["distance"], min(hi for *_, hi in report["near_pairs"])
    assert 0 < nearest["distance_lo"] <= nearest["distance_hi"] == least


def test_info(capsys):
    code, report = run_json("info", capsys=capsys)
    assert code == 0 and os.path.isfile(report["library"]) and report["threads"] >= 1
    assert report["simd_level"] in ("generic", "avx2", "avx512")
    assert all(device.keys() == {"index", "name", "driver", "memory", "refused"} for device in report["devices"])
    text = run("info", capsys=capsys)[1]
    assert "simd level" in text and "device" in text


def command(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "ccd", *arguments], capture_output=True, text=True, timeout=60, env=os.environ | environment
    )


def test_as_a_module():
    assert command("--version").stdout.startswith("ccd-toi ")
    assert command("info", "--json", CCD_SIMD="generic").stdout.count("generic") == 1
    assert command("info", CCD_NUM_THREADS="1", CCD_SIMD="generic").returncode == 0
    missing = command("info", CCD_LIBRARY="/nowhere.so")
    assert (missing.returncode, missing.stderr) == (4, "ccd: CCD_LIBRARY is '/nowhere.so': no such file\n")


def test_help_explains_the_exit_codes():
    assert "exit codes:\n  0    done" in command("--help").stdout
    assert "missed contact" in command("verify", "--help").stdout


def test_a_closed_pipe_is_no_traceback(tmp_path):
    faces, x0, x1 = sheets(30)
    a, b = off(tmp_path / "a.off", x0, faces), off(tmp_path / "b.off", x1, faces)
    code = f"{sys.executable} -m ccd step {a} {b} --all | head -1"
    result = subprocess.run(code, shell=True, capture_output=True, text=True, timeout=60)
    assert result.stdout.startswith("mesh") and result.stderr == ""
    code = f"set -o pipefail; {sys.executable} -m ccd step {a} {b} --all --json | true"
    assert subprocess.run(["bash", "-c", code], capture_output=True, timeout=60).returncode == 141  # not 0: found nothing
