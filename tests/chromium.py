"""A real browser: Debian's Chromium, with WebGL in software."""

import os
import shutil

import pytest

# As root, as in a container, Chromium has no sandbox; and it looks for updates by default.
OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")


def chromium():
    """Where Chromium is. Where there is none the test is skipped; in continuous integration it fails."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        message = "Chromium is not installed: pages are not looked at"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found
