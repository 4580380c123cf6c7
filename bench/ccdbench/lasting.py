"""Scenes of contact that lasts: bodies that rest on, slide along or nearly touch each other while they move.

A scene is a function that yields rows: a name, and a call that returns what it found, in words. To add one, write such a
function and enter it in SCENES under the title that the report gives it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mesh = tuple[Array, NDArray[np.int64]]
Row = tuple[str, Callable[[], str]]
Motion = dict[str, object]


# Meshes.


def thread(facets: int, turns: int, gap: float, *, nut: bool) -> Mesh:
    """A thread of radii 1 and 1.2 and pitch 0.3, moved by gap along the normals of its flanks; the chords of a nut stay outside
    of the corners of a bolt."""
    radii, pitch = (1.0, 1.2), 0.3
    wide = math.hypot(pitch / 2, 0.2) / (pitch / 2)
    points, faces = [], []
    for i in range(facets * turns + 1):
        angle = 2 * math.pi * i / facets
        for j, radius in enumerate(radii):
            r = (radius + gap * wide) / math.cos(math.pi / facets) if nut else radius
            points.append((r * math.cos(angle), r * math.sin(angle), pitch * (j / 2 + i / facets)))
    for i in range(facets * turns):
        a = 2 * i
        faces += [(a, a + 2, a + 1), (a + 1, a + 2, a + 3)]
        if i + facets < facets * turns:
            up = a + 2 * facets
            faces += [(a + 1, a + 3, up), (up, a + 3, up + 2)]
    return np.array(points), np.array(faces)


def tube(facets: int, rings: list[tuple[float, float]]) -> Mesh:
    """A surface about z through rings, each a radius and a height."""
    angle = 2 * math.pi * np.arange(facets) / facets
    points = [(r * c, r * s, z) for r, z in rings for c, s in zip(np.cos(angle), np.sin(angle), strict=True)]
    faces = []
    for k in range(len(rings) - 1):
        for i in range(facets):
            a, b = k * facets + i, k * facets + (i + 1) % facets
            faces += [(a, b, a + facets), (a + facets, b, b + facets)]
    return np.array(points), np.array(faces)


def box(half: tuple[float, float, float], parts: int = 1) -> Mesh:
    """A box around the origin, each face of which is a grid of parts x parts squares."""
    points, faces = [], []
    for axis in range(3):
        for side in (-1, 1):
            base = len(points)
            for i in range(parts + 1):
                for j in range(parts + 1):
                    p = [0.0, 0.0, 0.0]
                    p[axis], p[axis - 2], p[axis - 1] = side, 2 * i / parts - 1, 2 * j / parts - 1
                    points.append([x * h for x, h in zip(p, half, strict=True)])
            for i in range(parts):
                for j in range(parts):
                    a = base + i * (parts + 1) + j
                    faces += [(a, a + 1, a + parts + 2), (a, a + parts + 2, a + parts + 1)]
    return np.array(points), np.array(faces)


def wall(outline: Array, width: float, layers: int, *, closed: bool = True) -> Mesh:
    """The surface that an outline in the plane sweeps along z, around z = 0."""
    n = len(outline)
    heights = width * (np.arange(layers + 1) / layers - 0.5)
    points = np.vstack([np.column_stack([outline, np.full(n, z)]) for z in heights])
    faces = []
    for layer in range(layers):
        for i in range(n if closed else n - 1):
            a, b = layer * n + i, layer * n + (i + 1) % n
            faces += [(a, b, a + n), (b, b + n, a + n)]
    return points, np.array(faces)


def gear(teeth: int, facets: int, gap: float, phase: float) -> Array:
    """The outline of an involute gear of module 1 and a pressure angle of 20 degrees. Each flank has facets, and is moved back
    by half the gap along its normal."""
    pressure = math.radians(20)
    base, tip, root = teeth / 2 * math.cos(pressure), teeth / 2 + 1, teeth / 2 - 1.25
    half = math.pi / (2 * teeth) + math.tan(pressure) - pressure - gap / 2 / base
    roll = np.linspace(math.sqrt(max(root / base, 1) ** 2 - 1), math.sqrt((tip / base) ** 2 - 1), facets + 1)
    radius, angle = base * np.hypot(1, roll), roll - np.arctan(roll)
    foot = [] if root > base else [root]
    radii = np.concatenate([foot, radius, radius[::-1], foot])
    one = np.concatenate([[-half] * len(foot), angle - half, half - angle[::-1], [half] * len(foot)])
    angles = np.concatenate([one + phase + 2 * math.pi * k / teeth for k in range(teeth)])
    radii = np.tile(radii, teeth)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])


def rack(teeth: int, gap: float) -> Array:
    """The outline of a rack that such a gear runs along: it points down y, and its middle tooth is at x = 0."""
    slope = math.tan(math.radians(20))
    back = gap / 2 / math.cos(math.radians(20))
    one = [
        (-math.pi / 4 - 1.25 * slope + back, 1.25),
        (-math.pi / 4 + slope + back, -1),
        (math.pi / 4 - slope - back, -1),
        (math.pi / 4 + 1.25 * slope - back, 1.25),
    ]
    return np.array([(x + math.pi * (k - teeth // 2), y) for k in range(teeth) for x, y in one])


# Bodies that move.


def turning(a: Mesh, b: Mesh, motion_a: Motion, motion_b: Motion, **options: object) -> Callable[[], str]:
    """A call that finds the first contact of two bodies."""
    from ccd import rigid

    bodies = rigid.Body(*a), rigid.Body(*b)
    motions = rigid.Motion(**motion_a), rigid.Motion(**motion_b)  # type: ignore[arg-type]

    def call() -> str:
        hit = rigid.earliest(bodies[0], motions[0], bodies[1], motions[1], **options)  # type: ignore[arg-type]
        return f"{at(hit)}, {hit.iterations:,} steps"

    return call


def at(hit: object) -> str:
    """A verdict, and the time that is proven."""
    verdict, time = str(hit.verdict).split(".")[-1].lower(), hit.toi_lo  # type: ignore[attr-defined]
    return f"{verdict} at {time:.6g}" if math.isfinite(time) else verdict


def about_z(z: float = 0, speed: float = 0, rate: float = 0) -> Motion:
    return {"position": (0, 0, z), "velocity": (0, 0, speed), "angular_velocity": (0, 0, rate)}


def nut() -> Iterator[Row]:
    """Threads of 200 facets, for a whole turn; of 48 facets, the nut jams."""
    for facets, gap in ((200, 1e-3), (200, 1e-4), (48, 1e-4)):
        bolt, nut = thread(facets, 6, 0, nut=False), thread(facets, 3, gap, nut=True)
        call = turning(bolt, nut, about_z(), about_z(0.3, 0.3, 2 * math.pi))
        yield f"{len(bolt[1])} x {len(nut[1])} triangles, gap {gap:g}, a turn", call


def hinge() -> Iterator[Row]:
    """A shaft in its sleeve, a spindle that slides as it turns, and two knuckles face to face."""
    n = 200
    for gap in (1e-3, 1e-5):
        shaft = tube(n, [(0, -1), (1, -1), (1, 1), (0, 1)])
        hole = (1 + gap) / math.cos(math.pi / n)
        sleeve = tube(n, [(1.5, -0.8), (hole, -0.8), (hole, 0.8), (1.5, 0.8)])
        knuckle = tube(n, [(0, 1 + gap), (1, 1 + gap), (1, 2), (0, 2)])
        yield f"shaft in sleeve, gap {gap:g}, a turn", turning(shaft, sleeve, about_z(rate=2 * math.pi), about_z())
        yield f"spindle, gap {gap:g}, a turn", turning(shaft, sleeve, about_z(speed=0.1, rate=2 * math.pi), about_z())
        yield f"hinge, gap {gap:g}, a turn", turning(shaft, knuckle, about_z(rate=1), about_z(rate=1 - 2 * math.pi))


def slider() -> Iterator[Row]:
    """A square slider on its rail."""
    for gap in (1e-3, 1e-5):
        rail = box((0.7, 0.7, 4), 12)
        half = 0.7 + gap
        sleeve = tube(4, [(2, -0.8), (half * math.sqrt(2), -0.8), (half * math.sqrt(2), 0.8), (2, 0.8)])
        c = math.sqrt(0.5)
        turned = sleeve[0] @ np.array([(c, c, 0), (-c, c, 0), (0, 0, 1.0)])
        yield f"gap {gap:g}", turning(rail, (turned, sleeve[1]), about_z(), about_z(-2, 4))


def together() -> Iterator[Row]:
    """A box at rest on a floor, both of which turn about a tilted axis, and a part between two fingers that carry it."""
    tilted = (0.3, 0.5, 1.0)
    for gap in (1e-4, 1e-6, 1e-8, 1e-9):
        floor: Motion = {"pivot": (0, 0, 0.5), "angular_velocity": tilted}
        carried: Motion = {"pivot": (0, 0, -0.5 - gap), "angular_velocity": tilted}
        yield f"box on a floor, gap {gap:g}", turning(box((5, 5, 0.5)), box((0.5, 0.5, 0.5)), floor, carried)
    for gap in (1e-4, 1e-8):
        points, faces = box((0.1, 0.4, 0.4), 4)
        beside = np.array([0.4 + gap, 0, 0])
        fingers = np.vstack([points + beside, points - beside]), np.vstack([faces, faces + len(points)])
        moved: Motion = {"velocity": (0.3, 1, 0.2), "angular_velocity": tilted}
        yield f"part between fingers, gap {gap:g}", turning(fingers, box((0.3, 0.3, 0.3), 4), moved, moved)


def gears() -> Iterator[Row]:
    """Motions that are no screw, seen from the other body: spur gears of 17 and 23 teeth, a gear on a rack, and a heart cam (a
    spiral of Archimedes) that lifts a wedge at a constant speed. max_iterations is 0: no limit."""
    turn = 2 * math.pi
    for facets, gap in ((16, 1e-2), (16, 1e-3), (48, 1e-3), (48, 2e-4)):
        small = wall(gear(17, facets, gap, 0), 4, 2)
        large = wall(gear(23, facets, gap, math.pi + math.pi / 23), 4.5, 2)
        beside: Motion = {"position": (20, 0, 0), "angular_velocity": (0, 0, -turn * 17 / 23)}
        name = f"gears, {len(small[1])} x {len(large[1])} triangles, gap {gap:g}, a turn"
        yield name, turning(small, large, about_z(rate=turn), beside, max_iterations=0)
    gap = 1e-3
    small, bar = wall(gear(17, 16, gap, -math.pi / 2 + math.pi / 17), 4, 2), wall(rack(25, gap), 4.5, 2, closed=False)
    points = bar[0] * (1, -1, 1) - (0, 8.5, 0)
    slides: Motion = {"position": (-17 * math.pi / 4, 0, 0), "velocity": (17 * math.pi / 2, 0, 0)}
    name = f"gear on a rack, {len(small[1])} x {len(bar[1])} triangles, gap {gap:g}, half a turn"
    start = about_z(rate=turn / 2) | {"rotation": (math.cos(math.pi / 4), 0, 0, -math.sin(math.pi / 4))}
    yield name, turning(small, (points, bar[1]), start, slides, max_iterations=0)
    angle = np.linspace(0, math.pi, 513)
    radius = 1 + 0.5 * angle / math.pi
    spiral = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    cam = wall(np.vstack([spiral, spiral[-2:0:-1] * (1, -1)]), 1, 2)
    gap = 1e-4
    wedge = wall(np.array([(0.5, -0.2), (gap, 0), (0.5, 0.2)]), 0.8, 1)
    lifted: Motion = {"position": (1.01, 0, 0), "velocity": (0.48, 0, 0)}
    start = about_z(rate=-0.96 * math.pi) | {"rotation": (math.cos(0.01 * math.pi), 0, 0, -math.sin(0.01 * math.pi))}
    yield f"cam of {len(cam[1])} triangles, gap {gap:g}, half a turn", turning(cam, wedge, start, lifted, max_iterations=0)


# Meshes that rest.


def resting() -> Iterator[Row]:
    """Two grids of 8 x 8 vertices, one of which slides on the other at the separation, or in its plane: all collisions on
    straight paths and on parabolas, and all intervals."""
    import ccd

    n = 8
    u, v = (g.ravel() for g in np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n)))
    i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.vstack([np.stack([i, i + 1, i + n], 1), np.stack([i + 1, i + n + 1, i + n], 1)])
    mesh = ccd.Mesh(faces=np.vstack([faces, faces + n * n]))
    sheet = np.stack([u, v, 0 * u], 1)
    tilted = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]

    def calls(name: str, gap: float, turn: Array, d: float, norm: str) -> Iterator[Row]:
        x = np.vstack([sheet, sheet + np.array([0.03, 0.03, gap])]) @ turn.T
        way = np.zeros_like(x)
        way[n * n :] = (0.3, 0.1, 0)
        y = x + way @ turn.T
        arc = ccd.Motion([x, (x + y) / 2 + (0, 0, 1e-3), y])
        options = {"min_separation": d, "norm": norm, "threads": 1}

        def counted(what: Callable[[], object]) -> Callable[[], str]:
            return lambda: f"{len(what()):,} found"  # type: ignore[arg-type]

        yield f"{name}, lines", counted(lambda: ccd.step.collisions(mesh, x, y, **options))
        yield f"{name}, parabolas", counted(lambda: ccd.step.collisions(mesh, arc, **options))
        yield f"{name}, intervals", counted(lambda: ccd.step.intervals(mesh, x, y, **options))

    for norm in ("euclidean", "max"):
        yield from calls(f"level, exactly the separation, {norm}", 1e-3, np.eye(3), 1e-3, norm)
        yield from calls(f"turned, the separation up to rounding, {norm}", 1e-3, tilted, 1e-3, norm)
    yield from calls("turned, in one plane up to rounding", 1e-16, tilted, 0, "euclidean")


# Patches over an area.


def arcs(r: float, length: float, n: int) -> tuple[object, Array]:
    """The lower half of a cylinder about y, of n patches, and its control points."""
    from ccd.patch import Body

    ends = np.linspace(math.pi, 2 * math.pi, n + 1)
    points: list[tuple[float, float]] = []
    weights: list[float] = []
    for k in range(n):
        h, m = (ends[k + 1] - ends[k]) / 2, (ends[k] + ends[k + 1]) / 2
        p = [(math.cos(e), math.sin(e)) for e in (ends[k], m, ends[k + 1])]
        p[1] = (p[1][0] / math.cos(h), p[1][1] / math.cos(h))
        points += p[k > 0 :]
        weights += [1, math.cos(h), 1][k > 0 :]
    knots = [0] * 3 + [k for k in range(1, n) for _ in (0, 1)] + [n] * 3
    body = Body.nurbs(2, 1, knots, [0, 0, 1, 1], np.repeat(weights, 2))
    return body, np.array([[r * x, y, r * z] for x, z in points for y in (-length / 2, length / 2)])


CORNER = math.sqrt(0.5)
RING = [0] * 3 + [1, 1, 2, 2, 3, 3] + [4] * 3


def ring() -> list[tuple[float, float, float]]:
    """A circle: control points and weights."""
    points = []
    for c, d in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        points += [(c, d, 1.0), (c - d, d + c, CORNER)]
    return [*points, (1, 0, 1.0)]


def bowl(r: float) -> tuple[object, Array]:
    """The lower half of a sphere."""
    from ccd.patch import Body

    profile = [(0, -1, 1.0), (1, -1, CORNER), (1, 0, 1.0)]
    points = [[r * a * x, r * a * y, r * z] for x, y, _ in ring() for a, z, _ in profile]
    return Body.nurbs(2, 2, RING, [0] * 3 + [1] * 3, [w * v for *_, w in ring() for *_, v in profile]), np.array(points)


def torus(far: float, r: float) -> tuple[object, Array]:
    from ccd.patch import Body

    points = [[(far + r * c) * x, (far + r * c) * y, r * z] for x, y, _ in ring() for c, z, _ in ring()]
    return Body.nurbs(2, 2, RING, RING, [w * v for *_, w in ring() for *_, v in ring()]), np.array(points)


def patches() -> Iterator[Row]:
    """A body is lowered into another; *turns*: it turns by 3 degrees on the way; *grows*: it grows by a thousandth too."""
    from ccd import patch

    bearing, socket, around = arcs(1, 4, 3), bowl(1), torus(2, 0.5)
    cases = [
        ("shaft 0.999 in bearing 1", arcs(0.999, 3, 2), bearing, 1),
        ("shaft 1 in bearing 1", arcs(1, 3, 2), bearing, 1),
        ("ball 0.999 in socket 1", bowl(0.999), socket, 1),
        ("ball 0.999 in ring 1", bowl(0.999), bearing, 1),
        ("ball 1.6 through torus 2, 0.5", bowl(1.6), around, 2),
    ]
    c, s = math.cos(math.radians(3)), math.sin(math.radians(3))
    turn = np.array([(c, 0, s), (0, 1, 0), (-s, 0, c)])
    for name, (a, x), (b, y), height in cases:
        for kind, end in (("", x), (", turns", x @ turn.T), (", turns and grows", 1.001 * x @ turn.T)):
            for tolerance in (1e-4, 1e-6, 1e-10) if not kind else (1e-6, 1e-10):
                up = np.array([0, 0, height])
                start, stop = x + up, end - up

                def call(a=a, start=start, stop=stop, b=b, y=y, tolerance=tolerance) -> str:  # type: ignore[no-untyped-def]
                    hit = patch.earliest(a, start, stop, b, y, y, tolerance=tolerance, threads=1)
                    return at(hit)

                yield f"{name}{kind}, tolerance {tolerance:g}", call


# Boxes that pass through each other, and stacks.


def boxes() -> Iterator[Row]:
    """The fingers of a gripper, equal aligned boxes, that pass right through each other."""
    from ccd import robot

    for size in (0.2, 0.202):
        shapes = [robot.Shape.box([0.2, 0.2, 0.2]), robot.Shape.box([0.2, size, size])]
        joints = [robot.JointModel.moving(name, "prismatic", 0, k + 1, source=k) for k, name in enumerate("lr")]
        joints = [dataclasses.replace(joint, axis=np.array([1.0, 0, 0])) for joint in joints]
        model = robot.Robot("gripper", ["palm", "left", "right"], [[], shapes[:1], shapes[1:]], joints, ["l", "r"])
        path = robot.Path(["l", "r"], [[-1, 1], [1, -1]])

        def call(model=model, path=path) -> str:  # type: ignore[no-untyped-def]
            report = robot.check(model, path)
            return str(report.verdict).split(".")[-1].lower()

        yield f"0.2 and {size:g}", call


def stacks() -> Iterator[Row]:
    """Boxes on a floor under gravity, each a gap above the one below, half of which slide. A loop that answers each impact at
    one pair of points advances them by four frames of 1/120 s. The result says how far it came, with how many impacts, and
    where the top box is."""
    for far in (0, 1e5):
        for count in (2, 4):
            for gap in (0, 1e-12, 1e-9, 1e-4):
                call = lambda n=count, g=gap, f=far: Stack(n, g, f).run()  # type: ignore[misc]  # noqa: E731
                yield f"{count} boxes, gap {gap:g}, {far:g} from the origin", call


class Stack:
    """Boxes of size 1 on a floor. Bodies are numbered from the floor up."""

    LEAST = 1e-3  # the speed at which points part after an impact

    def __init__(self, count: int, gap: float, far: float) -> None:
        from ccd import rigid

        floor = np.array([[-9, -9, 0], [9, -9, 0], [0, 9, 0.0]]), np.array([[0, 1, 2]])
        self.bodies = [rigid.Body(*floor), *[rigid.Body(*box((0.5, 0.5, 0.5)))] * count]
        heights = [0.0] + [0.5 + k + (k + 1) * gap for k in range(count)]
        self.place = np.array([[far, -far, far + z] for z in heights])
        self.far = far
        self.rotation = np.tile([1.0, 0, 0, 0], (count + 1, 1))
        self.velocity, self.spin = np.zeros((count + 1, 3)), np.zeros((count + 1, 3))
        self.velocity[2::2, 0] = 0.3
        self.mass, self.inertia = [0.0] + [1.0] * count, [0.0] + [6.0] * count

    def run(self, frames: int = 4, dt: float = 1 / 120, most: int = 10_000) -> str:
        from ccd import rigid

        impacts, time = 0, 0.0
        for _ in range(frames):
            self.velocity[1:] -= (0, 0, 9.81 * dt)
            left = dt
            while left > 0 and impacts < most:
                states = zip(self.rotation, self.place, self.velocity, self.spin, strict=True)
                motions = [rigid.Motion(*state) for state in states]
                first = rigid.scene_earliest(self.bodies, motions, t_max=left, ignore_separating=True)
                step = min(first.toi_lo, left)
                for i, motion in enumerate(motions):
                    self.rotation[i], self.place[i] = rigid.motion_pose(motion, step)
                left -= step
                time += step
                if first.impact.separate:
                    break
                self.respond(first.a, first.b, first.impact)
                impacts += 1
        top = self.place[-1] - (self.far, -self.far, self.far)
        return f"{time / (frames * dt):.0%} of the way, {impacts} impacts, top at {top[2]:.3f}"

    def respond(self, a: int, b: int, impact: object) -> None:
        """Let the points of an impact part at the least speed."""
        n, p, q = (np.array(getattr(impact, name)) for name in ("normal", "point_a", "point_b"))
        arms = p - self.place[a], q - self.place[b]
        speeds = [self.velocity[i] + np.cross(self.spin[i], r) for i, r in zip((a, b), arms, strict=True)]
        turns = [np.cross(r, n) for r in arms]
        mobility = sum(self.mass[i] + self.inertia[i] * t @ t for i, t in zip((a, b), turns, strict=True))
        impulse = max(0.0, self.LEAST - n @ (speeds[0] - speeds[1])) / mobility
        for i, sign, t in ((a, 1, turns[0]), (b, -1, turns[1])):
            self.velocity[i] += sign * impulse * self.mass[i] * n
            self.spin[i] += sign * impulse * self.inertia[i] * t


SCENES: dict[str, tuple[str, Callable[[], Iterator[Row]]]] = {
    "resting": ("Sheets at exactly the separation", resting),
    "together": ("Bodies that turn together", together),
    "nut": ("Nut on bolt", nut),
    "hinge": ("Hinge, sleeve, spindle", hinge),
    "slider": ("Slider on its rail", slider),
    "gears": ("Gears, rack, cam", gears),
    "patches": ("Patches that meet over an area", patches),
    "boxes": ("Equal boxes", boxes),
    "stacks": ("Stacks", stacks),
}
