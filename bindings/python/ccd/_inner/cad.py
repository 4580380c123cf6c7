"""What Open CASCADE prints, which readers keep it from."""

from .._io.cad_keys import quiet

__all__ = ["quiet"]
