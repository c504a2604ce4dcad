//! Reads the attributes of operations that the rules need.
//!
//! Operations with the same name, blob and dictionary have the same facts. Other operations may still share a
//! large blob, a large dictionary or a large attribute: each is read once, and a constraint is evaluated once
//! for each attribute.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::attr::text::entry::string_of;
use crate::attr::{Attribute, FieldValue};
use crate::dialect::entries::{Entries, EntryRef};
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::dictionary::{Dictionary, may_be_long};
use crate::ir::module::Inherent;
use crate::ir::view::Operation;
use crate::props::codec::{segment_sizes, split};
use crate::props::{PropertyField, PropertyValue};
use crate::wire::error::Result;

use super::Checker;
use super::counts::Elements;
use super::rules::{AttributeRule, Rules};
use super::stated::AppliedRule;
use super::symbols::Visibility;
use super::type_cache::Shape;
use super::type_traits::SHOWN;
use super::type_traits::TypeTrait;
use super::verifiers::{LONGEST, VerifiedAttribute};

/// Facts about the attributes of an op.
#[derive(Default)]
pub(super) struct AttributeFacts {
    pub(super) is_known: bool,
    pub(super) complaints: Vec<String>,
    pub(super) operands: Option<Rc<[i32]>>,
    pub(super) results: Option<Rc<[i32]>>,
    /// The number of the symbol that the op defines.
    pub(super) symbol: Option<u32>,
    pub(super) visibility: Visibility,
    /// The sizes of the parts of the operands of a branch.
    pub(super) branch_sizes: Option<Rc<[i32]>>,
    /// The number of elements for each count rule.
    pub(super) counts: Vec<Elements>,
    /// The types of attributes that traits relate.
    pub(super) types: Vec<(Box<str>, TypeId)>,
    /// The names of such attributes that are strings without a type; their type is `none`.
    pub(super) without_type: Vec<Box<str>>,
    /// The names of attributes whose values could not be read.
    pub(super) unread: Vec<&'static str>,
    /// The attributes that rules of the verifier read.
    pub(super) verified: Vec<VerifiedAttribute>,
}

/// Results for attributes, kept because several operations may share them.
#[derive(Default)]
pub(super) struct AttributeCache<'m> {
    // Keys: op name and blob.
    blobs: HashMap<(u32, u32), Rc<Blob<'m>>>,
    sizes: HashMap<u32, Option<Rc<[i32]>>>,
    counts: HashMap<AttrId, Elements>,
    // The first element that an array contains twice.
    repeated: HashMap<AttrId, Option<i64>>,
    // The numbers of constraints by their keys.
    constraints: HashMap<Box<str>, u32>,
    // Keys: constraint and attribute.
    verdicts: HashMap<(u32, u32), Option<Rc<str>>>,
    // Keys: address and length, because many attributes may share one long string.
    places: HashMap<(usize, usize), u32>,
    symbols: HashMap<Rc<[u8]>, u32>,
    symbol_texts: Vec<Rc<[u8]>>,
}

/// The inherent attributes in a blob.
struct Blob<'m> {
    is_known: bool,
    properties: Vec<(&'m PropertyField, SharedValue)>,
}

/// A value that many operations may share.
#[derive(Debug, Clone)]
enum SharedValue {
    Absent,
    Attribute(u32),
    Sizes(Rc<[i32]>),
    /// A native value.
    Native,
}

impl SharedValue {
    fn new(value: PropertyValue) -> Self {
        match value {
            PropertyValue::Absent => Self::Absent,
            PropertyValue::Attribute(index) => Self::Attribute(index.number()),
            PropertyValue::Segments(sizes) => Self::Sizes(sizes.into()),
            _ => Self::Native,
        }
    }

    /// The bytes of the value's list.
    fn held(&self) -> usize {
        if let Self::Sizes(sizes) = self { size_of_val(&**sizes) } else { 0 }
    }
}

/// A dictionary as pairs of name and value.
enum Pairs {
    Few(Vec<(u32, u32)>),
    Many(Arc<Dictionary>),
}

