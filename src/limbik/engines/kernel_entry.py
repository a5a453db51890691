"""The function of a kernel's object file that Python calls, in LLVM's instructions; and how kernels get memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import make_array, populate_array

from limbik.engines.machine_code import PyBUF_C_CONTIGUOUS, PyBUF_STRIDES, PyBUF_WRITABLE

BYTES, SIZE, INT, DOUBLE, NOTHING = (
    ir.IntType(8).as_pointer(),
    ir.IntType(64),
    ir.IntType(32),
    ir.DoubleType(),
    ir.VoidType(),
)
NULL = ir.Constant(BYTES, None)
# The fields of a Py_buffer: buf, obj, len, itemsize, readonly, ndim, format, shape, strides, suboffsets, internal.
SIZES = SIZE.as_pointer()
VIEW = ir.LiteralStructType([BYTES, BYTES, SIZE, SIZE, INT, INT, BYTES, SIZES, SIZES, SIZES, BYTES])
BUFFER, OWNER, ITEMSIZE, AXES, SHAPE, STRIDES = 0, 1, 3, 5, 7, 8


def add_entry(context: Any, library: Any, described: Any, name: str) -> None:
    """Adds an entry, a C function `PyObject *name(PyObject *self, PyObject *const *arguments, Py_ssize_t count)`.

    Args:
        context: Numba's target context.
        library: the code of the function that the entry calls, and to which it is added.
        described: Numba's description of that function, which returns nothing.
        name: of the entry.
    """
    module = context.create_module("entry")
    _add_memory(module)
    entry = ir.Function(module, ir.FunctionType(BYTES, [BYTES, BYTES.as_pointer(), SIZE]), name)
    kind = context.call_conv.get_function_type(described.restype, described.argtypes)
    function = ir.Function(module, kind, described.llvm_func_name)
    body = _Body(context, entry)
    values = body.read(described.argtypes)
    thread = body.call("PyEval_SaveThread", BYTES)
    status, _ = context.call_conv.call_function(body.builder, function, described.restype, described.argtypes, values)
    body.call("PyEval_RestoreThread", NOTHING, thread)
    with body.unless(body.builder.not_(status.is_error)):
        body.call("PyErr_NoMemory", BYTES)  # all that kernels can lack
    body.end()
    library.add_ir_module(module)


class _Body:
    """The body of an entry, to which it appends instructions."""

    def __init__(self, context: Any, entry: Any) -> None:
        self.builder = ir.IRBuilder(entry.append_basic_block("start"))
        self._failed = entry.append_basic_block("failed")
        self._context, self._entry = context, entry
        self._views: list[Any] = []

    def read(self, kinds: Any) -> list[Any]:
        """Numba's values of the arguments, of Numba's types `kinds`; fails where they are others."""
        builder = self.builder
        for kind in kinds:
            if isinstance(kind, types.Array):
                view = builder.alloca(VIEW)
                builder.store(NULL, self._field(view, OWNER))  # a view of nothing, which may be released
                self._views.append(view)
        self._require(builder.icmp_signed("==", self._entry.args[2], SIZE(len(kinds))))
        views = iter(self._views)
        values = []
        for k, kind in enumerate(kinds):
            given = builder.load(builder.gep(self._entry.args[1], [SIZE(k)]))
            array = isinstance(kind, types.Array)
            values.append(self._array(kind, given, next(views)) if array else self._number(kind, given))
        return values

    def end(self) -> None:
        """Returns None, or NULL where it failed, and lets the arrays go."""
        for failed in (False, True):
            if failed:
                self.builder.position_at_end(self._failed)
            for view in self._views:
                self.call("PyBuffer_Release", NOTHING, self.builder.bitcast(view, BYTES))
            if failed:
                self.builder.ret(NULL)
            else:
                none = ir.GlobalVariable(self._entry.module, ir.IntType(8), "_Py_NoneStruct")
                self.call("Py_IncRef", NOTHING, none)
                self.builder.ret(none)

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """Calls a C function."""
        kind = ir.FunctionType(result, [one.type for one in arguments])
        return self.builder.call(cgutils.get_or_insert_function(self._entry.module, kind, name), arguments)

    @contextmanager
    def unless(self, right: Any) -> Iterator[None]:
        """What is done where a condition does not hold, before the entry fails."""
        with self.builder.if_then(self.builder.not_(right), likely=False):
            yield
            self.builder.branch(self._failed)

    def _require(self, right: Any, *, raised: bool = False) -> None:
        """Fails where a condition does not hold, with an error, unless that has been raised."""
        with self.unless(right):
            if not raised:
                self.call("PyErr_BadArgument", INT)

    def _number(self, kind: Any, given: Any) -> Any:
        """A float64 or an integer of Python's."""
        builder = self.builder
        if isinstance(kind, types.Float):
            value = self.call("PyFloat_AsDouble", DOUBLE, given)
            suspect = builder.fcmp_ordered("==", value, DOUBLE(-1.0))
        else:
            value = self.call("PyLong_AsSsize_t", SIZE, given)
            suspect = builder.icmp_signed("==", value, SIZE(-1))
        with builder.if_then(suspect, likely=False):
            error = self.call("PyErr_Occurred", BYTES)
            self._require(builder.icmp_unsigned("==", error, NULL), raised=True)
        return value

    def _array(self, kind: Any, given: Any, view: Any) -> Any:
        """An array of Numba's in the memory of one of NumPy's."""
        builder = self.builder
        flags = PyBUF_C_CONTIGUOUS if kind.layout == "C" else PyBUF_STRIDES
        flags |= PyBUF_WRITABLE if kind.mutable else 0
        status = self.call("PyObject_GetBuffer", INT, given, builder.bitcast(view, BYTES), INT(flags))
        self._require(builder.icmp_signed("==", status, INT(0)), raised=True)
        number = self._context.get_data_type(kind.dtype)
        width = SIZE(self._context.get_abi_sizeof(number))
        self._require(builder.icmp_signed("==", builder.load(self._field(view, ITEMSIZE)), width))
        self._require(builder.icmp_signed("==", builder.load(self._field(view, AXES)), INT(kind.ndim)))
        sizes = [builder.load(self._field(view, field)) for field in (SHAPE, STRIDES)]
        shape, strides = ([builder.load(builder.gep(one, [SIZE(axis)])) for axis in range(kind.ndim)] for one in sizes)
        data = builder.bitcast(builder.load(self._field(view, BUFFER)), number.as_pointer())
        array = make_array(kind)(self._context, builder)
        populate_array(array, data=data, shape=shape, strides=strides, itemsize=width, meminfo=None)
        return array._getvalue()

    def _field(self, view: Any, number: int) -> Any:
        return self.builder.gep(view, [INT(0), INT(number)], inbounds=True)


