# ruff: noqa: E501 (rows are texts)
"""Texts of a table: n operations in custom form that use one large type, attribute, symbol, string or location.

An alias stands for what is large, so that the text is as long as that and the operations together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from complexity.build import add_text


def _list(item: str, n: int) -> str:
    return ", ".join([item] * n)


def _numbered(item: str, n: int) -> str:
    return ", ".join(item.replace("$", str(k)) for k in range(n))


@dataclass(frozen=True)
class Large:
    name: str
    text: Callable[[int], str]
    kinds: tuple[str, ...] = ()
    """The users that it fits, besides users of any type."""


TYPES = (
    Large("tuple", lambda n: f"tuple<{_list('i1', n)}>"),
    Large("nested_tuple", lambda n: f"{'tuple<' * n}i1{'>' * n}"),
    Large("tensor", lambda n: f"tensor<{'1x' * n}f32>", ("tensor", "elementwise")),
    Large("vector", lambda n: f"vector<{'1x' * n}f32>", ("vector", "elementwise")),
    Large("memref", lambda n: f"memref<{'1x' * n}f32>", ("memref",)),
    Large("struct", lambda n: f"!llvm.struct<({_list('i32', n)})>", ("llvm", "struct")),
    Large("array", lambda n: f"{'!llvm.array<1 x ' * n}i32{'>' * n}", ("llvm", "nested_array")),
    Large("function", lambda n: f"({_list('i32', n)}) -> ({_list('i32', n)})"),
    Large("spirv_struct", lambda n: f"!spirv.struct<({_list('f32', n)})>", ("spirv",)),
)

_ARGUMENTS = "%a: !t, %c: i1, %i: index"
USERS = (
    ("select", "any", "  %r$ = arith.select %c, %a, %a : !t\n"),
    ("call", "any", "  func.call @g(%a) : (!t) -> !t\n"),
    ("cast", "any", "  %r$ = builtin.unrealized_conversion_cast %a : !t to !t\n"),
    (
        "if",
        "any",
        "  %r$ = scf.if %c -> !t {\n    scf.yield %a : !t\n  } else {\n    scf.yield %a : !t\n  }\n",
    ),
    (
        "for",
        "any",
        "  %r$ = scf.for %j = %i to %i step %i iter_args(%x = %a) -> !t {\n    scf.yield %x : !t\n  }\n",
    ),
    ("branch", "any", "  cf.br ^b$(%a : !t)\n^b$(%x$: !t):\n"),
    ("generic", "any", '  %r$ = "t.op"(%a, %a) : (!t, !t) -> !t\n'),
    ("region", "any", '  "t.op"() ({\n  ^bb0(%x: !t):\n    "t.end"(%x) : (!t) -> ()\n  }) : () -> ()\n'),
    ("addf", "elementwise", "  %r$ = arith.addf %a, %a : !t\n"),
    ("exp", "elementwise", "  %r$ = math.exp %a : !t\n"),
    ("negf", "elementwise", "  %r$ = arith.negf %a fastmath<fast> : !t\n"),
    ("dim", "tensor", "  %r$ = tensor.dim %a, %i : !t\n"),
    ("tensor_cast", "tensor", "  %r$ = tensor.cast %a : !t to tensor<*xf32>\n"),
    ("tensor_empty", "tensor", "  %r$ = tensor.empty() : !t\n"),
    ("elementwise", "tensor", "  %r$ = linalg.copy ins(%a : !t) outs(%a : !t) -> !t\n"),
    ("alloc", "memref", "  %r$ = memref.alloc() : !t\n"),
    ("memref_copy", "memref", "  memref.copy %a, %a : !t to !t\n"),
    ("dealloc", "memref", "  memref.dealloc %a : !t\n"),
    ("memref_cast", "memref", "  %r$ = memref.cast %a : !t to memref<*xf32>\n"),
    ("broadcast", "vector", "  %r$ = vector.broadcast %a : !t to !t\n"),
    ("shape_cast", "vector", "  %r$ = vector.shape_cast %a : !t to vector<1xf32>\n"),
    ("print", "vector", "  vector.print %a : !t\n"),
    ("extractvalue", "struct", "  %r$ = llvm.extractvalue %a[0] : !t\n"),
    ("extractvalue_last", "struct", "  %r$ = llvm.extractvalue %a[LAST] : !t\n"),
    ("insertvalue", "struct", "  %r$ = llvm.insertvalue %s, %a[0] : !t\n"),
    ("load", "llvm", "  %r$ = llvm.load %p : !llvm.ptr -> !t\n"),
    ("store", "llvm", "  llvm.store %a, %p : !t, !llvm.ptr\n"),
    ("undef", "llvm", "  %r$ = llvm.mlir.undef : !t\n"),
    ("getelementptr", "llvm", "  %r$ = llvm.getelementptr %p[0, 0] : (!llvm.ptr) -> !llvm.ptr, !t\n"),
    ("alloca", "llvm", "  %r$ = llvm.alloca %s x !t : (i32) -> !llvm.ptr\n"),
    ("composite_extract", "spirv", "  %r$ = spirv.CompositeExtract %a[0 : i32] : !t\n"),
    ("spirv_undef", "spirv", "  %r$ = spirv.Undef : !t\n"),
)


def _typed(large: Large, line: str) -> Callable[[int], str]:
    def build(n: int) -> str:
        arguments = _ARGUMENTS + ", %p: !llvm.ptr, %s: i32"
        body = "".join(line.replace("$", str(k)).replace("LAST", str(n - 1)) for k in range(n))
        return (
            f"!t = {large.text(n)}\nfunc.func private @g(!t) -> !t\n"
            f"func.func @f({arguments}) {{\n{body}  return\n}}\n"
        )

    return build


for large in TYPES:
    for user, kind, line in USERS:
        if kind == "any" or kind in large.kinds:
            add_text(f"shared.type.{large.name}.{user}", _typed(large, line))


def _attributed(definition: Callable[[int], str], line: str, arguments: str) -> Callable[[int], str]:
    def build(n: int) -> str:
        body = "".join(line.replace("$", str(k)) for k in range(n))
        return f"{definition(n)}\nfunc.func @f({arguments}) {{\n{body}  return\n}}\n"

    return build


def _set(n: int) -> str:
    return f"#s = affine_set<(d0) : ({_numbered('d0 - $ >= 0', n)})>"


def _map(n: int) -> str:
    return f"#m = affine_map<(d0) -> ({_numbered('d0 + $', n)})>"


def _long_map(n: int) -> str:
    return f"#m = affine_map<(d0) -> (d0{' mod 3' * n})>"


def _dense(n: int) -> str:
    return f"#d = dense<[{_list('1', n)}]> : tensor<{n}xi32>\n!d = tensor<{n}xi32>"


QUOTED = '"a"'
_VALUES = "%i: index, %m: memref<1xf32>, %t: tensor<1xf32>, %c: i1, %a: i32"
ATTRIBUTES: tuple[tuple[str, Callable[[int], str], str], ...] = (
    ("set.if", _set, "  affine.if #s(%i) {\n  }\n"),
    ("set.if_else", _set, "  affine.if #s(%i) {\n  } else {\n  }\n"),
    ("map.min", _map, "  %r$ = affine.min #m(%i)\n"),
    ("map.max", _map, "  %r$ = affine.max #m(%i)\n"),
    ("map.for", _map, "  affine.for %x = max #m(%i) to 1 {\n  }\n"),
    ("map.for_bound", _map, "  affine.for %x = 0 to min #m(%i) {\n  }\n"),
    ("long_map.apply", _long_map, "  %r$ = affine.apply #m(%i)\n"),
    ("long_map.load", _long_map, "  %r$ = affine.load %m[%i] : memref<1xf32>\n"),
    ("long_map.memref", _long_map, "  %r$ = memref.alloc() : memref<1xf32, #m>\n"),
    ("long_map.generic", _long_map, '  "t.op"() {map = #m} : () -> ()\n'),
    ("dense.constant", _dense, "  %r$ = arith.constant #d\n"),
    ("dense.generic", _dense, '  "t.op"() {k = #d} : () -> ()\n'),
    ("dense.tosa", _dense, '  %r$ = "tosa.const"() <{values = #d}> : () -> !d\n'),
    ("array.generic", lambda n: f"#a = [{_list('1', n)}]", '  "t.op"() {k = #a, n = $} : () -> ()\n'),
    ("array.annotation", lambda n: f"#a = [{_list('1', n)}]", '  cf.assert %c, "m" {k = #a, n = $}\n'),
    ("array.addi", lambda n: f"#a = [{_list('1', n)}]", "  %r$ = arith.addi %a, %a {k = #a, n = $} : i32\n"),
    (
        "dictionary.generic",
        lambda n: f"#a = {{{_numbered('k$ = 1', n)}}}",
        '  "t.op"() {k = #a} : () -> ()\n',
    ),
    ("string.generic", lambda n: f'#a = "{"x" * n}"', '  "t.op"() {k = #a} : () -> ()\n'),
    ("string.symbol_name", lambda n: f'#a = "{"x" * n}"', '  "t.op"() {sym_name = #a} : () -> ()\n'),
    (
        "string.module_name",
        lambda n: f'#a = "{"x" * n}"',
        '  "builtin.module"() <{sym_name = #a}> ({\n  ^b:\n  }) : () -> ()\n',
    ),
    (
        "string.global_name",
        lambda n: f'#a = "{"x" * n}"',
        '  "t.scope"() ({\n    "func.func"() <{sym_name = #a, function_type = () -> (), sym_visibility = "private"}> ({\n    }) '
        ": () -> ()\n  }) : () -> ()\n",
    ),
    ("symbol.generic", lambda n: f"#a = @{'x' * n}", '  "t.op"() {k = #a} : () -> ()\n'),
    ("symbol.nested", lambda n: "#a = @x" + "::@x" * n, '  "t.op"() {k = #a} : () -> ()\n'),
    (
        "symbol.call",
        lambda n: f"#a = @{'x' * n}\nfunc.func private @{'x' * n}()",
        '  "func.call"() <{callee = #a}> : () -> ()\n',
    ),
    ("type.attribute", lambda n: f"!a = tuple<{_list('i1', n)}>", '  "t.op"() {k = !a} : () -> ()\n'),
    (
        "namespace.generic",
        lambda n: (
            '#f = #llvm.di_file<"f" in "d">\n#a = '
            + '#llvm.di_namespace<name = "n", scope = ' * n
            + "#f"
            + ", exportSymbols = false>" * n
        ),
        '  "t.op"() {k = #a} : () -> ()\n',
    ),
    ("location.fused", lambda n: f"#l = loc(fused[{_list(QUOTED, n)}])", '  "t.op"() : () -> () loc(#l)\n'),
    (
        "location.callsite",
        lambda n: f"#l = loc({'callsite(unknown at ' * n}{QUOTED}{')' * n})",
        '  "t.op"() : () -> () loc(#l)\n',
    ),
    (
        "location.different",
        lambda n: f'#l = loc(fused<[{_list("1", n)}]>["a"])',
        '  "t.op"() : () -> () loc(callsite("a":$:1 at #l))\n',
    ),
)

for name, definition, line in ATTRIBUTES:
    # Functions are not symbol tables.
    oracle = "refuses" if name == "string.module_name" else "accepts"
    add_text(f"shared.{name}", _attributed(definition, line, _VALUES), oracle=oracle)

_STABLEHLO_TYPE = Large("tensor", lambda n: f"tensor<{'1x' * n}f32>")
for user, line in (
    ("add", "  %r$ = stablehlo.add %a, %a : !t\n"),
    ("negate", "  %r$ = stablehlo.negate %a : !t\n"),
    ("reshape", "  %r$ = stablehlo.reshape %a : (!t) -> tensor<1xf32>\n"),
    ("custom_call", "  %r$ = stablehlo.custom_call @g(%a) : (!t) -> !t\n"),
    ("generic", '  %r$ = "stablehlo.add"(%a, %a) : (!t, !t) -> !t\n'),
):
    add_text(f"shared.stablehlo.{user}", _typed(_STABLEHLO_TYPE, line), target="jaxlib-0.10", oracle="cannot")
