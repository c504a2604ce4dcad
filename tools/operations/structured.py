"""Writes the bodies and indexing maps of the structured operations of linalg.

python3 tools/operations/structured.py RELEASE=FILE.yaml … --out rust/mlirbc/data/operations/structured.tsv

The files are `mlir/include/mlir/Dialect/Linalg/IR/LinalgNamedStructuredOps.yaml` of each release. A row has
the name of the operation, the releases, the number of arguments, the body, the maps, the symbols that
attributes bind, and the names of attributes with functions. A body is in postfix notation: `a0` is an
argument of the block, `c:TEXT` a constant, `i:0` an index, `t:FN:TYPE` a cast, `u:FN`, `b:FN` and `n:FN`
functions of one to three values, where `FN` is `@attribute=default` if an attribute chooses it, and `y:a2`
assigns to an output.
"""

import argparse
import re
from pathlib import Path

import yaml


class Loader(yaml.SafeLoader):
    """Reads the tagged nodes as plain ones."""


def plain(loader: yaml.Loader, _suffix: str, node: yaml.Node) -> object:
    """The mapping of a tagged node."""
    return loader.construct_mapping(node, deep=True)


Loader.add_multi_constructor("!", plain)


def postfix(expression: dict, places: dict[str, int], types: dict[str, str]) -> list[str]:
    """An expression in postfix notation."""
    if "scalar_arg" in expression:
        return [f"a{places[expression['scalar_arg']]}"]
    if "scalar_const" in expression:
        return ["c:" + expression["scalar_const"].replace(" ", "")]
    if "scalar_index" in expression:
        return [f"i:{expression['scalar_index']}"]
    function = expression["scalar_fn"]
    parts = [part for operand in function["operands"] for part in postfix(operand, places, types)]
    name = function.get("fn_name") or "@" + function["attr_name"]
    kind = {"unary": "u", "binary": "b", "ternary": "n", "type": "t"}[function["kind"]]
    if kind == "t":
        return [*parts, f"t:{name}:{types.get(function['type_var'], function['type_var'])}"]
    return [*parts, f"{kind}:{name}"]


def row(config: dict) -> tuple[str, str]:
    """The name and the other columns of an operation."""
    op = config["structured_op"]
    values = [arg for arg in op["args"] if arg["kind"] in ("input_tensor", "scalar", "output_tensor")]
    places = {arg["name"]: place for place, arg in enumerate(values)}
    types: dict[str, str] = {}
    for place, arg in enumerate(values):
        types.setdefault(arg["type_var"], f"a{place}")
    body = []
    for assignment in op["assignments"]:
        body += postfix(assignment["value"], places, types)
        body.append(f"y:a{places[assignment['arg']]}")
    maps = op["indexing_maps"].get("static_indexing_maps", [])
    # Operations for all ranks compute their maps from the operands.
    is_any_rank = all(re.fullmatch(r"affine_map<\(\)(\[\])? -> \(\)>", text) for text in maps)
    symbols = []
    functions = []
    for arg in op["args"]:
        if arg["kind"] == "index_attr":
            numbers = re.findall(r"s(\d+)", arg["index_attr_map"].split("->")[1])
            defaults = ",".join(str(index) for index in arg.get("default_indices", []))
            symbols.append(f"{arg['name']}={','.join(numbers)}={defaults}")
        elif arg["kind"].endswith("_fn_attr"):
            functions.append(f"{arg['name']}={arg['default_fn']}")
    columns = [
        str(len(values)),
        " ".join(body),
        "" if is_any_rank else "|".join(maps),
        ";".join(symbols),
        ";".join(functions),
    ]
    return config["metadata"]["name"], "\t".join(columns)


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="RELEASE=FILE")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    releases: dict[tuple[str, str], list[str]] = {}
    for release, _, path in (file.partition("=") for file in arguments.files):
        with open(path) as file:
            for config in yaml.load_all(file, Loader):
                if config:
                    releases.setdefault(row(config), []).append(release)
    lines = sorted(f"{name}\t{','.join(names)}\t{columns}" for (name, columns), names in releases.items())
    arguments.out.write_text("\n".join(lines) + "\n")


main()
