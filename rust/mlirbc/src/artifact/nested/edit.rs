//! Replacement of nested modules: the attributes that hold the modules change at all operations.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::attr::{Attribute, FieldValue, Type};
use crate::edit::Editor;
use crate::ir::Module;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::write::{Numbering, WriteOptions};

use super::attributes::{named, string_of, with_entries, with_field};
use super::encoding::digest;
use super::scan::{AttributesKey, ContentKind, Holder, Scan, key_of};
use super::values::translate_value;
use super::{NestedModule, check_depth};

/// Receives each nested module after the modules inside it, and returns the bytes of its replacement.
pub(crate) type Change<'c> = dyn FnMut(&NestedModule) -> Result<Option<Bytes>> + 'c;

/// Returns the module with changed nested modules; `None` if all keep their bytes.
///
/// # Errors
/// The errors of listing the nested modules, of `change`, and of editing the module.
pub(crate) fn with_changes(module: &Module, path: &str, change: &mut Change<'_>) -> Result<Option<Module>> {
    changed(module, path, 0, &module.tables().work_budget(), change)
}

/// Returns the module with its nested modules in canonical form and without locations, so that locations do
/// not count in a comparison. `None` if there are no nested modules, or if one of them cannot be found in its
/// attribute. A nested module that cannot be read does not change.
///
/// # Errors
/// Exhausted limits, and an interrupt.
pub(crate) fn without_nested_locations(module: &Module) -> Result<Option<Module>> {
    let numbering = Numbering::Canonical;
    let options = WriteOptions { numbering, strip_locations: true, ..WriteOptions::default() };
    let limits = module.limits().clone();
    let is_lasting = |error: &Error| matches!(error.class(), ErrorClass::Limit | ErrorClass::Interrupted);
    let changed = with_changes(module, "", &mut |nested| match nested.written(&options, &limits) {
        Err(error) if !is_lasting(&error) => Ok(None),
        written => written.map(Some),
    });
    match changed {
        Err(error) if !is_lasting(&error) => Ok(None),
        changed => changed,
    }
}

/// The recursion is bounded by the most levels of nested modules.
fn changed(
    module: &Module,
    path: &str,
    depth: usize,
    budget: &Budget,
    change: &mut Change<'_>,
) -> Result<Option<Module>> {
    let scan = Scan::of(module, path, budget)?;
    check_depth(&scan, depth)?;
    let mut replacements: HashMap<usize, Bytes> = HashMap::new();
    for (index, nested) in scan.modules.iter().enumerate() {
        let mut current = nested.clone();
        // A module that cannot be read has no nested modules that could change.
        if let (false, Ok(inner)) = (nested.is_text, nested.open_in(module))
            && let Some(inner) = changed(&inner, &nested.path, depth + 1, budget, change)?
        {
            current.bytes = inner.source().get(0..inner.source().len())?;
        }
        if let Some(bytes) = change(&current)? {
            current.bytes = bytes;
        }
        if current.bytes != nested.bytes {
            budget.spend(current.bytes.len())?;
            replacements.insert(index, current.bytes);
        }
    }
    if replacements.is_empty() {
        return Ok(None);
    }
    put_back(module, &scan, &replacements, budget).map(Some)
}

fn put_back(
    module: &Module,
    scan: &Scan,
    replacements: &HashMap<usize, Bytes>,
    budget: &Budget,
) -> Result<Module> {
    let mut values: HashMap<usize, Attribute> = HashMap::new();
    for (index, hosted) in scan.values.iter().enumerate() {
        let Some(host) = hosted.row.host() else { continue };
        let mut contents = hosted.contents.iter();
        let new = translate_value(&host.encoding, &hosted.value, budget, &mut |_| {
            Ok(match contents.next() {
                Some(ContentKind::Module(index)) => replacements.get(index).cloned(),
                _ => None,
            })
        })?;
        values.extend(new.map(|new| (index, new)));
    }
    let mut editor = Editor::new(module.clone())?;
    let mut changes: HashMap<AttributesKey, Vec<(String, Attribute)>> = HashMap::new();
    for op in module.operation()?.pre_order() {
        module.tables().check_interrupt()?;
        let op = op?;
        let key = key_of(&op);
        let Some(holders) = scan.holders.get(&key) else { continue };
        let list = match changes.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let mut list = Vec::new();
                for holder in holders {
                    list.extend(holder.changes(scan, &values, replacements)?);
                }
                place.insert(list)
            }
        };
        if list.is_empty() {
            continue;
        }
        let edited = editor.op(op.body_id(), op.id())?;
        let list: Vec<_> = list.iter().map(|(name, value)| (name.as_bytes(), value)).collect();
        editor.set_attributes(edited, &list)?;
    }
    let options = WriteOptions { numbering: Numbering::Strictest, ..WriteOptions::default() };
    editor.prepare_write(&options)?.into_module()
}

