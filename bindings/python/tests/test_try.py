"""The page that tries the library in the browser (docs/try): what it computes and shows, in headless Chromium."""

import json
from pathlib import Path

import numpy as np
import pytest
from browser import BROWSER, visit
from conftest import CHECKOUT, sheets

import ccd

PAGE = CHECKOUT / "build" / "extra" / "try" / "index.html"
pytestmark = [BROWSER, pytest.mark.skipif(not PAGE.is_file(), reason="no page: make wasm builds it")]


def obj(path: Path, x, faces) -> Path:
    lines = [f"v {a!r} {b!r} {c!r}" for a, b, c in np.asarray(x, float).tolist()]
    path.write_text("\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces), ""]))
    return path


@pytest.fixture
def person():
    with visit(1200, 900) as person:
        person.open(PAGE.as_uri())
        yield person


def result(person, of):
    """The text of the result, once it contains some words."""
    return person.until(lambda: (text := person.text("#result")) and of in text and text, of, 60)


def choose(person, field, value):
    element = f"document.getElementById({json.dumps(field)})"
    person.evaluate(f"{element}.value = {json.dumps(value)}")
    person.evaluate(f"{element}.dispatchEvent(new Event('change', {{ bubbles: true }}))")


def colors(person):
    """How many colors the right half of the viewer has."""
    shown = person.pixels("#view")
    return len(np.unique(shown[:, shown.shape[1] // 2 :].reshape(-1, 3), axis=0))


def give(person, field, path):
    root = person.call("DOM.getDocument")["root"]["nodeId"]
    node = person.call("DOM.querySelector", nodeId=root, selector=f"#{field}")["nodeId"]
    person.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])


def test_the_built_in_scenes(person):
    text = result(person, "Earliest impact")
    assert "vertex-face" in text or "edge-edge" in text
    times = [float(row) for row in person.texts("#impacts td:first-child")]
    assert len(times) == 5 and times == sorted(times) and f"t = {times[0]}" in text
    person.until(lambda: colors(person) > 200, "the viewer draws the scene", 60)
    choose(person, "scene", "triangles")
    assert "vertex-face 3 0 at t = 0.5," in result(person, "vertex-face 3 0")
    choose(person, "separation", "0.001")
    assert "t = 0.4995" in result(person, "0.4995")
    choose(person, "separation", "-1")
    assert "options.minSeparation is -1" in result(person, "minSeparation")
    assert person.evaluate("document.getElementById('view').hidden")
    assert not person.complaints()


def test_files_have_the_impacts_of_the_library(person, tmp_path):
    faces, x0, x1 = sheets(8)
    want = ccd.step.collisions(ccd.Mesh(faces), x0, x1)
    result(person, "Earliest")
    give(person, "file0", obj(tmp_path / "a.obj", x0, faces))
    result(person, "Choose the files")
    give(person, "file1", obj(tmp_path / "b.obj", x1, faces))
    text = result(person, f"All {len(want):,} impacts")
    first = want[0]
    assert f"{ccd.Kind(int(first['kind']))} {first['a']} {first['b']} at t = {float(first['toi_lo'])!r}," in text
    assert [float(t) for t in person.texts("#impacts td:first-child")] == want["toi_lo"][:5].tolist()
    give(person, "file1", obj(tmp_path / "c.obj", x0[:-1], [f for f in faces if max(f) < len(x0) - 1]))
    assert "c.obj has" in result(person, "both must be the same mesh")
    (tmp_path / "d.obj").write_text("v 1\n")
    give(person, "file1", tmp_path / "d.obj")
    assert "d.obj: line 1" in result(person, "d.obj")
    assert not person.complaints()


def test_dropped_files(person):
    result(person, "Earliest")
    one, other = ("".join(f"v {x} {y} {z}\\n" for x, y, z in points) for points in (
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 1), (0.3, 0.2, 2), (0.2, 0.3, 2)],
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 0.5), (0.3, 0.2, 1), (0.2, 0.3, 1)],
    ))  # fmt: skip
    person.evaluate(
        "(() => { const d = new DataTransfer();"
        f" d.items.add(new File(['{other}f 1 2 3\\nf 4 5 6\\n'], 'frame10.obj'));"
        f" d.items.add(new File(['{one}f 1 2 3\\nf 4 5 6\\n'], 'frame9.obj'));"
        " document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: d, bubbles: true, cancelable: true }));"
        " return 1; })()"
    )
    assert "nothing touches" in result(person, "Separate")
    assert person.evaluate("document.getElementById('scene').value") == "files"
    assert not person.complaints()


def test_the_page_fetches_nothing():
    text = PAGE.read_text()
    policy = text.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    assert policy.startswith("default-src 'none'") and "unsafe-inline" not in policy and "connect-src" not in policy
    assert "http://" not in text.partition("<!-- ")[0] and 'src="http' not in text
