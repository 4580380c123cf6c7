"""ccd.distributed on real engines: same bits, killed workers, memory limits. Engines that are not installed are skipped."""

import contextlib
import functools
import importlib.util
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import CHECKOUT, longer, sheets

import ccd
import ccd.distributed as cd

EXAMPLE = CHECKOUT / "examples" / "distributed" / "run.py"
needs_dask = pytest.mark.skipif(
    not importlib.util.find_spec("distributed"), reason="Dask is not installed: pip install distributed"
)
needs_ray = pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed: pip install ray")
needs_mpi = pytest.mark.skipif(
    not (importlib.util.find_spec("mpi4py") and shutil.which("mpiexec")),
    reason="MPI is not installed: apt install openmpi-bin libopenmpi-dev, pip install mpi4py",
)
WAIT = 300  # seconds: far more than a test takes


def spawned(workers=2, **options):
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), **options)


class Deadly(os.PathLike):
    """A part's file that kills the worker that opens it, as often as `times`; in this process it is only a name."""

    def __init__(self, path, folder, times):
        self.path, self.folder, self.times, self.home = path, str(folder), times, os.getpid()

    def __fspath__(self):
        if os.getpid() != self.home:
            for i in range(self.times):
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(os.path.join(self.folder, f"death-{i}"), os.O_CREAT | os.O_EXCL))
                    os.kill(os.getpid(), signal.SIGKILL)
        return self.path


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """Files of parts, and the results of one call."""
    faces, x0, x1 = sheets(12)
    mesh, whole = ccd.Mesh(faces), cd.Scene(x0, x1, faces)
    paths = cd.split(whole, cd.plan(cd.sample(whole), 7), tmp_path_factory.mktemp("parts"))
    return paths, repr(ccd.step.earliest(mesh, x0, x1)), ccd.step.collisions(mesh, x0, x1).tobytes(), (mesh, x0, x1)


def agree(scene, executor, report=None):
    paths, first, every, whole = scene
    assert repr(cd.earliest(*whole, parts=7, executor=executor)) == first
    assert cd.collisions(paths, executor=executor, report=report).tobytes() == every


def test_processes(scene):
    report = cd.Report()
    with spawned() as pool:
        agree(scene, pool, report)
        assert cd.size(scene[0], executor=pool) == ccd.step.size(*scene[3])
        near = cd.near(scene[3][0], scene[3][1], 0.01, executor=pool)
        assert near.tobytes() == ccd.proximity.near(scene[3][0], scene[3][1], 0.01).tobytes()
        pairs = cd.candidates(scene[0], executor=pool)
        assert all(np.array_equal(pairs[kind], cd.candidates(scene[0])[kind]) for kind in ccd.Kind)
    assert len(report.parts) == 7 and os.getpid() not in {part["pid"] for part in report.parts}
    with ThreadPoolExecutor(2) as pool:
        agree(scene, pool)


@pytest.mark.parametrize("times", longer([1, 3], 1))
def test_a_killed_worker_costs_only_its_parts(scene, tmp_path, times):
    """The pool of the standard library breaks as a whole; it is made again, and what was done stays done."""
    paths, report = list(scene[0]), cd.Report()
    paths[4] = Deadly(paths[4], tmp_path, times)
    made = []

    def pool():
        made.append(spawned())
        return made[-1]

    found = cd.collisions(paths, executor=pool, report=report)
    assert found.tobytes() == scene[2] and len(os.listdir(tmp_path)) == times
    assert len(made) == times + 1 and len(report.parts) == 7 and times <= report.lost <= 6 * times


