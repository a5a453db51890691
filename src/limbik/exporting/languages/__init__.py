"""The languages that a limb can be exported to, one module each."""

from limbik.exporting.language import Language
from limbik.exporting.languages.c import C
from limbik.exporting.languages.cpp import Cpp
from limbik.exporting.languages.csharp import CSharp, UnityMathematics
from limbik.exporting.languages.gdscript import GDScript
from limbik.exporting.languages.javascript import JavaScript
from limbik.exporting.languages.rust import Rust
from limbik.exporting.languages.shaders import GLSL, HLSL, WGSL

LANGUAGES: dict[str, type[Language]] = {
    language.key: language
    for language in (C, Cpp, CSharp, UnityMathematics, JavaScript, GDScript, Rust, GLSL, HLSL, WGSL)
}
