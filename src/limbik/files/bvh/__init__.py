"""BVH, the format of motion capture: a tree of joints, and their channels frame by frame.

What the format leaves open is taken as most programs take it. A position channel takes the place of the joint's OFFSET.
Rotation channels turn in their order about the joint's own axes, in degrees. An End Site is a joint that nothing
drives. The unit and the axis that points up are guessed where the caller does not say.
"""

from limbik.files.bvh.bvh_reader import load as load
from limbik.files.bvh.bvh_reader import parse as parse
from limbik.files.bvh.bvh_writer import save as save
