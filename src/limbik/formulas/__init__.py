"""The closed forms, each written once, on components, in the operations of `operations.py`.

A formula is ordinary Python over symbols that record what is done to them (`Real`). Calling it once leaves a trace of
its operations, which every engine writes in its own language (see `limbik.engines`). Python's functions, tuples, loops
and flags therefore cost nothing at run time.
"""
