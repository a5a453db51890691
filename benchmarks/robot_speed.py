"""Speed of robot limbs: every branch of a UR5e, one pose at a time and in batches, beside EAIK, ssik and jaik.

`python -m benchmarks.robot_speed` prints the rows that `limbik bench` has for it; `--batch` is the number of poses in a
batch.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.robots import machine
from limbik.bench.report_tables import duration
from limbik.bench.robot_rows import BATCH, robot_rows
from limbik.bench.timing import Effort


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=BATCH, help="poses in a batch")
    given = parser.parse_args()
    print(machine())
    effort = Effort(seconds=2.0, least=9)
    for row in robot_rows(effort, Path(__file__).parent / "peers", given.batch):
        if "skipped" in row:
            print(f"{row['who']}: {row['skipped']}")
            continue
        times = f"best {duration(row['seconds']['best']):>9s}  median {duration(row['seconds']['median']):>9s}"
        times += f"  of a core {duration(row['core_seconds']):>9s}"
        print(f"{row['job']:42s} {row['who']:7s} {row['version']:11s} {times}  worst miss {row['worst_miss']:.1e} m")


if __name__ == "__main__":
    main()
