"""docs/robots.md: what it says of the code is so."""

from limbik.robots import urdf, xml_elements
from tests.examples.scripts import ROOT

PAGE = (ROOT / "docs" / "robots.md").read_text("utf-8")


def test_the_formats_and_limits_are_those_of_the_code():
    for word in (*urdf.KINDS, "floating", "planar"):
        assert word in PAGE
    assert f"{xml_elements.MAX_ELEMENTS:,} elements and {xml_elements.MAX_DEPTH} levels" in PAGE
    assert xml_elements.MAX_BYTES == 64 << 20 and "64 MB" in PAGE
    assert xml_elements.MAX_NUMBER == 1e6 and "1,000 km" in PAGE