def killed_in_a_result(folder):
    """The process that sends the first result dies when half of it is sent."""
    send = multiprocessing.connection.Connection._send

    def half(self, buffer, *more):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(os.path.join(folder, "death"), os.O_CREAT | os.O_EXCL))
            os.write(self.fileno(), bytes(buffer)[: len(buffer) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        send(self, buffer, *more)

    multiprocessing.connection.Connection._send = half


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs pipes of POSIX")
def test_a_worker_killed_in_the_middle_of_a_result(scene, tmp_path, monkeypatch):
    """The pool of the standard library waits for the other half, and its other workers for a lock: the call makes another."""
    monkeypatch.setattr(cd._run, "_LOOK", 0.3)
    made, report = [], cd.Report()

    def pool():
        made.append(spawned(initializer=killed_in_a_result, initargs=(str(tmp_path),)))
        return made[-1]

    assert cd.collisions(scene[0], executor=pool, report=report).tobytes() == scene[2]
    assert len(made) == 2 and report.lost >= 1 and len(report.parts) == 7


def killed_while_it_writes(folder):
    """The process that writes the first file dies when half of it is written."""
    import pyarrow.parquet

    write = pyarrow.parquet.write_table

    def half(table, path):
        write(table, path)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(os.path.join(folder, "death"), os.O_CREAT | os.O_EXCL))
            os.truncate(path, os.path.getsize(path) // 2)
            os.kill(os.getpid(), signal.SIGKILL)

    pyarrow.parquet.write_table = half


@pytest.mark.parametrize("call", longer(["collisions", "near", "candidates"], "collisions"))
def test_a_worker_killed_while_it_writes(scene, tmp_path, call):
    """The file of its part is whole or absent; the part runs again, and nothing of the first try stays."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    out, report, seen = tmp_path / "out", cd.Report(), []
    source = (scene[3][0], scene[3][1], 0.1) if call == "near" else scene[3]
    read = {"collisions": cd.read_impacts, "near": cd.read_near, "candidates": cd.read_candidates}[call]

    def pool():
        if (tmp_path / "death").exists():
            seen.append(sorted(name.rpartition(".")[2] for name in os.listdir(out)))
            for path in out.glob("*.parquet"):
                read(path, partial=True)  # whole
            with pytest.raises(ccd.ArgumentError, match=r"paths lacks part .* of 7 parts"):
                read(out)
        return spawned(initializer=killed_while_it_writes, initargs=(str(tmp_path),))

    files = getattr(cd, call)(*source, parts=7, executor=pool, folder=out, report=report)
    assert len(seen) == 1 and "tmp" in seen[0] and report.lost >= 1 and len(report.parts) == 7
    parts = [name for name in sorted(os.listdir(out)) if not name.endswith(".json")]
    assert parts == [os.path.basename(path) for path in files] and len(files) == 7
    found, wanted = read(out), getattr(cd, call)(*source, parts=7)
    if call == "candidates":
        assert len(wanted) and all(np.array_equal(found[kind], wanted[kind]) for kind in ccd.Kind)
    else:
        assert len(wanted) and found.tobytes() == wanted.tobytes()


KILLED = """
import os, signal, sys
import ccd.distributed as cd
parts, folder, when = sys.argv[3:], sys.argv[1], sys.argv[2]
replace = os.replace
def killing(new, path):
    if when == ("manifest" if path.endswith("json") else os.path.basename(path)):
        os.kill(os.getpid(), signal.SIGKILL)
    replace(new, path)
os.replace = killing
cd.collisions(parts, folder=folder)
"""


@pytest.mark.parametrize(
    "when", longer(["manifest", "impacts-00000.parquet", "impacts-00004.parquet"], "impacts-00004.parquet")
)
def test_a_call_that_is_killed_leaves_no_whole(scene, tmp_path, when):
    """What it left is refused, until a call completes it."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    command = [sys.executable, "-c", KILLED, str(tmp_path), when, *scene[0]]
    done = subprocess.run(command, timeout=WAIT, env=environment())
    assert done.returncode == -signal.SIGKILL and any(name.endswith(".tmp") for name in os.listdir(tmp_path))
    there = None if when == "manifest" else int(when[8:13])
    message = "has no impacts.json" if there is None else f"paths lacks part {there}-6 of 7 parts"
    with pytest.raises(ccd.ArgumentError, match=message):
        cd.read_impacts(tmp_path)
    report = cd.Report()
    cd.collisions(scene[0], folder=tmp_path, report=report)
    assert len(report.parts) == 7 - (there or 0) and cd.read_impacts(tmp_path).tobytes() == scene[2]
    assert not any(name.endswith(".tmp") for name in os.listdir(tmp_path))


@pytest.mark.long
def test_workers_killed_at_any_time(scene):
    """A thread kills a process of the pool again and again, until a call has lost one and made another pool."""
    made, stop, calls = [], threading.Event(), 0

    def pool():
        made.append(spawned())
        return made[-1]

    def kill():
        rng = np.random.default_rng(0)
        while not stop.wait(rng.uniform(1, 3) * 1.2 ** len(made)):  # on a busy machine a process takes longer to start
            for child in list(getattr(made[-1], "_processes", None) or {}):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                break

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        while len(made) == calls:  # a process that is killed while it has no work costs nothing
            found, calls = cd.collisions(list(scene[0]) * 3, executor=pool, retries=50), calls + 1
            assert len(found) == 3 * len(np.frombuffer(scene[2], ccd.impact_dtype))
    finally:
        stop.set()
        thread.join()
    assert found[::3].tobytes() == scene[2]


def test_a_part_that_kills_its_workers_is_named(scene, tmp_path):
    paths = list(scene[0])
    paths[4] = Deadly(paths[4], tmp_path, 100)
    with pytest.raises(cd.PartError, match=r"part .*part-00004.npz: its worker died 2 times while nothing else ran") as caught:
        cd.collisions(paths, executor=2, retries=1)
    assert caught.value.part == 4
    with spawned() as mine, pytest.raises(cd.PartError, match="parts run again only where executor is a number of processes"):
        cd.collisions(paths, executor=mine)  # not ours to make again


def test_a_part_that_fails_is_named(scene):
    paths, _, _, (mesh, x0, _) = scene
    part = cd.load(paths[3])
    part.x1[5, 1] = np.nan
    with pytest.raises(ccd.NonFiniteError, match=r"^part 3: x1\[5\]\[1\] is NaN"):
        cd.earliest([*paths[:3], part, *paths[4:]], executor=2)
    with pytest.raises(ccd.FileError, match=r"^part .*none.npz: .*No such file"):
        cd.earliest([*paths[:3], "none.npz"], executor=2)
    with pytest.raises(ccd.UnsupportedError, match=r"^part \d: norm is"):
        cd.near(mesh, x0, 0.05, parts=3, executor=2, norm="max")


def limit(size):
    import resource

    ccd.version()  # the library is loaded
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + size, used + size))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
@pytest.mark.long
def test_a_part_beyond_the_memory_of_its_worker_is_named(scene):
    """The system refuses the memory: the part fails, or its worker dies, and the call says which part it was."""
    n = 6_000_000
    x = np.linspace(0, 1, 3 * n).reshape(n, 3)
    big = cd.Part(
        9, cd.Region((-np.inf,) * 3, (np.inf,) * 3), 0.0, x, x, np.empty((0, 3), np.int32), np.empty((0, 2), np.int32),
        np.arange(n), np.empty(0, np.int64), np.empty(0, np.int64),
    )  # fmt: skip
    with pytest.raises((cd.PartError, ccd.OutOfMemoryError), match="part 9"):
        cd.earliest([*scene[0], big], executor=functools.partial(spawned, initializer=limit, initargs=(3 << 27,)), retries=1)


