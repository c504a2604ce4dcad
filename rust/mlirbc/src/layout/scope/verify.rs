//! The check of all specifications of a module, each alone and against the enclosing ones.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::format::id::OpNameId;
use crate::ir::{Module, Operation, Region};
use crate::layout::registrations::Registrations;
use crate::layout::spec::{EffectiveEntries, Nesting};
use crate::layout::{DataLayout, Options};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;

use super::{Parsed, Site, SiteAttributes, Sites, SpecificationInput, short_name, sole_region, symbol_of};

/// Verifies all specifications of a module: each alone, and against the enclosing ones. Decodes all bodies.
///
/// # Errors
/// The first error, in the order of the ops.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// mlirbc::layout::verify(&module, &Default::default())?;
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn verify(module: &Module, options: &Options) -> Result<()> {
    let types = Registrations::snapshot(options)?;
    let budget = module.tables().work_budget();
    let mut nest = Nest {
        attributes: SiteAttributes::new(module)?,
        dialects: Sites::of_dialects(module)?.dialects,
        types,
        nesting: Nesting { strict: options.strict },
        parsed: Parsed::default(),
        combinations: HashMap::new(),
        budget,
    };
    // The enclosing ops, with the entries effective inside them.
    let mut around: Vec<EnclosingOp<'_>> = Vec::new();
    let none = Arc::new(EffectiveEntries::default());
    for op in module.top_level_block()?.operations() {
        for op in op.pre_order() {
            let op = op?;
            let parent = op.parent();
            while around.last().is_some_and(|last| Some(last.op) != parent) {
                around.pop();
            }
            let outer = match around.last_mut() {
                Some(around) => around.inside(op.block().region(), &mut nest, options)?,
                None => none.clone(),
            };
            let region = sole_region(op.region_count());
            let inner = match nest.inside(&op, &outer, region) {
                Ok(inner) => inner,
                Err(error) => {
                    // Computing the position for the error is expensive.
                    DataLayout::of_with(op, options)?;
                    return Err(error);
                }
            };
            let region = region.map(|region| (region, inner.clone()));
            around.push(EnclosingOp { op, outer, inner, region });
        }
    }
    Ok(())
}

/// An enclosing op.
struct EnclosingOp<'m> {
    op: Operation<'m>,
    outer: Arc<EffectiveEntries>,
    inner: Arc<EffectiveEntries>,
    /// The region that was visited last, if the op has a specification for each region.
    region: Option<(u32, Arc<EffectiveEntries>)>,
}

impl EnclosingOp<'_> {
    fn inside(
        &mut self,
        region: Region<'_>,
        nest: &mut Nest<'_>,
        options: &Options,
    ) -> Result<Arc<EffectiveEntries>> {
        if nest.types.specification(&short_name(&self.op)).is_none() {
            return Ok(self.inner.clone());
        }
        let number = region.number();
        match &self.region {
            Some((known, inner)) if *known == number => Ok(inner.clone()),
            _ => match nest.inside(&self.op, &self.outer, Some(number)) {
                Ok(inner) => {
                    self.region = Some((number, inner.clone()));
                    Ok(inner)
                }
                Err(error) => {
                    DataLayout::of_region(region, options)?;
                    Err(error)
                }
            },
        }
    }
}

/// The combinations of nested specifications, computed once for each distinct context.
struct Nest<'m> {
    attributes: SiteAttributes<'m>,
    dialects: HashSet<String>,
    types: Registrations,
    nesting: Nesting,
    parsed: Parsed,
    /// Combinations by the context of an op, its dictionary and its name. The context is stored with the
    /// result, so that its address is not reused.
    combinations: HashMap<(*const EffectiveEntries, u32, OpNameId), [Arc<EffectiveEntries>; 2]>,
    budget: Budget,
}

impl Nest<'_> {
    /// The entries effective inside an op.
    fn inside(
        &mut self,
        op: &Operation<'_>,
        outer: &Arc<EffectiveEntries>,
        region: Option<u32>,
    ) -> Result<Arc<EffectiveEntries>> {
        let name = short_name(op);
        if self.types.specification(&name).is_some() {
            let attributes = match op.attribute_dictionary() {
                Some(dictionary) => self.attributes.get(dictionary)?,
                None => Arc::from([]),
            };
            let specified = Some(SpecificationInput::of(op, region)?);
            return self.within(&Site { op: name, path: String::new(), attributes, specified }, outer);
        }
        let Some(dictionary) = op.attribute_dictionary() else { return Ok(outer.clone()) };
        let attributes = self.attributes.get(dictionary)?;
        if attributes.is_empty() {
            return Ok(outer.clone());
        }
        let key = (Arc::as_ptr(outer), dictionary.number(), op.name_id());
        if let Some([_, inner]) = self.combinations.get(&key) {
            return Ok(inner.clone());
        }
        // A malformed property is reported, although the result does not depend on the symbol.
        symbol_of(op)?;
        let site = Site { op: name, path: String::new(), attributes, specified: None };
        let inner = self.within(&site, outer)?;
        self.combinations.insert(key, [outer.clone(), inner.clone()]);
        Ok(inner)
    }

    fn within(&mut self, site: &Site, outer: &Arc<EffectiveEntries>) -> Result<Arc<EffectiveEntries>> {
        Ok(match site.read(&self.types, &mut self.parsed)?.spec {
            None => outer.clone(),
            Some((_, spec)) => {
                let mut inner = match outer.copied(&self.budget) {
                    Err(error) if error.kind() == ErrorKind::MemoryLimit => {
                        // Cached results for later ops are evicted.
                        self.combinations.clear();
                        outer.copied(&self.budget)?
                    }
                    copied => copied?,
                };
                let is_new =
                    inner.add(&spec, 0, (&self.dialects, &self.types), self.nesting, &self.budget)?;
                if is_new { Arc::new(inner) } else { outer.clone() }
            }
        })
    }
}
