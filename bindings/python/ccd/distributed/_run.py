"""Running jobs on an executor: at most a window of them at a time; jobs whose worker is lost run again."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
from typing import Any

from .._inner import arrays
from .._inner.errors import shown
from ..errors import ArgumentError, Error
from ._least import DaskLeast, FileLeast, Least

_LOOK, _STRANDED = 5.0, 300.0  # seconds between two looks at the workers, and for which it may lack workers that it had


class PartError(Error, RuntimeError):
    """A part failed, for a reason that is no error of this package, or because its workers died again and again.

    No status; also a `RuntimeError`. ``part`` is the number of the part, ``__cause__`` the reason.
    """

    part: int | None = None


class RayExecutor:
    """An executor for Ray, of the shape of `concurrent.futures`.

    Parameters
    ----------
    **options : object
        Options of a task of Ray, such as ``num_cpus=1`` or ``memory=2**32``.

    Raises
    ------
    ImportError
        Ray is not installed.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> executor = cd.RayExecutor  # cd.earliest(mesh, x0, x1, executor=cd.RayExecutor(num_cpus=1))
    """

    def __init__(self, **options: Any):
        try:
            import ray
        except ImportError as error:
            raise ImportError("RayExecutor needs Ray: pip install ray") from error
        if not ray.is_initialized():
            ray.init()
        self._ray, self._options = ray, {"max_retries": 0} | options
        resources: Any = ray.cluster_resources
        self._max_workers = int(resources().get("CPU", 1))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a task.

        Parameters
        ----------
        function : callable
            The function.
        *arguments : object
            Its arguments.

        Returns
        -------
        concurrent.futures.Future
            The result to come.
        """
        found: Future[Any] = self._ray.remote(**self._options)(function).remote(*arguments).future()
        return found


