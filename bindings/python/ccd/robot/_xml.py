"""XML whose prefixes stay as they are written, declared or not, as programs without namespaces have it."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from xml.parsers import expat


def prefixed(text: bytes) -> xml.Element:
    """The root of a text. A tag keeps its prefix: ``drake:joint``.

    Raises
    ------
    xml.parsers.expat.ExpatError
        The text is malformed, or has an entity that is not declared.
    """
    builder, parser = xml.TreeBuilder(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.SkippedEntityHandler = _undefined
    parser.Parse(text, True)
    root: xml.Element = builder.close()
    return root


def _undefined(name: str, parameter: bool) -> None:
    if not parameter:
        raise expat.ExpatError(f"undefined entity &{name};")
