//! The bodies of `pcf.generic` and `pcf.loop` (`PCFOps.cpp` of IREE).

use crate::ir::BodyId;
use crate::ir::body::Body;
use crate::ir::module::PropertyReader;
use crate::props::PropertyValue;

use super::Custom;
use super::directives::{CustomDirective, operands, types};
use super::draft::{Draft, Drafted, Regions};
use super::format::{Argument, Call};
use super::names::ArgumentNames;
use super::plan::{Piece, RegionStyle};

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ParallelExecutionBody" => body,
        // It follows from the arguments of the region.
        "InferNumIndexArgs" => nothing,
        _ => return None,
    })
}

fn nothing(_: &mut Draft<'_, '_, '_>, _: &Call<'_>) -> Drafted {
    Some(())
}

fn count(draft: &Draft<'_, '_, '_>, name: &str) -> Option<usize> {
    match &draft.property(name)?.value {
        PropertyValue::Int(number) => usize::try_from(*number).ok(),
        _ => None,
    }
}

// Which results have an initial value.
fn tied(draft: &Draft<'_, '_, '_>) -> Option<Vec<bool>> {
    let PropertyValue::Array(flags) = &draft.property("is_tied")?.value else { return None };
    flags
        .iter()
        .map(|flag| match flag {
            PropertyValue::Bool(flag) => Some(*flag),
            _ => None,
        })
        .collect()
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
        if self.know(name).is_none_or(|known| known.arguments != ArgumentNames::OfParallelBody) {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.with_draft(reader, id, body, op, |draft, _| {
            found = argument_names(draft)?;
            Some(())
        });
        let mut names = Vec::new();
        for (place, name) in found {
            if names.len() <= place {
                names.resize(place + 1, None);
            }
            names[place] = Some(self.scopes.named(name.as_bytes()));
        }
        names
    }
}

/// The arguments of the body that have names, in the order in which they get them.
fn argument_names(draft: &Draft<'_, '_, '_>) -> Option<Vec<(usize, &'static str)>> {
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
    let ids = (first_id..first_id + ids).map(|place| (place, "id"));
    let counts = (arguments - counts..arguments).map(|place| (place, "count"));
    let references = (leading..leading + results).map(|place| (place, "ref"));
    Some(ids.chain(counts).chain(references).collect())
}

fn typed<'m>(draft: &mut Draft<'_, 'm, '_>, regions: Regions<'m>, row: u32) -> Drafted {
    draft.argument(regions, row);
    draft.argument_location(row);
    Some(())
}

//       -> (%a: index)
//     execute(%ref = %init, %other)[%id: index]
//          : (!pcf.sref<…>, !pcf.sref<…>)
//         -> (tensor<4xf32>, tensor<?xf32>{%d}) {…}
fn body(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let (inits, mut sizes) = (operands(draft, call, 0)?, operands(draft, call, 2)?);
    let results = types(draft, call, 3)?;
    let Argument::Region(number) = *call.arguments.get(5)? else { return None };
    let leading = if call.arguments.len() > 6 { count(draft, "num_leading_args")? } else { 0 };
    let tied = tied(draft)?;
    let regions = draft.regions()?;
    let rows: Vec<u32> = regions.arguments(number).collect();
    let (leading, rest) = rows.split_at_checked(leading)?;
    let (references, indices) = rest.split_at_checked(results.len())?;
    if tied.len() != results.len() || tied.iter().filter(|flag| **flag).count() != inits.len() {
        return None;
    }
    if !leading.is_empty() {
        draft.text("-> (");
        draft.list(leading, |draft, &row| typed(draft, regions, row))?;
        draft.text(")");
    }
    draft.newline();
    draft.text("  execute");
    if !results.is_empty() {
        let mut inits = inits.iter();
        draft.text("(");
        draft.list(references.iter().zip(&tied), |draft, (&row, &is_tied)| {
            draft.push(Piece::Argument(row));
            if is_tied {
                draft.text(" = ");
                draft.value(*inits.next()?);
            }
            Some(())
        })?;
        draft.text(")");
    }
    draft.text("[");
    draft.list(indices, |draft, &row| typed(draft, regions, row))?;
    draft.text("]");
    if results.is_empty() {
        draft.text(" ");
    } else {
        draft.newline();
        draft.text("       : (");
        draft.list(references, |draft, &row| {
            draft.r#type(*regions.body.argument_type.get(row as usize)?);
            Some(())
        })?;
        draft.text(")");
        draft.newline();
        draft.text("      -> (");
        draft.list(results.iter().zip(&tied), |draft, (&result, &is_tied)| {
            draft.r#type(result);
            let dynamic = match is_tied {
                true => 0,
                false => draft.dynamic_sizes(result)?,
            };
            if dynamic > 0 {
                let (own, others) = sizes.split_at_checked(dynamic)?;
                sizes = others;
                draft.text("{");
                draft.values(own);
                draft.text("}");
            }
            Some(())
        })?;
        draft.text(") ");
    }
    draft.region(number, RegionStyle::BODY);
    Some(())
}
