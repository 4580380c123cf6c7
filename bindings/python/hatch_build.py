"""Puts the shared library into a wheel, tagged for the oldest system that can load it, and Go's sources into an sdist.

The library is CCD_LIBRARY, or the one `make lib` left in the checkout's build/, or, in an unpacked sdist, one that is built
from the sources in there. An editable install takes none: there the package finds the checkout's build/ when it is used.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAMES = {"darwin": "libccd-toi.1.dylib", "win32": "ccd-toi-1.dll"}
BUILT = {"darwin": "libccd.dylib", "win32": "ccd.dll"}

# Go's sources in an sdist, in the folder go/, as they lie in the checkout.
SOURCES = {".go", ".s", ".c", ".h", ".sh", ".map", ".mod", ".sum", ".txt", ".cl", ".gz"}
FOLDERS = ("capi", "core", "gpu", "simd", "include")
LICENCES = ("LICENSE", "packaging/third_party.txt")

# Go's runtime needs kernel 3.2; a system with an older glibc than this has an older kernel.
OLDEST_GLIBC = (2, 17)
SYSTEM_LIBRARIES = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


class Contents(BuildHookInterface):
    def initialize(self, version: str, build_data: dict) -> None:
        root = Path(self.root)
        if self.target_name == "sdist":
            build_data["force_include"] |= {str(path): name for path, name in _sources(root)}
        elif version != "editable":
            library = _library(root)
            build_data["force_include"][str(library)] = "ccd/" + NAMES.get(sys.platform, "libccd-toi.so.1")
            build_data["force_include"] |= {str(_checkout(root) / file): f"ccd/{Path(file).name}" for file in LICENCES}
            build_data["force_include"][str(_checkout(root) / "include" / "ccd" / "device.h")] = "ccd/include/ccd/device.h"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform(library)}"


def _checkout(root: Path) -> Path:
    """The folder with Go's sources: the checkout, or an sdist's go/."""
    for place in (root / "go", root.parents[1]):
        if (place / "capi" / "build.sh").is_file():
            return place
    raise FileNotFoundError(f"{root}: Go's sources are neither in go/ nor two folders up")


def _sources(root: Path) -> list[tuple[Path, str]]:
    checkout = _checkout(root)
    found = [checkout / name for name in ("go.mod", "go.sum", *LICENCES)]
    for folder in FOLDERS:
        found += sorted(path for path in (checkout / folder).rglob("*") if path.suffix in SOURCES)
    own = {"_gen", "testdata", "test", "ccdtest"}
    kept = [path for path in found if not own & set(path.relative_to(checkout).parts) and not path.name.endswith("_test.go")]
    return [(path, f"go/{path.relative_to(checkout)}") for path in kept]


def _library(root: Path) -> Path:
    given = os.environ.get("CCD_LIBRARY")
    checkout = _checkout(root)
    if given:
        library = Path(given).resolve()
    elif checkout == root / "go":
        subprocess.run(["sh", str(checkout / "capi" / "build.sh"), str(root / "build"), "stripped"], check=True)
        library = (root / "build" / "libccd.so").resolve()
    else:
        library = (checkout / "build" / BUILT.get(sys.platform, "libccd.so")).resolve()
    if not library.is_file():
        raise FileNotFoundError(f"{library}: build the shared library first (make lib), or set CCD_LIBRARY")
    return library


def _platform(library: Path) -> str:
    """The platform tag: on Linux read from the library itself, which may be built for another processor."""
    if library.read_bytes()[:4] == b"\x7fELF":
        return _elf_platform(library)
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _elf_platform(library: Path) -> str:
    """manylinux_2_N when nothing but glibc 2.N is needed [PEP 600]; else plain linux, for this machine only."""
    from elftools.elf.elffile import ELFFile

    with library.open("rb") as file:
        elf = ELFFile(file)
        processor = {"EM_X86_64": "x86_64", "EM_AARCH64": "aarch64"}.get(elf["e_machine"], elf["e_machine"][3:].lower())
        needed = {tag.needed for tag in elf.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")}
        section = elf.get_section_by_name(".gnu.version_r")
        versions = [aux.name for _, auxes in section.iter_versions() for aux in auxes] if section else []
    if not needed <= SYSTEM_LIBRARIES or any(not version.startswith("GLIBC_") for version in versions):
        return f"linux_{processor}"
    needs = max((tuple(map(int, version[6:].split(".")[:2])) for version in versions), default=OLDEST_GLIBC)
    return "manylinux_{}_{}_{}".format(*max(needs, OLDEST_GLIBC), processor)
