"""The page of `ccd view`: what it holds, and that a browser draws it."""

import base64
import hashlib
import html.parser
import http.server
import json
import re
import threading

import numpy as np
import pytest
from browser import BROWSER, WHY_NOT, allowed, browse, visit
from conftest import sheets
from scenes_view import SCENES
from scenes_view import scene as bodies_over_a_mesh
from test_cli import off

import ccd
from ccd.cli import main
from ccd.rigid import Motion
from ccd.view import _patches, _volumes
from ccd.view._html import SCRIPTS


class Scene:
    def __init__(self, kind, folder):
        self.page = folder / f"{kind}.html"
        self.arguments, self.arrays = SCENES[kind](folder)
        assert main(["view", *self.arguments, "-o", str(self.page)]) == 1
        self.text = self.page.read_text()
        self.data = data(self.text)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    """A page of every kind."""
    return {kind: Scene(kind, tmp_path_factory.mktemp(kind)) for kind in SCENES}


def data(page):
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.S).group(1))


def unpack(text, dtype="<f4", columns=3):
    return np.frombuffer(base64.b64decode(text), dtype).reshape(-1, columns)


# ---- what a page holds


def test_a_mesh(scenes):
    (faces, x0, x1), held = scenes["mesh"].arrays, scenes["mesh"].data
    want = ccd.step.collisions(ccd.Mesh(faces), x0, x1)
    assert [i["time"] for i in held["impacts"]] == [r["toi_lo"] for r in want]
    assert [i["label"] for i in held["impacts"]] == [f"{ccd.Kind(int(r['kind']))} {r['a']} {r['b']}" for r in want]
    assert held["facts"]["vertices"] == f"{len(x0):,}" and held["facts"]["impacts"] == f"{len(want):,}"
    labels = {p["label"] for p in held["impacts"]}
    assert held["near"] and not any(p["label"] in labels for p in held["near"])
    for pair in held["impacts"][:50]:
        sizes = [len(side["vertices"]) for side in pair["sides"]]
        assert sizes == {"vertex-face": [1, 3], "edge-edge": [2, 2]}[pair["label"].split()[0]]
    objects = held["parts"][0]["objects"]  # one for each sheet
    of = unpack(objects["of"], "<u2", 1)[:, 0]
    assert set(of[:144]) == {0} and set(of[144:]) == {1} and objects["names"] == ["component 0", "component 1"]


def test_a_mark_is_where_the_pair_meets(scenes):
    """Every mark, at its time, is at the impact's point, and moves with its part."""
    for scene in scenes.values():
        for marks in scene.data["marks"]:
            if scene.data["parts"][marks["part"]]["motion"]["kind"] != "linear":
                continue
            t = unpack(marks["times"], columns=1)
            at = unpack(marks["x0"]) * (1 - t) + unpack(marks["x1"]) * t
            listed = [i for i in scene.data["impacts"] if i["mark"]["part"] == marks["part"]]
            want = np.array([i["point"] for i in listed])
            assert len(listed) and np.abs(at[: len(want)] - want).max() < 1e-5


def test_a_mark_has_the_objects_of_its_pair(scenes):
    for scene in scenes.values():
        parts = scene.data["parts"]
        first = np.cumsum([0, *(len(p["objects"]["names"]) for p in parts)])

        def number(side, parts=parts, first=first):  # one object per part, per component, or per patch
            of = parts[side["part"]]["objects"]["of"]
            own = 0 if of is None else side["patch"] if "patch" in side else unpack(of, "<u2", 1)[side["vertices"][0], 0]
            return first[side["part"]] + own

        for marks in scene.data["marks"]:
            listed = [i for i in scene.data["impacts"] if i["mark"]["part"] == marks["part"]]
            want = [[number(side) for side in i["sides"]] for i in listed]
            assert len(want) and (unpack(marks["objects"], "<u4", 2)[: len(want)] == want).all()


