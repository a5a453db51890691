"""Pictures and films of a clip, on machines with no display, no GPU and no system libraries.

films.py      what is asked for        encoding.py   PNG, GIF and MP4
scene.py      pictures of a clip       camera.py     the eye
figures.py    bodies, posed            surfaces.py   triangles and their material
light.py      sun, sky and ground      compiled.py   by Numba: filling.py triangles, shading.py pixels

The rasteriser is our own, over NumPy and Numba, which limbik has anyway: OpenGL without a display needs libraries of
the system (EGL or OSMesa), VTK weighs 100 MB, and matplotlib has no depth buffer.
"""

from limbik.rendering.films import render

__all__ = ["render"]
