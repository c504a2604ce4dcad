//! Prints operations, regions and blocks (`OperationPrinter` in `mlir/lib/IR/AsmPrinter.cpp`).

mod aliases;
mod display;
mod excerpts;
mod generic;
mod level;
mod naming;
mod options;
mod pieces;
mod properties;
mod regions;
mod resources;
mod sections;
mod value_name;

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::Arc;

use crate::dialect::node::Node;
use crate::file::FileEntries;
use crate::ir::body::Body;
use crate::ir::module::PropertyReader;
use crate::ir::{BodyId, Module, OpId, Operation};
use crate::props::Property;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, HeldMemory};
use crate::wire::parallel;

use super::custom::Custom;
use super::names::{Names, Numbering};
use super::plan::RegionStyle;
use crate::attr::text::alias::{AliasBuilder, Symbol};
use crate::attr::text::entry::{ABRIDGED_ABOVE, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::attr::text::text_marks::Marks;
use crate::release::{Llvm, absent_dialects};
use aliases::AliasWalk;
pub(crate) use excerpts::excerpts;
use generic::write_op_name;
use level::Level;
pub use options::{Omission, PrintForm, PrintOptions, PrintReport, UndecidedForm};
use sections::Section;

impl Module {
    /// Prints the module as `mlir-opt` of the release that wrote it does.
    ///
    /// An operation whose custom form is unknown is printed in generic form. The report lists parts that the
    /// custom form omits; [`PrintOptions::lossless`] prints them. Unreadable parts are marked in the text and
    /// listed in the report.
    ///
    /// # Errors
    /// If the structure of the module is malformed, `writer` fails, or the text is longer than
    /// [`Limits::max_text`](crate::wire::limits::Limits::max_text); with [`PrintOptions::strict`], also if an attribute or
    /// a type cannot be read.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut text = Vec::new();
    /// module.print(&mut text, &mlirbc::print::PrintOptions::default())?;
    /// assert!(text.starts_with(b"module {\n"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn print(&self, writer: &mut dyn Write, options: &PrintOptions) -> Result<PrintReport> {
        self.operation()?.print(writer, options)
    }
}

impl Operation<'_> {
    /// Prints the operation: a top-level one with aliases and resources, a nested one as in the text of the
    /// module.
    ///
    /// # Errors
    /// As [`Module::print`].
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(1).unwrap()?;
    /// let mut text = Vec::new();
    /// op.print(&mut text, &mlirbc::print::PrintOptions::default())?;
    /// assert_eq!(text, b"%0 = \"t.c\"() <{k = 5 : i8}> : () -> i8");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn print(&self, writer: &mut dyn Write, options: &PrintOptions) -> Result<PrintReport> {
        self.print_marked(writer, options, None)
    }

    /// Prints like [`Self::print`], and records the positions of operations and values in the text. For a
    /// page, a long type or attribute is abridged from the third time on.
    pub(crate) fn print_marked(
        &self,
        writer: &mut dyn Write,
        options: &PrintOptions,
        marks: Option<&mut Marks>,
    ) -> Result<PrintReport> {
        let module = self.module();
        module.settle()?;
        let entries = module.tables().entries()?;
        let budget = module.tables().work_budget();
        let mut out = Out::stream(writer, &budget);
        out.marks = marks;
        let mut printer = OpPrinter::new(module, &entries, options, budget)?;
        // The page shows only the beginning of each line.
        if out.marks.as_ref().is_some_and(|marks| marks.abridges) {
            printer.entries.abridge();
            printer.longest_shared = ABRIDGED_ABOVE;
        }
        out.has_exact_floats = options.lossless && printer.style.reads_wide_floats();
        out.has_all_rows = options.lossless;
        let has_parts = printer.custom.is_none() && out.marks.is_none() && !options.skip_regions;
        if has_parts {
            printer.threads = parallel::threads(0);
        }
        if self.parent().is_none() && !options.skip_regions {
            module.decode_ahead()?;
        }
        let is_top_level = self.parent().is_none() && !options.local_scope;
        if is_top_level {
            printer.top_level(&mut out, *self)?;
        } else {
            printer.nested(&mut out, *self)?;
        }
        out.finish()?;
        printer.check()?;
        let custom = printer.custom;
        let (omissions, undecided) =
            custom.map(|custom| (custom.omissions, custom.undecided)).unwrap_or_default();
        module.tables().unless_lost(Ok(PrintReport { faults: printer.entries.faults, omissions, undecided }))
    }
}

/// Returns whether MLIR numbers values from this op on in a local scope. The trait decides this, and not
/// whether the file has a section for the regions (`AsmState::AsmState` in `mlir/lib/IR/AsmPrinter.cpp`).
fn begins_local_scope(op: Operation<'_>) -> Result<bool> {
    Ok(match op.definition()? {
        Some(definition) => definition.has_trait("IsIsolatedFromAbove"),
        None => {
            let is_registered = op.operation_name().is_none_or(|name| name.is_registered != Some(false));
            is_registered && op.is_isolated_from_above()
        }
    })
}

