//! Data layout: queries about types at an operation, and layouts that Python registers.
//!
//! Longer than other files: layouts that Python registers ask the class that asks them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ::mlirbc::error::ErrorClass;
use ::mlirbc::layout::{
    self, BitcastOp, CopiedPart, DltiEntry, LayoutSource, Options, TypeLayout, TypeQuestion,
    TypeSize as CoreSize,
};
use ::mlirbc::tool::printable;
use ::mlirbc::{Attribute as CoreAttribute, ErrorKind, Type as CoreType};
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::dlti::{DltiAttr, attribute, core_key, done, key, pairs};
use crate::edit::PyEditor;
use crate::errors::of_callback;
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::{Operation, Region};
use crate::handle::module::Module;
use crate::layout_hooks::{VectorLayout, identifiers, rules, specification, specifications};
use crate::layout_table::LayoutTable;
use crate::lost_bytes::{Reads, checked as unless_lost};
use crate::type_size::{TypeSize, size};

/// A layout entry in force: its key, its value, and the operation that specifies it.
///
///     >>> module = mlirbc.open("examples/layout.mlirbc")
///     >>> mlirbc.DataLayout(module.operation).entries[0]
///     <mlirbc.layout.LayoutEntry index = 64 : i32 from builtin.module @host>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct LayoutEntry {
    /// The key, which is a type or a name.
    #[pyo3(get)]
    key: Py<PyAny>,
    /// The value of the entry.
    #[pyo3(get)]
    value: Py<Attribute>,
    /// The operation, with its symbol or its position.
    #[pyo3(get)]
    scope: String,
    text: String,
}

#[pymethods]
impl LayoutEntry {
    fn __repr__(&self) -> String {
        printable(&format!("<mlirbc.layout.LayoutEntry {} from {}>", self.text, self.scope)).into_owned()
    }
}

#[pyfunction]
pub(crate) fn _register_type_layout(py: Python<'_>, class_: String, object: Py<PyAny>) -> PyResult<()> {
    let registered = Arc::new(Registered { class: class_.clone(), object });
    done(py, layout::register_type(&class_, registered))
}

#[pyfunction]
pub(crate) fn _register_scope(op: &str, is_scope: bool) {
    layout::register_scope(op, is_scope);
}

/// Removes the registration of one kind under a name; returns whether there was one.
#[pyfunction]
pub(crate) fn _unregister_layout(kind: &str, name: &str) -> PyResult<bool> {
    Ok(match kind {
        "type" => layout::unregister_type(name),
        "scope" => layout::unregister_scope(name),
        "identifiers" => layout::unregister_identifiers(name),
        "specification" => layout::unregister_specification(name),
        other => return Err(PyValueError::new_err(format!("unknown kind of registration {other:?}"))),
    })
}

#[pyfunction]
#[allow(clippy::too_many_arguments)] // keywords
pub(crate) fn _verify_layout(
    py: Python<'_>,
    module: &Bound<'_, Module>,
    strict: bool,
    types: Option<&Bound<'_, PyAny>>,
    rules: &str,
    specifications: Option<&Bound<'_, PyDict>>,
    identifiers: Option<&Bound<'_, PyDict>>,
    scopes: Option<HashMap<String, bool>>,
) -> PyResult<()> {
    module.get().ensure_open()?;
    let inner = module.get().inner.clone();
    let vectors = None;
    let options = options(Keywords { strict, rules, types, vectors, specifications, identifiers, scopes })?;
    let result = py.detach(|| layout::verify(&inner, &options));
    done(py, result)
}

type SizeRow<'py> = (Bound<'py, Type>, Option<Py<PyAny>>, Option<Py<PyAny>>);

/// The number of an operation, or the numbers of blocks.
type PartNumbers = (Option<u32>, Vec<u32>);

