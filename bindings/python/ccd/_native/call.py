"""One call of the library: options in C form, progress, interruption by Ctrl-C, errors as exceptions."""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import errors
from ..options import Options, Stats, pointer_to, to_c
from . import abi
from .device_arrays import DeviceFrame
from .records import Records, item_dtype

Arguments = tuple[Any, ...]  #: of a C function, arrays by `arrays.pointer` or `.ctypes`, which keep them alive

_LOOK_EVERY = 0.05  # seconds between two looks of the main thread for a signal


def check(status: int) -> None:
    """Raise the exception of a status; the text is that of this thread's last error."""
    if status:
        raise errors.from_status(status, _words(abi.last_error()))


def _words(text: str) -> str:
    """An error of the library in the words of Python: method is 'd2m' instead of options.method is CCD_METHOD_D2M."""
    if "CCD_" in text:
        text = re.sub(r"\bCCD_(?:METHOD|NORM|DEVICE)_(\w+)", lambda m: repr(m[1].lower().replace("_", "-")), text)
        text = re.sub(r"options\.flags has ((?: and |CCD_\w+)+)", lambda m: m[1].lower().replace("ccd_", ""), text)
    if "ccd_" in text:
        text = _calls(text)
    if "device_x" in text:
        text = re.sub(r"\b(?:options\.)?device_(x[01]) is not NULL: ", r"\1 is on a device: ", text)
        text = re.sub(r"\b(?:options\.)?device_(x[01])\b", r"\1", text)
    return text.removeprefix("options.")


def _calls(text: str) -> str:
    """Names of C functions in the words of Python; an asterisk stands for a part of a name."""
    text = re.sub(r"\bccd_\*_(\w+)", r"calls of \1", text)
    return re.sub(r"\bccd_(\w+)_\*(?: and ccd_\w+_\*)?", r"calls of ccd.\1", text)


def unbounded(options: Options) -> bool:
    """Whether a query has no budget, so that it may run without end."""
    boxes = options.get("max_iterations")
    return isinstance(boxes, (int, np.integer)) and boxes == 0


@contextlib.contextmanager
def renaming(*pairs: tuple[str, str | Callable[[re.Match[str]], str]]) -> Iterator[None]:
    """Rename the arguments in errors, by regular expressions, where their names in C differ."""
    try:
        yield
    except errors.Error as error:
        text = str(error)
        for pattern, name in pairs:
            text = re.sub(pattern, name, text)
        if text == str(error):
            raise
        raise errors.from_status(error.status, text) from None


def alone(error: errors.Error) -> errors.Error:
    """The error of a list of one that the caller did not write as a list: names without [0]."""
    text = str(error)
    named = re.sub(r"\b([pm][ab])\[0\]", r"\1", text)
    return error if named == text else errors.from_status(error.status, named)


class _Watch:
    """The state that callbacks share with the call. They run on any thread, so they only read and set fields."""

    def __init__(self, progress: Callable[[float], object] | None):
        self.progress = progress
        self.cancelled = False
        self.stopped = False  # a visitor has seen enough
        self.failure: BaseException | None = None

    def callback(self) -> Any:
        """The C function. It refers to this object alone, so that nothing of the call lives on in a cycle."""

        def report(fraction: float, _user: int | None) -> int:
            if self.cancelled or self.failure is not None:
                return 1
            if self.progress is None:
                return 0
            try:
                return 1 if self.progress(fraction) else 0
            except BaseException as failure:  # it cannot pass through C: raised again when the call is back
                self.failure = failure
                return 1

        return abi.PROGRESS(report)

    def visitor(self, take: Callable[[NDArray[np.void]], object], dtype: np.dtype[np.void]) -> Any:
        """The C function that passes copies of portions of records to take: the library reuses its own memory."""

        def visit(records: int, count: int, _user: int | None) -> int:
            if self.cancelled or self.failure is not None:
                return 1
            try:
                portion = Records(count, item_dtype(dtype))
                ctypes.memmove(portion.ctypes.data, records, portion.nbytes)
                self.stopped = bool(take(portion))
            except BaseException as failure:
                self.failure = failure
            return 1 if self.stopped or self.failure is not None else 0

        return abi.VISITOR(visit)


class _Helper:
    """A thread that runs long calls of the main thread, one after the other: a new thread for each costs 200 microseconds."""

    only: _Helper | None = None

    def __init__(self) -> None:
        self._free = True  # written by the main thread alone
        self._begin = _thread.allocate_lock()
        self._begin.acquire()
        self._work: Callable[[], None] | None = None
        _thread.start_new_thread(self._run, ())

    @staticmethod
    @contextlib.contextmanager
    def runs(work: Callable[[], None]) -> Iterator[None]:
        """Begin work, which raises nothing and ends before the block; in a thread of its own if the helper has other work."""
        helper = _Helper._present()
        if helper is None:  # no thread can be started, as while the interpreter ends: no Ctrl-C reaches the call, then
            work()
            yield
            return
        if not helper._free:  # a signal's handler calls the library during a call
            _thread.start_new_thread(work, ())
            yield
            return
        helper._free = False
        try:
            helper._work = work
            helper._begin.release()
            yield
        finally:
            helper._free = True

    @staticmethod
    def _present() -> _Helper | None:
        if _Helper.only is None:
            with contextlib.suppress(RuntimeError):
                _Helper.only = _Helper()
        return _Helper.only

    def _run(self) -> None:
        while True:
            self._begin.acquire()
            work, self._work = self._work, None
            if work is not None:
                work()
            del work  # it holds the arguments of its call

    @staticmethod
    def forget() -> None:
        """In a forked child the helper's thread does not go on."""
        _Helper.only = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Helper.forget)


