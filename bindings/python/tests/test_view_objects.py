"""Objects and the clip plane of pages of `ccd view`."""

import json
from pathlib import Path

import numpy as np
import pytest
from browser import BROWSER, browse
from scenes_view import patch
from test_view import data, unpack

import ccd
from ccd.cli import main
from ccd.view import _parts

# What is drawn, in pixels: how many, between which columns, and the mean color of the surface (edges are off).
PIXELS = """
addEventListener("error", (e) => { document.body.dataset.error = e.message; });
function pixels() {
  render();
  const w = canvas.width, h = canvas.height, all = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
  let drawn = 0, lo = w, hi = -1, sum = [0, 0, 0, 0];
  for (let i = 0; i < all.length; i += 4) {
    if (!all[i + 3]) continue;
    drawn++; lo = Math.min(lo, (i / 4) % w); hi = Math.max(hi, (i / 4) % w);
    sum = sum.map((x, k) => x + all[i + k]);
  }
  return { drawn, lo: lo / w, hi: hi / w, mean: sum.map((x) => x / drawn) };
}
const input = (one, value, event) => { one.value = value; one.dispatchEvent(new Event(event)); };
"""


def three(apart=2.0):
    """Three squares side by side, in y; seen along x."""
    square = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], float)
    x = np.vstack([square + np.array([0, apart * k, 0]) for k in range(3)])
    return ccd.Mesh([[4 * k + i for i in f] for k in range(3) for f in ([0, 1, 2], [0, 2, 3])]), x


def shown(page, tmp_path, script, address="#from=0,0&hide=edges"):
    _, body = browse(page.html(), tmp_path, address, f"<script>{PIXELS} setTimeout(() => {{ {script} }}, 300);</script>")
    assert "error" not in body, body
    return body


def test_a_vertex_that_no_pair_has_takes_no_part_in_the_size_of_the_scene(tmp_path):
    """Files often hold a vertex that nothing uses, far away: the camera looks at what there is."""
    mesh, x = three()
    far = np.vstack([x, [[1e3, 1e3, 1e3]]])
    ignored = ccd.Mesh(faces=mesh.faces, vertices=13, ignored=np.arange(13) == 12)
    pages = [ccd.view.Page("near"), ccd.view.Page("far"), ccd.view.Page("a particle")]
    for page, (one, at) in zip(pages, [(mesh, x), (ignored, far), (ccd.Mesh(faces=mesh.faces, vertices=13), far)]):
        page.add_mesh(one, at, at, "three")
    script = "document.body.dataset.reach = cloudReach; document.body.dataset.drawn = pixels().drawn;"
    near, without, particle = (shown(page, tmp_path, script) for page in pages)
    assert near["reach"] == without["reach"] and near["drawn"] == without["drawn"]
    assert int(particle["drawn"]) < int(near["drawn"])  # a particle counts


def test_components_are_objects():
    mesh, x = three()
    page = ccd.view.Page("three")
    page.add_mesh(mesh, x, x, "first")
    page.add_mesh(ccd.Mesh([[0, 1, 2]]), np.eye(3), np.eye(3), "second")
    first, second = (part["objects"] for part in data(page.html())["parts"])
    assert unpack(first["of"], "<u2", 1)[:, 0].tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert first["names"] == [f"component {k}" for k in range(3)] and first["colors"] == [0, 1, 2]
    assert second == {"of": None, "names": ["second"], "colors": [1]}


def test_vertices_that_nothing_shows_are_no_objects():
    unused = np.array([1, 0, 0, 0, 1, 0, 0, 0], bool)
    x = np.arange(24.0).reshape(8, 3) ** 2
    page = ccd.view.Page("unused")
    page.add_mesh(ccd.Mesh([[1, 2, 3], [5, 6, 7]], vertices=8, ignored=unused), x, x, "two")
    page.add_mesh(ccd.Mesh([[1, 2, 3]], vertices=4, ignored=unused[:4]), x[:4], x[:4], "one")
    two, one = (part["objects"] for part in data(page.html())["parts"])
    assert unpack(two["of"], "<u2", 1)[:, 0].tolist() == [0] * 5 + [1] * 3 and two["names"] == ["component 0", "component 1"]
    assert one["names"] == ["one"]


def test_of_too_many_components_the_largest_are_objects(monkeypatch):
    monkeypatch.setattr(_parts, "MOST_OBJECTS", 4)
    label = np.repeat(np.arange(7), [1, 5, 2, 1, 9, 4, 1])
    objects = _parts.Objects.labeled(label, "mesh", "component", 6)
    assert objects.names == ["component 1", "component 4", "component 5", "the other 4, smaller"]
    assert objects.of[np.searchsorted(label, np.arange(7))].tolist() == [3, 0, 3, 3, 1, 2, 3] and objects.colors == [6, 7, 0, 1]


