"""Picking, finding, closest points, glyphs and the legend of pages of `ccd view`."""

import json

import numpy as np
from browser import BROWSER, browse
from scenes_view import mesh as mesh_scene
from scenes_view import patch, rigid, volume
from test_view import data
from test_view_objects import PIXELS, three

import ccd
from ccd.cli import main

pytestmark = BROWSER

# A real click: the events that a pointer makes, at a place of the scene.
POINTER = """
canvas.setPointerCapture = () => {};
const click = (p) => {
  const box = canvas.getBoundingClientRect(), [x, y] = project(p);
  const how = { clientX: box.left + x, clientY: box.top + y, pointerId: 1, buttons: 1, bubbles: true };
  canvas.dispatchEvent(new PointerEvent("pointerdown", how)); canvas.dispatchEvent(new PointerEvent("pointerup", how));
  return state.selected ? titleOf(state.selected) : "none";
};
const middleOf = (part, vertices, s = state.s) => center(vertices.map((v) => at(part, v, s)));
const type = (text) => {
  $("find").value = text;
  $("find").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  return $("find-note").textContent || titleOf(state.selected);
};
const names = () => [...document.querySelectorAll("#note b")];
const rowsShown = () => Object.fromEntries(names().map((b) => [b.textContent, b.nextSibling.textContent]));
"""


def seen(text, tmp_path, script, address="#from=0,0"):
    """What a script notes in `found`, once the page has drawn."""
    script += " document.body.dataset.found = JSON.stringify(found);"
    whole = f"{PIXELS}{POINTER} setTimeout(() => {{ render(); {script} }}, 300);"
    _, body = browse(text, tmp_path, address, f"<script>{whole}</script>")
    assert "error" not in body, body
    return json.loads(body["found"])


def test_what_is_under_the_pointer(tmp_path):
    mesh, x = three()
    behind = x[:4] * [1, 3, 3] - [1, 1, 1]  # a large square behind the first
    page = ccd.view.Page("squares", up="z")
    page.add_mesh(mesh, x, x + np.array([0.5, 0, 0]), "three")
    page.add_mesh(ccd.Mesh([[0, 1, 2], [0, 2, 3]]), behind, behind, "back")
    edges = mesh.edges.tolist()
    found = seen(page.html(), tmp_path, f"""
      const found = [], edges = {json.dumps(edges)};
      for (let f = 0; f < 6; f++) found.push(click(middleOf(0, Array.from(parts[0].faces.subarray(3 * f, 3 * f + 3)))));
      for (const e of edges) found.push(click(middleOf(0, e)));
      for (let v = 0; v < 12; v++) found.push(click(at(0, v, 0)));
      const inside = middleOf(0, [0, 1, 2]);
      setTime(1); found.push(click(middleOf(0, [0, 1, 2])));
      found.push([state.selected.part, rowsShown()]);
      objects[0].visible = false; changed(); found.push(click(middleOf(0, [0, 1, 2])), state.selected.part);
      objects[0].visible = true; setClip({{ normal: axis(0), at: 0.5, flipped: false }});
      found.push(click(inside), state.selected.part); setClip({{ normal: null }});
      found.push(click([0, 40, 40]), rowsShown());
    """)  # fmt: skip
    assert found[:6] == [f"face {f}" for f in range(6)]
    assert found[6 : 6 + len(edges)] == [f"edge {e}" for e in range(len(edges))]
    assert found[6 + len(edges) :][:12] == [f"vertex {v}" for v in range(12)]
    one, (part, rows), through, of, cut, beyond, nothing, empty = found[18 + len(edges) :]
    assert one == "face 0" and part == 0 and rows["object"] == "three, component 0" and rows["impacts"] == "none listed"
    assert rows["vertices"] == "0 1 2" and rows["center"] == "(0.5, 0.666667, 0.333333)"
    assert through.startswith(("face", "edge")) and of == 1 and cut != "none" and beyond == 1
    assert nothing == "none" and empty == {}


