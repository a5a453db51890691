"""The npm package in Chromium: its examples run from the folder, and characters of other makers stand on stairs."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.assets import FOLDER, asset
from tests.chromium import OPTIONS, chromium
from tests.exporting.conftest import NODE
from tests.optional import optional

PEOPLE = {
    "mixamo": ("mixamo", "/limbik-ik/examples/character.gltf"),
    "vrm0": ("vrm0", "/assets/vrm/Godette_vrm0.vrm"),
    "vrm1": ("vrm1", "/assets/vrm/Example.vrm"),
}


PAGE = Path(__file__).parents[2] / "docs" / "web.md"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves node_modules, the tests' pages, the assets, and as / the page that docs/web.md prints."""

    def translate_path(self, path: str) -> str:
        path = path.split("?", maxsplit=1)[0]
        if path.startswith("/assets/"):
            return str(FOLDER / path.removeprefix("/assets/"))
        if path.startswith("/pages/"):
            return str(NODE / path.removeprefix("/pages/"))
        return super().translate_path(path.removeprefix("/node_modules"))

    def do_GET(self) -> None:
        if self.path != "/":
            return super().do_GET()
        text = re.search(r"```html\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL).group(1).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


Handler.extensions_map = {**Handler.extensions_map, ".js": "text/javascript", ".mjs": "text/javascript"}


@pytest.fixture(scope="module")
def browse(web_package):
    """A function that opens a page until its body has some data, and returns that and a picture."""
    sync_playwright = optional("playwright.sync_api").sync_playwright
    handler = functools.partial(Handler, directory=web_package.parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
            page = browser.new_page(viewport={"width": 600, "height": 500})
            errors: list[str] = []
            page.on("pageerror", lambda error: errors.append(str(error)))

            def visit(path: str, data: str, picture: Path) -> str:
                page.goto(f"http://127.0.0.1:{server.server_port}{path}")
                if data:
                    page.wait_for_function(f"document.body.dataset.{data}", timeout=60_000)
                else:
                    page.wait_for_load_state("networkidle")
                    page.wait_for_timeout(1000)
                assert not errors, errors
                page.screenshot(path=picture)
                return page.evaluate(f"document.body.dataset.{data}") if data else ""

            yield visit
            browser.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def colours(picture: Path) -> int:
    """How many colours a picture has."""
    imageio = optional("imageio.v3")
    return len(np.unique(imageio.imread(picture).reshape(-1, 3), axis=0))


@pytest.mark.parametrize("page", ["character.html?frames=60&at=2", "creature.html?frames=60"])
def test_examples_run_from_the_folder(browse, tmp_path, page):
    assert browse(f"/limbik-ik/examples/{page}", "done", tmp_path / "page.png") == "yes"
    assert colours(tmp_path / "page.png") > 200


def test_the_page_that_the_docs_print_shows_a_character(browse, tmp_path):
    browse("/", "", tmp_path / "page.png")
    assert colours(tmp_path / "page.png") > 200


@pytest.mark.parametrize("name", PEOPLE)
def test_people_stand_on_stairs(browse, tmp_path, name):
    kind, file = PEOPLE[name]
    if file.startswith("/assets/"):
        asset(file.removeprefix("/assets/"))
    text = browse(f"/pages/people.html?kind={kind}&file={file}&frames=150", "found", tmp_path / "page.png")
    found = json.loads(text)
    assert found["standing"] > 30
    assert found["worst"] < 0.02 * found["leg"], found  # of standing feet
    assert colours(tmp_path / "page.png") > 200
