"""Messages from pages: malformed ones are ignored with one line in the log, and all others are applied."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.optional import optional

optional("viser")

from viser import _messages as messages  # noqa: E402

from limbik.studio.application import Studio  # noqa: E402

NAN = float("nan")


@pytest.fixture(scope="module")
def studio():
    with Studio("127.0.0.1", 0, "Limb") as studio:
        yield studio


def send(studio, message):
    """Handles a message as if a page had sent it, and runs the jobs that it submits."""
    with ThreadPoolExecutor(1) as pool:  # in this thread playwright may have an event loop
        pool.submit(asyncio.run, studio._server._websock_server._handle_incoming_message(0, message)).result()
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


@pytest.mark.parametrize(("name", "size"), [(b"walk.bvh", 10), ("walk.bvh", -1), ("walk.bvh", "large")])
def test_malformed_uploads_are_ignored(studio, caplog, name, size):
    send(studio, messages.FileTransferStartUpload("no button", "transfer", name, "", 1, size))
    (line,) = caplog.messages  # one, though viser and the studio both handle uploads
    assert "malformed FileTransferStartUpload" in line
