"""One impact of a volume, and its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._native.records import items_are
from .._native.result import of_type
from ..impact import Impact as PairImpact
from ..impact import WithImpact, _Named
from ..impact import impact_dtype as _pair_dtype


class PairClass(_Named):
    """Class of a pair of features.

    A pair has the first class that applies, in the order WITHIN_ELEMENT, AT_SPLIT, WITHIN_OBJECT,
    BETWEEN_OBJECTS.

    Attributes
    ----------
    BETWEEN_OBJECTS : int
        1: the features are of two connected components.
    WITHIN_OBJECT : int
        2: both are of one connected component.
    WITHIN_ELEMENT : int
        4: one element has all vertices of both; contact means that it is squeezed flat.
    AT_SPLIT : int
        8: a vertex of each was split from one vertex, and these two coincide at t = 0; skipped by default.
    """

    BETWEEN_OBJECTS = 1
    WITHIN_OBJECT = 2
    WITHIN_ELEMENT = 4
    AT_SPLIT = 8


impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("impact", _pair_dtype),
        ("vertices", np.int32, 4),
        ("elements", np.int32, 2),
        ("pair_class", np.uint32),
        ("reserved", np.uint32),
    ]
)
"""Record of one impact of a volume: 152 bytes, the layout of ``ccd_volume_impact`` in ccd.h.

============== ================== ===== ===============================================================
field          type               shape meaning
============== ================== ===== ===============================================================
``impact``     `ccd.impact_dtype`       when and where; a, b are indices of a vertex and a face, or of
                                        two edges
``vertices``   int32              (4,)  v f0 f1 f2, or a0 a1 b0 b1
``elements``   int32              (2,)  the element with both features, in both entries; else the least
                                        element with a, and with b
``pair_class`` uint32                   value of `PairClass`
``reserved``   uint32                   0
============== ================== ===== ===============================================================
"""


@dataclass(frozen=True)
class Impact(WithImpact):
    """One impact of a volume, or the proof that there is none.

    Attributes
    ----------
    impact : ccd.Impact
        When and where; its ``a`` and ``b`` are indices of a vertex and a face, or of two edges.
    vertices : tuple of int
        Vertices of the pair: v f0 f1 f2, or a0 a1 b0 b1.
    elements : tuple of int
        The element with both features, in both entries; if there is none, the least element with a, and with b.
    pair_class : PairClass or None
        Class of the pair; None when the step is separate.

    See Also
    --------
    ccd.AnyImpact : The verdict and the times of ``impact``, and what reads them.
    impact_dtype : The same fields in arrays.
    """

    impact: PairImpact
    vertices: tuple[int, ...]
    elements: tuple[int, int]
    pair_class: PairClass | None

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """Return the impact in one element of an array of `impact_dtype`.

        Parameters
        ----------
        record : numpy.void
            One element of the array.

        Returns
        -------
        Impact
            The same values in plain types.

        Raises
        ------
        ArgumentError
            `record` is no element of such an array.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> volume = ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
        >>> found = ccd.volume.collisions(volume, x, x - np.outer([0, 0, 0, 2], [0, 0, 1]))
        >>> ccd.volume.Impact.from_record(found[0]).vertices
        (3, 0, 1, 2)
        """
        of_type(record, impact_dtype)
        first, second = map(int, record["elements"])
        number = int(record["pair_class"])
        return cls(
            PairImpact.from_record(record["impact"]),
            tuple(map(int, record["vertices"])),
            (first, second),
            PairClass(number) if number else None,
        )

    def __str__(self) -> str:
        return f"{self.impact}, {self.pair_class}" if self else str(self.impact)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            What `ccd.Impact.as_dict` returns of ``impact``, then the name of the ``pair_class``, ``vertices`` and ``elements``.
        """
        name = None if self.pair_class is None else str(self.pair_class)
        return self.impact.as_dict() | {"pair_class": name, "vertices": list(self.vertices), "elements": list(self.elements)}


items_are(impact_dtype, Impact)
