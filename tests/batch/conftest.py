"""What several tests of grounding share."""

import pytest

from .folders import fill


@pytest.fixture(scope="session")
def clips(tmp_path_factory):
    """A folder of four clips."""
    return fill(tmp_path_factory.mktemp("clips"))
