"""Draws the figures of the pages as SVG in docs/figures. Needs NumPy and the package.

python docs/figures.py            writes them
python docs/figures.py --check    compares them with the files

The colors are variables of CSS: docs/_static/site.css sets them for the theme of the page, and a preference for dark colors
does where a figure is shown alone. docs/_ext/figures.py puts the SVG into the page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from drawing import (
    contacts,
    facets,
    gradients,
    guide,
    machines,
    movers,
    pairs,
    robots,
    scenes,
    solids,
)
from drawing.canvas import Figure

FOLDER = Path(__file__).resolve().parent / "figures"
FIGURES = (
    *guide.FIGURES,
    *movers.FIGURES,
    *pairs.FIGURES,
    *robots.FIGURES,
    *scenes.FIGURES,
    *solids.FIGURES,
    *gradients.FIGURES,
    *machines.FIGURES,
    *contacts.FIGURES,
    *facets.FIGURES,
)
NUMBER = re.compile(r"-?\d+\.\d+")


def same(one: str, other: str) -> bool:
    """Equal but for rounding: NumPy's sines and roots may differ between processors by a unit in the last place."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    return all(abs(float(a) - float(b)) < 0.15 for a, b in zip(NUMBER.findall(one), NUMBER.findall(other)))


def check(figure: Figure) -> str | None:
    """What is wrong with the file of a figure; None if nothing is."""
    path = FOLDER / f"{figure.name}.svg"
    if not path.is_file():
        return f"docs/figures/{path.name} is missing; run: make figures"
    if not same(path.read_text("utf-8"), figure.source()):
        return f"docs/figures/{path.name} is out of date; run: make figures"
    return None


def main() -> None:
    drawn = [draw() for draw in FIGURES]
    if "--check" in sys.argv[1:]:
        wrong = [message for figure in drawn if (message := check(figure))]
        unknown = {path.stem for path in FOLDER.glob("*.svg")} - {figure.name for figure in drawn}
        wrong += [f"docs/figures/{name}.svg: no program draws it" for name in sorted(unknown)]
        sys.exit("\n".join(wrong) if wrong else 0)
    FOLDER.mkdir(exist_ok=True)
    for figure in drawn:
        (FOLDER / f"{figure.name}.svg").write_text(figure.source(), "utf-8")
        print(f"docs/figures/{figure.name}.svg")


if __name__ == "__main__":
    main()
