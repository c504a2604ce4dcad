# ruff: noqa: E501 (rows are texts)
"""Texts of a table: custom forms of the dialects with n operands, cases, indices, results or regions."""

from __future__ import annotations

from collections.abc import Callable

from complexity.build import add_text


def _list(item: str, n: int, separator: str = ", ") -> str:
    return separator.join([item] * n)


def _numbered(item: str, n: int, separator: str = ", ") -> str:
    return separator.join(item.replace("$", str(k)) for k in range(n))


def _function(arguments: str, body: str) -> str:
    return f"func.func @f({arguments}) {{\n{body}  return\n}}\n"


def _in_function(arguments: str, body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: _function(arguments, f"  {body(n)}\n")


def _in_llvm(arguments: str, body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: f"llvm.func @f({arguments}) {{\n  {body(n)}\n  llvm.return\n}}\n"


def _in_spirv(arguments: str, body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: f'spirv.func @f({arguments}) "None" {{\n  {body(n)}\n  spirv.Return\n}}\n'


def _ones(n: int) -> str:
    return "1x" * n


_ARGUMENTS = "%a: i32, %i: index, %c: i1, %v: f32"

_LISTS: dict[str, Callable[[int], str]] = {
    # Branches and functions.
    "cf.switch": _in_function(
        _ARGUMENTS,
        lambda n: f"cf.switch %a : i32, [default: ^b, {_numbered('$: ^b', n)}]\n^b:",
    ),
    "cf.switch.operands": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"cf.switch %a : i32, [default: ^b(%a : i32), {_numbered('$: ^b(%a : i32)', n)}]\n^b(%x: i32):"
        ),
    ),
    "cf.br": _in_function(
        _ARGUMENTS,
        lambda n: f"cf.br ^b({_list('%a', n)} : {_list('i32', n)})\n^b({_numbered('%x$: i32', n)}):",
    ),
    "cf.cond_br": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"cf.cond_br %c, ^b({_list('%a', n)} : {_list('i32', n)}), ^d\n^b({_numbered('%x$: i32', n)}):\n"
            "  cf.br ^d\n^d:"
        ),
    ),
    "func.call": lambda n: (
        f"func.func private @g({_list('i32', n)}) -> ({_list('i32', n)})\n"
        + _function(
            _ARGUMENTS,
            f"  %r:{n} = call @g({_list('%a', n)}) : ({_list('i32', n)}) -> ({_list('i32', n)})\n",
        )
    ),
    "func.return": lambda n: (
        f"func.func @f(%a: i32) -> ({_list('i32', n)}) {{\n  return {_list('%a', n)} : {_list('i32', n)}\n}}\n"
    ),
    "func.result_attributes": lambda n: f"func.func private @f() -> ({_numbered('i32 {t.k = $}', n)})\n",
    "func.attributes": lambda n: f"func.func private @f() attributes {{{_numbered('t.k$ = 1', n)}}}\n",
    # Structured control flow.
    "scf.index_switch": _in_function(
        _ARGUMENTS,
        lambda n: "scf.index_switch %i\n" + _numbered("case $ {\n  scf.yield\n}", n, "\n") + "\ndefault {\n}",
    ),
    "scf.for": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"%r:{n} = scf.for %j = %i to %i step %i iter_args({_numbered('%x$ = %a', n)}) -> ({_list('i32', n)}) "
            f"{{\n  scf.yield {_numbered('%x$', n)} : {_list('i32', n)}\n}}"
        ),
    ),
    "scf.if": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"%r:{n} = scf.if %c -> ({_list('i32', n)}) {{\n  scf.yield {_list('%a', n)} : {_list('i32', n)}\n}} else "
            f"{{\n  scf.yield {_list('%a', n)} : {_list('i32', n)}\n}}"
        ),
    ),
    "scf.if.chain": _in_function(_ARGUMENTS, lambda n: "scf.if %c {\n} else {\n" * n + "}\n" * n),
    "scf.while": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"%r:{n} = scf.while ({_numbered('%x$ = %a', n)}) : ({_list('i32', n)}) -> ({_list('i32', n)}) {{\n"
            f"  scf.condition(%c) {_numbered('%x$', n)} : {_list('i32', n)}\n}} do {{\n^bb0({_numbered('%y$: i32', n)}):\n"
            f"  scf.yield {_numbered('%y$', n)} : {_list('i32', n)}\n}}"
        ),
    ),
    "scf.parallel": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"scf.parallel ({_numbered('%x$', n)}) = ({_list('%i', n)}) to ({_list('%i', n)}) step ({_list('%i', n)}) "
            "{\n}"
        ),
    ),
    "scf.forall": _in_function(
        _ARGUMENTS, lambda n: f"scf.forall ({_numbered('%x$', n)}) in ({_list('%i', n)}) {{\n}}"
    ),
    "scf.execute_region": _in_function(
        _ARGUMENTS, lambda n: "scf.execute_region {\n" * n + "scf.yield\n}\n" * n
    ),
    # Shapes and memory.
    "memref.alloc": _in_function(
        _ARGUMENTS, lambda n: f"%m = memref.alloc({_list('%i', n)}) : memref<{'?x' * n}f32>"
    ),
    "memref.load": lambda n: _function(
        f"%m: memref<{_ones(n)}f32>, %i: index",
        f"  %x = memref.load %m[{_list('%i', n)}] : memref<{_ones(n)}f32>\n",
    ),
    "memref.subview": lambda n: _function(
        f"%m: memref<{_ones(n)}f32>, %i: index",
        f"  %x = memref.subview %m[{_list('0', n)}] [{_list('1', n)}] [{_list('1', n)}] : memref<{_ones(n)}f32> to "
        f"memref<{_ones(n)}f32, strided<[{_list('1', n)}]>>\n",
    ),
    "memref.reinterpret_cast": lambda n: _function(
        "%m: memref<f32>",
        f"  %x = memref.reinterpret_cast %m to offset: [0], sizes: [{_list('1', n)}], strides: [{_list('1', n)}] : "
        f"memref<f32> to memref<{_ones(n)}f32, strided<[{_list('1', n)}]>>\n",
    ),
    "memref.expand_shape": lambda n: _function(
        "%m: memref<1xf32>",
        f"  %x = memref.expand_shape %m [[{_numbered('$', n)}]] output_shape [{_list('1', n)}] : memref<1xf32> into "
        f"memref<{_ones(n)}f32>\n",
    ),
    "memref.global": lambda n: (
        f'memref.global "private" constant @g : memref<{n}xi32> = dense<[{_list("1", n)}]>\n'
    ),
    "memref.alloca_scope": _in_function(
        _ARGUMENTS, lambda n: "memref.alloca_scope {\n" * n + "memref.alloca_scope.return\n}\n" * n
    ),
    "tensor.from_elements": _in_function(
        _ARGUMENTS, lambda n: f"%t = tensor.from_elements {_list('%a', n)} : tensor<{n}xi32>"
    ),
    "tensor.extract": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>, %i: index",
        f"  %x = tensor.extract %t[{_list('%i', n)}] : tensor<{_ones(n)}f32>\n",
    ),
    "tensor.extract_slice": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>, %i: index",
        f"  %x = tensor.extract_slice %t[{_list('%i', n)}] [{_list('1', n)}] [{_list('1', n)}] : tensor<{_ones(n)}f32> to "
        f"tensor<{_ones(n)}f32>\n",
    ),
    "tensor.collapse_shape": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = tensor.collapse_shape %t [[{_numbered('$', n)}]] : tensor<{_ones(n)}f32> into tensor<1xf32>\n",
    ),
    "tensor.pad": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>, %v: f32",
        f"  %x = tensor.pad %t low[{_list('0', n)}] high[{_list('0', n)}] {{\n  ^bb0({_numbered('%i$: index', n)}):\n"
        f"    tensor.yield %v : f32\n  }} : tensor<{_ones(n)}f32> to tensor<{_ones(n)}f32>\n",
    ),
    "tensor.generate": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"%x = tensor.generate {_list('%i', n)} {{\n  ^bb0({_numbered('%i$: index', n)}):\n    tensor.yield %v : f32\n"
            f"  }} : tensor<{'?x' * n}f32>"
        ),
    ),
    "tensor.concat": lambda n: _function(
        "%t: tensor<1xf32>",
        f"  %x = tensor.concat dim(0) {_list('%t', n)} : ({_list('tensor<1xf32>', n)}) -> tensor<{n}xf32>\n",
    ),
    # Vectors.
    "vector.from_elements": _in_function(
        _ARGUMENTS, lambda n: f"%x = vector.from_elements {_list('%a', n)} : vector<{n}xi32>"
    ),
    "vector.shuffle": lambda n: _function(
        "%v: vector<2xf32>",
        f"  %x = vector.shuffle %v, %v [{_list('1', n)}] : vector<2xf32>, vector<2xf32>\n",
    ),
    "vector.extract": lambda n: _function(
        f"%v: vector<{_ones(n)}1xf32>",
        f"  %x = vector.extract %v[{_list('0', n)}] : vector<1xf32> from vector<{_ones(n)}1xf32>\n",
    ),
    "vector.transpose": lambda n: _function(
        f"%v: vector<{_ones(n)}f32>",
        f"  %x = vector.transpose %v, [{_numbered('$', n)}] : vector<{_ones(n)}f32> to vector<{_ones(n)}f32>\n",
    ),
    "vector.multi_reduction": lambda n: _function(
        f"%v: vector<{_ones(n)}f32>, %a: f32",
        f"  %x = vector.multi_reduction <add>, %v, %a [{_numbered('$', n)}] : vector<{_ones(n)}f32> to f32\n",
    ),
    "vector.transfer_read": lambda n: _function(
        f"%m: memref<{_ones(n)}f32>, %i: index, %v: f32",
        f"  %x = vector.transfer_read %m[{_list('%i', n)}], %v {{in_bounds = [true]}} : memref<{_ones(n)}f32>, vector<1xf32>\n",
    ),
    "vector.create_mask": _in_function(
        _ARGUMENTS, lambda n: f"%x = vector.create_mask {_list('%i', n)} : vector<{_ones(n)}i1>"
    ),
    "vector.constant_mask": _in_function(
        _ARGUMENTS, lambda n: f"%x = vector.constant_mask [{_list('1', n)}] : vector<{_ones(n)}i1>"
    ),
    "arith.constant": _in_function(
        _ARGUMENTS, lambda n: f"%x = arith.constant dense<[{_list('1', n)}]> : vector<{n}xi32>"
    ),
    "arith.constant.integer": _in_function(_ARGUMENTS, lambda n: f"%x = arith.constant {'1' * n} : i{4 * n}"),
    # Affine.
    "affine.apply": _in_function(
        _ARGUMENTS,
        lambda n: f"%x = affine.apply affine_map<({_numbered('d$', n)}) -> (d0)>({_list('%i', n)})",
    ),
    "affine.min": _in_function(
        _ARGUMENTS, lambda n: f"%x = affine.min affine_map<(d0) -> ({_numbered('d0 + $', n)})>(%i)"
    ),
    "affine.load": lambda n: _function(
        f"%m: memref<{_ones(n)}f32>", f"  %x = affine.load %m[{_list('0', n)}] : memref<{_ones(n)}f32>\n"
    ),
    "affine.for": _in_function(
        _ARGUMENTS, lambda n: _numbered("affine.for %x$ = 0 to 1 {\n", n, "") + "}\n" * n
    ),
    "affine.for.arguments": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"%r:{n} = affine.for %j = 0 to 1 iter_args({_numbered('%x$ = %a', n)}) -> ({_list('i32', n)}) {{\n"
            f"  affine.yield {_numbered('%x$', n)} : {_list('i32', n)}\n}}"
        ),
    ),
    "affine.parallel": _in_function(
        _ARGUMENTS,
        lambda n: f"affine.parallel ({_numbered('%x$', n)}) = ({_list('0', n)}) to ({_list('1', n)}) {{\n}}",
    ),
    "affine.if": _in_function(
        _ARGUMENTS, lambda n: f"affine.if affine_set<(d0) : ({_numbered('d0 - $ >= 0', n)})>(%i) {{\n}}"
    ),
    "affine.if.operands": _in_function(
        _ARGUMENTS,
        lambda n: f"affine.if affine_set<({_numbered('d$', n)}) : (d0 >= 0)>({_list('%i', n)}) {{\n}}",
    ),
    "affine.delinearize_index": _in_function(
        _ARGUMENTS,
        lambda n: f"%x:{n} = affine.delinearize_index %i into ({_list('2', n)}) : {_list('index', n)}",
    ),
    "affine.linearize_index": _in_function(
        _ARGUMENTS, lambda n: f"%x = affine.linearize_index [{_list('%i', n)}] by ({_list('2', n)}) : index"
    ),
    # Linear algebra.
    "linalg.generic": lambda n: _function(
        "%t: tensor<1xf32>",
        f"  %x = linalg.generic {{indexing_maps = [{_list('affine_map<(d0) -> (d0)>', n + 1)}], iterator_types = "
        f'["parallel"]}} ins({_list("%t", n)} : {_list("tensor<1xf32>", n)}) outs(%t : tensor<1xf32>) {{\n'
        f"  ^bb0({_numbered('%x$: f32', n + 1)}):\n    linalg.yield %x0 : f32\n  }} -> tensor<1xf32>\n",
    ),
    "linalg.generic.rank": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = linalg.generic {{indexing_maps = [affine_map<({_numbered('d$', n)}) -> ({_numbered('d$', n)})>], "
        + "iterator_types = ["
        + _list('"parallel"', n)
        + f"]}} outs(%t : tensor<{_ones(n)}f32>) {{\n  ^bb0(%y: f32):\n    linalg.yield %y : f32\n  }} -> tensor<{_ones(n)}f32>\n",
    ),
    "linalg.elementwise": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<{_ones(n)}f32>) "
        f"outs(%t : tensor<{_ones(n)}f32>) -> tensor<{_ones(n)}f32>\n",
    ),
    "linalg.map": lambda n: _function(
        "%t: tensor<1xf32>",
        f"  %x = linalg.map ins({_list('%t', n)} : {_list('tensor<1xf32>', n)}) outs(%t : tensor<1xf32>)\n"
        f"  ({_numbered('%x$: f32', n)}, %y: f32) {{\n    linalg.yield %x0 : f32\n  }}\n",
    ),
    "linalg.transpose": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = linalg.transpose ins(%t : tensor<{_ones(n)}f32>) outs(%t : tensor<{_ones(n)}f32>) permutation = "
        f"[{_numbered('$', n)}]\n",
    ),
    "linalg.broadcast": lambda n: _function(
        f"%s: tensor<f32>, %t: tensor<{_ones(n)}f32>",
        f"  %x = linalg.broadcast ins(%s : tensor<f32>) outs(%t : tensor<{_ones(n)}f32>) dimensions = [{_numbered('$', n)}]\n",
    ),
    "linalg.reduce": lambda n: _function(
        f"%s: tensor<f32>, %t: tensor<{_ones(n)}f32>",
        f"  %x = linalg.reduce ins(%t : tensor<{_ones(n)}f32>) outs(%s : tensor<f32>) dimensions = [{_numbered('$', n)}]\n"
        "  (%a: f32, %b: f32) {\n    linalg.yield %a : f32\n  }\n",
    ),
    # LLVM.
    "llvm.switch": _in_llvm("%a: i32", lambda n: f"llvm.switch %a : i32, ^b [{_numbered('$: ^b', n)}]\n^b:"),
    "llvm.call": lambda n: (
        f"llvm.func @g({_list('i32', n)})\nllvm.func @f(%a: i32) {{\n  llvm.call @g({_list('%a', n)}) : "
        f"({_list('i32', n)}) -> ()\n  llvm.return\n}}\n"
    ),
    "llvm.extractvalue": lambda n: (
        f"llvm.func @f(%s: !llvm.{'struct<(' * n}i1{')>' * n}) {{\n  %x = llvm.extractvalue %s[{_list('0', n)}] : "
        f"!llvm.{'struct<(' * n}i1{')>' * n}\n  llvm.return\n}}\n"
    ),
    "llvm.insertvalue": lambda n: (
        f"llvm.func @f(%s: !llvm.struct<({_list('i32', n)})>, %a: i32) {{\n  %x = llvm.insertvalue %a, %s[{n - 1}] : "
        f"!llvm.struct<({_list('i32', n)})>\n  llvm.return\n}}\n"
    ),
    "llvm.getelementptr": _in_llvm(
        "%p: !llvm.ptr, %a: i32",
        lambda n: (
            f"%x = llvm.getelementptr %p[0, {_list('%a', n)}] : (!llvm.ptr, {_list('i32', n)}) -> !llvm.ptr, "
            f"{'!llvm.array<1 x ' * n}i1{'>' * n}"
        ),
    ),
    "llvm.getelementptr.constant": _in_llvm(
        "%p: !llvm.ptr",
        lambda n: (
            f"%x = llvm.getelementptr %p[0, {_list('0', n)}] : (!llvm.ptr) -> !llvm.ptr, "
            f"{'!llvm.array<1 x ' * n}i1{'>' * n}"
        ),
    ),
    "llvm.inline_asm": _in_llvm(
        "%a: i32", lambda n: f'llvm.inline_asm "{"x" * n}", "" {_list("%a", n)} : ({_list("i32", n)}) -> ()'
    ),
    "llvm.landingpad": lambda n: (
        "llvm.func @p(...) -> i32\nllvm.func @g()\nllvm.func @f() attributes {personality = @p} {\n  %z = llvm.mlir.zero : "
        "!llvm.ptr\n  llvm.invoke @g() to ^a unwind ^b : () -> ()\n^a:\n  llvm.return\n^b:\n  %x = llvm.landingpad "
        f"{_list('(catch %z : !llvm.ptr)', n, ' ')} : !llvm.struct<(ptr, i32)>\n  llvm.return\n}}\n"
    ),
    "llvm.func": lambda n: f"llvm.func @f({_list('i32 {llvm.noundef}', n)})\n",
    "llvm.mlir.global": lambda n: f'llvm.mlir.global constant @g("{"x" * n}")\n',
    "llvm.cond_br": _in_llvm(
        "%c: i1, %a: i32",
        lambda n: (
            f"llvm.cond_br %c, ^b({_list('%a', n)} : {_list('i32', n)}), ^d\n^b({_numbered('%x$: i32', n)}):\n"
            "  llvm.br ^d\n^d:"
        ),
    ),
    "llvm.mlir.constant": _in_llvm(
        "", lambda n: f"%x = llvm.mlir.constant(dense<[{_list('1', n)}]> : vector<{n}xi32>) : vector<{n}xi32>"
    ),
    # SPIR-V.
    "spirv.Switch": _in_spirv(
        "%a: i32",
        lambda n: f"spirv.Switch %a : si32, [default: ^b, {_numbered('$: ^b', n)}]\n^b:".replace(
            "si32", "i32"
        ),
    ),
    "spirv.CompositeConstruct": _in_spirv(
        "%a: i32",
        lambda n: (
            f"%x = spirv.CompositeConstruct {_list('%a', n)} : ({_list('i32', n)}) -> !spirv.array<{n} x i32>"
        ),
    ),
    "spirv.AccessChain": lambda n: (
        f'spirv.func @f(%a: i32, %p: !spirv.ptr<{"!spirv.array<1 x " * n}f32{">" * n}, Function>) "None" {{\n  %x = '
        f"spirv.AccessChain %p[{_list('%a', n)}] : !spirv.ptr<{'!spirv.array<1 x ' * n}f32{'>' * n}, Function>, "
        f"{_list('i32', n)} -> !spirv.ptr<f32, Function>\n  spirv.Return\n}}\n"
    ),
    "spirv.CompositeExtract": lambda n: (
        f'spirv.func @f(%s: {"!spirv.array<1 x " * n}f32{">" * n}) "None" {{\n  %x = spirv.CompositeExtract '
        f"%s[{_list('0 : i32', n)}] : {'!spirv.array<1 x ' * n}f32{'>' * n}\n  spirv.Return\n}}\n"
    ),
    "spirv.EntryPoint": lambda n: (
        "spirv.module Logical GLSL450 {\n"
        + _numbered("  spirv.GlobalVariable @g$ : !spirv.ptr<f32, Input>\n", n, "")
        + '  spirv.func @f() "None" {\n    spirv.Return\n  }\n'
        + f'  spirv.EntryPoint "GLCompute" @f, {_numbered("@g$", n)}\n}}\n'
    ),
    # Devices and tasks.
    "gpu.launch_func": lambda n: (
        "module attributes {gpu.container_module} {\ngpu.module @m {\n  gpu.func @k("
        + _numbered("%x$: i32", n)
        + ") kernel {\n    gpu.return\n  }\n}\n"
        + _function(
            _ARGUMENTS,
            f"  gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) args({_list('%a : i32', n)})\n",
        )
        + "}\n"
    ),
    "gpu.func": lambda n: (
        f"gpu.module @m {{\n  gpu.func @k() workgroup({_numbered('%x$: memref<1xf32, 3>', n)}) {{\n    gpu.return\n  }}\n}}\n"
    ),
    "async.execute": lambda n: _function(
        "%t: !async.token",
        f"  %x = async.execute [{_list('%t', n)}] {{\n    async.yield\n  }}\n",
    ),
    "omp.parallel": lambda n: _function(
        "%p: memref<1xi32>",
        f"  omp.parallel allocate({_list('%p : memref<1xi32> -> %p : memref<1xi32>', n)}) {{\n    omp.terminator\n  }}\n",
    ),
    "acc.parallel": _in_function(
        _ARGUMENTS, lambda n: f"acc.parallel wait({{{_list('%a : i32', n)}}}) {{\n    acc.yield\n  }}"
    ),
    # Models.
    "tosa.concat": lambda n: _function(
        "%t: tensor<1xf32>",
        f"  %x = tosa.concat {_list('%t', n)} {{axis = 0 : i32}} : ({_list('tensor<1xf32>', n)}) -> tensor<{n}xf32>\n",
    ),
    "tosa.const": _in_function(
        "",
        lambda n: (
            f'%x = "tosa.const"() <{{values = dense<[{_list("1", n)}]> : tensor<{n}xi32>}}> : () -> tensor<{n}xi32>'
        ),
    ),
    "tosa.const_shape": _in_function(
        "",
        lambda n: (
            f"%x = tosa.const_shape {{values = dense<[{_list('1', n)}]> : tensor<{n}xindex>}} : () -> !tosa.shape<{n}>"
        ),
    ),
    "tosa.variable": lambda n: f"tosa.variable @v = dense<[{_list('1', n)}]> : tensor<{n}xi32>\n",
    "tosa.cond_if": lambda n: _function(
        "%c: tensor<i1>, %t: tensor<f32>",
        f"  %r:{n} = tosa.cond_if %c : tensor<i1> -> ({_list('tensor<f32>', n)}) {{\n    tosa.yield {_list('%t', n)} : "
        f"{_list('tensor<f32>', n)}\n  }} else {{\n    tosa.yield {_list('%t', n)} : {_list('tensor<f32>', n)}\n  }}\n",
    ),
    "shape.const_shape": _in_function(
        "", lambda n: f"%x = shape.const_shape [{_list('1', n)}] : tensor<{n}xindex>"
    ),
    "shape.broadcast": lambda n: _function(
        "%s: !shape.shape",
        f"  %x = shape.broadcast {_list('%s', n)} : {_list('!shape.shape', n)} -> !shape.shape\n",
    ),
    "shape.assuming_all": lambda n: _function(
        "%w: !shape.witness", f"  %x = shape.assuming_all {_list('%w', n)}\n"
    ),
    "shape.function_library": lambda n: (
        "shape.function_library @l {\n  shape.func @s(%a: !shape.shape) -> !shape.shape {\n    shape.return %a : !shape.shape\n"
        f"  }}\n}} mapping {{\n{_numbered('t.op$ = @s', n, ',' + chr(10))}\n}}\n"
    ),
    "ml_program.func": lambda n: (
        f"ml_program.func @f({_numbered('%a$: i32', n)}) {{\n  ml_program.return\n}}\n"
    ),
    # Code and patterns.
    "emitc.switch": lambda n: (
        "emitc.func @f(%a: i32) {\n  emitc.switch %a : i32\n"
        + _numbered("  case $ {\n    emitc.yield\n  }\n", n, "")
        + "  default {\n  }\n  emitc.return\n}\n"
    ),
    "emitc.call_opaque": _in_function(
        _ARGUMENTS, lambda n: f'emitc.call_opaque "g"({_list("%a", n)}) : ({_list("i32", n)}) -> ()'
    ),
    "emitc.subscript": lambda n: _function(
        f"%m: !emitc.array<{_ones(n)}i32>, %i: index",
        f"  %x = emitc.subscript %m[{_list('%i', n)}] : (!emitc.array<{_ones(n)}i32>, {_list('index', n)}) -> "
        "!emitc.lvalue<i32>\n",
    ),
    "emitc.verbatim": lambda n: f'emitc.verbatim "{"x" * n}"\n',
    "pdl.operation": lambda n: (
        "pdl.pattern @p : benefit(1) {\n"
        + _numbered("  %o$ = operand\n", n, "")
        + f'  %x = operation "t.op"({_numbered("%o$", n)} : {_list("!pdl.value", n)})\n  rewrite %x with "r"\n}}\n'
    ),
    "pdl_interp.switch_operation_name": lambda n: (
        "pdl_interp.func @m(%o: !pdl.operation) {\n  pdl_interp.switch_operation_name of %o to ["
        + _numbered('"t.$"', n)
        + f"]({_list('^a', n)}) -> ^a\n^a:\n  pdl_interp.finalize\n}}\n"
    ),
    "pdl_interp.switch_operand_count": lambda n: (
        f"pdl_interp.func @m(%o: !pdl.operation) {{\n  pdl_interp.switch_operand_count of %o to dense<[{_numbered('$', n)}]> : "
        f"vector<{n}xi32>({_list('^a', n)}) -> ^a\n^a:\n  pdl_interp.finalize\n}}\n"
    ),
    "transform.sequence": lambda n: (
        "module attributes {transform.with_named_sequence} {\n  transform.named_sequence @s("
        + _numbered("%x$: !transform.any_op", n)
        + ") {\n    transform.yield\n  }\n}\n"
    ),
    "transform.merge_handles": lambda n: (
        "module attributes {transform.with_named_sequence} {\n  transform.named_sequence @s(%x: !transform.any_op) {\n    "
        f"%y = transform.merge_handles {_list('%x', n)} : !transform.any_op\n    transform.yield\n  }}\n}}\n"
    ),
    "irdl.operation": lambda n: (
        "irdl.dialect @d {\n  irdl.operation @o {\n    %a = irdl.any\n    irdl.operands("
        + _numbered("x$: %a", n)
        + ")\n  }\n}\n"
    ),
    "smt.and": lambda n: (
        f"smt.solver() : () -> () {{\n  %b = smt.constant true\n  %x = smt.and {_list('%b', n)}\n}}\n"
    ),
    "builtin.unrealized_conversion_cast": _in_function(
        _ARGUMENTS,
        lambda n: (
            f"%x:{n} = builtin.unrealized_conversion_cast {_list('%a', n)} : {_list('i32', n)} to {_list('i64', n)}"
        ),
    ),
    "builtin.modules": lambda n: "module {\n" * n + "}\n" * n,
    "builtin.named_modules": lambda n: _numbered("module @m$ {\n", n, "") + "}\n" * n,
    "bufferization.alloc_tensor": _in_function(
        _ARGUMENTS, lambda n: f"%x = bufferization.alloc_tensor({_list('%i', n)}) : tensor<{'?x' * n}f32>"
    ),
    "sparse_tensor.foreach": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  sparse_tensor.foreach in %t : tensor<{_ones(n)}f32> do {{\n  ^bb0({_numbered('%i$: index', n)}, %v: f32):\n  }}\n",
    ),
}

