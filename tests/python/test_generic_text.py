"""The reader of printed modules, against text whose structure is plain to see."""

import pytest

from support import generic_text, oracles
from support.generic_text import (
    GenericTextError,
    Operation,
    TextValue,
    parse,
    parse_resources,
    split,
    unescape,
)

BUILTIN = '"builtin.module"() ({\n%s\n}) : () -> ()\n'


def only(text: str) -> Operation:
    (op,) = parse(text).operations
    return op


def inner(body: str, *, unique_names: bool = False) -> list[Operation]:
    (module,) = parse(BUILTIN % body, unique_names=unique_names).operations
    return module.regions[0].blocks[0].operations


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("i32", ["i32"]),
        ("i32, f32", ["i32", "f32"]),
        ("(i32, f32) -> (), tuple<i8, i16>", ["(i32, f32) -> ()", "tuple<i8, i16>"]),
        ('!t.x<"a>, b">, #t.y<1 -> 2, 3>', ['!t.x<"a>, b">', "#t.y<1 -> 2, 3>"]),
        ("affine_set<(d0) : (d0 >= 0, d0 == 2)>, i1", ["affine_set<(d0) : (d0 >= 0, d0 == 2)>", "i1"]),
    ],
)
def test_split_sees_brackets_strings_and_arrows(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize(
    ("literal", "data"),
    [
        ('""', b""),
        (r'"a\00b"', b"a\0b"),
        (r'"\22\5C"', b'"\\'),
        (r'"a\\b"', b"a\\b"),
        (r'"\FFx"', b"\xffx"),
        (r'"\n"', b"\n"),
    ],
)
def test_escapes_give_bytes(literal: str, data: bytes) -> None:
    assert unescape(literal) == data


def test_an_operation_has_all_its_parts() -> None:
    op = only(
        '%0:2 = "t.op"() <{p = "}>"}> ({\n}, {\n}) {a = {b = [1, "]"]}, c} : '
        '() -> (i32, (i8) -> f32) loc("f":1:2)\n'
    )
    assert op.name == "t.op"
    assert op.properties == '{p = "}>"}'
    assert op.attributes == '{a = {b = [1, "]"]}, c}'
    assert [len(region.blocks) for region in op.regions] == [0, 0]
    assert op.result_types == ["i32", "(i8) -> f32"]
    assert op.location == '"f":1:2'


def test_a_dictionary_splits_into_names_and_values() -> None:
    entries = generic_text.dictionary('{a = 1 : i8, "b c" = {d = "x, y"}, flag}')
    assert entries == {"a": "1 : i8", "b c": '{d = "x, y"}', "flag": ""}


def test_operands_name_results_and_arguments_before_and_after() -> None:
    ops = inner(
        '"t.use"(%1#1, %0) : (f32, i32) -> ()\n%0 = "t.def"() : () -> i32\n'
        '%1:2 = "t.two"(%1#0) : (i32) -> (i32, f32)'
    )
    assert ops[0].operands == [TextValue(ops[2], 1), TextValue(ops[1], 0)]
    assert ops[2].operands == [TextValue(ops[2], 0)]
    assert ops[0].operands[0].type == "f32"


def test_a_name_belongs_to_its_region_first_then_further_out() -> None:
    ops = inner(
        '"t.r"() ({\n%0 = "t.a"() : () -> i8\n"t.u"(%0, %1) : (i8, i16) -> ()\n}, {\n'
        '%0 = "t.b"() : () -> f32\n"t.u"(%0) : (f32) -> ()\n}) : () -> ()\n%1 = "t.c"() : () -> i16'
    )
    first, second = (region.blocks[0].operations for region in ops[0].regions)
    assert first[1].operands == [TextValue(first[0], 0), TextValue(ops[1], 0)]
    assert second[1].operands == [TextValue(second[0], 0)]


def test_blocks_have_arguments_and_successors_have_numbers() -> None:
    (op,) = inner(
        '"t.r"() ({\n^bb0(%arg0: i32 loc("x"), %arg1: (i8) -> f32 loc(unknown)):\n'
        '"t.j"(%arg1)[^bb2, ^bb1] : ((i8) -> f32) -> ()\n'
        '^bb1:  // pred: ^bb0\n^bb2:  // pred: ^bb0\n"t.s"() : () -> ()\n}) : () -> ()'
    )
    blocks = op.regions[0].blocks
    types = [[argument.type for argument in block.arguments] for block in blocks]
    assert types == [["i32", "(i8) -> f32"], [], []]
    assert [argument.location for argument in blocks[0].arguments] == ['"x"', "unknown"]
    assert blocks[0].operations[0].successors == [2, 1]
    assert blocks[0].operations[0].operands == [TextValue(blocks[0], 1)]
    assert [len(block.operations) for block in blocks] == [1, 0, 1]


def test_users_come_in_the_printed_order() -> None:
    ops = inner(
        '%0:2 = "t.d"() : () -> (i32, i32) // users: (%2, %1), (unused)\n'
        '"t.u"(%0#0) : (i32) -> () // id: %1\n%2 = "t.u"(%0#0) : (i32) -> i32 // unused',
        unique_names=True,
    )
    assert TextValue(ops[0], 0).users == [ops[2], ops[1]]
    assert TextValue(ops[0], 1).users == []
    assert TextValue(ops[2], 0).users == []


def test_users_of_arguments_come_below_the_block() -> None:
    (op,) = inner(
        '"t.r"() ({\n^bb0(%arg0: i32, %arg1: i8):\n// %arg0 is used by %1#0, %1#1, %0\n// %arg1 is unused\n'
        '"t.u"(%arg0) : (i32) -> () // id: %0\n'
        '%1:2 = "t.u"(%arg0) : (i32) -> (i8, i8) // users: (unused), (unused)\n}) : () -> ()',
        unique_names=True,
    )
    (block,) = op.regions[0].blocks
    assert TextValue(block, 0).users == [block.operations[1], block.operations[0]]
    assert TextValue(block, 1).users == []


def test_a_walk_is_outer_before_inner() -> None:
    regions = '({\n"t.b"() : () -> ()\n}, {\n"t.c"() : () -> ()\n})'
    text = parse(BUILTIN % f'"t.a"() {regions} : () -> ()\n"t.d"() : () -> ()')
    ops = list(text.walk())
    assert [op.name for op in ops] == ["builtin.module", "t.a", "t.b", "t.c", "t.d"]
    assert [op.number for op in ops] == [0, 1, 2, 3, 4]


def test_nesting_deeper_than_the_call_stack_is_read() -> None:
    depth = 5000
    text = '"t.r"() ({\n' * depth + "}) : () -> ()\n" * depth
    assert sum(1 for _ in parse(text).walk()) == depth


def test_resources_of_every_kind_are_read() -> None:
    text = (
        '"builtin.module"() ({\n}) : () -> ()\n\n{-#\n'
        '  dialect_resources: {\n    builtin: {\n      "a b": "0x100000000102"\n    }\n  },\n'
        "  external_resources: {\n    e: {\n      yes: true,\n      no: false,\n"
        '      text: "a\\22b"\n    }\n  }\n#-}\n'
    )
    resources = [(r.group, r.key, r.is_external, r.kind, r.value, r.alignment) for r in parse_resources(text)]
    assert resources == [
        ("builtin", "a b", False, "blob", b"\x01\x02", 16),
        ("e", "yes", True, "bool", True, None),
        ("e", "no", True, "bool", False, None),
        ("e", "text", True, "string", 'a"b', None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '"t.u"(%0) : (i32) -> ()',
        '"t.u"() : () -> (',
        '"t.u"() ({',
        '"t.u"() ({\n})',
        '"t.u"() {a = [} : () -> ()',
        '%0:2 = "t.d"() : () -> i32',
        '%0 = "t.d"() : () -> i32\n"t.u"(%0) : () -> ()',
        "#map = affine_map<() -> ()>",
        "}",
        "module {\n}",
    ],
)
def test_text_that_is_not_generic_is_refused(text: str) -> None:
    with pytest.raises(GenericTextError):
        parse(text)


@pytest.mark.parametrize("release", oracles.RELEASES)
def test_the_oracle_prints_what_is_read(release: int) -> None:
    oracles.require(release)
    source = (
        '"t.g"() ({\n  "t.early"(%a, %b#1) : (i32, f32) -> ()\n  %a = "t.self"(%a) : (i32) -> i32\n'
        '  %b:2 = "t.two"(%a) ({\n  ^bb0(%x: i32):\n    "t.u"(%x, %a)[^bb1] : (i32, i32) -> ()\n  ^bb1:\n'
        '    "t.end"() {s = "\\00\\22}// id: %1"} : () -> ()\n  }, {\n  }) : '
        "(i32) -> (i32, f32)\n}) {m = affine_map<(d0) -> (d0)>} : () -> ()\n"
    )
    printed = oracles.checked(oracles.run_mlir_opt(release, oracles.print_args(release), source))
    text = parse(printed, unique_names=release != 16)
    names = ["builtin.module", "t.g", "t.early", "t.self", "t.two", "t.u", "t.end"]
    ops = list(text.walk())
    assert [op.name for op in ops] == names
    early, self_, two, use = ops[2:6]
    assert early.operands == [TextValue(self_, 0), TextValue(two, 1)]
    assert use.operands == [TextValue(two.regions[0].blocks[0], 0), TextValue(self_, 0)]
    assert use.successors == [1]
    # The newest use is in front; an operation is made after its regions; earlier uses come last.
    users = TextValue(self_, 0).users
    assert users == (None if release == 16 else [two, use, early, self_])


@pytest.mark.parametrize("release", oracles.RELEASES)
def test_the_oracle_is_the_release_it_stands_for(release: int) -> None:
    oracles.require(release)
    answer = oracles.checked(oracles.run_mlir_opt(release, ["--version"], "")).decode()
    assert f"LLVM version {oracles.FULL_VERSIONS[release]}" in answer


def test_a_missing_oracle_fails_where_it_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracles, "find", lambda release: None)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("MLIRBC_REQUIRE_ORACLES", "1")
    with pytest.raises(pytest.fail.Exception, match="MLIRBC_MLIR_OPT_19"):
        oracles.require(19)
    monkeypatch.setenv("MLIRBC_REQUIRE_ORACLES", "0")
    with pytest.raises(pytest.skip.Exception, match="LLVM 19"):
        oracles.require(19)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception):
        oracles.require(19)
