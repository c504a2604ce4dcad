//! Operations of the transform dialect (`mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "transform.named_sequence" => AsmParser::function,
        "transform.structured.split" => AsmParser::transform_split,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%a after 4 {dimension = 0 : i64} : !transform.any_op`
    fn transform_split(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let target = self.reference()?;
        self.expect_literal("after")?;
        let point = self.optional_reference()?;
        let number = match point {
            Some(_) => i64::MIN,
            None => self.integer()?,
        };
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let mut types = Vec::new();
        if point.is_some() {
            // Before MLIR 18, the point is an operation of the same type.
            match self.release.0 {
                ..=17 => types.push(r#type),
                _ => {
                    self.comma()?;
                    types.push(self.parse_type()?);
                }
            }
        }
        let name = if custom.has_attribute("static_chunk_sizes") {
            "static_chunk_sizes"
        } else {
            "static_split_point"
        };
        self.set_text(pending, name, &format!("{number} : i64"))?;
        custom.give_at(0, vec![target], vec![r#type]);
        custom.give_at(1, point.into_iter().collect(), types);
        let results = custom.definition.results().len();
        for place in 0..results {
            if let Some(slot) = custom.result_types.get_mut(place) {
                *slot = Some(vec![r#type]);
            }
        }
        Ok(None)
    }
}
