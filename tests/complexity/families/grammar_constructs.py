# ruff: noqa: E501 (rows are texts)
"""The constructs of `grammar`: a row each."""

from complexity.families.grammar import Construct, Nest, register


def _list(item: str, n: int) -> str:
    return ", ".join([item] * n)


def _numbered(item: str, n: int) -> str:
    return ", ".join(item.replace("$", str(k)) for k in range(n))


TYPES = (
    Construct(
        "type",
        "tuple",
        Nest("tuple<", "i1", ">"),
        lambda n: f"tuple<{_list('i1', n)}>",
        lambda k: f"tuple<i{k + 1}>",
    ),
    Construct(
        "type",
        "function",
        Nest("() -> (", "i1", ")"),
        lambda n: f"({_list('i1', n)}) -> ({_list('i1', n)})",
        lambda k: f"(i{k + 1}) -> ()",
    ),
    Construct("type", "function_inputs", Nest("(", "i1", ") -> ()")),
    Construct("type", "tensor", None, lambda n: f"tensor<{'1x' * n}i1>", lambda k: f"tensor<{k}xi1>"),
    Construct(
        "type",
        "tensor_encoding",
        Nest("tensor<1xi1, ", '"e"', ">"),
        lambda n: f"tensor<1xi1, [{_list('1', n)}]>",
        lambda k: f"tensor<1xi1, {k}>",
    ),
    Construct("type", "tensor_dynamic", None, lambda n: f"tensor<{'?x' * n}f32>"),
    Construct("type", "vector", None, lambda n: f"vector<{'1x' * n}i1>", lambda k: f"vector<{k + 1}xi1>"),
    Construct("type", "vector_scalable", None, lambda n: f"vector<{'[1]x' * n}i1>"),
    Construct(
        "type",
        "memref",
        None,
        lambda n: f"memref<{'1x' * n}i1>",
        lambda k: f"memref<{k}xi1, {k + 1}>",
    ),
    Construct("type", "memref_of_vector", None, lambda n: f"memref<{'?x' * n}vector<{'1x' * n}i1>>"),
    Construct("type", "memref_strided", None, lambda n: f"memref<{'1x' * n}i1, strided<[{_list('1', n)}]>>"),
    Construct(
        "type",
        "memref_layout",
        None,
        lambda n: f"memref<{'1x' * n}i1, affine_map<({_numbered('d$', n)}) -> ({_numbered('d$', n)})>>",
        lambda k: f"memref<1xi1, affine_map<(d0) -> (d0 + {k + 1})>>",
    ),
    Construct("type", "memref_space", None, lambda n: f"memref<1xi1, {{{_numbered('k$ = 1', n)}}}>"),
    Construct("type", "complex", None, None, lambda k: f"complex<i{k + 1}>"),
    Construct("type", "integer", None, None, lambda k: f"si{k + 1}"),
    Construct(
        "type",
        "of_unknown_dialect",
        Nest("!t.x<", "i1", ">"),
        lambda n: f"!t.x<{_list('i1', n)}>",
        lambda k: f"!t.x<i{k + 1}>",
        has_alias=False,
    ),
    Construct(
        "type",
        "of_unknown_dialect_string",
        None,
        lambda n: f'!t.x<"{"a" * n}">',
    ),
    Construct(
        "type",
        "llvm_struct",
        Nest("struct<(", "i1", ")>", "!llvm."),
        lambda n: f"!llvm.struct<({_list('i1', n)})>",
        lambda k: f"!llvm.struct<(i{k + 1})>",
        has_alias=False,
    ),
    Construct(
        "type",
        "llvm_struct_full",
        Nest("!llvm.struct<(", "i1", ")>"),
    ),
    Construct(
        "type",
        "llvm_struct_named",
        None,
        lambda n: f'!llvm.struct<"s", ({_list("i1", n)})>',
        lambda k: f'!llvm.struct<"s{k}", (i1)>',
    ),
    Construct(
        "type", "llvm_struct_recursive", None, None, lambda k: f'!llvm.struct<"r{k}", (struct<"r{k}">)>'
    ),
    Construct(
        "type",
        "llvm_array",
        Nest("!llvm.array<1 x ", "i1", ">"),
        None,
        lambda k: f"!llvm.array<{k} x i1>",
    ),
    Construct(
        "type",
        "llvm_func",
        None,
        lambda n: f"!llvm.func<void ({_list('i1', n)})>",
        lambda k: f"!llvm.func<i{k + 1} ()>",
    ),
    Construct("type", "llvm_ptr", None, None, lambda k: f"!llvm.ptr<{k}>"),
    Construct(
        "type",
        "llvm_target",
        None,
        lambda n: f'!llvm.target<"x", {_list("i1", n)}, {_list("1", n)}>',
        lambda k: f'!llvm.target<"x{k}">',
    ),
    Construct(
        "type",
        "spirv_struct",
        Nest("!spirv.struct<(", "i32", ")>"),
        lambda n: f"!spirv.struct<({_list('i32', n)})>",
    ),
    Construct(
        "type",
        "spirv_struct_offsets",
        None,
        lambda n: f"!spirv.struct<({_numbered('f32 [$]', n)})>",
        lambda k: f"!spirv.struct<(f32 [{k}])>",
    ),
    Construct(
        "type",
        "spirv_array",
        Nest("!spirv.array<1 x ", "f32", ">"),
        None,
        lambda k: f"!spirv.array<{k + 1} x f32>",
    ),
    Construct("type", "spirv_ptr", Nest("!spirv.ptr<", "f32", ", Function>")),
    Construct("type", "spirv_rtarray", Nest("!spirv.rtarray<", "f32", ">")),
    Construct("type", "emitc_ptr", Nest("!emitc.ptr<", "i32", ">")),
    Construct(
        "type",
        "emitc_array",
        None,
        lambda n: f"!emitc.array<{'1x' * n}i32>",
        lambda k: f"!emitc.array<{k + 1}xi32>",
    ),
    Construct(
        "type",
        "emitc_opaque",
        None,
        lambda n: f'!emitc.opaque<"{"a" * n}">',
        lambda k: f'!emitc.opaque<"a{k}">',
    ),
    Construct("type", "async_value", Nest("!async.value<", "i32", ">")),
    Construct(
        "type",
        "quant_uniform",
        None,
        lambda n: f"!quant.uniform<i8:f32:0, {{{_list('1.0:1', n)}}}>",
        lambda k: f"!quant.uniform<i8:f32, {k + 1}.0>",
    ),
    Construct("type", "tosa_shape", None, None, lambda k: f"!tosa.shape<{k}>"),
    Construct("type", "smt_array", Nest("!smt.array<[!smt.int -> ", "!smt.bool", "]>")),
    Construct("type", "smt_func", None, lambda n: f"!smt.func<({_list('!smt.int', n)}) !smt.bool>"),
    Construct("type", "pdl_range", None, lambda n: f"tuple<{_list('!pdl.range<value>', n)}>"),
    Construct(
        "type",
        "tensor_sparse",
        None,
        lambda n: (
            f"tensor<{'1x' * n}i1, #sparse_tensor.encoding<{{ map = ({_numbered('d$', n)}) -> "
            f"({_numbered('d$ : dense', n)}) }}>>"
        ),
    ),
)

