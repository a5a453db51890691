"""Motions as a notebook shows them: the page that plays them, in a frame of its own that reaches nothing outside."""

from __future__ import annotations

import numpy as np

from limbik.errors import LimbikError
from limbik.grounding.ground import Grounded
from limbik.pages.clip_page import page_text
from limbik.pictures.markup import Markup, framed, heading, joined, line, outcome, table, tag
from limbik.scenes.scene_clip import FEWEST_FPS, MOST_KEYS
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose

SECONDS = 60.0  # of a clip that are shown: a notebook keeps them all
HEIGHT = 480  # pixels


def clip_html(clip: Clip) -> str:
    """HTML in which a clip plays on its terrain, or words where it cannot be shown."""
    return _player(clip)


def pose_html(pose: Pose) -> str:
    """HTML in which a single pose is seen; of many poses, how many there are."""
    if pose.rotations.ndim > 2:
        return framed(heading("Poses", f"shape {pose.rotations.shape[:-2]}, {len(pose.skeleton)} joints"))
    scales = None if pose.scales is None else pose.scales[None]
    return _player(Clip(pose.skeleton, pose.rotations[None], pose.translations[None], scales, name="A pose"))


def grounded_html(grounded: Grounded) -> str:
    """HTML in which a grounded clip plays beside what it was, and what was done to it in numbers."""
    player = _player(grounded.clip, grounded.before_on_terrain)
    return joined([player, tag("div", framed(table(*grounded.report.table())), style="margin-top:8px")])


def _player(clip: Clip, compare: Clip | None = None) -> Markup:
    shown = _first(clip)
    try:
        text = page_text(shown, compare=None if compare is None else compare[: len(shown)])
    except LimbikError as error:
        return framed(
            heading("Clip", f"{len(clip)} frames, {len(clip.skeleton)} joints"), outcome(str(error), good=False)
        )
    # Without allow-same-origin the page can see nothing of the notebook.
    style = f"display:block;width:100%;height:{HEIGHT}px;border:0;border-radius:10px"
    frame = tag(
        "iframe", srcdoc=text, sandbox="allow-scripts", loading="lazy", title=clip.name or "A clip", style=style
    )
    part = f"the first {shown.duration:.3g} s of {clip.duration:.3g} s"
    return frame if len(shown) == len(clip) else joined([frame, line(part)])


def _first(clip: Clip) -> Clip:
    """As much of a clip as a page has room for, from its start."""
    joints = max(1, len(clip.skeleton))
    seconds = min(SECONDS, MOST_KEYS / (joints * min(clip.fps, FEWEST_FPS)))
    return clip[: 1 + int(np.floor(seconds * clip.fps))]
