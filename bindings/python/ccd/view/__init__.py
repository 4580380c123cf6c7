"""A step as one page for a browser: both configurations, the motion between them, and the pairs that were found.

The module can be called. ``ccd.view(mesh, x0, x1)`` returns a `View`, which Jupyter shows inline.

A page holds *parts*, which move, and *pairs*, which came into contact or came near. Parts are meshes, surfaces of
volumes, rigid bodies and curved patches (drawn as triangles). Each method that adds a part returns its number, which
the pairs refer to. A page needs no network.

>>> import os, tempfile, numpy as np, ccd
>>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
>>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
>>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
>>> page = ccd.view.Page("two triangles")
>>> part = page.add_mesh(mesh, x0, x1)
>>> page.add_impacts(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1), part)
>>> page.write(os.path.join(tempfile.mkdtemp(), "report.html"))
"""

from __future__ import annotations

from ._module import make_callable
from ._notebook import MOST_INLINE, View, view
from ._page import Page
from ._state import MOST_DRAWN, MOST_PAIRS

__all__ = ["MOST_DRAWN", "MOST_INLINE", "MOST_PAIRS", "Page", "View", "view"]

make_callable(__name__)
