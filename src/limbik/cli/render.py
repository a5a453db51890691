"""`limbik render`: pictures and films of a clip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from limbik.cli.options import Animation, animation_of
from limbik.cli.running import progress, terminated

app = App(name="render")

View = Literal["three-quarter", "side", "front", "top"]


@app.default
def render(
    clip: Annotated[Path, Parameter(help="A file of motion: .bvh, .glb or .gltf.")],
    *,
    out: Annotated[Path, Parameter(help="A still (.png), a GIF (.gif) or a film (.mp4).")],
    terrain: Annotated[
        str | None,
        Parameter(help="What it walks on, such as slope:10, hills:height=0.3, or a file; else level ground."),
    ] = None,
    at: Annotated[float | None, Parameter(help="Of a still: seconds from the start; else the middle.")] = None,
    poses: Annotated[int, Parameter(help="Of a still: how many poses it shows, spread over the clip.")] = 1,
    fps: Annotated[float | None, Parameter(help="Frames a second; else 30, and 20 of a GIF.")] = None,
    size: Annotated[tuple[int, int], Parameter(help="Width and height, pixels.")] = (960, 540),
    view: Annotated[View, Parameter(help="Where from.")] = "three-quarter",
    animation: Animation = None,
) -> None:
    """Draw a clip on its ground: a still, a GIF or a film, on machines with no display and no GPU.

    limbik render walk.glb --terrain hills --out walk.mp4. A still of several poses shows motion on paper: limbik render
    walk.bvh --poses 5 --view side --out walk.png. Needs pip install 'limbik[video]'.
    """
    from limbik.files.clip_files import load
    from limbik.rendering import render as rendered

    motion = load(clip, animation=animation_of(animation))
    with terminated(), progress() as advance:
        rendered(
            out,
            motion,
            terrain,
            at=at,
            poses=poses,
            fps=fps,
            size=size,
            view=view,
            progress=lambda part: advance(round(100 * part), 100, "drawing"),
        )
    print(out)
