"""Numbers in words: lengths without the noise of rounding."""

import pytest

from limbik.pictures import words


@pytest.mark.parametrize(
    ("metres", "text"),
    [(0.0, "0 mm"), (4e-16, "0 mm"), (2e-9, "2e-06 mm"), (3e-5, "0.03 mm"), (0.00012, "0.1 mm"), (1.5, "1500.0 mm")],
)
def test_millimetres(metres, text):
    assert words.millimetres(metres) == text
