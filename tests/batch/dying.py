"""Work whose process is killed in the middle, as by a machine without memory, or by a user."""

import os
import signal
from dataclasses import dataclass

from limbik.batch.clip_job import Work
from limbik.files.atomic_write import atomic_write
from limbik.pages.clip_page import write_grounded_page


@dataclass(frozen=True)
class DyingWork(Work):
    """The same work, but the process is killed `times` times while it writes the clip named `victim`.

    Each death leaves a file in `folder`, by which they are counted.
    """

    victim: str = ""
    times: int = 1
    folder: str = ""

    def __call__(self, job):
        if job.source.name == self.victim and len(os.listdir(self.folder)) < self.times:
            (job.out / job.place).parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(job.target) as file:
                file.write(b"half of it")
                file.flush()
                open(os.path.join(self.folder, str(os.getpid())), "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(job)


class Unborn:
    """Work that kills the process that unpickles it."""

    def __reduce__(self):
        return os._exit, (1,)


def no_page(grounded, path):
    """A page that cannot be written."""
    raise ValueError(f"no room for {len(grounded.clip)} frames")


@dataclass(frozen=True)
class DyingPage:
    """Writes pages, but the process is killed while it writes the first one."""

    folder: str

    def __call__(self, grounded, path):
        if not os.listdir(self.folder):
            with atomic_write(path) as file:
                file.write(b"half of it")
                file.flush()
                open(os.path.join(self.folder, str(os.getpid())), "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
        write_grounded_page(grounded, path)
