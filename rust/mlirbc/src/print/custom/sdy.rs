//! Directives and operations of `sdy` that C++ writes (`shardy/dialect/sdy/ir/printers.cc` of the Shardy project).

use super::directives::{CustomDirective, attr};
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::plan::RegionStyle;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "SingleBlockRegionNoBlockId" => region_with_arguments,
        "StrippedTensorShardingPerValueAttr" => shardings,
        _ => return None,
    })
}

fn region_with_arguments(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Argument::Region(number) = call.arguments.first()? else { return None };
    let regions = draft.regions()?;
    draft.text("(");
    draft.list(regions.arguments(*number), |draft, row| {
        draft.argument(regions, row);
        draft.argument_location(row);
        Some(())
    })?;
    draft.text(") ");
    draft.region(*number, RegionStyle::BODY);
    Some(())
}

// `[<@mesh, [{}]>, …]`
fn shardings(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let attribute = attr(draft, call, 0)??;
    shardings_of(draft, attribute)
}

pub(super) fn shardings_of(draft: &mut Draft<'_, '_, '_>, attribute: u32) -> Drafted {
    let text = draft.printed(attribute);
    let inner = text.strip_prefix(b"#sdy.sharding_per_value<")?.strip_suffix(b">")?;
    draft.bytes(inner);
    Some(())
}