class Call:
    """Prepare with the caller's options, then call with a C function and its arguments, `self.options` among them.

    `long`: the call may run long enough for a user to press Ctrl-C. Python runs signal handlers in the main thread only, and
    not while that thread is in C. So a long call of the main thread runs in another thread (100 microseconds more) while
    the main thread waits for a lock, where a signal can reach it. It then cancels the call, waits for its end, and raises
    KeyboardInterrupt.
    """

    options: Any = None  #: the argument for a `const ccd_options *`
    _apart = False
    _watch: _Watch | None = None  # if a callback may run
    _stats: Stats | None = None
    _c_stats: abi.Stats | None = None
    _frames: tuple[DeviceFrame, DeviceFrame] | None = None  # frames on a device, kept here with their memory

    def __init__(self, options: Options, long: bool, frames: tuple[DeviceFrame, DeviceFrame] | None = None):
        if not (options or long or frames):  # a small call: what follows takes longer than many a query
            return
        if not (long or frames or "progress" in options or "stats" in options):  # nothing of the call is observed
            self.options = pointer_to(options)
            return
        progress = options.get("progress")
        if progress is not None and not callable(progress):
            raise errors.ArgumentError(f"progress is {errors.shown(progress)}: must be callable")
        self._stats = options.get("stats")
        if self._stats is not None and not isinstance(self._stats, Stats):
            raise errors.ArgumentError(f"stats is {errors.shown(self._stats)}: must be a ccd.Stats")
        self._apart = long and threading.current_thread() is threading.main_thread()
        self._frames = frames
        if progress is None and self._stats is None and not (self._apart or frames):  # nothing of the call is observed
            self.options = pointer_to(options) if options else None
            return
        self._watch = _Watch(progress)
        if options or self._apart or frames:
            self._fill(to_c(options), self._watch)

    def _fill(self, c: abi.Options, watch: _Watch) -> None:
        if self._frames:
            c.device_x0, c.device_x1 = (ctypes.addressof(frame.c) for frame in self._frames)
        if self._apart or watch.progress is not None:
            c.progress = watch.callback()  # the struct keeps what it points to alive
        if self._stats is not None:
            self._c_stats = abi.Stats(struct_size=ctypes.sizeof(abi.Stats))
            c.stats = ctypes.pointer(self._c_stats)
        self.options = ctypes.byref(c)

    def visit(
        self,
        take: Callable[[NDArray[np.void]], object],
        dtype: np.dtype[np.void],
        function: Callable[..., int],
        *arguments: Any,
    ) -> bool:
        """Call a function that passes portions of records to take, and report whether take got all of them."""
        watch = self._watch = self._watch or _Watch(None)
        try:
            self(function, *arguments, watch.visitor(take, dtype), None)
        except errors.Cancelled:
            if not watch.stopped:
                raise
        return not watch.stopped

    def __call__(self, function: Callable[..., int], *arguments: Any) -> None:
        watch = self._watch
        if watch is None:
            check(function(*arguments))
            return
        status, text = self._in_thread(watch, function, arguments) if self._apart else _attempt(function, arguments)
        if self._stats is not None and self._c_stats is not None:
            self._stats._read(self._c_stats)
        if watch.failure is not None:
            raise watch.failure
        if status:
            raise errors.from_status(status, text)

    def _in_thread(self, watch: _Watch, function: Callable[..., int], arguments: Arguments) -> tuple[int, str]:
        done = _thread.allocate_lock()
        done.acquire()
        outcome: list[Any] = []

        def work() -> None:  # holds the arguments, so the arrays outlive the call whatever happens to the waiter
            try:
                outcome.append(_attempt(function, arguments))
            except BaseException as failure:
                outcome.append(failure)
            finally:
                done.release()

        with _Helper.runs(work):
            try:
                # The kernel may hand the signal to a thread of the Go runtime; then the main thread learns of it by waking up.
                while not done.acquire(timeout=_LOOK_EVERY):
                    pass
            except BaseException:  # KeyboardInterrupt, or what another signal's handler raised
                watch.cancelled = True
                while not outcome:
                    with contextlib.suppress(BaseException):  # a second Ctrl-C: the library is already on its way out
                        done.acquire()
                raise
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        ended: tuple[int, str] = outcome[0]
        return ended


def _attempt(function: Callable[..., int], arguments: Arguments) -> tuple[int, str]:
    """Status and error text; the text is this thread's, so it is fetched here."""
    status = function(*arguments)
    return status, _words(abi.last_error()) if status else ""


_LONG_BYTES = 1 << 20  # a call that reads more may last long enough for Ctrl-C


def create(
    size: int, function: Callable[..., int], destroy: Callable[..., int], handle: ctypes.c_void_p, *arguments: Any
) -> None:
    """Call a function that reads so many bytes, creates a handle, and cannot be cancelled.

    A long call of the main thread runs in a thread of its own, as in `Call`. After Ctrl-C that thread goes on; when it ends, it
    destroys the handle.
    """
    if size < _LONG_BYTES or threading.current_thread() is not threading.main_thread():
        check(function(*arguments, ctypes.byref(handle)))
        return
    done, lock = _thread.allocate_lock(), _thread.allocate_lock()
    done.acquire()
    outcome: list[tuple[int, str]] = []
    abandoned = False

    def work() -> None:
        try:
            ended = _attempt(function, (*arguments, ctypes.byref(handle)))
            with lock:
                outcome.append(ended)
                if abandoned and handle.value:
                    destroy(handle)
        finally:
            done.release()

    _thread.start_new_thread(work, ())
    try:
        while not done.acquire(timeout=_LOOK_EVERY):
            pass
    except BaseException:
        with lock:
            abandoned = True
            if outcome and handle.value:
                destroy(handle)
        raise
    status, text = outcome[0]
    if status:
        raise errors.from_status(status, text)
