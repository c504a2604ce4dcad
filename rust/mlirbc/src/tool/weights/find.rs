//! Finds weights, and the operations that use them.
//!
//! Data flows from the attribute table (which entries are elements) through one walk over the operations (who uses
//! them, in which order) into rows.

use std::collections::HashMap;

use crate::attr::text::dense;
use crate::attr::{Attribute, FieldValue, Type};
use crate::format::id::{AttrId, TypeId};
use crate::format::resource::ResourcePayload;
use crate::ir::{Module, Operation};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::names::{Names, cut, joined};
use super::walk::{Data, Elements, Mark, Walk, each_elements, each_op};
use super::{Weight, WeightKind};

/// Longer types are cut: they are for people.
const TEXT: usize = 500;

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

pub(in crate::tool) fn symbol_text(module: &Module, symbol: u32) -> Result<Option<String>> {
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
