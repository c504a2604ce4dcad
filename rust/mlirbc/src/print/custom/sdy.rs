//! Directives of `sdy` that C++ writes (`shardy/dialect/sdy/ir/printers.cc` of the Shardy project).

use super::directives::CustomDirective;
use super::draft::{Draft, Drafted};
use super::format::{Argument, Call};
use super::plan::RegionStyle;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "SingleBlockRegionNoBlockId").then_some(region_with_arguments)
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
