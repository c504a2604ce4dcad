//! Signatures of operations, without operands and regions, in a common spelling: name and attributes as LLVM
//! 22 spells them.
//!
//! The signature of an attribute does not depend on its storage: as a property, in a dictionary, under an old
//! name, or omitted because it has the default value.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::attr::build::builtin;
use crate::attr::digest::{Digest, Digests, Respell, finish, of_bytes};
use crate::attr::native::attribute_of;
use crate::attr::table::{Home, View};
use crate::attr::{Attribute, Type};
use crate::convert::release::{NewValue, ReleaseConversion};
use crate::dialect::declarations::Declared;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::table::BuiltinKind;
use crate::edit::symbol::symbol_name_of;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::ir::body::{Body, NONE};
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{Module, OpId};
use crate::props::codec::{segment_sizes, split, text_of};
use crate::props::schema::{Kind, OpSchema};
use crate::props::{Property, PropertyField, PropertySchema, PropertyValue};
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::order::sort_by;

/// The release whose spelling the keys use. Another release needs a new prefix of the keys.
const SPELLING: &str = "llvm-22";

/// Data that signatures borrow: the tables of a module, and the translation to the common spelling.
pub(crate) struct Common<'m> {
    module: &'m Module,
    entries: FileEntries<'m>,
    home: Home,
    conversion: Option<ReleaseConversion>,
    schema: Option<Arc<PropertySchema>>,
    pub(crate) budget: Budget,
}

impl<'m> Common<'m> {
    pub(crate) fn new(module: &'m Module) -> Result<Self> {
        module.settle()?;
        let release = module.release()?;
        let is_other = release.nearest() != Some(SPELLING);
        let schema = if is_other { module.tables().find_schema(SPELLING).ok() } else { None };
        let conversion = match &schema {
            Some(schema) => Some(ReleaseConversion::new(module, SPELLING, Some(schema))?),
            None => None,
        };
        let (entries, home) = (module.tables().entries()?, Home::File(module.tables().clone()));
        Ok(Self { module, entries, home, conversion, schema, budget: module.tables().work_budget() })
    }

    /// Returns the text of an entry in the common spelling, if it differs.
    pub(crate) fn respelled(&self, text: &[u8]) -> Result<Option<Vec<u8>>> {
        self.conversion.as_ref().map_or(Ok(None), |conversion| conversion.respelled(text, &self.budget))
    }

    pub(crate) fn view(&self) -> Result<View<'_>> {
        self.home.view()
    }
}

/// A value from the file, or a value that was created from a native property.
#[derive(Debug, Clone)]
pub(crate) enum SignatureValue {
    File(u32),
    Made(Attribute),
    /// Bytes of unknown layout.
    Opaque(Box<[u8]>),
}

/// An attribute in the common spelling.
#[derive(Debug, Clone)]
pub(crate) struct NamedValue {
    pub(crate) name: Box<[u8]>,
    pub(crate) digest: Digest,
    pub(crate) value: SignatureValue,
}

/// Signatures of operations, each computed once.
pub(crate) struct Signatures<'c, 'm> {
    common: &'c Common<'m>,
    reader: PropertyReader<'m, 'c>,
    pub(crate) digests: Digests<'c>,
    cache: HashMap<(u32, u32, u32), (Digest, bool), foldhash::fast::RandomState>,
    // The digests of operations without attributes and properties, by name.
    plain: Vec<Option<Digest>>,
    types: Vec<Option<Digest>>,
    defaults: HashMap<Box<str>, Option<Digest>>,
    inherent: Vec<Property<'m>>,
    discardable: Vec<(u32, u32)>,
}

