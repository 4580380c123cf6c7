"""The surface of a volume's elements: the sides that one element alone has, and its parts."""

from ..volume._boundary import SIDES, boundary, by_element, starts, surface

__all__ = ["SIDES", "boundary", "by_element", "starts", "surface"]
