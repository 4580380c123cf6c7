"""Pictures and videos of `ccd view`: from the page's own buttons, and from the command."""

import json
import math
import shutil
import struct
import subprocess
import time

import numpy as np
import pytest
from browser import BROWSER, Person, decode_png, visit
from conftest import longer
from scenes_view import SCENES
from test_view_hand import changed, drawn

import ccd
from ccd.cli import main
from ccd.view import _browser, _export


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """The two files of a small scene, and its page."""
    folder = tmp_path_factory.mktemp("export")
    arguments, _ = SCENES["rigid"](folder)
    assert main(["view", *arguments, "-o", str(folder / "page.html")]) == 1
    return arguments, folder / "page.html"


# ---- what the files hold, read without a decoder


def elements(data, at=0, end=None):
    """The elements of a piece of EBML: (id, where its content begins, where it ends)."""
    end = len(data) if end is None else end
    while at < end:
        size = 9 - data[at].bit_length()
        name, at = int.from_bytes(data[at : at + size], "big"), at + size
        size = 9 - data[at].bit_length()
        length, at = int.from_bytes(data[at : at + size], "big") & ((1 << 7 * size) - 1), at + size
        yield name, at, at + length
        at += length
    assert at == end


def read_webm(data):
    """Width, height, milliseconds, and the time and key flag of every frame of a WebM file."""
    (head, start, stop), (segment, first, last) = elements(data)
    assert head == 0x1A45DFA3 and segment == 0x18538067 and last == len(data)
    assert {name: data[a:b] for name, a, b in elements(data, start, stop)}[0x4282] == b"webm"
    frames, found, clusters, cues = [], {}, [], []
    for name, a, b in elements(data, first, last):
        inner = list(elements(data, a, b))
        if name == 0x1549A966:
            found["length"] = struct.unpack(">d", next(data[x:y] for n, x, y in inner if n == 0x4489))[0]
        elif name == 0x1654AE6B:
            entry = {n: (x, y) for n, x, y in elements(data, *inner[0][1:])}
            found["codec"] = data[slice(*entry[0x86])]
            found |= {n: int.from_bytes(data[x:y], "big") for n, x, y in elements(data, *entry[0xE0])}
        elif name == 0x1C53BB6B:
            for _, x, y in inner:
                (_, *when), (_, *track) = elements(data, x, y)
                place = {n: int.from_bytes(data[p:q], "big") for n, p, q in elements(data, *track)}[0xF1]
                cues.append((int.from_bytes(data[slice(*when)], "big"), first + place))
        elif name == 0x1F43B675:
            begins = int.from_bytes(data[slice(*inner[0][1:])], "big")
            clusters.append((begins, a - 12))  # its id has four bytes, its size eight
            for n, x, _ in inner[1:]:
                assert n == 0xA3 and data[x] == 0x81
                frames.append((begins + int.from_bytes(data[x + 1 : x + 3], "big"), data[x + 3] == 0x80))
    assert cues == clusters and frames[0] == (0, True)
    return found[0xB0], found[0xBA], found["length"], found["codec"], frames


def boxes(data):
    at = 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind.decode(), data[at + 8 : at + size]
        at += size
    assert at == len(data)


def read_mp4(data):
    """Width, height, seconds and the samples of an MP4 file of one track."""
    top = list(boxes(data))
    assert [kind for kind, _ in top] == ["ftyp", "moov", "mdat"]
    movie = dict(boxes(top[1][1]))
    track = dict(boxes(movie["trak"]))
    width, height = (x >> 16 for x in struct.unpack(">II", track["tkhd"][-8:]))
    media = dict(boxes(track["mdia"]))
    unit, length = struct.unpack(">II", media["mdhd"][12:20])
    table = dict(boxes(dict(boxes(media["minf"]))["stbl"]))
    count = struct.unpack(">I", table["stsz"][8:12])[0]
    sizes = struct.unpack(f">{count}I", table["stsz"][12:])
    (at,) = struct.unpack(">I", table["stco"][8:12])
    assert data[at : at + sum(sizes)] == top[2][1]
    return width, height, length / unit, sizes


def decoded(path, times, folder):
    """The pictures of a video at some times, decoded by the browser; its size and length."""
    page = folder / "player.html"
    page.write_text(f'<!doctype html><body style="margin:0"><video src="{path.as_uri()}" muted preload="auto"></video></body>')
    with visit(900, 700) as person:
        person.open(page.as_uri())
        video = "document.querySelector('video')"
        person.until(lambda: person.evaluate(f"{video}.error?.message || {video}.readyState >= 2"), "the video is loaded")
        told = person.evaluate(
            f"[{video}.error && {video}.error.message, {video}.videoWidth, {video}.videoHeight, {video}.duration]"
        )
        assert told[0] is None, told
        shots = []
        for t in times:
            person.evaluate(f"new Promise(done => {{ {video}.onseeked = done; {video}.currentTime = {t}; }})")
            shots.append(person.still("video"))
        return shots, told[1:]


