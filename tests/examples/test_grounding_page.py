"""docs/grounding.md: its table of settings is the code's."""

import re
from dataclasses import fields

from limbik.grounding.settings import Settings
from tests.examples.scripts import ROOT

PAGE = (ROOT / "docs" / "grounding.md").read_text("utf-8")


def test_every_setting_is_in_the_table_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", PAGE, re.M))
    assert rows == {field.name: str(field.default) for field in fields(Settings)}
