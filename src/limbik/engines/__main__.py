"""`python -m limbik.engines three-link joints numba` prints the source that an engine runs for an answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

import numpy as np

from limbik.arguments import choice
from limbik.engines import numba_engine, numpy_engine, scalar_engine, tensor_engine, triton_engine
from limbik.engines.programs import PROGRAMS, program_named
from limbik.engines.trace import answer_trace
from limbik.errors import LimbikError

ENGINES = ("scalar", "numpy", "numba", "torch", "jax", "triton")


def source(
    program: str,
    answer: str,
    engine: str,
    *,
    dtype: str = "float64",
    flags: Iterable[str] | None = None,
    varying: Iterable[str] = ("target", "up", "pole"),
) -> str:
    """The source that an engine runs for an answer.

    Args:
        program: "planar", "two-link" or "three-link".
        answer: of the program: "joints", "angles", "rotations", "report" and so on.
        engine: "scalar", "numpy", "numba", "torch", "jax" or "triton"; none of these libraries is imported.
        dtype: "float64" or "float32"; the scalar engine has float64 only.
        flags: names of the flags that are set (default: those of a call without options).
        varying: groups that are (N, components) arrays on Numba and Triton; all others are constant.

    Returns:
        The text: the short trace, followed by the full one with the rare cases where the engine has both.

    Raises:
        ChoiceError: for an unknown name; it lists the known ones.
    """
    described = program_named(program)
    choice("answer", answer, described.answers)
    choice("engine", engine, ENGINES)
    number = np.dtype(choice("dtype", dtype, ("float64", "float32")))
    chosen = described.flags()
    if flags is not None:
        fields = described.flags._fields
        named = {choice("flags", name, fields) for name in flags}
        chosen = described.flags(**{field: field in named for field in fields})
    short, full = (answer_trace(described, answer, chosen, rare) for rare in (False, True))
    groups = described.groups_of(answer)
    varying = [choice("varying", name, (*groups, "target", "up", "pole")) for name in varying]
    if engine == "numba":
        layouts = tuple("interleaved" if name in varying else "constant" for name in groups)
        return numba_engine.Kernel(described, answer, chosen, number, layouts, ()).text()
    if engine == "triton":
        layouts = tuple("rows" if name in varying else "number" for name in groups)
        sizes = (described.answers[answer].size,)
        return triton_engine.Kernel(described, answer, chosen, dtype, layouts, sizes).text()
    if engine in ("torch", "jax"):
        texts = [tensor_engine.text(engine, full, dtype)]
    elif engine == "scalar":
        texts = [scalar_engine.text(short), scalar_engine.text(full)]
    else:
        texts = [numpy_engine.text(trace, number)[0] for trace in (short, full)]
    return "\n\n\n".join("\n".join(lines) for lines in texts) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser("python -m limbik.engines", description="Print the source that an engine runs.")
    parser.add_argument("program", help=", ".join(name.replace("_", "-") for name in PROGRAMS))
    parser.add_argument("answer", help="joints, angles, rotations, report, ...")
    parser.add_argument("engine", help=", ".join(ENGINES))
    parser.add_argument("--dtype", default="float64", help="float64 (default) or float32")
    parser.add_argument(
        "--flags", nargs="*", metavar="FLAG", help="flags that are set (default: a call without options)"
    )
    parser.add_argument(
        "--varying", nargs="*", metavar="GROUP", default=("target", "up", "pole"), help="arrays of rows"
    )
    try:
        print(source(**vars(parser.parse_args(arguments))), end="")
    except LimbikError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
