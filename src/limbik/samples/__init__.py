"""Samples, computed rather than downloaded: something to try limbik with, and to test it on.

human_walk.py    a human walk on level ground
sample_files.py  files of every kind that limbik reads: the ones that the documentation names
ant.toml         a creature
arm.urdf         a robot arm
humanoid.xml     a robot with two legs and two arms
"""

from limbik.samples.human_walk import walk
from limbik.samples.sample_files import character, write

__all__ = ["character", "walk", "write"]
