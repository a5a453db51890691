"""Feet on stairs: a walk that was made for a floor goes up stairs, and the report compares it before and after.

Writes stairs.html; open it in a browser, and press B to switch between before and after.
"""

import limbik

walk = limbik.samples.walk(240)  # or limbik.load("walk.bvh")
result = limbik.ground(walk, "stairs:rise=0.17,run=0.3,start=0.6")
print(*str(result.report).splitlines()[:8], sep="\n")

climbed = result.clip.positions()[-1, 0, 1] - result.clip.positions()[0, 0, 1]
print(f"the hips rise by {climbed:.2f} m")
limbik.write_page(result.clip, "stairs.html", compare=result.before_on_terrain)
