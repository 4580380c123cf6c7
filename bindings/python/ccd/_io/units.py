"""Units of length of CAD files."""

from __future__ import annotations

from fractions import Fraction

METERS = {
    "nm": Fraction(1, 10**9),
    "um": Fraction(1, 10**6),
    "mm": Fraction(1, 1000),
    "cm": Fraction(1, 100),
    "dm": Fraction(1, 10),
    "m": Fraction(1),
    "km": Fraction(1000),
    "mil": Fraction(254, 10**7),
    "in": Fraction(254, 10**4),
    "ft": Fraction(3048, 10**4),
    "yd": Fraction(9144, 10**4),
    "mi": Fraction(1609344, 1000),
}
"""Length of each unit in meters."""

_STEP = {
    "NANOMETRE": "nm",
    "MICROMETRE": "um",
    "MICROMETER": "um",
    "MILLIMETRE": "mm",
    "MILLIMETER": "mm",
    "CENTIMETRE": "cm",
    "CENTIMETER": "cm",
    "DECIMETRE": "dm",
    "DECIMETER": "dm",
    "METRE": "m",
    "METER": "m",
    "KILOMETRE": "km",
    "KILOMETER": "km",
    "MIL": "mil",
    "INCH": "in",
    "INCHES": "in",
    "FOOT": "ft",
    "FEET": "ft",
    "YARD": "yd",
    "MILE": "mi",
}


_IGES = {1: "in", 2: "mm", 4: "ft", 5: "mi", 6: "m", 7: "km", 8: "mil", 9: "um", 10: "cm"}


def of_step(names: list[str]) -> str:
    """The unit of a STEP file, of several the first; millimeters, in which Open CASCADE reads it, if it is not known."""
    return next((_STEP[name.strip().upper()] for name in names if name.strip().upper() in _STEP), "mm")


def of_iges(flag: int) -> str:
    """The unit of an IGES file by the flag of its global section; millimeters if it is not known."""
    return _IGES.get(flag, "mm")
