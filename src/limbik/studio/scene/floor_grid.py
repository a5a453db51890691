"""The level grid below limbs and robots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limbik.studio.scene.solids import rgb

if TYPE_CHECKING:
    from viser import GridHandle

    from limbik.studio.page.stage import Stage

SIDE, CELL, SECTION = 4.0, 0.1, 0.5  # metres
LINES = {False: ("#EEF0F2", "#D5DADF"), True: ("#26323B", "#46545F")}  # of cells and sections, by whether it is dark


class FloorGrid:
    """A grid in the scene. place: plane and position, as for viser's `add_grid`."""

    def __init__(self, stage: Stage, name: str, **place: Any) -> None:
        self._stage = stage
        self._grid: GridHandle = stage.scene.add_grid(name, SIDE, SIDE, cell_size=CELL, section_size=SECTION, **place)
        self.recolour()

    def show(self, visible: bool) -> None:
        self._grid.visible = visible

    def recolour(self) -> None:
        """Takes the colours that the studio has now."""
        self._grid.cell_color, self._grid.section_color = (rgb(colour) for colour in LINES[self._stage.dark])
