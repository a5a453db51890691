"""Puts a clip on a terrain, with its feet planted and the body following.

ground.py           ground()                                 settings.py         Settings
placing.py          the steps below, in order
cycles.py           cycles: repeated, and on the spot        support.py          what carries the figure
foot_detection.py   which limbs walk; their feet and soles   contacts.py         when points of feet stand
plants.py           stances of a foot                        strides.py          strides that fit the ground
footholds.py        feet locked to footholds                 steps.py            swings between plants
posture.py          the body leans, the pelvis tips          pelvis.py           the height of the body
smoothing.py        smooth curves through time
"""
