"""What calls find keeps their memory limit: an error where it does not fit, and portions where nobody wants a list."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import sheets

import ccd
from ccd import patch, proximity, rigid, volume

LEAST = 1 << 20  # bytes of results that no limit refuses


def pile(n, corners=3, seed=7):
    """n simplices that pass through each other: their corners, x0, x1."""
    rng = np.random.default_rng(seed)
    return np.arange(corners * n).reshape(n, corners), rng.uniform(size=(corners * n, 3)), rng.uniform(size=(corners * n, 3))


def surface(call):
    """A call on a pile of triangles."""
    faces, x0, x1 = pile(300)
    mesh = ccd.Mesh(faces)
    return lambda **options: call(mesh, x0, x1, **options)


def _rigid_scene(**options):
    rng = np.random.default_rng(1)
    body = rigid.Body(rng.uniform(size=(12, 3)), np.arange(12).reshape(4, 3))
    motions = [rigid.Motion(position=p, velocity=-2 * p) for p in rng.uniform(-0.5, 0.5, (100, 3))]
    return rigid.scene_collisions(100 * [body], motions, **options)


def _rigid_mesh(**options):
    faces, x0, x1 = pile(300)
    body = rigid.Body(np.eye(3) - 0.2, [[0, 1, 2]])
    motions = [rigid.Motion(position=(0.01 * i, 0, 0), velocity=(0.3, 0.3, 0.3)) for i in range(40)]
    return rigid.mesh_collisions(40 * [body], motions, ccd.Mesh(faces), x0, x1, **options)


def _patches(**options):
    index, x0, x1 = pile(90)
    body = patch.Body(len(x0), 90 * [patch.Form(patch.Shape.TRIANGLE, 1, 1)], index.ravel())
    return patch.collisions(body, x0, x1, body, x1, x0, **options)


def _volume(**options):
    corners, x0, x1 = pile(120, 4)
    return volume.collisions(volume.Volume(len(x0), "tetrahedron", corners), x0, x1, **options)


#: Calls, and the bytes that one of what they find takes until it is handed out.
LISTINGS = {
    "step.collisions": (surface(ccd.step.collisions), 264),
    "step.collisions, by brute force": (surface(lambda *a, **o: ccd.step.collisions(*a, brute_force=True, **o)), 264),
    "step.activeset": (surface(ccd.step.activeset), 440),
    "step.collisions, in a region": (
        surface(lambda *a, **o: ccd.step.collisions(*a, region=((-np.inf,) * 3, (np.inf,) * 3), **o)), 264
    ),
    "candidates.collisions": (surface(lambda m, a, b, **o: ccd.broad.candidates(m, a, b).step(a, b).collisions(**o)), 264),
    "broad.candidates": (surface(ccd.broad.candidates), 20),
    "broad.candidates, by brute force": (surface(lambda *a, **o: ccd.broad.candidates(*a, brute_force=True, **o)), 18),
    "proximity.near": (surface(lambda m, a, _, **o: proximity.near(m, a, 0.5, **o)), 224),
    "proximity.intersections": (surface(lambda m, a, _, **o: proximity.intersections(m, a, **o)), 48),
    "volume.collisions": (_volume, 352),
    "rigid.scene_collisions": (_rigid_scene, 304),
    "rigid.mesh_collisions": (_rigid_mesh, 304),
    "patch.collisions": (_patches, 256),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_that_does_not_fit_is_an_error(name):
    call, size = LISTINGS[name]
    found = call()
    assert len(found) * size > LEAST, "too little to be refused"
    with pytest.raises(ccd.OutOfMemoryError, match=r"memory_limit is 1: the results take") as caught:
        call(memory_limit=1)
    assert isinstance(caught.value, MemoryError) and caught.value.status == -5
    wide = call(memory_limit=1 << 30)
    assert len(wide) == len(found)
    if isinstance(found, np.ndarray):
        assert wide.tobytes() == found.tobytes()


# The host's address space ends 600 MiB above what it has when the limit is set; what is found takes twice that.
BOUNDED = """
import resource, sys, numpy as np, ccd
sys.path.insert(0, {tests!r})
from test_memory import pile
faces, x0, x1 = pile(2000)
mesh = ccd.Mesh(faces)
ccd.step.earliest(mesh, x0, x1)
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + 600 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    ccd.step.collisions(mesh, x0, x1, memory_limit=200 * 2**20)
except ccd.OutOfMemoryError as error:
    print("refused", error.status, flush=True)
count, stats = 0, ccd.Stats()
def visit(portion):
    global count
    count += len(portion)
print(ccd.step.visit(mesh, x0, x1, visit, memory_limit=200 * 2**20, stats=stats), count == stats.impacts, count > 2_000_000)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_host_outlives_more_impacts_than_it_has_memory_for():
    code = BOUNDED.format(tests=str(__import__("pathlib").Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.stdout == "refused -5\nTrue True True\n", done.stdout + done.stderr[-2000:]


def ordered(impacts):
    return impacts[np.lexsort([impacts[name] for name in ("b", "a", "kind", "toi_lo")])]


@pytest.mark.parametrize(
    "options",
    [{}, {"threads": 1}, {"memory_limit": 1}, {"min_separation": 1e-3}, {"min_separation": 1e-3, "norm": "max"}],
)
def test_visitors_and_streams_see_every_impact_once(options):
    faces, x0, x1 = sheets(30)
    mesh, portions = ccd.Mesh(faces), []
    want = ccd.step.collisions(mesh, x0, x1, **{k: v for k, v in options.items() if k != "memory_limit"})
    assert len(want) > 5000
    assert ccd.step.visit(mesh, x0, x1, portions.append, **options) is True
    assert max(map(len, portions)) <= 512
    assert ordered(np.concatenate(portions)).tobytes() == want.tobytes()
    assert ordered(np.concatenate(list(ccd.step.stream(mesh, x0, x1, **options)))).tobytes() == want.tobytes()


def test_what_stops_a_visit():
    faces, x0, x1 = sheets(30)
    mesh, seen = ccd.Mesh(faces), []

    def three(portion):
        seen.append(portion)
        return len(seen) == 3

    assert ccd.step.visit(mesh, x0, x1, three) is False and len(seen) == 3
    with pytest.raises(ZeroDivisionError):
        ccd.step.visit(mesh, x0, x1, lambda _: 1 / 0)
    with pytest.raises(ccd.Cancelled):
        ccd.step.visit(mesh, x0, x1, seen.append, progress=lambda _: True)
    with pytest.raises(ccd.ArgumentError, match="visitor is 5"):
        ccd.step.visit(mesh, x0, x1, 5)
    for number, portion in enumerate(ccd.step.stream(mesh, x0, x1)):
        assert len(portion)
        if number == 1:
            break
    with pytest.raises(ccd.NonFiniteError):
        next(ccd.step.stream(mesh, x0 * np.nan, x1))
    assert list(ccd.step.stream(mesh, x0, x0 + 0.0)) is not None
    none = ccd.Mesh(vertices=1)
    assert list(ccd.step.stream(none, np.zeros((1, 3)), np.ones((1, 3)))) == []


def test_a_closed_stream_leaves_no_thread():
    import threading

    faces, x0, x1 = sheets(30)
    before = threading.active_count()
    stream = ccd.step.stream(ccd.Mesh(faces), x0, x1)
    next(stream)
    stream.close()
    assert threading.active_count() == before
