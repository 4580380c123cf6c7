"""The Blender add-on of examples/blender, in a process of its own that has bpy: Blender without a window."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import CHECKOUT

import ccd

ADDON = CHECKOUT / "examples" / "blender"


def python_with_bpy():
    """An interpreter that can import bpy: CCD_BPY_PYTHON, or this one."""
    if "CCD_BPY_PYTHON" in os.environ:
        return os.environ["CCD_BPY_PYTHON"]
    if importlib.util.find_spec("bpy") is None:
        pytest.skip("bpy is not installed (374 MB, only for CPython 3.11): set CCD_BPY_PYTHON to a Python that has it")
    return sys.executable


def test_the_addon_finds_what_step_finds(tmp_path):
    paths = [str(Path(ccd.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "CCD_LIBRARY": ccd.library_path()}
    command = [python_with_bpy(), ADDON / "check.py", tmp_path]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0 and ran.stdout.endswith("ok\n"), ran.stdout + ran.stderr


def test_the_archive_has_the_addon_and_the_wheel(tmp_path):
    tomllib = pytest.importorskip("tomllib")
    wheel = tmp_path / "ccd_toi-0.1.0-py3-none-manylinux_2_17_x86_64.whl"
    wheel.write_bytes(b"wheel")
    target = tmp_path / "addon.zip"
    subprocess.run([sys.executable, ADDON / "pack.py", wheel, target], check=True, capture_output=True)
    with zipfile.ZipFile(target) as archive:
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
        assert manifest["wheels"] == [f"./wheels/{wheel.name}"] and archive.read(manifest["wheels"][0][2:]) == b"wheel"
        assert manifest["version"] == ccd.__version__
        assert {f.name for f in (ADDON / "ccd_blender").glob("*.py")} <= set(archive.namelist())
    ran = subprocess.run([sys.executable, ADDON / "pack.py", tmp_path / "none.whl", target], capture_output=True, text=True)
    assert ran.returncode == 2 and "none.whl is no wheel: make wheel builds one in dist/" in ran.stderr
