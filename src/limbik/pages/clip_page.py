"""A page that plays a clip: one HTML file with all that it needs inside."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from limbik.bodies.body_set import BodySet
from limbik.errors import FileError
from limbik.files.atomic_write import atomic_write
from limbik.files.gltf.body_reader import own_body
from limbik.pages.packed_bodies import packed_bodies
from limbik.pages.packed_motion import packed_ground, packed_motion
from limbik.pages.packing import Packer
from limbik.scenes import ground_patch, looks
from limbik.scenes.scene_clip import SceneClip
from limbik.skeleton.clip import Clip

VIEWER = Path(__file__).parent / "viewer"
SCRIPTS = ("vectors", "reading", "motion", "camera", "shaders", "webgl", "drawing", "timeline", "main")
SUFFIXES = (".html", ".htm")


def write_page(
    path: str | os.PathLike[str], clip: Clip, terrain: Any = None, *, title: str = "", compare: Clip | None = None
) -> None:
    """Writes a page that plays a clip, as `page_text` has it; the file appears whole or not at all."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise FileError(path, "", f"has the suffix {path.suffix!r}; pages are written as {', '.join(SUFFIXES)}")
    text = page_text(clip, terrain, title=title, compare=compare)
    with atomic_write(path) as file:
        file.write(text.encode())


def page_text(clip: Clip, terrain: Any = None, *, title: str = "", compare: Clip | None = None) -> str:
    """A page, HTML, that plays a clip in any browser with WebGL 2, and asks nobody for anything.

    The figure has the body of the glTF document that it came from, or else one of simple bones. Where the clip has
    contacts, planted feet are marked. More frames than 60 a second are left out, and of large crowds some more.

    Args:
        clip: the motion; a skeleton of several trees is a crowd.
        terrain: what it walks on: a Terrain or what `limbik.terrain` motions; its own, or level ground, unless told.
        title: the page's heading; the clip's name unless told.
        compare: the motion as it was before, shown as a ghost or beside.
    """
    packer = Packer()
    motions = [SceneClip.thinned("clip", clip)] + ([] if compare is None else [SceneClip.thinned("compare", compare)])
    size = motions[0].size
    positions = np.concatenate([motion.positions.reshape(-1, 3) for motion in motions])
    ground = ground_patch.ground_of(clip, terrain, positions, size)
    bodies, grid = BodySet(own_body), ground_patch.grid(size)
    content = {
        "size": size,
        "grid": grid,
        "heading": motions[0].heading,
        "about": f"{clip.duration:.1f} s at {clip.fps:g} fps · {_crowd(clip)} · squares of {grid:g} m",
        "motions": [packed_motion(packer, motion, bodies, ground) for motion in motions],
        "ground": packed_ground(packer, ground_patch.around(ground, positions, size, motions[0].radius), size),
    }
    content |= packed_bodies(packer, bodies.bodies)
    return _page(title or clip.name or "A clip", packer.finished(content))


def _crowd(clip: Clip) -> str:
    """Who is seen, in words."""
    roots, joints = len(clip.skeleton.roots), len(clip.skeleton)
    return f"{joints} joints" if roots == 1 else f"{roots} figures"


def _page(title: str, numbers: str) -> str:
    script = "\n".join([looks.script(), *((VIEWER / f"{name}.js").read_text("utf-8") for name in SCRIPTS)])
    style = "".join(path.read_text("utf-8") for path in (looks.STYLE, VIEWER / "style.css"))
    return Template((VIEWER / "page.html").read_text("utf-8")).substitute(
        title=escape(title),
        style=style,
        script=script,
        numbers=numbers,
    )
