//! The interface through which canonical writing translates a module.

use crate::dialect::entries::RawEntry;
use crate::dialect::table::DialectTable;
use crate::ir::Module;
use crate::props::OpSchema;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::version::BytecodeVersion;

use super::names::Names;
use super::op_encoding::OpEncoding;
use super::pass;
use super::tables::Tables;

/// Translates the operations, attributes and types of a module for the reader of the written file.
///
/// Indices of the file become indices of [`Self::entries`] and numbers of encodings. Everything is translated
/// once while the module is collected; afterwards it is looked up.
pub(crate) trait OpTranslator {
    // ---- the written file ----

    /// Its bytecode version.
    fn version(&self) -> BytecodeVersion;

    /// Whether the file is for another release, so that the parts of an operation in the file do not
    /// determine its encoding.
    fn is_for_other_release(&self) -> bool;

    /// The module that is written.
    fn module(&self) -> &Module;

    /// The budget of the write.
    fn budget(&self) -> &Budget;

    /// The attributes, types, strings and resource keys that encodings refer to.
    fn entries(&self) -> Tables<'_>;

    /// The operation names that encodings refer to.
    fn names(&self) -> &Names<'_>;

    /// The row in [`Self::names`] of each of the file's operation names.
    fn written_names(&self) -> impl ExactSizeIterator<Item = u32>;

    /// The version of a dialect, if one is written.
    fn dialect_version(&self, dialect: &[u8]) -> Option<&Bytes>;

    /// Whether entries keep the encoding that they have in the file.
    fn keeps_entry_encodings(&self) -> bool;

    /// The table that an entry will be read with, if that depends on the version of its dialect.
    fn reader_table(&self, entry: &RawEntry<'_>) -> Option<&DialectTable>;

    // ---- collecting ----

    /// Whether operations with this name are removed.
    fn is_left_out(&self, name: u32) -> bool;

    /// The encoding of the terminator that each block of operations with this name needs.
    fn new_terminator(&self, name: u32) -> Option<u32>;

    /// The encoding of an operation with these parts.
    ///
    /// # Errors
    /// If a part cannot be decoded, or the encoding needs an attribute that the file does not have.
    fn encode(&mut self, name: u32, attributes: Option<u32>, properties: Option<u32>) -> pass::Result<u32>;

    /// The encoding of an operation with this number of operands: usually the same as without.
    ///
    /// # Errors
    /// If there is no memory left for another one.
    fn with_operands(&mut self, encoding: u32, operands: u64) -> pass::Result<u32>;

    /// An attribute of the file.
    ///
    /// # Errors
    /// If it cannot be decoded.
    fn attribute(&mut self, index: u32) -> Result<u32>;

    /// A type of the file.
    ///
    /// # Errors
    /// If it cannot be decoded.
    fn r#type(&mut self, index: u32) -> Result<u32>;

    /// The unknown location.
    ///
    /// # Errors
    /// If it is not in the file and cannot be added.
    fn unknown_location(&mut self) -> pass::Result<u32>;

    // ---- looking up what was collected ----

    /// The number of encodings.
    fn encoding_count(&self) -> usize;

    /// An encoding.
    fn encoding(&self, encoding: u32) -> &OpEncoding;

    /// The row of its name; `u32::MAX` for an unknown encoding.
    fn name_of(&self, encoding: u32) -> u32;

    /// The encoding of an operation with these parts, if [`Self::is_for_other_release`] is false.
    fn find(&self, name: u32, attributes: Option<u32>, properties: Option<u32>) -> u32;

    /// The schema of an operation, by the row in [`EncodedProperties::Known`](super::op_encoding::EncodedProperties).
    fn schema(&self, row: u32) -> Option<&OpSchema>;

    /// An attribute that was collected.
    fn collected_attribute(&self, index: u32) -> Option<u32>;

    /// A type that was collected.
    fn collected_type(&self, index: u32) -> Option<u32>;

    /// The unknown location; `u32::MAX` if nothing uses it.
    fn collected_unknown_location(&self) -> u32;
}
