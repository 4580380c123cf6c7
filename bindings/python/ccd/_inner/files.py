"""Files: regular ones are opened and parsed with errors that name them; whole ones are written, or none."""

from .._io.checks import coordinates, decimal, file_name, naming, reading
from .._io.json_files import load, parse
from .._io.numpy_files import archive, header, mapped, member
from .._io.parquet_files import check_declared
from .._io.regular import opened
from .._io.write import beside, whole

__all__ = [
    "archive",
    "beside",
    "check_declared",
    "coordinates",
    "decimal",
    "file_name",
    "header",
    "load",
    "mapped",
    "member",
    "naming",
    "opened",
    "parse",
    "reading",
    "whole",
]
