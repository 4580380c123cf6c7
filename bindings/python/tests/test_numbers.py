"""Numbers in pages are those of the build: each row names a page, the words around a number, and where the number comes from."""

import re

import pytest
from conftest import CHECKOUT


def read(path):
    file = CHECKOUT / path
    if not file.is_file():
        pytest.skip("the tests do not run in a git checkout")
    return file.read_text("utf-8")


def of(path, pattern):
    """The number in a file: what the group of a pattern holds."""
    found = re.search(pattern, read(path), re.MULTILINE)
    assert found, f"{path} has no {pattern}"
    return found.group(1).replace("_", "")


def shifted(path, pattern):
    base, by = re.search(pattern, read(path)).groups()
    return int(base) << int(by)


VIEW = "bindings/python/ccd/view"
REPORT = "bench/reports/steps.md"
SOURCES = {  # a name for each number, and how to find it
    "python": lambda: of("bindings/python/pyproject.toml", r'^requires-python = ">=([\d.]+)"'),
    "go": lambda: of("go.mod", r"^go (\d+\.\d+)"),
    "rust": lambda: of("bindings/rust/Cargo.toml", r'^rust-version = "([\d.]+)"'),
    "cmake": lambda: of("CMakeLists.txt", r"^cmake_minimum_required\(VERSION ([\d.]+)"),
    "node": lambda: of("bindings/js/package.json", r'"node": ">=(\d+)"'),
    "npm": lambda: of("bindings/js/package.json", r'"version": "([\d.]+)"'),
    "glibc": lambda: ".".join(re.search(r"^OLDEST_GLIBC = \((\d+), (\d+)\)", read("bindings/python/hatch_build.py"), re.M).groups()),
    "pairs of a page": lambda: of(f"{VIEW}/_state.py", r"^MOST_PAIRS = ([\d_]+)"),
    "marks of a page": lambda: of(f"{VIEW}/_state.py", r"^MOST_DRAWN = ([\d_]+)"),
    "least of a step": lambda: of(f"{VIEW}/_state.py", r"^_LEAST_SHARE = ([\d_]+)"),
    "MiB of frames": lambda: shifted(f"{VIEW}/_state.py", r"MOST_BYTES = (\d+) << (\d+)") >> 20,
    "vertices of frames": lambda: shifted(f"{VIEW}/_state.py", r"MOST_BYTES = (\d+) << (\d+)") // 12 // 1_000_000,
    "components": lambda: of(f"{VIEW}/_parts.py", r"^MOST_OBJECTS = ([\d_]+)"),
    "facets": lambda: of("bindings/python/ccd/cad/_search.py", r"^MOST_FACETS = ([\d_]+)"),
    "coordinates": lambda: of("core/geom/trajectories.go", r"MaxCoordinate = (1e\d+)"),
    "examples": lambda: {7: "Seven", 8: "Eight", 9: "Nine"}[len(list((CHECKOUT / "docs/examples").glob("plot_*.py")))],
    "earliest": lambda: " | ".join(times("Earliest impact")),
    "impacts": lambda: " | ".join(times("All impacts")),
    "broad": lambda: " | ".join(times("Broad phase")),
    "range": lambda: times("Earliest impact")[1],
}


def times(row):
    """The mean and the range of a row of the report, rounded to a whole number from 10 on and to a tenth below."""
    numbers = [float(x) for x in re.search(rf"^- {row}: ([\d.]+) times \(([\d.]+) to ([\d.]+)\)", read(REPORT), re.M).groups()]
    mean, low, high = (f"{x:.0f}" if x >= 10 else f"{x:.1f}" for x in numbers)
    return mean, f"{low} to {high}"


PAGES = [
    ("README.md", r"Python ([\d.]+) or newer", "python"),
    ("README.md", r"\[Go ([\d.]+)\]", "go"),
    ("README.md", r"glibc ([\d.]+) or newer", "glibc"),
    ("README.md", r"takes ([\d.]+ to [\d.]+) times less", "range"),
    ("README.md", r"\| ipctk [\d.]+ \| ([^|]+ \| [^|]+) \|", "earliest"),
    ("README.md", r"a sample of the pairs \| ([^|]+ \| [^|]+) \|", "impacts"),
    ("README.md", r"LBVH of ipctk \| ([^|]+ \| [^|]+) \|", "broad"),
    ("docs/install.md", r"Python ([\d.]+) or newer", "python"),
    ("docs/install.md", r"CMake ([\d.]+) or newer", "cmake"),
    ("docs/install.md", r"It needs glibc ([\d.]+) or", "glibc"),
    ("docs/install.md", r"you need Go ([\d.]+)", "go"),
    ("docs/install.md", r"Rust ([\d.]+) or newer", "rust"),
    ("docs/howto/rust.md", r"Rust ([\d.]+) or newer", "rust"),
    ("docs/howto/javascript.md", r"Node.js (\d+) or newer", "node"),
    ("docs/howto/javascript.md", r"ccd-toi-([\d.]+)\.tgz", "npm"),
    ("docs/tutorials/first-step-python.md", r"Python ([\d.]+) or newer", "python"),
    ("docs/tutorials/first-step-python.md", r"\[Go ([\d.]+)\]", "go"),
    ("docs/tutorials/first-step-cpp.md", r"CMake ([\d.]+) or newer", "cmake"),
    ("docs/limits.md", r"Linux with glibc ([\d.]+) or newer", "glibc"),
    ("docs/limits.md", r"coordinates, separations, radii \| (1e\d+)", "coordinates"),
    ("docs/reference/files.md", r"finite, at most (1e\d+)", "coordinates"),
    ("docs/explanation/guarantees.md", r"finite and at most (1e\d+)", "coordinates"),
    ("docs/index.md", r"^(\w+) small programs", "examples"),
    ("docs/howto/cad.md", r"more than ([\d,]+) triangles of both", "facets"),
    ("docs/howto/view-a-step.md", r"more than ([\d,]+) components", "components"),
    ("docs/howto/view-a-step.md", r"listed near pairs \| ([\d,]+) each", "pairs of a page"),
    ("docs/howto/view-a-step.md", r"in a sequence at least (\d+) for each", "least of a step"),
    ("docs/howto/view-a-step.md", r"marked impacts \| ([\d,]+) \|", "marks of a page"),
    ("docs/howto/view-a-step.md", r"sequence \| (\d+) MiB", "MiB of frames"),
    ("docs/howto/view-a-step.md", r"MiB: (\d+) million", "vertices of frames"),
    ("docs/howto/save-and-replay.md", r"\((\d+) million vertices", "vertices of frames"),
    ("docs/howto/save-and-replay.md", r"earliest impacts, ([\d,]+) in all", "pairs of a page"),
]


@pytest.mark.parametrize("page, pattern, name", PAGES, ids=[f"{page}: {name}" for page, _, name in PAGES])
def test_a_number_is_that_of_the_build(page, pattern, name):
    found = re.search(pattern, read(page), re.MULTILINE)
    assert found, f"{page} does not say {pattern}: change the row of this test with the page"
    assert found.group(1).replace(",", "") == str(SOURCES[name]()), f"{page} has another number than its source, {name}"


def test_every_source_is_used():
    assert {name for *_, name in PAGES} == set(SOURCES)
