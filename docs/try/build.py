"""Writes the page that tries the library in the browser, as one file that needs no server: python build.py PACKAGE OUT.

PACKAGE is the folder of the package for npm (packaging/wasm.sh). The page holds it, and the viewer of `ccd view`.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

from ccd.view import _html

HERE = Path(__file__).resolve().parent
DATA = '{"data":"of the viewer"}'


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def in_script(value: str) -> str:
    """A string as JavaScript that cannot end the script element."""
    return json.dumps(value).replace("<", "\\u003c")


def page(package: Path) -> str:
    viewer = _html.document(json.loads(DATA))
    assert viewer.count(DATA) == 1
    # One module: its parts' exports and imports of each other are not needed.
    files = [package / name for name in ("values.js", "classes.js", "index.js")]
    files += [HERE / name for name in ("scenes.js", "viewer.js", "page.js")]
    module = "\n".join(file.read_text("utf-8") for file in files)
    module = re.sub(r'^import \{[^}]*\} from "\./\w+\.js";\n|^export \{[^}]*\};\n', "", module, flags=re.MULTILINE)
    module = module.replace("\nexport ", "\n")
    module = f"const VIEWER = {in_script(viewer)}, VIEWER_DATA = {in_script(DATA)};\n{module}"
    runtime, style = (package / "wasm_exec.js").read_text("utf-8"), (HERE / "style.css").read_text("utf-8")
    assert "</script" not in module + runtime and "</style" not in style
    wasm = base64.b64encode(gzip.compress((package / "ccd.wasm").read_bytes(), 9, mtime=0)).decode()

    # The frame of the viewer inherits the policy, so its scripts are allowed here too. Nothing may be fetched.
    inner = {name: re.search(rf"{name} ([^;]*);", viewer)[1] for name in ("script-src", "style-src")}  # type: ignore[index]
    policy = (
        f"default-src 'none'; script-src 'wasm-unsafe-eval' {digest(runtime)} {digest(module)} {inner['script-src']}; "
        f"style-src {digest(style)} {inner['style-src']}; frame-src 'self'; base-uri 'none'; form-action 'none'"
    )
    text = (HERE / "index.html").read_text("utf-8")
    for mark, content in (
        ("page policy", policy),
        ("<!-- style -->", f"<style>{style}</style>"),
        ("<!-- wasm -->", f'<script id="wasm" type="text/plain">{wasm}</script>'),
        ("<!-- scripts -->", f'<script>{runtime}</script>\n<script type="module">{module}</script>'),
    ):
        assert text.count(mark) == 1
        before, _, after = text.partition(mark)
        text = before + content + after
    return text


def main() -> None:
    out = Path(sys.argv[2])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(Path(sys.argv[1])), "utf-8")


if __name__ == "__main__":
    main()
