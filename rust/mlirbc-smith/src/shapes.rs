//! Types as text: their elements and shapes, for the traits that relate the types of an operation.

/// Splits the text before the element type, the element type, and the text after it; `None` for a type
/// without elements.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let open = text.find('<')?;
    if !matches!(&text[..open], "vector" | "tensor" | "memref") {
        return None;
    }
    let inner = text.get(open + 1..text.len().checked_sub(1)?)?;
    // The element type begins after the last size.
    let mut start = 0;
    for (place, _) in inner.match_indices('x') {
        let is_size = |size: &str| {
            let size = size.trim_start_matches('[').trim_end_matches(']');
            size == "?" || size == "*" || (!size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
        };
        if !is_size(inner.get(start..place)?) {
            break;
        }
        start = place + 1;
    }
    let after_sizes = inner.get(start..)?;
    // The element type ends before a comma outside of brackets.
    let mut depth = 0_u32;
    let mut end = after_sizes.len();
    for (place, byte) in after_sizes.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                end = place;
                break;
            }
            _ => {}
        }
    }
    let from = open + 1 + start;
    Some((text.get(..from)?, after_sizes.get(..end)?, text.get(from + end..)?))
}

/// Returns the type of the elements.
pub(crate) fn element(text: &str) -> Option<&str> {
    match split(text) {
        Some((_, element, _)) => Some(element),
        None => text.strip_prefix("complex<").and_then(|rest| rest.strip_suffix('>')),
    }
}

/// Returns the shape with other elements; only the element type for a type without elements.
pub(crate) fn with_element(text: &str, element: &str) -> String {
    match split(text) {
        Some((before, _, after)) => format!("{before}{element}{after}"),
        None => element.to_owned(),
    }
}

/// Returns the sizes and the kind of container as text; empty for a scalar.
pub(crate) fn shape(text: &str) -> &str {
    split(text).map_or("", |(before, ..)| before.find('<').map_or(before, |at| &before[at..]))
}

/// Returns the result of a transformation that relates two types in a definition; `None` if it is not known.
pub(crate) fn transformed(text: &str, transformation: &str) -> Option<String> {
    match transformation {
        "" | "same" => Some(text.to_owned()),
        "i1_same_shape" => Some(with_element(text, "i1")),
        "element" => element(text).map(str::to_owned),
        "element_or_self" => Some(element(text).unwrap_or(text).to_owned()),
        "pointee" => inner(text, "!spirv.ptr<")
            .and_then(|inner| inner.rsplit_once(", ").map(|(pointee, _)| pointee))
            .or_else(|| inner(text, "!emitc.lvalue<"))
            .or_else(|| inner(text, "!emitc.ptr<"))
            .map(str::to_owned),
        "value" => inner(text, "!async.value<").map(str::to_owned),
        "range" => Some(format!("!pdl.range<{}>", text.strip_prefix("!pdl.")?)),
        "integer_first_dim_bits" => {
            let (before, ..) = split(text)?;
            let size = before.split_once('<')?.1.split('x').next()?;
            size.parse::<u32>().ok().map(|size| format!("i{size}"))
        }
        _ => None,
    }
}

fn inner<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_types() {
        for (text, inner, with_i1) in [
            ("vector<4xf32>", "f32", "vector<4xi1>"),
            ("tensor<?x[4]xindex>", "index", "tensor<?x[4]xi1>"),
            ("tensor<*xf32>", "f32", "tensor<*xi1>"),
            ("tensor<complex<f32>>", "complex<f32>", "tensor<i1>"),
            ("memref<2xi8, strided<[1], offset: ?>, 1>", "i8", "memref<2xi1, strided<[1], offset: ?>, 1>"),
            ("vector<4x!llvm.ptr>", "!llvm.ptr", "vector<4xi1>"),
        ] {
            assert_eq!(element(text), Some(inner), "{text}");
            assert_eq!(with_element(text, "i1"), with_i1, "{text}");
        }
        assert_eq!(with_element("f32", "i1"), "i1");
        assert_eq!(transformed("!spirv.ptr<f32, Function>", "pointee").unwrap(), "f32");
        assert_eq!(shape("vector<4x2xf32>"), shape("tensor<4x2xi8>"));
    }
}
