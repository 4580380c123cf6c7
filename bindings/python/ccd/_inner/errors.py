"""The text of errors: an argument as it is shown, and the error of the system about a file."""

from ..errors import from_os, shown

__all__ = ["from_os", "shown"]
