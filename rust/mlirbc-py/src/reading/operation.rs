//! Operations: the calls of opened and of edited ones.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::TextSource;
use crate::handle::entry::Attribute;

// Returns the operand with this name in groups; `None` for an optional operand that is absent.
fn named_operand<'py>(
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

/// The answers of an operation.
pub(crate) trait OperationReading: TextSource {
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>>;

    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn op_operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>>;

    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn discardable_attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn operand_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>>;

    fn operand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        named_operand(&self.operand_groups(py)?, name, || Ok(self.name(py)?.to_string()))
    }

    fn result_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>>;

    fn region_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>>;

    fn attribute_dictionary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>>;

    fn property_blob<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>>;

    fn property_state(&self, py: Python<'_>) -> PyResult<&'static str>;

    fn is_opaque(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.property_state(py)? == "opaque")
    }

    fn parent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;

    fn block<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;

    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn is_isolated_from_above(slf: &Bound<'_, Self>) -> PyResult<bool>;

    fn is_registered(&self, py: Python<'_>) -> PyResult<Option<bool>>;

    fn path(&self, py: Python<'_>) -> PyResult<String>;

    fn walk<'py>(
        slf: &Bound<'py, Self>,
        callback: &Bound<'py, PyAny>,
        walk_order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>>;

    fn verify(&self, py: Python<'_>) -> PyResult<bool>;

    fn is_before_in_block(&self, other: &Bound<'_, PyAny>) -> PyResult<bool>;
}

/// The methods of a class of operations. `$lookup` is `decoded` for classes that look into decoded tables, as
/// `#[checked]` has it, or an attribute without effect.
macro_rules! operation_methods {
    ($class:ident, $lookup:ident, { $($more:tt)* }) => {
        $crate::reading::text_methods!($class, [
            /// Return the text of the operation; see `Module.get_asm`. Values have the same numbers as in the
            /// text of the whole module.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].regions[0].blocks[0].operations[0].get_asm(use_local_scope=True)
            ///     '%cst = arith.constant 0.000000e+00 : f32'
        ], [
            /// Write the text of the operation to `file`, by default `sys.stdout`, piece by piece; see
            /// `Module.print`.
            ///
            ///     >>> import io
            ///     >>> file = io.StringIO()
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].print(file=file)
            ///     >>> file.getvalue() == str(module.body.operations[0])
            ///     True
        ], {
            /// The full name, e.g. `func.func`.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].name
            ///     'func.func'
            #[$lookup]
            #[getter]
            fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
                $crate::reading::OperationReading::name(self, py)
            }

            /// The operands, in order.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
            ///     >>> len(loop.operands)  # from, to, step and one value carried along
            ///     4
            #[$lookup]
            #[getter]
            fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::operands(self, py)
            }

            /// The operands as uses, which know their operation and their number.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
            ///     >>> [use.operand_number for use in loop.op_operands]
            ///     [0, 1, 2, 3]
            #[getter]
            fn op_operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::op_operands(self, py)
            }

            /// The results.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.body.operations[0].regions[0].blocks[0].operations[5].results)
            ///     1
            #[$lookup]
            #[getter]
            fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::results(self, py)
            }

            /// The only result. Raises `ValueError` if there is none or more than one.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].result
            ///     <mlirbc.OpResult 0 of scf.for>
            #[getter]
            fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::result(self, py)
            }

            /// The successors: blocks to which control may go after the operation.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
            ///     >>> [block.block_number for block in branch.successors]
            ///     [1, 2]
            #[getter]
            fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::successors(self, py)
            }

            /// The regions; isolated regions are decoded on first access, which raises `ReadError` if they are
            /// malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.operation.regions)
            ///     1
            #[$lookup]
            #[getter]
            fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::regions(self, py)
            }

            /// The location of the operation.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.location
            ///     FileLineColLoc(loc("model.py":1:1))
            #[getter]
            fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
                $crate::reading::OperationReading::location(self, py)
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
            fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::attributes(self, py)
            }

            /// The inherent values by name: attributes and native properties.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].properties["sym_name"]
            ///     StringAttr("dense")
            #[getter]
            fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::properties(slf)
            }

            /// The discardable attributes, which may be attached to any operation.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[1].discardable_attributes.items()
            ///     [('example.entry', UnitAttr(unit))]
            #[getter]
            fn discardable_attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::discardable_attributes(self, py)
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
                $crate::reading::OperationReading::operand_groups(self, py)
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
                $crate::reading::OperationReading::operand(self, py, name)
            }

            /// The results in lists, by the names in the definition of the operation; empty if the definition is not
            /// known.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.result_groups
            ///     {}
            #[getter]
            fn result_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                $crate::reading::OperationReading::result_groups(self, py)
            }

            /// The regions by the names in the definition of the release; empty if the definition is not known.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> function = module.body.operations[1]
            ///     >>> function.region_groups["body"] == [function.regions[0]]
            ///     True
            #[getter]
            fn region_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                $crate::reading::OperationReading::region_groups(self, py)
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
                $crate::reading::OperationReading::attribute_dictionary(self, py)
            }

            /// The bytes of the native properties; None below version 5 and for operations without properties.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
            ///     >>> type(branch.property_blob), branch.regions[:]
            ///     (<class 'bytes'>, [])
            #[getter]
            fn property_blob<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
                $crate::reading::OperationReading::property_blob(self, py)
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
                $crate::reading::OperationReading::property_state(self, py)
            }

            /// Whether the layout of the properties is unknown.
            ///
            ///     >>> mlirbc.open("examples/two_layers.mlirbc").operation.is_opaque
            ///     False
            #[getter]
            fn is_opaque(&self, py: Python<'_>) -> PyResult<bool> {
                $crate::reading::OperationReading::is_opaque(self, py)
            }

            /// The operation around this one; None at the top level.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].parent.name, module.operation.parent
            ///     ('builtin.module', None)
            #[$lookup]
            #[getter]
            fn parent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                $crate::reading::OperationReading::parent(self, py)
            }

            /// The block that contains the operation.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].block == module.body
            ///     True
            #[$lookup]
            #[getter]
            fn block<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                $crate::reading::OperationReading::block(self, py)
            }

            /// The module that contains the operation.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.module is module
            ///     True
            #[getter]
            fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::OperationReading::module(self, py)
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
            #[$lookup]
            #[getter]
            fn is_isolated_from_above(slf: &Bound<'_, Self>) -> PyResult<bool> {
                $crate::reading::OperationReading::is_isolated_from_above(slf)
            }

            /// Whether the operation was registered in the writer; None below version 5.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.is_registered
            ///     True
            #[getter]
            fn is_registered(&self, py: Python<'_>) -> PyResult<Option<bool>> {
                $crate::reading::OperationReading::is_registered(self, py)
            }

            /// The position in the module, outermost operation first; a very long path is shortened in the middle.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[1].path
            ///     'block 0, op 0 (builtin.module) > region 0, block 0, op 1 (func.func)'
            #[getter]
            fn path(&self, py: Python<'_>) -> PyResult<String> {
                $crate::reading::OperationReading::path(self, py)
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
            fn walk<'py>(
                slf: &Bound<'py, Self>,
                callback: &Bound<'py, PyAny>,
                walk_order: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Py<PyAny>> {
                $crate::reading::OperationReading::walk(slf, callback, walk_order)
            }

            /// Verify the operation and everything inside it: operands must be defined before their use, and
            /// successors must be blocks of the same region. Values from outside count as defined. Returns True, or
            /// raises `InvalidError`, which names the operation.
            ///
            ///     >>> mlirbc.open("examples/two_layers.mlirbc").body.operations[0].verify()
            ///     True
            fn verify(&self, py: Python<'_>) -> PyResult<bool> {
                $crate::reading::OperationReading::verify(self, py)
            }

            /// Whether the operation precedes `other`. Raises `ValueError` if the two are in different blocks.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> dense, main = module.body.operations
            ///     >>> dense.is_before_in_block(main)
            ///     True
            #[$lookup]
            fn is_before_in_block(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                $crate::reading::OperationReading::is_before_in_block(self, other)
            }

            $($more)*
        });
    };
}

pub(crate) use operation_methods;