/// Returns the types whose size changed in a copy, with both sizes, and the number of scopes that were not
/// compared. A copied part is an operation or blocks, given by number.
#[pyfunction]
pub(crate) fn _layout_size_changes<'py>(
    py: Python<'py>,
    target: &Bound<'py, PyEditor>,
    source: &Bound<'py, PyEditor>,
    parts: (PartNumbers, PartNumbers),
) -> PyResult<(Vec<SizeRow<'py>>, usize)> {
    let part = |editor: &PyEditor, (op, blocks): PartNumbers| match op {
        Some(op) => CopiedPart::Op(editor.handle(op)),
        None => CopiedPart::Blocks(blocks.into_iter().map(|block| editor.handle(block)).collect()),
    };
    let from = part(source.get(), parts.0);
    let (to, options) = (part(target.get(), parts.1), Options::default());
    // Registered layouts run while no lock is held.
    let around = |editor: &PyEditor, part: &CopiedPart| {
        editor.look(py, |editor| LayoutSource::of_part(editor, part, &options))
    };
    let sources = (around(source.get(), &from)?, around(target.get(), &to)?);
    let before = layout::DataLayout::of_source(sources.0, &options);
    let is_invalid = before.as_ref().is_err_and(|error| error.class() == ErrorClass::Invalid);
    let after = done(py, layout::DataLayout::of_source(sources.1, &options))?;
    // The sizes in a part with an invalid layout are not compared.
    if is_invalid || done(py, before)?.has_entries_of(&after) {
        return Ok((Vec::new(), 0));
    }
    let used = |editor: &PyEditor, part: &CopiedPart| {
        editor.look(py, |editor| layout::UsedTypes::of_edit(editor, part, &options))
    };
    let (before, after) = (used(source.get(), &from)?, used(target.get(), &to)?);
    let changes = done(py, before.size_changes(&after, &options))?;
    let rows = changes.types.into_iter().map(|change| {
        let bits = |of: Option<CoreSize>| of.map(|of| size(py, of)).transpose();
        Ok((Type::object(py, change.r#type)?, bits(change.before)?, bits(change.after)?))
    });
    Ok((rows.collect::<PyResult<_>>()?, changes.omitted_scopes))
}

/// A Python object that defines the layout of a class of types.
#[derive(Debug)]
struct Registered {
    class: String,
    object: Py<PyAny>,
}

impl Registered {
    /// Calls Python; an exception becomes the source of the core's error.
    fn call<T>(
        &self,
        work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>,
    ) -> ::mlirbc::Result<T> {
        Python::attach(|py| work(py, self.object.bind(py))).map_err(of_callback)
    }

    fn ask<'py, T>(
        &self,
        py: Python<'py>,
        object: &Bound<'py, PyAny>,
        method: &str,
        question: &TypeQuestion<'_>,
    ) -> PyResult<T>
    where
        T: for<'a> FromPyObject<'a, 'py>,
    {
        let type_object = Type::object(py, question.r#type.clone())?;
        let layout = DataLayout { inner: question.layout.clone(), source: None, module: None };
        let mut entries = pairs(py, question.entries)?;
        entries.extend(pairs(py, question.identifiers)?);
        let answer = object.call_method1(method, (type_object, layout, entries))?;
        answer.extract().map_err(|_| {
            let class = &self.class;
            let answer_text =
                answer.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
            PyTypeError::new_err(format!("`{method}` of the layout of `{class}` returned {answer_text}"))
        })
    }

    fn has(object: &Bound<'_, PyAny>, method: &str) -> PyResult<bool> {
        object.hasattr(method)
    }
}

#[derive(FromPyObject)]
enum Size<'py> {
    Fixed(u64),
    Scalable(Bound<'py, TypeSize>),
}

impl TypeLayout for Registered {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> ::mlirbc::Result<CoreSize> {
        self.call(|py, object| {
            Ok(match self.ask(py, object, "size_in_bits", question)? {
                Size::Fixed(size) => CoreSize::fixed(size),
                Size::Scalable(size) => size.get().size,
            })
        })
    }

    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> ::mlirbc::Result<u64> {
        self.call(|py, object| self.ask(py, object, "abi_alignment", question))
    }

    fn preferred_alignment(&self, question: &TypeQuestion<'_>) -> ::mlirbc::Result<u64> {
        self.call(|py, object| {
            let has_own = Self::has(object, "preferred_alignment")?;
            let method = if has_own { "preferred_alignment" } else { "abi_alignment" };
            self.ask(py, object, method, question)
        })
    }

    fn index_bitwidth(&self, question: &TypeQuestion<'_>) -> ::mlirbc::Result<Option<u64>> {
        self.call(|py, object| match Self::has(object, "index_bitwidth")? {
            true => self.ask(py, object, "index_bitwidth", question),
            false => Ok(None),
        })
    }

    fn is_memory_reference(&self, r#type: &CoreType) -> ::mlirbc::Result<bool> {
        self.call(|py, object| match Self::has(object, "is_memory_reference")? {
            true => {
                let type_object = Type::object(py, r#type.clone())?;
                object.call_method1("is_memory_reference", (type_object,))?.is_truthy()
            }
            false => Ok(false),
        })
    }

    fn verify_entries(&self, entries: &[DltiEntry]) -> ::mlirbc::Result<()> {
        let refused = self.call(|py, object| {
            if !Self::has(object, "verify_entries")? {
                return Ok(None);
            }
            match object.call_method1("verify_entries", (pairs(py, entries)?,)) {
                Ok(_) => Ok(None),
                Err(raised) if raised.is_instance_of::<PyValueError>(py) => {
                    Ok(Some(raised.value(py).str()?.to_string()))
                }
                Err(raised) => Err(raised),
            }
        })?;
        match refused {
            None => Ok(()),
            Some(message) => {
                let keys: Vec<String> = entries.iter().map(|entry| entry.key.to_string()).collect();
                let expected =
                    format!("entries for {} that the layout of `{}` accepts", keys.join(", "), self.class);
                Err(::mlirbc::Error::new(ErrorKind::LayoutEntryKind, expected, message))
            }
        }
    }

    fn are_compatible(&self, outer: &[DltiEntry], inner: &[DltiEntry]) -> ::mlirbc::Result<bool> {
        self.call(|py, object| match Self::has(object, "are_compatible")? {
            true => {
                object.call_method1("are_compatible", (pairs(py, outer)?, pairs(py, inner)?))?.is_truthy()
            }
            false => Ok(true),
        })
    }
}

/// The source of the layout of an edited operation, and the layout that was computed from it.
struct Edited {
    editor: Py<PyEditor>,
    // The number of an operation or of a region.
    op: u32,
    is_region: bool,
    options: Options,
    revision: AtomicU64,
    current_layout: Mutex<layout::DataLayout>,
}

/// Sizes and alignments of types at an operation, as MLIR 22 answers them.
///
/// `op` is an operation of a module or of an edited one, or a module; the layout is that of the specifications on it and around
/// it, and no body is decoded for it. With `strict`, nested specifications that make MLIR 22 crash are refused.
/// `rules` are those of MLIR, or those of the RFC with `"rfc"`; `vectors` says how vectors are laid out. The layout
/// of a region is that of its operation, and of the region where `mlirbc.layout.register_specification` has one.
/// `types` gives layouts by class to types without one, for this object only: objects as `mlirbc.layout.TypeLayout`,
/// or a `LayoutTable`; `specifications`, `identifiers` and `scopes` are what `mlirbc.layout.register_specification`,
/// `register_identifiers` and `register_scope` take, by name, for this object only.
///
/// Answers are kept. When a specification of an edited module changes, they are forgotten. Types may be given as
/// text. Raises `InvalidError` when a specification is malformed or does not agree with those around it.
///
///     >>> layout = mlirbc.DataLayout(mlirbc.open("examples/two_layers.mlirbc").operation)
///     >>> layout.get_type_size("!llvm.struct<(i8, i32)>")
///     8
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DataLayout {
    inner: layout::DataLayout,
    source: Option<Box<Edited>>,
    // The module of the operation.
    module: Option<::mlirbc::Module>,
}

impl Reads for DataLayout {
    fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
        self.module.as_ref().map(::mlirbc::Module::tables)
    }
}

#[cold]
fn not_a_place(found: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let class_name = found.get_type().name()?;
    Ok(PyTypeError::new_err(format!("expected an operation or a region, found {class_name}")))
}

/// The keywords of all queries about layouts.
struct Keywords<'a, 'py> {
    strict: bool,
    rules: &'a str,
    types: Option<&'a Bound<'py, PyAny>>,
    vectors: Option<&'a Bound<'py, VectorLayout>>,
    specifications: Option<&'a Bound<'py, PyDict>>,
    identifiers: Option<&'a Bound<'py, PyDict>>,
    scopes: Option<HashMap<String, bool>>,
}

fn options(keywords: Keywords<'_, '_>) -> PyResult<Options> {
    let Keywords { strict, rules, types, vectors, specifications, identifiers, scopes } = keywords;
    let mut options = Options::default()
        .strict(strict)
        .rules(self::rules(rules)?)
        .types(Vec::new())
        .vectors(vectors.map(|vectors| vectors.get().inner).unwrap_or_default())
        .specifications(specifications.map(self::specifications).transpose()?.unwrap_or_default())
        .identifiers(identifiers.map(self::identifiers).transpose()?.unwrap_or_default())
        .scopes(scopes.unwrap_or_default().into_iter().collect());
    let Some(types) = types else { return Ok(options) };
    if let Ok(table) = types.cast::<LayoutTable>() {
        options.types = table.get().inner.types();
        return Ok(options);
    }
    let layouts_by_class = types
        .cast::<PyDict>()
        .map_err(|_| PyTypeError::new_err("expected a dict or a LayoutTable as `types`"))?;
    for (class, object) in layouts_by_class {
        let class: String = class.extract()?;
        let object = object.unbind();
        options.types.push((class.clone(), Arc::new(Registered { class, object })));
    }
    Ok(options)
}

impl DataLayout {
    /// Runs `work` with the current layout.
    fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&layout::DataLayout) -> PyResult<T>) -> PyResult<T> {
        let Some(edited) = &self.source else { return work(&self.inner) };
        let editor = edited.editor.get();
        let revision = editor.revision();
        let mut current_layout = edited.current_layout.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if edited.revision.load(Ordering::Relaxed) != revision {
            let source = editor.layout_source(py, edited.op, edited.is_region, &edited.options)?;
            if !current_layout.is_from(&source) {
                current_layout = done(py, layout::DataLayout::of_source(source, &edited.options))?;
                *edited.current_layout.lock().unwrap_or_else(PoisonError::into_inner) =
                    current_layout.clone();
            }
            edited.revision.store(revision, Ordering::Relaxed);
        }
        work(&current_layout)
    }

    fn ask<T>(
        &self,
        of: &Bound<'_, PyAny>,
        question: impl FnOnce(&layout::DataLayout, &CoreType) -> ::mlirbc::Result<T>,
    ) -> PyResult<T> {
        let py = of.py();
        self.with(py, |layout| {
            let queried_type = core_type(layout, of)?;
            done(py, question(layout, &queried_type))
        })
    }

    fn target(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&layout::DataLayout) -> Option<&CoreAttribute>,
    ) -> PyResult<Option<Py<Attribute>>> {
        self.with(py, |layout| attribute(py, question(layout)))
    }
}

