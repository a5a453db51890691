"""Three creatures of one's own, each unlike the presets: one leg on its own, knees back without heels, a bent row."""

TRIPOD = """
height = 0.4
cruise = 0.4
foot = 0.03
[body]
length = 0.2
width = 0.2
thickness = 0.1
[[legs]]
name = "side"
attachment = [0.08, 0, 0.05]
lengths = [0.3, 0.3]
foothold = [0.25, 0.15]
[[legs]]
name = "rear"
mirror = false
attachment = [0, 0, -0.1]
lengths = [0.3, 0.3]
foothold = [0, -0.3]
[gaits.walk]
phases = [0.0, 0.33, 0.66]
duty = 0.75
speed = 0.6
cycle = [0.9, 0.7]
lift = 0.06
sway = 0.01
"""
BIRD = """
height = 0.5
cruise = 0.5
foot = 0.04
tilt = 0.2
bank = 0.5
[body]
length = 0.3
width = 0.2
thickness = 0.15
[[legs]]
name = "leg"
attachment = [0.06, 0, 0.0]
lengths = [0.22, 0.26, 0.14]
foothold = [0.06, 0.02]
knee = "back"
toe = "forward"
lean = 30
[gaits.walk]
phases = [0.0, 0.5]
duty = 0.6
speed = 1.0
cycle = [0.8, 0.6]
lift = 0.05
bob = 0.01
[gaits.run]
phases = [0.0, 0.5]
duty = 0.4
speed = 1.8
cycle = [0.5, 0.45]
lift = 0.09
[[parts]]
name = "neck"
parent = "body"
at = [0, 0.08, 0.15]
wander = 6
spring = 2
[[parts]]
name = "head"
parent = "neck"
at = [0, 0.15, 0.05]
steady = 1
look = 30
"""
NEWT = """
height = 0.12
cruise = 0.2
foot = 0.015
[body]
length = 0.16
width = 0.1
thickness = 0.06
segments = 3
spine = "following"
[[legs]]
name = "fore"
attachment = [0.04, 0, 0.02]
lengths = [0.09, 0.11, 0.03]
foothold = [0.13, 0.03]
lean = 15
segment = 0
[[legs]]
name = "hind"
attachment = [0.04, 0, 0]
lengths = [0.1, 0.11]
foothold = [0.13, -0.02]
segment = 2
[gaits.walk]
phases = [0.0, 0.5, 0.25, 0.75]
duty = 0.72
speed = 0.3
cycle = [0.8, 0.6]
lift = 0.03
twist = 6
[[parts]]
name = "tail"
parent = "body_3"
at = [0, 0, -0.16]
axis = "y"
leg = "left_hind"
swing = 15
spring = 3
"""
CREATURES = {"tripod": TRIPOD, "bird": BIRD, "newt": NEWT}
