#!/usr/bin/env python3
"""Compile the kernels of package gpu with NVRTC, NVIDIA's compiler for run time, and write the PTX to a file.

    pip install nvidia-cuda-nvrtc
    .venv/bin/python bench/nvrtc.py build/nvrtc.ptx && CCD_NVRTC_PTX=$PWD/build/nvrtc.ptx go test -count=1 -v -run NVRTC ./gpu

The library has PTX of clang. A second compiler with the same bits shows that they are those of the text: where there is a
device of NVIDIA's, the test runs the self-test on it with this PTX. Without a device the PTX is read for operations that are
fused or not rounded.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = ("--gpu-architecture=compute_80", "--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true")


def library() -> ctypes.CDLL | None:
    """The library of the wheel nvidia-cuda-nvrtc, or None."""
    spec = importlib.util.find_spec("nvidia")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for folder in folders for path in sorted(Path(folder).rglob("libnvrtc.so.*")) if ".alt." not in path.name]
    return ctypes.CDLL(str(found[0])) if found else None


def ptx(lib: ctypes.CDLL, source: str) -> str:
    """The PTX of a program; raises ValueError with the compiler's messages."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    if lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None):
        raise ValueError("nvrtcCreateProgram failed")
    words = [option.encode() for option in OPTIONS]
    failed = lib.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetProgramLog(program, log)
    if failed:
        raise ValueError(log.value.decode())
    lib.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetPTX(program, text)
    return text.value.decode()


def kernels() -> str:
    """The text of the kernels."""
    command = ["go", "run", "./core/ccdtest/kernels"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: nvrtc.py FILE", file=sys.stderr)
        return 2
    lib = library()
    if lib is None:
        print("NVRTC is not installed: pip install nvidia-cuda-nvrtc", file=sys.stderr)
        return 1
    Path(sys.argv[1]).write_text(ptx(lib, kernels()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