def test_patches_are_objects(tmp_path):
    arguments, _ = patch(tmp_path)
    main(["view", *arguments, "-o", str(tmp_path / "page.html")])
    a, b = data((tmp_path / "page.html").read_text())["parts"]
    assert a["objects"]["names"] == ["patch 0", "patch 1"] and a["objects"]["colors"] == [0, 0]
    assert len(b["objects"]["names"]) == 6
    for part in (a, b):  # every triangle is of the object of its patch
        of, faces = unpack(part["objects"]["of"], "<u2", 1)[:, 0], unpack(part["faces"], "<u4")
        starts = unpack(part["patches"]["faces"], "<u4", 1)[:, 0]
        for k, (start, end) in enumerate(zip(starts[:-1], starts[1:])):  # noqa: RUF007
            assert (of[faces[start:end]] == k).all() and end > start


@BROWSER
def test_objects_are_hidden_colored_and_faint(tmp_path):
    mesh, x = three()
    page = ccd.view.Page("three", up="z")
    page.add_mesh(mesh, x, x)
    body = shown(page, tmp_path, """
      const rows = () => [...document.querySelectorAll("#objects li")], found = [pixels()];
      rows()[1].querySelector("input[type=checkbox]").click(); found.push(pixels());
      rows()[0].querySelector("button").click(); found.push(pixels());
      input(rows()[0].querySelector("input[type=color]"), "#ff0000", "input"); found.push(pixels());
      input(rows()[0].querySelector("input[type=range]"), "0.5", "input"); found.push(pixels());
      $("hide-all").click(); found.push(pixels());
      const words = $("objects-count").textContent;
      $("show-all").click(); found.push(pixels());
      Object.assign(document.body.dataset, { found: JSON.stringify(found), words, rows: rows().length });
    """)  # fmt: skip
    every, without, alone, red, faint, none, again = json.loads(body["found"])
    assert body["rows"] == "3" and body["words"] == "3, 3 hidden"
    assert without["drawn"] == pytest.approx(every["drawn"] * 2 / 3, rel=0.02) and without["lo"] == every["lo"]
    assert alone["drawn"] == pytest.approx(every["drawn"] / 3, rel=0.02) and alone["hi"] < 0.5
    assert red["mean"][0] > 150 and max(red["mean"][1:3]) < 30 and red["mean"][3] > 240
    assert faint["mean"][3] == pytest.approx(red["mean"][3] / 2, abs=1) and faint["drawn"] == red["drawn"]
    assert none["drawn"] == 0 and again["drawn"] == every["drawn"]


@BROWSER
def test_the_clip_plane_cuts_where_it_says(tmp_path):
    mesh, x = three(1.0)  # the scene spans y = 0 to 3
    page = ccd.view.Page("three", up="z")
    page.add_mesh(mesh, x, x)
    body = shown(page, tmp_path, """
      const found = [pixels()];
      input($("clip-axis"), "y", "change"); found.push(pixels());
      input($("clip-at"), "0.25", "input"); found.push(pixels());
      const words = $("clip-where").textContent;
      $("clip-flip").click(); found.push(pixels());
      const other = $("clip-where").textContent;
      input($("clip-axis"), "view", "change"); input($("clip-at"), "0", "input"); found.push(pixels());
      input($("clip-axis"), "", "change"); found.push(pixels());
      Object.assign(document.body.dataset, { found: JSON.stringify(found), words, other });
    """)  # fmt: skip
    every, half, quarter, rest, along, none = json.loads(body["found"])
    assert half["drawn"] == pytest.approx(every["drawn"] / 2, rel=0.02) and half["hi"] == pytest.approx(0.5, abs=0.01)
    assert quarter["drawn"] == pytest.approx(every["drawn"] / 4, rel=0.02)
    assert rest["drawn"] == pytest.approx(every["drawn"] * 3 / 4, rel=0.02) and rest["hi"] == every["hi"]
    assert body["words"] == "y \u2264 0.75" and body["other"] == "y \u2265 0.75"
    assert along["drawn"] == every["drawn"] and none["drawn"] == every["drawn"]  # the squares are in the plane of the view


@BROWSER
def test_the_objects_of_a_pair_alone(tmp_path):
    """The key i; and again."""
    mesh, x = three()
    x1 = x + np.repeat([[0, 0, 0], [0, -3, 0.5], [0, 0, 0]], 4, axis=0)
    page = ccd.view.Page("three")
    page.add_mesh(mesh, x, x1)
    page.add_impacts(mesh, x, x1, ccd.step.collisions(mesh, x, x1))
    body = shown(page, tmp_path, """
      const how = { key: "i", bubbles: true, cancelable: true };
      const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", how));
      const seen = () => objects.map((one) => +one.visible).join("");
      const found = [];
      press(); found.push(seen());
      layers.faces = false; setTime(1);
      const marked = () => pixels().drawn; // all that is left: the marks, and their arrows
      for (const normals of [false, true]) {
        layers.normals = normals;
        for (const shown of [[0, 1, 2], [0], [1], [2], []]) { showOnly(new Set(shown)); found.push(marked()); }
      }
      showOnly(new Set([0, 1, 2]));
      jump("impacts", 0); press(); found.push(seen()); press(); found.push(seen());
      document.body.dataset.found = found;
    """)  # fmt: skip
    first, *drawn, alone, again = body["found"].split(",")
    assert [first, alone, again] == ["111", "110", "111"]
    marks, arrows = np.reshape(drawn, (2, 5)).astype(int)
    for seen in (marks, arrows):  # shown with either of its objects, squares 0 and 1; not with the third, nor with none
        assert seen[0] == seen[1] == seen[2] > 0 == seen[3] == seen[4]
    assert arrows[0] > marks[0]


