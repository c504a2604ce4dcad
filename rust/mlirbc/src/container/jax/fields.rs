//! Digests of the fields of a JAX export, so that two exports can be compared without showing every field.
//!
//! The digest of a table covers the digests of the tables it refers to, each of which is computed once. An
//! absent number is 0, as the schema says.

use sha2::{Digest as _, Sha256};

use crate::container::ContainerField;
use crate::container::flatbuffer::Flatbuffer;
use crate::wire::bytes::Source;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, Limits};

use super::schema::{OLDER_NAMES, WITHOUT_MEANING};
use super::value::{ExportValue, FieldContents, TableId};

type Digest = [u8; 32];

/// The fields of each level, without text.
///
/// # Errors
/// [`ErrorKind::Flatbuffer`](crate::wire::error::ErrorKind::Flatbuffer), and an exhausted budget.
pub(in crate::container) fn fields(content: &Source, limits: &Limits) -> Result<Vec<ContainerField>> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    let value = ExportValue::read(&mut file)?;
    let mut digests = Digests::new(content, &value, file.budget())?;
    let mut fields: Vec<ContainerField> = Vec::new();
    for (module, level) in value.levels().enumerate() {
        let table = value.table(level);
        let start = fields.len();
        for (number, slot) in table.layout.slots.iter().enumerate() {
            let Some(contents) = table.field(number).filter(|_| !WITHOUT_MEANING.contains(&slot.name)) else {
                continue;
            };
            file.budget().spend(size_of::<ContainerField>())?;
            let Some(digest) = digests.of(contents)? else { continue };
            let newer = OLDER_NAMES.iter().find(|(older, _)| *older == slot.name);
            let name = newer.map_or(slot.name, |(_, newer)| newer);
            // The newer field has a higher slot, and takes precedence if both exist.
            let field = ContainerField { module, name, digest, text: String::new() };
            match fields[start..].iter().position(|field| field.name == name) {
                Some(place) => fields[start + place] = field,
                None => fields.push(field),
            }
        }
    }
    Ok(fields)
}

/// Digests of tables: two tables of one layout have the same contents if their digests are equal.
pub(super) struct Digests<'d> {
    content: &'d Source,
    value: &'d ExportValue,
    /// Digests by the number of the table.
    known: Vec<Option<Digest>>,
}

impl<'d> Digests<'d> {
    pub(super) fn new(content: &'d Source, value: &'d ExportValue, budget: &Budget) -> Result<Self> {
        Ok(Self { content, value, known: budget.filled(None, value.len())? })
    }

    /// The digest of a table.
    pub(super) fn of_table(&mut self, table: TableId) -> Result<Digest> {
        self.visit(table)?;
        Ok(self.known[table.index()].unwrap_or_default())
    }

    /// Returns the digest of a field; `None` for the number 0, which equals an absent number.
    fn of(&mut self, contents: &FieldContents) -> Result<Option<Digest>> {
        let tables: &[TableId] = match contents {
            FieldContents::Number(0) => return Ok(None),
            FieldContents::Table(inner) => std::slice::from_ref(inner),
            FieldContents::Tables(tables) => tables,
            _ => &[],
        };
        for &inner in tables {
            self.visit(inner)?;
        }
        let mut sha = Sha256::new();
        self.feed(contents, &mut sha)?;
        Ok(Some(sha.finalize().into()))
    }

    /// Computes the digest of a table and of all tables it refers to.
    fn visit(&mut self, root: TableId) -> Result<()> {
        // The stack contains tables, each with whether its references were pushed.
        let mut stack = vec![(root, false)];
        while let Some((id, is_entered)) = stack.pop() {
            if self.known[id.index()].is_some() {
                continue;
            }
            let table = self.value.table(id);
            if !is_entered {
                stack.push((id, true));
                for contents in table.fields.iter().flatten() {
                    match contents {
                        FieldContents::Table(inner) => stack.push((*inner, false)),
                        FieldContents::Tables(tables) => {
                            stack.extend(tables.iter().map(|&inner| (inner, false)))
                        }
                        _ => {}
                    }
                }
                continue;
            }
            let mut sha = Sha256::new();
            for (slot, contents) in table.fields.iter().enumerate() {
                match contents {
                    None | Some(FieldContents::Number(0)) => {}
                    Some(contents) => {
                        sha.update([slot as u8]);
                        self.feed(contents, &mut sha)?;
                    }
                }
            }
            self.known[id.index()] = Some(sha.finalize().into());
        }
        Ok(())
    }

    /// Hashes contents whose tables already have digests.
    fn feed(&self, contents: &FieldContents, sha: &mut Sha256) -> Result<()> {
        let mut data = |range: &std::ops::Range<u64>| -> Result<()> {
            sha.update((range.end - range.start).to_le_bytes());
            sha.update(self.content.get(range.clone())?);
            Ok(())
        };
        match contents {
            FieldContents::Data(range) => data(range)?,
            FieldContents::New(bytes) => {
                sha.update((bytes.len() as u64).to_le_bytes());
                sha.update(bytes);
            }
            FieldContents::Texts(texts) => texts.iter().try_for_each(data)?,
            FieldContents::NewTexts(texts) => {
                for text in texts {
                    sha.update((text.len() as u64).to_le_bytes());
                    sha.update(text);
                }
            }
            FieldContents::Number(number) => sha.update(number.to_le_bytes()),
            FieldContents::Table(inner) => sha.update(self.known[inner.index()].unwrap_or_default()),
            FieldContents::Tables(tables) => {
                sha.update((tables.len() as u64).to_le_bytes());
                tables.iter().for_each(|inner| sha.update(self.known[inner.index()].unwrap_or_default()));
            }
        }
        Ok(())
    }
}
