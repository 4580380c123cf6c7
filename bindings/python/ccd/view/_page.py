"""The page as users see it: each method is a function of this package over the state."""

from __future__ import annotations

import os
from typing import Any, Generic, TypeVar, overload

from numpy.typing import NDArray

from .._inner import files
from . import _add_fields, _add_impacts, _add_near, _add_parts, _add_robot, _html, _near_fields
from ._contents import contents
from ._method import method
from ._state import State

_T = TypeVar("_T")


class _Held(Generic[_T]):
    """An attribute of a page that its state holds under the same name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, page: None, owner: type) -> _Held[_T]: ...
    @overload
    def __get__(self, page: Page, owner: type) -> _T: ...
    def __get__(self, page: Page | None, owner: type) -> _T | _Held[_T]:
        if page is None:
            return self
        held: _T = getattr(page._state, self._name)
        return held

    def __set__(self, page: Page, value: _T) -> None:
        setattr(page._state, self._name, value)


class Page:
    """A page that shows a step, or the steps between the frames of a sequence.

    Parameters
    ----------
    title : str
        Title of the page.
    t_min : float, default 0.0
        Start of the time line.
    t_max : float or None, optional
        End of the time line: fractions of the step, or the times of rigid motions. None: the number of steps, which is 1
        without a sequence.
    up : {'x', 'y', 'z'} or None, optional
        Axis that points up; None: the axis along which things fall, else z.

    Attributes
    ----------
    facts : dict of str to str
        Facts that the page lists as they are.
    verdict : str
        Text in place of an empty list of impacts.
    impacts : list of dict
        Impacts that the page lists.
    near : list of dict
        Near pairs that the page lists.
    met : int
        Number of impacts, listed or not.
    near_found : int
        Number of near pairs, listed or not.
    near_in_mesh : int
        Number of pairs that are near in the mesh itself and were left out.
    near_means : str
        Meaning of a near pair.
    frame_names : list of str
        Names of the frames of a sequence, which the page shows beside the time; may be empty.
    color_by : str or None
        Field whose values color the page as it opens; None: each object has a color.
    fields : list of str
        Names of the fields that the page can show.

    Raises
    ------
    ArgumentError
        An argument has another type.
    NonFiniteError
        A time is not finite.

    See Also
    --------
    ccd.view : An example with a mesh.

    Examples
    --------
    >>> import ccd
    >>> ccd.view.Page("two sheets")
    <ccd.view.Page 'two sheets': 0 parts, 0 impacts, 0 near pairs>
    >>> page = ccd.view.Page("a triangle")
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> page.faces(page.add_mesh(ccd.Mesh([[0, 1, 2]]), x, x)).tolist()
    [[0, 1, 2]]
    >>> page.html().lower().startswith("<!doctype html>")
    True
    """

    t_min = _Held[float]()
    title = _Held[str]()
    up = _Held["str | None"]()
    facts = _Held[dict[str, str]]()
    verdict = _Held[str]()
    impacts = _Held[list[dict[str, Any]]]()
    near = _Held[list[dict[str, Any]]]()
    met = _Held[int]()
    near_found = _Held[int]()
    near_in_mesh = _Held[int]()
    near_means = _Held[str]()
    frame_names = _Held[list[str]]()
    color_by = _Held["str | None"]()

    def __init__(self, title: str, t_min: float = 0.0, t_max: float | None = None, up: str | None = None):
        self._state = State(title, t_min, t_max, up)

    def __repr__(self) -> str:
        return (
            f"<ccd.view.Page {self.title!r}: {len(self._state.parts)} parts, {self.met} impacts, {len(self.near)} near pairs>"
        )

    @property
    def t_max(self) -> float:
        """End of the time line."""
        return self._state.t_max

    @property
    def steps(self) -> int:
        """Number of steps: 1 without a sequence."""
        return self._state.steps

    @property
    def fields(self) -> list[str]:
        """Names of the fields that the page can show."""
        return _add_fields.names(self._state)

    add_field = method(_add_fields.add_field)
    add_distances = method(_near_fields.add_distances)
    add_gaps = method(_near_fields.add_gaps)
    add_mesh = method(_add_parts.add_mesh)
    add_sequence = method(_add_parts.add_sequence)
    add_motion = method(_add_parts.add_motion)
    add_robot = method(_add_robot.add_robot)
    add_body = method(_add_parts.add_body)
    add_volume = method(_add_parts.add_volume)
    add_patches = method(_add_parts.add_patches)
    add_impacts = method(_add_impacts.add_impacts)
    add_motion_impacts = method(_add_impacts.add_motion_impacts)
    add_rigid_impact = method(_add_impacts.add_rigid_impact)
    add_volume_impacts = method(_add_impacts.add_volume_impacts)
    add_patch_impacts = method(_add_impacts.add_patch_impacts)
    add_near = method(_add_near.add_near)
    add_near_found = method(_add_near.add_near_found)
    add_near_patches = method(_add_near.add_near_patches)

    def faces(self, part: int) -> NDArray[Any]:
        """Return the triangles of a part.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        numpy.ndarray
            Vertex indices in the part, (n, 3).

        Raises
        ------
        ArgumentError
            There is no such part.
        """
        return self._state.parts[self._state.number("part", part)].faces

    def html(self) -> str:
        """Return the page as text.

        Returns
        -------
        str
            HTML with everything in it.
        """
        return _html.document(contents(self._state))

    def write(self, path: str | os.PathLike[str]) -> None:
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
        >>> ccd.view.Page("two sheets").write(path)
        >>> os.path.getsize(path) > 0
        True
        """
        files.whole(path, self.html().encode())
