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
use pyo3::exceptions::PyValueError;
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
use crate::print::Printed;
use crate::reading::{OperationReading, TextSource, operation_methods};
use crate::reuse::Slot;

// Returns sizes as a schema stores them; without sizes there are no names.
fn sizes_of(counts: Option<Vec<usize>>) -> Vec<i32> {
    let size = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    counts.unwrap_or_default().into_iter().map(size).collect()
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

impl TextSource for Operation {
    fn with_text<T>(
        slf: &Bound<'_, Self>,
        work: impl FnOnce(&Module, &dyn Printed) -> PyResult<T>,
    ) -> PyResult<T> {
        let this = slf.get();
        let op = this.view()?;
        work(this.module.get(), &|writer: &mut dyn Write, options: &PrintOptions| op.print(writer, options))
    }
}

impl OperationReading for Operation {
    #[inline]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.module.get().op_name(py, OpNameId::new(self.name.load(Ordering::Relaxed)))
    }

    #[inline]
    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let range = (self.body(), self.operand_rows.load(Ordering::Relaxed));
        let make =
            |is_cached| Bound::new(py, OpOperandList::new(self.module.clone_ref(py), range, is_cached));
        Ok(self.operands.get(py, self.is_cached, range, make)?.into_any())
    }

    fn op_operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let operands = OpOperands { module: self.module.clone_ref(py), body: self.body(), op: self.id() };
        Ok(Bound::new(py, operands)?.into_any())
    }

    #[inline]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let id = self.place.get();
        let make = |is_cached| {
            let (module, op) = (self.module.clone_ref(py), AtomicOpId::new(id));
            Bound::new(py, OpResultList { module, op, is_cached, values: Slot::new() })
        };
        Ok(self.results.get(py, self.is_cached, id, make)?.into_any())
    }

    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut results = self.view()?.results();
        match (results.len(), results.next()) {
            (1, Some(result)) => {
                let module = self.module.clone_ref(py);
                Ok(Value::object(py, module, self.body(), result.id())?.into_bound(py))
            }
            (count, _) => {
                let name = self.view()?.name();
                Err(PyValueError::new_err(format!("{name} has {count} results, not one")))
            }
        }
    }

    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let blocks = OpSuccessors { module: self.module.clone_ref(py), body: self.body(), op: self.id() };
        Ok(Bound::new(py, blocks)?.into_any())
    }

    #[inline]
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let id = self.place.get();
        let make = |_| Bound::new(py, RegionSequence::new(self.module.clone_ref(py), id));
        Ok(self.regions.get(py, self.is_cached, id, make)?.into_any())
    }

    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        self.module.get().attribute(py, self.view()?.location())
    }

    #[inline]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
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
        let map = match number {
            Ok(number) => self.attributes.get(py, self.is_cached, number, |_| {
                Bound::new(py, OpAttributeMap::of_shape(self.module.clone_ref(py), number))
            }),
            Err(rows) => Bound::new(py, OpAttributeMap::of_rows(self.module.clone_ref(py), rows)),
        };
        Ok(map?.into_any())
    }

    fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (this, py) = (slf.get(), slf.py());
        Ok(Bound::new(py, this.reader(py)?.properties()?)?.into_any())
    }

    fn discardable_attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, self.reader(py)?.discardable()?)?.into_any())
    }

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

    fn region_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        let Some(definition) = self.definition(py)? else { return Ok(groups) };
        let regions = OperationReading::regions(self, py)?;
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

    fn attribute_dictionary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
        let id = self.view()?.attribute_dictionary();
        id.map(|id| self.module.get().attribute(py, id)).transpose()
    }

    fn property_blob<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(id) = self.view()?.properties() else { return Ok(None) };
        let module = self.module.get();
        let table = module.inner.tables().properties().map_err(|error| module.raise(py, error))?;
        Ok(table.get(id.number()).map(|bytes| PyBytes::new(py, &bytes)))
    }

    fn property_state(&self, py: Python<'_>) -> PyResult<&'static str> {
        let state = self.view()?.property_state();
        Ok(state.map_err(|error| self.module.get().raise(py, error))?.name())
    }

    fn parent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(parent) = self.view()?.parent() else { return Ok(None) };
        Ok(Some(Bound::new(py, Self::of(&self.module, py, parent))?.into_any()))
    }

    fn block<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let id = self.view()?.block().id();
        let block = Block { module: self.module.clone_ref(py), body: self.body(), id };
        Ok(Some(Bound::new(py, block)?.into_any()))
    }

    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.module.bind(py).clone().into_any())
    }

    fn is_isolated_from_above(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(slf.get().view()?.is_isolated_from_above())
    }

    fn is_registered(&self, _: Python<'_>) -> PyResult<Option<bool>> {
        Ok(self.view()?.operation_name().and_then(|name| name.is_registered))
    }

    fn path(&self, _: Python<'_>) -> PyResult<String> {
        Ok(self.view()?.path())
    }

    fn walk<'py>(
        slf: &Bound<'py, Self>,
        callback: &Bound<'py, PyAny>,
        walk_order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let this = slf.get();
        crate::walk::walk(this.module.bind(slf.py()), this.body(), &[this.id()], callback, walk_order)
    }

    fn verify(&self, py: Python<'_>) -> PyResult<bool> {
        let (body, id) = (self.body(), self.id());
        self.module.get().detached(py, |module| {
            let mut editor = Editor::new(module.clone())?;
            let op = editor.op(body, id)?;
            editor.verify_op(op)
        })?;
        Ok(true)
    }

    fn is_before_in_block(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let other_op = other.cast::<Self>()?.get();
        if self.view()?.block() != other_op.view()?.block() {
            return Err(PyValueError::new_err("the operations are in different blocks"));
        }
        Ok(self.id() < other_op.id())
    }
}

operation_methods!(Operation, decoded, {
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
});
