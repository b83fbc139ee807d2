"""Confidence forms."""

import pytest

from panelcal import InvalidPanel, confidence_from_deviation, confidence_from_range, confidence_from_word


def test_a_standard_deviation_becomes_its_inverse_square():
    assert confidence_from_deviation([5, 10, 0.5]).tolist() == pytest.approx([0.04, 0.01, 4])


def test_the_half_width_of_a_range_is_one_standard_deviation_unless_said_otherwise():
    assert confidence_from_range(60, 70) == pytest.approx(0.04)
    assert confidence_from_range(60, 70, halfwidth_sds=2) == pytest.approx(0.16)


@pytest.mark.parametrize(("word", "expected"), [("High", 4), ("h", 4), (" medium ", 1), ("Med", 1), ("LOW", 0.25)])
def test_words_are_powers_of_p(word, expected):
    assert confidence_from_word(word) == expected


def test_the_authors_own_spreadsheet_used_1_75():
    assert confidence_from_word("high", 1.75) == pytest.approx(3.0625)  # as in reference case hml_15x8
    assert confidence_from_word("low", 1.75) == pytest.approx(0.32653061224489793)


def test_what_is_no_confidence_is_refused():
    with pytest.raises(InvalidPanel, match="not a confidence word"):
        confidence_from_word("sure")
    with pytest.raises(InvalidPanel, match="above 1"):
        confidence_from_word("high", 1.0)
    for deviation in (0, -1, float("nan")):
        with pytest.raises(InvalidPanel, match="positive"):
            confidence_from_deviation(deviation)
    with pytest.raises(InvalidPanel, match="positive"):
        confidence_from_range(60, 60)
