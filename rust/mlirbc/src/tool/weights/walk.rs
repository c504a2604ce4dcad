//! Elements among the attributes of a file, and the operations that refer to them.
//!
//! Owns [`Walk`], which reads the attributes of one operation after the other, and [`Search`], which finds
//! elements in them. Attributes that hold others are entered once; edges record the attributes in them.

use std::collections::HashMap;

use crate::attr::text::entry::string_of;
use crate::attr::{FieldValue, declared_fields};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::table::BuiltinKind;
use crate::file::FileEntries;
use crate::format::id::AttrId;
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{Module, Operation};
use crate::ops::holds_constants;
use crate::props::Property;
use crate::props::class::Class;
use crate::props::schema::Kind;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

// ---- elements in the attribute table ----

/// The elements of an attribute.
pub(super) struct Elements {
    pub(super) attribute: u32,
    pub(super) r#type: u32,
    pub(super) data: Data,
    pub(super) is_vhlo: bool,
}

pub(super) enum Data {
    /// The offset in the file and the size.
    Inline(u64, u64),
    /// The number of the resource.
    Resource(u32),
}

/// Calls `visit` for the elements among the attributes of a file.
pub(super) fn each_elements(module: &Module, mut visit: impl FnMut(Elements) -> Result<()>) -> Result<()> {
    let entries = module.tables().entries()?;
    let mut node = Node::default();
    for attribute in 0..module.tables().entry_counts()?.attributes {
        crate::wire::steps::count(1);
        let entry_ref = EntryRef::Attribute(AttrId::new(attribute));
        let Some(entry) = entries.raw(entry_ref) else { continue };
        let Some(form) = entry.form(entry_ref)? else { continue };
        let is_vhlo = entry.dialect == b"vhlo" && &*form.name == "TensorV1Attr";
        let is_elements = is_vhlo
            || matches!(
                form.builtin,
                BuiltinKind::DenseIntOrFPElementsAttr | BuiltinKind::DenseResourceElementsAttr
            );
        if !is_elements || entry.decode(entry_ref, &entries, &mut node)?.is_none() {
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
        visit(Elements { attribute, r#type: r#type.number(), data, is_vhlo })?;
    }
    Ok(())
}

// ---- the walk ----

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Unseen,
    Open,
    /// The attribute contains no elements.
    Plain,
    /// The attribute holds elements.
    Holds,
    /// Elements that no operation has referred to yet.
    Waiting,
    Elements,
}

/// A value of an operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpValue {
    pub(super) attribute: u32,
    /// Whether a resource may replace the value.
    pub(super) accepts_resource: bool,
    /// The attribute with its name, if the dictionary of the file has it.
    pub(super) name: Option<u32>,
    /// The number of the property otherwise.
    pub(super) property: usize,
}

/// The attributes of one operation.
pub(in crate::tool) struct Walk<'m, 'e> {
    entries: &'e FileEntries<'m>,
    reader: PropertyReader<'m, 'e>,
    budget: &'e Budget,
    module: &'m Module,
    node: Node,
    inherent: Vec<Property<'m>>,
    discardable: Vec<(u32, u32)>,
    /// By name of an operation: whether its elements are constants.
    holds_constants: HashMap<u32, bool>,
    pub(super) values: Vec<OpValue>,
    pub(in crate::tool) symbol: Option<u32>,
}

/// The attributes that were entered, and the elements in them.
pub(super) struct Search {
    marks: Vec<Mark>,
    /// Elements that first occurred in the last value.
    pub(super) fresh: Vec<u32>,
    /// From attributes that hold elements to these elements, and to their holders, inner ones first.
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) holders: Vec<u32>,
}

impl Search {
    pub(super) fn new(module: &Module, budget: &Budget) -> Result<Self> {
        let marks = budget.filled(Mark::Unseen, module.tables().entry_counts()?.attributes as usize)?;
        Ok(Self { marks, fresh: Vec::new(), edges: Vec::new(), holders: Vec::new() })
    }

    pub(super) fn await_elements(&mut self, attribute: AttrId) {
        self.set(attribute, Mark::Waiting);
    }

    fn mark(&self, attribute: AttrId) -> Mark {
        self.marks.get(attribute.index()).copied().unwrap_or(Mark::Plain)
    }

    fn set(&mut self, attribute: AttrId, to: Mark) {
        if let Some(mark) = self.marks.get_mut(attribute.index()) {
            *mark = to;
        }
    }

