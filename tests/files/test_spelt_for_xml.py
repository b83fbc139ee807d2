"""Text in XML, against the standard library's own spelling."""

from xml.sax import saxutils

from hypothesis import given
from hypothesis import strategies as st

from panelcal.files.xml_edits import escape, quoteattr

TEXTS = st.text(alphabet="a&<>\"'\n\r\t;# é")


@given(TEXTS)
def test_text_is_spelt_as_the_standard_library_spells_it(text):
    assert escape(text) == saxutils.escape(text)
    assert quoteattr(text) == saxutils.quoteattr(text)
