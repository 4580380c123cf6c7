"""Fields of a page: values of vertices, their ranges, and the colors that a browser shows."""

import base64
import json
import re

import numpy as np
import pytest
from browser import BROWSER, visit

import ccd
from ccd.cli import main

FACES = [[0, 1, 2], [3, 4, 5]]
X0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [5, 0, 0], [9, 0, 0], [5, 4, 0]], float)
X1 = X0 + np.outer([0, 0, 0, 1, 1, 1], [0, 3.0, 4.0])


def page_of(frames=(X0, X1)):
    page = ccd.view.Page("fields")
    return page, page.add_sequence(ccd.Mesh(FACES), list(frames))


def data_of(page):
    return json.loads(re.search(r'id="data" type="application/json">(.*?)</script>', page.html(), re.S).group(1))


def shares(text):
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_values_are_shares_of_the_range_of_all_parts_and_frames():
    page, part = page_of()
    other = page.add_mesh(ccd.Mesh(FACES), X0, X0)
    page.add_field(part, "heat", [np.arange(6.0), [10, 10, 10, 10, 10, np.nan]])
    page.add_field(other, "heat", np.full(6, -10))
    page.color_by = "heat"
    data = data_of(page)
    assert (
        data["fields"] == {"heat": [-10, 10], "speed": [0, 5]}
        and data["color_by"] == "heat"
        and page.fields == ["heat", "speed"]
    )
    first, last = (shares(text) for text in data["parts"][0]["fields"]["heat"])
    assert np.allclose(first, (np.arange(6) + 10) / 20) and np.allclose(last[:5], 1) and last[5] < -1000
    assert [shares(text).tolist() for text in data["parts"][1]["fields"]["heat"]] == [[0.0] * 6]


def test_vectors_have_their_lengths_and_large_numbers_do_not_overflow():
    page, part = page_of()
    page.add_field(part, "force", [np.tile([3e200, 4e200, 0], (6, 1))])
    page.add_field(part, "far", np.linspace(-1, 1, 6) * 1.5e308)
    page.add_field(part, "flat", np.full(6, 7))
    page.add_field(part, "none", np.full(6, np.nan))
    data = data_of(page)
    assert np.allclose(data["fields"]["force"], 5e200) and data["fields"]["none"] == [0, 0]
    assert np.allclose(shares(data["parts"][0]["fields"]["far"][0]), np.linspace(0, 1, 6))
    assert shares(data["parts"][0]["fields"]["flat"][0]).tolist() == [0.0] * 6


def test_thick_rods_have_the_values_of_their_vertices():
    mesh = ccd.Mesh(edges=[[0, 1]], vertices=2)
    mesh.set_radii(0.25)
    page, x = ccd.view.Page("a rod"), X0[:2]
    part = page.add_mesh(mesh, x, x)
    page.add_field(part, "end", [0.0, 1.0])
    (text,) = data_of(page)["parts"][0]["fields"]["end"]
    assert len(shares(text)) > 20 and set(shares(text).tolist()) == {0.0, 1.0} and page.fields == ["end"]


def test_what_is_wrong_is_named():
    page, part = page_of((X0, X1, X0))
    body = page.add_body(X0, FACES, ccd.rigid.Motion())

    def said(*arguments):
        with pytest.raises(ccd.ArgumentError) as caught:
            page.add_field(*arguments)
        return str(caught.value)

    assert said(7, "a", X0[:, 0]).startswith("part is 7")
    assert said(part, 3, X0[:, 0]) == "name is int: must be a string" and said(part, "", X0[:, 0]).startswith("name is empty")
    assert said(part, "a", X0[:5, 0]) == "values[0] has shape (5,) and dtype float64: must be numbers, (6,) or (6, k)"
    assert "for a vector at each vertex pass [values]" in said(part, "a", X0)
    assert said(part, "a", [X0[:, 0]] * 4).startswith("values: 4 arrays: must be one, or one for each of 2 steps or 3 frames")
    assert said(part, "a", [["x"] * 6]).startswith("values[0] has shape (6,)")
    assert said(body, "a", X0[:, 0]) == f"part is {body}, 'body': fields are for meshes and volumes"
    page.color_by = "b"
    with pytest.raises(ccd.ArgumentError, match="color_by is 'b': the fields of this page are 'speed'"):
        page.html()


def vtk(path, x, heat):
    points = "".join("{!r} {!r} {!r}\n".format(*row) for row in x.tolist())
    lines = f"# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 6 double\n{points}POLYGONS 2 8\n3 0 1 2\n3 3 4 5\n"
    path.write_text(f"{lines}POINT_DATA 6\nSCALARS heat double 1\nLOOKUP_TABLE default\n" + "\n".join(map(str, heat)) + "\n")
    return str(path)


