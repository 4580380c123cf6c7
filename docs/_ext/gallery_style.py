"""How the pictures of the examples look on the site: transparent, with lines that can be read on a light and on a dark page."""

from __future__ import annotations

GRAY = "#848d97"


def reset(config, name: str) -> None:
    import matplotlib as mpl

    mpl.rcdefaults()
    keys = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    mpl.rcParams.update(dict.fromkeys(keys, GRAY) | {"savefig.transparent": True, "savefig.bbox": "tight", "figure.dpi": 110})
