"""Docstrings: their examples run, they have the form of numpydoc, and they name the parameters and fields that there are."""

import doctest
import importlib.util
import inspect
import pkgutil
import typing

import pytest

import ccd

LEARNING = ("jax", "torch")  # modules that need a package of their name
ABSENT = {f"ccd.{name}" for name in LEARNING if importlib.util.find_spec(name) is None}
NAMES = (
    *("audit", "broad", "cad", "certificate", "distributed", "errors", "interop", "motion", "neighbors", "overlap", "pair"),
    *("patch", "periodic", "plot"),
    *("proximity", "rigid", "robot", "scene", "step", "verify", "view", "volume"),
    *(name for name in LEARNING if f"ccd.{name}" not in ABSENT),
)
MODULES = sorted(
    name
    for _, name, _ in pkgutil.walk_packages(ccd.__path__, "ccd.")
    if not name.startswith(("ccd.compat", "ccd.cli", "ccd.__main__"))
)
# What numpydoc.validate finds wrong: https://numpydoc.readthedocs.io/en/latest/validation.html
CHECKS = {
    *("GL03", "GL05", "GL06", "GL07", "GL08", "GL09", "GL10"),  # form and order of sections
    *("SS01", "SS02", "SS03", "SS04", "SS06"),  # the summary
    *("PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"),  # parameters: all, in order, described
    *("RT01", "RT02", "RT03", "RT04", "RT05", "YD01", "SA02", "SA03", "SA04"),  # results, references
}
PARAMETERS = {"PR01", "PR02", "PR03"}
OPTIONAL = (
    *(
        "OCP",
        "geomdl",
        "meshio",
        "ompl",
        "pandas",
        "polyscope",
        "pyvista",
        "rhino3dm",
        "scipy",
        "splipy",
        "trimesh",
        "yourdfpy",
    ),
)
WITHOUT_EXAMPLE = {"ccd.patch.read_iges", "ccd.patch.read_step"}  # they need Open CASCADE
RAISES_NOTHING = {
    *("ccd.patch.Form.curve", "ccd.patch.Form.quad", "ccd.patch.Form.triangle"),  # a form takes any numbers
    *("ccd.distributed.MPILeast.lower", "ccd.distributed.RayExecutor.submit"),  # called by `ccd.distributed`
    *("ccd.plot.html", "ccd.plot.svg"),  # charts and texts check nothing
}
CALLED_WITHOUT_EXAMPLE = {
    "ccd.Step.collisions_on_device",  # needs a device
    *("ccd.distributed.MPILeast.lower", "ccd.distributed.RayExecutor.submit", "ccd.distributed.Origin.of"),
}


def is_public(name, one):
    """Whether one is a function or class of a public module ccd.name, or of ccd itself for the name ''."""
    where = getattr(one, "__module__", "")
    return (inspect.isfunction(one) or inspect.isclass(one)) and where.startswith(f"ccd.{name}" if name else "ccd")


def bases_of(one):
    """A class, and those of its bases that no public module exports: users see what these define as its own."""
    yield one
    for base in one.__mro__[1:]:
        package, private, _ = base.__module__.partition("._")
        if package.startswith("ccd.") and private and not hasattr(importlib.import_module(package), base.__name__):
            yield base


def members_of(one):
    """Public methods and properties that a class defines, itself or by a base of its own."""
    seen = set(getattr(one, "_fields", ()))
    for base in bases_of(one) if inspect.isclass(one) else ():
        for name, member in vars(base).items():
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            if callable(member) or isinstance(member, (property, classmethod)):
                yield name, member


def members():
    """Every public function and class, once, by the name that users write, and the members of the classes."""
    seen = set()
    for module_name in ("", *NAMES):
        module = importlib.import_module(f"ccd.{module_name}".rstrip("."))
        for name in getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")]):
            one = getattr(module, name)
            if is_public(module_name, one) and one not in seen:
                seen.add(one)
                yield f"{module.__name__}.{name}", one
                yield from ((f"{module.__name__}.{name}.{inner}", member) for inner, member in members_of(one))


def fields(one):
    """Fields of a class that has them: of a dataclass, a named tuple, a typed dictionary or an enumeration."""
    if not inspect.isclass(one):
        return None
    if typing.is_typeddict(one):
        return list(one.__annotations__)
    for name in ("__dataclass_fields__", "_fields", "__members__"):
        if hasattr(one, name):
            return [field for field in getattr(one, name) if not field.startswith("_")]
    return None


def is_ready(test):
    """Whether the optional packages that an example mentions are installed."""
    text = "".join(example.source for example in test.examples)
    return all(importlib.util.find_spec(package) for package in OPTIONAL if package in text)


