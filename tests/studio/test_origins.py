"""Requests from elsewhere: refused before the handshake, so that nothing they send arrives, and the studio goes on."""

import base64
import json
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.chromium import OPTIONS, chromium
from tests.optional import optional
from tests.patience import PATIENCE

optional("viser")

import msgspec  # noqa: E402
import viser  # noqa: E402
from viser import _messages as messages  # noqa: E402

from limbik.studio.page.server import is_own_request  # noqa: E402

from .visit import running, until  # noqa: E402

PROTOCOL = f"viser-v{viser.__version__}"
DRAG = messages.TransformControlsUpdateMessage("/limb/target", (1.0, 0.0, 0.0, 0.0), (0.1, -0.5, 0.2))
CONTENT = msgspec.msgpack.encode(DRAG.as_serializable_dict())
ATTACK = """
async ([address, protocol, content]) => {
    const attempt = () => new Promise(done => {
        const socket = new WebSocket(address, protocol);
        let opened = false;
        socket.onopen = () => { opened = true; socket.send(new Uint8Array(content)); socket.close(); };
        socket.onclose = () => done(opened);
    });
    return await Promise.all(Array.from({length: 3}, attempt));
}
"""
FRAMED = """<iframe sandbox="allow-scripts" srcdoc="<script>
    const attack = ATTACK;
    attack(WORDS).then(opened => parent.postMessage(opened, '*'));
</script>"></iframe><script>window.onmessage = event => { window.opened = event.data; }</script>"""


@pytest.fixture(scope="module")
def studio():
    with running("Limb") as studio:
        yield studio


@pytest.fixture
def arrived(studio):
    """The drags that have arrived at the studio."""
    found = []
    handlers = studio._server._websock_server._incoming_handlers[type(DRAG)]
    record = lambda client, message: found.append(message)  # noqa: E731
    handlers.append(record)
    yield found
    handlers.remove(record)


def sent_at_once(studio, host, origins=(), content=CONTENT):
    """The answer's first line to a client that asks for a websocket and sends a message without waiting for one."""
    lines = [
        *("GET / HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Sec-WebSocket-Protocol: {PROTOCOL}",
        *(f"Host: {one}" for one in host),
        *(f"Origin: {one}" for one in origins),
    ]
    size = bytes([0xFE]) + len(content).to_bytes(2, "big")  # masked, with the mask 0
    frames = (b"\x82" + size + bytes(4) + content) * 3
    with socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE) as wire:
        wire.sendall("\r\n".join([*lines, "", ""]).encode() + frames)
        return wire.makefile("rb").readline().decode()


FOREIGN = [  # Host and Origin, as {here} for the studio's own address
    (["{here}"], ["http://elsewhere.example"]),
    (["{here}"], ["http://127.0.0.1:1"]),
    (["{here}"], ["http://127.0.0.1"]),
    (["{here}"], ["null"]),
    (["{here}"], [""]),
    (["{here}"], ["file://"]),
    (["{here}"], ["http://{here}", "http://elsewhere.example"]),
    (["{here}"], ["http://{here}@elsewhere.example"]),
    (["{here}"], ["http://{here}.elsewhere.example"]),
    (["{here}"], ["http://[::1"]),
    (["rebound.example"], ["http://rebound.example"]),
    (["rebound.example:{port}"], ["http://rebound.example:{port}"]),
    (["127.0.0.1.rebound.example:{port}"], ["http://127.0.0.1.rebound.example:{port}"]),
    (["192.0.2.7:{port}"], ["http://192.0.2.7:{port}"]),
    (["rebound.example"], []),
    (["{here}", "rebound.example"], ["http://{here}"]),
    (["[::1"], []),
    ([""], []),
    ([], []),
]


