//! Declarations: symbols without their definition, which is in another module.

use crate::attr::Attribute;
use crate::edit::Editor;
use crate::edit::arena::{ArenaOp, ArenaRegion};
use crate::wire::error::Result;

use super::dialects::SymbolData;

impl Editor {
    /// Returns whether an op declares its symbol; `None` if it cannot declare one.
    pub(crate) fn declares(&self, op: ArenaOp) -> Result<Option<bool>> {
        let Some(row) = SymbolData::shipped()?.declaration(&self.name_text(op)) else { return Ok(None) };
        let is_empty = |&region: &ArenaRegion| self.arena.region(region).blocks.is_empty();
        if !self.arena.loaded_regions(op).iter().all(is_empty) {
            return Ok(Some(false));
        }
        match &row.value {
            Some(value) => Ok(Some(self.value_named(self.parts_key(op), value.as_bytes())?.is_none())),
            None => Ok(Some(true)),
        }
    }

    /// Turns a definition into a declaration; the op must be able to declare its symbol.
    pub(crate) fn declare(&mut self, op: ArenaOp) -> Result<()> {
        let Some(row) = SymbolData::shipped()?.declaration(&self.name_text(op)) else { return Ok(()) };
        for region in self.arena.loaded_regions(op).to_vec() {
            self.clear_region(self.handle_of(region))?;
        }
        for name in row.without.iter().chain(&row.value) {
            self.remove_attribute(self.handle_of(op), name.as_bytes())?;
        }
        for (name, value) in &row.with {
            self.set_attribute(self.handle_of(op), name.as_bytes(), &Attribute::parse(&**value)?)?;
        }
        for (name, value) in &row.instead {
            if self.value_named(self.parts_key(op), name.as_bytes())?.is_some() {
                self.set_attribute(self.handle_of(op), name.as_bytes(), &Attribute::parse(&**value)?)?;
            }
        }
        Ok(())
    }

    /// Returns the attribute that a declaration has in common with its definition.
    pub(crate) fn declared_type(&self, op: ArenaOp) -> Result<Option<Attribute>> {
        let Some(row) = SymbolData::shipped()?.declaration(&self.name_text(op)) else { return Ok(None) };
        self.attribute(self.handle_of(op), row.r#type.as_bytes())
    }
}
