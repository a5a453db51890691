"""Studios and pages of them that tests share."""

import pytest

from tests.optional import optional


@pytest.fixture
def visit(browser):
    """Opens a tab in a studio of its own: a function of its title, and of the window's size."""
    optional("viser")
    from contextlib import ExitStack

    from .visit import Visit, running

    with ExitStack() as stack:

        def enter(tab, **options):
            page = Visit(browser, stack.enter_context(running(tab)), **options)
            stack.callback(page.close)
            return page

        yield enter
