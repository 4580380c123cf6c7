"""Sources of frames whose library runs in a process of its own, because damaged files may end it, or keep it for long."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

from ._apart import Apart
from ._listing import Item
from ._memory import Memory, Remembering
from ._read import Snapshot

_SAME = ("edges", "faces", "unused", "part")  # arrays that most frames share


class Elsewhere(Remembering):
    """A source of frames that a process of its own reads."""

    def __init__(self, path: str, made: str, *given: Any, before: Apart | None = None):
        super().__init__()
        self.process = Apart(path, f"{__name__}:Served", made, given, before=before)
        self.items: list[Item]
        self.items, self.rounded, part, self.names, memory = self.process.call("opened")
        if part is not None:
            self.part = part
        self._same: dict[str, Any] = {}
        self._keep(memory)

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        found, memory = self.process.call("snapshot", item)
        self._same |= {name: getattr(found, name) for name in _SAME if getattr(found, name) is not None}
        self._keep(memory)
        whole: Snapshot = replace(found, item=item, **self._same)
        return whole

    def _keep(self, memory: Memory) -> None:
        for _, path, text in memory.notes:
            self.memory.say(self.number, path, text)
        for _, path, left_out in memory.left_out:
            self.memory.leave(self.number, path, left_out)


class Served:
    """The source in that process, and what it has sent."""

    def __init__(self, made: str, given: tuple[Any, ...]):
        module, _, name = made.partition(":")
        self.reader = getattr(importlib.import_module(module), name)(*given)
        self._sent: dict[str, Any] = {}

    def opened(self) -> tuple[list[Item], str, Any, list[str], Memory]:
        """What is known of all frames."""
        reader = self.reader
        return reader.items, reader.rounded, getattr(reader, "part", None), getattr(reader, "names", [""]), self._new()

    def snapshot(self, item: Item) -> tuple[Snapshot, Memory]:
        """One frame, without arrays that are those of the frame before."""
        found = self.reader.snapshot(item)
        arrays = {name: getattr(found, name) for name in _SAME}
        known = {name: None for name, array in arrays.items() if self._sent.get(name) is array}
        self._sent = arrays
        return replace(found, **known), self._new()

    def _new(self) -> Memory:
        """The remarks since the last ones."""
        found: Memory = self.reader.memory
        self.reader.memory = Memory()
        return found
