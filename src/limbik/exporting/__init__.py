"""Limbs as source code for other languages and as packages for game engines: `limbik.export`.

A language is one small writer over the recorded trace (`languages/`); a package adds template text (`packages/`).
"""
