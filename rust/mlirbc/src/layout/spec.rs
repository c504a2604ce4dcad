//! Combining specifications from the outermost scope to the innermost, and comparing them
//! (`combineOneSpec` in `mlir/lib/Dialect/DLTI/DLTI.cpp`).

use std::collections::{HashMap, HashSet};

use crate::attr::Attribute;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, HeldMemory};

use super::dlti::{DltiAttr, DltiEntry, DltiKey, brief, shorten};
use super::entry;
use super::entry::PointerSpec;
use super::registrations::Registrations;
use super::rfc::{self, Rules};
use super::rules::nested;
use super::shape::{Class, Node, Shape};

/// An effective entry and its scope.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) entry: DltiEntry,
    /// The analysed key of a type entry.
    pub(crate) shape: Option<Shape>,
    pub(crate) class: Option<Class>,
    /// The number of the scope, the outermost being 0.
    pub(crate) scope: usize,
}

/// The effective entries at some position.
#[derive(Debug, Default)]
pub(crate) struct EffectiveEntries {
    pub(crate) entries: Vec<Entry>,
    /// The number of changes.
    version: u64,
    /// Specifications that changed nothing, and the version at that time: many scopes may share one
    /// specification.
    settled: HashMap<usize, u64>,
    held: Option<HeldMemory>,
}

impl EffectiveEntries {
    /// Copies the entries, so that more can be added.
    ///
    /// # Errors
    /// If the budget has no memory for the copy.
    pub(crate) fn copied(&self, budget: &Budget) -> Result<Self> {
        let of_shapes: usize =
            self.entries.iter().filter_map(|entry| entry.shape.as_ref()).map(Shape::bytes).sum();
        let held = budget.hold(size_of_val(&*self.entries) + of_shapes)?;
        let (entries, settled) = (self.entries.clone(), self.settled.clone());
        Ok(Self { entries, version: self.version, settled, held: Some(held) })
    }

    /// Returns the index of each entry by the key under which it is combined.
    #[allow(clippy::mutable_key_type)] // what changes in a value is a cache
    pub(crate) fn places(&self, rules: Rules) -> HashMap<DltiKey, usize> {
        let entries = self.entries.iter().enumerate();
        entries.map(|(place, entry)| (combined_key(&entry.entry.key, rules), place)).collect()
    }

    /// Adds the entries of the scope with this number to the entries of the scopes around it; `false` if
    /// nothing changed.
    ///
    /// # Errors
    /// If the specification is invalid, or conflicts with the enclosing ones.
    pub(crate) fn add(
        &mut self,
        spec: &DltiAttr,
        scope: usize,
        (dialects, types): (&HashSet<String>, &Registrations),
        nesting: Nesting,
        budget: &Budget,
    ) -> Result<bool> {
        let address = spec.address();
        // A specification that changed nothing changes nothing again, and is still valid.
        if self.settled.get(&address) == Some(&self.version) {
            return Ok(false);
        }
        let (inner, held) = read(spec, scope, dialects, types, budget)?;
        let is_new = combine(&mut self.entries, inner, nesting, types)?;
        if is_new {
            self.version += 1;
            match &mut self.held {
                Some(all) => all.merge(held),
                none => *none = Some(held),
            }
        } else {
            self.settled.insert(address, self.version);
        }
        Ok(is_new)
    }
}

