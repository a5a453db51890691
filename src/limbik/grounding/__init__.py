"""Puts a clip on a terrain, with its feet planted and the pelvis following.

ground.py           ground(), the steps below in order       settings.py         Settings
foot_detection.py   which limbs walk; their feet and soles   contacts.py         when feet stand
plants.py           feet locked to footholds                 steps.py            swings between plants
posture.py          the body leans, the pelvis tips          pelvis.py           the height of the body
smoothing.py        smooth curves through time
"""