struct OpPrinter<'m, 'e> {
    module: &'m Module,
    options: &'e PrintOptions,
    style: Llvm,
    file: &'e FileEntries<'m>,
    entries: EntryPrinter<'e, FileEntries<'m>>,
    numbering: Arc<Numbering>,
    levels: Vec<Level<'m>>,
    frames: Vec<PrintFrame>,
    indent: usize,
    budget: Budget,
    // By op name: the escaped name in quotes; empty for long names.
    op_names: Vec<Box<[u8]>>,
    // The memory of `op_names` and `shared`.
    held: HeldMemory,
    // The memory of `numbering`.
    numbering_held: Option<HeldMemory>,
    node: Node,
    reader: PropertyReader<'m, 'e>,
    inherent: Vec<Property<'m>>,
    discardable: Vec<(u32, u32)>,
    // Texts that ops with the same name, blob and dictionary share.
    shared: HashMap<(u32, u32, u32), Shared, foldhash::fast::RandomState>,
    shared_bytes: usize,
    most_shared: usize,
    longest_shared: usize,
    // Open ops whose dictionary is printed without its inherent part: their level, and the op.
    tails: Vec<(usize, u32)>,
    custom: Option<Custom<'m, 'e>>,
    // Whether the op is printed within the line of another op.
    is_inline: bool,
    // The number of threads that print pieces of a block, including this one.
    threads: usize,
}

/// The text of properties, and of the tail after the regions.
struct Shared {
    properties: Box<[u8]>,
    tail: Tail,
    is_fault: bool,
}

enum Tail {
    /// The complete dictionary of the op.
    Own,
    /// The discardable part, not printed yet or too long to be cached.
    Rest,
    Text(Box<[u8]>),
}

// The length of the longest text that is cached.
const SHARED_TEXT: usize = 1024;
const SHARED_BYTES: usize = 64 << 20;
/// The length of the longest name that is cached: many names may share one long dialect name, which must not
/// be stored once for each.
const SHORT_NAME: usize = 128;

enum PrintFrame {
    /// An op in generic form whose regions are being printed, and their first scope.
    Op { level: usize, op: u32, next: u32, scopes: u32 },
    /// An op in custom form, its next piece, and the start of its pieces.
    Pieces { level: usize, op: u32, next: u32, mark: (u32, u32), scopes: u32 },
    /// A region, its next block, and the next op of the current block.
    Region { level: usize, region: u32, next_block: u32, op: u32, ops_left: u32, scope: u32 },
    /// All ops of a block, which are printed on several threads.
    Sections { level: usize, sections: Vec<Section> },
    /// The remaining ops of a section of a block.
    Section { level: usize, section: Section },
}

impl<'m, 'e> OpPrinter<'m, 'e> {
    fn new(
        module: &'m Module,
        file: &'e FileEntries<'m>,
        options: &'e PrintOptions,
        budget: Budget,
    ) -> Result<Self> {
        let style = module.tables().release_llvm();
        let entry_style = EntryStyle { release: style, elide_elements: options.elide_elements_larger };
        let names = module.tables().op_names()?;
        let mut bytes = names.len() * size_of::<Box<[u8]>>();
        let mut held = budget.hold(bytes)?;
        let mut op_names = Vec::new();
        for name in names {
            let len = name.dialect.len() + name.stem.len();
            let mut text = Vec::new();
            // Every byte may be escaped; the allocator adds overhead.
            if len <= SHORT_NAME && held.grow_to(bytes + 3 * len + 32).is_ok() {
                bytes += 3 * len + 32;
                write_op_name(&mut text, &name, style);
            }
            op_names.push(text.into());
        }
        let custom = match options.form {
            PrintForm::Generic => None,
            PrintForm::Custom => Custom::new(module, file, options, &budget)?,
        };
        let most_shared = SHARED_BYTES.min(usize::try_from(budget.memory_left() / 4).unwrap_or(usize::MAX));
        Ok(Self {
            module,
            options,
            style,
            file,
            entries: EntryPrinter::new(file, entry_style, u64::MAX).with_budget(&budget),
            numbering: Arc::default(),
            levels: Vec::new(),
            frames: Vec::new(),
            indent: 0,
            budget,
            op_names,
            held,
            numbering_held: None,
            node: Node::default(),
            reader: PropertyReader::new(module, file)?,
            inherent: Vec::new(),
            discardable: Vec::new(),
            shared: HashMap::default(),
            shared_bytes: bytes,
            most_shared,
            longest_shared: SHARED_TEXT,
            tails: Vec::new(),
            custom,
            is_inline: false,
            threads: 1,
        })
    }

    fn check(&mut self) -> Result<()> {
        if self.options.strict && !self.entries.faults.is_empty() {
            return Err(self.entries.faults.swap_remove(0));
        }
        Ok(())
    }

