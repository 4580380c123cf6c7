"""Continuous collision detection behind one small face, so that libraries can be swapped: how far may a Newton step go?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import ccd
from scene import Scene


class Ours:
    """libccd: one call, whose broad phase sees only pairs that come near; a list of candidates would cost twice as much."""

    name = "libccd"

    def __init__(self, scene: Scene, reach: float):
        self.mesh = scene.mesh()

    def step(self, x0: np.ndarray, x1: np.ndarray, distance: float) -> float:
        """A step in [0, 1] up to which all pairs keep a tenth of the least distance at x0.

        The caller computes positions from affine coordinates, so it cannot use those that `ccd.step.advance` proves. What is
        kept has to be far above the rounding of its own.
        """
        keep = 0.1 * distance
        if keep < 1e-12 * max(np.abs(x0).max(), np.abs(x1).max()):
            raise RuntimeError(f"a distance of {distance} is too small beside the rounding of the positions")
        return ccd.step.size(self.mesh, x0, x1, min_separation=keep)


class Ipctk:
    """ipctk, or whatever has its interface: `ccd.compat.own` is taken as well as the real one."""

    def __init__(self, scene: Scene, library: Any, name: str):
        self.name, self.library = name, library
        faces = np.asfortranarray(scene.faces.astype(np.int32))
        edges = library.edges(faces)
        self.mesh = library.CollisionMesh(np.asfortranarray(scene.x), edges, faces)
        # Patches that stay apart: the cloth's vertices are each a patch, the ball and the floor are one.
        patch = np.where(scene.patch < 0, np.arange(len(scene.x)) + 10, scene.patch).astype(np.int32)
        self.mesh.can_collide = library.make_vertex_patches_filter(patch)
        self.broad, self.narrow = library.LBVH(), library.TightInclusionCCD()

    def step(self, x0: np.ndarray, x1: np.ndarray, distance: float) -> float:
        """A step in [0, 1]; of each gap a part is left, as TightInclusionCCD does by default."""
        x0, x1 = np.asfortranarray(x0), np.asfortranarray(x1)
        found = self.library.Candidates()
        found.build(self.mesh, x0, x1, 0.0, self.broad)
        return found.compute_collision_free_stepsize(self.mesh, x0, x1, 0.0, self.narrow)


def real_ipctk() -> Any:
    try:
        import ipctk
    except ImportError:
        return None
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    return ipctk


def ipctk_peer(scene: Scene, reach: float) -> Ipctk:
    library = real_ipctk()
    if library is None:
        raise SystemExit("ipctk is not installed: pip install ipctk")
    return Ipctk(scene, library, "ipctk")


def stand_in(scene: Scene, reach: float) -> Ipctk:
    import ccd.compat.own as library

    return Ipctk(scene, library, "ccd.compat.own")


class Both:
    """Ours and ipctk on every step, in turns, for times of the same queries; the simulation goes on with ours."""

    name = "both"

    def __init__(self, scene: Scene, reach: float):
        self.each = [Ours(scene, reach), ipctk_peer(scene, reach)]
        self.seconds = {one.name: 0.0 for one in self.each}
        self.calls = 0

    def step(self, x0: np.ndarray, x1: np.ndarray, distance: float) -> float:
        alphas = {}
        for one in self.each if self.calls % 2 == 0 else self.each[::-1]:
            start = time.process_time()
            alphas[one.name] = one.step(x0, x1, distance)
            self.seconds[one.name] += time.process_time() - start
        self.calls += 1
        return alphas[Ours.name]


BACKENDS: dict[str, Callable[[Scene, float], Any]] = {"ours": Ours, "ipctk": ipctk_peer, "compat": stand_in, "both": Both}


class Neighbors:
    """Pairs within the barrier's reach at one time: the vertices of point-triangle and of edge-edge pairs."""

    def __init__(self, scene: Scene, reach: float):
        self.mesh, self.reach = scene.mesh(), reach
        self.edges, self.faces = self.mesh.edges, self.mesh.faces

    def pairs(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = ccd.proximity.near(self.mesh, x, self.reach)
        vf, ee = (found[found["kind"] == kind] for kind in (ccd.Kind.VERTEX_FACE, ccd.Kind.EDGE_EDGE))
        return (
            np.column_stack([vf["a"], self.faces[vf["b"]]]),
            np.column_stack([self.edges[ee["a"]], self.edges[ee["b"]]]),
        )
