"""One step by its parts on an engine of your choice; the result has the bits of one call.

    python run.py processes [OPTIONS]
    python run.py dask [--scheduler ADDRESS --workers N] [OPTIONS]          pip install distributed
    mpiexec -n 4 python -m mpi4py.futures run.py mpi [OPTIONS]              pip install mpi4py
    mpiexec -n 4 python run.py ranks [OPTIONS]                              the same without a pool: each rank has its parts
    python run.py ray [OPTIONS]                                             pip install ray

OPTIONS: --mesh A B (files of the mesh at the start and at the end; default two sheets), --parts N.
"""

import argparse
import contextlib

import numpy as np

import ccd
import ccd.distributed as cd


def sheets(n: int) -> tuple[ccd.Mesh, np.ndarray, np.ndarray]:
    """Two crumpled sheets of n x n vertices, of which one falls through the other."""
    rng = np.random.default_rng(0)
    i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    sheet = np.vstack([np.stack([i, i + 1, i + n], 1), np.stack([i + 1, i + n + 1, i + n], 1)])
    u, v = (a.ravel() / n for a in np.meshgrid(np.arange(n), np.arange(n)))
    low = np.stack([u, v, 0.1 * np.sin(5 * u)], 1)
    x0 = np.vstack([low, low + np.array([0.3 / n, 0.3 / n, 0.2])]) + rng.uniform(-0.2 / n, 0.2 / n, (2 * n * n, 3))
    return ccd.Mesh(np.vstack([sheet, sheet + n * n])), x0, x0 - np.outer(np.arange(len(x0)) >= n * n, [0, 0, 0.4])


def on_processes(scene, given, report):
    return cd.earliest(*scene, executor=2, parts=given.parts, report=report)


def on_dask(scene, given, report):
    from distributed import Client, LocalCluster

    if given.scheduler:
        with Client(given.scheduler) as client:
            client.wait_for_workers(given.workers, timeout=600)  # the number of parts depends on how many there are
            return cd.earliest(*scene, executor=client, parts=given.parts, report=report)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        return cd.earliest(*scene, executor=client, parts=given.parts, report=report)


def on_mpi(scene, given, report):
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as pool:
        return cd.earliest(*scene, executor=pool, parts=given.parts, report=report)


def on_ranks(scene, given, report):
    """Every rank plans the same from a merged sample, cuts and computes its parts; one reduction at the end.

    The ranks share the least time so far by a window of MPI, unless --alone is given.
    """
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    ranks, me = world.size, world.rank
    whole = cd.Scene.of(*scene)
    samples = world.allreduce(cd.sample(whole, share=(me, ranks)), op=cd.reduce)
    regions = cd.plan(samples, given.parts or 4 * ranks).regions
    best, stats = None, ccd.Stats()
    with contextlib.nullcontext() if given.alone else cd.MPILeast(world) as least:
        for i in range(me, len(regions), ranks):
            of = ccd.Stats()
            found = cd.earliest(
                cd.cut(whole, regions[i], index=i), threads=1, stats=of, **({} if given.alone else {"least": least})
            )
            best, stats = cd.reduce(best, found), cd.reduce(stats, of)
    best, stats = world.allreduce(best, op=cd.reduce), world.allreduce(stats, op=cd.reduce)
    if me == 0:
        print(f"{len(regions)} parts on {ranks} ranks, {sum(stats.candidates.values())} candidate pairs", flush=True)
    return best if me == 0 else None


def on_ray(scene, given, report):
    return cd.earliest(*scene, executor=cd.RayExecutor(num_cpus=1), parts=given.parts, report=report)


ENGINES = {"processes": on_processes, "dask": on_dask, "mpi": on_mpi, "ranks": on_ranks, "ray": on_ray}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("--mesh", nargs=2, metavar=("A", "B"), help="the mesh at the start and at the end of the step")
    parser.add_argument("--parts", type=int, help="number of parts (four for each worker)")
    parser.add_argument("--alone", action="store_true", help="ranks: share no time between the ranks")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster")
    parser.add_argument("--workers", type=int, default=1, help="wait until the cluster has so many workers (1)")
    given = parser.parse_args()
    if given.mesh:
        start, end = (ccd.read(path) for path in given.mesh)
        scene = start.mesh(), start.vertices, end.vertices
    else:
        scene = sheets(40)
    report = cd.Report()
    hit = ENGINES[given.engine](scene, given, report)
    if hit is None:
        return  # another rank reports
    whole = ccd.step.earliest(*scene)
    if repr(hit) != repr(whole):
        raise SystemExit(f"{given.engine}: {hit} is not {whole}")
    where = "separate" if hit.separate else f"{hit.kind} {hit.a} {hit.b} at t = {hit.toi_lo:.17g}"
    print(f"{given.engine}: the bits of one call: {where}")
    if report.parts:
        workers = len({part["pid"] for part in report.parts})
        print(f"{len(report.parts)} parts on {workers} processes, balance {report.balance:.2f}, {report.lost} lost", flush=True)


if __name__ == "__main__":
    main()
