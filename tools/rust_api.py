"""Lists the public Rust API of the crate `mlirbc`: the names and signatures that a version promises.

usage: python3 tools/rust_api.py [--write | --json FILE]

Without options the list is compared with `rust/mlirbc/api.txt`, and a difference is printed. `--write` writes
the file. `--json` uses an existing file of rustdoc instead of running `cargo rustdoc`.

Items that are `#[doc(hidden)]` have no promise and are not listed. Rustdoc's JSON is not stable: `FORMATS`
has the formats with the keys that are read here.
"""

from __future__ import annotations

import difflib
import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SNAPSHOT = ROOT / "rust/mlirbc/api.txt"
FORMATS = range(45, 61)
# Marks of derives, which no caller names.
QUIET = {"StructuralPartialEq", "TrivialClone"}


class UnknownFormat(Exception):
    """The compiler writes a format of JSON that this tool has not been tested with."""


def rustdoc_json(root: Path = ROOT) -> dict[str, Any]:
    """Runs rustdoc on the crate and returns its description."""
    with tempfile.TemporaryDirectory() as folder:
        # Only rustdoc may see the variable: build scripts that do would be built again.
        wrapper = Path(folder, "rustdoc")
        rustdoc = os.environ.get("RUSTDOC", "rustdoc")
        wrapper.write_text(f'#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec {rustdoc} "$@"\n')
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        command = ["cargo", "rustdoc", "--locked", "-p", "mlirbc", "--lib", "--", "-Z", "unstable-options"]
        command += ["--output-format", "json", "--document-hidden-items"]
        subprocess.run(command, cwd=root, check=True, env={**os.environ, "RUSTDOC": str(wrapper)})
    metadata = subprocess.run(
        ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"],
        cwd=root,
        check=True,
        capture_output=True,
    )
    target = Path(json.loads(metadata.stdout)["target_directory"])
    return json.loads((target / "doc/mlirbc.json").read_text())  # type: ignore[no-any-return]


