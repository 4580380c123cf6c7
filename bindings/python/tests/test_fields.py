"""Lists of fields that are written by hand agree with what they list."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import ccd

ROOT = Path(__file__).resolve().parents[3]


def filled(kind):
    """An object of a dataclass of numbers, each different."""
    values = {}
    for k, field in enumerate(dataclasses.fields(kind), 1):
        plain = {"int": k, "float": float(k), "bool": True}
        values[field.name] = plain.get(field.type, {kind: k for kind in ccd.Stats().candidates})
    return kind(**values)


def test_reduce_takes_all_fields_of_statistics():
    """A field that no rule combined would be dropped: adding nothing keeps all, and a sum has none of the defaults."""
    cd = pytest.importorskip("ccd.distributed")
    full = filled(ccd.Stats)
    assert cd.reduce(full, ccd.Stats()) == full == cd.reduce(ccd.Stats(), full)
    both = cd.reduce(full, full)
    for field in dataclasses.fields(ccd.Stats):
        assert getattr(both, field.name) != getattr(ccd.Stats(), field.name), field.name


@pytest.mark.parametrize(
    "kind, dtype, other",
    [
        (ccd.Impact, ccd.impact_dtype, {"reserved"}),
        (ccd.patch.Impact, ccd.patch.impact_dtype, set()),
        (ccd.rigid.Impact, ccd.rigid.impact_dtype, set()),
    ],
)
def test_impacts_have_the_fields_of_their_records(kind, dtype, other):
    assert {f.name for f in dataclasses.fields(kind)} | other == set(dtype.names)
    record = np.zeros(1, dtype)
    for k, name in enumerate(dtype.names):
        record[name] = 1 if name in ("verdict", "kind") else k + 2
    made = kind.from_record(record[0])
    for f in dataclasses.fields(kind):
        assert np.array_equal(getattr(made, f.name), record[f.name][0]), f.name
    left_out = {f.name for f in dataclasses.fields(kind)} - set(made.as_dict())
    assert left_out <= {"flags"}  # the facts of flags have names of their own


def test_statistics_of_javascript_are_declared():
    """index.d.ts declares the statistics that bindings/js/wasm fills in, and the fields that values.js gives an impact."""
    if not (ROOT / "bindings" / "js").is_dir():
        pytest.skip("not in a checkout")
    declared = (ROOT / "bindings/js/index.d.ts").read_text()

    def names(interface):
        body = re.search(rf"export interface {interface} {{(.*?)\n}}", declared, re.DOTALL).group(1)
        return set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE))

    filled_in = re.search(r"range map\[string\]any{(.*?)\n\t\t}", (ROOT / "bindings/js/wasm/values.go").read_text(), re.DOTALL)
    assert names("Stats") == set(re.findall(r'"(\w+)":', filled_in.group(1)))
    made = re.search(r"function impact\(r\) {.*?return {(.*?)\n  };", (ROOT / "bindings/js/values.js").read_text(), re.DOTALL)
    assert names("Impact") == set(re.findall(r"(\w+):", made.group(1)))
