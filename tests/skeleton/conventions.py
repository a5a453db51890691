"""How rigs name the joints of a figure: for each convention its tree, and the limbs in it (conventions.toml)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.skeleton import figures


@dataclass(frozen=True)
class Convention:
    """A tree (see `figures.read_tree`), what "{}" stands for, and the joints of a leg, its toes and an arm."""

    tree: str
    left: str
    right: str
    leg: tuple[str, ...]
    toes: tuple[str, ...]
    arm: tuple[str, ...]

    def read(self):
        return figures.read_tree(self.tree, self.left, self.right)

    def wanted(self):
        """The names of joints and toes, by the names of limbs."""
        found = {}
        for side, word in (("left", self.left), ("right", self.right)):
            legs = tuple(name.format(word) for name in self.leg)
            found[f"{side}_leg"] = legs, tuple(name.format(word) for name in self.toes)
            found[f"{side}_arm"] = tuple(name.format(word) for name in self.arm), ()
        return found


CONVENTIONS = {
    name: Convention(one["tree"], *one["sides"], *(tuple(one[part]) for part in ("leg", "toes", "arm")))
    for name, one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}