class DaskExecutor:
    """An executor of the shape of `concurrent.futures` for a client of Dask.

    `Client.get_executor` does not do: where a worker dies after a task and before its result is fetched, and the task then
    fails elsewhere, its future is never set (distributed 2026.8, `_cascade_future`), and who waits for it waits without end.

    Parameters
    ----------
    client : dask.distributed.Client
        The client.
    """

    def __init__(self, client: Any):
        self._client = client

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a task."""
        found: Future[Any] = Future()
        task = self._client.submit(function, *arguments, pure=False)

        def settle(done: Any) -> None:
            if not found.set_running_or_notify_cancel():
                return
            try:
                value = done.result()  # waits where Dask computes the task again
            except BaseException as error:
                found.set_exception(error)
            else:
                found.set_result(value)

        task.add_done_callback(settle)
        found.add_done_callback(lambda own: task.cancel() if own.cancelled() else task.release())
        return found


_UNGUARDED = 86  # exit code of a process that would start processes while it imports the script


def _runs_main_again() -> bool:
    """Whether this is a new process that runs the main script to import it, before its first job.

    The attribute is what multiprocessing itself looks at before it refuses to start a process then.
    """
    return getattr(multiprocessing.current_process(), "_inheriting", False)


class Pool:
    """An executor that a caller gave, in one form.

    It is None, a number of processes, an executor, a client of Dask, or a function that makes one of these.
    """

    def __init__(self, given: Any):
        self._make: Callable[[], Any] | None = None
        self._client: Any = None
        if given is not None and isinstance(given, int) and not isinstance(given, bool):
            count = arrays.integer("executor", given, 1, 1024)
            self._make = lambda: ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))
        elif callable(given) and not hasattr(given, "submit"):
            self._make = given
        elif given is not None and not hasattr(given, "submit"):
            raise ArgumentError(
                f"executor is {shown(given)}: must be None, a number of processes, an executor of the shape of "
                "concurrent.futures, a dask.distributed.Client, or a function that returns one"
            )
        if given is not None and _runs_main_again():
            os._exit(_UNGUARDED)  # the process that started this one says what is wrong, once
        self._raw: Any = self._make() if self._make else given
        self._had, self._lack = False, 0.0  # whether a cluster had workers, and since when it has none
        self._use()

    def _use(self) -> None:
        self._executor, self._client = self._raw, None
        if hasattr(self._raw, "get_executor"):
            self._client, self._executor = self._raw, DaskExecutor(self._raw)

    @property
    def serial(self) -> bool:
        """Whether this process computes everything."""
        return self._executor is None

    @property
    def workers(self) -> int:
        """About how many jobs run at once."""
        if self.serial:
            return 1
        if self._client is not None:
            threads = int(sum(self._client.nthreads().values()))
            self._had = self._had or threads > 0
            return max(1, threads)
        for name in ("_max_workers", "num_workers"):
            found = getattr(self._executor, name, None)
            if isinstance(found, int) and found > 0:
                return int(found)
        return os.cpu_count() or 1

    def least(self) -> Least:
        """The best way to share a number between the jobs."""
        if self._client is not None:
            return DaskLeast(self._client)
        return FileLeast() if isinstance(self._executor, ProcessPoolExecutor) else Least()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a job."""
        found: Future[Any] = self._executor.submit(function, *arguments)
        return found

    def wait(self, flying: Iterable[Future[Any]]) -> set[Future[Any]]:
        """Wait for some jobs to be done, and return these.

        Dask gives a worker up that is away for some seconds after it was lost, and waits for others, also where none will come.
        A cluster that never had a worker may be in the queue of a batch system.
        """
        seen: set[int] = set()  # workers of a pool of processes that had died at the last look
        while True:
            looks = self._client is not None or isinstance(self._raw, ProcessPoolExecutor)
            done, _ = wait(flying, timeout=_LOOK if looks else None, return_when=FIRST_COMPLETED)
            if done:
                return done
            if self._client is None:
                dead = self._dead()
                if dead & seen:
                    self._break()
                seen = dead
                continue
            if not self._lacks_workers():
                self._lack = 0.0
            elif self._lack == 0:
                self._lack = time.monotonic()
            elif time.monotonic() > self._lack + _STRANDED:
                raise PartError(
                    f"the cluster has had no worker for {_STRANDED:.0f} s, and parts remain: start workers and call again; "
                    "with folder the call goes on where it stopped"
                )

    def _dead(self) -> set[int]:
        """The processes of a pool that died, by their numbers. A pool that works gives all its jobs up within milliseconds."""
        processes = dict(getattr(self._raw, "_processes", None) or {})
        return {pid for pid, process in processes.items() if process.exitcode not in (None, 0)}

    def _break(self) -> None:
        """Let a pool of processes notice that one died in the middle of a result.

        Its thread waits for the rest of the result, and the other processes wait for the lock that the dead one held. Once no
        process can write, the thread reads an end, and the pool is broken.
        """
        for process in dict(getattr(self._raw, "_processes", None) or {}).values():
            process.kill()
        writer = getattr(getattr(self._raw, "_result_queue", None), "_writer", None)
        if writer is not None:
            with contextlib.suppress(OSError):
                writer.close()

    def _lacks_workers(self) -> bool:
        """Whether a cluster of Dask has lost all its workers."""
        try:
            count = self._client.sync(self._client.scheduler.ncores, callback_timeout=_LOOK)
        except Exception:  # no scheduler answers: the futures will say so
            return False
        self._had = self._had or bool(count)
        return self._had and not count

    def check_script(self) -> None:
        """Raise an error where a process of the executor ended because it ran the caller's script, which calls this again."""
        processes = dict(getattr(self._raw, "_processes", None) or {})
        if any(process.exitcode == _UNGUARDED for process in processes.values()):
            raise ArgumentError(
                "executor: every process that it starts runs your script again, and so comes to this call: put what the script "
                'does below the line `if __name__ == "__main__":`'
            )

    def renew(self, cause: BaseException) -> None:
        """Replace an executor that is broken."""
        if self._make is None:
            raise PartError(
                f"the executor broke: {cause}; parts run again only where executor is a number of processes or a function that "
                "returns an executor"
            ) from cause
        self.close()
        self._raw = self._make()
        self._use()

    def close(self) -> None:
        """Free what this made."""
        if self._make is not None:
            for name, options in ("shutdown", {"wait": False, "cancel_futures": True}), ("close", {}):
                if hasattr(self._raw, name):
                    with contextlib.suppress(Exception):
                        getattr(self._raw, name)(**options)
                    return


_LOST = {
    *("KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError"),  # errors of Dask
    *("WorkerCrashedError", "NodeDiedError", "ObjectLostError", "OwnerDiedError", "OutOfMemoryError"),  # errors of Ray
}


