//! Finds weights, and the operations that use them.
//!
//! Data flows from the attribute table (which entries are elements) through one walk over the operations (who uses
//! them, in which order) into rows. Attributes that hold others are entered once.

use std::collections::HashMap;

use crate::attr::text::dense;
use crate::attr::text::entry::string_of;
use crate::attr::{Attribute, FieldValue, Type, declared_fields};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::table::BuiltinKind;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::format::resource::ResourcePayload;
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{Module, Operation};
use crate::props::Property;
use crate::props::class::Class;
use crate::props::schema::Kind;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::names::{Names, cut, joined};
use super::{Weight, WeightKind};

/// Longer types are cut: they are for people.
const TEXT: usize = 500;

// ---- elements in the attribute table ----

/// The elements of an attribute.
struct Elements {
    attribute: u32,
    r#type: u32,
    data: Data,
    is_vhlo: bool,
}

enum Data {
    /// The offset in the file and the size.
    Inline(u64, u64),
    /// The number of the resource.
    Resource(u32),
}

/// Calls `visit` for the elements among the attributes of a file.
fn each_elements(module: &Module, mut visit: impl FnMut(Elements) -> Result<()>) -> Result<()> {
    let entries = module.entries()?;
    let mut node = Node::default();
    for attribute in 0..module.entry_counts()?.attributes {
        crate::wire::steps::count(1);
        let of = EntryRef::Attribute(attribute);
        let Some(entry) = entries.raw(of) else { continue };
        let Some(form) = entry.form(of)? else { continue };
        let is_vhlo = entry.dialect == b"vhlo" && &*form.name == "TensorV1Attr";
        let is_elements = is_vhlo
            || matches!(
                form.builtin,
                BuiltinKind::DenseIntOrFPElementsAttr | BuiltinKind::DenseResourceElementsAttr
            );
        if !is_elements || entry.decode(of, &entries, &mut node)?.is_none() {
            continue;
        }
        let Some(r#type) = node.r#type(0) else { continue };
        let data = match node.field(1) {
            Field::Resource(resource) => Data::Resource(resource),
            field => {
                let blob = node.blob_range(field);
                Data::Inline(entry.offset + blob.start as u64, blob.len() as u64)
            }
        };
        visit(Elements { attribute, r#type, data, is_vhlo })?;
    }
    Ok(())
}

// ---- the walk ----

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    Open,
    /// Without elements.
    Plain,
    /// Holds elements.
    Holds,
    /// Elements that no operation referred to yet.
    Waiting,
    Elements,
}

/// The attributes of one operation, and which of them are elements.
struct Walk<'m, 'e> {
    entries: &'e FileEntries<'m>,
    reader: PropertyReader<'m, 'e>,
    budget: &'e Budget,
    module: &'m Module,
    marks: Vec<Mark>,
    node: Node,
    inherent: Vec<Property<'m>>,
    discardable: Vec<(u32, u32)>,
    /// The values of the operation, and whether a resource may take their place.
    values: Vec<(u32, bool)>,
    symbol: Option<u32>,
    /// Elements that were found first in the last value.
    fresh: Vec<u32>,
    /// From what holds others to these, and what holds some, inner ones first.
    edges: Vec<(u32, u32)>,
    holders: Vec<u32>,
}

impl<'m, 'e> Walk<'m, 'e> {
    fn new(module: &'m Module, entries: &'e FileEntries<'m>, budget: &'e Budget) -> Result<Self> {
        let mut marks = budget.vec(module.entry_counts()?.attributes as usize)?;
        marks.resize(marks.capacity(), Mark::Unseen);
        Ok(Self {
            entries,
            reader: PropertyReader::new(module, entries)?,
            budget,
            module,
            marks,
            node: Node::default(),
            inherent: Vec::new(),
            discardable: Vec::new(),
            values: Vec::new(),
            symbol: None,
            fresh: Vec::new(),
            edges: Vec::new(),
            holders: Vec::new(),
        })
    }

    fn await_elements(&mut self, attribute: u32) {
        if let Some(mark) = self.marks.get_mut(attribute as usize) {
            *mark = Mark::Waiting;
        }
    }

    fn mark(&self, attribute: u32) -> Mark {
        self.marks.get(attribute as usize).copied().unwrap_or(Mark::Plain)
    }

    /// The attributes that an entry refers to.
    fn children(&mut self, attribute: u32) -> Result<Vec<u32>> {
        let of = EntryRef::Attribute(attribute);
        let mut children = Vec::new();
        let Some(entry) = self.entries.raw(of) else { return Ok(children) };
        if let Some((form, layout)) = entry.decode(of, self.entries, &mut self.node)?
            && let Some(layout) = form.layouts.get(layout)
        {
            primitive::references(layout, &self.node, |next, _, _| {
                if let EntryRef::Attribute(next) = next {
                    children.push(next);
                }
            });
        }
        crate::wire::steps::count(children.len());
        Ok(children)
    }

    /// Reads the attributes of an operation into `values` and `symbol`.
    fn read(&mut self, op: &Operation<'m>) -> Result<()> {
        self.values.clear();
        self.symbol = None;
        let found = self.reader.read(op, &mut self.inherent, &mut self.discardable);
        let found = self.module.unless_lost(found)?;
        for property in &self.inherent {
            let Some(AttrId(value)) = property.value.attribute() else { continue };
            if property.name() == "sym_name" {
                self.symbol = Some(value);
            }
            let accepts = match &property.field.kind {
                Kind::Attribute { class, .. } => matches!(class, Class::Any | Class::Not(_)),
                _ => false,
            };
            self.values.push((value, accepts));
        }
        match found {
            Inherent::Attribute(dictionary) => {
                let children = self.children(dictionary)?;
                for pair in children.chunks_exact(2) {
                    self.discardable.push((pair[0], pair[1]));
                }
            }
            Inherent::Declared(declared) => {
                for (_, field) in declared_fields(self.module, &declared)? {
                    if let FieldValue::Attribute(value) = field {
                        self.values.extend(value.id().map(|id| (id.0, false)));
                    }
                }
            }
            Inherent::Known | Inherent::Opaque(_) => {}
        }
        for &(name, value) in &self.discardable {
            if self.symbol.is_none() && string_of(self.entries, name) == Some(b"sym_name") {
                self.symbol = Some(value);
            }
            self.values.push((value, true));
        }
        Ok(())
    }

    /// Finds the elements in a value.
    fn enter(&mut self, value: u32) -> Result<Mark> {
        self.fresh.clear();
        match self.mark(value) {
            Mark::Waiting => {
                self.set(value, Mark::Elements);
                self.fresh.push(value);
                return Ok(Mark::Elements);
            }
            Mark::Unseen => {}
            other => return Ok(other),
        }
        let mut stack = vec![(value, self.children(value)?, 0, false)];
        self.set(value, Mark::Open);
        while let Some((holder, children, next, holds)) = stack.last_mut() {
            let Some(&child) = children.get(*next) else {
                let (holder, holds) = (*holder, *holds);
                stack.pop();
                self.set(holder, if holds { Mark::Holds } else { Mark::Plain });
                if holds {
                    self.budget.spend(2 * size_of::<u32>())?;
                    self.holders.push(holder);
                }
                continue;
            };
            if self.mark(child) == Mark::Unseen {
                self.set(child, Mark::Open);
                let inner = self.children(child)?;
                self.budget.spend(size_of::<(u32, Vec<u32>, usize, bool)>() + 4 * inner.len())?;
                stack.push((child, inner, 0, false));
                continue;
            }
            *next += 1;
            let holder = *holder;
            match self.mark(child) {
                Mark::Waiting => {
                    *holds = true;
                    self.budget.spend(size_of::<u32>())?;
                    self.set(child, Mark::Elements);
                    self.fresh.push(child);
                }
                Mark::Elements | Mark::Holds => *holds = true,
                Mark::Unseen | Mark::Open | Mark::Plain => continue,
            }
            self.budget.spend(2 * size_of::<(u32, u32)>())?;
            self.edges.push((holder, child));
        }
        Ok(self.mark(value))
    }

    fn set(&mut self, attribute: u32, to: Mark) {
        if let Some(mark) = self.marks.get_mut(attribute as usize) {
            *mark = to;
        }
    }
}

/// Calls `visit` for all operations in the order of the file.
fn each_op<'m>(module: &'m Module, mut visit: impl FnMut(Operation<'m>) -> Result<()>) -> Result<()> {
    for top in module.top_level_block()?.operations() {
        for op in top.pre_order() {
            module.check_interrupt()?;
            visit(op?)?;
        }
    }
    module.source().check()
}

// ---- rows ----

/// What the walk finds out about elements.
#[derive(Debug, Clone)]
struct Use {
    name: String,
    users: u64,
    may_be_resource: bool,
}

/// Where names count from: a symbol around the operation.
struct Scope {
    path: String,
    next: u64,
}

pub(super) fn find(module: &Module) -> Result<Vec<Weight>> {
    let budget = module.work_budget();
    let mut found = Vec::new();
    each_elements(module, |elements| {
        budget.spend(size_of::<Elements>() + 2 * size_of::<Weight>())?;
        found.push(elements);
        Ok(())
    })?;
    let (uses, order) = match found.is_empty() {
        true => (HashMap::new(), Vec::new()),
        false => used(module, &found, &budget)?,
    };
    Rows { module, names: Names::default(), budget: &budget, rows: Vec::new() }.of(found, uses, order)
}

/// How elements are used, and in which order they are found.
fn used(module: &Module, found: &[Elements], budget: &Budget) -> Result<(HashMap<u32, Use>, Vec<u32>)> {
    let entries = module.entries()?;
    let mut walk = Walk::new(module, &entries, budget)?;
    found.iter().for_each(|elements| walk.await_elements(elements.attribute));
    let (mut uses, mut order) = (HashMap::new(), Vec::new());
    let mut held: HashMap<u32, u64> = HashMap::new();
    let mut scopes = vec![Scope { path: String::new(), next: 0 }];
    // The operations around the current one, and their scopes.
    let mut open: Vec<(Operation<'_>, usize)> = Vec::new();
    each_op(module, |op| {
        let parent = op.parent();
        while open.last().is_some_and(|(last, _)| Some(*last) != parent) {
            open.pop();
        }
        let scope = open.last().map_or(0, |&(_, scope)| scope);
        walk.read(&op)?;
        let symbol = match walk.symbol {
            Some(symbol) if parent.is_some() => symbol_text(module, symbol)?,
            _ => None,
        };
        for (value, accepts) in std::mem::take(&mut walk.values) {
            let mark = walk.enter(value)?;
            for &elements in &walk.fresh {
                budget.spend(2 * size_of::<(u32, Use)>())?;
                let number = scopes[scope].next;
                scopes[scope].next += 1;
                let name = name_of(&op, symbol.as_deref(), &scopes[scope].path, number)?;
                uses.insert(elements, Use { name, users: 0, may_be_resource: true });
                order.push(elements);
            }
            match mark {
                Mark::Elements => {
                    if let Some(r#use) = uses.get_mut(&value) {
                        r#use.users += 1;
                        r#use.may_be_resource &= accepts;
                    }
                }
                Mark::Holds => *held.entry(value).or_insert(0) += 1,
                _ => {}
            }
        }
        if op.region_count() > 0 {
            let own = match symbol {
                Some(symbol) => {
                    let path = joined(&scopes[scope].path, &symbol);
                    budget.spend(size_of::<Scope>() + path.len())?;
                    scopes.push(Scope { path, next: 0 });
                    scopes.len() - 1
                }
                None => scope,
            };
            open.push((op, own));
        }
        Ok(())
    })?;
    // Uses of what holds elements are uses of these; what holds others comes after them.
    let mut edges = walk.edges;
    edges.sort_unstable();
    for &holder in walk.holders.iter().rev() {
        let users = held.get(&holder).copied().unwrap_or(0);
        let start = edges.partition_point(|edge| edge.0 < holder);
        for &(_, child) in edges[start..].iter().take_while(|edge| edge.0 == holder) {
            match uses.get_mut(&child) {
                Some(r#use) => {
                    r#use.users = r#use.users.saturating_add(users);
                    r#use.may_be_resource = false;
                }
                None => {
                    let count = held.entry(child).or_insert(0);
                    *count = count.saturating_add(users);
                }
            }
        }
    }
    Ok((uses, order))
}

/// The name that a constant gets if it is free.
fn name_of(op: &Operation<'_>, symbol: Option<&str>, path: &str, number: u64) -> Result<String> {
    let location = Attribute::of_file(op.module().tables(), op.location())?;
    if let Some(location) = location.filter(|location| location.class() == Some("NameLoc"))
        && let Some(FieldValue::Attribute(name)) = location.field("name")?
        && let Some(FieldValue::String(text)) = name.field("value")?
        && !text.is_empty()
    {
        return Ok(cut(&text));
    }
    Ok(match (symbol, path) {
        (Some(symbol), path) => joined(path, symbol),
        (None, "") => format!("constant/{number}"),
        (None, path) => format!("{path}/{number}"),
    })
}

fn symbol_text(module: &Module, symbol: u32) -> Result<Option<String>> {
    let Some(symbol) = Attribute::of_file(module.tables(), AttrId(symbol))? else { return Ok(None) };
    Ok(match symbol.field("value")? {
        Some(FieldValue::String(text)) => Some(cut(&text)),
        _ => None,
    })
}

struct Rows<'m> {
    module: &'m Module,
    names: Names,
    budget: &'m Budget,
    rows: Vec<Weight>,
}

impl Rows<'_> {
    fn of(
        mut self,
        found: Vec<Elements>,
        mut uses: HashMap<u32, Use>,
        order: Vec<u32>,
    ) -> Result<Vec<Weight>> {
        let externals = self.module.resource_directory()?.externals;
        // Keys are names, so constants give way.
        let mut keys = HashMap::new();
        for resource in self.module.resources()?.skip(externals) {
            let key = String::from_utf8_lossy(resource.key()).into_owned();
            keys.insert(resource.index(), self.names.unique(key, self.budget)?);
        }
        let places: HashMap<u32, usize> =
            order.iter().enumerate().map(|(place, &attribute)| (attribute, place)).collect();
        let mut sorted: Vec<(usize, Elements)> = found
            .into_iter()
            .map(|elements| (places.get(&elements.attribute).copied().unwrap_or(usize::MAX), elements))
            .collect();
        crate::wire::order::sort_by(&mut sorted, |a, b| a.0.cmp(&b.0));
        let mut by_resource: HashMap<usize, usize> = HashMap::new();
        let mut unused = 0;
        for (_, elements) in sorted {
            let r#use = uses.remove(&elements.attribute);
            match elements.data {
                Data::Inline(start, size) => {
                    let base = match &r#use {
                        Some(r#use) => r#use.name.clone(),
                        None => {
                            unused += 1;
                            format!("unused/{}", unused - 1)
                        }
                    };
                    let name = self.names.unique(base, self.budget)?;
                    self.constant(elements, name, start, size, r#use)?;
                }
                Data::Resource(resource) => {
                    let row = externals + resource as usize;
                    if let Some(&known) = by_resource.get(&row) {
                        let known = &mut self.rows[known];
                        known.users = known.users.saturating_add(r#use.map_or(0, |r#use| r#use.users));
                        known.attributes.push(elements.attribute);
                        continue;
                    }
                    by_resource.insert(row, self.rows.len());
                    let Some(name) = keys.remove(&row) else { continue };
                    self.resource(row, name, Some(elements), r#use)?;
                }
            }
        }
        let mut rest: Vec<_> = keys.into_iter().collect();
        crate::wire::order::sort_by(&mut rest, |a, b| a.0.cmp(&b.0));
        for (row, name) in rest {
            self.resource(row, name, None, None)?;
        }
        Ok(self.rows)
    }

    fn constant(
        &mut self,
        elements: Elements,
        name: String,
        start: u64,
        size: u64,
        r#use: Option<Use>,
    ) -> Result<()> {
        let mut weight = self.typed(&elements, name, r#use)?;
        (weight.size, weight.has_data, weight.range) = (size, true, start..start + size);
        let count = weight.count();
        let is_splat = match weight.element {
            // One element alone is a constant like any other; as `Dense`, a byte of 0 or ff is one bit for all.
            Some(_) if count == 1 => false,
            Some(element) if element.is_bool() => {
                let byte = || self.module.source().get(start..start + 1);
                size == 1 && (count > 8 || matches!(*byte()?, [0 | 0xff]))
            }
            Some(element) => {
                let storage = element.storage() as u64;
                // LLVM 19 stores tf32 in four bytes.
                size > 0 && (size == storage || storage.is_multiple_of(3) && size == storage / 3 * 4)
            }
            None => false,
        };
        weight.kind = if is_splat { WeightKind::Splat } else { WeightKind::Constant };
        self.rows.push(weight);
        Ok(())
    }

    fn resource(
        &mut self,
        row: usize,
        name: String,
        elements: Option<Elements>,
        r#use: Option<Use>,
    ) -> Result<()> {
        let mut weight = match &elements {
            Some(elements) => self.typed(elements, name, r#use)?,
            None => self.untyped(name)?,
        };
        weight.resource = Some(row);
        let payload = match self.module.resource(row)? {
            Some(resource) => resource.payload()?,
            None => None,
        };
        if let Some(ResourcePayload::Blob { range, .. }) = payload {
            (weight.size, weight.has_data) = (range.end - range.start, true);
            weight.range = range;
        }
        if elements.is_none() {
            weight.shape = vec![weight.size];
        }
        self.rows.push(weight);
        Ok(())
    }

    fn untyped(&self, name: String) -> Result<Weight> {
        self.budget.spend(size_of::<Weight>() + 2 * name.len())?;
        Ok(Weight {
            name,
            kind: WeightKind::Resource,
            dtype: None,
            shape: Vec::new(),
            r#type: None,
            size: 0,
            has_data: false,
            users: 0,
            attributes: Vec::new(),
            resource: None,
            range: 0..0,
            element: None,
            is_vhlo: false,
            may_be_resource: false,
        })
    }

    fn typed(&self, elements: &Elements, name: String, r#use: Option<Use>) -> Result<Weight> {
        let mut weight = self.untyped(name)?;
        let entries = self.module.entries()?;
        let text = |index: u32| -> Result<Option<String>> {
            let of = Type::of_file(self.module.tables(), TypeId(index))?;
            Ok(of.map(|of| of.to_builtin_text_within(TEXT)))
        };
        let element = dense::element_type(&entries, elements.r#type);
        weight.r#type = text(elements.r#type)?;
        if let Some(element) = element {
            weight.dtype = text(element)?;
            weight.element = dense::element(&entries, element);
        }
        let shape = dense::shape(&entries, elements.r#type).unwrap_or_default();
        weight.shape = shape.into_iter().map(|size| u64::try_from(size).unwrap_or(0)).collect();
        let texts = [&weight.r#type, &weight.dtype].map(|text| text.as_ref().map_or(0, String::len));
        self.budget.spend(texts[0] + texts[1] + 8 * weight.shape.len())?;
        weight.attributes.push(elements.attribute);
        weight.is_vhlo = elements.is_vhlo;
        if let Some(r#use) = r#use {
            (weight.users, weight.may_be_resource) = (r#use.users, r#use.may_be_resource);
        } else {
            weight.may_be_resource = true;
        }
        weight.may_be_resource &= !elements.is_vhlo && weight.element.is_some();
        Ok(weight)
    }
}

/// The operations that refer to a weight.
pub(super) fn users<'m>(module: &'m Module, weight: &Weight) -> Result<Vec<Operation<'m>>> {
    let entries = module.entries()?;
    let budget = module.work_budget();
    let mut walk = Walk::new(module, &entries, &budget)?;
    let externals = module.resource_directory()?.externals;
    let mut is_referred_to = false;
    each_elements(module, |elements| {
        let is_it = match elements.data {
            Data::Resource(resource) => weight.resource == Some(externals + resource as usize),
            Data::Inline(..) => weight.attribute() == Some(elements.attribute),
        };
        if is_it {
            is_referred_to = true;
            walk.await_elements(elements.attribute);
        }
        Ok(())
    })?;
    let mut users = Vec::new();
    if !is_referred_to {
        return Ok(users);
    }
    each_op(module, |op| {
        walk.read(&op)?;
        for (value, _) in std::mem::take(&mut walk.values) {
            if matches!(walk.enter(value)?, Mark::Elements | Mark::Holds) {
                budget.spend(2 * size_of::<Operation<'_>>())?;
                users.push(op);
                break;
            }
        }
        Ok(())
    })?;
    Ok(users)
}