ATTRIBUTES = (
    Construct("attribute", "array", Nest("[", "1", "]"), lambda n: f"[{_list('1', n)}]", lambda k: f"[{k}]"),
    Construct("attribute", "array_of_different", None, lambda n: f"[{_numbered('$', n)}]"),
    Construct(
        "attribute",
        "dictionary",
        Nest("{a = ", "1", "}"),
        lambda n: f"{{{_numbered('k$ = 1', n)}}}",
        lambda k: f"{{k{k} = 1}}",
    ),
    Construct("attribute", "dictionary_of_units", None, lambda n: f"{{{_numbered('k$', n)}}}"),
    Construct("attribute", "dictionary_with_quotes", None, lambda n: "{" + _numbered('"k $" = 1', n) + "}"),
    Construct("attribute", "integer", None, lambda n: f"{'1' * n} : i{4 * n}", lambda k: f"{k} : i64"),
    Construct("attribute", "integer_hexadecimal", None, lambda n: f"0x1{'f' * n} : i{4 * n + 8}"),
    Construct("attribute", "integer_negative", None, lambda n: f"-{'1' * n} : i{4 * n}"),
    Construct("attribute", "float", None, lambda n: f"1.{'1' * n} : f64", lambda k: f"{k}.5 : f32"),
    Construct("attribute", "float_exponent", None, None, lambda k: f"1.0e-{k % 30} : f64"),
    Construct("attribute", "string", None, lambda n: f'"{"a" * n}"', lambda k: f'"a{k}"'),
    Construct(
        "attribute", "string_with_type", None, lambda n: f'"{"a" * n}" : i1', lambda k: f'"a" : i{k + 1}'
    ),
    Construct("attribute", "string_with_escapes", None, lambda n: '"' + "\\0A\\22" * n + '"'),
    Construct("attribute", "symbol", None, lambda n: "@a" + "::@a" * n, lambda k: f"@a{k}"),
    Construct("attribute", "symbol_with_quotes", None, lambda n: f'@"{"a b" * n}"', lambda k: f'@"a {k}"'),
    Construct("attribute", "type", Nest("tuple<", "i1", ">"), None, lambda k: f"i{k + 1}", has_alias=False),
    Construct(
        "attribute",
        "dense",
        None,
        lambda n: f"dense<[{_list('1', n)}]> : tensor<{n}xi32>",
        lambda k: f"dense<{k}> : tensor<2xi32>",
    ),
    Construct(
        "attribute", "dense_nested", None, lambda n: f"dense<{'[' * n}1{']' * n}> : tensor<{'1x' * n}i32>"
    ),
    Construct("attribute", "dense_rows", None, lambda n: f"dense<[{_list('[1, 2]', n)}]> : tensor<{n}x2xi8>"),
    Construct("attribute", "dense_vector", None, lambda n: f"dense<[{_list('true', n)}]> : vector<{n}xi1>"),
    Construct(
        "attribute",
        "dense_strings",
        None,
        lambda n: "dense<[" + _list('"a"', n) + f"]> : tensor<{n}x!t.s>",
        lambda k: f'dense<"a{k}"> : tensor<2x!t.s>',
    ),
    Construct(
        "attribute",
        "dense_complex",
        None,
        lambda n: f"dense<[{_list('(1, 2)', n)}]> : tensor<{n}xcomplex<i32>>",
    ),
    Construct("attribute", "dense_floats", None, lambda n: f"dense<[{_list('1.5', n)}]> : tensor<{n}xf32>"),
    Construct(
        "attribute",
        "dense_bits_of_floats",
        None,
        lambda n: f"dense<[{_list('0x7FC00000', n)}]> : tensor<{n}xf32>",
    ),
    Construct("attribute", "dense_hexadecimal", None, lambda n: f'dense<"0x{"01" * n}"> : tensor<{n}xi8>'),
    Construct("attribute", "dense_of_index", None, lambda n: f"dense<[{_list('1', n)}]> : tensor<{n}xindex>"),
    Construct(
        "attribute",
        "dense_of_wide_integers",
        None,
        lambda n: f"dense<[{_list('1', n)}]> : tensor<{n}xi16777215>",
        oracle="cannot",
    ),
    Construct(
        "attribute",
        "dense_of_one_long_integer",
        None,
        lambda n: f"dense<{'1' * n}> : tensor<2xi{4 * n}>",
    ),
    Construct(
        "attribute", "dense_splat", None, None, lambda k: f"dense<1> : tensor<{k + 1}x1099511627776xi8>"
    ),
    Construct(
        "attribute",
        "sparse",
        None,
        lambda n: f"sparse<[{_numbered('[$]', n)}], [{_list('1', n)}]> : tensor<{n}xi32>",
        lambda k: f"sparse<[[{k}]], [1]> : tensor<{k + 1}xi32>",
    ),
    Construct(
        "attribute",
        "sparse_of_many_dimensions",
        None,
        lambda n: f"sparse<[[{_list('0', n)}]], [1]> : tensor<{'1x' * n}i32>",
    ),
    Construct(
        "attribute",
        "sparse_of_a_huge_shape",
        None,
        lambda n: f"sparse<[{_numbered('[$, $]', n)}], [{_list('1', n)}]> : tensor<1099511627776x1048576xi8>",
    ),
    Construct(
        "attribute",
        "sparse_of_wide_integers",
        None,
        lambda n: f"sparse<[{_numbered('[$]', n)}], [{_list('1', n)}]> : tensor<{n}xi16777215>",
        oracle="cannot",
    ),
    Construct(
        "attribute", "integers", None, lambda n: f"array<i64: {_list('1', n)}>", lambda k: f"array<i64: {k}>"
    ),
    Construct("attribute", "booleans", None, lambda n: f"array<i1: {_list('true', n)}>"),
    Construct("attribute", "floats", None, lambda n: f"array<f32: {_list('1.5', n)}>"),
    Construct(
        "attribute",
        "wide_integers",
        None,
        lambda n: f"array<i16777208: {_list('1', n)}>",
        oracle="cannot",
        is_refused=True,
    ),
    Construct("attribute", "resource", None, None, lambda k: f"dense_resource<r{k}> : tensor<1xi32>"),
    Construct(
        "attribute",
        "map_of_many_dimensions",
        None,
        lambda n: f"affine_map<({_numbered('d$', n)}) -> (d0)>",
        lambda k: f"affine_map<(d0) -> (d0 + {k})>",
    ),
    Construct("attribute", "map_of_many_results", None, lambda n: f"affine_map<(d0) -> ({_list('d0', n)})>"),
    Construct(
        "attribute",
        "map_of_different_results",
        None,
        lambda n: f"affine_map<(d0) -> ({_numbered('d0 + $', n)})>",
    ),
    Construct(
        "attribute", "map_of_many_symbols", None, lambda n: f"affine_map<()[{_numbered('s$', n)}] -> (s0)>"
    ),
    Construct(
        "attribute", "map_with_a_long_sum", None, lambda n: f"affine_map<(d0, d1) -> (d0{' + d1' * n})>"
    ),
    Construct(
        "attribute",
        "map_with_a_long_sum_of_different",
        None,
        lambda n: f"affine_map<({_numbered('d$', n)}) -> ({' + '.join(f'd{k}' for k in range(n))})>",
    ),
    Construct(
        "attribute", "map_with_a_long_product", None, lambda n: f"affine_map<(d0) -> (d0{' * 1' * n})>"
    ),
    Construct(
        "attribute", "map_with_divisions", None, lambda n: f"affine_map<(d0) -> (d0{' floordiv 3' * n})>"
    ),
    Construct("attribute", "map_with_remainders", None, lambda n: f"affine_map<(d0) -> (d0{' mod 3' * n})>"),
    Construct(
        "attribute",
        "map_with_parentheses",
        Nest("(", "d0", ")", "affine_map<(d0) -> (", ")>"),
        has_alias=False,
    ),
    Construct(
        "attribute",
        "map_with_nested_sums",
        Nest("(", "d0", " + d1)", "affine_map<(d0, d1) -> (", ")>"),
        has_alias=False,
    ),
    Construct(
        "attribute",
        "map_with_nested_divisions",
        Nest("(1 + ", "d0", ") floordiv 3", "affine_map<(d0) -> (", ")>"),
        has_alias=False,
    ),
    Construct(
        "attribute",
        "map_with_negations",
        Nest("-(", "d0", ")", "affine_map<(d0) -> (", ")>"),
        has_alias=False,
    ),
    Construct(
        "attribute",
        "set",
        None,
        lambda n: f"affine_set<(d0) : ({_numbered('d0 - $ >= 0', n)})>",
        lambda k: f"affine_set<(d0) : (d0 - {k} == 0)>",
    ),
    Construct(
        "attribute",
        "set_of_many_dimensions",
        None,
        lambda n: f"affine_set<({_numbered('d$', n)}) : (d0 == 0)>",
    ),
    Construct(
        "attribute",
        "strided",
        None,
        lambda n: f"strided<[{_list('1', n)}]>",
        lambda k: f"strided<[{k + 1}], offset: ?>",
    ),
    Construct("attribute", "distinct", None, None, lambda k: f"distinct[{k}]<1 : i32>"),
    Construct(
        "attribute",
        "of_unknown_dialect",
        Nest("#t.x<", "1", ">"),
        lambda n: f"#t.x<{_list('1', n)}>",
        lambda k: f"#t.x<{k}>",
        has_alias=False,
    ),
    Construct(
        "attribute",
        "llvm_namespace",
        Nest(
            '#llvm.di_namespace<name = "n", scope = ', '#llvm.di_file<"f" in "d">', ", exportSymbols = false>"
        ),
    ),
    Construct(
        "attribute",
        "llvm_derived_type",
        Nest(
            "#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = ",
            '#llvm.di_basic_type<tag = DW_TAG_base_type, name = "i", sizeInBits = 32, encoding = DW_ATE_signed>',
            ">",
        ),
    ),
    Construct(
        "attribute",
        "llvm_subroutine",
        None,
        lambda n: f"#llvm.di_subroutine_type<types = {_list('#llvm.di_null_type', n)}>",
    ),
    Construct(
        "attribute",
        "llvm_expression",
        None,
        lambda n: f"#llvm.di_expression<[{_list('DW_OP_deref', n)}]>",
        lambda k: f"#llvm.di_expression<[DW_OP_plus_uconst({k})]>",
    ),
    Construct(
        "attribute",
        "llvm_file",
        None,
        lambda n: f'#llvm.di_file<"{"f" * n}" in "d">',
        lambda k: f'#llvm.di_file<"f{k}" in "d">',
    ),
    Construct(
        "attribute",
        "llvm_tbaa",
        Nest('#llvm.tbaa_type_desc<id = "x", members = {<', '#llvm.tbaa_root<id = "r">', ", 0>}>"),
        lambda n: (
            '#llvm.tbaa_type_desc<id = "x", members = {' + _list('<#llvm.tbaa_root<id = "r">, 0>', n) + "}>"
        ),
    ),
    Construct(
        "attribute",
        "llvm_alias_scope",
        None,
        None,
        lambda k: f'#llvm.alias_scope<id = "s{k}", domain = <id = "d">>',
    ),
    Construct(
        "attribute",
        "dlti_spec",
        None,
        lambda n: "#dlti.dl_spec<" + _numbered('"k$" = 1', n) + ">",
        lambda k: f'#dlti.dl_spec<"k{k}" = 1>',
    ),
    Construct(
        "attribute",
        "sparse_encoding",
        None,
        lambda n: (
            f"#sparse_tensor.encoding<{{ map = ({_numbered('d$', n)}) -> ({_numbered('d$ : dense', n)}) }}>"
        ),
    ),
    Construct(
        "attribute",
        "emitc_opaque",
        None,
        lambda n: f'#emitc.opaque<"{"a" * n}">',
        lambda k: f'#emitc.opaque<"a{k}">',
    ),
    Construct(
        "attribute",
        "spirv_capabilities",
        None,
        lambda n: (
            f"#spirv.vce<v1.0, [{_list('Shader', n)}], [{_list('SPV_KHR_storage_buffer_storage_class', n)}]>"
        ),
    ),
    Construct("attribute", "gpu_target", None, None, lambda k: f'#nvvm.target<chip = "sm_{k}">'),
    Construct(
        "attribute",
        "stablehlo_gather",
        None,
        lambda n: f"#stablehlo.gather<offset_dims = [{_list('1', n)}]>",
        lambda k: f"#stablehlo.gather<index_vector_dim = {k}>",
        target="jaxlib-0.10",
        oracle="cannot",
    ),
    Construct(
        "attribute",
        "stablehlo_bounds",
        None,
        lambda n: f"#stablehlo.bounds<{_list('1', n)}>",
        lambda k: f"#stablehlo.bounds<{k}>",
        target="jaxlib-0.10",
        oracle="cannot",
    ),
)

LOCATIONS = (
    Construct(
        "location",
        "callsite",
        Nest("callsite(unknown at ", "unknown", ")"),
        None,
        lambda k: f'callsite("a" at "b":{k}:1)',
    ),
    Construct(
        "location",
        "fused",
        Nest("fused[", '"a"', ", unknown]"),
        lambda n: "fused[" + _numbered('"a$"', n) + "]",
        lambda k: f'fused["a{k}", "b"]',
    ),
    Construct("location", "fused_of_equal", None, lambda n: "fused[" + _list('"a"', n) + "]"),
    Construct(
        "location",
        "fused_metadata",
        None,
        lambda n: f'fused<[{_list("1", n)}]>["a"]',
        lambda k: f'fused<{k}>["a"]',
    ),
    Construct(
        "location", "named", Nest('"a"(', "unknown", ")"), lambda n: f'"{"a" * n}"', lambda k: f'"a{k}"'
    ),
    Construct("location", "file", None, lambda n: f'"{"a" * n}":1:1', lambda k: f'"a":{k}:1'),
    Construct("location", "file_range", None, None, lambda k: f'"a":{k}:1 to {k + 1}:2'),
)

for table in (TYPES, ATTRIBUTES, LOCATIONS):
    register(table)
