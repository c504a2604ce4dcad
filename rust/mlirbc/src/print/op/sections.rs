//! Prints long blocks in generic form in sections, on all cores.
//!
//! The text of an operation depends on earlier operations in three ways: only the first of equal faults are
//! reported, the first resources are listed first, and distinct attributes are numbered. A section with a
//! fault or a distinct attribute is printed again by the main printer, and so is one that is too long to be
//! held.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::{OpPrinter, PrintFrame};
use crate::attr::text::out::Out;
use crate::ir::OpId;
use crate::wire::error::Result;
use crate::wire::limits::Limits;
use crate::wire::parallel;

/// The bytes of IR in a section; its text is about five times as long.
const SECTION_BYTES: usize = if cfg!(test) { 2 << 10 } else { 64 << 10 };
/// The number of sections that justify threads.
const LEAST_SECTIONS: usize = 4;
/// The limit on the text of a section.
const MOST_TEXT: u64 = if cfg!(test) { 64 << 10 } else { 4 << 20 };
/// The number of successive sections to be printed again after which the main printer prints all others.
const MOST_REPRINTED: usize = 4;

/// Consecutive operations of a block: the first, and their number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    pub(super) op: u32,
    pub(super) ops: u32,
}

/// The text of a section, and the resources that its thread used for the first time.
struct Printed {
    text: Vec<u8>,
    resources: Vec<u32>,
}

impl<'m, 'e> OpPrinter<'m, 'e> {
    /// Returns the sections of a block; none if the main printer should print it.
    pub(super) fn sections(&self, level: usize, first: u32, ops: u32) -> Vec<Section> {
        /// The size of an operation without regions.
        const OP: usize = 16;
        if self.threads < 2 {
            return Vec::new();
        }
        let body = self.levels[level].body;
        let (mut sections, mut bytes) = (Vec::new(), 0);
        let (mut section, mut op) = (Section { op: first, ops: 0 }, first);
        for _ in 0..ops {
            let end = body.end_of(OpId::new(op)).number();
            let detail = body.detail(OpId::new(op)).filter(|detail| detail.regions > 0 && detail.is_isolated);
            let child = detail.and_then(|detail| body.children.get(detail.first_region as usize));
            bytes += OP * (end - op) as usize + child.map_or(0, |child| self.module.body_bytes(child.body));
            section.ops += 1;
            op = end;
            if bytes >= SECTION_BYTES {
                sections.push(std::mem::replace(&mut section, Section { op, ops: 0 }));
                bytes = 0;
            }
        }
        if sections.len() < LEAST_SECTIONS {
            return Vec::new();
        }
        sections.extend((section.ops > 0).then_some(section));
        sections
    }

    /// Prints all sections of a block.
    pub(super) fn print_sections(
        &mut self,
        out: &mut Out<'_>,
        level: usize,
        sections: &[Section],
    ) -> Result<()> {
        let most = MOST_TEXT as usize * parallel::most_ahead(self.threads);
        let Ok(held) = self.budget.hold(most) else { return self.print_here(out, level, sections) };
        let text_limit = Limits { max_text: Some(MOST_TEXT), ..Limits::default() }.budget(0);
        let spare = Mutex::new(Vec::<Vec<u8>>::new());
        let lock = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = self.for_threads(level);
        let exact = (out.has_exact_floats, out.has_all_rows);
        let work = |printer: &mut Option<OpPrinter<'m, 'e>>, at: usize| -> Option<Printed> {
            let mut own_printer = printer.take().or_else(|| fresh().ok())?;
            let mut out = Out::bounded(&text_limit.for_work());
            (out.has_exact_floats, out.has_all_rows) = exact;
            out.buffer = lock().pop().unwrap_or_default();
            own_printer.frames.push(PrintFrame::Section { level, section: *sections.get(at)? });
            own_printer.run(&mut out).ok()?;
            let text = out.finish().ok()?;
            if !own_printer.entries.faults.is_empty() || own_printer.entries.has_distinct() {
                return None;
            }
            let resources = std::mem::take(&mut own_printer.entries.resources);
            *printer = Some(own_printer);
            Some(Printed { text, resources })
        };
        let (module, work_of) = (self.module, (sections.len(), self.threads));
        let (mut done, mut again, mut failure) = (0, 0, None);
        let take = |at: usize, printed: Option<Printed>| {
            match printed {
                Some(Printed { mut text, resources }) => {
                    self.entries.add_resources(&resources);
                    out.append(&text);
                    text.clear();
                    lock().push(text);
                    again = 0;
                }
                None => {
                    failure = self.print_here(out, level, &sections[at..=at]).err();
                    again += 1;
                }
            }
            done = at + 1;
            match out.has_failed() || failure.is_some() || again > MOST_REPRINTED {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        parallel::in_order(work_of, || None, work, take, || module.tables().poll_interrupt());
        drop(held);
        if let Some(failure) = failure {
            return Err(failure);
        }
        module.tables().check_interrupt()?;
        self.print_here(out, level, &sections[done..])
    }

    // Creates printers in the same state as this one: at the beginning of a block of a body.
    fn for_threads(&self, level: usize) -> impl Fn() -> Result<Self> + Sync + use<'m, 'e> {
        let (module, file, options, budget) = (self.module, self.file, self.options, self.budget.clone());
        let (numbering, aliases, indent) =
            (self.numbering.clone(), self.entries.aliases.clone(), self.indent);
        let bodies: Vec<_> = self.levels[..=level].iter().map(|level| (level.id, level.body)).collect();
        move || {
            let mut printer = OpPrinter::new(module, file, options, budget.clone())?;
            (printer.numbering, printer.indent) = (numbering.clone(), indent);
            printer.entries.aliases = aliases.clone();
            for &(id, body) in &bodies {
                printer.push_level(id, body)?;
            }
            Ok(printer)
        }
    }

    // Prints sections with the main printer.
    fn print_here(&mut self, out: &mut Out<'_>, level: usize, sections: &[Section]) -> Result<()> {
        let (outer, threads) = (std::mem::take(&mut self.frames), std::mem::replace(&mut self.threads, 1));
        for &section in sections {
            if out.has_failed() {
                break;
            }
            self.frames.push(PrintFrame::Section { level, section });
            self.run(out)?;
        }
        (self.frames, self.threads) = (outer, threads);
        Ok(())
    }
}
