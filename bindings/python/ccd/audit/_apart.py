"""A library in a process of its own: what crashes, hangs or prints there does not reach the caller.

The process is a new Python: no fork of this one, whose threads and locks would be missing, and no second run of the main
program. It ends with the object that it is for, and when this program ends, however it does: its input is at an end then. Calls
have a limit, which the process keeps itself, so that none stays behind; where no call comes for minutes it ends too.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import math
import os
import pickle
import re
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

from .._inner import files
from ..errors import ArgumentError, Error, FileError, UnsupportedError

SECONDS = "CCD_READ_SECONDS"
"""The environment variable with the time that a call may take."""

_LEAST, _EACH = 60.0, 1e6  # seconds of a call, and bytes of the file for which it has a second more
_WAITING = 10  # how many times as long a call may take by the clock: other programs may have the processor
_IDLE, _LEFT = (
    300.0,
    75,
)  # seconds without a call after which the process ends, and its status then: the next call begins another
_BEGIN = "import sys; sys.path[:] = sys.argv[1:]; from ccd.audit._apart import serve; serve()"
_HEAD = 8  # bytes that say how long a message is


class Apart:
    """An object that is made and called in a process of its own, one call after the other.

    `made` names the module and what makes the object; `given` are its arguments. Errors of this package come back as they are.
    Where the process has ended, or this one is a fork of the one that began it, the next call begins another. An object that
    is not used any more gives its process to the next one (`before`), which lets go of what is held there.
    """

    def __init__(self, path: str, made: str, *given: Any, before: Apart | None = None):
        self.path, self.seconds = path, limit(path)
        self._made, self._given = made, given
        self._process: subprocess.Popen[bytes] | None = None
        self._owner, self._lock = os.getpid(), threading.Lock()
        self._end: Any = None
        self._whole = False  # whether the process holds the object
        if before is not None and before._owner == self._owner:
            with before._lock:
                process, before._process = before._process, None
                if process is not None:
                    before._end.detach()
                    self._process, self._end = process, weakref.finalize(self, _ended, process, self._owner)

    def call(self, name: str, *given: Any) -> Any:
        """What a method of the object returns."""
        if self._owner != os.getpid():  # a fork has the pipes of the process, which answers the one that began it
            if self._process is not None:
                self._process.returncode = 0
                self._end.detach()
            self._process, self._owner, self._lock = None, os.getpid(), threading.Lock()
        with self._lock:
            try:
                return self._begun(name, *given)
            except _Left:
                return self._begun(name, *given)

    def close(self) -> None:
        """End the process."""
        if self._end is not None and self._owner == os.getpid():
            self._end()
        self._process = None

    def _begun(self, name: str, *given: Any) -> Any:
        if self._process is None:
            self._start()
            self._whole = False
        if not self._whole:
            self._asked(self._made, *self._given)
            self._whole = True
        return self._asked(name, *given)

    def _start(self) -> None:
        flags = ["-B"] if sys.dont_write_bytecode else []
        try:
            process = subprocess.Popen(
                [_python(self.path), *flags, "-c", _BEGIN, *(one for one in sys.path if isinstance(one, str))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )  # fmt: skip
        except OSError as error:
            raise UnsupportedError(f"{self.path} is read by a process of its own, which cannot be started: {error}") from None
        self._process, self._end = process, weakref.finalize(self, _ended, process, os.getpid())

    def _asked(self, name: str, *given: Any) -> Any:
        process, began = self._process, time.monotonic()
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            with contextlib.suppress(OSError):  # the process has ended: its answer is missing too
                _send(process.stdin, pickle.dumps((self.path, name, given, self.seconds), 5))
            answer = _received(process.stdout)
        except BaseException:  # Ctrl-C, say: what comes later would be taken for another answer
            self.close()
            raise
        if answer is None:
            raise FileError(self._why(process, time.monotonic() - began))
        whole, value = answer
        if not whole:
            self.close()  # HDF5 would keep the file locked, as long as the traceback of the error has this object
            raise value
        return value

    def _why(self, process: subprocess.Popen[bytes], seconds: float) -> str:
        """Why the process has ended without an answer."""
        try:
            code = process.wait(5)
        except subprocess.TimeoutExpired:
            code = 0
        self.close()
        if code == _LEFT:
            raise _Left
        if code == -int(getattr(signal, "SIGXCPU", 0)) or seconds >= self.seconds * _WAITING:
            return f"{self.path} was not read within {self.seconds:g} s: it may be damaged; {SECONDS} sets another limit"
        word = f"status {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                word = signal.Signals(-code).name
        return f"{self.path}: the process that reads it ended ({word}): the file is damaged, or what its library cannot read"


class _Left(Exception):
    """The process had nothing to do for long, and has ended."""


def limit(path: str) -> float:
    """The seconds of the processor that a call may take: a minute and one for each megabyte, or what the environment says."""
    text = os.environ.get(SECONDS, "")
    if not text:
        with contextlib.suppress(OSError, ValueError):
            return _LEAST + round(os.stat(path).st_size / _EACH)
        return _LEAST
    if not re.fullmatch(r"\d+(\.\d+)?", text) or not 0 < float(text) <= 1e6:
        raise ArgumentError(f"{SECONDS} is {text!r}: must be a number of seconds, above 0 and at most 1,000,000")
    return float(text)


def _python(path: str) -> str:
    """The Python to start: that of this process, or of its folder where this process is another program."""
    names = [sys.executable] if re.match(r"(python|pypy|pvpython)", os.path.basename(sys.executable or "").lower()) else []
    short = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    names += [os.path.join(sys.exec_prefix, "bin", name) for name in (short, "python3")]
    names += [os.path.join(sys.exec_prefix, "python.exe")]
    found = next((name for name in names if os.path.isfile(name)), None)
    if found is None:
        raise UnsupportedError(f"{path} is read by a process of its own, and no Python is in {sys.exec_prefix} to start")
    return found


def _ended(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a process, in the one that began it."""
    if os.getpid() != owner:
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            assert pipe is not None
            pipe.close()
    process.wait()