def check_video(path, kind, size, seconds, folder):
    """The file of a video, as it stands and as it is decoded: it moves."""
    data = path.read_bytes()
    if kind == "webm":
        width, height, length, codec, frames = read_webm(data)
        assert codec in (b"V_VP9", b"V_VP8")
        assert [t for t, _ in frames] == [round(1000 * i / 30) for i in range(round(30 * seconds))]
        length, count = length / 1000, len(frames)
        assert [key for _, key in frames[::30]] == [True] * math.ceil(count / 30)
    else:
        width, height, length, sizes = read_mp4(data)
        count = len(sizes)
    assert (width, height) == size and count == round(30 * seconds) and length == pytest.approx(seconds, abs=0.01)
    shots, (width, height, length) = decoded(path, [0, seconds * 0.6], folder)
    assert (width, height) == size and length == pytest.approx(seconds, abs=0.05)
    assert all(drawn(shot) > 0.01 for shot in shots) and changed(*shots) > 0.005
    if shutil.which("ffprobe"):
        show = ["-count_frames", "-show_entries", "stream=width,height,nb_read_frames,avg_frame_rate", "-of", "json"]
        told = subprocess.run(["ffprobe", "-v", "error", *show, path], capture_output=True, text=True, check=True)
        (stream,) = json.loads(told.stdout)["streams"]
        assert told.stderr == "" and (stream["width"], stream["height"]) == size
        assert int(stream["nb_read_frames"]) == count and stream["avg_frame_rate"] == "30/1"


# ---- the page's buttons


@pytest.fixture
def saving(scene, tmp_path):
    """A person before the page, and what waits for the file that a click saves."""
    with Person(900, 640) as person:
        person.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path), eventsEnabled=True)
        person.open(scene[1].as_uri())
        person.still()

        def saved(kind, seconds=120):
            before = set(tmp_path.iterdir())
            person.click(f"#export-{kind}")
            new = lambda: [p for p in set(tmp_path.iterdir()) - before if p.suffix == f".{kind}"]  # noqa: E731
            failed = lambda: "try" in person.text("#exported")  # noqa: E731
            person.until(lambda: new() or failed(), f"a file, or a message: {person.text('#exported')}", seconds)
            if not new():
                return person.text("#exported")
            (path,) = new()
            end = time.monotonic() + 20
            while path.stat().st_size == 0 and time.monotonic() < end:
                time.sleep(0.05)
            return path

        yield person, saved
        assert person.complaints() == []


@BROWSER
def test_the_page_saves_a_picture(saving):
    person, saved = saving
    person.evaluate("showLegend(false)")  # a saved picture is without it
    person.press("e")
    stage = person.box("#stage")
    person.press("Escape")
    shown = person.still()
    person.press("e")
    path = saved("png")
    pixels = decode_png(path.read_bytes())
    assert pixels.shape[:2] == (round(stage[3]), round(stage[2])) and path.name == "cone.off-and-plate.off.png"
    assert (pixels[:, :, 3:] == 255).all() and changed(shown[80:], pixels[80:, :, :3]) < 0.01  # the buttons differ
    assert "cone.off-and-plate.off.png" in person.text("#exported")
    path.unlink()
    person.evaluate("document.querySelector('#export-scale').focus()")
    person.press("ArrowDown")
    large = decode_png(saved("png").read_bytes())
    assert large.shape[:2] == (2 * round(stage[3]), 2 * round(stage[2]))
    small = (
        large[: 2 * len(pixels), : 2 * len(pixels[0]), :3]
        .astype(float)
        .reshape(len(pixels), 2, len(pixels[0]), 2, 3)
        .mean((1, 3))
    )
    assert changed(pixels[:, :, :3], small.astype(np.uint8)) < 0.1  # the same scene, with finer lines
    person.click("#save")
    assert changed(shown[80:], person.still()[80:]) < 0.002  # the page is as it was


@BROWSER
@pytest.mark.parametrize("kind", longer(["webm", "mp4"], "webm"))
def test_the_page_saves_a_video(saving, kind, tmp_path):
    person, saved = saving
    for _ in range(3):
        person.press("]")  # eight times as fast: half a second
    person.press("e")
    got = saved(kind)
    if kind == "mp4" and isinstance(got, str):
        assert "does not encode H.264" in got and "try WebM" in got  # a Chromium without that encoder says so
        pytest.skip(got)
    _, _, width, height = person.box("#stage")
    even = int(width) // 2 * 2, int(height) // 2 * 2
    check_video(got, kind, even, 0.5, tmp_path)
    assert float(person.text("#now")) == 0  # the time of the page did not change


@BROWSER
def test_a_video_is_stopped_and_what_cannot_be_is_said(saving, tmp_path):
    person, _ = saving
    person.press("e")
    person.click("#export-webm")
    person.until(lambda: "frame " in person.text("#exported"), "it has begun")
    person.click("#export-webm")
    person.until(lambda: person.text("#exported") == "stopped", "it has stopped")
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".webm"]
    person.evaluate("CODECS.mp4.length = 0")
    person.click("#export-mp4")
    person.until(lambda: "does not encode H.264" in person.text("#exported"), "the reason")
    assert "try WebM, or ccd view --video" in person.text("#exported")
    person.evaluate("VideoEncoder = undefined")
    person.click("#export-webm")
    person.until(lambda: "no video encoder" in person.text("#exported"), "the reason")


