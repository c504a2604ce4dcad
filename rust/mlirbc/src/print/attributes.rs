//! Attributes and types one by one, as text.

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

/// Prints attributes and types of a module one by one, without aliases.
///
/// All that one of these prints is limited together, by [`Limits::max_text`](crate::Limits::max_text).
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let texts = mlirbc::EntryTexts::new(&module)?;
/// assert_eq!(texts.r#type(mlirbc::TypeId(0)), "i8");
/// assert_eq!(texts.attribute(mlirbc::AttrId(2)), "\"k\"");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct EntryTexts<'m> {
    module: &'m Module,
    entries: FileEntries<'m>,
    budget: Budget,
}

const TOO_LONG: &str = "<<TEXT TOO LONG>>";

/// The attributes of an op as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpAttributes {
    /// Those that belong to the op: names and values.
    pub inherent: Vec<(String, String)>,
    /// Those that anyone may attach: names and values.
    pub discardable: Vec<(String, String)>,
    /// The attribute that an op has in place of properties which its writer did not know.
    pub property_attribute: Option<String>,
    /// Properties of unknown layout.
    pub opaque: Option<Bytes>,
}

impl<'m> EntryTexts<'m> {
    /// Looks up the module's tables.
    ///
    /// # Errors
    /// When one is malformed.
    pub fn new(module: &'m Module) -> Result<Self> {
        Ok(Self { module, entries: module.entries()?, budget: module.work_budget() })
    }

    fn printer(&self) -> EntryPrinter<'_, FileEntries<'m>> {
        let release = self.module.release_llvm();
        let style = EntryStyle { release, elide_elements: None };
        EntryPrinter::new(&self.entries, style, self.longest())
    }

    // A text is in memory before it is charged.
    fn longest(&self) -> u64 {
        self.budget.text_left().min(self.module.limits().memory(self.module.source().len()))
    }

    fn charged(&self, out: Out<'_>) -> Result<String> {
        self.budget.spend_text(out.buffer.len() as u64)?;
        Ok(String::from_utf8_lossy(&out.buffer).into_owned())
    }

    // As `charged`, for a text that must not be cut.
    fn complete(&self, out: Out<'_>, printer: &EntryPrinter<'_, FileEntries<'m>>) -> Result<String> {
        if printer.was_cut() {
            // Whichever of the two limits it was.
            self.budget.spend_text(printer.limit().saturating_add(1))?;
            self.budget.hold(usize::MAX)?;
        }
        self.charged(out)
    }

    /// An attribute; what cannot be read is marked `<<…>>`.
    pub fn attribute(&self, id: AttrId) -> String {
        let mut out = Out::memory();
        self.printer().without_cache().attribute(&mut out, id.0, Elide::Never);
        self.charged(out).unwrap_or_else(|_| TOO_LONG.to_owned())
    }

    /// A type; what cannot be read is marked `<<…>>`.
    pub fn r#type(&self, id: TypeId) -> String {
        let mut out = Out::memory();
        self.printer().without_cache().r#type(&mut out, id.0);
        self.charged(out).unwrap_or_else(|_| TOO_LONG.to_owned())
    }

    /// The attributes of an op with this name, property blob and dictionary.
    ///
    /// # Errors
    /// When the blob does not have the layout of the release, a table is malformed, or there has been more text than
    /// the limits allow.
    pub fn op(
        &self,
        name: OpNameId,
        properties: Option<PropertyId>,
        dictionary: Option<AttrId>,
    ) -> Result<OpAttributes> {
        let mut one = OpTexts { texts: self, printer: self.printer().without_cache() };
        one.op(name, properties, dictionary)
    }

    /// For the attributes of one operation after another.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let texts = mlirbc::EntryTexts::new(&module)?;
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

/// Prints the attributes of one operation after another; a text that many of them have is made once.
///
/// Distinct attributes are numbered through all of them, where [`EntryTexts::op`] begins with 0 for each.
pub struct OpTexts<'t, 'm> {
    texts: &'t EntryTexts<'m>,
    printer: EntryPrinter<'t, FileEntries<'m>>,
}

impl OpTexts<'_, '_> {
    /// As [`EntryTexts::op`].
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
        let found = reader.read_parts(name, properties, dictionary, &mut inherent, &mut discardable)?;
        let mut attributes = OpAttributes::default();
        match found {
            Inherent::Known => {}
            Inherent::Attribute(index) => {
                let mut out = Out::memory();
                printer.attribute(&mut out, index, Elide::Never);
                attributes.property_attribute = Some(texts.complete(out, printer)?);
            }
            Inherent::Opaque(blob) => attributes.opaque = Some(blob),
            Inherent::Declared(declared) => attributes.opaque = Some(Bytes::copy_from_slice(&declared.data)),
        }
        for property in inherent.iter().filter(|property| is_there(property)) {
            let mut out = Out::memory();
            printer.property_value(&mut out, property.field, &property.value);
            attributes.inherent.push((property.name().to_owned(), texts.complete(out, printer)?));
        }
        attributes.inherent.sort_unstable();
        for (name, value) in discardable {
            let name = string_of(&texts.entries, name).unwrap_or_default();
            let mut out = Out::memory();
            printer.attribute(&mut out, value, Elide::Never);
            attributes
                .discardable
                .push((String::from_utf8_lossy(name).into_owned(), texts.complete(out, printer)?));
        }
        Ok(attributes)
    }
}
