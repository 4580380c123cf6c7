"""docs/reference/bindings.md: every public name of three modules has a row, and the names of other languages exist."""

import inspect
import re
from pathlib import Path

import pytest

import ccd

CHECKOUT = Path(__file__).resolve().parents[3]
PAGE = CHECKOUT / "docs" / "reference" / "bindings.md"
MODULES = {"step": ccd.step, "rigid": ccd.rigid, "robot": ccd.robot}
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="not in a checkout")


def rows(module):
    """The rows of the table of a module: names in Python, C++ and, where there is a column, Go."""
    section = re.search(rf"^## ccd\.{module}$(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S)
    table = [line.strip("| ").split(" | ") for line in section[1].splitlines() if line.startswith("| ")]
    names = [[re.fullmatch(r"`([\w.:]+)`|-", cell.strip()) for cell in row[: len(table[0]) - 1]] for row in table[1:]]
    assert all(all(row) for row in names), table
    return [[cell[1] for cell in row] for row in names]


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_a_row(module):
    listed = [row[0] for row in rows(module)]
    public = {
        name
        for name in MODULES[module].__all__
        if not name.endswith("_dtype") and not name.isupper() and (callable(getattr(MODULES[module], name)) or name == "ompl")
    }
    assert len(listed) == len(set(listed)) and set(listed) == public


@pytest.mark.parametrize("module", MODULES)
def test_names_of_other_languages_exist(module):
    headers = {p.stem: p.read_text("utf-8") for p in (CHECKOUT / "bindings" / "cpp" / "include" / "ccd").glob("*.hpp")}
    go = "".join(p.read_text("utf-8") for p in CHECKOUT.glob("*.go") if not p.name.endswith("_test.go"))
    files = {"step": ["step", "jacobian", "broad"], "rigid": ["rigid", "pose"], "robot": ["robot", "urdf", "spline"]}
    for python, cpp, *other in rows(module):
        if cpp:
            *owners, name = cpp.split("::")
            places = files[owners[0]] if owners and owners[0] in files else ["common", "step"]
            text = "".join(headers[place] for place in places)
            assert re.search(rf"\b(?:struct|class|using) {name}\b|\b{name}\(", text), python
            for owner in owners:
                assert re.search(rf"\b(?:struct|class|namespace) {owner}\b", text), python
        if other and other[0]:
            owner, _, name = other[0].rpartition(".")
            pattern = (
                rf"^func \(\w+ \*?{owner}\) {name}\("
                if owner
                else rf"^(?:func {name}\(|func {name}\[|type {name} )|^\t{name} +="
            )
            assert re.search(pattern, go, re.M), python


def test_what_a_dash_says_of_a_language_is_true():
    """A name that C++ or Go has under the same name has no dash."""
    go = "".join(p.read_text("utf-8") for p in CHECKOUT.glob("*.go") if not p.name.endswith("_test.go"))
    for module in ("step", "rigid"):
        for python, _, in_go in rows(module):
            camel = "".join(part[0].upper() + part[1:] for part in python.split("_"))
            if in_go is None:
                prefix = {"step": "", "rigid": "Rigid"}[module]
                assert not re.search(rf"^func (?:\(\w+ \*Step\) )?{prefix}{camel}\(", go, re.M), python
    assert inspect.ismodule(ccd.robot.ompl)
