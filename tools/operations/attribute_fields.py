#!/usr/bin/env python3
"""Writes the order in which attributes and types print named fields, if they print nothing else.

    attribute_fields.py --release 16 LLVM-TBLGEN INCLUDE --release 19 LLVM-TBLGEN INCLUDE \
        --out rust/mlirbc/data/operations/attribute_fields.tsv

`INCLUDE:MORE` reads the files of the first folder, which include those of others: 24 is
`IREE/compiler/src:/usr/lib/llvm-22/include`, the attributes that IREE's build adds.

A row has the release, `#` or `!` with the name, and the fields. A field may have a mark: `:integer` if its number
is printed with a type, `:spaced` if its class prints a space first, and the name of its class if that is printed
without the name. A field that is not printed if it has its default has this after `=`. After the name, `?` marks a
class that is printed without brackets if it has no field to print.
"""

import argparse
import re
from pathlib import Path
from typing import Any

from tblgen import Records, arguments, code, files, run


def layout(record: dict[str, Any]) -> str:
    """The assembly format without spaces and quotes."""
    return re.sub(r"[\s`]", "", record.get("assemblyFormat") or "")


def field(records: Records, value: Any, name: str, release: int) -> str:
    """A field with its mark and its default."""
    record = records.named(value) or {}
    cpp = f"{record.get('cppType') or code(value)}".strip().rsplit(":", 1)[-1]
    # Until 22, a class that prints only its value prints a space first.
    spaced = {
        attr["cppClassName"]
        for attr in records.instances("AttrDef")
        if layout(attr) == "$value" and release <= 22
    }
    named = {
        attr["cppClassName"]: f":{dialect['name']}.{attr['mnemonic']}"
        for attr in records.instances("AttrDef")
        if attr.get("mnemonic") and (dialect := records.named(attr["dialect"]))
    }
    mark = ":integer" if cpp == "IntegerAttr" else ":spaced" if cpp in spaced else named.get(cpp, "")
    default = f"{record.get('defaultValue') or ''}"
    # An empty list of a class, and a case of an enumeration.
    if re.fullmatch(r"\w+::get\(\$_ctxt, \{\}\)", default):
        return f"{name}{mark}=[]"
    if case := re.fullmatch(r"\w+::get\(\$_ctxt, \w+::(\w+)\)", default):
        return f"{name}{mark}={case[1].lower()}"
    # A text with a comma or `=` would need escapes here.
    return name + mark + (f"={default}" if re.fullmatch(r'true|false|-?\d+|"[^",=\t]*"', default) else "")


def printed(record: dict[str, Any]) -> tuple[list[tuple[Any, str]], str] | None:
    """The fields in the order of a format that has only `struct(…)` or only `name = $parameter, …`, and `?` if its
    brackets are optional."""
    by_name = {name: value for value, name in arguments(record["parameters"])}
    if re.fullmatch(r"<\w+=\$\w+(,\w+=\$\w+)*>", layout(record)):
        return [
            (by_name[parameter], name) for name, parameter in re.findall(r"(\w+)=\$(\w+)", layout(record))
        ], ""
    text = re.sub(r"custom<\w+>\((\$\w+)\)", r"\1", layout(record))
    match = re.fullmatch(r"(\()?<struct\((params|[$\w,]+)\)(?:\^>\)\?|>)", text)
    if match is None:
        return None
    parameters = arguments(record["parameters"])
    if match[2] != "params":
        names = [name.removeprefix("$") for name in match[2].split(",")]
        parameters = [(by_name[name], name) for name in names]
    return parameters, "?" if match[1] else ""


def rows(release: int, tblgen: str, include: Path, more: list[Path]) -> dict[str, list[str]]:
    """The fields of each attribute and type by name."""
    fields_by_name: dict[str, list[str]] = {}
    folders = sorted(
        {
            file.parent
            for file in files(include)
            if "struct(" in file.read_text() or "`=` $" in file.read_text()
        }
    )
    for file in (file for folder in folders for file in sorted(folder.glob("*.td"))):
        records = run(tblgen, file, [include, *more])
        if records is None:
            continue
        for sigil, kind in (("#", "AttrDef"), ("!", "TypeDef")):
            for record in records.instances(kind):
                dialect = records.named(record["dialect"])
                if dialect is None or not record.get("mnemonic") or (shown := printed(record)) is None:
                    continue
                fields = [field(records, value, name, release) for value, name in shown[0]]
                fields_by_name[f"{sigil}{dialect['name']}.{record['mnemonic']}{shown[1]}"] = fields
    return fields_by_name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", required=True, action="append", nargs=3)
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()
    lines = []
    for release, tblgen, include in options.release:
        folder, *more = (Path(folder) for folder in include.split(":"))
        fields_by_name = rows(int(release), tblgen, folder, more)
        lines += [f"{release}\t{name}\t{','.join(fields_by_name[name])}\n" for name in sorted(fields_by_name)]
    options.out.write_text("".join(lines))


if __name__ == "__main__":
    main()
