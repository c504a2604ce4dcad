//! Finds weights, and the operations that use them.
//!
//! Data flows from the attribute table (which entries are elements) through one walk over the operations
//! (`uses`) into rows.

use std::collections::HashMap;

use crate::attr::text::dense;
use crate::attr::{Attribute, FieldValue, Type};
use crate::format::id::{AttrId, TypeId};
use crate::format::resource::ResourcePayload;
use crate::ir::{Module, Operation};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::names::{Names, cut};
use super::uses::{Count, Uses, used};
use super::walk::{Data, Elements, Mark, Search, Walk, each_elements, each_op};
use super::{Weight, WeightKind};

/// The limit on the length of types, which are for people only.
const TEXT: usize = 500;

pub(super) fn find(module: &Module) -> Result<Vec<Weight>> {
    let budget = module.tables().work_budget();
    let mut all_elements = Vec::new();
    each_elements(module, |elements| {
        budget.spend(size_of::<Elements>() + 2 * size_of::<Weight>())?;
        all_elements.push(elements);
        Ok(())
    })?;
    let uses = if all_elements.is_empty() { Uses::default() } else { used(module, &all_elements, &budget)? };
    WeightList { module, names: Names::default(), budget: &budget, rows: Vec::new() }.of(all_elements, uses)
}

pub(in crate::tool) fn symbol_text(module: &Module, symbol: u32) -> Result<Option<String>> {
    let Some(symbol) = Attribute::of_file(module.tables(), AttrId::new(symbol))? else { return Ok(None) };
    Ok(match symbol.field("value")? {
        Some(FieldValue::String(text)) => Some(cut(&text)),
        _ => None,
    })
}

struct WeightList<'m> {
    module: &'m Module,
    names: Names,
    budget: &'m Budget,
    rows: Vec<Weight>,
}

