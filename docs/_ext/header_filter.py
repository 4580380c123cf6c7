"""Doxygen's input filter: prints a header with its comments in Doxygen's form.

python header_filter.py HEADER

- `/* ---- step ---- */` begins a group, which lasts until the next one.
- A line of a comment that begins with a parameter's name and two or more spaces becomes `@param`; lines below it that are
  indented further continue it.
- A comment behind a member of a struct, or behind a macro, documents it.
- Indented lines, and columns, stay as they stand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SECTION = re.compile(r"^/\* -{4} (?P<title>.*?) -{4,} \*/$")
COLUMN = re.compile(r"^(?P<name>\*?[a-z_]\w*(?:, [a-z_]\w*)*) {2,}(?P<text>\S.*)$")


def comment(lines: list[str]) -> list[str]:
    """The text of one comment, without its stars."""
    out: list[str] = []
    block, column = False, 0
    for line in lines:
        found = COLUMN.match(line)
        indent = len(line) - len(line.lstrip())
        if column and line.strip() and indent >= column:
            out.append("  " + line.strip())
            continue
        column = 0
        verbatim = bool(line.strip()) and indent > 0 and not line.lstrip().startswith(("- ", "1.", "2.", "3."))
        if block and line.strip() and not verbatim:
            out.append("@endverbatim")
            block = False
        if found:
            column = found.start("text")
            names = found["name"].lstrip("*").split(", ")
            out += [f"@param {name} as {names[-1]}" for name in names[:-1]] + [f"@param {names[-1]} {found['text']}"]
        else:
            if verbatim and not block:
                out.append("@verbatim")
                block = True
            out.append(line)
    return out + ["@endverbatim"] * block


def blocks(text: str) -> str:
    """Comments before a declaration."""

    def form(m: re.Match[str]) -> str:
        lines = [re.sub(r"^ ?\* ?", "", line.strip() if line.strip() != "*" else "") for line in m[1].split("\n")]
        return "/**\n" + "\n".join(" * " + line for line in comment([line.rstrip() for line in lines])) + "\n */"

    return re.sub(r"/\*\*(?!<)(.*?)\*/", form, text, flags=re.S)


def sections(text: str) -> str:
    """Groups, from the lines that divide a header."""
    out, opened = [], False
    for line in text.split("\n"):
        found = SECTION.match(line)
        if found:
            name = re.sub(r"\W+", "_", found["title"])
            out += (["/** @} */"] if opened else []) + [f"/** @defgroup c_{name} {found['title']}", " * @{ */"]
            opened = True
        elif opened and line.startswith("#ifdef __cplusplus"):
            out += ["/** @} */", line]
            opened = False
        else:
            out.append(line)
    return "\n".join(out)


def trailing(text: str) -> str:
    """Comments behind members and macros."""
    return re.sub(r"^( +\S.*;|#define \w+ .*?\S) +/\* (.*?) ?\*/$", r"\1 /**< \2 */", text, flags=re.M)


if __name__ == "__main__":
    print(trailing(sections(blocks(Path(sys.argv[1]).read_text("utf-8")))))
