"""Measures the curve alone, the time of a call over the number of targets, and updates docs/performance.md.

Run it from the root of a clone, on a quiet machine: python benchmarks/curve.py [LARGEST]
"""

import sys
from pathlib import Path

from limbik.bench.curve import curve_rows, curve_sizes
from limbik.bench.machine import machine, sentence
from limbik.bench.memory import usable
from limbik.bench.picture import draw_curve
from limbik.bench.report_tables import as_markdown, curve_table
from limbik.bench.timing import Effort

PAGE = Path("docs/performance.md")
PICTURE = Path("docs/pictures/curve.png")
PEERS = Path("benchmarks/peers")
BEGIN, END = "<!-- benchmarks/curve.py: begin -->", "<!-- benchmarks/curve.py: end -->"


def main(largest: int) -> None:
    """Measures, and writes the table and the picture."""
    report = {"machine": machine(), "curve": []}
    for dtype in ("float64", "float32"):
        for size in curve_sizes(largest):
            print(f"{dtype}, {size:,} targets", flush=True)
            report["curve"] += curve_rows(size, dtype, Effort(), PEERS, usable())
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    text = f"Measured on: {sentence(report['machine'])}.\n\n{as_markdown([curve_table(report)])}"
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")
    draw_curve(report, PICTURE)


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8)
