"""Times of impact as functions that JAX differentiates and compiles. Needs the package jax; `ccd.torch` is for PyTorch.

The library computes on the CPU in doubles, in a callback; arrays are converted, and so are results. JAX has doubles where
``jax_enable_x64`` is set. There are reverse derivatives (``jax.grad``, ``jax.vjp``), no forward and no second ones.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise ImportError("ccd.jax needs JAX: pip install jax; ccd.step.gradients does without") from error

import numpy as np

from . import _times
from ._native import arrays, results
from .errors import ArgumentError, no_mesh
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


def _floats(x0: Any, x1: Any) -> tuple[Any, Any]:
    """Both as arrays of one floating-point dtype."""
    a, b = jnp.asarray(x0), jnp.asarray(x1)
    dtype = jnp.result_type(a.dtype, b.dtype, jnp.float32)
    return a.astype(dtype), b.astype(dtype)


def _step(mesh: Mesh, x0: Any, x1: Any, options: Any) -> tuple[Any, Any]:
    """Both ends as arrays of one dtype, checked as far as they are known. JAX replaces errors of the callback by its own."""
    for name, value in options.items():
        if isinstance(value, jax.core.Tracer):
            raise ArgumentError(
                f"{name} is traced by JAX: must be a value that it does not trace; "
                "name it in static_argnames, or take it from the enclosing function"
            )
    if not isinstance(mesh, Mesh):
        raise no_mesh("mesh", mesh)
    a, b = _floats(x0, x1)
    _times.refuse(mesh, a.shape, b.shape, options)
    for name, x in (("x0", a), ("x1", b)):
        if not isinstance(x, jax.core.Tracer):
            arrays.finite(name, np.asarray(x, np.float64))
    return a, b


def _times_slope(cotangent: Any, slope: Any) -> Any:
    """A cotangent of 0 takes no part, whatever the slope is."""
    return jnp.where(cotangent == 0, jnp.zeros_like(slope), cotangent * slope)


def toi(
    mesh: Mesh,
    x0: Any,
    x1: Any,
    *,
    no_impact: float = math.inf,
    undefined: str = "nan",
    ties: str = "undefined",
    **options: Unpack[Options],
) -> Any:
    """Compute the earliest time of impact of a step, as an array with a derivative.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : jax.Array or array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : jax.Array or array_like
        Vertices at t = 1, (n, 3).
    no_impact : float, default inf
        The value without an impact; its derivatives are 0.
    undefined : {"nan", "zero"}, default "nan"
        The derivatives with respect to the vertices in contact where the time has none: at a double root, a tie, the
        border of a primitive.
    ties : {"undefined", "mean"}, default "undefined"
        What to do where several pairs are first at the same time, with different derivatives; ``"mean"`` returns the
        mean of theirs.
    **options : Options
        Keywords of `ccd.Options`, as in `ccd.step.earliest`. The method is always exact.

    Returns
    -------
    jax.Array
        The time, a scalar of the dtype of `x0`: the ``toi_lo`` of `ccd.step.earliest`, or `no_impact`. It is 0, with
        derivatives 0, if the step begins in contact.

    Raises
    ------
    Error
        As `ccd.step.earliest`; also ArgumentError for an unknown `undefined` or `ties`, and for an option that is traced.
        JAX wraps errors that follow from values that it traces, as a NaN inside ``jax.jit``.

    See Also
    --------
    times : The times of given impacts.
    ccd.step.gradients : The derivatives as arrays, with what they are and whether they exist.

    Examples
    --------
    A vertex falls onto a triangle, and touches it at t = 1/2. Were it to move less, it would touch later.

    >>> import ccd, jax, jax.numpy as jnp
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = jnp.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1.0]])
    >>> x1 = x0.at[3, 2].set(-1)
    >>> jax.grad(lambda x1: ccd.jax.toi(mesh, x0, x1))(x1)[3]
    Array([0.  , 0.  , 0.25], dtype=float32)
    """
    chosen = _times.choices(no_impact, undefined, ties)
    a, b = _step(mesh, x0, x1, options)
    shapes = tuple(jax.ShapeDtypeStruct(shape, a.dtype) for shape in ((), a.shape, b.shape))

    def compute(x0: Any, x1: Any) -> tuple[Any, ...]:
        found = _times.earliest(mesh, np.asarray(x0, np.float64), np.asarray(x1, np.float64), chosen, dict(options))
        return tuple(np.asarray(x, a.dtype) for x in found[:3])

    def forward(x0: Any, x1: Any) -> tuple[Any, Any]:
        time, *slopes = jax.pure_callback(compute, shapes, x0, x1, vmap_method="sequential")
        return time, slopes

    function = jax.custom_vjp(lambda x0, x1: forward(x0, x1)[0])
    function.defvjp(forward, lambda slopes, grad: tuple(_times_slope(grad, slope) for slope in slopes))
    return function(a, b)


def times(
    mesh: Mesh,
    x0: Any,
    x1: Any,
    impacts: Any,
    *,
    no_impact: float = math.inf,
    undefined: str = "nan",
    **options: Unpack[Options],
) -> Any:
    """Compute the times of given impacts of a step, as an array with derivatives.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : jax.Array or array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : jax.Array or array_like
        Vertices at t = 1, (n, 3).
    impacts : Impact or numpy.ndarray
        Impacts (m,) of this mesh, as `ccd.step.gradients` takes them: kind, a and b are read.
    no_impact : float, default inf
        The value of a pair that is separate; its derivatives are 0.
    undefined : {"nan", "zero"}, default "nan"
        The derivatives of a time that has none.
    **options : Options
        Keywords of `ccd.Options`, as in `ccd.step.earliest`. The method is always exact.

    Returns
    -------
    jax.Array
        The times (m,), of the dtype of `x0`.

    Raises
    ------
    Error
        As `ccd.step.gradients`; also ArgumentError for an unknown `undefined`, and for an option that is traced. JAX wraps
        errors that follow from values that it traces, as a NaN inside ``jax.jit``.

    Examples
    --------
    >>> import ccd, jax.numpy as jnp
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = jnp.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1.0]])
    >>> x1 = x0.at[3, 2].set(-1)
    >>> ccd.jax.times(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1))
    Array([0.5], dtype=float32)
    """
    chosen = _times.choices(no_impact, undefined, "undefined")
    a, b = _step(mesh, x0, x1, options)
    given = results.impacts_of(impacts)
    m = len(given)
    shapes = (
        jax.ShapeDtypeStruct((m,), a.dtype),
        jax.ShapeDtypeStruct((m, 4), jnp.int32),
        jax.ShapeDtypeStruct((m, 4, 3), a.dtype),
        jax.ShapeDtypeStruct((m, 4, 3), a.dtype),
    )

    def compute(x0: Any, x1: Any) -> tuple[Any, ...]:
        found = _times.listed(mesh, np.asarray(x0, np.float64), np.asarray(x1, np.float64), given, chosen, dict(options))
        return tuple(np.asarray(x, shape.dtype) for x, shape in zip(found, shapes))

    def forward(x0: Any, x1: Any) -> tuple[Any, Any]:
        time, *rest = jax.pure_callback(compute, shapes, x0, x1, vmap_method="sequential")
        return time, rest

    def backward(rest: Any, grad: Any) -> tuple[Any, ...]:
        vertices, *slopes = rest
        zero = jnp.zeros(a.shape, a.dtype)
        return tuple(zero.at[vertices].add(_times_slope(grad[:, None, None], slope)) for slope in slopes)

    function = jax.custom_vjp(lambda x0, x1: forward(x0, x1)[0])
    function.defvjp(forward, backward)
    return function(a, b)
