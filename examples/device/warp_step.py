"""Tests candidate pairs with ccd/device.h inside a kernel of NVIDIA Warp, on a GPU or on the CPU.

python warp_step.py [DEVICE]

Warp puts the text of a native function into a function of its own. A local class takes the header in, because functions may
stand in one. Each kernel is a module, so that each includes the header once.
"""

import sys

import numpy as np
import warp as wp

import ccd

HEADER = f'struct Header {{\n#include "{ccd.include_path() / "ccd" / "device.h"}"\n}};\n'


@wp.func_native(HEADER + "result.data[0] = Header::ccd_device_check();")
def device_check(result: wp.array(dtype=int)): ...


@wp.func_native(HEADER + "verdict.data[i] = Header::ccd_device_vertex_face(q.data + 24 * i, toi.data + i);")
def vertex_face(q: wp.array(dtype=wp.float64), i: int, verdict: wp.array(dtype=int), toi: wp.array(dtype=wp.float64)): ...


@wp.kernel(module="unique")
def check(result: wp.array(dtype=int)):
    device_check(result)


@wp.kernel(module="unique")
def decide(q: wp.array(dtype=wp.float64), verdict: wp.array(dtype=int), toi: wp.array(dtype=wp.float64)):
    i = wp.tid()
    vertex_face(q, i, verdict, toi)


def main() -> None:
    device = wp.get_device(sys.argv[1] if len(sys.argv) > 1 else None)
    failed = wp.zeros(1, dtype=int, device=device)
    wp.launch(check, dim=1, inputs=[failed], device=device)
    if failed.numpy()[0]:
        sys.exit(f"{device}: the compiler changed the roundings (check {failed.numpy()[0]})")

    rng = np.random.default_rng(1)
    q = rng.uniform(-1, 1, (100_000, 24))  # v, f0, f1, f2 at t = 0 and at t = 1
    verdict, toi = wp.zeros(len(q), dtype=int, device=device), wp.zeros(len(q), dtype=wp.float64, device=device)
    wp.launch(decide, dim=len(q), inputs=[wp.array(q.ravel(), dtype=wp.float64, device=device), verdict, toi], device=device)

    got, times = verdict.numpy(), toi.numpy()
    exact = ccd.pair.solve("vertex-face", q)  # decides what the kernel leaves undecided
    decided = got != 0
    assert (got[decided] == exact["verdict"][decided]).all() and (times[decided] == exact["toi_lo"][decided]).all()
    assert (times[~decided] <= exact["toi_lo"][~decided]).all()
    separate, contacts, undecided = (got == 1).sum(), (got == 2).sum(), (got == 0).sum()
    print(f"{separate} separate, {contacts} contacts, {undecided} undecided: as the exact method has them")


if __name__ == "__main__":
    main()