# ---- the command


@BROWSER
def test_the_command_writes_a_picture(scene, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_export, "_PIECE", 4000)  # so that a picture comes in several
    arguments, _ = scene
    shots = {}
    for name, more in {
        "start": [],
        "later": ["--at", "0.5"],
        "again": ["--at=0.5"],
        "dark": ["--state", "#theme=dark"],
    }.items():
        path = tmp_path / f"{name}.png"
        assert main(["view", *arguments, "--png", str(path), "--size", "500x301", *more]) == 1
        assert capsys.readouterr().out.startswith(f"{path}: 1 impacts")
        shots[name] = decode_png(path.read_bytes())[:, :, :3]
        assert shots[name].shape == (301, 500, 3) and drawn(shots[name]) > 0.01
    assert changed(shots["start"], shots["later"]) > 0.005 and (shots["later"] == shots["again"]).all()
    assert shots["start"][:9].mean() > 200 > 80 > shots["dark"][:9].mean()
    assert not (tmp_path / "report.html").exists()


@BROWSER
@pytest.mark.parametrize("kind", longer(["webm", "mp4"], "mp4"))
def test_the_command_writes_a_video_and_the_page(scene, tmp_path, capsys, kind):
    arguments, _ = scene
    path, page = tmp_path / f"film.{kind}", tmp_path / "page.html"
    more = ["--video", str(path), "--size", "320x201", "--seconds", "1.2", "-o", str(page), "--json"]
    assert main(["view", *arguments, *more]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["page"] == str(page) and told["video"] == str(path) and "png" not in told
    check_video(path, kind, (320, 200), 1.2, tmp_path)
    assert page.read_text().startswith("<!doctype html>")


@BROWSER
def test_without_an_encoder_ffmpeg_makes_the_mp4(scene, tmp_path, monkeypatch):
    text = scene[1].read_text()
    with _export.Stage(text, 320, 200) as stage:
        stage._browser.evaluate("CODECS.mp4.length = 0")
        with monkeypatch.context() as without:
            without.setattr(_export.shutil, "which", lambda name: None)
            with pytest.raises(ccd.UnsupportedError, match=r"does not encode H.264 .* ffmpeg is not on PATH"):
                stage.video("mp4", lambda _: None, 0.2)
        if not shutil.which("ffmpeg"):
            pytest.skip("ffmpeg is not installed")
        (tmp_path / "film.mp4").write_bytes(stage.video("mp4", lambda _: None, 0.4))
    shots, (width, height, length) = decoded(tmp_path / "film.mp4", [0, 0.3], tmp_path)
    assert (width, height) == (320, 200) and length == pytest.approx(0.4, abs=0.05)
    assert all(drawn(shot) > 0.01 for shot in shots) and changed(*shots) > 0.005


@pytest.mark.parametrize(
    "more, text",
    [
        (["--png", "a.jpg"], "--png is 'a.jpg': the name must end in .png"),
        (["--video", "a.avi"], "video is 'a.avi': the name must end in .webm or .mp4"),
        (["--png", "a.png", "--size", "800"], "size is '800': must be WIDTHxHEIGHT"),
        (["--png", "a.png", "--size", "800x9000"], "size is '800x9000'"),
        (["--png", "a.png", "--at", "nan"], "--at is nan: must be finite"),
        (["--video", "a.webm", "--seconds", "0"], "--seconds is 0.0: must be above 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_the_step(more, text, capsys):
    assert main(["view", "missing.off", "missing.off", *more]) == 2
    assert text in capsys.readouterr().err


def test_a_missing_browser_is_named(monkeypatch, capsys):
    monkeypatch.setenv("CCD_BROWSER", "/nowhere/chromium")
    assert main(["view", "missing.off", "missing.off", "--png", "a.png"]) == 2
    assert "CCD_BROWSER is '/nowhere/chromium': no such program" in capsys.readouterr().err
    monkeypatch.delenv("CCD_BROWSER")
    monkeypatch.setenv("PATH", "/nowhere")
    assert _browser.find() is None
    assert main(["view", "missing.off", "missing.off", "--png", "a.png"]) == 2
    assert "no Chromium on PATH (chromium, " in capsys.readouterr().err


@BROWSER
def test_a_browser_that_ends_or_hangs_is_an_error(monkeypatch, tmp_path):
    """Programs that are no browser: one that ends at once, one that says nothing. Neither is left behind."""
    for body, timeout, text in (
        ("echo ERROR broken >&2; exit 1", 20, "Chromium ended: ERROR broken"),
        ("sleep 600", 0.5, "no answer"),
    ):
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        monkeypatch.setenv("CCD_BROWSER", str(program))
        begun = time.monotonic()
        with pytest.raises(ccd.UnsupportedError, match=text):
            _browser.Browser(timeout=timeout)
        assert time.monotonic() - begun < 30
