"""The files that a build writes for the texts, and its products for them, in a database of the cache."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from assembly.texts import TextPart
from producers.bindings import NEWEST, TEXTS
from producers.producer import Crashed, Producer, Refused

OLD_VERSIONS = ("0", "4", "5")
PRODUCTS = (*TEXTS, NEWEST, *OLD_VERSIONS)
TABLE = (
    "create table if not exists cases (name text primary key, digest text, refused text, bytecode blob, "
    + ", ".join(f'"{kind}" blob' for kind in PRODUCTS)
    + ")"
)


class Case(NamedTuple):
    """A file of the build, and the products of the build for it: texts, and bytecode of several versions."""

    name: str
    bytecode: bytes
    products: dict[str, bytes]


class Files:
    """The cases of a build."""

    def __init__(self, path: Path) -> None:
        self.database = sqlite3.connect(path)
        self.database.execute(TABLE)

    def make(self, producer: Producer, parts: Iterable[TextPart]) -> None:
        """Has the build write the files of the texts that it has not seen."""
        for number, part in enumerate(parts):
            digest = hashlib.sha256(part.text).hexdigest()
            row = self.database.execute("select digest from cases where name = ?", [part.name]).fetchone()
            if row is None or row[0] != digest:
                refused, products = products_of(producer, part.text)
                values = [part.name, digest, refused, *products]
                marks = ", ".join("?" * len(values))
                self.database.execute(f"insert or replace into cases values ({marks})", values)
            if number % 100 == 99:
                self.database.commit()
        self.database.commit()

    def case(self, name: str) -> Case | str:
        """A case, or why the build refuses its text or its own file."""
        columns = ", ".join(f'"{kind}"' for kind in PRODUCTS)
        query = f"select refused, bytecode, {columns} from cases where name = ?"
        refused, bytecode, *products = self.database.execute(query, [name]).fetchone()
        return (
            str(refused)
            if refused is not None
            else Case(name, bytecode, dict(zip(PRODUCTS, products, strict=True)))
        )


def products_of(producer: Producer, text: bytes) -> tuple[str | None, list[bytes]]:
    """The bytecode of a text and the products of the build for it; or the reason of a refusal."""
    nothing = [b""] * (len(PRODUCTS) + 1)
    try:
        (bytecode,) = producer.products(text, NEWEST)
    except Refused as error:
        return f"text: {error}", nothing
    try:
        return None, [bytecode, *producer.products(bytecode, *PRODUCTS)]
    except Crashed as error:
        return f"file: {error}", nothing
    except Refused as error:
        return f"file: {error}", nothing
