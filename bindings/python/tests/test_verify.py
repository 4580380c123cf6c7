"""Grading: the grades themselves, the command, and the peer."""

import json

import numpy as np
import pytest
from conftest import sheets
from test_cli import off, queries, run_json

import ccd
from ccd import verify
from ccd.cli import main
from ccd.verify import FALSE, LATE, MALFORMED, MISSED, RIGHT, UNKNOWN, Answers


def truth(*rows):
    out = np.zeros(len(rows), ccd.impact_dtype)
    for record, (verdict, low, high, flags) in zip(out, rows):
        record["verdict"], record["kind"] = verdict, 1
        record["toi_lo"], record["toi_hi"], record["flags"] = low, high, flags
    return out


CONTACT, SEPARATE, UNDECIDED = ccd.Verdict.CONTACT, ccd.Verdict.SEPARATE, ccd.Verdict.UNDECIDED
THIRD = 1 / 3  # below the true third; its successor is above
ABOVE = np.nextafter(THIRD, 1)


@pytest.mark.parametrize(
    "row, hit, toi, grade",
    [
        ((CONTACT, 0.5, 0.5, 1), True, 0.5, RIGHT),
        ((CONTACT, 0.5, 0.5, 1), True, 0.0, RIGHT),
        ((CONTACT, 0.5, 0.5, 1), True, np.nextafter(0.5, 1), LATE),
        ((CONTACT, THIRD, ABOVE, 1), True, THIRD, RIGHT),
        ((CONTACT, THIRD, ABOVE, 1), True, ABOVE, LATE),
        ((CONTACT, 0.5, 0.5, 1), False, np.nan, MISSED),
        ((CONTACT, 0.5, 0.5, 1), False, 0.5, MISSED),
        ((CONTACT, 0.5, 0.5, 1), True, np.nan, MALFORMED),
        ((CONTACT, 0.5, 0.5, 1), True, np.inf, MALFORMED),
        ((CONTACT, 0.5, 0.5, 1), True, -0.1, MALFORMED),
        ((SEPARATE, np.inf, np.inf, 0), True, 0.25, FALSE),
        ((SEPARATE, np.inf, np.inf, 0), False, np.inf, RIGHT),
        ((UNDECIDED, 0.5, 0.7, 0), False, np.nan, UNKNOWN),
    ],
)
def test_a_grade_by_the_exact_judge(row, hit, toi, grade):
    assert verify.grade(truth(row), [hit], [toi]).tolist() == [grade]


@pytest.mark.parametrize(
    "flags, hit, toi, grade",
    [(1, True, 0.4, RIGHT), (1, True, 0.55, UNKNOWN), (1, True, 0.7, LATE), (1, False, 0, MISSED),
     (0, True, 0.4, UNKNOWN), (0, True, 0.7, UNKNOWN), (0, False, 0, UNKNOWN)],
)  # fmt: skip
def test_a_grade_by_brackets_reproaches_only_what_is_certain(flags, hit, toi, grade):
    assert verify.grade(truth((CONTACT, 0.5, 0.6, flags)), [hit], [toi], exact=False).tolist() == [grade]


@pytest.fixture
def scene():
    faces, x0, x1 = sheets(10)
    mesh = ccd.Mesh(faces)
    return mesh, x0, x1


def answers_of(found):
    return Answers(
        found["verdict"] == CONTACT, found["toi_lo"].copy(), found["kind"].copy(), np.stack([found["a"], found["b"]], 1)
    )


