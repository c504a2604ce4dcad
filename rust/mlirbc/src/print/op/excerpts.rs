//! Single lines for some operations of one region, with the names that their values have in the module.

use super::{OpPrinter, PrintOptions};
use crate::attr::text::out::Out;
use crate::ir::Operation;
use crate::wire::error::Result;

/// Returns the texts of operations in one region, without the contents of their regions, and cut after `most`
/// bytes. Values are named once for all operations.
///
/// # Errors
/// If an enclosing body is malformed, or a limit is exceeded.
pub(crate) fn excerpts<'m>(ops: &[Operation<'m>], most: u64) -> Result<Vec<String>> {
    let Some(first) = ops.first() else { return Ok(Vec::new()) };
    let module = first.module();
    let entries = module.tables().entries()?;
    let options = PrintOptions {
        local_scope: true,
        skip_regions: true,
        elide_elements_larger: Some(16),
        ..PrintOptions::default()
    };
    let mut printer = OpPrinter::new(module, &entries, &options, module.tables().work_budget())?;
    // An attribute may stand for far more text than is needed.
    printer.entries.set_limit(most);
    // The path leads from the enclosing isolated operation down to the region.
    let mut path = vec![*first];
    while let Some(parent) = path.last().and_then(Operation::parent) {
        path.push(parent);
        // A loop may be a separate body because it uses nothing from outside; the names are then still the
        // names in the function.
        if parent.is_isolated_from_above() && parent.operands().len() + parent.results().len() == 0 {
            break;
        }
    }
    path.reverse();
    match path.first() {
        Some(root) if printer.custom.is_some() => {
            printer.push_level(root.body_id(), root.columns())?;
            for pair in path.windows(2) {
                let &[outer, inner] = pair else { continue };
                let level = printer.levels.len() - 1;
                let scopes = printer.name_regions(level, outer.id().number())?;
                if let Some(custom) = &mut printer.custom {
                    custom.scopes.enter(scopes + inner.block().region().number());
                }
            }
        }
        root => {
            printer.number_from(*root.unwrap_or(first))?;
            printer.push_level(first.body_id(), first.columns())?;
        }
    }
    let level = printer.levels.len() - 1;
    let mut texts = Vec::new();
    for op in ops {
        let mut out = Out::excerpt(most);
        printer.full_op(&mut out, level, op.id().number())?;
        printer.run(&mut out)?;
        printer.frames.clear();
        printer.tails.clear();
        printer.levels.truncate(level + 1);
        let text = String::from_utf8_lossy(&out.buffer);
        texts.push(text.split('\n').map(str::trim).collect::<Vec<_>>().join(" "));
    }
    Ok(texts)
}
