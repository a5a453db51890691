"""Messages from pages: malformed ones are ignored with one line in the log, and all others are applied."""

import asyncio
import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

from tests.optional import optional

optional("viser")

from viser import _messages as messages  # noqa: E402

from limbik.errors import FileError, LimbikError  # noqa: E402
from limbik.studio.application import Studio  # noqa: E402
from limbik.studio.page.viser_patches import MAX_UPLOAD_BYTES, MIN_PART_BYTES, LoopEvent  # noqa: E402

NAN = float("nan")


@pytest.fixture(scope="module")
def studio():
    with Studio("127.0.0.1", 0, "Limb") as studio:
        yield studio


def run(coroutine):
    """Runs a coroutine in a thread of its own: in that of the tests playwright may have an event loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result(60)


def send(studio, message):
    """Handles a message as if a page had sent it, and runs the jobs that it submits."""
    run(studio._server._websock_server._handle_incoming_message(0, message))
    for job in studio.stage.jobs.take(0.0):
        job()


def update(control, value, name="value"):
    return messages.GuiUpdateMessage(control._impl.uuid, {name: value})


@pytest.mark.parametrize(
    ("wxyz", "position"),
    [
        ((1.0, 0.0, 0.0, 0.0), (0.1, -0.5)),
        ((1.0, 0.0, 0.0, 0.0), (0.1, -0.5, NAN)),
        ((1.0, 0.0, 0.0, 0.0), "abc"),
        ((1.0, 0.0, 0.0, 0.0), None),
        ((1.0, 0.0, 0.0), (0.1, -0.5, 0.2)),
        ((0.0, 0.0, 0.0, 0.0), (0.1, -0.5, 0.2)),
        ((1.0, float("inf"), 0.0, 0.0), (0.1, -0.5, 0.2)),
        ("quat", ("x", "y", "z")),
    ],
)
def test_malformed_gizmo_poses_are_ignored(studio, caplog, wxyz, position):
    tab = studio.tab
    pose, solution = (tab._gizmo.position, tab._gizmo.wxyz), tab.solution
    with caplog.at_level(logging.WARNING):
        send(studio, messages.TransformControlsUpdateMessage("/limb/target", wxyz, position))
    assert np.array_equal(tab._gizmo.position, pose[0]) and np.array_equal(tab._gizmo.wxyz, pose[1])
    assert tab.solution is solution
    (line,) = caplog.messages
    assert "malformed TransformControlsUpdateMessage" in line and "\n" not in line


@pytest.mark.parametrize("bad", [(0.0, NAN, 0.0), (0.0, 1.0), "abc", None])
def test_clicks_and_drags_without_a_place_are_ignored(studio, caplog, bad):
    place, screen = (0.0, 0.0, 0.0), (0.5, 0.5)
    with caplog.at_level(logging.WARNING):
        send(studio, messages.SceneNodeClickMessage("/ring", None, place, bad, screen, None))
        send(studio, messages.SceneNodeDragMessage("update", "/ring", None, place, screen, bad, screen, "left", None))
    assert ["malformed SceneNode" in line for line in caplog.messages] == [True, True]


def test_good_gizmo_poses_are_applied(studio):
    send(studio, messages.TransformControlsUpdateMessage("/limb/target", (0.0, 1.0, 0.0, 0.0), (0.1, -0.7, 0.2)))
    assert np.array_equal(studio.tab._gizmo.position, (0.1, -0.7, 0.2))


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("bend", "+1", ["0", 1, None, ["+1"]]),
        ("kind_field", "arm (two links)", ["leg", ""]),
        ("hinted", True, [1, "yes", None]),
        ("target_field", [0.1, -0.6, 0.2], [[0.1, -0.6], [0.1, "", 0.2], [0.1, NAN, 0.2], 3.0, "abc"]),
        ("stretch", 1.2, [0.9, 1e9, NAN, "1.2", None, [1.2]]),
        ("middle_limits", [20.0, 90.0], [[20.0], [-30.0, 90.0], [20.0, NAN], None]),
    ],
)
def test_malformed_values_of_controls_are_ignored_and_others_applied(studio, caplog, name, good, bad):
    control = getattr(studio.tab._controls, name)
    before = control.value
    for value in bad:
        send(studio, update(control, value))
        assert control.value == before, value
    send(studio, update(control, good, "visible"))
    assert len(caplog.messages) == len(bad) + 1
    send(studio, update(control, good))
    assert control.value == (tuple(good) if isinstance(good, list) else good)
    send(studio, update(control, before))


@pytest.mark.parametrize("kind", [messages.ShareUrlRequest, messages.ShareUrlDisconnect])
def test_no_message_makes_the_studio_public(studio, monkeypatch, kind):
    called = []
    for name in ("request_share_url", "disconnect_share_url"):
        monkeypatch.setattr(studio._server, name, lambda: called.append(kind))
    monkeypatch.setattr(studio._server._thread_executor, "submit", lambda job: called.append(job) or Future())
    send(studio, kind())
    assert called == []


def test_what_the_studio_does_not_need_is_not_handled(studio):
    needed = {
        *("GuiUpdateMessage", "GuiFormDirtyMessage", "GuiFormSubmitMessage", "CommandTriggerMessage"),
        *("TransformControlsUpdateMessage", "TransformControlsDragStartMessage", "TransformControlsDragEndMessage"),
        *("ScenePointerMessage", "SceneNodeClickMessage", "SceneNodeDragMessage"),
        *("FileTransferStartUpload", "FileTransferPart"),
    }
    handlers = studio._server._websock_server._incoming_handlers
    assert {kind.__name__ for kind, handled in handlers.items() if handled} == needed


@pytest.fixture
def uploading(studio):
    """Announces an upload of some bytes in some parts with a button, and returns viser's record of it."""
    button = studio.stage.gui.add_upload_button("Upload")
    uploads = studio.stage.gui._current_file_upload_states

    def announce(size, parts, name="transfer"):
        send(studio, messages.FileTransferStartUpload(button._impl.uuid, name, "walk.bvh", "", parts, size))
        return uploads.get(name)

    yield announce
    button.remove()
    uploads.clear()


