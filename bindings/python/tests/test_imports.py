"""The package's modules: each can be imported first, and they import each other without circles."""

import ast
import graphlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ccd

ROOT = Path(ccd.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path for path in ROOT.rglob("*.py")
}

# NumPy is imported once, and every module of the package in a process of its own.
EACH = """
import importlib, os, sys, numpy
failed = False
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    failed |= os.waitpid(child, 0)[1] != 0
sys.exit(failed)
"""


def imported(name: str, path: Path) -> set[str]:
    """The modules of the package that a module imports, at its top or in a function; not those for type checkers alone."""
    tree = ast.parse(path.read_text("utf-8"))
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            submodules = {f"{base}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= submodules
            if len(submodules) < len(node.names):
                found.add(base)
    return (found & MODULES.keys()) - {name}


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_every_module_can_be_imported_first():
    absent = {f"ccd.{name}" for name in ("jax", "torch") if importlib.util.find_spec(name) is None}  # each needs its package
    names = [name for name in MODULES if not name.endswith("__main__") and name not in absent]
    result = subprocess.run([sys.executable, "-c", EACH, *sorted(names)], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_imports_have_no_circle():
    graph = {name: imported(name, path) for name, path in MODULES.items()}
    assert "ccd._native.abi" in graph["ccd.step._size"] and "ccd.mesh" in graph["ccd._native.steps"]
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle
    for name, targets in graph.items():
        if not name.startswith(("ccd.cli", "ccd.__main__")):
            assert not any(target.startswith("ccd.cli") for target in targets), f"{name} imports the command line"
