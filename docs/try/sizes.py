"""Compares the sizes that the pages name with those of the build: python sizes.py PACKAGE PAGE [--write].

PACKAGE is the folder of the package for npm, PAGE the page of docs/try.md, as packaging/wasm.sh builds both. A figure
may be off by a twentieth, as sizes change a little with every commit; --write brings the pages up to date.
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
MEGABYTE = 1e6


def figures(package: Path, page: Path) -> dict[tuple[str, str], list[int]]:
    """The bytes behind each figure, by the page and the text around them."""
    wasm = (package / "ccd.wasm").read_bytes()
    return {
        ("howto/javascript.md", r"The file has ([\d.]+) MB, and ([\d.]+) MB when"): [len(wasm), len(gzip.compress(wasm, 9))],
        ("try.md", r"one file of ([\d.]+) MB"): [page.stat().st_size],
    }


def main() -> None:
    package, page, *write = sys.argv[1:]
    for (name, pattern), sizes in figures(Path(package), Path(page)).items():
        path = DOCS / name
        text = path.read_text("utf-8")
        match = re.search(pattern, text)
        if match is None:
            sys.exit(f"docs/{name} has no sizes: {pattern}")
        for number in reversed(range(len(sizes))):
            named, size = float(match.group(number + 1)), sizes[number] / MEGABYTE
            if write:
                start, end = match.span(number + 1)
                text = f"{text[:start]}{size:.1f}{text[end:]}"
            elif abs(named - size) > size / 20:
                sys.exit(f"docs/{name} says {named} MB, the build has {size:.2f}: run docs/try/sizes.py PACKAGE PAGE --write")
        if write:
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
