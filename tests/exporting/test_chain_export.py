"""Chains of many links as code: the same bits as limbik's in every language, over hostile rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import limbik
from limbik.exporting.chain_functions import chain_functions
from limbik.exporting.language import Unit
from limbik.exporting.languages import LANGUAGES
from tests.cli.command import run as command
from tests.exporting import rows
from tests.exporting.test_same_bits import PAIRS, faults, same_bits, ulps
from tests.exporting.toolchains import TOOLCHAINS, run, tool
from tests.thoroughness import THOROUGH

ANSWERS = ("joints", "rotations", "angles", "report")
ROWS, PATHS, FRAMES = (100_000, 100, 100) if THOROUGH else (400, 2, 60)


@dataclass(frozen=True)
class Chain:
    name: str
    lengths: tuple[float, ...]
    options: tuple[str, ...] = ()
    shares: tuple[float, ...] | None = None
    limits: tuple[float, float] | None = None

    @property
    def limb(self) -> limbik.NLink:
        return limbik.NLink(self.lengths, shares=self.shares, limits=self.limits)

    @property
    def functions(self):
        return chain_functions(self.limb, frozenset(self.options), ANSWERS)


CHAINS = [
    Chain("pair", (0.45, 0.42)),
    Chain("tail", (0.3, 0.2, 0.2, 0.1), ("soften",)),
    Chain("neck", (0.2, 0.25, 0.15), ("direction",)),
    Chain("spine", (0.2, 0.15, 0.15, 0.1), (), (1.0, 2.0, 1.0), (0.1, 2.0)),
    Chain("rope", (0.3, 0.2, 0.1), ("lengths",)),
    Chain("tentacle", (0.2, 0.2, 0.1, 0.1), ("track",)),
]
BRIEF = [CHAINS[2], CHAINS[4], CHAINS[5]]


def solved(chain: Chain, given: dict[str, np.ndarray]) -> np.ndarray:
    """What limbik answers, (count, numbers)."""
    more = {name: given[name] for name in ("direction",) if name in given}
    more |= {name: given[name][:, 0] for name in ("soften",) if name in given}
    found = chain.limb.solve(given["target"], given["pole"], given["origin"], **more)
    parts = [found.joints, found.rotations, found.angles]
    parts += [np.asarray(getattr(found, name), found.dtype) for name in chain.functions.program.report]
    return np.concatenate([part.reshape(len(given["target"]), -1) for part in parts], axis=1)


@cache
def rows_of(chain: Chain, dtype: np.dtype, library: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Inputs, random and hostile, and what limbik answers: the same for several languages."""
    rng = np.random.default_rng(0)
    given = {item.name: rows.vectors(rng, ROWS, item.size, dtype) for item in chain.functions.inputs()}
    if "soften" in given:
        given["soften"] = rng.choice([1.0, 0.9, 0.5], (ROWS, 1))
    if "lengths" in chain.options:
        given |= {f"length_{k}": np.full((ROWS, 1), length) for k, length in enumerate(chain.lengths, 1)}
    with np.errstate(over="ignore"):
        given = {name: values.astype(dtype) for name, values in given.items()}
    with rows.elementary_functions(dtype, library):
        return given, solved(chain, given)


def check_rows(program, chain: Chain) -> list[str]:
    given, wanted = rows_of(chain, program.dtype, program.library if program.dtype == np.float32 else "c")
    found = program.run(chain.name, "solve", np.concatenate(list(given.values()), axis=1))
    links = len(chain.lengths)
    angles = np.r_[7 * links + 3 : 8 * links + 5, 8 * links + 8]
    exact = np.setdiff1d(np.arange(wanted.shape[1]), angles)
    differ = ~same_bits(found, wanted)[:, exact].all(axis=1)
    turned = ulps(found, wanted)[:, angles].max(axis=1) > 2
    return faults(differ, given, found, wanted) + faults(turned, given, found, wanted)


