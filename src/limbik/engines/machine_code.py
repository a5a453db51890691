"""Kernels as object files: made by Numba and LLVM, loaded by LLVM alone as functions that Python can call.

Numba's own wrapper of a function needs Numba when it is loaded, and Numba takes half a second to import. The object
files here have an entry of their own, which takes numbers and arrays (by the buffer protocol) from Python, releases the
GIL and calls the compiled function. Of the process that loads it, an object file needs nothing but Python's C API and
the functions of libm.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

ENTRY = "limbik_entry"
METH_FASTCALL = 0x80
PyBUF_WRITABLE, PyBUF_STRIDES, PyBUF_C_CONTIGUOUS = 0x01, 0x18, 0x38
# What object files may refer to.
PYTHON = (
    "PyBuffer_Release PyErr_BadArgument PyErr_NoMemory PyErr_Occurred PyEval_RestoreThread PyEval_SaveThread "
    "PyFloat_AsDouble PyLong_AsSsize_t PyMem_RawFree PyMem_RawMalloc PyObject_GetBuffer Py_IncRef _Py_NoneStruct"
)
LIBC = "atan2 cos exp floor fma fmod log log2 memcpy memmove memset pow sin sqrt"
ALLOWED = frozenset(f"{PYTHON} {LIBC}".split())


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def load(code: bytes) -> Callable[..., None]:
    """The function in an object file that `compiled` made; it raises an error for arguments of other types."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    method = _Method(b"kernel", engine.get_function_address(ENTRY), METH_FASTCALL, None)
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    make = prototype(("PyCFunction_NewEx", ctypes.pythonapi))
    return make(ctypes.addressof(method), (engine, method), None)  # the function keeps both


def compiled(text: str, signature: str) -> bytes:
    """The object file of the function `kernel` of a text; its signature is one of Numba's, as text.

    Raises:
        Exception: whatever Numba raises where it cannot compile the text.
    """
    from numba.core import compiler, sigutils
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    from limbik.engines.kernel_entry import add_entry

    typing: Any = cpu_target.typing_context
    target: Any = cpu_target.target_context
    flags: Any = compiler.Flags()

    scope: dict[str, Any] = {"__name__": __name__}
    exec(text, scope)
    arguments, _ = sigutils.normalize_signature(signature)
    typing.refresh()
    target.refresh()
    flags.nrt = True
    flags.no_cfunc_wrapper = True
    flags.error_model = "numpy"
    # A copy of Numba's target, which puts our entry in the place of Numba's wrapper.
    own = target.subtarget(create_cpython_wrapper=None, get_executable=lambda *_: None)
    own.create_cpython_wrapper = lambda library, described, *_, **__: add_entry(own, library, described, ENTRY)
    with global_compiler_lock:
        library = compiler.compile_extra(typing, own, scope["kernel"], arguments, None, flags, {}).library
        library.enable_object_caching()
        library.finalize()
    if unknown := _names_needed(str(library._final_module)) - ALLOWED:
        raise NotImplementedError(f"machine code that needs {', '.join(sorted(unknown))}")
    return library._get_compiled_object()


def _names_needed(module: str) -> set[str]:
    """The names that a module of LLVM's refers to and does not define."""
    lines = module.splitlines()
    functions = [found[1] for line in lines if (found := re.match(r'declare .*?@"?([^"(]+)"?\(', line))]
    variables = [found[1] for line in lines if (found := re.match(r'@"?([^"]+?)"? = external ', line))]
    used = set(re.findall(r'@"?([\w.$]+)', "\n".join(line for line in lines if not line.startswith("declare "))))
    return {name for name in functions if name in used and not name.startswith("llvm.")} | set(variables)
