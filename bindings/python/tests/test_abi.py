"""The declarations against the header, and the search for the library."""

import ctypes
import os
import pickle
import re
import subprocess
import sys

import pytest
from conftest import CHECKOUT

import ccd
from ccd._native import abi

HEADER = (CHECKOUT / "include" / "ccd.h").read_text()
STRUCTS = [
    (abi.Stats, "stats"), (abi.Options, "options"), (abi.Impact, "impact"), (abi.Interval, "interval"),
    (abi.Clearance, "clearance"),
    (abi.LinesearchBound, "linesearch_bound"), (abi.Constraint, "constraint"),
    (abi.Intersection, "intersection"), (abi.NearPair, "near_pair"), (abi.RigidMotion, "rigid_motion"),
    (abi.RigidImpact, "rigid_impact"),
    (abi.RigidSceneImpact, "rigid_scene_impact"), (abi.RigidMeshImpact, "rigid_mesh_impact"),
    (abi.PatchForm, "patch_form"), (abi.PatchImpact, "patch_impact"), (abi.PatchUnresolved, "patch_unresolved"),
    (abi.VolumeImpact, "volume_impact"),
]  # fmt: skip


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=os.environ | environment
    )


def test_every_function_of_the_header_is_declared():
    code = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    declared = re.findall(r"\b(ccd_\w+)\((?!\*)[^;{]*\);", code)
    assert sorted(declared) == sorted(abi.PROTOTYPES)


def test_argument_counts_are_those_of_the_header():
    code = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    for name, arguments in re.findall(r"\b(ccd_\w+)\((?!\*)([^;{]*)\);", code):
        count = 0 if arguments.strip() == "void" else arguments.count(",") + 1
        assert len(abi.PROTOTYPES[name][1]) == count, name


@pytest.mark.parametrize("struct, name", STRUCTS)
def test_structs_have_the_members_of_the_header_in_order(struct, name):
    body = re.search(rf"typedef struct ccd_{name} {{(.*?)}} ccd_{name};", HEADER, re.S).group(1)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    members = [m for line in body.split(";") for m in re.findall(r"(\w+)(?:\[\d\])?(?=,|$)", line.strip())]
    assert members == [field for field, _ in struct._fields_]


def test_impact_is_120_bytes_in_ctypes_and_numpy():
    assert ctypes.sizeof(abi.Impact) == ccd.impact_dtype.itemsize == 120
    for name, _ in abi.Impact._fields_:
        assert getattr(abi.Impact, name).offset == ccd.impact_dtype.fields[name][1], name
    documented = {"verdict": 0, "a": 8, "toi_lo": 24, "u": 40, "point": 56, "normal": 80, "width": 104, "flags": 112}
    for name, offset in documented.items():
        assert ccd.impact_dtype.fields[name][1] == offset


def test_constraints_are_184_bytes_in_ctypes_and_numpy():
    assert ctypes.sizeof(abi.Constraint) == ccd.constraint_dtype.itemsize == 184
    for name, _ in abi.Constraint._fields_:
        assert getattr(abi.Constraint, name).offset == ccd.constraint_dtype.fields[name][1], name


def test_gradients_are_288_bytes_in_ctypes_and_numpy():
    assert ctypes.sizeof(abi.Gradient) == ccd.gradient_dtype.itemsize == 288
    for name, _ in abi.Gradient._fields_:
        assert getattr(abi.Gradient, name).offset == ccd.gradient_dtype.fields[name][1], name
    states = dict(re.findall(r"#define CCD_GRADIENT_(\w+) (\d+)", HEADER))
    assert {name: int(value) for name, value in states.items()} == {s.name: s.value for s in ccd.GradientState}


def test_intervals_are_48_bytes_in_ctypes_and_numpy():
    assert ctypes.sizeof(abi.Interval) == ccd.interval_dtype.itemsize == 48
    for name, _ in abi.Interval._fields_:
        assert getattr(abi.Interval, name).offset == ccd.interval_dtype.fields[name][1], name
    assert f"#define CCD_FINAL_CONTACT {ccd.FINAL_CONTACT}u" in HEADER


def test_version_of_the_header_is_ours():
    assert int(re.search(r"#define CCD_VERSION (\d+)", HEADER).group(1)) == abi.VERSION
    major, minor, patch = (int(part) for part in ccd.__version__.split("."))
    assert ccd.version() >= major * 10000 + minor * 100 + patch == abi.VERSION


