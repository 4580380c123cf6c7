"""The documentation site: `make docs` builds it in build/site with Sphinx."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE / "_ext")]

import ccd  # noqa: E402
import numpydoc.xref  # noqa: E402

project = "libccd"
copyright = "the authors of libccd"
author = "the authors of libccd"
version = release = ccd.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "breathe",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxarg.ext",
    "command_reference",
    "figures",
    "mathml",
    "search_words",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_ext", "examples", "README.md", "generated/*/README.md", "sg_execution_times.rst"]
language = "en"
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = [
    "config.cache",
    "duplicate_declaration.c",  # a struct and the type of the same name
    "ref.python",  # ccd.Impact and ccd.rigid.Impact
]

autodoc_member_order = "bysource"
autodoc_mock_imports = ["torch", "jax"]
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autosummary_generate = False
default_role = "py:obj"  # a name in single backticks is a link
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
# Types in "Parameters" and "Returns" are links where the site documents them; the words between them are not.
numpydoc_xref_param_type = True
numpydoc_xref_aliases = {name: f"ccd.{name}" for name in ccd.__all__ if isinstance(getattr(ccd, name), type)}
numpydoc_xref_ignore = {
    "optional",
    "default",
    "or",
    "of",
    "to",
    "sequence",
    "iterable",
    "mapping",
    "array_like",
    "True",
    "False",
    "None",
}
numpydoc.xref.DEFAULT_LINKS.clear()  # numpydoc's own links need the inventories of Python and NumPy, from the network

html_theme = "furo"
html_title = "libccd"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# The page that tries the library in the browser: packaging/wasm.sh writes it.
EXTRA = Path(os.environ.get("CCD_DOCS_BUILD", ROOT / "build")) / "extra"
html_extra_path = [str(EXTRA)] if EXTRA.is_dir() else []
html_copy_source = False
html_search_scorer = str(HERE / "scorer.js")
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "monokai"
copybutton_exclude = ".linenos, .gp, .go"

# ---- examples, which run when the site is built; one that fails ends the build

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "generated/examples",
    "reset_modules": ("gallery_style.reset",),
    "abort_on_example_error": True,
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "min_reported_time": 10**6,
    "show_memory": False,
    "write_computation_times": False,
}

# ---- C and C++, from the headers by Doxygen

doxygen_out = Path(os.environ.get("CCD_DOCS_BUILD", ROOT / "build")) / "doxygen"
breathe_projects = {"libccd": str(doxygen_out / "xml")}
breathe_default_project = "libccd"
breathe_default_members = ("members", "undoc-members")
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False

DOXYFILE = f"""
INPUT = {ROOT}/include/ccd.h {ROOT}/bindings/cpp/include/ccd
OUTPUT_DIRECTORY = {doxygen_out}
FILTER_PATTERNS = "*.h={sys.executable} {HERE}/_ext/header_filter.py"
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
EXTRACT_ALL = YES
EXCLUDE_SYMBOLS = ccd::detail detail detail_patch
JAVADOC_AUTOBRIEF = YES
AUTOLINK_SUPPORT = NO
MARKDOWN_SUPPORT = NO
MACRO_EXPANSION = YES
PREDEFINED = DOXYGEN
QUIET = YES
WARNINGS = YES
WARN_IF_UNDOCUMENTED = NO
WARN_IF_INCOMPLETE_DOC = NO
"""


def doxygen() -> None:
    if shutil.which("doxygen") is None:
        raise SystemExit("make docs needs doxygen: run .ci/tools docs, or install Debian's package doxygen")
    doxygen_out.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], input=DOXYFILE, text=True, check=True, stdout=subprocess.DEVNULL)


# ---- pages that stand elsewhere in the repository: reports of the benchmarks, and the examples' READMEs

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
GENERATED = HERE / "generated"


def place(path: str) -> str | None:
    """Where a file of the repository stands below docs/; None if it is not part of the site."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if re.fullmatch(r"bench/reports/[\w.-]+\.(md|svg)", path):
        return path.replace("bench/reports/", "generated/reports/")
    if found := re.fullmatch(r"examples/(\w+)/README\.md", path):
        return f"generated/programs/{found[1]}.md"
    return {"bench/README.md": "generated/reports/index.md", "README.md": "index.md"}.get(path)


def relinked(origin: str, page: str, text: str) -> str:
    """The text of the file `origin` of the repository as the page `page` of the site; links out of the site become text."""

    def link(m: re.Match[str]) -> str:
        mark, label, target = m.groups()
        path, _, anchor = target.partition("#")
        if re.match(r"https?:", target) or not path:
            return m[0]
        name = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        at = place(name)
        if at is None or not (ROOT / name).is_file():
            return label if mark == "" else ""
        return f"{mark}[{label}]({posixpath.relpath(at, posixpath.dirname(page) or '.')}{'#' + anchor if anchor else ''})"

    return LINK.sub(link, text)


def gather() -> None:
    shutil.rmtree(GENERATED / "reports", ignore_errors=True)
    shutil.rmtree(GENERATED / "programs", ignore_errors=True)
    files = [ROOT / "bench/README.md", *(ROOT / "bench/reports").glob("*"), *(ROOT / "examples").glob("*/README.md")]
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        at = place(name)
        if at is None:
            continue
        (HERE / at).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            (HERE / at).write_text(relinked(name, at, path.read_text("utf-8")), "utf-8")
        else:
            shutil.copy(path, HERE / at)


def read(app, name: str, source: list[str]) -> None:
    """Links of a page of docs/ that lead out of docs/."""
    if not name.startswith("generated/") and (HERE / f"{name}.md").is_file():
        source[0] = relinked(f"docs/{name}.md", f"{name}.md", source[0])


def skip(app, what: str, name: str, one: object, skipped: bool, options: object) -> bool | None:
    """Fields of named tuples are listed in the docstring of the class."""
    return True if (getattr(one, "__doc__", None) or "").startswith("Alias for field number") else None


def setup(app) -> None:
    gather()
    doxygen()
    app.connect("source-read", read)
    app.connect("autodoc-skip-member", skip)
