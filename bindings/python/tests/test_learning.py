"""ccd.torch and ccd.jax: times that other packages differentiate. Where one is missing, its tests skip."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import ccd

SCENES = {}


def scene(name):
    """A mesh and two configurations: a triangle that falls onto another, askew."""
    if name not in SCENES:
        rng = np.random.default_rng(3)
        low = np.array([[0, 0, 0], [3, 0, 0], [0, 3, 0.0]])
        high = np.array([[0.5, 0.5, 1], [1, 0.6, 1.5], [0.4, 1.2, 1.7]])
        x0 = np.vstack([low, high])
        SCENES[name] = (
            ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]]),
            x0,
            x0 - np.outer([0] * 3 + [2] * 3, [0, 0, 1]) + 0.05 * rng.normal(size=(6, 3)),
        )
    return SCENES[name]


def truth(mesh, x0, x1, **options):
    """The dense gradient of the earliest time, from ccd.step.gradients."""
    [g] = ccd.step.gradients(mesh, x0, x1, ccd.step.earliest(mesh, x0, x1, **options), **options)
    assert g["state"] == ccd.GradientState.DEFINED
    out = np.zeros((2, len(x0), 3))
    out[0, g["vertices"]], out[1, g["vertices"]] = g["x0"], g["x1"]
    return g["toi"], out


class Torch:
    name = "torch"

    def __init__(self):
        self.torch = pytest.importorskip("torch", reason="PyTorch is not installed")
        self.module = ccd.torch

    def value_and_grad(self, f, x0, x1):
        a, b = (self.torch.tensor(x, dtype=self.torch.float64, requires_grad=True) for x in (x0, x1))
        y = f(a, b)
        y.backward()
        return y.item(), a.grad.numpy(), b.grad.numpy()


class Jax:
    name = "jax"

    def __init__(self):
        self.jax = pytest.importorskip("jax", reason="JAX is not installed")
        self.jax.config.update("jax_enable_x64", True)
        self.module = ccd.jax

    def value_and_grad(self, f, x0, x1):
        y, (a, b) = self.jax.value_and_grad(f, argnums=(0, 1))(self.jax.numpy.asarray(x0), self.jax.numpy.asarray(x1))
        return float(y), np.asarray(a), np.asarray(b)


@pytest.fixture(params=[Torch, Jax], ids=lambda of: of.name)
def learning(request):
    return request.param()


@pytest.mark.parametrize("options", [{}, {"min_separation": 0.05}, {"min_separation": 0.05, "norm": "max"}])
def test_toi(learning, options):
    mesh, x0, x1 = scene("askew")
    toi, want = truth(mesh, x0, x1, **options)
    f = lambda a, b: 3 * learning.module.toi(mesh, a, b, **options) ** 2  # noqa: E731
    y, a, b = learning.value_and_grad(f, x0, x1)
    assert y == pytest.approx(3 * toi**2, rel=1e-15)
    assert np.allclose(a, 6 * toi * want[0], rtol=1e-14, atol=0) and np.allclose(b, 6 * toi * want[1], rtol=1e-14, atol=0)


def test_times(learning):
    mesh, x0, x1 = scene("askew")
    hits = ccd.step.collisions(mesh, x0, x1)
    found = ccd.step.gradients(mesh, x0, x1, hits)
    defined = found["state"] == ccd.GradientState.DEFINED
    hits, found = hits[defined], found[defined]
    assert len(hits) > 1
    share = np.arange(1.0, len(hits) + 1)
    total = lambda a, b: (learning.module.times(mesh, a, b, hits) * share_of(a)).sum()  # noqa: E731
    share_of = lambda a: learning.torch.tensor(share) if learning.name == "torch" else share  # noqa: E731
    y, *slopes = learning.value_and_grad(total, x0, x1)
    want = np.zeros((2, len(x0), 3))
    for g, s in zip(found, share):
        np.add.at(want[0], g["vertices"], s * g["x0"])
        np.add.at(want[1], g["vertices"], s * g["x1"])
    assert y == pytest.approx((found["toi"] * share).sum()) and np.allclose(slopes, want, rtol=1e-13, atol=1e-13)


def test_without_impact(learning):
    mesh, x0, _ = scene("askew")
    y, a, b = learning.value_and_grad(lambda a, b: learning.module.toi(mesh, a, b), x0, x0)
    assert y == np.inf and not a.any() and not b.any()
    y, a, b = learning.value_and_grad(lambda a, b: learning.module.toi(mesh, a, b, no_impact=1), x0, x0)
    assert y == 1 and not a.any() and not b.any()
    one = ccd.step.pairs(mesh, x0, x0, "vf", [[3, 0]])
    y, a, b = learning.value_and_grad(lambda a, b: learning.module.times(mesh, a, b, one, no_impact=2)[0], x0, x0)
    assert y == 2 and not a.any() and not b.any()


def test_undefined(learning):
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    x1 = x0 - np.outer([0, 0, 0, 1], [0, 0, 1])  # contact at t = 1
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    hit = ccd.step.collisions(mesh, x0, x1)
    for f in (learning.module.toi, lambda *a, **o: learning.module.times(*a, hit, **o)[0]):
        y, a, b = learning.value_and_grad(lambda a, b: f(mesh, a, b), x0, x1)  # noqa: B023
        assert y == 1 and np.isnan(a).all() and np.isnan(b).all()
        y, a, b = learning.value_and_grad(lambda a, b: f(mesh, a, b, undefined="zero"), x0, x1)  # noqa: B023
        assert y == 1 and not a.any() and not b.any()
        y, a, b = learning.value_and_grad(lambda a, b: 0 * f(mesh, a, b), x0, x1)  # noqa: B023
        assert not a.any() and not b.any()  # what takes no part has no gradient


def test_errors(learning):
    mesh, x0, x1 = scene("askew")
    for bad in ({"undefined": "none"}, {"ties": "first"}, {"t_max": 3}):
        with pytest.raises(ccd.ArgumentError if "t_max" not in bad else Exception, match=next(iter(bad))):
            float(learning.module.toi(mesh, x0, x1, **bad))
    with pytest.raises(ccd.ArgumentError, match="impacts"):
        learning.module.times(mesh, x0, x1, [1, 2])


def test_torch_dtypes_and_arrays():
    torch = Torch().torch
    mesh, x0, x1 = scene("askew")
    toi, want = truth(mesh, np.float32(x0), np.float32(x1))
    b = torch.tensor(x1, dtype=torch.float32, requires_grad=True)
    y = ccd.torch.toi(mesh, torch.tensor(x0, dtype=torch.float32), b)
    y.backward()
    assert y.dtype == b.grad.dtype == torch.float32 and y.item() == np.float32(toi) and np.allclose(b.grad, want[1], rtol=1e-6)
    y = ccd.torch.toi(mesh, np.float32(x0), b)  # an array beside a tensor
    assert y.requires_grad and y.item() == np.float32(toi)
    assert not ccd.torch.toi(mesh, x0, x1).requires_grad and ccd.torch.toi(mesh, x0, x1).dtype == torch.float64
    with pytest.raises(RuntimeError, match="does not require grad"):
        c = torch.tensor(x1, requires_grad=True)
        [g] = torch.autograd.grad(ccd.torch.toi(mesh, x0, c), c, create_graph=True)
        g.sum().backward()


def test_torch_gradcheck():
    torch = Torch().torch
    mesh, x0, x1 = scene("askew")
    ends = [torch.tensor(x, requires_grad=True) for x in (x0, x1)]
    assert torch.autograd.gradcheck(lambda a, b: ccd.torch.toi(mesh, a, b), ends, eps=1e-6, atol=1e-6)


def test_jax_compiles_and_maps():
    jax = Jax().jax
    mesh, x0, x1 = scene("askew")
    _, want = truth(mesh, x0, x1)
    f = jax.jit(jax.grad(lambda b: ccd.jax.toi(mesh, x0, b)))
    assert np.allclose(f(x1), want[1], rtol=1e-13, atol=0)
    many = np.stack([x1, x1 - 0.01 * np.outer([0, 0, 0, 1, 1, 1], [0, 0, 1])])
    each = jax.vmap(lambda b: ccd.jax.toi(mesh, x0, b))(many)
    assert np.allclose(each, [ccd.step.earliest(mesh, x0, b).toi_lo for b in many], rtol=1e-15, atol=0)


def test_jax_raises_errors_of_the_library_itself():
    """Not JAX's error of a callback that failed: what is wrong with shapes and options is known before any value is."""
    jax = Jax().jax
    mesh, x0, x1 = scene("askew")
    impacts = ccd.step.collisions(mesh, x0, x1)
    toi = lambda m, a, b, **more: ccd.jax.toi(m, a, b, **more)  # noqa: E731
    times = lambda m, a, b, **more: ccd.jax.times(m, a, b, impacts, **more)  # noqa: E731
    bad = np.array(x1)
    bad[1, 2] = np.nan
    for f in (toi, times):
        for kind, text, call in (
            (ccd.ArgumentError, "mesh is ", lambda: f(x0, x1, mesh)),  # noqa: B023
            (ccd.ArgumentError, "x0 has 5 vertices, x1 has 6", lambda: f(mesh, x0[:5], x1)),  # noqa: B023
            (ccd.ArgumentError, r"x0 has shape \(3, 6\): must be \(n, 3\); pass x0.T", lambda: f(mesh, x0.T, x1.T)),  # noqa: B023
            (ccd.NonFiniteError, r"x1\[1\]\[2\] is nan", lambda: f(mesh, x0, bad)),  # noqa: B023
            (ccd.ArgumentError, "min_separation is -1", lambda: f(mesh, x0, x1, min_separation=-1)),  # noqa: B023
            (TypeError, "did you mean min_separation", lambda: f(mesh, x0, x1, min_seperation=1)),  # noqa: B023
            (ccd.ArgumentError, "x0 has 5 vertices", lambda: jax.jit(lambda a: f(mesh, a, x1))(x0[:5])),  # noqa: B023
            (
                ccd.ArgumentError,
                "min_separation is traced by JAX: .*static_argnames",
                lambda: jax.jit(lambda d: f(mesh, x0, x1, min_separation=d))(0.1),  # noqa: B023
            ),
        ):
            with pytest.raises(kind, match=text) as error:
                call()
            assert type(error.value) is kind


@pytest.mark.parametrize("package", ["torch", "jax"])
def test_a_missing_package_is_named(package):
    code = f"import sys, ccd; sys.modules[{package!r}] = None; ccd.{package}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"ImportError: ccd.{package} needs" in done.stderr and "ccd.step.gradients does without" in done.stderr


def test_importing_ccd_imports_neither():
    code = "import sys, ccd; dir(ccd); assert not {'torch', 'jax'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert importlib.import_module("ccd") is ccd
