"""An iterator over what a call passes to a visitor."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_AHEAD = 4  # portions that wait for the loop at most: the call goes on while the loop handles one
_LOOK_EVERY = 0.05  # seconds between two checks of either thread whether the other has ended


def iterate(visit: Callable[[Callable[[T], object]], object]) -> Iterator[T]:
    """Yield what visit passes to its argument, a function. visit runs in a thread of its own."""
    ready: queue.Queue[T] = queue.Queue(_AHEAD)
    closed, failure = threading.Event(), []

    def give(portion: T) -> bool:
        while not closed.is_set():
            try:
                ready.put(portion, timeout=_LOOK_EVERY)
                return False
            except queue.Full:
                continue
        return True

    def work() -> None:
        try:
            visit(give)
        except BaseException as error:  # raised again in the loop
            failure.append(error)

    thread = threading.Thread(target=work, name="ccd-stream", daemon=True)
    thread.start()
    try:
        while True:
            ended = not thread.is_alive()  # read first: portions that it passed on before it ended are taken below
            try:
                yield ready.get(timeout=0 if ended else _LOOK_EVERY)
            except queue.Empty:
                if ended:
                    break
        if failure:
            raise _own(failure[0])
    finally:
        closed.set()
        thread.join()


def _own(error: Any) -> BaseException:
    """The error, without the thread's frames, which would keep arrays alive."""
    raised: BaseException = error.with_traceback(None)
    return raised
