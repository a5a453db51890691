"""The documentation site: its menu, docstrings, gallery and order of packages, and its search from the disk."""

import inspect
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pytest

from limbik.cli import app
from tests.chromium import OPTIONS, chromium
from tests.examples.scripts import ROOT
from tests.optional import optional
from tests.patience import PATIENCE
from tests.test_public_api import public_objects

CONFIG = (ROOT / "mkdocs.yml").read_text("utf-8")
SECTION = re.compile(r"^(?:Args|Attributes|Raises):\n((?:(?: .*)?\n)+)", re.M)
PLUGINS = re.compile(r"  - mkdocstrings:\n(?:    .*\n)+")  # and their pages, which take long


def test_every_page_is_in_the_menu():
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert pages - set(re.findall(r"^ +- .*: (\S+\.md)$", CONFIG, re.M)) == set()


def test_sections_of_docstrings_hold_names_and_their_descriptions():
    """A line of a section begins with a name and a colon, or goes on from the line before, further in."""
    wrong = []
    for name, found in public_objects():
        for section in SECTION.findall(inspect.getdoc(found) or ""):
            lines = [line for line in section.splitlines() if line.strip()]
            wrong += [(name, line) for line in lines if not re.match(r"    ([*\w, ]+:| )", line)]
    assert wrong == []


def test_the_packages_of_the_architecture_page_are_in_the_order_of_the_layers():
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.M)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [name.removeprefix("limbik.") for name in contracts[0]["layers"]]
    assert re.findall(r"`(\w+)(?:/|\.py)`", " ".join(rows)) == layers[::-1]


def test_the_gallery_plays_what_its_commands_make():
    gallery = (ROOT / "docs" / "gallery.md").read_text("utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", gallery, re.S) for line in block.splitlines()]
    for line in (one for joined in lines for one in joined.split(" && ")):
        app.parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
    (played,) = re.findall(r"^PLAYED = \{(.*?)^\}", (ROOT / "docs" / "site.py").read_text("utf-8"), re.M | re.S)
    for name, spec in re.findall(r'"(\w+)": "(.*)"', played):
        assert f"limbik walk {name} --terrain {spec}" in lines and f"(play/{name}.html)" in gallery


@pytest.fixture
def site(tmp_path):
    """A small site with the theme, plugins and scripts of the real one."""
    optional("material")
    config = PLUGINS.sub("", CONFIG).replace("hooks: [docs/site.py]\n", "").partition("\nnav:")[0]
    (tmp_path / "mkdocs.yml").write_text(config, "utf-8")
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "iframe-worker.js", tmp_path / "docs")
    (tmp_path / "docs" / "index.md").write_text("# Limbs\n\nAn elbow.\n", "utf-8")
    (tmp_path / "docs" / "rotations.md").write_text("# Rotations\n\nUnit quaternions.\n", "utf-8")
    words = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run(words, cwd=tmp_path, check=True, timeout=PATIENCE, env={"PATH": "", "NO_MKDOCS_2_WARNING": "1"})
    return tmp_path / "build" / "site"


def test_the_search_works_from_the_disk_and_without_the_network(site):
    executable, playwright = chromium(), optional("playwright.sync_api")
    with playwright.sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=executable, args=OPTIONS)
        page = browser.new_page()
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{site.as_uri()}/index.html")
        page.click(".md-search__input")
        page.wait_for_selector("text=Type to start searching", timeout=1000 * PATIENCE)
        page.type(".md-search__input", "quaternions")
        page.wait_for_selector(".md-search-result__link[href*=rotations]", timeout=1000 * PATIENCE)
        assert all(url.startswith(("file:", "data:", "blob:", "about:")) for url in requests)
        browser.close()
