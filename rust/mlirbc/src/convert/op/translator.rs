//! The answers of a conversion to the canonical writer.

use super::{NONE, OpConverter, WORK_PER_ENCODING};
use crate::dialect::entries::RawEntry;
use crate::dialect::table::DialectTable;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::ir::Module;
use crate::props::OpSchema;
use crate::wire::bytes::Bytes;
use crate::wire::error::Error;
use crate::wire::limits::Budget;
use crate::wire::version::BytecodeVersion;
use crate::write::canonical::index::{EncodingId, PoolAttr, PoolName, PoolType};
use crate::write::canonical::names::Names;
use crate::write::canonical::op_encoding::{OpEncoding, OperandGroups, PartCounts, RegionShift};
use crate::write::canonical::pass::Result;
use crate::write::canonical::tables::Tables;
use crate::write::canonical::translator::OpTranslator;

impl OpTranslator for OpConverter<'_> {
    fn version(&self) -> BytecodeVersion {
        self.target.version
    }

    fn is_for_other_release(&self) -> bool {
        self.target.conversion.is_some()
    }

    fn refuses_top_level_results(&self) -> bool {
        self.target.conversion.as_ref().is_some_and(|conversion| conversion.numbers_results_without_values())
    }

    fn module(&self) -> &Module {
        self.module
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn entries(&self) -> Tables<'_> {
        self.pool.entries()
    }

    fn names(&self) -> &Names<'_> {
        &self.names
    }

    fn written_names(&self) -> impl ExactSizeIterator<Item = PoolName> {
        self.rows.iter().map(|row| row.0)
    }

    fn dialect_version(&self, dialect: &[u8]) -> Option<&Bytes> {
        self.versions.written(dialect)
    }

    fn keeps_entry_encodings(&self) -> bool {
        self.versions.is_encoding_kept()
    }

    #[inline]
    fn reader_table(&self, entry: &RawEntry<'_>) -> Option<&DialectTable> {
        self.versions.table_of(entry)
    }

    #[inline]
    fn is_left_out(&self, parent: Option<OpNameId>, name: OpNameId) -> bool {
        let (Some(&(Some(end), _)), Some(parent)) = (self.removed_ends.get(name.index()), parent) else {
            return false;
        };
        self.removed_ends.get(parent.index()).is_some_and(|&(_, owner)| owner == Some(end))
    }

    fn region_shift(&self, name: OpNameId) -> Option<RegionShift> {
        self.region_shifts.get(&name.number()).copied()
    }

    fn new_terminator(&self, name: OpNameId) -> Option<EncodingId> {
        self.ends_with.get(name.index()).copied().flatten()
    }

    #[inline]
    fn encode(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Result<EncodingId> {
        if attributes.is_none()
            && properties.is_none()
            && let Some(&Some(encoding)) = self.plain.get(name.index())
        {
            return Ok(encoding);
        }
        let key = key_of(name, attributes, properties);
        if let Some(&encoding) = self.known.get(&key) {
            return Ok(encoding);
        }
        let encoding = self.translate(name, attributes, properties)?;
        let index = EncodingId::new(self.encodings.len() as u32);
        self.budget.spend(encoding.memory())?;
        self.pulse.beat(WORK_PER_ENCODING, self.module.tables())?;
        self.encodings.push(encoding);
        self.known.insert(key, index);
        if attributes.is_none() && properties.is_none() {
            self.plain[name.index()] = Some(index);
        }
        Ok(index)
    }

    fn tracks_operand_types(&self) -> bool {
        self.target.conversion.as_ref().is_some_and(|conversion| conversion.has_element_types())
    }

    #[inline]
    fn with_counts(&mut self, encoding: EncodingId, counts: PartCounts) -> Result<EncodingId> {
        match self.encodings.get(encoding.index()) {
            Some(OpEncoding {
                operand_groups: Some(OperandGroups::ShapeOfResult(_) | OperandGroups::ElementTypeOf { .. }),
                ..
            }) => self.counted(encoding, counts),
            Some(OpEncoding { operand_groups: Some(_), .. } | OpEncoding { limits: Some(_), .. }) => {
                self.counted(encoding, PartCounts { result: None, operand: None, ..counts })
            }
            _ => Ok(encoding),
        }
    }

    fn encode_inside(
        &mut self,
        parent: Option<OpNameId>,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Result<EncodingId> {
        let place =
            parent.filter(|_| !self.replaced.is_empty()).map(|parent| (parent.number(), name.number()));
        match place.and_then(|place| self.replaced.get(&place)).copied() {
            Some(Some(new_name)) => self.encode_terminator(new_name, attributes),
            Some(None) => self.encode_misplaced(name, attributes, properties),
            None => self.encode(name, attributes, properties),
        }
    }

    #[inline]
    fn attribute(&mut self, id: AttrId) -> Result<PoolAttr, Error> {
        self.pool.attribute(id)
    }

    #[inline]
    fn r#type(&mut self, id: TypeId) -> Result<PoolType, Error> {
        self.pool.r#type(id)
    }

    #[inline]
    fn location(&mut self, id: AttrId) -> Result<PoolAttr> {
        self.pool.check_location(id)?;
        self.pool.location(id)
    }

    fn unknown_location(&mut self) -> Result<PoolAttr> {
        self.pool.unknown_location()
    }

    fn encoding_count(&self) -> usize {
        self.encodings.len()
    }

    #[inline]
    fn encoding(&self, id: EncodingId) -> &OpEncoding {
        &self.encodings[id.index()]
    }

    #[inline]
    fn operand_order(&self, id: EncodingId) -> Option<&[u8]> {
        self.encodings.get(id.index())?.operand_order.as_deref()
    }

    #[inline]
    fn name_of(&self, encoding: EncodingId) -> Option<PoolName> {
        self.encodings.get(encoding.index()).map(|encoding| encoding.name)
    }

    #[inline]
    fn find(
        &self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Option<EncodingId> {
        if attributes.is_none() && properties.is_none() {
            return self.plain.get(name.index()).copied().flatten();
        }
        let key = key_of(name, attributes, properties);
        self.known.get(&key).copied()
    }

    fn schema(&self, row: u32) -> Option<&OpSchema> {
        self.schemas.op(row)
    }

    fn collected_location(&self, id: AttrId) -> Option<PoolAttr> {
        self.pool.known_location(id)
    }

    fn collected_type(&self, id: TypeId) -> Option<PoolType> {
        self.pool.known_type(id)
    }

    fn collected_unknown_location(&self) -> Option<PoolAttr> {
        self.pool.known_unknown_location()
    }
}

/// Returns the parts of an operation in the file that determine its encoding.
#[inline]
fn key_of(name: OpNameId, attributes: Option<AttrId>, properties: Option<PropertyId>) -> (u32, u32, u32) {
    (name.number(), attributes.map_or(NONE, |id| id.number()), properties.map_or(NONE, |id| id.number()))
}