def test_the_least_time_is_shared(scene):
    """A part that begins after the first impact searches no later times."""
    mesh, x0, x1 = scene[3]
    cost = []
    for method in ("exact", "tight-inclusion"):
        report = cd.Report()
        hit = cd.earliest(mesh, x0, x1, parts=7, method=method, report=report)
        assert repr(hit) == repr(ccd.step.earliest(mesh, x0, x1, method=method))
        cost.append(report.stats.impacts)
    apart = [cd.earliest(part, stats=stats) for part in map(cd.load, scene[0]) for stats in [ccd.Stats()]]
    first = min(hit.toi_lo for hit in apart)
    assert sum(hit.toi_lo > first for hit in apart) > 3  # parts alone find later impacts, which sharing spares
    for least in (cd._least.FileLeast(), cd._least.Least()):
        least.lower(0.5)
        least.lower(0.75)
        assert least.load() == 0.5
        least.close()
        assert least.load() == 0.5
    shared = cd._least.FileLeast()
    import pickle

    other = pickle.loads(pickle.dumps(shared))
    other.lower(0.25)
    assert shared.load() == 0.25
    shared.close()
    for time_ in (first, np.nextafter(first, 0), 0.0):  # whatever was found elsewhere
        least = cd._least.Least()
        least.lower(float(time_))
        found = [cd._compute._earliest(part, {}, least) for part in map(cd.load, scene[0])]
        best = functools.reduce(cd.reduce, found)
        assert (repr(best) == scene[1]) == (time_ == first)


