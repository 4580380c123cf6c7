#!/bin/sh
# pyNastran 1.4.1, NumPy 1.26.4, Python 3.11, Linux x86-64.
#
# A deck gives all grid points a cylindrical system once, by GRDSET, as Nastran's manual allows: a blank CP (of the place) or CD
# (of the displacements) of a GRID takes the value of GRDSET, and a 0 that is written keeps the basic system. Points 2 and 3 have
# the numbers 1, 90, 0; the fields of point 2 are blank, those of point 3 are 0.
# Expected: with cross-references point 2 has CP 5 and CD 5, and is at r = 1, 90 degrees: (0, 1, 0); point 3 has 0 and 0, and is
#           at (1, 90, 0). If the card were not supported, none would have 5.
# Seen:     half of it. Both points have CD 5, also the one whose 0 was written; neither has CP 5, and point 2 is at (1, 90, 0):
#           cross_reference takes the card's system for the place first, and puts the point's own, 0, over it. Written again by
#           write_bdf, the deck has GRDSET and a blank CP on both: another program then moves point 3 to (0, 1, 0).
# Why it matters: models of wheels, disks and vessels come with one GRDSET in place of thousands of fields. Angles in degrees
# become lengths, displacements of points that are basic are turned, and a deck changes its shape by being read and written.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check pyNastran==1.4.1 numpy==1.26.4
cat >"$work/run.py" <<'PY'
import sys

from pyNastran.bdf.bdf import read_bdf

DECK = """GRDSET,,5,,,,5
CORD2C,5,0,0.,0.,0.,0.,0.,1.
,1.,0.,0.
GRID,2,,1.,90.,0.
GRID,3,0,1.,90.,0.,0
"""
path = f"{sys.argv[1]}/deck.bdf"
with open(path, "w") as file:
    file.write(DECK)
model = read_bdf(path, xref=True, punch=True, debug=None)
seen = [
    (grid.Cp(), grid.Cd(), [round(float(v), 9) for v in grid.get_position()]) for grid in (model.nodes[2], model.nodes[3])
]
print(f"GRDSET has CP {model.grdset.Cp()} and CD {model.grdset.Cd()}")
for number, (cp, cd, at) in zip((2, 3), seen):
    print(f"point {number}: CP {cp}, CD {cd}, at {at}")
model.write_bdf(f"{sys.argv[1]}/again.bdf", write_header=False)
with open(f"{sys.argv[1]}/again.bdf") as file:
    lines = [line.rstrip() for line in file if line.startswith("GR")]
print(*lines, sep="\n")
blank = all(not line[16:24].strip() for line in lines[1:])
if seen != [(0, 5, [1, 90, 0])] * 2 or not blank:
    sys.exit("the behavior has changed")
PY
"$work/venv/bin/python" "$work/run.py" "$work"
