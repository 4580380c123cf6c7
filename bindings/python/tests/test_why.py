"""Why a step is short: causes, sentences, files of pairs, and the command."""

import argparse
import json
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from test_thick import UP, thick

import ccd
from ccd.cli import main, step
from ccd.cli import why as spoken
from ccd.step import Cause

FACES = [[0, 1, 2], [3, 4, 5]]
X0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
X1 = X0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])


@pytest.fixture
def mesh():
    return ccd.Mesh(FACES)


def near(z):
    x = X0.copy()
    x[3, 2] = z
    return x


def test_each_cause_in_words(mesh):
    said = {
        Cause.MEETING: (
            X0,
            X1,
            {},
            "Vertex 3 and face 0 (vertices 0, 1, 2) touch at t = 0.5, from a distance of 1 at the start.",
        ),
        Cause.NONE: (X0, X0, {}, "No pair limits the step: alpha is 1."),
        Cause.SEPARATION: (
            *(near(0.125), X0, {"min_separation": 0.1875}),
            "Vertex 3 and face 0 (vertices 0, 1, 2) are 0.125 apart at the start, within their separation 0.1875. "
            "Pass a min_separation below 0.125, or start from positions that are farther apart.",
        ),
        Cause.TOUCHING: (near(0), X0, {}, "Vertex 3 and face 0 (vertices 0, 1, 2) touch at the start. Start from positions"),
        Cause.CROSSING: (
            *(near(-1), X0, {"check_start": True}),
            "passes through face 0 (vertices 0, 1, 2) at the start. No step resolves that",
        ),
        Cause.UNDECIDED: (
            *(X0, X1, {"method": "tight-inclusion", "max_iterations": 3}),
            "a budget was spent (iterations). Use the exact method, which always decides",
        ),
    }
    for cause, (x0, x1, options, words) in said.items():
        why = ccd.step.why(mesh, x0, x1, **options)
        assert why.cause == cause and words in str(why), (cause, why)
        assert why.alpha == ccd.step.advance(mesh, x0, x1, **options).alpha
        assert why.impact == ccd.step.earliest(mesh, x0, x1, **options)
        assert np.array_equal(why.x0, x0[list(why.vertices)]) and np.array_equal(why.x1, x1[list(why.vertices)])
        assert pickle.loads(pickle.dumps(why)) == why
    mesh.set_radii(0.0625)
    why = ccd.step.why(mesh, near(0.125), X0, min_separation=0.0625)
    assert why.cause == Cause.RADII and why.radii == (0.0625, 0.0625) and why.separation == 0.1875
    assert "are 0.125 apart at the start, within the sum 0.125 of their radii 0.0625 and 0.0625. Set smaller radii" in str(why)


def test_vertices_at_one_place(mesh):
    x = X0.copy()
    x[4] = x[1]
    why = ccd.step.why(mesh, x, X0)
    assert set(why.same) == {1, 4} and "are at one place. If the file has vertices twice, weld them" in str(why)


def test_thick_cloth():
    cloth, x = thick()
    why = ccd.step.why(cloth, x, x + UP)
    assert (why.cause, why.rings) == (Cause.RADII, 1)
    assert why.initial == len(ccd.step.collisions(cloth, x, x + UP, t_max=0))
    assert "They are within 1 edge of each other in the mesh: leave such pairs out with exclude_near" in str(why)
    cloth.exclude_near(x)
    assert ccd.step.why(cloth, x, x + UP).cause == Cause.NONE


