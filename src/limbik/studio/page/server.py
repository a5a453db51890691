"""The studio's web server: viser's, listening on this machine only by default."""

from __future__ import annotations

import logging
import socket
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from limbik import arguments
from limbik.errors import ArgumentError, MissingExtraError
from limbik.studio.page.message_events import set_by_any_thread
from limbik.studio.page.page_look import show_look

if TYPE_CHECKING:
    from viser import ViserServer

EVERY_ADDRESS = ("0.0.0.0", "::")
LAST_PORT = (1 << 16) - 1


def start_server(host: str, port: int) -> ViserServer:
    """Starts a server at an address of this machine, on a port (0: any) or on the next free one."""
    try:
        import viser
    except ImportError as error:
        raise MissingExtraError("limbik studio", "viser", "studio") from error
    port = arguments.whole("port", port, 0, LAST_PORT)
    _check_host(host)
    # Browsers open connections in advance and drop them, which websockets logs as an error.
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)
    set_by_any_thread()
    with redirect_stdout(StringIO()):  # viser prints its address
        server = viser.ViserServer(host=host, port=port, label="limbik studio", verbose=False)
    server.gui.main_panel.dock_right()
    _refuse_other_origins(server, host)
    server.scene.set_up_direction("+y")
    server.scene.world_axes.visible = False
    show_look(server, dark=False)
    return server


def _refuse_other_origins(server: ViserServer, host: str) -> None:
    """Closes connections from pages other than the studio's own: any page in the same browser could open one.

    viser has no such check. The page's origin (Origin) must equal the requested host (Host), and be a name of this
    machine, lest a foreign name resolves to this address (DNS rebinding).
    """
    own = {host, "localhost", "127.0.0.1", "::1"}
    connections = server._websock_server._live_connections

    async def check(client: Any) -> None:
        connection = connections[client.client_id]
        headers = connection.request.headers if connection.request else {}
        requested = headers.get("Host", "")
        origin = urlsplit(headers.get("Origin", f"http://{requested}"))
        if origin.netloc != requested or not (host in EVERY_ADDRESS or origin.hostname in own):
            await connection.close(1008, "the studio accepts connections from its own page only")

    server._websock_server.on_client_connect(check)


def _check_host(host: str) -> None:
    """Raises if an address is not this machine's: viser would try one port after another for ever."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except (OSError, TypeError, UnicodeError) as error:
        wanted = f"an address of this machine, such as 127.0.0.1 ({error})"
        raise ArgumentError("host", arguments.shown(host), wanted) from None