class TestScene:
    def exact(self, scene):
        return ccd.step.collisions(*scene, method="exact")

    def test_the_truth_itself_is_sound(self, scene):
        found = self.exact(scene)
        report = verify.scene(*scene, answers_of(found))
        assert report.sound and report.oracle == "exact"
        assert report.answers == report.contacts == len(found) > 10
        assert report.earliness == {"mean": 0, "median": 0, "max": 0} and report.worst == []

    def test_every_kind_of_fault_is_counted_and_shown(self, scene):
        found = self.exact(scene)
        answers = answers_of(found)
        answers.hit[0] = False
        answers.toi[1] = found["toi_hi"][1] + 0.25
        answers.toi[2] = np.nan
        answers.toi[3] -= 1e-3
        edges = found["kind"] == ccd.Kind.EDGE_EDGE
        answers.pairs[edges] = answers.pairs[edges][:, ::-1]  # the order of two edges does not matter
        candidates = {tuple(p) for p in ccd.broad.candidates(*scene).vertex_face.tolist()}
        met = {(int(r["a"]), int(r["b"])) for r in found if r["kind"] == 1}
        apart = sorted(candidates - met)[0]
        keep = np.arange(len(found)) != 5
        given = Answers(
            np.append(answers.hit[keep], True), np.append(answers.toi[keep], 0.125),
            np.append(answers.kind[keep], np.int32(1)), np.vstack([answers.pairs[keep], apart]),
        )  # fmt: skip
        report = verify.scene(*scene, given)
        assert not report.sound
        assert (report.missed, report.absent, report.late, report.malformed, report.false_contacts) == (2, 1, 1, 1, 1)
        assert report.answers == len(found) and report.contacts == len(found)
        assert report.earliness["max"] == pytest.approx(1e-3)
        assert [case["problem"] for case in report.worst] == [
            "missed contact", "missed contact", "late time", "malformed", "false contact", "early"
        ]  # fmt: skip
        first = report.worst[0]
        q = np.array([float.fromhex(x) for x in first["query"]])
        assert ccd.pair.solve(first["kind"], q, method="exact").toi_lo == first["true_toi"]
        assert verify.scene(*scene, given, complete=False).missed == 1

    def test_pairs_out_of_range(self, scene):
        answers = answers_of(self.exact(scene)[:3])
        answers.pairs[1] = [0, 10**6]
        with pytest.raises(ccd.InvalidIndexError, match=r"answers\[1\]"):
            verify.scene(*scene, answers)

    def test_a_separation_is_judged(self, scene):
        options = {"min_separation": 1e-3, "norm": "max"}
        found = ccd.step.collisions(*scene, **options, method="tight-inclusion")
        report = verify.scene(*scene, answers_of(found), **options)
        assert report.sound and report.contacts > 0

    def test_a_euclidean_separation_is_judged_exactly(self, scene):
        options = {"min_separation": 1e-2}
        found = ccd.step.collisions(*scene, **options, method="time-contracted")
        report = verify.scene(*scene, answers_of(found), **options)
        assert report.oracle == "exact" and report.sound and report.contacts > 10

    def test_our_methods_are_sound(self, tmp_path, capsys):
        faces, x0, x1 = sheets(10)
        a, b = off(tmp_path / "a.off", x0, faces), off(tmp_path / "b.off", x1, faces)
        for method in ("tight-inclusion", "time-contracted", "exact"):
            code, report = run_json("verify", a, b, "--method", method, capsys=capsys)
            assert code == 0 and report["sound"] and report["whose"] == method and report["contacts"] > 10

    def test_ipctk(self, tmp_path, capsys):
        pytest.importorskip("ipctk")
        faces, x0, x1 = sheets(10)
        a, b = off(tmp_path / "a.off", x0, faces), off(tmp_path / "b.off", x1, faces)
        kept = tmp_path / "kept.npz"
        code, report = run_json("verify", a, b, "--peer", "ipctk", "--write", kept, capsys=capsys)
        assert report["answers"] == len(ccd.broad.candidates(ccd.Mesh(faces), x0, x1))
        assert code == (0 if report["sound"] else 1) and report["contacts"] > 10
        _, again = run_json("verify", a, b, "--answers", kept, capsys=capsys)
        assert again | {"whose": ""} == report | {"whose": ""}
        _, some = run_json("verify", a, b, "--peer", "ipctk:AdditiveCCD", "--sample", 100, capsys=capsys)
        assert 100 < some["answers"] <= 100 + some["contacts"] and some["absent"] == 0
        assert some["contacts"] == report["contacts"]


HIT = {"hit": [1, 0], "toi": [0.5, None]}