class Api:
    """The promised items of a crate, as lines."""

    def __init__(self, description: dict[str, Any]) -> None:
        if description["format_version"] not in FORMATS:
            raise UnknownFormat(f"rustdoc writes JSON of format {description['format_version']}")
        self.index: dict[str, Any] = description["index"]
        self.root = self.index[str(description["root"])]
        self.lines: list[str] = []
        self.paths: dict[int, list[str]] = {}
        self.functions = 0
        self.setters = 0
        self.undocumented: list[str] = []
        self.mentioned: dict[int, str] = {}
        self._module(self.root, "mlirbc")
        self.lines.sort()

    def repeated(self) -> dict[str, list[str]]:
        """Returns the items with several paths."""
        return {paths[0]: paths[1:] for paths in self.paths.values() if len(paths) > 1}

    def unpromised(self) -> list[str]:
        """Returns the signatures that mention a type of this crate without a path of its own."""
        local = (
            (identifier, line) for identifier, line in self.mentioned.items() if identifier not in self.paths
        )
        return sorted(
            f"{self.index[str(identifier)]['name']}: {line}"
            for identifier, line in local
            if str(identifier) in self.index
        )

    # ---- items ----

    def _module(self, module: dict[str, Any], path: str) -> None:
        for identifier in module["inner"]["module"]["items"]:
            item = self.index.get(str(identifier))
            if item is None or item["visibility"] != "public" or _is_hidden(item):
                continue
            if "use" not in item["inner"]:
                self._item(item, f"{path}::{item['name']}")
                continue
            use = item["inner"]["use"]
            target = self.index.get(str(use["id"]))
            if target is not None and _is_hidden(target) and "module" not in target["inner"]:
                continue
            if target is None:
                self.lines.append(f"{path}::{use['name']} = {use['source']}")
            elif use["is_glob"]:
                self._module(target, path)
            else:
                self._item(target, f"{path}::{use['name']}")

    def _item(self, item: dict[str, Any], path: str) -> None:
        paths = self.paths.setdefault(item["id"], [])
        paths.append(path)
        if len(paths) > 1:
            return
        if not item["docs"]:
            self.undocumented.append(path)
        kind, inner = next(iter(item["inner"].items()))
        if kind == "module":
            self._module(item, path)
        elif kind == "function":
            self._function(item, path)
        elif kind == "trait":
            self._add(f"trait {path}")
            for identifier in inner["items"]:
                self._member(self.index.get(str(identifier)), path)
        elif kind in ("struct", "enum", "union"):
            self._type(item, path, kind)
        elif kind in ("constant", "static"):
            self._add(f"{kind} {path}: {self._text(inner['type'])}", inner["type"])
        elif kind == "type_alias":
            self._add(f"type {path} = {self._text(inner['type'])}", inner["type"])
        else:
            self._add(f"{kind} {path}")

    def _type(self, item: dict[str, Any], path: str, kind: str) -> None:
        inner = item["inner"][kind]
        mark = (
            " (non-exhaustive)"
            if any("non_exhaustive" in str(attribute) for attribute in item["attrs"])
            else ""
        )
        traits = self._traits(inner["impls"])
        self._add(f"{kind} {path}{mark}" + (f": {', '.join(traits)}" if traits else ""))
        if kind == "enum":
            for identifier in inner["variants"]:
                self._variant(self.index.get(str(identifier)), path)
        elif kind == "struct":
            self._fields(inner["kind"], path)
        for identifier in inner["impls"]:
            block = self.index.get(str(identifier))
            if block is not None and block["inner"]["impl"]["trait"] is None:
                for member in block["inner"]["impl"]["items"]:
                    self._member(self.index.get(str(member)), path)

    def _traits(self, impls: list[int]) -> list[str]:
        names = set()
        for identifier in impls:
            block = self.index.get(str(identifier))
            if block is None:
                continue
            inner = block["inner"]["impl"]
            if inner["trait"] is None or inner["is_synthetic"] or inner["blanket_impl"] is not None:
                continue
            name = self._path(inner["trait"])
            if name not in QUIET:
                names.add(name)
        return sorted(names)

    def _variant(self, item: dict[str, Any] | None, path: str) -> None:
        if item is None or _is_hidden(item):
            return
        path = f"{path}::{item['name']}"
        kind = item["inner"]["variant"]["kind"]
        self._add(f"variant {path}")
        if not item["docs"]:
            self.undocumented.append(path)
        if isinstance(kind, dict):
            self._fields({"plain": kind["struct"]} if "struct" in kind else kind, path)

    def _fields(self, kind: Any, path: str) -> None:
        if not isinstance(kind, dict):
            return
        fields = kind["plain"]["fields"] if "plain" in kind else kind["tuple"]
        for identifier in fields:
            field = self.index.get(str(identifier))
            if field is not None and field["visibility"] in ("public", "default") and not _is_hidden(field):
                type_ = field["inner"]["struct_field"]
                self._add(f"field {path}.{field['name']}: {self._text(type_)}", type_)

    def _member(self, item: dict[str, Any] | None, path: str) -> None:
        if item is None or item["visibility"] not in ("public", "default") or _is_hidden(item):
            return
        kind, inner = next(iter(item["inner"].items()))
        path = f"{path}::{item['name']}"
        if not item["docs"]:
            self.undocumented.append(path)
        if kind == "function":
            self._function(item, path)
        elif kind == "assoc_const":
            self._add(f"const {path}: {self._text(inner['type'])}", inner["type"])
        elif kind == "assoc_type":
            self._add(f"type {path}")

    def _function(self, item: dict[str, Any], path: str) -> None:
        inner = item["inner"]["function"]
        signature = inner["sig"]
        inputs = [
            f"{name}: {self._text(type_)}" if name != "self" else self._self(type_)
            for name, type_ in signature["inputs"]
        ]
        output = f" -> {self._text(signature['output'])}" if signature["output"] else ""
        line = f"fn {path}{self._generics(inner['generics'])}({', '.join(inputs)}){output}"
        self._add(line, signature)
        if (item["docs"] or "").startswith("Sets [`") and "#structfield." in item["docs"]:
            self.setters += 1
        else:
            self.functions += 1

    def _add(self, line: str, mentions: Any = None) -> None:
        self.lines.append(line)
        for identifier in _identifiers(mentions):
            self.mentioned.setdefault(identifier, line)

    # ---- types ----

    def _self(self, type_: dict[str, Any]) -> str:
        text = self._text(type_)
        return {"Self": "self", "&Self": "&self", "&mut Self": "&mut self"}.get(text, f"self: {text}")

    def _generics(self, generics: dict[str, Any]) -> str:
        names = []
        for parameter in generics["params"]:
            kind = parameter["kind"]
            if "type" in kind and not kind["type"]["is_synthetic"]:
                bounds = self._bounds(kind["type"]["bounds"])
                names.append(parameter["name"] + (f": {bounds}" if bounds else ""))
            elif "const" in kind:
                names.append(f"const {parameter['name']}")
        where = []
        for predicate in generics["where_predicates"]:
            if "bound_predicate" in predicate:
                bound = predicate["bound_predicate"]
                where.append(f"{self._text(bound['type'])}: {self._bounds(bound['bounds'])}")
        return f"<{', '.join(names + where)}>" if names or where else ""

    def _bounds(self, bounds: list[dict[str, Any]]) -> str:
        texts = []
        for bound in bounds:
            if "trait_bound" in bound:
                mark = "?" if bound["trait_bound"]["modifier"] == "maybe" else ""
                texts.append(mark + self._path(bound["trait_bound"]["trait"]))
        return " + ".join(texts)

    def _path(self, path: dict[str, Any]) -> str:
        return str(path["path"]).split("::")[-1] + self._arguments(path.get("args"))

    def _arguments(self, arguments: dict[str, Any] | None) -> str:
        if not arguments:
            return ""
        if "parenthesized" in arguments:
            inner = arguments["parenthesized"]
            output = f" -> {self._text(inner['output'])}" if inner["output"] else ""
            return f"({', '.join(map(self._text, inner['inputs']))}){output}"
        inner = arguments.get("angle_bracketed", {"args": [], "constraints": []})
        texts = [self._text(argument["type"]) for argument in inner["args"] if "type" in argument]
        for constraint in inner["constraints"]:
            term = constraint["binding"].get("equality", {})
            if "type" in term:
                texts.append(f"{constraint['name']} = {self._text(term['type'])}")
        return f"<{', '.join(texts)}>" if texts else ""

    def _text(self, type_: dict[str, Any]) -> str:
        kind, inner = next(iter(type_.items()))
        match kind:
            case "resolved_path":
                return self._path(inner)
            case "generic" | "primitive":
                return str(inner)
            case "tuple":
                return f"({', '.join(map(self._text, inner))})"
            case "slice":
                return f"[{self._text(inner)}]"
            case "array":
                return f"[{self._text(inner['type'])}; {inner['len']}]"
            case "borrowed_ref":
                return f"&{'mut ' if inner['is_mutable'] else ''}{self._text(inner['type'])}"
            case "impl_trait":
                return f"impl {self._bounds(inner)}"
            case "dyn_trait":
                return "dyn " + " + ".join(self._path(bound["trait"]) for bound in inner["traits"])
            case "qualified_path":
                return f"{self._text(inner['self_type'])}::{inner['name']}"
            case "function_pointer":
                signature = inner["sig"]
                output = f" -> {self._text(signature['output'])}" if signature["output"] else ""
                return f"fn({', '.join(self._text(type_) for _, type_ in signature['inputs'])}){output}"
            case _:
                return f"<{kind}>"


def _is_hidden(item: dict[str, Any]) -> bool:
    return any("doc(hidden)" in str(attribute) for attribute in item["attrs"])


def _identifiers(value: Any) -> Iterator[int]:
    """Yields the identifiers of the types that a description mentions."""
    if isinstance(value, dict):
        if "resolved_path" in value:
            yield value["resolved_path"]["id"]
        for part in value.values():
            yield from _identifiers(part)
    elif isinstance(value, list):
        for part in value:
            yield from _identifiers(part)


def main(arguments: list[str]) -> int:
    """Compares the list with the file, or writes the file."""
    match arguments:
        case ["--json", file]:
            api = Api(json.loads(Path(file).read_text()))
        case [] | ["--write"]:
            api = Api(rustdoc_json())
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    text = "".join(f"{line}\n" for line in api.lines)
    print(f"{api.functions} functions, {api.setters} setters, {len(api.lines)} items", file=sys.stderr)
    if arguments == ["--write"]:
        SNAPSHOT.write_text(text)
        return 0
    before = SNAPSHOT.read_text() if SNAPSHOT.exists() else ""
    difference = difflib.unified_diff(
        before.splitlines(), api.lines, "api.txt", "the sources", lineterm="", n=0
    )
    lines = list(difference)
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
