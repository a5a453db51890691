"""A crowd: creatures of one kind, each with its own rhythm, in one call.

Writes crowd.html; open it in a browser.
"""

import numpy as np

import limbik

clip = limbik.walk("hexapod", "hills:height=0.15,size=3", seconds=3, count=12, seed=4)
roots = clip.skeleton.roots
print(len(roots), "creatures,", len(clip.skeleton), "joints")

gone = np.linalg.norm(clip.translations[-1, roots] - clip.translations[0, roots], axis=-1)
print(f"each went {gone.min():.2f} to {gone.max():.2f} m")
starts = clip.translations[0, roots][:, ::2]
apart = np.linalg.norm(starts[:, None] - starts, axis=-1) + np.eye(len(roots))
print(f"at least {apart[apart < 1e3].min():.2f} m from one another at the start")
limbik.write_page(clip, "crowd.html")
