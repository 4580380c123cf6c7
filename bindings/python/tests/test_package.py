"""What is handed out: wheels, tagged for the oldest system that can load them, and an sdist that builds with Go."""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import CHECKOUT

import ccd

PROJECT = CHECKOUT / "bindings" / "python"
LIBRARY = "ccd/libccd-toi.so.1"
linux = pytest.mark.skipif(sys.platform != "linux", reason="tags are told by the library on Linux only")


def build(kind, folder, source=PROJECT, **environment):
    """What the build backend makes of the project, with the tools of this environment."""
    code = f"from hatchling.build import build_{kind}; print(build_{kind}({str(folder)!r}))"
    environment = {k: v for k, v in os.environ.items() if k != "CCD_LIBRARY"} | environment
    result = subprocess.run([sys.executable, "-c", code], cwd=source, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return folder / result.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def use(wheel, folder):
    """Unpack a wheel and use it from there, as an installer would lay it out; returns where its library was found."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    code = "import ccd; print(ccd.pair.point_point([0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0]).toi_lo, ccd.library_path())"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CCD_")} | {"PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder, capture_output=True, text=True)


def glibc_asked(library):
    """The newest version of glibc that a library asks for, as binutils reads it."""
    text = subprocess.run(["readelf", "-V", "-W", library], capture_output=True, text=True, check=True).stdout
    return max(tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", text))


@linux
def test_the_wheel_runs_on_glibc_2_17(wheel, tmp_path):
    """The tag is what auditwheel finds, and no symbol is younger than the tag says."""
    asked = re.fullmatch(r"ccd_toi-[\d.]+-py3-none-manylinux_2_(\d+)_\w+\.whl", wheel.name)
    assert asked and int(asked.group(1)) == 17
    with zipfile.ZipFile(wheel) as archive:
        archive.extract(LIBRARY, tmp_path)
    assert glibc_asked(tmp_path / LIBRARY) <= (2, 17)
    pytest.importorskip("auditwheel")
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True, check=True)
    platform = wheel.name.split("-")[-1].removesuffix(".whl")
    assert f'"{platform}"' in shown.stdout.replace("\n", " "), shown.stdout


@pytest.fixture(scope="module")
def hook():
    """The module hatch_build.py."""
    spec = importlib.util.spec_from_file_location("hatch_build", PROJECT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("machine", "tag"), [(0x8664, "win_amd64"), (0xAA64, "win_arm64")])
def test_tags_of_windows_are_read_from_the_dll(hook, tmp_path, machine, tag):
    library = tmp_path / "ccd-toi.dll"
    library.write_bytes(b"MZ" + bytes(58) + struct.pack("<I", 128) + bytes(64) + b"PE\0\0" + struct.pack("<H", machine))
    assert hook._platform(library) == tag


@pytest.mark.parametrize(("cputype", "tag"), [(0x01000007, "macosx_12_0_x86_64"), (0x0100000C, "macosx_12_3_arm64")])
def test_tags_of_macos_are_read_from_the_dylib(hook, tmp_path, cputype, tag):
    """A header and one load command: LC_BUILD_VERSION with the oldest system."""
    pytest.importorskip("macholib")
    library = tmp_path / "libccd-toi.1.dylib"
    minor = int(tag.split("_")[2])
    header = struct.pack("<8I", 0xFEEDFACF, cputype, 0, 6, 1, 24, 0, 0)
    library.write_bytes(header + struct.pack("<6I", 0x32, 24, 1, 12 << 16 | minor << 8, 12 << 16, 0))
    assert hook._platform(library) == tag


def test_the_wheel_holds_library_types_and_licenses(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert "MIT License" in archive.read("ccd/LICENSE").decode()
        assert "gonum" in archive.read("ccd/third_party.txt").decode()
        metadata = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    pages = {f"ccd/view/page/{name}" for name in ("index.html", "style.css", "main.js", "gl.js", "export.js")}
    assert {"ccd/include/ccd/device.h", "ccd/py.typed", *pages} <= set(names)
    assert f"\nVersion: {ccd.__version__}\n" in metadata and "\nRequires-Dist: numpy" in metadata


def test_the_wheel_brings_its_own_library(wheel, tmp_path):
    result = use(wheel, tmp_path)
    assert result.stdout.split()[0] == "0.5", result.stderr
    assert result.stdout.split()[1].startswith(str(tmp_path))


def test_the_same_wheel_twice(wheel, tmp_path):
    assert build("wheel", tmp_path).read_bytes() == wheel.read_bytes()


@linux
@pytest.mark.skipif(not shutil.which("aarch64-linux-gnu-gcc"), reason="no cross compiler for aarch64")
@pytest.mark.long
def test_the_wheel_for_aarch64_is_tagged_so(tmp_path):
    environment = {"GOARCH": "arm64", "CC": "aarch64-linux-gnu-gcc"}
    subprocess.run(["sh", CHECKOUT / "capi" / "build.sh", tmp_path, "stripped"], env=os.environ | environment, check=True)
    library = tmp_path / "libccd-toi.so.1"
    sections = subprocess.run(["readelf", "-S", "-W", library], capture_output=True, text=True, check=True).stdout
    assert ".symtab" in sections and ".debug" not in sections
    wheel = build("wheel", tmp_path, CCD_LIBRARY=str(library))
    assert wheel.name.endswith("-py3-none-manylinux_2_17_aarch64.whl")
    assert glibc_asked(library) == (2, 17)


@pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")
@pytest.mark.long
def test_the_sdist_builds_by_itself(wheel, tmp_path):
    """The sdist holds what Go needs; the wheel that is built from it has the files of the one from the checkout."""
    sdist = build("sdist", tmp_path)
    with tarfile.open(sdist) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # Debian 12's Python has none
        archive.extractall(tmp_path, **safely)
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    built = build("wheel", tmp_path / "again", source=unpacked)
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(built) as theirs:
        assert theirs.namelist() == ours.namelist()
    assert use(built, tmp_path / "used").stdout.startswith("0.5 ")
    assert build("sdist", tmp_path / "twice", source=unpacked).read_bytes() == sdist.read_bytes()


def test_the_version_is_one():
    header = int(re.search(r"#define CCD_VERSION (\d+)", (CHECKOUT / "include" / "ccd.h").read_text()).group(1))
    assert f"{header // 10000}.{header // 100 % 100}.{header % 100}" == ccd.__version__
    assert f"project(ccd-toi VERSION {ccd.__version__} " in (CHECKOUT / "CMakeLists.txt").read_text()


@pytest.fixture(scope="module")
def bill():
    """The bill of materials, as text."""
    if not shutil.which("go"):
        pytest.skip("Go is not installed")
    command = ["go", "run", "./packaging/sbom", "build/libccd-toi.so.1"]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout


def test_the_bill_of_materials_is_valid(bill):
    """By the published schema of CycloneDX 1.5, in its strict form, which knows the names of licenses too."""
    pytest.importorskip("jsonschema")
    json_validator = pytest.importorskip("cyclonedx.validation.json").JsonStrictValidator
    validator = json_validator(pytest.importorskip("cyclonedx.schema").SchemaVersion.V1_5)
    assert validator.validate_str(bill) is None
    assert validator.validate_str(bill.replace('"BSD-3-Clause"', '"BSD-Three"')) is not None


def test_the_bill_of_materials_names_what_is_linked(bill):
    bill = json.loads(bill)
    library = hashlib.sha256((CHECKOUT / "build" / "libccd-toi.so.1").read_bytes()).hexdigest()
    assert bill["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": library}]
    assert bill["metadata"]["component"]["version"] == ccd.__version__
    named = {(c["name"], c["version"]) for c in bill["components"]}
    required = re.findall(r"^\t(\S+) (v\S+)$", (CHECKOUT / "go.mod").read_text(), re.M)
    assert {name for name, _ in named} >= {"std"} and named - {c for c in named if c[0] == "std"} <= set(required)
    licenses = (CHECKOUT / "packaging" / "third_party.txt").read_text()
    assert all(f"{name} {version}" in licenses for name, version in named if name != "std")


def database(folder, package):
    """A vulnerability database in the form of vuln.go.dev that knows of one, in a function of the package."""
    known = {"id": "GO-2026-0001", "modified": "2026-01-01T00:00:00Z"}
    affected = {
        "package": {"name": package, "ecosystem": "Go"},
        "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
        "ecosystem_specific": {"imports": [{"path": package, "symbols": ["Save"]}]},
    }
    told = known | {"schema_version": "1.3.1", "summary": "made up", "affected": [affected], "database_specific": {"url": ""}}
    files = {
        "index/db.json": {"modified": known["modified"]},
        "index/modules.json": [{"path": package, "vulns": [known]}],
        "index/vulns.json": [known],
        "ID/GO-2026-0001.json": told,
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content))
    return f"file://{folder}"


@pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")
@pytest.mark.long
def test_vulnerabilities_are_found_or_nobody_looked(tmp_path):
    """What is linked in is found; a database that cannot be reached is said to be so, and is no pass."""

    def look(place, **more):
        command = ["sh", "packaging/vulnerabilities.sh", "build/libccd-toi.so.1"]
        environment = os.environ | {"GOVULNDB": place} | more
        result = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True)
        if "govulncheck@" in result.stderr:
            pytest.skip("govulncheck cannot be had")
        return result.returncode, result.stdout.removeprefix("known vulnerabilities: ").split(",")[0].strip()

    assert look(database(tmp_path / "linked", "github.com/mattn/go-pointer")) == (3, "FOUND")
    assert look(database(tmp_path / "other", "example.org/other")) == (0, "none")
    assert look("https://vuln.go.dev", HTTPS_PROXY="http://127.0.0.1:9") == (4, "NOT CHECKED")
    assert look(f"file://{tmp_path}/nowhere") == (1, "the check failed")


def test_every_fuzz_target_is_listed():
    script = CHECKOUT / "packaging" / "fuzz_targets.sh"
    listed = subprocess.run(["sh", script], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    files = [path for folder in ("core", "gpu", "simd", "capi") for path in (CHECKOUT / folder).rglob("*_test.go")]
    written = [
        f"{'/'.join(('ccd', *path.parent.relative_to(CHECKOUT).parts))} {name}"
        for path in [*files, *CHECKOUT.glob("*_test.go")]
        for name in re.findall(r"^func (Fuzz[A-Z0-9]\w*)\(f \*testing\.F\)", path.read_text(), re.M)
    ]
    assert sorted(" ".join(line.split()[:2]) for line in listed.splitlines()) == sorted(written) and len(written) > 10
    programs = [line.split()[2] for line in listed.splitlines()]
    assert len(set(programs)) == len(programs)
