"""Other people's inverse kinematics and readers of files: one module each, with the same few names.

A module has `PACKAGE`, the name to import, and `DISTRIBUTION`, the name on PyPI. A solver's has `solver(job)`, which
gives a `Solver`, or None for a job that the package cannot do; a reader's has the `SUFFIXES` that it reads, and
`load(path)`. Nothing is imported before these are called. Iterative solvers start from START.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from limbik.bench.jobs import Job, Solver

START = 0.1  # radians at every hinge: off the straight limb, where Jacobians are singular
SOLVERS = ("eaik_peer", "robotics_toolbox_peer", "ikpy_peer", "tinyik_peer", "pytorch_kinematics_peer")
READERS = ("pygltflib_peer", "pybvh_peer")


class Package(Protocol):
    """What every peer's module has."""

    PACKAGE: str
    DISTRIBUTION: str


class Peer(Package, Protocol):
    """The module of a package that solves."""

    def solver(self, job: Job) -> Solver | None:
        """How it does a job, or None where it cannot."""
        ...


class Reader(Package, Protocol):
    """The module of a package that reads files of motion."""

    SUFFIXES: tuple[str, ...]

    def load(self, path: Path) -> object:
        """What it makes of a file."""
        ...


def peers() -> list[Peer]:
    """The modules of all that solve, installed or not."""
    return _modules(SOLVERS)


def readers(suffix: str) -> list[Reader]:
    """The modules of all that read files of this suffix, installed or not."""
    return [module for module in _modules(READERS) if suffix in module.SUFFIXES]


def _modules(names: tuple[str, ...]) -> list[Any]:
    return [import_module(f"limbik.bench.peers.{name}") for name in names]


def installed(peer: Package) -> str | None:
    """The peer's version, or None where it is not installed."""
    return version(peer.DISTRIBUTION) if find_spec(peer.PACKAGE) else None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What peers print and warn of stays out of the table."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
