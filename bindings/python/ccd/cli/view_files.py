"""What `ccd view` writes: the page, a picture of it, a video."""

from __future__ import annotations

import argparse
import math
import webbrowser
from pathlib import Path

from .. import errors
from ..view import Page
from . import arguments, output

_DEFAULT = "report.html"


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments that name files."""
    parser.add_argument(
        "-o", "--output", metavar="FILE.html", help=f"where to write the page ({_DEFAULT}, unless --png or --video)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser of this system")
    group = parser.add_argument_group(
        "pictures and videos", "Drawn by Chromium without a window, which must be on PATH or named by CCD_BROWSER."
    )
    group.add_argument("--png", metavar="FILE.png", help="write a picture of the scene")
    text = "write a video of the whole step: .webm, or .mp4, which needs a Chromium that encodes H.264, or ffmpeg"
    group.add_argument("--video", metavar="FILE.mp4", help=text)
    group.add_argument("--size", metavar="WIDTHxHEIGHT", default="1280x800", help="pixels of the picture or video (1280x800)")
    group.add_argument("--seconds", type=float, metavar="S", help="length of the video (as long as the page plays)")
    group.add_argument("--at", type=float, metavar="T", help="time of the picture (the start)")
    group.add_argument(
        "--state", metavar="TEXT", default="", help="what follows # in the address of a page: camera, layers, impact, theme"
    )


def check(given: argparse.Namespace) -> None:
    """Refuse what cannot be written, before the step is computed."""
    if given.output is None and not (given.png or given.video):
        given.output = _DEFAULT
    if given.open and not given.output:
        raise errors.ArgumentError("--open opens a page: give -o FILE.html beside --png or --video")
    if not given.video:
        arguments.refuse(given, ("--seconds",), "it is of a video, --video")
    if not given.png:
        arguments.refuse(given, ("--at",), "it is of a picture, --png")
    if not (given.png or given.video):
        arguments.refuse(given, ("--size", "--state"), "it is of a picture or video, --png and --video")
    if given.at is not None and not math.isfinite(given.at):
        raise errors.ArgumentError(f"--at is {given.at}: must be finite")
    if given.seconds is not None and not 0 < given.seconds <= 3600:
        raise errors.ArgumentError(f"--seconds is {given.seconds}: must be above 0 and at most 3600")
    if given.png or given.video:
        from ..view import _browser, _export

        _export.size(given.size)
        if given.png and not given.png.lower().endswith(".png"):
            raise errors.ArgumentError(f"--png is {given.png!r}: the name must end in .png")
        if given.video:
            _export.kind_of_video(given.video)
        _browser.program()


def write(given: argparse.Namespace, page: Page) -> dict[str, str | None]:
    """Write everything that was asked for, and return the files by their kind; no page is None."""
    if given.output:
        with output.bar("writing"):
            page.write(given.output)
        if given.open and not webbrowser.open(Path(given.output).resolve().as_uri()):
            output.complain(f"--open: no browser was found; open {given.output} by hand")
    if given.at is not None and not page.t_min <= given.at <= page.t_max:
        raise errors.ArgumentError(
            f"--at is {given.at}: must be from {page.t_min:g} to {page.t_max:g}, the time line of the page"
        )
    files: dict[str, str | None] = {"page": given.output}
    if given.png or given.video:
        files |= _drawn(given, page.html())
    return files


def _drawn(given: argparse.Namespace, text: str) -> dict[str, str | None]:
    from ..view import _export

    files: dict[str, str | None] = {}
    width, height = _export.size(given.size)
    state = given.state.lstrip("#")
    at = [] if given.at is None else [f"t={given.at!r}"]
    if given.png:
        with output.bar("picture"):
            _export.save_png(text, given.png, width, height, "&".join([*([state] if state else []), *at]))
        files["png"] = given.png
    if given.video:
        with output.bar("video") as progress:
            _export.save_video(text, given.video, width, height, state, given.seconds, progress or (lambda _: None))
        files["video"] = given.video
    return files
