"""The surface of a volume's elements: the sides that one element alone has, and its parts."""

from ..volume._boundary import SIDES, boundary, by_element, starts, surface
from ..volume._outward import signs

__all__ = ["SIDES", "boundary", "by_element", "signs", "starts", "surface"]
