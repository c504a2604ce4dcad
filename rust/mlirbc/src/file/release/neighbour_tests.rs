//! Tests of operations whose layouts in two adjacent builds differ only in required attributes, or only in
//! names: a blob of either build is read in the layout of its writer, or is ambiguous.

use std::collections::BTreeSet;

use super::*;
use crate::dialect::entries::{Bounds, EntryRef, NoEntries, RawEntry};
use crate::dialect::table::DialectTable;
use crate::props::codec::decode;
use crate::props::schema::Kind;
use crate::props::{PropertyField, PropertyValue};
use crate::release::KnownRelease;
use crate::wire::bytes::Bytes;
use crate::wire::cursor::ByteSink;
use crate::wire::limits::Limits;

/// Attributes that pass every class check, because they are texts of an unknown kind.
struct TextEntries(NoEntries);

impl Entries for TextEntries {
    fn bounds(&self) -> Bounds {
        Bounds { attributes: 200, types: 8, strings: 8, resources: 0 }
    }

    fn entry(&self, _: EntryRef) -> Option<RawEntry<'_>> {
        Some(RawEntry { dialect: b"builtin", table: None, is_text: true, data: b"x\0", offset: 0 })
    }

    fn string(&self, _: u32) -> &[u8] {
        b"x"
    }

    fn resource_key(&self, _: u32) -> &[u8] {
        &[]
    }

    fn table(&self, _: &[u8]) -> Option<&DialectTable> {
        None
    }

    fn builtin(&self) -> &DialectTable {
        self.0.builtin()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Required,
    Names,
}

fn difference(left: &OpSchema, right: &OpSchema) -> Option<Difference> {
    let (left_fields, right_fields): (Vec<_>, Vec<_>) = (left.fields().collect(), right.fields().collect());
    let pairs = || left_fields.iter().zip(&right_fields);
    let is_attribute = |field: &PropertyField| matches!(field.kind, Kind::Attribute { .. });
    let is_alike = |(a, b): (&&PropertyField, &&PropertyField)| {
        a.kind() == b.kind() || is_attribute(a) && is_attribute(b)
    };
    if left_fields.len() != right_fields.len() || !pairs().all(is_alike) {
        return None;
    }
    let have_names = pairs().all(|(a, b)| a.name == b.name);
    let have_kinds = pairs().all(|(a, b)| a.kind() == b.kind());
    match (have_names, have_kinds) {
        (true, false) => Some(Difference::Required),
        (false, true) => Some(Difference::Names),
        _ => None,
    }
}

/// Values for all fields; attributes have consecutive indices.
fn values(op: &OpSchema, first: u32, is_present: bool) -> Vec<Property<'_>> {
    let value = |(number, field): (u32, &PropertyField)| match &field.kind {
        Kind::Attribute { is_optional: true, .. } if !is_present => PropertyValue::Absent,
        Kind::Attribute { .. } => PropertyValue::Attribute(crate::format::id::AttrId::new(first + number)),
        Kind::Segments { count, .. } => PropertyValue::Segments(vec![1; *count as usize]),
        Kind::Int { .. } | Kind::Enum { .. } => PropertyValue::Int(1),
        Kind::Bool(_) => PropertyValue::Bool(true),
        Kind::String => PropertyValue::String(0),
        Kind::Array(_) => PropertyValue::Array(Vec::new()),
        Kind::Optional(_) => PropertyValue::Optional(None),
    };
    (0..).zip(op.fields()).map(|pair| Property { field: pair.1, value: value(pair) }).collect()
}

/// Detects the release of a file by a build with this producer string and one blob.
fn detected(producer: &str, name: &str, blob: &[u8]) -> DetectedRelease {
    let mut section = ByteSink::new();
    section.varint(1);
    section.varint(blob.len() as u64);
    section.bytes(blob);
    let budget = Limits::default().budget(1 << 20);
    let properties = PropertyTable::read(Bytes::from(section.into_bytes()), 0, &budget).unwrap();
    let (dialect, stem) = name.split_once('.').unwrap();
    let id = OpNameId::new(0);
    let (dialect, stem) = (dialect.as_bytes(), stem.as_bytes());
    let names = [OperationName { id, dialect, stem, is_registered: Some(true) }];
    let evidence = Evidence {
        producer: producer.as_bytes(),
        version: BytecodeVersion::MAX,
        names: &names,
        entries: &TextEntries(NoEntries::new()),
        properties: &properties,
        selected: &[],
        base: 0,
    };
    let sample = Sample { blobs: vec![(0, 0)], ..Sample::default() };
    evidence.release(&Schemas::snapshot(&[]), None, || Ok(sample)).unwrap()
}

