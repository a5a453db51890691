"""Makes the pictures of pages in docs/pictures with headless Chromium: `python docs/screens.py` (needs playwright)."""

from __future__ import annotations

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import limbik
from limbik.pages.page import write_page

OUT = Path(__file__).parent / "pictures"
OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")
SIZE = {"width": 1000, "height": 560}


def walk(path: Path) -> None:
    """A spider on hills."""
    hills = "hills:height=0.3,seed=3"
    write_page(path, limbik.walk("spider", hills, seconds=6), hills, title="limbik walk")


def main() -> None:
    """Writes a picture of each page, at 70 % of its motion."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=list(OPTIONS))
        for page in (walk,):
            path = Path(folder) / f"{page.__name__}.html"
            page(path)
            window = browser.new_page(viewport=SIZE, reduced_motion="reduce")
            window.goto(path.as_uri())
            slider = window.locator("input[type=range]")
            slider.evaluate("e => { e.value = 0.7 * e.max; e.dispatchEvent(new Event('input', {bubbles: true})); }")
            window.wait_for_timeout(1500)
            shot = Image.open(BytesIO(window.screenshot())).convert("RGB")
            shot.quantize(128).save(OUT / f"{page.__name__}.png", optimize=True)  # a third of the size
        browser.close()


if __name__ == "__main__":
    main()
