"""docs/blocks.py runs every block of code in every page: here, that it notices one that nobody runs."""

import importlib.util
import re
import runpy
import subprocess

import pytest
from conftest import CHECKOUT

import ccd

BLOCKS = CHECKOUT / "docs" / "blocks.py"


@pytest.mark.parametrize(
    "name, text, why",
    [
        ("docs/new.md", "```python\nprint(1)  # 1\n```", "docs/new.md: nobody runs its blocks in python"),
        ("docs/new.md", "```\nmake lib\n```", "docs/new.md: nobody runs its blocks in no language"),
        ("docs/new.md", "- so:\n  ~~~rust\n  fn main() {}\n  ~~~", "nobody runs its blocks in rust"),
        ("docs/new.md", "```sh\nmake lib   # known\nrm -r /tmp/x\n```", "nobody runs `rm -r /tmp/x`"),
        ("docs/new.md", "```python\nprint(1)", "a block does not end"),
        ("README.md", "```python\nprint(1)  # 2\n```", "its comments say"),
        ("README.md", "```python\nprint(1)\n```", "its comments say"),
        ("README.md", "```python\nraise SystemExit(1)\n```", "failed"),
    ],
)
def test_a_block_that_nobody_runs_is_noticed(tmp_path, name, text, why):
    module = runpy.run_path(str(BLOCKS))
    page = module["page"]
    page.__globals__["ROOT"] = tmp_path
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(f"# A page\n\n{text}\n")
    (tmp_path / "Makefile").write_text("lib:\n")
    with pytest.raises(SystemExit, match=why.replace("`", ".")):
        page(name, tmp_path)
    (tmp_path / name).write_text("# A page\n\n```text\nno code\n```\n")
    assert page(name, tmp_path) == 1


def test_blocks_of_a_guide_run_without_optional_packages(tmp_path, monkeypatch, capsys):
    """A block that calls what wants a package is left out without it, and said, as one that imports it; so are commands."""
    module = runpy.run_path(str(BLOCKS))
    page = module["page"]
    page.__globals__["ROOT"] = tmp_path
    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *of: None if name in ("scipy", "yourdfpy") else there(name, *of)
    )
    (tmp_path / "docs" / "howto").mkdir(parents=True)
    for name in ("install", "migrate"):
        (tmp_path / "docs" / f"{name}.md").write_text("")
    calls = "class step:\n    def jacobian(self):\n        import nobody\nJ = step().jacobian()\nprint(J)  # 5"
    text = ("print(1)  # 1", calls, "print(J)  # 5", "import scipy\nprint(7)  # 7", "print(2)  # 2")
    bash = "```bash\nccd robot check arm.urdf way.csv  # free\n```\n"
    (tmp_path / "docs/howto/a.md").write_text("".join(f"```python\n{block}\n```\n" for block in text) + bash)
    assert page("docs/howto/a.md", tmp_path) == 6
    said = capsys.readouterr().out
    assert "the python program prints 1, 2\n" in said and said.count("scipy is not installed") == 2, said
    assert "needs J of such a block" in said and "yourdfpy is not installed (make peers): the commands" in said, said


def test_every_package_that_the_library_asks_for_is_known_to_the_blocks():
    wanted = set(runpy.run_path(str(BLOCKS))["WANTED"].values())
    sources = "".join(path.read_text("utf-8") for path in (CHECKOUT / "bindings/python/ccd").rglob("*.py"))
    asked = set(re.findall(r'Error\(\s*f?".*?pip install ([\w-]+)', sources))
    assert len(asked) > 8
    modules = {"cadquery-ocp-novtk": "OCP", "pycollada": "collada", "drake": "pydrake"}
    assert {modules.get(name, name) for name in asked} <= wanted


def guide(tmp_path, text):
    """Runs the blocks of a guide, in a checkout whose page on installation has one block."""
    module = runpy.run_path(str(BLOCKS))
    module["page"].__globals__["ROOT"] = tmp_path
    (tmp_path / "docs" / "howto").mkdir(parents=True, exist_ok=True)
    (tmp_path / "docs" / "install.md").write_text("```cmake\nproject(mine)\n```\n")
    (tmp_path / "docs" / "migrate.md").write_text("")
    (tmp_path / "docs" / "howto" / "new.md").write_text(text)
    return module["page"]("docs/howto/new.md", tmp_path)


@pytest.mark.parametrize(
    "text, why",
    [
        ("```bash\necho 1  # 2\n```\n", "the commands print .'1'., their comments say .'2'."),
        ("```bash\necho 1\n```\n", "the commands print .'1'., their comments say ..$"),
        ("```python\nprint(1)  # 2\n```\n", "its comments say"),
    ],
)
def test_a_guide_prints_what_it_says(tmp_path, text, why):
    with pytest.raises(SystemExit, match=why):
        guide(tmp_path, text)


def test_a_guide_may_show_the_cmake_that_is_tried_and_no_other(tmp_path):
    assert guide(tmp_path, "```cmake\nproject(mine)\n```\n") == 1
    with pytest.raises(AssertionError, match="its cmake is neither"):
        guide(tmp_path, "```cmake\nproject(yours)\n```\n")


