"""Settings for all tests, and the engines and number types that each property is checked on."""

import gc
import math
import os

import pytest
from hypothesis import HealthCheck, settings

from limbik.engines import thresholds
from tests.assets import FOLDER, PRESENT
from tests.chromium import OPTIONS, chromium
from tests.optional import optional
from tests.thoroughness import THOROUGH, some

COSTLY = {"browser", "cluster"}  # fixtures whose tests take seconds each

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("limbik", deadline=None, max_examples=15, suppress_health_check=quiet)
for profile, examples in (("brief", 10), ("ci", 60), ("thorough", 1000)):
    settings.register_profile(profile, settings.get_profile("limbik"), max_examples=examples)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "limbik"))


def pytest_report_header():
    """Says what the cases of tests come from."""
    return f"recordings and rigs: {FOLDER if PRESENT else f'{FOLDER} is missing, samples stand in for them'}"


def pytest_collection_modifyitems(config, items):
    """Leaves out most tests with costly fixtures from runs of the whole suite outside of CI."""
    if THOROUGH or len({item.path.parent for item in items}) < 10:
        return
    costly = [item for item in items if COSTLY & set(item.fixturenames)]
    left_out = set(costly) - set(some(costly, 8))
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def pytest_collection_finish():
    """What is imported lives to the end: to look through it for garbage takes a tenth of the time of all tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def kernel_cache(tmp_path_factory):
    """Compiled kernels of the tests go to a folder of their own, so that no earlier run hides a fault."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # one folder for all workers
    os.environ["LIMBIK_CACHE"] = str(shared / "kernels")


@pytest.fixture(scope="session", autouse=True)
def no_background():
    """No kernel is loaded in the background, where it could disturb a later test; tests of that ask for it."""
    thresholds.KERNEL_MIN_SECONDS = math.inf


@pytest.fixture(scope="session")
def browser():
    """A real browser, which tests of pages and of the studio share."""
    playwright = optional("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        yield browser
        browser.close()