# ---- the process


def serve() -> None:
    """Answer calls until there are no more. The first names what makes the object."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller, who ends this process
    held: Any = None
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        while _waits(requests) and (request := _received(requests)) is not None:
            path, name, given, seconds = request
            faulthandler.dump_traceback_later(seconds * _WAITING, exit=True, file=nowhere)
            _limit_processor(seconds)
            try:
                with files.reading(path):
                    module, colon, maker = name.partition(":")
                    if colon:
                        held = None  # what the last object has open is closed, also where it refers to itself
                        gc.collect()
                        held, answer = getattr(importlib.import_module(module), maker)(*given), None
                    else:
                        answer = getattr(held, name)(*given)
                    data = pickle.dumps((True, answer), 5)
            except Error as error:
                data = pickle.dumps((False, error), 5)
            _send(replies, data)
            faulthandler.cancel_dump_traceback_later()
    os._exit(0)  # destructors of libraries have nothing to say


def _waits(requests: Any) -> bool:
    """Wait for a call; where none comes for long, this process ends: it may hold much."""
    if sys.platform != "win32" and not select.select([requests], [], [], _IDLE)[0]:
        os._exit(_LEFT)
    return True


def _limit_processor(seconds: float) -> None:
    """Let the system end this process once it has used so many more seconds of the processor, without a core file."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = math.ceil(used.ru_utime + used.ru_stime + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (soft if most == resource.RLIM_INFINITY else min(soft, most), most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _send(pipe: Any, data: bytes) -> None:
    pipe.write(len(data).to_bytes(_HEAD, "little"))
    pipe.write(data)
    pipe.flush()


def _received(pipe: Any) -> Any:
    """The next message; None where the other side has ended."""
    head = pipe.read(_HEAD)
    if len(head) < _HEAD:
        return None
    size = int.from_bytes(head, "little")
    data = pipe.read(size)
    return pickle.loads(data) if len(data) == size else None
