"""A page that plays a clip: one self-contained HTML file."""

from __future__ import annotations

import os
import re
from html import escape
from pathlib import Path
from string import Template

import numpy as np

from limbik.bodies.body_set import BodySet
from limbik.errors import ArgumentError, as_unicode
from limbik.exporting.creatures.javascript import walk_script
from limbik.files.atomic_write import atomic_write
from limbik.files.clip_files import as_clip
from limbik.files.gltf.body_reader import own_body
from limbik.gait.creature import Creature
from limbik.gait.creature import creature as creature_of
from limbik.gait.joint_layout import JointLayout
from limbik.grounding.ground import Grounded
from limbik.pages.packing import Packer, pack_bodies, pack_ground, pack_motion
from limbik.retargeting.retarget import Retargeted
from limbik.scenes import ground_patch, looks
from limbik.scenes.scene_clip import SceneClip, clip_and_path
from limbik.skeleton.clip import Clip
from limbik.terrains.specs import TerrainLike

VIEWER = Path(__file__).parent / "viewer"
SCRIPTS = (
    *("vectors", "reading", "motion", "camera", "shaders", "webgl", "heights", "overlays", "drawing"),
    *("timeline", "readouts", "saving", "keys", "surface", "driving", "main"),
)
SUFFIXES = (".html", ".htm")
GROUNDED, RETARGETED = ("After", "Before"), ("Result", "Source")  # what is compared on a page
COMMENT_LINE = re.compile(r"^ *(//.*|/\*\*.*\*/)\n", re.MULTILINE)  # left out of the scripts: a sixth of them


def write_page(
    clip: Clip | str | os.PathLike[str],
    path: str | os.PathLike[str],
    terrain: TerrainLike | None = None,
    *,
    title: str = "",
    compare: Clip | str | os.PathLike[str] | None = None,
    creature: str | os.PathLike[str] | Creature | None = None,
) -> None:
    """Writes a page, one HTML file, that plays a clip offline in any browser with WebGL 2.

    Figures have the body of the glTF file that they were loaded from, else the clip's own (`clip.body`), else they are
    mannequins, or bones where they are not human. Planted feet are marked where the clip has contacts, and while a
    figure of a walk is blocked the page says so. Pages play at most 60 frames a second, and fewer for large crowds. An
    existing file is replaced; the new one appears complete or not at all.

    Args:
        clip: The motion, or the path of a file to load; a skeleton of several trees is a crowd.
        path: The page to write, .html or .htm.
        terrain: The ground: a Terrain or whatever `limbik.terrain` accepts (default: the clip's own, else a plane).
        title: The page's heading (default: the clip's name).
        compare: A second motion, shown as a ghost or beside the first.
        creature: Of a walk of one creature: that creature, as for `limbik.walk`. The page then contains its walk, too,
            and whoever opens it steers the creature over its ground.

    Raises:
        ArgumentError: The clip is not of that creature, or an argument cannot be used.
        FileError: The file cannot be written, or its suffix is another one.
    """
    clip, path, _ = clip_and_path(clip, path, SUFFIXES, "pages are written as")
    other = None if compare is None else as_clip(compare, "compare")
    text = page_text(clip, terrain, title=title, compare=other, creature=creature)
    with atomic_write(path) as file:
        file.write(text.encode())


def write_grounded_page(grounded: Grounded, path: Path) -> None:
    """Writes a page of a grounded clip on its terrain, beside the clip that it came from."""
    write_page(grounded.clip, path, compare=grounded.before_on_terrain)


def write_retargeted_page(result: Retargeted, path: Path) -> None:
    """Writes a page of a motion on its new figure, with the source beside it."""
    with atomic_write(path) as file:
        file.write(page_text(result.clip, compare=result.source_beside, names=RETARGETED).encode())


def page_text(
    clip: Clip,
    terrain: TerrainLike | None = None,
    *,
    title: str = "",
    compare: Clip | None = None,
    creature: str | os.PathLike[str] | Creature | None = None,
    names: tuple[str, str] = GROUNDED,
) -> str:
    """The HTML that `write_page` writes. names: of the clip and of what it is compared with."""
    packer = Packer()
    motions = [SceneClip.thinned("clip", clip)] + ([] if compare is None else [SceneClip.thinned("compare", compare)])
    size = motions[0].size
    positions = np.concatenate([motion.positions.reshape(-1, 3) for motion in motions])
    ground = ground_patch.ground_of(clip, terrain, positions, size)
    bodies, grid = BodySet(own_body), ground_patch.grid(size)
    roots, joints = len(clip.skeleton.roots), len(clip.skeleton)
    figures = f"{joints} joints" if roots == 1 else f"{roots} figures"
    content = {
        "size": size,
        "grid": grid,
        "azimuth": motions[0].azimuth,
        "about": f"{clip.duration:.1f} s at {clip.fps:g} fps · {figures} · {grid:g} m grid",
        "notes": " ".join(clip.notes),
        "names": dict(zip(("clip", "compare"), names, strict=True)),
        "view": "overlay" if compare is None or names == GROUNDED else "beside",
        "motions": [pack_motion(packer, motion, bodies, ground) for motion in motions],
        "ground": pack_ground(packer, ground_patch.around(ground, positions, size, motions[0].radius), size),
    }
    content |= pack_bodies(packer, bodies.bodies)
    if creature is not None:
        content["walker"] = _pack_walker(packer, clip, creature_of(creature))
    script = "\n".join([looks.script(), *((VIEWER / f"{name}.js").read_text("utf-8") for name in SCRIPTS)])
    script = COMMENT_LINE.sub("", script)
    style = "".join(path.read_text("utf-8") for path in (looks.STYLE_FILE, VIEWER / "style.css"))
    page = Template((VIEWER / "page.html").read_text("utf-8"))
    name, numbers = escape(as_unicode(title or clip.name or "A clip")), packer.finish(content)
    return page.substitute(title=name, style=style, script=script, numbers=numbers)


def _pack_walker(packer: Packer, clip: Clip, creature: Creature) -> dict[str, object]:
    """The walk of a creature, for a page on which it is steered."""
    if tuple(JointLayout(creature).names) != clip.skeleton.names:
        raise ArgumentError("creature", creature.name, "the one creature whose walk the clip is")
    script = packer.file(walk_script(creature).encode(), "text/javascript")
    names = [gait.name for gait in creature.gaits]
    return {"script": script, "cruise": creature.cruise, "fastest": creature.speed, "gaits": names}
