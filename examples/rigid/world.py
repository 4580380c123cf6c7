"""Rigid bodies that fall, spin, collide and settle, from event to event. They never intersect, whatever the impulses do.

Within a frame every body moves and turns at constant rates, and `ccd.rigid.scene_collisions` returns when each pair first comes
into contact. The earliest pair gets an impulse; then only the pairs of its two bodies are tested again, from that time on. So
every piece of every path is one that the library has proven free, and as what moves apart is not reported again, the loop ends.
A body with too many events in one frame stands still for the rest of it: that makes a pile at rest cheap.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import ccd
from ccd.rigid import Body, Motion, motion_dtype, motion_pose

KEEP = {"min_separation": 1e-5, "tolerance": 1e-5, "ignore_separating": True}
GRAVITY = np.array([0, 0, -9.81])
RESTITUTION, FRICTION, PART = 0.3, 0.4, 1e-3  # PART: the least speed at which bodies leave a contact
EVENTS = 8  # events of one body in one frame at most


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Of quaternions w, x, y, z."""
    u, v = p[1:], q[1:]
    return np.concatenate([[p[0] * q[0] - u @ v], p[0] * v + q[0] * u + np.cross(u, v)])


def turn(angular_velocity: np.ndarray, t: float) -> np.ndarray:
    """The rotation by the vector t * angular_velocity."""
    rate = np.linalg.norm(angular_velocity)
    if rate == 0:
        return np.array([1.0, 0, 0, 0])
    return np.concatenate([[np.cos(rate * t / 2)], np.sin(rate * t / 2) / rate * angular_velocity])


def matrix(q: np.ndarray) -> np.ndarray:
    w, (x, y, z) = q[0], q[1:]
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * (w * cross + cross @ cross) / (q @ q)


