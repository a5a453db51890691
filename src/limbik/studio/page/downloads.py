"""Clips as files for pages to keep."""

from __future__ import annotations

from typing import Any

from limbik.files.clip_files import save
from limbik.pages.clip_page import page_text
from limbik.skeleton.clip import Clip
from limbik.studio.page.stage import Stage


def as_file(stage: Stage, clip: Clip, name: str) -> bytes:
    """The bytes of a clip in the format that a name's suffix says."""
    path = stage.folder / name
    try:
        save(clip, path)
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def as_page(clip: Clip, **options: Any) -> bytes:
    """The bytes of a page that plays a clip, as of `page_text`."""
    return page_text(clip, **options).encode()
