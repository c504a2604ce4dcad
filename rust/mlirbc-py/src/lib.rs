//! `mlirbc._mlirbc`: Python classes over the core, without logic of their own.

mod affine;
mod arrow;
mod artifact;
mod attribute;
mod bindings;
mod blob;
mod class;
mod cli;
mod columns;
mod container;
mod dialect_hooks;
mod dialect_values;
mod dlti;
mod dump;
mod edit;
mod edited;
mod elements;
mod errors;
mod fallback;
mod field;
mod float;
mod generate;
mod growing_text;
mod handle;
mod hook_streams;
mod hook_values;
mod layout;
mod layout_hooks;
mod layout_table;
mod limits;
mod log;
mod lost_bytes;
mod maps;
mod module;
mod open;
mod open_arguments;
mod operands;
mod operation;
mod ops;
mod parameters;
mod parse;
mod pickle;
mod print;
mod reading;
mod release;
mod report;
mod reshape;
mod resource;
mod reuse;
mod sequence;
mod stablehlo;
mod structure;
mod symbols;
mod tables;
#[cfg(feature = "testing")]
mod testing;
mod text;
mod type_size;
mod value;
mod verification;
mod walk;
mod weights;
mod weights_rewrite;
mod write;
mod written_bytes;

use pyo3::prelude::*;

// The allocator of this extension module only; Python keeps its own.
#[global_allocator]
static ALLOCATOR: ::mlirbc::bytes::HugePages = ::mlirbc::bytes::HugePages;

/// Read, edit, convert and print MLIR bytecode of any version and release, without LLVM.
#[pymodule(gil_used = false, name = "_mlirbc")]
mod mlirbc_module {
    #[pymodule_export]
    use super::affine::{_AffineExpr, _AffineMap, _IntegerSet};
    #[pymodule_export]
    use super::arrow::{_arrow_schema, _arrow_stream};
    #[pymodule_export]
    use super::artifact::{
        _artifact_difference, _artifact_key, _for_jax, _jax_reader, _nested_contents, _nested_text,
        _open_nested, _sibling, _specialize, _verify_artifact, _with_hosts, _with_modules, _write_artifact,
    };
    #[pymodule_export]
    use super::attribute::Table;
    #[pymodule_export]
    use super::bindings::{
        _binding_definition, _binding_enumerations, _binding_operations, _release_of_dialects,
    };
    #[pymodule_export]
    use super::blob::Blob;
    #[pymodule_export]
    use super::cli::{_is_formula, _query_hint, run_cli};
    #[pymodule_export]
    use super::columns::{Column, Columns};
    #[pymodule_export]
    use super::container::{Bytecode, Dialect, OperationName, Section};
    #[pymodule_export]
    use super::dialect_values::{
        _attribute_by_interface, _attribute_by_table, _interface_version_bytes, _read_interface_version,
        _type_by_interface, _type_by_table,
    };
    #[pymodule_export]
    use super::dlti::DltiAttr;
    #[pymodule_export]
    use super::dump::{_cost, _diff, _dump, _explore, _hash, _hash_symbols, _size};
    #[pymodule_export]
    use super::edit::{_Checkpoint, _Definition, _Use, PyEditor};
    #[pymodule_export]
    use super::edited::{
        attributes::AttributeMap,
        lists::{HandleIterator, HandleList},
        module::EditedModule,
        operation::EditedOperation,
        properties::{DeclaredProperties, EditedProperties},
        resources::EditedResources,
        structure::{EditedBlock, EditedRegion},
        tables::EditedTables,
        value::{EditedOperand, EditedValue},
    };
    #[pymodule_export]
    use super::elements::_Elements;
    #[pymodule_export]
    use super::errors::{_loss, _printable, error_identifiers};
    #[pymodule_export]
    use super::fallback::{
        _CheckReport, _ConversionPlan, _Decision, _Finding, _Opaque, _WritePlan, _compatibility,
        _defined_ops, _fallback_op, _find_table, _plan_conversion, _plan_edited, _plan_write, _version_bytes,
        _version_numbers,
    };
    #[pymodule_export]
    use super::field::{_build_attribute, _build_type, _text_attribute, _text_type};
    #[pymodule_export]
    use super::float::{_decode_float, _decode_floats, _encode_float, _encode_floats, _float_width};
    #[pymodule_export]
    use super::generate::{_generate_file, _generated_dialects, _generated_releases, _mutate};
    #[pymodule_export]
    use super::handle::attribute_map::OpAttributeMap;
    #[pymodule_export]
    use super::handle::entry::{Attribute, Type};
    #[pymodule_export]
    use super::handle::ir::{
        Block, BlockArgument, BlockArgumentList, BlockList, OpOperand, OpOperandIterator, OpOperandList,
        OpOperands, OpResult, OpResultIterator, OpResultList, OpSuccessors, Operation, OperationIterator,
        OperationList, Region, RegionSequence, Value,
    };
    #[pymodule_export]
    use super::handle::module::Module;
    #[pymodule_export]
    use super::hook_streams::{DialectBytecodeReader, DialectBytecodeWriter};
    #[pymodule_export]
    use super::layout::{
        _layout_size_changes, _register_scope, _register_type_layout, _unregister_layout, _verify_layout,
        DataLayout, LayoutEntry,
    };
    #[pymodule_export]
    use super::layout_hooks::{_register_identifiers, _register_specification, TypeTable, VectorLayout};
    #[pymodule_export]
    use super::layout_table::{_register_layout_table, _rfc_memref_layout, LayoutTable};
    #[pymodule_export]
    use super::limits::Limits;
    #[pymodule_export]
    use super::maps::{NamedAttribute, OpPropertyMap};
    #[pymodule_export]
    use super::module::with_module;
    #[pymodule_export]
    use super::open::{_bytes_of_file, _inputs_below, _open_one_of_many, open, read};
    #[pymodule_export]
    use super::ops::{_operation_definition, _operation_suggestion, OperationChecks};
    #[pymodule_export]
    use super::parameters::_ParameterFile;
    #[pymodule_export]
    use super::parse::parse;
    #[pymodule_export]
    use super::pickle::_operation_at;
    #[pymodule_export]
    use super::release::{
        _load_packs, _register_dialect, _register_schema, _registered_dialects, Contradiction, DialectTable,
        PropertySchema, Release, ReleaseEvidence, custom_forms, known_releases,
    };
    #[pymodule_export]
    use super::report::WriteReport;
    #[pymodule_export]
    use super::reshape::{_clone_part, _module_of};
    #[pymodule_export]
    use super::resource::{Resource, Resources};
    #[pymodule_export]
    use super::stablehlo::{
        _stablehlo_artifact_version, _stablehlo_deserialize, _stablehlo_min_version, _stablehlo_serialize,
        _stablehlo_to_hlo_shardings, _stablehlo_versions,
    };
    #[pymodule_export]
    use super::symbols::{_extract, _merge, _split};
    #[pymodule_export]
    use super::tables::{_TableAccount, _query_memory_error, _table};
    #[pymodule_export]
    use super::type_size::TypeSize;
    #[pymodule_export]
    use super::verification::{Unchecked, Verification};
    #[pymodule_export]
    use super::weights::{_markup, _weight, _weight_html, _weight_names, _weight_users};
    #[pymodule_export]
    use super::weights_rewrite::{_freeze_weights, _hoist_weights, _store_weights};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        errors::register(module)?;
        attribute::register(module)?;
        #[cfg(feature = "testing")]
        testing::register(module)?;
        sequence::register(module)
    }
}
