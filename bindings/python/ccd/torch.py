"""Times of impact as functions that PyTorch differentiates. Needs the package torch; `ccd.jax` is the same for JAX.

The library computes on the CPU in doubles; tensors of other devices and dtypes are converted, and so are results. There
are no second derivatives.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

try:
    import torch
except ImportError as error:
    raise ImportError("ccd.torch needs PyTorch: pip install torch; ccd.step.gradients does without") from error

from . import _times
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


def _array(x: Any) -> Any:
    return x.detach().to("cpu", torch.float64).numpy() if isinstance(x, torch.Tensor) else x


def _tensor(x: Any, like: Any) -> Any:
    return torch.as_tensor(x, dtype=like.dtype, device=like.device)


def _tensors(x0: Any, x1: Any) -> tuple[Any, Any]:
    """Both as tensors of one dtype and device: those of x0, if it is a tensor, else of x1, else doubles."""
    like = next((x for x in (x0, x1) if isinstance(x, torch.Tensor)), torch.empty(0, dtype=torch.float64))
    if not like.is_floating_point():
        like = torch.empty(0, dtype=torch.float64, device=like.device)
    return tuple(x.to(like) if isinstance(x, torch.Tensor) else torch.as_tensor(x).to(like) for x in (x0, x1))


class _Toi(torch.autograd.Function):  # type: ignore[misc]  # torch may have no types
    @staticmethod
    def forward(ctx: Any, x0: Any, x1: Any, mesh: Mesh, chosen: _times.Choices, options: dict[str, Any]) -> Any:
        found = _times.earliest(mesh, _array(x0), _array(x1), chosen, options)
        ctx.save_for_backward(_tensor(found.x0, x0), _tensor(found.x1, x1))
        return _tensor(found.toi, x0)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, grad: Any) -> Any:
        slopes = (torch.where(grad == 0, torch.zeros_like(slope), grad * slope) for slope in ctx.saved_tensors)
        return (*slopes, None, None, None)


class _Times(torch.autograd.Function):  # type: ignore[misc]  # torch may have no types
    @staticmethod
    def forward(ctx: Any, x0: Any, x1: Any, mesh: Mesh, impacts: Any, chosen: _times.Choices, options: dict[str, Any]) -> Any:
        found = _times.listed(mesh, _array(x0), _array(x1), impacts, chosen, options)
        ctx.shape = x0.shape
        vertices = torch.as_tensor(found.vertices, dtype=torch.int64, device=x0.device)
        ctx.save_for_backward(vertices, _tensor(found.x0, x0), _tensor(found.x1, x1))
        return _tensor(found.toi, x0)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, grad: Any) -> Any:
        vertices, *slopes = ctx.saved_tensors
        by = grad[:, None, None]

        def summed(slope: Any) -> Any:
            each = torch.where(by == 0, torch.zeros_like(slope), by * slope).reshape(-1, 3)
            return torch.zeros(ctx.shape, dtype=slope.dtype, device=slope.device).index_add_(0, vertices.reshape(-1), each)

        return (*(summed(slope) for slope in slopes), None, None, None, None)


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
    """Compute the earliest time of impact of a step, as a tensor with a derivative.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : torch.Tensor or array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : torch.Tensor or array_like
        Vertices at t = 1, (n, 3).
    no_impact : float, default inf
        The value without an impact; its derivatives are 0.
    undefined : {"nan", "zero"}, default "nan"
        The derivatives with respect to the vertices in contact where the time has none: at a double root, a tie, the
        border of a primitive.
    ties : {"undefined", "mean"}, default "undefined"
        What to do where several pairs are first at the same time, with different derivatives, as where a box lands on a
        face: the time has none then. ``"mean"`` returns the mean of theirs, a generalized gradient, as optimizers want
        it.
    **options : Options
        Keywords of `ccd.Options`, as in `ccd.step.earliest`. The method is always exact.

    Returns
    -------
    torch.Tensor
        The time, a scalar of the dtype and device of `x0`: the ``toi_lo`` of `ccd.step.earliest`, or `no_impact`. It is
        0, with derivatives 0, if the step begins in contact.

    Raises
    ------
    Error
        As `ccd.step.earliest`; also ArgumentError for an unknown `undefined` or `ties`.

    See Also
    --------
    times : The times of given impacts.
    ccd.step.gradients : The derivatives as arrays, with what they are and whether they exist.

    Examples
    --------
    A vertex falls onto a triangle, and touches it at t = 1/2. Were it to move less, it would touch later.

    >>> import ccd, torch
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = torch.tensor([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1.0]], dtype=torch.float64)
    >>> x1 = x0.clone()
    >>> x1[3, 2] = -1
    >>> _ = x1.requires_grad_(True)
    >>> ccd.torch.toi(mesh, x0, x1).backward()
    >>> x1.grad[3].tolist()
    [0.0, 0.0, 0.25]
    """
    chosen = _times.choices(no_impact, undefined, ties)
    a, b = _tensors(x0, x1)
    return _Toi.apply(a, b, mesh, chosen, dict(options))


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
    """Compute the times of given impacts of a step, as a tensor with derivatives.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : torch.Tensor or array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : torch.Tensor or array_like
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
    torch.Tensor
        The times (m,), of the dtype and device of `x0`.

    Raises
    ------
    Error
        As `ccd.step.gradients`; also ArgumentError for an unknown `undefined`.

    Examples
    --------
    >>> import ccd, torch
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = torch.tensor([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1.0]], dtype=torch.float64)
    >>> x1 = x0 - torch.tensor([[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2.0]])
    >>> ccd.torch.times(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1))
    tensor([0.5000], dtype=torch.float64)
    """
    chosen = _times.choices(no_impact, undefined, "undefined")
    a, b = _tensors(x0, x1)
    return _Times.apply(a, b, mesh, impacts, chosen, dict(options))