# ---- engines


def environment():
    """What the processes of an engine need: one thread each, and MPI as root in a container."""
    names = (
        "OMPI_ALLOW_RUN_AS_ROOT",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
        "PRTE_ALLOW_RUN_AS_ROOT",
        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM",
    )
    paths = [os.path.dirname(__file__), os.path.dirname(os.path.dirname(ccd.__file__))]  # the library that is tested here
    return os.environ | dict.fromkeys(names, "1") | {"PYTHONPATH": os.pathsep.join(paths)}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT, env=environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def mpiexec(ranks):
    version = subprocess.run(["mpiexec", "--version"], capture_output=True, text=True).stdout
    return ["mpiexec", "-n", str(ranks), *(["--oversubscribe"] if "open" in version.lower() else [])]


@needs_mpi
def test_mpi():
    printed = run(*mpiexec(4), sys.executable, "-m", "mpi4py.futures", str(EXAMPLE), "mpi", "--parts", "6")
    assert printed.startswith("mpi: the bits of one call: vertex-face") and "6 parts on" in printed
    pairs = {}
    for alone in (), ("--alone",):  # the least time is shared, then not
        first, last = run(*mpiexec(4), sys.executable, str(EXAMPLE), "ranks", *alone).splitlines()
        assert first.startswith("16 parts on 4 ranks, ") and last.startswith("ranks: the bits of one call: vertex-face")
        pairs[alone] = int(first.split()[5])
    assert pairs[()] < pairs[("--alone",)]
    assert run(*mpiexec(4), sys.executable, "-c", RANKS).count("0.25") == 4  # two lines may come as one


KILLED_RANK = """
import os, signal, sys
import ccd.distributed as cd
from mpi4py import MPI
rank, ranks = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
folder, death, parts = sys.argv[1], sys.argv[2], sys.argv[3:]
replace = os.replace
def killing(new, path):
    if path.endswith("impacts-00003.parquet") and not os.path.exists(death):
        open(death, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    replace(new, path)
os.replace = killing
cd.collisions(parts[rank::ranks], folder=folder, threads=1)
MPI.COMM_WORLD.Barrier()
"""


