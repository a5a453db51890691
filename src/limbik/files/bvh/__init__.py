"""BVH, the format of motion capture: a tree of joints, and their channels frame by frame.

What the format leaves open is interpreted as Blender and most programs do. A position channel replaces that component
of the joint's OFFSET and is not added to it, below the root as well. Rotation channels apply in their order about the
joint's own axes, in degrees. An End Site is a joint that nothing drives. Unit and up axis are guessed by default.
"""

from limbik.files.bvh.bvh_reader import load as load
from limbik.files.bvh.bvh_reader import parse as parse
from limbik.files.bvh.bvh_reader import resample as resample
from limbik.files.bvh.bvh_writer import lost_in_bvh as lost_in_bvh
from limbik.files.bvh.bvh_writer import save as save
