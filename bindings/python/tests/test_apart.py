"""Readers in a process of their own: what ends it, keeps it or prints there is an error that names the file, or nothing."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ccd
from ccd.audit import _apart

WINDOWS = sys.platform == "win32"
HERE = Path(__file__).parent


class Reads:
    """A reader that does on purpose what a library does with damaged files."""

    def __init__(self, how="well"):
        if how == "badly":
            raise ccd.UnsupportedError("a.x has what is not read")
        self.count = 0

    def double(self, array):
        self.count += 1
        return 2 * array

    def counted(self):
        return self.count, os.getpid()

    def ends(self, code):
        os._exit(code)

    def kills_itself(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def sleeps(self):
        time.sleep(600)

    def computes(self):
        while True:
            pass

    def prints(self):
        os.write(1, b"one\n")
        os.write(2, b"two\n")
        print("three")
        print("four", file=sys.stderr)
        return "said"

    def reads_input(self):
        return sys.stdin.read()

    def fails(self, error):
        raise error

    def waits_less(self):
        _apart._IDLE = 0.05
        return os.getpid()

    def gives_what_is_not_sent(self):
        return lambda: 0


def made(tmp_path, *given):
    (tmp_path / "a.x").write_bytes(b"x")
    return _apart.Apart(str(tmp_path / "a.x"), "test_apart:Reads", *given)


@pytest.fixture(scope="module")
def apart(tmp_path_factory):
    found = made(tmp_path_factory.mktemp("apart"))
    yield found
    found.close()


def gone(number):
    """Whether there is no process of a number, a while later at most."""
    for _ in range(100):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_arrays_and_errors_come_back(apart, tmp_path):
    x = np.random.default_rng(1).normal(size=(200_000, 3))  # more than a pipe holds
    assert np.array_equal(apart.call("double", x), 2 * x)
    for error, kind in (
        (ccd.InvalidIndexError("row 3"), ccd.InvalidIndexError), (ccd.FileError("a.x is short"), ccd.FileError),
        (ValueError("the header is short"), ccd.FileError), (MemoryError(), ccd.FileError), (KeyError("n"), ccd.FileError),
    ):  # fmt: skip
        with pytest.raises(kind, match=r"row 3|a\.x") as seen:
            apart.call("fails", error)
        assert type(seen.value) is kind
    with pytest.raises(ccd.FileError, match=r"a\.x: .*pickle"):
        apart.call("gives_what_is_not_sent")
    with pytest.raises(ccd.UnsupportedError, match="what is not read"):
        made(tmp_path, "badly").call("counted")


def test_nothing_is_printed_and_no_input_is_taken(apart, capfd):
    assert apart.call("prints") == "said" and apart.call("reads_input") == ""
    assert capfd.readouterr() == ("", "")


def test_a_process_that_ends_is_an_error_and_the_next_call_begins_another(apart):
    first = apart.call("counted")[1]
    with pytest.raises(ccd.FileError, match=r"a\.x: the process that reads it ended \(status 7\)"):
        apart.call("ends", 7)
    count, second = apart.call("counted")
    assert count == 0 and second != first
    if not WINDOWS:
        with pytest.raises(ccd.FileError, match=r"ended \(SIGKILL\): the file is damaged, or what its library cannot read"):
            apart.call("kills_itself")


@pytest.mark.parametrize("how", [pytest.param("sleeps", marks=pytest.mark.long), "computes"])
def test_a_call_has_a_limit(apart, monkeypatch, how):
    """Of the processor, and ten times as much by the clock."""
    number = apart.call("counted")[1]
    monkeypatch.setattr(apart, "seconds", 0.3)
    with pytest.raises(ccd.FileError, match=r"a\.x was not read within 0\.3 s: .*CCD_READ_SECONDS"):
        apart.call(how)
    assert WINDOWS or gone(number)


def test_the_limit_grows_with_the_file_and_is_set_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("CCD_READ_SECONDS", raising=False)
    with open(tmp_path / "a", "wb") as file:
        file.truncate(7_000_000)
    assert _apart.limit(str(tmp_path / "a")) == 67 and _apart.limit(str(tmp_path / "none")) == 60
    monkeypatch.setenv("CCD_READ_SECONDS", "2.5")
    assert _apart.limit(str(tmp_path / "a")) == 2.5
    for text in ("-1", "0", "x", "1e9", "9" * 9):
        monkeypatch.setenv("CCD_READ_SECONDS", text)
        with pytest.raises(ccd.ArgumentError, match="CCD_READ_SECONDS is"):
            _apart.limit(str(tmp_path / "a"))


def test_a_process_without_calls_ends_and_the_next_call_begins_another(apart):
    first = apart.call("waits_less")
    assert WINDOWS or ended(first, apart)
    assert apart.call("counted")[1] != first or WINDOWS


def ended(number, apart):
    """Whether the process of a number has ended by itself: it is still there for its parent to ask."""
    return apart._process.pid == number and apart._process.wait(60) == _apart._LEFT


def test_the_next_object_takes_the_process_of_one_that_is_not_used_any_more(tmp_path):
    first = made(tmp_path)
    first.call("double", 1)
    count, process = first.call("counted")
    again = first.path, first._made
    second = _apart.Apart(*again, "well", before=first)
    assert (count, second.call("counted")) == (1, (0, process))
    assert first.call("counted")[1] != process and second.call("counted") == (0, process)  # the process is used again after all
    third = _apart.Apart(*again, "badly", before=second)
    with pytest.raises(ccd.UnsupportedError, match="what is not read"):
        third.call("counted")
    assert second.call("counted")[1] != process
    fourth = _apart.Apart(*again, "well", before=third)
    assert fourth.call("counted")[0] == 0
    for one in (first, second, fourth):
        one.close()


@pytest.mark.parametrize("end", ["e", "usda", "xdmf"])
def test_files_of_one_frame_each_share_a_process(end, tmp_path, monkeypatch):
    from test_audit_files import FRAMES, RIGHT, verdicts

    for k, x in enumerate(FRAMES):
        path = str(tmp_path / f"f{k}.{end}")
        if end == "usda":
            stage = pytest.importorskip("pxr.Usd").Stage.CreateNew(path)
            mesh = pytest.importorskip("pxr.UsdGeom").Mesh.Define(stage, "/a")
            mesh.CreateFaceVertexCountsAttr([3, 3])
            mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3, 4, 5])
            mesh.CreateSubdivisionSchemeAttr("none")
            mesh.CreatePointsAttr([tuple(p) for p in x.tolist()])
            stage.Save()
        else:
            meshio = pytest.importorskip("meshio")
            pytest.importorskip("h5py")
            monkeypatch.chdir(tmp_path)  # meshio writes the .h5 into the working folder
            meshio.Mesh(x, [("triangle", np.arange(6).reshape(2, 3))]).write(
                path, file_format="exodus" if end == "e" else "xdmf"
            )
    begun, popen = [], subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **more: begun.append(given) or popen(*given, **more))
    assert verdicts(str(tmp_path / f"f*.{end}")) == RIGHT
    assert len(begun) == 1


@pytest.mark.long
def test_no_process_stays(tmp_path):
    closed, left, interrupted = (made(tmp_path) for _ in range(3))
    numbers = [one.call("counted")[1] for one in (closed, left, interrupted)]
    closed.close()
    del left
    assert WINDOWS or (gone(numbers[0]) and gone(numbers[1]))
    if threading.current_thread() is threading.main_thread() and not WINDOWS:
        # To this thread, as a terminal does: a signal to the thread of the timer would not end a read that waits.
        threading.Timer(0.3, signal.pthread_kill, [threading.get_ident(), signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            interrupted.call("sleeps")
        assert gone(numbers[2])


PROGRAM = """
import os, sys
sys.path.insert(0, {here!r})
import test_apart
from ccd.audit._apart import Apart
found = Apart({path!r}, "test_apart:Reads")
print(found.call("counted")[1], flush=True)
{then}
"""


@pytest.mark.skipif(WINDOWS, reason="processes are asked for by number")
@pytest.mark.parametrize("then", [pytest.param("", marks=pytest.mark.long), "os.kill(os.getpid(), 9)"])
def test_it_ends_with_the_program_that_began_it(tmp_path, then):
    (tmp_path / "a.x").write_bytes(b"x")
    text = PROGRAM.format(here=str(HERE), path=str(tmp_path / "a.x"), then=then)
    (tmp_path / "program.py").write_text(text)  # without a guard for __main__: the process does not run it again
    seen = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True)
    assert gone(int(seen.stdout)) and not seen.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_fork_begins_a_process_of_its_own(apart):
    number = apart.call("counted")[1]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, b"%d" % apart.call("counted")[1])
            apart.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    other = int(os.read(reading, 99))
    assert other != number and gone(other) and apart.call("counted")[1] == number


def test_threads_take_turns(apart):
    x, found = np.arange(1000.0), []
    threads = [threading.Thread(target=lambda k=k: found.append((k, apart.call("double", x + k)))) for k in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 8 and all(np.array_equal(got, 2 * (x + k)) for k, got in found)


def test_a_program_without_a_python_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "blender"))
    assert os.path.basename(_apart._python("a.x")).startswith("python")
    monkeypatch.setattr(sys, "exec_prefix", str(tmp_path))
    with pytest.raises(ccd.UnsupportedError, match=r"a\.x is read by a process of its own, and no Python is in"):
        _apart._python("a.x")
