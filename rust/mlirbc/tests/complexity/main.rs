//! The allocations for a file of twice the size are about twice as many; they are counted, not timed.
//!
//! This is the small part of the complexity suite that runs with every change; docs/explanation/performance.md describes the rest.

// `counting.rs` is an allocator.
#![allow(unsafe_code, missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod counting;
mod families;
mod file;
mod shared_types;
mod texts;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};

use counting::{Allocated, allocated};
use families::FAMILIES;
use mlirbc::convert::Receiver;
use mlirbc::edit::Editor;
use mlirbc::error::ErrorClass;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::layout::{DataLayout, Options};
use mlirbc::print::PrintOptions;
use mlirbc::tool::{ColumnValues, LONGEST_TEXT, Table, TableKind};
use mlirbc::write::Numbering;
use mlirbc::{Attribute, Error, ErrorKind, Module, Result, Type, WriteOptions};

type Work = fn(&Module, &mut Counter) -> Result<()>;

const WORKS: &[(&str, Work)] = &[
    ("verify", |module, _| module.verify().map(drop)),
    ("print", |module, out| module.print(out, &PrintOptions::default()).map(drop)),
    ("print generic", |module, out| module.print(out, &PrintOptions::generic()).map(drop)),
    ("write canonical", |module, out| module.write(out, &canonical()).map(drop)),
    ("write for llvm-19", |module, out| module.write(out, &target("llvm-19")).map(drop)),
    ("write for any", |module, out| module.write(out, &target("any")).map(drop)),
    ("check for llvm-19", |module, out| {
        let report = module.compatibility(&Receiver::Release(mlirbc::Release::named("llvm-19")))?;
        // Full names are what a report is made of.
        out.0 += report
            .findings
            .iter()
            .map(|finding| (finding.name.len() + finding.reason.len()) as u64)
            .sum::<u64>();
        Ok(())
    }),
    ("layout of all types", |module, _| {
        let layout = DataLayout::of(module.operation()?)?;
        for index in 0..module.tables().entry_counts()?.types {
            if let Some(ty) = Type::of_file(module.tables(), TypeId::new(index))? {
                // Most types have no size, and types that are too large are not the concern of this test.
                let _ = layout.type_size(&ty);
                layout.text_of(&ty, Some(200))?;
            }
        }
        Ok(())
    }),
    ("verify layouts", |module, _| mlirbc::layout::verify(module, &Options::default())),
    ("hash and compare", |module, _| {
        let counts = module.tables().entry_counts()?;
        let (attributes, types) =
            ((0..counts.attributes).map(AttrId::new), (0..counts.types).map(TypeId::new));
        for id in attributes {
            let attribute = |id| Attribute::of_file(module.tables(), id);
            let _ = (hash(&attribute(id)?), attribute(id)? == attribute(AttrId::new(id.number() / 2))?);
        }
        for id in types {
            let r_type = |id| Type::of_file(module.tables(), id);
            let _ = (hash(&r_type(id)?), r_type(id)? == r_type(TypeId::new(id.number() / 2))?);
        }
        Ok(())
    }),
    ("segment sizes", |module, _| {
        for op in module.operation()?.pre_order() {
            let op = op?;
            assert!(op.operand_segment_sizes()?.is_none() && op.result_segment_sizes()?.is_none());
        }
        Ok(())
    }),
    ("inherent attributes", |module, _| {
        for op in module.operation()?.pre_order() {
            op?.inherent_attributes()?;
        }
        Ok(())
    }),
    ("tables", |module, out| {
        use TableKind::{Attributes, Operations, Resources, Symbols, Types, Values};
        for kind in [Operations, Values, Attributes, Types, Symbols, Resources] {
            for column in Table::new(module, kind)?.columns {
                let (texts, cut) = match &column.values {
                    ColumnValues::Words { words, .. } => (words, 0),
                    // The beginning of a long text is made as well.
                    ColumnValues::Texts { texts, validity } => (texts, validity.null_count),
                    _ => continue,
                };
                // The longest text has the same length for all sizes of the file.
                out.0 += (cut.saturating_sub(1) * LONGEST_TEXT) as u64;
                out.0 += (0..texts.len() as u32).map(|number| texts.get(number).len() as u64).sum::<u64>();
            }
        }
        Ok(())
    }),
    ("set an attribute of each operation", |module, out| {
        let value = Attribute::parse("unit")?;
        let mut editor = Editor::new(module.clone())?;
        for op in module.operation()?.pre_order() {
            let op = op?;
            let op = editor.op(op.body_id(), op.id())?;
            assert_eq!(editor.attribute(op, "new")?, None);
            editor.set_attribute(op, "new", &value)?;
        }
        editor.write(out, &WriteOptions::default()).map(drop)
    }),
    ("set many attributes of one operation", |module, out| {
        let value = Attribute::parse("unit")?;
        let mut editor = Editor::new(module.clone())?;
        let op = module.operation()?.pre_order().nth(1).ok_or_else(no_operation)??;
        let op = editor.op(op.body_id(), op.id())?;
        for number in 0..module.tables().bytecode().size() / 100 {
            editor.set_attribute(op, format!("k{number}"), &value)?;
            assert!(editor.remove_attribute(op, format!("k{}", number / 2))?);
            editor.set_attribute(op, format!("k{}", number / 2), &value)?;
        }
        editor.write(out, &WriteOptions::default()).map(drop)
    }),
];

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn no_operation() -> Error {
    Module::from_bytes(Vec::new()).expect_err("a file of no bytes")
}

