"""`limbik render`: pictures and films of a clip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from limbik.cli.options import Animation, Overwrite, animation_of, refuse_existing
from limbik.cli.running import progress

app = App(name="render")

View = Literal["three-quarter", "side", "front", "top"]


@app.default
def render(
    clip: Annotated[Path, Parameter(help="Motion file: .bvh, .glb or .gltf.")],
    *,
    out: Annotated[Path, Parameter(help="Output file: a still (.png), a GIF (.gif) or a film (.mp4).")],
    terrain: Annotated[
        str | None,
        Parameter(
            help="Ground: slope:10 (degrees), stairs:rise=0.17,run=0.3, hills:height=0.3 or a file"
            " (default: the terrain in the file, else a plane)."
        ),
    ] = None,
    at: Annotated[float | None, Parameter(help="Time of a still in seconds (default: middle of the clip).")] = None,
    poses: Annotated[int, Parameter(help="Number of poses in a still, spread evenly over the clip.")] = 1,
    fps: Annotated[
        float | None, Parameter(help="Frames per second of a GIF or film (default: 20 for a GIF, 30 for a film).")
    ] = None,
    size: Annotated[tuple[int, int], Parameter(help="Width and height in pixels.")] = (960, 540),
    view: Annotated[View, Parameter(help="Direction of the camera.")] = "three-quarter",
    animation: Animation = None,
    overwrite: Overwrite = False,
) -> None:
    """Render a clip to a still, a GIF or a film, without a display or a GPU.

    Needs Pillow and imageio-ffmpeg: pip install 'limbik[video]'.

    Examples: limbik render walk.glb --out walk.mp4; several poses in one still: limbik render walk.bvh
    --poses 5 --view side --out walk.png
    """
    from limbik.files.clip_files import load
    from limbik.files.file_limits import known_suffix
    from limbik.rendering.films import SUFFIXES, WRITTEN_AS
    from limbik.rendering.films import render as render_clip

    known_suffix(out, SUFFIXES, WRITTEN_AS)
    refuse_existing(out, overwrite)
    motion = load(clip, animation=animation_of(animation))
    with progress() as advance:
        render_clip(
            motion,
            out,
            terrain,
            at=at,
            poses=poses,
            fps=fps,
            size=size,
            view=view,
            progress=lambda part: advance(round(100 * part), 100, "drawing"),
        )
    print(out)