def test_statuses_are_those_of_the_header():
    numbers = dict(re.findall(r"#define (CCD_E_\w+) \((-\d+)\)", HEADER))
    named = [e for name, e in vars(ccd.errors).items() if isinstance(e, type) and not name.startswith("_")]
    known = [e for e in named if issubclass(e, ccd.Error) and e.status]
    assert sorted(int(n) for n in numbers.values()) == sorted(e.status for e in known)
    for name, number in numbers.items():
        assert abi.library().ccd_status_name(int(number)).decode() == name


@pytest.mark.parametrize(
    "status, builtin",
    [(-1, ValueError), (-2, ValueError), (-3, IndexError), (-5, MemoryError), (-7, RuntimeError), (-8, NotImplementedError),
     (-10, OSError), (-99, Exception)],
)  # fmt: skip
def test_errors_are_also_the_built_in_ones(status, builtin):
    error = ccd.errors.from_status(status, "faces[3] is wrong")
    assert isinstance(error, ccd.Error) and isinstance(error, builtin)
    assert error.status == status and str(error) == "faces[3] is wrong"


def test_import_does_not_load_the_library():
    result = run("import ccd, ccd.cli; print('libccd-toi' in open('/proc/self/maps').read())")
    assert result.stdout.strip() == "False", result.stderr


def test_ccd_library_in_the_environment_comes_first(tmp_path):
    copy = tmp_path / "elsewhere.so"
    copy.write_bytes(ccd.library_path().read_bytes())
    result = run("import ccd; print(ccd.library_path()); ccd.version()", CCD_LIBRARY=str(copy))
    assert result.stdout.strip() == str(copy), result.stderr


def test_a_library_that_is_not_there_is_an_error_that_says_so():
    result = run("import ccd; ccd.version()", CCD_LIBRARY="/nowhere/libccd.so")
    assert "LibraryError: CCD_LIBRARY is '/nowhere/libccd.so': no such file" in result.stderr


def test_another_library_is_an_error_not_a_crash(tmp_path):
    fake = tmp_path / "libccd.so"
    fake.write_bytes(b"not a library")
    assert "LibraryError" in run("import ccd; ccd.version()", CCD_LIBRARY=str(fake)).stderr


def test_null_and_foreign_pointers_are_statuses():
    """Calls with NULL or absurd arguments through the bare C interface are statuses, not crashes."""
    lib, impact = abi.library(), abi.Impact()
    assert lib.ccd_pair_vertex_face(None, None, ctypes.byref(impact)) == -1
    assert lib.ccd_pair_vertex_face((ctypes.c_double * 24)(), None, None) == -1
    assert lib.ccd_pairs_vertex_face(None, 1, None, None) == -1
    assert lib.ccd_mesh_create(3, None, 0, None, 1, None) == -1
    assert lib.ccd_mesh_destroy(None) == -4
    assert lib.ccd_mesh_destroy(12345) == -4
    out = ctypes.c_void_p(1)
    assert lib.ccd_broad_candidates(None, None, None, 0, None, ctypes.byref(out)) == -4
    assert not out.value


@pytest.mark.parametrize("n", [2**61, 2**63, 2**64 - 1])
def test_a_count_that_overflows_is_an_argument_error(n):
    q = (ctypes.c_double * 24)()
    impact = abi.Impact()
    assert abi.library().ccd_pairs_vertex_face(q, n, None, ctypes.byref(impact)) in (-1, -5)
    assert abi.last_error()


def test_an_impact_takes_every_field_of_the_struct():
    for verdict in ccd.Verdict:
        for kind in (None, ccd.proximity.EDGE_FACE, *ccd.Kind):
            numbers = iter(range(3, 30))
            c = abi.Impact(verdict=verdict, kind=kind or 0)
            c.a, c.b, c.flags = next(numbers), -next(numbers), 2**32 - next(numbers)
            for name in ("toi_lo", "toi_hi", "u", "v", "width"):
                setattr(c, name, next(numbers) / 7)
            for vector in (c.point, c.normal):
                vector[:] = [next(numbers) / 7 for _ in range(3)]
            got = ccd.Impact._from_c(c)
            fields = (c.a, c.b, c.toi_lo, c.toi_hi, c.u, c.v, tuple(c.point), tuple(c.normal), c.width, c.flags)
            want = ccd.Impact(verdict, kind, *fields)
            assert got == want and hash(got) == hash(want) and repr(got) == repr(want), (verdict, kind)
            assert [type(x) for x in vars(got).values()] == [type(x) for x in vars(want).values()]
            assert pickle.loads(pickle.dumps(got)) == want
            with pytest.raises(AttributeError):
                got.a = 1
