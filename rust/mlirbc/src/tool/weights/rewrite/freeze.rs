//! Arguments that become constants, in the function, its derivatives and its container.

use std::collections::{BTreeMap, BTreeSet};

use crate::artifact::Artifact;
use crate::attr::text::dense::Element;
use crate::attr::{FieldValue, Type};
use crate::container::SignatureChange;
use crate::edit::{EditValue, Editor, InsertionPoint};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::function::{EntryFunction, location_text, named_location};
use super::program::{ProgramBuilder, ProgramDialect};
use super::tensors::{NamedTensor, matching_argument};
use super::{Rewrite, unknown_name};
use crate::tool::weights::block::pack;
use crate::tool::weights::{Weights, invalid, listed, shown};

/// Settings for arguments that become constants.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct FreezeOptions {
    /// The function; by default `main`, or the only public function.
    pub function: Option<String>,
    /// Whether tensors that are for no argument are ignored.
    pub allow_extra: bool,
    /// Whether only the module is changed and written, not its container.
    pub is_bare: bool,
}

impl FreezeOptions {
    /// Sets the function.
    #[must_use]
    pub fn function(mut self, function: Option<String>) -> Self {
        self.function = function;
        self
    }

    /// Sets whether tensors that are for no argument are ignored.
    #[must_use]
    pub fn allow_extra(mut self, allow_extra: bool) -> Self {
        self.allow_extra = allow_extra;
        self
    }

    /// Sets whether only the module is changed and written.
    #[must_use]
    pub fn bare(mut self, is_bare: bool) -> Self {
        self.is_bare = is_bare;
        self
    }
}

/// The arguments that became constants.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FreezeReport {
    /// The names of the arguments.
    pub frozen: Vec<String>,
    /// The number of bytes of their elements.
    pub size: u64,
    /// The names of the arguments that remain.
    pub remaining: Vec<String>,
    /// The names of tensors that were ignored.
    pub extra: Vec<String>,
}

/// The arguments and results of a level of an export, by the numbers of its trees.
struct Level {
    arguments: usize,
    results: usize,
    /// The numbers of the arguments that the module has.
    kept_arguments: Vec<u32>,
}

/// The value of a removed argument; zeros without a tensor.
type Values<'t> = BTreeMap<u32, Option<&'t NamedTensor>>;

/// Returns the names of the arguments of a function: their paths in a JAX export, otherwise the names in their
/// locations, or `arg0`.
///
/// # Errors
/// If the module or the container is malformed, and for a function that does not exist.
#[doc(hidden)]
pub fn function_arguments(artifact: &Artifact, function: Option<&str>) -> Result<Vec<String>> {
    let index = artifact.first().tables().module_index();
    if let Some(exported) =
        artifact.container().map(|container| container.exported(index)).transpose()?.flatten()
    {
        return Ok(exported.in_paths);
    }
    let mut editor = Editor::new(artifact.first().clone())?;
    let entry = EntryFunction::find(&mut editor, function)?;
    let mut names: Vec<String> = Vec::new();
    for (number, value) in entry.arguments(&editor)?.into_iter().enumerate() {
        let location = editor.location_of_argument(value)?;
        let name = location.map(|location| location_text(&location)).transpose()?.flatten();
        let name = name.filter(|name| !name.is_empty() && !names.contains(name));
        names.push(name.unwrap_or_else(|| format!("arg{number}")));
    }
    Ok(names)
}