class World:
    """Body 0 stands still: the tray. surfaces[k] is the surface and inertia[k] the moments per mass of shape k."""

    def __init__(self, surfaces: Sequence[tuple], inertia: Sequence[Sequence[float]], shape: Sequence[int]):
        self.surfaces, self.shape, n = surfaces, np.asarray(shape), len(shape)
        kinds = [Body(*s) for s in surfaces]
        self.radius = np.array([np.linalg.norm(surfaces[k][0], axis=1).max() for k in shape])
        self.bodies = [kinds[k] for k in shape]
        self.inverse = np.array([1 / np.asarray(inertia[k], float) for k in shape])  # inverse inertia for mass 1
        self.q = np.tile([1.0, 0, 0, 0], (n, 1))
        self.x, self.v, self.w = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))
        self.motions = np.zeros(n, motion_dtype)
        sizes = [len(surfaces[k][0]) for k in shape]
        self.first = np.concatenate([[0], np.cumsum(sizes)])
        faces = np.concatenate([surfaces[k][1] + at for k, at in zip(shape, self.first[:-1])])
        self.mesh = ccd.Mesh(faces, vertices=int(self.first[-1]))
        self.events = 0

    def vertices(self) -> np.ndarray:
        """Where all vertices are."""
        places = [self.surfaces[k][0] @ matrix(q).T + x for k, q, x in zip(self.shape, self.q, self.x)]
        return np.concatenate(places)

    def intersections(self) -> int:
        """Pairs of an edge and a face that share a point now, by the exact static test."""
        return len(ccd.proximity.intersections(self.mesh, self.vertices()))

    def frame(self, dt: float) -> None:
        """Move on by dt."""
        self.still = np.zeros(len(self.bodies), bool)
        self.still[0] = True
        self.count = np.zeros(len(self.bodies), int)
        self.v[1:] += dt * GRAVITY
        for i in range(len(self.bodies)):
            self._set_out(i, 0.0)
        found = ccd.rigid.scene_collisions(self.bodies, self.motions, t_max=dt, **KEEP)
        waiting = {(int(c["a"]), int(c["b"])): c["impact"] for c in found}
        while waiting:
            (a, b), hit = min(waiting.items(), key=lambda item: (item[1]["toi_lo"], item[0]))
            t = float(hit["toi_lo"])  # toi_lo itself may be applied: the bodies keep min_separation there
            changed = [i for i in (a, b) if not self.still[i]]
            for i in changed:
                self._arrive(i, t)
                self.count[i] += 1
            self._meet(a, b, hit)
            for i in changed:
                self._set_out(i, t)
            waiting = {pair: w for pair, w in waiting.items() if not set(pair) & set(changed)}
            for i in changed:
                waiting |= self._ask(i, t, dt)
            self.events += 1
        for i in range(1, len(self.bodies)):
            self._arrive(i, dt)

    def _arrive(self, i: int, t: float) -> None:
        self.q[i], self.x[i] = motion_pose(Motion(*self.motions[i].tolist()), t)
        self.q[i] /= np.linalg.norm(self.q[i])

    def _set_out(self, i: int, t: float) -> None:
        """The motion that is at the body's place at the time t. It is undone to t = 0 where motions are said to begin."""
        if self.count[i] > EVENTS:
            self.still[i], self.v[i], self.w[i] = True, 0, 0
        m = self.motions[i]
        m["rotation"], m["position"] = product(turn(self.w[i], -t), self.q[i]), self.x[i] - t * self.v[i]
        m["velocity"], m["angular_velocity"] = self.v[i], self.w[i]

    def _ask(self, i: int, t: float, dt: float) -> dict:
        """Contacts of body i with all others: with those whose balls meet, and that do not stand still as it does."""
        place = self.motions["position"] + t * self.motions["velocity"]
        way = np.linalg.norm(self.motions["velocity"] - self.motions["velocity"][i], axis=1) * (dt - t)
        near = np.linalg.norm(place - place[i], axis=1) < self.radius + self.radius[i] + way + 1e-3
        near &= ~(self.still & self.still[i])
        near[i] = True
        of = np.flatnonzero(near)
        groups = np.where(of == i, -1, 0)  # the others are not tested against each other
        found = ccd.rigid.scene_collisions(
            [self.bodies[k] for k in of], self.motions[of], t_min=t, t_max=dt, groups=groups, threads=1, **KEEP
        )
        return {(int(of[c["a"]]), int(of[c["b"]])): c["impact"] for c in found}

    def _meet(self, a: int, b: int, hit: np.void) -> None:
        """An impulse at the witness points: restitution along the normal, Coulomb's friction across."""
        normal, ends = hit["normal"], []
        if hit["verdict"] != ccd.Verdict.CONTACT or not normal.any():  # undecided: no point to push at
            self.count[[a, b]] = EVENTS + 1
            return
        response = np.zeros((3, 3))
        for i, point, sign in ((a, hit["point_a"], 1), (b, hit["point_b"], -1)):
            if self.still[i]:
                continue
            arm, r = point - self.x[i], matrix(self.q[i])
            inverse = r @ np.diag(self.inverse[i]) @ r.T
            lever = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
            response += np.eye(3) - lever @ inverse @ lever
            ends.append((i, sign, arm, inverse))
        speed = sum(sign * (self.v[i] + np.cross(self.w[i], arm)) for i, sign, arm, _ in ends)
        along = speed @ normal
        push = max(-RESTITUTION * along if along < -0.5 else 0.0, PART) - along
        if push <= 0:
            return
        impulse = np.linalg.solve(response, push * normal - (speed - along * normal))  # the one that also stops sliding
        grip = impulse - (impulse @ normal) * normal
        if impulse @ normal <= 0 or np.linalg.norm(grip) > FRICTION * (impulse @ normal):
            slide = speed - along * normal
            size = np.linalg.norm(slide)
            way = normal - (FRICTION / size * slide if size > 1e-12 else 0)
            lift = normal @ response @ way
            if lift <= 0:
                way, lift = normal, normal @ response @ normal
            impulse = push / lift * way
        for i, sign, arm, inverse in ends:
            self.v[i] += sign * impulse
            self.w[i] += sign * inverse @ np.cross(arm, impulse)