def test_a_click_reports_impacts_and_follows_them(tmp_path):
    """Also in a sequence: positions are those of the time that is shown."""
    mesh, x = three(1.5)
    frames = [x + np.repeat([[0, 0, 0], [0, -0.3 * k, 0.1 * k], [0, 0, 0]], 4, axis=0) for k in range(4)]
    page = ccd.view.Page("three", up="z")
    page.add_sequence(mesh, frames)
    for k in range(3):
        page.add_impacts(mesh, frames[k], frames[k + 1], ccd.step.collisions(mesh, frames[k], frames[k + 1]), step=k)
    assert page.met
    first = page.impacts[0]
    vertex = first["sides"][0]["vertices"][0]
    found = seen(page.html(), tmp_path, f"""
      layers.impacts = false;
      setTime(0.5); const found = [click(at(0, {vertex}, 0.5)), rowsShown()];
      document.querySelector("#note button").click();
      found.push(state.picked, state.s * data.steps, rowsShown());
    """)  # fmt: skip
    title, rows, picked, t, after = found
    want = frames[1][vertex] / 2 + frames[2][vertex] / 2
    assert title == f"vertex {vertex}" and np.allclose(
        json.loads(rows["position"].replace("(", "[").replace(")", "]")), want, atol=1e-5
    )
    belongs = [i for i in page.impacts if any(vertex in side["vertices"] for side in i["sides"])]
    assert rows["impacts"].count(" at t = ") == min(6, len(belongs)) and belongs[0]["label"] in rows["impacts"]
    assert picked == page.impacts.index(belongs[0]) and abs(t - belongs[0]["time"]) < 1e-12
    assert after["verdict"] == "contact" and after["gap now"].startswith("below") and after["vertex"] == str(vertex)


def test_what_is_typed_is_found(tmp_path):
    mesh, x = three()
    page = ccd.view.Page("two", up="z")
    page.add_mesh(mesh, x, x, "A")
    page.add_mesh(ccd.Mesh([[0, 1, 2]]), x[4:7] + 3, x[4:7] + 3, "B")
    found = seen(page.html(), tmp_path, """
      const found = ["v 5", "edge 3", " F4 ", "B f 0", "b: vertex 2", "v 12", "B e 3", "x f 0", "f", "p 0"].map(type);
      type("B f 0");
      found.push(Math.hypot(...sub(camera.target, middleOf(1, [0, 1, 2]))), camera.distance > 0, described());
    """)  # fmt: skip
    *words, apart, near, address = found
    assert words == [
        "vertex 5", "edge 3", "face 4", "face 0", "vertex 2", "no vertex 12", "no edge 3", "no part is named x",
        "type v 319, e 12 or f 7", "no patch 0",
    ]  # fmt: skip
    assert apart < 1e-6 and near and "select=1:f0" in address.replace("%3A", ":")


def test_numbers_are_the_librarys(tmp_path):
    """Faces and edges of a volume, patches, and rods that are drawn thick."""
    arguments, _ = volume(tmp_path)
    main(["view", *arguments, "-o", str(tmp_path / "v.html")])
    cells = ccd.volume.read(arguments[0])
    solid = cells.volume()
    row = 7
    found = seen((tmp_path / "v.html").read_text(), tmp_path, f"""
      const found = [type("f {row}"), verticesOf(state.selected || {{ part: 0, kind: "v", row: 0 }})];
      found.push(type("e 2"), verticesOf(state.selected));
      found.push(...parts[0].numbers.faces);
    """)  # fmt: skip
    if row in found[4:]:
        assert found[0] == f"face {row}" and sorted(found[1]) == sorted(solid.faces[row].tolist())
    else:
        assert found[0] == f"no face {row} on the surface"
    assert found[2] == "edge 2" and sorted(found[3]) == sorted(solid.edges[2].tolist())
    inner = next(f for f in range(len(solid.faces)) if f not in found[4:])
    arguments, _ = patch(tmp_path)
    main(["view", *arguments, "-o", str(tmp_path / "p.html")])
    found = seen((tmp_path / "p.html").read_text(), tmp_path, """
      const found = [type("B p 3"), type("v 0"), type("A: patch 1")];
      const f = parts[1].patches.faces[4]; // the first triangle of patch 4
      camera.rise = 1.5; whole(); setTime(0);
      objects.forEach((one) => { one.visible = one.part === 1; }); changed();
      found.push(click(middleOf(1, Array.from(parts[1].faces.subarray(3 * f, 3 * f + 3)))), state.selected.part);
    """)  # fmt: skip
    assert found == ["patch 3", "no vertex 0", "patch 1", "patch 4", 1]
    mesh = ccd.Mesh(edges=[[0, 1]], vertices=3)
    mesh.set_radii([0.5, 0.5, 0.5])
    page, x = ccd.view.Page("rods", up="z"), np.array([[0, 0, 0], [0, 4, 0], [0, 2, 3]], float)
    page.add_mesh(mesh, x, x)
    found = seen(page.html(), tmp_path, """
      const found = [click(add(middleOf(0, [0, 1]), [0, 0, 0.06])), click(add(at(0, 2, 0), [0, 0.05, 0.05])), type("f 0")];
    """)  # fmt: skip
    assert found == ["edge 0", "vertex 2", "no face 0"] and inner >= 0


