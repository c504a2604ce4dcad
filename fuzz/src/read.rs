//! Reading arbitrary bytes: all ways of reading agree.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | nothing panics, hangs, or takes memory out of proportion to the input | any |
//! | every error has an identifier and an offset within its section | offsets that are computed twice |
//! | a file that is read on demand gives the same error as one in memory | windows that end too early |
//! | walking lazily, decoding everything, and decoding on two threads give the same error or the same operations | laziness, caching, races |
//! | streaming fails if and only if decoding does, and gives the same operations | sinks that depend on what they skip |
//! | walks in both orders agree; every handle leads back to its origin; no use is lost | columns of different lengths |
//! | writing the streamed events gives the same events, and writing these the same bytes | a reader and a writer that differ |
//! | the fields of a dump tile the file, or the rest of it after a fault | a reader that skips bytes or reads them twice |
//! | after `verify` no other operation fails | missing checks |

use std::collections::HashMap;
use std::io;

use mlirbc::bytes::ReadAt;
use mlirbc::bytes::{Bytes, Source};
use mlirbc::cursor::ByteSink;
use mlirbc::error::ErrorClass;
use mlirbc::file::ResourceValue;
use mlirbc::format::container::MAGIC;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::format::ir::{IrWriter, OpHead, Root};
use mlirbc::ir::{BodyId, OpId, PropertyId, UseOrder, Value, ValueId};
use mlirbc::limits::Limits;
use mlirbc::section::SectionId;
use mlirbc::tool::{DumpKind, DumpOptions, dump};
use mlirbc::{Error, ErrorKind, Module, Operation, ReadOptions, Result};
use mlirbc_smith::{Event, Events};

use crate::cost;

/// The number of variations of [`run_as`].
pub const VARIATIONS: u8 = 8;

/// Runs the variation that the sum of the bytes selects.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::read(data);
    run_as(data, data.iter().fold(0, |sum: u8, &byte| sum.wrapping_add(byte)) % VARIATIONS);
}

/// Runs one variation, which sets the limits and whether threads are used.
///
/// # Panics
/// When a property does not hold.
pub fn run_as(data: &[u8], variation: u8) {
    cost::alone(|| check_as(data, variation));
}

fn check_as(data: &[u8], variation: u8) {
    let limits = match variation {
        0 => Limits::default().max_memory(Some(data.len() as u64)),
        1 => Limits::default().max_depth(3),
        2 => Limits::default().max_depth(1 << 16),
        _ => Limits::default(),
    };
    let file = File { bytes: Bytes::copy_from_slice(data), options: ReadOptions::default().limits(limits) };
    if variation > 3 {
        check_dump(&file);
    }
    match file.open() {
        Err(error) => {
            file.check_error(&error, None);
            let ranged = file.open_ranged().expect_err("a file in memory is refused");
            assert_alike("opening", &error, &ranged);
        }
        Ok(_) if variation == 0 => file.survive(),
        Ok(_) => file.check(variation == 3),
    }
}

struct File {
    bytes: Bytes,
    options: ReadOptions,
}

impl File {
    // Each operation uses its own module, so that it cannot depend on entries that another operation has
    // decoded.
    fn open(&self) -> Result<Module> {
        Module::from_source(Source::from(self.bytes.clone()), &self.options)
    }

    fn module(&self) -> Module {
        self.open().expect("opened before")
    }

    fn open_ranged(&self) -> Result<Module> {
        Module::from_source(Source::ranged(Ranged(self.bytes.clone())), &self.options)
    }

    // With very little memory, most operations fail at different places, so only the errors are checked.
    fn survive(&self) {
        let module = self.module();
        let results = [
            module.verify().map(drop),
            module.decode_all(1),
            look_at_tables(&self.module()),
            look_at_resources(&self.module()),
            walk(&self.module()).1.map_or(Ok(()), Err),
        ];
        for error in results.into_iter().filter_map(Result::err) {
            self.check_error(&error, Some(&module));
        }
    }

