"""A step as one page for a browser: both configurations, the motion between them, and what was found. It needs no network.

    page = ccd.view.Page("two sheets")
    page.add_mesh(mesh, x0, x1)
    page.add_impacts(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1))
    page.write("report.html")

A page holds *parts*, which move, and *pairs*, which met or came near. Parts are meshes, the surfaces of volumes, rigid bodies
(which truly turn) and curved patches (drawn as triangles). Every add_... of a part returns its number, which the pairs name.
"""

from __future__ import annotations

from ._page import MOST_DRAWN, MOST_PAIRS, Page

__all__ = ["MOST_DRAWN", "MOST_PAIRS", "Page"]
