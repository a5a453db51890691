"""The same formula in another language: source without dependencies, bit-identical to limbik's.

`limbik export two-link --to c --out two_link.h` writes the same to a file; docs/export.md lists the languages.
"""

import limbik

exported = limbik.export("two-link", "c", answers=("joints",))
lines = exported.files["two_link.h"].splitlines()
print(len(lines), "lines of C")
for line in lines[:12]:
    print(line)
