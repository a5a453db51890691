"""A clip as a scene, shared by pages, films and the studio.

scene_clip.py    its size, the camera's path and planted feet
ground_patch.py  the ground around it
staircase.py     stairs as a flight
looks.py         light, camera, marks and colours (colours.css)
"""
