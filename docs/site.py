"""Gathers the sources of the documentation site, and lets MkDocs make it.

python docs/site.py BUILD

BUILD/docs gets the pages of docs/, of the examples and of the benchmark reports, the front page from README.md, the reference
from include/ccd.h, that of the Python package and of the command from the package (docs/reference.py), and a page for each
paper from the sections of docs/papers.md. Links to files that are not in the site become plain text: it stands by itself.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import reference

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def papers(text: str) -> dict[str, str]:
    """A page for each section, and one that leads to them."""
    head, *sections = re.split(r"^## ", text, flags=re.M)
    pages = {}
    for section in sections:
        title = section.partition("\n")[0]
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        pages[f"papers/{name}.md"] = "# " + section
    lines = "".join(f"- [{page.partition(chr(10))[0][2:]}]({path})\n" for path, page in pages.items())
    return {"papers.md": f"{head.rstrip()}\n\n{lines}"} | pages


def place(path: str) -> str:
    """Where a file of the repository stands in the site: docs/ at its top, a README as its folder's page."""
    if path == "README.md":
        return "index.md"
    if path.startswith("examples/"):
        path = re.sub(r"/README\.md$", ".md", path)
    return re.sub(r"(^|/)README\.md$", r"\1index.md", path.removeprefix("docs/"))


def relinked(page: str, origin: str, text: str, names: set[str]) -> str:
    """Links of a file of the repository, as they are in the site; those to files that are not in it as plain text."""

    def link(m: re.Match) -> str:
        mark, label, target = m.groups()
        path, _, anchor = target.partition("#")
        if re.match(r"https?:", target) or (not path and anchor):
            return m.group(0)
        name = place(posixpath.normpath(posixpath.join(posixpath.dirname(origin), path)))
        if name not in names:
            return label
        return f"{mark}[{label}]({posixpath.relpath(name, posixpath.dirname(page) or '.')}{'#' + anchor if anchor else ''})"

    return LINK.sub(link, text)


def pages() -> dict[str, tuple[str, str]]:
    """Every page by its path in the site: the file of the repository whose place its links are seen from, and its text."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    files += [*sorted((ROOT / "examples").glob("*/README.md")), *sorted((ROOT / "bench" / "reports").glob("*.md"))]
    found = {}
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        found[place(name)] = name, path.read_text("utf-8")
    header = subprocess.run(["go", "run", "./interface", "markdown"], cwd=ROOT, capture_output=True, text=True, check=True)
    made = {"reference.md": header.stdout, "python.md": reference.python()} | papers(found.pop("papers.md")[1])
    return found | {name: (f"docs/{name}" if "/" not in name else "docs/papers.md", text) for name, text in made.items()}


def navigation(found: set[str]) -> str:
    """The order of the pages; a page of docs/ that has no place here comes last, so that none is lost."""
    groups = {
        "Start": ["index.md", "install.md", "tutorial.md", "gallery.md", "limits.md"],
        "Examples": sorted(name for name in found if name.startswith("examples/")),
        "Use": ["migrate.md", "python.md", "reference.md", "command.md", "abi.md", "tried.md"],
        "Guarantees": ["numerics.md", "graded.md"],
        "Performance": ["performance.md", *sorted(name for name in found if name.startswith("bench/"))],
        "Papers": ["papers.md", *sorted(name for name in found if name.startswith("papers/"))],
        "For contributors": ["architecture.md"],
    }
    placed = {name for names in groups.values() for name in names}
    groups["For contributors"] += sorted(found - placed)
    lines = ["nav:"]
    for title, names in groups.items():
        lines += [f"  - {title}:", *(f"    - {name}" for name in names)]
    return "\n".join(lines) + "\n"


def main() -> None:
    build = Path(sys.argv[1]).resolve()
    source = build / "docs"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source, ignore=lambda _, names: [n for n in names if n.endswith((".md", ".py", ".pyc"))])
    found = pages()
    for name, text in reference.command().items():
        if name.endswith(".md"):
            found[name] = f"docs/{name}", text
        else:
            (source / name).parent.mkdir(exist_ok=True)
            (source / name).write_text(text, "utf-8")
    for chart in sorted((ROOT / "bench" / "reports").glob("*.svg")):  # drawn by `ccd plot`
        (source / "bench" / "reports").mkdir(parents=True, exist_ok=True)
        shutil.copy(chart, source / "bench" / "reports" / chart.name)
    pictures = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    for name, (origin, text) in found.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(relinked(name, origin, text, found.keys() | pictures), "utf-8")
    config = build / "mkdocs.yml"
    text = (ROOT / "mkdocs.yml").read_text("utf-8").replace(": build/", f": {build}/")
    config.write_text(text + navigation(set(found)), "utf-8")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(config)], check=True)
    print(f"{len(found)} pages in {build / 'site'}")


if __name__ == "__main__":
    main()
