"""The closed forms, each written once, on components, over the operations of `operations.py`.

A formula is ordinary Python over numbers that record what is done to them (`Real`). Run once, it leaves the straight
line of operations that it is; every engine writes that line in its own language (see `limbik.engines`). So a formula
has no second copy anywhere, and Python's own functions, tuples, loops and flags cost nothing where it runs.
"""