fn canonical() -> WriteOptions {
    WriteOptions::default().numbering(Numbering::Canonical)
}

fn target(name: &str) -> WriteOptions {
    canonical().target(mlirbc::Release::named(name.to_owned())).drop_unsupported(true)
}

/// Counts bytes and keeps none.
#[derive(Default)]
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Run {
    size: u64,
    written: u64,
    allocated: Allocated,
    /// The identifier of the error, if it ended in one.
    error: Option<&'static str>,
}

fn run(file: &[u8], work: Work) -> Run {
    let mut out = Counter::default();
    let (allocated, done) = allocated(|| {
        let module = Module::from_bytes(file.to_vec())?;
        work(&module, &mut out)
    });
    let error = done.err();
    // A limit is a fine answer, and so is that an encoding has no table or contains itself. Anything else means that
    // the family does not test what it is meant to.
    let is_fine = |error: &Error| {
        error.class() == ErrorClass::Limit
            || matches!(error.kind(), ErrorKind::EntryNoTable | ErrorKind::EntryCycle)
    };
    assert!(error.as_ref().is_none_or(is_fine), "{error:?}");
    Run { size: file.len() as u64, written: out.0, allocated, error: error.map(|error| error.identifier()) }
}

/// By how much the bytes and the calls may grow while the work doubles: twice, and a bit for logarithms and for
/// vectors, which grow in powers of two.
const MOST_GROWTH: f64 = 2.6;
/// The allocations that do not depend on the file: tables of dialects and releases, buffers.
const BYTES_AT_LEAST: u64 = 256 << 10;
const CALLS_AT_LEAST: u64 = 512;
/// Allocated bytes for each byte that is read or written, in all and not at once. A type of three bytes whose layout
/// overflows needs an error with an excerpt of its text.
const BYTES_PER_BYTE: u64 = 4096;
/// A file for any release is converted for each of its readers, too.
const CONVERSIONS_FOR_ANY: u64 = 6;

#[test]
fn allocations_grow_no_faster_than_the_work() {
    let mut problems = Vec::new();
    for (family, build) in FAMILIES {
        let (small, large) = (build(200), build(400));
        for (name, work) in WORKS {
            // A first run creates the tables that exist once for the whole process.
            run(&build(10), *work);
            let (small_run, large_run) = (run(&small, *work), run(&large, *work));
            let passes = if *name == "write for any" { CONVERSIONS_FOR_ANY } else { 1 };
            problems.extend(
                problem(&small_run, &large_run, passes).map(|problem| format!("{family}, {name}: {problem}")),
            );
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn problem(one: &Run, two: &Run, passes: u64) -> Option<String> {
    let work = |run: &Run| run.size + run.written;
    let allowed = MOST_GROWTH * work(two) as f64 / work(one) as f64 / 2.0;
    let grew =
        |one: u64, two: u64, least: u64| two > least && two as f64 > allowed * (one + least / 4) as f64;
    let (a, b) = (one.allocated, two.allocated);
    let at_most = passes * (BYTES_PER_BYTE * work(two) + BYTES_AT_LEAST);
    // Where a limit ends the work, the limit is what it may take.
    let is_limited = one.error.is_some() || two.error.is_some();
    if is_limited && two.error.is_some() && b.bytes <= 4 * (64 * two.size + (16 << 20)) {
        return None;
    }
    (grew(a.bytes, b.bytes, BYTES_AT_LEAST) || grew(a.calls, b.calls, CALLS_AT_LEAST) || b.bytes > at_most)
        .then(|| {
            format!(
                "{} and {} bytes, which became {} and {}, allocate {} and {} bytes in {} and {} calls{}",
                one.size,
                two.size,
                one.written,
                two.written,
                a.bytes,
                b.bytes,
                a.calls,
                b.calls,
                two.error.map(|error| format!(" ({error})")).unwrap_or_default(),
            )
        })
}

/// The test above can fail.
#[test]
fn quadratic_allocations_are_seen() {
    let quadratic: Work = |module, _| {
        let size = module.tables().bytecode().size() as usize;
        (0..size / 64).for_each(|_| drop(std::hint::black_box(Vec::<u8>::with_capacity(size))));
        Ok(())
    };
    let build = FAMILIES[0].1;
    let (small_run, large_run) = (run(&build(8000), quadratic), run(&build(16_000), quadratic));
    assert!(problem(&small_run, &large_run, 1).is_some());
}
