"""Words that people search for and pages do not say: docs/search.txt adds them to the index of the search."""

from __future__ import annotations

import re
from pathlib import Path

WORDS = Path(__file__).resolve().parents[1] / "search.txt"


def phrases() -> dict[str, list[str]]:
    """The phrases of each page."""
    lines = [line for line in WORDS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {page: [phrase.strip() for phrase in rest.split(",")] for page, rest in (line.split(": ", 1) for line in lines)}


def marked(text: str, given: list[str]) -> str:
    """The text of a page with its phrases, below the title: each as an entry of the index, and its words as keywords."""
    words = sorted({word for phrase in given for word in re.findall(r"\w+", phrase)})
    entries = ", ".join(f"! {phrase}" for phrase in given)
    added = f"```{{eval-rst}}\n.. meta::\n   :keywords: {', '.join(words)}\n\n.. index:: {entries}\n```"
    title = re.search(r"^# .*$", text, re.MULTILINE)
    return text if title is None else f"{text[: title.end()]}\n\n{added}\n{text[title.end() :]}"


def read(app, name: str, source: list[str]) -> None:
    """Add the phrases of a page to its source."""
    if name in app.search_phrases:
        source[0] = marked(source[0], app.search_phrases[name])


def setup(app) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.search_phrases = phrases()
    app.connect("source-read", read)
    return {"parallel_read_safe": True}
