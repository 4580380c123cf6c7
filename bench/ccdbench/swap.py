"""Each interface that libccd answers, called as one calls it who swaps it in, beside the original where that can be had.

The originals are in ipctk: Tight Inclusion by itself, ipc-toolkit's TightInclusionCCD, and Scalable CCD's sort and sweep, which
is its SweepAndPrune. CCD-Wrapper's own method is Tight Inclusion. Of CTCD.h there is no package: its row has our figures alone.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import ccd
import ccd.compat.own as stand_in
import numpy as np

from . import clock, data, narrow, peers
from .machine import ROOT

OUT = ROOT / "bench" / "out" / "swap"
COMPAT = ROOT / "bindings" / "cpp" / "compat"
PAIRS = {  # interface: (macro, include folders, the original among peers.narrow())
    "Tight Inclusion": ("TIGHT_INCLUSION", ["tight_inclusion"], "ipctk Tight Inclusion"),
    "ipc-toolkit": ("IPC_TOOLKIT", ["tests/ipc_release"], "ipctk TightInclusionCCD"),
    "CCD-Wrapper": ("CCD_WRAPPER", ["ccd_wrapper"], "ipctk Tight Inclusion"),
    "CTCD.h": ("CTCD_H", ["ctcd"], None),
}


def build(name: str, source: str, macro: str, folders: list[str]) -> Path:
    """A program of bench/swap; it finds the library in build/."""
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / name
    include = [f"-I{COMPAT / folder}" for folder in folders]
    include += [f"-I{ROOT}/{folder}" for folder in ("bindings/cpp/compat/include", "bindings/cpp/include", "include")]
    system = ["-isystem", os.environ.get("EIGEN3_INCLUDE", "/usr/include/eigen3")]
    if macro == "IPC_TOOLKIT":
        system += ["-isystem", str(Path(peers.ipctk.__file__).parent)]
    link = [f"-L{ROOT}/build", "-lccd", f"-Wl,-rpath,{ROOT}/build", "-pthread"]
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O2", f"-D{macro}", *include, *system]
    subprocess.run([*command, str(ROOT / "bench" / "swap" / source), "-o", str(program), *link], check=True)
    return program


def pairs(sets: list[data.QuerySet], seconds: float) -> list[dict[str, Any]]:
    """Single queries from C++, and the original's on the same."""
    rows = []
    originals = {peer.name: peer for peer in peers.narrow()}
    theirs: dict[Any, dict[str, Any]] = {}
    for name, (macro, folders, original) in PAIRS.items():
        if macro == "IPC_TOOLKIT" and peers.ipctk is None:
            continue
        program = build(macro.lower(), "pairs.cpp", macro, folders)
        for queries in sets:
            kind = str(ccd.Kind.of("kind", queries.kind).value)
            done = subprocess.run([program, kind], input=queries.q.tobytes(), stdout=subprocess.PIPE, check=True)
            us, hit = np.array(done.stdout.split(), float).reshape(-1, 2).T
            row = {"interface": name, "set": queries.name, "kind": queries.kind, "who": "libccd", "queries": len(us)}
            row |= {"mean_us": float(us.mean()), "p50_us": float(np.median(us)), "worst_us": float(us.max())}
            row |= _graded(queries, hit != 0)
            rows.append(row)
            if original in originals:
                key = (original, queries.name, queries.kind)
                if key not in theirs:
                    theirs[key] = narrow.row(queries, originals[original], 0.0, 1e-6, seconds)
                rows.append(theirs[key] | {"interface": name, "who": original})
            print(".", end="", file=sys.stderr, flush=True)
    return rows


def _graded(queries: data.QuerySet, hit: np.ndarray) -> dict[str, int]:
    assert queries.truth is not None
    return {"missed": int((queries.truth & ~hit).sum()), "false": int((hit & ~queries.truth).sum())}


def boxes(scene: data.Scene, rounds: int) -> list[dict[str, Any]]:
    """The broad phase of Scalable CCD, each through its own interface: boxes, then both kinds of pairs."""
    program = build("boxes", "boxes.cpp", "SCALABLE_CCD", ["scalable_ccd"])
    sizes = [str(len(part)) for part in (scene.x0, scene.edges, scene.faces)]
    scene_bytes = b"".join(part.tobytes() for part in (scene.x0, scene.x1, scene.edges, scene.faces.astype(np.int32)))
    environment = os.environ | {"CCD_NUM_THREADS": "1"}
    done = subprocess.run(
        [program, *sizes, str(rounds)], input=scene_bytes, stdout=subprocess.PIPE, check=True, env=environment
    )
    count, *us = done.stdout.split()
    mine = {"scene": scene.name, "who": "libccd", "cpu": 1e-6 * statistics.median(map(float, us)), "pairs": int(count)}
    if peers.ipctk is None:
        return [mine]
    peers.set_threads(1)
    peer = peers.steps(scene)
    times, found = [], None
    for _ in range(rounds):
        start = time.process_time()
        found = peer.swept()
        times.append(time.process_time() - start)
    their = {"who": "Scalable CCD (ipctk SweepAndPrune)", "cpu": statistics.median(times), "pairs": len(found)}
    return [mine, {"scene": scene.name} | their]


def python(scene: data.Scene, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """A script's calls, with either module imported as ipctk: candidates of a step, and how far it may go."""
    calls = {}
    for who, library in (("ccd.compat.ipctk", stand_in), ("ipctk", peers.ipctk)):
        if library is not None:
            calls[who] = _script(library, scene)
    rows = []
    peers.set_threads(1)
    for who, median in clock.medians(calls, rounds, seconds).items():
        rows.append({"scene": scene.name, "who": who, "cpu": median.cpu, "result": float(median.result)})
    return rows


def _script(ipctk: Any, scene: data.Scene) -> Any:
    x0, x1, edges, faces = (np.asfortranarray(part) for part in (scene.x0, scene.x1, scene.edges, scene.faces))
    mesh = ipctk.CollisionMesh(x0, edges, faces)

    def call() -> float:
        return ipctk.compute_collision_free_stepsize(mesh, x0, x1, 0.0, ipctk.LBVH(), ipctk.TightInclusionCCD(1e-6, 1_000_000))

    return call
