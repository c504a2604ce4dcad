//! Single attributes and types as text.

use super::declared_properties::sorted_fields;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::properties::is_there;
use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle, string_of};
use crate::attr::text::out::Out;
use crate::wire::order::sort_by;

/// Prints single attributes and types of a module, without aliases.
///
/// The total output of one instance is limited by [`Limits::max_text`](crate::wire::limits::Limits::max_text).
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let texts = mlirbc::print::EntryTexts::new(&module)?;
/// assert_eq!(texts.r#type(mlirbc::format::id::TypeId::new(0)), "i8");
/// assert_eq!(texts.attribute(mlirbc::format::id::AttrId::new(2)), "\"k\"");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct EntryTexts<'m> {
    module: &'m Module,
    entries: FileEntries<'m>,
    budget: Budget,
}

const TOO_LONG: &str = "<<TEXT TOO LONG>>";

/// The attributes of an op as text.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpAttributes {
    /// The inherent attributes: names and values.
    pub inherent: Vec<(String, String)>,
    /// The discardable attributes: names and values.
    pub discardable: Vec<(String, String)>,
    /// The attribute that replaces the properties of an op that was unregistered in the writer.
    pub property_attribute: Option<String>,
    /// Properties of unknown layout.
    pub opaque: Option<Bytes>,
}

impl<'m> EntryTexts<'m> {
    /// Creates a printer for the entries of a module.
    ///
    /// # Errors
    /// If a table is malformed.
    pub fn new(module: &'m Module) -> Result<Self> {
        module.settle()?;
        Ok(Self { module, entries: module.tables().entries()?, budget: module.tables().work_budget() })
    }

    fn printer(&self) -> EntryPrinter<'_, FileEntries<'m>> {
        let release = self.module.tables().release_llvm();
        let style = EntryStyle { release, elide_elements: None };
        EntryPrinter::new(&self.entries, style, self.longest())
    }

    // Returns the length limit; a text is in memory before it is charged.
    fn longest(&self) -> u64 {
        self.budget.text_left().min(self.module.limits().memory(self.module.source().len()))
    }

    fn charged(&self, out: Out<'_>) -> Result<String> {
        self.budget.spend_text(out.buffer.len() as u64)?;
        Ok(String::from_utf8_lossy(&out.buffer).into_owned())
    }

    // Charges a text that must not be truncated.
    fn complete(&self, out: Out<'_>, printer: &EntryPrinter<'_, FileEntries<'m>>) -> Result<String> {
        if printer.was_cut() {
            // Fails for the limit that was exceeded: text or memory.
            self.budget.spend_text(printer.limit().saturating_add(1))?;
            self.budget.hold(usize::MAX)?;
        }
        self.charged(out)
    }

    /// Returns the text of an attribute; unreadable parts are marked `<<…>>`.
    pub fn attribute(&self, id: AttrId) -> String {
        let mut out = Out::memory();
        self.printer().without_cache().attribute(&mut out, id, Elide::Never);
        self.charged(out).unwrap_or_else(|_| TOO_LONG.to_owned())
    }

    /// Returns the text of a type; unreadable parts are marked `<<…>>`.
    pub fn r#type(&self, id: TypeId) -> String {
        let mut out = Out::memory();
        self.printer().without_cache().r#type(&mut out, id);
        self.charged(out).unwrap_or_else(|_| TOO_LONG.to_owned())
    }

    /// Returns the complete text of an attribute.
    ///
    /// # Errors
    /// If the text or memory limit does not allow it.
    pub(crate) fn complete_attribute(&self, id: AttrId) -> Result<String> {
        let (mut out, mut printer) = (Out::memory(), self.printer().without_cache());
        printer.attribute(&mut out, id, Elide::Never);
        self.complete(out, &printer)
    }

    /// Returns the complete text of a type.
    ///
    /// # Errors
    /// As [`Self::complete_attribute`].
    pub(crate) fn complete_type(&self, id: TypeId) -> Result<String> {
        let (mut out, mut printer) = (Out::memory(), self.printer().without_cache());
        printer.r#type(&mut out, id);
        self.complete(out, &printer)
    }

    /// Returns the attributes of an op with this name, property blob and dictionary.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, a table is malformed, or the text limit is
    /// exceeded.
    pub fn op(
        &self,
        name: OpNameId,
        properties: Option<PropertyId>,
        dictionary: Option<AttrId>,
    ) -> Result<OpAttributes> {
        let mut op_texts = OpTexts { texts: self, printer: self.printer().without_cache() };
        op_texts.op(name, properties, dictionary)
    }

    /// Creates a printer for the attributes of many operations.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let texts = mlirbc::print::EntryTexts::new(&module)?;
    /// let mut ops = texts.ops();
    /// for op in module.operation()?.pre_order() {
    ///     let op = op?;
    ///     ops.op(op.name_id(), op.properties(), op.attribute_dictionary())?;
    /// }
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn ops(&self) -> OpTexts<'_, 'm> {
        OpTexts { texts: self, printer: self.printer().with_kept_texts(&self.budget) }
    }
}

/// Prints the attributes of many operations; shared texts are produced once.
///
/// Distinct attributes are numbered across all operations, unlike in [`EntryTexts::op`], which starts with 0.
#[doc(hidden)]
pub struct OpTexts<'t, 'm> {
    texts: &'t EntryTexts<'m>,
    printer: EntryPrinter<'t, FileEntries<'m>>,
}

impl OpTexts<'_, '_> {
    /// Returns the attributes of an op, as [`EntryTexts::op`] does.
    ///
    /// # Errors
    /// As [`EntryTexts::op`].
    pub fn op(
        &mut self,
        name: OpNameId,
        properties: Option<PropertyId>,
        dictionary: Option<AttrId>,
    ) -> Result<OpAttributes> {
        let (texts, printer) = (self.texts, &mut self.printer);
        printer.set_limit(texts.longest());
        let (mut inherent, mut discardable) = (Vec::new(), Vec::new());
        let reader = PropertyReader::new(texts.module, &texts.entries)?;
        let properties_read =
            reader.read_parts(name, properties, dictionary, &mut inherent, &mut discardable)?;
        let mut attributes = OpAttributes::default();
        match properties_read {
            Inherent::Known => {}
            Inherent::Attribute(index) => {
                let mut out = Out::memory();
                printer.attribute(&mut out, AttrId::new(index), Elide::Never);
                attributes.property_attribute = Some(texts.complete(out, printer)?);
            }
            Inherent::Opaque(blob) => attributes.opaque = Some(blob),
            Inherent::Declared(declared) => {
                for (name, value) in sorted_fields(texts.module, &declared)? {
                    let mut out = Out::memory();
                    printer.declared_value(&mut out, &value);
                    attributes.inherent.push((name, texts.complete(out, printer)?));
                }
            }
        }
        for property in inherent.iter().filter(|property| is_there(property)) {
            let mut out = Out::memory();
            printer.property_value(&mut out, property.field, &property.value);
            attributes.inherent.push((property.name().to_owned(), texts.complete(out, printer)?));
        }
        sort_by(&mut attributes.inherent, Ord::cmp);
        for (name, value) in discardable {
            let name = string_of(&texts.entries, AttrId::new(name)).unwrap_or_default();
            let mut out = Out::memory();
            printer.attribute(&mut out, AttrId::new(value), Elide::Never);
            attributes
                .discardable
                .push((String::from_utf8_lossy(name).into_owned(), texts.complete(out, printer)?));
        }
        Ok(attributes)
    }
}
