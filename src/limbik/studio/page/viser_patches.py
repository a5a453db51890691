"""What the studio changes in viser, which has no public way to refuse requests, to check messages or to limit uploads.

The patches rely on names that are not public, and would silently check nothing where those have changed: so the studio
runs with the one version of viser that they were written for.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import LimbikError, MissingExtraError

if TYPE_CHECKING:
    from viser import GuiInputHandle, ViserServer
    from viser import _messages as messages
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

    Handler = Callable[[Any, Any], Coroutine[Any, Any, None] | None]

VISER_VERSION = "1.1.1"
MAX_UPLOAD_BYTES = 64 << 20  # of all files on their way; about an hour of motion capture
MIN_PART_BYTES = 1 << 16  # of all parts of a file but the last; pages send 8 times as many
MAX_TEXT_CHARACTERS = 10_000
SLIDER_SLACK = 1e-6  # rounding of slider values, relative to the range
LOG = logging.getLogger("limbik.studio")


def check_version() -> None:
    """Raises where viser is missing, or another version than the patches were written for."""
    try:
        import viser
    except ImportError as error:
        raise MissingExtraError("limbik studio", "viser", "studio") from error
    if viser.__version__ != VISER_VERSION:
        found = (
            f"limbik studio runs with viser {VISER_VERSION} alone, whose messages it checks; found {viser.__version__}"
        )
        raise LimbikError(f"{found}: pip install 'limbik[studio]'")


@contextmanager
def refuse_requests(is_own: Callable[[list[str], list[str]], bool]) -> Iterator[None]:
    """A server that viser starts meanwhile answers foreign requests with 403, before the handshake of a websocket.

    viser does not hand out the server of websockets, which has a parameter for that: `process_request`.

    is_own: whether a request is the studio's own, by its values of the headers Host and Origin.
    """
    from websockets.asyncio import server as websockets_server

    serve = websockets_server.serve

    def serve_own(*given: Any, process_request: Any, **options: Any) -> Any:
        def process_own(connection: ServerConnection, request: Request) -> Response | None:
            headers = request.headers
            if not is_own(headers.get_all("Host"), headers.get_all("Origin")):
                return connection.respond(HTTPStatus.FORBIDDEN, "The studio answers its own page only.\n")
            return process_request(connection, request)

        return serve(*given, process_request=process_own, **options)

    websockets_server.serve = serve_own
    try:
        yield
    finally:
        websockets_server.serve = serve


class LoopEvent(asyncio.Event):
    """An event that is set by its loop alone; what other threads do is ignored.

    viser sets the event of a message buffer in the thread that sends a message, which an `asyncio.Event` does not allow
    ("deque mutated during iteration"), and then has the loop set it again, which is enough.
    """

    def set(self) -> None:
        """Sets the flag and wakes those that wait, in a thread that runs an event loop."""
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            super().set()


def use_loop_events() -> None:
    """Gives the message buffers that viser makes from now on such events."""
    from viser.infra import _infra
    from viser.infra._async_message_buffer import AsyncMessageBuffer

    class MessageBuffer(AsyncMessageBuffer):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            self.message_event = LoopEvent()

    internals: Any = _infra
    internals.AsyncMessageBuffer = MessageBuffer


def check_messages(server: ViserServer, refuse: Callable[[str, int], None]) -> None:
    """Puts a check in front of viser's handlers of the messages that the studio needs, and removes all others.

    viser assigns what a page sends without looking at it, and ends the connection where that fails. A page of this
    studio sends nothing malformed on purpose, but a field that was emptied is enough: such messages are logged and
    ignored. Among the handlers removed is that which makes the server public through a tunnel.

    refuse: called with the name and the size in bytes of each file that is too large, together with others on their
    way. It is called in the server's thread.
    """
    from viser import _messages as messages

    gui = server.gui
    controls, containers = gui._gui_input_handle_from_uuid, gui._container_handle_from_uuid
    uploads = gui._current_file_upload_states
    checks: dict[type[messages.Message], Callable[[Any], bool]] = {
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
    interface = server._websock_server
    interface.register_handler(messages.FileTransferStartUpload, _upload_limit(server, refuse))
    handlers: Any = interface._incoming_handlers
    for kind in list(handlers):
        handlers[kind] = [_checked_handler(handlers[kind], checks[kind])] if kind in checks else []


def _checked_handler(handlers: list[Handler], is_valid: Callable[[Any], bool]) -> Handler:
    async def handle(client: Any, message: Any) -> None:
        try:
            valid = is_valid(message)
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


def _upload_limit(server: ViserServer, refuse: Callable[[str, int], None]) -> Handler:
    """A handler that drops files which take more than the limit, after viser's own handler, before they are sent.

    viser stores uploads in memory. A transfer that is dropped is acknowledged as complete, or the page would wait for
    ever. That no more is sent than was announced is one of the checks.
    """
    from viser._messages import FileTransferPartAck

    uploads = server.gui._current_file_upload_states

    def limit(_: int, message: messages.FileTransferStartUpload) -> None:
        size = message.size_bytes
        if sum(upload["total_bytes"] for upload in uploads.values()) > MAX_UPLOAD_BYTES:
            uploads.pop(message.transfer_uuid, None)
            complete = FileTransferPartAck(message.source_component_uuid, message.transfer_uuid, size, size)
            server._websock_server.queue_message(complete)
            refuse(message.filename, size)

    return limit


def _is_control_update(message: messages.GuiUpdateMessage, controls: Mapping[str, Any]) -> bool:
    control = controls.get(message.uuid)
    if control is None:
        return True  # removed in the meantime; viser ignores it
    return not control.disabled and set(message.updates) == {"value"} and _is_value(control, message.updates["value"])


def _is_value(control: GuiInputHandle[Any], value: object) -> bool:
    """Whether a value is one that a page can set a control to."""
    options = getattr(control, "options", None)
    if options is not None:
        return isinstance(value, str) and value in options
    current = control.value
    if isinstance(current, bool):
        return isinstance(value, bool)
    if isinstance(current, str):
        return isinstance(value, str) and len(value) <= MAX_TEXT_CHARACTERS
    if isinstance(current, tuple):
        if not isinstance(value, list | tuple) or len(value) != len(current):
            return False
        return all(_is_number(control, one) for one in value)
    return isinstance(current, int | float) and _is_number(control, value)


def _is_number(control: GuiInputHandle[Any], value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        return False
    low, high = getattr(control, "min", None), getattr(control, "max", None)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return True
    slack = SLIDER_SLACK * (high - low)
    return low - slack <= value <= high + slack


def _is_pose(message: messages.TransformControlsUpdateMessage) -> bool:
    return _is_finite(message.position, 3) and _is_finite(message.wxyz, 4) and any(message.wxyz)


def _is_ray(message: messages.ScenePointerMessage | messages.SceneNodeClickMessage) -> bool:
    origin, direction = message.ray_origin, message.ray_direction
    return direction is not None and _is_finite(origin, 3) and _is_finite(direction, 3) and any(direction)


def _is_drag(message: messages.SceneNodeDragMessage) -> bool:
    return _is_finite(message.start_position, 3) and _is_finite(message.end_position, 3)


def _is_upload(message: messages.FileTransferStartUpload) -> bool:
    size, parts = message.size_bytes, message.part_count
    whole = isinstance(size, int) and isinstance(parts, int)
    return isinstance(message.filename, str) and whole and 0 <= parts <= 1 + size // MIN_PART_BYTES


def _is_part(message: messages.FileTransferPart, uploads: Mapping[str, Any]) -> bool:
    """Whether a part of a file has no more bytes than its page announced: viser keeps whatever it is sent."""
    upload = uploads.get(message.transfer_uuid)
    if upload is None:
        return True  # refused in the meantime; viser ignores it
    left = upload["total_bytes"] - upload["transferred_bytes"]
    return isinstance(message.content, bytes) and len(message.content) <= left


def _is_finite(vector: Sequence[float] | None, size: int) -> bool:
    return np.shape(vector or ()) == (size,) and bool(np.isfinite(np.asarray(vector, float)).all())