    fn check(&self, with_threads: bool) {
        let verified = self.result(|module| module.verify().map(drop));
        let decoded = self.result(|module| module.decode_all(1));
        let tables = self.result(look_at_tables);
        let resources = self.result(look_at_resources);
        if verified.is_ok() {
            for result in [&decoded, &tables, &resources] {
                assert!(result.is_ok(), "verified, but {result:?}");
            }
        }
        if decoded.is_ok() {
            // Refuses files with no operation, or several operations, at the top level.
            let _ = self.result(|module| module.operation().map(drop));
        }
        let ranged = self.open_ranged().and_then(|module| module.verify().map(drop));
        assert_results_alike("verifying on demand", &verified, &ranged);

        let module = self.module();
        let (rows, stop) = walk(&module);
        assert_results_alike("walking", &decoded, &stop.map_or(Ok(()), Err));
        if with_threads {
            let module = self.module();
            assert_results_alike("decoding on two threads", &decoded, &module.decode_all(2));
            assert_eq!(rows, walk(&module).0, "decoding on two threads gives other ops");
        }

        let mut events = Events::default();
        let streamed = self.result(|module| module.stream(&mut events));
        assert_eq!(streamed.is_ok(), decoded.is_ok(), "streamed: {streamed:?}, decoded: {decoded:?}");
        if decoded.is_ok() {
            let heads = events.list.iter().filter_map(|event| match event {
                Event::Op(head) => Some(*head),
                _ => None,
            });
            assert!(
                heads.eq(rows.iter().map(|row| row.head)),
                "streaming and walking give different operations"
            );
            self.check_counts(&rows);
            self.check_structure(&module, verified.is_ok());
            self.check_writing(&events);
        }
    }

    // Returns the result of `work` on a new module, and checks its error.
    fn result(&self, work: impl FnOnce(&Module) -> Result<()>) -> Result<()> {
        let module = self.module();
        let result = work(&module);
        if let Err(error) = &result {
            self.check_error(error, Some(&module));
            assert!(error.kind() != ErrorKind::MemoryLimit, "a small file takes a lot of memory");
        }
        result
    }

    fn check_error(&self, error: &Error, module: Option<&Module>) {
        assert!(!error.to_string().is_empty(), "{error:?}");
        assert!(error.identifier().starts_with("mlirbc."), "{error:?}");
        let is_of_the_file = matches!(error.class(), ErrorClass::Read | ErrorClass::Unsupported);
        assert!(is_of_the_file || error.class() == ErrorClass::Limit, "not an error of a file: {error:?}");
        let Some(offset) = error.offset() else {
            // A limit error need not have a place.
            return assert!(error.class() == ErrorClass::Limit, "an error without an offset: {error:?}");
        };
        assert!(offset <= self.bytes.len() as u64, "after the end of the file: {error:?}");
        let section = error.section().and_then(|id| module?.tables().bytecode().section(id));
        if let Some(section) = section {
            let place = section.header_offset..=section.offset + section.size;
            assert!(place.contains(&offset), "outside of its section: {error:?}");
        }
    }

    fn check_counts(&self, rows: &[OperationParts]) {
        let module = self.module();
        let mut walked = vec![0; module.ir_bounds().expect("streamed before").op_names as usize];
        for row in rows {
            walked[row.head.name as usize] += 1;
        }
        assert_eq!(module.op_counts().expect("streamed before"), walked);
    }

    fn check_structure(&self, module: &Module, is_verified: bool) {
        let ops = collect(module);
        let place: HashMap<Key, usize> = ops.iter().enumerate().map(|(at, op)| (key(*op), at)).collect();
        assert_eq!(place.len(), ops.len(), "an op was visited twice");
        let mut values = Vec::new();
        let mut operands = 0;
        for (at, &op) in ops.iter().enumerate() {
            if let Some(parent) = op.parent() {
                assert!(place[&key(parent)] < at, "{op:?} comes before {parent:?}");
            }
            check_op(op, &mut values);
            operands += op.operands().len();
        }
        self.check_uses(&values, operands, is_verified);
        check_post_order(module, &place);
        if let Some(op) = ops.last() {
            assert!(!op.path().is_empty());
        }
    }

    fn check_uses(&self, values: &[Value<'_>], operands: usize, is_verified: bool) {
        let mut use_count = 0;
        let mut is_complete = true;
        for value in values {
            let upstream = value.uses(UseOrder::Upstream);
            let stored = value.uses(UseOrder::Stored);
            assert_eq!(stored.is_ok(), upstream.is_ok(), "one order is wrong and the other is not");
            match stored {
                Ok(uses) => {
                    assert_eq!(value.has_uses().ok(), Some(uses.len() > 0));
                    use_count += uses.len();
                    uses.for_each(|used| assert_eq!(used.value(), *value));
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::UseList);
                    self.check_error(&error, None);
                    assert!(!is_verified, "verified, but {error}");
                    is_complete = false;
                }
            }
        }
        assert!(!is_complete || use_count == operands, "{use_count} uses of {operands} operands");
    }

    fn check_writing(&self, events: &Events) {
        let Some((written, file)) = self.rewritten() else {
            return;
        };
        let mut again = Events::default();
        file.module().stream(&mut again).expect("written by us");
        assert!(*events == again, "writing changed the events");
        let section = file.module().tables().bytecode().section(SectionId::Ir).expect("written by us");
        let data = &file.bytes[section.offset as usize..];
        assert_eq!(written, data);
        let mut writer = IrWriter::new(file.module().tables().bytecode().version(), Root::TopLevel);
        file.module().stream(&mut writer).expect("written by us");
        assert_eq!(writer.finish().as_bytes(), data, "writing twice gives other bytes");
    }

