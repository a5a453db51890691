"""Motions in notebooks: the page that plays them, in a sandboxed frame."""

from __future__ import annotations

from html import escape

import numpy as np

from limbik.errors import LimbikError
from limbik.grounding.ground import Grounded
from limbik.pages.clip_page import GROUNDED, RETARGETED, page_text
from limbik.pictures.notebook import html_table
from limbik.retargeting.retarget import Retargeted
from limbik.scenes.scene_clip import FEWEST_FPS, MOST_KEYS
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose

SECONDS = 60.0  # of a clip that are shown; a notebook stores every page
HEIGHT = 480  # pixels


def pose_html(pose: Pose) -> str:
    """HTML that shows a single pose, or how many there are."""
    if pose.rotations.ndim > 2:
        return html_table(["Poses", f"shape {pose.rotations.shape[:-2]}, {len(pose.skeleton)} joints"], [])
    scales = None if pose.scales is None else pose.scales[None]
    return clip_html(Clip(pose.skeleton, pose.rotations[None], pose.translations[None], scales, name="A pose"))


def grounded_html(grounded: Grounded) -> str:
    """HTML that plays a grounded clip beside its source, and the report."""
    return clip_html(grounded.clip, grounded.before_on_terrain) + html_table(*grounded.report.table())


def retargeted_html(result: Retargeted) -> str:
    """HTML that plays a motion on its new figure beside its source, and the report."""
    tables = result.likeness.table(), result.report.table()
    return clip_html(result.clip, result.source_beside, RETARGETED) + "".join(html_table(*one) for one in tables)


def clip_html(clip: Clip, compare: Clip | None = None, names: tuple[str, str] = GROUNDED) -> str:
    """HTML that plays the start of a clip on its terrain, or an error message. compare, names: see `page_text`."""
    joints = max(1, len(clip.skeleton))
    seconds = min(SECONDS, MOST_KEYS / (joints * min(clip.fps, FEWEST_FPS)))
    start = clip[: 1 + int(np.floor(seconds * clip.fps))]
    try:
        text = page_text(start, compare=None if compare is None else compare[: len(start)], names=names)
    except LimbikError as error:
        return html_table(["Clip", f"{len(clip)} frames, {len(clip.skeleton)} joints"], [["", str(error)]])
    # Without allow-same-origin the page can see nothing of the notebook.
    frame = (
        f'<iframe srcdoc="{escape(text)}" sandbox="allow-scripts allow-downloads" loading="lazy" '
        f'title="{escape(clip.name or "A clip")}" '
        f'style="display:block;width:100%;height:{HEIGHT}px;border:0;border-radius:10px"></iframe>'
    )
    part = f"<div>the first {start.duration:.3g} s of {clip.duration:.3g} s</div>"
    return frame if len(start) == len(clip) else frame + part
