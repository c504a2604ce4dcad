//! The methods of operations.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ::mlirbc::edit::Editor;
use ::mlirbc::ir::{OpNameId, ValueId};
use ::mlirbc::ops::OperationDefinition;
use ::mlirbc::print::PrintOptions;
use ::mlirbc::props::OpSchema;
use ::mlirbc::tool::{operation_html, printable};
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::handle::attribute_map::OpAttributeMap;
use crate::handle::entry::Attribute;
use crate::handle::ir::{
    AtomicOpId, Block, OpOperandList, OpOperands, OpResultList, OpSuccessors, Operation, RegionSequence,
    Value, identity_hash,
};
use crate::handle::module::Module;
use crate::handle::rows::ShapeKey;
use crate::maps::{OpPropertyMap, Reader};
use crate::ops::OperationChecks;
use crate::print::{self, Keywords};
use crate::reuse::Slot;

// Returns sizes as a schema stores them; without sizes there are no names.
fn sizes_of(counts: Option<Vec<usize>>) -> Vec<i32> {
    let size = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    counts.unwrap_or_default().into_iter().map(size).collect()
}

/// Returns the operand with this name in groups; `None` for an optional operand that is absent.
pub(crate) fn named_operand<'py>(
    groups: &Bound<'py, PyDict>,
    name: &str,
    op: impl FnOnce() -> PyResult<String>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(group) = groups.get_item(name)? else {
        let names: Vec<String> = groups.keys().extract()?;
        let (op, names) = (op()?, names.join("`, `"));
        let explanation = if names.is_empty() {
            "its operands have no names".to_owned()
        } else {
            format!("it has `{names}`")
        };
        return Err(PyKeyError::new_err(format!("{op} has no operand `{name}`; {explanation}")));
    };
    match group.len()? {
        0 => Ok(None),
        1 => group.get_item(0).map(Some),
        count => {
            Err(PyValueError::new_err(format!("`{name}` is {count} operands; `operand_groups` has them")))
        }
    }
}

impl Operation {
    fn reader<'a, 'py>(&'a self, py: Python<'py>) -> PyResult<Reader<'a, 'py>> {
        Ok(Reader { py, module: &self.module, op: self.view()? })
    }

    fn schema(&self, py: Python<'_>) -> PyResult<Option<&OpSchema>> {
        let module = self.module.get();
        let name = self.view()?.name_id();
        Ok(module.inner.release().map_err(|error| module.raise(py, error))?.op(name))
    }

    fn definition(&self, py: Python<'_>) -> PyResult<Option<Arc<OperationDefinition>>> {
        self.view()?.definition().map_err(|error| self.module.get().raise(py, error))
    }

    /// Checks the operation and everything inside it against the definitions of the release.
    pub(crate) fn check_definitions(&self, py: Python<'_>) -> PyResult<()> {
        let (body, id) = (self.body(), self.id());
        let checks = self.module.get().detached(py, |module| {
            let operation = ::mlirbc::Operation::from_ids(module, body, id);
            operation.map(|operation| operation.verify_operations()).transpose()
        })?;
        checks.map_or(Ok(()), |checks| OperationChecks::new(py, self.module.get(), checks).map(drop))
    }

    fn groups<'py>(
        &self,
        py: Python<'py>,
        names: Vec<&str>,
        sizes: Vec<i32>,
        values: &[ValueId],
    ) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        let sizes: Vec<usize> = sizes.into_iter().map(|size| size.max(0) as usize).collect();
        if names.len() != sizes.len() || sizes.iter().sum::<usize>() != values.len() {
            return Ok(groups);
        }
        let mut remaining = values;
        for (name, size) in names.into_iter().zip(sizes) {
            let (group, tail) = remaining.split_at(size);
            remaining = tail;
            let object = |&id| Value::object(py, self.module.clone_ref(py), self.body(), id);
            let group = group.iter().map(object).collect::<PyResult<Vec<_>>>()?;
            groups.set_item(name.trim_end_matches(['*', '?']), group)?;
        }
        Ok(groups)
    }
}

