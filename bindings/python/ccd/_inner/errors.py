"""The text of errors: an argument as it is shown, what is no mesh, the system about a file, a name that a module lacks."""

from .._native.names import names_of
from ..errors import from_os, no_mesh, shown

__all__ = ["from_os", "names_of", "no_mesh", "shown"]
