"""The languages in which a creature's walk is written."""

from __future__ import annotations

from limbik.exporting.creatures.c import CWalker
from limbik.exporting.creatures.cpp import CppWalker
from limbik.exporting.creatures.csharp import CSharpWalker
from limbik.exporting.creatures.gdscript import GDScriptWalker
from limbik.exporting.creatures.javascript import JavaScriptWalker
from limbik.exporting.creatures.rust import RustWalker
from limbik.exporting.creatures.walker_writer import WalkerWriter

WRITERS: dict[str, type[WalkerWriter]] = {
    one.language.key: one for one in (CWalker, CppWalker, CSharpWalker, JavaScriptWalker, GDScriptWalker, RustWalker)
}
