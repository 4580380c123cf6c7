"""How many tests of a suite passed, failed and were skipped, and why, by its log.

What is understood: the closing lines of pytest, ctest, cargo test, node --test, gotest.py and docs/blocks.py, the lines
`SKIPPED [3] where: why` of pytest and gotest.py, and the lines of other programs that say what `is not installed`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

# What reasons call a package -> what pip calls it.
PACKAGES = {
    "OCP": "cadquery-ocp-novtk", "CASCADE": "cadquery-ocp-novtk", "cadquery-ocp-novtk": "cadquery-ocp-novtk",
    "PIL": "pillow", "Pillow": "pillow", "PyTorch": "torch", "JAX": "jax", "Warp": "warp-lang", "warp": "warp-lang",
    "NVRTC": "nvidia-cuda-nvrtc", "SciPy": "scipy", "Dask": "dask distributed", "dask": "dask distributed",
    "distributed": "dask distributed", "Ray": "ray", "pinocchio": "pin",
    "lasso": "lasso-python", "vtkmodules": "vtk",
    "cyclonedx": "'cyclonedx-python-lib[json-validation]'", "jsonschema": "'cyclonedx-python-lib[json-validation]'",
} | {
    name: name
    for name in (
        "ipctk", "scipy", "numpydoc", "yourdfpy", "ompl", "pycollada", "mujoco", "drake", "trimesh", "meshio",
        "rapier3d", "geomdl", "splipy", "rhino3dm", "pandas", "pyarrow", "gmsh", "vtk", "pyvista",
        "usd-core", "alembic3d", "lib3mf",
        "netCDF4", "foamlib", "lasso-python", "pyNastran", "h5py",
        "polyscope", "nbclient", "nbformat", "nbconvert", "ipykernel", "torch", "jax", "ray", "mpi4py", "bpy", "matplotlib",
    )
}  # fmt: skip
LATER = "make test-long"  # a reason with these words is none to skip a test: its place is there


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    later: int = 0

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.later += other.later
        self.skipped += other.skipped

    def skip(self, reason: str, count: int = 1) -> None:
        if LATER in reason:
            self.later += count
        else:
            self.skipped[summary(reason)] += count


def lines(log: Path) -> list[str]:
    """The lines of a log, without colors."""
    try:
        text = log.read_text("utf-8", "replace")
    except OSError:
        return []
    return [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines()]


def summary(reason: str) -> str:
    """One text for all skips that lack the same: the package, or the data."""
    if "CCD_DATA" in reason:
        return "no real scenes and queries: CCD_DATA names their folder"
    if match := re.search(r"could not import '(\w+)|No module named '(\w+)|pip install '?([\w-]+)", reason):
        name = match[1] or match[2] or match[3]
        return needed(PACKAGES.get(name, name))
    for match in re.finditer(r"([\w-]+)(?= (?:\([^)]*\) )?(?:is not installed|is not there|cannot be had))", reason):
        if match[1] in PACKAGES:
            return needed(PACKAGES[match[1]])
    return re.sub(r"^\S+\.md: ", "", reason)


def needed(package: str) -> str:
    return f"{package.split()[0]} is not installed: .venv/bin/pip install {package}"


def read(log: Path) -> Tally:
    """The tally of a suite, which may be several programs one after the other."""
    got = Tally()
    for line in lines(log):
        if match := re.match(r"SKIPPED \[(\d+)\] (?:\S+\.py(?::\d+)?: )?(.*)", line):
            got.skip(match[2], int(match[1]))
        elif re.match(r"(?:=+ )?\d+ (?:passed|failed|skipped|errors?)\b.*(?: in [\d.]+s|skipped$)", line):
            count = {word.removesuffix("s"): int(n) for n, word in re.findall(r"(\d+) (passed|failed|errors?)\b", line)}
            got.passed += count.get("passed", 0)
            got.failed += count.get("failed", 0) + count.get("error", 0)
        elif match := re.match(r"\d+% tests passed, (\d+) tests? failed out of (\d+)", line):
            got.failed += int(match[1])
            got.passed += int(match[2]) - int(match[1])
        elif match := re.match(r"\s+\d+ - (\S+) \(Skipped\)", line):
            got.passed -= 1
            got.skip(f"{match[1]} skips (ctest)")
        elif match := re.match(r"test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored", line):
            got.add(Tally(int(match[1]), int(match[2]), Counter({"ignored (cargo test)": int(match[3])})))
        elif match := re.match(r"\S (pass|fail|skipped) (\d+)$", line):
            count = {match[1]: int(match[2])}
            got.add(Tally(count.get("pass", 0), count.get("fail", 0), Counter({"skipped (node)": count.get("skipped", 0)})))
        elif match := re.match(r"(\d+) blocks in \d+ of \d+ pages", line):
            got.passed += int(match[1])
        elif re.match(r"\S+\.md: .* (?:was|were) not run$", line):  # docs/blocks.py counts it as a block
            got.passed -= 1
            got.skip(line if "is not installed" in line else "blocks of pages that need a block that was not run")
        elif " is not installed" in line and not line.startswith(" "):
            got.skip(line)
    got.passed = max(got.passed, 0)  # blocks that were not run count before all are counted
    return got


def failures(log: Path) -> list[str]:
    """The names of the tests that failed in a suite, each with the reason where its line has one, in the order of the log."""
    names: dict[str, None] = {}
    for line in lines(log):
        for pattern in (
            r"(?:FAILED|ERROR) (\S+\.py\S*.*)", r"\s*--- FAIL: (\S+)",
            r"\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|.*Exception.*)\)",
            r"test (\S+) \.\.\. FAILED", r"not ok \d+ - (.*)", r"\s*\u2716 (\D.*?) \([\d.]+ms\)",
        ):  # fmt: skip
            if match := re.match(pattern, line):
                names[match[1][:200]] = None
    return list(names)


def print_reasons(total: Tally) -> None:
    """What was skipped, with what to install."""
    if total.skipped:
        print("\nskipped")
    for reason, count in sorted(total.skipped.items(), key=lambda entry: (-entry[1], entry[0])):
        print(f"{count:>6}  {reason}")
    if total.later:
        print(f"\n{total.later} more are a part of {LATER}")
