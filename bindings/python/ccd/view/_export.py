"""Pictures and videos of a page, drawn by a headless Chromium."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._inner import files
from ..errors import ArgumentError, UnsupportedError
from ._browser import Browser

LARGEST = 8192
"""Largest width and height of a picture."""
_FFMPEG = (
    "-f",
    "image2pipe",
    "-framerate",
    "30",
    "-c:v",
    "png",
    "-i",
    "-",
    "-c:v",
    "libx264",
    "-crf",
    "18",
    "-pix_fmt",
    "yuv420p",
)
_PIECE = 6_000_000  # characters of base64 that one message carries

Progress = Callable[[float], Any]


def size(text: str) -> tuple[int, int]:
    """Width and height of a text such as 1280x800."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(p.isdecimal() and 16 <= int(p) <= LARGEST for p in parts):
        raise ArgumentError(f"size is {text!r}: must be WIDTHxHEIGHT, each from 16 to {LARGEST} pixels")
    return int(parts[0]), int(parts[1])


class Stage:
    """A page in a browser without a window, that shows the scene alone. Use it in a `with` statement.

    Parameters
    ----------
    text : str
        The page.
    width, height : int
        Size of the pictures.
    state : str
        What stands after # in the page's address: time, camera, layers, the picked pair.
    """

    def __init__(self, text: str, width: int, height: int, state: str = ""):
        self._folder = tempfile.TemporaryDirectory(prefix="ccd-view-")
        try:
            page = Path(self._folder.name) / "page.html"
            page.write_text(text, "utf-8")
            self._browser = Browser(width, height, timeout=600.0)
            try:
                self._open(page, state)
            except BaseException:
                self._browser.close()
                raise
        except BaseException:
            self._folder.cleanup()
            raise

    def _open(self, page: Path, state: str) -> None:
        # The window has its size before the page is shown: the camera is placed for it.
        bare = "addEventListener('DOMContentLoaded', () => document.documentElement.classList.add('bare'))"
        self._browser.call("Page.addScriptToEvaluateOnNewDocument", source=bare)
        self._browser.open(page.as_uri() + ("#" + state if state else ""))
        if not self._browser.evaluate("Boolean(gl)"):
            raise UnsupportedError("this Chromium draws no WebGL 2")
        # The first picture after the canvas has got its size can differ from the later ones by a level of color.
        self._browser.evaluate("render()")

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._folder.cleanup()

    def png(self) -> bytes:
        """The picture at the time of the state."""
        return self._bytes("png(1)")

    def video(self, kind: str, progress: Progress, seconds: float | None = None) -> bytes:
        """A film over the whole time line: 'webm' or 'mp4', by the browser's encoder, or else by ffmpeg for 'mp4'."""
        length = self._browser.evaluate("videoSeconds()") if seconds is None else seconds
        count = max(2, round(length * self._browser.evaluate("FPS")))
        then = "made => { globalThis.made = made; return ''; }, e => String(e.message)"
        refused = self._browser.evaluate(f"film({json.dumps(kind)}, 1, {count}).then({then})")
        if refused:
            return self._by_ffmpeg(kind, count, progress, refused)
        for i in range(count):
            self._browser.evaluate(f"made.add({i})")
            progress((i + 1) / count)
        return self._bytes("made.end()")

    def _by_ffmpeg(self, kind: str, count: int, progress: Progress, refused: str) -> bytes:
        program = shutil.which("ffmpeg") if kind == "mp4" else None
        if program is None:
            more = " and ffmpeg is not on PATH: install ffmpeg, or write a .webm file" if kind == "mp4" else ""
            raise UnsupportedError(f"Chromium: {refused}{more}")
        path = Path(self._folder.name) / "film.mp4"
        # An odd width or height loses its last pixel, as with the browser's encoder.
        crop = ("-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-movflags", "+faststart")
        command = [program, "-v", "error", "-y", *_FFMPEG, *crop, str(path)]
        with open(Path(self._folder.name) / "ffmpeg.log", "wb+") as log:
            run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
            assert run.stdin is not None
            try:
                for i in range(count):
                    run.stdin.write(self._bytes(f"fileOf(picture(1, {i / (count - 1)!r}))"))
                    progress((i + 1) / count)
                run.stdin.close()
            except BrokenPipeError:
                pass  # its own words say why
            except BaseException:
                run.kill()
                run.wait()
                raise
            if run.wait():
                log.seek(0)
                raise UnsupportedError(f"ffmpeg: {log.read().decode(errors='replace').strip()[-500:]}")
        return path.read_bytes()

    def _bytes(self, blob: str) -> bytes:
        """The bytes of a promise of a Blob."""
        count = self._browser.evaluate(f"(async () => (globalThis.out = await asText(await {blob})).length)()")
        pieces = (self._browser.evaluate(f"out.slice({at}, {at + _PIECE})") for at in range(0, count, _PIECE))
        return base64.b64decode("".join(pieces))


def kind_of_video(path: str | os.PathLike[str]) -> str:
    """'webm' or 'mp4', by the ending of a file's name."""
    kind = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    if kind not in ("webm", "mp4"):
        raise ArgumentError(f"video is {os.fspath(path)!r}: the name must end in .webm or .mp4")
    return kind


def save_png(text: str, path: str | os.PathLike[str], width: int, height: int, state: str = "") -> None:
    """Write a picture of a page, atomically."""
    with Stage(text, width, height, state) as stage:
        files.whole(path, stage.png())


def save_video(
    text: str,
    path: str | os.PathLike[str],
    width: int,
    height: int,
    state: str = "",
    seconds: float | None = None,
    progress: Progress = lambda _: None,
) -> None:
    """Write a film of a page, atomically; seconds is None for as long as the page plays."""
    kind = kind_of_video(path)
    with Stage(text, width, height, state) as stage:
        files.whole(path, stage.video(kind, progress, seconds))
