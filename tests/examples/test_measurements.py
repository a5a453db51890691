"""The document quotes exactly what docs/measurements.py prints, and every picture that it shows is there and small."""

import re

import pytest

from tests.examples.scripts import MATHEMATICS, ROOT, bold_numbers, document, load
from tests.thoroughness import some

PICTURES = ROOT / "docs" / "pictures"
DOCUMENTS = [MATHEMATICS, *(ROOT / "docs" / name for name in ("conventions.md", "rigs.md"))]


def test_every_measured_number_outside_the_errata_is_printed_by_the_script():
    before, _ = document()
    figures = load("docs/measurements.py").figures()
    assert set(bold_numbers(before)) == set(figures.values())


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_pictures_and_documents_that_are_linked_exist(path):
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8"))
    assert links
    for link in links:
        assert (path.parent / link).is_file(), link


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_formulas_hold_nothing_that_markdown_would_eat(path):
    text = path.read_text("utf-8")
    for formula in re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", text):
        assert not re.search(r"\\[,;!:{}_*]|<", formula), formula
    assert text.replace("$$", "").count("$") % 2 == 0


def test_links_within_the_document_lead_to_headings():
    text = MATHEMATICS.read_text("utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("#")
    }
    for anchor in re.findall(r"\]\(#([^)]+)\)", text):
        assert anchor in headings, anchor


def test_every_figure_can_be_drawn_and_is_the_one_that_is_kept(tmp_path):
    figures = load("docs/figures.py")
    chosen = some(figures.FIGURES, 4)
    figures.main(chosen, tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == set(chosen)
    # The other scripts of docs/ write .webp; benchmarks/run.py and docs/chain_figures.py .png.
    kept = {path.name for path in PICTURES.glob("*.png")} - {"curve.png"}
    assert {f"{name}.png" for name in figures.FIGURES} == {name for name in kept if not name.startswith("chain")}


def test_every_other_picture_is_shown_on_a_page_and_made_by_a_script():
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))
    begins = {"creature_": "creature_sheets", "fields_": "creature_fields", "tutorial_": "tutorial_pictures"}
    begins |= {"unity_": "unity_pictures", "blender_": "blender_pictures", "ground_": "ground_sheets"}
    begins |= {"retargeting": "retargeting_sheet", "web": "web_pictures"}
    pictures = sorted(PICTURES.glob("*.webp"))
    assert len(pictures) > 20
    for path in pictures:
        assert f"pictures/{path.name})" in pages
        script = next((name for start, name in begins.items() if path.name.startswith(start)), "screens")
        written = next((start for start in begins if path.name.startswith(start)), f"def {path.stem}(")
        assert written in (ROOT / "docs" / f"{script}.py").read_text("utf-8")


def test_pictures_are_small():
    sizes = [path.stat().st_size for path in PICTURES.iterdir()]
    assert max(sizes) < 150_000
    assert sum(sizes) < 3_000_000
