"""Files are written whole or not at all, whatever ends the writer; links, permissions and pipes stay what they are."""

import contextlib
import importlib.util
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import longer, sheets
from scenes_view import SCENES

import ccd
import ccd.distributed as cd
from ccd import errors
from ccd._io import write

OLD = b"what was here before\n"
LIMIT = 4096  # bytes that the child may write to one file: less than every file below

# The kernel ends the child with SIGXFSZ in the middle of its write, as SIGKILL might; Python itself would ignore that signal.
KILLED = (
    "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); from ccd.cli import main; sys.exit(main(sys.argv[1:]))"
)
LIMITED = KILLED.replace("SIG_DFL", "SIG_IGN")


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """Of every command that writes a file: its arguments, and its file."""
    folder = tmp_path_factory.mktemp("write")
    mesh, _ = SCENES["mesh"](folder)
    table = folder / "t.csv"
    table.write_text("n,ms\n" + "".join(f"{i},{i}\n" for i in range(200)))
    return {
        "view": (["view", *mesh, "-o"], "page.html"),
        "plot": (["plot", str(table), "--x", "n", "--y", "ms", "-o"], "chart.svg"),
        "verify": (["verify", *mesh, "--method", "exact", "--write"], "answers.npz"),
    }


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(code, arguments, **more):
    return subprocess.run([sys.executable, "-B", "-c", code, *map(str, arguments)], capture_output=True, timeout=120, **more)


@pytest.mark.parametrize("name", ["view", "plot", "verify"])
def test_a_writer_that_is_killed_leaves_the_old_file(commands, tmp_path, name):
    arguments, file = commands[name]
    target = tmp_path / file
    assert run(KILLED, [*arguments, target]).returncode in (0, 1) and target.stat().st_size > LIMIT  # it writes that much
    target.write_bytes(OLD)
    assert run(KILLED, [*arguments, target], preexec_fn=limited).returncode == -signal.SIGXFSZ
    assert target.read_bytes() == OLD
    if hasattr(os, "O_TMPFILE"):  # the new file has no name before it is complete
        assert os.listdir(tmp_path) == [file]


@pytest.mark.parametrize("name", ["view", "plot", "verify"])
def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(commands, tmp_path, name):
    arguments, file = commands[name]
    target = tmp_path / file
    target.write_bytes(OLD)
    ended = run(LIMITED, [*arguments, target], preexec_fn=limited)
    assert (ended.returncode, ended.stderr) == (2, f"ccd: {target}: File too large\n".encode())
    assert target.read_bytes() == OLD and os.listdir(tmp_path) == [file]


def test_a_page_that_cannot_be_composed_leaves_the_old_file(tmp_path):
    target = tmp_path / "page.html"
    target.write_bytes(OLD)
    page = ccd.view.Page("x")
    page.facts["bad"] = object()  # not for JSON
    with pytest.raises(TypeError):
        page.write(target)
    assert target.read_bytes() == OLD and os.listdir(tmp_path) == ["page.html"]


