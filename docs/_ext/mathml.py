"""Formulas as MathML, which browsers draw themselves: the site needs no network and no script for them."""

from __future__ import annotations

from latex2mathml.converter import convert


def inline(self, node) -> None:
    self.body.append(convert(node.astext()))
    raise NOTHING


def display(self, node) -> None:
    self.body.append('<div class="math">' + convert(node.astext(), display="block") + "</div>")
    raise NOTHING


from docutils.nodes import SkipNode as NOTHING  # noqa: E402


def setup(app) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