impl Holder {
    /// The attributes of an operation that change with its module.
    fn changes(
        &self,
        scan: &Scan,
        values: &HashMap<usize, Attribute>,
        replacements: &HashMap<usize, Bytes>,
    ) -> Result<Vec<(String, Attribute)>> {
        let (Some(new), Some(hosted)) = (values.get(&self.value), scan.values.get(self.value)) else {
            return Ok(Vec::new());
        };
        let Some(host) = hosted.row.host() else { return Ok(Vec::new()) };
        let module = hosted.contents.iter().find_map(|content| match content {
            ContentKind::Module(index) => Some((scan.modules.get(*index)?, replacements.get(index)?)),
            ContentKind::Object => None,
        });
        let mut hash = None;
        if let (Some((stored, true)), Some(name), Some((_, bytes))) = (&self.hash, &host.hash, module) {
            let digest = Bytes::copy_from_slice(&digest(bytes));
            hash = Some((&**name, with_field(stored, "value", FieldValue::String(digest))?));
        }
        let mut list = Vec::new();
        match (&self.dictionary, &host.key) {
            (Some(dictionary), Some(key)) => {
                let entries = match &hash {
                    Some((name, _)) => named(&super::attributes::entries(dictionary)?, name).is_some(),
                    None => false,
                };
                let mut changes = vec![(&**key, new.clone())];
                changes.extend(hash.clone().filter(|_| entries));
                if entries {
                    hash = None;
                }
                list.push((self.attribute.clone(), with_entries(dictionary, &changes)?));
            }
            _ => list.push((self.attribute.clone(), new.clone())),
        }
        list.extend(hash.map(|(name, hash)| (name.to_owned(), hash)));
        if let (Some(sized), Some(name)) = (&self.sized, &host.sized) {
            let sizes = (held_size(&hosted.value)?, held_size(new)?);
            let resized = resized(sized, sizes);
            let (path, target) =
                module.map_or((String::new(), ""), |(nested, _)| (nested.path.clone(), &*nested.target));
            let fixed = || {
                let message =
                    format!("module `{path}` cannot have another size: `{name}` of `{target}` fixes it");
                Error::message(ErrorKind::Value, message)
            };
            if sizes.0 != sizes.1 {
                list.push((name.to_string(), resized?.ok_or_else(fixed)?));
            }
        }
        Ok(list)
    }
}

/// Returns the number of bytes that an attribute holds.
fn held_size(value: &Attribute) -> Result<usize> {
    if let Some(bytes) = string_of(value)? {
        return Ok(bytes.len());
    }
    Ok(match value.field("data")? {
        Some(FieldValue::Blob(bytes)) => bytes.len(),
        _ => 0,
    })
}

/// Returns the type `!llvm.array<4 x i8>` in an attribute with another count; `None` if it has another form.
fn resized(sized: &Attribute, (old, new): (usize, usize)) -> Result<Option<Attribute>> {
    const ARRAY: &[u8] = b"!llvm.array<";
    let Some(FieldValue::Type(array)) = sized.field("value")? else { return Ok(None) };
    let Some(text) = array.text() else { return Ok(None) };
    let after_count =
        text.strip_prefix(ARRAY).and_then(|after_count| after_count.strip_prefix(old.to_string().as_bytes()));
    let Some(after_count) = after_count.filter(|after_count| matches!(*after_count, b" x i8>" | b"xi8>"))
    else {
        return Ok(None);
    };
    let text = [ARRAY, new.to_string().as_bytes(), after_count].concat();
    let array = Type::from_text_entry(&array.dialect(), text)?;
    with_field(sized, "value", FieldValue::Type(array)).map(Some)
}
