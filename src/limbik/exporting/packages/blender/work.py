"""Operators that take a while: in the window they show progress and end with Esc, in scripts they run at once."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

from limbik import LimbikError

SLICE_SECONDS = 0.05  # of work between two redraws
TIMER_SECONDS = 0.01


class Work:
    """An operator whose `work` is a generator of fractions done, and changes the file in its last step only."""

    bl_options = {"REGISTER", "UNDO"}
    bl_label: str

    def work(self, context: Any) -> Generator[float, None, None]:
        """The work."""
        raise NotImplementedError

    def report(self, kind: set[str], text: str) -> None:
        """Tells the user; Blender's operators have it."""
        super().report(kind, text)  # pyright: ignore[reportAttributeAccessIssue]

    def execute(self, context):
        """All at once: in scripts, in the background, and where the operator is adjusted afterwards."""
        context.window_manager.progress_begin(0.0, 1.0)
        try:
            return self._advance(context, self.work(context), float("inf"))
        finally:
            self._end(context)

    def invoke(self, context, event):
        """Begins to work in slices."""
        manager = context.window_manager
        self._steps = self.work(context)
        self._timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.progress_begin(0.0, 1.0)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Works for a slice at each tick of the timer, until Esc."""
        result = None
        if event.type == "ESC":
            self._steps.close()
            self.report({"WARNING"}, "Cancelled: nothing has changed")
            result = {"CANCELLED"}
        elif event.type == "TIMER":
            result = self._advance(context, self._steps, time.monotonic() + SLICE_SECONDS)
        if result is None:
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self._timer)
        self._end(context)
        return result

    def _advance(self, context, steps, until):
        """Works until a time; the operator's result when it has ended, else None."""
        try:
            for done in steps:
                context.window_manager.progress_update(done)
                if context.workspace is not None:
                    context.workspace.status_text_set(f"{self.bl_label}: {done:.0%}. Esc cancels.")
                if time.monotonic() > until:
                    return None
        except LimbikError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def _end(self, context):
        context.window_manager.progress_end()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
