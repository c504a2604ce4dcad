//! The computations of `TypesMatchWith`, by the names in the definitions (`tools/operations/transformers.py`).

use crate::attr::text::parse::Parsed;

use super::super::frames::AsmParser;

impl<'t> AsmParser<'t> {
    /// The types that a rule computes from one type; `None` if the rule does not apply to it or is not known.
    pub(super) fn transformed(&mut self, rule: &str, of: u32) -> Parsed<Option<Vec<u32>>> {
        let one = match rule {
            "same" => Some(of),
            "element" | "elements" | "value" => self.text.element_of(of)?,
            "element_or_self" => Some(self.text.element_of(of)?.unwrap_or(of)),
            "i1_same_shape" => {
                let bit = self.text.fragment(true, "i1")?;
                match self.text.is_shaped(of) {
                    true => self.text.with_element(of, bit)?,
                    false => Some(bit),
                }
            }
            "pointee" => self.text.element_of(of)?,
            "inputs" => return Ok(self.text.function_parts(of).map(|parts| parts.0)),
            "results" => return Ok(self.text.function_parts(of).map(|parts| parts.1)),
            "drop_first_dim" => self.text.without_first_dimension(of, None)?,
            "drop_first_dim_i1" => {
                let bit = self.text.fragment(true, "i1")?;
                self.text.without_first_dimension(of, Some(bit))?
            }
            "vector_first_dim_i1" => {
                let bit = self.text.fragment(true, "i1")?;
                self.text.vector_of_first_dimension(of, bit)?
            }
            "integer_first_dim_bits" => match self.text.first_dimension(of) {
                Some(size) => Some(self.text.fragment(true, &format!("i{size}"))?),
                None => None,
            },
            "tensor_of_memref" => self.text.tensor_of_memref(of)?,
            "pdl_range" => {
                let text = self.type_text(of);
                Some(self.text.fragment(true, &format!("!pdl.range<{}>", text.trim_start_matches("!pdl.")))?)
            }
            _ => None,
        };
        Ok(one.map(|one| vec![one]))
    }
}
