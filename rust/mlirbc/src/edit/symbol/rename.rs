//! Renaming a symbol.
//!
//! The names in a reference depend on its position: `@inner` in the symbol table of the symbol,
//! `@outer::@inner` around it. Ops share equal attributes, so renamed ops get new ones, and the old ones
//! remain for references to other symbols. If bytes of unknown layout may contain a reference, their op
//! cannot get another one; the references are then changed in place, provided that all their users refer to
//! this symbol.

mod suspects;

use std::collections::HashMap;

use crate::attr::Attribute;
use crate::dialect::entries::{Bounds, Entries, EntryRef};
use crate::edit::arena::{ArenaOp, ArenaValue, EditAttr, EditBlob, EditType, ROOT, WalkStep, Walker};
use crate::edit::attributes::Blob;
use crate::edit::symbol::scope::ScopeTable;
use crate::edit::{EditOp, Editor, field_string};
use crate::format::id::{AttrId, TypeId};
use crate::props::PropertyValue;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dialects::SymbolData;
use super::reference::{Marks, Renamed, Renaming, dialect_list, dialect_string, hidden, is_direct};
use super::scope::{LookupTables, SYM_NAME, Scopes, SymbolCache};
use crate::edit::attributes::OpParts;

/// After this number of rounds opaque entries are assumed to refer to anything.
const ROUNDS: usize = 8;

/// The dictionary and the properties of an op after a renaming.
type RenamedParts = (Option<EditAttr>, Option<EditBlob>);

/// The names of renamed symbols: for each table, the path to a symbol from the table, with its new name.
pub(super) type Chain = Vec<(ArenaOp, Renamed)>;

/// The renamings that apply to the references of ops, by position of the ops.
struct Rules {
    /// The renamed paths of each table.
    chain: HashMap<ScopeTable, Vec<Renamed>>,
    by_place: HashMap<LookupTables, Option<usize>>,
    renamings: Vec<Rule>,
}

struct Rule {
    renaming: Renaming,
    marks: Marks,
    done: HashMap<EntryRef, EntryRef>,
    /// The results for ops with equal parts.
    parts: HashMap<OpParts, RenamedParts>,
}

/// All changes, collected before any is applied.
#[derive(Default)]
struct Edits {
    ops: Vec<(ArenaOp, Option<EditAttr>, Option<EditBlob>)>,
    types: Vec<(ArenaValue, EditType)>,
    /// Ops with bytes of unknown layout, and their rule.
    opaque: Vec<(ArenaOp, Option<usize>)>,
}

