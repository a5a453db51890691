"""What figures and creatures look like: meshes that follow a skeleton, as plain arrays.

body.py      Body, MeshPart, Skin, Material           body_set.py        the bodies of the figures in a clip
bones.py     a figure drawn as bones                  vertex_normals.py  normals of meshes
capsules.py  capsules, spheres and ellipsoids
"""
