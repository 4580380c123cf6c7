"""The code of a Markdown file is compiled and run as it stands, and must print what its comments say.

python readme.py FILE.md FOLDER [--together]

Each fenced block that is C, C++ or Python is a whole program; with --together the Python blocks of a tutorial are one. A line
that prints carries the expected output as its comment.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", f"-I{ROOT}/bindings/cpp/include"]
LINK = [f"-L{ROOT}/build", "-lccd", f"-Wl,-rpath,{ROOT}/build"]
BLOCK = re.compile(r"^```(c|cpp|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTS = re.compile(r"print.*(?://|/\*|#)\s*(.*?)\s*(?:\*/)?$")


def run(language: str, code: str, base: Path) -> str:
    """Compiles a program and returns what it prints."""
    source = base.with_suffix({"c": ".c", "cpp": ".cpp", "python": ".py"}[language])
    source.write_text(code)
    command = [sys.executable, str(source)]
    if language != "python":
        compiler = os.environ.get("CC", "cc") if language == "c" else os.environ.get("CXX", "c++")
        standard = "-std=c99" if language == "c" else "-std=c++17"
        command = [str(base.with_suffix(""))]
        subprocess.run([compiler, standard, *FLAGS, str(source), "-o", *command, *LINK], check=True)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    text, folder = Path(sys.argv[1]).read_text(), Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    seen, together = set(), "--together" in sys.argv[3:]
    blocks = BLOCK.findall(text)
    if together:
        blocks = [("python", "\n".join(code for language, code in blocks if language == "python"))]
    for i, (language, code) in enumerate(blocks):
        expected = [m.group(1) for line in code.splitlines() if (m := PRINTS.search(line))]
        printed = run(language, code, folder / f"block{i}").splitlines()
        if not expected or printed != expected:
            sys.exit(f"{sys.argv[1]}: the {language} program prints {printed}, its comments say {expected}")
        seen.add(language)
        print(f"{sys.argv[1]}: the {language} program prints {', '.join(expected)}")
    if not together and seen != {"c", "cpp", "python"}:
        sys.exit(f"{sys.argv[1]} has programs in {sorted(seen)} only")


if __name__ == "__main__":
    main()
