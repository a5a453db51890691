"""One clip from a file into a file on another figure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from limbik.batch.clip_job import Work, input_contents
from limbik.files.clip_files import load
from limbik.retargeting.retarget import Retargeted, retarget
from limbik.skeleton.clip import Clip

FORMATS = {".gltf": "glb"}  # in which motion on figures of other files is saved; others keep their own


@dataclass(frozen=True, eq=False)
class RetargetWork(Work):
    """What is done to each clip that is put on another figure."""

    figure: Path = Path()  # the file of the figure
    mapping: Mapping[str, Mapping[str, Sequence[str | int]]] | None = None  # the argument of `retarget`

    @property
    def format(self) -> str:
        """The suffix of the results, without its dot."""
        suffix = self.figure.suffix.lower()
        return FORMATS.get(suffix, suffix.removeprefix("."))

    def other_inputs(self) -> Iterable[bytes]:
        """The figure and the map of joints."""
        return (*input_contents(self.figure), json.dumps(self.mapping, default=list).encode())

    def make(self, clip: Clip) -> Retargeted:
        """The clip on the figure."""
        return retarget(clip, _figure(self.figure), self.terrain, mapping=self.mapping, settings=self.settings)


@cache
def _figure(path: Path) -> Clip:
    return load(path)
