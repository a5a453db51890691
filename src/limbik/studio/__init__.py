"""The studio: a web page served on this machine, with a tab for limbs, creatures, clips, robots and characters each.

application.py  the Studio: its tabs, and the thread that runs what pages request
page/           server, tab base class, controls and jobs, files in and out, playback, cameras
scene/          meshes, figures and terrain in the 3D scene
limb/           the Limb tab: a limb that follows a gizmo
walk/           the Walk tab: a creature that walks
ground/         the Ground tab: a clip on a terrain, before and after
robot/          the Robot tab: a limb of a robot that follows a gizmo
rig/            the Rig tab: a character that is dragged by its ends
"""
