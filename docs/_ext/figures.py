"""Puts the SVG of docs/figures into the page itself, so that its colors follow the theme of the site."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes


def inline(app, doctree) -> None:
    folder = Path(app.srcdir) / "figures"
    for image in list(doctree.findall(nodes.image)):
        path = folder / Path(image["uri"]).name
        if "figures/" in image["uri"] and path.is_file():
            label = nodes.Text(image.get("alt", "")).astext().replace('"', "&quot;")
            source = path.read_text("utf-8").replace('role="img"', f'role="img" aria-label="{label}"', 1)
            image.replace_self(nodes.raw("", source, format="html"))


def setup(app) -> dict[str, bool]:
    app.connect("doctree-read", inline, priority=100)  # before Sphinx collects images
    return {"parallel_read_safe": True, "parallel_write_safe": True}
