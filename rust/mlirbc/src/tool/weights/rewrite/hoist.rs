//! Constants that become arguments, in the function and in its container.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use crate::artifact::Artifact;
use crate::container::{NewArgument, SignatureChange};
use crate::edit::{EditOp, Editor};
use crate::wire::error::{Error, Result};
use crate::wire::progress::Progress;
use crate::write::replace::Replacement;

use super::freeze::first_argument;
use super::function::{EntryFunction, named_location};
use super::{HolderUses, Rewrite, by_holder};
use crate::tool::parameters::{BlockSink, NpzWriter, descr, npy_header};
use crate::tool::weights::block::Blocks;
use crate::tool::weights::{Weight, WeightKind, WeightUse, Weights, invalid};

/// Settings for constants that become arguments.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HoistOptions {
    /// The function; by default `main`, or the only public function.
    pub function: Option<String>,
    /// Whether an export loses its derivatives, which have no results for new arguments.
    pub drops_derivatives: bool,
    /// Whether only the module is changed and written, not its container.
    pub is_bare: bool,
}

impl HoistOptions {
    /// Sets the function.
    #[must_use]
    pub fn function(mut self, function: Option<String>) -> Self {
        self.function = function;
        self
    }

    /// Sets whether an export loses its derivatives.
    #[must_use]
    pub fn drop_derivatives(mut self, drops_derivatives: bool) -> Self {
        self.drops_derivatives = drops_derivatives;
        self
    }

    /// Sets whether only the module is changed and written.
    #[must_use]
    pub fn bare(mut self, is_bare: bool) -> Self {
        self.is_bare = is_bare;
        self
    }
}

/// The constants that became arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct HoistReport {
    /// The names of the new arguments, in order.
    pub hoisted: Vec<String>,
    /// The number of bytes of their elements.
    pub size: u64,
    /// The names of weights that remain constants, and the reasons.
    pub kept: Vec<(String, &'static str)>,
}

/// The element types of arguments of JAX.
const DTYPES: &[(&str, &str)] = &[
    ("i1", "bool"),
    ("i8", "int8"),
    ("i16", "int16"),
    ("i32", "int32"),
    ("i64", "int64"),
    ("ui8", "uint8"),
    ("ui16", "uint16"),
    ("ui32", "uint32"),
    ("ui64", "uint64"),
    ("f16", "float16"),
    ("f32", "float32"),
    ("f64", "float64"),
    ("complex<f32>", "complex64"),
    ("complex<f64>", "complex128"),
    ("bf16", "bfloat16"),
    ("i4", "int4"),
    ("ui4", "uint4"),
    ("f8E4M3B11FNUZ", "float8_e4m3b11fnuz"),
    ("f8E4M3FN", "float8_e4m3fn"),
    ("f8E4M3FNUZ", "float8_e4m3fnuz"),
    ("f8E5M2", "float8_e5m2"),
    ("f8E5M2FNUZ", "float8_e5m2fnuz"),
    ("f8E4M3", "float8_e4m3"),
    ("f8E3M4", "float8_e3m4"),
    ("f8E8M0FNU", "float8_e8m0fnu"),
    ("f4E2M1FN", "float4_e2m1fn"),
];

impl Rewrite {
    /// Makes constants that `choose` and `choose_use` accept arguments: in a JAX export the keys of a dictionary, which is
    /// the last positional argument; elsewhere arguments after the others. [`Weights::save`] writes their values.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`](crate::ErrorKind::Weights) if no constant is accepted, and for an export with derivatives
    /// unless they are dropped; [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) for a container whose signature
    /// cannot be written.
    ///
    /// ```
    /// use mlirbc::tool::{HoistOptions, Rewrite, Weights};
    /// let artifact = mlirbc::Artifact::open("../../examples/mlp.jax")?;
    /// let weights = Weights::of(artifact.first())?;
    /// let options = HoistOptions::default().drop_derivatives(true);
    /// let (mut rewrite, report) = Rewrite::hoist(&artifact, &weights, &|_| true, &|_| true, &options)?;
    /// assert_eq!(report.hoisted, ["jit(mlp)/dot_general"]);
    /// let mut bytes = Vec::new();
    /// rewrite.prepare(&Default::default())?.write(&mut bytes)?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn hoist(
        artifact: &Artifact,
        weights: &Weights,
        choose: &dyn Fn(&Weight) -> bool,
        choose_use: &dyn Fn(&WeightUse) -> bool,
        options: &HoistOptions,
    ) -> Result<(Self, HoistReport)> {
        let module = weights.module();
        let index = module.tables().module_index();
        let mut rewrite = Self::new(artifact, options.is_bare);
        let exported = match &rewrite.container {
            Some(container) => container.exported(index)?,
            None => None,
        };
        if exported.is_none() {
            rewrite.check_container(artifact)?;
        }
        let has_derivatives = exported.is_some() && artifact.modules().len() > index + 1;
        if has_derivatives && !options.drops_derivatives {
            return Err(invalid(
                "the derivatives of the export have no results for new arguments".to_owned(),
            )
            .with_hint(
                "write an export without them with `--drop-derivatives`, or only some modules with `--bare`",
            ));
        }
        rewrite.has_derivatives = !options.drops_derivatives;
        let mut uses = weights.uses(&|weight| Weights::is_exported(weight) && choose(weight))?;
        uses.retain(choose_use);
        let mut editor = Editor::new(module.clone())?;
        let function = exported.as_ref().map(|_| "main").or(options.function.as_deref());
        let entry = EntryFunction::find(&mut editor, function)?;
        let mut report = HoistReport::default();
        let mut by_name: BTreeMap<&str, Vec<HolderUses<'_>>> = BTreeMap::new();
        for group in by_holder(&mut editor, &uses)? {
            let Some(first) = group.uses.first() else { continue };
            match why_not(&editor, &entry, weights, &group, exported.is_some())? {
                Some(why) => report.kept.push((first.name.clone(), why)),
                None => by_name.entry(&first.name).or_default().push(group),
            }
        }
        if by_name.is_empty() {
            let error = invalid("no constant becomes an argument".to_owned());
            return Err(match report.kept.first() {
                Some((name, why)) => error.with_hint(format!("`{name}` stays: {why}")),
                None => {
                    error.with_hint("choose other weights with `--name`; splats are no weights with data")
                }
            });
        }
        let mut new = Vec::new();
        let mut types = Vec::new();
        for (name, groups) in &by_name {
            let weight = weights.require(name)?;
            let dtype = weight.dtype.as_deref().unwrap_or_default();
            let dtype = DTYPES.iter().find(|row| row.0 == dtype).map_or("", |row| row.1);
            new.push(NewArgument { name: (*name).to_owned(), dtype, shape: weight.shape.clone() });
            let Some(result) = groups.first().map(|group| editor.results(group.holder)).transpose()? else {
                continue;
            };
            let Some(&result) = result.first() else { continue };
            types.push((editor.value_type(result)?, named_location(name)?));
            report.hoisted.push((*name).to_owned());
            report.size += weight.size;
        }
        let place = match (&exported, &rewrite.container) {
            (Some(exported), Some(container)) => {
                let leaves = container.positional_leaves(index)?;
                let first = first_argument(&editor, &entry, &exported.module_kept_var_idx)?;
                first + exported.module_kept_var_idx.iter().filter(|&&number| number < leaves).count()
            }
            _ => entry.arguments(&editor)?.len(),
        };
        let values = entry.insert_arguments(&mut editor, place, &types)?;
        for (groups, value) in by_name.values().zip(values) {
            for group in groups {
                group.replace(&mut editor, value)?;
            }
        }
        if exported.is_some() {
            let count = if has_derivatives { 1 } else { index + 1 };
            rewrite.signatures = vec![SignatureChange::default(); count];
            rewrite.signatures[index] = SignatureChange { added: new, ..SignatureChange::default() };
        }
        rewrite.editors.push((index, editor));
        Ok((rewrite, report))
    }
}

