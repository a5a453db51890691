"""Notebooks run from top to bottom in a kernel of their own, show what they promise, and are kept with outputs."""

import re

import pytest

from tests.examples.scripts import ROOT
from tests.optional import optional
from tests.patience import PATIENCE

FOLDER = ROOT / "examples" / "notebooks"
# What the code cells show, in order.
SOLUTION, SUMMARY = '<table>.*status.*<img src="data:image/svg', "<table>.*of 200,000 rows"
CLIP, BEFORE_AND_AFTER = r'<iframe srcdoc="[^"]*"', r'<iframe srcdoc="[^"]*".*<table.*slide in a stance, mm'
STILL = r'<img alt="[^"]*" src="data:image/webp;base64,[^"]{2000,}">'
STANDING = r"swinging foot: up to [1-9]\d+ mm.*standing foot: up to 0\.0000\d\d mm"
SHOWN = {
    "limb": [SOLUTION, SOLUTION, SOLUTION, SOLUTION, SUMMARY],
    "walk": [CLIP, CLIP, CLIP, STANDING, r"Clip\('spider', 361 frames"],
    "ground": [CLIP, BEFORE_AND_AFTER, CLIP, "limbs: left_leg, right_leg", BEFORE_AND_AFTER],
}
WRITTEN = {"limb": set(), "walk": {"spider.glb"}, "ground": {"walk.glb", "stairs.glb"}}


def notebook(name):
    return optional("nbformat").read(FOLDER / f"{name}.ipynb", as_version=optional("nbformat").NO_CONVERT)


def texts(cell):
    """What a cell shows, as HTML or text."""
    return [out.data.get("text/html", "") if "data" in out else out.text for out in cell.outputs]


@pytest.fixture
def nowhere(tmp_path_factory, monkeypatch):
    """Homes for what Jupyter keeps, that are gone afterwards."""
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path_factory.mktemp("home")))


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs_shows_what_it_promises_and_writes_what_it_says(name, tmp_path):
    book = notebook(name)
    optional("nbclient").NotebookClient(
        book, timeout=int(PATIENCE), resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    for cell, shown in zip(cells, SHOWN[name], strict=True):
        assert {out.output_type for out in cell.outputs} <= {"execute_result", "stream"}
        assert not any(out.get("name") == "stderr" for out in cell.outputs)
        assert re.search(shown, "\n".join(texts(cell)), re.S), f"{cell.id} does not show {shown}"
    assert {path.name for path in tmp_path.iterdir()} == WRITTEN[name]


def test_there_is_a_notebook_for_each_room():
    assert sorted(path.name for path in FOLDER.glob("*.ipynb")) == sorted(f"{name}.ipynb" for name in SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_outputs_are_kept_small_and_cells_are_known_by_name(name):
    """By docs/notebook_outputs.py, which keeps a picture in place of a page."""
    book = notebook(name)
    optional("nbformat").validate(book)
    assert (book.nbformat, book.nbformat_minor) == (4, 5)
    assert [cell.id for cell in book.cells] == [f"{name}-{k + 1}" for k in range(len(book.cells))]
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell, shown in zip(cells, SHOWN[name], strict=True):
        kept = shown.replace(CLIP, STILL)
        assert re.search(kept, "\n".join(texts(cell)), re.S), f"{cell.id} does not show {kept}"
        assert "/tmp" not in str(cell.outputs) and "<iframe" not in str(cell.outputs)
    assert (FOLDER / f"{name}.ipynb").stat().st_size < 200_000


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_is_short_and_explains_before_it_does(name):
    cells = notebook(name).cells
    kinds = [cell.cell_type for cell in cells]
    assert 6 <= len(cells) <= 10
    assert kinds[0] == "markdown" and kinds.count("markdown") >= kinds.count("code") - 1
    assert all(len(cell.source.splitlines()) <= 8 for cell in cells if cell.cell_type == "code")
