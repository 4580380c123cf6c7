"""Bad input of every kind to every command: exit code 2 and one line that names the file or the argument; never a traceback."""

import importlib.util
import os
import zipfile

import numpy as np
import pytest
from conftest import LONG, longer
from scenes_view import SCENES

from ccd.cli import completion, main
from ccd.cli.app import parser

COMMANDS = {c.name: c for c in completion.commands(parser())}
ENDINGS = ("off", "vtk", "csv", "npy", "npz", "json")  # what a reader is chosen by; other formats are told by content


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Files that are right, by kind of scene."""
    folder = tmp_path_factory.mktemp("good")
    found = {}
    for kind, make in SCENES.items():
        (folder / kind).mkdir()
        found[kind] = make(folder / kind)[0][:2]
    (folder / "arm.urdf").write_text('<robot name="arm"><link name="base"/></robot>')
    (folder / "way.csv").write_text("time\n0\n1\n")
    found["robot"] = [str(folder / "arm.urdf"), str(folder / "way.csv")]
    (folder / "vf.csv").write_text("1,1,1,1,1,1\n" * 8)
    return found | {"csv": str(folder / "vf.csv"), "out": str(folder / "page.html")}


def calls(good, file):
    """Every command with this file in every place that takes one."""
    mesh, volume, rigid, patch, out = (good[k] for k in ("mesh", "volume", "rigid", "patch", "out"))
    yield from (["step", file, mesh[1]], ["step", mesh[0], file], ["check", file], ["query", file, "--kind", "vf"])
    yield from (["volume", file, volume[1]], ["volume", volume[0], file], ["patch", file, patch[1]], ["patch", patch[0], file])
    yield from (["rigid", file, rigid[1]], ["rigid", rigid[0], file], ["verify", mesh[0], file, "--method", "exact"])
    yield from (["verify", file, mesh[1], "--method", "exact"], ["verify", *mesh, "--answers", file])
    yield ["verify", good["csv"], "--kind", "vf", "--answers", file]
    yield ["robot", "check", file, good["robot"][1]]
    if importlib.util.find_spec("yourdfpy"):
        yield ["robot", "check", good["robot"][0], file]
        yield ["robot", "check", *good["robot"], "--srdf", file]
        yield ["robot", "check", *good["robot"], "--scene", file]
    yield from (["pose", file, rigid[1]], ["pose", rigid[0], file], ["pose", *rigid, "--poses", file])
    yield from (["audit", file, mesh[1]], ["audit", mesh[0], file])
    for kind in SCENES:
        yield ["view", file, good[kind][1], "--as", kind, "-o", out]
        yield ["view", good[kind][0], file, "--as", kind, "-o", out]
    yield ["view", file, mesh[1], "-o", out]


def refused(arguments, name, capsys, text=None):
    """The command says no, in one line that names the file."""
    code = main(arguments)
    out, err = capsys.readouterr()
    shown = " ".join(os.path.basename(a) for a in arguments)
    assert code == 2 and out == "" and err.startswith("ccd: ") and err.count("\n") == 1 and name in err, (shown, code, err)
    assert text is None or text in err, (shown, err)


def test_files_that_are_none(good, tmp_path, capsys):
    """Nothing, noise and words under every ending; a folder; a file that is not there."""
    noise = np.random.default_rng(0).bytes(300)
    names = ("empty", "noise", "words")  # outside of make test-long, each ending has one of them
    files = [tmp_path / f"{n}.{end}" for i, end in enumerate(ENDINGS) for j, n in enumerate(names) if LONG or (i + j) % 3 == 0]
    for file in files:
        file.write_bytes({"empty": b"", "noise": noise, "words": b"hello\nworld\n"}[file.stem])
    for end in ("off", "npy", "npz", "json"):
        (tmp_path / f"folder.{end}").mkdir()
        files += [tmp_path / f"folder.{end}", tmp_path / f"missing.{end}"]
    for file in files:
        for arguments in calls(good, str(file)):
            refused(arguments, file.name, capsys)


def test_meshes_that_are_wrong(good, tmp_path, capsys):
    for name, text, why in (
        ("nan", "OFF\n3 1 0\n0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n", "line 3"),
        ("far", "OFF\n3 1 0\n0 0 1e200\n1 0 0\n0 1 0\n3 0 1 2\n", "1e"),
        ("index", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "7"),
    ):
        file = tmp_path / f"{name}.off"
        file.write_text(text)
        for arguments in (
            ["step", file, file],
            ["check", file],
            ["verify", file, file, "--method", "exact"],
            ["view", file, file],
        ):
            refused([str(a) for a in arguments], file.name, capsys, why)


def test_arrays_that_are_wrong(good, tmp_path, capsys):
    count = 288  # vertices of the mesh
    arrays = {
        "shape": (np.zeros((count, 7)), "of shape (288, 7)"),
        "words": (np.array(["a", "b"]), "<U1"),
        "objects": (np.array([{}], object), "objects"),
        "complex": (np.zeros((count, 3), complex), "complex128"),
        "nan": (np.full((count, 3), np.nan), "vertex 0"),
        "few": (np.zeros((7, 3)), "7"),
    }
    for name, (array, why) in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
        file = str(tmp_path / f"{name}.npy")
        for arguments in (
            ["step", good["mesh"][0], file],
            ["volume", good["volume"][0], file],
            ["view", good["mesh"][0], file],
        ):
            refused(arguments, f"{name}.npy", capsys, why)


def test_patches_that_are_wrong(good, tmp_path, capsys):
    x = np.zeros((4, 3))
    plain = {"x0": x, "x1": x, "forms": [[3, 1, 1]], "index": np.arange(4)}
    nurbs = {"x0": x, "x1": x, "u": 1, "v": 1, "knots_u": [0.0, 0, 1, 1], "knots_v": [0.0, 0, 1, 1]}
    for name, change in (
        ("none", None),
        ("forms", plain | {"forms": np.zeros(3)}),
        ("words", plain | {"forms": [["a", "b", "c"]]}),
        ("index", plain | {"index": np.arange(4) + 9}),
        ("short", plain | {"index": np.arange(3)}),
        ("parts", plain | {"index": np.arange(4) + 0.5}),
        ("degree", plain | {"forms": [[3, -1, 1]]}),
        ("huge", plain | {"forms": [[3, 2**40, 1]]}),
        ("weight", plain | {"weights": np.zeros(4)}),
        ("weights", plain | {"weights": np.array(["a"] * 4)}),
        ("points", plain | {"x0": np.array(["a"])}),
        ("nan", plain | {"x1": x * np.nan}),
        ("ends", plain | {"x1": np.zeros((5, 3))}),
        ("scalar", nurbs | {"u": np.array([1, 2])}),
        ("degrees", nurbs | {"u": np.nan}),
        ("knots", nurbs | {"knots_u": [0.0, 1, 0, 1]}),
        ("lacking", {k: v for k, v in nurbs.items() if k != "u"}),
        ("control", nurbs | {"x0": np.zeros((3, 3)), "x1": np.zeros((3, 3))}),
    ):
        np.savez(tmp_path / f"{name}.npz", **(change or {}))
        file = str(tmp_path / f"{name}.npz")
        for arguments in (
            ["patch", file, good["patch"][1]],
            ["patch", good["patch"][0], file],
            ["view", file, good["patch"][1]],
        ):
            refused(arguments, f"{name}.npz", capsys)


def test_answers_that_are_wrong(good, tmp_path, capsys):
    for text, why in (
        ("hit,toi\n0,0\n1,0\n", "2 rows for 1"),
        ("toi\n1\n", "'hit'"),
        ("hit,toi\nmaybe,1\n", "hit[0]"),
        ("hit,toi\n1,x\n", "toi[0]"),
    ):
        (tmp_path / "answers.csv").write_text(text)
        refused(["verify", good["csv"], "--kind", "vf", "--answers", str(tmp_path / "answers.csv")], "answers.csv", capsys, why)
    (tmp_path / "scene.csv").write_text("hit,toi,kind,a,b\n1,0,vertex-face,0,99999999\n")
    refused(["verify", *good["mesh"], "--answers", str(tmp_path / "scene.csv")], "scene.csv", capsys)


COMMANDS_READ = ["step", "query", "check", "volume", "rigid", "pose", "patch", "verify", "view"]


@pytest.mark.parametrize("name", longer(COMMANDS_READ, "step", "check", "patch"))
def test_numbers_that_are_none(good, name, capsys):
    """Every option that takes numbers: words are bad usage; what is out of range is refused and named, or harmless."""
    inputs = {
        "step": good["mesh"], "query": [good["csv"], "--kind", "vf"], "check": good["mesh"][:1], "volume": good["volume"],
        "rigid": good["rigid"], "pose": good["rigid"], "patch": good["patch"], "verify": [*good["mesh"], "--method", "exact"],
        "view": [*good["mesh"], "-o", good["out"]],
    }[name]  # fmt: skip
    numbers = [o for o in COMMANDS[name].options if o.value and not o.words and not o.file and "--peer" not in o.flags]
    assert numbers
    for option in numbers:
        flag = option.flags[-1]
        for value in ("x", "nan", "inf", "-1", "1e999", "99999999999999999999", "", "1,2", "nan,0,0", "1,2,3,0,0,0,0"):
            try:
                code = main([name, *inputs, f"{flag}={value}", "--json"])
            except SystemExit as end:
                code = end.code
            out, err = capsys.readouterr()
            assert code in (0, 1, 2), (flag, value, code)
            assert (code == 2) == (out == ""), (flag, value)
            if code == 2:
                last = err.strip().splitlines()[-1]
                word = flag.strip("-").split("-")[0]
                assert last.startswith("ccd") and word in last.replace("_", "-"), (flag, value, last)


# ---- hostile files


def liar(path, header):
    """An .npz whose array promises what its header says."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("hit", "toi", "x0", "x1", "forms", "index"):
            text = header.encode().ljust(117) + b"\n"
            archive.writestr(f"{name}.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\0" * 8)


