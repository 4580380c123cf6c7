"""The text of a page: the files of the folder `page`, and the data, in one document with a content security policy."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import resources
from typing import Any

STYLES = ("style.css",)
SCRIPTS = (
    "vectors.js", "data.js", "extent.js", "state.js", "camera.js", "objects.js", "clip.js", "gl.js", "fields.js", "coarse.js",
    "closest.js", "glyphs.js", "scene.js", "overlay.js", "picking.js", "selection.js", "pair.js", "legend.js",
    "list.js", "timeline.js", "keys.js", "controls.js", "pointer.js", "render.js", "address.js",
    "containers.js", "export.js", "main.js",
)  # fmt: skip
"""In the order in which they run. They share one scope: a name that is used while a script loads is defined before."""


def document(data: dict[str, Any]) -> str:
    """One HTML document with its data; it needs no other file and no network."""
    here = resources.files("ccd.view") / "page"
    page = (here / "index.html").read_text("utf-8")
    rules = {}
    for tag, names in (("style", STYLES), ("script", SCRIPTS)):
        texts = [(here / name).read_text("utf-8") for name in names]
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        rules[tag] = " ".join(f"'sha256-{digest}'" for digest in digests)
        page = page.replace(f"<!-- {tag}s -->", "\n".join(f"<{tag}>{text}</{tag}>" for text in texts), 1)
    # The page runs its own scripts and nothing else, and fetches nothing, whatever a name or a title holds.
    policy = f"default-src 'none'; script-src {rules['script']}; style-src {rules['style']}"
    page = page.replace("page policy", f"{policy}; base-uri 'none'; form-action 'none'", 1)
    # "<" cannot end the script element early, whatever a title holds.
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace('"page data"', text, 1)
