//! The cost of operations: the oracle for memory and steps.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | an operation under a limit on memory stays below it | memory that is not charged, or charged afterwards |
//! | an operation takes steps in proportion to the bytes that it reads and writes | a list that is searched or copied for each of its items |
//!
//! Every target measures its main operations on each input under limits far below the defaults, so that a violation
//! shows with a file of a few kilobytes. A step is defined in the core's module `steps`; the bytes of memory are those
//! of the whole process, so one measurement runs at a time.

use std::cell::Cell;
use std::io::{self, Write};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use mlirbc::bytes::{Bytes, Source};
use mlirbc::edit::Editor;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::layout::{self, DataLayout, Options};
use mlirbc::limits::Limits;
use mlirbc::parse::ParseOptions;
use mlirbc::print::PrintOptions;
use mlirbc::props::{PropertySchema, known_releases};
use mlirbc::tool::{ExploreOptions, Table, explore};
use mlirbc::write::Numbering;
use mlirbc::{Attribute, Module, ReadOptions, Result, Type, WriteOptions, smith};

use crate::allocator;

/// A bound that grows linearly with the bytes that were read and written.
#[derive(Debug, Clone, Copy)]
pub struct Linear {
    /// The part for each byte.
    pub per_byte: u64,
    /// The part for every input.
    pub at_least: u64,
}

impl Linear {
    /// Returns the bound for a number of bytes.
    pub fn of(self, bytes: u64) -> u64 {
        self.per_byte * bytes + self.at_least
    }
}

/// The cost that operations of one target are allowed.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    /// The target.
    pub target: &'static str,
    /// How many times the memory limit may be in use at the same time: a module, a piece of work on a module,
    /// and an editor have an account each, and the capacity of a growing list may be twice the charged size.
    pub accounts: u64,
    /// The steps that one operation may take, by the bytes of its input and output.
    pub steps: Linear,
}

/// The memory limit for measured operations, by the bytes of the input.
pub const LIMIT: Linear = Linear { per_byte: 64, at_least: 64 << 10 };

/// The text limit for measured operations, by the bytes of the input.
pub const TEXT: Linear = Linear { per_byte: 16, at_least: 64 << 10 };

/// Memory that no account is charged for, by the bytes of the input and the output: the input and the output
/// themselves, buffers of the printer, and data that is kept for the whole process.
pub const UNCHARGED: Linear = Linear { per_byte: 8, at_least: 256 << 10 };

/// Memory of the zstd decoder for one block, independent of the input: at most 98,047 sequences of 12 bytes,
/// 1 MiB of literals, and tables (RFC 8878, 3.1.1.3). `ruzstd` reserves the sizes in the headers of the
/// block.
const ZSTD_BLOCK: u64 = 3 << 20;

/// The allowance of each target. The steps for each byte are twice what the files of `tests/data/bytecode`,
/// `tests/data/hostile` and `regressions` need at most: reading 1.9, comparing 19, printing 3.4, writing 2.9,
/// converting 166, editing 5.9, opaque entries 1.9, layouts 2.4. These numbers are the largest quotient of
/// steps and bytes read and written by one operation, over all operations of a target that [`Trial::judge`]
/// sees; for `convert` over llvm-16, llvm-19, llvm-22 and any. `at_least` is what files of a few bytes need
/// besides.
pub const ALLOWANCES: [Allowance; 12] =
    [READ, CONTAINER, DECODE, PRINT, EXPLORE, PARSE, TABLES, ROUNDTRIP, CONVERT, EDIT, FALLBACK, LAYOUT];

/// Opening, verifying and decoding: each byte is read a few times. Columns of bodies are allocated in blocks,
/// the last of which is partly empty.
pub const READ: Allowance =
    Allowance { target: "read", accounts: 3, steps: Linear { per_byte: 4, at_least: 2_000 } };
/// Finding modules in a container, and reading its fields: tables can be shared, so the memory limit bounds
/// how often a table is read. Decompression uses the limit, too, once for the result and once in the decoder;
/// the other costs are those of reading.
pub const CONTAINER: Allowance =
    Allowance { target: "container", accounts: 5, steps: Linear { per_byte: 40, at_least: 20_000 } };
