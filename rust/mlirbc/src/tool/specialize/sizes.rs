//! The sizes of the dimensions of the entry functions, from the options and from the container.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::artifact::Artifact;
use crate::attr::Type;
use crate::container::jax::Exported;
use crate::tool::cost::dimension_value;
use crate::wire::error::Result;

use super::shape::TensorShape;
use super::{ArgumentSizes, SpecializeOptions, invalid};

/// The sizes of symbolic dimensions.
pub(super) struct Sizes {
    values: BTreeMap<String, i128>,
    /// The types of arguments by their number.
    inputs: BTreeMap<usize, Type>,
    is_export: bool,
    /// The number of arguments that the calling convention adds.
    added: usize,
    computed: RefCell<BTreeMap<String, String>>,
}

impl Sizes {
    pub(super) fn of(artifact: &Artifact, options: &SpecializeOptions) -> Result<Self> {
        let exported = match artifact.container() {
            Some(container) => container.exported(0)?,
            None => None,
        };
        let mut this = Self {
            values: BTreeMap::new(),
            inputs: BTreeMap::new(),
            is_export: exported.is_some(),
            added: 0,
            computed: RefCell::default(),
        };
        for (name, size) in &options.dims {
            this.set(name, i128::from(*size))?;
        }
        this.read_inputs(artifact, options, exported.as_ref())?;
        if let Some(exported) = &exported {
            this.check_symbols(exported)?;
        }
        Ok(this)
    }

    fn set(&mut self, name: &str, size: i128) -> Result<()> {
        match self.values.insert(name.to_owned(), size) {
            Some(earlier) if earlier != size => {
                Err(invalid(format!("the dimension `{name}` has two sizes, {earlier} and {size}")))
            }
            _ => Ok(()),
        }
    }