@pytest.mark.parametrize("name", ["ccd", *MODULES])
def test_examples_run(name):
    if name in ABSENT:
        pytest.skip(f"{name} needs a package that is not installed")
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        if is_ready(test):
            runner.run(test)
    assert not runner.failures


@pytest.mark.parametrize("name, one", [pytest.param(*pair, id=pair[0]) for pair in members()])
def test_docstrings_are_numpydoc(name, one):
    validate = pytest.importorskip("numpydoc.validate", reason="numpydoc is not installed: make docs installs it")
    docscrape = pytest.importorskip("numpydoc.docscrape")
    listed = fields(one)
    checks = CHECKS if listed is None else CHECKS - PARAMETERS
    assert [text for code, text in validate.validate(name)["errors"] if code in checks] == []
    text = docscrape.NumpyDocString(inspect.getdoc(one) or "")
    if listed is not None:
        assert [field.name for section in ("Parameters", "Attributes") for field in text[section]] == listed
    called = inspect.isfunction(one) and "." not in one.__qualname__
    constructed = inspect.isclass(one) and text["Parameters"]
    if (called or constructed) and name not in WITHOUT_EXAMPLE:
        assert text["Examples"], "no example"


def documented(text, section):
    """The names that a section of a docstring documents."""
    lines = text.splitlines()
    if section not in lines:
        return []
    rest = lines[lines.index(section) + 2 :]
    ends = [k for k, line in enumerate(rest[1:]) if line and set(line) == {"-"}]
    heads = [line for line in rest[: ends[0] if ends else None] if line and not line.startswith(" ")]
    return [name.strip("* ") for line in heads for name in line.partition(" :")[0].split(",")]


@pytest.mark.parametrize("name, one", [pytest.param(*pair, id=pair[0]) for pair in members()])
def test_parameters_are_documented(name, one):
    """Also where numpydoc, which finds more, is not installed."""
    if fields(one) is not None or isinstance(one, property):
        return
    one = getattr(one, "__func__", one)
    try:
        signature = inspect.signature(one)
    except ValueError:  # of a class that only Python's own classes construct
        return
    names = [name for name in signature.parameters if name not in ("self", "cls")]
    assert documented(inspect.getdoc(one) or "", "Parameters") == names


def test_documented_reads_sections():
    text = "Do it.\n\nParameters\n----------\na, b : float\n    Two.\n**c\n    More.\n\nReturns\n-------\nint\n    One."
    assert documented(text, "Parameters") == ["a", "b", "c"] and documented(text, "Returns") == ["int"]


def takes_arguments(one):
    """Whether a function or method takes arguments besides its object."""
    if isinstance(one, property) or inspect.isclass(one):
        return False
    names = inspect.signature(getattr(one, "__func__", one)).parameters
    return not names.keys() <= {"self", "cls"}


@pytest.mark.parametrize("name, one", [pytest.param(*pair, id=pair[0]) for pair in members() if takes_arguments(pair[1])])
def test_functions_say_what_they_raise(name, one):
    docscrape = pytest.importorskip("numpydoc.docscrape", reason="numpydoc is not installed: make docs installs it")
    one = getattr(one, "__func__", one)
    assert name in RAISES_NOTHING or docscrape.NumpyDocString(inspect.getdoc(one) or "")["Raises"]


def test_methods_are_called_in_an_example():
    """Of the method, or of another member of its class, or of the class."""
    shown, called = {}, []
    for name, one in members():
        owner = name if inspect.isclass(one) else name.rpartition(".")[0]
        examples = [line for line in (inspect.getdoc(one) or "").splitlines() if line.startswith((">>> ", "... ", "    "))]
        shown[owner] = shown.get(owner, "") + "\n".join(examples)
        if takes_arguments(one) and inspect.isclass(owner_of(owner)):
            called.append(name)
    wanted = [name for name in called if f".{name.rpartition('.')[2]}(" not in shown[name.rpartition(".")[0]]]
    assert set(wanted) == CALLED_WITHOUT_EXAMPLE, "no example"


def owner_of(name):
    """The module or class of a full name."""
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last) if module else ccd


def test_members_finds_what_is_public():
    names = [name for name, _ in members()]
    assert len(names) == len(set(names)) > 150
    assert {"ccd.Mesh", "ccd.Mesh.counts", "ccd.step.earliest", "ccd.rigid.Motion.at"} <= set(names)
    assert {"ccd.view.Page.write", "ccd.view.Page.add_mesh"} <= set(names)
