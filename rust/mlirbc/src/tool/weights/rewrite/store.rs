//! Constants that are stored in a smaller type, with the operations that restore the type where they are used.

use crate::artifact::Artifact;
use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;
use crate::convert::portable::artifact_version;
use crate::edit::{Editor, InsertionPoint};
use crate::ir::Module;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, Result};

use super::program::{ProgramBuilder, ProgramDialect};
use super::{HolderUses, Rewrite, by_holder, indices, located};
use crate::tool::weights::block::Blocks;
use crate::tool::weights::stats::Decoder;
use crate::tool::weights::{Weight, WeightUse, Weights, invalid, shown};

/// The form in which constants are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreForm {
    /// In another floating-point type, e.g. `bf16`, rounded to the nearest number, ties to even.
    Float(String),
    /// As integers of eight bits from -127 to 127, with one scale.
    Int8,
    /// As `Int8`, with a scale for each index of a dimension; `None` is the last dimension.
    Int8PerChannel(Option<u64>),
}

/// The constants that were stored in another form.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct StoreReport {
    /// The names of the constants, with the paths of their modules if there are several.
    pub stored: Vec<String>,
    /// The number of bytes before.
    pub size_before: u64,
    /// The number of bytes afterwards, with the scales.
    pub size_after: u64,
    /// The largest difference between an element and its stored value.
    pub largest_error: f64,
    /// The names of weights that remain unchanged, and the reasons.
    pub kept: Vec<(String, String)>,
}

/// The elements of a constant in its new form.
struct StoredElements {
    data: Bytes,
    /// The scales as elements of the original type; none for floats.
    scales: Vec<u8>,
    axis: Option<usize>,
    largest_error: f64,
}

impl Rewrite {
    /// Stores constants that `choose` and `choose_use` accept in another form, in all modules of an artifact. Operations
    /// after the constant restore the original type: the computation does not change.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`](crate::ErrorKind::Weights) if no constant is accepted, the form does not exist, or a constant
    /// has elements that the form does not have.
    ///
    /// ```
    /// use mlirbc::tool::{Rewrite, StoreForm};
    /// let artifact = mlirbc::Artifact::open("../../examples/mlp.jax")?;
    /// let form = StoreForm::Float("bf16".to_owned());
    /// let (mut rewrite, report) = Rewrite::store(&artifact, &form, &|weight| weight.size > 4, &|_| true, false)?;
    /// assert_eq!((report.size_before, report.size_after), (256, 128));
    /// let mut bytes = Vec::new();
    /// rewrite.prepare(&Default::default())?.write(&mut bytes)?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn store(
        artifact: &Artifact,
        form: &StoreForm,
        choose: &dyn Fn(&Weight) -> bool,
        choose_use: &dyn Fn(&WeightUse) -> bool,
        is_bare: bool,
    ) -> Result<(Self, StoreReport)> {
        let target = element_of(form)?;
        let mut rewrite = Self::new(artifact, is_bare);
        let mut report = StoreReport::default();
        let chosen = indices(artifact, is_bare);
        for &index in &chosen {
            let module = artifact.module(index)?;
            let path = artifact.modules().get(index).filter(|_| chosen.len() > 1);
            let before = report.stored.len();
            let mut store =
                Store { form, target, report: &mut report, path: path.map(|module| &*module.path) };
            let editor = store.module(&module, choose, choose_use);
            let editor = located(artifact, index, editor)?;
            if report.stored.len() > before {
                rewrite.editors.push((index, editor));
            }
        }
        if report.stored.is_empty() {
            let error = invalid("no constant was stored in another form".to_owned());
            return Err(match report.kept.first() {
                Some((name, why)) => error.with_hint(format!("`{}` stays: {why}", shown(name))),
                None => error.with_hint(
                    "choose other weights with `--name`; `weights freeze` makes arguments constants",
                ),
            });
        }
        Ok((rewrite, report))
    }
}

fn element_of(form: &StoreForm) -> Result<Element> {
    let StoreForm::Float(name) = form else { return Ok(Element::Signless(8)) };
    match Weights::element_named(name) {
        Some(element @ Element::Float(semantics))
            if semantics.bits() <= 64 && semantics != Semantics::TF32 =>
        {
            Ok(element)
        }
        _ => {
            let names: Vec<&str> = Semantics::ALL
                .into_iter()
                .filter(|semantics| semantics.bits() <= 64 && *semantics != Semantics::TF32)
                .map(Semantics::name)
                .collect();
            Err(invalid(format!("`{}` is not a floating-point type", shown(name)))
                .with_hint(format!("use one of {}", names.join(", "))))
        }
    }
}

/// The work on one module.
struct Store<'s> {
    form: &'s StoreForm,
    target: Element,
    report: &'s mut StoreReport,
    path: Option<&'s str>,
}

