"""The header for kernels of other programs: its CUDA example compiles, and its Warp example runs where Warp is."""

import ctypes
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ccd

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "device"


def nvrtc():
    """The library of the wheel nvidia-cuda-nvrtc; skips where it is not installed."""
    spec = importlib.util.find_spec("nvidia")
    folders = list(spec.submodule_search_locations) if spec else []
    found = [path for folder in folders for path in sorted(Path(folder).rglob("libnvrtc.so.*")) if ".alt." not in path.name]
    if not found:
        pytest.skip("NVRTC is not installed (pip install nvidia-cuda-nvrtc)")
    return ctypes.CDLL(str(found[0]))


def ptx(source: str, *options: str) -> str:
    lib, program, size = nvrtc(), ctypes.c_void_p(), ctypes.c_size_t()
    assert lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"step.cu", 0, None, None) == 0
    words = [option.encode() for option in options]
    result = lib.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetProgramLog(program, log)
    assert result == 0, log.value.decode()
    lib.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetPTX(program, text)
    return text.value.decode()


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="no checkout: the examples are not there")
class TestExamples:
    def test_cuda_rounds_every_product(self):
        """ptxas may fuse a product and a sum unless the product says .rn; NVRTC's own default fuses, too."""
        options = ["--gpu-architecture=compute_80", "--std=c++17", f"-I{ccd.include_path()}", "--fmad=true"]
        text = ptx((EXAMPLES / "step.cu").read_text(), *options)
        names = set(re.findall(r"\b((?:add|sub|mul|fma|mad|div|sqrt)\.\S*f64)\b", text))
        assert {"mul.rn.f64", "add.f64", "sub.f64", "fma.rn.f64", "div.rn.f64"} == names
        assert all(f".entry {kernel}(" in text for kernel in ("check", "filter", "decide"))
        plain = ptx("#define CCDK_MUL(a, b) ((a) * (b))\n" + (EXAMPLES / "step.cu").read_text(), *options)
        assert text.count("fma.rn.f64") < plain.count("fma.rn.f64")  # what the macro is for

    def test_warp_on_the_cpu(self):
        pytest.importorskip("warp", reason="Warp is not installed (pip install warp-lang)")
        command = [sys.executable, str(EXAMPLES / "warp_step.py"), "cpu"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert result.returncode == 0, result.stdout + result.stderr
        assert "as the exact method has them" in result.stdout.splitlines()[-1]
