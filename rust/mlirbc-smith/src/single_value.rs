//! Modules around one attribute or one type.

use mlirbc::attr::FieldValue;
use mlirbc::edit::{Editor, NewOperation};
use mlirbc::version::BytecodeVersion;
use mlirbc::{Release, Result, Type};

use crate::GeneratedModule;
use crate::body::{Body, unit};
use crate::config::Config;
use crate::draws::{Decide, Draws};

impl GeneratedModule {
    /// Generates a module whose only operation has an attribute `value`, of any kind.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn decide_attribute(config: &Config, decide: &mut dyn Decide) -> Result<Self> {
        Self::of_one(config, decide, |body| {
            let value = body.any_attribute().unwrap_or_else(unit);
            let results = vec![body.r#type("i32")?];
            Ok(NewOperation { attributes: vec![(b"value".to_vec(), value)], results, ..cast() })
        })
    }

    /// Generates a module whose only operation has one result, of any type.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn decide_type(config: &Config, decide: &mut dyn Decide) -> Result<Self> {
        Self::of_one(config, decide, |body| Ok(NewOperation { results: vec![body.single_type()?], ..cast() }))
    }

    fn of_one(
        config: &Config,
        decide: &mut dyn Decide,
        make: impl FnOnce(&mut Body<'_, '_, '_>) -> Result<NewOperation>,
    ) -> Result<Self> {
        config.catalogue()?;
        let version = config.version.unwrap_or(BytecodeVersion::MAX);
        let editor = Editor::create_module(&Release::named(config.release.clone()), version, None)?;
        let mut body = Body::new(config, version, editor, Draws::one_by_one(decide))?;
        let new = make(&mut body)?;
        let module = body.editor.operation()?;
        let block = body.editor.body(module)?;
        body.create(new, block, &mut Vec::new(), &[])?;
        body.add_referred()?;
        Self::written(body)
    }
}

// The cast accepts any types, and every release has it.
fn cast() -> NewOperation {
    NewOperation::new("builtin.unrealized_conversion_cast")
}

impl Body<'_, '_, '_> {
    fn single_type(&mut self) -> Result<Type> {
        if self.config.features.dialect_entries
            && self.draws.one_in(3)
            && let Some(entry) = self.entry()
            && let Ok(Some(FieldValue::Type(of_table))) = entry.field("value")
        {
            return Ok(of_table);
        }
        let language = self.language();
        let text = language.any_type(&mut self.draws, 0);
        self.r#type(&text)
    }
}
