"""Messages may be sent from any thread: the server's event loop wakes up, and nothing fails."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("viser")

from limbik.studio.page.message_events import MessageEvent
from limbik.studio.page.server import start_server


def run(main):
    """Runs a coroutine in a thread of its own: that of the tests may have an event loop, of the browser."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(main())).result(60)


def test_an_event_that_another_thread_sets_while_the_loop_begins_to_wait():
    """The loop waits and stops waiting all the time, as one that serves pages does."""
    failures, done = [], threading.Event()

    def send(event, loop):
        while not done.is_set():
            try:
                event.set()
                loop.call_soon_threadsafe(event.set)
            except RuntimeError as error:
                failures.append(repr(error))

    async def serve():
        event = MessageEvent()
        thread = threading.Thread(target=send, args=(event, asyncio.get_running_loop()))
        thread.start()
        try:
            for _ in range(500):
                others = [asyncio.ensure_future(event.wait()) for _ in range(20)]
                await asyncio.wait_for(event.wait(), 20)
                event.clear()
                for one in others:
                    one.cancel()
        finally:
            done.set()
            thread.join()

    run(serve)
    assert failures == []


def test_an_event_that_another_thread_sets_wakes_nobody_before_the_loop_does():
    async def wait():
        event = MessageEvent()
        waiting = asyncio.ensure_future(event.wait())
        await asyncio.sleep(0)
        thread = threading.Thread(target=event.set)
        thread.start()
        thread.join()
        assert event.is_set() and not waiting.done()
        event.set()
        assert await waiting

    run(wait)


def test_the_studios_server_has_such_events():
    server = start_server("127.0.0.1", 0)
    try:
        assert type(server._websock_server._broadcast_buffer.message_event) is MessageEvent
    finally:
        server.stop()
