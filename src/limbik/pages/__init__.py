"""Pages that play a clip: one HTML file each, which opens from the disk and asks nobody for anything.

page.py         the page put together              packing.py     its numbers, made small
takes.py        motions, and where feet stand      grounds.py     the ground around them
bodies.py       what figures look like             meshes.py      meshes of a glTF document on its joints
primitives.py   their triangles                    materials.py   their colours and pictures
packed_bodies.py  bodies as the page keeps them    looks.py       light, camera and marks, as pictures have them too
viewer/         what runs in the browser: WebGL 2, and no library

viser, which the studio runs on, can record a scene as a page too, and was tried. It keeps every joint of every frame as
a message, 0.15 MB for each second of one human, so that a centipede or a crowd is too large; its figures have one
colour, its camera cannot follow them, and a server has to listen while the page is written.
"""