    // Builds with the same producer string may have other dialects: a registered operation proves that the
    // dialect exists.
    fn absent_dialects(&self) -> Result<Vec<&'static str>> {
        let absent = self.module.release()?.nearest().map_or(&[][..], absent_dialects);
        if absent.is_empty() {
            return Ok(Vec::new());
        }
        let names = self.module.tables().dialect_section()?.op_names.iter();
        let registered: HashSet<_> = names
            .filter(|name| name.is_registered == Some(true))
            .filter_map(|name| self.module.tables().dialect_name(name.dialect).ok())
            .collect();
        Ok(absent.iter().map(|name| &**name).filter(|name| !registered.contains(name.as_bytes())).collect())
    }

    fn top_level(&mut self, out: &mut Out<'_>, op: Operation<'m>) -> Result<()> {
        let mut builder = AliasBuilder::new(self.file, self.style, &self.budget)?;
        builder.leave_out(self.absent_dialects()?);
        if builder.can_find_any(self.options.locations) {
            let (visited, dictionaries) = (HashSet::new(), HashSet::new());
            let (inherent, discardable) = (Vec::new(), Vec::new());
            let builder = &mut builder;
            let mut custom = self.custom.take();
            let custom_of_walk = custom.as_mut();
            AliasWalk {
                printer: self,
                custom: custom_of_walk,
                builder,
                visited,
                dictionaries,
                inherent,
                discardable,
            }
            .op(op)?;
            self.custom = custom;
        }
        self.entries.aliases = Arc::new(builder.finish()?);
        self.definitions(out, false);
        self.operation(out, op, op)?;
        out.text("\n");
        self.definitions(out, true);
        self.resources(out)
    }

    fn definitions(&mut self, out: &mut Out<'_>, is_deferred: bool) {
        let aliases = self.entries.aliases.clone();
        for row in aliases.rows.iter().filter(|row| row.is_deferred == is_deferred) {
            row.write(out);
            out.text(" = ");
            match &row.symbol {
                Symbol::Entry(of) => self.entries.definition(out, *of),
                Symbol::Text(key) => self.entries.text(out, &key.text, key.instance),
            }
            out.text("\n");
            out.flush_if_large();
            if out.has_failed() {
                return;
            }
        }
    }

    /// Prints a nested op, whose values have the names from the module.
    fn nested(&mut self, out: &mut Out<'_>, op: Operation<'m>) -> Result<()> {
        let mut root = op;
        // In a local scope, numbers start at the enclosing isolated op.
        while !(self.options.local_scope && begins_local_scope(root)?)
            && let Some(parent) = root.parent()
        {
            root = parent;
        }
        self.operation(out, op, root)
    }

    fn operation(&mut self, out: &mut Out<'_>, op: Operation<'m>, root: Operation<'m>) -> Result<()> {
        if self.custom.is_some() {
            return self.custom_operation(out, op, root);
        }
        self.number_from(root)?;
        self.push_level(op.body_id(), op.columns())?;
        self.full_op(out, 0, op.id().number())?;
        self.run(out)
    }

    /// Gives the values in an op the numbers that they have in generic form.
    fn number_from(&mut self, root: Operation<'m>) -> Result<()> {
        let mut held = self.budget.hold(0)?;
        let is_unique = self.style.numbers_are_unique();
        self.numbering = Arc::new(Numbering::new(self.module, root, is_unique, &mut held)?);
        self.numbering_held = Some(held);
        Ok(())
    }

    fn push_level(&mut self, id: BodyId, body: &'m Body) -> Result<()> {
        let held = self.budget.hold(Level::memory(body))?;
        let names = match self.custom {
            Some(_) => Names::unnamed(id, body),
            None => Names::new(&self.numbering, id, body),
        };
        self.levels.push(Level::new(id, body, names, held));
        Ok(())
    }

    // ---- ops and regions, without recursion ----

    fn run(&mut self, out: &mut Out<'_>) -> Result<()> {
        while let Some(frame) = self.frames.pop() {
            match frame {
                PrintFrame::Op { level, op, next, scopes } => {
                    self.next_region(out, level, op, next, scopes)?
                }
                PrintFrame::Pieces { level, op, next, mark, scopes } => {
                    self.pieces(out, level, op, next, mark, scopes)?;
                }
                PrintFrame::Sections { level, sections } => self.print_sections(out, level, &sections)?,
                PrintFrame::Section { level, section: Section { op, ops } } => {
                    if ops > 0 {
                        let remaining = Section {
                            op: self.levels[level].body.end_of(OpId::new(op)).number(),
                            ops: ops - 1,
                        };
                        self.frames.push(PrintFrame::Section { level, section: remaining });
                        self.full_op(out, level, op)?;
                        self.check()?;
                    }
                }
                PrintFrame::Region { level, region, next_block, op, ops_left, scope } => {
                    if ops_left > 0 {
                        let end = self.levels[level].body.end_of(OpId::new(op)).number();
                        let ops_left = ops_left - 1;
                        self.frames.push(PrintFrame::Region {
                            level,
                            region,
                            next_block,
                            op: end,
                            ops_left,
                            scope,
                        });
                        self.full_op(out, level, op)?;
                        self.check()?;
                    } else {
                        self.next_block(out, level, region, next_block, scope, RegionStyle::GENERIC);
                    }
                }
            }
            // The output is flushed after ends of regions, too, because each is indented by its depth.
            out.flush_if_large();
            if out.has_failed() {
                return Ok(());
            }
        }
        Ok(())
    }
}
