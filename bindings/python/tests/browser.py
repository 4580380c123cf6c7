"""A person before a page: a real pointer and a real keyboard in headless Chromium, and what can be seen there.

Every action goes through the browser's own input (DevTools protocol, Input.dispatch...), as if a hand had made it: hit
testing, focus, pointer capture and default actions all take part. Nothing here calls a function of the page.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import hashlib
import json
import struct
import time
import zlib

import numpy as np
import pytest

from ccd.view import _browser

WHY_NOT = None if _browser.find() else "no Chromium (install it, or set CCD_BROWSER)"
BROWSER = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))
_SHIFT = 8
_BUTTONS = {"left": 1, "right": 2, "middle": 4}
_CODES = {  # keys that are no characters: code, virtual key
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Enter": 13, "Escape": 27, "Home": 36,
    "End": 35, "Backspace": 8, "Delete": 46,
}  # fmt: skip


def decode_png(data):
    """The pixels (height, width, channels) of a PNG of 8 bits without interlacing; checks its sums."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body, head = 8, b"", None
    while at < len(data):
        (size,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        chunk = data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + chunk)
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", chunk)
        elif kind == b"IDAT":
            body += chunk
        at += 12 + size
    width, height, depth, color, *_, interlaced = head
    assert depth == 8 and not interlaced
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    rows = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, 1 + width * channels)
    out, above = np.empty((height, width, channels), np.uint8), np.zeros((width, channels), np.uint8)
    for y, row in enumerate(rows):
        line, how = row[1:].reshape(width, channels), row[0]
        if how == 0:
            now = line
        elif how == 1:
            now = np.cumsum(line, axis=0, dtype=np.uint8)
        elif how == 2:
            now = line + above
        else:
            now = _slow_filter(how, line, above)
        out[y] = above = now
    return out


def _slow_filter(how, line, above):
    """Average and Paeth, where every pixel needs the one before it."""
    now, left, corner = np.empty_like(line), np.zeros(line.shape[1], int), np.zeros(line.shape[1], int)
    for x in range(len(line)):
        up = above[x].astype(int)
        if how == 3:
            guess = (left + up) // 2
        else:
            p = left + up - corner
            a, b, c = abs(p - left), abs(p - up), abs(p - corner)
            guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
        now[x] = (line[x] + guess) & 255
        left, corner = now[x].astype(int), up
    return now