def test_nobody_reads_half_a_file(tmp_path):
    """A reader that opens the file again and again, while it is written, finds one of the contents."""
    target, done, seen = tmp_path / "x", threading.Event(), set()
    contents = [bytes([65 + i]) * 3_000_000 for i in range(2)]
    target.write_bytes(contents[0])

    def read():
        while not done.is_set():
            seen.add(target.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(10):
        write.whole(target, contents[i % 2])
    done.set()
    reader.join()
    assert seen <= set(contents)


# ---- what the target is


def test_links_and_permissions_stay(tmp_path):
    (tmp_path / "there").mkdir()
    real, link, chain = tmp_path / "there" / "real", tmp_path / "link", tmp_path / "there" / "chain"
    real.write_bytes(OLD)
    real.chmod(0o640)
    chain.symlink_to("../there/real")
    link.symlink_to("there/chain")
    write.whole(link, b"new")
    assert link.is_symlink() and chain.is_symlink() and real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    dangling = tmp_path / "dangling"
    dangling.symlink_to("there/made")
    write.whole(dangling, b"made")
    assert dangling.is_symlink() and (tmp_path / "there" / "made").read_bytes() == b"made"
    assert sorted(os.listdir(tmp_path / "there")) == ["chain", "made", "real"]


def test_a_new_file_has_the_permissions_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write.whole(tmp_path / "x", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


def test_where_no_file_is_without_a_name_one_beside_it_is_renamed(tmp_path, monkeypatch):
    monkeypatch.setattr(write, "_unnamed", lambda folder: None)
    (tmp_path / "x").write_bytes(OLD)
    os.chmod(tmp_path / "x", 0o604)
    write.whole(tmp_path / "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"new" and os.listdir(tmp_path) == ["x"]
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o604


def test_parts_of_a_distributed_step_have_the_permissions_of_the_umask(tmp_path):
    faces, x0, x1 = sheets(6)
    scene = cd.Scene(x0, x1, faces)
    old = os.umask(0o027)
    try:
        (tmp_path / "parts").mkdir()
        names = [os.path.relpath(path, tmp_path) for path in cd.split(scene, cd.plan(cd.sample(scene), 2), tmp_path / "parts")]
        if importlib.util.find_spec("pyarrow"):
            cd.collisions(ccd.Mesh(faces), x0, x1, parts=2, folder=tmp_path / "results")
            names += [f"results/{name}" for name in os.listdir(tmp_path / "results")]
    finally:
        os.umask(old)
    assert {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names} == dict.fromkeys(names, 0o640)


def test_the_owner_stays(tmp_path):
    if os.geteuid():
        pytest.skip("only root may give files away")
    (tmp_path / "x").write_bytes(OLD)
    os.chown(tmp_path / "x", 12, 34)
    write.whole(tmp_path / "x", b"new")
    held = (tmp_path / "x").stat()
    assert (held.st_uid, held.st_gid) == (12, 34) and (tmp_path / "x").read_bytes() == b"new"


AS_NOBODY = """
import os, sys
from pathlib import Path
import ccd
from ccd._io import write
os.setgroups([]), os.setgid(65534), os.setuid(65534)
for folder in map(Path, sys.argv[1:]):
    write.whole(folder / "open", b"new")
    try: write.whole(folder / "readonly", b"new")
    except PermissionError as error: print(type(error).__name__, error.errno)
"""


def test_files_that_cannot_be_replaced_are_written_as_they_stand():
    """One in a folder that takes no new files, and one whose owner could not be kept; a read-only one is refused."""
    if os.geteuid():
        pytest.skip("needs files of another owner")
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        folders = [Path(root, "shared"), Path(root, "closed")]
        for folder, mode in zip(folders, (0o777, 0o755)):
            folder.mkdir()
            folder.chmod(mode)
            for name, allowed in (("open", 0o666), ("readonly", 0o444)):
                (folder / name).write_bytes(OLD)
                (folder / name).chmod(allowed)
        ended = run(AS_NOBODY, folders)
        assert ended.stdout == b"FileError 13\nFileError 13\n", ended.stderr
        for folder in folders:
            assert (folder / "open").read_bytes() == b"new" and (folder / "open").stat().st_uid == 0
            assert (folder / "readonly").read_bytes() == OLD and sorted(os.listdir(folder)) == ["open", "readonly"]


@pytest.mark.parametrize("name", longer(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"], "/dev/fd/1"))
def test_standard_output_may_be_the_file(commands, tmp_path, name):
    """A pipe, or a file that the shell has opened, which stays the one it was."""
    arguments, _ = commands["view"]
    code = "import sys; from ccd.cli import main; sys.exit(main(sys.argv[1:]))"
    piped = run(code, [*arguments, name]).stdout.decode()
    assert piped.startswith("<!doctype html>") and f"{name}: " in piped.partition("</html>")[2]
    redirected = tmp_path / "out"
    with open(redirected, "wb") as out:
        opened = os.fstat(out.fileno()).st_ino
        subprocess.run([sys.executable, "-c", code, *map(str, arguments), name], stdout=out, check=False, timeout=120)
    assert redirected.stat().st_ino == opened and os.listdir(tmp_path) == ["out"]
    assert "</html>" in redirected.read_text()


def test_a_named_pipe_gets_it(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write.whole(pipe, b"through the pipe")
    reader.join(10)
    assert got == [b"through the pipe"] and stat.S_ISFIFO(pipe.stat().st_mode)
    write.whole("/dev/null", b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize(
    "path, cause",
    [
        ("missing/x", FileNotFoundError),
        ("file/x", NotADirectoryError),
        ("folder", IsADirectoryError),
        ("folder/", IsADirectoryError),
    ],
)
def test_what_cannot_be_written_is_said_by_its_name(tmp_path, monkeypatch, path, cause):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(OLD)
    with pytest.raises(cause) as caught:
        write.whole(path, b"x")
    assert isinstance(caught.value, ccd.FileError) and str(caught.value).startswith(f"{path}: ")
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    with pytest.raises(errors.FileError, match="symbolic links"):
        write.whole(loop, b"x")
    with contextlib.suppress(FileNotFoundError):
        assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


def test_answers_keep_their_ending(commands, tmp_path):
    arguments, _ = commands["verify"]
    assert ccd.cli.main([*arguments, str(tmp_path / "kept")]) in (0, 1)
    assert np.load(tmp_path / "kept.npz")["hit"].any()