def test_constraints_have_the_separation_of_their_pair():
    """The gap is the distance along the normal at x1, less min_separation and the radii of both."""
    mesh, x = ccd.Mesh(FACES), X0.copy()
    mesh.set_radii([0.125, 0.125, 0.25, 0.0625, 0, 0])
    active = ccd.step.activeset(mesh, x, X1, min_separation=0.5)
    assert len(active) > 3
    for c in active:
        points = c["weights"] @ X1[c["vertices"]]
        a, b = ("vertex", "face") if c["impact"]["kind"] == ccd.Kind.VERTEX_FACE else ("edge", "edge")
        corners = {"vertex": lambda i: [i], "edge": lambda i: mesh.edges[i], "face": lambda i: mesh.faces[i]}
        radius = np.array([0.125, 0.125, 0.25, 0.0625, 0, 0])
        wanted = 0.5 + sum(radius[corners[s](c["impact"][name])].max() for s, name in ((a, "a"), (b, "b")))
        assert c["separation"] == wanted
        assert c["gap"] == pytest.approx(points @ c["impact"]["normal"] - wanted, abs=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_a_file_replays_the_pair(tmp_path, seed):
    """Of every kind of pair: the same time, cause and distance."""
    rng, kinds = np.random.default_rng(seed), set()
    mesh = ccd.Mesh(faces=[[0, 1, 2]], edges=[[0, 1], [1, 2], [2, 0], [3, 4]], vertices=7)
    mesh.set_radii(rng.integers(0, 3, 7) / 16)
    for _ in range(20):
        x0, x1 = rng.integers(0, 9, (2, 7, 3)) / 4
        options = {"min_separation": rng.integers(0, 3) / 8, "check_start": bool(rng.integers(2))}
        why = ccd.step.why(mesh, x0, x1, **options)
        if why.cause == Cause.NONE:
            continue
        why.save(tmp_path / "pair.npz")
        again = ccd.step.replay(tmp_path / "pair.npz")
        assert (again.impact.toi_lo, again.cause, again.impact.kind) == (why.impact.toi_lo, why.cause, why.impact.kind)
        assert (again.distance_lo, again.separation) == (why.distance_lo, why.separation)
        kinds.add(str(why.impact.kind))
    assert len(kinds) > 1


@pytest.mark.parametrize(
    "options",
    [
        {"min_separation": np.float32(0.1)},
        {"min_separation": np.float16(0.1), "t_max": np.float32(0.75)},
        {"min_separation": np.longdouble(0.25), "max_iterations": np.int64(2**40), "method": np.int32(3)},
        {"check_start": np.bool_(True), "no_zero_toi": np.bool_(False)},
        {"tolerance": np.float32(1e-3), "method": "tight-inclusion", "norm": "max"},
        {"t_max": np.array(0.75), "min_separation": Fraction(1, 8)},
    ],
    ids=str,
)
def test_options_of_numpy_are_saved(mesh, tmp_path, options):
    why = ccd.step.why(mesh, X0, X1, **options)
    assert why.cause == Cause.MEETING
    why.save(tmp_path / "pair.npz")
    again = ccd.step.replay(tmp_path / "pair.npz")
    assert (again.impact.toi_lo, again.cause, again.separation) == (why.impact.toi_lo, why.cause, why.separation)
    assert again._options == {name: v if isinstance(v, str) else pytest.approx(float(v), abs=0) for name, v in options.items()}


def test_what_cannot_be_done(mesh, tmp_path):
    with pytest.raises(ccd.ArgumentError, match="no pair limits the step, so there is none to save"):
        ccd.step.why(mesh, X0, X0).save(tmp_path / "none.npz")
    (tmp_path / "a.npz").write_bytes(b"no archive")
    with pytest.raises(ccd.FileError, match=r"a\.npz: no pair that Why\.save has written"):
        ccd.step.replay(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", x0=X0)
    with pytest.raises(ccd.FileError, match=r"b\.npz: no pair"):
        ccd.step.replay(tmp_path / "b.npz")
    bent = ccd.Motion.accelerated(X0, np.zeros((6, 3)), 2 * (X1 - X0))
    why = ccd.step.why(mesh, bent)
    assert why.cause == Cause.MEETING
    with pytest.raises(ccd.UnsupportedError, match="do not go straight"):
        why.save(tmp_path / "c.npz")
    scene = ccd.scene.Scene(mesh, X0)
    with pytest.raises(ccd.UnsupportedError, match="scene: it does not say why"):
        scene.step(np.array([3, 4, 5]), X1[3:]).why()


def test_the_command(tmp_path, capsys):
    for name, x in (("a.obj", near(0.125)), ("b.obj", X1)):
        lines = [f"v {a!r} {b!r} {c!r}" for a, b, c in x.tolist()] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    a, b, pair = (str(tmp_path / name) for name in ("a.obj", "b.obj", "pair.npz"))
    assert main(["step", a, b, "--min-separation", "0.1875", "--why", "--pair", pair]) == 1
    said = "Vertex 3 and face 0 (vertices 0, 1, 2) are 0.125 apart at the start, within their separation 0.1875."
    assert said in capsys.readouterr().out
    assert main(["step", pair, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["why"]
    assert found["cause"] == "separation" and abs(found["distance"] - 0.125) < 1e-9 and found["vertices"] == [0, 1, 2, 3]
    assert main(["step", pair, "--why"]) == 1 and said[:20] not in capsys.readouterr().err
    for more in (
        *(["--why", "--pair", str(tmp_path / "b.npz")], ["--certificate", "c"], ["--positions", "p.npy"], ["--all"]),
        *(["--min-separation", "0"], ["--earliest"], ["--t-max", "1"], ["--no-check-start"], ["--radius", "1"]),
    ):
        assert main(["step", pair, *more]) == 2, more
        assert f"{[x for x in more if x[0] == '-'][-1]} would have no effect" in capsys.readouterr().err
    assert not (tmp_path / "b.npz").exists()
    assert main(["step", a]) == 2 and "B is missing" in capsys.readouterr().err
    assert main(["step", a, b, "--pair", pair]) == 2 and "--pair needs --why" in capsys.readouterr().err


def _obj(path, x, faces):
    lines = [f"v {a!r} {b!r} {c!r}" for a, b, c in x.tolist()] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize(
    "thick", (["--radius", "0.7"], ["--min-separation", "1.4"], ["--min-separation", "1.2", "--norm", "max"])
)
def test_the_command_leaves_out_what_is_near_in_thick_cloth(thick, tmp_path, capsys):
    n = 5
    x = np.array([[i, j, 0] for i in range(n) for j in range(n)], float)
    corner = np.arange(n * n).reshape(n, n)[:-1, :-1].ravel()
    faces = np.vstack([np.stack([corner, corner + n, corner + 1], 1), np.stack([corner + n, corner + n + 1, corner + 1], 1)])
    a, b = _obj(tmp_path / "a.obj", x, faces.tolist()), _obj(tmp_path / "b.obj", x + np.array([0, 0, 1]), faces.tolist())
    assert main(["step", a, b, *thick]) == 1
    assert "contact, at the start already; --why says why\n" in capsys.readouterr().out
    assert main(["step", a, b, *thick, "--why"]) == 1
    said = capsys.readouterr().out
    assert "at the start already\n" in said and "leave such pairs out with --exclude-near 1; or give " in said
    rings = 2 if "max" in thick else 1  # in the max norm the corners of a cell are 1 apart, and some of them two edges
    assert main(["step", a, b, *thick, "--exclude-near", str(rings), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    cloth = ccd.Mesh(faces)
    options = {
        "min_separation": 0 if thick[0] == "--radius" else float(thick[1]),
        "norm": "max" if "max" in thick else "default",
    }
    if thick[0] == "--radius":
        cloth.set_radii(0.7)
    assert found["excluded"] == cloth.exclude_near(x, rings, **options) > 100
    if thick[0] != "--radius" and "--norm" not in thick:  # certificates know neither
        certificate = str(tmp_path / "c.cert")
        assert main(["step", a, b, *thick, "--exclude-near", "1", "--certificate", certificate]) == 0
        assert main(["verify", a, b, "--certificate", certificate, "--exclude-near", "1", *thick]) == 0
        assert main(["verify", a, b, "--certificate", certificate]) == 1
        assert "it leaves out other pairs (--components, --exclude-near with" in capsys.readouterr().out
        assert main(["verify", a, b, "--method", "exact", "--exclude-near", "1", *thick]) == 0
    for wrong in ("0", "65", "-1"):
        assert main(["step", a, b, "--exclude-near", wrong]) == 2
        assert f"--exclude-near is {wrong}: must be a number of edges from 1 to 64" in capsys.readouterr().err


def _options_of_step():
    parser = argparse.ArgumentParser()
    step.add(parser)
    return {name for action in parser._actions for name in action.option_strings}


def test_remedies_of_the_command_name_its_options(mesh):
    """Each cause has words; all options in them exist, and no name of the Python package is in them."""
    copied = np.vstack([X0[:3], X0[1:2], X0[4:]])
    twice = near(0)
    causes = [
        ccd.step.why(mesh, X0, X1),
        ccd.step.why(mesh, X0, X1, method="tight-inclusion", max_iterations=3),
        ccd.step.why(mesh, X0, X1 - [0, 0, 3], method="tight-inclusion", tolerance=2.0),
        ccd.step.why(mesh, near(-1), X0, check_start=True),
        ccd.step.why(mesh, copied, copied),
        ccd.step.why(mesh, twice, X0),
        ccd.step.why(mesh, near(0.1234567891), X0, min_separation=0.1875),
        ccd.step.why(mesh, X0 * [1, 1, 0.01], X0, min_separation=0.1875),
    ]
    cloth = ccd.Mesh([[0, 1, 2]], vertices=4)
    cloth.set_radii(1)
    causes.append(ccd.step.why(cloth, X0[:4], X0[:4]))
    parser, seen = _options_of_step(), set()
    for why in causes:
        text = spoken.text(why)
        seen.add(why.cause)
        assert text.startswith(str(why).partition(". ")[0]), text
        assert set(re.findall(r"--[a-z][-a-z]*", text)) <= parser, text
        assert not re.search(r"[a-z]+_[a-z]+|activeset|sizes|advance", text), text
    assert seen >= set(Cause) - {Cause.NONE, Cause.TOO_SHORT}
    assert "--weld" in spoken.text(causes[4]) and "below 0.123456, or" in spoken.text(causes[6])
    assert "the distance that ccd check prints" in spoken.text(causes[7])


def several():
    """Triangles of which two touch, the radii of two overlap, two are within the separation of 0.2, and two meet."""
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    apart = [0, 0.25, 0.1, 1.2]
    x0 = np.vstack([triangle + np.array([10 * i, 0, z]) for i in range(4) for z in (0, apart[i])])
    mesh = ccd.Mesh(np.arange(24).reshape(8, 3))
    mesh.set_radii(np.where((np.arange(24) >= 6) & (np.arange(24) < 12), 0.15, 0))
    return mesh, x0, x0 - np.outer(np.arange(24) >= 21, [0, 0, 2])


def test_one_answer_names_all_kinds_of_limits(tmp_path, capsys):
    mesh, x0, x1 = several()
    why = ccd.step.why(mesh, x0, x1, min_separation=0.2)
    assert why.cause == Cause.TOUCHING and why.at_start == {Cause.TOUCHING: 15, Cause.RADII: 15, Cause.SEPARATION: 15}
    kinds = [(limit.cause, str(limit.kind), limit.a, limit.b, limit.vertices) for limit in why.others]
    assert kinds == [
        (Cause.RADII, "vertex-face", 6, 3, (6, 9, 10, 11)),
        (Cause.SEPARATION, "vertex-face", 12, 5, (12, 15, 16, 17)),
        (Cause.MEETING, "vertex-face", 18, 7, (18, 21, 22, 23)),
    ]
    rest = (
        "45 pairs are within their separation at the start, this one included: 15 touching, 15 within radii, "
        "15 within separation. "
        "Other pairs need remedies of their own, the first of each kind: vertex 6 and face 3 (within radii); "
        "vertex 12 and face 5 (within separation). "
        "Without all of these the step ends at t = 0.5, where vertex 18 and face 7 meet."
    )
    assert str(why).endswith(rest) and spoken.text(why).endswith(rest)
    x0[3:6, 2], x1[3:6, 2] = 5, 5  # each remedy, as the answer says
    mesh.set_radii(0)
    again = ccd.step.why(mesh, x0, x1, min_separation=0.09)
    assert again.cause == Cause.MEETING and again.impact.toi_lo == pytest.approx(0.555)