/// Hashing or comparing an attribute or a type reads each nested entry once.
pub const DECODE: Allowance =
    Allowance { target: "decode", accounts: 3, steps: Linear { per_byte: 40, at_least: 5_000 } };
/// Printing looks at each operation and entry a few times, and writes the text.
pub const PRINT: Allowance =
    Allowance { target: "print", accounts: 3, steps: Linear { per_byte: 8, at_least: 5_000 } };
/// A page has the text of the module, sizes and weights. Its text is not written before it is complete, so
/// the text limit counts by the bytes of the input. A portable artifact is converted to StableHLO first.
pub const EXPLORE: Allowance =
    Allowance { target: "explore", accounts: 7, steps: Linear { per_byte: 230, at_least: 300_000 } };
/// Parsing has one account for the text, the entries and the bodies, which the module keeps, and lists that grow. Nested
/// isolated regions take 180 to 200 steps for each byte of `module {`, at 800 to 3,200 levels.
pub const PARSE: Allowance =
    Allowance { target: "parse", accounts: 3, steps: Linear { per_byte: 256, at_least: 20_000 } };
/// A table has a row for each operation, value, attribute, type, symbol or resource, and the text of these.
/// The table is not written, so the text limit counts by the bytes of the input.
pub const TABLES: Allowance =
    Allowance { target: "tables", accounts: 4, steps: Linear { per_byte: 80, at_least: 600_000 } };
/// Canonical writing decodes, orders and encodes each entry.
pub const ROUNDTRIP: Allowance =
    Allowance { target: "roundtrip", accounts: 3, steps: Linear { per_byte: 6, at_least: 5_000 } };
/// Converting respells entries that the target spells differently, and writes canonically; for `any`, text is
/// compared with the rules of every release, and the module is converted for each release that reads the
/// file. For a release, the result is read as a file of the target and verified, which takes accounts of its
/// own.
pub const CONVERT: Allowance =
    Allowance { target: "convert", accounts: 6, steps: Linear { per_byte: 400, at_least: 30_000 } };
/// An edit loads the body around it; writing splices the changed bodies.
pub const EDIT: Allowance =
    Allowance { target: "edit", accounts: 4, steps: Linear { per_byte: 12, at_least: 5_000 } };
/// Opaque entries are read once more than entries of known dialects.
pub const FALLBACK: Allowance =
    Allowance { target: "fallback", accounts: 4, steps: Linear { per_byte: 6, at_least: 5_000 } };
/// A query visits each part of a type once; verifying a specification visits each entry.
pub const LAYOUT: Allowance =
    Allowance { target: "layout", accounts: 3, steps: Linear { per_byte: 6, at_least: 5_000 } };

/// The measured cost of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// The peak of allocated bytes, without bytes that were allocated before.
    pub memory: u64,
    /// Calls of the allocator.
    pub calls: u64,
    /// Steps of this thread.
    pub steps: u64,
}

/// Measures an operation. Measurements may nest, and wait for measurements in other threads.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let _alone = Alone::new();
    let (outer, live) = (allocator::begin_peak(), allocator::live());
    let (calls, steps) = (allocator::calls(), smith::steps_taken());
    let result = work();
    let cost = Cost {
        memory: allocator::peak().saturating_sub(live) as u64,
        calls: (allocator::calls() - calls) as u64,
        steps: smith::steps_taken() - steps,
    };
    allocator::end_peak(outer);
    (result, cost)
}

