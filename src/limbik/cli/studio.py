"""`limbik studio`: the browser studio."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from limbik.cli.options import Flag
from limbik.cli.running import terminated

app = App(name="studio")

HOST, PORT = "127.0.0.1", 8080


@app.default
def studio(
    file: Annotated[
        Path | None, Parameter(help="A clip (.bvh, .glb, .gltf) to put on the ground, or a creature (.toml) to walk.")
    ] = None,
    *,
    tab: Annotated[
        Literal["limb", "walk", "ground"] | None, Parameter(help="The tab to begin in; else the file's, or limb.")
    ] = None,
    host: Annotated[str, Parameter(help="The address to listen on. Any but 127.0.0.1 lets others in.")] = HOST,
    port: Annotated[int, Parameter(help="The port, or the next one that is free; 0 for any.")] = PORT,
    quiet: Annotated[Flag, Parameter(name="--no-open", help="Do not open the browser.")] = False,
) -> None:
    """Drag limbs, let creatures walk, put clips on the ground: a page on this machine, until Ctrl-C.

    limbik studio walk.bvh opens a clip, limbik studio --tab walk lets a spider walk.
    """
    from limbik.studio.application import Studio, tab_of

    first = tab.title() if tab else tab_of(file) if file else "Limb"
    with terminated(), Studio(host, port, first) as opened:
        if file is not None:
            opened.open_file(file)
            opened.open(first)
        if port not in (0, opened.port):
            print(f"port {port} is in use; {opened.port} is free")
        print(f"limbik studio: {opened.address} (Ctrl-C ends it)", flush=True)
        if not quiet and _has_a_screen():
            import webbrowser

            webbrowser.open(opened.address)
        try:
            opened.run()
        except KeyboardInterrupt:  # how it is meant to end
            print("\nlimbik studio: closed")


def _has_a_screen() -> bool:
    """Without one a browser would take the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
