"""Positions after contact: a helper for those who have no solver of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import arrays
from .._native.by_name import options_by_name
from ..errors import ArgumentError, UnsupportedError
from ..impact import constraint_dtype
from ..mesh import Mesh
from ..options import Norm
from ._active import activeset, colors, effective_mass, tangents
from ._size import advance

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


class Responded(NamedTuple):
    """Positions after contact, and how they came about.

    Attributes
    ----------
    x : numpy.ndarray
        Positions, (n, 3) float64: on the straight way from x0 to just these doubles all pairs keep more than their separation,
        ``min_separation`` times `keep` and the radii of both. This is proven.
    alpha : float
        The part of the way to the positions of the response that was safe; 1 if all of it.
    contacts : int
        Constraints of the first round.
    rounds : int
        Rounds of the response; less than ``max_rounds`` if no pair was left that comes too near.
    """

    x: NDArray[np.float64]
    alpha: float
    contacts: int
    rounds: int


@options_by_name
def respond(
    mesh: Mesh,
    x0: ArrayLike,
    x1: ArrayLike,
    inverse_mass: ArrayLike | None = None,
    friction: float = 0.0,
    keep: float = 0.25,
    max_rounds: int = 4,
    **options: Unpack[Options],
) -> Responded:
    """Move the ends of a step apart where pairs come too near, and go as far as is safe.

    A helper, not a solver: it treats each contact for itself, as in position-based dynamics, and no forces are balanced. What
    it leaves undone `advance` stops before contact, so nothing passes through whatever the response does. Velocities follow:
    ``(x - x0) / dt``.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters and radii. Contact does not move its static vertices.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Where they would be at t = 1 without contact, (n, 3).
    inverse_mass : array_like, optional
        Inverse masses, (n,), not negative; 0 for a vertex that contact does not move. Default 1, and 0 for static vertices.
    friction : float, default 0.0
        Coefficient of Coulomb friction: what the points of a contact slide is taken back, up to this coefficient times what
        the normal moves them.
    keep : float, default 0.25
        Part of ``min_separation`` that the step keeps, in [0, 1). Constraints begin at ``min_separation``; the rest is room
        for the next step to begin with.
    max_rounds : int, default 4
        Times that constraints are found, and treated once each, 1 to 1000.
    **options : Options
        Keywords of `ccd.Options`, as in `activeset`. ``min_separation`` must be positive, also where the mesh has radii:
        it is the room in which resting contact moves on. Of the norms the Euclidean one is taken.

    Returns
    -------
    Responded
        Positions, the safe part of the step, and counts.

    Raises
    ------
    ArgumentError
        An argument is out of range, or ``min_separation`` is not positive.
    UnsupportedError
        ``norm`` is ``"max"``: constraints measure in the Euclidean norm.
    Error
        As `activeset` and `advance`.

    See Also
    --------
    activeset, jacobian, effective_mass, colors : What a solver is made of.

    Notes
    -----
    One round is Gauss-Seidel over the constraints, color by color. For a constraint with normal n, weights w, separation s
    and effective mass m it adds m max(s - sum w_i n.x_i, 0) w_i / mass_i n to each vertex i. Rounds end where no pair
    comes too near.

    Examples
    --------
    A triangle falls on a fixed one, and comes to rest a little above it.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.5, 0.2, 1], [0.2, 0.5, 1]])
    >>> mesh.set_static(np.arange(6) < 3)
    >>> velocity, dt = np.zeros((6, 3)), 0.05
    >>> for frame in range(30):
    ...     velocity[3:, 2] -= 9.81 * dt
    ...     step = ccd.step.respond(mesh, x, x + dt * velocity, min_separation=0.01)
    ...     velocity, x = (step.x - x) / dt, step.x
    >>> x[3:, 2].round(3).tolist()
    [0.01, 0.01, 0.01]
    """
    start, y = arrays.coordinates("x0", x0), arrays.coordinates("x1", x1).copy()
    if start.shape != y.shape or len(y) != mesh._vertices:
        raise ArgumentError(f"x0 has {len(start)} vertices, x1 {len(y)}: the mesh has {mesh._vertices}")
    mass = _inverse_mass(mesh, inverse_mass)
    slides, kept = arrays.within("friction", friction, "[0, 1e6]"), arrays.within("keep", keep, "[0, 1)")
    separation = arrays.number("min_separation", options.get("min_separation", 0.0))
    if not separation > 0:
        raise ArgumentError(
            f"min_separation is {separation:g}: must be positive; resting contact needs the room, as a thousandth of an edge"
        )
    if Norm.of("norm", options.get("norm", 0)) == Norm.MAX:
        raise UnsupportedError("norm: constraints measure in the Euclidean norm, so respond takes no other")
    contacts, done = 0, 0
    for done in range(1, arrays.integer("max_rounds", max_rounds, 1, 1000) + 1):
        active = activeset(mesh, start, y, **options)
        if done == 1:
            contacts = len(active)
        if not (active["gap"] < -_ROUNDING * active["separation"]).any():
            done -= 1
            break
        _push(start, y, np.asarray(active, constraint_dtype), mass, slides)
    options["min_separation"] = kept * separation
    found = advance(mesh, start, y, **options)
    return Responded(found.x, found.alpha, contacts, done)


_ROUNDING = 1e-12  # of the separation: what a round leaves of it by rounding is no reason for another


def _inverse_mass(mesh: Mesh, given: ArrayLike | None) -> NDArray[np.float64]:
    """The inverse masses of the vertices, 0 of static ones."""
    static = mesh._filters.get("static")
    if given is None:
        return np.ones(mesh._vertices) if static is None else np.where(static, 0.0, 1.0)
    mass = arrays.row("inverse_mass", given)
    if len(mass) != mesh._vertices:
        raise ArgumentError(f"inverse_mass has {len(mass)} numbers: the mesh has {mesh._vertices} vertices")
    return mass if static is None else np.where(static, 0.0, mass)


def _push(
    x: NDArray[np.float64], y: NDArray[np.float64], active: NDArray[np.void], mass: NDArray[np.float64], friction: float
) -> None:
    """One round of Gauss-Seidel over the constraints: it changes the ends y."""
    effective, color = effective_mass(active, mass), colors(active, len(y), mass)
    for k in range(int(color.max()) + 1):
        c, m = active[color == k], effective[color == k]
        at, weights, normal = c["vertices"], c["weights"], c["impact"]["normal"]
        along = m * np.maximum(c["separation"] - np.einsum("cv,cvk,ck->c", weights, y[at], normal), 0)
        impulse = along[:, None] * normal
        if friction > 0:
            both = tangents(normal)
            slid = np.einsum("cv,cvk,ctk->ct", weights, y[at] - x[at], both) * m[:, None]
            length = np.maximum(np.linalg.norm(slid, axis=1), 1e-300)
            impulse += np.einsum("ct,ctk->ck", -slid * np.minimum(1, friction * along / length)[:, None], both)
        np.add.at(y, at, (weights * mass[at])[:, :, None] * impulse[:, None])