def hostile(folder):
    """Files that make json, csv, NumPy, zipfile and zlib raise what a caller would not think of."""
    files = {
        "nested.json": b"[" * 100_000,
        "deep.json": b'{"hit":' * 100_000,
        "large.json": b'{"hit": [1], "toi": [1%s]}' % (b"0" * 400),
        "digits.json": b'{"hit": [1], "toi": [1%s]}' % (b"0" * 10_000),
        "column.json": b'{"hit": 7, "toi": null}',
        "nul.csv": b"hit,toi\n1,\0\n",
        "field.csv": b"hit,toi\n1," + b"9" * 200_000 + b"\n",
        "more.csv": b"hit,toi\n1,0.5,7,8\n",
        "utf.csv": b"hit,toi\n\xff\xfe,1\n",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    liar(folder / "shape.npz", "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,), }")
    liar(folder / "overflow.npz", f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**62}, {2**62}), }}")
    liar(folder / "syntax.npz", "{'descr': " + "(" * 90)
    np.savez_compressed(folder / "crc.npz", hit=np.zeros(1000, int), toi=np.zeros(1000))
    whole = bytearray((folder / "crc.npz").read_bytes())
    start = whole.index(b"hit.npy") + 40
    for name, at in (("crc", slice(start, start + 20)), ("bits", slice(6, 8)), ("method", slice(8, 10))):
        torn = whole.copy()
        torn[at] = bytes(255 - b for b in torn[at])
        (folder / f"{name}.npz").write_bytes(torn)
    return sorted(folder.iterdir())


