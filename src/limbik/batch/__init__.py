"""Many clip files at once, on the cores of this machine or on a Ray cluster.

runner.py     runs planned jobs: ground_files(), retarget_files()   planning.py   which files become which jobs
clip_job.py   one clip from a file into a file    records.py    what results were made from, and checksums
pools.py      processes on this machine, or on those of a Ray cluster
"""

from limbik.batch.clip_job import Job, Outcome
from limbik.batch.runner import ground_files, retarget_files

__all__ = ["Job", "Outcome", "ground_files", "retarget_files"]
