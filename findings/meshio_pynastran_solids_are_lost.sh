#!/bin/sh
# meshio 5.3.5, pyNastran 1.4.1, NumPy 1.26.4, Python 3.11, Linux x86-64
#
# A tetrahedron of 10 nodes and a hexahedron of 20, each with a triangle, are written as Nastran decks by meshio and read by
# pyNastran. The same two elements, and a hexahedron of 8 nodes, are written by pyNastran and read by meshio.
# Expected: both take each other's elements. Nastran's cards for them are CTETRA and CHEXA, whatever the number of nodes, and a card
#           goes on in the next line where that begins with a blank field.
# Seen:     meshio names the cards CTETRA_ and CHEXA_, which Nastran does not have. pyNastran reads the deck without a word or an
#           error: the triangles are there, the solids are not; only reject_count in the model says so. The other way, meshio reads a
#           card's first line alone where the next begins with a blank field, without a word: a block "tetra10" whose rows have 6
#           nodes, and blocks "hexahedron" whose rows have 6.
# Why it matters: a mesh of solids that went through both has shells alone, or cells with missing corners, and every later step
# works on it: a collision check finds no body. Count the elements, and the nodes of each, after a conversion.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check meshio==5.3.5 pyNastran==1.4.1 numpy==1.26.4 scipy==1.15.3
cat >"$work/run.py" <<'PY'
import contextlib
import io
import sys
import warnings

warnings.simplefilter("ignore")
import meshio
import numpy as np
from pyNastran.bdf.bdf import BDF

deck = f"{sys.argv[1]}/a.bdf"
corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
tetra = np.vstack([corners, (corners[[0, 1, 2, 0, 1, 2]] + corners[[1, 2, 0, 3, 3, 3]]) / 2])
box = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)
ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
around, above = [(4 + a, 4 + b) for a, b in ring], [(i, i + 4) for i in range(4)]


def hexahedron(edges):
    return np.vstack([box, [(box[a] + box[b]) / 2 for a, b in edges]])


def by_pynastran(points, kind):
    """The types of the elements that pyNastran finds in a deck of meshio, what it says, and what it has rejected."""
    cells = [(kind, np.arange(len(points))[None]), ("triangle", np.array([[0, 1, 2]]))]
    meshio.write(deck, meshio.Mesh(points, cells, cell_data={"nastran:ref": [np.ones(1, int)] * 2}), file_format="nastran")
    with open(deck) as file:
        text = file.read()
    with open(deck, "w") as file:
        file.write("SOL 101\nCEND\n" + text)  # the sections that pyNastran asks for
    model, said = BDF(debug=None), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        model.read_bdf(deck, xref=False)
    return sorted(e.type for e in model.elements.values()), said.getvalue(), dict(model.reject_count)


def by_meshio(points, add):
    """The block and the number of nodes that meshio finds for an element of pyNastran."""
    model = BDF(debug=None)
    for i, p in enumerate(points):
        model.add_grid(i + 1, p)
    model.add_mat1(1, 1.0, None, 0.3)
    model.add_psolid(1, 1)
    getattr(model, add)(1, 1, list(range(1, len(points) + 1)))
    model.write_bdf(deck, interspersed=False)
    with open(deck) as file:
        text = file.read()
    with open(deck, "w") as file:
        file.write("SOL 101\nCEND\nBEGIN BULK\n" + text.replace("ENDDATA", "") + "ENDDATA\n")  # lines that meshio asks for
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        block = meshio.read(deck, file_format="nastran").cells[0]
    return block.type, block.data.shape[1], said.getvalue()


seen = [
    by_pynastran(tetra, "tetra10"),
    by_pynastran(hexahedron(ring + around + above), "hexahedron20"),
    by_meshio(tetra, "add_ctetra"),
    by_meshio(box, "add_chexa"),
    by_meshio(hexahedron(ring + above + around), "add_chexa"),
]
for row in seen:
    print(row)
sys.exit(
    "the behavior has changed"
    if seen
    != [
        (["CTRIA3"], "", {"CTETRA_": 1}),
        (["CTRIA3"], "", {"CHEXA_": 1}),
        ("tetra10", 6, ""),
        ("hexahedron", 6, ""),
        ("hexahedron", 6, ""),
    ]
    else 0
)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
