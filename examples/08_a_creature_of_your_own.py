"""A creature of your own: a TOML file describes body, legs and gaits; limbik makes skeleton, skin and motion of it.

Writes strider.html; the strider is the ant of `limbik samples`, taller and with longer legs.
"""

import tempfile
from pathlib import Path

import limbik

with tempfile.TemporaryDirectory() as folder:
    limbik.samples.write(folder)
    text = (Path(folder) / "ant.toml").read_text("utf-8")
    text = text.replace("height = 0.1\n", "height = 0.16\n").replace("lengths = [0.12,", "lengths = [0.2,")
    path = Path(folder) / "strider.toml"
    path.write_text(text + '\n[look]\nbody = "#3B6E8F"\n', "utf-8")
    strider = limbik.creature(path)

print(strider.name, "with", len(strider.legs), "legs, gaits:", ", ".join(gait.name for gait in strider.gaits))
clip = limbik.walk(strider, "hills:height=0.1,size=2", seconds=4)
print(f"{len(clip.skeleton)} joints, {len(clip)} frames")
print(f"it went {clip.translations[-1, 0, 2]:.2f} m in {clip.duration:.1f} s")
limbik.write_page(clip, "strider.html")
