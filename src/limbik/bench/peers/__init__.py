"""Other people's inverse kinematics: one module each, with the same few names.

A module has `PACKAGE`, the name to import, `DISTRIBUTION`, the name on PyPI, and `solver(job)`, which gives a `Solver`,
or None for a job that the package cannot do. Nothing is imported before that. Iterative solvers start from START.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from limbik.bench.jobs import Job, Solver

START = 0.1  # radians at every hinge: off the straight limb, where Jacobians are singular
NAMES = ("eaik_peer", "robotics_toolbox_peer", "ikpy_peer", "tinyik_peer", "pytorch_kinematics_peer")


class Peer(Protocol):
    """What a peer's module has."""

    PACKAGE: str
    DISTRIBUTION: str

    def solver(self, job: Job) -> Solver | None:
        """How it does a job, or None where it cannot."""
        ...


def peers() -> list[Peer]:
    """The modules of all peers, installed or not."""
    modules: list[Any] = [import_module(f"limbik.bench.peers.{name}") for name in NAMES]
    return modules


def installed(peer: Peer) -> str | None:
    """The peer's version, or None where it is not installed."""
    return version(peer.DISTRIBUTION) if find_spec(peer.PACKAGE) else None
