"""Texts of modules, for `assemble`: long, deep, with many names, and with many errors."""

from complexity.build import text_family


def _function(body: str, arguments: str = "%a: i32, %b: i32") -> str:
    return f"func.func @f({arguments}) {{\n{body}  return\n}}\n"


@text_family("assembly.ops", 2000)
def _(n: int) -> str:
    return _function("".join(f"  %{k} = arith.addi %a, %b : i32\n" for k in range(n)))


@text_family("assembly.ops_generic", 1000)
def _(n: int) -> str:
    return _function("".join(f'  %{k} = "t.op"(%a, %b) {{k = {k}}} : (i32, i32) -> i32\n' for k in range(n)))


@text_family("assembly.functions", 1000)
def _(n: int) -> str:
    return "".join(f"func.func @f{k}(%a: i32) -> i32 {{\n  return %a : i32\n}}\n" for k in range(n))


@text_family("assembly.regions", 4000)
def _(n: int) -> str:
    return '"t.op"() ({\n' * n + "}) : () -> ()\n" * n


@text_family("assembly.regions_of_scf", 1000)
def _(n: int) -> str:
    loops = "".join(f"scf.for %i{k} = %c to %c step %c {{\n" for k in range(n))
    return "%c = arith.constant 0 : index\n" + loops + "}\n" * n


@text_family("assembly.names_in_nested_regions", 1000)
def _(n: int) -> str:
    return "".join(f'%v{k} = "t.op"() ({{\n' for k in range(n)) + "}) : () -> i32\n" * n


@text_family("assembly.nested_types", 6000)
def _(n: int) -> str:
    return f'"t.op"() : () -> {"tuple<" * n}i1{">" * n}\n'


@text_family("assembly.nested_attributes", 20000)
def _(n: int) -> str:
    return f'"t.op"() {{k = {"[" * n}{"]" * n}}} : () -> ()\n'


@text_family("assembly.nested_dictionaries", 8000)
def _(n: int) -> str:
    return f'"t.op"() {{k = {"{a = " * n}1{"}" * n}}} : () -> ()\n'


@text_family("assembly.nested_dialect_attributes", 4000)
def _(n: int) -> str:
    return f'"t.op"() {{k = {"#t.a<" * n}1{">" * n}}} : () -> ()\n'


@text_family("assembly.nested_locations", 2000)
def _(n: int) -> str:
    return f'"t.op"() : () -> () loc({"callsite(unknown at " * n}unknown{")" * n})\n'


@text_family("assembly.operands", 10000)
def _(n: int) -> str:
    types = ", ".join(["i32"] * n)
    return _function(f'  "t.op"({", ".join(["%a"] * n)}) : ({types}) -> ()\n')


@text_family("assembly.results", 5000)
def _(n: int) -> str:
    uses = ", ".join(f"%r#{k}" for k in range(n))
    types = ", ".join(["i32"] * n)
    return f'%r:{n} = "t.op"() : () -> ({types})\n"t.use"({uses}) : ({types}) -> ()\n'


@text_family("assembly.named_results", 5000)
def _(n: int) -> str:
    names = ", ".join(f"%r{k}" for k in range(n))
    types = ", ".join(["i32"] * n)
    return f'{names} = "t.op"() : () -> ({types})\n"t.use"({names}) : ({types}) -> ()\n'


@text_family("assembly.attributes", 4000)
def _(n: int) -> str:
    return f'"t.op"() {{{", ".join(f"k{k} = {k}" for k in range(n))}}} : () -> ()\n'


@text_family("assembly.function_arguments", 3000)
def _(n: int) -> str:
    return _function("", ", ".join(f"%a{k}: i32 {{t.k = {k}}}" for k in range(n)))


@text_family("assembly.block_arguments", 3000)
def _(n: int) -> str:
    arguments = ", ".join(f"%a{k}: i32" for k in range(n))
    return f'"t.op"() ({{\n^bb0({arguments}):\n  "t.end"() : () -> ()\n}}) : () -> ()\n'


@text_family("assembly.aliases", 2000)
def _(n: int) -> str:
    definitions = "".join(f"#a{k} = {k} : i64\n!t{k} = i{k + 1}\n" for k in range(n))
    return definitions + "".join(f'"t.op"() {{k = #a{k}}} : () -> !t{k}\n' for k in range(n))


@text_family("assembly.aliases_of_aliases", 3000)
def _(n: int) -> str:
    definitions = "".join(f"#a{k + 1} = [#a{k}]\n" for k in range(n))
    return f'#a0 = 1\n{definitions}"t.op"() {{k = #a{n}}} : () -> ()\n'


@text_family("assembly.aliases_in_dialect_attributes", 1000)
def _(n: int) -> str:
    return "#a = 1\n" + "".join(f'"t.op"() {{k = #t.foo<#a, {k}>}} : () -> ()\n' for k in range(n))


@text_family("assembly.location_aliases", 1500)
def _(n: int) -> str:
    ops = "".join(f'"t.op"() : () -> () loc(#loc{k})\n' for k in range(n))
    return ops + "".join(f'#loc{k} = loc("a":{k + 1}:1)\n' for k in range(n))


