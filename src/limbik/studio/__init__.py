"""The studio: a web page served on this machine, with a tab for limbs, creatures, clips, robots and characters each.

application.py  the Studio: its tabs, and the thread that runs what pages request
page/           server, stage and jobs, base classes of tabs, cameras, and what is changed in viser
scene/          meshes, figures and terrain in the 3D scene
limb_*.py       the Limb tab: a limb that follows a gizmo
walk_*.py       the Walk tab: a creature that walks, steered as steering.py says
ground_*.py     the Ground tab: a clip on a terrain, before and after
robot_*.py      the Robot tab: a limb of a robot that follows a gizmo (dragged_limb.py)
rig_tab.py      the Rig tab: a character that is dragged by its ends (dragged_rig.py)
"""
