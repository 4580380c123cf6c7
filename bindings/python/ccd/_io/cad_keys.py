"""Open CASCADE: the numbers of shapes, what they are cast to, and its messages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


class Keys:
    """Numbers of shapes: equal for what is the same shape in the same place, whatever its orientation."""

    def __init__(self) -> None:
        self._known: dict[int, list[tuple[Any, int]]] = {}
        self._next = 0

    def __call__(self, shape: Any) -> int:
        bucket = self._known.setdefault(_hash(shape), [])
        for other, number in bucket:
            if shape.IsSame(other):
                return number
        bucket.append((shape, self._next))
        self._next += 1
        return self._next - 1


def _hash(shape: Any) -> int:
    if hasattr(shape, "HashCode"):  # before Open CASCADE 7.8
        return int(shape.HashCode(2**31 - 1))
    return hash(shape)


def _cast(name: str) -> Any:
    from OCP.TopoDS import TopoDS

    return getattr(TopoDS, f"{name}_s", None) or getattr(TopoDS, name)  # before and since Open CASCADE 8


def as_face(shape: Any) -> Any:
    return _cast("Face")(shape)


def as_edge(shape: Any) -> Any:
    return _cast("Edge")(shape)


def as_wire(shape: Any) -> Any:
    return _cast("Wire")(shape)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep Open CASCADE from printing what it thinks of a file."""
    from OCP.Message import Message

    messenger = Message.DefaultMessenger_s()
    held = list(messenger.Printers())
    messenger.ChangePrinters().Clear()
    try:
        yield
    finally:
        for printer in held:
            messenger.AddPrinter(printer)
