"""Puts the shared library into a wheel, tagged for the oldest system that can load it, and Go's sources into an sdist.

The library is CCD_LIBRARY, or the one `make lib` left in the checkout's build/, or, in an unpacked sdist, one that is built
from the sources in there. An editable install takes none: there the package finds the checkout's build/ when it is used.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The library's file by the first word of a platform tag, as it is built and as it lies in a wheel.
NAMES = {"manylinux": "libccd-toi.so.1", "linux": "libccd-toi.so.1", "macosx": "libccd-toi.1.dylib", "win": "ccd-toi.dll"}
SYSTEMS = {"darwin": "macosx", "win32": "win"}

# Go's sources in an sdist, in the folder go/, as they lie in the checkout.
SOURCES = {".go", ".s", ".c", ".h", ".sh", ".map", ".mod", ".sum", ".txt", ".cl", ".bz2"}
FOLDERS = ("capi", "core", "gpu", "simd", "include")
LICENSES = ("LICENSE", "packaging/third_party.txt")

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
            tag = _platform(library)
            build_data["force_include"][str(library)] = "ccd/" + NAMES[tag.split("_")[0]]
            build_data["force_include"] |= {str(_checkout(root) / file): f"ccd/{Path(file).name}" for file in LICENSES}
            build_data["force_include"][str(_checkout(root) / "include" / "ccd" / "device.h")] = "ccd/include/ccd/device.h"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{tag}"


def _checkout(root: Path) -> Path:
    """The folder with Go's sources: the checkout, or an sdist's go/."""
    for place in (root / "go", root.parents[1]):
        if (place / "capi" / "build.sh").is_file():
            return place
    raise FileNotFoundError(f"{root}: Go's sources are neither in go/ nor two folders up")


def _sources(root: Path) -> list[tuple[Path, str]]:
    checkout = _checkout(root)
    found = [checkout / name for name in ("go.mod", "go.sum", *LICENSES)]
    for folder in FOLDERS:
        found += sorted(path for path in (checkout / folder).rglob("*") if path.suffix in SOURCES)
    own = {"_gen", "testdata", "test", "ccdtest"}
    kept = [path for path in found if not own & set(path.relative_to(checkout).parts) and not path.name.endswith("_test.go")]
    return [(path, f"go/{path.relative_to(checkout)}") for path in kept]


def _library(root: Path) -> Path:
    given = os.environ.get("CCD_LIBRARY")
    checkout, name = _checkout(root), NAMES[SYSTEMS.get(sys.platform, "linux")]
    if given:
        library = Path(given).resolve()
    elif checkout == root / "go":
        subprocess.run(["sh", str(checkout / "capi" / "build.sh"), str(root / "build"), "stripped"], check=True)
        library = root / "build" / name
    else:
        library = checkout / "build" / name
    if not library.is_file():
        raise FileNotFoundError(f"{library}: build the shared library first (make lib), or set CCD_LIBRARY")
    return library


def _platform(library: Path) -> str:
    """The platform tag, read from the library itself, which may be built for another system or processor."""
    start = library.read_bytes()[:4096]
    if start[:4] == b"\x7fELF":
        return _elf_platform(library)
    if start[:2] == b"MZ":
        (header,) = struct.unpack_from("<I", start, 60)
        return {0x8664: "win_amd64", 0xAA64: "win_arm64"}[struct.unpack_from("<H", start, header + 4)[0]]
    return _mach_platform(library)


def _mach_platform(library: Path) -> str:
    """macosx_N_M: the oldest macOS that the library names."""
    from macholib.mach_o import LC_BUILD_VERSION
    from macholib.MachO import MachO

    (header,) = MachO(str(library)).headers
    (oldest,) = [command.minos for load, command, _ in header.commands if load.cmd == LC_BUILD_VERSION]
    processor = {0x01000007: "x86_64", 0x0100000C: "arm64"}[header.header.cputype]
    return f"macosx_{oldest >> 16}_{oldest >> 8 & 255}_{processor}"


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
