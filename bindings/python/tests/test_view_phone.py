"""The page of `ccd view` on a phone, upright and turned: a touch screen, few pixels."""

import pytest
from browser import BROWSER, visit
from scenes_view import SCENES

from ccd.cli import main

pytestmark = BROWSER


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("phone")
    arguments, _ = SCENES["mesh"](folder)
    assert main(["view", *arguments, "-o", str(folder / "page.html")]) == 1
    return (folder / "page.html").as_uri()


@pytest.mark.parametrize("width, height", ((390, 844), (844, 390)))
def test_a_phone_shows_the_picked_pair(page, width, height):
    """The note ends above the middle, where the pair is; no panel leaves the picture or covers the buttons."""
    with visit() as person:
        person.phone(width, height)
        person.open(page)
        assert person.evaluate("matchMedia('(pointer: coarse)').matches && $('legend').hidden")
        left, top, across, down = person.box("#stage")
        person.tap("#list li", 3)
        person.until(lambda: person.text("#note"), "the pair that was tapped")
        _, note_top, _, note_high = person.box("#note")
        assert note_top + note_high < top + down / 2 - 8
        person.tap("#legend-button")
        for shows, panel in ((None, "#note"), (None, "#legend"), ("#help", "#keys"), ("#save", "#export")):
            if shows:
                person.tap(shows)
            x, y, wide, high = person.box(panel)
            assert left <= x and x + wide <= left + across and top <= y and y + high <= top + down, panel
            tools = person.box("#tools")
            assert x + wide <= tools[0] or y >= tools[1] + tools[3], f"{panel} covers the buttons"
            if panel == "#keys":
                assert person.evaluate("$('keys').scrollHeight > $('keys').clientHeight")
                person.pinch([(x + 40, y + 180)], [(x + 40, y + 60)])
                person.until(lambda: person.evaluate("$('keys').scrollTop > 20"), "the list of keys scrolls")
            if shows:
                person.tap(shows)
        inner = person.evaluate("(a => [a.scrollWidth, a.clientWidth])(document.querySelector('aside'))")
        assert inner[0] <= inner[1], "what is in the panel is wider than it"
        x, y, wide, high = person.box("#list")
        assert min(y + high, height) - y > 60
        assert all(person.box(one)[3] >= 30 for one in ("#list li", "#play", "#help", "#tab-near"))
        assert person.complaints() == []
