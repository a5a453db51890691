"""How much the tests try: continuous integration and the thorough profile try every combination, ./check fewer."""

import os

THOROUGH = bool(os.environ.get("CI")) or os.environ.get("HYPOTHESIS_PROFILE") in ("ci", "thorough")