def lost(error: BaseException) -> bool:
    """Whether an error says that a worker died, not that a job failed."""
    if isinstance(error, (BrokenExecutor, CancelledError)):
        return True
    engines = "distributed", "ray"
    return any(kind.__name__ in _LOST and kind.__module__.split(".")[0] in engines for kind in type(error).__mro__)


class _Job:
    def __init__(self, number: int, payload: Any):
        self.number, self.payload = number, payload
        self.lost = self.lost_alone = 0


def run(
    pool: Pool,
    jobs: Iterable[Any],
    submit: Callable[[Callable[..., Any], Any], Any],
    retries: int,
    label: Callable[[Any], str],
    counted: Callable[[], None],
) -> Iterator[tuple[Any, Any]]:
    """Run jobs, and yield each with its result as it is done.

    submit(start, job) starts a job by start(function, *arguments). Where a worker dies, the jobs that were in flight run
    again. Those that were in flight twice run one at a time from then on, so that a job that kills its workers is found, by
    name.
    """
    todo = enumerate(jobs)
    if pool.serial:
        for number, payload in todo:
            with named(number, label(payload)):
                found = submit(lambda function, *arguments: function(*arguments), payload)
            yield payload, found
        return
    again: deque[_Job] = deque()
    alone: deque[_Job] = deque()
    flying: dict[Future[Any], _Job] = {}
    window = pool.workers + max(2, pool.workers // 2)
    more = True
    broken: BaseException | None = None
    try:
        while True:
            while len(flying) < window and not alone:
                job = again.popleft() if again else None
                if job is None and more:
                    number, payload = next(todo, (-1, None))
                    more = number >= 0
                    job = _Job(number, payload) if more else None
                if job is None:
                    break
                broken = _start(pool, submit, job, flying)
                if broken is not None:
                    again.appendleft(job)
                    break
            if alone and not flying and broken is None:
                broken = _start(pool, submit, alone[0], flying)
            single = len(flying) == 1
            if broken is not None:  # noticed before any result of the jobs in flight
                pool.check_script()
                counted()
                for job in flying.values():
                    _count(job, broken, single, retries, label, again, alone)
                flying.clear()
                pool.renew(broken)
                broken = None
                continue
            if not flying:
                if not (alone or again):
                    return
                continue
            done = pool.wait(flying)
            died: BaseException | None = None
            pool.check_script()
            for future in done:
                job = flying.pop(future)
                error = _error(future)
                if error is None:
                    if alone and alone[0] is job:
                        alone.popleft()
                    yield job.payload, future.result()
                elif lost(error):
                    counted()
                    died = error if isinstance(error, BrokenExecutor) else died
                    _count(job, error, single, retries, label, again, alone)
                else:
                    with named(job.number, label(job.payload)):
                        raise error
            if died is not None:  # every other future of a broken executor fails too
                for job in flying.values():
                    _count(job, died, False, retries, label, again, alone)
                flying.clear()
                pool.renew(died)
    finally:
        for future in flying:
            future.cancel()


def _error(future: Future[Any]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _start(pool: Pool, submit: Any, job: _Job, flying: dict[Future[Any], _Job]) -> BaseException | None:
    """Start a job; return the error of an executor that is broken already."""
    try:
        flying[submit(pool.submit, job.payload)] = job
    except BrokenExecutor as error:
        return error
    return None


def _count(
    job: _Job, error: BaseException, single: bool, retries: int, label: Any, again: deque[_Job], alone: deque[_Job]
) -> None:
    """Note that a job's worker was lost, and where the job waits now."""
    job.lost += 1
    job.lost_alone += single
    if job.lost_alone > retries:
        failure = PartError(
            f"{label(job.payload)}: its worker died {job.lost_alone} times while nothing else ran "
            f"({type(error).__name__}: {error}); was it killed for want of memory?"
        )
        failure.part = job.number
        raise failure from error
    if job in alone:
        return
    (alone if job.lost > 1 else again).append(job)


@contextlib.contextmanager
def named(number: int, name: str) -> Iterator[None]:
    """Give errors the name of the part."""
    try:
        yield
    except PartError:
        raise
    except Error as error:
        error.args = (f"{name}: {error}", *error.args[1:])
        raise
    except (KeyboardInterrupt, GeneratorExit, SystemExit):
        raise
    except BaseException as error:
        failure = PartError(f"{name}: {type(error).__name__}: {error}")
        failure.part = number
        raise failure from error
