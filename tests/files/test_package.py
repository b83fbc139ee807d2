"""Packages and small edits to XML parts."""

import io

import pytest

from panelcal.files.package import utf8, write_package
from panelcal.files.xml_edits import Edits, outline

PART = b"""<?xml version="1.0"?>
<x:a xmlns:x="u" k='1 > 0'><x:b n="1"/><x:c count="2" ><x:d/><x:d><x:e/></x:d></x:c ></x:a>"""


def test_outline_knows_names_attributes_and_places():
    root = outline(PART)
    assert (root.name, root.namespace, root.attributes) == ("a", "u", {"k": "1 > 0"})
    c = root.find("c")
    assert PART[c.start : c.inner_start] == b'<x:c count="2" >'
    assert PART[c.inner_start : c.inner_end] == b"<x:d/><x:d><x:e/></x:d>"
    assert PART[c.end - 6 : c.end] == b"</x:c>" or PART[c.end - 7 : c.end] == b"</x:c >"
    assert [PART[d.start : d.end] for d in c.all("d")] == [b"<x:d/>", b"<x:d><x:e/></x:d>"]


def test_edits_change_only_their_places():
    root = outline(PART)
    edits = Edits(PART)
    edits.append(root.find("c"), "<new/>", count=3)
    edits.append(root.find("b"), "<inside/>")
    result = edits.result()
    assert b'<x:b n="1"><inside/></x:b>' in result
    assert b'<x:c count="3" ><x:d/><x:d><x:e/></x:d><new/></x:c >' in result
    assert result.startswith(b'<?xml version="1.0"?>\n<x:a xmlns:x="u" k=\'1 > 0\'>')


def test_setting_an_attribute_replaces_or_adds_it():
    data = b'<a b="1" cb="2"/>'
    edits = Edits(data)
    edits.set_attribute(outline(data), "b", "a&b")
    assert edits.result() == b'<a b="a&amp;b" cb="2"/>'
    edits = Edits(data)
    edits.set_attribute(outline(data), "d", "3")
    assert edits.result() == b'<a b="1" cb="2" d="3"/>'


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "utf-8", "utf-8-sig"])
def test_parts_are_read_whatever_their_encoding(encoding):
    declared = encoding.removesuffix("-sig")
    data = f'<?xml version="1.0" encoding="{declared}"?><a b="é"/>'.encode(encoding)
    plain = utf8(data)
    assert outline(plain).attributes == {"b": "é"}
    assert "é".encode() in plain


def test_packing_does_not_depend_on_time_or_order_of_reading():
    first, second = io.BytesIO(), io.BytesIO()
    write_package(first, {"b.xml": b"2", "[Content_Types].xml": b"1"})
    write_package(second, {"[Content_Types].xml": b"1", "b.xml": b"2"})
    assert first.getvalue() == second.getvalue()
