"""The functions of an exported chain of many links: its lengths, shares and limits are part of the code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from limbik.engines.programs import NLinkFlags
from limbik.engines.trace import component
from limbik.errors import ArgumentError
from limbik.exporting import items
from limbik.exporting.functions import ORIGIN, Function, Groups, LimbFunctions
from limbik.exporting.items import Item
from limbik.formulas.operations import Real, Symbol

if TYPE_CHECKING:
    from limbik.limbs.n_link import NLink

OPTIONS = ("lengths", "direction", "soften", "track", "bones")
MOST_LINKS = 16  # code without loops grows with each link: two thousand lines here


@dataclass(frozen=True)
class ChainFunctions(LimbFunctions):
    """A chain with options and answers; `rule` has the groups of numbers that belong to the chain."""

    rule: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    shared: bool = False

    @property
    def flags(self) -> NLinkFlags:
        return NLinkFlags("soften" in self.options, self.shared, "direction" in self.options)

    def inputs(self, tracking: bool = False) -> tuple[Item, ...]:
        inputs = [*items.chain_lengths(len(self.rule["lengths"]))] if "lengths" in self.options else []
        inputs += items.goals("two_link")
        inputs += [items.DIRECTION] if "direction" in self.options else []
        inputs += items.EXTENSION[:1] if "soften" in self.options else ()
        return tuple(inputs)

    def answer_items(self, answer: str) -> Iterable[Item]:
        if answer == "report":
            return super().answer_items(answer)
        return items.chain_answers(len(self.rule["lengths"]))[answer]

    def groups(self, values: Mapping[str, tuple[Real, ...]]) -> Groups:
        own: Groups = {
            name: tuple(Symbol("name", component(name, k)) for k in range(len(v))) for name, v in self.rule.items()
        }
        if "lengths" in self.options:
            own["lengths"] = tuple(values[item.name][0] for item in items.chain_lengths(len(own["lengths"])))
        return {
            **own,
            "target": values["target"],
            "pole": values["pole"],
            "requested_pole": values["pole"],
            "origin": values["origin"],
            "direction": values.get("direction", ORIGIN),
            "onset": values.get("soften", (1.0,)),
            "signs": (1.0, 1.0),
            "aim": ORIGIN,
            "turn_rate": values.get("turn_rate", ()),
            "previous": values.get("state", ()),
        }

    def functions(self, dtype: str = "float64") -> list[Function]:
        constants = {component(name, k): value for name, part in self.rule.items() for k, value in enumerate(part)}
        return [replace(function, constants=constants) for function in super().functions(dtype)]


def chain_functions(chain: NLink, options: frozenset[str], answers: tuple[str, ...]) -> ChainFunctions:
    """The functions of one chain.

    Raises:
        ArgumentError: for many chains at once, more links than code can have, or a direction without a body.
    """
    lengths = chain.lengths
    links = lengths.shape[-1]
    if lengths.ndim != 1 or links > MOST_LINKS:
        raise ArgumentError("limb", f"lengths of shape {tuple(lengths.shape)}", f"one chain of 2 to {MOST_LINKS} links")
    if "lengths" in options and chain._whole is not None:
        raise ArgumentError("options", "lengths", "a chain without shares and limits, which depend on the lengths")
    if "direction" in options and links < 3:
        raise ArgumentError("options", "direction", "a chain of three links or more for it")
    bends = chain._body if "direction" in options else chain._whole
    rule = {"lengths": tuple(lengths.tolist()), **chain._rule(bends)}
    return ChainFunctions(f"n_link_{links}", options, answers, rule, bends is not None)
