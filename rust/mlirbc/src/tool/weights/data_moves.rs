//! Moves the data of weights: from files into modules, and between attributes, resources and side-car files.
//!
//! All functions edit an [`Editor`], which the caller writes. Data that goes into resources is not read.

use std::collections::HashSet;
use std::path::Path;

use crate::attr::{Attribute, FieldValue, Type};
use crate::edit::{Editor, NewResource, ResourceContent, ResourceGroup};
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;

use super::block::{Blocks, pack};
use super::export::{exchanged, metadata_key, natural};
use super::safetensors::{Safetensors, TensorInfo};
use super::{Weight, WeightKind, Weights, invalid, listed, shown};

/// The alignment of new resources: `mlir-opt` loads small files at multiples of 16, and refuses larger
/// alignments there.
const ALIGNMENT: u64 = 16;

const NO_DATA: &str = "there is no data for it";

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportReport {
    /// The number of weights with new data.
    pub replaced: u64,
    /// The names of weights that the file lacks.
    pub missing: Vec<String>,
    /// The names of tensors that the module lacks.
    pub extra: Vec<String>,
}

/// The result of moving data.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Moved {
    /// The number of moved weights.
    pub moved: u64,
    /// The number of bytes of their data.
    pub size: u64,
    /// Names of weights that were not moved, and the reasons.
    pub kept: Vec<(String, &'static str)>,
}

impl Moved {
    fn add(&mut self, size: u64) {
        self.moved += 1;
        self.size += size;
    }

    fn keep(&mut self, weight: &Weight, why: &'static str) {
        self.kept.push((weight.name.clone(), why));
    }
}