impl Editor {
    /// Renames a symbol, in its definition and in all references: in attributes, in attributes and types
    /// inside them, in properties, in types of values, and in text. [`Self::symbol`] finds the symbol. As in
    /// MLIR, a reference is resolved in the nearest enclosing symbol table, and nested references
    /// (`@outer::@inner`) change wherever they refer to this symbol. Locations do not change.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if there is no such symbol, or its table already has the new name;
    /// [`ErrorKind::AmbiguousSymbol`] if several nested symbol tables have it; [`ErrorKind::PropertyOpaque`]
    /// if bytes of unknown layout may contain a reference that cannot be changed. Nothing is changed then.
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let module = Module::open("../../examples/two_layers.mlirbc")?;
    /// let mut editor = Editor::new(module)?;
    /// let op = editor.symbol("main")?.expect("a function");
    /// editor.rename_symbol("main", "start")?;
    /// assert_eq!(editor.attribute(op, "sym_name")?.unwrap().to_string(), "\"start\"");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn rename_symbol(&mut self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Result<()> {
        self.rename_symbol_in(old, new, None)
    }

    /// Renames a symbol of one symbol table as [`Self::rename_symbol`] does; `None` is the top level.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the scope is not a symbol table, and as [`Self::rename_symbol`].
    #[doc(hidden)]
    pub fn rename_symbol_in(
        &mut self,
        old: impl AsRef<[u8]>,
        new: impl AsRef<[u8]>,
        scope: Option<EditOp>,
    ) -> Result<()> {
        let (old, new) = (old.as_ref(), new.as_ref());
        let shown = |name: &[u8]| format!("`@{}`", String::from_utf8_lossy(name));
        let mut cache = SymbolCache::default();
        let Some(definition) = self.only_symbol(old, scope, &mut cache)? else {
            return Err(Error::message(ErrorKind::Edit, format!("there is no symbol {}", shown(old))));
        };
        if new.is_empty() {
            return Err(Error::message(ErrorKind::Value, "the name of a symbol cannot be empty"));
        }
        // The argument may be a path.
        let old = self.symbol_of(definition, &mut cache)?.unwrap_or_else(|| old.to_vec());
        if old == new {
            return Ok(());
        }
        let table = self.arena.parent(definition).unwrap_or(ROOT);
        if let Some(&other) = self.symbols_named(table, new, &mut cache)?.first() {
            let message = format!("{} is already defined by {}", shown(new), self.path(other));
            return Err(Error::message(ErrorKind::Edit, message));
        }
        let chain = self.chain(definition, (&old, new), &mut cache)?;
        self.rename_all(chain, &[(definition, new)], &old, &mut cache)
    }

    /// Renames symbols of the symbol table of the top-level operation, in one pass; no symbol of the table
    /// may have a new name yet.
    ///
    /// # Errors
    /// As [`Self::rename_symbol`]; names without a symbol are ignored.
    pub(crate) fn rename_symbols(&mut self, names: &HashMap<Vec<u8>, Vec<u8>>) -> Result<()> {
        self.encode_drafts()?;
        let mut cache = SymbolCache::default();
        let top = self.operation()?.row();
        self.load_regions(top)?;
        let Some(block) = self.first_block(top) else { return Ok(()) };
        let ops: Vec<ArenaOp> = self.arena.ops_of(block).collect();
        let mut definitions = Vec::new();
        let mut chain: Chain = Vec::new();
        for op in ops {
            let Some(old) = self.symbol_of(op, &mut cache)? else { continue };
            let Some(new) = names.get(&old) else { continue };
            definitions.push((op, &**new));
            match chain.first() {
                None => chain = self.chain(op, (&old, new), &mut cache)?,
                // The paths differ only in the last name.
                Some(_) => {
                    let first = chain.len() / (definitions.len() - 1);
                    for place in 0..first {
                        let (table, (mut path, _)) = chain[place].clone();
                        if let Some(last) = path.last_mut() {
                            last.clone_from(&old);
                        }
                        chain.push((table, (path, new.clone())));
                    }
                }
            }
        }
        let first = names.keys().next().cloned().unwrap_or_default();
        self.rename_all(chain, &definitions, &first, &mut cache)
    }

    pub(super) fn rename_all(
        &mut self,
        chain: Chain,
        definitions: &[(ArenaOp, &[u8])],
        old: &[u8],
        cache: &mut SymbolCache,
    ) -> Result<()> {
        let edits = match self.may_have_references(&chain)? {
            true => self.reference_edits(chain, old, cache)?,
            false => Edits::default(),
        };
        let mut before = Vec::with_capacity(edits.ops.len());
        for &(op, attributes, properties) in &edits.ops {
            let row = self.arena.op_mut(op);
            before.push((op, row.attributes, row.properties));
            (row.attributes, row.properties) = (attributes, properties);
        }
        for &(definition, new) in definitions {
            if let Err(error) = self.set_name(definition, new) {
                for (op, attributes, properties) in before {
                    let row = self.arena.op_mut(op);
                    (row.attributes, row.properties) = (attributes, properties);
                }
                return Err(error);
            }
        }
        for (op, ..) in before {
            self.arena.touch(op);
        }
        for (value, r#type) in edits.types {
            self.arena.values[value.index()].r#type = Some(r#type);
            self.arena.touch_value(value);
        }
        Ok(())
    }

    // Sets the name of a symbol, whose attribute keeps its class.
    fn set_name(&mut self, definition: ArenaOp, new: &[u8]) -> Result<()> {
        let text = [("value", field_string(new.to_vec()))];
        let op_name = self.name_text(definition);
        if let Some((strings, field)) = SymbolData::shipped()?.name_of(&op_name)
            && let Some(index) = self.value_named(self.parts_key(definition), field.as_bytes())?
            && dialect_string(&self.tables.view()?, strings, index).is_some()
        {
            let value = Attribute::build(&strings.dialect, &strings.string, &text)?;
            return self.set_attribute(self.handle_of(definition), field, &value);
        }
        let value = Attribute::build("builtin", "StringAttr", &text)?;
        self.set_attribute(self.handle_of(definition), SYM_NAME, &value)
    }

    // Returns the symbol tables around a symbol, with its path from each.
    pub(super) fn chain(
        &mut self,
        definition: ArenaOp,
        (old, new): (&[u8], &[u8]),
        cache: &mut SymbolCache,
    ) -> Result<Chain> {
        let mut path = vec![old.to_vec()];
        let mut chain = Vec::new();
        let mut table = self.arena.parent(definition).unwrap_or(ROOT);
        loop {
            chain.push((table, (path.clone(), new.to_vec())));
            let Some(around) = self.arena.parent(table) else { break };
            let Some(name) = self.symbol_of(table, cache)? else { break };
            self.load_regions(around)?;
            if !self.is_table(around, cache)?
                || self.symbols_named(around, &name, cache)?.first() != Some(&table)
            {
                break;
            }
            path.insert(0, name);
            table = around;
        }
        Ok(chain)
    }

    // Returns whether any attribute or type may refer to a renamed symbol.
    fn may_have_references(&self, chain: &Chain) -> Result<bool> {
        if SymbolData::shipped()?.dialects().any(|name| self.tables.has_dialect(name.as_bytes())) {
            return Ok(true);
        }
        let renaming = Renaming::new(chain.iter().map(|row| row.1.clone()).collect());
        let view = self.tables.view()?;
        Ok(entries(view.bounds()).any(|of| is_direct(&view, of, &renaming)))
    }

    fn reference_edits(&mut self, chain: Chain, old: &[u8], cache: &mut SymbolCache) -> Result<Edits> {
        let scopes = self.scopes(cache)?;
        let mut rules = Rules { chain: HashMap::new(), by_place: HashMap::new(), renamings: Vec::new() };
        for (op, path) in chain {
            if let Some(table) = scopes.table_of(op) {
                rules.chain.entry(table).or_default().push(path);
            }
        }
        let edits = self.edits(&scopes, &mut rules, true)?;
        if edits.opaque.is_empty() {
            return Ok(edits);
        }
        let suspects = self.suspects(&rules)?;
        let Some(op) = self.first_suspect(&edits.opaque, &suspects)? else { return Ok(edits) };
        if self.is_shared(&scopes, &mut rules, &suspects)? {
            return Err(hidden(&self.name_text(op), old).with_path(self.path(op)));
        }
        // Dialect strings are separate texts, which always belong to an op.
        let edits = self.edits(&scopes, &mut rules, false)?;
        self.rename_in_place(&rules)?;
        Ok(edits)
    }

    // ---- ops ----

    // Returns the changes of ops; without `references` only their strings change.
    fn edits(&mut self, scopes: &Scopes, rules: &mut Rules, references: bool) -> Result<Edits> {
        let mut edits = Edits::default();
        let mut ops: Vec<(ArenaOp, usize)> = Vec::new();
        let mut values: Vec<(ArenaValue, usize)> = Vec::new();
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => {
                    let places = scopes.places(op, self.arena.op(op).name());
                    if let Some(rule) = self.rule(scopes, rules, places)? {
                        ops.push((op, rule));
                        values.extend(self.arena.results(op).map(|value| (value, rule)));
                    }
                }
                WalkStep::BeginBlock(block) => {
                    let row = self.arena.block(block);
                    let Some(owner) = self.arena.owner_of_block(block) else { continue };
                    let places = scopes.places_inside(owner);
                    if let Some(rule) = self.rule(scopes, rules, places)? {
                        values.extend(row.arguments.iter().map(|&value| (value, rule)));
                    }
                }
                _ => {}
            }
        }
        for rule in &mut rules.renamings {
            rule.parts.clear();
        }
        for (op, number) in ops {
            let Some(rule) = rules.renamings.get_mut(number) else { continue };
            let parts = self.parts_key(op);
            let (attributes, properties) = match rule.parts.get(&parts) {
                Some(&parts) => parts,
                None => {
                    let result = self.renamed_parts(parts, rule, references);
                    let (result, is_opaque) = result.map_err(|error| error.with_path(self.path(op)))?;
                    if is_opaque {
                        edits.opaque.push((op, Some(number)));
                    }
                    rule.parts.insert(parts, result);
                    result
                }
            };
            if (attributes, properties) != (parts.1, parts.2) {
                edits.ops.push((op, attributes, properties));
            }
        }
        for (value, number) in values.into_iter().filter(|_| references) {
            let Some(rule) = rules.renamings.get_mut(number) else { continue };
            let type_ref = EntryRef::Type(TypeId::new(self.arena.value(value).r#type().number()));
            let mark = rule
                .marks
                .of(&self.tables.view()?, type_ref, None, |names| rule.renaming.place(names).is_some())?;
            if mark.is_hit
                && let EntryRef::Type(new) =
                    self.tables.renamed(type_ref, &rule.renaming, &rule.marks, &mut rule.done)?
            {
                edits.types.push((value, EditType::new(new.number())));
            }
        }
        Ok(edits)
    }

    // Returns the renaming that applies to references at a position.
    fn rule(&self, scopes: &Scopes, rules: &mut Rules, places: LookupTables) -> Result<Option<usize>> {
        if let Some(&rule) = rules.by_place.get(&places) {
            return Ok(rule);
        }
        let paths_from = |table: Option<ScopeTable>| {
            table.and_then(|table| rules.chain.get(&table)).map_or(&[][..], Vec::as_slice)
        };
        let mut paths = paths_from(places[0]).to_vec();
        if places[1] != places[0] {
            let is_hidden =
                |root: &Vec<u8>| places[0].is_some_and(|table| scopes.find(table, root).is_some());
            let inner = paths_from(places[1]).iter().filter(|(path, _)| !path.first().is_some_and(is_hidden));
            paths.extend(inner.cloned());
        }
        let renaming = Renaming::new(paths);
        let rule_number = if renaming.is_empty() {
            None
        } else if let Some(number) = rules.renamings.iter().position(|rule| rule.renaming == renaming) {
            Some(number)
        } else {
            rules.renamings.push(Rule {
                renaming,
                marks: Marks::new(&self.tables.budget)?,
                done: HashMap::new(),
                parts: HashMap::new(),
            });
            Some(rules.renamings.len() - 1)
        };
        rules.by_place.insert(places, rule_number);
        Ok(rule_number)
    }

    // Returns the renamed attributes and properties of ops with equal parts, and whether unreadable parts may
    // contain further references.
    fn renamed_parts(
        &mut self,
        parts: OpParts,
        rule: &mut Rule,
        references: bool,
    ) -> Result<(RenamedParts, bool)> {
        let (entries, mut is_opaque) = self.references_of(parts);
        let mut new: HashMap<AttrId, AttrId> = HashMap::new();
        if references {
            let mut hits = Vec::new();
            let view = self.tables.view()?;
            for of in entries {
                let renaming = &rule.renaming;
                let mark = rule.marks.of(&view, of, None, |names| renaming.place(names).is_some())?;
                is_opaque |= mark.is_opaque;
                if mark.is_hit {
                    hits.push(of);
                }
            }
            for of in hits {
                let to = self.tables.renamed(of, &rule.renaming, &rule.marks, &mut rule.done)?;
                if let (EntryRef::Attribute(old), EntryRef::Attribute(new_index)) = (of, to) {
                    new.insert(old, new_index);
                }
            }
        }
        let strings = self.renamed_strings(parts, &rule.renaming)?;
        if new.is_empty() && strings.is_empty() {
            return Ok(((parts.1, parts.2), is_opaque));
        }
        let base = self.base.clone();
        let mut all = self
            .parts_of(&base, parts.0, parts.1, parts.2)
            .or_else(|_| self.parts_of(&base, parts.0, parts.1, None))?;
        let (mut attributes, mut properties) = (parts.1, parts.2);
        let mut is_changed = false;
        for (name, value) in &mut all.pairs {
            let text = self.tables.text_of(AttrId::new(*name))?;
            if let Some(&to) = strings.get(&text).or_else(|| new.get(&AttrId::new(*value))) {
                (*value, is_changed) = (to.number(), true);
            }
        }
        if is_changed {
            attributes = self.tables.dictionary(std::mem::take(&mut all.pairs))?;
        }
        if let Blob::Attribute(index) = all.blob
            && let Some(&to) = new.get(&AttrId::new(index))
        {
            let mut sink = ByteSink::new();
            sink.varint(to.number().into());
            properties = Some(self.tables.blob(sink.into_bytes())?);
        }
        let mut is_changed = false;
        for property in &mut all.inherent {
            match (strings.get(property.name().as_bytes()), &mut property.value) {
                (Some(&to), PropertyValue::Attribute(index)) => (*index, is_changed) = (to, true),
                (_, value) => is_changed |= replace_in(value, &new),
            }
        }
        if let Some(schema) = all.schema.filter(|_| is_changed) {
            let bytes = schema.encode(base.tables().bytecode().version(), &all.inherent)?;
            properties = Some(self.tables.blob(bytes)?);
        }
        Ok(((attributes, properties), is_opaque))
    }

    // Returns new values of the fields in which ops with a name refer to symbols by dialect strings.
    fn renamed_strings(&mut self, parts: OpParts, renaming: &Renaming) -> Result<HashMap<Vec<u8>, AttrId>> {
        let mut changed = HashMap::new();
        let name = self.tables.op_name_bytes(parts.0);
        let uses = SymbolData::shipped()?.uses_of(&String::from_utf8_lossy(&name));
        let Some((strings, fields)) = uses else { return Ok(changed) };
        for field in fields {
            let Some(index) = self.value_named(parts, field.as_bytes())? else { continue };
            let view = self.tables.view()?;
            let is_meant = |&index: &AttrId| {
                let name = dialect_string(&view, strings, index)?;
                Some((index, renaming.place(&[name])?.1))
            };
            let list = dialect_list(&view, strings, index);
            let items = list.as_deref().unwrap_or(std::slice::from_ref(&index));
            let renamed_items: Vec<(AttrId, &[u8])> = items.iter().filter_map(is_meant).collect();
            let mut new = HashMap::new();
            for (old, name) in renamed_items {
                new.insert(old, self.tables.renamed_string(strings, old, name)?);
            }
            let value = match list {
                Some(_) if !new.is_empty() => Some(self.tables.with_items(strings, index, &new)?),
                Some(_) => None,
                None => new.get(&index).copied(),
            };
            if let Some(value) = value {
                changed.insert(field.as_bytes().to_vec(), value);
            }
        }
        Ok(changed)
    }
}

impl Rules {
    /// Returns a renaming with all paths to the symbol, regardless of the position of the reference.
    fn everywhere(&self) -> Renaming {
        Renaming::new(self.chain.values().flatten().cloned().collect())
    }
}

fn entries(bounds: Bounds) -> impl Iterator<Item = EntryRef> {
    AttrId::rows(0..bounds.attributes)
        .map(EntryRef::Attribute)
        .chain(TypeId::rows(0..bounds.types).map(EntryRef::Type))
}

fn replace_in(value: &mut PropertyValue, new: &HashMap<AttrId, AttrId>) -> bool {
    match value {
        PropertyValue::Attribute(index) => match new.get(index) {
            Some(&to) => {
                *index = to;
                true
            }
            None => false,
        },
        PropertyValue::Array(items) => {
            let changed = items.iter_mut().map(|item| replace_in(item, new));
            changed.fold(false, |any, one| any | one)
        }
        PropertyValue::Optional(Some(item)) => replace_in(item, new),
        _ => false,
    }
}