/// Returns why a constant does not become an argument.
fn why_not(
    editor: &Editor,
    entry: &EntryFunction,
    weights: &Weights,
    group: &HolderUses<'_>,
    is_export: bool,
) -> Result<Option<&'static str>> {
    let Some(first) = group.uses.first() else { return Ok(None) };
    let weight = &weights.rows()[first.weight];
    let dtype = weight.dtype.as_deref().unwrap_or_default();
    if is_export && !DTYPES.iter().any(|row| row.0 == dtype) {
        return Ok(Some("JAX has no arguments with such elements"));
    }
    if !is_within(editor, group.holder, entry.op)? {
        return Ok(Some("it is in another function"));
    }
    Ok((editor.results(group.holder)?.len() != 1).then_some("its operation has several results"))
}

fn is_within(editor: &Editor, op: EditOp, outer: EditOp) -> Result<bool> {
    let mut current = Some(op);
    while let Some(op) = current {
        if op == outer {
            return Ok(true);
        }
        current = editor.parent(op)?;
    }
    Ok(false)
}

impl Weights {
    /// Writes weights with these names to a file, by its suffix: `.npz`, otherwise safetensors. Data is read in
    /// blocks.
    ///
    /// # Errors
    /// As [`Self::export`].
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-save-{}.npz", std::process::id()));
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let weights = mlirbc::tool::Weights::of(&module)?;
    /// weights.save(&path, &["layer1.bias".to_owned()], &Default::default())?;
    /// assert_eq!(mlirbc::tool::NamedTensor::read(&path)?[0].name(), "layer1.bias");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>, names: &[String], progress: &Progress) -> Result<()> {
        let path = path.as_ref();
        let chosen: std::collections::HashSet<&str> = names.iter().map(String::as_str).collect();
        let choose = |weight: &Weight| chosen.contains(weight.name.as_str());
        if path.extension().is_none_or(|suffix| suffix != "npz") {
            return self.export(path, &choose, progress).map(drop);
        }
        let failed = |error| Error::io(format!("cannot write `{}`", path.display()), error);
        let mut file = Replacement::begin(path).map_err(failed)?;
        let mut writer = NpzWriter::new(&mut file);
        for weight in self.rows().iter().filter(|weight| weight.kind != WeightKind::Splat && choose(weight)) {
            self.save_array(weight, &mut writer)?;
        }
        writer.finish().map_err(failed)?;
        self.module().source().check()?;
        file.flush().map_err(failed)?;
        file.commit().map_err(failed)
    }

    fn save_array(&self, weight: &Weight, writer: &mut NpzWriter<'_>) -> Result<()> {
        let dtype = weight.dtype.as_deref().unwrap_or_default();
        let storage = weight.element.map_or(1, |element| element.storage() as u64);
        let header = npy_header(&descr(dtype, storage), &weight.shape);
        let size = if weight.is_packed() { weight.count() } else { weight.size };
        let failed = |error| Error::io("cannot write the archive", error);
        let mut read_blocks = |visit: &mut BlockSink<'_>| {
            Blocks::new(self.module().source()).each_unpacked(weight, 1, |block| {
                self.module().tables().check_interrupt()?;
                visit(block).map_err(failed)
            })
        };
        writer.add(&weight.name, &header, size, &mut read_blocks)
    }
}
