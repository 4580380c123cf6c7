"""The page: what it holds, in the units of the scene; and how that becomes text, in the units of the page."""

from __future__ import annotations

import os
from typing import Any

from numpy.typing import NDArray

from .._io import write
from . import _html
from ._add_impacts import AddImpacts
from ._add_near import AddNear
from ._add_parts import AddParts
from ._contents import contents


class Page(AddParts, AddImpacts, AddNear):
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
        return self._parts[self._number("part", part)].faces

    def html(self) -> str:
        """Return the page as text.

        Returns
        -------
        str
            HTML with everything in it.
        """
        return _html.document(contents(self))

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
        write.whole(path, self.html().encode())
