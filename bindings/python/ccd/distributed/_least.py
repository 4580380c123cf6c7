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
import time
import uuid
from typing import Any

import numpy as np

from ..errors import ArgumentError


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
        with contextlib.suppress(OSError, struct.error):  # the file is on another machine, or closed
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


class MPILeast(Least):
    """The least time so far, shared by the ranks of an MPI communicator: eight bytes in a window of one rank.

    All ranks create it together, pass it to each `earliest` of a part, and close it together. Times are read and lowered by
    one-sided operations, so no rank waits for another: a reply that takes longer than ``patience`` is used when it is there.
    It saves time and changes no bit of the result.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The communicator.
    patience : float, default 0.01
        Seconds to wait for a reply.

    Raises
    ------
    ImportError
        mpi4py is not installed.
    ArgumentError
        comm is no intracommunicator of mpi4py, or patience is negative.

    Examples
    --------
    Under ``mpiexec -n 4 python program.py``, with a scene and the regions of a plan that are the same on all ranks::

        comm = MPI.COMM_WORLD
        best = None
        with cd.MPILeast(comm) as least:
            for i in range(comm.rank, len(regions), comm.size):
                best = cd.reduce(best, cd.earliest(cd.cut(scene, regions[i]), threads=1, least=least))
        best = comm.allreduce(best, op=cd.reduce)
    """

    # A time is 0 or more, so the bits of its double have its order as an integer, of which networks know the minimum.

    def __init__(self, comm: Any, patience: float = 0.01):
        super().__init__()
        try:
            from mpi4py import MPI
        except ImportError as error:
            raise ImportError("MPILeast needs mpi4py: pip install mpi4py") from error
        if not isinstance(comm, MPI.Intracomm):
            raise ArgumentError(f"comm is {type(comm).__name__}: must be an mpi4py.MPI.Intracomm")
        if not patience >= 0:
            raise ArgumentError(f"patience is {patience}: must be 0 or more")
        self._mpi: Any = MPI
        self._patience, self._pending = patience, []  # type: float, list[tuple[Any, Any, Any]]
        self._window: Any = MPI.Win.Allocate(8 if comm.rank == 0 else 0, 8, MPI.INFO_NULL, comm)
        if comm.rank == 0:
            self._window.Lock(0, MPI.LOCK_EXCLUSIVE)
            memory: Any = self._window.tomemory()
            np.frombuffer(memory, np.int64)[0] = _bits(math.inf)
            self._window.Unlock(0)
        comm.Barrier()
        self._window.Lock_all()

    def __enter__(self) -> MPILeast:
        """Return it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def __reduce__(self) -> Any:
        raise ArgumentError("least is an MPILeast: belongs to the ranks that created it; no pool can send it")

    def _exchange(self, bits: int, operation: Any) -> None:
        """Start an operation on the number, which answers with what the number was, and take the answers that are there."""
        if self._window is None:
            return
        given, found = np.array([bits], np.int64), np.array([_bits(math.inf)], np.int64)
        self._pending.append((self._window.Rget_accumulate(given, found, 0, op=operation), given, found))
        until = time.monotonic() + self._patience
        while not self._settle() and time.monotonic() < until:
            time.sleep(0)

    def _settle(self) -> bool:
        """Take the answers that are there; report whether these are all."""
        self._pending, asked = [], self._pending
        for one in asked:
            if one[0].Test():
                self.value = min(self.value, float(one[2].view(np.float64)[0]))
            else:
                self._pending.append(one)
        return not self._pending

    def load(self) -> float:
        """Return the least time so far, or a later one.

        Returns
        -------
        float
            A time in [0, 1], or infinity.
        """
        if not self._pending or self._settle():  # one question at a time
            self._exchange(0, self._mpi.NO_OP)
        return self.value

    def lower(self, to: float) -> None:
        """Lower the time to that of an impact that was found.

        Parameters
        ----------
        to : float
            A time, 0 or later.
        """
        if to < self.value:
            self.value = to
            self._exchange(_bits(to), self._mpi.MIN)

    def close(self) -> None:
        """Free the window. All ranks call this together."""
        if self._window is not None:
            self._mpi.Request.Waitall([one[0] for one in self._pending])
            self._settle()
            self._window.Unlock_all()
            self._window.Free()
            self._window = None


def _bits(value: float) -> int:
    return int(np.array([value + 0.0]).view(np.int64)[0])