class Person(_browser.Browser):
    """Looks at a page, and uses it."""

    # ---- what can be seen

    def text(self, selector):
        """The text that an element shows; the value of a field."""
        shown = "e => 'value' in e && e.type ? e.value : e.innerText"
        return self.evaluate(f"({shown})(document.querySelector({json.dumps(selector)}))")

    def texts(self, selector):
        """The texts of all elements, those outside of the scrolled part too."""
        return self.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def box(self, selector, index=0):
        """Left, top, width and height of an element, after it was scrolled into view."""
        found = self.evaluate(
            f"(e => {{ if (!e) return null; e.scrollIntoView({{ block: 'nearest' }}); const b = e.getBoundingClientRect();"
            f" return [b.left, b.top, b.width, b.height]; }})(document.querySelectorAll({json.dumps(selector)})[{index}])"
        )
        assert found and found[2] > 0 and found[3] > 0, f"{selector} cannot be seen"
        return found

    def middle(self, selector, index=0):
        left, top, width, height = self.box(selector, index)
        return left + width / 2, top + height / 2

    def pixels(self, selector=None):
        """A screenshot (height, width, 3) of an element, or of the whole page."""
        return decode_png(self.screenshot(selector))[:, :, :3]

    def screenshot(self, selector=None):
        """The same as a PNG."""
        more = {}
        if selector:
            left, top, width, height = self.box(selector)
            more = {"clip": {"x": left, "y": top, "width": width, "height": height, "scale": 1}}
        return base64.b64decode(self.call("Page.captureScreenshot", optimizeForSpeed=True, **more)["data"])

    def until(self, seen, what="", seconds=15):
        """Wait until a function is true, and return what it returned."""
        end = time.monotonic() + seconds
        while True:
            got = seen()
            if got:
                return got
            assert time.monotonic() < end, f"not seen within {seconds} s: {what}"
            time.sleep(0.03)

    def still(self, selector="#stage"):
        """A screenshot once two in a row are the same: the page has drawn what was asked for."""
        before = None
        for _ in range(100):
            self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            now = self.screenshot(selector)
            if now == before:
                return decode_png(now)[:, :, :3]
            before = now
        raise AssertionError("the page does not come to rest")

    def complaints(self):
        """Uncaught exceptions, refused content and errors in the console since the page was opened."""
        self.evaluate("1")
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"])
            elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
            elif event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "assert"):
                found.append(event["params"]["args"])
        return found

    # ---- what a hand does

    def _mouse(self, kind, at, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], **more)

    def move(self, *at):
        self._mouse("mouseMoved", at)

    def click(self, what, index=0, count=1):
        """Click on an element (a selector), or on a point."""
        at = self.middle(what, index) if isinstance(what, str) else what
        self._mouse("mouseMoved", at)
        for times in range(1, count + 1):
            self._mouse("mousePressed", at, button="left", buttons=1, clickCount=times)
            self._mouse("mouseReleased", at, button="left", buttons=0, clickCount=times)

    def drag(self, start, end, button="left", shift=False, steps=8):
        """Press at one point, move to another, let go."""
        more = {"button": button, "modifiers": _SHIFT * shift}
        self._mouse("mouseMoved", start)
        self._mouse("mousePressed", start, buttons=_BUTTONS[button], clickCount=1, **more)
        for i in range(1, steps + 1):
            at = [a + (b - a) * i / steps for a, b in zip(start, end)]
            self._mouse("mouseMoved", at, buttons=_BUTTONS[button], **more)
        self._mouse("mouseReleased", end, buttons=0, clickCount=1, **more)

    def phone(self, width, height):
        """Make the page that of a phone: its size in CSS pixels, and a touch screen in place of the mouse."""
        turned = {"type": "portraitPrimary", "angle": 0} if height > width else {"type": "landscapePrimary", "angle": 90}
        size = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True, "screenOrientation": turned}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def pinch(self, start, end, steps=8):
        """Put fingers on a touch screen, move each from its first place to its last, and lift them."""

        def touch(kind, places):
            points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

        touch("touchStart", start)
        for i in range(1, steps + 1):
            touch("touchMove", [[a + (b - a) * i / steps for a, b in zip(p, q)] for p, q in zip(start, end)])
        touch("touchEnd", [])

    def tap(self, what, index=0):
        """Touch an element (a selector), or a point, with one finger, and lift it."""
        x, y = self.middle(what, index) if isinstance(what, str) else what
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def wheel(self, at, dy):
        self._mouse("mouseWheel", at, deltaX=0, deltaY=dy)

    def press(self, key, shift=False):
        """Press a key and let it go: a character, or a name such as ArrowLeft."""
        told = {"key": key, "modifiers": _SHIFT * shift}
        if key in _CODES:
            told |= {"code": key, "windowsVirtualKeyCode": _CODES[key]}
            if key == "Enter":
                told["text"] = "\r"
        else:
            told |= {"text": key, "windowsVirtualKeyCode": ord(key.upper()) if key.isalnum() or key == " " else 0}
            told["code"] = "Space" if key == " " else f"Key{key.upper()}" if key.isalpha() else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", **told)
        told.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **told)

    def type(self, text):
        for character in text:
            self.press(character)

    # ---- pages beside the first

    def pass_time(self, milliseconds):
        """Let the page's timers run for a time, without waiting for it."""
        self.call("Emulation.setVirtualTimePolicy", policy="pauseIfNetworkFetchesPending", budget=milliseconds)
        self.wait("Emulation.virtualTimeBudgetExpired")

    @contextlib.contextmanager
    def page(self, width, height):
        """Use a new page, which shares no storage, cache or settings with others, and close it."""
        self._session = None
        context = self.call("Target.createBrowserContext")["browserContextId"]
        self._new_page(width, height, browserContextId=context)
        yield self
        self._session = None
        self.call("Target.disposeBrowserContext", browserContextId=context)
        self.events.clear()


_running = []


@contextlib.contextmanager
def visit(width=1000, height=700):
    """A person before a new page. All pages of a process are in one browser, since its start costs more than most tests."""
    if not _running:
        _running.append(Person(timeout=120.0))
        atexit.register(lambda: [one.close() for one in _running])
    try:
        with _running[0].page(width, height) as person:
            yield person
    except BaseException:
        _running.pop().close()  # it may be the browser's fault: the next test starts another
        raise


def allowed(text, script):
    """The page with one more script at its end, which its policy lets run."""
    inner = script.partition("<script>")[2].rpartition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
    assert "script-src 'sha256-" in text
    return text.replace("script-src ", f"script-src 'sha256-{digest}' ", 1) + script


def browse(text, folder, fragment, script, after=""):
    """The page after it was drawn, and what the script noted in `document.body.dataset`. `after` is content behind both."""
    file = folder / "probe.html"
    file.write_text(allowed(text, script) + after)
    with visit() as person:
        person.open(file.as_uri() + fragment)
        person.pass_time(4000)
        return person.evaluate("[document.documentElement.outerHTML, { ...document.body.dataset }]")
