"""How much the tests try: continuous integration and the thorough profile try every combination, ./check fewer."""

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

THOROUGH = bool(os.environ.get("CI")) or os.environ.get("HYPOTHESIS_PROFILE") in ("ci", "thorough")


def some(cases: Iterable[Case], every: int) -> list[Case]:
    """All cases of a costly test where tests are thorough, otherwise every so many."""
    return list(cases)[:: 1 if THOROUGH else every]