    // Returns the file with its IR written again, as a new section at the end, so that nothing else moves.
    // The old section gets an id that readers ignore; there may be only one such section.
    fn rewritten(&self) -> Option<(Vec<u8>, Self)> {
        let module = self.module();
        let bytecode = module.tables().bytecode();
        if bytecode.section(SectionId::DialectVersions).is_some() {
            return None;
        }
        let old = bytecode.section(SectionId::Ir)?.header_offset as usize;
        let mut writer = IrWriter::new(bytecode.version(), Root::TopLevel);
        module.stream(&mut writer).expect("streamed before");
        let ir = writer.finish();
        let mut file = ByteSink::new();
        file.bytes(&self.bytes[..old]);
        file.byte(self.bytes[old] & 0x80 | SectionId::DialectVersions.byte());
        file.bytes(&self.bytes[old + 1..]);
        file.section(SectionId::Ir, &ir);
        let bytes = file.into_bytes().into();
        Some((ir.into_bytes(), Self { bytes, options: self.options.clone() }))
    }
}

fn assert_results_alike(what: &str, one: &Result<()>, other: &Result<()>) {
    match (one, other) {
        (Ok(()), Ok(())) => {}
        (Err(one), Err(other)) => assert_alike(what, one, other),
        _ => panic!("{what} differs: {one:?}, {other:?}"),
    }
}

fn assert_alike(what: &str, one: &Error, other: &Error) {
    let place = |error: &Error| (error.identifier(), error.offset(), error.section());
    assert_eq!(place(one), place(other), "{what} differs: {one}; {other}");
}

// ---- tables and resources ----

fn check_dump(file: &File) {
    let (mut end, mut start) = (0, None);
    let source = Source::from(file.bytes.clone());
    let dumped = dump(&source, &file.options, DumpOptions::default(), &mut |row| {
        if row.kind == DumpKind::Field {
            assert_eq!(*start.get_or_insert(row.offset), 0, "the first field");
            assert_eq!(row.offset, end, "a gap or an overlap before {row:?}");
            end += row.size;
        }
        true
    });
    // The dump of a container is the dump of its module.
    let is_bytecode = file.bytes.starts_with(&MAGIC);
    match dumped {
        Ok(faults) if is_bytecode => {
            assert_eq!(end, source.len(), "the fields of the dump end early");
            assert!(faults > 0 || file.open().is_ok(), "a file that is refused has a fault");
        }
        Ok(_) => {}
        Err(error) => {
            let is_limit = matches!(error.class(), ErrorClass::Limit);
            assert!(!is_bytecode || is_limit, "a dump of bytecode fails: {error}");
        }
    }
}