/// Whether the blob was read with the layout of its writer; `false` if it is ambiguous.
fn check(release: &DetectedRelease, writer: &OpSchema, blob: &[u8], place: &str) -> bool {
    let name = OpNameId::new(0);
    let read_again = |op: &OpSchema| {
        let mut read = Vec::new();
        decode(op, BytecodeVersion::MAX, blob, 0, &TextEntries(NoEntries::new()), &mut read).unwrap();
        assert_eq!(op.encode(BytecodeVersion::MAX, &read).unwrap(), blob, "{place}");
    };
    match release.choice(name) {
        Choice::Row(..) => {
            let op = release.op(name).unwrap();
            assert!(op.agrees_with(writer), "{place} is read in the layout of another build");
            read_again(op);
            true
        }
        Choice::Ambiguous(_) => {
            let readings = release.readings(name);
            assert!(readings.len() > 1, "{place}");
            let of_writer =
                |reading: &&LayoutReading| release.op_of_reading(reading).unwrap().agrees_with(writer);
            read_again(release.op_of_reading(readings.iter().find(of_writer).expect(place)).unwrap());
            false
        }
        choice => panic!("{place}: {choice:?}"),
    }
}

#[test]
fn layouts_that_differ_little_are_decided_by_evidence_or_ambiguous() {
    let mut builds: Vec<&KnownRelease> = release::releases().unwrap().iter().collect();
    builds.sort_by(|a, b| a.revision().cmp(b.revision()));
    builds.retain(|build| build.signature.starts_with("MLIR"));
    let schemas: Vec<_> = builds.iter().map(|build| PropertySchema::shipped(&build.name).unwrap()).collect();
    let names: BTreeSet<String> =
        schemas.iter().flat_map(|schema| schema.ops()).map(|op| op.name().to_owned()).collect();
    let mut differences: BTreeSet<(Difference, String)> = BTreeSet::new();
    let (mut decided, mut ambiguous) = (0, 0);
    for name in &names {
        let known_layouts = builds.iter().zip(&schemas).filter_map(|(build, schema)| {
            let row = schema.row(name.as_bytes())?;
            schema.op_at(row).filter(|op| !op.is_opaque()).map(|op| (*build, schema, row, op))
        });
        let known_layouts: Vec<_> = known_layouts.collect();
        for pair in known_layouts.windows(2) {
            let [(older, schema, row, old), (newer, other_schema, other_row, new)] = pair else { continue };
            if schema.shares_row(*row, other_schema, *other_row) {
                continue;
            }
            // Development builds between two builds have the producer string of one of the two.
            let is_near = |build: &&&KnownRelease| !build.is_released() && build.llvm() == newer.llvm();
            let development = [*newer, *older].into_iter().find(|build| !build.is_released());
            let Some(build) = development.or_else(|| builds.iter().find(is_near).copied()) else { continue };
            let Some(difference) = difference(old, new) else { continue };
            differences.insert((difference, name.clone()));
            for (writer, op) in [(older, old), (newer, new)] {
                for (first, is_present) in
                    [(0, false), (0, true), (1, false), (1, true), (6, true), (63, true)]
                {
                    let blob = op.encode(BytecodeVersion::MAX, &values(op, first, is_present)).unwrap();
                    let place = format!("{name} of {} from attribute {first} on", writer.name);
                    match check(&detected(&build.signature, name, &blob), op, &blob, &place) {
                        true => decided += 1,
                        false => ambiguous += 1,
                    }
                }
            }
        }
    }
    let count = |wanted| differences.iter().filter(|(difference, _)| *difference == wanted).count();
    assert!(count(Difference::Required) >= 20 && count(Difference::Names) >= 20, "{differences:?}");
    assert!(decided > 20 && ambiguous > 100, "{decided} {ambiguous}");
}
