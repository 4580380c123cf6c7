"""What `make device-check` packs: the script that runs the parts, and the reports that are written from their results."""

import copy
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEVICE = Path(__file__).resolve().parents[3] / "bench" / "device"
pytestmark = pytest.mark.skipif(not DEVICE.is_dir(), reason="no checkout: bench/device is not there")

PARTS = """
import json, sys, time
name, out, seconds, *more = sys.argv[1:]
open(out, "w").write(json.dumps({"ran": name, "more": more}))
print("this is", name, flush=True)
if name == "same":
    raise SystemExit("it failed")
if name == "meshes":
    time.sleep(60)
if name == "sanitizer":
    print("skipped: no such tool")
    sys.exit(3)
"""


def test_a_part_that_fails_or_is_late_leaves_the_others_alone(tmp_path):
    shutil.copy(DEVICE / "check.py", tmp_path)
    (tmp_path / "parts.py").write_text(PARTS)

    def check(*arguments):
        command = [sys.executable, tmp_path / "check.py", tmp_path / "out", "--small", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        return done, json.loads((tmp_path / "out" / "results.json").read_text())

    done, results = check("meshes", "threads", "--seconds", "20")
    late = results["parts"]["meshes"]
    assert done.returncode == 1 and results["machine"]["cores"] > 0 and results["parts"]["threads"]["state"] == "passed"
    assert (late["state"], late["code"], late["ran"], late["more"]) == ("late", -9, "meshes", ["--small"])
    assert late["limit"] <= late["seconds"] < 20
    done, results = check("bits", "same", "kernels", "sanitizer", "header")
    states = {name: part["state"] for name, part in results["parts"].items()}
    assert done.returncode == 1 and (states.pop("same"), states.pop("sanitizer")) == ("failed", "skipped: no such tool")
    assert states == {"bits": "passed", "kernels": "passed", "header": "passed"}
    log = (tmp_path / "out" / "log.txt").read_text()
    assert log == done.stdout and "it failed" in log and "this is header" in log
    done, results = check("bits", "sanitizer")
    assert done.returncode == 0 and set(results["parts"]) == {"bits", "sanitizer"}
    done, _ = check("bit")
    assert done.returncode == 2 and "no part is called bit" in done.stderr


def results(device, cores):
    step = {"scene": "cloth", "call": "earliest", "d": 0.0, "pairs": 12345, "ms, 1 thread": 20.0, "ms, all threads": 3.0}
    step |= {"ms, device": 1.5, "ms waiting": 1.25}
    thread = {"scene": "cloth", "call": "near"}
    for n, ms in ((1, 8.0), (2, 4.0), (4, 2.5)):
        thread |= {f"ms, {n}": ms, f"processor ms, {n}": 8.0 + n}
    kernel = {"scene": "cloth", "call": "earliest", "kernel": "filter32", "launches": 3.0, "ms a call": 0.25, "median": 0.08}
    parts = {
        "bits": {"devices": [{"name": device, "driver": "CUDA 13.0", "memory": 80 << 30, "refused": ""}]},
        "same": {"calls": [{"scene": "cloth", "call": "earliest", "d": 0, "same": True}]},
        "meshes": {"meshes": 30000},
        "times": {"steps": [step]},
        "kernels": {"kernels": [kernel]},
        "threads": {"threads": [thread], "cores": cores},
        "sanitizer": {"tools": [{"tool": "memcheck", "code": 0}]},
    }
    machine = {"processor": "many", "cores": cores, "system": "Linux", "python": "3.12", "date": "today", "commit": "abc"}
    return {"machine": machine, "parts": {name: part | {"state": "passed"} for name, part in parts.items()}}


def report(folder, given):
    (folder / "results.json").write_text(json.dumps(given))
    command = [sys.executable, DEVICE / "report.py", folder, "--out", folder]
    return subprocess.run(command, capture_output=True, text=True)


def test_reports_are_written_from_results(tmp_path):
    done = report(tmp_path, results("NVIDIA H100", 16))
    assert done.returncode == 0, done.stderr
    gpu, threads = (tmp_path / "gpu.md").read_text(), (tmp_path / "threads.md").read_text()
    assert "| cloth, earliest, 0 | 12,345 | 20 | 3 | 1.5 | - | 1.25 |" in gpu and "| device | NVIDIA H100 |" in gpu
    assert "| cloth, earliest, `filter32` | 3 | 0.25 | 0.08 |" in gpu and "30,000 random meshes" in gpu
    assert "| sanitizer: memcheck | exit code 0 |" in gpu
    assert "| cloth, near | 8 | 4 | 2.5 | 2.00 | 3.20 | 1.11 | 1.33 |" in threads and "| cores | 16 |" in threads


@pytest.mark.parametrize("device", ["stand-in", "pthread-haswell-AMD EPYC", "cpu-haswell"])
def test_nothing_is_claimed_of_a_stand_in(tmp_path, device):
    done = report(tmp_path, results(device, 2))
    assert done.returncode == 1 and f"gpu.md is not written: the device is {device}" in done.stderr
    assert "threads.md is not written" in done.stderr and "on 2 cores" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.json"]


def test_nothing_is_claimed_of_a_part_that_failed(tmp_path):
    good = results("NVIDIA H100", 16)
    for name in ("bits", "same", "times"):
        bad = copy.deepcopy(good)
        bad["parts"][name]["state"] = "failed"
        done = report(tmp_path, bad)
        assert done.returncode == 1 and f"gpu.md is not written: the part {name} is failed: mend it first" in done.stderr
        assert not (tmp_path / "gpu.md").exists()


def test_bits_are_compared():
    """What decides whether results are the same sees a bit, a type and a length."""
    import numpy as np

    spec = importlib.util.spec_from_file_location("device_parts", DEVICE / "parts.py")
    parts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parts)
    x = np.arange(3.0)
    assert parts.same(x, x.copy()) and parts.same({"a": (x, 1)}, {"a": (x, 1)})
    for other in (np.nextafter(x, 9), x[:2], x.astype(np.float32), x.reshape(3, 1)):
        assert not parts.same(x, other) and not parts.same([x], [other])
    assert not parts.same(np.array([0.0]), np.array([-0.0])) and not parts.same({"a": 1}, {"b": 1})
