//! The layouts of a file by the names of its ops, for another file by the same build: an edited module, or
//! the module of a text.

use std::collections::HashMap;
use std::sync::Arc;

use crate::props::op_name::OperationName;
use crate::props::schema::PropertySchema;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::{
    Ambiguity, Around, BlobEvidence, Choice, DetectedRelease, ExcludedBuild, RegisteredDialects,
    ReleaseOrigin,
};

/// The layouts of a file by op name.
#[derive(Debug)]
pub(crate) struct NamedLayouts {
    schemas: Vec<Arc<PropertySchema>>,
    around: Option<Around>,
    origin: ReleaseOrigin,
    evidence: BlobEvidence,
    ambiguities: Arc<[Ambiguity]>,
    excluded: Vec<ExcludedBuild>,
    selected: Vec<(Box<str>, Choice)>,
    names: HashMap<Box<[u8]>, Choice>,
    registered: RegisteredDialects,
}

/// Longer names are not kept, because many ops of a damaged file can share one long dialect name.
const LONGEST_NAME: usize = 256;

fn is_unregistered(name: &OperationName<'_>) -> bool {
    name.is_registered == Some(false)
}

impl NamedLayouts {
    /// Returns the layouts of a file whose op names are `names`, in the order of its table.
    ///
    /// # Errors
    /// If the budget has less memory than the names need.
    pub(crate) fn new(
        release: &DetectedRelease,
        names: &[OperationName<'_>],
        registered: RegisteredDialects,
        budget: &Budget,
    ) -> Result<Self> {
        // The file may itself be made from another file.
        let mut by_name = HashMap::new();
        for (name, &choice) in release.named.iter().flat_map(|layouts| &layouts.names) {
            budget.spend(name.len() + size_of::<(Box<[u8]>, Choice)>())?;
            by_name.insert(name.clone(), choice);
        }
        for (name, &choice) in names.iter().zip(&release.ops) {
            let choice = match (choice, name.is_registered) {
                (_, Some(false)) | (Choice::Absent, None) => continue,
                // The writer registers the op, although no known build does.
                (Choice::Absent, Some(true)) => Choice::Opaque,
                (choice, _) => choice,
            };
            if name.dialect.len().saturating_add(name.stem.len()) < LONGEST_NAME {
                let full = name.full_bytes();
                budget.spend(full.len() + size_of::<(Box<[u8]>, Choice)>())?;
                by_name.insert(full.into(), choice);
            }
        }
        Ok(Self {
            schemas: release.schemas.clone(),
            around: release.around.clone(),
            origin: release.origin.clone(),
            evidence: release.evidence.clone(),
            ambiguities: release.ambiguities.clone(),
            excluded: release.excluded.clone(),
            selected: release.selected.clone(),
            names: by_name,
            registered,
        })
    }

    /// The layout of an op; `None` if the first file does not have the op.
    pub(super) fn find(&self, name: &[u8]) -> Option<Choice> {
        self.names.get(name).copied()
    }

    /// Returns the layout of an op that is added; an absent layout if the writer of the first file does not
    /// register the op.
    pub(super) fn find_new(&self, name: &[u8]) -> Option<Choice> {
        self.find(name).or_else(|| self.registered.is_unregistered_op(name).then_some(Choice::Absent))
    }

    /// The dialects that the writer of the first file registers.
    pub(super) fn registered(&self) -> &RegisteredDialects {
        &self.registered
    }

    /// Returns the release of a file with these op names. Ops that the first file does not have get the
    /// layout on which the builds around that file agree.
    pub(super) fn release(self: &Arc<Self>, names: &[OperationName<'_>]) -> DetectedRelease {
        let mut release = DetectedRelease {
            schemas: self.schemas.clone(),
            ops: Vec::new(),
            around: self.around.clone(),
            origin: self.origin.clone(),
            evidence: self.evidence.clone(),
            ambiguities: self.ambiguities.clone(),
            excluded: self.excluded.clone(),
            selected: self.selected.clone(),
            named: Some(self.clone()),
        };
        let layout_of = |name: &OperationName<'_>| {
            let is_short = name.dialect.len().saturating_add(name.stem.len()) < LONGEST_NAME;
            is_short.then(|| self.find(&name.full_bytes())).flatten()
        };
        let choose = |name: &OperationName<'_>| match layout_of(name) {
            _ if is_unregistered(name) => Choice::Absent,
            Some(choice) => choice,
            None => release.choice_of(|schema| schema.row_of(name)),
        };
        release.ops = names.iter().map(choose).collect();
        release
    }
}
