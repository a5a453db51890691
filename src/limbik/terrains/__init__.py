"""Terrains: the ground's height and its normal at any points, and how it is described, read and written.

terrain.py      what every terrain answers               parametric.py   those that a few numbers describe:
options.py      numbers checked, headings                planes.py, stairs.py, hills.py
heightfield.py  a grid of heights                        mesh.py         triangles, by rays from above
function.py     a Python function                        outline.py      where triangles end
specs.py        a terrain from a line of text            reading.py      a terrain from a file
given.py        a terrain from whatever was given        export.py       a terrain as a file
"""