impl WeightList<'_> {
    fn of(mut self, all_elements: Vec<Elements>, uses: Uses) -> Result<Vec<Weight>> {
        let Uses { constants, others, order, mut names, mut layers } = uses;
        let externals = self.module.tables().resource_directory()?.externals;
        // Keys of resources are names already, so constants get other names.
        let mut keys = HashMap::new();
        for resource in self.module.resources()?.skip(externals) {
            let key = String::from_utf8_lossy(resource.key()).into_owned();
            keys.insert(resource.index(), self.names.unique(key, self.budget)?);
        }
        let places: HashMap<u32, usize> =
            order.iter().enumerate().map(|(place, &attribute)| (attribute, place)).collect();
        let mut sorted: Vec<(usize, Elements)> = all_elements
            .into_iter()
            .map(|elements| (places.get(&elements.attribute).copied().unwrap_or(usize::MAX), elements))
            .collect();
        crate::wire::order::sort_by(&mut sorted, |a, b| a.0.cmp(&b.0));
        let mut by_resource: HashMap<usize, usize> = HashMap::new();
        let mut unused = 0;
        for (_, elements) in sorted {
            let (constant, other) = (constants.get(&elements.attribute), others.get(&elements.attribute));
            match elements.data {
                // Only operations that hold no constants use these elements, such as a permutation.
                Data::Inline(..) if constant.is_none() && other.is_some() => {}
                Data::Inline(start, size) => {
                    let base = names.remove(&elements.attribute).unwrap_or_else(|| {
                        unused += 1;
                        format!("unused/{}", unused - 1)
                    });
                    let name = self.names.unique(base, self.budget)?;
                    let mut weight = self.typed(&elements, name)?;
                    weight.layer = layers.remove(&elements.attribute).unwrap_or_default();
                    weight.users = constant.map_or(0, |count| count.users);
                    weight.is_shared = other.is_some();
                    let accepts = |count: Option<&Count>| count.is_none_or(|count| count.accepts_resource);
                    weight.may_be_resource &= accepts(constant) && accepts(other);
                    self.constant(weight, start, size)?;
                }
                Data::Resource(resource) => {
                    let users = [constant, other].into_iter().flatten();
                    let users = users.fold(0, |sum: u64, count| sum.saturating_add(count.users));
                    let row = externals + resource as usize;
                    if let Some(&row_number) = by_resource.get(&row) {
                        let weight = &mut self.rows[row_number];
                        weight.users = weight.users.saturating_add(users);
                        weight.attributes.push(elements.attribute);
                        continue;
                    }
                    by_resource.insert(row, self.rows.len());
                    let Some(name) = keys.remove(&row) else { continue };
                    let mut weight = self.typed(&elements, name)?;
                    weight.layer = layers.remove(&elements.attribute).unwrap_or_default();
                    weight.users = users;
                    self.resource(weight, row)?;
                }
            }
        }
        let mut untyped: Vec<_> = keys.into_iter().collect();
        crate::wire::order::sort_by(&mut untyped, |a, b| a.0.cmp(&b.0));
        for (row, name) in untyped {
            let weight = self.untyped(name)?;
            self.resource(weight, row)?;
        }
        Ok(self.rows)
    }

    fn constant(&mut self, mut weight: Weight, start: u64, size: u64) -> Result<()> {
        (weight.size, weight.has_data, weight.range) = (size, true, start..start + size);
        let count = weight.count();
        let is_splat = match weight.element {
            // A single element is an ordinary constant; as `Dense`, a byte 0 or ff means one bit for all
            // elements.
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

    fn resource(&mut self, mut weight: Weight, row: usize) -> Result<()> {
        weight.resource = Some(row);
        let payload = match self.module.tables().resource(row)? {
            Some(resource) => resource.payload()?,
            None => None,
        };
        if let Some(ResourcePayload::Blob { range, .. }) = payload {
            (weight.size, weight.has_data) = (range.end - range.start, true);
            weight.range = range;
        }
        if weight.attributes.is_empty() {
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
            layer: String::new(),
            attributes: Vec::new(),
            resource: None,
            range: 0..0,
            element: None,
            is_vhlo: false,
            may_be_resource: false,
            is_shared: false,
        })
    }

    fn typed(&self, elements: &Elements, name: String) -> Result<Weight> {
        let mut weight = self.untyped(name)?;
        let entries = self.module.tables().entries()?;
        let text = |index: u32| -> Result<Option<String>> {
            let type_value = Type::of_file(self.module.tables(), TypeId::new(index))?;
            Ok(type_value.map(|type_value| type_value.to_builtin_text_within(TEXT)))
        };
        let element = dense::element_type(&entries, TypeId::new(elements.r#type));
        weight.r#type = text(elements.r#type)?;
        if let Some(element) = element {
            weight.dtype = text(element.number())?;
            weight.element = dense::element(&entries, element);
        }
        let shape = dense::shape(&entries, TypeId::new(elements.r#type)).unwrap_or_default();
        weight.shape = shape.into_iter().map(|size| u64::try_from(size).unwrap_or(0)).collect();
        let texts = [&weight.r#type, &weight.dtype].map(|text| text.as_ref().map_or(0, String::len));
        self.budget.spend(texts[0] + texts[1] + 8 * weight.shape.len())?;
        weight.attributes.push(elements.attribute);
        weight.is_vhlo = elements.is_vhlo;
        weight.may_be_resource = !elements.is_vhlo && weight.element.is_some();
        Ok(weight)
    }
}

/// Returns the operations that refer to a weight.
pub(super) fn users<'m>(module: &'m Module, weight: &Weight) -> Result<Vec<Operation<'m>>> {
    let entries = module.tables().entries()?;
    let budget = module.tables().work_budget();
    let mut walk = Walk::new(module, &entries, &budget)?;
    let mut search = Search::new(module, &budget)?;
    let externals = module.tables().resource_directory()?.externals;
    let mut is_referred_to = false;
    each_elements(module, |elements| {
        let is_it = match elements.data {
            Data::Resource(resource) => weight.resource == Some(externals + resource as usize),
            Data::Inline(..) => weight.attribute() == Some(elements.attribute),
        };
        if is_it {
            is_referred_to = true;
            search.await_elements(AttrId::new(elements.attribute));
        }
        Ok(())
    })?;
    let mut users = Vec::new();
    if !is_referred_to {
        return Ok(users);
    }
    each_op(module, |op| {
        // Resources are weights in every operation.
        if weight.resource.is_none() && !walk.holds_constants(&op) {
            return Ok(());
        }
        walk.read(&op)?;
        for value in std::mem::take(&mut walk.values) {
            if matches!(search.enter(AttrId::new(value.attribute), &mut walk)?, Mark::Elements | Mark::Holds)
            {
                budget.spend(2 * size_of::<Operation<'_>>())?;
                users.push(op);
                break;
            }
        }
        Ok(())
    })?;
    Ok(users)
}