@needs_mpi
def test_a_rank_of_mpi_that_is_killed(scene, tmp_path):
    """MPI ends the program; what is there is refused as a whole, and the next run computes the rest."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    out, death = tmp_path / "out", tmp_path / "death"
    command = [*mpiexec(2), sys.executable, "-c", KILLED_RANK, str(out), str(death), *scene[0]]
    assert subprocess.run(command, capture_output=True, timeout=WAIT, env=environment()).returncode != 0
    assert death.exists() and not (out / "impacts-00003.parquet").exists()
    with pytest.raises(ccd.ArgumentError, match="lacks part"):
        cd.read_impacts(out)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    assert "impacts-00001.parquet" in before
    run(*command)
    assert {name: (out / name).stat().st_mtime_ns for name in before} == before
    assert len(list(out.glob("*.parquet"))) == 7 and cd.read_impacts(out).tobytes() == scene[2]


RANKS = """
import math, pickle, sys, time
import ccd, ccd.distributed as cd
from mpi4py import MPI
world = MPI.COMM_WORLD
for patience in (0.0, 0.01, 10.0):
    least = cd.MPILeast(world, patience)
    assert least.load() == math.inf
    world.Barrier()
    last = -0.0 if patience == 0 and world.rank == 1 else 0.9
    for time_ in (0.5 + world.rank / 8, 0.75, 0.25 if world.rank == 2 else 0.3, 1.0, last):
        least.lower(time_)
        assert least.load() <= time_
    least._mpi.Request.Waitall([one[0] for one in least._pending])
    world.Barrier()
    until = time.monotonic() + 100
    wanted = 0.25 if patience else 0.0
    while least.load() != wanted:
        assert time.monotonic() < until and least.load() >= wanted
    for wrong in (lambda: pickle.dumps(least), lambda: cd.MPILeast(3), lambda: cd.MPILeast(world, -1.0)):
        try:
            wrong()
        except ccd.ArgumentError:
            continue
        sys.exit("no error")
    least.close()
    least.close()
    assert least.load() == wanted
    least.lower(0.0)
print(wanted, flush=True)
"""


@needs_ray
def test_ray(scene, tmp_path):
    import ray

    try:
        ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": environment()["PYTHONPATH"]}})
    except Exception as error:  # its processes start too late on a crowded machine
        pytest.skip(f"Ray does not start here: {error}")
    try:
        agree(scene, cd.RayExecutor(num_cpus=1))
        paths, report = list(scene[0]), cd.Report()
        paths[4] = Deadly(paths[4], tmp_path, 1)
        assert cd.collisions(paths, executor=cd.RayExecutor(), report=report).tobytes() == scene[2]
        assert len(os.listdir(tmp_path)) == 1 and report.lost == 1
    finally:
        ray.shutdown()


@needs_dask
@pytest.mark.long
def test_dask(scene, tmp_path):
    import dask
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "local_directory": str(tmp_path / "dask")}
    # By default LocalCluster drops a worker for good if it is away 15 s after it was lost: too soon for a busy machine.
    patience = dask.config.set({"distributed.deploy.lost-worker-timeout": f"{WAIT}s"})
    with patience, LocalCluster(**options) as cluster, Client(cluster) as client:
        agree(scene, client)
        paths, report = list(scene[0]), cd.Report()
        paths[4] = Deadly(paths[4], tmp_path, 2)  # two workers in a row
        assert cd.collisions(paths, executor=client, report=report).tobytes() == scene[2]
        assert len([name for name in os.listdir(tmp_path) if name.startswith("death")]) == 2
        assert report.lost == 0  # Dask itself ran the part again
        least = cd._least.DaskLeast(client)
        assert client.submit(lowered, least, 0.25).result() == 0.25 == least.load()
        least.close()


class Task:
    """A task of Dask whose worker dies after the task and before its result is fetched; nobody can do it again."""

    def add_done_callback(self, function):
        function(self)

    def result(self):
        raise OSError("nobody has the result")

    def release(self):
        """A task has it."""


def test_a_result_that_is_lost_under_way_is_an_error():
    class Client:
        def submit(self, function, *arguments, pure):
            return Task()

    future = cd._run.DaskExecutor(Client()).submit(print)
    assert isinstance(future.exception(timeout=5), OSError)


@pytest.mark.parametrize("counts, ends", [([2, 1, 0], True), ([0], False), ([2, 0, OSError(), 0, 1, 0, 2], False)])
def test_a_cluster_that_lost_its_workers_for_good_is_an_error(scene, monkeypatch, counts, ends):
    """One that has none yet, or again, is waited for."""
    monkeypatch.setattr(cd._run, "_LOOK", 0.01)
    monkeypatch.setattr(cd._run, "_STRANDED", 0.05 if ends else 1.0)
    given = iter(counts)

    class Client:
        last, looks, tasks = counts[0], 0, ()

        class scheduler:
            ncores = None

        def get_executor(self):
            """As a client of Dask."""

        def nthreads(self):
            return {"a": next(given, self.last)}

        def sync(self, function, callback_timeout):
            self.last, self.looks = next(given, self.last), self.looks + 1
            if isinstance(self.last, OSError):
                raise self.last
            if self.looks == 10 and not ends:
                for one in self.tasks:
                    one.settle()
            return {"a": self.last} if self.last else {}

        def submit(self, function, *arguments, pure):
            self.tasks = (*self.tasks, Late(function, arguments, self.looks >= 10))
            return self.tasks[-1]

    class Late(Task):
        def __init__(self, function, arguments, now):
            self.function, self.arguments, self.now, self.then = function, arguments, now, []

        def add_done_callback(self, function):
            self.then.append(function)
            if self.now:
                self.settle()

        def settle(self):
            for function in self.then:
                function(self)

        def result(self):
            return self.function(*self.arguments)

        def cancel(self):
            """Nobody computes it."""

    monkeypatch.setattr(cd._whole.Pool, "least", lambda self: cd._least.Least())
    if ends:
        with pytest.raises(cd.PartError, match="the cluster has had no worker for 0 s, and parts remain: start workers"):
            cd.collisions(scene[0], executor=Client())
    else:
        assert cd.collisions(scene[0], executor=Client()).tobytes() == scene[2]


def lowered(least, to):
    least.lower(to)
    return least.load()


class Slow(os.PathLike):
    """A part's file that takes a worker a while to open."""

    def __init__(self, path):
        self.path, self.home = path, os.getpid()

    def __fspath__(self):
        if os.getpid() != self.home:
            time.sleep(0.5)
        return self.path


