"""Trimmed faces from STEP: compared with the distances of Open CASCADE, and with themselves."""

import math

import numpy as np
import pytest

import ccd

pytest.importorskip("OCP.STEPControl", reason="Open CASCADE (cadquery-ocp-novtk) is not installed")

import cad_parts as parts

TOLERANCE = 1e-6

# Moving part, part at rest, where the first begins and ends, and whether it can touch.
PAIRS = {
    "peg through a hole": (lambda: parts.cylinder(1, 3), parts.plate, (0, 0, 2), (0, 0, -5), False),
    "peg beside the hole": (lambda: parts.cylinder(1, 3), parts.plate, (0.3, 0, 2), (0.3, 0, -1), True),
    "slanted way through a hole": (lambda: parts.sphere(0.6), parts.plate, (-1.5, 0.1, 2), (1.8, 0.1, -2), True),
    "cap of a bullet on a fillet": (parts.bullet, parts.filleted, (0.9, 0.8, 4), (0.9, 0.8, 0), True),
    "corner of a chamfered box": (parts.chamfered, parts.chamfered, (2.2, 1.9, 4), (1.1, 1.2, 0), True),
    "key through a slot": (lambda: parts.box(-1.2, -0.3, -1, 1.2, 0.3, 1), parts.slotted, (0, 0, 3), (0, 0, -3), False),
    "key beside a slot": (lambda: parts.box(-1.2, -0.3, -1, 1.2, 0.3, 1), parts.slotted, (0.3, 0.1, 3), (0.3, 0.1, -3), True),
    "pin through a drilled cylinder": (
        lambda: parts.cylinder(0.45, 2, parts.frame(-1, 0, 0, (1, 0, 0))), parts.drilled, (3, 0, 0), (-3, 0, 0), False,
    ),
    "pin beside its hole": (
        lambda: parts.cylinder(0.45, 2, parts.frame(-1, 0, 0, (1, 0, 0))), parts.drilled, (3, 0.1, 0), (-3, 0.1, 0), True,
    ),
    "ball into part of a pipe": (lambda: parts.sphere(0.4), parts.sector, (3.5, 0.9, 0.5), (0, 0.9, 0.5), True),
    "lens on a ring": (parts.lens, parts.ring, (0.6, 0.2, 3), (0.4, 0.1, 0), True),
    "lens in the gap of a ring": (lambda: parts.sphere(0.45), parts.ring, (3, 3, 0), (0.8, 0.8, 0), False),
    "cone in its socket": (parts.cone, parts.socket, (0, 0, 2), (0, 0, -1), True),
    "cam on a vase": (parts.cam, parts.vase, (2.5, -2.5, 0.2), (0.4, -0.6, 0.3), True),
    "vase on a plate": (parts.vase, parts.plate, (0.6, 0.3, 3), (0.5, 0.2, 0), True),
    "bullets": (parts.bullet, parts.bullet, (3, 0.7, 1), (-2, 0.3, 0.5), True),
}  # fmt: skip
QUICK = ("peg through a hole", "peg beside the hole", "pin beside its hole", "cam on a vase", "cone in its socket")


def _read(shape, folder):
    parts.write(shape, folder / "part.step")
    return ccd.patch.read_step(folder / "part.step")


def _first_contact(a, b, start, end):
    """The time of first contact by Open CASCADE's distances: no faster than the distance allows, so never past a contact."""
    way, t = np.subtract(end, start).astype(float), 0.0
    speed = float(np.linalg.norm(way))
    for _ in range(400):
        d = parts.distance(parts.moved(a, start + t * way), b)
        if d < 1e-7:
            return t
        t += d / speed
        if t >= 1:
            return math.inf
    return t


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.long) for n in PAIRS])
def test_contacts_are_those_of_open_cascade(tmp_path, name):
    make_a, make_b, start, end, touches = PAIRS[name]
    a, b = make_a(), make_b()
    start, end = np.array(start, float), np.array(end, float)
    ma, mb = _read(a, tmp_path), _read(b, tmp_path)
    assert not ma.faces.open and not mb.faces.open
    way = end - start
    hit = ccd.patch.earliest(
        ma.body(), ma.points + start, ma.points + end, mb.body(), mb.points, mb.points, tolerance=TOLERANCE
    )
    assert hit.verdict != ccd.Verdict.UNDECIDED
    assert hit.contact == touches
    at = _first_contact(a, b, start, end)
    assert hit.toi_lo <= at + 1e-7  # none is missed
    if hit.contact:
        # At toi_hi the parts are within the tolerance and that of the loops, a millionth of some 6.
        assert parts.distance(parts.moved(a, start + hit.toi_hi * way), b) <= TOLERANCE + 2e-5
    else:
        assert math.isinf(at)


SOLIDS = {
    "sphere": lambda: parts.sphere(1),
    "box": lambda: parts.box(0, 0, 0, 1, 2, 3),
    "fillets": parts.filleted,
    "chamfers": parts.chamfered,
    "plate": parts.plate,
    "drilled": parts.drilled,
    "ring": parts.ring,
    "bullet": parts.bullet,
    "lens": parts.lens,
    "cone": parts.cone,
    "vase": parts.vase,
    "cam": parts.cam,
}


@pytest.mark.parametrize("name", [n if n in ("sphere", "fillets") else pytest.param(n, marks=pytest.mark.long) for n in SOLIDS])
def test_a_solid_is_not_in_contact_with_itself(tmp_path, name):
    model = _read(SOLIDS[name](), tmp_path)
    hit, unresolved = ccd.patch.self_earliest(model.body(), model.points, model.points + np.array([1, 2, 3]))
    assert hit.separate
    assert unresolved.pairs == 0