def check_track(program, chain: Chain) -> list[str]:
    given = rows.paths(rows.Case("two_link", ("track",)), PATHS, FRAMES, program.dtype)
    with rows.elementary_functions(program.dtype, program.library):
        track = chain.limb.track(given["target"], given["pole"], given["origin"])
        wanted = np.concatenate([part.reshape(*track.shape, -1) for part in (track.joints, track.rotations)], axis=-1)
    found = np.ascontiguousarray(program.track(chain.name, given)[..., : wanted.shape[-1]])
    return faults(~same_bits(found, wanted).all(axis=-1), given, found, wanted)


@pytest.mark.parametrize(("language", "dtype"), PAIRS if THOROUGH else PAIRS[:1])
def test_same_bits(language, dtype, tmp_path):
    chains = CHAINS if THOROUGH else BRIEF
    units = [Unit(chain.name, [chain.name], chain.functions.functions(dtype), dtype) for chain in chains]
    program = TOOLCHAINS[language](units, tmp_path)
    wrong = []
    for chain in chains:
        check = check_track if "track" in chain.options else check_rows
        wrong += [f"{chain.name}: {fault}" for fault in check(program, chain)]
    assert not wrong, "\n".join(wrong[:4])


@pytest.mark.parametrize("language", ["glsl", "hlsl"])
def test_a_chain_in_a_shader_compiles(language, tmp_path):
    compiler = tool("glslangValidator")
    source = limbik.export(limbik.NLink([0.3, 0.2, 0.1]), language).text
    call = "n_link_solve({0}3(0.1, 0.2, 0.3), {0}3(0.0, 1.0, 0.0), {0}3(0.0, 0.0, 0.0)).tip"
    if language == "glsl":
        main = "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer Out { vec4 tip[]; };\n"
        main += f"void main() {{ tip[gl_GlobalInvocationID.x] = vec4({call.format('vec')}, 0.0); }}\n"
        (tmp_path / "main.comp").write_text(f"#version 430\n{source}{main}")
        run(compiler, "-V", tmp_path / "main.comp", "-o", tmp_path / "main.spv")
    else:
        main = "RWStructuredBuffer<float4> tip;\n[numthreads(64, 1, 1)]\n"
        main += f"void main(uint3 id : SV_DispatchThreadID) {{ tip[id.x] = float4({call.format('float')}, 0.0); }}\n"
        (tmp_path / "main.hlsl").write_text(source + main)
        run(compiler, "-D", "-V", "-S", "comp", "-e", "main", tmp_path / "main.hlsl", "-o", tmp_path / "main.spv")
    run(tool("spirv-val"), tmp_path / "main.spv")


@pytest.mark.parametrize("language", LANGUAGES)
def test_lengths_are_part_of_the_code(language):
    text = limbik.export(limbik.NLink([0.3125, 0.2, 0.1]), language, options=["direction", "track"]).text
    assert (
        "0.3125" in text
        and text == limbik.export(limbik.NLink([0.3125, 0.2, 0.1]), language, options=["direction", "track"]).text
    )


@pytest.mark.parametrize(
    ("limb", "options", "message"),
    [
        ("n-link", (), "limb: got 'n-link'; expected an NLink"),
        (limbik.NLink([1.0] * 17), (), "expected one chain of 2 to 16 links"),
        (limbik.NLink([[1.0, 1.0], [2.0, 1.0]]), (), "lengths of shape (2, 2)"),
        (limbik.NLink([1.0, 1.0]), ("direction",), "a chain of three links or more"),
        (
            limbik.NLink([1.0, 1.0]),
            ("twist",),
            "options: got 'twist'; expected one of 'lengths', 'direction', 'soften', 'track', 'bones'",
        ),
    ],
)
def test_what_is_refused(limb, options, message):
    with pytest.raises(limbik.LimbikError) as caught:
        limbik.export(limb, "c", options=options)
    assert message in str(caught.value)


def test_the_command(capsys):
    printed = command(capsys, "export n-link --lengths 0.3 0.2 0.1 --shares 1 2 --to js --options soften --name tail")
    chain = limbik.NLink([0.3, 0.2, 0.1], shares=[1, 2])
    assert printed.out == limbik.export(chain, "js", options=["soften"], name="tail").text
    assert "n-link: other limbs" in command(capsys, "export two-link --lengths 0.3 0.2 --to c").err
    assert "--lengths, too" in command(capsys, "export n-link --shares 1 2 --to c").err