def test_a_guide_is_one_program_without_what_is_not_installed(tmp_path, capsys):
    text = "```python\nx = 1\n```\n```python\nimport no_such_package\n```\n```python\nprint(x)  # 1\n```\n"
    assert guide(tmp_path, text + "```bash\necho two  # two\n```\n") == 4
    assert "no_such_package is not installed" in capsys.readouterr().out


def anchors(text):
    """The anchors of a page's headings, as sites make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=CHECKOUT, capture_output=True, text=True).stdout.split()
    if not listed:
        pytest.skip("not a git checkout")
    seen = 0
    for name in listed:
        text = (CHECKOUT / name).read_text("utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if re.match(r"https?:", target) or "generated/" in target:  # make docs writes it
                continue
            file = (CHECKOUT / name).parent / path if path else CHECKOUT / name
            assert file.exists(), f"{name}: {target}"
            assert not anchor or anchor in anchors(file.read_text("utf-8")), f"{name}: {target}"
            seen += 1
    assert seen > 50


def test_the_name_of_a_law_is_one_law():
    laws = {}
    for page in sorted((CHECKOUT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        headed = re.findall(r"\*\*([A-Z]\d+)[.,] ([^*]*?)[.,*]", text)
        named = [(name, title) for title, name in re.findall(r"\*\*([^*\n]+?)\.?\*\* \(?[Ll]aw ([A-Z]\d+)\b", text)]
        for name, title in headed + named:
            assert laws.setdefault(name, title) == title, f"{page.name}: law {name}"
    assert len(laws) > 100


def test_every_public_name_has_its_place_in_the_reference():
    pages = CHECKOUT / "docs" / "reference" / "python"
    names = [page.stem for page in pages.glob("*.md") if page.stem not in ("ccd", "index")]
    assert len(names) > 20
    absent = {name for name in ("jax", "torch") if importlib.util.find_spec(name) is None}
    modules = [ccd, *(getattr(ccd, name) for name in names if name not in absent)]
    for module in modules:
        text = (pages / f"{module.__name__.removeprefix('ccd.')}.md").read_text("utf-8")
        assert f".. automodule:: {module.__name__}\n   :members:" in text
        for name in getattr(module, "__all__", ()):
            one = getattr(module, name)
            assert not callable(one) or one.__doc__, f"{module.__name__}.{name} has no docstring, and is left out"


def test_every_section_of_the_header_has_its_place_in_the_reference():
    header = (CHECKOUT / "include" / "ccd.h").read_text("utf-8")
    sections = re.findall(r"^/\* -{4,} (.+?) -{4,} \*/$", header, re.M)
    groups = re.findall(r"doxygengroup:: c_(\w+)", (CHECKOUT / "docs" / "reference" / "c.md").read_text("utf-8"))
    assert [section.replace(" ", "_") for section in sections] == groups


def drawer(monkeypatch):
    """docs/figures.py, as a module."""
    monkeypatch.syspath_prepend(str(CHECKOUT / "docs"))
    return runpy.run_path(str(CHECKOUT / "docs" / "figures.py"))


def test_the_figures_are_up_to_date(monkeypatch):
    module = drawer(monkeypatch)
    drawn = [draw() for draw in module["FIGURES"]]
    assert [message for figure in drawn if (message := module["check"](figure))] == []
    assert {figure.name for figure in drawn} == {path.stem for path in (CHECKOUT / "docs" / "figures").glob("*.svg")}
    drawn[0].text(1, 1, "more")
    assert "out of date; run: make figures" in module["check"](drawn[0])
    drawn[1].name = "none"
    assert "is missing" in module["check"](drawn[1])
    source = next(figure.source() for figure in drawn if figure.name == "roots")
    moved = re.sub(r'cx="(\d+)', lambda found: f'cx="{int(found[1]) + 1}', source, count=1)
    assert moved != source and not module["same"](source, moved)


def test_every_page_that_needs_one_has_a_figure():
    docs = CHECKOUT / "docs"
    pages = {path: path.read_text() for path in docs.rglob("*.md") if "generated" not in path.parts}
    need = [docs / "tutorial.md", docs / "explanation" / "how-it-works.md"]
    need += [path for folder in ("proofs", "tutorials") for path in (docs / folder).glob("*.md") if path.stem != "index"]
    assert [path.name for path in need if not re.search(r"!\[[^]]+\]\((\.\./)?(figures|pictures)/", pages[path])] == []
    shown = {name for text in pages.values() for name in re.findall(r"figures/([\w-]+)\.svg", text)}
    assert shown == {path.stem for path in (docs / "figures").glob("*.svg")}


def test_words_of_the_search_lead_to_pages():
    spec = importlib.util.spec_from_file_location("search_words", CHECKOUT / "docs" / "_ext" / "search_words.py")
    words = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(words)
    found = words.phrases()
    assert len(found) > 30 and all((CHECKOUT / "docs" / f"{page}.md").is_file() for page in found)
    every = [phrase for phrases in found.values() for phrase in phrases]
    assert [phrase for phrase in every if phrase != phrase.lower() or not phrase] == []
    assert sorted(set(every)) == sorted(every)
    marked = words.marked("# A page\n\nText.\n", ["glb", "does not move"])
    assert marked.startswith(
        "# A page\n\n```{eval-rst}\n.. meta::\n   :keywords: does, glb, move, not\n\n.. index:: ! glb, ! does not move\n```\n"
    )
    assert words.marked("no title\n", ["glb"]) == "no title\n"
