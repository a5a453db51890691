"""Reads and writes tables of numbers in chunks: .csv with a header, .jsonl, .npy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from limbik.errors import FileError
from limbik.files.atomic_write import atomic_write
from limbik.files.file_limits import known_suffix
from limbik.files.npy_files import NpyReader, NpyWriter
from limbik.files.table_rows import Array, Layout, Reader
from limbik.files.text_tables import CsvReader, JsonLinesReader, csv_writer, jsonl_writer

READERS = {".csv": CsvReader, ".jsonl": JsonLinesReader, ".npy": NpyReader}
WRITERS = {".csv": csv_writer, ".jsonl": jsonl_writer, ".npy": NpyWriter}


def read_table(path: Path, layout: Layout) -> Reader:
    """A reader of a file's rows; raises where the file does not exist, is not a table, or has other columns."""
    reader = READERS[known_suffix(path, READERS)]
    if path.is_dir():
        raise FileError(path, "", "is a folder")
    try:
        return reader(path, layout)
    except FileNotFoundError:
        raise FileError(path, "", "does not exist") from None
    except OSError as error:
        raise FileError(path, "", f"cannot be read ({error.strerror})") from None


@contextmanager
def write_table(
    path: Path, columns: Sequence[str], words: Mapping[str, Sequence[str]]
) -> Iterator[Callable[[Array], None]]:
    """A function that writes rows of values (rows, columns); the file appears when the block ends without an error.

    words: the columns whose values are numbers of words, and the words. Text formats write the word, .npy the number.
    """
    kind = WRITERS[known_suffix(path, WRITERS)]
    with atomic_write(path) as file:
        yield kind(file, columns, words).write