impl Pairs {
    fn get(&self, name: &str, entries: &FileEntries<'_>) -> Option<u32> {
        match self {
            // The last of several attributes with one name is used.
            Self::Few(pairs) => {
                let is_named =
                    |pair: &&(u32, u32)| string_of(entries, AttrId::new(pair.0)) == Some(name.as_bytes());
                pairs.iter().rfind(is_named).map(|pair| pair.1)
            }
            Self::Many(dictionary) => {
                let range = dictionary.find(name.as_bytes(), entries);
                dictionary.pairs.get(range)?.last().map(|pair| pair.1)
            }
        }
    }
}

/// The attributes of one op, by name.
struct Values<'v, 'm> {
    blob: &'v Blob<'m>,
    pairs: Option<Pairs>,
    entries: &'v FileEntries<'m>,
}

impl Values<'_, '_> {
    fn get(&self, name: &str) -> Option<SharedValue> {
        let in_dictionary = |name: &str| self.pairs.as_ref()?.get(name, self.entries);
        let property = self.blob.properties.iter().find(|(field, _)| field.name() == name);
        if let Some((field, _)) = property.filter(|(field, _)| field.is_in_dictionary)
            && let Some(value) = field.names().filter_map(in_dictionary).last()
        {
            return Some(SharedValue::Attribute(value));
        }
        match property.map(|(_, value)| value) {
            Some(SharedValue::Absent) | None => in_dictionary(name).map(SharedValue::Attribute),
            Some(value) => Some(value.clone()),
        }
    }

    fn attribute(&self, name: &str) -> Option<u32> {
        if let SharedValue::Attribute(index) = self.get(name)? { Some(index) } else { None }
    }
}

/// Blobs and attributes with more bytes are kept; a shorter one is read again, which takes less memory.
const LONG: usize = 64;

/// The bytes that an entry of a map takes besides its key and value.
const ENTRY: usize = 16;

