"""The page of `ccd view`: what it holds, and that a browser draws it."""

import html.parser
import json
import re
import shutil
import subprocess

import numpy as np
import pytest
from conftest import sheets
from test_cli import off

import ccd
from ccd.cli import main

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A page of two sheets that pass through each other."""
    folder = tmp_path_factory.mktemp("view")
    faces, x0, x1 = sheets(12)
    a, b = off(folder / "a.off", x0, faces), off(folder / "b.off", x1, faces)
    page = folder / "page.html"
    assert main(["view", a, b, "-o", str(page)]) == 1
    return page, faces, x0, x1


def data(page):
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.S).group(1))


def test_the_page_holds_the_step(scene):
    page, faces, x0, x1 = scene
    held = data(page.read_text())
    want = ccd.step.collisions(ccd.Mesh(faces), x0, x1)
    assert [(i["a"], i["b"], i["toi"]) for i in held["impacts"]] == [(r["a"], r["b"], r["toi_lo"]) for r in want]
    assert held["facts"]["vertices"] == f"{len(x0):,}" and held["facts"]["impacts"] == f"{len(want):,}"
    pairs = {(p["kind"], p["a"], p["b"]) for p in held["impacts"]}
    assert held["near"] and not any((p["kind"], p["a"], p["b"]) in pairs for p in held["near"])
    for pair in held["impacts"][:50]:
        assert (len(pair["first"]), len(pair["second"])) == {"vertex-face": (1, 3), "edge-edge": (2, 2)}[pair["kind"]]


def test_the_page_asks_nobody(scene):
    """Nothing is fetched: no address but the page's own fragment."""

    found = []

    class Sources(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.extend(value for name, value in attrs if name in ("src", "href", "srcset", "data", "action"))

    text = scene[0].read_text()
    Sources().feed(text)
    assert found == []
    assert not re.search(r"https?:|//cdn|\bfetch\(|XMLHttpRequest|\bimport\b\(|url\(", re.sub(r'"page data".*', "", text))


def test_a_title_cannot_end_the_script(tmp_path):
    page = ccd.view.Page("</script><b>x")
    page.add_mesh(ccd.Mesh(faces=[[0, 1, 2]]), np.eye(3), np.eye(3))
    assert page.html().count("</script>") == 2 and data(page.html())["title"] == "</script><b>x"


def test_a_page_without_impacts(tmp_path, capsys):
    faces, x0, _ = sheets(4)
    a = off(tmp_path / "a.off", x0 * [1, 1, 100], faces)
    assert main(["view", a, a, "-o", str(tmp_path / "page.html"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["impacts"] == 0


# What a person would look for, asked of the page itself once it has drawn.
PROBE = """
<script>
addEventListener("error", (e) => { document.body.dataset.error = e.message; });
setTimeout(() => {
  render(); // it also gives the canvas its size
  const w = canvas.width, h = canvas.height, pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let drawn = 0, red = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i] !== pixels[0] || pixels[i + 1] !== pixels[1] || pixels[i + 2] !== pixels[2]) drawn++;
    if (pixels[i] > 200 && pixels[i + 1] < 150 && pixels[i + 2] < 60) red++;
  }
  Object.assign(document.body.dataset, { drawn: drawn / (w * h), red, t: state.t, picked: state.picked });
  document.body.dataset.items = document.querySelectorAll("#list li").length;
}, 300);
</script>
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
@pytest.mark.parametrize("fragment", ["", "#t=0.5", "#impact=2"])
def test_a_browser_draws_it(scene, tmp_path, fragment):
    page = tmp_path / "probe.html"
    page.write_text(scene[0].read_text() + PROBE)
    command = [BROWSER, "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    command += ["--window-size=1000,700", "--virtual-time-budget=4000", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    dom = subprocess.run([*command, f"file://{page}{fragment}"], capture_output=True, text=True, timeout=120).stdout
    body = dict(re.findall(r'data-(\w+)="([^"]*)"', re.search(r"<body[^>]*>", dom).group(0)))
    held = data(scene[0].read_text())
    assert "error" not in body and int(body["items"]) == len(held["impacts"]), body
    assert float(body["drawn"]) > 0.05 and int(body["red"]) > 20, body
    if fragment == "#impact=2":
        assert body["picked"] == "2" and float(body["t"]) == held["impacts"][2]["toi"]
        assert f"t = {held['impacts'][2]['toi']}" in dom
    else:
        assert float(body["t"]) == (0.5 if fragment else 0)
