"""Threads, the GIL, Ctrl-C, and fork."""

import _thread
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import sheets

import ccd
from ccd._native import abi

# A call that would take minutes: brute force over a large mesh.
LONG = f"""
import sys, numpy as np, ccd
sys.path.insert(0, {os.path.dirname(__file__)!r})
from conftest import sheets
faces, x0, x1 = sheets(220)
mesh = ccd.Mesh(faces)
def long(**options):
    return ccd.step.collisions(mesh, x0, x1, brute_force=True, **options)
"""


def python(code, **options):
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def finish(process):
    """What the process wrote, if it ends within a minute; else it is killed, not left behind."""
    try:
        return process.communicate(timeout=60)
    finally:
        process.kill()


def test_threads_share_a_mesh():
    faces, x0, x1 = sheets(14)
    mesh = ccd.Mesh(faces)
    want = ccd.step.collisions(mesh, x0, x1).tobytes()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: ccd.step.collisions(mesh, x0, x1).tobytes(), range(12)))
    assert answers == [want] * 12


def test_a_mesh_destroyed_while_threads_use_it():
    """Every call either answers rightly or raises HandleError; nothing crashes or hangs."""
    faces, x0, x1 = sheets(14)
    want = ccd.step.earliest(ccd.Mesh(faces), x0, x1)
    for _ in range(10):
        mesh, started = ccd.Mesh(faces), threading.Barrier(3)

        def use(mesh=mesh, started=started):
            started.wait()
            for _ in range(20):
                try:
                    assert ccd.step.earliest(mesh, x0, x1) == want
                except ccd.HandleError:
                    return "closed"
            return "done"

        with ThreadPoolExecutor(2) as pool:
            users = [pool.submit(use), pool.submit(use)]
            started.wait()
            mesh.close()
            assert {user.result(timeout=120) for user in users} <= {"closed", "done"}
        with pytest.raises(ccd.HandleError):
            ccd.step.earliest(mesh, x0, x1)


def test_errors_are_each_threads_own():
    def fail(i):
        q = np.zeros((8, 24))
        q[i, i] = np.nan
        with pytest.raises(ccd.NonFiniteError) as caught:
            ccd.pair.vertex_face(q)
        return str(i) in str(caught.value)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(fail, list(range(8)) * 10))


def test_the_gil_is_free_during_a_call():
    """The main thread decides, while the call runs in another, that it shall stop: it can only do so if it gets the GIL."""
    assert not isinstance(abi.library(), abi.ctypes.PyDLL)
    faces, x0, x1 = sheets(60)
    mesh, running, stop, outcome = ccd.Mesh(faces), threading.Event(), threading.Event(), []

    def progress(_):
        running.set()
        return stop.is_set()

    def call():
        try:
            ccd.step.collisions(mesh, x0, x1, brute_force=True, progress=progress)
        except ccd.Cancelled as error:
            outcome.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    assert running.wait(60)
    stop.set()
    thread.join(60)
    assert len(outcome) == 1 and outcome[0].status == -6


def test_progress_rises_to_one():
    faces, x0, x1 = sheets(20)
    seen = []
    ccd.step.collisions(ccd.Mesh(faces), x0, x1, progress=seen.append)
    assert seen and seen == sorted(seen) and seen[0] >= 0 and seen[-1] <= 1


def test_what_progress_raises_comes_out_of_the_call():
    faces, x0, x1 = sheets(20)

    class Mine(Exception):
        pass

    def progress(_):
        raise Mine("stop here")

    with pytest.raises(Mine, match="stop here"):
        ccd.step.collisions(ccd.Mesh(faces), x0, x1, progress=progress)
    with pytest.raises(ccd.Cancelled):
        ccd.step.collisions(ccd.Mesh(faces), x0, x1, progress=lambda _: True)


@pytest.mark.parametrize("wait", [0.01, 0.5, 1.5])
def test_ctrl_c_interrupts_a_long_call(wait):
    code = LONG + (
        "try:\n    print('ready', flush=True)\n    long()\nexcept KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
        "print(ccd.pair.point_point([0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0]).verdict)"
    )
    process = python(code)
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    out, err = finish(process)
    assert out == "interrupted\ncontact\n", err
    assert process.returncode == 0, err


def test_long_calls_of_the_main_thread_share_a_thread():
    faces, x0, x1 = sheets(20)
    mesh = ccd.Mesh(faces)
    want, before = ccd.step.earliest(mesh, x0, x1), _thread._count()
    for _ in range(20):
        assert ccd.step.earliest(mesh, x0, x1) == want
    assert _thread._count() == before >= 1


