"""A headless Chromium, driven through the DevTools protocol over two pipes: for pictures of a page, and for tests.

Only the standard library is used, and no port is opened. https://chromedevtools.github.io/devtools-protocol describes the
methods and events.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

from ..errors import UnsupportedError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Programs to look for on PATH, best first. The environment variable CCD_BROWSER names another."""

# WebGL is drawn by SwiftShader, in software: the same pixels on every machine, with or without a GPU.
_FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
    "--mute-audio", "--no-first-run", "--no-default-browser-check", "--disable-extensions", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-color-profile=srgb",
)  # fmt: skip
_READ = 1 << 20


def find() -> str | None:
    """The path of a Chromium, or None."""
    given = os.environ.get("CCD_BROWSER")
    return next(filter(None, map(shutil.which, (given,) if given else NAMES)), None)


def program() -> str:
    """The path of a Chromium; an UnsupportedError says what is missing."""
    found = find()
    if found is None:
        given = os.environ.get("CCD_BROWSER")
        missing = f"CCD_BROWSER is {given!r}: no such program" if given else f"no Chromium on PATH ({', '.join(NAMES)})"
        raise UnsupportedError(f"{missing}; install chromium, or set CCD_BROWSER to its path")
    return found


class Browser:
    """One page in a headless Chromium. Use it in a `with` statement, which ends the process.

    Parameters
    ----------
    width, height : int
        Size of the page in CSS pixels.
    dark : bool
        Whether the browser reports to the page that the reader prefers a dark theme.
    timeout : float
        Longest wait for an answer, in seconds.
    """

    def __init__(self, width: int = 1000, height: int = 700, dark: bool = False, timeout: float = 60.0):
        self.timeout = timeout
        self.events: deque[dict[str, Any]] = deque(maxlen=10_000)
        self._folder = tempfile.TemporaryDirectory(prefix="ccd-view-", ignore_cleanup_errors=True)
        self._pid = self._last = 0
        self._session: str | None = None
        self._rest = bytearray()
        self._ready: deque[dict[str, Any]] = deque()
        try:
            self._start(program())
            self._new_page(width, height, dark)
        except BaseException:
            self.close()
            raise

    def _new_page(self, width: int, height: int, dark: bool = False, **place: str) -> None:
        """Make a page, to which all calls go from now on."""
        self._session = None
        target = self.call("Target.createTarget", url="about:blank", **place)["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def _start(self, path: str) -> None:
        ends = [fd for _ in range(2) for fd in os.pipe()]  # ends that read and write commands, then answers
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in ends]  # not 3 or 4, which the browser's ends become
        for fd in ends:
            os.close(fd)
        theirs, self._to, self._from, answers = high
        folder = Path(self._folder.name)
        self._log = folder / "log"
        flags = [*_FLAGS, f"--user-data-dir={folder / 'profile'}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        actions: list[Any] = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, str(self._log), os.O_WRONLY | os.O_CREAT, 0o600),
            (os.POSIX_SPAWN_DUP2, theirs, 3),
            (os.POSIX_SPAWN_DUP2, answers, 4),
        ]
        try:
            self._pid = os.posix_spawn(path, [path, *flags, "about:blank"], os.environ, file_actions=actions, setpgroup=0)
        finally:
            os.close(theirs)
            os.close(answers)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its files."""
        if self._pid:
            with contextlib.suppress(UnsupportedError):  # it may have ended by itself
                self._send(json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
            if not self._waited(5.0):
                os.killpg(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
            for fd in (self._to, self._from):
                os.close(fd)
            self._pid = 0
        self._folder.cleanup()

    def _waited(self, seconds: float) -> bool:
        """Whether the process ends within a time."""
        until = time.monotonic() + seconds
        while os.waitpid(self._pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    # ---- the protocol

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a method. Events that come before it are kept in `events`."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._send(json.dumps(message).encode() + b"\0")
        until = time.monotonic() + self.timeout
        while True:
            answer = self._next(until, method)
            if answer.get("id") == self._last:
                break
            self.events.append(answer)
        if "error" in answer:
            raise UnsupportedError(f"Chromium: {method}: {answer['error'].get('message')}")
        result: dict[str, Any] = answer["result"]
        return result

    def _send(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._to, data) :]
        except BrokenPipeError:
            raise UnsupportedError(self._ended()) from None

    def _next(self, until: float, what: str) -> dict[str, Any]:
        while not self._ready:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._from], [], [], left)[0]:
                raise UnsupportedError(f"Chromium gave no answer to {what} within {self.timeout:g} s")
            data = os.read(self._from, _READ)
            if not data:
                raise UnsupportedError(self._ended())
            *whole, last = data.split(b"\0")
            for part in whole:
                self._rest += part
                self._ready.append(json.loads(self._rest))
                self._rest = bytearray()
            self._rest += last
        return self._ready.popleft()

    def _ended(self) -> str:
        told = [line for line in self._log.read_text(errors="replace").splitlines() if "ERROR" in line or "FATAL" in line]
        return "Chromium ended" + (f": {told[-1]}" if told else "")

    def wait(self, event: str) -> dict[str, Any]:
        """The parameters of the first event of a name; other events stay in `events`."""
        until = time.monotonic() + self.timeout
        found = next((one for one in self.events if one.get("method") == event), None)
        if found:
            self.events.remove(found)
        while found is None:
            got = self._next(until, event)
            if got.get("method") == event:
                found = got
            else:
                self.events.append(got)
        parameters: dict[str, Any] = found["params"]
        return parameters

    # ---- the page

    def resize(self, width: int, height: int, ratio: float = 1.0) -> None:
        """Set the size of the page, in CSS pixels, and the pixels of a CSS pixel."""
        size: dict[str, Any] = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def open(self, address: str) -> None:
        """Open an address, and wait until the page has loaded."""
        self.events.clear()
        told = self.call("Page.navigate", url=address)
        if told.get("errorText"):
            raise UnsupportedError(f"Chromium: {address}: {told['errorText']}")
        if told.get("loaderId"):  # else only the fragment changed
            self.wait("Page.loadEventFired")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; of a promise what it resolves to."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            details = told["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text")
            raise UnsupportedError(f"the page: {text}")
        return told["result"].get("value")
