"""Any motion on any figure: the walk of a person on a creature, up stairs, its feet planted; and the map of joints."""

import limbik
from limbik import samples

walk = samples.walk(120)
creature = limbik.walk("biped", "plane", seconds=1)  # or the path of a character: "rogue.glb", "anna.vrm"
result = limbik.retarget(walk, creature, "stairs:rise=0.1,run=0.3")

print(result.map)
print(f"legs {result.scale:.2f} times as long, {result.clip.positions()[-1, 0, 2]:.2f} m ahead at the end")
print(f"largest slide of a standing foot: {result.report.total.after.slide_mm:.2f} mm")
for part, degrees in result.likeness.median.items():
    print(f"{part}: {degrees:.1f} degrees from the source")
