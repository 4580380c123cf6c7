"""Puts the shared library into a wheel and tags the wheel for its platform.

The library is CCD_LIBRARY, or the one `make lib` left in the checkout's build/. An editable install takes neither: there the
package finds the checkout's build/ when it is used.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAMES = {"darwin": "libccd-toi.1.dylib", "win32": "ccd-toi-1.dll"}
BUILT = {"darwin": "libccd.dylib", "win32": "ccd.dll"}


class SharedLibrary(BuildHookInterface):
    def initialize(self, version: str, build_data: dict) -> None:
        if version == "editable":
            return
        built = Path(self.root, "..", "..", "build", BUILT.get(sys.platform, "libccd.so"))
        library = Path(os.environ.get("CCD_LIBRARY") or built).resolve()
        if not library.is_file():
            raise FileNotFoundError(f"{library}: build the shared library first (make lib), or set CCD_LIBRARY")
        build_data["force_include"][str(library)] = "ccd/" + NAMES.get(sys.platform, "libccd-toi.so.1")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