impl Rewrite {
    /// Makes arguments constants with the values of tensors, in the function, in its derivatives and in the container of a
    /// JAX export. A positional argument without other leaves is removed, as are keys of dictionaries; items of lists
    /// become `None`.
    ///
    /// The derivatives then have no results for the arguments.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`] for a tensor that is for no argument, or has another dtype or shape;
    /// [`ErrorKind::Unsupported`] for a container whose signature cannot be written.
    ///
    /// ```
    /// use mlirbc::tool::{FreezeOptions, NamedTensor, Rewrite};
    /// let artifact = mlirbc::Artifact::open("../../examples/mlp.jax")?;
    /// let bias = NamedTensor::new("args[0]", "f32", &[16], vec![0; 64]);
    /// # let names = mlirbc::tool::function_arguments(&artifact, None)?;
    /// # let bias = bias.with_name(names[0].clone());
    /// let (mut rewrite, report) = Rewrite::freeze(&artifact, &[bias], &FreezeOptions::default())?;
    /// assert_eq!((report.frozen.len(), report.remaining.len()), (1, names.len() - 1));
    /// let mut bytes = Vec::new();
    /// rewrite.prepare(&Default::default())?.write(&mut bytes)?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn freeze(
        artifact: &Artifact,
        tensors: &[NamedTensor],
        options: &FreezeOptions,
    ) -> Result<(Self, FreezeReport)> {
        let names = function_arguments(artifact, options.function.as_deref())?;
        let mut report = FreezeReport::default();
        let mut values = Values::new();
        for tensor in tensors {
            match matching_argument(&tensor.name, &names)? {
                Some(place) => {
                    if values.insert(place as u32, Some(tensor)).is_some() {
                        return Err(invalid(format!(
                            "two tensors are for the argument `{}`",
                            shown(&names[place])
                        )));
                    }
                }
                None if options.allow_extra => report.extra.push(tensor.name.clone()),
                None => {
                    let names = names.iter().map(String::as_str);
                    return Err(unknown_name(
                        "the function has no argument for the tensor",
                        &tensor.name,
                        names,
                    ));
                }
            }
        }
        if values.is_empty() {
            let names = listed(names.iter().map(String::as_str));
            return Err(invalid("no tensor is for an argument".to_owned())
                .with_hint(format!("name tensors like the arguments: {names}")));
        }
        let mut rewrite = Self::new(artifact, options.is_bare);
        let index = artifact.first().tables().module_index();
        let has_signature = artifact.has_fields()
            && artifact
                .container()
                .is_some_and(|container| container.exported(index).is_ok_and(|exported| exported.is_some()));
        for (place, name) in names.iter().enumerate() {
            match values.get(&(place as u32)) {
                Some(tensor) => {
                    report.frozen.push(name.clone());
                    report.size += tensor.map_or(0, |tensor| tensor.data.size());
                }
                None => report.remaining.push(name.clone()),
            }
        }
        match has_signature {
            true => rewrite.freeze_levels(artifact, &names, values)?,
            false => {
                rewrite.check_container(artifact)?;
                let mut editor = Editor::new(artifact.first().clone())?;
                let entry = EntryFunction::find(&mut editor, options.function.as_deref())?;
                let values = values.into_iter().map(|(number, tensor)| (number as usize, tensor)).collect();
                freeze_function(&mut editor, &entry, &values, &names)?;
                rewrite.editors.push((index, editor));
            }
        }
        Ok((rewrite, report))
    }

    /// Refuses containers that describe the arguments of their modules.
    pub(super) fn check_container(&self, artifact: &Artifact) -> Result<()> {
        let is_other = self.container.is_some() && artifact.has_fields();
        let is_saved = self.container.as_ref().is_some_and(|container| {
            matches!(
                container.kind(),
                crate::container::ContainerKind::SavedModel | crate::container::ContainerKind::OrbaxManifest
            )
        });
        if !is_other && !is_saved {
            return Ok(());
        }
        let message =
            "the container describes the arguments of its modules in a form that mlirbc does not write";
        Err(Error::message(ErrorKind::Unsupported, message).with_hint("write the module alone with `--bare`"))
    }

    /// Changes the levels of a JAX export.
    fn freeze_levels(&mut self, artifact: &Artifact, names: &[String], values: Values<'_>) -> Result<()> {
        let first = artifact.first().tables().module_index();
        let count = match &self.container {
            Some(_) if first != 0 => {
                return Err(invalid("only the arguments of the main module become constants".to_owned())
                    .with_hint("leave `--module` out, or write the module alone with `--bare`"));
            }
            Some(_) => artifact.modules().len(),
            None => 1,
        };
        let mut removed = values;
        let mut removed_results = BTreeSet::new();
        let mut outer: Option<Level> = None;
        for step in 0..count {
            let index = first + step;
            let level = level(artifact, index)?;
            if let Some(outer) = &outer {
                let is_derivative =
                    level.arguments == outer.arguments + outer.results && level.results == outer.arguments;
                if !is_derivative {
                    let message = "a derivative has other arguments or results than JAX gives it";
                    let error = Error::message(ErrorKind::Unsupported, message);
                    return Err(
                        artifact.located(index, error.with_hint("write the main module alone with `--bare`"))
                    );
                }
            }
            let mut editor = Editor::new(artifact.module(index)?)?;
            let changed = freeze_level(&mut editor, &level, names, &removed, &removed_results);
            super::located(artifact, index, changed)?;
            self.editors.push((index, editor));
            self.signatures.push(SignatureChange {
                removed_arguments: removed.keys().copied().collect(),
                removed_results: removed_results.iter().copied().collect(),
                added: Vec::new(),
            });
            // A derivative takes the arguments and a cotangent for each result, which is zero for a removed result, and
            // returns a cotangent for each argument.
            let next_results = removed.keys().copied().collect();
            removed.extend(removed_results.iter().map(|&result| (level.arguments as u32 + result, None)));
            removed_results = next_results;
            outer = Some(level);
        }
        Ok(())
    }
}

