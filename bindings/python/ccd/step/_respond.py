"""Positions after contact: a helper for those who have no solver of their own."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.by_name import options_by_name
from .._native.call import Call, unbounded
from .._native.steps import LONG, mesh_of
from ..errors import ArgumentError
from ..mesh import Mesh
from ._why import Why

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
    why : Why
        What limits the way to the positions of the response; ``str`` says it in sentences. Its separation is that of the step,
        ``min_separation`` times `keep`; its cause is ``Cause.NONE`` if `alpha` is 1.
    """

    x: NDArray[np.float64]
    alpha: float
    contacts: int
    rounds: int
    why: Why


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
        it is the room in which resting contact moves on. Of the norms the Euclidean one is taken. ``stats`` add up all
        searches.

    Returns
    -------
    Responded
        Positions, the safe part of the step, counts, and what limits the step.

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
    why : Says what limits any step.

    Notes
    -----
    One round is Gauss-Seidel over the constraints, color by color. For a constraint with normal n, weights w, separation s
    and effective mass m it adds m max(s - sum w_i n.x_i, 0) w_i / mass_i n to each vertex i. Where only vertices with small
    weights move, m is less, so that none moves by more than 16 times what is missing; later rounds do the rest. Rounds end
    where no pair comes too near.

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
    handle, n = mesh_of(mesh), mesh._vertices
    start, end = arrays.coordinates("x0", x0), arrays.coordinates("x1", x1)
    if len(start) != len(end) or len(start) != n:
        raise ArgumentError(f"x0 has {len(start)} vertices, x1 {len(end)}: the mesh has {n}")
    mass = None if inverse_mass is None else arrays.row("inverse_mass", inverse_mass)
    if mass is not None and len(mass) != n:
        raise ArgumentError(f"inverse_mass has {len(mass)} numbers: the mesh has {n} vertices")
    how = arrays.number("friction", friction), arrays.number("keep", keep), arrays.integer("max_rounds", max_rounds, 1, 1000)
    call, x, out = Call(options, long=n >= LONG or unbounded(options)), np.empty((n, 3)), abi.Response()
    masses = None if mass is None else mass.ctypes
    given = (handle, start.ctypes, end.ctypes, n, masses, *how, call.options, x.ctypes, ctypes.byref(out))
    call(abi.library().ccd_step_respond, *given)
    kept = dict(options) | {"min_separation": out.why.min_separation} if out.why.cause else dict(options)
    return Responded(x, out.alpha, out.contacts, out.rounds, Why._of(out.why, kept, straight=True))
