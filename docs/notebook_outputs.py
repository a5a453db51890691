"""Runs the notebooks of examples/ and stores their outputs: `python docs/notebook_outputs.py [NAME …]`.

A page that plays a clip is stored as a picture of it, so that the notebooks stay small and show something where pages
do not run, as on GitHub. Needs nbclient, playwright and Chromium.
"""

from __future__ import annotations

import base64
import html
import re
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image
from playwright.sync_api import sync_playwright
from screens import OPTIONS, SLOW

NOTEBOOKS = Path(__file__).parents[1] / "examples" / "notebooks"
FRAME = re.compile(r'<iframe srcdoc="([^"]*)"[^>]*>\s*(?:</iframe>)?', re.S)
SIZE = {"width": 720, "height": 405}
SHOWN = 0.5  # part of the motion
NOTE = "A picture of the page: run the cell, and it plays."


def still(browser: Any, page: str) -> str:
    """A picture of a page, in the middle of its motion, as HTML."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, "utf-8")
        window = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        window.set_default_timeout(SLOW)
        window.goto(path.as_uri())
        window.locator("#scrub").evaluate(
            f"e => {{ e.value = {SHOWN} * e.max; e.dispatchEvent(new Event('input', {{bubbles: true}})); }}"
        )
        window.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        picture = Image.open(BytesIO(window.screenshot())).convert("RGB")
        window.close()
    file = BytesIO()
    picture.save(file, "webp", quality=70, method=6)
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img alt="{NOTE}" src="data:image/webp;base64,{data}"><p>{NOTE}</p>'


def run(browser: Any, path: Path) -> None:
    """Runs a notebook and stores its outputs."""
    book = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(book, timeout=600, resources={"metadata": {"path": folder}}).execute()
    for cell in book.cells:
        cell.metadata.pop("execution", None)  # times of this run
        for out in cell.get("outputs", ()):
            if "text/html" in out.get("data", {}):
                shown = FRAME.sub(lambda found: still(browser, html.unescape(found[1])), out.data["text/html"])
                out.data["text/html"] = shown
    book.metadata["language_info"] = {"name": "python"}  # without the version of this machine
    nbformat.write(book, path)
    print(path, path.stat().st_size)


def main(names: list[str]) -> None:
    """Runs these notebooks, or all."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=list(OPTIONS))
        for path in sorted(NOTEBOOKS.glob("*.ipynb")):
            if not names or path.stem in names:
                run(browser, path)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
