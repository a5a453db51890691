"""The studio's web server: viser's, listening on this machine only by default, for the studio's own pages."""

from __future__ import annotations

import logging
import socket
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from limbik import arguments
from limbik.errors import ArgumentError
from limbik.studio.page.viser_patches import check_version, refuse_requests, use_loop_events

if TYPE_CHECKING:
    from viser import ViserServer

EVERY_ADDRESS = ("0.0.0.0", "::")
MAX_PORT = (1 << 16) - 1


def start_server(host: str, port: int) -> ViserServer:
    """Starts a server at an address of this machine, on a port (0: any) or on the next free one."""
    check_version()
    import viser

    port = arguments.whole("port", port, 0, MAX_PORT)
    _check_host(host)
    # Browsers open connections in advance and drop them, which websockets logs as an error.
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)
    use_loop_events()
    with (
        redirect_stdout(StringIO()),
        refuse_requests(partial(is_own_request, listening=host)),
    ):  # viser prints its address
        server = viser.ViserServer(host=host, port=port, label="limbik studio", verbose=False)
    server.gui.main_panel.dock_right()
    server.scene.set_up_direction("+y")
    server.scene.world_axes.visible = False
    return server


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
