"""Events of viser's message buffers, which the studio's own thread sets while the server waits for them."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any


class MessageEvent(asyncio.Event):
    """An event that threads other than that of the event loop may set, if they have the loop set it afterwards.

    An `asyncio.Event` must not be set by another thread: the loop may begin to wait meanwhile, and then setting it
    fails ("deque mutated during iteration"), or wakes nobody. viser does that for every message, and then has the loop
    set the event again. Here another thread only leaves the flag, and the loop wakes those that wait.
    """

    def set(self) -> None:
        """Sets the flag; in a thread that runs an event loop, also wakes those that wait."""
        self._value = True
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        waiters: Any = self._waiters  # pyright: ignore[reportAttributeAccessIssue]
        for waiter in list(waiters):
            if not waiter.done():
                waiter.set_result(True)


@cache
def set_by_any_thread() -> None:
    """Gives viser's message buffers that are made from now on such events."""
    from viser.infra._async_message_buffer import AsyncMessageBuffer

    buffers: Any = AsyncMessageBuffer
    initialize = buffers.__init__

    def initialize_with_event(buffer: AsyncMessageBuffer, *args: Any, **options: Any) -> None:
        initialize(buffer, *args, **{"message_event": MessageEvent(), **options})

    buffers.__init__ = initialize_with_event
