"""Checks of the messages that pages send: malformed ones are logged and ignored, before viser applies them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.studio.page.stage import LOG

if TYPE_CHECKING:
    from viser import ViserServer

LONGEST_TEXT = 10_000  # characters
SMALLEST_PART = 1 << 16  # bytes of all parts of a file but the last; pages send 8 times as many
SLACK = 1e-6  # rounding of slider values, relative to the range


def check_messages(server: ViserServer) -> None:
    """Puts a check in front of viser's handlers of the messages that the studio needs, and removes all others.

    viser assigns what a page sends without looking at it, and ends the connection where that fails. A page of this
    studio sends nothing malformed on purpose, but a field that was emptied is enough. Among the handlers removed is
    that which makes the server public through a tunnel.
    """
    from viser import _messages as messages

    gui = server.gui
    controls, containers = gui._gui_input_handle_from_uuid, gui._container_handle_from_uuid
    uploads = gui._current_file_upload_states
    checks: dict[type, Callable[[Any], bool]] = {
        messages.GuiUpdateMessage: lambda message: _is_control_update(message, controls),
        messages.GuiFormDirtyMessage: lambda message: message.uuid in containers,
        messages.GuiFormSubmitMessage: lambda message: message.uuid in containers,
        messages.CommandTriggerMessage: lambda message: isinstance(message.uuid, str),
        messages.TransformControlsDragStartMessage: lambda message: isinstance(message.name, str),
        messages.TransformControlsUpdateMessage: _is_pose,
        messages.TransformControlsDragEndMessage: lambda message: isinstance(message.name, str),
        messages.FileTransferStartUpload: _is_upload,
        messages.FileTransferPart: lambda message: _is_part(message, uploads),
        messages.ScenePointerMessage: lambda message: message.event_type == "click" and _is_ray(message),
        messages.SceneNodeClickMessage: _is_ray,
        messages.SceneNodeDragMessage: _is_drag,
    }
    handlers: Any = server._websock_server._incoming_handlers  # private, but viser has no other door
    for kind in list(handlers):
        handlers[kind] = [_checked(handlers[kind], checks[kind])] if kind in checks else []


def _checked(handlers: list[Callable[[Any, Any], Any]], check: Callable[[Any], bool]) -> Callable[[Any, Any], Any]:
    async def handle(client: Any, message: Any) -> None:
        try:
            valid = check(message)
        except (TypeError, ValueError, AttributeError, OverflowError):
            valid = False
        if not valid:
            LOG.warning("ignored a malformed %s from a page", type(message).__name__)
            return
        for handler in handlers:
            result = handler(client, message)
            if inspect.isawaitable(result):
                await result

    return handle


def _is_control_update(message: Any, controls: Mapping[str, Any]) -> bool:
    control = controls.get(message.uuid)
    if control is None:
        return True  # removed in the meantime; viser ignores it
    return not control.disabled and set(message.updates) == {"value"} and _is_value(control, message.updates["value"])


def _is_value(control: Any, value: Any) -> bool:
    """Whether a value is one that a page can set a control to."""
    options = getattr(control, "options", None)
    if options is not None:
        return isinstance(value, str) and value in options
    current = control.value
    if isinstance(current, bool):
        return isinstance(value, bool)
    if isinstance(current, str):
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    if isinstance(current, tuple):
        same_size = isinstance(value, list | tuple) and len(value) == len(current)
        return same_size and all(_is_number(control, one) for one in value)
    return isinstance(current, int | float) and _is_number(control, value)


def _is_number(control: Any, value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        return False
    low, high = getattr(control, "min", None), getattr(control, "max", None)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return True
    slack = SLACK * (high - low)
    return low - slack <= value <= high + slack


def _is_pose(message: Any) -> bool:
    return _is_finite(message.position, 3) and _is_finite(message.wxyz, 4) and any(message.wxyz)


def _is_ray(message: Any) -> bool:
    ray = message.ray_origin, message.ray_direction
    return _is_finite(ray[0], 3) and _is_finite(ray[1], 3) and any(ray[1])


def _is_drag(message: Any) -> bool:
    return _is_finite(message.start_position, 3) and _is_finite(message.end_position, 3)


def _is_upload(message: Any) -> bool:
    size, parts = message.size_bytes, message.part_count
    whole = isinstance(size, int) and isinstance(parts, int)
    return isinstance(message.filename, str) and whole and 0 <= parts <= 1 + size // SMALLEST_PART


def _is_part(message: Any, uploads: Mapping[str, Any]) -> bool:
    """Whether a part of a file has no more bytes than its page announced: viser keeps whatever it is sent."""
    upload = uploads.get(message.transfer_uuid)
    if upload is None:
        return True  # refused in the meantime; viser ignores it
    left = upload["total_bytes"] - upload["transferred_bytes"]
    return isinstance(message.content, bytes) and len(message.content) <= left


def _is_finite(vector: Sequence[float], size: int) -> bool:
    return np.shape(vector) == (size,) and bool(np.isfinite(np.asarray(vector, float)).all())