def test_hostile_files_are_refused(good, tmp_path, capsys):
    """Never a traceback, and never exit code 1: of `ccd verify` that says that a contact was missed."""
    for file in hostile(tmp_path):
        refused(["verify", *good["mesh"], "--answers", str(file)], file.name, capsys)
        refused(["verify", good["csv"], "--kind", "vf", "--answers", str(file)], file.name, capsys)
        if file.suffix == ".json":
            refused(["rigid", str(file)], file.name, capsys)
        if file.suffix == ".npz":
            refused(["patch", str(file), str(file)], file.name, capsys)
        if file.suffix != ".npz" and file.stem in ("nested", "deep", "large", "field", "utf"):
            refused(["plot", str(file), "--x", "a", "--y", "b", "-o", str(tmp_path / "x.svg")], file.name, capsys)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_nothing_to_grade_is_no_pass(good, tmp_path, capsys, content):
    empty = tmp_path / "empty.csv"
    empty.write_bytes(content)
    for method in ("exact", "tight-inclusion"):
        refused(["verify", str(empty), "--kind", "vf", "--method", method], "empty.csv", capsys)
    refused(["verify", str(empty), "--kind", "vf", "--answers", str(empty)], "empty.csv", capsys)
    refused(["verify", *good["mesh"], "--answers", str(empty)], "empty.csv", capsys, "the first line must name the columns")
    (tmp_path / "none.csv").write_text("hit,toi\n")
    refused(["verify", str(empty), "--kind", "vf", "--answers", str(tmp_path / "none.csv")], "empty.csv", capsys)


def test_a_defect_is_no_finding(good, monkeypatch, capsys):
    """An exception that nobody expects ends with 4 and a traceback: 1, Python's own code, means that something is found."""

    def fail(*_):
        raise ZeroDivisionError("made up")

    monkeypatch.setattr("ccd.cli.verify._scene", fail)
    assert main(["verify", *good["mesh"], "--method", "exact"]) == 4
    assert "ZeroDivisionError: made up" in capsys.readouterr().err


