"""Enumerations and arrays of records, as calls of the library return them."""

from .._native.records import Records
from .._native.results import columns
from ..impact import IntersectionKind, kind_of
from ..impact import _Named as Named
from ..options import to_c as check_options

__all__ = ["IntersectionKind", "Named", "Records", "check_options", "columns", "kind_of"]
