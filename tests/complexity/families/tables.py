"""Strings, dialects, operation names, resources and property blobs."""

from complexity.build import Maker, family, versions
from support.assembler import Blob, Dialect, OpNameGroup, Resource, ResourceGroup, varints

# Strings.


@versions("strings.many", 8000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    for number in range(n):
        m.string(f"s{number}")
    return m.module([m.op()])


@family("strings.long", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.text("x" * n)])


@family("strings.shared_prefix", 300)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.text("p" * 200 + f"{number:06}") for number in range(n)])


@family("strings.equal", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    m.strings.values += [b"same"] * n
    return m.module([m.op()])


@family("strings.escaped", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.text(b'\x1b"\xff\\' * (n // 4))])


# Dialects.


@versions("dialects.many", 8000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    for number in range(n):
        m.dialect(f"d{number}")
    return m.module([m.op()])


@versions("dialects.many_with_ops", 4000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.op(f"d{number}.op") for number in range(n)])


@family("dialects.many_with_attributes", 3000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module(
        [
            m.op(attributes=m.dictionary([("k", m.attribute(f"#d{number}.a", f"d{number}"))]))
            for number in range(n)
        ]
    )


@family("dialects.many_with_types", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type(f"!d{number}.t", f"d{number}") for number in range(n)])


@family("dialects.many_with_encoded_attributes", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute(b"\x01\x03", f"d{number}") for number in range(n)])


@family("dialects.many_with_everything", 1500)
def _(n: int) -> bytes:
    m = Maker()
    ops = []
    for number in range(n):
        name = f"d{number}"
        attributes = m.dictionary([("k", m.attribute(f"#{name}.a", name))])
        ops.append(m.op(f"{name}.op", attributes=attributes, results=[m.type(f"!{name}.t", name)]))
    return m.module(ops)


@versions("dialects.long_name_many_ops", 3000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    dialect = "d" * (10 * n)
    return m.module([m.op((dialect, f"o{number}")) for number in range(n)])


@family("dialects.long_name_many_types", 2500)
def _(n: int) -> bytes:
    m = Maker()
    dialect = "d" * (10 * n)
    return m.with_types([m.type(b"\x01" + number.to_bytes(4, "big"), dialect) for number in range(n)])


@family("dialects.long_name_many_attributes", 2500)
def _(n: int) -> bytes:
    m = Maker()
    dialect = "d" * (10 * n)
    return m.with_attributes(
        [m.attribute(b"\x01" + number.to_bytes(4, "big"), dialect) for number in range(n)]
    )


@family("dialects.long_name_many_resources", 2500)
def _(n: int) -> bytes:
    m = Maker()
    owner = m.dialect("d" * (10 * n))
    keys = [Resource(m.string(f"r{number}"), True) for number in range(n)]
    m.resources.dialects.append(ResourceGroup(owner, keys))
    return m.module([m.op()])


@family("dialects.many_groups_of_one", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    first, second = m.dialect("one"), m.dialect("two")
    name = m.string("op")
    m.dialects.groups += [
        OpNameGroup(second if number % 2 else first, [(name, False)]) for number in range(n)
    ]
    m._counts["op"] = n
    return m.module([m.op()])


@family("dialects.alternating_entries", 3000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type(f"!d{number % 2}.t{number}", f"d{number % 2}") for number in range(n)])


@family("dialects.equal_names", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    m.dialects.dialects += [Dialect(m.string("same")) for _ in range(n)]
    return m.module([m.op()])


@family("dialects.versions_many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    for number in range(n):
        m.dialect(f"d{number}", b"\x03\x05\x07")
    return m.module([m.op()])


@family("dialects.version_long", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    m.dialect("long", b"\x03" * n)
    return m.module([m.op("long.op")])


# Operation names.


@versions("op_names.many", 5000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.op(f"t.o{number}") for number in range(n)])


@family("op_names.unused", 8000)
def _(n: int) -> bytes:
    m = Maker()
    for number in range(n):
        m.op_name(f"t.o{number}")
    return m.module([m.op()])


@family("op_names.long", 250)
def _(n: int) -> bytes:
    m = Maker()
    name = "t." + "o" * (200 * n)
    return m.module([m.op(name) for _ in range(n)])


@family("op_names.equal", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    m.op_name("t.op")
    m.dialects.groups[-1].names += [(m.string("op"), False)] * n
    m._counts["op"] += n
    return m.module([m.op(), m.op("t.other")])


@family("op_names.with_dots", 250)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.op("t" + ".x" * 100 + str(number)) for number in range(n)])


# Resources.


@family("resources.many", 3000)
def _(n: int) -> bytes:
    m = Maker()
    owner = m.string("external")
    m.resources.external.append(
        ResourceGroup(owner, [Resource(m.string(f"r{number}"), number % 2 == 0) for number in range(n)])
    )
    return m.module([m.op()])


@family("resources.many_blobs", 1200)
def _(n: int) -> bytes:
    m = Maker()
    owner = m.dialect("builtin")
    blobs = [Resource(m.string(f"r{number}"), Blob(b"\x07" * 16, 16)) for number in range(n)]
    m.resources.dialects.append(ResourceGroup(owner, blobs))
    return m.module([m.op()])


@family("resources.many_used", 700)
def _(n: int) -> bytes:
    m = Maker()
    owner = m.dialect("builtin")
    tensor = m.tensor([4], m.f32())
    blobs, attributes = [], []
    for number in range(n):
        blobs.append(Resource(m.string(f"r{number}"), Blob(b"\x07" * 16, 16)))
        attributes.append(m.attribute(_resource_elements(tensor, number)))
    m.resources.dialects.append(ResourceGroup(owner, blobs))
    return m.with_attributes(attributes)


@family("resources.one_used_often", 6000)
def _(n: int) -> bytes:
    m = Maker()
    owner = m.dialect("builtin")
    m.resources.dialects.append(ResourceGroup(owner, [Resource(m.string("r"), Blob(b"\x07" * 4 * n, 16))]))
    attribute = m.attribute(_resource_elements(m.tensor([n], m.f32()), 0))
    attributes = m.dictionary([("k", attribute)])
    return m.module([m.op(attributes=attributes) for _ in range(n)])


@family("resources.large", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    owner = m.string("external")
    m.resources.external.append(ResourceGroup(owner, [Resource(m.string("r"), Blob(b"\x07" * n, 64))]))
    return m.module([m.op()])


@family("resources.many_groups", 3000)
def _(n: int) -> bytes:
    m = Maker()
    m.resources.external += [
        ResourceGroup(m.string(f"g{number}"), [Resource(m.string("r"), True)]) for number in range(n)
    ]
    return m.module([m.op()])


@family("resources.long_keys", 300)
def _(n: int) -> bytes:
    m = Maker()
    keys = [Resource(m.string("k" * 200 + f"{number:05}"), True) for number in range(n)]
    m.resources.external.append(ResourceGroup(m.string("external"), keys))
    return m.module([m.op()])


@family("resources.equal_keys", 6000)
def _(n: int) -> bytes:
    m = Maker()
    keys = [Resource(m.string("same"), True) for _ in range(n)]
    m.resources.external.append(ResourceGroup(m.string("external"), keys))
    blobs = [Resource(m.string("same"), Blob(b"\x07", 1)) for _ in range(n // 2)]
    m.resources.dialects.append(ResourceGroup(m.dialect("builtin"), blobs))
    return m.module([m.op()])


@family("resources.one_long_string_often", 6000)
def _(n: int) -> bytes:
    m = Maker()
    value = m.string("v" * (4 * n))
    strings = [Resource(m.string(f"r{number}"), value) for number in range(n)]
    m.resources.external.append(ResourceGroup(m.string("external"), strings))
    return m.module([m.op()])


@family("resources.without_data", 6000)
def _(n: int) -> bytes:
    m = Maker()
    keys = [Resource(m.string(f"r{number}")) for number in range(n)]
    m.resources.dialects.append(ResourceGroup(m.dialect("builtin"), keys))
    return m.module([m.op()])


def _resource_elements(shaped: int, handle: int) -> bytes:
    return varints(16, shaped, handle)