def _add_memory(module: Any) -> None:
    """The functions by which compiled code gets memory for its own arrays: Numba's are in its runtime library.

    A block begins with Numba's MemInfo: the count of references, the destructor, its argument, the address of the
    memory, its size, and who allocated it.
    """
    free = ir.Function(module, ir.FunctionType(NOTHING, [BYTES]), "PyMem_RawFree")
    take = ir.Function(module, ir.FunctionType(BYTES, [SIZE]), "PyMem_RawMalloc")
    head = SIZE(64)
    for name in ("NRT_MemInfo_alloc_aligned", "NRT_MemInfo_alloc_safe_aligned"):
        function = ir.Function(module, ir.FunctionType(BYTES, [SIZE, INT]), name)
        builder = ir.IRBuilder(function.append_basic_block())
        wanted, alignment = function.args[0], builder.zext(function.args[1], SIZE)
        before = builder.add(head, alignment)
        block = builder.call(take, [builder.add(wanted, before)])
        with builder.if_then(builder.icmp_unsigned("==", block, NULL), likely=False):
            builder.ret(NULL)
        end = builder.add(builder.ptrtoint(block, SIZE), before)
        data = builder.sub(end, builder.urem(end, alignment))
        words = builder.bitcast(block, SIZES)
        for k, value in enumerate((SIZE(1), SIZE(0), SIZE(0), data, wanted, SIZE(0))):
            builder.store(value, builder.gep(words, [SIZE(k)]))
        builder.ret(block)
    function = ir.Function(module, ir.FunctionType(NOTHING, [BYTES]), "NRT_MemInfo_call_dtor")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.call(free, function.args)
    builder.ret_void()
