"""The page of `ccd view` in the hands of a person: a real pointer and keyboard, and only what can be seen on the screen.

Each test compares the screen before and after an action, so that none passes on a page that is dead, blank, or still.
"""

import re

import numpy as np
import pytest
from browser import BROWSER, allowed, visit
from scenes_view import SCENES

from ccd.cli import main

pytestmark = BROWSER


@pytest.fixture(scope="module")
def person():
    with visit() as one:
        yield one


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The file of a page of each kind, and its text."""
    made = {}

    def page(kind):
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            arguments, _ = SCENES[kind](folder)
            made[kind] = folder / "page.html"
            assert main(["view", *arguments, "-o", str(made[kind])]) == 1
        return made[kind]

    return page


@pytest.fixture
def see(person, pages):
    """Opens a page of a kind, and looks for complaints of the browser afterwards."""

    def see(kind="mesh", fragment=""):
        person.open("about:blank")
        person.open(f"file://{pages(kind)}{fragment}")
        person.evaluate("$('legend').style.visibility = 'hidden'")  # it is no part of the scene
        assert drawn(person.still()) > 0.02
        return person

    yield see
    assert person.complaints() == []


# ---- what a screenshot holds


def colored(pixels):
    """Where there is surface or a mark: color, unlike the gray of the background."""
    spread = pixels.max(2).astype(int) - pixels.min(2)
    return spread > 24


def drawn(pixels):
    return colored(pixels).mean()


def extent(pixels):
    """Left, right, top and bottom of what is drawn, in shares of the picture."""
    inner = colored(pixels)[60:-70, 60:-60]  # no buttons, axes and scale
    rows, columns = np.flatnonzero(inner.any(1)), np.flatnonzero(inner.any(0))
    assert len(rows) and len(columns), "nothing is drawn"
    return np.array([columns[0], columns[-1], rows[0], rows[-1]])


def changed(before, after):
    """Share of the pixels that changed visibly."""
    return (np.abs(before.astype(int) - after.astype(int)).max(2) > 20).mean()


def inside(person):
    left, top, width, height = person.box("#scene")
    return left + width / 2, top + height / 2


def time_shown(person):
    return float(person.text("#now"))


# ---- the camera


def test_a_drag_turns_the_scene_and_a_drag_back_undoes_it(see):
    person = see()
    x, y = inside(person)
    before = person.still()
    person.drag((x, y), (x + 160, y + 40))
    turned = person.still()
    assert changed(before, turned) > 0.02
    person.drag((x + 160, y + 40), (x, y))
    assert changed(before, person.still()) < 0.002


def test_a_drag_with_shift_moves_the_scene_along(see):
    person = see()
    x, y = inside(person)
    person.wheel((x, y), 400)  # farther, so that nothing leaves the picture
    before = extent(person.still())
    person.drag((x, y), (x + 60, y + 40), shift=True)
    after = extent(person.still())
    moved = (after - before).reshape(2, 2).mean(1)  # how the middle moved: what is near moves a little more
    assert np.abs(moved - [60, 40]).max() <= 6, (before, after)


def test_a_drag_with_the_right_button_moves_it_too(see):
    person = see()
    x, y = inside(person)
    person.wheel((x, y), 400)
    before = extent(person.still())
    person.drag((x, y), (x + 60, y + 40), button="right")
    moved = (extent(person.still()) - before).reshape(2, 2).mean(1)
    assert np.abs(moved - [60, 40]).max() <= 6, moved


def test_two_fingers_zoom_and_move(see):
    """As far as they part, the scene grows; their middle takes it along; and they select nothing."""
    person = see()
    x, y = inside(person)
    person.wheel((x, y), 900)
    left, right, *_ = before = extent(person.still())
    person.pinch([(x - 60, y), (x + 60, y)], [(x - 90, y), (x + 90, y)])
    after = extent(person.still())
    assert abs((after[1] - after[0]) / (right - left) - 1.5) < 0.1, (before, after)
    person.pinch([(x - 90, y), (x + 90, y)], [(x - 50, y + 30), (x + 130, y + 30)])
    moved = (extent(person.still()) - after).reshape(2, 2).mean(1)
    assert np.abs(moved - [40, 30]).max() <= 6, moved
    assert not person.complaints()


def test_the_wheel_zooms(see):
    person = see()
    at = inside(person)
    sizes = []
    for turn in (0, 400, 400, -400):
        if turn:
            person.wheel(at, turn)
        left, right, *_ = extent(person.still())
        sizes.append(right - left)
    assert sizes[1] < 0.8 * sizes[0] and sizes[2] < 0.8 * sizes[1] and abs(sizes[3] - sizes[1]) <= 3, sizes


def test_the_button_for_the_whole_scene_brings_it_back(see):
    person = see()
    before = person.still()
    person.wheel(inside(person), -900)
    assert changed(before, person.still()) > 0.1
    person.click("#home")
    person.move(5, 5)
    assert changed(before, person.still()) < 0.002


# ---- time


def test_the_slider_is_dragged(see):
    person = see()
    before = person.still()
    left, top, width, height = person.box("#time")
    y = top + height / 2
    person.drag((left + 8, y), (left + width / 2, y))
    assert abs(time_shown(person) - 0.5) < 0.03
    assert changed(before, person.still()) > 0.002
    person.drag((left + width / 2, y), (left + width + 50, y))
    assert time_shown(person) == 1


def test_a_time_is_typed(see):
    person = see()
    before = person.still()
    person.click("#now", count=3)  # selects what stands there
    person.type("0.75")
    person.press("Enter")
    assert time_shown(person) == 0.75 and changed(before, person.still()) > 0.002


def test_play_and_pause(see):
    person = see()
    before = person.still()
    person.click("#play")
    person.until(lambda: time_shown(person) > 0.05, "time passes")
    person.click("#play")
    stopped = time_shown(person)
    assert changed(before, person.still()) > 0.001 and time_shown(person) == stopped
    person.move(*inside(person))
    person.press("Escape")
    person.evaluate("document.activeElement.blur()")
    person.press(" ")
    person.until(lambda: abs(time_shown(person) - stopped) > 0.05, "time passes again")
    person.press(" ")
    stopped = time_shown(person)
    person.still()
    assert time_shown(person) == stopped


def test_arrows_step_through_time(see):
    person = see()
    shown = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        person.press(key)
        shown.append(time_shown(person))
    assert shown == pytest.approx([0.02, 0.04, 0.02])


# ---- the lists


def test_a_click_in_the_list_shows_the_impact(see):
    person = see()
    first = person.still()
    label, time = person.texts("#list li b")[3], person.texts("#list li span")[3]
    person.click("#list li", 3)
    assert time_shown(person) == pytest.approx(float(time), abs=1e-6)
    note = person.text("#note")
    assert all(number in note for number in re.findall(r"\d+", label)), note
    assert person.evaluate("document.querySelectorAll('#list .picked').length") == 1
    picked = person.still()
    assert changed(first, picked) > 0.05
    red = (picked[:, :, 0] > 180) & (picked[:, :, 1] < 110) & (picked[:, :, 2] < 90)
    assert red.sum() > 20  # the first primitive
    person.press("ArrowDown")
    assert person.text("#note") != note and changed(picked, person.still()) > 0.01


def mark(person, pixels):
    """A place on the mark of an impact that was before the time that is shown."""
    left, top, *_ = person.box("#stage")
    rows, columns = np.nonzero((pixels[:, :, 0] > 200) & (pixels[:, :, 1] < 150) & (pixels[:, :, 2] < 60))
    assert len(rows) > 20
    return left + float(columns[len(columns) // 2]), top + float(rows[len(rows) // 2])


def test_a_click_on_a_mark_picks_it(see):
    person = see(fragment="#t=0.6")
    assert person.text("#note") == ""
    before = person.still()
    person.click(mark(person, before))
    person.until(lambda: person.text("#note"), "the pair that was clicked")
    assert changed(before, person.still()) > 0.02


def test_a_finger_taps_on_an_impact_and_on_a_mark(see):
    """A tap does what a click does: in the list it shows the impact at its time, on a mark in the scene it picks the pair."""
    person = see()
    label, time = person.texts("#list li b")[3], person.texts("#list li span")[3]
    person.tap("#list li", 3)
    person.until(lambda: time_shown(person) > 0, "the time of the impact")
    assert time_shown(person) == pytest.approx(float(time), abs=1e-6)
    note = person.text("#note")
    assert all(number in note for number in re.findall(r"\d+", label)), note
    person = see(fragment="#t=0.6")
    assert person.text("#note") == ""
    before = person.still()
    person.tap(mark(person, before))
    person.until(lambda: person.text("#note"), "the pair that was tapped")
    assert changed(before, person.still()) > 0.02


def test_one_finger_turns_the_scene(see):
    person = see()
    x, y = inside(person)
    before = person.still()
    person.pinch([(x, y)], [(x + 120, y + 40)])  # one finger
    assert changed(before, person.still()) > 0.02
    assert person.text("#note") == ""  # a drag picks nothing


def test_the_filter_is_typed(see):
    person = see()
    everything = person.texts("#list li b")
    person.click("#filter")
    person.type("edge-edge")
    some = person.texts("#list li b")
    assert some == [label for label in everything if "edge-edge" in label] and 0 < len(some) < len(everything)
    assert time_shown(person) == 0  # letters in a field are no keys of the page
    for _ in "edge-edge":
        person.press("Backspace")
    assert person.texts("#list li b") == everything
    person.type("zzz")
    assert person.texts("#list li") == [] and person.text("#none") != ""


def test_the_tabs_by_keyboard(see):
    person = see()
    impacts = person.texts("#list li b")
    person.evaluate("document.querySelector('#tab-impacts').focus()")
    chosen = "document.querySelector('[role=tab][aria-selected=true]').id"
    assert person.evaluate(chosen) == "tab-impacts"
    for _ in range(3):
        person.press("Tab")
        if person.evaluate("document.activeElement.id") == "tab-near":
            break
    assert person.evaluate("document.activeElement.id") == "tab-near"
    person.press("Enter")
    assert person.evaluate(chosen) == "tab-near"
    near = person.texts("#list li b")
    assert near and near != impacts
    person.press("n")
    assert person.texts("#list li b") == impacts


# ---- layers, theme, help


def test_a_layer_is_switched_off_and_on(see):
    person = see()
    before = person.still()
    person.click('#layers input[data-layer="faces"]')
    person.move(5, 5)
    without = person.still()
    assert drawn(without) < 0.6 * drawn(before)
    person.click('#layers input[data-layer="faces"]')
    person.move(5, 5)
    assert changed(before, person.still()) < 0.002


def test_light_and_dark(see):
    person = see()
    light = person.still()
    person.click("#theme")
    dark = person.still()
    assert light[5:50, 5:50].mean() > 200 and dark[5:50, 5:50].mean() < 80
    assert drawn(dark) > 0.02
    person.press("d")
    assert person.still()[5:50, 5:50].mean() > 200


def test_the_keys_are_shown(see):
    person = see()
    before = person.still()
    person.press("?")
    assert "play or pause" in person.text("#keys") and changed(before, person.still()) > 0.02
    person.press("Escape")
    assert changed(before, person.still()) < 0.002


@pytest.mark.parametrize("kind", ["volume", "rigid", "patch"])
def test_other_scenes_turn_and_move_in_time(see, kind):
    person = see(kind)
    x, y = inside(person)
    before = person.still()
    person.drag((x, y), (x + 90, y))
    turned = person.still()
    assert changed(before, turned) > 0.01
    left, top, width, height = person.box("#time")
    person.drag((left + 8, top + height / 2), (left + width * 0.8, top + height / 2))
    assert changed(turned, person.still()) > 0.002


# ---- the tests themselves


def test_a_dead_page_is_noticed(person, pages, tmp_path):
    """The same actions on a page whose script throws at once: nothing changes, and the browser complains."""
    dead = tmp_path / "dead.html"
    text = pages("mesh").read_text()
    dead.write_text(allowed(text.replace("<body>", "<body>", 1), "<script></script>").replace('"use strict";', "throw 1;", 1))
    person.open(f"file://{dead}")
    before = person.pixels("#stage")
    x, y = inside(person)
    person.drag((x, y), (x + 160, y + 40))
    person.click("#play")
    person.press("d")
    assert changed(before, person.still()) == 0 and drawn(before) < 0.02
    assert person.texts("#list li") == [] and person.complaints()