@pytest.mark.parametrize(("hosts", "origins"), FOREIGN)
def test_what_a_foreign_page_sends_without_waiting_does_not_arrive(studio, arrived, hosts, origins):
    here = {"here": f"127.0.0.1:{studio.port}", "port": studio.port}
    hosts, origins = ([one.format(**here) for one in values] for values in (hosts, origins))
    assert sent_at_once(studio, hosts, origins).startswith("HTTP/1.1 403")
    assert arrived == []


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
@pytest.mark.parametrize("scheme", ["http", "https", None])  # with TLS behind a proxy; and a program that is no browser
def test_its_own_page_may_send(studio, arrived, name, scheme):
    host = f"{name}:{studio.port}"
    assert sent_at_once(studio, [host], [f"{scheme}://{host}"] * bool(scheme)).startswith("HTTP/1.1 101")
    until(lambda: len(arrived) == 3, "its messages")


@pytest.mark.parametrize(
    ("host", "status"), [("{here}", 200), ("rebound.example", 403), ("rebound.example:{port}", 403)]
)
def test_the_page_is_not_served_under_a_foreign_name(studio, host, status):
    host = host.format(here=f"127.0.0.1:{studio.port}", port=studio.port)
    with socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE) as wire:
        wire.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert wire.recv(100).startswith(f"HTTP/1.1 {status}".encode())


@pytest.mark.parametrize(
    ("listening", "host", "own"),
    [
        ("0.0.0.0", "192.168.1.20:8080", True),
        ("::", "[fe80::1]:8080", True),
        ("0.0.0.0", f"{socket.gethostname()}:8080", True),
        ("0.0.0.0", f"{socket.gethostname()}.local", True),
        ("0.0.0.0", "rebound.example:8080", False),
        ("192.168.1.20", "192.168.1.20:8080", True),
        ("192.168.1.20", "192.168.1.21:8080", False),
        ("desk.lan", "DESK.lan:8080", True),
        ("desk.lan", "desk.lan.rebound.example:8080", False),
        ("127.0.0.1", "127.0.0.2", True),
    ],
)
def test_which_names_are_the_machines_own(listening, host, own):
    assert is_own_request([host], [f"http://{host}"], listening) == own
    assert is_own_request([host], [], listening) == own


def test_sixty_connections_at_once_from_elsewhere_leave_it_usable(studio, arrived):
    here = f"127.0.0.1:{studio.port}"
    with ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(lambda _: sent_at_once(studio, [here], ["http://elsewhere.example"]), range(60)))
    assert all(answer.startswith("HTTP/1.1 403") for answer in answers)
    assert arrived == []
    sent_at_once(studio, [here], [f"http://{here}"])
    until(lambda: len(arrived) == 3, "its own page's messages")


def test_pages_of_other_origins_in_a_browser(browser, studio, arrived, tmp_path):
    """A page on another port, one in a frame without an origin, and one whose name comes to resolve to this machine."""
    words = [f"ws://127.0.0.1:{studio.port}/", PROTOCOL, list(CONTENT)]
    framed = FRAMED.replace("ATTACK", ATTACK).replace("WORDS", json.dumps(words).replace('"', "&quot;"))
    (tmp_path / "elsewhere.html").write_text("<p>elsewhere")
    (tmp_path / "framed.html").write_text(framed)
    options = [*OPTIONS, "--host-resolver-rules=MAP rebound.example 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=chromium(), args=options)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = other.new_page()
        page.set_default_timeout(1e3 * PATIENCE)
        page.goto(f"http://127.0.0.1:{server.server_port}/elsewhere.html")
        assert page.evaluate(ATTACK, words) == [False] * 3
        page.goto(f"http://127.0.0.1:{server.server_port}/framed.html")
        page.wait_for_function("window.opened")
        assert page.evaluate("window.opened") == [False] * 3
        page.goto(f"http://rebound.example:{server.server_port}/elsewhere.html")
        rebound = [f"ws://rebound.example:{studio.port}/", *words[1:]]
        assert page.evaluate(ATTACK, rebound) == [False] * 3
        assert page.goto(f"http://rebound.example:{studio.port}/").status == 403
        assert arrived == []
        page.goto(studio.address)
        assert page.evaluate(ATTACK, words) == [True] * 3
        until(lambda: arrived, "its own page's message")
        server.shutdown()
    other.close()
