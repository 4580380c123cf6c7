"""Files that others wrote: whatever they hold, a reader returns what is right or raises an error of ours that names the file.

What a file declares costs nothing before it is checked. Mutated files are read for some seconds; CCD_LONG=1 reads many more.
"""

import argparse
import json
import os
import tracemalloc
import zipfile

import numpy as np
import pytest
from conftest import sheets

import ccd
import ccd.distributed as cd
from ccd._io import numpy_files
from ccd.cli import answers, models

START = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
NOTHING = argparse.Namespace()  # arguments of the command line
PACKAGES = {"spline": "scipy", "URDF": "yourdfpy"}  # what some kinds of READERS need


def _rows(count):
    """A surface of so many vertices alone."""
    return ccd.Surface(np.zeros((count, 3)), np.empty((0, 2), np.int32), np.empty((0, 3), np.int32))


def npy(header, items=b"", version=(1, 0)):
    """A .npy file with this header."""
    text = header.encode("latin1") if isinstance(header, str) else header
    return b"\x93NUMPY" + bytes(version) + len(text).to_bytes(2 if version[0] == 1 else 4, "little") + text + items


def plain(descr="'<f8'", shape="(2, 3)", fortran="False"):
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n"


SIX = np.arange(6.0).tobytes()


@pytest.mark.parametrize(
    "content, text",
    [
        (b"", "is no array of NumPy"),
        (b"\x93NUMPY", "version .* is unknown"),
        (npy(plain(), SIX, (4, 0)), r"version 4\.0 of the format is unknown"),
        (npy(plain(), SIX)[:40], "ends within its header"),
        (npy("x" * 10_001), "header has 10,001 bytes"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (", SIX), "header is no dictionary"),  # TokenError
        (npy("  {'descr':\n 1\n}", SIX), "header is no dictionary"),  # IndentationError
        (npy("(" * 300, SIX), "header is no dictionary"),  # MemoryError
        (npy("{" + "[" * 3000, SIX), "header is no dictionary"),
        (npy(plain() + plain(), SIX), "header is no dictionary"),
        (npy(plain().replace("descr", "other"), SIX), "header is no dictionary"),
        (npy(plain(fortran="1"), SIX), "header is no dictionary"),
        (npy(plain(shape="6"), SIX), "header is no dictionary"),
        (npy(plain("'|O'"), SIX), "holds Python objects, which are not read"),
        (npy(plain("[('x', '<f8')]"), SIX), "holds records"),
        (npy(plain("'(3,)f8'", "(2,)"), SIX), "items of the type"),
        (npy(plain("'f8,f8'", "(3,)"), SIX), "items of the type"),
        (npy(plain("'<f3'"), SIX), "items of the type"),
        (npy(plain("'|V8'"), SIX), "items of the type"),
        (npy(plain("'<U0'", "(99999999999,)"), b""), "items of the type"),
        (npy(plain("'<U999999999'"), SIX), r"items of the type|declares"),
        (npy(plain(shape="(2, -3)"), SIX), "header is no dictionary"),
        (npy(plain(shape="(2,, 3)"), SIX), "has the shape"),
        (npy(plain(shape="(" + "1, " * 33 + ")"), SIX), "has the shape"),
        (npy(plain(shape="(0, 99999999999)")), "at most 2147483647 rows"),
        (npy(plain(shape="(9223372036854775807, 3)"), SIX), "declares .* and 48 follow it"),  # OverflowError
        (npy(plain(shape="(99999999999999999999,)"), SIX), "has the shape"),
        (npy(plain(shape="(2, 4)"), SIX), "declares 64 bytes of items, and 48 follow it"),
        (npy(plain(shape="(2, 2)"), SIX), "declares 32 bytes of items, and 48 follow it"),
        (b"PK\x03\x04", r"is an archive of arrays \(\.npz\)"),
    ],
)
def test_headers_of_arrays(tmp_path, content, text):
    """Every reader of .npy: the file, and what is wrong."""
    file = tmp_path / "x.npy"
    file.write_bytes(content)
    for read in (
        lambda: numpy_files.load(str(file)),
        lambda: models.vertices(str(file), _rows(2), "other", NOTHING),
        lambda: cd.Scene(file, file),
    ):
        with pytest.raises(ccd.FileError, match=rf"x\.npy.*{text}") as error:
            read()
        assert "pickle" not in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<f2", "|b1", "|i1", "<u8", "<c16", "<U3", "|S5"])
def test_arrays_are_read_as_numpy_reads_them(tmp_path, dtype):
    random = np.random.default_rng(0)
    for shape in ((), (0,), (0, 3), (5,), (4, 3), (2, 3, 4)):
        for order in "CF":
            array = np.asarray(random.integers(0, 2, shape).astype(dtype), order=order)
            np.save(tmp_path / "x.npy", array)
            np.savez_compressed(tmp_path / "x.npz", x=array, y=array)
            want = np.load(tmp_path / "x.npy")
            one, both = numpy_files.load(str(tmp_path / "x.npy")), numpy_files.archive(str(tmp_path / "x.npz"))
            mapped, alone = numpy_files.mapped(str(tmp_path / "x.npy")), numpy_files.member(str(tmp_path / "x.npz"), "y")
            assert both.keys() == {"x", "y"} and one.flags.writeable
            for found in (one, *both.values(), mapped, alone):
                assert (found.dtype, found.shape) == (want.dtype, want.shape) and np.array_equal(found, want)
    for version in ((2, 0), (3, 0)):
        (tmp_path / "x.npy").write_bytes(npy(plain(), SIX, version))
        assert np.array_equal(numpy_files.load(str(tmp_path / "x.npy")), np.arange(6.0).reshape(2, 3))
    for header in (plain(shape="(2L, 3L)"), '{"shape":(2,3),"fortran_order":False,"descr":"<f8"}'):
        (tmp_path / "x.npy").write_bytes(npy(header, SIX))
        assert np.array_equal(numpy_files.load(str(tmp_path / "x.npy")), np.arange(6.0).reshape(2, 3))


def test_an_archive_declares_no_more_than_its_size_allows(tmp_path):
    """Zeros that compress to a thousandth are refused before they are inflated; those of a small step are not."""
    assert numpy_files.most(0) == 16 << 20 and numpy_files.most(10**9) == 20 * 10**9
    file = tmp_path / "zeros.npz"
    np.savez_compressed(file, control=np.zeros((1, 2, 400_000, 3)), hit=np.zeros(9, bool), toi=np.zeros(9))
    size = os.path.getsize(file)
    assert size < 30_000
    tracemalloc.start()
    for read in (ccd.Motion.load, answers.read, cd.load, lambda path: models.patches(path, None)):
        with pytest.raises(ccd.FileError, match=rf"zeros\.npz has {size:,} bytes and declares .* without compression"):
            read(str(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 << 20
    np.savez_compressed(file, control=np.zeros((1, 2, 300_000, 3)))
    assert len(ccd.Motion.load(file).control[0, 0]) == 300_000


def test_memory_of_a_file_that_is_read(tmp_path):
    """docs/limits.md: at most 80 bytes for each byte of a file, or for what a small one may declare."""
    np.savez(tmp_path / "m.npz", control=np.random.default_rng(0).random((1, 2, 9_000, 3)))
    np.savez(tmp_path / "a.npz", hit=np.ones(60_000, bool), toi=np.ones(60_000))
    (tmp_path / "a.csv").write_text("hit,toi\n" + "1,1\n" * 8_000)
    (tmp_path / "a.json").write_text(json.dumps([{"hit": 1, "toi": 0.25}] * 4_000))
    (tmp_path / "p.csv").write_text("a\n" + "1\n" * 9_000)
    for name, read in (
        ("m.npz", ccd.Motion.load),
        ("a.npz", answers.read),
        ("a.csv", answers.read),
        ("a.json", answers.read),
        ("p.csv", ccd.robot.read_path),
    ):
        tracemalloc.start()
        read(str(tmp_path / name))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 80 * os.path.getsize(tmp_path / name), (name, peak / os.path.getsize(tmp_path / name))


def test_archives_that_are_odd(tmp_path):
    file = tmp_path / "x.npz"
    small = npy(plain(), SIX)
    for members, method, text in (
        ([("a.npy", small), ("a.npy", small)], zipfile.ZIP_STORED, "has 'a' twice"),
        ([("a.txt", small)], zipfile.ZIP_STORED, r"has 'a\.txt', which is no array"),
        ([("a.npy", small)], zipfile.ZIP_BZIP2, "compressed by method 12: only deflate"),
        ([("a.npy", small)], zipfile.ZIP_LZMA, "compressed by method 14: only deflate"),
        ([("a.npy", small[:-8])], zipfile.ZIP_STORED, "x.npz: a: its header declares 48 bytes of items, and 40 follow it"),
        ([("a.npy", small + b"1")], zipfile.ZIP_DEFLATED, "declares 48 bytes of items, and 49 follow it"),
        ([("a.npy", b"")], zipfile.ZIP_STORED, "x.npz: a is no array of NumPy"),
    ):
        with (
            pytest.warns(UserWarning, match="Duplicate") if len(members) > 1 else open(os.devnull),
            zipfile.ZipFile(file, "w", method) as held,
        ):
            for name, content in members:
                held.writestr(name, content)
        with pytest.raises(ccd.FileError, match=text):
            numpy_files.archive(str(file))
    with zipfile.ZipFile(file, "w") as held:
        held.writestr("a.npy", small)
    torn = bytearray(file.read_bytes())
    torn[torn.index(SIX) + 9] ^= 1
    file.write_bytes(torn)
    with pytest.raises(ccd.FileError, match=r"x\.npz.*CRC"):
        numpy_files.archive(str(file))


def test_what_verify_writes_can_be_read(tmp_path):
    """Results of many queries without a contact compress to a thousandth; they are then written without compression."""
    for count, compressed in ((1_000, True), (1_900_000, False)):
        content = numpy_files.packed({"hit": np.zeros(count, bool), "toi": np.full(count, np.nan)})
        (tmp_path / "a.npz").write_bytes(content)
        assert (len(content) < count) == compressed
        assert len(answers.read(tmp_path / "a.npz")) == count


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_only_regular_files_are_read(tmp_path):
    """No reader waits for the writer of a pipe."""
    for name in ("x.npy", "x.npz", "x.csv", "x.json", "x.urdf", "x.srdf"):
        os.mkfifo(tmp_path / name)
    for name, read in READERS.values():
        with pytest.raises(ccd.FileError, match="only regular files are read"):
            read(str(tmp_path / f"x{os.path.splitext(name)[1]}"))


@pytest.mark.parametrize(
    "content, text",
    [
        (b"[" * 100_000, "nested too deep"),
        (b'{"bodies":' * 100_000, "nested too deep"),
        (b'{"bodies": [],\n "skip": [1%s]}' % (b"0" * 5_000), "line 2 has a number of more than 4300 digits"),
        (b'{"bodies": [{"file": "x.off", "velocity": [1%s, 0, 0]}]}' % (b"0" * 400), r"bodies\[0\]: velocity has dtype object"),
        (b'{"bodies": [{"file": "x.off", "group": %s7%s}]}' % (b"[" * 900, b"]" * 900), r"bodies\[0\]\.group is"),
        (b'{"bodies": [}', "line 1, column 13"),
        (b'{"bodies": "\xff"}', "byte 12 is not UTF-8"),
        (b'{"skip": 3}', "skip is 3: must be a list"),
        (b'{"skip": [[0, 1, 2]]}', r"skip\[0\] is \[0, 1, 2\]: must be the numbers of two bodies"),
        (b"7", "is no JSON object"),
    ],
)
def test_json_of_every_module(tmp_path, content, text):
    (tmp_path / "x.off").write_text("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    (tmp_path / "impacts.json").write_bytes(content)
    file = str(tmp_path / "impacts.json")
    with pytest.raises(ccd.Error, match=text):
        ccd.rigid.read_scene(file)
    broken = content.startswith(b"[") or not text.startswith(("bodies", "skip", "is no"))
    for read in (answers.read, *([ccd.plot.read] if broken else []), lambda _: cd.read_impacts(tmp_path)):
        with pytest.raises(ccd.FileError, match=r"impacts\.json"):
            read(file)


def test_a_manifest_cannot_declare_more_parts_than_a_plan_has(tmp_path):
    pytest.importorskip("pyarrow")
    about = {"call": "collisions", "options": {}, "parts": 10**30, "scene": None, "plan": None}
    (tmp_path / "impacts.json").write_text(json.dumps(about))
    with pytest.raises(ccd.FileError, match=r"parts is 10*: must be at most 1048576"):
        cd.read_impacts(tmp_path)


@pytest.mark.parametrize("text", ["a\n1e150\n-1e150\n1e150\n", "t,a\n0,1\n1e-320,2\n2e-320,-1\n1,3\n"])
def test_splines_beyond_doubles(tmp_path, text):
    pytest.importorskip("scipy")
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(ccd.Error, match=r"p\.csv: "):
        ccd.robot.read_path(tmp_path / "p.csv", "spline")


# ---- mutated files

SRDF = '<robot name="two"><disable_collisions link1="a" link2="b" reason="Never"/></robot>'
URDF = (
    '<robot name="arm"><link name="base"/><link name="arm"><collision><origin xyz="0.5 0 0"/>'
    '<geometry><box size="1 0.1 0.1"/></geometry></collision></link><joint name="turn" type="continuous">'
    '<parent link="base"/><child link="arm"/>'
    '<axis xyz="0 0 1"/></joint></robot>'
)
TWO = ccd.robot.Robot("two", ["a", "b"], [[], []], [ccd.robot.JointModel.fixed("j", 0, 1)], [])


def _read_urdf(path):
    try:
        return ccd.robot.read(path)
    except ImportError:
        return ccd.robot.read_allowed(path, TWO)


# By kind of file: its name, and what reads it.
READERS = {
    "motion": ("m.npz", ccd.Motion.load),
    "answers": ("a.npz", answers.read),
    "patches": ("p.npz", lambda path: models.patches(path, None)),
    "part": ("part.npz", lambda path: cd.earliest(cd.load(path))),
    "vertices": ("v.npy", lambda path: models.vertices(path, _rows(3), "other", NOTHING)),
    "scene of rows": ("r.npy", lambda path: cd.earliest(cd.Scene(path, path))),
    "queries": ("q.csv", ccd.read_queries),
    "answers of text": ("a.csv", answers.read),
    "path": ("p.csv", ccd.robot.read_path),
    "spline": ("p.csv", lambda path: ccd.robot.read_path(path, "spline")),
    "answers of objects": ("a.json", answers.read),
    "bodies": ("s.json", ccd.rigid.read_scene),
    "table": ("t.json", ccd.plot.read),
    "SRDF": ("two.srdf", lambda path: ccd.robot.read_allowed(path, TWO)),
    "URDF": ("arm.urdf", _read_urdf),
}


def seeds(folder):
    """A right file for every reader."""
    ccd.Motion.accelerated(START, START, START).save(folder / "m.npz")
    np.savez_compressed(folder / "a.npz", hit=[True, False], toi=[0.5, 1], kind=[1, 2], a=[1, 2], b=[3, 4])
    np.savez(folder / "p.npz", x0=np.zeros((4, 3)), x1=np.zeros((4, 3)), forms=[[3, 1, 1]], index=np.arange(4))
    faces, x0, x1 = sheets(3)
    scene = cd.Scene(x0, x1, faces)
    cd.cut(scene, cd.Region((-np.inf,) * 3, (np.inf,) * 3), plan=cd.plan(cd.sample(scene), 1)).save(folder / "part.npz")
    for name in ("v.npy", "r.npy"):
        np.save(folder / name, START)
    (folder / "q.csv").write_text("1,2,3,4,5,8,1\n" * 8)
    (folder / "a.csv").write_text("hit,toi,kind,a,b\n1,0x1p-1,vertex-face,1,2\n0,,1,3,4\n")
    (folder / "p.csv").write_text("time,turn,lift\n0,0,1\n1,1e3,2\n2.5,-1,0\n3,0,0\n")
    (folder / "a.json").write_text(
        '[{"hit": true, "toi": 0.5, "kind": "edge-edge", "a": 1, "b": 2}, {"hit": 0, "toi": null, "kind": 1, "a": 3, "b": 4}]'
    )
    (folder / "x.off").write_text("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    body = {"file": "x.off", "velocity": [0, 0, 1], "rotation": [1, 0, 0, 0], "group": 3}
    posed = {"file": "x.off", "pose": np.eye(4).tolist(), "angular_velocity": [1, 2, 3]}
    (folder / "s.json").write_text(
        json.dumps({"bodies": [body, posed], "skip": [[0, 1]], "mesh": {"x0": "x.off", "x1": "x.off"}})
    )
    (folder / "t.json").write_text('{"one": [{"n": 1, "ms": 2.5}, {"n": 2, "ms": null}]}')
    (folder / "two.srdf").write_text(SRDF)
    (folder / "arm.urdf").write_text(URDF)


WORDS = (
    b"9" * 25,
    b"-1",
    b"1e999",
    b"nan",
    b"null",
    b"[" * 40,
    b"{",
    b'"',
    b"\0",
    b"\xff\xfe",
    b"'",
    b"(",
    b",",
    b"\n",
    b"1" * 400,
    b"</",
    b"0x",
)


def mutated(content, random, numbers):
    """The content after one to four changes: bits, bytes, words, and parts that are cut, copied or moved."""
    out = bytearray(content)
    for _ in range(random.integers(1, 5)):
        at, length = int(random.integers(0, len(out) + 1)), int(random.integers(1, 9))
        way = random.integers(0, 7)
        if way == 0 and at < len(out):
            out[at] ^= 1 << random.integers(0, 8)
        elif way == 1 and at < len(out):
            out[at] = random.integers(0, 256)
        elif way == 2:
            out[at : at + length] = WORDS[random.integers(0, len(WORDS))]
        elif way == 3:
            del out[at : at + length * length]
        elif way == 4:
            out[at:at] = out[at // 2 : at // 2 + 8 * length]
        elif way == 5:
            del out[at:]
        elif numbers:  # a number in the text
            start, end = numbers[random.integers(0, len(numbers))]
            out[start:end] = WORDS[random.integers(0, 5)]
    return bytes(out)


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.filterwarnings("ignore")
def test_mutated_files(tmp_path, kind):
    """Nothing but what is right, or an error of ours in one line that names the file and advises nothing dangerous."""
    if kind in PACKAGES:
        pytest.importorskip(PACKAGES[kind], reason=f"needs {PACKAGES[kind]}: pip install {PACKAGES[kind]}")
    import re

    seeds(tmp_path)
    name, read = READERS[kind]
    content = (tmp_path / name).read_bytes()
    read(str(tmp_path / name))
    numbers = [match.span() for match in re.finditer(rb"[0-9.]+", content)]
    file = tmp_path / f"mutated{os.path.splitext(name)[1]}"
    random, refused = np.random.default_rng(len(kind)), 0
    rounds = 3_000 if os.environ.get("CCD_LONG") else 60
    for turn in range(rounds):
        file.write_bytes(mutated(content, random, numbers))
        try:
            read(str(file))
        except ccd.Error as error:
            refused += 1
            text = str(error)
            assert "\n" not in text and "allow_pickle" not in text and len(text) < 1000, (turn, text)
            assert str(tmp_path) in text or kind in ("part", "scene of rows"), (turn, text)
    assert refused > rounds / 10