@pytest.mark.parametrize(
    "name, write",
    [
        ("a.csv", lambda p: p.write_text("hit,toi\n1,0.5\n0,\n")),
        ("b.csv", lambda p: p.write_text("toi,index,hit\n,1,false\n0x1p-1,0,true\n")),
        ("c.json", lambda p: p.write_text(json.dumps(HIT))),
        ("d.json", lambda p: p.write_text('[{"hit": true, "toi": 0.5}, {"hit": false, "toi": null}]')),
        ("e.npz", lambda p: np.savez(p, hit=np.array([True, False]), toi=np.array([0.5, np.inf]))),
    ],
)
def test_answers_to_a_query_file(tmp_path, capsys, name, write):
    asked = queries(tmp_path / "vertex-face" / "q.csv")
    write(tmp_path / name)
    code, report = run_json("verify", asked, "--answers", tmp_path / name, capsys=capsys)
    assert code == 0 and report["sound"] and (report["answers"], report["contacts"]) == (2, 1)


def test_unsound_answers_exit_1_and_are_shown(tmp_path, capsys):
    asked = queries(tmp_path / "vertex-face" / "q.csv")
    (tmp_path / "a.csv").write_text("hit,toi\n0,\n1,0.25\n")
    assert main(["verify", str(asked), "--answers", str(tmp_path / "a.csv")]) == 1
    out = capsys.readouterr().out
    assert "missed contacts  1" in out and "false contacts   1  (50 % of the answers)" in out and "NOT SOUND" in out


@pytest.mark.parametrize(
    "text, what",
    [
        ("hit\n1\n", "there is no column 'toi'"),
        ("hit,toi\nmaybe,0\n", r"hit[0] is 'maybe'"),
        ("hit,toi\n1,soon\n", r"toi[0] is 'soon'"),
        ("hit,toi,index\n1,0.5,0\n1,0.5,0\n", "index"),
        ("hit,toi,kind\n1,0.5,vf\n", "there is no column 'a'"),
        ("hit,toi,kind,a,b\n1,0.5,face-face,1,1\n", "kind[0] is 'face-face'"),
        ("hit,toi,kind,a,b\n1,0.5,vf,x,1\n", "a[0] is 'x'"),
        ("toi\n0.5\n", "there is no column 'hit'"),
    ],
)
def test_bad_answers_name_the_column_and_row(tmp_path, capsys, text, what):
    asked = queries(tmp_path / "vertex-face" / "q.csv")
    (tmp_path / "a.csv").write_text(text)
    assert main(["verify", str(asked), "--answers", str(tmp_path / "a.csv")]) == 2
    assert what in capsys.readouterr().err


def test_another_number_of_answers_than_queries(tmp_path, capsys):
    asked = queries(tmp_path / "vertex-face" / "q.csv")
    (tmp_path / "a.csv").write_text("hit,toi\n1,0.5\n")
    assert main(["verify", str(asked), "--answers", str(tmp_path / "a.csv")]) == 2
    assert "answers: 1 rows for 2 queries" in capsys.readouterr().err


def test_options_without_effect_are_refused(tmp_path, capsys):
    asked = str(queries(tmp_path / "vertex-face" / "q.csv"))
    faces, x0, x1 = sheets(3)
    frames = [off(tmp_path / "a.off", x0, faces), off(tmp_path / "b.off", x1, faces)]
    for words, option in (
        ([asked, "--method", "exact", "--components"], "--components"),
        ([asked, "--peer", "ipctk", "--sample", "3"], "--sample"),
        ([*frames, "--method", "exact", "--sample", "3"], "--sample"),
        ([*frames, "--method", "exact", "--kind", "vf"], "--kind"),
        ([*frames, "--answers", "a.csv", "--tolerance", "1e-3"], "--tolerance"),
        ([asked, "--peer", "ipctk", "--max-iterations", "5"], "--max-iterations"),
    ):
        assert main(["verify", *map(str, words)]) == 2, words
        assert f"{option} would have no effect" in capsys.readouterr().err