def test_the_command_takes_point_data_and_steps_of_vertices(tmp_path, capsys):
    files = [vtk(tmp_path / f"{k}.vtk", x, [float(k)] * 6) for k, x in enumerate((X0, X1))]
    out = tmp_path / "page.html"
    assert main(["view", *files, "-o", str(out), "--color", "heat"]) == 0
    data = json.loads(re.search(r'id="data" type="application/json">(.*?)</script>', out.read_text(), re.S).group(1))
    assert data["fields"] == {"heat": [0, 1], "speed": [0, 5]} and data["color_by"] == "heat"
    assert main(["view", *files, "-o", str(out), "--color", "alpha"]) == 0
    data = json.loads(re.search(r'id="data" type="application/json">(.*?)</script>', out.read_text(), re.S).group(1))
    assert data["fields"]["alpha"] == [1, 1] and len(data["parts"][0]["fields"]["alpha"]) == 1
    capsys.readouterr()
    assert main(["view", *files, "-o", str(out), "--color", "heta"]) == 2
    assert capsys.readouterr().err == "ccd: --color is 'heta': the fields are heat, speed, alpha, distance, gap\n"


@pytest.mark.long
@BROWSER
def test_a_browser_shows_the_colors(tmp_path):
    page, part = page_of()
    page.add_field(part, "half", [[0, 0, 0, 1, 1, 1.0], [1, 1, 1, np.nan, np.nan, np.nan]])
    page.write(tmp_path / "page.html")
    with visit() as person:

        def colors(fragment):
            """The mean colors of the upper and the lower triangle: the first and the second of the mesh."""
            person.open("about:blank")
            person.open(f"file://{tmp_path}/page.html#from=0,1.57&hide=edges,impacts&legend=off&theme=light{fragment}")
            pixels = person.still().astype(float)[60:-70, 60:-60]  # no buttons, axes and scale
            spread = pixels.max(2) - pixels.min(2)
            rows, columns = np.nonzero(spread > 40)
            middle = (rows.min() + rows.max()) / 2
            return [pixels[rows[side], columns[side]].mean(0) for side in (rows < middle, rows > middle)]

        plain = colors("")
        first, second = colors("&field=half")
        assert first[2] > first[1] + 20 and second[0] > second[2] + 60 and second[1] > second[2] + 60  # violet, yellow
        later = colors("&field=half&t=1")
        assert later[0][0] > later[0][2] + 60 and np.abs(later[1] - plain[1]).max() < 30  # yellow, and the object's own color
        still, fast = colors("&field=speed")
        assert still[2] > still[1] + 20 and fast[0] > fast[2] + 60
        assert person.complaints() == []


# ---- distance and gap


def held(page, part, name):
    """The values of a field as the page reads them, in its unit; NaN where there is none."""
    data = data_of(page)
    low, high = data["fields"][name]
    found = [shares(text).astype(float) for text in data["parts"][part]["fields"][name]]
    return [np.where(x < 0, np.nan, low + x * (high - low)) for x in found]


def brute_distances(mesh, x, within):
    """For each vertex the least distance of a vertex and a face, or of two edges, that it belongs to, pair by pair."""
    found = np.full(len(x), np.inf)
    faces, edges = mesh.faces.tolist(), mesh.edges.tolist()
    near = {v: {v} for v in range(len(x))}
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    pairs = [([v], face) for v in range(len(x)) for face in faces]
    pairs += [(a, b) for i, a in enumerate(edges) for b in edges[:i]]
    for a, b in pairs:
        if any(near[p] & near[q] for p in a for q in b):
            continue  # two edges or fewer join them
        alone = ccd.Mesh(faces=[[0, 1, 2]], vertices=4) if len(a) == 1 else ccd.Mesh(edges=[[0, 1], [2, 3]])
        apart = ccd.proximity.distance(alone, x[[*b, *a]]).distance_lo
        if apart <= within:
            found[[*a, *b]] = np.minimum(found[[*a, *b]], apart)
    return np.where(np.isfinite(found), found, np.nan)


def crumpled(n=5, seed=3):
    """A sheet of n x n vertices with one half folded over the other, and noise."""
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), -1).reshape(-1, 2).astype(float)
    faces = [
        f
        for i in range(n - 1)
        for j in range(n - 1)
        for v in [i * n + j]
        for f in ([v, v + 1, v + n], [v + 1, v + n + 1, v + n])
    ]
    x = np.column_stack([grid, np.zeros(n * n)]) + np.random.default_rng(seed).normal(0, 0.05, (n * n, 3))
    far = x[:, 0] > (n - 1) / 2
    x[far, 0], x[far, 2] = n - 1 - x[far, 0], 0.4
    return ccd.Mesh(faces), x