def test_a_volume(scenes):
    held = scenes["volume"].data
    first = held["impacts"][0]
    rows = [row[:2] for row in first["rows"]]
    assert first["time"] == 0.5 and first["label"].endswith("within-element")
    assert ["class", "within-element"] in rows and ["tetrahedron", "0"] in rows
    edges = {tuple(sorted(e)) for e in np.reshape(first["outline"]["edges"], (-1, 2)).tolist()}
    assert edges == {(i, j) for j in range(4) for i in range(j)} and held["facts"]["elements"] == "3"
    faces = unpack(held["parts"][0]["faces"], "<u4")
    assert len(faces) == 6 + 12 and sorted(map(sorted, faces.tolist()))[0] != [0, 1, 2]  # the common side is inside


def test_a_rigid_body(scenes):
    held = scenes["rigid"].data
    assert [p["motion"]["kind"] for p in held["parts"]] == ["rigid", "rigid"]
    (hit,) = held["impacts"]
    assert abs(hit["time"] - 0.5) < 1e-9 and hit["rows"][0] == ["A", "triangle 1, corner 0", "first"]
    assert held["near"] and all(abs(p["time"] - hit["time"]) == 0 for p in held["near"])


def test_a_scene_of_bodies_over_a_mesh(tmp_path):
    arguments, _ = bodies_over_a_mesh(tmp_path)
    assert main(["view", *arguments, "-o", str(tmp_path / "page.html")]) == 1
    held = data((tmp_path / "page.html").read_text())
    assert [p["name"] for p in held["parts"]] == ["body 0", "body 1", "mesh"]
    assert [p["motion"]["kind"] for p in held["parts"]] == ["rigid", "rigid", "linear"] and held["up"] == 2
    times, named = [i["time"] for i in held["impacts"]], {tuple(row[0] for row in i["rows"][:2]) for i in held["impacts"]}
    assert times == sorted(times) and len(times) >= 2 and {("body 0", "mesh"), ("body 1", "mesh")} & named
    for pair in held["impacts"]:
        assert [len(side["vertices"]) for side in pair["sides"]] == [3, 3]
    assert held["near"] and {side["part"] for pair in held["near"] for side in pair["sides"]} <= {0, 1, 2}


def test_patches(scenes):
    held = scenes["patch"].data
    assert [len(unpack(p["nets"], "<u4", 2)) > 0 for p in held["parts"]] == [True, True]
    assert "impacts marked" not in held["facts"]
    hit = held["impacts"][0]
    assert [set(side) for side in hit["sides"]] == [{"part", "patch"}] * 2 and hit["rows"][0][1].startswith("patch ")
    assert len(unpack(held["parts"][1]["patches"]["hulls"], "<u4", 1)) == 1 + 3 * 2  # Bezier patches of the sheet


def test_a_manifold_is_marked(scenes, tmp_path, capsys):
    arguments = [*scenes["patch"].arguments, "-o", str(tmp_path / "page.html"), "--json"]
    assert main(["view", *arguments, "--manifold", "0.2", "--t-window", "0.05"]) == 1
    count = json.loads(capsys.readouterr().out)["impacts"]
    assert count > 1 and len(data((tmp_path / "page.html").read_text())["impacts"]) == count


def test_scenes_of_any_size_are_drawn(tmp_path):
    """Coordinates that single precision cannot hold are brought near 1."""
    for scale in (1e-120, 1e120):
        faces, x0, x1 = sheets(4)
        mesh, page = ccd.Mesh(faces), ccd.view.Page("far")
        page.add_mesh(mesh, x0 * scale, x1 * scale)
        page.add_impacts(mesh, x0 * scale, x1 * scale, ccd.step.collisions(mesh, x0 * scale, x1 * scale))
        held = data(page.html())
        points = unpack(held["parts"][0]["frames"][0])
        assert np.isfinite(points).all() and 0.3 < np.abs(points).max() <= 1.01 and 0.2 < held["scale"] / scale < 4


