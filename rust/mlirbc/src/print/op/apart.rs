//! Long blocks in generic form, whose operations are printed in parts on all cores.
//!
//! The text of an operation depends on the operations before it in three ways: the first of equal faults are reported, the
//! first resources are listed first, and distinct attributes are numbered. A part with a fault or a distinct attribute is
//! printed again by the printer of the whole text, and so is one that is too long to be held.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::{Frame, OpPrinter};
use crate::attr::text::out::Out;
use crate::ir::OpId;
use crate::wire::error::Result;
use crate::wire::limits::Limits;
use crate::wire::parallel;

/// The bytes of IR of a part, which has about five times as much text.
const PART: usize = if cfg!(test) { 2 << 10 } else { 64 << 10 };
/// Fewer parts do not justify threads.
const ENOUGH: usize = 4;
/// The most text of a part.
const MOST_TEXT: u64 = if cfg!(test) { 64 << 10 } else { 4 << 20 };
/// After as many parts in a row that are printed again, the others are printed once.
const MOST_AGAIN: usize = 4;

/// Consecutive operations of a block: the first, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) op: u32,
    pub(super) ops: u32,
}

/// The text of a part, and the resources that it uses and its thread did not use before.
struct Printed {
    text: Vec<u8>,
    resources: Vec<u32>,
}

impl<'m, 'e> OpPrinter<'m, 'e> {
    /// The operations of a block in parts; none if they are better printed here.
    pub(super) fn parts(&self, level: usize, first: u32, ops: u32) -> Vec<Part> {
        /// An operation without regions.
        const OP: usize = 16;
        if self.threads < 2 {
            return Vec::new();
        }
        let body = self.levels[level].body;
        let (mut parts, mut bytes) = (Vec::new(), 0);
        let (mut part, mut op) = (Part { op: first, ops: 0 }, first);
        for _ in 0..ops {
            let end = body.end_of(OpId(op)).0;
            let detail = body.detail(OpId(op)).filter(|detail| detail.regions > 0 && detail.is_isolated);
            let child = detail.and_then(|detail| body.children.get(detail.first_region as usize));
            bytes += OP * (end - op) as usize + child.map_or(0, |child| self.module.body_bytes(child.body));
            part.ops += 1;
            op = end;
            if bytes >= PART {
                parts.push(std::mem::replace(&mut part, Part { op, ops: 0 }));
                bytes = 0;
            }
        }
        if parts.len() < ENOUGH {
            return Vec::new();
        }
        parts.extend((part.ops > 0).then_some(part));
        parts
    }

    /// Prints all parts of a block.
    pub(super) fn print_apart(&mut self, out: &mut Out<'_>, level: usize, parts: &[Part]) -> Result<()> {
        let most = MOST_TEXT as usize * parallel::most_ahead(self.threads);
        let Ok(held) = self.budget.hold(most) else { return self.print_here(out, level, parts) };
        let text_limit = Limits { max_text: Some(MOST_TEXT), ..Limits::default() }.budget(0);
        let spare = Mutex::new(Vec::<Vec<u8>>::new());
        let lock = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = self.for_threads(level);
        let exact = (out.has_exact_floats, out.has_all_rows);
        let work = |printer: &mut Option<OpPrinter<'m, 'e>>, at: usize| -> Option<Printed> {
            let mut own = printer.take().or_else(|| fresh().ok())?;
            let mut out = Out::bounded(&text_limit.for_work());
            (out.has_exact_floats, out.has_all_rows) = exact;
            out.buffer = lock().pop().unwrap_or_default();
            own.frames.push(Frame::Part { level, part: *parts.get(at)? });
            own.run(&mut out).ok()?;
            let text = out.finish().ok()?;
            if !own.entries.faults.is_empty() || own.entries.has_distinct() {
                return None;
            }
            let resources = std::mem::take(&mut own.entries.resources);
            *printer = Some(own);
            Some(Printed { text, resources })
        };
        let (module, work_of) = (self.module, (parts.len(), self.threads));
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
                    failure = self.print_here(out, level, &parts[at..=at]).err();
                    again += 1;
                }
            }
            done = at + 1;
            match out.has_failed() || failure.is_some() || again > MOST_AGAIN {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        parallel::in_order(work_of, || None, work, take, || module.poll_interrupt());
        drop(held);
        if let Some(failure) = failure {
            return Err(failure);
        }
        module.check_interrupt()?;
        self.print_here(out, level, &parts[done..])
    }

    // Makes printers that are where this one is: at the beginning of a block of a body.
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

    // Prints parts with the printer of the whole text.
    fn print_here(&mut self, out: &mut Out<'_>, level: usize, parts: &[Part]) -> Result<()> {
        let (outer, threads) = (std::mem::take(&mut self.frames), std::mem::replace(&mut self.threads, 1));
        for &part in parts {
            if out.has_failed() {
                break;
            }
            self.frames.push(Frame::Part { level, part });
            self.run(out)?;
        }
        (self.frames, self.threads) = (outer, threads);
        Ok(())
    }
}
