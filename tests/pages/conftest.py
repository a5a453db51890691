"""Pages that tests open."""

import pytest

from .browser import Opened


@pytest.fixture
def opened(browser):
    """Opens pages: a function of a file, and of how the window is. Readers who like no motion get none at first."""
    contexts = []

    def open_page(path, size=(440, 330), **options):
        window = {"viewport": dict(zip(("width", "height"), size, strict=True)), "reduced_motion": "reduce"}
        contexts.append(browser.new_context(**(window | options)))
        page = Opened(contexts[-1].new_page())
        return page if path is None else page.go(path)

    yield open_page
    for context in contexts:
        context.close()
