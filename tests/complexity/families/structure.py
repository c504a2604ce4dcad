# ruff: noqa: E501 (rows are texts)
"""Texts of a table: names, regions, blocks, uses and errors of the generic form, and the lexical grammar."""

from __future__ import annotations

from collections.abc import Callable

from complexity.build import add_text


def _list(item: str, n: int, separator: str = ", ") -> str:
    return separator.join([item] * n)


def _numbered(item: str, n: int, separator: str = ", ") -> str:
    return separator.join(item.replace("$", str(k)) for k in range(n))


VALID: dict[str, Callable[[int], str]] = {
    # Names.
    "name.value": lambda n: f'%{"v" * n} = "t.op"() : () -> i1\n"t.use"(%{"v" * n}) : (i1) -> ()\n',
    "name.block": lambda n: (
        f'"t.op"() ({{\n  "t.br"() [^{"b" * n}] : () -> ()\n^{"b" * n}:\n  "t.end"() : () -> ()\n}}) : () -> ()\n'
    ),
    "name.symbol": lambda n: f'func.func private @{"f" * n}()\n"t.op"() {{k = @{"f" * n}}} : () -> ()\n',
    "name.alias": lambda n: f'#{"a" * n} = 1\n"t.op"() {{k = #{"a" * n}}} : () -> ()\n',
    "name.type_alias": lambda n: f'!{"a" * n} = i1\n"t.op"() : () -> !{"a" * n}\n',
    "name.operation": lambda n: f'"t.{"o" * n}"() : () -> ()\n',
    "name.dialect": lambda n: f'"{"d" * n}.op"() : () -> ()\n',
    "name.dialects": lambda n: _numbered('"d$.op"() : () -> ()\n', n, ""),
    "name.operations": lambda n: _numbered('"t.o$"() : () -> ()\n', n, ""),
    "name.key": lambda n: f'"t.op"() {{{"k" * n} = 1}} : () -> ()\n',
    "name.keys_with_one_beginning": lambda n: (
        f'"t.op"() {{{_numbered("kkkkkkkkkkkkkkkk$ = 1", n)}}} : () -> ()\n'
    ),
    "name.keys_reversed": lambda n: (
        '"t.op"() {' + ", ".join(f"k{n - k:07} = 1" for k in range(n)) + "} : () -> ()\n"
    ),
    "name.resource": lambda n: f'"t.op"() {{k = dense_resource<{"r" * n}> : tensor<1xi8>}} : () -> ()\n',
    # Properties, operands, results.
    "properties": lambda n: f'"t.op"() <{{{_numbered("k$ = 1", n)}}}> : () -> ()\n',
    "results.unused": lambda n: f'%r:{n} = "t.op"() : () -> ({_list("i1", n)})\n',
    "results.used_in_reverse": lambda n: (
        f'%r:{n} = "t.op"() : () -> ({_list("i1", n)})\n'
        + "".join(f'"t.use"(%r#{n - 1 - k}) : (i1) -> ()\n' for k in range(n))
    ),
    "results.groups": lambda n: f'{_numbered("%g$:2", n)} = "t.op"() : () -> ({_list("i1", 2 * n)})\n',
    "results.used_before": lambda n: (
        '"t.op"() ({\n'
        + _numbered('  "t.use"(%r#$) : (i1) -> ()\n', n, "")
        + f'  %r:{n} = "t.op"() : () -> ({_list("i1", n)})\n}}) : () -> ()\n'
    ),
    "operands.chain": lambda n: (
        '%v0 = "t.op"() : () -> i1\n' + "".join(f'%v{k + 1} = "t.op"(%v{k}) : (i1) -> i1\n' for k in range(n))
    ),
    "operands.one_value": lambda n: (
        '%v = "t.op"() : () -> i1\n' + '"t.use"(%v, %v, %v, %v) : (i1, i1, i1, i1) -> ()\n' * n
    ),
    # Regions and blocks.
    "regions.of_one_operation": lambda n: f'"t.op"() ({_list("{}", n)}) : () -> ()\n',
    "regions.with_operations": lambda n: '"t.op"() (' + _list('{"t.x"() : () -> ()}', n) + ") : () -> ()\n",
    "regions.isolated": lambda n: "func.func private @g()\n" + _numbered("module @m$ {\n", n, "") + "}\n" * n,
    "regions.functions_deep": lambda n: (
        _numbered("builtin.module { func.func @f$() {\n", n, "") + "return\n}}\n" * n
    ),
    "regions.isolated_siblings": lambda n: _numbered("module @m$ {\n}\n", n, ""),
    "regions.values_from_outside": lambda n: (
        '%v = "t.op"() : () -> i1\n' + '"t.op"() ({\n  "t.use"(%v) : (i1) -> ()\n' * n + "}) : () -> ()\n" * n
    ),
    "blocks.chain": lambda n: (
        '"t.op"() ({\n'
        + "".join(f'  "t.br"() [^b{k}] : () -> ()\n^b{k}:\n' for k in range(n))
        + '  "t.end"() : () -> ()\n}) : () -> ()\n'
    ),
    "blocks.reversed": lambda n: (
        '"t.op"() ({\n'
        + f'  "t.br"() [^b{n - 1}] : () -> ()\n'
        + "".join(f'^b{k}:\n  "t.br"() [^b{max(0, k - 1)}] : () -> ()\n' for k in range(n))
        + "}) : () -> ()\n"
    ),
    "blocks.dense_edges": lambda n: (
        '"t.op"() ({\n'
        + f'  "t.br"() [{_list("^b", n)}] : () -> ()\n^b:\n  "t.br"() [{_list("^b", n)}] : () -> ()\n'
        + "}) : () -> ()\n"
    ),
    "blocks.ladder": lambda n: (
        "func.func @f(%c: i1, %v: i32) {\n  cf.br ^a0\n"
        + "".join(
            f"^a{k}:\n  cf.cond_br %c, ^a{k + 1}, ^b{k}\n^b{k}:\n  cf.cond_br %c, ^a{k + 1}, ^a{k}\n"
            for k in range(n)
        )
        + f"^a{n}:\n  return\n}}\n"
    ),
    "blocks.values_across": lambda n: (
        "func.func @f(%c: i1) {\n"
        + "".join(f'  %v{k} = "t.op"() : () -> i1\n  cf.br ^b{k}\n^b{k}:\n' for k in range(n))
        + _numbered('  "t.use"(%v$) : (i1) -> ()\n', n, "")
        + "  return\n}\n"
    ),
    "blocks.arguments_with_locations": lambda n: (
        '"t.op"() ({\n^b('
        + _numbered('%a$: i1 loc("a":$:1)', n)
        + '):\n  "t.end"() : () -> ()\n}) : () -> ()\n'
    ),
    # Symbols.
    "symbols.nested_tables": lambda n: "module @a {\n" * n + "}\n" * n,
    "symbols.deep_reference": lambda n: (
        "module @a {\n" * n + "}\n" * n + '"t.op"() {k = @a' + "::@a" * n + "} : () -> ()\n"
    ),
    "symbols.one_long_name": lambda n: (
        f'#a = "{"f" * (100 * n)}"\n'
        + '"builtin.module"() ({\n^b:\n  "func.func"() <{sym_name = #a, function_type = () -> (), '
        'sym_visibility = "private"}> ({\n  }) : () -> ()\n}) : () -> ()\n' * n
    ),
    "symbols.functions": lambda n: _numbered("func.func private @f$()\n", n, ""),
    "symbols.references": lambda n: "func.func private @f()\n" + '"t.op"() {k = @f} : () -> ()\n' * n,
    # Locations.
    "locations.of_operations": lambda n: _numbered('"t.op"() : () -> () loc("f":$:1)\n', n, ""),
    "locations.used_before": lambda n: (
        _numbered('"t.op"() : () -> () loc(#l$)\n', n, "") + _numbered('#l$ = loc("f":$:1)\n', n, "")
    ),
    "locations.chain_used_before": lambda n: (
        '"t.op"() : () -> () loc(#l0)\n'
        + "".join(
            f'#l{k + 1} = loc(callsite("a" at "b"))\n#l{k} = loc(callsite("a" at #l{k + 1}))\n'
            for k in range(0, 2 * n, 2)
        )
    ),
    # Lexical grammar.
    "text.spaces": lambda n: '"t.op"()' + " " * n + " : () -> ()\n",
    "text.lines": lambda n: "\n" * n + '"t.op"() : () -> ()\n',
    "text.comment": lambda n: "//" + "x" * n + '\n"t.op"() : () -> ()\n',
    "text.comments_between": lambda n: '"t.op"(//\n' + "//\n" * n + ") : () -> ()\n",
    "text.string_with_letters": lambda n: '"t.op"() {k = "' + "ä€𝄞" * n + '"} : () -> ()\n',
    "text.metadata": lambda n: (
        '"t.op"() : () -> ()\n{-#\n  external_resources: {\n    g: {\n'
        + _numbered('      k$: "v"', n, ",\n")
        + "\n    }\n  }\n#-}\n"
    ),
    "text.metadata_groups": lambda n: (
        '"t.op"() : () -> ()\n{-#\n  external_resources: {\n'
        + _numbered("    g$: { k: true }", n, ",\n")
        + "\n  }\n#-}\n"
    ),
    "text.metadata_string": lambda n: (
        '"t.op"() : () -> ()\n{-# external_resources: { g: { k: "' + "x" * n + '" } } #-}\n'
    ),
}