def test_the_page_asks_nobody(scenes):
    """Nothing is fetched: no address but the page's own fragment."""

    found = []

    class Sources(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.extend(value for name, value in attrs if name in ("src", "href", "srcset", "data", "action"))

    Sources().feed(scenes["mesh"].text)
    assert found == []
    assert not re.search(r"https?:|//cdn|\bfetch\(|XMLHttpRequest|\bimport\b\(|url\(", scenes["mesh"].text)


def test_a_title_cannot_end_the_script(tmp_path):
    page = ccd.view.Page("</script><b>x")
    page.add_mesh(ccd.Mesh(faces=[[0, 1, 2]]), np.eye(3), np.eye(3))
    assert page.html().count("</script>") == 1 + len(SCRIPTS) and data(page.html())["title"] == "</script><b>x"


def test_a_page_without_impacts(tmp_path, capsys):
    faces, x0, _ = sheets(4)
    a = off(tmp_path / "a.off", x0 * [1, 1, 100], faces)
    assert main(["view", a, a, "-o", str(tmp_path / "page.html"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["impacts"] == 0


def test_what_falls_tells_which_axis_is_up():
    for axis in range(3):
        page, x = ccd.view.Page("falls"), np.eye(3)
        page.add_mesh(ccd.Mesh(faces=[[0, 1, 2]]), x, x - 3 * np.eye(3)[axis])
        assert data(page.html())["up"] == axis
    page.up = "x"
    assert data(page.html())["up"] == 0


@pytest.mark.parametrize(
    "more, text",
    [
        (["--as", "mesh", "--angular-velocity=1,0,0"], "--angular-velocity is not for a scene of kind mesh"),
        (["--pair-class", "within-element"], "--pair-class is not for a scene of kind mesh"),
        (["--method", "d2m"], "--method is d2m: for mesh it must be one of default"),
        (["-o", "/nowhere/page.html"], "/nowhere/page.html"),
    ],
)
def test_what_does_not_fit_is_refused(scenes, capsys, more, text):
    assert main(["view", *scenes["mesh"].arguments, *more]) == 2
    assert text in capsys.readouterr().err


# ---- geometry


def test_points_of_patches_are_on_them():
    """Control points where a patch is the identity; a rational arc on its circle; splines of one sum, joined smoothly."""
    for form in (ccd.patch.Form.quad(3, 2), ccd.patch.Form.triangle(4), ccd.patch.Form.curve(3), ccd.patch.Form.triangle(1)):
        if form.shape == ccd.patch.Shape.TRIANGLE:
            at = [(i / form.u, j / form.u) for j in range(form.u + 1) for i in range(form.u + 1 - j)]
        else:
            at = [(i / form.u, j / max(form.v, 1)) for i in range(form.u + 1) for j in range(form.v + 1)]
        points = np.array([(u, v, 2 * u - v) for u, v in at])
        model = ccd.patch.Model(points, [form], np.arange(len(points), dtype=np.int32), None, 0.0)
        drawn = _patches.tessellate(model)
        x = drawn.points(points)
        assert np.abs(x[:, 2] - 2 * x[:, 0] + x[:, 1]).max() < 1e-12 and np.allclose(
            [x.min(0), x.max(0)], [points.min(0), points.max(0)]
        )
        flat = x[drawn.faces] * [1, 1, 0]
        area = np.cross(flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0])[:, 2].sum() / 2
        assert abs(abs(area) - {1: 0, 2: 0.5, 3: 1}[int(form.shape)]) < 1e-12  # triangles cover it once, with one orientation
    arc = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    model = ccd.patch.Model(arc, [ccd.patch.Form.curve(2)], np.arange(3, dtype=np.int32), np.array([1, np.sqrt(0.5), 1]), 0.0)
    assert np.allclose(np.linalg.norm(_patches.tessellate(model).points(arc), axis=1), 1)


def test_points_of_splines_are_those_of_the_recursion(scenes):
    _, b = scenes["patch"].arrays
    surface = _patches.NurbsSurface(b["u"], b["v"], b["knots_u"], b["knots_v"], None)

    def spline(k, i, p, t):  # straight from the definition
        if p == 0:
            return float(k[i] <= t < k[i + 1])
        left = (t - k[i]) / (k[i + p] - k[i]) * spline(k, i, p - 1, t) if k[i + p] > k[i] else 0.0
        return left + (
            (k[i + p + 1] - t) / (k[i + p + 1] - k[i + 1]) * spline(k, i + 1, p - 1, t) if k[i + p + 1] > k[i + 1] else 0.0
        )

    drawn = _patches.tessellate(surface)
    x = drawn.points(b["x0"])
    per = round((len(x) / 6) ** 0.5)
    for patch, (u0, u1, v0, v1) in ((0, (0, 0.3, 0, 0.5)), (3, (0.3, 0.6, 0.5, 1))):
        for i, j in ((0, 0), (3, 5), (per - 2, per - 2)):
            u, v = u0 + (u1 - u0) * i / (per - 1), v0 + (v1 - v0) * j / (per - 1)
            w = np.outer([spline(b["knots_u"], n, 3, u) for n in range(6)], [spline(b["knots_v"], n, 2, v) for n in range(5)])
            assert np.allclose(x[patch * per * per + i * per + j], w.ravel() @ b["x0"], atol=1e-12)


def test_the_surface_of_elements_is_closed():
    cells = ccd.volume.Cells(
        np.zeros((12, 3)),
        np.array([12, 13, 14, 5], np.int32),  # a hexahedron, with a prism and a pyramid on it; a shell apart
        np.array([0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 8, 7, 6, 9, 0, 3, 2, 1, 10, 11, 9, 10], np.int32),
    )
    mesh = cells.volume()
    faces, edges = _volumes.surface(cells, mesh)
    assert len(faces) == 1 + 4 * 2 + (2 + 2 * 2) + 4  # the shell; sides, triangles of which are the volume's own
    known = {tuple(sorted(f)) for f in mesh.faces.tolist()}
    assert {tuple(sorted(f)) for f in faces.tolist()} <= known
    pairs = np.sort(faces[(faces != 11).all(1)][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert set(np.unique(pairs, axis=0, return_counts=True)[1].tolist()) == {2}
    assert (np.sort(mesh.faces[_volumes.numbers(mesh.faces, faces)], axis=1) == np.sort(faces, axis=1)).all()
    assert (np.sort(mesh.edges[_volumes.numbers(mesh.edges, edges)], axis=1) == edges).all()
    assert len(_volumes.Outlines(cells).edges(0)) == 24 and len(_volumes.Outlines(cells).edges(2)) == 16


def test_a_motion_and_its_inverse():
    turning = {"rotation": (1, 2, 3, 4), "angular_velocity": (1, 2, 3), "pivot": (0.5, 0, 0)}
    motion = Motion(position=(1, 0, 0), velocity=(0, 2, 0), **turning)
    x = np.random.default_rng(0).normal(size=(5, 3))
    there = motion.at(0.7, x)
    assert np.allclose(motion.back(0.7, there), x) and np.allclose(
        np.linalg.norm(there[0] - there[1]), np.linalg.norm(x[0] - x[1])
    )
    assert np.allclose(motion.at(0.7, [motion.pivot]), [[1, 1.4, 0]])


# ---- in a browser

# What a person would look for, asked of the page itself once it has drawn.
PROBE = """
<script>
addEventListener("error", (e) => { document.body.dataset.error = e.message; });
addEventListener("securitypolicyviolation", (e) => { document.body.dataset.error = e.violatedDirective; });
setTimeout(() => {
  render(); // it also gives the canvas its size
  const w = canvas.width, h = canvas.height, pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let drawn = 0, red = 0, lo = w, hi = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (!pixels[i + 3]) continue;
    const x = (i / 4) % w;
    drawn++; lo = Math.min(lo, x); hi = Math.max(hi, x);
    if (pixels[i] > 200 && pixels[i + 1] < 150 && pixels[i + 2] < 60) red++;
  }
  Object.assign(document.body.dataset, { drawn: drawn / (w * h), red, lo: lo / w, hi: hi / w });
  Object.assign(document.body.dataset, { t: timeOf(state.s), picked: state.picked });
  document.body.dataset.items = document.querySelectorAll("#list li").length;
  document.body.dataset.keys = ["n", "x", "u", "?", "d", "2"].map((key) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return [state.tab, state.up, $("keys").hidden, layers.edges].join(" ");
  }).join(";");
  document.body.dataset.moved = JSON.stringify([at(0, 1, 0.25), at(0, 1, 0.5), at(parts.length > 1 ? 1 : 0, 0, 0)]);
}, 300);
</script>
"""


@BROWSER
@pytest.mark.parametrize(
    "kind, fragment",
    [("mesh", "#impact=2"), ("volume", "#impact=0"), ("rigid", ""), ("patch", "#impact=0&theme=dark")],
)
def test_a_browser_draws_it(scenes, tmp_path, kind, fragment):
    scene = scenes[kind]
    dom, body = browse(scene.text, tmp_path, fragment, PROBE)
    assert "error" not in body and int(body["items"]) == len(scene.data["impacts"]), body
    assert float(body["drawn"]) > 0.03, body
    if "impact" in fragment:
        hit = scene.data["impacts"][int(fragment[8])]
        assert body["picked"] == fragment[8] and abs(float(body["t"]) - hit["time"]) < 1e-15
        assert all(row[1] in dom for row in hit["rows"]) and int(body["red"]) > 20
    else:
        assert float(body["t"]) == float(fragment.partition("=")[2] or 0)
        assert float(body["lo"]) > 0.01 and float(body["hi"]) < 0.99  # the whole scene is seen
    tab, up, hidden, edges = zip(*(step.split() for step in body["keys"].split(";")))
    assert tab[0] == "near" and up[2] != up[1] and hidden[3] == "false" and edges[5] == "false"
    if kind == "rigid":  # it truly turns: nine radians, not a straight line
        moved, (cone, plate) = np.array(json.loads(body["moved"])), scene.arrays
        motion = Motion(position=(0, 0, 1), velocity=(0, 0, -2), angular_velocity=(0, 0, 9))
        want = np.array([motion.at(0.25, cone[1:2])[0], motion.at(0.5, cone[1:2])[0], plate[0]])
        assert np.abs((moved[:2] - moved[2]) * scene.data["scale"] - (want[:2] - want[2])).max() < 1e-5


# What the page knows of itself, in numbers that text does not change.
STATE = """
const seen = () => JSON.stringify([
  layers, state.tab, state.picked, state.up, state.dark, short(timeOf(state.s)),
  $("filter").value, document.querySelectorAll("#list li").length, document.documentElement.classList.contains("dark"),
  [camera.turn, camera.rise, ...camera.target, camera.distance, camera.cut].map((x) => (+x).toPrecision(5)),
  [...document.querySelectorAll("#layers input")].map((box) => box.checked),
  objects.map((one) => [one.visible, toHex(colorOf(one)), one.opacity]),
  [...clipPlane().normal, clipPlane().offset].map((x) => x.toPrecision(5)),
  [...document.querySelectorAll("#objects li input")].map((box) => [box.checked, box.value]), $("clip-axis").value,
  state.selected && [state.selected.part, titleOf(state.selected)], $("legend").hidden,
]);
addEventListener("error", (e) => { document.body.dataset.error = e.message; });
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const type = (id, text, event) => { $(id).value = text; $(id).dispatchEvent(new Event(event)); };
const drag = (dx, dy, shiftKey) => {
  canvas.setPointerCapture = () => {};
  const at = (name, x, y) => canvas[name]({ clientX: x, clientY: y, shiftKey, buttons: 1, pointerId: 1 });
  at("onpointerdown", 300, 300); at("onpointermove", 300 + dx, 300 + dy); at("onpointerup", 300 + dx, 300 + dy);
};
const noted = () => setTimeout(() => Object.assign(document.body.dataset, { seen: seen(), address: location.hash }), 1500);
"""
DRIVES = [
    ("mesh", ""),
    ("mesh", """press("2"); press("4"); press("n"); press("u"); press("d"); press("+"); type("filter", "vertex 1", "input");
      type("now", "0.3456789012345", "change"); drag(70, -30); drag(20, 10, true);
      canvas.onwheel({ preventDefault() {}, deltaY: 240 });"""),
    ("rigid", "drag(70, -30);"),
    ("mesh", """objects[1].opacity = 0.4; objects[0].color = [1, 0.5, 0]; changed();
      select({ part: 0, kind: "e", row: 5 }); showLegend(false);
      setClip({ normal: axis(1), at: 0.3, flipped: true });"""),
    ("patch", """showOnly(new Set([0, 2, 3])); drag(50, 20); setClip({ normal: axes()[2] }); drag(20, 20);"""),
    ("mesh", """jump("impacts", 3); setTime(0.25); drag(15, 5, true);"""),
    ("mesh", """setTime(0.3); jump("near", 2); setTime(0.7);"""),
]  # fmt: skip


DRIVEN = ["nothing", "everything", "turned", "objects", "a slant clip plane", "an impact", "a near pair"]


@BROWSER
@pytest.mark.parametrize("kind, drive", DRIVES, ids=DRIVEN)
def test_the_address_keeps_the_state(scenes, tmp_path, kind, drive):
    """A page that opens with the address of another looks the same: camera, time, layers, list, pick, filter, light."""
    script = f"<script>{STATE} setTimeout(() => {{ {drive} noted(); }}, 300);</script>"
    _, first = browse(scenes[kind].text, tmp_path, "", script)
    assert "error" not in first and (first["address"] == "") == (drive == ""), first
    again = f"<script>{STATE} setTimeout(noted, 300);</script>"
    _, second = browse(scenes[kind].text, tmp_path, first["address"], again)
    assert second["seen"] == first["seen"] and second["address"] == first["address"]


@BROWSER
def test_an_address_that_is_typed_is_followed(scenes, tmp_path):
    """Without loading the page anew; and an address that no page has written shows what none shows."""
    file = tmp_path / "typed.html"
    file.write_text(allowed(scenes["mesh"].text, f"<script>{STATE}</script>"))
    with visit() as person:
        person.open(file.as_uri())
        before = person.evaluate("document.body.dataset.loaded = 'once', seen()")

        def follow(address):
            """Returns when the page has been told of the change, and has answered it."""
            told = "new Promise((done) => addEventListener('hashchange', () => setTimeout(done, 0), { once: true }))"
            person.evaluate(f"(() => {{ const told = {told}; location.hash = {json.dumps(address)}; return told; }})()")

        follow("#impact=1&t=0.125&hide=edges&theme=dark&from=1,0.5")
        person.until(lambda: person.evaluate("state.picked") == 1, "impact 1 is picked")
        followed = "[state.picked, timeOf(state.s), layers.edges, state.dark, camera.turn, camera.rise]"
        assert person.evaluate(followed) == [1, 0.125, False, True, 1, 0.5]
        follow("#impact=-1&near=x&t=soon&from=1&at=0,0,0,-1&up=w&show=nothing&tab=7")
        person.until(lambda: person.evaluate("seen()") == before, "what the page shows at first")
        assert person.evaluate("document.body.dataset.loaded") == "once" and not person.complaints()


@BROWSER
def test_escape_closes_the_help_and_times_are_shown_whole(scenes, tmp_path):
    times = ["0", "0.1234567", "1.2345671e-7", "0.00001234567", "1e-300", "0.99999999999"]
    script = f"""<script>{STATE}
    setTimeout(() => {{
      const how = {{ key: "Escape", bubbles: true, cancelable: true }};
      const escape = (from) => from.dispatchEvent(new KeyboardEvent("keydown", how));
      document.body.dataset.help = [$("help"), $("filter"), document.body].map((from) => {{
        $("help").click();
        const shown = !$("keys").hidden;
        escape(from); escape(from);
        return shown && $("keys").hidden;
      }});
      document.body.dataset.times = {json.dumps(times)}.map((t) => {{
        type("now", t, "change");
        return $("now").value + " " + ($("now").scrollWidth <= $("now").clientWidth);
      }});
    }}, 300);</script>"""
    _, body = browse(scenes["mesh"].text, tmp_path, "", script)
    assert "error" not in body and body["help"] == "true,true,true", body
    shown = [one.split() for one in body["times"].split(",")]
    assert [whole for _, whole in shown] == ["true"] * len(times), shown
    assert [float(t) for t, _ in shown] == pytest.approx([float(t) for t in times], rel=1e-6)


def test_what_is_left_out_is_said(scenes, tmp_path, capsys, monkeypatch):
    """Of lists that are cut short the whole number: in print, in JSON and on the page. No impact is among the near pairs."""
    full = scenes["mesh"].data
    monkeypatch.setattr("ccd.view._state.MOST_PAIRS", 7)
    monkeypatch.setattr("ccd.view._state.MOST_DRAWN", 9)
    page = tmp_path / "page.html"
    arguments = ["view", *scenes["mesh"].arguments, "-o", str(page)]
    assert main(arguments) == 1
    found, near = full["met"], full["near_found"]
    want = f"{page}: {found:,} impacts (the earliest 7 listed), {near:,} near pairs (the nearest 7 listed)\n"
    assert capsys.readouterr().out == want
    held = data(page.read_text())
    assert [len(held["impacts"]), len(held["near"]), held["met"], held["near_found"]] == [7, 7, found, near]
    assert held["facts"]["impacts marked"] == "the earliest 9" and "impacts marked" not in full["facts"]
    assert held["near"] == full["near"][:7] and held["impacts"] == full["impacts"][:7]
    assert main([*arguments, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["impacts"], told["listed"], told["near"], told["near_found"]) == (found, 7, 7, near)
    if WHY_NOT is None:
        show = '<script>setTimeout(() => {{ showTab("{}"); document.body.dataset.cap = $("cap").textContent; }}, 300);</script>'
        for tab, words in (
            ("impacts", f"the earliest 7 of {found:,} are listed"),
            ("near", f"the nearest 7 of {near:,} are listed"),
        ):
            assert browse(page.read_text(), tmp_path, "", show.format(tab))[1]["cap"] == words
        assert browse(scenes["volume"].text, tmp_path, "", show.format("near"))[1]["cap"] == ""


@pytest.mark.parametrize("kind, command", [("mesh", "step"), ("volume", "volume")])
def test_candidate_pairs_are_those_of_the_other_command(scenes, capsys, kind, command):
    check = ["--no-check-start"] if command == "step" else []  # the check of the start tests edges against faces, too
    main([command, *scenes[kind].arguments, *check, "--json"])
    counted = sum(json.loads(capsys.readouterr().out)["stats"]["candidates"].values())
    assert scenes[kind].data["facts"]["candidate pairs"] == f"{counted:,}"


# ---- the policy

HOSTILE = """
<script>document.body.dataset.ran = "inline"; fetch("{server}/ran");</script>
<img src="{server}/img" onerror="document.body.dataset.ran = 'handler';">
<link rel="stylesheet" href="{server}/style"><script src="{server}/script"></script>
<div style="background: url({server}/background)">x</div><base href="{server}/base/">
"""
ESCAPE = """<script>
const refused = [];
addEventListener("securitypolicyviolation", (e) => {{
  refused.push(e.effectiveDirective);
  document.body.dataset.refused = refused.sort().join(" ");
}});
setTimeout(() => {{
  document.body.dataset.drawn = data.impacts.length && gl && document.querySelectorAll("#list li").length;
  document.body.dataset.styled = getComputedStyle(document.querySelector("aside")).display;
  for (const go of [() => fetch("{server}/fetch"), () => eval("document.body.dataset.ran = 'eval'")])
    try {{ Promise.resolve(go()).catch(() => 0); }} catch {{ /* refused */ }}
}}, 300);
</script>"""


@BROWSER
def test_the_policy_lets_the_page_run_and_nothing_else(scenes, tmp_path):
    """Hostile content after the page's own, and a script that tries every way out: none runs, and no request is made."""
    asked = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        script = ESCAPE.format(server=address)
        text = scenes["mesh"].text
        hostile = HOSTILE.format(server=address)
        _, body = browse(text, tmp_path, "", script, hostile)
        assert int(body["drawn"]) == len(scenes["mesh"].data["impacts"]) and body["styled"] == "flex"
        assert "ran" not in body and asked == [], (body, asked)
        for directive in (
            "script-src-elem",
            "script-src-attr",
            "img-src",
            "style-src-elem",
            "style-src-attr",
            "connect-src",
            "base-uri",
        ):
            assert directive in body["refused"].split(), body
        # The same without the policy, so that the test is known to see what it looks for.
        bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "<!-- script-src 'sha256-' -->", text)
        (tmp_path / "bare").mkdir()
        browse(bare, tmp_path / "bare", "", script, hostile)
        assert {"/ran", "/img", "/style", "/script", "/fetch"} <= set(asked), asked
    finally:
        server.shutdown()
        server.server_close()


def test_the_policy_names_every_script_and_style(scenes):
    text = scenes["mesh"].text
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert policy.startswith("default-src 'none'; script-src ") and "unsafe" not in policy and "*" not in policy
    assert text.index("Content-Security-Policy") < min(text.index("<style"), text.index("<script"), text.index("<title"))
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        inner = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inner]
        assert rules[name].split() == [f"'sha256-{digest}'" for digest in digests] and inner
    assert " style=" not in text and not re.search(r"\son\w+=", text.partition("<script")[0])
