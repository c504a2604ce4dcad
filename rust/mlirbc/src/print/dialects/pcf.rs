//! Names of arguments in the bodies of `pcf.generic` and `pcf.loop` (`PCFOps.cpp` of IREE).

use crate::ir::BodyId;
use crate::ir::body::Body;
use crate::ir::module::PropertyReader;
use crate::props::PropertyValue;

use super::Custom;
use super::draft::OperationDraft;
use super::names::suggested_names::{ArgumentNames, argument_templates};

fn count(draft: &OperationDraft<'_, '_, '_>, name: &str) -> Option<usize> {
    match &draft.property(name)?.value {
        PropertyValue::Int(number) => usize::try_from(*number).ok(),
        _ => None,
    }
}

impl<'m, 'e> Custom<'m, 'e> {
    /// The names of arguments of the entry block of the last region that are named before all others.
    pub(in crate::print) fn first_arguments(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
    ) -> Vec<Option<u32>> {
        let name = body.op_name.get(op as usize).copied().unwrap_or(u32::MAX);
        let arguments = match self.know(name).map(|known| known.arguments) {
            Some(ArgumentNames::OfParallelBody) => {
                self.with_draft(reader, id, body, op, |draft| argument_names(draft))
            }
            Some(ArgumentNames::Templates) => {
                self.with_draft(reader, id, body, op, |draft| argument_templates(draft))
            }
            _ => return Vec::new(),
        };
        let arguments = arguments.unwrap_or_default();
        let mut names = Vec::new();
        for (place, name) in arguments {
            if names.len() <= place {
                names.resize(place + 1, None);
            }
            names[place] = Some(self.scopes.named(&name));
        }
        names
    }
}

/// The arguments of the body that have names, in the order in which they get them.
fn argument_names(draft: &OperationDraft<'_, '_, '_>) -> Option<Vec<(usize, Vec<u8>)>> {
    let is_generic = draft.definition.name() == "pcf.generic";
    let number = usize::from(is_generic);
    let arguments = draft.regions()?.arguments(number).len();
    let results = draft.all_results().len();
    let (leading, ids, counts) = match is_generic {
        true => {
            let half = count(draft, "num_index_args")? / 2;
            (count(draft, "num_leading_args")?, half, half)
        }
        false => (0, draft.operands_named("count")?.len(), 0),
    };
    let first_id = arguments.checked_sub(ids + counts)?;
    let ids = (first_id..first_id + ids).map(|place| (place, b"id".to_vec()));
    let counts = (arguments - counts..arguments).map(|place| (place, b"count".to_vec()));
    let references = (leading..leading + results).map(|place| (place, b"ref".to_vec()));
    Some(ids.chain(counts).chain(references).collect())
}
