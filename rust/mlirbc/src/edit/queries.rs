//! Queries about single operations and values of an edited module, without writing the module: properties,
//! groups of operands, the position in the module.

use std::sync::Arc;

use crate::attr::{Attribute, FieldValue};
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::PositionStep;
use crate::ops::OperationDefinition;
use crate::props::codec::{segment_sizes, split};
use crate::props::{OpSchema, Property, PropertyValue};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::order::sort_by;
use crate::wire::steps;

use super::arena::{ArenaOp, EditAttr, ROOT, WalkStep, Walker};
use super::attributes::Blob;
use super::{EditOp, EditValue, Editor, erased};

/// The inherent values of an edited operation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EditProperties {
    /// The values by name.
    pub values: Vec<(Vec<u8>, FieldValue)>,
    /// The bytes of properties of unknown layout.
    pub opaque: Option<Bytes>,
    /// The names of the attributes that are not among the values.
    pub discardable: Vec<Vec<u8>>,
    /// The numbers of operands and of results by the names of the definition; empty if they are unknown.
    pub groups: [Vec<(String, usize)>; 2],
}

/// The parts of an operation that determine its attributes, as indices in the tables of the file.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileShape {
    /// The name.
    pub name: OpNameId,
    /// The dictionary of attributes.
    pub dictionary: Option<AttrId>,
    /// The property blob.
    pub properties: Option<PropertyId>,
}

