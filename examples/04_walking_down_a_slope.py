"""A foot that walks down a slope: `track` continues each frame from the one before, so the knee never pops.

The foot is flat on the ground during stance and points its toe down during swing. There its direction passes the line
from hip to ankle, where the bending plane is undetermined: `solve` treats each frame on its own, and the knee swings
about. `track` takes time on the first axis and carries the plane along; `turn_rate` limits how many degrees it turns
for each degree that the target does. All of them place toe and foot exactly.
"""

import numpy as np

import limbik

SLOPE = np.radians(12)
leg = limbik.ThreeLink(0.45, 0.43, 0.18)

time = np.linspace(0, 1, 121)
swing = np.clip((time - 0.5) / 0.5, 0, 1)  # the first half stands, the second swings
along = 0.25 * np.cos(np.pi * swing) * -1.0
downhill = np.array([0.0, -np.sin(SLOPE), np.cos(SLOPE)])
toes = along[:, None] * downhill + [0.05, -0.86, 0.1]
toes[:, 1] += 0.12 * np.sin(np.pi * swing)
pitch = -SLOPE - 0.2 - 1.35 * np.sin(np.pi * swing) ** 2  # how far the foot points below the horizon
feet = np.stack([np.full_like(pitch, 0.02), np.sin(pitch), np.cos(pitch)], -1)
hips = np.stack([0 * time, -np.tan(SLOPE) * 0.3 * (time - 0.25), 0.3 * (time - 0.25)], -1)

poses = {
    "solve": leg.solve(toes, feet, origin=hips),
    "track": leg.track(toes, feet, origin=hips),
    "track, turn_rate=1": leg.track(toes, feet, origin=hips, turn_rate=1),
}
print("                     knee's longest step   worst miss   frames reached")
for name, pose in poses.items():
    step = np.linalg.norm(np.diff(pose.joints[:, 1] - hips, axis=0), axis=-1).max()
    print(f"{name:20s} {1000 * step:14.0f} mm {pose.residual.max():14.0e} {int(pose.reached.sum()):10d} of {len(time)}")

# A track's angles are continuous; those of solve jump where the ankle passes under the hip.
for name, pose in poses.items():
    print(f"{name:20s} yaw, every tenth frame: ", pose.degrees()[::10, 0].round().astype(int))
