"""The studio's web server: viser's, listening on this machine only by default."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from http import HTTPStatus
from io import StringIO
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from limbik import arguments
from limbik.errors import ArgumentError, MissingExtraError
from limbik.studio.page.message_events import set_by_any_thread
from limbik.studio.page.page_look import show_look

if TYPE_CHECKING:
    from viser import ViserServer
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

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
    with redirect_stdout(StringIO()), _own_requests_only(host):  # viser prints its address
        server = viser.ViserServer(host=host, port=port, label="limbik studio", verbose=False)
    server.gui.main_panel.dock_right()
    server.scene.set_up_direction("+y")
    server.scene.world_axes.visible = False
    show_look(server, dark=False)
    return server


@contextmanager
def _own_requests_only(host: str) -> Iterator[None]:
    """A server that viser starts meanwhile answers other requests than those for the studio with 403.

    viser has no such check, and does not hand out the server of websockets, which has one: `process_request`.
    """
    from websockets.asyncio import server as websockets_server

    serve = websockets_server.serve

    def serve_own(*given: Any, process_request: Any, **options: Any) -> Any:
        def process_own(connection: ServerConnection, request: Request) -> Response | None:
            headers = request.headers
            if not is_own_request(headers.get_all("Host"), headers.get_all("Origin"), host):
                return connection.respond(HTTPStatus.FORBIDDEN, "The studio answers its own page only.\n")
            return process_request(connection, request)

        return serve(*given, process_request=process_own, **options)

    websockets_server.serve = serve_own
    try:
        yield
    finally:
        websockets_server.serve = serve


def is_own_request(hosts: list[str], origins: list[str], listening: str) -> bool:
    """Whether a request comes from the studio's own page, or from a program that is no browser.

    hosts, origins: the values of the headers Host and Origin. listening: the host that the server listens on.

    Host must name this machine, or a foreign name could resolve to it (DNS rebinding). Browsers tell the page's Origin
    whenever they open a websocket; it must be the same host and port. Programs that are no browser tell none, and are
    let in: what runs on this machine can do more without the studio.
    """
    try:
        (host,) = hosts
        own = _names_this_machine(urlsplit(f"//{host}").hostname or "", listening)
        return own and all(urlsplit(origin).netloc == host for origin in origins)
    except ValueError:  # no Host, several, or a malformed one
        return False


def _names_this_machine(name: str, listening: str) -> bool:
    if name in (listening.lower(), "localhost"):
        return True
    everywhere = listening in EVERY_ADDRESS
    try:
        loopback = ip_address(name).is_loopback
    except ValueError:
        this = socket.gethostname().lower()
        return everywhere and name in (this, f"{this}.local")
    return loopback or everywhere  # an address cannot be made to resolve to another


def _check_host(host: str) -> None:
    """Raises if an address is not this machine's: viser would try one port after another for ever."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except (OSError, TypeError, UnicodeError) as error:
        wanted = f"an address of this machine, such as 127.0.0.1 ({error})"
        raise ArgumentError("host", arguments.shown(host), wanted) from None
