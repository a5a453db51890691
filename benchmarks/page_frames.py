"""JavaScript time per frame of pages, in headless Chromium: `python benchmarks/page_frames.py`.

A page's callback of requestAnimationFrame is timed from start to end while a clip of 6 s plays with all overlays on.
That is the page's own JavaScript and its WebGL calls, which only record what the graphics processor has to do; what
that takes, which without a graphics card is much, is not counted. A small window keeps the software renderer from
holding up those calls.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import limbik

OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")
CREATURES = ("biped", "quadruped", "hexapod", "spider", "centipede")
WINDOW = {"width": 320, "height": 240}
SECONDS = 5.0
TIMED = """() => {
  window.spent = [];
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => ask((now) => {
    const start = performance.now();
    callback(now);
    window.spent.push(performance.now() - start);
  });
}"""


def main() -> None:
    """Prints a table: milliseconds of JavaScript per frame for each preset."""
    print("| creature | frames | median | 95 % | longest |\n| --- | --- | --- | --- | --- |")
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=list(OPTIONS))
        for creature in CREATURES:
            path = Path(folder) / f"{creature}.html"
            limbik.write_page(limbik.walk(creature, "hills", seconds=6), path)
            page = browser.new_page(viewport=WINDOW)
            page.add_init_script(f"({TIMED})()")
            page.goto(path.as_uri())
            page.locator("footer").wait_for()
            for box in page.locator("#overlays input").all():
                box.evaluate("box => box.checked || box.click()")
            page.evaluate("window.spent.length = 0")
            page.wait_for_timeout(1e3 * SECONDS)
            spent = np.array(page.evaluate("window.spent"))
            numbers = (np.median(spent), np.percentile(spent, 95), spent.max())
            print(f"| {creature} | {len(spent)} | " + " | ".join(f"{number:.2f} ms" for number in numbers) + " |")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
