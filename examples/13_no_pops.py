"""Along time: `track` chooses the nearest solution in every frame, where `solve` starts anew and may jump.

The direction of the foot passes that of the whole leg, where the side of the knee is undefined.
"""

import numpy as np

import limbik

leg = limbik.ThreeLink(0.45, 0.42, 0.12)
time = np.linspace(0.0, 1.0, 240)[:, None]
path = np.array([0.002, -0.3, 0.7]) + time * np.array([0.0, 0.6, 0.0])
up = np.array([0.0, 0.0, 1.0])

alone = leg.solve(path, up).joints
tracked = leg.track(path, up).joints
for name, joints in (("solve", alone), ("track", tracked)):
    steps = np.linalg.norm(np.diff(joints, axis=0), axis=-1).max(axis=0)
    print(f"{name}: the knee moves at most {steps[1]:.3f} m between frames, the ankle {steps[2]:.3f} m")
print("both reach every target:", np.allclose(alone[:, -1], path), np.allclose(tracked[:, -1], path))

# Frame by frame, as in a game: the last answer is where the next one starts.
last = None
for target in path[:3]:
    last = leg.track(target[None], up, previous=last)[-1]
    print("knee", last.joints[1].round(4))
