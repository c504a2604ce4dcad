//! The readings of properties whose layout is ambiguous.

use std::collections::HashSet;

use crate::attr::Attribute;
use crate::format::id::{OpNameId, PropertyId};
use crate::ir::view::Operation;
use crate::props::{Property, PropertyValue};
use crate::wire::error::Result;

use super::{Module, PropertyReader};
use crate::format::ir::{IsolatedRegions, OpHead, OpSink};
use crate::wire::progress::Progress;

/// The properties of an operation in one of several layouts that fit its bytes.
///
/// ```
/// let module = mlirbc::Module::open("../../tests/data/between/iree-3.6_async_transfer.mlirbc")?;
/// let ops = module.operation()?.pre_order().collect::<mlirbc::Result<Vec<_>>>()?;
/// let op = ops.iter().find(|op| op.name() == "stream.async.transfer").unwrap();
/// let readings = op.property_readings()?;
/// assert_eq!(readings.len(), 2);
/// assert!(readings[0].builds().contains(&"iree-3.4") && readings[1].builds().contains(&"iree-3.8"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyReading<'m> {
    pub(super) builds: Vec<&'m str>,
    pub(super) properties: Vec<Property<'m>>,
}

/// An operation name whose properties have several readings, and the first blob of that operation in the file.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct AmbiguousOperation<'m> {
    name: String,
    readings: Vec<PropertyReading<'m>>,
}

impl<'m> PropertyReading<'m> {
    /// The names of the known builds with this layout, the oldest first.
    pub fn builds(&self) -> &[&'m str] {
        &self.builds
    }

    /// The properties: one value for each field of the operation in these builds.
    pub fn properties(&self) -> &[Property<'m>] {
        &self.properties
    }

    /// The builds and the values in one line: `iree-3.4: result_affinity = @dev_b`. Long values are cut.
    #[doc(hidden)]
    pub fn shown(&self, module: &Module) -> String {
        let is_present = |property: &&Property<'_>| property.value != PropertyValue::Absent;
        let values = self.properties.iter().filter(is_present);
        let values: Vec<_> = values
            .map(|property| format!("{} = {}", property.name(), shown_value(&property.value, module)))
            .collect();
        let values = if values.is_empty() { "no properties".to_owned() } else { values.join(", ") };
        format!("{}: {values}", self.builds.join(", "))
    }
}

/// The most characters of an attribute in a message.
const SHOWN: usize = 80;

fn shown_value(value: &PropertyValue, module: &Module) -> String {
    match value {
        PropertyValue::Attribute(index) => match Attribute::of_file(module.tables(), *index) {
            Ok(Some(attribute)) => attribute.to_text_within(SHOWN),
            _ => value.to_string(),
        },
        PropertyValue::String(index) => {
            let text = module.tables().string(*index).unwrap_or_default();
            crate::wire::error::cut(&format!("{:?}", String::from_utf8_lossy(text)), SHOWN)
        }
        PropertyValue::Int(number) => number.to_string(),
        PropertyValue::Bool(flag) => flag.to_string(),
        PropertyValue::Segments(sizes) => crate::wire::error::cut(&format!("{sizes:?}"), SHOWN),
        _ => value.to_string(),
    }
}

impl<'m> AmbiguousOperation<'m> {
    /// The name of the operation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The readings of its first blob.
    pub fn readings(&self) -> &[PropertyReading<'m>] {
        &self.readings
    }
}

impl<'m> Operation<'m> {
    /// Returns the readings of the properties if builds around the file have different layouts that fit, each
    /// with the builds that have it. Empty if the layout is known, or if no layout fits.
    ///
    /// # Errors
    /// If a table is malformed.
    #[doc(hidden)]
    pub fn property_readings(&self) -> Result<Vec<PropertyReading<'m>>> {
        let Some(blob) = self.properties() else { return Ok(Vec::new()) };
        let entries = self.module().tables().entries()?;
        let readings = PropertyReader::new(self.module(), &entries)?.readings(self.name_id(), blob);
        self.module().tables().unless_lost(Ok(readings))
    }
}

impl Module {
    /// The operations whose properties have several readings, in the order of their first occurrence.
    ///
    /// # Errors
    /// If a table or the IR is malformed.
    #[doc(hidden)]
    pub fn ambiguous_operations(&self) -> Result<Vec<AmbiguousOperation<'_>>> {
        let names: HashSet<u32> = self.release()?.ambiguous_ops().map(|name| name.number()).collect();
        let mut first = FirstBlobs { names, blobs: Vec::new() };
        if first.names.is_empty() {
            return Ok(Vec::new());
        }
        let (budget, entries) = (self.tables().work_budget(), self.tables().entries()?);
        self.stream_with(&mut first, &budget, &Progress::default())?;
        let reader = PropertyReader::new(self, &entries)?;
        let operation = |(name, blob): (u32, u32)| {
            let readings = reader.readings(OpNameId::new(name), PropertyId::new(blob));
            let name = self.op_name(OpNameId::new(name)).map_or_else(String::new, |name| name.shown());
            AmbiguousOperation { name, readings }
        };
        self.tables().unless_lost(Ok(first.blobs.into_iter().map(operation).collect()))
    }
}

/// Collects the first blob of each op in `names`, as pairs of name and blob.
struct FirstBlobs {
    names: HashSet<u32>,
    blobs: Vec<(u32, u32)>,
}

impl OpSink for FirstBlobs {
    fn op(&mut self, head: OpHead) {
        if let Some(blob) = head.properties
            && self.names.remove(&head.name)
        {
            self.blobs.push((head.name, blob));
        }
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        !self.names.is_empty()
    }
}