def test_long_calls_without_threads(monkeypatch):
    """Where no thread can be started, as while the interpreter ends, a long call runs in the main thread."""
    from ccd._native import call

    def start(*_):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    faces, x0, x1 = sheets(20)
    mesh = ccd.Mesh(faces)
    want = ccd.step.earliest(mesh, x0, x1)
    monkeypatch.setattr(call._Helper, "only", None)
    monkeypatch.setattr(_thread, "start_new_thread", start)
    assert ccd.step.earliest(mesh, x0, x1) == want and call._Helper.only is None


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_a_signal_handler_may_call_during_a_long_call():
    code = LONG + (
        "import signal\n"
        "def handler(*_):\n"
        "    x = np.random.default_rng(1).random((300, 3))\n"
        "    faces = np.arange(300).reshape(-1, 3)\n"
        "    print(len(ccd.step.collisions(ccd.Mesh(faces), x, x[::-1].copy())) > 0, flush=True)\n"
        "    raise KeyboardInterrupt\n"
        "signal.signal(signal.SIGALRM, handler)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.5)\n"
        "try:\n    long()\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
        "x = np.random.default_rng(2).random((300, 3))\n"
        "print(ccd.step.earliest(ccd.Mesh(np.arange(300).reshape(-1, 3)), x, x).separate)\n"
    )
    out, err = finish(python(code))
    assert out == "True\ninterrupted\nTrue\n", err


def test_ctrl_c_and_the_command(tmp_path):
    faces, x0, _ = sheets(220)
    path = tmp_path / "a.off"
    with path.open("w") as file:
        file.write(f"OFF\n{len(x0)} {len(faces)} 0\n")
        np.savetxt(file, x0)
        np.savetxt(file, np.hstack([np.full((len(faces), 1), 3), faces]), fmt="%d")
    np.save(tmp_path / "b.npy", x0 * [1, 1, -300])  # everything sweeps over everything
    arguments = ["step", str(path), str(tmp_path / "b.npy")]
    code = f"import sys, ccd.cli; print('ready', flush=True); sys.exit(ccd.cli.main({arguments}))"
    process = python(code)
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(3)
    process.send_signal(signal.SIGINT)
    _, err = finish(process)
    assert (process.returncode, err) == (3, "ccd: cancelled\n")


FORK = """
import os, sys, numpy as np, ccd
q, x = np.zeros(24), np.random.default_rng(1).random((300, 3))
long = lambda: ccd.step.earliest(ccd.Mesh(np.arange(300).reshape(-1, 3)), x, x)
{before}
child = os.fork()
if child == 0:
    try:
        {then}
        code = 10
    except ccd.ForkedError as error:
        code = 20
    os._exit(code)
_, status = os.waitpid(child, 0)
ccd.pair.vertex_face(q)
print(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("then", ["ccd.pair.vertex_face(q)", "long()"])
@pytest.mark.parametrize(
    "before, code", [("", "10"), ("ccd.pair.vertex_face(q)", "20"), ("m = ccd.Mesh(vertices=3)", "20"), ("long()", "20")]
)
def test_fork(before, code, then):
    """A child forked before the first call works; one forked after it gets an error, not a hang."""
    out, err = python(FORK.format(before=before, then=then)).communicate(timeout=60)
    assert out.strip() == code, err


def _child(mesh):
    try:
        return len(ccd.broad.candidates(mesh or _inherited, np.eye(3), -np.eye(3)))
    except ccd.ForkedError:
        return "forked"


_inherited = None


@pytest.mark.parametrize("method, want", [("spawn", 3), ("fork", "forked")])
def test_multiprocessing(method, want):
    """A spawned process gets the mesh by pickling; a forked one inherits it, and is told that it cannot use it."""
    global _inherited
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {method} here")
    mesh = _inherited = ccd.Mesh(vertices=3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(_child, (mesh if method == "spawn" else None,)) == want


def test_an_import_loads_little():
    """Neither the library, with Go's runtime, nor what only a page or a chart needs."""
    code = """
import sys, numpy
before = set(sys.modules)
import ccd
print(sorted(m for m in set(sys.modules) - before if m.split(".")[0] in ("email", "http", "json", "tempfile", "html")))
print([m for m in sys.modules if m.startswith(("ccd.view", "ccd.plot", "ccd.cli"))], "plot" in dir(ccd), "view" in dir(ccd))
print(ccd._native.abi.library.cache_info().currsize, ccd.view.Page("x"))
"""
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines == ["[]", "[] True True", "0 <ccd.view.Page 'x': 0 parts, 0 impacts, 0 near pairs>"]
