"""The studio as a whole: what a port in use does, how it ends, and what it leaves behind."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from limbik.errors import ArgumentError, ChoiceError
from tests.optional import optional
from tests.patience import PATIENCE

from .visit import running, until

optional("viser")
TABS = ("Limb", "Walk", "Ground", "Robot", "Rig")
# What a shell runs in the background is deaf to Ctrl-C, and so are its children, unless they are told to hear it.
STUDIO = """
import signal, sys
from limbik.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


def started(*words):
    """`limbik studio` in a process of its own, and the line that says where it is."""
    command = [sys.executable, "-c", STUDIO, "studio", "--no-open", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = []
    while not (lines and "http://" in lines[-1]):
        lines.append(process.stdout.readline())
        assert lines[-1], process.stderr.read()
    return process, "".join(lines)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_everything(ending, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process, told = started("--port", "0")
    port = int(re.search(r"http://127\.0\.0\.1:(\d+)", told)[1])
    socket.create_connection(("127.0.0.1", port)).close()
    until(lambda: any(tmp_path.glob("limbik-studio-*")), "its folder")
    process.send_signal(ending)
    _, faults = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 128 + signal.SIGTERM)
    assert faults == ""
    assert not any(tmp_path.glob("limbik-studio-*"))
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port)).close()


def test_ctrl_c_right_after_the_announcement_stops_it_too(monkeypatch, capsys):
    """Wherever in the command the interrupt arrives, it stops normally: here, while the browser is opened."""
    import webbrowser

    from limbik.cli import main
    from limbik.cli import studio as command

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_has_display", lambda: True)
    monkeypatch.setattr(webbrowser, "open", interrupt)
    assert main(["studio", "--port", "0"]) == 0
    told = capsys.readouterr()
    assert told.out.endswith("limbik studio: stopped\n") and told.err == ""


def test_a_port_in_use_is_reported_and_the_next_one_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process, told = started("--port", str(port))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert f"port {port} is in use" in told
    assert int(re.search(r"http://127\.0\.0\.1:(\d+)", told)[1]) > port


@pytest.mark.parametrize("words", [{"host": "203.0.113.7"}, {"host": "no such name."}, {"port": -1}, {"port": 1 << 16}])
def test_an_address_that_is_not_ours_is_refused(words):
    from limbik.studio.application import Studio

    with pytest.raises(ArgumentError):
        Studio(**{"host": "127.0.0.1", "port": 0, **words})


def test_a_tab_that_is_not_there_is_refused():
    from limbik.studio.application import Studio

    with pytest.raises(ChoiceError, match="Limb"):
        Studio("127.0.0.1", 0, "Attic")


def test_it_listens_on_the_loopback_alone():
    with running("Limb") as studio:
        table = Path("/proc/net/tcp").read_text()
        listening = [line.split()[1] for line in table.splitlines() if line.split()[3] == "0A"]
        assert f"0100007F:{studio.port:04X}" in listening
        assert f"00000000:{studio.port:04X}" not in listening


def test_a_tab_that_a_job_stops_takes_no_further_step(monkeypatch):
    from limbik.studio.application import MAX_FPS, Studio
    from limbik.studio.page.stage import Stage

    monkeypatch.setattr(Stage, "watched", True)
    with Studio("127.0.0.1", 0, "Walk") as studio:
        tab, states = studio.tab, []

        def stop():
            sleep(2.0 / MAX_FPS)  # the next frame is due
            tab._set_walking(False)
            states.append(tab.walker.state)
            studio.stop()

        studio.stage.jobs.submit(stop)
        studio.run()
        assert tab.walker.state is states[0]


def test_buttons_switch_between_tabs(visit):
    page = visit("Limb")
    stage = page.studio.stage
    views = {"Limb": np.array(stage.server.initial_camera.position)}
    for title in (*TABS[1:], *TABS):
        page.page.get_by_role("button", name=re.compile(rf"^(● )?{title}$")).click()
        until(lambda title=title: page.tab.title == title, f"the {title} tab")
        page.settle()
        view = np.array(stage.server.initial_camera.position)
        assert np.array_equal(view, views.setdefault(title, view))  # as it was when this tab was open before
        nodes = [stage.scene._handle_from_node_name[f"/{name.lower()}"] for name in TABS if name in page.studio._tabs]
        assert [node.visible for node in nodes].count(True) == 1
