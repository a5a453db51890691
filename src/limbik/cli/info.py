"""`limbik info`: shows the contents of clip files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from limbik.cli.options import Animation, Flag, animation_of
from limbik.cli.running import reason, status_of, tell
from limbik.errors import ArgumentError, LimbikError

app = App(name="info")


@app.default
def info(
    *files: Annotated[Path, Parameter(help="Clips: .bvh, .glb, .gltf, .vrm, .vrma.")],
    animation: Animation = None,
    every: Annotated[Flag, Parameter(name="--all", help="Show every joint and animation.")] = False,
    as_json: Annotated[Flag, Parameter(name="--json", help="Print one JSON object per file and line.")] = False,
) -> int:
    """Show what clips contain: joints, animations, frames, units, limbs, bone lengths.

    A file that cannot be read is reported and does not stop the others; the exit status is then 2.
    """
    from limbik.cli.clip_contents import clip_contents, print_clip
    from limbik.files.clip_files import load

    if not files:
        raise ArgumentError("FILES", "nothing", "clips: .bvh, .glb, .gltf, .vrm, .vrma")
    status = 0
    for number, path in enumerate(files):
        try:
            clip = load(path, animation=animation_of(animation))
            found = clip_contents(path, clip)
        except (LimbikError, OSError) as error:
            status = max(status, status_of(error))
            tell(reason(error, path))
            if as_json:
                print(json.dumps({"file": str(path), "error": reason(error, path)}))
            continue
        if as_json:
            print(json.dumps(found))
        else:
            print(end="\n" if number else "")
            print_clip(found, clip, every)
    return status