_STABLEHLO: dict[str, Callable[[int], str]] = {
    "constant": _in_function(
        "", lambda n: f"%x = stablehlo.constant dense<[{_list('1', n)}]> : tensor<{n}xi32>"
    ),
    "concatenate": lambda n: _function(
        "%t: tensor<1xf32>",
        f"  %x = stablehlo.concatenate {_list('%t', n)}, dim = 0 : ({_list('tensor<1xf32>', n)}) -> tensor<{n}xf32>\n",
    ),
    "tuple": lambda n: _function(
        "%t: tensor<f32>", f"  %x = stablehlo.tuple {_list('%t', n)} : tuple<{_list('tensor<f32>', n)}>\n"
    ),
    "transpose": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = stablehlo.transpose %t, dims = [{_numbered('$', n)}] : (tensor<{_ones(n)}f32>) -> tensor<{_ones(n)}f32>\n",
    ),
    "slice": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = stablehlo.slice %t [{_list('0:1', n)}] : (tensor<{_ones(n)}f32>) -> tensor<{_ones(n)}f32>\n",
    ),
    "pad": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>, %v: tensor<f32>",
        f"  %x = stablehlo.pad %t, %v, low = [{_list('0', n)}], high = [{_list('0', n)}], interior = [{_list('0', n)}] : "
        f"(tensor<{_ones(n)}f32>, tensor<f32>) -> tensor<{_ones(n)}f32>\n",
    ),
    "broadcast_in_dim": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>",
        f"  %x = stablehlo.broadcast_in_dim %t, dims = [{_numbered('$', n)}] : (tensor<{_ones(n)}f32>) -> tensor<{_ones(n)}f32>\n",
    ),
    "custom_call": lambda n: _function(
        "%t: tensor<f32>",
        f"  %x = stablehlo.custom_call @g({_list('%t', n)}) : ({_list('tensor<f32>', n)}) -> tensor<f32>\n",
    ),
    "reduce": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>, %v: tensor<f32>",
        f"  %x = stablehlo.reduce(%t init: %v) applies stablehlo.add across dimensions = [{_numbered('$', n)}] : "
        f"(tensor<{_ones(n)}f32>, tensor<f32>) -> tensor<f32>\n",
    ),
    "case": lambda n: _function(
        "%i: tensor<i32>",
        '  "stablehlo.case"(%i) (' + _list("{\n    stablehlo.return\n  }", n) + ") : (tensor<i32>) -> ()\n",
    ),
    "while": lambda n: _function(
        "%t: tensor<f32>, %c: tensor<i1>",
        f"  %r:{n} = stablehlo.while({_numbered('%x$ = %t', n)}) : {_list('tensor<f32>', n)}\n    cond {{\n    "
        f"stablehlo.return %c : tensor<i1>\n  }} do {{\n    stablehlo.return {_numbered('%x$', n)} : {_list('tensor<f32>', n)}\n"
        "  }\n",
    ),
    "dynamic_slice": lambda n: _function(
        f"%t: tensor<{_ones(n)}f32>, %i: tensor<i32>",
        f"  %x = stablehlo.dynamic_slice %t, {_list('%i', n)}, sizes = [{_list('1', n)}] : (tensor<{_ones(n)}f32>, "
        f"{_list('tensor<i32>', n)}) -> tensor<{_ones(n)}f32>\n",
    ),
}

for name, build in _LISTS.items():
    add_text(f"forms.{name}", build)
for name, build in _STABLEHLO.items():
    add_text(f"forms.stablehlo.{name}", build, target="jaxlib-0.10", oracle="cannot")
