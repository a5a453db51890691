"""Keys that pages hold to steer, W A S D or the arrows."""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from limbik.studio.page.stage import Job, Stage

if TYPE_CHECKING:
    from viser import ClientHandle, CommandEvent

Key = Literal["W", "A", "S", "D"]
SCRIPT = Path(__file__).with_name("held_keys.js")
LABELS: dict[Key, str] = {"W": "ahead", "S": "back", "A": "left", "D": "right"}


class HeldKeys:
    """Which keys are held on any page while the folder that is open now is shown.

    The script reaches the pages inside an HTML control, in the handler of an image that cannot be loaded: viser has no
    other way to run one.
    """

    def __init__(self, stage: Stage, changed: Job) -> None:
        self._held: set[tuple[int, Key]] = set()
        self._stage, self._changed = stage, changed
        script = escape(SCRIPT.read_text("utf-8"))
        stage.gui.add_html(f"<img data-limbik-held-keys src='data:,' onerror='{script}' style='display:none'>")
        for key, label in LABELS.items():
            begin = stage.gui.add_command(f"Steer {label}", hotkey=key, modifier="cmd/ctrl+alt")
            end = stage.gui.add_command(f"Stop steering {label}", hotkey=key, modifier="cmd/ctrl+alt+shift")
            begin.on_trigger(partial(self._told, key, True))
            end.on_trigger(partial(self._told, key, False))
        stage.server.on_client_disconnect(self._left)

    @property
    def ahead(self) -> float:
        """1 for ahead, -1 for back, 0 for neither or both."""
        return float(self._is_held("W")) - float(self._is_held("S"))

    @property
    def left(self) -> float:
        """1 for left, -1 for right, 0 for neither or both."""
        return float(self._is_held("A")) - float(self._is_held("D"))

    def __bool__(self) -> bool:
        return bool(self._held)

    def _is_held(self, key: Key) -> bool:
        return any(held == key for _, held in self._held)

    def _told(self, key: Key, down: bool, event: CommandEvent) -> None:
        if event.client_id is not None:
            self._stage.jobs.submit(partial(self._set, event.client_id, key, down))

    def _set(self, client: int, key: Key, down: bool) -> None:
        (self._held.add if down else self._held.discard)((client, key))
        self._changed()

    def _left(self, client: ClientHandle) -> None:
        """A page that is gone holds nothing."""
        self._stage.jobs.submit(partial(self._forget, client.client_id))

    def _forget(self, client: int) -> None:
        self._held = {(other, key) for other, key in self._held if other != client}
