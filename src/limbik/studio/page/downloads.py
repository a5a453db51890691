"""Clips as files for download."""

from __future__ import annotations

from typing import Any

from limbik.files.clip_files import save
from limbik.pages.clip_page import page_text
from limbik.skeleton.clip import Clip
from limbik.studio.page.stage import Stage


def clip_bytes(stage: Stage, clip: Clip, name: str) -> bytes:
    """A clip in the file format given by the suffix of `name`."""
    path = stage.folder / name
    try:
        save(clip, path)
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def page_bytes(clip: Clip, **options: Any) -> bytes:
    """An HTML page that plays a clip; options as for `page_text`."""
    return page_text(clip, **options).encode()
