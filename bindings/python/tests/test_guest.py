"""The library as a guest in Python's process: processors it may use, interpreters beside the main one, handlers of the host."""

import os
import signal
import subprocess
import sys

import pytest

import ccd


def run(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_threads_are_those_this_process_may_use():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "import numpy as np, ccd\n"
        "stats = ccd.Stats(); ccd.step.earliest(ccd.Mesh(vertices=3), np.eye(3), -np.eye(3), stats=stats)\n"
        "print(stats.threads)"
    )
    result = run(code)
    assert result.stdout == "1\n", result.stderr


SUBINTERPRETER = """
try:
    import _interpreters as interpreters
    run = lambda i, code: interpreters.exec(i, code)
except ImportError:
    import _xxsubinterpreters as interpreters
    run = interpreters.run_string
import ccd
q = "[0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0]"
print(ccd.pair.point_point(eval(q)).toi_lo)
other = interpreters.create()
run(other, f'''
import ctypes
lib = ctypes.CDLL({str(ccd.library_path())!r})
q, out = (ctypes.c_double * 12)(*{q}), (ctypes.c_double * 15)()
assert lib.ccd_pair_point_point(q, None, out) == 0 and out[3] == 0.5
try:
    import ccd
    assert ccd.pair.point_point({q}).toi_lo == 0.5
except ImportError as error:
    assert "numpy" in str(error).lower() or "load module" in str(error), error
''')
interpreters.destroy(other)
print(ccd.pair.point_point(eval(q)).toi_lo)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module for subinterpreters is another since 3.13")
def test_subinterpreters():
    """The library serves an interpreter beside the main one; where NumPy does not load there, ccd has its error."""
    result = run(SUBINTERPRETER)
    assert (result.stdout, result.returncode) == ("0.5\n0.5\n", 0), result.stderr


def test_handlers_of_the_host_are_kept():
    code = (
        "import signal, os, ccd\nseen = []\n"
        "signal.signal(signal.SIGTERM, lambda *_: seen.append('term'))\n"
        "ccd.version()\n"
        "signal.signal(signal.SIGUSR1, lambda *_: seen.append('usr1'))\n"
        "for s in signal.SIGTERM, signal.SIGUSR1: os.kill(os.getpid(), s)\n"
        "ccd.pair.point_point([0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0])\n"
        "print(*seen, signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    result = run(code)
    assert result.stdout == "term usr1 True\n", result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits differ")
def test_a_limit_on_address_space():
    """Go reserves some 700 MiB of address space and uses little of it: with 2 GiB a process works."""
    import resource

    limit = (4 << 30, 4 << 30)
    code = "import ccd, numpy as np; print(len(ccd.broad.candidates(ccd.Mesh(vertices=3), np.eye(3), -np.eye(3))))"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    result = run(code, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit), env=environment)
    assert result.stdout == "3\n", result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits differ")
def test_when_memory_runs_out_the_process_ends_and_says_why():
    """No caller can go on then, as in any Go program: it does not hang, and gives no answer."""
    code = (
        "import resource, numpy as np, ccd\n"
        "x = np.random.default_rng(0).uniform(size=(300_000, 3))\n"
        "mesh = ccd.Mesh(vertices=len(x))\n"
        "size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (size + (64 << 20), resource.RLIM_INFINITY))\n"
        "print(len(ccd.broad.candidates(mesh, x, 1 - x)))\n"
    )
    result = run(code, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    assert result.returncode != 0 and result.stdout == ""
    assert "out of memory" in result.stderr or "cannot allocate memory" in result.stderr, result.stderr[-500:]


def test_working_memory_is_limited_by_an_option_not_by_death():
    """What a limit makes slower still has the same answer; Go cannot survive a malloc that fails, so set the option."""
    from conftest import sheets

    faces, x0, x1 = sheets(40)
    mesh = ccd.Mesh(faces)
    found = ccd.step.collisions(mesh, x0, x1)
    # docs/limits.md: what the call, its threads and the mesh need; results, 264 bytes an impact, may take half of the rest.
    threads = os.cpu_count() or 1
    room = (512 << 10) + (256 << 10) * threads + 600 * len(x0) + 2 * 264 * (len(found) + 128 * threads)
    assert ccd.step.collisions(mesh, x0, x1, memory_limit=room).tobytes() == found.tobytes()
    with pytest.raises(ccd.OutOfMemoryError, match="memory_limit is 1048576"):
        ccd.step.collisions(mesh, x0, x1, memory_limit=1 << 20)
    # One thread and no list of impacts: the peak is that of the working memory, and the same in every run.
    free, tight = ccd.Stats(), ccd.Stats()
    want = ccd.step.earliest(mesh, x0, x1, threads=1, stats=free)
    assert ccd.step.earliest(mesh, x0, x1, threads=1, memory_limit=free.peak_bytes // 2, stats=tight) == want
    assert tight.peak_bytes < free.peak_bytes


def test_an_interrupt_is_not_lost_on_a_thread_of_the_library():
    """SIGINT that the kernel hands to any thread reaches Python's handler in the main one."""
    code = (
        "import os, signal, ccd\nccd.version()\nhits = []\nsignal.signal(signal.SIGINT, lambda *_: hits.append(1))\n"
        "for _ in range(50):\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "    ccd.pair.point_point([0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0])\nprint(len(hits) > 0)"
    )
    result = run(code)
    assert (result.stdout, result.returncode) == ("True\n", 0), result.stderr
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
