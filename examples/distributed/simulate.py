"""The plan of a step of 6 x 10^10 primitives on a thousand nodes, from a sample of it: no primitive but these is ever made.

    python simulate.py [--sheets K] [--side N] [--sample N]

The scene is that of large.py: K sheets of N x N vertices, every second one falling onto the one below. Sampled primitives
have the boxes that they would have. Times and memory are the measured ones of a primitive on one core, times the estimated
number of primitives of the largest part (docs/howto/distributed.md).
"""

import argparse
import time

import numpy as np

import ccd.distributed as cd

EARLIEST, CUT = 0.18e-6, 2.2e-6  # seconds a primitive: ccd.step.earliest, and cutting it out of files
WORKING, STORED = 77, 24  # bytes a primitive: of the call, of a part


def taken(sheets: int, side: int, size: int) -> cd.Sample:
    """A sample of the scene: one vertex, three edges and two faces for each vertex of the grid."""
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, side - 1, (2, size))
    sheet = rng.integers(0, sheets, size)
    corners = np.array([[[0, 0]] * 3, [[0, 0], [1, 0], [0, 0]], [[0, 0], [0, 1], [0, 0]],
                        [[1, 0], [0, 1], [1, 0]], [[0, 0], [1, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]]])  # fmt: skip
    corner = corners[rng.integers(0, 6, size)]
    x, y = (u[:, None] + corner[:, :, 0]) / side, (v[:, None] + corner[:, :, 1]) / side
    z = 0.5 * sheet[:, None] + 0.05 * np.sin(9 * x + sheet[:, None]) * np.cos(7 * y)
    falls = np.where(sheet % 2, 0.5, 0.0)[:, None]
    ends = np.stack([[[x.min(1), y.min(1), h.min(1)], [x.max(1), y.max(1), h.max(1)]] for h in (z, z - falls)])
    vertices = np.arange(3 * size, dtype=np.int64).reshape(size, 3)
    return cd.Sample(6 * sheets * side * side, size, np.arange(size, dtype=np.uint64), vertices, ends.transpose(3, 0, 1, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sheets", type=int, default=1000, help="number of sheets (1000)")
    parser.add_argument("--side", type=int, default=3163, help="vertices along a side of a sheet (3163)")
    parser.add_argument("--sample", type=int, default=1 << 20, help="primitives of the sample (1048576)")
    given = parser.parse_args()
    sample = taken(given.sheets, given.side, given.sample)
    print(f"{sample.total:.3g} primitives, sample of {given.sample:,}")
    heads = (
        "parts",
        "largest, primitives",
        "times its share",
        "all parts, times the scene",
        "memory, GB",
        "cut, s",
        "earliest, s",
    )
    print(f"| {' | '.join(heads)} |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for count in (1000, 4000, 16000):
        begin = time.process_time()
        plan = cd.plan(sample, count, pair_work=0.0)
        largest, share = max(plan.primitives), sample.total / count
        print(
            f"| {count} | {largest:.3g} | {largest / share:.2f} | {sum(plan.primitives) / sample.total:.2f} "
            f"| {largest * (WORKING + STORED) / 1e9:.2f} | {largest * CUT:.0f} | {largest * EARLIEST:.1f} |"
            f"  <!-- planned in {time.process_time() - begin:.0f} s -->",
            flush=True,
        )


if __name__ == "__main__":
    main()
