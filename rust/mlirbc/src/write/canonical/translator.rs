//! The interface through which canonical writing translates a module.

use crate::dialect::entries::RawEntry;
use crate::dialect::table::DialectTable;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::OpSink;
use crate::ir::Module;
use crate::props::OpSchema;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;

use super::index::{EncodingId, PoolAttr, PoolName, PoolType};
use super::names::Names;
use super::op_encoding::{OpEncoding, PartCounts, RegionShift};
use super::pass;
use super::tables::Tables;

/// Translates the operations, attributes and types of a module for the reader of the written file.
///
/// Indices of the file become indices of [`Self::entries`] and numbers of encodings. Everything is translated
/// once while the module is collected; later calls look the result up.
pub(crate) trait OpTranslator {
    // ---- the written file ----

    /// The bytecode version of the written file.
    fn version(&self) -> BytecodeVersion;

    /// Whether the written file is for another release, so that the parts of an operation in the file do not
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

    /// The name in [`Self::names`] of each of the file's operation names.
    fn written_names(&self) -> impl ExactSizeIterator<Item = PoolName>;

    /// The version of a dialect, if one is written.
    fn dialect_version(&self, dialect: &[u8]) -> Option<&Bytes>;

    /// Whether entries keep the encoding that they have in the file.
    fn keeps_entry_encodings(&self) -> bool;

    /// The table that an entry will be read with, if that depends on the version of its dialect.
    fn reader_table(&self, entry: &RawEntry<'_>) -> Option<&DialectTable>;

    /// Whether the reader of the written file has no numbers for results of top-level operations.
    fn refuses_top_level_results(&self) -> bool;

    /// The number of types that operations may have: the types of the file, and perhaps others.
    fn type_count(&self, of_file: u32) -> u32 {
        of_file
    }

    /// Passes the operations to a sink.
    ///
    /// # Errors
    /// The errors of reading the operations.
    fn stream<S: OpSink>(&self, sink: &mut S, progress: &Progress) -> Result<bool> {
        self.module().stream_with(sink, self.budget(), progress)
    }

    /// Whether use-list orders are passed as the positions that are written, and not as they are in the file.
    fn has_final_orders(&self) -> bool {
        false
    }

    // ---- collecting ----

    /// Whether operations with this name are removed from the blocks of operations with the name `parent`.
    fn is_left_out(&self, parent: Option<OpNameId>, name: OpNameId) -> bool;

    /// The empty regions that operations with this name have in addition, or lack.
    fn region_shift(&self, _name: OpNameId) -> Option<RegionShift> {
        None
    }

    /// The encoding of the terminator that each block of operations with this name needs.
    fn new_terminator(&self, name: OpNameId) -> Option<EncodingId>;

    /// The encoding of an operation with these parts.
    ///
    /// # Errors
    /// If a part cannot be decoded, or the encoding needs an attribute that the file does not have.
    fn encode(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> pass::Result<EncodingId>;

    /// Returns the encoding of an operation in a block of an operation with the name `parent`, on which the
    /// encoding may depend.
    ///
    /// # Errors
    /// As [`Self::encode`].
    fn encode_inside(
        &mut self,
        _parent: Option<OpNameId>,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> pass::Result<EncodingId> {
        self.encode(name, attributes, properties)
    }

    /// Whether [`Self::with_counts`] needs the types of operands.
    fn tracks_operand_types(&self) -> bool {
        false
    }

    /// Returns the encoding of an operation with these numbers of parts, which is usually `encoding`.
    ///
    /// # Errors
    /// If the memory limit is reached.
    fn with_counts(&mut self, encoding: EncodingId, counts: PartCounts) -> pass::Result<EncodingId>;

    /// An attribute of the file.
    ///
    /// # Errors
    /// If it cannot be decoded.
    fn attribute(&mut self, id: AttrId) -> Result<PoolAttr>;

    /// A type of the file.
    ///
    /// # Errors
    /// If it cannot be decoded.
    fn r#type(&mut self, id: TypeId) -> Result<PoolType>;

    /// An attribute of the file that is a location.
    ///
    /// # Errors
    /// As [`Self::attribute`], and if the reader of the written file has no locations of its kind.
    fn location(&mut self, id: AttrId) -> pass::Result<PoolAttr> {
        Ok(self.attribute(id)?)
    }

    /// The unknown location.
    ///
    /// # Errors
    /// If it is not in the file and cannot be added.
    fn unknown_location(&mut self) -> pass::Result<PoolAttr>;

    // ---- looking up what was collected ----

    /// The number of encodings.
    fn encoding_count(&self) -> usize;

    /// An encoding.
    fn encoding(&self, id: EncodingId) -> &OpEncoding;

    /// The order of the operands of ops with this encoding, if it differs from the file.
    fn operand_order(&self, id: EncodingId) -> Option<&[u8]>;

    /// The name of an encoding; `None` for an unknown encoding.
    fn name_of(&self, encoding: EncodingId) -> Option<PoolName>;

    /// The encoding of an operation with these parts, if [`Self::is_for_other_release`] is false.
    fn find(
        &self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Option<EncodingId>;

    /// The schema of an operation, by the row in [`EncodedProperties::Known`](super::op_encoding::EncodedProperties).
    fn schema(&self, row: u32) -> Option<&OpSchema>;

    /// A location that was collected.
    fn collected_location(&self, id: AttrId) -> Option<PoolAttr>;

    /// A type that was collected.
    fn collected_type(&self, id: TypeId) -> Option<PoolType>;

    /// The unknown location; `None` if nothing uses it.
    fn collected_unknown_location(&self) -> Option<PoolAttr>;
}
