"""Motion as NumPy's arrays: .npz files of limbik's own, AMASS and Kimodo, and positions of joints in .npz and .npy.

npz_archive.py     arrays of a file, in bounded memory    npz_reader.py    which arrays a file has, and clips of them
smpl_arrays.py     AMASS's rotations                      position_arrays.py  positions and feature vectors
training_arrays.py what a clip is saved as
"""

from pathlib import Path

from limbik.errors import ArgumentError
from limbik.files.npz.npz_archive import write_npz as write_npz
from limbik.files.npz.position_arrays import load as load
from limbik.files.npz.training_arrays import training_arrays as training_arrays
from limbik.skeleton.clip import Clip


def save(clip: Clip, path: Path) -> None:
    """Writes a clip's arrays."""
    if not len(clip):
        raise ArgumentError("clip", "no frames", "one frame at least")
    write_npz(path, training_arrays(clip))