@pytest.mark.parametrize(
    "word, meant",
    [
        ("--min-seperation", "; did you mean --min-separation?"),
        ("--no-check-strat", "; did you mean --no-check-start?"),
        ("--max-iteratons=5", "; did you mean --max-iterations?"),
        ("--xyzzy", ""),
        ("--velocity=1,0,0", "; --velocity is an option of ccd rigid, ccd view"),
        ("--thickness=1", "; --radius gives all vertices a thickness, --min-separation all pairs a gap"),
    ],
)
def test_an_unknown_option_names_the_one_that_was_meant(word, meant, capsys):
    with pytest.raises(SystemExit) as error:
        main(["step", "a.obj", "b.obj", word])
    assert error.value.code == 2
    assert capsys.readouterr().err.endswith(f"ccd step: error: unrecognized arguments: {word}{meant}\n")


@pytest.mark.parametrize(
    "words, end",
    [
        ("check a b", "b: too many files; ccd check takes one mesh; ccd step takes it at two times, ccd audit at any number"),
        ("step a b c d", "c d: too many files; ccd step takes a mesh at two times; ccd audit takes any number of frames"),
        ("pose a b c", "c: too many files; ccd pose takes two surfaces, or a scene of any number of bodies as JSON"),
        ("info a.obj", "a.obj: no file is taken; ccd info is about the library; ccd check FILE says what a mesh is"),
        ("robot check a b c", "c: too many files; ccd robot takes a robot and a path; objects of the scene follow --scene"),
        ("robot arm.urdf path.csv", "'arm.urdf': must be check or replay; did you mean ccd robot check ROBOT PATH?"),
        ("robot plan", "'plan': must be check or replay"),
        ("view", "the following arguments are required: A"),
    ],
)
def test_words_of_another_command_are_refused_with_what_takes_them(words, end, capsys):
    with pytest.raises(SystemExit) as error:
        main(words.split())
    assert error.value.code == 2
    assert capsys.readouterr().err.endswith(f"{end}\n")


@pytest.mark.parametrize(
    "words, said",
    [
        ("step --min-separation 1mm a", "argument --min-separation: '1mm' is not a number; it takes no unit: lengths"),
        ("cad --tolerance 1.5E-3mm a", "argument --tolerance: '1.5E-3mm' is not a number; it takes no unit: lengths"),
        ("step --min-separation near a", "argument --min-separation: 'near' is not a number\n"),
        ("check --near 1,5 a", "argument --near: '1,5' is not a number\n"),
        ("step --threads 2.5 a", "argument --threads: '2.5' is not a whole number\n"),
    ],
)
def test_a_value_that_is_no_number_is_named(words, said, capsys):
    with pytest.raises(SystemExit) as error:
        main(words.split())
    assert error.value.code == 2 and f"error: {said}" in capsys.readouterr().err


def test_a_path_in_the_place_of_a_robot_is_named(tmp_path, capsys):
    for name, text in (("path.csv", "a,b\n0,1\n"), ("empty.urdf", "")):
        (tmp_path / name).write_text(text)
        assert main(["robot", "check", str(tmp_path / name), str(tmp_path / name)]) == 2
        assert f"{name}: no file of a robot, which begins with '<' (URDF, MJCF or SRDF)" in capsys.readouterr().err


def test_a_file_of_queries_that_is_missing_is_said_to_be(tmp_path, capsys):
    assert main(["query", str(tmp_path / "none.csv")]) == 2
    assert "none.csv: no such file" in capsys.readouterr().err


def test_no_command_lists_them(capsys):
    with pytest.raises(SystemExit) as error:
        main([])
    assert error.value.code == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "usage: ccd [OPTION ...] COMMAND ...   (ccd --help lists the options)"
    assert said[1].startswith("ccd: error: a command is missing; the commands are step, audit, query, ") and len(said) == 2


@pytest.mark.parametrize("word, hint", [("stpe", "did you mean step? the commands"), ("a.obj", "the commands")])
def test_an_unknown_command_is_refused_with_the_commands(word, hint, capsys):
    with pytest.raises(SystemExit) as error:
        main([word, "b.obj"])
    assert error.value.code == 2
    assert f"ccd: error: no command is called '{word}'; {hint} are step, audit, query, " in capsys.readouterr().err
