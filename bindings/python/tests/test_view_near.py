"""Near pairs of pages: which are left out, in what order they are listed, and what the list says; edges behind surfaces."""

import numpy as np
import pytest
from browser import BROWSER, browse
from test_view import data

import ccd
from ccd._inner.robots import Bodies, columns
from ccd.view import _gaps
from ccd.view._robots import Track


def ball_over_plate(fall):
    """A ball of rings over a plate of squares, in one mesh: faces, both frames, and the first vertex of the ball."""
    k, rings, around = 8, 8, 12
    grid = np.stack(np.meshgrid(np.linspace(-2, 2, k + 1), np.linspace(-2, 2, k + 1), indexing="ij"), -1).reshape(-1, 2)
    i = np.arange(k * (k + 1)).reshape(k, k + 1)[:, :k].ravel()
    plate = np.vstack([np.column_stack([i, i + k + 1, i + k + 2]), np.column_stack([i, i + k + 2, i + 1])])
    up, turn = np.linspace(0, np.pi, rings + 1)[1:-1], np.arange(around) * 2 * np.pi / around
    ball = [[np.sin(u) * np.cos(t), np.sin(u) * np.sin(t), np.cos(u)] for u in up for t in turn] + [[0, 0, 1], [0, 0, -1]]
    a = np.arange(around)
    b, north, south = (a + 1) % around, around * (rings - 1), around * (rings - 1) + 1
    side = [
        np.vstack([np.column_stack([r + a, r + a + around, r + b]), np.column_stack([r + b, r + a + around, r + b + around])])
        for r in around * np.arange(rings - 2)
    ]
    last = around * (rings - 2)
    caps = [np.column_stack([0 * a + north, a, b]), np.column_stack([0 * a + south, last + b, last + a])]
    n = len(grid)
    faces = np.vstack([plate, n + np.vstack([*side, *caps])])
    x0 = np.vstack([np.column_stack([grid, 0 * grid[:, 0]]), np.add(ball, [0.1, 0.05, 1.3])])
    return faces, x0, x0 - np.outer(np.arange(len(x0)) >= n, [0, 0, fall]), n


def near_page(fall, **more):
    faces, x0, x1, n = ball_over_plate(fall)
    mesh, page = ccd.Mesh(faces), ccd.view.Page("a ball over a plate")
    part = page.add_mesh(mesh, x0, x1)
    page.add_impacts(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1), part)
    found = ccd.broad.candidates(mesh, x0, x1, min_separation=0.05)
    page.add_near(mesh, x0, {kind: found[kind] for kind in ccd.Kind}, part, **more)
    return page, mesh, x0, x1, n


@pytest.mark.parametrize("fall", [0.29, 0.5])
def test_neighbors_on_the_ball_are_left_out_and_the_nearest_come_first(fall):
    page, mesh, x0, x1, n = near_page(fall)
    sides = [[min(side["vertices"]) >= n for side in pair["sides"]] for pair in page.near]
    assert page.near and all(a != b for a, b in sides)  # one side is of the ball, the other of the plate
    everything, *_ = near_page(fall, neighbors=True)
    assert everything.near_in_mesh == 0 < page.near_in_mesh and "near in the mesh" not in everything.facts
    assert page.near_found + page.near_in_mesh == everything.near_found > 3 * page.near_found
    assert page.facts["near in the mesh"] == f"{page.near_in_mesh:,} pairs left out"
    told = [float(next(row[1] for row in pair["rows"] if row[0] == "distance").split()[0]) for pair in page.near]
    assert told == sorted(told)
    for pair, distance in list(zip(page.near, told))[::7]:
        t = pair["time"]
        x = x0 * (1 - t) + x1 * t
        close = ccd.proximity.near(mesh, x, distance * 1.001 + 1e-9)
        kind, a, b = pair["label"].split()
        [row] = [r for r in close if (str(ccd.Kind(int(r["kind"]))), r["a"], r["b"]) == (kind, int(a), int(b))]
        assert row["distance_hi"] == pytest.approx(distance, rel=1e-4, abs=1e-9) and pair["aside"] == f"{distance:.3g}"
        for u in np.linspace(0, 1, 33):  # it is the least that can be found in the step
            first, second = (np.array(side["vertices"])[None] for side in pair["sides"])
            y = x0 * (1 - u) + x1 * u
            assert _gaps.between(y[first], y[second])[0] >= distance * (1 - 1e-5) - 1e-9


