"""What figures and creatures look like: meshes that follow a skeleton, as plain arrays.

body.py         Body, MeshPart, Skin, Material          body_set.py      the bodies of the figures in a clip
builder.py      builds a body from shapes               look.py          its colours
limb_shapes.py  legs, feet, arms, hands, tails          trunk_shapes.py  torsos, trunks, shells, abdomens
head_shapes.py  heads and eyes                          mannequin.py     the body of a figure without a mesh
lofts.py        surfaces through rings                  blending.py      fillets where surfaces meet
bones.py        a figure drawn as bones                 capsules.py      capsules and spheres
"""