impl Weights {
    /// Replaces the data of a weight with its elements in order; elements of one bit take a byte each.
    ///
    /// The editor must edit [`Self::module`]. A splat becomes a constant.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] and [`ErrorKind::ResourceSize`] if the type needs another number of bytes.
    ///
    /// ```
    /// use mlirbc::{Module, WriteOptions, edit::Editor, tool::Weights};
    /// let module = Module::open("../../examples/two_layers.mlirbc")?;
    /// let weights = Weights::of(&module)?;
    /// let mut editor = Editor::new(module.clone())?;
    /// weights.set(&mut editor, weights.require("layer1.bias")?, vec![0; 8].into())?;
    /// let mut bytes = Vec::new();
    /// editor.write(&mut bytes, &WriteOptions::default())?;
    /// let weights = Weights::of(&Module::from_bytes(bytes)?)?;
    /// let stats = weights.stats(weights.require("layer1.bias")?, &Default::default())?.unwrap();
    /// assert_eq!(stats.zeros, 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn set(&self, editor: &mut Editor, weight: &Weight, bytes: Bytes) -> Result<()> {
        match weight.resource() {
            Some(row) => {
                let packs = weight.is_packed() && bytes.len() as u64 == weight.count();
                let bytes: Bytes = if packs { pack(&bytes).into() } else { bytes };
                let size = bytes.len() as u64;
                put(editor, weight, row, size, ResourceContent::Blob { bytes, alignment: None })
            }
            None => {
                let Some(index) = weight.attribute() else { return Ok(()) };
                let value = self.constant(weight, index, bytes)?;
                self.replace(editor, weight, AttrId::new(index), &value)
            }
        }
    }

    /// Returns whether a constant cannot be changed alone: it is within another attribute, and an attribute
    /// that is not a constant uses the same entry.
    fn is_fixed(&self, weight: &Weight) -> Result<bool> {
        let Some(index) = weight.attribute().filter(|_| weight.is_shared).map(AttrId::new) else {
            return Ok(false);
        };
        let places = self.shared_places()?.get(&index).map_or(&[][..], |places| places);
        Ok(places.iter().any(|place| place.attribute.is_none()))
    }

    /// Replaces a constant with another attribute. A permutation that is the same entry of the file is
    /// unchanged.
    fn replace(&self, editor: &mut Editor, weight: &Weight, index: AttrId, value: &Attribute) -> Result<()> {
        if !weight.is_shared {
            return editor.replace_attribute(index, value);
        }
        let places = self.shared_places()?.get(&index).map_or(&[][..], |places| places);
        if self.is_fixed(weight)? {
            let name = shown(&weight.name);
            return Err(invalid(format!("`{name}` is within another attribute, and also no constant"))
                .with_hint("change the operations that refer to it, one by one"));
        }
        for place in places {
            let Some(attribute) = &place.attribute else { continue };
            let op = editor.op(place.body, place.op)?;
            editor.set_attribute(op, attribute, value)?;
        }
        Ok(())
    }

    /// Returns a constant with the type of an attribute.
    fn constant(&self, weight: &Weight, like: u32, bytes: Bytes) -> Result<Attribute> {
        let r#type = self.type_of(like)?;
        let (dialect, kind) = match weight.is_vhlo {
            true => ("vhlo", "TensorV1Attr"),
            false => ("builtin", "DenseIntOrFPElementsAttr"),
        };
        // Only the builtin dialect packs bits without being asked.
        let is_bool = weight.element.is_some_and(|element| element.is_bool());
        let packs = weight.is_vhlo && is_bool && weight.count() > 1 && bytes.len() as u64 == weight.count();
        let bytes = if packs { pack(&bytes).into() } else { bytes };
        Attribute::build(
            dialect,
            kind,
            &[("type", FieldValue::Type(r#type)), ("data", FieldValue::Blob(bytes))],
        )
    }

    fn type_of(&self, attribute: u32) -> Result<Type> {
        let attribute = Attribute::of_file(self.module().tables(), AttrId::new(attribute))?;
        match attribute.map(|attribute| attribute.field("type")).transpose()?.flatten() {
            Some(FieldValue::Type(of)) => Ok(of),
            _ => Err(invalid("the constant has no type".to_owned())),
        }
    }

    /// Returns an editor in which the weights have the data of the tensors with their names. The data of
    /// resources is copied when the editor is saved, so `path` must not change until then.
    ///
    /// Tensors that the module lacks, and weights that the file lacks, are errors unless `allow_extra` or
    /// `allow_missing` is true.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`] names the mismatch; [`ErrorKind::Safetensors`] and [`ErrorKind::Io`] for the
    /// file.
    pub fn import(
        &self,
        path: impl AsRef<Path>,
        allow_missing: bool,
        allow_extra: bool,
    ) -> Result<(Editor, ImportReport)> {
        let path = path.as_ref();
        let file = open(path)?;
        let has_no_tensor = |weight: &&Weight| {
            let is_wanted = weight.kind != WeightKind::Splat && (weight.has_data || weight.r#type.is_some());
            is_wanted && file.get(&weight.name).is_none()
        };
        let names = |weight: &Weight| weight.name.clone();
        let mut report = ImportReport {
            missing: self.rows().iter().filter(has_no_tensor).map(names).collect(),
            ..ImportReport::default()
        };
        let extra = file.tensors().iter().filter(|tensor| self.get(&tensor.name).is_none());
        report.extra = extra.map(|tensor| tensor.name.clone()).collect();
        let mut problems = Vec::new();
        if !report.missing.is_empty() && !allow_missing {
            problems.push(format!("the file lacks {}", listed(report.missing.iter().map(String::as_str))));
        }
        if !report.extra.is_empty() && !allow_extra {
            problems.push(format!("the module lacks {}", listed(report.extra.iter().map(String::as_str))));
        }
        let mut misfits = Vec::new();
        for tensor in file.tensors() {
            if let Some(weight) = self.get(&tensor.name) {
                misfits.extend(misfit(weight, tensor, &file));
            }
        }
        if !misfits.is_empty() {
            const MOST: usize = 4;
            let more = misfits.len().saturating_sub(MOST);
            let mut text = misfits.into_iter().take(MOST).collect::<Vec<_>>().join("; ");
            if more > 0 {
                text.push_str(&format!("; and {more} more"));
            }
            problems.push(text);
        }
        if !problems.is_empty() {
            return Err(invalid(problems.join("; ")));
        }
        let mut editor = Editor::new(self.module().clone())?;
        for weight in self.rows() {
            if let Some(tensor) = file.get(&weight.name) {
                self.take(&mut editor, weight, tensor, path)?;
                report.replaced += 1;
            }
        }
        Ok((editor, report))
    }

    /// Replaces the data of a weight with a tensor.
    fn take(&self, editor: &mut Editor, weight: &Weight, tensor: &TensorInfo, path: &Path) -> Result<()> {
        match weight.resource() {
            Some(row) if !weight.is_packed() => {
                let size = tensor.range.end - tensor.range.start;
                put(editor, weight, row, size, content(tensor, path, None))
            }
            _ => {
                let bytes = read(tensor, path)?;
                if self.is_fixed(weight)? && *self.unpacked(weight)? == *bytes {
                    return Ok(());
                }
                self.set(editor, weight, bytes)
            }
        }
    }

    /// Returns an editor in which constants of at least `least` bytes that `choose` accepts are resources,
    /// with their names as keys. With `to`, their data and the data of resources of this size moves to a
    /// safetensors file, and the module has only the keys.
    ///
    /// A constant stays if one of its users accepts only constants, if it is within another attribute, and in
    /// VHLO, which has no resources.
    ///
    /// # Errors
    /// If the module cannot be edited, or the file cannot be written.
    pub fn externalize(
        &self,
        least: u64,
        choose: &dyn Fn(&Weight) -> bool,
        to: Option<&Path>,
        progress: &Progress,
    ) -> Result<(Editor, Moved)> {
        let mut editor = Editor::new(self.module().clone())?;
        let mut moved = Moved::default();
        let mut fixed = HashSet::new();
        for weight in self.rows() {
            if self.is_fixed(weight)? {
                fixed.insert(weight.name.as_str());
            }
        }
        let is_chosen = |weight: &Weight| Self::is_exported(weight) && weight.size >= least && choose(weight);
        let moves = |weight: &Weight| {
            is_chosen(weight)
                && if weight.resource().is_some() {
                    to.is_some()
                } else {
                    weight.may_be_resource && !fixed.contains(weight.name.as_str())
                }
        };
        if let Some(path) = to {
            self.export(path, &moves, progress)?;
        }
        for weight in self.rows().iter().filter(|weight| is_chosen(weight)) {
            if !moves(weight) {
                if weight.resource().is_none() {
                    moved.keep(
                        weight,
                        match weight.is_vhlo {
                            true => "VHLO has no resources",
                            false => "an operation requires a constant, or it is within another attribute",
                        },
                    );
                }
                continue;
            }
            moved.add(weight.size);
            if let Some(row) = weight.resource() {
                without_data(&mut editor, row)?;
                continue;
            }
            let Some(index) = weight.attribute() else { continue };
            let fields = [
                ("type", FieldValue::Type(self.type_of(index)?)),
                ("handle", FieldValue::Resource(weight.name.as_bytes().to_vec().into())),
            ];
            let value = Attribute::build("builtin", "DenseResourceElementsAttr", &fields)?;
            self.replace(&mut editor, weight, AttrId::new(index), &value)?;
            if to.is_none() {
                let content =
                    ResourceContent::Blob { bytes: self.unpacked(weight)?, alignment: Some(ALIGNMENT) };
                let key = weight.name.as_bytes().to_vec();
                editor.add_resource(NewResource { key, group: ResourceGroup::builtin(), content })?;
            }
        }
        Ok((editor, moved))
    }

    /// Returns an editor in which resources that `choose` accepts are constants. With `from`, a safetensors
    /// file of [`Self::externalize`], the data is read from there, and entries that were resources before
    /// become resources again.
    ///
    /// The data of new constants is in memory.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`] if neither the module nor the file has data for any of the weights, and if a
    /// type or a size does not match.
    pub fn inline(&self, choose: &dyn Fn(&Weight) -> bool, from: Option<&Path>) -> Result<(Editor, Moved)> {
        let file = from.map(open).transpose()?;
        let mut editor = Editor::new(self.module().clone())?;
        let mut moved = Moved::default();
        for weight in self.rows().iter().filter(|weight| choose(weight)) {
            let Some(row) = weight.resource() else { continue };
            let tensor = file.as_ref().and_then(|file| file.get(&weight.name));
            if tensor.is_none() && (!weight.has_data || file.is_some()) {
                if !weight.has_data {
                    moved.keep(weight, NO_DATA);
                }
                continue;
            }
            if let (Some(tensor), Some(path), Some(file)) = (tensor, from, &file) {
                if let Some(misfit) = misfit(weight, tensor, file) {
                    return Err(invalid(misfit));
                }
                let description = file.metadata(&metadata_key(&weight.name)).unwrap_or_default();
                let alignment = description.strip_prefix("resource ").and_then(|rest| rest.split(' ').next());
                if let Some(alignment) = alignment.and_then(|text| text.parse().ok()) {
                    moved.add(tensor.range.end - tensor.range.start);
                    // The resource may have any size, as before.
                    editor.resize_resource_at(row, content(tensor, path, Some(alignment)))?;
                    continue;
                }
            }
            if let Some(why) = self.why_not_constant(weight)? {
                moved.keep(weight, why);
                continue;
            }
            let bytes = match (tensor, from) {
                (Some(tensor), Some(path)) => read(tensor, path)?,
                _ => self.unpacked(weight)?,
            };
            moved.add(bytes.len() as u64);
            for &attribute in &weight.attributes {
                let value = self.constant(weight, attribute, bytes.clone())?;
                editor.replace_attribute(AttrId::new(attribute), &value)?;
            }
            without_data(&mut editor, row)?;
        }
        // Single weights may have been without data before; if all are, the file is the wrong one, or
        // missing.
        if moved.moved == 0 {
            let missing: Vec<&str> =
                moved.kept.iter().filter(|kept| kept.1 == NO_DATA).map(|kept| kept.0.as_str()).collect();
            if !missing.is_empty() {
                let hint = "pass the file that has it with `--from`";
                return Err(
                    invalid(format!("there is no data for {}", listed(missing.into_iter()))).with_hint(hint)
                );
            }
        }
        Ok((editor, moved))
    }

    fn why_not_constant(&self, weight: &Weight) -> Result<Option<&'static str>> {
        let Some(resource) =
            weight.resource().map(|row| self.module().tables().resource(row)).transpose()?.flatten()
        else {
            return Ok(None);
        };
        let Some(element) = weight.element else { return Ok(Some("nothing has its type")) };
        if resource.group() != b"builtin" {
            return Ok(Some("other attributes of its dialect may refer to it"));
        }
        let is_whole = weight.count().checked_mul(element.storage() as u64) == Some(weight.size);
        if weight.has_data && !weight.is_packed() && !is_whole {
            return Ok(Some("its elements are not whole bytes, or its type has no static shape"));
        }
        Ok(None)
    }

    /// Returns the data of a weight; shared with the file unless its elements are of one bit.
    fn unpacked(&self, weight: &Weight) -> Result<Bytes> {
        let source = self.module().source();
        if !weight.is_packed() {
            return source.get(weight.range.clone());
        }
        let count = usize::try_from(weight.count()).unwrap_or(usize::MAX);
        let mut bytes = self.module().tables().work_budget().vec(count)?;
        Blocks::new(source).each_unpacked(weight, 1, |block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
        Ok(bytes.into())
    }
}

/// Replaces the data of a resource. A size that stays the same may differ from the type: MLIR does not check
/// it.
fn put(editor: &mut Editor, weight: &Weight, row: usize, size: u64, content: ResourceContent) -> Result<()> {
    match weight.has_data && weight.size == size {
        true => editor.resize_resource_at(row, content),
        false => editor.set_resource_at(row, content),
    }
}

/// Removes the data of a resource of the file, but not its key.
fn without_data(editor: &mut Editor, row: usize) -> Result<()> {
    if let Some(index) = editor.key_of_row(row)? {
        editor.tables.edited_key(index);
    }
    editor.resources.replaced.insert(row, None);
    Ok(())
}

/// Reads the header of a file; errors name the file.
fn open(path: &Path) -> Result<Safetensors> {
    Safetensors::open(path).map_err(|error| match error.kind() {
        ErrorKind::Safetensors => error.in_context(&path.display().to_string()),
        _ => error,
    })
}

fn content(tensor: &TensorInfo, path: &Path, alignment: Option<u64>) -> ResourceContent {
    ResourceContent::File { path: path.to_owned(), range: Some(tensor.range.clone()), alignment }
}

fn read(tensor: &TensorInfo, path: &Path) -> Result<Bytes> {
    use std::io::Read;
    let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
    let mut bytes = Vec::new();
    let size = tensor.range.end - tensor.range.start;
    let fits = usize::try_from(size).ok().and_then(|size| bytes.try_reserve_exact(size).ok());
    fits.ok_or_else(|| Error::message(ErrorKind::MemoryLimit, format!("a tensor of {size} bytes")))?;
    let file = crate::write::file_pieces::open_at(path, tensor.range.start).map_err(failed)?;
    file.take(size).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 == size {
        true => Ok(bytes.into()),
        false => Err(failed(std::io::ErrorKind::UnexpectedEof.into())),
    }
}

/// Returns the reason why a tensor cannot be the data of a weight.
fn misfit(weight: &Weight, tensor: &TensorInfo, file: &Safetensors) -> Option<String> {
    let name = shown(&weight.name);
    let description = file.metadata(&metadata_key(&weight.name)).unwrap_or_default();
    let r#type = description.split_once(' ').map_or("", |(kind, rest)| match kind {
        "resource" => rest.split_once(' ').map_or("", |rest| rest.1),
        _ => rest,
    });
    let current_type = weight.r#type.as_deref().unwrap_or_default();
    if !r#type.is_empty() && r#type != current_type {
        let current_type = if current_type.is_empty() { "a resource without a type" } else { current_type };
        return Some(format!("`{name}` is {current_type}, but {} in the file", shown(r#type)));
    }
    // A resource that was packed, or whose size differed from its type; without its data this is unknown.
    if !weight.has_data && !r#type.is_empty() && description.starts_with("resource ") && tensor.dtype == "U8"
    {
        return None;
    }
    let (dtype, shape) = exchanged(weight);
    let is_new = weight.dtype.as_deref().and_then(|dtype| natural(dtype, false)) == Some(&*tensor.dtype)
        && tensor.shape == weight.shape;
    if is_new || tensor.dtype == dtype && tensor.shape == shape {
        return None;
    }
    let text = |dtype: &str, shape: &[u64]| format!("{dtype} {}", shown(&format!("{shape:?}")));
    Some(format!(
        "`{name}` is {}, but {} in the file",
        text(dtype, &shape),
        text(&tensor.dtype, &tensor.shape)
    ))
}
