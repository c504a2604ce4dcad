//! What operations of `mpmd` print before their operands (`shardy/dialect/mpmd/ir/dialect.cc` of the Shardy project).

use super::directives::{CustomDirective, attr};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "FragmentOptions" => fragment_options,
        "PairwiseOpType" => super::stablehlo::first_types,
        "UserOrigin" => user_origin,
        "UserOrigins" => user_origins,
        _ => return super::sdy::directive(name),
    })
}

// `"name"(1)`
fn origin(draft: &mut Draft<'_, '_, '_>, attribute: u32) -> Drafted {
    let text = draft.printed(attribute);
    draft.bytes(text.strip_prefix(b"#mpmd.user_origin<")?.strip_suffix(b">")?);
    Some(())
}

fn user_origin(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let attribute = attr(draft, call, 0)??;
    origin(draft, attribute)
}

// `["name"(1), …]`
fn user_origins(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let attribute = attr(draft, call, 0)??;
    let items = draft.items(attribute)?;
    draft.text("[");
    draft.list(items, origin)?;
    draft.text("]");
    Some(())
}

// `, stage=1, in_shardings=[…], out_shardings=[…]`, each of which may be missing.
fn fragment_options(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    if let Some(stage) = attr(draft, call, 0)? {
        let stage = draft.number_in(stage)?;
        draft.text(", stage=");
        draft.number(stage);
    }
    for (place, name) in [(1, ", in_shardings="), (2, ", out_shardings=")] {
        if let Some(shardings) = attr(draft, call, place)? {
            draft.text(name);
            super::sdy::shardings_of(draft, shardings)?;
        }
    }
    Some(())
}
