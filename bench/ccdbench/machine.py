"""What the figures were measured on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import time
from pathlib import Path

import ccd

ROOT = Path(__file__).resolve().parents[2]


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    return fields.get("model name", platform.machine())


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def describe() -> dict[str, str]:
    """Machine, versions and commit, in the order in which a report shows them."""
    changed = _output("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/reports", ":!docs/graded.md")
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "commit": _output("git", "rev-parse", "--short=12", "HEAD") + (" with local changes" if changed else ""),
        "processor": f"{_processor()}, {cores()} cores for this process",
        "system": f"{platform.system()} {platform.release()}",
        "libccd": f"{ccd.version()}, SIMD {ccd.simd_level()}",
        "Go": _output("go", "version").removeprefix("go version "),
        "Python": f"{platform.python_version()}, NumPy {_version('numpy')}",
        "ipctk": _version("ipctk"),
        "load": f"{os.getloadavg()[0]:.1f} when the run began",
    }
