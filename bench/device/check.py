#!/usr/bin/env python3
"""Check the library on a machine with a graphics processor and many cores: python3 check.py OUT [PART ...]

It runs in the folder that `make device-check` packs, and needs Python 3.10 or newer with NumPy, nothing else. The
results go to OUT/results.json after every part, what is printed to OUT/log.txt. Each part has a time limit; a part that
fails, or ends late, leaves the others alone. The exit code is 0 if every part passed or was skipped with a reason, else
1.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SECONDS = 345  # limit of all parts together: six minutes with what is around them

# Name, share of the time, and what it does; most important first.
PARTS = (
    ("bits", 30, "ccd info, the device's self-test, digests at every level of SIMD"),
    ("same", 45, "all calls on the device and on the CPU: the same bits"),
    ("meshes", 45, "random meshes on the device and on the CPU: the same bits"),
    ("times", 60, "whole steps on the device, one thread, all threads"),
    ("kernels", 15, "the time of each kernel, by events"),
    ("threads", 40, "1 to 16 threads"),
    ("worlds", 15, "many worlds of one mesh in one call"),
    ("sanitizer", 65, "compute-sanitizer: memcheck and racecheck"),
    ("arrays", 25, "arrays of CuPy, PyTorch and JAX"),
    ("header", 10, "ccd/device.h in CUDA C++ and in Warp"),
)


def environment() -> dict[str, str]:
    """What the parts see: the packed package and library, the system's own folders."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR") or k.startswith("CCD_")}
    path = [str(HERE / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]
    more = {"PYTHONPATH": os.pathsep.join(path), "CCD_LIBRARY": str(HERE / "libccd-toi.so.1"), "PYTHONUNBUFFERED": "1"}
    # JAX would take three quarters of the device's memory when it starts.
    return kept | more | {"PYTHONDONTWRITEBYTECODE": "1", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}


def machine() -> dict[str, Any]:
    """What the figures belong to."""
    names = [line.partition(":")[2].strip() for line in _read("/proc/cpuinfo").splitlines() if line.startswith("model name")]
    gpu = ""
    try:
        query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
        gpu = subprocess.run(query, capture_output=True, text=True, timeout=20, check=False).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        pass
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "commit": _read(HERE / "commit").strip(),
        "processor": names[0] if names else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "nvidia-smi": gpu,
    }


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def run(name: str, limit: float, small: bool, say: Any) -> dict[str, Any]:
    """Run a part in a process of its own. Returns its results, its state and its seconds."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "part.json"
        command = [
            sys.executable,
            str(HERE / "parts.py"),
            name,
            str(out),
            f"{0.9 * limit:.1f}",
            *(["--small"] if small else []),
        ]
        process = subprocess.Popen(
            command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        late = threading.Timer(limit, _kill, [process])
        late.start()
        last = ""
        assert process.stdout is not None
        for line in process.stdout:
            last = line.strip() or last
            say("  " + line.rstrip("\n"))
        code = process.wait()
        late.cancel()
        found = json.loads(_read(out) or "{}")
    seconds = time.monotonic() - began
    state = "passed" if code == 0 else "late" if seconds >= limit else "failed"
    if code == 3:
        state = f"skipped: {last.removeprefix('skipped: ')}"
    return {"state": state, "code": code, "seconds": round(seconds, 1), "limit": round(limit, 1)} | found


def _kill(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, 9)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for results.json and log.txt, made if it does not exist")
    parser.add_argument("parts", nargs="*", help=f"only these: {', '.join(name for name, _, _ in PARTS)}")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"for all parts together ({SECONDS})")
    parser.add_argument("--small", action="store_true", help="the smallest scene alone")
    given = parser.parse_intermixed_args()
    unknown = set(given.parts) - {name for name, _, _ in PARTS}
    if unknown:
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    given.out.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {"machine": machine(), "parts": {}}
    with open(given.out / "log.txt", "w") as log:

        def say(line: str) -> None:
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()

        say(json.dumps(results["machine"]))
        total = sum(share for _, share, _ in PARTS)
        for name, share, what in PARTS:
            if given.parts and name not in given.parts:
                continue
            limit = given.seconds * share / total
            say(f"{name}: {what} (at most {limit:.0f} s)")
            try:
                results["parts"][name] = run(name, limit, given.small, say)
            except Exception as error:  # whatever it is, the other parts run
                results["parts"][name] = {"state": f"failed: {error!r}", "code": 1}
            say(f"{name}: {results['parts'][name]['state']}, {results['parts'][name].get('seconds', 0)} s")
            (given.out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    return int(any(not part["state"].startswith(("passed", "skipped")) for part in results["parts"].values()))


if __name__ == "__main__":
    sys.exit(main())