/// Holds off measurements in other threads, but not measurements within this one.
struct Alone(Option<MutexGuard<'static, ()>>);

thread_local! {
    static NESTING: Cell<u32> = const { Cell::new(0) };
}

impl Alone {
    fn new() -> Self {
        static MEASURING: Mutex<()> = Mutex::new(());
        let is_outermost = NESTING.replace(NESTING.get() + 1) == 0;
        // A failed test does not affect the others.
        Self(is_outermost.then(|| MEASURING.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        NESTING.set(NESTING.get() - 1);
        self.0 = None;
    }
}

/// Prevents measurements in other threads while an oracle runs, because its memory would be counted there.
pub fn alone<T>(work: impl FnOnce() -> T) -> T {
    let _alone = Alone::new();
    work()
}

/// An input with the limits for its measured operations.
struct Trial<'d> {
    allowance: Allowance,
    data: &'d [u8],
    /// Allocations between the operations must not be counted by other threads.
    _alone: Alone,
}

impl Trial<'_> {
    /// Measures an operation that writes to the sink it is given.
    ///
    /// # Panics
    /// When it costs more than the allowance.
    fn operation<T>(&self, name: &str, work: impl FnOnce(&mut Counted) -> T) -> T {
        let mut sink = Counted::default();
        let (result, cost) = measure(|| work(&mut sink));
        self.judge(name, cost, sink.bytes);
        result
    }

    fn judge(&self, name: &str, cost: Cost, written: u64) {
        let Allowance { target, accounts, steps } = self.allowance;
        let len = self.data.len() as u64;
        let decoder = if is_zstd(self.data) { ZSTD_BLOCK } else { 0 };
        let memory = accounts * LIMIT.of(len) + UNCHARGED.of(len + written) + decoder;
        assert!(
            cost.memory <= memory,
            "{target}: {name} took {} bytes of memory where {memory} are allowed; input {len} bytes, output {written}",
            cost.memory
        );
        let steps = steps.of(len + written);
        assert!(
            cost.steps <= steps,
            "{target}: {name} took {} steps where {steps} are allowed; input {len} bytes, output {written}",
            cost.steps
        );
    }

    fn options(&self) -> ReadOptions {
        let len = self.data.len() as u64;
        let limits = Limits::default().max_memory(Some(LIMIT.of(len))).max_text(Some(TEXT.of(len)));
        ReadOptions::default().limits(limits)
    }

    fn open(&self, options: &ReadOptions) -> Result<Module> {
        Module::from_source(Source::from(Bytes::copy_from_slice(self.data)), options)
    }

    /// Opens a module for one operation: otherwise its decoded parts would cost the next operation nothing.
    fn module(&self) -> Option<Module> {
        self.operation("opening", |_| self.open(&self.options()).ok())
    }
}

// Whether the input is a frame, or a frame that decoders skip.
fn is_zstd(data: &[u8]) -> bool {
    matches!(data, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Discards everything and counts the bytes.
#[derive(Default)]
struct Counted {
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Builds the tables that exist once for each process before anything is measured.
static WARM: LazyLock<()> = LazyLock::new(|| {
    let noise = [7; 64];
    for row in smith::rows() {
        let Ok(module) = Module::from_bytes(smith::generate_module(&row, &noise)) else { continue };
        let _ = module.print(&mut io::sink(), &PrintOptions::generic());
    }
    for target in crate::convert::TARGETS {
        let Ok(module) = Module::from_bytes(mlirbc::doc_example()) else { continue };
        let options = canonical(Some(target));
        let _ = module.write(&mut io::sink(), &options);
    }
    // The operations of a release are loaded one by one, and its attribute classes when an operation first
    // needs a class.
    for release in known_releases() {
        let _ = PropertySchema::shipped(&release).map(|schema| schema.ops().len());
    }
});

fn trial(mut allowance: Allowance, data: &[u8]) -> Trial<'_> {
    LazyLock::force(&WARM);
    // Any target may get a compressed file, whose opening costs the decompression.
    if !data.starts_with(b"ML\xefR") {
        allowance.accounts = allowance.accounts.max(CONTAINER.accounts);
    }
    Trial { allowance, data, _alone: Alone::new() }
}

fn canonical(target: Option<&str>) -> WriteOptions {
    WriteOptions::default()
        .numbering(Numbering::Canonical)
        .target(target.map(str::to_owned).map(mlirbc::Release::named))
        .drop_unsupported(true)
}

/// Measures opening, verifying, and decoding.
pub fn read(data: &[u8]) {
    let trial = trial(READ, data);
    let Some(module) = trial.module() else { return };
    let _ = trial.operation("verifying", |_| module.verify());
    let Some(module) = trial.module() else { return };
    let _ = trial.operation("decoding", |_| module.decode_all(1));
    let _ = trial.operation("detecting the release", |_| module.release().map(drop));
}

/// The number of attributes and types that are hashed and compared at each end of their tables.
const ENTRIES: u32 = 4;

/// Measures hashing attributes and types, and comparing them with the entries of another copy of the file.
pub fn decode(data: &[u8]) {
    let trial = trial(DECODE, data);
    let (Some(one), Some(two)) = (trial.module(), trial.module()) else { return };
    let Ok(counts) = one.ir_bounds() else { return };
    let ends = |count: u32| (0..count).filter(move |at| *at < ENTRIES || at + ENTRIES >= count);
    for id in ends(counts.attributes).map(AttrId::new) {
        let entries = (Attribute::of_file(one.tables(), id), Attribute::of_file(two.tables(), id));
        let (Ok(Some(left)), Ok(Some(right))) = entries else { continue };
        trial.operation("hashing an attribute", |_| hash(&left));
        trial.operation("comparing attributes", |_| left == right);
    }
    for id in ends(counts.types).map(TypeId::new) {
        let entries = (Type::of_file(one.tables(), id), Type::of_file(two.tables(), id));
        let (Ok(Some(left)), Ok(Some(right))) = entries else { continue };
        trial.operation("hashing a type", |_| hash(&left));
        trial.operation("comparing types", |_| left == right);
    }
}

fn hash(value: &impl std::hash::Hash) -> u64 {
    use std::hash::Hasher;
    let mut hasher = std::hash::DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Measures printing with and without aliases.
pub fn print(data: &[u8]) {
    let trial = trial(PRINT, data);
    for local_scope in [false, true] {
        let options = PrintOptions::generic().locations(true).local_scope(local_scope);
        let Some(module) = trial.module() else { return };
        let _ = trial.operation("printing", |sink| module.print(sink, &options));
    }
}

/// Measures parsing text, valid or not.
pub fn parse(text: &[u8], target: &str) {
    let trial = trial(PARSE, text);
    let options = ParseOptions::default()
        .target(mlirbc::Release::named(target.to_owned()))
        .limits(trial.options().limits);
    let _ = trial.operation("parsing", |_| mlirbc::parse::parse(text, &options));
}

/// Measures each table of a module.
pub fn tables(data: &[u8]) {
    let trial = trial(TABLES, data);
    for kind in crate::tables::KINDS {
        let Some(module) = trial.module() else { return };
        let _ = trial.operation("making a table", |_| Table::new(&module, kind).map(drop));
    }
}

/// Measures the page of a module.
pub fn explored(data: &[u8]) {
    let trial = trial(EXPLORE, data);
    let Some(module) = trial.module() else { return };
    let options = ExploreOptions::default().max_text(1 << 20);
    let _ = trial.operation("exploring", |sink| explore(&module, "a file", &options, sink));
}

/// Measures canonical writing, and returning the file.
pub fn roundtrip(data: &[u8]) {
    let trial = trial(ROUNDTRIP, data);
    for options in [canonical(None), WriteOptions::default()] {
        let Some(module) = trial.module() else { return };
        let _ = trial.operation("writing", |sink| module.write(sink, &options));
    }
}

/// Measures converting for a release.
pub fn convert(data: &[u8], target: &str) {
    let trial = trial(CONVERT, data);
    let Some(module) = trial.module() else { return };
    let _ = trial.operation("converting", |sink| module.write(sink, &canonical(Some(target))));
}

/// Measures one edit at the top level and writing it in each way.
pub fn edit(data: &[u8]) {
    let trial = trial(EDIT, data);
    let Some(module) = trial.module() else { return };
    let Ok(mut editor) = trial.operation("beginning to edit", |_| Editor::new(module)) else { return };
    let Ok(top) = editor.operation() else { return };
    let location = Attribute::parse("loc(\"edited\")").expect("a location");
    let _ = trial.operation("setting a location", |_| editor.set_location(top, &location));
    for numbering in [Numbering::Preserve, Numbering::Canonical] {
        let options = canonical(None).numbering(numbering);
        let _ = trial.operation("writing an edit", |sink| editor.write(sink, &options));
    }
}

/// Measures the plan for a file whose dialects are declared unknown, and writing by that plan.
pub fn fallback(data: &[u8]) {
    let trial = trial(FALLBACK, data);
    let Some(module) = trial.module() else { return };
    let names =
        module.dialects().map(|names| names.map(|one| String::from_utf8_lossy(one.name).into_owned()));
    let Ok(unknown_dialects) = names.map(Iterator::collect) else { return };
    let options = trial.options().unknown_dialects(unknown_dialects);
    let Ok(module) = trial.operation("opening", |_| trial.open(&options)) else { return };
    let _ = trial.operation("planning", |_| module.plan_write(&WriteOptions::default()).map(drop));
    let strictest = WriteOptions::default().numbering(Numbering::Strictest);
    let _ = trial.operation("writing opaque entries", |sink| module.write(sink, &strictest));
}

/// Measures opening a container and reading its details of each module.
pub fn container(data: &[u8]) {
    let trial = trial(CONTAINER, data);
    let Ok(module) = trial.operation("opening", |_| trial.open(&trial.options())) else { return };
    let Some(container) = module.container() else { return };
    for index in 0..container.modules().len().min(2) {
        let _ = trial.operation("reading the details", |_| container.exported(index).map(drop));
    }
}

/// Measures parsing a type and computing its size, or computing the sizes of the last types of a file.
pub fn layout(data: &[u8]) {
    let trial = trial(LAYOUT, data);
    let options = Options::default();
    let Some(module) = trial.module() else {
        let text = data.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let Ok(of) = trial.operation("parsing a type", |_| Type::parse(text)) else { return };
        let Ok(layout) = DataLayout::of_specs(&[], &options) else { return };
        let _ = trial.operation("asking for a size", |_| layout.type_size_in_bits(&of));
        return;
    };
    let _ = trial.operation("verifying layouts", |_| layout::verify(&module, &options));
    let Ok(op) = module.operation() else { return };
    let Ok(layout) = trial.operation("collecting entries", |_| DataLayout::of_with(op, &options)) else {
        return;
    };
    let count = module.ir_bounds().map_or(0, |bounds| bounds.types);
    for id in (count.saturating_sub(ENTRIES)..count).map(TypeId::new) {
        let Ok(Some(of)) = Type::of_file(module.tables(), id) else { continue };
        let _ = trial.operation("asking for a size", |_| layout.type_size_in_bits(&of));
        let _ = trial.operation("asking for an alignment", |_| layout.type_abi_alignment(&of));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use mlirbc::cursor::Cursor;

    use super::*;

    fn complaint(work: impl FnOnce()) -> String {
        let failure = catch_unwind(AssertUnwindSafe(work)).expect_err("the oracle is content");
        failure.downcast_ref::<String>().cloned().unwrap_or_default()
    }

    // Reads as many numbers as there are bytes, each time from the front.
    fn read_again_for_each(data: &[u8]) {
        for _ in data {
            let mut cursor = Cursor::new(data, 0, None);
            while cursor.varint().is_ok() {}
        }
    }

    #[test]
    fn quadratic_work_is_reported_for_every_target() {
        for allowance in ALLOWANCES {
            let data = [1; 2 << 10];
            let trial = trial(allowance, &data);
            trial.operation("reading once", |_| read_again_for_each(&data[..64]));
            let complaint = complaint(|| trial.operation("reading again", |_| read_again_for_each(&data)));
            assert!(complaint.contains("reading again took") && complaint.contains("steps"), "{complaint}");
        }
    }

    #[test]
    fn memory_beyond_the_limit_is_reported_for_every_target() {
        for allowance in ALLOWANCES {
            let data = [1; 4 << 10];
            let trial = trial(allowance, &data);
            let hoard = |each: usize| drop(data.map(|_| Vec::<u8>::with_capacity(each)));
            trial.operation("a little", |_| hoard(64));
            let complaint = complaint(|| trial.operation("a lot", |_| hoard(1 << 10)));
            assert!(complaint.contains("a lot took") && complaint.contains("memory"), "{complaint}");
        }
    }

    #[test]
    fn memory_of_other_threads_counts() {
        let of_a_thread = || std::thread::spawn(|| drop(Vec::<u8>::with_capacity(8 << 20))).join();
        let (_, cost) = measure(of_a_thread);
        // Other tests may free memory meanwhile.
        assert!(cost.memory >= 7 << 20, "{cost:?}");
    }

    #[test]
    fn a_measurement_within_another_leaves_its_peak() {
        let large = || drop(std::hint::black_box(Vec::<u8>::with_capacity(8 << 20)));
        let (inner, outer) = measure(|| {
            large();
            measure(|| ()).1
        });
        assert!(outer.memory >= 7 << 20 && inner.memory < 1 << 20, "{outer:?} {inner:?}");
    }
}