fn level(artifact: &Artifact, index: usize) -> Result<Level> {
    let exported = artifact.container().map(|container| container.exported(index)).transpose()?.flatten();
    let Some(exported) = exported else {
        return Err(Error::message(ErrorKind::Unsupported, "the module has no description of its arguments"));
    };
    Ok(Level {
        arguments: exported.in_avals.len(),
        results: exported.out_avals.len(),
        kept_arguments: exported.module_kept_var_idx,
    })
}

fn freeze_level(
    editor: &mut Editor,
    level: &Level,
    names: &[String],
    removed: &Values<'_>,
    removed_results: &BTreeSet<u32>,
) -> Result<()> {
    let entry = EntryFunction::find(editor, Some("main"))?;
    let first = first_argument(editor, &entry, &level.kept_arguments)?;
    let mut values = BTreeMap::new();
    let mut argument_names = vec![String::new(); first + level.kept_arguments.len()];
    for (place, &number) in level.kept_arguments.iter().enumerate() {
        if let Some(value) = removed.get(&number) {
            values.insert(first + place, *value);
        }
        let name = names.get(number as usize).cloned();
        argument_names[first + place] = name.unwrap_or_else(|| format!("cotangent{number}"));
    }
    freeze_function(editor, &entry, &values, &argument_names)?;
    let Some(first_result) = entry.result_count(editor)?.checked_sub(level.results) else {
        return Err(invalid("the module has fewer results than the export".to_owned()));
    };
    let results = removed_results.iter().map(|&result| first_result + result as usize).collect();
    entry.erase_results(editor, &results)
}

/// Returns the number of arguments that the export does not list: the platform and tokens, which come first.
pub(super) fn first_argument(
    editor: &Editor,
    entry: &EntryFunction,
    kept_arguments: &[u32],
) -> Result<usize> {
    let count = entry.arguments(editor)?.len();
    count.checked_sub(kept_arguments.len()).ok_or_else(|| {
        let message =
            format!("the module has {count} arguments, but the export lists {}", kept_arguments.len());
        Error::message(ErrorKind::Unsupported, message)
    })
}

