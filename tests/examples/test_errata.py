"""The document quotes exactly what examples/errata.py prints, and that is what the article's formulas do."""

import re

import numpy as np
import pytest

from tests.examples.scripts import bold_numbers, document, load

errata = load("examples/errata.py")


@pytest.fixture(scope="module")
def figures() -> dict[str, str]:
    return errata.figures()


def test_the_table_in_the_document_is_the_one_that_the_script_prints():
    _, text = document()
    found = re.search(r"<!-- errata -->\n(.*?)\n<!-- /errata -->", text, re.S)
    assert found is not None
    assert found.group(1) == errata.table()


def test_every_measured_number_in_the_errata_is_printed_by_the_script(figures):
    _, text = document()
    quoted = bold_numbers(text)
    assert len(quoted) >= len(figures)
    assert set(quoted) == set(figures.values())


def test_the_measured_consequences_are_those_that_were_known(figures):
    assert float(figures["cosine undefined"].split()[0]) == pytest.approx(37, abs=0.5)
    assert float(figures["cosine miss"]) == pytest.approx(0.2, abs=0.01)
    assert float(figures["best miss"]) == pytest.approx(0.51, abs=0.02)
    assert float(figures["best tilt"][:-1]) == pytest.approx(36, abs=2)
    assert figures["our miss"].startswith("below")


def test_each_reading_is_tried_once_and_the_first_is_the_printed_one():
    assert len(set(errata.READINGS)) == 96
    assert errata.Reading(1, -1, 1, 0, True, "y") == errata.PRINTED


def test_the_examples_to_do_by_hand():
    first, second, d = 0.45, 0.30, 0.60
    above = d**2 + first**2 - second**2
    assert above / (2 * d * second) == pytest.approx(1.3125)
    assert np.degrees(np.arccos(above / (2 * d * first))) == pytest.approx(28.96, abs=0.005)
    distances = np.linspace(first - second, first + second, 1001)
    printed = (distances**2 + first**2 - second**2) / (2 * distances * second)
    assert printed.min() == pytest.approx(np.sqrt(first**2 - second**2) / second, rel=1e-5)

    leg = errata.limbik.ThreeLink(0.5, 0.4, 0.2)
    base = leg.branches([0.2, 0.5, 0.5], [1, 0, 0]).degrees()[:, :2]
    assert any(np.allclose(one, (-90, -45)) for one in base)
    assert np.allclose(base[0], (90, 45))
