"""Large scenes in `ccd view`: while they move they are drawn with fewer triangles, and whole again when they rest."""

import numpy as np
import pytest
from browser import BROWSER, visit
from conftest import sheets
from test_view_hand import changed, extent

import ccd

pytestmark = BROWSER


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """Before a page of 13,924 faces in two objects."""
    faces, x0, x1 = sheets(60)
    x0, x1 = x0 * [1, 1, 0.3] + [0, 0, 1], x1 * [1, 1, 0.3] + [0, 0, 1]
    path = tmp_path_factory.mktemp("large") / "page.html"
    ccd.view(ccd.Mesh(faces), x0, x1, impacts=False).save(path)
    with visit() as one:
        one.open(path.as_uri())
        yield one


def test_fewer_triangles_while_the_pointer_turns_the_scene(person):
    left, top, width, height = person.box("#scene")
    x, y = left + width / 2, top + height / 2
    before = person.still()
    person.evaluate("coarse.cost = 1000")  # a whole picture takes a second then
    person._mouse("mouseMoved", (x, y))
    person._mouse("mousePressed", (x, y), button="left", buttons=1, clickCount=1)
    for dx in (40, 80, 0):
        person._mouse("mouseMoved", (x + dx, y), button="left", buttons=1)
    held = person.still()  # the view stays so while the button is down
    assert changed(before, held) > 0.02, "edges and small triangles are left out"
    assert np.abs(extent(held) - extent(before)).max() < 0.05 * width, "but the scene is there"
    few, all_of_them = person.evaluate("[coarse.lists.reduce((sum, one) => sum + one.count / 3, 0), faceCount]")
    assert 1000 < few < 0.7 * all_of_them == 0.7 * 13924
    person._mouse("mouseReleased", (x, y), button="left", buttons=0, clickCount=1)
    person.until(lambda: not person.evaluate("coarse.moving"), "it rests")
    assert changed(before, person.still()) < 0.002


def test_coarse_triangles_are_of_one_object_and_near_their_own(person):
    """Each corner is at most a cell's diagonal away, and triangles do not join objects."""
    lists = person.evaluate("parts.map((p) => clustered(p, 20))")
    own, objects = person.evaluate("parts.map((p) => [Array.from(p.frame(0)), p.objects.of && Array.from(p.objects.of)])")[0]
    x, of, triangles = np.reshape(own, (-1, 3)), np.array(objects), np.reshape(lists[0], (-1, 3))
    assert len(triangles) > 100 and (of[triangles] == of[triangles[:, :1]]).all() and set(of[triangles[:, 0]]) == {0, 1}
    assert (np.sort(triangles, axis=1)[:, 1:] > np.sort(triangles, axis=1)[:, :-1]).all()
    used, size = np.unique(triangles), np.ptp(x, axis=0).max() / 20
    for k in range(2):
        corners = x[used[of[used] == k]]
        far = max(np.linalg.norm(corners - p, axis=1).min() for p in x[of == k][::37])
        assert far <= 2 * np.sqrt(3) * size


def test_a_picture_that_is_fast_stays_whole(person):
    person.evaluate("coarse.cost = 1")
    before = person.still()
    left, top, *_ = person.box("#scene")
    person._mouse("mouseMoved", (left + 300, top + 300))
    person._mouse("mousePressed", (left + 300, top + 300), button="left", buttons=1, clickCount=1)
    person._mouse("mouseMoved", (left + 340, top + 300), button="left", buttons=1)
    person._mouse("mouseMoved", (left + 300, top + 300), button="left", buttons=1)
    assert changed(before, person.still()) < 0.002 and not person.evaluate("coarse.moving")
    person._mouse("mouseReleased", (left + 300, top + 300), button="left", buttons=0, clickCount=1)
    assert person.complaints() == []


def test_an_exported_picture_is_whole(person):
    """Also in the moment in which the screen shows fewer triangles."""
    whole, coarse = person.evaluate(
        "(() => { const text = () => picture(1).toDataURL(); coarse.cost = 0; const one = text(); coarse.cost = 1000;"
        " moves(); return [one, text()]; })()"
    )
    assert whole == coarse and len(whole) > 10000