def test_closest_points(tmp_path):
    """Of points, segments and triangles in general and in special position, against points taken all over both."""
    rng = np.random.default_rng(5)
    sizes = [(i, j) for i in (1, 2, 3) for j in (1, 2, 3)] * 12
    cases = [(rng.normal(size=(i, 3)), rng.normal(size=(j, 3)) + np.array([1.0, 0, 0])) for i, j in sizes]
    cases += [(np.round(a), np.round(b)) for a, b in cases]  # parallel, degenerate, touching
    mesh, x = three()
    page = ccd.view.Page("x")
    page.add_mesh(mesh, x, x)
    script = f"const found = {json.dumps([[a.tolist(), b.tolist()] for a, b in cases])}.map(([a, b]) => closest(a, b));"
    found = seen(page.html(), tmp_path, script)
    u, v = (w.ravel() for w in np.meshgrid(np.linspace(0, 1, 31), np.linspace(0, 1, 31)))
    weights = {1: np.ones((1, 1)), 2: np.column_stack([1 - u[:31], u[:31]])}
    weights[3] = np.column_stack([1 - u - v, u, v])[u + v <= 1 + 1e-12]
    for (a, b), (p, q) in zip(cases, found, strict=True):
        distance = np.linalg.norm(np.subtract(p, q))
        sampled = np.linalg.norm((weights[len(a)] @ a)[:, None] - (weights[len(b)] @ b)[None], axis=2).min()
        size = max(np.ptp(a, axis=0).max(initial=0), np.ptp(b, axis=0).max(initial=0))
        assert sampled - 0.1 * size - 1e-12 <= distance <= sampled + 1e-9, (a, b, p, q, sampled)
        for point, shape in ((p, a), (q, b)):  # each point is of its shape
            assert np.linalg.norm(weights[len(shape)] @ shape - point, axis=1).min() <= 0.05 * size + 1e-12


def test_glyphs_and_the_legend(tmp_path):
    arguments, _ = rigid(tmp_path)
    main(["view", *arguments, "-o", str(tmp_path / "r.html")])
    found = seen((tmp_path / "r.html").read_text(), tmp_path, """
      const found = [], words = () => [...document.querySelectorAll("#legend span")].map((one) => one.textContent).join("; ");
      const like = ([r, g, b]) => { // pixels of nearly a color
        render();
        const w = canvas.width, h = canvas.height, all = new Uint8Array(4 * w * h); let n = 0;
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
        const apart = (i) => Math.abs(all[i] - 255 * r) + Math.abs(all[i + 1] - 255 * g) + Math.abs(all[i + 2] - 255 * b);
        for (let i = 0; i < all.length; i += 4) n += apart(i) < 60;
        return n;
      };
      const only = (...shown) => { for (const name of Object.keys(layers)) layers[name] = shown.includes(name); };
      setTime(0.3); state.dark = true; layers.edges = false;
      for (const [name, tone] of [["normals", ARROW.dark], ["gaps", GAP], ["near pairs", NEAR]]) {
        only("none"); const before = like(tone);
        only(name); found.push([before, like(tone), words()]);
      }
      only("impacts", "swept boxes"); render(); found.push(words());
      jump("impacts", 0); render(); found.push(words());
      select({ part: 1, kind: "f", row: 0 }); render(); found.push(words());
      const key = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      key("l"); found.push($("legend").hidden, described()); key("Escape"); found.push(state.selected);
    """)  # fmt: skip
    normals, gaps, near, plain, pair, chosen, hidden, address, none = found
    assert normals[0] == 0 < normals[1] and gaps[0] == 0 < gaps[1] and near[0] == 0 < near[1]
    assert normals[2].startswith("contact normal") and gaps[2].startswith("gap") and near[2].startswith("near pair")
    assert plain.startswith("impact: red at the start") and plain.count(";") == 1
    assert pair.startswith("first of the pair: A triangle 1") and "swept boxes" in pair and "contact normal" in pair
    assert "selected: face 0" in chosen and hidden and "legend=off" in address and none is None
    held = data((tmp_path / "r.html").read_text())
    assert len(held["impacts"]) == 1


def test_the_list_shows_the_picked_pair(tmp_path):
    """By its own scroll bar: the page and the panel stay where they are."""
    arguments, _ = mesh_scene(tmp_path)
    main(["view", *arguments, "-o", str(tmp_path / "m.html")])
    found = seen((tmp_path / "m.html").read_text(), tmp_path, """
      const found = [];
      for (const i of [0, data.impacts.length - 1, Math.floor(data.impacts.length / 2)]) {
        jump("impacts", i);
        const [item, list] = ["#list li.picked", "#list"].map((of) => document.querySelector(of).getBoundingClientRect());
        const inside = item.top >= list.top - 1 && item.bottom <= list.bottom + 1;
        found.push(inside && document.querySelector("aside").scrollTop === 0);
      }
    """)  # fmt: skip
    assert found == [True] * 3