impl Store<'_> {
    fn module(
        &mut self,
        module: &Module,
        choose: &dyn Fn(&Weight) -> bool,
        choose_use: &dyn Fn(&WeightUse) -> bool,
    ) -> Result<Editor> {
        let weights = Weights::of(module)?;
        let mut uses = weights.uses(&|weight| Weights::is_exported(weight) && choose(weight))?;
        uses.retain(choose_use);
        let mut editor = Editor::new(module.clone())?;
        let mut groups = by_holder(&mut editor, &uses)?;
        // The new elements of a weight serve all constants that hold it, and only one weight is in memory.
        groups.sort_by_key(|group| group.uses.first().map(|first| first.weight));
        let mut elements: Option<(usize, StoredElements)> = None;
        for group in &groups {
            let Some(first) = group.uses.first() else { continue };
            let weight = &weights.rows()[first.weight];
            if let Some(why) = self.why_not(&editor, weight, group)? {
                if !self.report.kept.iter().any(|(name, _)| *name == weight.name) {
                    self.report.kept.push((weight.name.clone(), why));
                }
                continue;
            }
            let stored = match elements.take() {
                Some((row, stored)) if row == first.weight => stored,
                _ => {
                    let stored = self.elements(&weights, weight)?;
                    self.count(weight, &stored);
                    stored
                }
            };
            self.rebuild(&mut editor, group, weight, &stored)?;
            elements = Some((first.weight, stored));
        }
        Ok(editor)
    }

    fn count(&mut self, weight: &Weight, stored: &StoredElements) {
        let name = match self.path {
            Some(path) => format!("{path}: {}", weight.name),
            None => weight.name.clone(),
        };
        self.report.stored.push(name);
        self.report.size_before += weight.size;
        self.report.size_after += (stored.data.len() + stored.scales.len()) as u64;
        self.report.largest_error = self.report.largest_error.max(stored.largest_error);
    }

    fn why_not(&self, editor: &Editor, weight: &Weight, group: &HolderUses<'_>) -> Result<Option<String>> {
        let Some(element @ Element::Float(_)) = weight.element else {
            return Ok(Some("its elements are not floats".to_owned()));
        };
        let name = editor.name(group.holder)?;
        let Some(dialect) = ProgramDialect::of_constant(&name) else {
            return Ok(Some(format!("{name} is no constant of StableHLO or arith")));
        };
        if element == self.target {
            return Ok(Some("it has this type".to_owned()));
        }
        if matches!(self.form, StoreForm::Int8PerChannel(_)) && weight.shape.is_empty() {
            return Ok(Some("it has no dimensions".to_owned()));
        }
        if let StoreForm::Int8PerChannel(Some(axis)) = self.form
            && *axis >= weight.shape.len() as u64
        {
            return Ok(Some(format!("it has {} dimensions, and no dimension {axis}", weight.shape.len())));
        }
        let is_channelled = matches!(self.form, StoreForm::Int8PerChannel(_));
        if is_channelled && dialect == ProgramDialect::Arith {
            return Ok(Some("a program of arith has no scales for each channel".to_owned()));
        }
        let StoreForm::Float(target) = self.form else { return Ok(None) };
        Ok(dialect.why_no_element(target, artifact_version(editor.base())))
    }

    /// Creates the constant in its new form, and the operations that restore its type.
    fn rebuild(
        &self,
        editor: &mut Editor,
        group: &HolderUses<'_>,
        weight: &Weight,
        stored: &StoredElements,
    ) -> Result<()> {
        let Some(dialect) = ProgramDialect::of_constant(&editor.name(group.holder)?) else { return Ok(()) };
        let (Some(&result), Some(element)) = (editor.results(group.holder)?.first(), weight.element) else {
            return Ok(());
        };
        let r#type = editor.value_type(result)?;
        let location = editor.location(group.holder)?;
        let at = InsertionPoint::Before(group.holder);
        let mut builder = ProgramBuilder { editor, dialect, at, location };
        let mut name = Vec::new();
        self.target.write_name(&mut name);
        let small = dialect.with_element(&r#type, &String::from_utf8_lossy(&name))?;
        let constant = builder.constant(&small, stored.data.clone())?;
        // The first user names the constant.
        if let Some(first) = group.uses.first() {
            let user = builder.editor.op(first.op.0, first.op.1)?;
            builder.location = builder.editor.location(user)?;
        }
        let mut value = builder.convert(constant, &r#type, (self.target, element))?;
        if !stored.scales.is_empty() {
            let scales = match stored.axis {
                Some(axis) => {
                    let vector = dialect.along(&r#type, weight.shape[axis])?;
                    let vector = builder.constant(&vector, stored.scales.clone().into())?;
                    builder.broadcast(vector, axis, &r#type)?
                }
                // A splat repeats its element.
                None => builder.constant(&r#type, stored.scales.clone().into())?,
            };
            value = builder.multiply(value, scales, &r#type)?;
        }
        group.replace(editor, value)?;
        Ok(())
    }

    fn elements(&self, weights: &Weights, weight: &Weight) -> Result<StoredElements> {
        match self.form {
            StoreForm::Float(_) => self.floats(weights, weight),
            StoreForm::Int8 => self.integers(weights, weight, None),
            StoreForm::Int8PerChannel(axis) => {
                let last = weight.shape.len().saturating_sub(1);
                self.integers(weights, weight, Some(axis.map_or(last, |axis| axis as usize)))
            }
        }
    }

    fn floats(&self, weights: &Weights, weight: &Weight) -> Result<StoredElements> {
        let Element::Float(target) = self.target else { return Err(no_decoder(weight)) };
        let size = target.bits().div_ceil(8) as usize;
        let mut data = room(weights, weight, size)?;
        let mut largest_error: f64 = 0.0;
        each_block(weights, weight, |values| {
            for &value in values {
                let Some(bits) = target.nearest(value) else {
                    let value = if value.is_nan() { "NaN".to_owned() } else { value.to_string() };
                    let name = shown(&weight.name);
                    return Err(invalid(format!(
                        "`{name}` has the element {value}, which is none of {}",
                        target.name()
                    )));
                };
                data.extend_from_slice(&bits.to_le_bytes()[..size]);
                let error = (target.to_f64(bits) - value).abs();
                if error > largest_error {
                    largest_error = error;
                }
            }
            Ok(())
        })?;
        Ok(StoredElements { data: data.into(), scales: Vec::new(), axis: None, largest_error })
    }

    fn integers(&self, weights: &Weights, weight: &Weight, axis: Option<usize>) -> Result<StoredElements> {
        let Some(Element::Float(original)) = weight.element else { return Err(no_decoder(weight)) };
        let channels = axis.map_or(1, |axis| weight.shape[axis]).max(1) as usize;
        let inner: u64 = axis.map_or(1, |axis| weight.shape[axis + 1..].iter().product());
        let channel = |place: u64| (place / inner.max(1)) as usize % channels;
        let mut largest = weights.module().tables().work_budget().filled(0.0_f64, channels)?;
        let mut place = 0;
        each_block(weights, weight, |values| {
            for value in values {
                if !value.is_finite() {
                    let name = shown(&weight.name);
                    return Err(invalid(format!("`{name}` has the element {value}, which has no scale")));
                }
                let most = &mut largest[channel(place)];
                *most = most.max(value.abs());
                place += 1;
            }
            Ok(())
        })?;
        let size = original.bits().div_ceil(8) as usize;
        let mut scales = Vec::new();
        let mut factors = Vec::new();
        for most in largest {
            let scale = if most == 0.0 { 1.0 } else { most / 127.0 };
            let bits = original.nearest(scale).unwrap_or_default();
            scales.extend_from_slice(&bits.to_le_bytes()[..size]);
            let rounded = original.to_f64(bits);
            factors.push(if rounded == 0.0 { f64::MIN_POSITIVE } else { rounded });
        }
        let mut data = room(weights, weight, 1)?;
        let mut largest_error: f64 = 0.0;
        let mut place = 0;
        each_block(weights, weight, |values| {
            for &value in values {
                let factor = factors[channel(place)];
                let number = (value / factor).round_ties_even().clamp(-127.0, 127.0);
                data.push(number as i8 as u8);
                largest_error = largest_error.max((number * factor - value).abs());
                place += 1;
            }
            Ok(())
        })?;
        Ok(StoredElements { data: data.into(), scales, axis, largest_error })
    }
}

fn room(weights: &Weights, weight: &Weight, size: usize) -> Result<Vec<u8>> {
    let count = usize::try_from(weight.count()).unwrap_or(usize::MAX);
    weights.module().tables().work_budget().vec(count.saturating_mul(size))
}

fn each_block(weights: &Weights, weight: &Weight, mut visit: impl FnMut(&[f64]) -> Result<()>) -> Result<()> {
    let decoder = weight.element.and_then(Decoder::of).ok_or_else(|| no_decoder(weight))?;
    let mut values = Vec::new();
    let unit = decoder.storage() as u64;
    Blocks::new(weights.module().source()).each_unpacked(weight, unit, |block| {
        weights.module().tables().check_interrupt()?;
        decoder.decode(block, &mut values);
        visit(&values)
    })
}

#[cold]
fn no_decoder(weight: &Weight) -> Error {
    invalid(format!("`{}` has elements that are not floats", shown(&weight.name)))
}
