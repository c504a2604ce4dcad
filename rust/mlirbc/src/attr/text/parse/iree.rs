//! Attributes of IREE's dialects whose printers omit more than named fields with defaults.

use super::fields::{by_name, parts};

/// Returns whether [`body`] supports an attribute with this name.
pub(super) fn has_body(name: &str) -> bool {
    matches!(
        name,
        "#hal.executable.target"
            | "#hal.device.target"
            | "#hal.executable.object"
            | "#hal.executable.objects"
            | "#hal.pipeline.layout"
            | "#hal.pipeline.binding"
            | "#iree_codegen.workgroup_mapping"
            | "#iree_vector_ext.nested_layout"
            | "#iree_cpu.inner_tile_alignments"
            | "#iree_cpu.lowering_config"
            | "#iree_encoding.identity_resolver"
    )
}

/// Returns the text in the angle brackets of an attribute of IREE in its printed form; `None` for other
/// attributes. No brackets are printed around an empty text.
pub(super) fn body(name: &str, body: &str) -> Option<String> {
    let new = match name {
        // HALAttrs.cpp
        "#hal.executable.target" => body.strip_suffix(", {}").unwrap_or(body).to_owned(),
        "#hal.device.target" => without_empty_configuration(body),
        "#hal.executable.object" | "#hal.executable.objects" => {
            let inner = body.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))?;
            format!("{{{}}}", inner.trim())
        }
        // HALAttrs.td
        "#hal.pipeline.layout" => body.strip_prefix("constants = 0, ").unwrap_or(body).to_owned(),
        "#hal.pipeline.binding" => one_flag(body),
        // IREECodegenAttrs.td
        "#iree_codegen.workgroup_mapping" => body.strip_suffix(":0").unwrap_or(body).to_owned(),
        // VectorExtAttrs.cpp
        "#iree_vector_ext.nested_layout" => without_unused_strides(body)?,
        // IREECPUAttrs.cpp
        "#iree_cpu.inner_tile_alignments" | "#iree_cpu.lowering_config" => by_name(body)?,
        "#iree_encoding.identity_resolver" if body.is_empty() => String::new(),
        _ => return None,
    };
    Some(new)
}

// Omits an empty configuration: `"local", {}, [...]`.
fn without_empty_configuration(body: &str) -> String {
    body.strip_suffix(", {}").map_or_else(|| body.replacen(", {}, [", ", [", 1), str::to_owned)
}

// Omits the quotes around a single flag: `storage_buffer, "ReadOnly"`; several flags are in quotes.
fn one_flag(body: &str) -> String {
    let flag = body.split_once(", \"").and_then(|(kind, rest)| Some((kind, rest.strip_suffix('"')?)));
    match flag {
        Some((kind, flag)) if !flag.contains(['|', '"']) => format!("{kind}, {flag}"),
        _ => body.to_owned(),
    }
}

// Omits unused strides: the stride of a dimension with a tile of one is 0, as in `…_tile = [1, 4], …,
// …_strides = [0, 1]`.
fn without_unused_strides(body: &str) -> Option<String> {
    let list = |text: &str| -> Option<Vec<String>> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        Some(inner.split(',').map(|number| number.trim().to_owned()).collect())
    };
    let fields: Vec<(&str, Vec<String>)> = parts(body)
        .into_iter()
        .map(|field| field.split_once(" = ").and_then(|(name, value)| Some((name, list(value)?))))
        .collect::<Option<_>>()?;
    let printed = fields.iter().map(|(name, numbers)| {
        let tile = name.strip_suffix("_strides").map(|kind| format!("{kind}_tile"));
        let tile = tile.and_then(|tile| fields.iter().find(|(name, _)| **name == *tile));
        let mut numbers = numbers.clone();
        for (place, number) in numbers.iter_mut().enumerate() {
            if tile.is_some_and(|(_, sizes)| sizes.get(place).is_some_and(|size| size == "1")) {
                "0".clone_into(number);
            }
        }
        format!("{name} = [{}]", numbers.join(", "))
    });
    Some(printed.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_iree_omits_is_omitted() {
        // The right sides are the output of `iree-opt` of IREE 3.13.
        let cases = [
            ("#hal.executable.target", "\"a\", \"b\", {}", "\"a\", \"b\""),
            ("#hal.device.target", "\"a\", {}, [#t]", "\"a\", [#t]"),
            ("#hal.device.target", "\"a\", {}", "\"a\""),
            ("#hal.pipeline.layout", "constants = 0, bindings = []", "bindings = []"),
            ("#hal.pipeline.binding", "storage_buffer, \"ReadOnly\"", "storage_buffer, ReadOnly"),
            (
                "#hal.pipeline.binding",
                "storage_buffer, \"ReadOnly|Indirect\"",
                "storage_buffer, \"ReadOnly|Indirect\"",
            ),
            ("#iree_codegen.workgroup_mapping", "z:0", "z"),
            (
                "#iree_vector_ext.nested_layout",
                "subgroup_tile = [1, 2], subgroup_strides = [1, 1]",
                "subgroup_tile = [1, 2], subgroup_strides = [0, 1]",
            ),
            ("#iree_cpu.lowering_config", "b = [1], a = [2]", "a = [2], b = [1]"),
        ];
        for (name, text, printed) in cases {
            assert_eq!(super::body(name, text).as_deref(), Some(printed), "{name}<{text}>");
        }
    }
}
