"""Kernels as bytes: the object file that LLVM made of a function for Numba, with two names, and a callable from that.

The object file has a function that Python can call, which unpacks arrays without Numba's dispatcher. It is loaded by
LLVM alone: Numba's own cache keeps pickles, and brings in all that Numba needs for compiling.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from typing import Any


def packed(result: Any) -> bytes | None:
    """What Numba has compiled, as a line of JSON and an object file; None where it depends on this process."""
    library, described = result.library, result.fndesc
    environments = result.environment, *result._find_referenced_environments()
    if library.has_dynamic_globals or result.reload_init or any(one.consts for one in environments):
        return None
    names = {"function": described.llvm_cpython_wrapper_name, "environment": described.env_name}
    return json.dumps(names).encode() + b"\n" + library._get_compiled_object()


def loaded(data: bytes) -> Callable[..., Any]:
    """The function of which `packed` made the data."""
    import llvmlite.binding as llvm
    from numba import _dynfunc  # pyright: ignore[reportAttributeAccessIssue]
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(cpu_target.target_context)  # the functions of Numba's that the object file calls
    names, _, code = data.partition(b"\n")
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    symbols = json.loads(names)
    environment = _dynfunc.Environment({})
    place = engine.get_global_value_address(symbols["environment"])
    ctypes.c_void_p.from_address(place).value = id(environment)  # the function made below keeps it
    address = engine.get_function_address(symbols["function"])
    return _dynfunc.make_function(sys.modules[__name__], "kernel", "", address, environment, (engine,))
