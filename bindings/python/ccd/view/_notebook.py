"""One call from arrays to a page that a notebook shows: `ccd.view(...)`."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import patch, rigid, step, volume
from .._inner import arrays
from ..errors import ArgumentError
from ..mesh import Mesh
from ..motion import Motion
from ._page import Page

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

MOST_INLINE = 64_000_000
"""Most characters of a page that a notebook shows inline."""

_Impacts = NDArray[Any] | Sequence[NDArray[Any]] | bool | None


class View:
    """A page that Jupyter shows inline, as the result of a cell.

    Parameters
    ----------
    page : Page
        The page.
    height : int, default 520
        Height in a notebook, in CSS pixels.

    Attributes
    ----------
    page : Page
        The page; what is added to it is shown the next time.
    height : int
        Height in a notebook, in CSS pixels.

    See Also
    --------
    view : Makes one from arrays.

    Examples
    --------
    >>> import ccd
    >>> ccd.view.View(ccd.view.Page("two sheets"), height=400)
    <ccd.view.View 'two sheets': 0 parts, 0 impacts, 0 near pairs>
    """

    def __init__(self, page: Page, height: int = 520):
        if not isinstance(page, Page):
            raise ArgumentError(f"page is {type(page).__name__}: must be a ccd.view.Page")
        self.page = page
        self.height = arrays.integer("height", height, 100, 10_000)

    def __repr__(self) -> str:
        return repr(self.page).replace("ccd.view.Page", "ccd.view.View", 1)

    def _repr_html_(self) -> str:
        """The page in a frame of its own. It runs its own script; the notebook's content is out of its reach."""
        text = self.page.html()
        if len(text) > MOST_INLINE:
            return (
                f"<p>{html.escape(self.page.title)}: this page has {len(text) / 1e6:.0f} MB. A notebook shows at most"
                f" {MOST_INLINE / 1e6:.0f} MB inline; use <code>.show()</code> or <code>.save(path)</code>.</p>"
            )
        title, text = html.escape(self.page.title), html.escape(text)
        style = f"width: 100%; height: {self.height}px; border: 1px solid #8884"
        return f'<iframe title="{title}" style="{style}" sandbox="allow-scripts allow-downloads" srcdoc="{text}"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, atomically: a failure leaves the old file.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Raises
        ------
        FileError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile, ccd
        >>> path = os.path.join(tempfile.mkdtemp(), "page.html")
        >>> ccd.view.View(ccd.view.Page("two sheets")).save(path)
        >>> os.path.exists(path)
        True
        """
        self.page.write(path)

    def show(self) -> str:
        """Open the page in the default browser.

        Returns
        -------
        str
            Path of the page, in the folder for temporary files. It is not deleted.
        """
        folder = tempfile.mkdtemp(prefix="ccd-view-")
        path = os.path.join(folder, "report.html")
        self.page.write(path)
        webbrowser.open(Path(path).as_uri())
        return path


def view(
    shape: Page | Mesh | volume.Cells | patch.Model | rigid.Scene,
    *frames: ArrayLike | Motion,
    impacts: _Impacts = None,
    title: str | None = None,
    up: str | None = None,
    height: int = 520,
    **options: Unpack[Options],
) -> View:
    """Show a step: ``ccd.view(mesh, x0, x1)``. In Jupyter the result of a cell is an interactive page.

    The module `ccd.view` itself is called; `ccd.view.view` is the same function.

    Parameters
    ----------
    shape : Page, Mesh, ccd.volume.Cells, ccd.patch.Model or ccd.rigid.Scene
        What moves; or a page that is ready.
    *frames : array_like
        Vertices (or control points) of each configuration, (n, 3), or one array or list of all, (k, n, 3). One configuration
        is shown at rest; more than two, of a mesh or volume, are a sequence of steps. Of a mesh also one `ccd.Motion`. None
        for a scene of rigid bodies or a page.
    impacts : numpy.ndarray, sequence of numpy.ndarray or bool, optional
        Impacts of the step, as the module of `shape` lists them: of `ccd.step.collisions`, `ccd.volume.collisions` or
        `ccd.patch.self_collisions`; of a sequence a list, with an array for each step. None or True: they are computed with
        the options. False: none are shown.
    title : str, optional
        Title of the page; else its kind and size.
    up : {'x', 'y', 'z'} or None, optional
        Axis that points up; None: the axis along which things fall, else z.
    height : int, default 520
        Height in a notebook, in CSS pixels.
    **options : Options
        Keywords of `ccd.Options` for computing the impacts.

    Returns
    -------
    View
        Shown inline by Jupyter; `View.show` opens a browser, and `View.save` writes a file.

    Raises
    ------
    ArgumentError
        The shape has another type, or the frames or impacts do not fit it.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> ccd.view(mesh, x0, x1, title="two triangles")
    <ccd.view.View 'two triangles': 1 parts, 3 impacts, 0 near pairs>
    """
    if isinstance(shape, (Page, rigid.Scene)):
        if frames or not (impacts is None or isinstance(impacts, bool)):
            raise ArgumentError(f"{'frames' if frames else 'impacts'}: a {type(shape).__name__} has its own")
        page = shape if isinstance(shape, Page) else _scene(shape, impacts is not False, title or "rigid bodies", options)
    elif any(isinstance(x, Motion) for x in frames):
        page = _motion(shape, frames, impacts, options)
    elif isinstance(shape, (Mesh, volume.Cells, patch.Model)):
        each = _each(cast("tuple[ArrayLike, ...]", frames))
        alone = len(each) == 1
        found = _given(impacts, len(each) - 1)
        if alone:
            each, found = each * 2, []
        page = _patches(shape, each, found, options) if isinstance(shape, patch.Model) else _moving(shape, each, found, options)
        if impacts is False:
            page.verdict = "impacts were not computed"
        if alone:
            page.verdict = "one configuration: no step"
    else:
        known = "ccd.Mesh, ccd.volume.Cells, ccd.patch.Model, ccd.rigid.Scene or ccd.view.Page"
        raise ArgumentError(f"shape is {type(shape).__name__}: must be a {known}")
    if title is not None:
        page.title = Page(title).title
    if up is not None:
        page.up = Page("", up=up).up
    return View(page, height)


def _motion(shape: Any, frames: tuple[Any, ...], impacts: _Impacts, options: Options) -> Page:
    """A page of a mesh whose vertices move on one motion."""
    if len(frames) != 1 or not isinstance(shape, Mesh):
        raise ArgumentError("frames: a ccd.Motion is given alone, and for a ccd.Mesh")
    vertices, _, faces = shape.counts
    page = Page(f"motion of a mesh of {faces:,} faces")
    page.facts |= {"vertices": f"{vertices:,}", "faces": f"{faces:,}", "degree": str(frames[0].degree)}
    part = page.add_motion(shape, frames[0])
    given = _given(impacts, 1)
    found = step.collisions(shape, frames[0], **options) if given is None else _nth(given, 0)
    if found is not None:
        page.add_motion_impacts(shape, found, part)
    if impacts is False:
        page.verdict = "impacts were not computed"
    return page


def _each(frames: tuple[ArrayLike, ...]) -> list[Any]:
    """The configurations, whether they were given one by one or as one array or list."""
    only: Any = frames[0] if len(frames) == 1 else None
    stacked = isinstance(only, (list, tuple)) and len(only) > 0 and np.ndim(only[0]) == 2
    each = list(only) if stacked or np.ndim(only) == 3 else list(frames)
    if not each:
        raise ArgumentError("frames: 0 configurations were given; give x0 and x1, or one configuration, or more")
    return each


def _given(impacts: _Impacts, steps: int) -> list[NDArray[Any]] | None:
    """The impacts of each step; none for False; None where they are to be computed."""
    if impacts is None or impacts is True:
        return None
    if impacts is False:
        return []
    listed = [impacts] if isinstance(impacts, np.ndarray) else impacts
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, np.ndarray) for one in listed):
        kind = type(impacts).__name__
        raise ArgumentError(
            f"impacts is {kind}: must be an array of impacts, a list of them for a sequence, True, False or None"
        )
    if len(listed) != steps:
        raise ArgumentError(f"impacts has {len(listed)} arrays for {steps} steps")
    return list(listed)


def _moving(shape: Mesh | volume.Cells, frames: list[Any], given: list[NDArray[Any]] | None, options: Options) -> Page:
    """A page of a mesh or volume in two configurations, or more."""
    if isinstance(shape, Mesh):
        vertices, _, faces = shape.counts
        page = Page(f"mesh of {faces:,} faces")
        page.facts |= {"vertices": f"{vertices:,}", "faces": f"{faces:,}"}
        part = page.add_sequence(shape, frames)
        for k, (x0, x1) in enumerate(pairwise(frames)):
            found = step.collisions(shape, x0, x1, **options) if given is None else _nth(given, k)
            if found is not None:
                page.add_impacts(shape, x0, x1, found, part, step=k)
        return page
    solid = shape.volume()
    vertices, elements, *_ = solid.counts
    page = Page(f"volume of {elements:,} elements")
    page.facts |= {"vertices": f"{vertices:,}", "elements": f"{elements:,}"}
    part = page.add_sequence(solid, frames, "volume", shape)
    for k, (x0, x1) in enumerate(pairwise(frames)):
        found = volume.collisions(solid, x0, x1, **options) if given is None else _nth(given, k)
        if found is not None:
            page.add_volume_impacts(shape, x0, x1, found, part, step=k)
    return page


def _patches(model: patch.Model, frames: list[Any], given: list[NDArray[Any]] | None, options: Options) -> Page:
    """A page of curved patches, and of their contacts with each other."""
    if len(frames) != 2:
        raise ArgumentError(f"frames: {len(frames)} configurations were given; curved patches take x0 and x1")
    body, (x0, x1) = model.body(), frames
    page = Page(f"{body.counts[1]:,} patches")
    page.facts |= {"control points": f"{body.counts[0]:,}", "patches": f"{body.counts[1]:,}"}
    part = page.add_patches(model, x0, x1)
    found = patch.self_collisions(body, x0, x1, **options)[0] if given is None else _nth(given, 0)
    if found is not None:
        page.add_patch_impacts([patch.Impact.from_record(record) for record in found], part, part)
    return page


def _nth(given: list[NDArray[Any]], k: int) -> NDArray[Any] | None:
    """The impacts that were given for step k; None where none are wanted."""
    return given[k] if given else None


def _scene(scene: rigid.Scene, wanted: bool, title: str, options: Options) -> Page:
    """A page of a scene of rigid bodies, and of the mesh that deforms between them."""
    given: dict[str, Any] = dict(options)
    page = Page(title, given.get("t_min", 0.0), given.get("t_max", 1.0))
    page.facts |= {"bodies": f"{len(scene.bodies):,}"}
    for i, (surface, motion) in enumerate(zip(scene.surfaces, scene.motions)):
        page.add_body(surface.vertices, surface.faces, motion, f"body {i}")
    found: list[tuple[rigid.Impact, int, int, rigid.Shape]] = []
    if wanted:
        for r in rigid.scene_collisions(scene.bodies, scene.motions, scene.groups, scene.skip, **options):
            found.append((rigid.Impact.from_record(r["impact"]), int(r["a"]), int(r["b"]), rigid.Shape.FACE))
    if scene.mesh is not None and scene.x0 is not None and scene.x1 is not None:
        part = page.add_mesh(scene.mesh, scene.x0, scene.x1)
        for r in (
            rigid.mesh_collisions(scene.bodies, scene.motions, scene.mesh, scene.x0, scene.x1, **options) if wanted else ()
        ):
            found.append((rigid.Impact.from_record(r["impact"]), int(r["body"]), part, rigid.Shape(int(r["shape"]))))
    for hit, a, b, shape in sorted(found, key=lambda one: one[0].toi_lo):
        page.add_rigid_impact(hit, a, b, shape)
    return page
