"""Small edits to an XML part that leave every other byte as it was.

Reading a part into a tree and writing it back renames prefixes and drops what the parser does not know. A part of
somebody's workbook is therefore looked at with `expat`, which tells byte positions, and changed only at those places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

DEEPEST = 1_000
"""More levels than any part of a workbook has; a parser takes time and memory for each."""
_SLICE = 1 << 16
_TAG = re.compile(rb"""(?:[^"'>]++|"[^"]*"|'[^']*')*+>""")


@dataclass(slots=True)
class Element:
    """One element of a part: its local name, namespace, attributes and byte positions.

    ``start`` to ``inner_start`` is the start tag, ``inner_end`` to ``end`` the end tag; an empty element tag has
    ``inner_start == inner_end == end``.
    """

    name: str
    namespace: str
    attributes: dict[str, str]
    start: int
    inner_start: int = 0
    inner_end: int = 0
    end: int = 0
    children: list[Element] = field(default_factory=list)

    def find(self, name: str) -> Element | None:
        """Return the first child of that name."""
        return next((child for child in self.children if child.name == name), None)

    def all(self, name: str) -> Iterator[Element]:
        """Iterate over the children of that name."""
        return (child for child in self.children if child.name == name)


def _tag_end(data: bytes, start: int) -> int:
    """Position after the ``>`` that closes the tag at `start`; a ``>`` inside quotes does not count."""
    found = _TAG.match(data, start)
    if found is None:
        raise ValueError("a tag that does not end")
    return found.end()


def opened_less_closed(piece: bytes) -> int:
    """Count how many more elements a piece of XML opens than it closes, without parsing it.

    Comments and marked sections may add a few; it is meant for telling a tower of elements from a document.
    """
    tags = piece.count(b"<") - piece.count(b"<!") - piece.count(b"<?")
    return tags - 2 * piece.count(b"</") - piece.count(b"/>")


def refuse_towers(data: bytes) -> None:
    """Do nothing if a part is nested as deep as a document may be.

    Raises
    ------
    ValueError
        Otherwise.
    """
    depth = 0
    for start in range(0, len(data), _SLICE):
        depth += opened_less_closed(data[start : start + _SLICE])
        if depth > DEEPEST:
            raise ValueError("nested deeper than a workbook can be")


def outline(data: bytes, depth: int = 3) -> Element:
    """Parse a UTF-8 part and return its root with descendants down to `depth` levels.

    Raises
    ------
    xml.parsers.expat.ExpatError
        If the part is not well-formed.
    ValueError
        If it is nested deeper than any part of a workbook.
    """
    refuse_towers(data)
    parser = expat.ParserCreate(namespace_separator=" ")
    stack: list[Element] = []
    level = 0
    root: list[Element] = []

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal level
        level += 1
        if level > depth:
            return
        namespace, _, local = name.rpartition(" ")
        plain = {key.rpartition(" ")[2] if " " in key else key: value for key, value in attributes.items()}
        element = Element(local, namespace, plain, parser.CurrentByteIndex)
        element.inner_start = _tag_end(data, element.start)
        if stack:
            stack[-1].children.append(element)
        else:
            root.append(element)
        stack.append(element)

    def closed(_name: str) -> None:
        nonlocal level
        level -= 1
        if level >= depth:
            return
        element = stack.pop()
        # For an empty element tag expat reports the end at the place where the tag starts.
        if data[element.inner_start - 2 : element.inner_start] == b"/>":
            element.inner_end = element.end = element.inner_start
        else:
            element.inner_end = parser.CurrentByteIndex
            element.end = _tag_end(data, element.inner_end)

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.Parse(data, True)
    return root[0]


class Edits:
    """Changes to one part, collected and then applied together."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._changes: list[tuple[int, int, int, bytes]] = []

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of the bytes from `start` to `end`."""
        self._changes.append((start, end, len(self._changes), text.encode()))

    def remove(self, element: Element) -> None:
        """Drop an element with all it holds."""
        self.replace(element.start, element.end, "")

    def append(self, element: Element, xml: str, *, count: int | None = None) -> None:
        """Add children at the end of an element, and set its ``count`` where it has one."""
        if not xml:
            return
        if element.inner_start == element.end:
            tag = self._data[element.start : element.end].decode()
            tag = tag if count is None else _with_attribute(tag, "count", str(count))
            qualified = re.match(r"<([^\s/>]+)", tag)
            assert qualified is not None
            self.replace(element.start, element.end, tag[:-2].rstrip() + f">{xml}</{qualified[1]}>")
            return
        if count is not None:
            self.set_attribute(element, "count", str(count))
        self.replace(element.inner_end, element.inner_end, xml)

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Set an attribute that has no prefix; at most one call per element."""
        tag = self._data[element.start : element.inner_start].decode()
        self.replace(element.start, element.inner_start, _with_attribute(tag, name, value))

    def result(self) -> bytes:
        """Return the part with all changes made."""
        pieces: list[bytes] = []
        position = 0
        for start, end, _, text in sorted(self._changes):
            pieces += (self._data[position:start], text)
            position = end
        pieces.append(self._data[position:])
        return b"".join(pieces)


def _with_attribute(tag: str, name: str, value: str) -> str:
    pattern = re.compile(rf"(\s){name}\s*=\s*(\"[^\"]*\"|'[^']*')")
    setting = f"{name}={quoteattr(value)}"
    if pattern.search(tag):
        return pattern.sub(lambda match: match[1] + setting, tag, count=1)
    close = "/>" if tag.endswith("/>") else ">"
    return tag[: -len(close)].rstrip() + f" {setting}" + close


# The standard library's own (`xml.sax.saxutils`) brings half the internet along: 25 ms.
_IN_TEXT = (("&", "&amp;"), (">", "&gt;"), ("<", "&lt;"))
_IN_ATTRIBUTES = (*_IN_TEXT, ("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;"))


def escape(text: str) -> str:
    """Spell a text that stands between tags."""
    for character, spelt in _IN_TEXT:
        if character in text:
            text = text.replace(character, spelt)
    return text


def quoteattr(text: str) -> str:
    """Spell the value of an attribute, with the quotes around it that suit it."""
    for character, spelt in _IN_ATTRIBUTES:
        text = text.replace(character, spelt)
    if '"' not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else '"' + text.replace('"', "&quot;") + '"'
