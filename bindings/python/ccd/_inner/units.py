"""Units of length of CAD files, by the names that files have for them."""

from .._io.units import of_iges, of_step

__all__ = ["of_iges", "of_step"]