impl Editor {
    /// Returns the shape of an operation; `None` if an edit changed its name, its attributes or its properties,
    /// or replaced entries of the file. Operations with equal shapes have equal attributes.
    ///
    /// # Errors
    /// If the operation was erased.
    ///
    /// ```
    /// # use mlirbc::{Attribute, Module, edit::Editor};
    /// let mut editor = Editor::new(Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let main = editor.symbol("main")?.unwrap();
    /// assert!(editor.file_shape(main)?.is_some());
    /// editor.set_attribute(main, "note", &Attribute::parse("unit")?)?;
    /// assert_eq!(editor.file_shape(main)?, None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn file_shape(&self, op: EditOp) -> Result<Option<FileShape>> {
        let op = self.live(op)?;
        let (row, tables) = (self.arena.op(op), &self.tables);
        let is_as_in_file =
            tables.replaced.is_empty() && tables.versions.is_empty() && tables.moved_tables.is_none();
        let (name, counts) = (row.name().number(), tables.counts);
        let dictionary = row.attributes.map(|id| id.number());
        let properties = row.properties.map(|id| id.number());
        let is_in_tables = name < counts.op_names
            && dictionary.is_none_or(|id| id < counts.attributes)
            && properties.is_none_or(|id| id < counts.blobs);
        if !is_as_in_file || !is_in_tables || self.drafts.get(op).is_some() {
            return Ok(None);
        }
        let (dictionary, properties) = (dictionary.map(AttrId::new), properties.map(PropertyId::new));
        Ok(Some(FileShape { name: OpNameId::new(name), dictionary, properties }))
    }

    /// Returns the inherent values of an operation, its discardable attributes and its groups; a declared
    /// encoding of a dialect is not applied to bytes of unknown layout.
    ///
    /// # Errors
    /// If the op was erased, its blob does not have the layout of the release, or an entry cannot be read.
    ///
    /// ```
    /// use mlirbc::attr::FieldValue;
    /// use mlirbc::edit::Editor;
    /// use mlirbc::Module;
    /// let mut editor = Editor::new(Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let main = editor.symbol("main")?.unwrap();
    /// let body = editor.body(main)?;
    /// let branch = *editor.operations(body)?.last().unwrap();
    /// let properties = editor.op_properties(branch)?;
    /// assert_eq!(properties.values[0].0, b"operandSegmentSizes");
    /// assert_eq!(properties.groups[0][0], ("condition".to_owned(), 1));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn op_properties(&self, id: EditOp) -> Result<EditProperties> {
        let op = self.live(id)?;
        let base = self.base.clone();
        let mut parts = self.parts(&base, op)?;
        let mut properties = EditProperties::default();
        let view = self.tables.view()?;
        match parts.blob {
            Blob::Known => {}
            Blob::None => {
                if let Some(schema) = parts.schema {
                    schema.initial(&mut parts.inherent);
                }
            }
            Blob::Opaque => {
                let blob = self.arena.op(op).properties;
                properties.opaque = blob.map(|blob| self.tables.blob_bytes(blob)).transpose()?;
            }
            Blob::Attribute(index) => {
                let mut pairs = Vec::new();
                split(None, AttrId::new(index), &view, &mut [], &mut pairs)?;
                for (name, value) in pairs {
                    let value = FieldValue::Attribute(self.tables.attribute_value(EditAttr::new(value))?);
                    properties.values.push((self.tables.text_of(AttrId::new(name))?, value));
                }
            }
        }
        for &(name, value) in &parts.pairs {
            let name = self.tables.text_of(AttrId::new(name))?;
            let in_dictionary = parts.inherent.iter_mut().find(|property| {
                let field = &property.field;
                field.is_in_dictionary() && field.names().any(|field_name| field_name.as_bytes() == name)
            });
            match in_dictionary {
                Some(property) => property.value = PropertyValue::Attribute(AttrId::new(value)),
                None => properties.discardable.push(name),
            }
        }
        for (place, (field, names)) in parts.schema.iter().flat_map(|schema| groups(schema)).enumerate() {
            let sizes = parts.inherent.iter().find(|property| property.name() == field);
            let sizes = sizes.and_then(|property| segment_sizes(&property.value, &view)).unwrap_or_default();
            if sizes.len() == names.len() {
                let sizes = sizes.into_iter().map(|size| size.max(0) as usize);
                properties.groups[place] = names.into_iter().map(str::to_owned).zip(sizes).collect();
            }
        }
        if properties.groups.iter().any(Vec::is_empty) {
            self.add_groups(id, &mut properties.groups)?;
        }
        for Property { field, value } in parts.inherent {
            if value != PropertyValue::Absent {
                properties.values.push((field.name().into(), self.field_value(value)?));
            }
        }
        sort_by(&mut properties.values, |a, b| a.0.cmp(&b.0));
        Ok(properties)
    }

    /// Returns the number of regions by the names of the definition; empty if they are unknown.
    ///
    /// # Errors
    /// If the op was erased, or a table is malformed.
    #[doc(hidden)]
    pub fn region_groups(&mut self, op: EditOp) -> Result<Vec<(String, usize)>> {
        let count = self.regions(op)?.len();
        let Some(definition) = self.operation_definition(op)? else { return Ok(Vec::new()) };
        let counts = definition.region_counts(count).unwrap_or_default();
        Ok(definition.regions().iter().map(|region| region.name().to_owned()).zip(counts).collect())
    }

    fn operation_definition(&self, op: EditOp) -> Result<Option<Arc<OperationDefinition>>> {
        match self.is_registered(op)? {
            Some(false) => Ok(None),
            _ => self.base.operation_definition(&self.name(op)?),
        }
    }

    // Adds the groups that follow from the numbers of operands and results.
    fn add_groups(&self, op: EditOp, groups: &mut [Vec<(String, usize)>; 2]) -> Result<()> {
        let Some(definition) = self.operation_definition(op)? else { return Ok(()) };
        let [operands, results] = groups;
        let counts = [
            (operands, definition.operands(), definition.operand_counts(self.operands(op)?.len())),
            (results, definition.results(), definition.result_counts(self.results(op)?.len())),
        ];
        for (group, values, counts) in counts {
            if let (true, Some(counts)) = (group.is_empty(), counts) {
                *group = values.iter().map(|value| value.name().to_owned()).zip(counts).collect();
            }
        }
        Ok(())
    }

    fn field_value(&self, value: PropertyValue) -> Result<FieldValue> {
        Ok(match value {
            PropertyValue::Absent | PropertyValue::Optional(None) => FieldValue::Absent,
            // Values nest as deeply as the schema declares.
            PropertyValue::Optional(Some(inner)) => self.field_value(*inner)?,
            PropertyValue::Attribute(index) => {
                FieldValue::Attribute(self.tables.attribute_value(EditAttr::new(index.number()))?)
            }
            PropertyValue::Int(number) => FieldValue::Signed(number),
            PropertyValue::Bool(value) => FieldValue::Bool(value),
            PropertyValue::String(index) => {
                FieldValue::String(Bytes::copy_from_slice(self.tables.string_bytes(index)))
            }
            PropertyValue::Segments(sizes) => {
                FieldValue::List(sizes.into_iter().map(|size| FieldValue::Signed(size.into())).collect())
            }
            PropertyValue::Array(items) => FieldValue::List(
                items.into_iter().map(|item| self.field_value(item)).collect::<Result<Vec<_>>>()?,
            ),
        })
    }

    /// Returns the dictionary of an operation; `None` if it is empty.
    ///
    /// # Errors
    /// If the op was erased.
    #[doc(hidden)]
    pub fn attribute_dictionary(&mut self, op: EditOp) -> Result<Option<Attribute>> {
        let op = self.live(op)?;
        self.encode_draft_of(op)?;
        let index = self.arena.op(op).attributes;
        index.map(|index| self.tables.attribute_value(index)).transpose()
    }

    /// Returns the location of a block argument; `None` for results, and if it is omitted, which means
    /// unknown.
    ///
    /// # Errors
    /// If the value was erased.
    #[doc(hidden)]
    pub fn location_of_argument(&self, value: EditValue) -> Result<Option<Attribute>> {
        let index = self.arena.value(self.live_value(value)?).location;
        index.map(|index| self.tables.attribute_value(index)).transpose()
    }

    /// Returns the position of an operation in its snapshot (`Editor::snapshot_of`). Counts the operations
    /// before it in its block, and before each enclosing operation.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn position(&self, op: EditOp) -> Result<Vec<PositionStep>> {
        Ok(self.steps_to(self.live(op)?)?.into_iter().map(|(step, _)| step).collect())
    }

    /// Returns the path of an operation, in the form of paths of read operations. The path of an operation in
    /// no block begins with the outermost operation.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn operation_path(&self, op: EditOp) -> Result<String> {
        let steps = self.steps_to(self.live(op)?)?;
        let mut steps: Vec<_> = steps.into_iter().filter_map(|(step, op)| Some((step, op?))).collect();
        steps.reverse();
        let outermost = steps.len() - 1;
        let numbered: Vec<_> = steps.into_iter().enumerate().collect();
        Ok(crate::file::shorten(&numbered, |&(place, (PositionStep { region, block, op: number }, op))| {
            let step = format!("block {block}, op {number} ({})", self.name_text(op));
            if place == outermost { step } else { format!("region {region}, {step}") }
        }))
    }

    // Returns each step with its operation, outermost first; the wrapper of a detached operation has no
    // number.
    fn steps_to(&self, mut op: ArenaOp) -> Result<Vec<(PositionStep, Option<ArenaOp>)>> {
        let mut steps = Vec::new();
        loop {
            let Some(block) = self.arena.op(op).block else {
                let first = PositionStep { region: 0, block: 0, op: 0 };
                steps.extend([(first, Some(op)), (first, None)]);
                break;
            };
            let number = self.arena.ops_of(block).take_while(|&other| other != op).count() as u32;
            let (Some(region), Some(around)) =
                (self.arena.block(block).region, self.arena.owner_of_block(block))
            else {
                return Err(erased("the block of the operation"));
            };
            let blocks = &self.arena.region(region).blocks;
            let regions = self.arena.loaded_regions(around);
            steps::count(blocks.len() + regions.len());
            let region = regions.iter().position(|&row| row == region).unwrap_or_default() as u32;
            let block = blocks.iter().position(|&row| row == block).unwrap_or_default() as u32;
            steps.push((PositionStep { region, block, op: number }, Some(op)));
            if around == ROOT {
                break;
            }
            op = around;
        }
        steps.reverse();
        Ok(steps)
    }

    /// Verifies one operation and its nested operations, as [`Self::verify`] does for the module. Values from
    /// outside are assumed to be visible.
    ///
    /// # Errors
    /// As [`Self::verify`], and if the operation was erased or its nested operations cannot be read.
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let mut editor = Editor::new(Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let function = editor.symbol("main")?.unwrap();
    /// let body = editor.body(function)?;
    /// let ops = editor.operations(body)?;
    /// editor.move_before(*ops.last().unwrap(), ops[0])?;
    /// assert!(editor.verify_op(function).is_err());
    /// let dense = editor.symbol("dense")?.unwrap();
    /// editor.verify_op(dense)?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn verify_op(&mut self, op: EditOp) -> Result<()> {
        let op = self.live(op)?;
        self.load_regions(op)?;
        let mut walker = Walker::inside(op);
        while let Some(step) = walker.next(&self.arena) {
            if let WalkStep::Enter(inner) = step {
                self.load_regions(inner)?;
            }
        }
        // The wrapper that represents everything outside is removed from the path.
        let outside = format!("{} > ", self.name_text(op));
        self.with_only(op, |editor| editor.plan(true, true).map(drop)).map_err(|error| {
            match error.path().and_then(|path| path.strip_prefix(&outside)).map(str::to_owned) {
                Some(path) => error.with_path(path),
                None => error,
            }
        })
    }
}

/// Returns the properties with the sizes of groups, and the names of the groups.
fn groups(schema: &OpSchema) -> [(&'static str, Vec<&str>); 2] {
    let bare = |name: &'_ str| name.trim_end_matches(['*', '?']).len();
    let operands = schema.operands().map(|name| &name[..bare(name)]).collect();
    let results = schema.results().map(|name| &name[..bare(name)]).collect();
    [("operandSegmentSizes", operands), ("resultSegmentSizes", results)]
}
