"""`limbik studio`: the browser studio."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from limbik.cli.options import Flag

if TYPE_CHECKING:
    from limbik.studio.application import Studio

app = App(name="studio")

TabName = Literal["limb", "walk", "ground", "robot", "rig"]
HOST, PORT = "127.0.0.1", 8080


@app.default
def studio(
    file: Annotated[
        Path | None,
        Parameter(help="A clip (.bvh, .glb, .gltf), a creature (.toml), or a robot (.urdf, .xml)."),
    ] = None,
    *,
    tab: Annotated[
        TabName | None, Parameter(help="The tab to open first (default: the file's tab, else limb).")
    ] = None,
    room: Annotated[TabName | None, Parameter(show=False)] = None,  # the old name of --tab
    host: Annotated[
        str, Parameter(help="The address to listen on. With any other than 127.0.0.1, other machines can connect.")
    ] = HOST,
    port: Annotated[int, Parameter(help="The port to listen on; if in use, the next free one. 0: any port.")] = PORT,
    no_open: Annotated[Flag, Parameter(name="--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Drag limbs, robots and characters, steer creatures, put clips on terrain: in a web page. Ctrl-C stops it.

    `limbik studio walk.bvh` opens a clip to put it on terrain, with `--tab rig` to pose it; `limbik studio --tab walk`
    starts with a walking spider. The page is served by this machine.
    """
    from limbik.studio.application import tab_for

    tab = tab or room
    first = tab.title() if tab else tab_for(file) if file else "Limb"

    def prepare(studio: Studio) -> None:
        if file is not None:
            studio.open_file(file, first)
            studio.open_tab(first)

    serve(first, prepare, host=host, port=port, no_open=no_open)


def serve(
    tab: str, prepare: Callable[[Studio], None], *, host: str = HOST, port: int = PORT, no_open: bool = False
) -> None:
    """Runs a studio with a tab open until Ctrl-C. prepare: called with it before any page is."""
    from limbik.studio.application import Studio

    try:
        with Studio(host, port, tab) as running:
            prepare(running)
            if port not in (0, running.port):
                print(f"port {port} is in use; using {running.port}")
            print(f"limbik studio: {running.address} (Ctrl-C to stop)", flush=True)
            if not no_open and _has_display():
                import webbrowser

                webbrowser.open(running.address)
            running.run()
    except KeyboardInterrupt:  # the normal way to stop, whenever it comes
        print("\nlimbik studio: stopped")


def _has_display() -> bool:
    """Whether a graphical browser can open: a text browser would take over the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
