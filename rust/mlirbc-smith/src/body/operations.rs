//! The choice of the next operation.

use mlirbc::edit::{EditBlock, EditOp, NewOperation};
use mlirbc::{Attribute, ErrorKind, Result};

use super::{Body, Context, Enclosing, End, VisibleValue};
use crate::catalogue::{OperationPosition, Source};
use crate::entries;
use crate::instance::{self, Instance, RegionShape};

impl Body<'_, '_, '_> {
    /// Adds an operation, and everything that it needs, to the end of a block.
    pub(super) fn operation(
        &mut self,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<()> {
        match (context.around, self.draws.below(12)) {
            (_, 0) => self.cast(block, visible),
            (_, 1) => self.module(block, context),
            (_, 2..=4) if self.config.features.unregistered => self.unregistered(block, visible, context),
            (Enclosing::Module, 5 | 6) => self.symbol_operation(block, visible, context),
            (Enclosing::Module, _) => self.function(block, context),
            (Enclosing::Function, 5) => self.structured(block, visible, context),
            (Enclosing::Function, _) => match self.recipe(OperationPosition::Block) {
                Some(recipe) => self.recipe_operation(recipe, block, visible, context).map(drop),
                None => self.cast(block, visible),
            },
            (Enclosing::Unregistered, _) => self.cast(block, visible),
        }
    }

    fn symbol_operation(
        &mut self,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<()> {
        match self.recipe(OperationPosition::Module) {
            Some(recipe) => self.recipe_operation(recipe, block, visible, context).map(drop),
            None => self.function(block, context),
        }
    }

    /// Adds attributes that the definition of the operation does not have.
    fn decorate(&mut self, op: EditOp, needs_dialect: bool) -> Result<()> {
        if !self.config.features.attributes {
            return Ok(());
        }
        let names: &[&'static str] = match (self.config.features.unregistered, needs_dialect) {
            (true, true) => &["smith.x", "smith.other", "smith.\u{e9}"],
            (true, false) => &["note", "smith.x", "two words", "smith.other"],
            (false, true) => return Ok(()),
            (false, false) => &["note", "two words", "x0"],
        };
        for _ in 0..self.draws.up_to(self.config.max_attributes) {
            let name = self.draws.text(names);
            if let Some(value) = self.any_attribute() {
                match self.editor.set_attribute(op, name, &value) {
                    // An entry may contain parts that the release does not have.
                    Err(error) if error.kind() != ErrorKind::Unsupported => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    pub(crate) fn any_attribute(&mut self) -> Option<Attribute> {
        if self.config.features.dialect_entries && self.draws.one_in(4) && self.has_rows() {
            return self.entry();
        }
        let mut referred = std::mem::take(&mut self.referred);
        let text = self.language().attribute(&mut self.draws, 0, &mut referred);
        self.referred = referred;
        Attribute::parse(text).ok()
    }

    fn has_rows(&self) -> bool {
        !self.rows.is_empty() || !self.declared.is_empty()
    }

    /// Draws an attribute by a row of the dialect tables, or the attribute of a type by a row.
    pub(crate) fn entry(&mut self) -> Option<Attribute> {
        // The few rows of the caller would be lost among the rows of all dialects.
        let declared = self.declared.clone();
        let row = match !declared.is_empty() && self.draws.one_in(2) {
            true => self.draws.pick(&declared)?,
            false => self.draws.pick(&self.rows).copied()?,
        };
        let noise = self.draws.bytes(48);
        entries::entry(row, &noise, &self.language())
    }

    fn cast(&mut self, block: EditBlock, visible: &mut Vec<VisibleValue>) -> Result<()> {
        let mut texts = self.any_types(2);
        if texts.is_empty() {
            texts.push("i32".to_owned());
        }
        let operands = self.any_values(visible, 3);
        let results = self.types(&texts)?;
        let new =
            NewOperation { operands, results, ..NewOperation::new("builtin.unrealized_conversion_cast") };
        let op = self.create(new, block, visible, &texts)?;
        self.decorate(op, false)
    }

    /// Adds a module, which is isolated.
    fn module(&mut self, block: EditBlock, context: Context) -> Result<()> {
        if context.depth >= self.config.max_depth {
            return Ok(());
        }
        let mut new = NewOperation { regions: 1, ..NewOperation::new("builtin.module") };
        if context.around == Enclosing::Module && self.draws.one_in(2) {
            let name = self.symbol();
            new.attributes.push((b"sym_name".to_vec(), name));
        }
        let op = self.create(new, block, &mut Vec::new(), &[])?;
        self.decorate(op, true)?;
        let Some(&region) = self.editor.regions(op)?.first() else { return Ok(()) };
        let body = self.editor.add_block(region, None, &[])?;
        self.module_body(body, Context { depth: context.depth + 1, around: Enclosing::Module })
    }

    /// Adds the operations of a module, in any order.
    pub(crate) fn module_body(&mut self, block: EditBlock, context: Context) -> Result<()> {
        let mut visible = Vec::new();
        self.fill(block, &mut visible, context)?;
        if !self.config.features.forward_references {
            return Ok(());
        }
        let ops = self.editor.operations(block)?;
        for _ in 0..self.draws.up_to(2) {
            let Some(&op) = self.draws.pick(&ops) else { break };
            let name = self.editor.name(op)?;
            let count = self.editor.operands(op)?.len();
            // The operands may have any type.
            if count > 0
                && (name.starts_with("smith.") || name == "builtin.unrealized_conversion_cast")
                && let Some(value) = self.draws.pick(&visible)
            {
                let place = self.draws.below(count);
                self.editor.set_operand(op, place, value.value)?;
            }
        }
        Ok(())
    }

    fn function(&mut self, block: EditBlock, context: Context) -> Result<()> {
        let (inputs, results) = (self.any_types(self.config.max_arguments), self.any_types(2));
        let r#type = format!("({}) -> ({})", inputs.join(", "), results.join(", "));
        let is_declaration = self.draws.one_in(8);
        let mut new = NewOperation { regions: 1, ..NewOperation::new("func.func") };
        new.attributes.push((b"sym_name".to_vec(), self.symbol()));
        new.attributes.push((b"function_type".to_vec(), Attribute::parse(r#type)?));
        if is_declaration || self.draws.one_in(3) {
            new.attributes.push((b"sym_visibility".to_vec(), Attribute::parse("\"private\"")?));
        }
        let op = self.create(new, block, &mut Vec::new(), &[])?;
        self.decorate(op, true)?;
        let region = self.editor.regions(op)?.first().copied();
        match region {
            Some(region) if !is_declaration => {
                let context = Context { depth: context.depth + 1, around: Enclosing::Function };
                self.blocks(region, &inputs, &End::Named("func.return", results), &[], context)
            }
            _ => Ok(()),
        }
    }

    /// Adds an operation of a dialect that no release has.
    fn unregistered(
        &mut self,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<()> {
        let results = self.any_types(3);
        let regions = if context.depth < self.config.max_depth { self.draws.below(3) } else { 0 };
        let name = self.draws.text(&["smith.op", "smith.region.op", "smith.\u{fc}"]);
        let new = NewOperation {
            operands: self.any_values(visible, 4),
            results: self.types(&results)?,
            regions,
            ..NewOperation::new(name)
        };
        let context = match context.around {
            Enclosing::Module => Context { around: Enclosing::Unregistered, ..context },
            _ => context,
        };
        // The regions do not see the results.
        let outside = visible.clone();
        let op = self.create(new, block, visible, &results)?;
        self.decorate(op, false)?;
        for region in self.editor.regions(op)? {
            let arguments = self.any_types(self.config.max_arguments);
            match self.draws.below(3) {
                0 => {}
                1 => self.single_block(region, &arguments, &End::Free, &outside, context.inner(), true)?,
                _ => {
                    let end = End::Implied("smith.end".to_owned());
                    self.blocks(region, &arguments, &end, &outside, context.inner())?;
                }
            }
        }
        Ok(())
    }

    /// Adds structured control flow, whose blocks pass values on.
    fn structured(
        &mut self,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<()> {
        if context.depth >= self.config.max_depth {
            return self.cast(block, visible);
        }
        let results = self.any_types(2);
        let end = End::Named("scf.yield", results.clone());
        let (name, regions) = self
            .draws
            .pick(&[("scf.if", 2), ("scf.for", 1), ("scf.execute_region", 1)])
            .copied()
            .unwrap_or(("scf.if", 2));
        let mut operands = Vec::new();
        let mut arguments = Vec::new();
        match name {
            "scf.if" => operands.push(self.operand("i1", block, visible)?),
            "scf.for" => {
                for _ in 0..3 {
                    operands.push(self.operand("index", block, visible)?);
                }
                for text in &results {
                    operands.push(self.operand(text, block, visible)?);
                }
                arguments.push("index".to_owned());
                arguments.extend(results.iter().cloned());
            }
            _ => {}
        }
        let types = self.types(&results)?;
        let outside = visible.clone();
        let new = NewOperation { operands, results: types, regions, ..NewOperation::new(name) };
        let op = self.create(new, block, visible, &results)?;
        self.decorate(op, false)?;
        for region in self.editor.regions(op)? {
            if name == "scf.execute_region" {
                self.blocks(region, &[], &end, &outside, context.inner())?;
            } else {
                self.single_block(region, &arguments, &end, &outside, context.inner(), true)?;
            }
        }
        Ok(())
    }

    /// Adds an operation that `mlir-opt` was found to accept; `None` if it cannot be created.
    pub(super) fn recipe_operation(
        &mut self,
        number: usize,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<Option<EditOp>> {
        let catalogue = self.catalogue;
        let Some(recipe) = catalogue.recipes.get(number) else { return Ok(None) };
        let types_of = |name: &str| catalogue.types_of(name);
        let drawn = match &recipe.source {
            Source::Definition(freedom) => {
                instance::draw(&recipe.definition, &types_of, catalogue.llvm, *freedom, &mut self.draws)
            }
            Source::Examples(examples) => self.draws.pick(examples).cloned(),
        };
        let Some(Instance { operands, results, attributes, regions }) = drawn else { return Ok(None) };
        let mut texts = operands.iter().chain(&results).chain(attributes.iter().map(|(_, text)| text));
        if !texts.all(|text| self.config.has_wanted(text)) {
            return Ok(None);
        }
        let mut new = NewOperation::new(recipe.definition.name());
        for text in &operands {
            new.operands.push(self.operand(text, block, visible)?);
        }
        new.results = self.types(&results)?;
        for (name, text) in attributes {
            let value = if name == "sym_name" { self.symbol() } else { Attribute::parse(text)? };
            new.attributes.push((name.into_bytes(), value));
        }
        new.regions = regions.len();
        let is_isolated = recipe.definition.has_trait("IsIsolatedFromAbove");
        let outside = if is_isolated { Vec::new() } else { visible.clone() };
        let op = match self.create(new, block, visible, &results) {
            Ok(op) => op,
            // The property schema lacks a value that the definition permits.
            Err(error) if error.kind() == ErrorKind::Value => return Ok(None),
            Err(error) => return Err(error),
        };
        for (shape, region) in regions.into_iter().zip(self.editor.regions(op)?) {
            let end = match (shape, instance::implied_terminator(&recipe.definition)) {
                (RegionShape::Empty, _) => continue,
                (RegionShape::Terminated, Some(name)) => End::Implied(name.to_owned()),
                _ => End::Free,
            };
            self.single_block(region, &[], &end, &outside, context.inner(), recipe.is_open)?;
        }
        Ok(Some(op))
    }
}
