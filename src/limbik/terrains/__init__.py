"""Terrains: height and normal of the ground at any place, and how terrains are described, read and written.

base.py         Terrain, the interface                 parametric.py        terrains given by a few numbers:
heightfield.py  a grid of heights                                           planes.py, stairs.py, hills.py
mesh_terrain.py triangles, found by ray casting        function_terrain.py  a Python function or object
specs.py        a terrain from text or any argument    terrain_files.py     a terrain from a file
                                                       terrain_export.py    a terrain as a mesh file
"""

from limbik.terrains.base import Terrain
from limbik.terrains.function_terrain import Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.hills import Hills
from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.planes import Plane, Slope
from limbik.terrains.specs import as_terrain, terrain
from limbik.terrains.stairs import Stairs
from limbik.terrains.terrain_export import save_mesh

__all__ = [
    "Function",
    "Heightfield",
    "Hills",
    "Mesh",
    "Plane",
    "Slope",
    "Stairs",
    "Terrain",
    "as_terrain",
    "save_mesh",
    "terrain",
]
