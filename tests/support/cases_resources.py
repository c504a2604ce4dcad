"""Hostile cases of the properties and the resources."""

from support.assembler import Blob, Framing, Op, Resource, ResourceGroup, Wire, bad, varint
from support.cases import REJECTS, UNSAFE, Base, accepted, rejected
from support.cases_container import HUGE

# Properties.


@rejected(
    "properties.trailing", "P1", "read.property.trailing_bytes", where="trailing:8", section="Properties"
)
def _(b: Base) -> None:
    b.file.properties.trailing = b"\x01"


@rejected(
    "properties.blob_cut",
    "B2",
    "read.truncated",
    where="data:8",
    section="Properties",
    says="attempting to parse",
)
def _(b: Base) -> None:
    b.file.properties.sizes[0] = bad(9)


for number in HUGE:

    @rejected(
        f"properties.count_{number}",
        "counts",
        "read.count",
        where="data:8",
        section="Properties",
        upstream=UNSAFE,
    )
    def _(b: Base, number: int = number) -> None:
        b.file.properties.count = bad(number)

    @rejected(
        f"properties.size_{number}",
        "B2",
        "read.truncated",
        also=("read.count",),
        where="data:8",
        section="Properties",
        says="attempting to parse",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.properties.sizes[0] = bad(number)


@rejected(
    "properties.count_short", "B1", "read.truncated", where="data:8", section="Properties", says="at the end"
)
def _(b: Base) -> None:
    b.file.properties.count = 2


@accepted("properties.empty_section", "zero-length section 8")
def _(b: Base) -> None:
    b.module_of_file().properties = None
    b.file.replaced[8] = b""


@rejected("properties.index", "P2", "read.index", section="IR", expects="propert", says="out-of-bound")
def _(b: Base) -> None:
    b.two_results.properties = bad(7)


for version in (0, 4):

    @rejected(
        f"properties.in_version_{version}",
        "P4",
        "read.property.version",
        where=("bad", "data:4"),
        section="IR",
        version=version,
        says="properties",
    )
    def _(b: Base) -> None:
        b.two_results.mask = Wire(b"\x43")


@accepted("properties.blob_with_more", "trailing bytes in property blobs")
def _(b: Base) -> None:
    b.two_results.properties = b.file.property(varint(b.indices["dictionary"]) + b"\xff\xff")


@accepted(
    "properties.where_none_are",
    "P3",
    upstream=REJECTS,
    differs="whether an op has properties is known with its release only",
)
def _(b: Base) -> None:
    name = b.file.op_name("func.return", registered=True)
    b.inner.ops = [*b.inner.ops, Op(name, properties=b.file.property(b"\x01"))]


@rejected(
    "properties.attribute_index",
    "X1",
    "read.index",
    or_accepted=True,
    where=("data:8", "data:4"),
    expects="attribute",
    says="invalid",
)
def _(b: Base) -> None:
    b.two_results.properties = b.file.property(varint(1000))


# Resources.


def _resources(b: Base, *resources: Resource, dialect: str = "builtin") -> None:
    b.file.resources.dialects.append(ResourceGroup(b.file.dialect(dialect), list(resources)))


def _external(b: Base, *resources: Resource, group: str = "mlir_reproducer") -> None:
    b.file.resources.external.append(ResourceGroup(b.file.string(group), list(resources)))


def _blob(b: Base, key: str = "weights") -> Resource:
    return Resource(b.file.string(key), Blob(b"\1\2\3\4\5", 4))


@rejected("resources.without_directory", "R1", "read.resource.sections", where="file", says="resource")
def _(b: Base) -> None:
    b.file.order = [n for n in b.file.section_order() if n != 6]


@rejected("resources.without_payloads", "R2", "read.resource.sections", where="file", says="resource")
def _(b: Base) -> None:
    b.file.order = [n for n in b.file.section_order() if n != 5]


@rejected("resources.empty_directory", "B1", "read.truncated", where="section:6", section="ResourceOffset")
def _(b: Base) -> None:
    b.file.replaced[6] = b""


for number in HUGE:

    @rejected(
        f"resources.num_external_{number}",
        "counts",
        "read.count",
        also=("read.truncated",),
        where="data:6",
        section="ResourceOffset",
        says="at the end",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.resources.num_external = bad(number)

    @rejected(
        f"resources.group_count_{number}",
        "counts",
        "read.count",
        also=("read.truncated",),
        where="data:6",
        section="ResourceOffset",
        says="at the end",
    )
    def _(b: Base, number: int = number) -> None:
        _resources(b, _blob(b))
        b.file.resources.dialects[0].count = bad(number)

    @rejected(
        f"resources.size_{number}",
        "B2",
        "read.truncated",
        where=("bad", "data:6", "data:5"),
        section=("ResourceOffset", "Resource"),
        says="attempting to parse",
    )
    def _(b: Base, number: int = number) -> None:
        _resources(b, _blob(b))
        b.file.resources.dialects[0].resources[0].size = bad(number)

    @rejected(
        f"resources.blob_size_{number}",
        "B2",
        "read.truncated",
        where=("bad", "data:5"),
        section="Resource",
        says="attempting to parse",
    )
    def _(b: Base, number: int = number) -> None:
        _resources(b, Resource(b.file.string("k"), Blob(b"\1\2\3\4", 4, size=bad(number))))


@rejected(
    "resources.group_cut", "B1", "read.truncated", where="data:6", section="ResourceOffset", says="at the end"
)
def _(b: Base) -> None:
    b.file.resources.directory_trailing = b"\x01\x03\x01"


@rejected(
    "resources.external_name", "X1", "read.index", section="ResourceOffset", expects="string", says="string"
)
def _(b: Base) -> None:
    b.file.resources.external = [ResourceGroup(bad(500))]


@rejected(
    "resources.dialect_index", "X1", "read.index", section="ResourceOffset", expects="dialect", says="dialect"
)
def _(b: Base) -> None:
    b.file.resources.dialects = [ResourceGroup(bad(50))]


@rejected(
    "resources.key", "X1", "read.index", section="ResourceOffset", expects="string", says="string index"
)
def _(b: Base) -> None:
    _resources(b, Resource(bad(500), Blob(b"\1", 1)))


@rejected(
    "resources.blob_trailing",
    "R6",
    "read.resource.trailing_bytes",
    where="data:5",
    section="Resource",
    says="trailing",
)
def _(b: Base) -> None:
    _resources(b, _blob(b))
    b.file.resources.dialects[0].resources[0].trailing = b"\0"


@rejected(
    "resources.external_trailing",
    "R6",
    "read.resource.trailing_bytes",
    where="data:5",
    section="Resource",
)
def _(b: Base) -> None:
    _external(b, Resource(b.file.string("k"), True, trailing=b"\0"), group="nobody")


for kind in (3, 255):

    @rejected(
        f"resources.kind_{kind}",
        "R7",
        "read.resource.kind",
        where=("bad", "data:6", "data:5"),
        section=("ResourceOffset", "Resource"),
        upstream=UNSAFE,
        differs="upstream runs out of memory while it prints the kind",
    )
    def _(b: Base, kind: int = kind) -> None:
        resource = _blob(b)
        resource.kind = Wire(bytes([kind]))
        _resources(b, resource)


@rejected(
    "resources.bool_of_builtin",
    "R7",
    "read.resource.kind",
    where=("data:6", "data:5"),
    section=("ResourceOffset", "Resource"),
    says="expected a blob",
)
def _(b: Base) -> None:
    _resources(b, Resource(b.file.string("k"), True))


@rejected(
    "resources.external_kind",
    "R7",
    "read.resource.kind",
    where=("bad", "data:6", "data:5"),
    section=("ResourceOffset", "Resource"),
)
def _(b: Base) -> None:
    _external(b, Resource(b.file.string("k"), True, kind=Wire(b"\x03")), group="nobody")


@rejected(
    "resources.external_without_data",
    "external size 0",
    "read.resource.no_data",
    where=("bad", "data:6"),
    section=("ResourceOffset", "Resource"),
)
def _(b: Base) -> None:
    _external(b, Resource(b.file.string("pipeline"), None, kind=2, size=bad(0)))


@rejected(
    "resources.external_without_data_unhandled",
    "external size 0",
    "read.resource.no_data",
    where=("bad", "data:6"),
    section=("ResourceOffset", "Resource"),
)
def _(b: Base) -> None:
    _external(b, Resource(b.file.string("k"), None, kind=2, size=bad(0)), group="nobody")


@rejected(
    "resources.string_index",
    "X1",
    "read.index",
    where=("bad", "data:5"),
    section="Resource",
    expects="string",
)
def _(b: Base) -> None:
    _external(b, Resource(b.file.string("pipeline"), bad(900), kind=2))


for number in (0, 3, 2**32):

    @rejected(
        f"resources.alignment_{number}",
        "B5",
        "read.alignment",
        where=("bad", "data:5"),
        section="Resource",
        says="power-of-two",
    )
    def _(b: Base, number: int = number) -> None:
        blob = Blob(b"\1\2\3\4", align=bad(number), padding=Wire(b"", "padding"))
        _resources(b, Resource(b.file.string("k"), blob))


@rejected(
    "resources.padding",
    "B6",
    "read.padding",
    where=("bad", "data:5"),
    section="Resource",
    says="alignment byte",
)
def _(b: Base) -> None:
    # Section 5 is flagged with the same alignment, so that two bytes are in front of the padding.
    b.file.framing[5] = Framing(align=8)
    blob = Blob(b"\1\2\3\4", align=8, padding=Wire(b"\xcb\xcb\xcb\0\xcb\xcb"))
    _resources(b, Resource(b.file.string("k"), blob))


@accepted("resources.valid", "resources")
def _(b: Base) -> None:
    _resources(b, _blob(b), Resource(b.file.string("wide"), Blob(b"\7" * 40, 16)))
    _external(
        b, Resource(b.file.string("k"), True), Resource(b.file.string("s"), b.file.string("text")), group="e"
    )


@accepted("resources.payload_trailing", "trailing bytes in section 5")
def _(b: Base) -> None:
    _resources(b, _blob(b))
    b.file.resources.trailing = b"\xaa\xbb"


@accepted("resources.without_data_of_any_kind", "kind ignored at size 0")
def _(b: Base) -> None:
    _resources(b, Resource(b.file.string("k"), None, kind=Wire(b"\x09")))


@accepted("resources.key_twice", "duplicate keys")
def _(b: Base) -> None:
    _resources(b, _blob(b), _blob(b))
    _resources(b, _blob(b))


@accepted("resources.empty_groups", "empty groups")
def _(b: Base) -> None:
    _resources(b)
    _external(b)
    _resources(b)


@accepted("resources.bool_of_2", "any other than 0 is true")
def _(b: Base) -> None:
    _external(b, Resource(b.file.string("disable_threading"), Wire(b"\x02"), kind=1))


@accepted(
    "resources.of_an_unknown_dialect",
    "R3, R4",
    upstream=REJECTS,
    says="is unknown",
    differs="any dialect's resources can be read",
)
def _(b: Base) -> None:
    _resources(b, _blob(b), dialect="t")


@accepted("resources.blob_alignment_over_the_section", "section alignment need not match")
def _(b: Base) -> None:
    # The section is flagged with 1 only; its blob sits at a multiple of 8 all the same.
    b.file.framing[5] = Framing(align=1)
    blob = Blob(b"\1\2\3\4", align=8, padding=Wire(b"", "padding"))
    _resources(b, Resource(b.file.string("k"), blob))
    for _round in range(8):
        first, _last = b.file.encode().marks["padding"]
        blob.padding = Wire(b"\xcb" * (-first % 8), "padding")
