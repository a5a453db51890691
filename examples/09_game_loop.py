"""A game loop: a creature that is steered step by step, at whatever rate frames come.

The velocity is in the world, x and z, metres per second; the creature turns to face it. `pose` and `contacts` are what
a game engine needs in each frame.
"""

import numpy as np

import limbik

walker = limbik.Walker("quadruped", "hills:height=0.3,seed=3")
keys = [("ahead", (0.0, 1.0), 1.5), ("left", (1.0, 0.3), 1.5), ("stop", (0.0, 0.0), 1.0)]

rng = np.random.default_rng(0)
for name, velocity, seconds in keys:
    left = seconds
    while left > 0.0:
        frame = min(rng.uniform(1 / 144, 1 / 30), left)  # frames are never equally long
        walker.step(frame, velocity)
        pose = walker.pose  # rotations and translations of all joints
        left -= frame
    (x, y, z), heading = walker.places[0], walker.heading_degrees[0]
    feet = f"{walker.contacts[0].sum()} of {walker.contacts.shape[1]} feet down"
    print(f"{name:6s} at x {x:5.2f}, y {y:5.2f}, z {z:5.2f}, heading {heading:4.0f}°, {walker.gaits[0]}, {feet}")

positions = pose.positions()
print("the lowest joint is", walker.skeleton.names[positions[:, 1].argmin()])