INVALID: dict[str, Callable[[int], str]] = {
    "string": lambda n: '"t.op"() {k = "' + "x" * n,
    "string_with_escapes": lambda n: '"t.op"() {k = "' + "\\\\" * n,
    "comment_alone": lambda n: "//" + "x" * n + "\n(",
    "regions": lambda n: '"t.op"() ({\n' * n,
    "modules": lambda n: "module {\n" * n,
    "closed_regions": lambda n: "}) : () -> ()\n" * n,
    "operands": lambda n: '"t.op"(' + _list("%a", n),
    "operands_without_types": lambda n: '"t.op"(' + _list("%a", n) + ") : () -> ()\n",
    "results": lambda n: _numbered("%r$", n) + ' = "t.op"() : () -> ()\n',
    "huge_results": lambda n: _numbered('%r$:1048576 = "t.op"() : () -> i1\n', n, ""),
    "values_defined_twice": lambda n: '%v = "t.op"() : () -> i1\n' * n,
    "values_not_defined": lambda n: _numbered('"t.use"(%v$) : (i1) -> ()\n', n, ""),
    "uses_of_two_types": lambda n: '%v = "t.op"() : () -> i1\n' + '"t.use"(%v) : (i2) -> ()\n' * n,
    "blocks_not_defined": lambda n: (
        '"t.op"() ({\n  "t.br"() [' + _numbered("^b$", n) + "] : () -> ()\n}) : () -> ()\n"
    ),
    "blocks_defined_twice": lambda n: (
        '"t.op"() ({\n' + '^b:\n  "t.end"() : () -> ()\n' * n + "}) : () -> ()\n"
    ),
    "aliases_defined_twice": lambda n: "#a = 1\n" * n,
    "aliases_not_defined": lambda n: _numbered('"t.op"() {k = #a$} : () -> ()\n', n, ""),
    "locations_not_defined": lambda n: _numbered('"t.op"() : () -> () loc(#l$)\n', n, ""),
    "keys_twice": lambda n: '"t.op"() {' + _list("k = 1", n) + "} : () -> ()\n",
    "operations_unknown": lambda n: "func.fanc @f\n" * n,
    "operations_of_an_unknown_dialect": lambda n: _numbered("fanc.op$ %a\n", n, ""),
    "operations_without_types": lambda n: '"t.op"()\n' * n,
    "custom_forms_that_end_early": lambda n: "func.func @f(\n" * n,
    "bytes": lambda n: "\x01" * n,
    "colons": lambda n: ":" * n,
    "percent_signs": lambda n: "%" * n,
    "quotes": lambda n: '"' * (2 * n + 1),
    "numbers": lambda n: "1" * n,
    "metadata": lambda n: '"t.op"() : () -> ()\n{-# external_resources: { g: { ' + _numbered('k$: "v"', n),
    "resource": lambda n: '"t.op"() : () -> ()\n{-# dialect_resources: { builtin: { r: "0x' + "01" * n,
    "shape": lambda n: '"t.op"() : () -> tensor<' + "1x" * n,
    "huge_shape": lambda n: '"t.op"() : () -> tensor<' + "9" * (n + 20) + "xi1>\n",
    "huge_integer_type": lambda n: '"t.op"() : () -> i' + "9" * n + "\n",
    "dense_with_holes": lambda n: (
        '"t.op"() {k = dense<[' + _list("[]", n) + "]> : tensor<1xi1>} : () -> ()\n"
    ),
    "dense_of_another_shape": lambda n: (
        '"t.op"() {k = dense<[' + _list("1", n) + "]> : tensor<1xi32>} : () -> ()\n"
    ),
    "sparse_out_of_bounds": lambda n: (
        '"t.op"() {k = sparse<['
        + _list("[9]", n)
        + "], ["
        + _list("1", n)
        + "]> : tensor<1xi32>} : () -> ()\n"
    ),
}

for name, build in VALID.items():
    add_text(f"structure.{name}", build)
for name, build in INVALID.items():
    add_text(f"refused.{name}", build, is_valid=False)