fn core_type(layout: &layout::DataLayout, of: &Bound<'_, PyAny>) -> PyResult<CoreType> {
    let py = of.py();
    if let Ok(of) = of.cast::<Type>() {
        return of.get().value(py);
    }
    match of.cast::<PyString>() {
        Ok(text) => done(py, layout.parse(text.to_str()?)),
        Err(_) => Err(PyTypeError::new_err("expected a type or its text")),
    }
}

fn bitcast_op(op: Option<&str>) -> PyResult<Option<BitcastOp>> {
    let Some(op) = op else { return Ok(None) };
    match BitcastOp::from_name(op) {
        Some(op) => Ok(Some(op)),
        None => Err(PyValueError::new_err(format!("unknown bit cast operation {op:?}"))),
    }
}

#[checked]
#[pymethods]
impl DataLayout {
    #[new]
    #[pyo3(signature = (op, *, strict = false, types = None, rules = "mlir", vectors = None, specifications = None,
        identifiers = None, scopes = None))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn new(
        op: &Bound<'_, PyAny>,
        strict: bool,
        types: Option<&Bound<'_, PyAny>>,
        rules: &str,
        vectors: Option<&Bound<'_, VectorLayout>>,
        specifications: Option<&Bound<'_, PyDict>>,
        identifiers: Option<&Bound<'_, PyDict>>,
        scopes: Option<HashMap<String, bool>>,
    ) -> PyResult<Self> {
        let py = op.py();
        let options =
            options(Keywords { strict, rules, types, vectors, specifications, identifiers, scopes })?;
        if let Ok(region) = op.cast::<Region>() {
            let region = region.get();
            region.module.get().ensure_open()?;
            let inner = done(py, layout::DataLayout::of_region(region.view(py)?, &options));
            let inner = unless_lost(region.module.get(), inner)?;
            return Ok(Self { inner, source: None, module: Some(region.module.get().inner.clone()) });
        }
        // A module stands for its operation; the module may be edited.
        let is_module = op.is_instance_of::<Module>() || (op.hasattr("_editor")? && !op.hasattr("_id")?);
        let op = &if is_module { op.getattr("operation")? } else { op.clone() };
        if let Ok(op) = op.cast::<Operation>() {
            op.get().module.get().ensure_open()?;
            let inner = done(py, layout::DataLayout::of_with(op.get().view()?, &options));
            let inner = unless_lost(op.get(), inner)?;
            return Ok(Self { inner, source: None, module: Some(op.get().module.get().inner.clone()) });
        }
        let editor = op.getattr("_editor").ok().and_then(|editor| editor.cast_into::<PyEditor>().ok());
        let Some(editor) = editor else {
            return Err(not_a_place(op)?);
        };
        let edit = py.import("mlirbc.edit")?;
        let is_region = op.is_instance(&edit.getattr("Region")?)?;
        if !is_region && !op.is_instance(&edit.getattr("Operation")?)? {
            return Err(not_a_place(op)?);
        }
        let op = op.getattr("_id")?.extract()?;
        let revision = AtomicU64::new(editor.get().revision());
        let source = editor.get().layout_source(py, op, is_region, &options)?;
        let inner = done(py, layout::DataLayout::of_source(source, &options));
        let inner = unless_lost(editor.get(), inner)?;
        let module = editor.get().module();
        let current_layout = Mutex::new(inner.clone());
        let source =
            Box::new(Edited { editor: editor.unbind(), op, is_region, options, revision, current_layout });
        Ok(Self { inner, source: Some(source), module })
    }

    /// The layout under specifications, the outermost first: attributes or texts.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs(["#dlti.dl_spec<index = 32 : i32>"])
    ///     >>> layout.get_type_size("index")
    ///     4
    #[staticmethod]
    #[pyo3(signature = (specs, *, strict = false, types = None, rules = "mlir", vectors = None, specifications = None,
        identifiers = None, scopes = None))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn from_specs(
        py: Python<'_>,
        specs: Vec<Bound<'_, PyAny>>,
        strict: bool,
        types: Option<&Bound<'_, PyAny>>,
        rules: &str,
        vectors: Option<&Bound<'_, VectorLayout>>,
        specifications: Option<&Bound<'_, PyDict>>,
        identifiers: Option<&Bound<'_, PyDict>>,
        scopes: Option<HashMap<String, bool>>,
    ) -> PyResult<Self> {
        let options =
            options(Keywords { strict, rules, types, vectors, specifications, identifiers, scopes })?;
        let mut parsed_specs = Vec::new();
        for spec in &specs {
            parsed_specs.push(match (spec.cast::<DltiAttr>(), options.rules) {
                (Ok(spec), _) => spec.get().inner.clone(),
                (_, layout::Rules::Rfc) => specification(spec)?,
                _ => DltiAttr::new(py, spec)?.inner,
            });
        }
        let inner = done(py, layout::DataLayout::of_specs(&parsed_specs, &options))?;
        Ok(Self { inner, source: None, module: None })
    }

    /// Return the size of a type in bytes; a `TypeSize` for scalable vectors. Raises `InvalidError` if the
    /// type has no size.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs([])
    ///     >>> layout.get_type_size("i33"), layout.get_type_size(mlirbc.types.IndexType.get())
    ///     (5, 8)
    #[pyo3(signature = (r#type, /))]
    fn get_type_size(&self, r#type: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        size(r#type.py(), self.ask(r#type, layout::DataLayout::type_size)?)
    }

    /// Return the size of a type in bits; a `TypeSize` for scalable vectors. Raises `InvalidError` if the
    /// type has no size.
    ///
    ///     >>> mlirbc.DataLayout.from_specs([]).get_type_size_in_bits("complex<i6>")
    ///     14
    #[pyo3(signature = (r#type, /))]
    fn get_type_size_in_bits(&self, r#type: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        size(r#type.py(), self.ask(r#type, layout::DataLayout::type_size_in_bits)?)
    }

    /// Return the alignment that the ABI requires, in bytes. Raises `InvalidError` if the type has no
    /// alignment.
    ///
    ///     >>> mlirbc.DataLayout.from_specs([]).get_type_abi_alignment("i64")  # so MLIR, without an entry
    ///     4
    #[pyo3(signature = (r#type, /))]
    fn get_type_abi_alignment(&self, r#type: &Bound<'_, PyAny>) -> PyResult<u64> {
        self.ask(r#type, layout::DataLayout::type_abi_alignment)
    }

    /// Return the preferred alignment in bytes. Raises `InvalidError` if the type has no alignment.
    ///
    ///     >>> mlirbc.DataLayout.from_specs([]).get_type_preferred_alignment("i64")
    ///     8
    #[pyo3(signature = (r#type, /))]
    fn get_type_preferred_alignment(&self, r#type: &Bound<'_, PyAny>) -> PyResult<u64> {
        self.ask(r#type, layout::DataLayout::type_preferred_alignment)
    }

    /// Return the alignment in bytes of an access to a value of this type: the larger of the alignment that
    /// an operation states, if any, and the alignment that the type guarantees. Raises `InvalidError` if one
    /// of the two is not a power of two.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs([])
    ///     >>> layout.access_alignment("f32"), layout.access_alignment("f32", 16), layout.access_alignment("f32", 1)
    ///     (4, 16, 4)
    #[pyo3(signature = (r#type, alignment = None, /))]
    fn access_alignment(&self, r#type: &Bound<'_, PyAny>, alignment: Option<u64>) -> PyResult<u64> {
        self.ask(r#type, |layout, of| layout.access_alignment(of, alignment))
    }

    /// Return the width in bits of an index into the type, for `index` and pointers; None for other types.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs(["#dlti.dl_spec<index = 32 : i32>"])
    ///     >>> layout.get_type_index_bitwidth("index"), layout.get_type_index_bitwidth("i8")
    ///     (32, None)
    #[pyo3(signature = (r#type, /))]
    fn get_type_index_bitwidth(&self, r#type: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        self.ask(r#type, layout::DataLayout::type_index_bitwidth)
    }

    /// Whether a type has a layout, that is, a size and alignments.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs([])
    ///     >>> layout.has_layout("!llvm.struct<(i8, ptr)>"), layout.has_layout("tensor<4xf32>")
    ///     (True, False)
    #[pyo3(signature = (r#type, /))]
    fn has_layout(&self, r#type: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.ask(r#type, layout::DataLayout::has_layout)
    }

    /// Whether values of a type are references to memory: memrefs, pointers of the dialects `llvm`, `ptr`, `emitc` and
    /// `spirv`, and types whose registered layout says so.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs([])
    ///     >>> layout.is_memory_reference("memref<4xf32>"), layout.is_memory_reference("tensor<4xf32>")
    ///     (True, False)
    #[pyo3(signature = (r#type, /))]
    fn is_memory_reference(&self, r#type: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.ask(r#type, layout::DataLayout::is_memory_reference)
    }

    /// `"big"` or `"little"`, as a string attribute; None if it is not specified. The following properties
    /// are None in the same case.
    ///
    ///     >>> mlirbc.DataLayout.from_specs(['#dlti.dl_spec<"dlti.endianness" = "big">']).endianness
    ///     StringAttr("big")
    #[getter]
    fn endianness(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::endianness)
    }

    /// The memory space of values without a memory space; any attribute.
    ///
    ///     >>> spec = '#dlti.dl_spec<"dlti.default_memory_space" = 7 : ui64>'
    ///     >>> mlirbc.DataLayout.from_specs([spec]).default_memory_space
    ///     IntegerAttr(7 : ui64)
    #[getter]
    fn default_memory_space(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::default_memory_space)
    }

    /// The memory space of the stack; any attribute.
    ///
    ///     >>> spec = '#dlti.dl_spec<"dlti.alloca_memory_space" = 5 : ui64>'
    ///     >>> mlirbc.DataLayout.from_specs([spec]).alloca_memory_space
    ///     IntegerAttr(5 : ui64)
    #[getter]
    fn alloca_memory_space(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::alloca_memory_space)
    }

    /// The memory space of code; any attribute.
    ///
    ///     >>> spec = '#dlti.dl_spec<"dlti.program_memory_space" = 3 : ui64>'
    ///     >>> mlirbc.DataLayout.from_specs([spec]).program_memory_space
    ///     IntegerAttr(3 : ui64)
    #[getter]
    fn program_memory_space(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::program_memory_space)
    }

    /// The memory space of globals; any attribute.
    ///
    ///     >>> spec = '#dlti.dl_spec<"dlti.global_memory_space" = 2 : ui64>'
    ///     >>> mlirbc.DataLayout.from_specs([spec]).global_memory_space
    ///     IntegerAttr(2 : ui64)
    #[getter]
    fn global_memory_space(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::global_memory_space)
    }

    /// The natural alignment of the stack, in bits; 0 when it is not specified.
    ///
    ///     >>> mlirbc.DataLayout.from_specs(['#dlti.dl_spec<"dlti.stack_alignment" = 128>']).stack_alignment
    ///     128
    #[getter]
    fn stack_alignment(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |layout| Ok(layout.stack_alignment()))
    }

    /// The alignment of function pointers; normally `#dlti.function_pointer_alignment`.
    ///
    ///     >>> mlirbc.DataLayout.from_specs([]).function_pointer_alignment is None
    ///     True
    #[getter]
    fn function_pointer_alignment(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::function_pointer_alignment)
    }

    /// The mangling mode of symbols; normally a string.
    ///
    ///     >>> mlirbc.DataLayout.from_specs(['#dlti.dl_spec<"dlti.mangling_mode" = "e">']).mangling_mode
    ///     StringAttr("e")
    #[getter]
    fn mangling_mode(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::mangling_mode)
    }

    /// The integers that the machine supports, by width in bits; normally an array of `i32`.
    ///
    ///     >>> spec = '#dlti.dl_spec<"dlti.legal_int_widths" = array<i32: 8, 16>>'
    ///     >>> mlirbc.DataLayout.from_specs([spec]).legal_int_widths
    ///     DenseI32ArrayAttr(array<i32: 8, 16>)
    #[getter]
    fn legal_int_widths(&self, py: Python<'_>) -> PyResult<Option<Py<Attribute>>> {
        self.target(py, layout::DataLayout::legal_int_widths)
    }

    /// Return a property of a device of the target, from the nearest module; None if the module does not
    /// specify it.
    ///
    ///     >>> mlirbc.DataLayout(mlirbc.open("examples/layout.mlirbc").operation).get_device_property("cpu", "cores")
    ///     IntegerAttr(8 : i32)
    fn get_device_property(
        &self,
        py: Python<'_>,
        device: &str,
        property: &str,
    ) -> PyResult<Option<Py<Attribute>>> {
        self.with(py, |layout| attribute(py, layout.device_property(device, property).as_ref()))
    }

    /// The description of the target at the nearest module; None if there is none.
    ///
    ///     >>> layout = mlirbc.DataLayout(mlirbc.open("examples/layout.mlirbc").operation)
    ///     >>> [name for name, device in layout.target_system_spec.entries]
    ///     ['cpu', 'gpu']
    #[getter]
    fn target_system_spec(&self, py: Python<'_>) -> PyResult<Option<DltiAttr>> {
        self.with(py, |layout| Ok(layout.target_system_spec().map(|spec| DltiAttr { inner: spec.clone() })))
    }

    /// Return the value at a chain of keys, from the nearest operation that has one, as
    /// `transform.dlti.query` does; with the rules of the RFC, `entries` are searched first. A key is a name
    /// or a type. Raises `InvalidError` if there is no value.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs([])
    ///     >>> layout = mlirbc.DataLayout(mlirbc.open("examples/layout.mlirbc").operation)
    ///     >>> layout.query(mlirbc.types.IndexType.get())
    ///     IntegerAttr(64 : i32)
    #[pyo3(signature = (*keys))]
    fn query<'py>(&self, py: Python<'py>, keys: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, Attribute>> {
        let keys = keys.iter().map(core_key).collect::<PyResult<Vec<_>>>()?;
        self.with(py, |layout| Attribute::object(py, done(py, layout.query(&keys))?))
    }

    /// The entries in force and their origins, outermost scope first.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs(["#dlti.dl_spec<index = 32 : i32>"])
    ///     >>> [(str(entry.key), str(entry.value)) for entry in layout.entries]
    ///     [('index', '32 : i32')]
    #[getter]
    fn entries(&self, py: Python<'_>) -> PyResult<Vec<LayoutEntry>> {
        self.with(py, |layout| {
            let scopes = layout.scopes();
            layout
                .entries()
                .map(|row| {
                    Ok(LayoutEntry {
                        key: key(py, &row.entry.key)?.unbind(),
                        value: Attribute::object(py, row.entry.value.clone())?.unbind(),
                        scope: scopes.get(row.scope).map_or_else(String::new, |scope| scope.path.clone()),
                        text: format!("{} = {}", row.entry.key, row.entry.value),
                    })
                })
                .collect()
        })
    }

    /// The operation, the attribute name, and the specification of each scope, outermost first.
    ///
    ///     >>> layout = mlirbc.DataLayout(mlirbc.open("examples/layout.mlirbc").operation)
    ///     >>> [(operation, name) for operation, name, spec in layout.scopes]
    ///     [('builtin.module @host', 'dlti.dl_spec')]
    #[getter]
    fn scopes(&self, py: Python<'_>) -> PyResult<Vec<(String, String, DltiAttr)>> {
        self.with(py, |layout| {
            let scopes = layout.scopes().iter();
            Ok(scopes
                .map(|scope| {
                    (scope.path.clone(), scope.attribute.clone(), DltiAttr { inner: scope.spec.clone() })
                })
                .collect())
        })
    }

    /// Raise `InvalidError`, with the reason, unless the bits of one type may be read as another, which
    /// requires the same size in bits. With `op`, e.g. `vector.bitcast`, the rule of that operation applies.
    ///
    ///     >>> mlirbc.DataLayout.from_specs([]).check_bitcast("vector<3xi3>", "vector<9xi1>", op="vector.bitcast")
    #[pyo3(signature = (source, target, *, op = None))]
    fn check_bitcast(
        &self,
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        op: Option<&str>,
    ) -> PyResult<()> {
        let (py, op) = (source.py(), bitcast_op(op)?);
        self.with(py, |layout| {
            let (source, target) = (core_type(layout, source)?, core_type(layout, target)?);
            done(py, layout.check_bitcast(&source, &target, op))
        })
    }

    /// Whether the bits of one type may be read as another; see `check_bitcast`. False for types without a layout.
    ///
    ///     >>> layout = mlirbc.DataLayout.from_specs([])
    ///     >>> layout.can_bitcast("f64", "i64"), layout.can_bitcast("f64", "i32")
    ///     (True, False)
    #[pyo3(signature = (source, target, *, op = None))]
    fn can_bitcast(
        &self,
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        op: Option<&str>,
    ) -> PyResult<bool> {
        let (py, op) = (source.py(), bitcast_op(op)?);
        self.with(py, |layout| {
            let (source, target) = (core_type(layout, source)?, core_type(layout, target)?);
            match layout.check_bitcast(&source, &target, op) {
                Ok(()) => Ok(true),
                Err(error) if error.class() == ErrorClass::Invalid => Ok(false),
                Err(error) => done(py, Err(error)),
            }
        })
    }

    /// Raise `InvalidError`, with the reason, unless data laid out here is still valid under `after`, e.g.
    /// after a transformation: identifiers and sizes must be the same, and alignments may only have grown.
    ///
    ///     >>> before = mlirbc.DataLayout.from_specs(["#dlti.dl_spec<f64 = dense<32> : vector<1xi64>>"])
    ///     >>> after = mlirbc.DataLayout.from_specs(["#dlti.dl_spec<f64 = dense<64> : vector<1xi64>>"])
    ///     >>> before.check_compatible(after)
    fn check_compatible(&self, py: Python<'_>, after: &Bound<'_, Self>) -> PyResult<()> {
        self.with(py, |layout| after.get().with(py, |after| done(py, layout.check_compatible(after))))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |layout| {
            let (entries, scopes) = (layout.entries().count(), layout.scopes().len());
            Ok(format!("<mlirbc.DataLayout with {entries} entries from {scopes} scopes>"))
        })
    }
}
