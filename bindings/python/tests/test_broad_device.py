"""Candidates and steps on a device have the bits of the processor's, with and without a separation, filters and radii."""

import numpy as np
import pytest

import ccd


@pytest.fixture
def device(monkeypatch):
    """Allow PoCL, a device that is the processor, and skip where there is no device at all."""
    monkeypatch.setenv("CCD_OPENCL_CPU", "1")
    if not any(not d.refused for d in ccd.devices()):
        pytest.skip("no device")
    return "gpu"


def soup(seed, n):
    """Triangles that share no vertex, some of them static."""
    r = np.random.default_rng(seed)
    x0 = np.repeat(r.random((n, 3)), 3, axis=0) + 0.2 * r.random((3 * n, 3))
    x1 = x0 + 0.3 * (r.random((3 * n, 3)) - 0.5)
    return r, ccd.Mesh(faces=np.arange(3 * n).reshape(-1, 3)), x0, x1


@pytest.mark.parametrize("separation", [0.0, 0.01])
@pytest.mark.parametrize("vary", ["nothing", "groups", "static", "excluded", "radii"])
def test_same_candidates_and_impacts(device, separation, vary):
    r, mesh, x0, x1 = soup(3, 150)
    if vary == "groups":
        mesh.set_groups(np.repeat(r.integers(0, 3, 150), 3))
    elif vary == "static":
        still = np.repeat(r.random(150) < 0.5, 3)
        x1[still] = x0[still]
        mesh.set_static(still)
    elif vary == "excluded":
        pairs = ccd.broad.candidates(mesh, x0, x1)[ccd.Kind.EDGE_EDGE]
        mesh.set_excluded(ccd.Kind.EDGE_EDGE, pairs[::3])
    elif vary == "radii":
        mesh.set_radii(0.02 * r.random(450))
    want = ccd.broad.candidates(mesh, x0, x1, min_separation=separation)
    got = ccd.broad.candidates(mesh, x0, x1, min_separation=separation, device=device)
    assert len(want) > 1000
    for kind in (ccd.Kind.VERTEX_FACE, ccd.Kind.EDGE_EDGE):
        np.testing.assert_array_equal(got[kind], want[kind])
    hits = ccd.step.collisions(mesh, x0, x1, min_separation=separation)
    stats = ccd.Stats()
    on_device = ccd.step.collisions(mesh, x0, x1, min_separation=separation, device=device, memory_limit=32 << 20, stats=stats)
    assert len(hits) > 10 and stats.device_used and 0 < stats.device_peak_bytes <= 32 << 20
    np.testing.assert_array_equal(np.asarray(on_device), np.asarray(hits))
    sizes = [ccd.step.size(mesh, x0, x1, min_separation=separation, device=d) for d in ("cpu", device)]
    assert sizes[0] == sizes[1]
    first = [ccd.step.earliest(mesh, x0, x1, min_separation=separation, device=d) for d in ("cpu", device)]
    assert first[0] == first[1]


@pytest.mark.parametrize("separation", [0.0, 0.01])
def test_worlds_have_the_bits_of_the_processor(device, separation):
    r, mesh, start, end = soup(11, 40)
    mesh.set_radii(0.01 * r.random(120))
    x0 = start + 0.1 * r.random((60, 1, 3))  # Other worlds are nearer than most of a world.
    x1 = x0 + (end - start) * r.random((60, 1, 1))
    want, stats = ccd.step.earliest_batch(mesh, x0, x1, min_separation=separation), ccd.Stats()
    for _ in range(2):  # The mesh keeps its copies.
        got = ccd.step.earliest_batch(mesh, x0, x1, min_separation=separation, device=device, stats=stats)
        assert stats.device_used and got.tobytes() == want.tobytes()
    assert (want["verdict"] != ccd.Verdict.SEPARATE).sum() > 5
    mesh.set_static(r.random(120) < 0.5)  # Its copies follow.
    want = ccd.step.earliest_batch(mesh, x0, x1, min_separation=separation)
    got = ccd.step.earliest_batch(mesh, x0, x1, min_separation=separation, device=device)
    assert got.tobytes() == want.tobytes()
    with pytest.raises(ccd.UnsupportedError, match=r"device is 'gpu': worlds with .* a memory limit"):
        ccd.step.earliest_batch(mesh, x0, x1, device=device, memory_limit=32 << 20)
    x1[7, 3, 1] = np.nan
    with pytest.raises(ccd.Error, match=r"world 7: x1\[3\]\[1\] is NaN"):
        ccd.step.earliest_batch(mesh, x0, x1, device=device)


@pytest.mark.parametrize("how", ["cpu", "gpu", "brute force"])
def test_candidates_write_the_statistics(device, how):
    _, mesh, x0, x1 = soup(5, 120)
    options = {"cpu": {}, "gpu": {"device": device}, "brute force": {"brute_force": True}}[how]
    stats = ccd.Stats()
    found = ccd.broad.candidates(mesh, x0, x1, stats=stats, threads=2, **options)
    for kind in ccd.Kind:
        assert stats.candidates[kind] == len(found[kind])
    assert len(found) > 500 and stats.boxes == 360 + 360 + 120
    assert stats.threads >= 1 and stats.impacts == stats.undecided == 0
    assert 0 < stats.seconds_broad <= stats.seconds_total and stats.seconds_narrow == 0
    assert stats.peak_bytes >= 8 * len(found)
    assert stats.device_used == (how == "gpu")
    assert (stats.device_seconds > 0) == (stats.device_peak_bytes > 64 * len(x0)) == (how == "gpu")


def test_no_device_tests_all_pairs(device):
    _, mesh, x0, x1 = soup(6, 10)
    with pytest.raises(ccd.UnsupportedError, match=r"device is 'gpu': .*BRUTE_FORCE"):
        ccd.broad.candidates(mesh, x0, x1, device=device, brute_force=True)


def test_a_step_whose_narrow_phase_is_the_processors_has_used_the_device(device):
    """Radii that differ leave only the broad phase to the device."""
    r, mesh, x0, x1 = soup(7, 100)
    mesh.set_radii(0.02 * r.random(300))
    stats = ccd.Stats()
    ccd.step.earliest(mesh, x0, x1, device=device, stats=stats)
    assert stats.device_used and stats.device_peak_bytes > 0


def test_a_limit_that_vertices_exceed_is_an_error(device):
    _, mesh, x0, x1 = soup(4, 100)
    with pytest.raises(ccd.UnsupportedError, match="memory_limit"):
        ccd.step.earliest(mesh, x0, x1, device=device, memory_limit=10_000)
    assert ccd.step.earliest(mesh, x0, x1, device="auto", memory_limit=10_000) == ccd.step.earliest(mesh, x0, x1)
