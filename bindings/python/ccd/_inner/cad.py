"""What readers of CAD files share: the walk of a document, and keeping Open CASCADE from printing."""

from .._io.cad import kind_of, read_document
from .._io.cad_keys import Keys, quiet
from .._io.cad_products import Spot, apart, distinct, explored, matrix, placed, roots

__all__ = ["Keys", "Spot", "apart", "distinct", "explored", "kind_of", "matrix", "placed", "quiet", "read_document", "roots"]
