"""The example programs in C, C++, Go and Python are built, run on one generated step, and must print the same bits.

python agree.py FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", f"-I{ROOT}/bindings/cpp/include"]
LINK = [f"-L{ROOT}/build", "-lccd", f"-Wl,-rpath,{ROOT}/build"]


def programs(folder: Path) -> dict[str, list[str]]:
    """Builds the examples: language -> command."""
    cc, cxx = os.environ.get("CC", "cc"), os.environ.get("CXX", "c++")
    c, cpp, go = (str(folder / f"step_{language}") for language in ("c", "cpp", "go"))
    subprocess.run([cc, "-std=c99", *FLAGS, str(ROOT / "examples/c/step.c"), "-o", c, *LINK], check=True)
    subprocess.run([cxx, "-std=c++17", *FLAGS, str(ROOT / "examples/cpp/step.cpp"), "-o", cpp, *LINK], check=True)
    subprocess.run(["go", "build", "-o", go, "./examples/go"], cwd=ROOT, check=True)
    return {"C": [c], "C++": [cpp], "Go": [go], "Python": [sys.executable, str(ROOT / "examples/python/step.py")]}


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(ROOT / "examples/demo/frames.py"), str(folder), "20"], check=True)
    frames = [str(folder / "frame0.ply"), str(folder / "frame1.ply")]
    commands = programs(folder)
    for extra in ([], ["0.001"]):
        printed = {}
        for language, command in commands.items():
            printed[language] = subprocess.run([*command, *frames, *extra], check=True, capture_output=True, text=True).stdout
        first = printed["C"]
        if "earliest: " not in first or first.count("\n") < 100:
            sys.exit(f"the step has too few impacts for a comparison:\n{first}")
        for language, text in printed.items():
            if text != first:
                sys.exit(f"the examples in C and {language} disagree: {frames} {extra}")
        print(f"C, C++, Go and Python agree to the bit on {first.count(chr(10)) - 3} impacts", *extra)


if __name__ == "__main__":
    main()
