"""Finds how to throw a body so that it lands on a mark at a given time: gradient descent through times of impact.

python examples/throw/throw.py [--steps 40] [--without-torch] [--svg throw.svg]

The body flies over a bumpy ground in time steps of straight motion. The step in which it lands has a time of impact toi, and
PyTorch differentiates the place x0 + toi (x1 - x0) and the time of the landing with respect to the velocity of the throw. Where
PyTorch is not installed, the chain rule is written out with the arrays of ccd.step.gradients; both give the same numbers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

import ccd

try:
    import torch
except ImportError:
    torch = None

GRAVITY = np.array([0, 0, -9.81])
FROM = np.array([0, 0, 1.0])
MARK, WHEN = np.array([3.0, 0.8]), 1.1  # the body shall land here, at this time
FIRST = np.array([1.2, -0.6, 2.2])  # the first throw
DT = 0.05
PACE = 5.0  # a length for a time: so much a second too early or too late counts
GAP = 0.01  # the distance at which it counts as landed: at a distance, times over edges and corners have derivatives too


def height(x, y):
    return 0.22 * np.sin(1.9 * x + 0.4) * np.cos(1.3 * y) + 0.08 * np.sin(3.7 * x - 2.1 * y)


def scene(n: int = 49) -> tuple[ccd.Mesh, np.ndarray, np.ndarray]:
    """A mesh of an octahedron (its first six vertices) and the ground; the corners about the center; the ground."""
    x, y = (grid.ravel() for grid in np.meshgrid(np.linspace(-1, 6, n), np.linspace(-3, 3, n), indexing="ij"))
    ground = np.stack([x, y, height(x, y)], axis=1)
    i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    below = np.vstack([np.stack([i, i + 1, i + n], 1), np.stack([i + 1, i + n + 1, i + n], 1)])
    turn, _ = np.linalg.qr(np.array([[2, 1, 0.3], [-0.5, 2, 1], [0.7, -1, 2]]))  # askew: it lands on one corner
    corners = 0.15 * np.vstack([turn, -turn])
    sides = [[a, b, c] for a in (0, 3) for b in (1, 4) for c in (2, 5)]
    mesh = ccd.Mesh(faces=np.vstack([sides, below + 6]), vertices=6 + len(ground))
    mesh.set_static(np.arange(6 + len(ground)) >= 6)
    return mesh, corners, ground


class Landing(NamedTuple):
    """Where the center of the body is when it lands, and when."""

    place: np.ndarray
    time: float


class Thrower:
    def __init__(self) -> None:
        self.mesh, self.corners, self.ground = scene()

    def center(self, velocity, t: float):
        """The center at a time; of a tensor, a tensor."""
        known = FROM + 0.5 * t * t * GRAVITY
        return velocity * t + (torch.as_tensor(known) if torch is not None and isinstance(velocity, torch.Tensor) else known)

    def frame(self, center) -> np.ndarray:
        return np.vstack([center + self.corners, self.ground])

    def landing_step(self, velocity: np.ndarray) -> int:
        """The time step in which the body lands."""
        for k in range(200):
            ends = [self.frame(self.center(velocity, t)) for t in (k * DT, (k + 1) * DT)]
            if ccd.step.earliest(self.mesh, *ends, min_separation=GAP).contact:
                return k
        sys.exit("the body does not land on the ground")

    def by_torch(self, velocity: np.ndarray) -> tuple[Landing, float, np.ndarray]:
        """The landing, the loss, and its gradient: by PyTorch."""
        k = self.landing_step(velocity)
        v = torch.tensor(velocity, requires_grad=True)
        c0, c1 = (self.center(v, t) for t in (k * DT, (k + 1) * DT))
        x0, x1 = (torch.cat([c + torch.as_tensor(self.corners), torch.as_tensor(self.ground)]) for c in (c0, c1))
        toi = ccd.torch.toi(self.mesh, x0, x1, min_separation=GAP, ties="mean")
        place, time = c0 + toi * (c1 - c0), (k + toi) * DT
        loss = ((place[:2] - torch.as_tensor(MARK)) ** 2).sum() + (PACE * (time - WHEN)) ** 2
        loss.backward()
        return Landing(place.detach().numpy(), time.item()), loss.item(), v.grad.numpy()

    def by_hand(self, velocity: np.ndarray) -> tuple[Landing, float, np.ndarray]:
        """The same by the chain rule. All corners move by t when the velocity does by 1."""
        k = self.landing_step(velocity)
        t0, t1 = k * DT, (k + 1) * DT
        c0, c1 = self.center(velocity, t0), self.center(velocity, t1)
        ends = self.frame(c0), self.frame(c1)
        hit = ccd.step.earliest(self.mesh, *ends, min_separation=GAP)
        [g] = ccd.step.gradients(self.mesh, *ends, hit, min_separation=GAP)
        body = (g["vertices"] >= 0) & (g["vertices"] < 6)
        slope = t0 * g["x0"][body].sum(axis=0) + t1 * g["x1"][body].sum(axis=0)  # derivative of toi
        toi = hit.toi_lo
        place, time = c0 + toi * (c1 - c0), (k + toi) * DT
        jacobian = (t0 + toi * DT) * np.eye(3) + np.outer(c1 - c0, slope)  # derivative of the place
        miss = place[:2] - MARK
        gradient = 2 * jacobian[:2].T @ miss + 2 * PACE**2 * (time - WHEN) * DT * slope
        return Landing(place, time), float(miss @ miss + (PACE * (time - WHEN)) ** 2), gradient

    def aim(self, steps: int, with_torch: bool) -> list[tuple[np.ndarray, Landing, float]]:
        """Gradient descent: the velocity, the landing and the loss of each throw."""
        look = self.by_torch if with_torch else self.by_hand
        velocity, throws = FIRST.copy(), []
        for _ in range(steps):
            landing, loss, gradient = look(velocity)
            throws.append((velocity, landing, loss))
            velocity = velocity - 0.3 * gradient
        return throws


def picture(throws: list[tuple[np.ndarray, Landing, float]]):
    """The throws from the side, and the loss."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))
    from drawing.canvas import Chart, Figure

    f = Figure("throw", "Throws that come nearer to a mark, and the loss", 760, 330)
    chart = Chart(f, (20, 40, 460, 280), (-0.6, 3.9), (-0.45, 2.25))
    x = np.linspace(-0.6, 3.9, 200)
    chart.line(x, height(x, MARK[1]), "ink")
    shown = sorted({0, 1, 2, 4, 8, len(throws) - 1} & set(range(len(throws))))
    for i in shown:
        velocity, landing, _ = throws[i]
        t = np.linspace(0, landing.time, 60)
        path = FROM + t[:, None] * velocity + 0.5 * t[:, None] ** 2 * GRAVITY
        last = i == shown[-1]
        chart.line(path[:, 0], path[:, 2], "good thick" if last else "a")
        f.dot(*chart.at(landing.place[0], landing.place[2]), "good" if last else "a")
    start, mark = chart.at(FROM[0], FROM[2]), chart.at(MARK[0], height(*MARK))
    f.dot(*start, "ink")
    f.text(start[0] - 12, start[1] + 22, "thrown from here", anchor="middle")
    x, y = mark
    f.path([(x, y + 4), (x, y + 42)], "b")
    f.path([(x - 4, y + 12), (x, y + 4), (x + 4, y + 12)], "b")
    f.text(mark[0], mark[1] + 58, "mark", "b", "middle")
    f.text(250, 26, "throws 0, 1, 2, 4, 8 and the last, from the side", anchor="middle")
    losses = Chart(f, (530, 70, 680, 270), (0, len(throws)), (-12, 2))
    for power in (0, -4, -8, -12):
        px, py = losses.at(0, power)
        f.path([(px - 4, py), (px, py)], "ink")
        f.text(px - 8, py + 4, f"1e{power}", "soft", "end")
    losses.axes("throw", "loss", base=-12)
    losses.line(np.arange(len(throws)), np.log10([max(loss, 1e-12) for *_, loss in throws]), "good thick")
    losses.tick(len(throws), str(len(throws)), base=-12)
    return f


def main() -> None:
    parser = argparse.ArgumentParser(description="Find how to throw a body so that it lands on a mark at a given time.")
    parser.add_argument("--steps", type=int, default=40, help="throws to make (default 40)")
    parser.add_argument("--without-torch", action="store_true", help="write out the chain rule instead of calling PyTorch")
    parser.add_argument("--svg", help="write a picture to this file")
    wanted = parser.parse_args()
    with_torch = torch is not None and not wanted.without_torch
    print("derivatives by", "PyTorch" if with_torch else "ccd.step.gradients and the chain rule")
    throws = Thrower().aim(wanted.steps, with_torch)
    for i, (velocity, landing, loss) in enumerate(throws):
        if i % 5 == 0 or i + 1 == len(throws):
            x, y, _ = landing.place
            print(
                f"throw {i}: {velocity.round(3)} m/s, lands at ({x:.4f}, {y:.4f}) after {landing.time:.4f} s, loss {loss:.1e}"
            )
    if wanted.svg:
        Path(wanted.svg).write_text(picture(throws).source(), "utf-8")


if __name__ == "__main__":
    main()
