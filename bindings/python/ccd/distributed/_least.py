"""The least time so far, which parts share while they are computed.

A part reads it when it begins, and searches no later times. Any time of an impact that was found will do: one that is late, or
lost in a race of two writers, costs time and changes no bit of the result (docs/proofs/distributed.md).
"""

from __future__ import annotations

import contextlib
import math
import os
import struct
import tempfile
import uuid
from typing import Any


class Least:
    """A number that only falls, where processes share nothing: each sees what it was made with."""

    def __init__(self) -> None:
        self.value = math.inf

    def load(self) -> float:
        """The number, or a larger one."""
        return self.value

    def lower(self, to: float) -> None:
        """Lower it."""
        self.value = min(self.value, to)

    def close(self) -> None:
        """Free what is shared."""


class FileLeast(Least):
    """One that processes of one machine share by a file of 8 bytes. Pickled, it is the path."""

    def __init__(self) -> None:
        super().__init__()
        handle, self.path = tempfile.mkstemp(prefix="ccd-least-")
        os.write(handle, struct.pack("<d", math.inf))
        os.close(handle)

    def load(self) -> float:
        with contextlib.suppress(OSError, struct.error):  # on another machine, or closed
            with open(self.path, "rb") as file:
                (found,) = struct.unpack("<d", file.read(8))
            self.value = min(self.value, found if found >= 0 else math.inf)
        return self.value

    def lower(self, to: float) -> None:
        if to < self.load():
            self.value = to
            with contextlib.suppress(OSError), open(self.path, "r+b", buffering=0) as file:
                file.write(struct.pack("<d", to))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.remove(self.path)


class DaskLeast(Least):
    """One that the workers of a Dask cluster share by a Variable of the scheduler. Pickled, it is the name."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self.name, self._client = f"ccd-least-{uuid.uuid4().hex}", client
        self._variable().set(math.inf)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_client": None}

    def _variable(self) -> Any:
        from distributed import Variable, get_client

        return Variable(self.name, client=self._client or get_client())

    def load(self) -> float:
        with contextlib.suppress(Exception):  # no scheduler can be reached: then what is known here
            self.value = min(self.value, float(self._variable().get(timeout=1)))
        return self.value

    def lower(self, to: float) -> None:
        if to < self.load():
            self.value = to
            with contextlib.suppress(Exception):
                self._variable().set(to)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._variable().delete()
