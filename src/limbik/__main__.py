"""`python -m limbik`."""

import sys

from limbik.cli import main

sys.exit(main())