    fn read_inputs(
        &mut self,
        artifact: &Artifact,
        options: &SpecializeOptions,
        exported: Option<&Exported>,
    ) -> Result<()> {
        if options.inputs.is_empty() {
            return Ok(());
        }
        let summary = artifact.module(0)?.model_summary()?;
        let entry = summary.and_then(|summary| summary.entry);
        let names: Vec<_> =
            entry.into_iter().flat_map(|entry| entry.arguments).map(|argument| argument.name).collect();
        if let Some(exported) = exported {
            self.added = names.len().saturating_sub(exported.module_kept_var_idx.len());
        }
        for (name, r#type) in &options.inputs {
            let named = names.iter().position(|known| known.as_deref() == Some(name.as_str()));
            let number = named.or_else(|| name.parse().ok()).filter(|&number| number < names.len());
            let Some(number) = number else {
                let known: Vec<_> = names.iter().flatten().take(8).map(|name| format!("`{name}`")).collect();
                let message =
                    format!("the entry function has no argument `{name}`; it has {}", known.join(", "));
                return Err(invalid(message));
            };
            self.inputs.insert(number, r#type.clone());
            let Some(exported) = exported else { continue };
            let (Some(shape), Some(aval)) = (TensorShape::of(r#type)?, aval(exported, names.len(), number))
            else {
                continue;
            };
            if shape.dims.len() != aval.len() {
                let message =
                    format!("the argument `{name}` has {} dimensions, not {}", aval.len(), shape.dims.len());
                return Err(invalid(message));
            }
            for (text, size) in aval.iter().zip(&shape.dims) {
                let is_symbol = text.chars().all(|c| c.is_alphanumeric() || c == '_')
                    && text.starts_with(|c: char| !c.is_ascii_digit());
                if let (true, Some(size)) = (is_symbol, size) {
                    self.set(text, i128::from(*size))?;
                }
            }
        }
        Ok(())
    }

    /// Checks that exactly the symbols of the export have sizes.
    fn check_symbols(&self, exported: &Exported) -> Result<()> {
        let mut symbols = BTreeSet::new();
        let avals = exported.in_avals.iter().chain(&exported.out_avals);
        for text in avals.flat_map(|aval| &aval.shape) {
            dimension_value(text, &BTreeMap::new(), &mut symbols)?;
        }
        if symbols.is_empty() {
            return Err(invalid("the export has no symbolic dimensions".to_owned()));
        }
        let listed =
            |names: Vec<&String>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let missing: Vec<_> = symbols.iter().filter(|name| !self.values.contains_key(*name)).collect();
        if !missing.is_empty() {
            let example = format!("add `--dim {}=8`", missing[0]);
            return Err(invalid(format!("no size for the dimension {}", listed(missing))).with_hint(example));
        }
        let unknown: Vec<_> = self.values.keys().filter(|name| !symbols.contains(*name)).collect();
        match unknown.is_empty() {
            true => Ok(()),
            false => {
                let known = listed(symbols.iter().collect());
                Err(invalid(format!("the export has no dimension {}; it has {known}", listed(unknown))))
            }
        }
    }

    /// Returns the size of a dimension as text; numbers are unchanged.
    pub(super) fn dimension(&self, text: &str) -> Result<String> {
        if let Some(known) = self.computed.borrow().get(text) {
            return Ok(known.clone());
        }
        let value = self.value(text)?.to_string();
        self.computed.borrow_mut().insert(text.to_owned(), value.clone());
        Ok(value)
    }

    fn value(&self, text: &str) -> Result<u64> {
        let value = dimension_value(text, &self.values, &mut BTreeSet::new())?;
        let size =
            value.and_then(|value| u64::try_from(value).ok()).filter(|&size| i64::try_from(size).is_ok());
        size.ok_or_else(|| match value {
            Some(value) => invalid(format!("the dimension `{text}` would have the size {value}")),
            None => invalid(format!("the dimension `{text}` has no size")),
        })
    }

    /// Returns the sizes of open dimensions of the arguments of a module's entry function.
    pub(super) fn arguments(&self, artifact: &Artifact, index: usize) -> Result<ArgumentSizes> {
        let exported = match artifact.container().filter(|_| self.is_export) {
            Some(container) => container.exported(index)?,
            None => None,
        };
        let mut sizes = BTreeMap::new();
        let added = if self.is_export { self.added } else { 0 };
        for (&number, r#type) in self.inputs.iter().filter(|_| index == 0) {
            let Some(shape) = TensorShape::of(r#type)? else { continue };
            let Some(number) = number.checked_sub(added) else { continue };
            let known =
                shape.dims.iter().zip(0..).filter_map(|(dim, place)| Some(((number, place), (*dim)?)));
            sizes.extend(known);
        }
        let Some(exported) = exported else {
            for (name, &value) in &self.values {
                let place = name.strip_prefix("arg").and_then(|rest| rest.split_once('.'));
                let numbers =
                    place.and_then(|(argument, dim)| Some((argument.parse().ok()?, dim.parse().ok()?)));
                let Some(place) = numbers else {
                    let message = format!("`{name}` is not a dimension of a module outside a JAX export");
                    return Err(invalid(message).with_hint("write `arg0.1` for dimension 1 of argument 0"));
                };
                sizes.insert(place, u64::try_from(value).unwrap_or_default());
            }
            return Ok(ArgumentSizes { sizes, kept: None });
        };
        // Arguments that the calling convention adds come first, and have static shapes.
        for (kept, &number) in exported.module_kept_var_idx.iter().enumerate() {
            let Some(aval) = exported.in_avals.get(number as usize) else { continue };
            for (place, text) in aval.shape.iter().enumerate() {
                let value = self.value(text)?;
                if let Some(earlier) = sizes.insert((kept, place), value).filter(|&earlier| earlier != value)
                {
                    let message = format!(
                        "dimension {place} of argument {kept} is `{text}`, {value}, and not {earlier}"
                    );
                    return Err(invalid(message));
                }
            }
        }
        Ok(ArgumentSizes { sizes, kept: Some(exported.module_kept_var_idx.len()) })
    }
}

/// Returns the shape of an argument of a module with `count` arguments.
fn aval(exported: &Exported, count: usize, number: usize) -> Option<&[String]> {
    let added = count.checked_sub(exported.module_kept_var_idx.len())?;
    let index = *exported.module_kept_var_idx.get(number.checked_sub(added)?)?;
    Some(&exported.in_avals.get(index as usize)?.shape)
}