@text_family("assembly.blocks", 1500)
def _(n: int) -> str:
    blocks = "".join(f"  cf.br ^b{k + 1}\n^b{k + 1}:\n" for k in range(n))
    return _function(blocks)


@text_family("assembly.blocks_used_before", 1500)
def _(n: int) -> str:
    switch = "".join(f", ^b{k}" for k in range(1, n))
    blocks = "".join(f'^b{k}:\n  "t.end"() : () -> ()\n' for k in range(n))
    return f'"t.op"() ({{\n  "t.switch"() [^b0{switch}] : () -> ()\n{blocks}}}) : () -> ()\n'


@text_family("assembly.values_used_before", 1000)
def _(n: int) -> str:
    uses = "".join(f'  "t.use"(%v{k}) : (i32) -> ()\n' for k in range(n))
    definitions = "".join(f'  %v{k} = "t.op"() : () -> i32\n' for k in range(n))
    return f'"t.op"() ({{\n{uses}{definitions}}}) : () -> ()\n'


@text_family("assembly.one_value_used_before", 1500)
def _(n: int) -> str:
    uses = '  "t.use"(%v) : (i32) -> ()\n' * n
    return f'"t.op"() ({{\n{uses}  %v = "t.op"() : () -> i32\n}}) : () -> ()\n'


@text_family("assembly.symbols", 1500)
def _(n: int) -> str:
    return "".join(f"func.func private @symbol_{k}()\nfunc.call @symbol_{k}() : () -> ()\n" for k in range(n))


@text_family("assembly.string", 50_000)
def _(n: int) -> str:
    return f'"t.op"() {{k = "{"x" * n}"}} : () -> ()\n'


@text_family("assembly.escapes", 20_000)
def _(n: int) -> str:
    return '"t.op"() {k = "' + "\\0A" * n + '"} : () -> ()\n'


@text_family("assembly.dense_list", 10_000)
def _(n: int) -> str:
    return f'"t.op"() {{k = dense<[{", ".join(map(str, range(n)))}]> : tensor<{n}xi32>}} : () -> ()\n'


@text_family("assembly.dense_floats", 8000)
def _(n: int) -> str:
    items = ", ".join(f"{k}.5" for k in range(n))
    return f'"t.op"() {{k = dense<[{items}]> : tensor<{n}xf32>}} : () -> ()\n'


@text_family("assembly.dense_rows", 5000)
def _(n: int) -> str:
    items = ", ".join(f"[{k}, 1]" for k in range(n))
    return f'"t.op"() {{k = dense<[{items}]> : tensor<{n}x2xi32>}} : () -> ()\n'


@text_family("assembly.dense_hexadecimal", 8000)
def _(n: int) -> str:
    return f'"t.op"() {{k = dense<"0x{"01020304" * n}"> : tensor<{n}xi32>}} : () -> ()\n'


@text_family("assembly.array", 10_000)
def _(n: int) -> str:
    return f'"t.op"() {{k = array<i64: {", ".join(map(str, range(n)))}>}} : () -> ()\n'


@text_family("assembly.one_line", 2000)
def _(n: int) -> str:
    return ' "t.op"() : () -> ()' * n


@text_family("assembly.comments", 2000)
def _(n: int) -> str:
    return "// a comment of a line\n" * n + '"t.op"() : () -> ()\n'


@text_family("assembly.resources", 800)
def _(n: int) -> str:
    uses = "".join(f'"t.op"() {{k = dense_resource<r{k}> : tensor<1xi32>}} : () -> ()\n' for k in range(n))
    blobs = ",\n".join(f'r{k}: "0x0400000001020304"' for k in range(n))
    return f"{uses}{{-#\n  dialect_resources: {{ builtin: {{ {blobs} }} }}\n#-}}\n"


@text_family("assembly.resource", 50_000)
def _(n: int) -> str:
    use = '"t.op"() {k = dense_resource<r> : tensor<1xi32>} : () -> ()\n'
    return f'{use}{{-# dialect_resources: {{ builtin: {{ r: "0x04000000{"01" * n}" }} }} #-}}\n'


@text_family("assembly.parts", 600)
def _(n: int) -> str:
    return "\n// -----\n".join(['"t.op"() : () -> ()'] * n)


@text_family("assembly.errors", 1500, is_valid=False)
def _(n: int) -> str:
    return _function("".join(f"  %{k} = arith.adid %a, %b : i32\n" for k in range(n)))


@text_family("assembly.errors_of_names", 2000, is_valid=False)
def _(n: int) -> str:
    return "".join(f'"t.op"(%name{k}) : (i32) -> ()\n' for k in range(n))


@text_family("assembly.errors_after_regions", 1000, is_valid=False)
def _(n: int) -> str:
    return '"t.op"() ({\n' * n + "}) : () -> i32 2\n" * n


@text_family("assembly.brackets_that_do_not_end", 20_000, is_valid=False)
def _(n: int) -> str:
    return '"t.op"() {k = ' + "#t.a<[(" * (n // 4)


@text_family("assembly.lines_of_a_bracket", 10_000, is_valid=False)
def _(n: int) -> str:
    return "(\n" * n
