"""`limbik export spider`: the walk of a creature as source code.

walker_source.py  which stages, records and tables a creature needs
walker_writer.py  how they are written; c.py, cpp.py, csharp.py, gdscript.py, javascript.py, rust.py: in a language
writers.py        the languages
"""
