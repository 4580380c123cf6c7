"""Charts: what stands in a table stands in its picture."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import CHECKOUT

import ccd
from ccd.cli import main
from ccd.plot import _svg

REPORTS = CHECKOUT / "bench" / "reports"
SVG = "{http://www.w3.org/2000/svg}"


def marks(picture, tag):
    """The tips of all bars, or of all points."""
    root = ElementTree.fromstring(picture)
    return [(m, m.find(f"{SVG}title").text) for m in root.iter(f"{SVG}{tag}") if m.find(f"{SVG}title") is not None]


def test_a_table_of_numbers_becomes_lines(tmp_path):
    path = tmp_path / "times.csv"
    path.write_text("n,ms,who\n10,2,ours\n100,4.5,ours\n10,20,theirs\n100,-,theirs\n")
    chart = ccd.plot.chart(ccd.plot.read(path)[0], x="n", y="ms", by="who", log_x=True)
    picture = ccd.plot.svg([chart])
    points = marks(picture, "circle")
    assert [tip for _, tip in points] == ["ours: 2 at 10", "ours: 4.5 at 100", "theirs: 20 at 10"]
    (a, _), (b, _), (c, _) = points
    assert a.get("cx") == c.get("cx") and float(b.get("cx")) > float(a.get("cx"))
    assert float(c.get("cy")) < float(b.get("cy")) < float(a.get("cy"))  # more is higher
    assert picture == ccd.plot.svg([chart])


def test_a_table_of_words_becomes_bars(tmp_path):
    path = tmp_path / "report.md"
    path.write_text("# T\n\n## One\n\n| scene | us |\n|---|---|\n| a & b | 1,000 |\n| c | 250 |\n")
    (table,) = ccd.plot.read(path)
    bars = marks(ccd.plot.svg([ccd.plot.chart(table, x="scene", y="us")]), "rect")
    assert table.heading == "One" and [tip for _, tip in bars] == ["a & b, us: 1,000", "c, us: 250"]
    high, low = (float(bar.get("height")) for bar, _ in bars)
    assert abs(high / low - 4) < 0.01


@pytest.mark.parametrize("log", [False, True])
def test_ticks_are_round_and_within(log):
    for lo, hi in ((0.013, 7.7), (1, 1e6), (3, 4), (1e-9, 1e-8)):
        scale = _svg._scale([lo, hi], 0, 100, log, from_zero=not log)
        ticks = scale.ticks()
        assert 2 <= len(ticks) <= 9 and all(-0.01 <= scale(t) <= 100.01 for t in ticks) and ticks == sorted(ticks)


def test_the_reports_of_the_benchmarks_are_drawn():
    """The pictures beside the reports are those of their tables."""
    for name, want in (
        ("narrow", {"narrow", "shares"}),
        ("steps", {"steps"}),
        ("growth", {"growth", "kinds"}),
        ("rigid", {"rigid", "rigid-pairs"}),
        ("poses", {"poses"}),
    ):
        pictures = dict(ccd.plot.report(REPORTS / f"{name}.md"))
        assert set(pictures) == want
        for one, picture in pictures.items():
            assert (REPORTS / f"{one}.svg").read_text("utf-8") == picture
            assert len(marks(picture, "rect")) + len(marks(picture, "circle")) > 7
            assert not re.search(r"\bnan\b|\binf\b|None", picture)


def test_the_overview_of_the_benchmarks_names_every_report():
    """bench/run.py writes the overview anew: a report that only the file names would leave it at the next run."""
    overview = (REPORTS / "README.md").read_text("utf-8")
    listed = (REPORTS.parent / "ccdbench" / "report.py").read_text("utf-8")
    for report in sorted(REPORTS.glob("*.md")):
        if report.name != "README.md":
            assert f"({report.name})" in overview and f"({report.name})" in listed, report.name


def test_the_command(tmp_path, capsys):
    page, folder = tmp_path / "charts.html", tmp_path / "charts"
    files = [str(REPORTS / f"{name}.md") for name in ("steps", "growth")]
    assert main(["plot", *files, "-o", str(page)]) == 0 and page.read_text().count("<svg") == 3
    assert "http" not in page.read_text().replace("http://www.w3.org/2000/svg", "")
    assert main(["plot", *files, "-o", str(folder)]) == 0
    assert sorted(p.name for p in folder.iterdir()) == ["growth.svg", "kinds.svg", "steps.svg"]


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["none.md"], "none.md: No such file"),
        (["{words}"], "words.md holds no table"),
        (["{cells}"], "cells.csv: line 3 has 1 cells"),
        (["{plain}"], "plain.csv is no benchmark report"),
        (["{json}"], "bad.json"),
        (["{plain}", "--x", "a"], "--x and --y go together"),
        (["{plain}", "--x", "a", "--y", "z"], "y is 'z': the columns are a, b"),
        (["{plain}", "--x", "a", "--y", "b"], "y is 'b': row 0 holds 'x', no number"),
        (["{plain}", "--log-x"], "--log-x"),
        (["{plain}", "--x", "b", "--y", "a", "--table", "T"], "--table 'T'"),
        (["{plain}", "--x", "b", "--y", "a", "-o", "{plain}/x.svg"], "x.svg"),
    ],
)
def test_bad_input_says_what(tmp_path, capsys, arguments, text):
    names = {"words": "words.md", "cells": "cells.csv", "plain": "plain.csv", "json": "bad.json"}
    held = {"words": "no table\n", "cells": "a,b\n1,2\n3\n", "plain": "a,b\n1,x\n", "json": "{"}
    for key, name in names.items():
        (tmp_path / name).write_text(held[key])
    given = [a.format(**{k: tmp_path / n for k, n in names.items()}) for a in arguments]
    assert main(["plot", *given]) == 2
    out, err = capsys.readouterr()
    assert out == "" and text in err and err.startswith("ccd: ") and err.count("\n") == 1
