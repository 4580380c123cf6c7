"""The text of errors: an argument as it is shown, what is no mesh, the system about a file, names in C renamed."""

from .._native.call import renaming
from .._native.names import names_of
from ..errors import from_os, no_mesh, shown

__all__ = ["from_os", "names_of", "no_mesh", "renaming", "shown"]
