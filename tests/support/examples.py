"""Valid files to test with, small enough to read."""

from support.assembler import (
    Argument,
    Blob,
    Block,
    File,
    Op,
    Region,
    Resource,
    ResourceGroup,
    UseList,
    varints,
)


def worked_example(version: int) -> File:
    """An op with a property, one with a region, and one in it that uses a value from outside."""
    file = File(version=version, producer=b"x")
    file.dialect("builtin")
    file.dialect("t")
    module = file.op_name("builtin.module", registered=True)
    constant, region, use = (file.op_name(name) for name in ("t.c", "t.r", "t.u"))
    file.attribute(varints(15))
    byte = file.type(varints(0, 8 << 2))
    has_properties = version >= 5
    if has_properties:
        file.attribute(varints(1, 1, 2, 3))
        file.attribute(varints(2, file.string("k")))
        file.attribute(varints(8, 0) + b"\x05")
        file.property(b"\x01\x01")
        file.property(varints(1))
    inner = Region([Block([Op(use, operands=[1, 0])], [Argument(byte)])])
    body = [
        Op(constant, results=[byte], properties=1 if has_properties else None),
        Op(region, regions=[inner]),
    ]
    file.top.append(
        Op(module, properties=0 if has_properties else None, regions=[Region([Block(body)])], isolated=True)
    )
    return file


def rich(version: int) -> File:
    """Every construct of the format at once, for readers to accept."""
    file = File(version=version, producer=b"assembler")
    module = file.op_name("builtin.module", registered=version >= 5)
    file.attribute(varints(15))
    i8, i32 = file.type(varints(0, 8 << 2)), file.type(varints(0, 32 << 2))
    name = file.attribute(varints(2, file.string("here.mlir")))
    place = file.attribute(varints(11, name, 3, 14))
    key, five = file.attribute(varints(2, file.string("k"))), file.attribute(varints(8, 0) + b"\x05")
    dictionary = file.attribute(varints(1, 1, key, five))
    text = file.type("!t.opaque<i8>", dialect="t")
    two_results, used, branch = (file.op_name(n) for n in ("t.made", "t.used", "t.branch"))
    isolated, nested = file.op_name("t.isolated"), file.op_name("t.nested")
    blob = file.property(varints(dictionary)) if version >= 5 else None
    empty = file.property(b"\x01\x01") if version >= 5 else None
    # Two results with three uses each, and an argument whose uses are out of order.
    entry = Block(
        [
            Op(two_results, place, dictionary, blob, results=[i8, i32], use_lists=[UseList([0, 2, 1], 1)]),
            Op(used, operands=[0, 1, 2]),
            Op(used, operands=[1]),
            Op(used, operands=[2, 0]),
            Op(used, operands=[2]),
            Op(nested, regions=[Region([Block([Op(used, operands=[3, 0])], [Argument(text)])]), Region()]),
            Op(branch, successors=[1]),
        ],
        [Argument(i8, place)],
        use_lists=[UseList([1, 0, 2])] if version >= 3 else [],
    )
    function = Op(isolated, regions=[Region([entry, Block([Op(two_results)])])], isolated=True)
    file.top.append(
        Op(
            module,
            properties=empty,
            regions=[Region([Block([function])])],
            isolated=True,
        )
    )
    builtin = file.dialect("builtin")
    keys = [file.string(key) for key in ("one", "two", "three", "group", "hi")]
    file.resources.external = [ResourceGroup(keys[3], [Resource(keys[0], keys[4]), Resource(keys[1], True)])]
    file.resources.dialects = [
        ResourceGroup(builtin, [Resource(keys[0], Blob(b"\1\2\3", 8)), Resource(keys[1], Blob(b"\4", 16))]),
        ResourceGroup(builtin, [Resource(keys[2])]),
    ]
    return file


def with_blob(key: str, data: bytes, alignment: int = 16) -> bytes:
    """An empty module with one resource of the builtin dialect."""
    file = worked_example(6)
    group = ResourceGroup(file.dialect("builtin"), [Resource(file.string(key), Blob(data, alignment))])
    file.resources.dialects = [group]
    return file.encode().data


def toy_file(*, nested: bool, shift: int = 0, version: int = 3) -> bytes:
    """An op of a made-up dialect as its own writer would write it: a version, then the attributes it must
    have.

    With `nested`, attributes are of kinds that no reader knows, one in the other; with `shift` unused
    entries come first,
    so that every number is another one.
    """
    file = File(producer=b"toy")
    module, op = file.op_name("builtin.module", registered=True), file.op_name("toy.op", registered=True)
    for number in range(shift):
        file.attribute(varints(2, file.string(f"unused {number}")))
    location = file.attribute(varints(15))
    text = file.attribute(varints(2, file.string("text")))
    array = file.attribute(varints(0, 1, text))
    if nested:
        inner = file.attribute(varints(7, 1, text), dialect="toy")
        outer = file.attribute(varints(9, 3, inner, text, array), dialect="toy")
        required = [outer, text]
    else:
        file.attribute(varints(1, 0))
        required = [text]
    blobs = [file.property(b"\x01\x01"), file.property(varints(version, len(required), *required))]
    body = [Op(op, location=location, properties=blobs[1])]
    inner_region = Region([Block(body)])
    file.top.append(Op(module, location=location, properties=blobs[0], regions=[inner_region], isolated=True))
    return file.encode().data
