"""`ccd.view(...)`: a page as the result of a cell of a notebook."""

import html
import inspect
import itertools
import re
import webbrowser

import numpy as np
import pytest
from browser import BROWSER, visit
from conftest import sheets
from scenes_view import SCENES, scene
from test_view import data
from test_view_hand import changed, drawn

import ccd


def shown(view):
    """The page inside of the frame, and the frame's tag."""
    (tag, text) = re.fullmatch(r'(<iframe [^>]*) srcdoc="([^"]*)"></iframe>', view._repr_html_(), re.S).groups()
    return html.unescape(text), tag


def test_a_mesh_and_two_configurations():
    faces, x0, x1 = sheets(6)
    mesh = ccd.Mesh(faces)
    want = ccd.step.collisions(mesh, x0, x1)
    for frames in ((x0, x1), (np.stack([x0, x1]),), ([x0.tolist(), x1.tolist()],)):
        view = ccd.view(mesh, *frames, title="two <sheets>", up="x", height=333)
        assert isinstance(view, ccd.view.View) and repr(view).startswith("<ccd.view.View 'two <sheets>': 1 parts")
        page, tag = shown(view)
        held = data(page)
        assert held["met"] == len(want) > 0 and held["title"] == "two <sheets>" and held["up"] == 0
        assert [i["time"] for i in held["impacts"]] == [r["toi_lo"] for r in want]
        assert 'sandbox="allow-scripts allow-downloads"' in tag and "height: 333px" in tag and "allow-same-origin" not in tag
        assert page == view.page.html() and "<sheets>" not in tag


def test_impacts_are_computed_given_or_left_out():
    faces, x0, x1 = sheets(6)
    mesh = ccd.Mesh(faces)
    want = ccd.step.collisions(mesh, x0, x1)
    assert ccd.view(mesh, x0, x1, impacts=want[:3]).page.met == 3
    assert ccd.view(mesh, x0, x1, impacts=True).page.met == len(want)
    left_out = ccd.view(mesh, x0, x1, impacts=False).page
    assert left_out.met == 0 and left_out.verdict == "impacts were not computed"
    assert ccd.view(mesh, x0, x1, min_separation=0.05).page.met > len(want)  # options of the step
    assert ccd.view(mesh, x0, x0.copy()).page.verdict == "separate: proven"
    assert ccd.view(mesh, x0).page.verdict == "one configuration: no step"
    assert ccd.view(mesh, x0).page.met == 0


def test_a_sequence():
    faces, x0, x1 = sheets(6)
    mesh, frames = ccd.Mesh(faces), [x0, x1, x0, x0]
    each = [ccd.step.collisions(mesh, a, b) for a, b in itertools.pairwise(frames)]
    for given in (frames, [frames], [np.stack(frames)]):
        page = ccd.view(mesh, *given).page
        assert page.met == sum(map(len, each)) and page.steps == 3
        assert {i["step"] for i in page.impacts} == {k for k, found in enumerate(each) if len(found)} >= {0, 1}
    assert ccd.view(mesh, *frames, impacts=[each[0][:1], each[1][:2], each[2][:0]]).page.met == 3
    assert ccd.view(mesh, *frames, impacts=False).page.met == 0


def test_other_shapes(tmp_path):
    arguments, _ = SCENES["volume"](tmp_path)
    cells = [ccd.volume.read(path) for path in arguments]
    assert ccd.view(cells[0], cells[0].vertices, cells[1].vertices).page.impacts[0]["time"] == 0.5
    form = ccd.patch.Form.triangle(1)
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 2], [0.2, 1, 2]], float)
    model = ccd.patch.Model(points, [form, form], np.arange(6, dtype=np.int32), None, 0.0)
    (hit,) = ccd.view(model, points, points - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 2])).page.impacts
    assert abs(hit["time"] - 0.5) < 1e-5
    (path,), _ = scene(tmp_path)
    bodies = ccd.view(ccd.rigid.read_scene(path))
    assert bodies.page.met >= 2 and data(bodies.page.html())["parts"][-1]["name"] == "mesh"
    assert ccd.view(bodies.page).page is bodies.page
    assert ccd.view(ccd.rigid.read_scene(path), impacts=False).page.met == 0


