"""One step of a mesh, in Python: the earliest impact, and every impact.

    python step.py A B [MIN_SEPARATION]

A and B are the mesh at the start and at the end of the step (OBJ, PLY, STL or OFF). The programs of examples/c, cpp and go
print the same, to the bit.
"""

import sys

import ccd


def main() -> None:
    if not 3 <= len(sys.argv) <= 4:
        sys.exit("usage: step.py A B [MIN_SEPARATION]")
    start, end = ccd.read(sys.argv[1]), ccd.read(sys.argv[2])
    min_separation = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    mesh = start.mesh()
    print("mesh: {} vertices, {} edges, {} faces".format(*mesh.counts))

    first = ccd.step.earliest(mesh, start.vertices, end.vertices, min_separation=min_separation)
    if first.separate:
        print("separate for the whole step")
    else:
        print(f"earliest: {first.kind} {first.a} {first.b} at t = {first.toi_lo:.17g}")

    impacts = ccd.step.collisions(mesh, start.vertices, end.vertices, min_separation=min_separation)
    print(f"impacts: {len(impacts)}")
    for i in impacts:
        print(f"{ccd.Kind(int(i['kind']))} {i['a']} {i['b']} {i['toi_lo']:.17g} {i['toi_hi']:.17g}")


if __name__ == "__main__":
    main()
