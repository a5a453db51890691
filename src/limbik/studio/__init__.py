"""The studio: a web page served on this machine, with a Limb, a Walk and a Ground tab.

application.py  the Studio: its tabs, and the thread that runs what pages request
page/           server, tab base class, controls and jobs, files in and out, playback, cameras
scene/          meshes, figures and terrain in the 3D scene
limb/           the Limb tab: a limb that follows a gizmo
walk/           the Walk tab: a creature that walks
ground/         the Ground tab: a clip on a terrain, before and after
"""