#[checked]
#[pymethods]
impl Operation {
    /// Pickled as its module and its position in the module.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        crate::pickle::reduce_operation(slf)
    }

    /// Returns the operation itself, which is immutable.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Returns the operation itself, which is immutable.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The full name, e.g. `func.func`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].name
    ///     'func.func'
    #[decoded]
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.module.get().op_name(py, OpNameId::new(self.name.load(Ordering::Relaxed)))
    }

    /// The operands, in order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> len(loop.operands)  # from, to, step and one value carried along
    ///     4
    #[decoded]
    #[getter]
    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpOperandList>> {
        let range = (self.body(), self.operand_rows.load(Ordering::Relaxed));
        self.operands.get(py, self.is_cached, range, |is_cached| {
            Bound::new(py, OpOperandList::new(self.module.clone_ref(py), range, is_cached))
        })
    }

    /// The operands as uses, which know their operation and their number.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> [use.operand_number for use in loop.op_operands]
    ///     [0, 1, 2, 3]
    #[getter]
    fn op_operands(&self, py: Python<'_>) -> OpOperands {
        OpOperands { module: self.module.clone_ref(py), body: self.body(), op: self.id() }
    }

    /// The results.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.body.operations[0].regions[0].blocks[0].operations[5].results)
    ///     1
    #[decoded]
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpResultList>> {
        let id = self.place.get();
        self.results.get(py, self.is_cached, id, |is_cached| {
            let (module, op) = (self.module.clone_ref(py), AtomicOpId::new(id));
            Bound::new(py, OpResultList { module, op, is_cached, values: Slot::new() })
        })
    }

    /// The only result. Raises `ValueError` if there is none or more than one.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].result
    ///     <mlirbc.OpResult 0 of scf.for>
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut results = self.view()?.results();
        match (results.len(), results.next()) {
            (1, Some(result)) => Value::object(py, self.module.clone_ref(py), self.body(), result.id()),
            (count, _) => {
                let name = self.view()?.name();
                Err(PyValueError::new_err(format!("{name} has {count} results, not one")))
            }
        }
    }

    /// The successors: blocks to which control may go after the operation.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
    ///     >>> [block.block_number for block in branch.successors]
    ///     [1, 2]
    #[getter]
    fn successors(&self, py: Python<'_>) -> OpSuccessors {
        OpSuccessors { module: self.module.clone_ref(py), body: self.body(), op: self.id() }
    }

    /// The regions; isolated regions are decoded on first access, which raises `ReadError` if they are
    /// malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.operation.regions)
    ///     1
    #[decoded]
    #[getter]
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, RegionSequence>> {
        let id = self.place.get();
        self.regions.get(py, self.is_cached, id, |_| {
            Bound::new(py, RegionSequence::new(self.module.clone_ref(py), id))
        })
    }

    /// The location of the operation.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.location
    ///     FileLineColLoc(loc("model.py":1:1))
    #[getter]
    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        self.module.get().attribute(py, self.view()?.location())
    }

    /// The attributes by name, inherent and discardable ones together, as in upstream's bindings.
    ///
    /// Inherent attributes are known if the release that wrote the file is known, see `Module.release`;
    /// native properties that are not attributes are only in `properties`. Raises `ReadError` if they are
    /// malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dict(module.body.operations[1].attributes)["sym_name"]
    ///     StringAttr("main")
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpAttributeMap>> {
        let view = self.view()?;
        let key = ShapeKey {
            name: self.name.load(Ordering::Relaxed),
            dictionary: view.attribute_dictionary().map_or(u32::MAX, |id| id.number()),
            properties: view.properties().map_or(u32::MAX, |id| id.number()),
        };
        let number = match self.module.get().shapes.number(key) {
            Some(number) => Ok(number),
            None => {
                let rows = Reader { py, module: &self.module, op: view }.attributes()?;
                self.module.get().shapes.keep(key, rows)
            }
        };
        match number {
            Ok(number) => self.attributes.get(py, self.is_cached, number, |_| {
                Bound::new(py, OpAttributeMap::of_shape(self.module.clone_ref(py), number))
            }),
            Err(rows) => Bound::new(py, OpAttributeMap::of_rows(self.module.clone_ref(py), rows)),
        }
    }

    /// The inherent values by name: attributes and native properties.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].properties["sym_name"]
    ///     StringAttr("dense")
    #[getter]
    fn properties(&self, py: Python<'_>) -> PyResult<OpPropertyMap> {
        self.reader(py)?.properties()
    }

    /// The discardable attributes, which may be attached to any operation.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].discardable_attributes.items()
    ///     [('example.entry', UnitAttr(unit))]
    #[getter]
    fn discardable_attributes(&self, py: Python<'_>) -> PyResult<OpAttributeMap> {
        self.reader(py)?.discardable()
    }

    /// The operands in lists, by the names in the definition of the operation; empty if the definition is not
    /// known.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
    ///     >>> {name: len(values) for name, values in branch.operand_groups.items()}
    ///     {'condition': 1, 'trueDestOperands': 1, 'falseDestOperands': 0}
    #[getter]
    fn operand_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let view = self.view()?;
        let sizes = view.operand_segment_sizes().map_err(|error| self.module.get().raise(py, error))?;
        let values: Vec<ValueId> = view.operands().map(|value| value.id()).collect();
        let schema = self.schema(py)?;
        if let Some(sizes) = sizes {
            let names = schema.map(|schema| schema.operands().collect()).unwrap_or_default();
            return self.groups(py, names, sizes, &values);
        }
        let Some(definition) = self.definition(py)? else { return Ok(PyDict::new(py)) };
        let names = definition.operands().iter().map(|operand| operand.name()).collect();
        self.groups(py, names, sizes_of(definition.operand_counts(values.len())), &values)
    }

    /// Return the operand with this name in the definition of the release, for example `lhs`; None for an
    /// optional operand that is absent.
    ///
    /// Raises `KeyError` for a name that the operation does not have, and `ValueError` for a name of several
    /// operands, which are in `operand_groups`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
    ///     >>> branch.operand("condition") == branch.operands[0]
    ///     True
    fn operand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        named_operand(&self.operand_groups(py)?, name, || Ok(self.view()?.name().to_string()))
    }

    /// The results in lists, by the names in the definition of the operation; empty if the definition is not
    /// known.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.result_groups
    ///     {}
    #[getter]
    fn result_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let view = self.view()?;
        let sizes = view.result_segment_sizes().map_err(|error| self.module.get().raise(py, error))?;
        let values: Vec<ValueId> = view.results().map(|value| value.id()).collect();
        let schema = self.schema(py)?;
        if let Some(sizes) = sizes {
            let names = schema.map(|schema| schema.results().collect()).unwrap_or_default();
            return self.groups(py, names, sizes, &values);
        }
        let Some(definition) = self.definition(py)? else { return Ok(PyDict::new(py)) };
        let names = definition.results().iter().map(|result| result.name()).collect();
        self.groups(py, names, sizes_of(definition.result_counts(values.len())), &values)
    }

    /// The regions by the names in the definition of the release; empty if the definition is not known.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> function = module.body.operations[1]
    ///     >>> function.region_groups["body"] == [function.regions[0]]
    ///     True
    #[getter]
    fn region_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        let Some(definition) = self.definition(py)? else { return Ok(groups) };
        let regions = self.regions(py)?;
        let Some(counts) = definition.region_counts(self.view()?.region_count() as usize) else {
            return Ok(groups);
        };
        let mut next = 0;
        for (part, count) in definition.regions().iter().zip(counts) {
            let group = (next..next + count).map(|place| regions.get_item(place));
            groups.set_item(part.name(), group.collect::<PyResult<Vec<_>>>()?)?;
            next += count;
        }
        Ok(groups)
    }

    /// Return the text of the operation; see `Module.get_asm`. Values have the same numbers as in the text of
    /// the whole module.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].regions[0].blocks[0].operations[0].get_asm(use_local_scope=True)
    ///     '%cst = arith.constant 0.000000e+00 : f32'
    #[pyo3(signature = (binary = false, large_elements_limit = None, large_resource_limit = None,
        enable_debug_info = false, print_generic_op_form = false, use_local_scope = false, *, skip_regions = false,
        strict = false, lossless = false))]
    #[allow(clippy::too_many_arguments)] // upstream's
    fn get_asm(
        &self,
        py: Python<'_>,
        binary: bool,
        large_elements_limit: Option<u64>,
        large_resource_limit: Option<u64>,
        enable_debug_info: bool,
        print_generic_op_form: bool,
        use_local_scope: bool,
        skip_regions: bool,
        strict: bool,
        lossless: bool,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords {
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            print_generic_op_form,
            use_local_scope,
            skip_regions,
            strict,
            lossless,
        };
        let op = self.view()?;
        let module = self.module.get();
        print::to_object(py, module, &keywords, binary, &|writer: &mut dyn Write, options: &PrintOptions| {
            op.print(writer, options)
        })
    }

    /// Write the text of the operation to `file`, by default `sys.stdout`, piece by piece; see
    /// `Module.print`.
    ///
    ///     >>> import io
    ///     >>> file = io.StringIO()
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].print(file=file)
    ///     >>> file.getvalue() == str(module.body.operations[0])
    ///     True
    #[pyo3(signature = (large_elements_limit = None, large_resource_limit = None, enable_debug_info = false,
        print_generic_op_form = false, use_local_scope = false, file = None, binary = false, *,
        skip_regions = false, strict = false, lossless = false))]
    #[allow(clippy::too_many_arguments)] // upstream's
    fn print(
        &self,
        py: Python<'_>,
        large_elements_limit: Option<u64>,
        large_resource_limit: Option<u64>,
        enable_debug_info: bool,
        print_generic_op_form: bool,
        use_local_scope: bool,
        file: Option<&Bound<'_, PyAny>>,
        binary: bool,
        skip_regions: bool,
        strict: bool,
        lossless: bool,
    ) -> PyResult<()> {
        let keywords = Keywords {
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            print_generic_op_form,
            use_local_scope,
            skip_regions,
            strict,
            lossless,
        };
        let op = self.view()?;
        let module = self.module.get();
        print::to_file(
            py,
            module,
            &keywords,
            binary,
            file,
            &|writer: &mut dyn Write, options: &PrintOptions| op.print(writer, options),
        )
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let op = self.view()?;
        print::to_string(py, self.module.get(), &|writer: &mut dyn Write, options: &PrintOptions| {
            op.print(writer, options)
        })
    }

    /// The dictionary of attributes as it is in the file, or None; from version 5 on, it contains only
    /// discardable attributes.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dense, main = module.body.operations  # only @main has one: {example.entry}
    ///     >>> dense.attribute_dictionary is None, main.attribute_dictionary
    ///     (True, DictAttr({example.entry}))
    #[getter]
    fn attribute_dictionary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
        let id = self.view()?.attribute_dictionary();
        id.map(|id| self.module.get().attribute(py, id)).transpose()
    }

    /// The bytes of the native properties; None below version 5 and for operations without properties.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
    ///     >>> type(branch.property_blob), branch.regions[:]
    ///     (<class 'bytes'>, [])
    #[getter]
    fn property_blob<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(id) = self.view()?.properties() else { return Ok(None) };
        let module = self.module.get();
        let table = module.inner.tables().properties().map_err(|error| module.raise(py, error))?;
        Ok(table.get(id.number()).map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The state of the properties: `none`; `merged` into the dictionary, below version 5; `attribute`, if
    /// the writer did not know the operation and stored one attribute instead; `opaque` bytes; or `decoded`,
    /// by the release or by a declared scheme.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].property_state
    ///     'decoded'
    ///     >>> unknown = mlirbc.open("examples/two_layers.mlirbc", unknown_dialects=["func"])
    ///     >>> unknown.body.operations[0].property_state
    ///     'opaque'
    #[getter]
    fn property_state(&self, py: Python<'_>) -> PyResult<&'static str> {
        let state = self.view()?.property_state();
        Ok(state.map_err(|error| self.module.get().raise(py, error))?.name())
    }

    /// The readings of the properties, if builds close to the file's version have several layouts that fit:
    /// for each layout, the names of the builds with this layout, and the properties. Empty if the layout is
    /// known, or if no layout fits.
    ///
    /// `layouts` of `open` selects one of them.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").operation.property_readings
    ///     []
    #[getter]
    fn property_readings(&self, py: Python<'_>) -> PyResult<Vec<(Vec<String>, OpPropertyMap)>> {
        self.reader(py)?.readings()
    }

    /// Whether the layout of the properties is unknown.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").operation.is_opaque
    ///     False
    #[getter]
    fn is_opaque(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.property_state(py)? == "opaque")
    }

    /// The operation around this one; None at the top level.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].parent.name, module.operation.parent
    ///     ('builtin.module', None)
    #[decoded]
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        Ok(self.view()?.parent().map(|op| Self::of(&self.module, py, op)))
    }

    /// The block that contains the operation.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].block == module.body
    ///     True
    #[decoded]
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Block> {
        let id = self.view()?.block().id();
        Ok(Block { module: self.module.clone_ref(py), body: self.body(), id })
    }

    /// The module that contains the operation.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.module is module
    ///     True
    #[getter]
    fn module(&self, py: Python<'_>) -> Py<Module> {
        self.module.clone_ref(py)
    }

    /// The operation itself; upstream's operation views have this property.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.operation == module.operation
    ///     True
    #[getter]
    #[allow(clippy::self_named_constructors)] // the name is upstream's
    fn operation(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Whether the file marks the operation as isolated from above: its regions use no values from outside.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> module.operation.is_isolated_from_above, loop.is_isolated_from_above
    ///     (True, False)
    #[decoded]
    #[getter]
    fn is_isolated_from_above(&self) -> PyResult<bool> {
        Ok(self.view()?.is_isolated_from_above())
    }

    /// Whether the operation was registered in the writer; None below version 5.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.is_registered
    ///     True
    #[getter]
    fn is_registered(&self) -> PyResult<Option<bool>> {
        Ok(self.view()?.operation_name().and_then(|name| name.is_registered))
    }

    /// The position in the module, outermost operation first; a very long path is shortened in the middle.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].path
    ///     'block 0, op 0 (builtin.module) > region 0, block 0, op 1 (func.func)'
    #[getter]
    fn path(&self) -> PyResult<String> {
        Ok(self.view()?.path())
    }

    /// The offset in the file, or in the module of a container. On first access, the body around the
    /// operation is read again.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.offset, module.body.operations[0].offset
    ///     (462, 474)
    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<u64> {
        let view = self.view()?;
        view.offset().map_err(|error| self.module.get().raise(py, error))
    }

    /// Call `callback` on the operation and everything inside it, in post-order by default; see
    /// `Module.walk`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> names = []
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> loop.walk(lambda op: names.append(op.name), mlirbc.WalkOrder.PRE_ORDER)
    ///     <WalkResult.ADVANCE: 0>
    ///     >>> names[:3]
    ///     ['scf.for', 'tensor.extract', 'scf.for']
    #[pyo3(signature = (callback, walk_order = None))]
    fn walk(
        slf: &Bound<'_, Self>,
        callback: &Bound<'_, PyAny>,
        walk_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let this = slf.get();
        crate::walk::walk(this.module.bind(slf.py()), this.body(), &[this.id()], callback, walk_order)
    }

    /// Verify the operation and everything inside it: operands must be defined before their use, and
    /// successors must be blocks of the same region. Values from outside count as defined. Returns True, or
    /// raises `InvalidError`, which names the operation.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").body.operations[0].verify()
    ///     True
    fn verify(&self, py: Python<'_>) -> PyResult<bool> {
        let (body, id) = (self.body(), self.id());
        self.module.get().detached(py, |module| {
            let mut editor = Editor::new(module.clone())?;
            let op = editor.op(body, id)?;
            editor.verify_op(op)
        })?;
        Ok(true)
    }

    /// Whether the operation precedes `other`. Raises `ValueError` if the two are in different blocks.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dense, main = module.body.operations
    ///     >>> dense.is_before_in_block(main)
    ///     True
    #[decoded]
    fn is_before_in_block(&self, other: &Self) -> PyResult<bool> {
        if self.view()?.block() != other.view()?.block() {
            return Err(PyValueError::new_err("the operations are in different blocks"));
        }
        Ok(self.id() < other.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.module.is(&other.module) && self.body() == other.body() && self.id() == other.id()
        })
    }

    fn __hash__(&self) -> u64 {
        identity_hash(&self.module, u64::from(self.body().number()) << 32 | u64::from(self.id().number()))
    }

    #[doc(hidden)]
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let (op, title) = (self.view()?, self.__repr__(py)?);
        py.detach(|| operation_html(title.trim_matches(['<', '>']), &op))
            .map_err(|error| self.module.get().raise(py, error))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view()?;
        let name = self.name(py)?;
        Ok(format!(
            "<mlirbc.Operation {} with {} operands, {} results, {} regions>",
            printable(&name.to_string()),
            view.operands().len(),
            view.results().len(),
            view.region_count()
        ))
    }
}
