"""The look of the pages: light or dark, in the colours of the pages that play clips."""

from __future__ import annotations

from html import escape
from pathlib import Path

from limbik.scenes.looks import colours
from limbik.studio.page.stage import Job, Stage
from limbik.studio.scene.sky import add_lights, show_sky

STYLE, SCRIPT = (Path(__file__).with_name(name) for name in ("page_look.css", "preferred_look.js"))
DARK_ORDER = 1e6  # of the control: below the tabs


class PageLook:
    """The checkbox that chooses the colours of all pages. The style expects the buttons of the tabs to be added next.

    A page whose browser prefers dark colours ticks it when it is opened. Style and script reach pages inside an HTML
    control, the script in the handler of an image that cannot be loaded: viser has no other way.
    """

    def __init__(self, stage: Stage, changed: Job) -> None:
        self._stage, self._changed = stage, changed
        add_lights(stage.scene)
        self._show()
        style, script = STYLE.read_text("utf-8"), escape(SCRIPT.read_text("utf-8"))
        stage.gui.add_html(
            f"<style data-limbik-look>{style}</style><img src='data:,' onerror='{script}' style='display:none'>"
        )
        hint = "Dark colours, on all pages. Browsers that prefer them choose them."
        self._dark = stage.gui.add_checkbox("Dark", False, hint=hint, order=DARK_ORDER)
        stage.on_change(self._choose, self._dark)

    def _choose(self) -> None:
        if self._dark.value != self._stage.dark:
            self._stage.dark = self._dark.value
            self._show()
            self._changed()

    def _show(self) -> None:
        """Gives panel and sky the colours of the light or the dark variant."""
        dark = self._stage.dark
        red, green, blue = (int(part) for part in colours(dark).accent)
        self._stage.gui.configure_theme(
            dark_mode=dark,
            show_logo=False,
            show_share_button=False,  # it would make this server public through another one
            brand_color=(red, green, blue),
            control_width="medium",
        )
        show_sky(self._stage.scene, dark)