impl<'m> Checker<'m, '_> {
    /// Reads the attributes of an op, once for each name, blob and dictionary.
    pub(super) fn attributes(&mut self, op: &Operation<'m>, rules: &Rules) -> Result<Rc<AttributeFacts>> {
        let absent = u32::MAX;
        let key = (
            op.name_id().number(),
            op.properties().map_or(absent, |blob| blob.number()),
            op.attribute_dictionary().map_or(absent, |dictionary| dictionary.number()),
        );
        if let Some(facts) = self.facts.get(&key) {
            return Ok(facts.clone());
        }
        let blob = self.blob(op, (key.0, key.1))?;
        let mut facts = AttributeFacts { is_known: blob.is_known, ..AttributeFacts::default() };
        if blob.is_known {
            let pairs = op.attribute_dictionary().map(|dictionary| self.pairs(dictionary)).transpose()?;
            let values = Values { blob: &blob, pairs, entries: self.entries };
            self.fill(&mut facts, &values, rules)?;
        }
        let facts = Rc::new(facts);
        let bytes = size_of::<(u32, u32, u32)>() + size_of::<AttributeFacts>() + 64;
        let bytes = bytes + facts.complaints.iter().map(String::len).sum::<usize>();
        let bytes = bytes + facts.verified.len() * size_of::<VerifiedAttribute>();
        self.hold(bytes)?;
        self.facts.insert(key, facts.clone());
        Ok(facts)
    }

    fn fill(&mut self, found: &mut AttributeFacts, values: &Values<'_, 'm>, rules: &Rules) -> Result<()> {
        for required in &rules.attributes {
            match values.get(&required.name) {
                None if required.is_required => {
                    found.complaints.push(format!("requires the attribute `{}`", required.name));
                }
                Some(SharedValue::Attribute(index)) => {
                    if let Some(wrong) = self.wrong_attribute(required, AttrId::new(index))? {
                        found.complaints.push(format!("the attribute `{}`{wrong}", required.name));
                    }
                }
                _ => {}
            }
        }
        let value_of = |names: [&str; 2]| names.into_iter().find_map(|name| values.get(name));
        found.operands = self.sizes(value_of(["operandSegmentSizes", "operand_segment_sizes"]))?;
        found.results = self.sizes(value_of(["resultSegmentSizes", "result_segment_sizes"]))?;
        let of_branch = rules.branch.as_ref().and_then(|branch| branch.sizes.as_deref());
        found.branch_sizes = self.sizes(of_branch.and_then(|name| values.get(name)))?;
        if rules.has_symbol
            && let Some(index) = values.attribute("sym_name")
        {
            found.symbol = string_of(self.entries, AttrId::new(index))
                .map(|text| self.symbol_number(text))
                .transpose()?;
            if let Some(index) = values.attribute("sym_visibility") {
                found.visibility = Visibility::of(string_of(self.entries, AttrId::new(index)));
            }
        }
        for name in rules.type_traits.iter().flat_map(TypeTrait::attributes) {
            if let Some(index) = values.attribute(name)
                && let Some(value) = Attribute::of_file(self.module.tables(), AttrId::new(index))?
            {
                match type_of(&value) {
                    Some(of) => found.types.push((name.into(), of)),
                    None if value.class() == Some("StringAttr") => found.without_type.push(name.into()),
                    None => {}
                }
            }
        }
        let of_constants: &[&str] = if rules.is_constant { &["value"] } else { &[] };
        for &name in rules.verifiers.iter().flat_map(|rule| rule.attributes).chain(of_constants) {
            if !found.verified.iter().any(|attribute| attribute.name == name)
                && let Some(index) = values.attribute(name)
                && let Some(value) = Attribute::of_file(self.module.tables(), AttrId::new(index))?
            {
                let entry = self.entries.entry(EntryRef::Attribute(AttrId::new(index)));
                let is_long = entry.is_none_or(|entry| entry.data.len() > LONGEST);
                found.verified.push(VerifiedAttribute { name, value, is_long });
            }
        }
        for name in rules.stated.iter().flat_map(AppliedRule::attributes) {
            if found.verified.iter().any(|attribute| attribute.name == name) {
                continue;
            }
            match values.get(name) {
                None | Some(SharedValue::Absent) => {}
                Some(SharedValue::Attribute(index)) => {
                    let Some(value) = Attribute::of_file(self.module.tables(), AttrId::new(index))? else {
                        found.unread.push(name);
                        continue;
                    };
                    let is_long = value.payload().len() > LONGEST;
                    found.verified.push(VerifiedAttribute { name, value, is_long });
                }
                Some(_) => found.unread.push(name),
            }
        }
        for rule in &rules.counts {
            let elements = match values.get(&rule.attribute) {
                None => Elements::Absent,
                Some(SharedValue::Attribute(index)) => self.element_count(AttrId::new(index))?,
                Some(_) => Elements::Unknown,
            };
            found.counts.push(elements);
            if rule.is_unique
                && let Some(index) = values.attribute(&rule.attribute)
                && let Some(value) = self.repeated_element(AttrId::new(index))?
            {
                found.complaints.push(rule.repeated(value));
            }
        }
        Ok(())
    }

    /// Returns the index of an attribute of any operation: the outer `None` stands for an unreadable one, the inner one
    /// for an absent one.
    pub(super) fn attribute_named(&mut self, op: &Operation<'m>, name: &str) -> Result<Option<Option<u32>>> {
        let absent = u32::MAX;
        let properties = op.properties().map_or(absent, |blob| blob.number());
        let blob = self.blob(op, (op.name_id().number(), properties))?;
        if !blob.is_known {
            return Ok(None);
        }
        let pairs = op.attribute_dictionary().map(|dictionary| self.pairs(dictionary)).transpose()?;
        let values = Values { blob: &blob, pairs, entries: self.entries };
        Ok(match values.get(name) {
            None | Some(SharedValue::Absent) => Some(None),
            Some(SharedValue::Attribute(index)) => Some(Some(index)),
            Some(_) => None,
        })
    }

    /// Returns the number of a symbol that an operation defines.
    pub(super) fn known_symbol(&self, text: &[u8]) -> Option<u32> {
        self.known.symbols.get(text).copied()
    }

    /// Returns the number of the symbol in a string attribute.
    pub(super) fn symbol_of_attribute(&mut self, index: u32) -> Result<Option<u32>> {
        string_of(self.entries, AttrId::new(index)).map(|text| self.symbol_number(text)).transpose()
    }

    fn blob(&mut self, op: &Operation<'m>, key: (u32, u32)) -> Result<Rc<Blob<'m>>> {
        if let Some(known) = self.known.blobs.get(&key) {
            return Ok(known.clone());
        }
        let mut properties = Vec::new();
        let read = self.source.reader.read_parts(
            op.name_id(),
            op.properties(),
            None,
            &mut properties,
            &mut Vec::new(),
        )?;
        let properties: Vec<_> = properties
            .into_iter()
            .map(|property| (property.field, SharedValue::new(property.value)))
            .collect();
        let is_known = read == Inherent::Known;
        let blob_size =
            op.properties().and_then(|blob| self.source.reader.blob_size(blob)).unwrap_or_default();
        if blob_size <= LONG {
            return Ok(Rc::new(Blob { is_known, properties }));
        }
        let lists = properties.iter().map(|(_, value)| value.held()).sum::<usize>();
        self.hold(
            lists
                + properties.len() * size_of::<(&PropertyField, SharedValue)>()
                + size_of::<Blob<'_>>()
                + ENTRY,
        )?;
        let blob = Rc::new(Blob { is_known, properties });
        self.known.blobs.insert(key, blob.clone());
        Ok(blob)
    }

    fn pairs(&self, dictionary: AttrId) -> Result<Pairs> {
        if may_be_long(dictionary, self.entries) {
            return Ok(Pairs::Many(self.module.dictionary(dictionary, self.entries)?));
        }
        let mut pairs = Vec::new();
        split(None, dictionary, self.entries, &mut [], &mut pairs)?;
        Ok(Pairs::Few(pairs))
    }

    /// Describes an error of an attribute, as the rest of a sentence about it.
    fn wrong_attribute(&mut self, rule: &AttributeRule, index: AttrId) -> Result<Option<Rc<str>>> {
        if !self.is_long(index) {
            return self.evaluate(rule, index);
        }
        let constraint = match self.known.constraints.get(&rule.key) {
            Some(&known) => known,
            None => {
                let number = u32::try_from(self.known.constraints.len()).unwrap_or(u32::MAX);
                self.known.constraints.insert(rule.key.clone(), number);
                number
            }
        };
        if let Some(known) = self.known.verdicts.get(&(constraint, index.number())) {
            return Ok(known.clone());
        }
        let wrong = self.evaluate(rule, index)?;
        let bytes = size_of::<((u32, u32), Option<Rc<str>>)>() + ENTRY;
        self.hold(bytes + wrong.as_ref().map_or(0, |text| text.len() + ENTRY))?;
        self.known.verdicts.insert((constraint, index.number()), wrong.clone());
        Ok(wrong)
    }

    fn evaluate(&self, rule: &AttributeRule, index: AttrId) -> Result<Option<Rc<str>>> {
        if rule.class.fits(index, self.entries) {
            let value = Attribute::of_file(self.module.tables(), index)?;
            let wrong = value.and_then(|value| rule.numbers.complaint(&value));
            return Ok(wrong.map(|wrong| format!(": {wrong}").into()));
        }
        let (expected, instead) = rule.class.mismatch(&rule.storage, index, self.entries);
        Ok(Some(format!(" is {instead}, expected {expected}").into()))
    }

    fn is_long(&self, attribute: AttrId) -> bool {
        self.entries.entry(EntryRef::Attribute(attribute)).is_some_and(|entry| entry.data.len() > LONG)
    }

    fn sizes(&mut self, value: Option<SharedValue>) -> Result<Option<Rc<[i32]>>> {
        let index = match value {
            Some(SharedValue::Attribute(index)) => index,
            Some(SharedValue::Sizes(sizes)) => return Ok(Some(sizes)),
            _ => return Ok(None),
        };
        if let Some(known) = self.known.sizes.get(&index) {
            return Ok(known.clone());
        }
        let sizes: Option<Rc<[i32]>> =
            segment_sizes(&PropertyValue::Attribute(AttrId::new(index)), self.entries).map(Into::into);
        if self.is_long(AttrId::new(index)) {
            let bytes = sizes.as_ref().map_or(0, |sizes| size_of_val(&**sizes));
            self.hold(bytes + size_of::<(u32, Option<Rc<[i32]>>)>() + ENTRY)?;
            self.known.sizes.insert(index, sizes.clone());
        }
        Ok(sizes)
    }

    fn element_count(&mut self, index: AttrId) -> Result<Elements> {
        if let Some(&known) = self.known.counts.get(&index) {
            return Ok(known);
        }
        let count = match Attribute::of_file(self.module.tables(), index)? {
            Some(value) => self.count_elements(&value)?,
            None => None,
        };
        let elements = count.map_or(Elements::Unknown, Elements::Count);
        if self.is_long(index) {
            self.hold(size_of::<(u32, Elements)>() + ENTRY)?;
            self.known.counts.insert(index, elements);
        }
        Ok(elements)
    }

    // Returns the first integer of an array that equals an earlier one.
    fn repeated_element(&mut self, index: AttrId) -> Result<Option<i64>> {
        if let Some(&repeated) = self.known.repeated.get(&index) {
            return Ok(repeated);
        }
        let len = self.entries.entry(EntryRef::Attribute(index)).map_or(0, |entry| entry.data.len());
        // Room for a list and a set of numbers; each number takes at least a byte of the file.
        let lists = self.module.tables().work_budget().hold(len.saturating_mul(3 * size_of::<i64>()))?;
        let numbers = Attribute::of_file(self.module.tables(), index)?.and_then(|value| value.integers());
        let mut seen = HashSet::new();
        let repeated = numbers.into_iter().flatten().find(|&number| !seen.insert(number));
        drop(lists);
        if self.is_long(index) {
            self.hold(size_of::<(u32, Option<i64>)>() + ENTRY)?;
            self.known.repeated.insert(index, repeated);
        }
        Ok(repeated)
    }

    // Returns the number of elements of an attribute of the builtin dialect; `None` if it has no elements.
    fn count_elements(&mut self, value: &Attribute) -> Result<Option<u64>> {
        let Some(class) = value.class().filter(|_| value.is_builtin()) else { return Ok(None) };
        if class.ends_with("ElementsAttr") {
            let Some(of) = type_of(value) else { return Ok(None) };
            return Ok(self.types.get(of)?.shape.as_ref().and_then(Shape::element_count));
        }
        let field = match class {
            "DenseArrayAttr" => "size",
            "ArrayAttr" => "value",
            _ => return Ok(None),
        };
        Ok(match value.field(field) {
            Ok(Some(FieldValue::Unsigned(count))) => Some(count),
            Ok(Some(FieldValue::List(items))) => Some(items.len() as u64),
            _ => None,
        })
    }

    // Equal symbols have one number, and each string of the file is compared once.
    fn symbol_number(&mut self, text: &[u8]) -> Result<u32> {
        let place = (text.as_ptr().addr(), text.len());
        if let Some(&number) = self.known.places.get(&place) {
            return Ok(number);
        }
        let mut bytes = size_of::<((usize, usize), u32)>() + ENTRY;
        let known_number = self.known.symbols.get(text).copied();
        if known_number.is_none() {
            bytes += text.len() + 2 * size_of::<(Rc<[u8]>, u32)>() + 2 * ENTRY;
        }
        self.hold(bytes)?;
        let number = known_number.unwrap_or_else(|| {
            let number = u32::try_from(self.known.symbol_texts.len()).unwrap_or(u32::MAX);
            let text: Rc<[u8]> = text.into();
            self.known.symbol_texts.push(text.clone());
            self.known.symbols.insert(text, number);
            number
        });
        self.known.places.insert(place, number);
        Ok(number)
    }

    /// Returns as much of a symbol as a message shows.
    pub(super) fn shown_symbol(&self, number: u32) -> String {
        let text = self.known.symbol_texts.get(number as usize).map_or(&[][..], |text| text);
        match text.get(..SHOWN) {
            Some(start) if text.len() > SHOWN => format!("{}…", String::from_utf8_lossy(start)),
            _ => String::from_utf8_lossy(text).into_owned(),
        }
    }
}

/// Returns the type of a builtin attribute with a type.
fn type_of(value: &Attribute) -> Option<TypeId> {
    let class = value.class().filter(|_| value.is_builtin())?;
    let has_type =
        class.ends_with("ElementsAttr") || matches!(class, "IntegerAttr" | "FloatAttr" | "StringAttr");
    match value.field("type") {
        Ok(Some(FieldValue::Type(of))) if has_type => of.id(),
        _ => None,
    }
}
