//! The reasons why the layout of a property blob is unknown.

use crate::dialect::entries::Entries;
use crate::format::id::{OpNameId, PropertyId};
use crate::props::codec::decode;
use crate::release::{KnownRelease, releases};
use crate::wire::cursor::{Cursor, more_bytes};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::section::SectionId;

use super::properties::PropertyReader;

impl PropertyReader<'_, '_> {
    /// The error for a blob that [`Self::read`] found to be opaque.
    #[cold]
    pub(crate) fn why_opaque(&self, name: OpNameId, blob: PropertyId) -> Error {
        let op = self.module.op_name(name).map(|name| name.full().into_owned()).unwrap_or_default();
        let opaque = |why: String| Error::message(ErrorKind::PropertyOpaque, why);
        if let Some(error) = self.more_than_an_attribute(name, &op, blob) {
            return error;
        }
        let dialect = op.split('.').next().unwrap_or_default();
        if self.module.tables().is_unknown_dialect(dialect.as_bytes()) {
            return opaque(format!(
                "the properties of {op} are not decoded, because the caller declares the dialect `{dialect}` unknown"
            ));
        }
        let readings = self.readings(name, blob);
        if !readings.is_empty() {
            let shown: Vec<String> = readings.iter().map(|reading| reading.shown(self.module)).collect();
            let message = format!("the properties of {op} have several readings: {}", shown.join("; "));
            let example = readings.first().and_then(|reading| reading.builds().last().copied());
            let hint = format!(
                "select one with `--layout {op}={0}` or `layouts={{\"{op}\": \"{0}\"}}`, or specify the release",
                example.unwrap_or("RELEASE")
            );
            let error = opaque(message).with_hint(hint);
            return error.at(self.offset(blob)).in_section(SectionId::Properties);
        }
        let Some(release) = self.release.nearest() else {
            return opaque(format!(
                "the properties of {op} are unknown, because the release of the file is unknown"
            ));
        };
        let Some(schema) = self.release.ops_of_builds(op.as_bytes()).next() else {
            let error = opaque(format!("{op} is not in the property schema of {release}"));
            return match self.builds_with(&op).next() {
                Some(build) => {
                    error.with_hint(format!("{build} has it: `--layout {op}={build}` selects its layout"))
                }
                None => error,
            };
        };
        if schema.is_opaque() {
            return opaque(format!("the layout of the properties of {op} in {release} is not known"));
        }
        // The release has the operation, but blobs of the file have another layout.
        let (bytes, offset) = (self.properties.get(blob.number()).unwrap_or_default(), self.offset(blob));
        let version = self.module.tables().bytecode().version();
        match decode(schema, version, &bytes, offset, self.entries, &mut Vec::new()) {
            Err(error) => {
                let why = error.sentence();
                let message = format!("the properties of {op} do not have the layout of {release}: {why}");
                opaque(message).at(error.offset().unwrap_or(offset)).in_section(SectionId::Properties)
            }
            Ok(()) => opaque(format!(
                "the properties of {op} may not have the layout of {release}: another {op} does not have it"
            ))
            .at(offset)
            .in_section(SectionId::Properties),
        }
    }

    /// Whether a known release or build has an op, in the file's part of the history or elsewhere.
    pub(crate) fn is_in_a_build(&self, name: OpNameId) -> bool {
        let Some(name) = self.module.op_name(name) else { return false };
        let name = name.full();
        self.release.ops_of_builds(name.as_bytes()).next().is_some()
            || self.builds_with(&name).next().is_some()
    }

    /// The names of the known releases and builds that have an op, in the order of their table.
    fn builds_with(&self, op: &str) -> impl Iterator<Item = &'static str> {
        let has_op = move |build: &&KnownRelease| {
            let schema = self.module.tables().find_schema(&build.name);
            schema.is_ok_and(|schema| schema.op(op.as_bytes()).is_some_and(|op| !op.is_opaque()))
        };
        releases().unwrap_or_default().iter().filter(has_op).map(|build| &*build.name)
    }

    // The blob of an operation that was unregistered in the writer is one attribute; more bytes are an error.
    fn more_than_an_attribute(&self, name: OpNameId, op: &str, blob: PropertyId) -> Option<Error> {
        if self.schema(name).is_some() || self.is_registered(name) {
            return None;
        }
        let bytes = self.properties.get(blob.number()).unwrap_or_default();
        let mut cursor = Cursor::new(&bytes, self.offset(blob), Some(SectionId::Properties));
        cursor.index("an attribute", self.entries.bounds().attributes).ok()?;
        let expected = format!("one attribute as the properties of {op}, an unregistered operation");
        let surplus = format!("{} after it", more_bytes(cursor.remaining() as u64));
        (!cursor.is_at_end()).then(|| cursor.error(ErrorKind::PropertyOpaque, expected, surplus))
    }
}
