"""Pages, headers, docstrings and help texts use the field's terms: none of the phrases that were replaced comes back."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
READ = (
    "*.md",
    "include/*.h",
    "bindings/cpp/include/*.hpp",
    "bindings/python/ccd/*.py",
    "examples/*.py",
    "examples/*.cpp",
    "examples/*.c",
)

PHRASES = {
    r"the (paper|method) of 20\d\d": "cite the paper by its key, as [Wang2021]",
    r"slow twin|\btwins\b": "reference implementation",
    r"\b(is|are|be) told\b": "say who does what: `ccd --help` lists all commands",
    r"at the door": "arguments are checked, input is rejected",
    r"\b(fast|slow|better) road\b": "algorithm, or route",
    r"\bcrew\b": "workers",
    r"contacts that are none|which is none\b": "false positives, or what it is instead",
    r"^#+ (what is not|why it is right|the house|how sure)\b": "a heading names the topic",
    r"^who (comes|wants|needs)\b": "address the reader: `Coming from ...?`",
    r"whole answers?\b": "complete results",
}


def files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z", "--", *READ], cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("the tests do not run in a git checkout")
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return [ROOT / name for name in names if not name.startswith("CHANGELOG")]


def found(text: str, name: str) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()!r}: {instead}"
        for number, line in enumerate(text.splitlines(), 1)
        for phrase, instead in PHRASES.items()
        if re.search(phrase, line, re.IGNORECASE)
    ]


def test_no_replaced_phrase_comes_back():
    paths = files()
    assert len(paths) > 150
    wrong = [line for path in paths for line in found(path.read_text("utf-8"), str(path.relative_to(ROOT)))]
    assert not wrong, "\n".join(wrong)


def test_the_phrases_are_found():
    text = """# What is not
The method of 2011 is a slow twin.
Options are told by `ccd --help`; NaN is an error at the door.
the fast road"""
    assert len(found(text, "x")) == 6
    assert not found("The tree has siblings. [Tang2011] has no answer to it; `told` is a name.", "x")
