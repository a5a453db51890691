"""Hooks of the documentation site (mkdocs.yml): pages that are made from the repository, links, and formulas.

README.md is the first page; the public names of limbik, the examples and the command line have pages made from their
docstrings, sources and options. Formulas become MathML, which browsers show without a script.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
# Pages outside docs/, by the file they are made of.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changes.md",
}
# The public names by what they are about; those that are missing here come last.
NAMES = {
    "Limbs": "PlanarTwoLink TwoLink ThreeLink Solution Status Branches Chain PlanarChain Frames warm_up",
    "Figures and clips": "Skeleton RigLimb Pose Clip load save find_limbs reach_ends Reached Goal samples rotations",
    "Positions and arrays": "fit training_data",
    "Ground": "ground Grounded Settings ground_files terrain Terrain terrains",
    "Footsteps": "Footsteps Footstep load_footsteps save_footsteps",
    "Creatures": "walk Walker creature Creature",
    "Robots": "Robot robots",
    "Pictures and pages": "render write_page plots",
    "Export and errors": "export Exported LimbikError errors",
}
STILL = (1200, 675)  # width and height in pixels
# Creatures of the gallery, and their ground.
PLAYED = {
    "spider": "hills:height=0.3,seed=3",
    "hexapod": "stairs:rise=0.05,run=0.3",
    "quadruped": "hills:height=0.4,seed=7",
    "biped": "stairs:rise=0.17,run=0.3",
    "centipede": "hills:height=0.15,size=2,seed=5",
}
STAIRS = "stairs:rise=0.17,run=0.3,start=0.6"
PLAY = re.compile(r"^\[(.*)\]\((play/\w+)\.html\)$", re.M)  # a line of its own: becomes a picture
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.M | re.S)
MATHS = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.S)


def on_config(config: Any) -> Any:
    """Fills in the generated parts of the navigation."""
    examples = [{_title(path): f"examples/{path.stem}.md"} for path in _examples()]
    python = [{group: f"reference/{_slug(group)}.md"} for group in _names()]
    config.nav = _filled(config.nav, {"EXAMPLES": examples, "PYTHON": python})
    return config


def _filled(nav: Any, parts: dict[str, Any]) -> Any:
    if isinstance(nav, list):
        return [_filled(item, parts) for item in nav]
    if isinstance(nav, dict):
        return {name: _filled(item, parts) for name, item in nav.items()}
    return parts.get(nav, nav)


def on_files(files: Files, config: Any) -> Files:
    """Adds the generated pages."""
    made = {page: (ROOT / source).read_text("utf-8") for source, page in PAGES.items()}
    made |= {f"examples/{path.stem}.md": _example(path) for path in _examples()}
    made |= {f"reference/{_slug(group)}.md": _reference(group, names) for group, names in _names().items()}
    made["command_line.md"] = _command_line()
    made |= _playable()
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links to files of the repository become links to their pages, or plain names; formulas become MathML."""
    source = next((ROOT / name for name, made in PAGES.items() if made == page.file.src_uri), None)
    here = (source or ROOT / "docs" / page.file.src_uri).parent
    parts = FENCE.split(markdown)
    text = "".join(part if k % 2 else _formulas(part) for k, part in enumerate(parts))
    text = PLAY.sub(r"[![\1](\2.png)](\2.html)", text)
    return LINK.sub(lambda found: _link(found, here, page.file.src_uri, files), text)


def _link(found: re.Match[str], here: Path, page: str, files: Files) -> str:
    image, words, target = found.groups()
    path, _, anchor = target.partition("#")
    if not path or re.match(r"[a-z]+:", target):
        return found[0]
    place = (here / path).resolve()
    if not place.is_relative_to(ROOT) or not place.exists():
        return found[0]
    name = str(place.relative_to(ROOT))
    inside = name.removeprefix("docs/")
    uri = PAGES.get(name) or (inside if name != inside and files.get_file_from_path(inside) else None)
    if place.suffix == ".py" and name.startswith("examples/") and place in _examples():
        uri = f"examples/{place.stem}.md"
    if name == "examples":
        uri = f"examples/{_examples()[0].stem}.md"
    if uri is None:
        return f"`{name}`" if words in (name, place.name) else f"{words} (`{name}`)"
    back = "../" * page.count("/")
    return f"{image}[{words}]({back}{uri}{'#' + anchor if anchor else ''})"


def _formulas(text: str) -> str:
    def made(found: re.Match[str]) -> str:
        block, inline = found.groups()
        return convert(block.strip(), display="block") if block else convert(inline)

    return MATHS.sub(made, text)


def _examples() -> list[Path]:
    return sorted((ROOT / "examples").glob("[0-9]*.py"))


def _title(path: Path) -> str:
    return path.stem[3:].replace("_", " ").capitalize()


def _example(path: Path) -> str:
    source = path.read_text("utf-8")
    about = ast.get_docstring(ast.parse(source)) or ""
    body = source.split('"""', 2)[2].lstrip("\n")
    return f"# {_title(path)}\n\n{about}\n\n`examples/{path.name}`:\n\n```python\n{body}```\n"


def _reference(group: str, names: list[str]) -> str:
    blocks = "\n\n".join(f"::: limbik.{name}" for name in names)
    return f"# {group}\n\n{blocks}\n"


def _slug(group: str) -> str:
    return group.lower().replace(" ", "_")


def _playable() -> dict[str, str | bytes]:
    """Pages that play clips, which the gallery links to, and a still of each."""
    import limbik
    from limbik.pages.clip_page import page_text

    made: dict[str, str | bytes] = {}
    for name, spec in PLAYED.items():
        clip = limbik.walk(name, spec, seconds=6)
        made |= {f"play/{name}.html": page_text(clip), f"play/{name}.png": _still(clip, spec)}
    stairs = limbik.ground(limbik.samples.walk(300), STAIRS)
    page = page_text(stairs.clip, compare=stairs.before_on_terrain)
    return made | {"play/stairs.html": page, "play/stairs.png": _still(stairs.clip, STAIRS)}


def _still(clip: Any, spec: str) -> bytes:
    import limbik

    with TemporaryDirectory() as folder:
        path = Path(folder) / "still.png"
        limbik.render(clip, path, spec, size=STILL)
        return path.read_bytes()


def _names() -> dict[str, list[str]]:
    """The public names by group."""
    import limbik

    listed = {group: [name for name in names.split() if name in limbik.__all__] for group, names in NAMES.items()}
    known = {name for names in listed.values() for name in names} | {"__version__"}
    further = [name for name in limbik.__all__ if name not in known]
    return listed | ({"Further names": further} if further else {})


def _command_line() -> str:
    """The options of every command, from the commands."""
    from limbik.cli import app

    text = app.generate_docs(output_format="markdown")
    return text.replace("# limbik\n", "# The command line\n", 1)
