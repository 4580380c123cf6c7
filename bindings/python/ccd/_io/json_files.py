"""JSON from files that others wrote: every error is a FileError that names the file and the place."""

from __future__ import annotations

import re
from typing import Any

from .. import errors
from .checks import reading
from .regular import opened

_DIGITS = 4300  # Python's own limit of one integer, beyond which int() takes quadratic time
_LONG = re.compile(rb"[0-9]{%d}" % (_DIGITS + 1))


def load(path: str) -> Any:
    """What a JSON file holds."""
    with reading(path), opened(path) as file:
        return parse(path, file.read())


def parse(path: str, content: bytes) -> Any:
    """What JSON in UTF-8 holds; path names it in errors."""
    import json  # `import ccd` does not need json

    found = _LONG.search(content)
    if found:
        line = content.count(b"\n", 0, found.start()) + 1
        raise errors.FileError(f"{path}: line {line} has a number of more than {_DIGITS} digits")
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise errors.FileError(f"{path}: byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise errors.FileError(f"{path}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise errors.FileError(f"{path}: its lists and objects are nested too deep") from None
