//! Operations of `gpu` with formats that are written by hand (`mlir/lib/Dialect/GPU/IR/GPUDialect.cpp`).

use std::ops::Range;

use crate::attr::text::dense::Element;
use crate::ops::OperationDefinition;

use super::HandWritten;
use super::draft::{Draft, Drafted, Regions};
use super::func::{argument_names, name, signature_of_type};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "func" => function,
        "launch" => launch,
        _ => return None,
    })
}

// ` keyword(%a : memref<…>)`, or nothing.
fn attributions(
    draft: &mut Draft<'_, '_, '_>,
    regions: Regions<'_>,
    keyword: &str,
    rows: Range<u32>,
    attributes: Option<u32>,
) -> Drafted {
    if rows.is_empty() {
        return Some(());
    }
    let dictionaries = attributes.map_or(Some(Vec::new()), |index| draft.items(index))?;
    draft.text(keyword);
    draft.list(rows.enumerate(), |draft, (place, row)| {
        draft.push(Piece::Argument(row));
        draft.text(" : ");
        draft.r#type(*regions.body.argument_type.get(row as usize)?);
        match dictionaries.get(place) {
            Some(&dictionary) => draft.dictionary_of(dictionary),
            None => Some(()),
        }
    })?;
    draft.text(")");
    Some(())
}

// Since 23, both are inherent, and the number is absent if there are no buffers.
fn stores_kernel_as_property(definition: &OperationDefinition) -> bool {
    definition.attribute("kernel").is_some()
}

fn workgroup_count(draft: &mut Draft<'_, '_, '_>) -> Option<u32> {
    let attribute =
        draft.attr("workgroup_attributions").or_else(|| draft.discardable_attr("workgroup_attributions"));
    // A parser stores the number of those that it finds.
    let count = match attribute {
        Some(attribute) => u32::try_from(*draft.integers(attribute)?.first()?).ok()?,
        None => 0,
    };
    let is_stored = attribute
        .map(|attribute| draft.typed_integer(attribute) == Some((count as i64, Element::Signless(64))));
    let is_always_stored = match draft.definition.name() {
        "gpu.func" => !stores_kernel_as_property(draft.definition),
        _ => {
            draft.release().has_properties() && draft.definition.attribute("workgroup_attributions").is_none()
        }
    };
    let is_lost = match is_stored {
        Some(is_stored) => !is_stored || (count == 0 && !is_always_stored),
        None => is_always_stored,
    };
    if is_lost {
        draft.lost.get_or_insert("how it stores the number of workgroup attributions");
    }
    Some(count)
}

fn function(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    name(draft)?;
    let inputs = signature_of_type(draft, "function_type")?;
    let regions = draft.regions()?;
    let arguments = regions.arguments(0);
    let workgroup = arguments.start + inputs;
    let private = workgroup + workgroup_count(draft)?;
    if private > arguments.end {
        return None;
    }
    let (of_workgroup, of_private) =
        (draft.attr("workgroup_attrib_attrs"), draft.attr("private_attrib_attrs"));
    attributions(draft, regions, " workgroup(", workgroup..private, of_workgroup)?;
    attributions(draft, regions, " private(", private..arguments.end, of_private)?;
    let is_property = stores_kernel_as_property(draft.definition);
    let is_kernel = match is_property {
        true => {
            let is_discardable = draft.discardable_attr("gpu.kernel").is_some();
            if is_discardable {
                draft.lost.get_or_insert("that its `gpu.kernel` is a discardable attribute");
            }
            is_discardable || draft.attr("kernel").is_some()
        }
        false => draft.discardable_attr("gpu.kernel").is_some(),
    };
    draft.text(if is_kernel { " kernel" } else { "" });
    draft.attr_dict_with_keyword(&[
        "sym_name",
        "workgroup_attributions",
        "gpu.kernel",
        if is_property { "kernel" } else { "gpu.kernel" },
        "function_type",
        "arg_attrs",
        "res_attrs",
        "workgroup_attrib_attrs",
        "private_attrib_attrs",
    ])?;
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    Some(())
}

// `(%x, %y, %z) in (%a = %n, …)`
fn sizes(draft: &mut Draft<'_, '_, '_>, keyword: &str, ids: u32, sizes: u32, names: [&str; 3]) -> Drafted {
    draft.text(keyword);
    argument_names(draft, ids..ids + 3)?;
    draft.text(") in (");
    draft.list((sizes..).zip(names), |draft, (row, name)| {
        draft.push(Piece::Argument(row));
        draft.text(" = ");
        let values = draft.operands_named(name)?;
        draft.values(values);
        Some(())
    })?;
    draft.text(")");
    Some(())
}

fn launch(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let regions = draft.regions()?;
    let arguments = regions.arguments(0);
    let has_cluster = draft.operands_named("clusterSizeX").is_some_and(|values| !values.is_empty());
    let configuration = if has_cluster { 18 } else { 12 };
    if arguments.len() < configuration as usize {
        return None;
    }
    if !draft.all_results().is_empty() {
        draft.text(" async");
    }
    let tokens = draft.operands_named("asyncDependencies")?;
    if !tokens.is_empty() {
        draft.text(" [");
        draft.values(tokens);
        draft.text("]");
    }
    let first = arguments.start;
    if has_cluster {
        let names = ["clusterSizeX", "clusterSizeY", "clusterSizeZ"];
        sizes(draft, " clusters(", first + 12, first + 15, names)?;
    }
    sizes(draft, " blocks(", first, first + 6, ["gridSizeX", "gridSizeY", "gridSizeZ"])?;
    sizes(draft, " threads(", first + 3, first + 9, ["blockSizeX", "blockSizeY", "blockSizeZ"])?;
    let memory = draft.operands_named("dynamicSharedMemorySize")?;
    if !memory.is_empty() {
        draft.text(" dynamic_shared_memory_size ");
        draft.values(memory);
    }
    for (name, keyword) in [("module", " module("), ("function", " function(")] {
        if let Some(symbol) = draft.attr(name) {
            draft.text(keyword);
            draft.attribute(symbol);
            draft.text(")");
        }
    }
    let workgroup = first + configuration;
    let private = workgroup + workgroup_count(draft)?;
    if private > arguments.end {
        return None;
    }
    attributions(draft, regions, " workgroup(", workgroup..private, None)?;
    attributions(draft, regions, " private(", private..arguments.end, None)?;
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    draft.attr_dict(&["workgroup_attributions", "module", "function"])
}
