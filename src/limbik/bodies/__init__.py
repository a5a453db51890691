"""What figures and creatures look like: meshes that follow a skeleton, as plain arrays.

body.py   Body, MeshPart, Skin, Material; normals     body_set.py  the bodies of the figures in a clip
bones.py  a figure drawn as bones                     capsules.py  capsules, spheres and ellipsoids
"""
