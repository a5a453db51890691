"""The studio and the page that browser tests share: a page takes seconds to open."""

import pytest

from tests.optional import optional

from .visit import SIZE


@pytest.fixture(scope="package")
def shared_visit(browser):
    """One page of one studio for all tests."""
    optional("viser")
    from .visit import Visit, running

    with running("Limb") as studio:
        visit = Visit(browser, studio)
        yield visit
        visit.close()


@pytest.fixture
def visit(shared_visit):
    """Opens a tab as if for the first time: a function of its title, the window's size, and how to prepare it.

    Afterwards nothing has gone wrong on the page.
    """

    def enter(title, size=SIZE, prepare=lambda tab: None):
        return shared_visit.renew(title, size, prepare)

    yield enter
    shared_visit.check()
