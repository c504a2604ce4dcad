//! Utilities for one task each, on the public IR: columns of operations, tables, byte dumps, size reports,
//! text for terminals and notebooks, the text of modules with their kernels, pages to explore a module, the
//! limit on listings, summaries of models, weights, and modules made from parts of others.

mod artifact_difference;
mod columns;
mod cost;
mod diff;
mod dump;
mod escape;
mod expected_errors;
mod explore;
mod format_text;
mod hash;
mod highlight;
mod inputs;
mod irdl;
mod jax_readers;
mod model;
mod module_view;
mod nested_print;
mod notebook;
mod parameters;
mod size;
mod specialize;
pub mod symbols;
mod table;
mod terminal;
mod text_limit;
mod treemap;
mod weights;

pub use artifact_difference::{ArtifactDifference, FieldChange, ModuleDifference};
pub use columns::{ColumnKind, ColumnLayout, NO_ROW, OPS_TABLE, OpColumns};
pub use cost::{CostAmount, CostNote, CostOptions, CostReport, CostRow, CustomCallCosts, OperationCost};
pub use diff::{
    Change, ChangeKind, Counts, Detail, DiffOptions, Difference, ElementsDifference, Hunk, Line, Site,
};
pub use dump::{DumpKind, DumpOptions, DumpRow, check_offset, dump};
pub use escape::{JsonWriter, content_policy, escape_markup, is_risky, printable};
pub use expected_errors::{ErrorComparison, compare_errors};
pub use explore::{ExploreOptions, ExploreReport, explore};
#[doc(hidden)]
pub use format_text::format_text;
pub use hash::{HashOptions, artifact_key, content_key, symbol_keys};
pub use highlight::{ColorWriter, html_fragment};
pub use inputs::{COMPRESSED_SUFFIXES, FolderInputs, SUFFIXES, has_suffix, holds_modules, is_special_file};
pub use irdl::add_irdl;
pub use jax_readers::{JaxReader, JaxReaders, check_jax_version, prepare_for_jax};
pub use model::{
    CustomCall, EntryFunction, EntryValue, ModelSummary, Parameter, Requirement, StableHloVersions,
};
pub use nested_print::{NestedPrintReport, print_nested};
pub use notebook::{operation_html, weight_html};
#[doc(hidden)]
pub use parameters::{
    ArchiveHead, NewParameter, ParameterFile, ParameterFormat, StoredTensor, TensorStorage,
    externalize_parameters,
};
pub use size::{SizeReport, SizeRow};
#[doc(hidden)]
pub use specialize::{SpecializeOptions, specialize};
pub use table::{ColumnValues, LONGEST_TEXT, Table, TableAccount, TableColumn, TableKind, Texts, Validity};
pub use terminal::TerminalWriter;
pub use text_limit::TextLimit;
pub use treemap::{treemap_html, treemap_svg};
pub use weights::{
    ExportReport, FreezeOptions, FreezeReport, Histogram, HoistOptions, HoistReport, ImportReport, Moved,
    NamedTensor, Rewrite, Safetensors, StoreForm, StoreReport, TensorInfo, Weight, WeightKind, WeightStats,
    WeightUse, Weights, function_arguments, is_float_tensor,
};