fn look_at_tables(module: &Module) -> Result<()> {
    let strings = module.tables().strings()?;
    assert_eq!(strings.iter().count(), strings.len());
    for dialect in module.dialects()? {
        assert!(dialect.version.is_none() || module.tables().bytecode().version().has_dialect_versions());
    }
    for name in module.tables().op_names()? {
        assert!(name.full_bytes().starts_with(name.dialect));
    }
    let counts = module.tables().entry_counts()?;
    for id in 0..counts.attributes {
        let entry = module.tables().attribute(AttrId::new(id))?.expect("an attribute below the count");
        assert!(entry.assembly().is_none_or(|text| text.len() <= entry.data.len()));
    }
    for id in 0..counts.types {
        let entry = module.tables().r#type(TypeId::new(id))?.expect("a type below the count");
        assert!(entry.assembly().is_none_or(|text| text.len() <= entry.data.len()));
    }
    assert_eq!(module.tables().attribute(AttrId::new(counts.attributes))?, None);
    assert_eq!(module.tables().r#type(TypeId::new(counts.types))?, None);
    let properties = module.tables().properties()?;
    assert!((0..properties.len() as u32).all(|id| properties.get(id).is_some()));
    Ok(())
}

fn look_at_resources(module: &Module) -> Result<()> {
    for (index, resource) in module.resources()?.enumerate() {
        assert_eq!(resource.index(), index);
        let value = resource.value()?;
        assert_eq!(value.is_some(), resource.has_data());
        let Some(ResourceValue::Blob { bytes, .. }) = value else {
            assert!(resource.read_range(0..0).is_err());
            continue;
        };
        let (size, half) = (bytes.len() as u64, bytes.len() / 2);
        assert_eq!(resource.read_range(half as u64..size)?, bytes[half..]);
        assert!(resource.read_range(half as u64..size + 1).is_err());
        let mut buffer = [0; 16];
        let read = resource.read_into(half as u64, &mut buffer)?;
        assert_eq!(buffer[..read], bytes[half..half + read]);
        assert_eq!(read, buffer.len().min(bytes.len() - half));
    }
    Ok(())
}

// ---- ops ----

// The parts of an operation, without body ids, which depend on the order of decoding.
#[derive(Debug, PartialEq)]
struct OperationParts {
    head: OpHead,
    results: Vec<TypeId>,
    operands: Vec<ValueId>,
    successors: Vec<u32>,
    regions: u32,
    is_isolated: bool,
    block: u32,
    region: u32,
}

// Returns the operations up to the first error.
fn walk(module: &Module) -> (Vec<OperationParts>, Option<Error>) {
    let mut rows = Vec::new();
    let top_level = match module.top_level_block() {
        Ok(block) => block,
        Err(error) => return (rows, Some(error)),
    };
    for op in top_level.operations().flat_map(|op| op.pre_order()) {
        match op {
            Ok(op) => rows.push(row(op)),
            Err(error) => return (rows, Some(error)),
        }
    }
    (rows, None)
}

fn row(op: Operation<'_>) -> OperationParts {
    OperationParts {
        head: OpHead {
            name: op.name_id().number(),
            location: op.location().number(),
            attributes: op.attribute_dictionary().map(AttrId::number),
            properties: op.properties().map(PropertyId::number),
        },
        results: op.results().map(|value| value.r#type()).collect(),
        operands: op.operands().map(|value| value.id()).collect(),
        successors: op.successors().map(|block| block.number()).collect(),
        regions: op.region_count(),
        is_isolated: op.is_isolated_from_above(),
        block: op.block().number(),
        region: op.block().region().number(),
    }
}

// Returns all operations of a module that was walked before.
fn collect(module: &Module) -> Vec<Operation<'_>> {
    let top_level = module.top_level_block().expect("walked before");
    top_level.operations().flat_map(|op| op.pre_order()).collect::<Result<_>>().expect("walked before")
}

// Identifies an operation within its module.
type Key = (BodyId, OpId);

fn key(op: Operation<'_>) -> Key {
    (op.body_id(), op.id())
}

fn check_post_order(module: &Module, place: &HashMap<Key, usize>) {
    let top_level = module.top_level_block().expect("walked before");
    let mut is_done = vec![false; place.len()];
    for op in top_level.operations().flat_map(|op| op.post_order()) {
        let op = op.expect("walked before");
        assert!(!std::mem::replace(&mut is_done[place[&key(op)]], true), "an op was visited twice");
        if let Some(parent) = op.parent() {
            assert!(!is_done[place[&key(parent)]], "{parent:?} comes before {op:?}");
        }
    }
    assert!(is_done.into_iter().all(|done| done), "an op was not visited");
}

// Checks that every object to which an operation refers also refers back; collects the values that the
// operation defines.
fn check_op<'m>(op: Operation<'m>, values: &mut Vec<Value<'m>>) {
    let module = op.module();
    assert_eq!(Operation::from_ids(module, op.body_id(), op.id()), Some(op));
    for (number, value) in op.results().enumerate() {
        assert_eq!((value.owner_op(), value.number()), (Some(op), number as u32));
        values.push(value);
    }
    for (number, (operand, value)) in op.op_operands().zip(op.operands()).enumerate() {
        assert_eq!((operand.owner(), operand.operand_number()), (op, number as u32));
        assert_eq!(operand.value(), value);
        assert_eq!(Value::from_ids(module, value.body_id(), value.id()), Some(value));
    }
    for block in op.successors() {
        assert_eq!(block.region(), op.block().region());
    }
    let regions = op.regions().expect("walked before");
    assert_eq!(regions.len(), op.region_count() as usize);
    for (number, region) in regions.enumerate() {
        assert_eq!((region.owner(), region.number()), (Some(op), number as u32));
        assert_eq!(op.region(number as u32).ok(), Some(Some(region)));
        for (number, block) in region.blocks().enumerate() {
            assert_eq!((block.region(), block.number()), (region, number as u32));
            assert_eq!(region.block(number), Some(block));
            let mut last = None;
            for (number, inner) in block.operations().enumerate() {
                assert_eq!((inner.block(), inner.parent()), (block, Some(op)));
                if number < 8 {
                    assert_eq!(block.operation(number), Some(inner));
                }
                last = Some(inner);
            }
            assert_eq!(block.last_operation(), last);
            for (number, value) in block.arguments().enumerate() {
                assert_eq!((value.owner_block(), value.number()), (Some(block), number as u32));
                values.push(value);
            }
        }
    }
    assert_eq!(op.region(op.region_count()).ok(), Some(None));
}

// ---- bytes on demand ----

struct Ranged(Bytes);

impl ReadAt for Ranged {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let range = offset as usize..offset as usize + buffer.len();
        let bytes = self.0.get(range).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}
