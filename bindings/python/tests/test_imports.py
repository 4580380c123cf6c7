"""The package's modules: each can be imported first, without circles, and outer packages use public names or ccd._inner."""

import ast
import functools
import graphlib
import importlib
import importlib.util
import inspect
import os
import re
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


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text("utf-8"))


def imports(name, tree):
    """What a module imports of the package, at its top, in a function or for type checkers: (module, name or None, line)."""
    package = name.split(".") if MODULES[name].name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None, alias.asname, node.lineno) for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                if f"{base}.{alias.name}" in MODULES:
                    yield f"{base}.{alias.name}", None, alias.asname or alias.name, node.lineno
                elif base in MODULES:
                    yield base, alias.name, alias.asname, node.lineno


def imported(name: str, path: Path) -> set[str]:
    """The modules of the package that a module imports."""
    return {module for module, *_ in imports(name, tree_of(path))} - {name}


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


# Packages that are built on the library: on its public names, and on those that the modules of ccd._inner list.
OUTER = ("audit", "cad", "view", "robot", "distributed", "compat")
PUBLIC = ["ccd", *(f"ccd.{name}" for name in ccd.__all__ if f"ccd.{name}" in MODULES and name not in ("jax", "torch"))]


def is_public(module, name):
    """Whether a public module exports, under the same name, what a module without an underscore has."""
    value = getattr(importlib.import_module(module), name, None)
    if value is None or "._" in module:
        return False
    for public in map(importlib.import_module, PUBLIC):
        if name in vars(public) and vars(public)[name] is value:
            own = inspect.isfunction(value) or inspect.isclass(value)
            if name in getattr(public, "__all__", [name] if own and value.__module__ == public.__name__ else []):
                return True
    return False


def is_offered(module, name):
    """Whether ccd._inner lists a name of one of its modules."""
    return module.startswith("ccd._inner.") and name in importlib.import_module(module).__all__


def private_names(outer):
    """Names with an underscore that the modules of a package define or assign."""
    found = set()
    for name, path in MODULES.items():
        if name.startswith(outer):
            for node in ast.walk(tree_of(path)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                    found.add(node.attr)
                elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    found.add(node.name)
            found.add(name.rpartition(".")[2])
    return found


def strangers(name, tree, own):
    """What a module of an outer package uses of the inside of the library, with lines."""
    outer, modules, found = ".".join(name.split(".")[:2]), {}, []
    for module, imported_name, alias, line in imports(name, tree):
        if module == outer or module.startswith(f"{outer}."):
            continue
        if imported_name is None:
            if module not in PUBLIC and not module.startswith("ccd._inner."):
                found.append(f"{name}:{line}: module {module}")
            modules[alias] = module
        elif not is_offered(module, imported_name) and not is_public(module, imported_name):
            found.append(f"{name}:{line}: {module}.{imported_name}")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        of = node.value.id if isinstance(node.value, ast.Name) else None
        if of in modules:
            if not is_offered(modules[of], node.attr) and not is_public(modules[of], node.attr):
                found.append(f"{name}:{node.lineno}: {modules[of]}.{node.attr}")
        elif re.match("_[a-z]", node.attr) and node.attr not in own | {"_asdict"} and of not in ("os", "sys"):
            found.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize("package", OUTER)
def test_outer_packages_use_public_names_or_the_inner_layer(package):
    own = private_names(f"ccd.{package}")
    found = []
    for name, path in MODULES.items():
        if name == f"ccd.{package}" or name.startswith(f"ccd.{package}."):
            found += strangers(name, tree_of(path), own)
    assert not found, "\n".join(found)


def test_what_is_inside_is_found():
    text = """
from .. import step
from .._inner import arrays
from .._native import abi
from ..options import to_c
from ..mesh import Mesh
def f(mesh):
    from ..step._size import size
    step.earliest(mesh._handle, arrays.finite, arrays.lengths, step._find)
"""
    found = [line.partition(": ")[2] for line in strangers("ccd.view._page", ast.parse(text), {"_state"})]
    inside = [
        "module ccd._native.abi",
        "ccd.options.to_c",
        "ccd.step._size.size",
        "ccd.step._find",
        "ccd._inner.arrays.lengths",
        "mesh._handle",
    ]
    assert sorted(found) == sorted(inside)
