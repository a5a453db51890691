"""Packages that a newcomer may lack and continuous integration may not."""

import importlib
import os

import pytest


def optional(name):
    """The package; without it the tests of a module are skipped, except in continuous integration, where they fail."""
    if os.environ.get("CI"):
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed: its engine is not tested")


def double_precision(jax, on=True):
    """A context manager within which JAX has float64, or has not."""
    return jax.enable_x64(on) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64(on)
