"""FBX, binary, version 7: read a figure, its mesh and skin, and a take; ASCII is refused. Nothing is written.

records.py     named records and arrays in the bytes      scene.py       objects, connections, properties
transforms.py  pivots, orders of rotation, scales         curves.py      keys, and values between them
takes.py       stacks and layers of animation             meshes.py      meshes and skins as a body
fbx_reader.py  a scene as a clip
"""

from limbik.files.fbx.fbx_reader import animations_of as animations_of
from limbik.files.fbx.fbx_reader import load as load