impl<'c, 'm> Signatures<'c, 'm> {
    pub(crate) fn new(common: &'c Common<'m>, view: &'c View<'c>, respell: Respell<'c>) -> Result<Self> {
        let names = common.module.tables().op_names()?.len();
        let types = common.module.tables().entry_counts()?.types as usize;
        let (plain, type_digests) = (common.budget.filled(None, names)?, common.budget.filled(None, types)?);
        Ok(Self {
            common,
            reader: PropertyReader::new(common.module, &common.entries)?,
            digests: Digests::new(&common.home, view, &common.budget, respell),
            cache: HashMap::default(),
            plain,
            types: type_digests,
            defaults: HashMap::new(),
            inherent: Vec::new(),
            discardable: Vec::new(),
        })
    }

    /// Charges memory to the budget of the module.
    pub(crate) fn spend(&self, bytes: usize) -> Result<()> {
        self.common.budget.spend(bytes)
    }

    /// The budget of the module.
    pub(super) fn budget(&self) -> Budget {
        self.common.budget.clone()
    }

    /// Returns the digest of a type.
    pub(crate) fn r#type(&mut self, index: TypeId) -> Result<Digest> {
        if let Some(Some(digest)) = self.types.get(index.index()) {
            return Ok(*digest);
        }
        let digest = self.digests.of(EntryRef::Type(index))?;
        if let Some(slot) = self.types.get_mut(index.index()) {
            *slot = Some(digest);
        }
        Ok(digest)
    }

    pub(crate) fn location(&mut self, index: AttrId) -> Result<Digest> {
        if index == AttrId::new(NONE) {
            Ok(of_bytes(b"unknown"))
        } else {
            self.digests.of(EntryRef::Attribute(index))
        }
    }

    /// Returns the digest of the name and the attributes of an op.
    #[inline]
    pub(crate) fn of(&mut self, body: &Body, op: u32) -> Result<Digest> {
        Ok(self.with_symbol(body, op)?.0)
    }

    /// Returns [`Self::of`], and whether the op has a symbol name.
    #[inline]
    pub(crate) fn with_symbol(&mut self, body: &Body, op: u32) -> Result<(Digest, bool)> {
        let row = op as usize;
        let key = (body.op_name[row], body.op_attributes.get(row), body.op_properties.get(row));
        let is_plain = key.1 == NONE && key.2 == NONE;
        if is_plain {
            if let Some(Some(digest)) = self.plain.get(key.0 as usize) {
                return Ok((*digest, false));
            }
        } else if let Some(&cached) = self.cache.get(&key) {
            return Ok(cached);
        }
        self.compute(key, is_plain)
    }

    fn compute(&mut self, key: (u32, u32, u32), is_plain: bool) -> Result<(Digest, bool)> {
        let mut sha = Sha256::new();
        let name = self.name(key.0);
        sha.update((name.len() as u64).to_le_bytes());
        sha.update(name.as_bytes());
        let mut has_symbol = false;
        for named in self.named(key)? {
            has_symbol |= *named.name == *b"sym_name";
            sha.update((named.name.len() as u64).to_le_bytes());
            sha.update(&named.name);
            sha.update(named.digest);
        }
        let digest = finish(sha);
        if is_plain {
            if let Some(slot) = self.plain.get_mut(key.0 as usize) {
                *slot = Some(digest);
            }
        } else {
            self.common.budget.spend(2 * size_of::<((u32, u32, u32), (Digest, bool))>())?;
            self.cache.insert(key, (digest, has_symbol));
        }
        Ok((digest, has_symbol))
    }

    /// Returns the name of an op in the common spelling.
    pub(crate) fn name(&self, name: u32) -> String {
        let original = self.common.module.op_name(OpNameId::new(name));
        let original = original.map_or_else(String::new, |name| name.full().into_owned());
        match &self.common.conversion {
            Some(conversion) => conversion.op_name(&original).to_owned(),
            None => original,
        }
    }

    /// Returns the attributes of an op, sorted by name.
    pub(crate) fn attributes(&mut self, body: &Body, op: OpId) -> Result<Vec<NamedValue>> {
        let row = op.index();
        self.named((body.op_name[row], body.op_attributes.get(row), body.op_properties.get(row)))
    }

    fn named(&mut self, (name, dictionary, blob): (u32, u32, u32)) -> Result<Vec<NamedValue>> {
        let (mut inherent, mut discardable) =
            (std::mem::take(&mut self.inherent), std::mem::take(&mut self.discardable));
        let some = |index: u32| (index != NONE).then_some(index);
        let parts = self.reader.read_parts(
            OpNameId::new(name),
            some(blob).map(PropertyId::new),
            some(dictionary).map(AttrId::new),
            &mut inherent,
            &mut discardable,
        );
        let named = parts.and_then(|parts| self.spelled(name, parts, &inherent, &discardable));
        (self.inherent, self.discardable) = (inherent, discardable);
        named
    }

    fn spelled(
        &mut self,
        name: u32,
        kind: Inherent,
        inherent: &[Property<'m>],
        discardable: &[(u32, u32)],
    ) -> Result<Vec<NamedValue>> {
        let original = self.common.module.op_name(OpNameId::new(name));
        let original = original.map_or_else(String::new, |name| name.full().into_owned());
        let common = self.common;
        let target =
            common.conversion.as_ref().map_or(&*original, |conversion| conversion.op_name(&original));
        let schema = common.schema.as_ref().and_then(|schema| schema.op(target.as_bytes()));
        let schema = schema.or_else(|| self.reader.schema(OpNameId::new(name)));
        let mut all = Vec::new();
        for property in inherent {
            if let Some(value) = self.native(property)? {
                self.add(&mut all, (&original, schema), property.name().as_bytes(), value)?;
            }
        }
        for &(key, value) in discardable {
            let key = text_of(AttrId::new(key), &common.entries).unwrap_or_default();
            self.add(&mut all, (&original, schema), key, SignatureValue::File(value))?;
        }
        match kind {
            Inherent::Known => {}
            // The dictionary of an operation that was unregistered in the writer.
            Inherent::Attribute(index) => {
                let mut pairs = Vec::new();
                match is_dictionary(AttrId::new(index), &common.entries) {
                    true => split(None, AttrId::new(index), &common.entries, &mut [], &mut pairs)?,
                    false => self.push(&mut all, b"properties", SignatureValue::File(index))?,
                }
                for (key, value) in pairs {
                    let key = text_of(AttrId::new(key), &common.entries).unwrap_or_default();
                    self.add(&mut all, (&original, schema), key, SignatureValue::File(value))?;
                }
            }
            Inherent::Opaque(blob) => {
                self.push(&mut all, b"properties", SignatureValue::Opaque((&*blob).into()))?
            }
            Inherent::Declared(declared) => {
                let blob: &Declared = &declared;
                self.push(&mut all, b"properties", SignatureValue::Opaque((&*blob.data).into()))?;
            }
        }
        sort_by(&mut all, |a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    // Returns the value of a native property; `None` if it is absent or has its default.
    fn native(&mut self, property: &Property<'m>) -> Result<Option<SignatureValue>> {
        let module = self.common.module;
        Ok(match &property.value {
            PropertyValue::Absent | PropertyValue::Optional(None) | PropertyValue::Bool(false) => None,
            PropertyValue::Array(items) if items.is_empty() => None,
            PropertyValue::Segments(sizes) if sizes.iter().all(|&size| size == 0) => None,
            PropertyValue::Attribute(index) => Some(SignatureValue::File(index.number())),
            value => {
                Some(SignatureValue::Made(attribute_of(&property.field.kind, value, &|value| match value {
                    PropertyValue::String(index) => builtin::string(module.tables().string(*index)?),
                    PropertyValue::Attribute(index) => {
                        Ok(Attribute::of_file(module.tables(), *index)?.map_or_else(builtin::unit, Ok)?)
                    }
                    _ => builtin::unit(),
                })?))
            }
        })
    }

    fn add(
        &mut self,
        all: &mut Vec<NamedValue>,
        (op, schema): (&str, Option<&OpSchema>),
        name: &[u8],
        mut value: SignatureValue,
    ) -> Result<()> {
        let common = self.common;
        let mut name = name;
        if let Some(conversion) = &common.conversion
            && let Ok(text) = std::str::from_utf8(name)
            && let Some(rule) = conversion.renamed(op).find(|rule| rule.from == text)
        {
            let current = || match &value {
                SignatureValue::File(index) => {
                    Attribute::of_file(common.module.tables(), AttrId::new(*index))?
                        .map_or_else(builtin::unit, Ok)
                }
                SignatureValue::Made(value) => Ok(value.clone()),
                SignatureValue::Opaque(_) => builtin::unit(),
            };
            match rule.value(current)? {
                NewValue::Same => name = rule.to.as_bytes(),
                NewValue::Other(other) => (name, value) = (rule.to.as_bytes(), SignatureValue::Made(other)),
                NewValue::Nothing => return Ok(()),
                NewValue::Unknown => {}
            }
        }
        let Some(field) = schema.and_then(|schema| schema.fields().find(|field| field.has_name(name))) else {
            return self.push(all, name, value);
        };
        if let (Kind::Segments { .. }, SignatureValue::File(index)) = (&field.kind, &value)
            && let Some(sizes) =
                segment_sizes(&PropertyValue::Attribute(AttrId::new(*index)), &common.entries)
        {
            if sizes.iter().all(|&size| size == 0) {
                return Ok(());
            }
            value = SignatureValue::Made(builtin::segment_sizes(&sizes)?);
        }
        let before = all.len();
        self.push(all, field.name().as_bytes(), value)?;
        if let (Some(default), Some(last)) = (self.default(field)?, all.last())
            && last.digest == default
        {
            all.truncate(before);
        }
        Ok(())
    }

    fn default(&mut self, field: &PropertyField) -> Result<Option<Digest>> {
        let Some(text) = field.default_text() else { return Ok(None) };
        if let Some(digest) = self.defaults.get(text) {
            return Ok(*digest);
        }
        let digest = Attribute::parse(text).ok().map(|value| self.digests.of_other(&value)).transpose()?;
        self.defaults.insert(text.into(), digest);
        Ok(digest)
    }

    fn push(&mut self, all: &mut Vec<NamedValue>, name: &[u8], value: SignatureValue) -> Result<()> {
        let digest = match &value {
            SignatureValue::File(index) => self.digests.of(EntryRef::Attribute(AttrId::new(*index)))?,
            SignatureValue::Made(value) => self.digests.of_other(value)?,
            SignatureValue::Opaque(bytes) => of_bytes(bytes),
        };
        all.push(NamedValue { name: name.into(), digest, value });
        Ok(())
    }

    /// Converts a value to an attribute; `None` for bytes of unknown layout.
    pub(crate) fn attribute(&self, value: &SignatureValue) -> Result<Option<Attribute>> {
        match value {
            SignatureValue::File(index) => {
                Attribute::of_file(self.common.module.tables(), AttrId::new(*index))
            }
            SignatureValue::Made(value) => Ok(Some(value.clone())),
            SignatureValue::Opaque(_) => Ok(None),
        }
    }

    /// Returns the name of a symbol operation.
    pub(crate) fn symbol_of(&self, named: &[NamedValue]) -> Option<String> {
        let attribute = named.iter().find(|named| *named.name == *b"sym_name")?;
        let SignatureValue::File(index) = attribute.value else { return None };
        Some(String::from_utf8_lossy(symbol_name_of(&self.common.entries, AttrId::new(index))?).into_owned())
    }

    /// Returns the text of a type, cut after `most` bytes.
    pub(crate) fn type_text(&self, index: TypeId, most: usize) -> Result<String> {
        let value = Type::of_file(self.common.module.tables(), index)?;
        Ok(value.map_or_else(String::new, |value| value.to_text_within(most)))
    }
}

fn is_dictionary(index: AttrId, entries: &impl Entries) -> bool {
    let attribute = EntryRef::Attribute(index);
    let form = entries.entry(attribute).and_then(|entry| entry.form(attribute).ok().flatten());
    form.is_some_and(|form| form.builtin == BuiltinKind::DictionaryAttr)
}
