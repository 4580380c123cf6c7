"""ccd.distributed on the real scenes: every call has the bits of one call, in 1, 2, 7 and 64 parts.

Ordinarily one scene, in 7 parts; with CCD_LONG=1 (make test-long) all scenes, in all numbers of parts. Where there is no data
the scene is two sheets that pass through each other.
"""

from fractions import Fraction

import numpy as np
import pytest
from conftest import DATA, LONG, longer, sheets
from tangles import COUNTS, record

import ccd
import ccd.distributed as cd

pytestmark = [pytest.mark.long] if LONG else []
SCENES = "cloth-funnel", "armadillo-rollers", "cloth-ball"
SHAPES = {1: (0, 2), 2: (1, 1), 3: (0, 1), 4: (0, 0)}  # 0: vertex, 1: edge, 2: face


def load(name):
    """The mesh of a scene, x0 and x1."""
    if not (DATA / "scenes").is_dir():
        faces, x0, x1 = sheets(14, seed=SCENES.index(name))
        x0[len(x0) // 2 :, 2] -= 0.1  # they cross at the start, so many pairs are near
        return ccd.Mesh(faces), x0, x1
    start, end = (ccd.read(path) for path in sorted((DATA / "scenes" / name / "frames").glob("*.ply")))
    return start.mesh(), start.vertices, end.vertices


def near_boxes(mesh, frames, kind, a, b, d):
    """Whether the boxes of pairs over the frames are at most d apart along each axis, in exact arithmetic.

    Rounding is monotone and d a double, so a rounded gap other than d is on the side of the exact one; rational numbers decide
    the others.
    """
    shapes = [np.arange(mesh.counts[0])[:, None], mesh.edges, mesh.faces]
    lo, hi = [], []
    for shape, ids in zip(SHAPES[int(kind)], (a, b)):
        of = [x[shapes[shape]] for x in frames]
        lo.append(np.concatenate(of, axis=1).min(axis=1)[ids])
        hi.append(np.concatenate(of, axis=1).max(axis=1)[ids])
    near = np.ones(len(a), bool)
    for upper, lower in ((lo[1], hi[0]), (lo[0], hi[1])):
        gap = upper - lower
        close = gap <= d
        for i, axis in np.argwhere(gap == d) if d else ():  # a difference rounds to zero only if it is zero
            close[i, axis] = Fraction(float(upper[i, axis])) - Fraction(float(lower[i, axis])) <= Fraction(d)
        near &= close.all(axis=1)
    return near


def length(x0):
    """A thousandth of the extent of a scene: a length at which some pairs that do not touch are near."""
    return float(np.ptp(x0, axis=0).max()) * 1e-3


@pytest.mark.parametrize("apart", longer([False, True], True))
@pytest.mark.parametrize("name", SCENES if LONG else SCENES[:1])
def test_real_scenes_have_the_bits_of_one_call(name, apart):
    mesh, x0, x1 = load(name)
    d = length(x0) if apart else 0.0
    options = {"min_separation": d} if apart else {}
    first, every = ccd.step.earliest(mesh, x0, x1, **options), ccd.step.collisions(mesh, x0, x1, **options)
    size, near = ccd.step.size(mesh, x0, x1, **options), ccd.proximity.near(mesh, x0, length(x0))
    kept = np.ones(len(near), bool)
    for kind in np.unique(near["kind"]):
        some = near["kind"] == kind
        kept[some] = near_boxes(mesh, (x0,), kind, near["a"][some], near["b"][some], length(x0))
    near = near[kept]
    found = ccd.broad.candidates(mesh, x0, x1, **options)
    pairs = {kind: found[kind][near_boxes(mesh, (x0, x1), kind, *found[kind].T, d)] for kind in ccd.Kind}
    assert not first.separate and len(every) > 100 and len(near) > 100 and sum(map(len, pairs.values())) > len(every)
    for n in COUNTS if LONG else (7,):
        report = cd.Report()
        assert record(cd.earliest(mesh, x0, x1, parts=n, report=report, **options)) == record(first)
        assert len(report.parts) == n
        assert cd.collisions(mesh, x0, x1, parts=n, **options).tobytes() == every.tobytes()
        assert cd.size(mesh, x0, x1, parts=n, **options) == size
        assert cd.near(mesh, x0, length(x0), parts=n).tobytes() == near.tobytes()
        listed = cd.candidates(mesh, x0, x1, parts=n, **options)
        assert all(listed[kind].tobytes() == pairs[kind].tobytes() for kind in ccd.Kind)
