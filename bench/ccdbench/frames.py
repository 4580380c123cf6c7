"""One frame: intersections, near pairs and the smallest distance, beside ipctk's."""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any

import ccd
import numpy as np
from ccd._native import abi, steps

from . import clock, data, peers

if peers.ipctk:
    import ipctk


def measure(scene: data.Scene, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Rows (scene, task, who, wall and cpu seconds, result) on one thread, of both frames of a scene in turn."""
    rows = []
    peers.set_threads(1)
    for name, x in (("start", scene.x0), ("end", scene.x1)):
        for task, contestants in _tasks(scene, np.asfortranarray(x), x).items():
            for who, median in clock.medians(contestants, rounds, seconds).items():
                row = {"scene": f"{scene.name}, {name}", "task": task, "who": who, "result": float(median.result)}
                rows.append(row | {"wall": median.wall, "cpu": median.cpu})
                print(".", end="", file=sys.stderr, flush=True)
    return rows


def _tasks(scene: data.Scene, columns: Any, x: Any) -> dict[str, dict[str, Any]]:
    edges = x[scene.edges]
    d = float(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1).mean()) / 20
    least = ccd.proximity.distance(scene.mesh, x).distance_hi
    tasks: dict[str, dict[str, Any]] = {
        "intersections": {
            "libccd": lambda: ccd.proximity.intersects(scene.mesh, x, threads=1),
            "libccd, all of them": lambda: len(ccd.proximity.intersections(scene.mesh, x, threads=1)),
        },
        "near": {"libccd": lambda: near(scene, x, d)},
        "distance": {"libccd": lambda: ccd.proximity.distance(scene.mesh, x, threads=1).distance_hi},
    }
    if peers.ipctk:
        mesh = peer_mesh(scene, columns)

        def collisions(within: float) -> Any:
            return peer_collisions(mesh, columns, within)

        tasks["intersections"]["ipctk"] = lambda: ipctk.has_intersections(mesh, columns)
        tasks["near"]["ipctk"] = lambda: len(collisions(d))
        reach = 1.5 * least if least > 0 else d
        tasks["distance"]["ipctk"] = lambda: math.sqrt(collisions(reach).compute_minimum_distance(mesh, columns))
    return tasks


def peer_mesh(scene: data.Scene, columns: Any) -> Any:
    """The peer's mesh of a scene."""
    return ipctk.CollisionMesh(columns, np.asfortranarray(scene.edges), np.asfortranarray(scene.faces))


def peer_collisions(mesh: Any, columns: Any, within: float) -> Any:
    """The peer's pairs within a distance."""
    found = ipctk.NormalCollisions()
    found.build(mesh, columns, within)
    return found


def peer_near(scene: data.Scene, x: Any, within: float) -> Any:
    """A call that returns the number of the peer's near pairs."""
    columns = np.asfortranarray(x)
    mesh = peer_mesh(scene, columns)
    return lambda: len(peer_collisions(mesh, columns, within))


def near(scene: data.Scene, x: Any, d: float, threads: int = 1) -> int:
    """The number of near pairs; they stay behind their C handle, as the peer's stay in C++."""
    call, frame = steps.prepare_configuration(scene.mesh, x, {"threads": threads})
    library, handle, count = abi.library(), ctypes.c_void_p(), ctypes.c_size_t()
    call(library.ccd_proximity_near, *frame, d, call.options, ctypes.byref(handle))
    library.ccd_near_pairs_count(handle, ctypes.byref(count))
    library.ccd_near_pairs_destroy(handle)
    return count.value
