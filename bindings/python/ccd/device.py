"""Graphics processors that steps may use, and results in their memory."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from ._native import abi
from ._native.call import check
from ._native.device_columns import DeviceArray, DeviceColumns

__all__ = ["DeviceArray", "DeviceColumns", "DeviceInfo", "devices"]


@dataclass(frozen=True)
class DeviceInfo:
    """A graphics processor.

    Attributes
    ----------
    index : int
        The option ``device_index`` that selects it.
    name : str
        Its name.
    driver : str
        Interface and version of its driver.
    memory : int
        Bytes of its memory.
    refused : str
        Why it cannot be used; empty if it can.
    """

    index: int
    name: str
    driver: str
    memory: int
    refused: str


def devices() -> list[DeviceInfo]:
    """List the graphics processors, and try those that can be used.

    The first call takes some seconds where there is one: the kernels are compiled, and the device computes some thousand
    queries, of which every bit must be that of the processor.

    Returns
    -------
    list of DeviceInfo
        Empty if there is none.

    Examples
    --------
    >>> import ccd
    >>> usable = [device for device in ccd.devices() if not device.refused]
    """
    return [device for device in _listed() if device.index >= 0]


def why_none() -> str:
    """Why `devices` is empty."""
    return next((device.refused for device in _listed() if device.index < 0), "")


def _listed() -> list[DeviceInfo]:
    length = ctypes.c_size_t()
    text = ctypes.create_string_buffer(4096)
    lib = abi.library()
    check(lib.ccd_device_list(text, len(text), ctypes.byref(length)))
    if length.value >= len(text):
        text = ctypes.create_string_buffer(length.value + 1)
        check(lib.ccd_device_list(text, len(text), ctypes.byref(length)))
    rows = (line.split("\t") for line in text.value.decode("utf-8", "replace").splitlines())
    return [DeviceInfo(int(index), name, driver, int(memory), refused) for index, name, driver, memory, refused in rows]