@needs_dask
@pytest.mark.long
def test_dask_with_a_scheduler_apart(scene, tmp_path):
    """A scheduler and two workers, each a process of its own, as on a cluster; a worker and the scheduler are killed."""
    from distributed import Client

    file, environ = tmp_path / "scheduler.json", environment()
    dask, started = [sys.executable, "-m", "dask"], []

    def scheduler(port):
        command = [*dask, "scheduler", "--port", port, "--no-dashboard", "--scheduler-file", str(file)]
        started.append(subprocess.Popen(command, env=environ))
        return started[-1]

    def worker(at):
        command = [*dask, "worker", at, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        started.append(subprocess.Popen([*command, "--local-directory", str(tmp_path)], env=environ))
        return started[-1]

    try:
        first, begin = scheduler("0"), time.monotonic()
        while not file.exists() and time.monotonic() < begin + WAIT:
            time.sleep(0.2)
        at = address(file)
        killed = worker(at)
        worker(at)
        printed = []
        driver = threading.Thread(target=lambda: printed.append(run(sys.executable, str(EXAMPLE), "dask", "--scheduler", at)))
        driver.start()
        time.sleep(1)
        killed.kill()
        worker(at)
        driver.join(WAIT)
        assert printed and printed[0].startswith("dask: the bits of one call: vertex-face")

        with Client(at) as client:
            client.wait_for_workers(1)
            report, found = cd.Report(), []
            slow = [Slow(path) for path in scene[0]]
            driver = threading.Thread(target=lambda: found.append(cd.collisions(slow, executor=client, report=report)))
            driver.start()
            time.sleep(1)
            first.kill()
            first.wait()
            scheduler(at.rsplit(":", 1)[1])
            worker(at)
            driver.join(WAIT)
            assert found and found[0].tobytes() == scene[2]
            assert report.lost > 0
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def address(file):
    import json

    return json.loads(file.read_text())["address"]
