"""A step shared out to processes: each computes the pairs of a region, and the least result is that of one call, to the bit.

    python regions_dask.py A B [REGIONS] [--plain] [--scheduler ADDRESS]

A and B are the mesh at the start and at the end of the step (OBJ, PLY, STL or OFF). Dask does the sharing: on this machine, or
on the cluster whose scheduler is at ADDRESS (dask.distributed). Without Dask, or with --plain, the standard library does.

Every process gets the whole mesh here. Where that is too large, give each the primitives that reach its region: see
ccd_region in include/ccd.h; ccd.distributed does so.
"""

import argparse
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import ccd

try:
    import dask
except ImportError:
    dask = None


def order(impact: ccd.Impact) -> tuple:
    """Impacts are compared by (toi_lo, kind, a, b); that of a region without one has an infinite time."""
    return impact.toi_lo, impact.kind or 0, impact.a, impact.b


def cut(x0, x1, count: int) -> list:
    """Regions that partition space along its longest axis, with about as many vertices each."""
    axis, inf = int(np.argmax(np.ptp(np.concatenate([x0, x1]), axis=0))), float("inf")
    cuts = np.quantile(np.minimum(x0, x1)[:, axis], np.linspace(0, 1, count + 1)[1:-1]).tolist()
    regions = []
    for ends in zip([-inf, *cuts], [*cuts, inf]):
        lo, hi = [-inf] * 3, [inf] * 3
        lo[axis], hi[axis] = ends
        regions.append((lo, hi))
    return regions


def with_dask(mesh, x0, x1, regions, scheduler):
    client = None
    if scheduler is not None:
        from dask.distributed import Client

        client = Client(scheduler)  # becomes the default of dask.compute
    try:
        scene = [dask.delayed(part) for part in (mesh, x0, x1)]  # sent once, not once for each region
        parts = [dask.delayed(ccd.step.earliest)(*scene, region=region, threads=1) for region in regions]
        least = dask.delayed(min)(parts, key=order)
        return least.compute() if client else least.compute(scheduler="processes")
    finally:
        if client is not None:
            client.close()


def with_processes(mesh, x0, x1, regions):
    # The library must not be forked once it is loaded: new processes are spawned.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(ccd.step.earliest, mesh, x0, x1, region=region, threads=1) for region in regions]
        return min((job.result() for job in jobs), key=order)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("start", metavar="A")
    parser.add_argument("end", metavar="B")
    parser.add_argument("regions", metavar="REGIONS", type=int, nargs="?", default=4)
    parser.add_argument("--plain", action="store_true", help="processes of the standard library, even where Dask is installed")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster")
    given = parser.parse_args()
    if given.scheduler and (given.plain or dask is None):
        parser.error("--scheduler needs Dask")

    start, x1 = ccd.read(given.start), ccd.read(given.end).vertices
    mesh, x0 = start.mesh(), start.vertices
    regions = cut(x0, x1, given.regions)
    if given.plain or dask is None:
        engine, least = "processes", with_processes(mesh, x0, x1, regions)
    else:
        engine, least = "Dask", with_dask(mesh, x0, x1, regions, given.scheduler)
    whole = ccd.step.earliest(mesh, x0, x1)
    if least != whole:
        raise SystemExit(f"{engine}: {least} is not {whole}")
    where = "separate" if whole.separate else f"{whole.kind} {whole.a} {whole.b} at t = {whole.toi_lo:.17g}"
    print(f"{engine}: {len(regions)} regions, the bits of one call: {where}")


if __name__ == "__main__":
    main()
