"""What is written in a figure, and where."""

from itertools import combinations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg


def assert_readable(figure):
    """Every text is within the figure, and none covers another."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = canvas.get_width_height()
    written = [(text.get_text(), text.get_window_extent()) for text in _texts(figure)]
    for words, box in written:
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, f"{words!r} is cut off"
    for (words, box), (others, other) in combinations(written, 2):
        assert not box.overlaps(other), f"{words!r} covers {others!r}"


def _texts(figure):
    found = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axes in figure.axes:
        found += [*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label]
        if hasattr(axes, "zaxis"):
            found.append(axes.zaxis.label)
            continue  # whose ticks' labels are placed as it is drawn
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            low, high = sorted(limits)
            slack = 1e-9 * (high - low)
            ticks = [tick for tick in axis.get_major_ticks() if low - slack <= tick.get_loc() <= high + slack]
            found += [tick.label1 for tick in ticks]
    return [
        text for text in found if text.get_visible() and text.get_text() and np.isfinite(text.get_window_extent().x0)
    ]
