"""Files: BVH and glTF are read and written, and a clip can be cut, moved and resampled in between.

Writes walk.glb; open it in any glTF viewer, or give it to `limbik render` or `limbik ground`.
"""

import tempfile
from pathlib import Path

import limbik

with tempfile.TemporaryDirectory() as folder:
    limbik.samples.write(folder)
    clip = limbik.load(Path(folder) / "walk.bvh")
print(clip.name, len(clip), "frames at", clip.fps, "fps,", len(clip.skeleton), "joints")
print("limbs:", ", ".join(limbik.find_limbs(clip)))

part = clip[60:180:2].moved((0.0, 0.0, -1.0))  # one second in, every other frame, a metre back
print(len(part), "frames at", part.fps, "fps")
limbik.save(part, "walk.glb")
