"""Makes docs/pictures/web.webp, the examples of the npm package in Chromium: `python docs/web_pictures.py`.

Needs playwright, Chromium, and three.js: `npm install --prefix tests/exporting/node`.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from io import BytesIO
from pathlib import Path

from picture_files import keep
from PIL import Image
from playwright.sync_api import sync_playwright
from screens import OPTIONS, SLOW

import limbik

MODULES = Path(__file__).parents[1] / "tests" / "exporting" / "node" / "node_modules"
SHOTS = ("character.html?frames=100&at=1", "character.html?frames=60&at=6.4", "creature.html?frames=120")
SIZE = {"width": 640, "height": 560}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves modules under their type."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}


def main() -> None:
    """Takes the pictures and puts them side by side."""
    limbik.export("web").write(MODULES / "limbik-ik")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=MODULES))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pictures = []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=list(OPTIONS))
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(SLOW)
        for shot in SHOTS:
            page.goto(f"http://127.0.0.1:{server.server_port}/limbik-ik/examples/{shot}")
            page.wait_for_function("document.body.dataset.done")
            page.evaluate("document.getElementById('bar').hidden = true")
            pictures.append(Image.open(BytesIO(page.screenshot())).convert("RGB"))
        browser.close()
    server.shutdown()
    sheet = Image.new("RGB", (len(pictures) * SIZE["width"], SIZE["height"]))
    for k, picture in enumerate(pictures):
        sheet.paste(picture, (k * SIZE["width"], 0))
    print(keep(sheet.resize((sheet.width * 5 // 8, sheet.height * 5 // 8), Image.Resampling.LANCZOS), "web"))


if __name__ == "__main__":
    main()