def test_distances_are_those_of_all_pairs_one_by_one():
    mesh, x = crumpled()
    page = ccd.view.Page("a fold")
    part = page.add_mesh(mesh, x, x)
    page.add_distances(mesh, part, within=0.7)
    (value,) = held(page, part, "distance")
    want = brute_distances(mesh, x, 0.7)
    assert 0 < np.isnan(want).sum() < len(x) and np.array_equal(np.isnan(value), np.isnan(want))
    assert np.allclose(value, want, rtol=0, atol=1e-6, equal_nan=True)


def test_distances_are_of_every_frame_and_less_the_radii():
    mesh, up = ccd.Mesh(FACES), np.outer([0, 0, 0, 1, 1, 1], [0, 0, 1.0])
    x = np.vstack([X0[:3], X0[:3]])
    mesh.set_radii(0.25)
    page = ccd.view.Page("thick")
    part = page.add_sequence(mesh, [x + 2 * up, x + up, x + 0.5 * up, x + up])
    page.add_distances(mesh, part, within=1)
    values = held(page, part, "distance")
    assert np.isnan(values[0]).all() and np.allclose(values[1:], [[0.5] * 6, [0.0] * 6, [0.5] * 6], rtol=0, atol=1e-9)
    page.add_distances(mesh, part, within=2)  # replaces the field
    assert np.allclose(held(page, part, "distance")[0], 1.5)


def test_neighbors_in_the_mesh_count_where_they_are_wanted():
    mesh, x = ccd.Mesh([[0, 1, 2], [1, 3, 2], [3, 4, 2]]), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0.0]])
    page = ccd.view.Page("a strip")
    part = page.add_mesh(mesh, x, x)
    page.add_distances(mesh, part, within=9)
    assert np.isnan(held(page, part, "distance")[0]).all()
    page.add_distances(mesh, part, within=9, neighbors=True)
    assert np.isfinite(held(page, part, "distance")[0]).all()


def test_gaps_are_the_least_of_the_constraints_at_the_end_of_each_step():
    mesh, down = ccd.Mesh(FACES), np.outer([0, 0, 0, 1, 1, 1], [0, 0, 1.0])
    x = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 1], [2, 1, 1.5], [1, 2, 1.5]])
    page = ccd.view.Page("through and back")
    part = page.add_sequence(mesh, [x, x - 0.9375 * down, x - 1.25 * down])
    page.add_gaps(mesh, part, min_separation=0.125)
    first, second = held(page, part, "gap")
    # Vertex 3 ends 1/16 above the face and then 1/4 below it; it keeps 1/8 too little, then 3/8.
    assert np.allclose(first, [-0.0625] * 4 + [np.nan] * 2, equal_nan=True)
    assert np.allclose(second[:4], [-0.375] * 4) and not (second[4:] < -0.375).any()


def test_what_is_wrong_with_distances_and_gaps_is_named():
    mesh, (page, part) = ccd.Mesh(FACES), page_of()
    body = page.add_body(X0, FACES, ccd.rigid.Motion())

    def said(call, *arguments, **options):
        with pytest.raises(ccd.ArgumentError) as caught:
            call(*arguments, **options)
        return str(caught.value)

    for call in (page.add_distances, page.add_gaps):
        assert said(call, X0, part) == "mesh is ndarray: must be a ccd.Mesh"
        assert said(call, mesh, 7).startswith("part is 7")
        assert said(call, mesh, body) == f"part is {body}, 'body': fields are for meshes and volumes"
        small = said(call, ccd.Mesh([[0, 1, 2]]), part)
        assert small == "mesh has 3 vertices, and part 0 has 6: give the mesh that the part was added with"
    assert said(page.add_distances, mesh, part, within=-1) == "within is -1.0: must be in [0, 1e150]"
    assert said(page.add_distances, mesh, part, within=np.nan) == "within is nan: must be in [0, 1e150]"


def test_the_command_computes_distance_and_gap(tmp_path, capsys):
    files = [vtk(tmp_path / f"{k}.vtk", x, [0.0] * 6) for k, x in enumerate((X0, X0 - np.outer([0, 0, 0, 1, 1, 1], [2, 0, 0])))]
    out = tmp_path / "page.html"

    def fields(*arguments):
        assert main(["view", *files, "-o", str(out), *arguments]) in (0, 1)
        return json.loads(re.search(r'id="data" type="application/json">(.*?)</script>', out.read_text(), re.S).group(1))

    data = fields("--color", "distance", "--within", "1.5")
    assert data["color_by"] == "distance" and np.allclose(data["fields"]["distance"], [0, 1])
    assert fields("--color", "gap")["fields"]["gap"][0] < 0
    capsys.readouterr()
    assert main(["view", *files, "-o", str(out), "--within", "1"]) == 2
    assert capsys.readouterr().err == (
        "ccd: --within would have no effect: it is of rigid bodies, or of --color distance; leave it out\n"
    )
