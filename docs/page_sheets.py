"""Screenshots of the page of every preset on hills and stairs: `python docs/page_sheets.py FOLDER [PRESET …]`.

Writes FOLDER/PRESET_GROUND_WIDTHxHEIGHT_LOOK.png for the sizes of a laptop, a large screen and a phone, light and dark,
and a contact sheet FOLDER/PRESET.png of all of them. Needs playwright and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from creature_sheets import STAIRS
from PIL import Image
from playwright.sync_api import sync_playwright
from screens import OPTIONS, SLOW

import limbik
from limbik.gait.creature import preset_names

SIZES = ((1280, 800), (1920, 1080), (390, 844))
HILLS = {"biped": "hills:height=0.5,seed=3", "centipede": "hills:height=0.1,size=2,seed=5"}
SECONDS, SHOWN = 6.0, 0.6  # of the walk, and the fraction of it that is shown
ROW = 330  # pixels: height of a row of the contact sheet
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def shots(browser: Any, preset: str, ground: str, folder: Path) -> list[Path]:
    """The screenshots of one page."""
    spec = STAIRS[preset] if ground == "stairs" else HILLS.get(preset, "hills:height=0.3,seed=3")
    made = []
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "walk.html"
        limbik.write_page(limbik.walk(preset, spec, seconds=SECONDS), path, title=f"{preset} on {ground}")
        window = browser.new_page(reduced_motion="reduce")
        window.set_default_timeout(SLOW)
        faults: list[str] = []
        window.on("pageerror", lambda error: faults.append(str(error)))
        window.goto(path.as_uri())
        slider = window.locator("#scrub")
        slider.evaluate(
            f"e => {{ e.value = {SHOWN} * e.max; e.dispatchEvent(new Event('input', {{bubbles: true}})); }}"
        )
        for look in ("light", "dark"):
            window.emulate_media(color_scheme=look, reduced_motion="reduce")
            for width, height in SIZES:
                window.set_viewport_size({"width": width, "height": height})
                window.evaluate(DRAWN)
                made.append(folder / f"{preset}_{ground}_{width}x{height}_{look}.png")
                window.screenshot(path=made[-1])
        window.close()
    assert not faults, faults
    return made


def contact_sheet(paths: list[Path]) -> Image.Image:
    """Pictures in rows of equal height, as many in a row as there are sizes."""
    pictures = [Image.open(path).convert("RGB") for path in paths]
    small = [one.resize((one.width * ROW // one.height, ROW), Image.Resampling.LANCZOS) for one in pictures]
    rows = [small[k : k + len(SIZES)] for k in range(0, len(small), len(SIZES))]
    sheet = Image.new("RGB", (max(sum(one.width for one in row) for row in rows), ROW * len(rows)))
    for k, row in enumerate(rows):
        left = 0
        for one in row:
            sheet.paste(one, (left, ROW * k))
            left += one.width
    return sheet


def main(folder: Path, presets: list[str]) -> None:
    """Takes the screenshots of these presets, or of all."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=list(OPTIONS))
        for preset in presets or preset_names():
            paths = [path for ground in ("hills", "stairs") for path in shots(browser, preset, ground, folder)]
            contact_sheet(paths).save(folder / f"{preset}.png")
            print(folder / f"{preset}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