    /// Finds the elements in a value.
    pub(super) fn enter(&mut self, value: AttrId, walk: &mut Walk<'_, '_>) -> Result<Mark> {
        self.fresh.clear();
        match self.mark(value) {
            Mark::Waiting => {
                self.set(value, Mark::Elements);
                self.fresh.push(value.number());
                return Ok(Mark::Elements);
            }
            Mark::Unseen => {}
            other => return Ok(other),
        }
        let mut stack = vec![(value, walk.children(value)?, 0, false)];
        self.set(value, Mark::Open);
        while let Some((holder, children, next, holds)) = stack.last_mut() {
            let Some(&child) = children.get(*next) else {
                let (holder, holds) = (*holder, *holds);
                stack.pop();
                self.set(holder, if holds { Mark::Holds } else { Mark::Plain });
                if holds {
                    walk.budget.spend(2 * size_of::<u32>())?;
                    self.holders.push(holder.number());
                }
                continue;
            };
            if self.mark(AttrId::new(child)) == Mark::Unseen {
                self.set(AttrId::new(child), Mark::Open);
                let inner = walk.children(AttrId::new(child))?;
                walk.budget.spend(size_of::<(u32, Vec<u32>, usize, bool)>() + 4 * inner.len())?;
                stack.push((AttrId::new(child), inner, 0, false));
                continue;
            }
            *next += 1;
            let holder = *holder;
            match self.mark(AttrId::new(child)) {
                Mark::Waiting => {
                    *holds = true;
                    walk.budget.spend(size_of::<u32>())?;
                    self.set(AttrId::new(child), Mark::Elements);
                    self.fresh.push(child);
                }
                Mark::Elements | Mark::Holds => *holds = true,
                Mark::Unseen | Mark::Open | Mark::Plain => continue,
            }
            walk.budget.spend(2 * size_of::<(u32, u32)>())?;
            self.edges.push((holder.number(), child));
        }
        Ok(self.mark(value))
    }
}

impl<'m, 'e> Walk<'m, 'e> {
    pub(in crate::tool) fn new(
        module: &'m Module,
        entries: &'e FileEntries<'m>,
        budget: &'e Budget,
    ) -> Result<Self> {
        Ok(Self {
            entries,
            reader: PropertyReader::new(module, entries)?,
            budget,
            module,
            node: Node::default(),
            inherent: Vec::new(),
            discardable: Vec::new(),
            holds_constants: HashMap::new(),
            values: Vec::new(),
            symbol: None,
        })
    }

    /// Returns the attributes that an entry refers to.
    fn children(&mut self, attribute: AttrId) -> Result<Vec<u32>> {
        let entry_ref = EntryRef::Attribute(attribute);
        let mut children = Vec::new();
        let Some(entry) = self.entries.raw(entry_ref) else { return Ok(children) };
        if let Some((form, layout)) = entry.decode(entry_ref, self.entries, &mut self.node)?
            && let Some(layout) = form.layouts.get(layout)
        {
            primitive::references(layout, &self.node, |next, _, _| {
                if let EntryRef::Attribute(next) = next {
                    children.push(next.number());
                }
            });
        }
        crate::wire::steps::count(children.len());
        Ok(children)
    }

    /// Reads the attributes of an operation into `values` and `symbol`.
    pub(in crate::tool) fn read(&mut self, op: &Operation<'m>) -> Result<()> {
        self.values.clear();
        self.symbol = None;
        let read = self.reader.read(op, &mut self.inherent, &mut self.discardable);
        let read = self.module.tables().unless_lost(read)?;
        for (place, property) in self.inherent.iter().enumerate() {
            let Some(attribute) = property.value.attribute().map(AttrId::number) else { continue };
            if property.name() == "sym_name" {
                self.symbol = Some(attribute);
            }
            let accepts_resource = match &property.field.kind {
                Kind::Attribute { class, .. } => matches!(class, Class::Any | Class::Not(_)),
                _ => false,
            };
            self.values.push(OpValue { attribute, accepts_resource, name: None, property: place });
        }
        match read {
            Inherent::Attribute(dictionary) => {
                let children = self.children(AttrId::new(dictionary))?;
                for pair in children.chunks_exact(2) {
                    self.discardable.push((pair[0], pair[1]));
                }
            }
            Inherent::Declared(declared) => {
                for (_, field) in declared_fields(self.module.tables(), &declared)? {
                    if let FieldValue::Attribute(value) = field {
                        self.values.extend(value.id().map(|id| OpValue {
                            attribute: id.number(),
                            accepts_resource: false,
                            name: None,
                            property: usize::MAX,
                        }));
                    }
                }
            }
            Inherent::Known | Inherent::Opaque(_) => {}
        }
        for &(name, value) in &self.discardable {
            if self.symbol.is_none() && string_of(self.entries, AttrId::new(name)) == Some(b"sym_name") {
                self.symbol = Some(value);
            }
            self.values.push(OpValue {
                attribute: value,
                accepts_resource: true,
                name: Some(name),
                property: usize::MAX,
            });
        }
        Ok(())
    }

    /// Returns whether elements in the attributes of an operation are constants.
    pub(super) fn holds_constants(&mut self, op: &Operation<'m>) -> bool {
        let holds = self.holds_constants.entry(op.name_id().number());
        *holds.or_insert_with(|| holds_constants(&op.name()))
    }

    /// Returns the name of a value of the operation that was read last.
    pub(super) fn name_of(&self, value: &OpValue) -> Option<Vec<u8>> {
        match value.name {
            Some(name) => string_of(self.entries, AttrId::new(name)).map(<[u8]>::to_vec),
            None => self.inherent.get(value.property).map(|property| property.name().as_bytes().to_vec()),
        }
    }
}

/// Calls `visit` for all operations in the order of the file.
pub(super) fn each_op<'m>(
    module: &'m Module,
    mut visit: impl FnMut(Operation<'m>) -> Result<()>,
) -> Result<()> {
    for top in module.top_level_block()?.operations() {
        for op in top.pre_order() {
            module.tables().check_interrupt()?;
            visit(op?)?;
        }
    }
    module.source().check()
}