def test_flaps_of_one_mesh_stay_listed():
    """A strip whose ends come near each other: far along the edges, and they approach."""
    turn = np.linspace(0, 1.6 * np.pi, 30)
    bent = np.array([[np.cos(a), np.sin(a), z] for a in turn for z in (0, 0.3)])
    closed = np.array([[np.cos(a), np.sin(a), z] for a in turn * 1.24 for z in (0, 0.3)])
    i = 2 * np.arange(29)
    faces = np.vstack([np.column_stack([i, i + 1, i + 2]), np.column_stack([i + 1, i + 3, i + 2])])
    mesh, page = ccd.Mesh(faces), ccd.view.Page("a strip")
    part, found = page.add_mesh(mesh, bent, closed), ccd.broad.candidates(mesh, bent, closed, min_separation=0.1)
    page.add_near(mesh, bent, {kind: found[kind] for kind in ccd.Kind}, part)
    ends = [sorted(min(side["vertices"]) // 2 for side in pair["sides"]) for pair in page.near]
    assert any(a <= 3 and b >= 26 for a, b in ends) and page.near_in_mesh > 0
    assert all(b - a > 2 for a, b in ends)


def test_two_edges_apart_by_counting():
    """Against a search that goes along the edges vertex by vertex, on a mesh with a vertex of many neighbors."""
    rng = np.random.default_rng(5)
    fan = np.column_stack([np.zeros(40, int), np.arange(1, 41), np.arange(2, 42)])
    more = rng.permutation(np.arange(30, 80))[:45].reshape(-1, 3)
    x, rods = rng.random((85, 3)), np.array([[80, 81], [81, 82], [83, 84]], np.int32)  # ends without a common neighbor
    mesh = ccd.Surface(x, rods, np.vstack([fan, more]).astype(np.int32)).mesh()
    near = _gaps.Neighbors(mesh, x, x)
    around = {v: {v} for v in range(85)}
    for a, b in mesh.edges.tolist():
        around[a].add(b)
        around[b].add(a)
    u, v = (one.ravel() for one in np.meshgrid(np.arange(85), np.arange(85)))
    want = [bool(around[a] & around[b]) for a, b in zip(u.tolist(), v.tolist())]
    assert near._linked(u, v).tolist() == want and 0 < sum(want) < len(want)
    empty = _gaps.Neighbors(ccd.Mesh(vertices=3), x[:3], x[:3])
    assert not empty.of(np.array([[0]]), np.array([[1]])).any()


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (1, 3), (2, 2), (3, 1)])
def test_distances_against_sampled_points(sizes):
    rng = np.random.default_rng(sum(sizes))
    a, b = (rng.random((40, k, 3)) for k in sizes)
    weights = [rng.dirichlet(np.full(k, 0.4), 4000) for k in sizes]
    for one, other, got in zip(a, b, _gaps.between(a, b)):
        p, q = (w @ corners for w, corners in zip(weights, (one, other)))
        sampled = min(np.linalg.norm(p - q[rng.permutation(len(q))], axis=1).min() for _ in range(12))
        assert got <= sampled + 1e-12 and sampled - got < 0.1


def test_many_pairs_are_measured_by_their_centers_first(monkeypatch):
    page, *_ = near_page(0.5)
    monkeypatch.setattr("ccd.view._add_near._MOST_MEASURED", 40)
    few, *_ = near_page(0.5)
    assert few.near_found == page.near_found > 80 == len(few.near)
    told = {pair["label"]: pair["aside"] for pair in page.near}
    assert all(told[pair["label"]] == pair["aside"] for pair in few.near)


def test_a_mesh_of_another_part_is_refused():
    page = ccd.view.Page("small")
    x = np.eye(3)
    part = page.add_mesh(ccd.Mesh([[0, 1, 2]]), x, x)
    other = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    with pytest.raises(ccd.ArgumentError, match="mesh has 6 vertices, and part 0 has 3"):
        page.add_near(other, np.vstack([x, x + 1]), {}, part)


def robot_page():
    bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    pole = ccd.robot.Shape.box([0.1, 0.1, 1]).placed(np.eye(3), [0.6, 0.6, 0])
    scene = {"pole": ccd.Surface(pole.vertices, pole.edges, pole.faces)}
    path, page = ccd.robot.Path(["turn"], [[0], [0.2], [3]]), ccd.view.Page("an arm meets a pole")
    report = ccd.robot.check(robot, path, scene)
    page.add_robot(robot, path, scene, report)
    return page, report


def test_a_contact_of_a_robot_names_links_and_verdict_apart():
    page, report = robot_page()
    [found] = page.impacts
    rows = {row[0]: row[1:] for row in found["rows"]}
    assert rows["link"] == ["arm", "first"] and rows["object"] == ["pole", "second"]
    assert rows["verdict"] == ["collides"] and rows["how"] == [report.contact.how] and found["edge"] == 1
    assert data(page.html())["edges"] == 2