/// Makes arguments of a function constants.
fn freeze_function(
    editor: &mut Editor,
    entry: &EntryFunction,
    values: &BTreeMap<usize, Option<&NamedTensor>>,
    names: &[String],
) -> Result<()> {
    let sizes = values.values().flatten().map(|tensor| tensor.data.size());
    // The values are a part of the program, so they give it memory as the file does.
    let len = editor.base().source().len().saturating_add(sizes.sum());
    editor.tables.budget = editor.base().limits().budget(len);
    let dialect = entry.dialect(editor)?;
    let arguments = entry.arguments(editor)?;
    let mut misfits = Vec::new();
    let mut types = Vec::new();
    for (&number, tensor) in values {
        let Some(&argument) = arguments.get(number) else { continue };
        let checked = ArgumentType::of(&editor.value_type(argument)?)?;
        let misfit = match (&checked, tensor) {
            (Err(why), _) => Some((*why).to_owned()),
            (Ok(checked), Some(tensor)) => tensor.misfit(&checked.name, checked.element, &checked.shape),
            (Ok(_), None) => None,
        };
        misfits.extend(misfit.map(|why| format!("`{}`: {why}", shown(&names[number]))));
        types.extend(checked.ok().map(|checked| (number, argument, checked, *tensor)));
    }
    if !misfits.is_empty() {
        const MOST: usize = 4;
        let more = misfits.len().saturating_sub(MOST);
        misfits.truncate(MOST);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        return Err(invalid(misfits.join("; ") + &more));
    }
    for (number, argument, checked, tensor) in types {
        let data = match tensor {
            Some(tensor) => checked.stored(dialect, tensor.data.bytes()?),
            None => vec![0; checked.element.storage()].into(),
        };
        freeze_argument(editor, entry, (argument, &names[number]), dialect, data)?;
    }
    entry.erase_arguments(editor, &values.keys().copied().collect())
}

fn freeze_argument(
    editor: &mut Editor,
    entry: &EntryFunction,
    (argument, name): (EditValue, &str),
    dialect: ProgramDialect,
    data: Bytes,
) -> Result<()> {
    if editor.uses(argument)?.is_empty() {
        return Ok(());
    }
    let r#type = editor.value_type(argument)?;
    let location = editor.location_of_argument(argument)?;
    let location = match location {
        Some(location) if location_text(&location)?.is_some() => location,
        _ => named_location(name)?,
    };
    let at = InsertionPoint::AtBegin(entry.block);
    let mut builder = ProgramBuilder { editor, dialect, at, location };
    let value = builder.constant(&r#type, data)?;
    editor.replace_all_uses_with(argument, value)
}

/// The type of an argument that can be a constant.
struct ArgumentType {
    name: String,
    element: Element,
    shape: Vec<u64>,
}

impl ArgumentType {
    /// Reads a type; the reason if no constant has it.
    fn of(r#type: &Type) -> Result<std::result::Result<Self, &'static str>> {
        if !r#type.class().is_some_and(|class| class.contains("RankedTensor")) {
            return Ok(Err("only tensors with a shape become constants"));
        }
        let (Some(FieldValue::List(sizes)), Some(FieldValue::Type(element))) =
            (r#type.field("shape")?, r#type.field("elementType")?)
        else {
            return Ok(Err("its type is not known"));
        };
        let name = element.to_builtin_text_within(100);
        let Some(element) = Weights::element_named(&name) else {
            return Ok(Err("its elements are not numbers"));
        };
        let sizes = sizes.iter().map(|size| match size {
            FieldValue::Signed(size) => u64::try_from(*size).ok(),
            FieldValue::Unsigned(size) => Some(*size),
            _ => None,
        });
        Ok(match sizes.collect::<Option<Vec<u64>>>() {
            Some(shape) => Ok(Self { name, element, shape }),
            None => Err("a dimension of it is symbolic; give the program static shapes first"),
        })
    }

    /// Returns elements as an attribute stores them: VHLO packs Booleans.
    fn stored(&self, dialect: ProgramDialect, data: Bytes) -> Bytes {
        let is_packed = self.element.is_bool() && dialect == ProgramDialect::Vhlo && data.len() > 1;
        if is_packed { pack(&data).into() } else { data }
    }
}
