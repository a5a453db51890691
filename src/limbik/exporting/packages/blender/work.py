"""Operators that take a while: in the window they show progress and end with Esc, in scripts they run at once."""

from __future__ import annotations

import time
from collections.abc import Iterator

from limbik import LimbikError

SLICE_SECONDS = 0.05  # of work between two redraws
TIMER_SECONDS = 0.01


class Work:
    """An operator whose `work` is a generator of fractions done. It changes the file in its last step only."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012  Blender reads it

    def work(self, context) -> Iterator[float]:
        """What the operator does; yields how much of it is done, from 0 to 1."""
        raise NotImplementedError

    def execute(self, context):
        """All at once: in scripts, in the background, and where the operator is adjusted afterwards."""
        context.window_manager.progress_begin(0.0, 1.0)
        try:
            return self._advance(context, self.work(context), float("inf")) or {"FINISHED"}
        finally:
            context.window_manager.progress_end()

    def invoke(self, context, event):
        """Begins to work in slices."""
        if context.window is None:
            return self.execute(context)
        manager = context.window_manager
        self._steps = self.work(context)
        self._timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.progress_begin(0.0, 1.0)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Works for a slice at each tick of the timer, until Esc."""
        if event.type == "ESC":
            self._steps.close()
            self._end(context)
            self.report({"WARNING"}, "Cancelled: nothing has changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        result = self._advance(context, self._steps, time.monotonic() + SLICE_SECONDS)
        if result is None:
            return {"RUNNING_MODAL"}
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
        finally:
            if context.workspace is not None and until == float("inf"):
                context.workspace.status_text_set(None)
        return {"FINISHED"}

    def _end(self, context):
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
