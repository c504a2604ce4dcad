//! Dialect tables, property schemas and the names of releases, as callers pass them.

use super::rule::rules;

rules! {
    DialectTable "invalid.dialect_table" Invalid "a dialect table has the documented keys, primitives and templates" Some("see docs/reference/dialect-tables.md");
    HostTable "invalid.host_table" Invalid "a table of hosts says where an operation or a custom call holds a module, and how" Some("see docs/reference/nested-modules.md");
    PropertySchema "invalid.property_schema" Invalid "a property schema has the documented structure" Some("see docs/reference/properties.md");
    Pack "invalid.pack" Invalid "a pack of definitions, and each dump that one is made of, has the documented structure" Some("see docs/reference/packs.md");
    UnknownRelease "invalid.release" Invalid "the name of a release or a target is a known one" Some("use one of the known names, or register a property schema for the release with `schemas.register` or `--schemas`");
    SchemeRoundTrip "invalid.scheme" Invalid "decoding a value with a declared encoding and encoding it again gives the same bytes" Some("the value stays opaque and its bytes are kept; correct the encoding in the dialect table, or leave it undeclared");
    DialectHook "invalid.dialect_hook" Invalid "a hook of a dialect reads all bytes of a value, and reads the same value from the bytes that a hook wrote for it" Some("a value of a file stays opaque, and one that is created is refused; make the hooks that read and write agree, see docs/explanation/fallback.md");
}
