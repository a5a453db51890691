"""`python -m limbik.cli`."""

import sys

from limbik.cli import main

sys.exit(main())