/// Reads and verifies the entries of one attribute, and holds their memory.
fn read(
    spec: &DltiAttr,
    scope: usize,
    dialects: &HashSet<String>,
    types: &Registrations,
    budget: &Budget,
) -> Result<(Vec<Entry>, HeldMemory)> {
    let mut entries = Vec::new();
    let mut all = budget.hold(0)?;
    for entry in spec.entries() {
        let shape = match &entry.key {
            DltiKey::Type(r#type) => {
                let (shape, held) = Shape::of(r#type, budget)?;
                all.merge(held);
                Some(shape)
            }
            DltiKey::Identifier(_) => None,
        };
        let class = shape.as_ref().map(Shape::class);
        entries.push(Entry { entry, shape, class, scope });
    }
    // A dialect is in use if a key or a value belongs to it.
    let mut used = dialects.clone();
    for Entry { entry, .. } in &entries {
        if let DltiKey::Type(r#type) = &entry.key {
            used.insert(r#type.dialect());
        }
        used.insert(entry.value.dialect());
    }
    for Entry { entry, shape, .. } in &entries {
        match (&entry.key, shape) {
            (DltiKey::Identifier(name), _) if types.identifier_rules(name).is_some() => {
                if let Some(rules) = types.identifier_rules(name) {
                    let key = String::from_utf8_lossy(name);
                    nested(|| registered(&key), || rules.verify(&key, &entry.value))?;
                }
            }
            (DltiKey::Type(_), Some(shape)) if types.rules == Rules::Rfc => rfc::verify(entry, shape, types)?,
            (DltiKey::Identifier(name), _) if types.rules == Rules::Rfc => {
                rfc::verify_identifier(name, entry)?;
            }
            _ => entry::verify(entry, shape.as_ref(), &used, types)?,
        }
    }
    check_keys(&entries, types.rules)?;
    for (class, members) in by_class(&entries) {
        if let Class::Other(name) = &class
            && let Some(type_layout) = types.get(name)
        {
            let members: Vec<DltiEntry> = members.iter().map(|entry| entry.entry.clone()).collect();
            type_layout.verify_entries(&members)?;
        }
    }
    Ok((entries, all))
}

/// Returns the key under which an entry is combined and found: a name of the RFC becomes MLIR's name for the
/// same identifier.
pub(crate) fn combined_key(key: &DltiKey, rules: Rules) -> DltiKey {
    match key {
        DltiKey::Identifier(name) if rules == Rules::Rfc => match rfc::name_in_mlir(name) {
            Some(name) => DltiKey::from(name),
            None => key.clone(),
        },
        key => key.clone(),
    }
}

/// Checks for repeated keys. Different spellings may be the same key; equal spellings are refused when a
/// specification is parsed.
#[allow(clippy::mutable_key_type)] // what changes in a value is a cache
fn check_keys(entries: &[Entry], rules: Rules) -> Result<()> {
    let mut keys = HashSet::new();
    for Entry { entry, .. } in entries {
        if !keys.insert(combined_key(&entry.key, rules)) {
            let message = format!("the key {} has a value under its other name", entry.key.brief());
            return Err(Error::message(ErrorKind::LayoutDuplicateKey, message));
        }
    }
    Ok(())
}

fn registered(key: &str) -> String {
    format!("the registered rule for `{}`", shorten(key))
}

/// Groups entries by class, in the order of the first entry of each class.
fn by_class<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<(Class, Vec<&'e Entry>)> {
    let mut places: HashMap<&Class, usize> = HashMap::new();
    let mut classes: Vec<(Class, Vec<&Entry>)> = Vec::new();
    for entry in entries {
        let Some(class) = &entry.class else { continue };
        let place = *places.entry(class).or_insert_with(|| {
            classes.push((class.clone(), Vec::new()));
            classes.len() - 1
        });
        classes[place].1.push(entry);
    }
    classes
}

/// How nested specifications are treated where MLIR 22 crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nesting {
    /// Reject specifications that make MLIR 22 crash.
    pub(crate) strict: bool,
}

/// Adds the entries of an inner scope to the entries around it; `false` if they are equal.
#[allow(clippy::mutable_key_type)] // what changes in a value is a cache
fn combine(
    outer: &mut Vec<Entry>,
    mut inner: Vec<Entry>,
    nesting: Nesting,
    types: &Registrations,
) -> Result<bool> {
    let key_of = |entry: &DltiEntry| combined_key(&entry.key, types.rules);
    let mut places: HashMap<DltiKey, usize> =
        outer.iter().enumerate().map(|(place, entry)| (key_of(&entry.entry), place)).collect();
    for Entry { entry, .. } in inner.iter_mut().filter(|entry| entry.class.is_none()) {
        let outer_entry = places.get(&key_of(entry)).map(|&place| &outer[place].entry);
        if let Some(outer_entry) = outer_entry.filter(|outer_entry| outer_entry.value != entry.value) {
            if let DltiKey::Identifier(name) = &entry.key
                && let Some(rules) = types.identifier_rules(name)
            {
                let key = String::from_utf8_lossy(name);
                entry.value =
                    nested(|| registered(&key), || rules.combine(&key, &outer_entry.value, &entry.value))?;
                continue;
            }
            if types.rules == Rules::Rfc {
                continue;
            }
            let (key, outer, inner) = (entry.key.brief(), brief(&outer_entry.value.0), brief(&entry.value.0));
            let message = format!("key {key} is `{inner}`, but `{outer}` in an enclosing scope");
            return Err(Error::message(ErrorKind::LayoutCombine, message));
        }
    }
    let old: HashMap<Class, Vec<&Entry>> = by_class(outer.iter()).into_iter().collect();
    for (class, new) in by_class(&inner) {
        if let Some(old) = old.get(&class) {
            check_nested(&class, old, &new, nesting, types)?;
        }
    }
    let mut is_new = false;
    for entry in inner {
        match places.get(&key_of(&entry.entry)) {
            // An equal entry keeps its first scope.
            Some(&place) if outer[place].entry.value == entry.entry.value => continue,
            Some(&place) => outer[place] = entry,
            None => {
                places.insert(key_of(&entry.entry), outer.len());
                outer.push(entry);
            }
        }
        is_new = true;
    }
    Ok(is_new)
}

#[cold]
fn incompatible(reason: &str, new: &Entry) -> Error {
    let (key, value) = (new.entry.key.brief(), brief(&new.entry.value.0));
    let message = format!("`{value}` for {key} conflicts with an enclosing scope: {reason}");
    Error::message(ErrorKind::LayoutCombine, message)
}

/// Checks that inner entries of a class are compatible with outer ones (`areCompatible` of each type).
#[allow(clippy::mutable_key_type)] // what changes in a value is a cache
fn check_nested(
    class: &Class,
    old: &[&Entry],
    new: &[&Entry],
    nesting: Nesting,
    types: &Registrations,
) -> Result<()> {
    if types.rules == Rules::Rfc && !matches!(class, Class::Other(_)) {
        // The innermost entry wins.
        return Ok(());
    }
    match class {
        class if class.is_builtin() => match new.first() {
            Some(first) if nesting.strict => Err(Error::message(
                ErrorKind::LayoutNestedBuiltin,
                format!("an enclosing scope already has entries of the class of {}", first.entry.key.brief()),
            )),
            _ => Ok(()),
        },
        Class::LlvmStruct => {
            let abi = |entry: &Entry| entry::numbers(&entry.entry.value).first().copied().unwrap_or(0);
            let (Some(old), Some(new)) = (old.first(), new.first()) else { return Ok(()) };
            check_alignment(abi(old), abi(new), new)
        }
        Class::LlvmPointer | Class::Pointer => {
            // Two entries for one memory space have different spellings; the first applies.
            let mut spaces = HashMap::new();
            for entry in old {
                spaces.entry(space(entry)).or_insert(*entry);
            }
            new.iter().try_for_each(|entry| check_pointer(class, spaces.get(&space(entry)), entry, nesting))
        }
        Class::Other(name) => {
            let Some(type_layout) = types.get(name) else { return Ok(()) };
            let entries = |list: &[&Entry]| list.iter().map(|entry| entry.entry.clone()).collect::<Vec<_>>();
            match (type_layout.are_compatible(&entries(old), &entries(new))?, new.first()) {
                (false, Some(first)) => Err(incompatible("the layout of the type rejects it", first)),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Checks that an inner ABI alignment divides the outer one.
fn check_alignment(outer: u64, inner: u64, new: &Entry) -> Result<()> {
    if inner == 0 {
        let message = format!("the ABI alignment for {} is zero", new.entry.key.brief());
        return Err(Error::message(ErrorKind::LayoutZero, message));
    }
    if inner > outer || !outer.is_multiple_of(inner) {
        let reason = format!("the ABI alignment does not divide the outer one of {outer} bits");
        return Err(incompatible(&reason, new));
    }
    Ok(())
}

/// The memory space of a pointer.
#[derive(PartialEq, Eq, Hash)]
enum Space<'e> {
    Number(u64),
    Attribute(&'e Attribute),
    None,
}

fn space(entry: &Entry) -> Space<'_> {
    match entry.shape.as_ref().map(Shape::root) {
        Some(Node::LlvmPointer(space)) => Space::Number(*space),
        Some(Node::Pointer(space)) => Space::Attribute(space),
        _ => Space::None,
    }
}

fn check_pointer(class: &Class, same: Option<&&Entry>, new: &Entry, nesting: Nesting) -> Result<()> {
    let (size, abi) = size_and_abi(new);
    match (class, same) {
        // MLIR compares the entry of the generic pointer with itself as if it were its value, so the two are
        // never equal.
        (Class::Pointer, Some(_)) => Err(incompatible("the memory space already has an entry", new)),
        (_, Some(_)) if nesting.strict => Err(Error::message(
            ErrorKind::LayoutNestedPointer,
            format!(
                "an enclosing scope already has an entry for the address space of {}",
                new.entry.key.brief()
            ),
        )),
        (_, Some(old)) => {
            let (outer_size, outer_abi) = size_and_abi(old);
            if size != outer_size {
                return Err(incompatible(&format!("the size is {outer_size} bits there"), new));
            }
            check_alignment(outer_abi, abi, new)
        }
        // MLIR compares the default alignment, 8 bytes, with a number of bits.
        (_, None) => {
            if size != 64 {
                return Err(incompatible(
                    "the address space has no entry there, which requires a size of 64 bits",
                    new,
                ));
            }
            check_alignment(8, abi, new)
        }
    }
}

fn size_and_abi(entry: &Entry) -> (u64, u64) {
    if let Some(PointerSpec { size, abi, .. }) = entry::pointer_spec(&entry.entry.value) {
        return (size, abi);
    }
    match entry::numbers(&entry.entry.value)[..] {
        [size, abi, ..] => (size, abi),
        _ => (0, 0),
    }
}
