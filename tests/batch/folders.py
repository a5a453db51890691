"""Folders of clips to ground, and what is in folders."""

import limbik
from limbik import samples


def fill(folder, count=4, frames=60):
    """A folder of short walks, each a little different, one of them in a folder inside and one of another format."""
    (folder / "more").mkdir(parents=True)
    for k in range(count):
        place = ("walk0.bvh", "more/walk1.glb")[k] if k < 2 else f"walk{k}.bvh"
        limbik.save(samples.walk(frames + 2 * (k % 4)).moved(translation=(0.1 * k, 0.0, 0.0)), folder / place)
    return folder


def contents(folder):
    """The bytes of every file, by its place."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def times(folder):
    """When each file was written."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
