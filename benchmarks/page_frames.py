"""JavaScript time per frame of pages, in headless Chromium: `python benchmarks/page_frames.py`.

While a clip of 6 s plays with all overlays on, Chromium counts the processor time of the page's JavaScript, and each
callback of requestAnimationFrame is timed from start to end, which on a busy machine includes waiting. Both include
WebGL calls, which only record what the graphics processor has to do, but not what that takes, which without a graphics
card is much. A small window keeps the software renderer from holding up those calls.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from motion import CREATURES
from playwright.sync_api import sync_playwright
from report import machine, table

import limbik

OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")
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


def _script_seconds(devtools: Any) -> float:
    """The processor time that the page's JavaScript has taken so far, seconds."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration")


def main() -> None:
    """Prints a table: milliseconds of JavaScript per frame for each preset."""
    rows = []
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
            devtools = page.context.new_cdp_session(page)
            devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
            before = _script_seconds(devtools)
            page.wait_for_timeout(1e3 * SECONDS)
            used = _script_seconds(devtools) - before
            spent = np.array(page.evaluate("window.spent"))
            times = {
                "processor time, mean": f"{1e3 * used / len(spent):.2f} ms",
                "elapsed, median": f"{np.median(spent):.2f} ms",
            }
            rows.append({"creature": creature, "frames": len(spent), **times})
            page.close()
        browser.close()
    print(f"Measured on: {machine()}.\n\n{table(rows)}")


if __name__ == "__main__":
    main()
