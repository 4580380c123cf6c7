"""Products of a CAD file: parts and assemblies, one geometry for each part however often it is placed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._io.cad_products import distinct
from .._io.units import METERS
from .._native import arrays
from ..errors import Error, FileError
from ._model import Model, from_converted, share_of

if TYPE_CHECKING:
    from .._io.cad_products import Node


@dataclass(frozen=True, eq=False)
class Product:
    """A part or an assembly of a CAD file.

    Parameters
    ----------
    name : str
        Name in the file; may be empty.
    color : tuple of float or None
        Linear RGB in [0, 1]; None where the file has none. `Faces.colors` has those of single faces.
    model : Model or None
        The faces of a part, in its own frame; None for an assembly.
    children : list of Instance
        The components of an assembly. One product may be placed several times: then it is one object.

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Product("bolt", None, None)
    <ccd.patch.Product 'bolt': 0 instances>
    """

    name: str
    color: tuple[float, float, float] | None
    model: Model | None
    children: list[Instance] = field(default_factory=list)

    def __repr__(self) -> str:
        what = f"{len(self.children)} instances" if self.model is None else repr(self.model)
        return f"<ccd.patch.Product {self.name!r}: {what}>"

    def placed(self) -> Iterator[Placement]:
        """Iterate over the parts where they are placed.

        Yields
        ------
        Placement
            A part below this product, or the product itself. No two have one path.

        Examples
        --------
        >>> import ccd
        >>> list(ccd.patch.Product("empty", None, None).placed())
        []
        """
        path = (self.name or "part",) if self.model is not None else ()
        yield from _placed(self, path, np.eye(4), self.color)


@dataclass(frozen=True, eq=False)
class Instance:
    """A component of an assembly: a product and where it is placed.

    Parameters
    ----------
    name : str
        Name of the component; of its product, where the file has none. The second of a name in one assembly is ``bolt:2``.
    product : Product
        The product.
    matrix : numpy.ndarray
        (4, 4) float64: leads from the product's frame to that of the assembly.
    color : tuple of float or None
        Linear RGB that overrides the product's, or None.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> ccd.patch.Instance("left", ccd.patch.Product("bolt", None, None), np.eye(4)).product
    <ccd.patch.Product 'bolt': 0 instances>
    """

    name: str
    product: Product
    matrix: NDArray[np.float64]
    color: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Placement:
    """A part where a file places it.

    Parameters
    ----------
    path : tuple of str
        Names of the components from the root down to the part, without the root's; of a part that is the root, its own. Joined
        by slashes they are the names of `ccd.cad.Assembly.parts`.
    product : Product
        The part; its ``model`` is in its own frame.
    matrix : numpy.ndarray
        (4, 4) float64: leads from the part's frame to that of the root.
    color : tuple of float or None
        Linear RGB: the part's, or that of the nearest component above it that has one.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> ccd.patch.Placement(("arm", "left"), ccd.patch.Product("bolt", None, None), np.eye(4), None).path
    ('arm', 'left')
    """

    path: tuple[str, ...]
    product: Product
    matrix: NDArray[np.float64]
    color: tuple[float, float, float] | None


def _placed(
    product: Product, path: tuple[str, ...], matrix: NDArray[np.float64], color: tuple[float, float, float] | None
) -> Iterator[Placement]:
    if product.model is not None:
        yield Placement(path, product, matrix, color)
    names = distinct(child.name or child.product.name or "part" for child in product.children)
    for name, child in zip(names, product.children):
        own = child.color or child.product.color or color
        yield from _placed(child.product, (*path, name), matrix @ child.matrix, own)


def read_products(path: str | os.PathLike[str], unit: str | None = None, loops: float = 1e-6) -> list[Product]:
    """Read the products of a STEP or IGES file: parts and assemblies with names, colors and placements.

    A root that is a part of several solids is taken apart, as in `ccd.cad.read`. IGES has no products: each entity that nothing
    refers to is a part, and a group, as Open CASCADE writes an assembly, is one part with all of its faces.

    Parameters
    ----------
    path : str or os.PathLike
        A file; one that ends in ``.igs`` or ``.iges`` is read as IGES.
    unit : str, optional
        Unit of the points and of the matrices, as in `read_step`.
    loops : float, default 1e-6
        Tolerance of the loops, as in `read_step`.

    Returns
    -------
    list of Product
        The products that no other contains.

    Raises
    ------
    ImportError
        Open CASCADE is not installed.
    FileError
        The file cannot be read, or a face cannot be converted; the message numbers it within its part.
    ArgumentError
        There is no such unit, or `loops` is out of range.

    Examples
    --------
    >>> import ccd
    >>> for part in ccd.patch.read_products("machine.step")[0].placed():  # doctest: +SKIP
    ...     print(part.path, part.product.model, part.matrix[:3, 3])
    """
    from .._io import cad, cad_products

    if unit is not None:
        arrays.choice("unit", unit, tuple(METERS))
    share = share_of(loops)
    cad.require()
    name = os.fspath(path)
    known: dict[int, Product] = {}
    try:
        document, own = cad.read_document(name, cad.kind_of(name))
        wanted = own if unit is None else unit
        ratio = METERS["mm"] / METERS[wanted]

        def product(node: Node) -> Product:
            if id(node) not in known:
                model = None
                if node.shape is not None and cad.explored(node.shape, "FACE"):
                    own_color = node.colors

                    def color_of(face: Any) -> tuple[float, float, float] | None:
                        return (own_color(face) if own_color else None) or node.color

                    made = cad.of_shape(node.shape, name, share, node.name, color_of)
                    model = from_converted(made, name).in_unit(wanted)
                children = []
                for child in node.children:
                    matrix = cad_products.matrix(child.location)
                    matrix[:3, 3] *= float(ratio)
                    children.append(Instance(child.name, product(child.node), matrix, child.color))
                known[id(node)] = Product(node.name, node.color, model, children)
            return known[id(node)]

        return [product(cad_products.apart(node)) for node in cad_products.roots(document)]
    except Exception as error:
        if isinstance(error, (Error, OSError)):
            raise
        raise FileError(f"{name}: Open CASCADE cannot read it: {error}") from None