@pytest.mark.parametrize(
    "arguments, more, text",
    [
        (["patches", "x", "x", "x"], {}, "frames: 3 configurations were given; curved patches take x0 and x1"),
        (["mesh", "x", "x", "x"], {"impacts": [np.zeros(3)]}, "impacts has 1 arrays for 2 steps"),
        (["mesh"], {}, "frames: 0 configurations were given"),
        (["mesh", "x", "y"], {}, "frames[1] has 2 rows: must have 3"),
        ([3], {}, "shape is int: must be a ccd.Mesh"),
        (["mesh", "x", "x"], {"impacts": "all"}, "impacts is str: must be an array of impacts"),
        (["mesh", "x", "x"], {"impacts": np.zeros(3)}, "impacts"),
        (["mesh", "x", "x"], {"height": 1}, "height is 1"),
        (["mesh", "x", "x"], {"up": "w"}, "up is 'w'"),
        (["mesh", "x", "x"], {"title": 3}, "title is int"),
        (["page", "x"], {}, "frames: a Page has its own"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, more, text):
    known = {"mesh": ccd.Mesh([[0, 1, 2]]), "x": np.eye(3), "y": np.eye(3)[:2], "page": ccd.view.Page("x")}
    known["patches"] = ccd.patch.Model(np.eye(3), [ccd.patch.Form.triangle(1)], np.arange(3, dtype=np.int32), None, 0.0)
    with pytest.raises(ccd.ArgumentError, match=re.escape(text)):
        ccd.view(*(known.get(a, a) if isinstance(a, str) else a for a in arguments), **more)


def test_a_large_page_is_not_put_into_a_notebook(monkeypatch):
    view = ccd.view(ccd.Mesh([[0, 1, 2]]), np.eye(3), title="a <b>")
    monkeypatch.setattr("ccd.view._notebook.MOST_INLINE", 1000)
    text = view._repr_html_()
    assert "iframe" not in text and ".show()" in text and "a &lt;b&gt;" in text and len(text) < 400


def test_save_and_show(tmp_path, monkeypatch):
    view, opened = ccd.view(ccd.Mesh([[0, 1, 2]]), np.eye(3)), []
    view.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == view.page.html()
    monkeypatch.setattr(webbrowser, "open", opened.append)
    path = view.show()
    assert opened == [f"file://{path}"]
    with open(path) as file:
        assert file.read() == view.page.html()


def test_the_module_is_called_with_the_signature_of_its_function():
    assert inspect.signature(ccd.view) == inspect.signature(ccd.view.view) and inspect.ismodule(ccd.view)
    assert "ccd.view(mesh, x0, x1)" in ccd.view.__doc__ and callable(ccd.view)


# ---- in a browser

SOURCE = """
import numpy as np, ccd
mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
ccd.view(mesh, x0, x1, height=460)
"""


def reacts(path):
    """A page with a frame draws the scene, which turns under the pointer, and keys show an impact."""
    with visit() as person:
        person.open(f"file://{path}")
        person.until(lambda: drawn(person.pixels("iframe")) > 0.02, "the frame draws")
        before = person.still("iframe")
        left, top, width, height = person.box("iframe")
        x, y = left + 0.7 * width, top + 0.4 * height
        person.drag((x, y), (x + 120, y + 30))
        turned = person.still("iframe")
        assert changed(before, turned) > 0.02
        person.press("ArrowDown")  # the frame has the keyboard now: the first impact of the list
        assert changed(turned, person.still("iframe")) > 0.02


@BROWSER
def test_the_frame_of_a_notebook_draws_and_reacts(tmp_path):
    names = {}
    *statements, last = SOURCE.strip().split("\n")
    exec("\n".join(statements), names)
    view = eval(last, names)
    (tmp_path / "cell.html").write_text(f"<!doctype html><body><p>before</p>{view._repr_html_()}<p>after</p></body>", "utf-8")
    reacts(tmp_path / "cell.html")


@BROWSER
def test_a_notebook_is_run_and_shows_the_page(tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed: make peers installs it")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: make peers installs it")
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed: make peers installs it")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed: make peers installs it")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SOURCE)])
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    (output,) = notebook.cells[0].outputs
    assert output["data"]["text/plain"].startswith("<ccd.view.View 'mesh of 2 faces': 1 parts, 3 impacts")
    assert output["data"]["text/html"].startswith("<iframe ")
    body, _ = nbconvert.HTMLExporter(template_name="basic").from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{body}</body>", "utf-8")
    reacts(tmp_path / "notebook.html")
