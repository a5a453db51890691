"""The web server of the studio: viser's, on the loopback unless told otherwise."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from limbik.errors import ArgumentError, MissingExtraError

if TYPE_CHECKING:
    from viser import ViserServer

EVERY_ADDRESS = ("0.0.0.0", "::")
BRAND = (0, 114, 178)


def started(host: str, port: int) -> ViserServer:
    """A server that runs: on a port, or on the next one that is free."""
    try:
        import viser
    except ImportError as error:
        raise MissingExtraError("limbik studio", "viser", "studio") from error
    _check(host, port)
    # Browsers open connections in advance and drop them; that is no fault, and nothing for the terminal.
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)
    with hushed():
        server = viser.ViserServer(host=host, port=port, label="limbik studio", verbose=False)
    # A share button would ask a server elsewhere to make this one public.
    server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BRAND, control_width="medium")
    server.gui.main_panel.dock_right()
    _refuse_strangers(server, host)
    server.scene.set_up_direction("+y")
    server.scene.world_axes.visible = False
    return server


def _refuse_strangers(server: ViserServer, host: str) -> None:
    """Lets in nobody but the studio's own page: any other page in the same browser could ask for a connection, too.

    viser has no word for this. A page says where it came from (Origin) and whom it means to ask (Host): both must be
    the same, and a name of this machine, lest a name elsewhere is made to point here.
    """
    own = {host, "localhost", "127.0.0.1", "::1"}
    connections = server._websock_server._live_connections

    async def check(client: Any) -> None:
        connection = connections[client.client_id]
        told = connection.request.headers if connection.request else {}
        asked = told.get("Host", "")
        origin = urlsplit(told.get("Origin", f"http://{asked}"))
        if origin.netloc != asked or not (host in EVERY_ADDRESS or origin.hostname in own):
            await connection.close(1008, "the studio answers its own page only")

    server._websock_server.on_client_connect(check)


@contextmanager
def hushed() -> Iterator[None]:
    """Keeps viser from saying that it starts and stops: whoever starts the studio says so."""
    with redirect_stdout(StringIO()):
        yield


def _check(host: str, port: int) -> None:
    """Without this viser would look for a port forever where an address is not this machine's."""
    if not 0 <= port < 1 << 16:
        raise ArgumentError("--port", port, "a number from 0 to 65535")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except OSError as error:
        raise ArgumentError("--host", host, f"an address of this machine, such as 127.0.0.1 ({error})") from None
