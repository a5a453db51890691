"""Pictures and films of a clip, on machines without a display, a GPU or system libraries for graphics.

films.py           render(): PNG, GIF and MP4      scene_renderer.py  images of a clip on its ground
camera.py          the camera                      light.py           sun, sky, ground and marks
posed_figures.py   bodies in a pose                raster_meshes.py   meshes, materials and textures for the kernels
raster_kernels.py  compiles with Numba: filling.py (triangles) and shading.py (pixels)

The rasteriser is limbik's own, on NumPy and Numba, which limbik needs anyway: OpenGL without a display needs system
libraries (EGL or OSMesa), VTK weighs 100 MB, and matplotlib has no depth buffer.
"""

from limbik.rendering.films import render

__all__ = ["render"]