def test_a_half_space_is_drawn_as_a_slab_of_the_robots_size():
    ball = ccd.robot.Robot("drone", ["world"], [[]], [], []).add("ball", ccd.robot.Shape.ball(0.1))
    path = ccd.robot.Path(ball.joints, [[0, 0, 2, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 1]])
    bodies = Bodies(ball, {"floor": [ccd.robot.Shape.half_space([0.6, 0, 0.8], -0.5)]})
    track = Track(bodies, path, columns(ball, path, None), 4)
    floor = track.frames[0][bodies.all[-1].first :]
    depth = floor @ [0.6, 0, 0.8]
    assert np.allclose(depth[1::2], -0.5) and (depth[::2] > -1).all() and (depth[::2] < -0.5).all()
    assert 2 < np.abs(floor).max() < 10


@BROWSER
def test_the_page_of_a_robot_speaks_of_edges(tmp_path):
    page, _ = robot_page()
    script = """<script>setTimeout(() => {
      const told = document.body.dataset;
      setTime(0.25); told.first = $("step").textContent;
      jump("impacts", 0); render(); told.met = $("step").textContent;
      told.heading = document.querySelector("#list li.heading").textContent;
      told.legend = [...document.querySelectorAll("#legend span")].map((one) => one.textContent).join("; ");
      document.querySelector("#list li.heading").click(); told.begins = timeOf(state.s);
      $("filter").value = "edge 1"; showTab("impacts"); told.shown = document.querySelectorAll("#list li[data-index]").length;
    }, 300);</script>"""
    _, told = browse(page.html(), tmp_path, "", script)
    assert told["first"] == "edge 0 of 2, s = 0.5" and told["met"].startswith("edge 1 of 2, s = 0."), told
    assert told["heading"] == "edge 1" and told["begins"] == "1" and told["shown"] == "1"
    assert "first of the pair: link arm" in told["legend"] and "second of the pair: object pole" in told["legend"]


@BROWSER
def test_the_list_of_near_pairs_has_a_column_of_distances(tmp_path):
    page, *_ = near_page(0.29)
    script = """<script>setTimeout(() => {
      const told = document.body.dataset;
      showTab("near"); told.column = $("column").textContent;
      told.values = [...document.querySelectorAll("#list li span")].map((one) => one.textContent);
      jump("near", 0); told.gap = document.querySelector("#note .gap").textContent; told.t = timeOf(state.s);
      showTab("impacts"); told.hidden = $("columns").hidden;
    }, 300);</script>"""
    _, told = browse(page.html(), tmp_path, "", script)
    values = [float(one) for one in told["values"].split(",")]
    assert told["column"] == "distance" and values == sorted(values) and len(values) == len(page.near), told
    assert float(told["t"]) == pytest.approx(page.near[0]["time"], abs=1e-6) and told["hidden"] == "true"
    assert float(told["gap"]) == pytest.approx(values[0], rel=0.02)


@BROWSER
@pytest.mark.parametrize("rise", [1.4, 0.5])
def test_edges_of_a_sheet_behind_another_stay_hidden(tmp_path, rise):
    """A fine grid just behind two large triangles: with and without its edges the picture has the same pixels."""
    k = 12
    grid = np.stack(np.meshgrid(np.linspace(-0.9, 0.9, k + 1), np.linspace(-0.9, 0.9, k + 1), indexing="ij"), -1).reshape(-1, 2)
    i = np.arange(k * (k + 1)).reshape(k, k + 1)[:, :k].ravel()
    fine = np.vstack([np.column_stack([i, i + k + 1, i + k + 2]), np.column_stack([i, i + k + 2, i + 1])])
    large = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    n, front = len(grid), np.array([[0, 1, 2], [0, 2, 3]])
    x = np.vstack([np.column_stack([grid, 0 * grid[:, 0]]), np.column_stack([large, np.full(4, 1e-3)])])
    page = ccd.view.Page("two sheets")
    page.add_mesh(ccd.Mesh(np.vstack([fine, n + front])), x, x)
    script = f"""<script>setTimeout(() => {{
      const dark = () => {{ // pixels of lines
        render();
        const all = new Uint8Array(4 * canvas.width * canvas.height); let count = 0;
        gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all);
        for (let i = 0; i < all.length; i += 4) count += all[i + 3] === 255 && all[i] + all[i + 1] + all[i + 2] < 420;
        return count;
      }};
      camera.rise = {rise}; whole(); document.body.dataset.both = dark();
      objects[0].visible = false; changed(); document.body.dataset.alone = dark();
    }}, 300);</script>"""
    _, told = browse(page.html(), tmp_path, "", script)
    both, alone = int(told["both"]), int(told["alone"])
    assert alone > 300 and both <= alone + 20, told