def test_components_are_those_of_a_search():
    rng = np.random.default_rng(1)
    for _ in range(200):
        count = int(rng.integers(1, 30))
        edges = rng.integers(0, count, (int(rng.integers(0, 30)), 2))
        label = list(range(count))
        for _ in range(count):  # the least number reaches every vertex of its component in so many rounds
            for a, b in edges:
                label[a] = label[b] = min(label[a], label[b])
        assert _parts.components(count, edges).tolist() == np.unique(label, return_inverse=True)[1].tolist()


TRIANGLES = [("cloth", 0), ("ball", 1), ("ball", 2), ("floor", 3)]


def written(path, kind):
    """Triangles one over the other, with their names in the words of a format, and a vertex that nothing uses."""
    lines = []
    for k, (name, z) in enumerate(TRIANGLES):
        corners = [(0, 0, z), (1, 0, z), (0, 1, z)]
        if kind == "stl":
            lines += [f"solid {name}", "facet normal 0 0 1", "outer loop", *(f"vertex {x} {y} {h}" for x, y, h in corners)]
            lines += ["endloop", "endfacet", f"endsolid {name}"]
        else:
            lines += [f"{kind} {name}", *(f"v {x} {y} {h}" for x, y, h in corners), f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}"]
    path.write_text("\n".join(lines + ["v 5 5 5"] * (kind != "stl")) + "\n")
    return str(path)


def objects_of(path, *more):
    page = Path(path + ".html")
    main(["view", path, *more, "-o", str(page)])
    (part,) = data(page.read_text())["parts"]
    names = part["objects"]["names"]
    of = None if part["objects"]["of"] is None else [names[k] for k in unpack(part["objects"]["of"], "<u2", 1)[:, 0]]
    return names, of


@pytest.mark.parametrize(("kind", "ending"), [("o", "obj"), ("g", "obj"), ("usemtl", "obj"), ("stl", "stl")])
def test_objects_have_the_names_of_the_file(tmp_path, kind, ending):
    path = written(tmp_path / f"named.{ending}", kind)
    names, of = objects_of(path)
    assert names == ["cloth", "ball", "floor"]
    assert of[:12] == [name for name, _ in TRIANGLES for _ in range(3)]
    if kind == "o":  # in a sequence, and where vertices are welded
        assert objects_of(path, path, "--weld")[0] == names


def test_a_file_that_names_one_object_names_the_part(tmp_path):
    one = tmp_path / "one.obj"
    one.write_text("o lid\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert objects_of(str(one)) == (["lid"], None)
    one.write_text("o lid\n" + "".join(f"v 0 0 {k}\nv 1 0 {k}\nv 0 1 {k}\n" for k in range(2)) + "f 1 2 3\nf 4 5 6\n")
    assert objects_of(str(one))[0] == ["component 0", "component 1"]


def test_nodes_of_gltf_are_objects(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    for k, name in enumerate(("lid", "box")):
        box = trimesh.creation.box()
        box.apply_translation([0, 0, 3 * k])
        scene.add_geometry(box, name, name)
    path = tmp_path / "two.glb"
    path.write_bytes(scene.export(file_type="glb"))
    names, of = objects_of(str(path))
    assert sorted(names) == ["box", "lid"] and of.count("lid") == of.count("box")


def test_frames_that_come_one_by_one_are_made_a_list():
    mesh, x = three()
    with pytest.raises(ccd.ArgumentError, match=r"^frames is generator: must be a sequence of arrays; pass list\(frames\)$"):
        ccd.view.Page("frames").add_sequence(mesh, (x for _ in range(3)))


def test_objects_of_a_caller_are_checked():
    mesh, x = three()
    page = ccd.view.Page("named")
    page.add_sequence(mesh, [x, x], objects=([2] * 4 + [0] * 8, ["a", "unused", "c"]))
    assert data(page.html())["parts"][0]["objects"]["names"] == ["a", "c"]
    for objects, words in {
        ("a", "b", "c"): "objects is tuple: must be a pair, the number of each vertex's object and the names",
        ((0,) * 11, ("a",)): r"objects\[0\] has shape \(11,\) and dtype int64: must be 12 integers, one for each vertex",
        ((0,) * 11 + (1,), ("a",)): r"objects\[0\]\[11\] is 1: must be in \[0, 1\), as there are 1 names",
        ((0,) * 12, (7,)): r"objects\[1\]\[0\] is int: must be a str",
    }.items():
        with pytest.raises(ccd.ArgumentError, match=words):
            page.add_sequence(mesh, [x, x], objects=objects)