def test_an_upload_may_not_send_more_than_it_announced(studio, uploading, caplog):
    upload = uploading(100, 1 + 100 // MIN_PART_BYTES)
    send(studio, messages.FileTransferPart(None, "transfer", 0, bytes(101)))
    assert upload["parts"] == {}
    upload = uploading(3 * MIN_PART_BYTES, 3)
    for k, content in enumerate([bytes(2 * MIN_PART_BYTES), bytes(MIN_PART_BYTES + 1), "text", None]):
        send(studio, messages.FileTransferPart(None, "transfer", min(k, 1), content))
    assert upload["transferred_bytes"] == 2 * MIN_PART_BYTES and list(upload["parts"]) == [0]
    assert uploading(100, 50) is upload  # parts of two bytes each: a record of each takes more
    assert [line.split()[2:4] for line in caplog.messages] == [["malformed", "FileTransferPart"]] * 4 + [
        ["malformed", "FileTransferStartUpload"]
    ]


def test_uploads_on_their_way_share_a_limit(studio, uploading, monkeypatch):
    for k in range(4):
        assert uploading(MAX_UPLOAD_BYTES // 4, 4, f"transfer {k}")
    monkeypatch.setattr(studio.stage.jobs, "take", lambda timeout: [])
    assert uploading(1, 1, "one more") is None
    monkeypatch.undo()
    for job in studio.stage.jobs.take(0.0):
        with pytest.raises(FileError, match="the limit is 64 MB for all files"):
            job()


@pytest.mark.parametrize(("name", "size"), [(b"walk.bvh", 10), ("walk.bvh", -1), ("walk.bvh", "large")])
def test_malformed_uploads_are_ignored(studio, caplog, name, size):
    send(studio, messages.FileTransferStartUpload("no button", "transfer", name, "", 1, size))
    (line,) = caplog.messages  # one, though viser and the studio both handle uploads
    assert "malformed FileTransferStartUpload" in line


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
        event = LoopEvent()
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

    run(serve())
    assert failures == []


def test_an_event_that_another_thread_sets_wakes_nobody_before_the_loop_does():
    async def wait():
        event = LoopEvent()
        waiting = asyncio.ensure_future(event.wait())
        await asyncio.sleep(0)
        thread = threading.Thread(target=event.set)
        thread.start()
        thread.join()
        assert not waiting.done()
        event.set()
        assert await waiting

    run(wait())


def test_the_studios_server_has_such_events(studio):
    assert isinstance(studio._server._websock_server._broadcast_buffer.message_event, LoopEvent)


def test_another_version_of_viser_is_refused(monkeypatch):
    """The checks rely on names that are not public: with others they would check nothing."""
    monkeypatch.setattr("viser.__version__", "9.9.9")
    with pytest.raises(LimbikError, match=r"viser 1\.1\.1 .* found 9\.9\.9"):
        Studio("127.0.0.1", 0)
