//! The name of one value.

use super::{OpPrinter, PrintOptions, begins_local_scope};
use crate::attr::text::out::Out;
use crate::ir::{Operation, Value};
use crate::wire::error::Result;

impl<'m> Value<'m> {
    /// Returns the name of the value in the custom assembly of its module, `%0`, `%arg1` or `%2#1`; with
    /// `local_scope`, its name in the assembly of the innermost isolated operation around it.
    ///
    /// All earlier values in the enclosing regions are named as well, so this is as slow as printing them.
    ///
    /// # Errors
    /// If an enclosing body is malformed, or a limit is exceeded.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let two_layers = module.top_level_block()?.operations().next().expect("there is one");
    /// let body = two_layers.regions()?.next().and_then(|region| region.block(0)).expect("it has a body");
    /// let dense = body.operations().next().expect("there are functions");
    /// let block = dense.regions()?.next().and_then(|region| region.block(0)).expect("it has a body");
    /// let names: Vec<_> = block.arguments().map(|argument| argument.assembly_name(false)).collect::<Result<_, _>>()?;
    /// assert_eq!(names, ["%arg0", "%arg1", "%arg2"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn assembly_name(&self, local_scope: bool) -> Result<String> {
        let module = self.module();
        module.settle()?;
        let entries = module.tables().entries()?;
        let options = PrintOptions { local_scope, ..PrintOptions::default() };
        let mut printer = OpPrinter::new(module, &entries, &options, module.tables().work_budget())?;
        let owner = self.owner_op();
        let region = owner.map(|op| op.block()).or_else(|| self.owner_block()).map(|block| block.region());
        // The enclosing operations.
        let mut path: Vec<Operation<'m>> = Vec::new();
        let mut next = region.and_then(|region| region.owner());
        while let Some(op) = next {
            path.push(op);
            let is_root = local_scope && begins_local_scope(op)?;
            next = if is_root { None } else { op.parent() };
        }
        path.reverse();
        match path.first() {
            // In custom forms, a name depends on all names in the regions around it.
            Some(root) if printer.custom.is_some() => {
                printer.push_level(root.body_id(), root.columns())?;
                let inner = path.iter().skip(1).map(|op| op.block().region());
                for (op, inner) in path.iter().zip(inner.chain(region)) {
                    let level = printer.levels.len() - 1;
                    let scopes = printer.name_regions(level, op.id().number())?;
                    if let Some(custom) = &mut printer.custom {
                        custom.scopes.enter(scopes + inner.number());
                    }
                }
            }
            // In generic form, values are numbered from the outermost operation on.
            root => {
                if let Some(root) = root.copied().or(owner) {
                    printer.number_from(root)?;
                }
                printer.push_level(self.body_id(), module.body(self.body_id())?)?;
                if let Some(owner) = owner.filter(|_| root.is_none()) {
                    printer.name_op(0, owner.id().number());
                }
            }
        }
        let mut out = Out::memory();
        if let Some(level) = printer.levels.last() {
            let scopes = printer.custom.as_ref().map(|custom| &custom.scopes);
            level.names.write(&mut out, level.body, self.id(), scopes);
        }
        Ok(String::from_utf8_lossy(&out.buffer).into_owned())
    }
}
