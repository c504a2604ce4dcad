//! The computations of `TypesMatchWith`, by the names in the definitions (`tools/operations/transformers.py`).

use crate::attr::EntryValues;
use crate::attr::text::parse::Parsed;
use crate::format::id::TypeId;

use super::super::frames::AsmParser;

/// The place of a body in a rule.
pub(in crate::parse) const BODY: &str = "{:body}";

impl<'t> AsmParser<'t> {
    // `vector<2xi1>` for `!llvm.vec<2 x ptr>`.
    fn vector_of_bits(&mut self, of: TypeId) -> Parsed<Option<TypeId>> {
        let text = self.whole_type(of)?;
        let Some(body) = text.strip_prefix("!llvm.vec<") else { return Ok(None) };
        let (open, body, close) = match body.strip_prefix("? x ") {
            Some(body) => ("[", body, "]"),
            None => ("", body, ""),
        };
        match body.split_once(" x ") {
            Some((count, _)) => self.type_named(&format!("vector<{open}{count}{close}xi1>")).map(Some),
            None => Ok(None),
        }
    }

    // The arguments or the result of `!smt.func<(!smt.int, !smt.bool) !smt.int>`, and the parts of
    // `!smt.array<[!smt.int -> !smt.bool]>`.
    fn function_of_smt(&mut self, rule: &str, of: TypeId) -> Parsed<Option<Vec<TypeId>>> {
        let text = self.whole_type(of)?;
        if let Some(inner) = text.strip_prefix("!smt.array<[").and_then(|rest| rest.strip_suffix("]>")) {
            let Some((domain, range)) = arrow_outside(inner) else { return Ok(None) };
            let part = if rule == "domain" { domain } else { range };
            return Ok(Some(vec![TypeId::new(self.type_named(part)?.number())]));
        }
        let inner = text.strip_prefix("!smt.func<(").and_then(|rest| rest.strip_suffix('>'));
        let Some((domains, range)) = inner.and_then(|inner| inner.split_once(") ")) else { return Ok(None) };
        // No argument is a function.
        let parts = match rule {
            "range" => vec![range],
            _ => domains.split(", ").filter(|part| !part.is_empty()).collect(),
        };
        let types: Parsed<Vec<TypeId>> = parts.into_iter().map(|part| self.type_named(part)).collect();
        types.map(Some)
    }

    // A vector with other sizes or elements than another one.
    fn vector_like(&mut self, rule: &str, of: TypeId) -> Parsed<Option<TypeId>> {
        let Some((mut sizes, mut scalable, mut element)) = self.text.entries().vector_parts(of) else {
            return Ok(None);
        };
        let (first, last) = (sizes.first().copied(), sizes.last().copied().unwrap_or_default());
        match rule {
            "drop_first_dim_scalable" => {
                sizes.drain(..sizes.len().min(1));
                scalable = vec![true; sizes.len()];
            }
            "square_scalable" => {
                let Some(first) = first else { return Ok(None) };
                (sizes, scalable) = (vec![first; 2], vec![true; 2]);
            }
            "quarter_i32" | "fourfold_i8" | "twofold_bf16" => {
                let first = first.unwrap_or_default();
                let (size, name) = match rule {
                    "quarter_i32" => (first / 4, "i32"),
                    "fourfold_i8" => (first.saturating_mul(4), "i8"),
                    _ => (first.saturating_mul(2), "bf16"),
                };
                element = TypeId::new(self.text.fragment(true, name)?);
                (sizes, scalable) = (vec![size], vec![false]);
            }
            _ => {
                let size = match rule {
                    "last_dim_16" => 16,
                    "double_last_dim" => last.saturating_mul(2),
                    _ => last / 2,
                };
                sizes.last_mut().into_iter().for_each(|last| *last = size);
            }
        }
        self.text.vector_of(&sizes, &scalable, element).map(Some)
    }

    /// The types that a rule computes from one type; `None` if the rule does not apply to it or is not known.
    pub(in crate::parse) fn transformed(&mut self, rule: &str, of: TypeId) -> Parsed<Option<Vec<TypeId>>> {
        // A pack has the text of a type around another type, or around its body in angle brackets.
        if rule.contains(BODY) {
            let text = self.whole_type(of)?;
            return self.around_body(rule, &text).map(|r#type| Some(vec![r#type]));
        }
        if let Some((before, after)) = rule.split_once("{}") {
            let text = [before, &*self.whole_type(of)?, after].concat();
            return Ok(Some(vec![self.type_named(&text)?]));
        }
        if rule.starts_with('[') {
            let tree = serde_json::from_str(rule).unwrap_or_default();
            return self.evaluated(&tree, of);
        }
        let transformed_type = match rule {
            "same" => Some(of),
            "pointee" => self.pointee_or_pointees(of)?,
            "element" | "elements" | "value" => match self.text.element_of(of)? {
                Some(element) => Some(element),
                None => self.inner_type(of)?,
            },
            "element_or_self" => Some(self.text.element_of(of)?.unwrap_or(of)),
            "i1_same_shape" => {
                let bit = self.text.fragment(true, "i1")?;
                match self.text.is_shaped(of) {
                    true => self.text.with_element(of, TypeId::new(bit))?,
                    false => Some(self.vector_of_bits(of)?.unwrap_or(TypeId::new(bit))),
                }
            }
            "domain" | "domains" | "range" => return self.function_of_smt(rule, of),
            "sampled_image" => self.inner_type(of)?,
            "sampled_image_element" => match self.inner_type(of)? {
                Some(image) => self.inner_type(image)?,
                None => None,
            },
            "ptr_metadata" => {
                let text = self.whole_type(of)?;
                Some(self.type_named(&format!("!ptr.ptr_metadata<{text}>"))?)
            }
            "emitc_pointer_of_value" | "emitc_lvalue_of_pointee" => match self.inner_type(of)? {
                Some(inner) => {
                    let text = self.whole_type(inner)?;
                    let name = if rule == "emitc_pointer_of_value" { "ptr" } else { "lvalue" };
                    Some(self.type_named(&format!("!emitc.{name}<{text}>"))?)
                }
                None => None,
            },
            "pdl_value_of_type" => {
                let is_range = self.whole_type(of)?.starts_with("!pdl.range<");
                Some(self.type_named(if is_range { "!pdl.range<value>" } else { "!pdl.value" })?)
            }
            "drop_first_dim_scalable"
            | "quarter_i32"
            | "fourfold_i8"
            | "twofold_bf16"
            | "last_dim_16"
            | "square_scalable"
            | "double_last_dim"
            | "halve_last_dim" => self.vector_like(rule, of)?,
            "double_element_width" => {
                let element =
                    self.text.element_of(of)?.map(|element| self.whole_type(element)).transpose()?;
                match element.as_deref().and_then(doubled) {
                    Some(wider) => {
                        let wider = self.type_named(&wider)?;
                        self.text.with_element(of, wider)?
                    }
                    None => None,
                }
            }
            "llvm_struct_with_i1" => {
                let text = self.whole_type(of)?;
                Some(self.type_named(&format!("!llvm.struct<({text}, i1)>"))?)
            }
            "inputs" => return Ok(self.text.entries().function_parts(of).map(|parts| parts.0)),
            "results" => return Ok(self.text.entries().function_parts(of).map(|parts| parts.1)),
            "drop_first_dim" => self.text.without_first_dimension(of, None)?,
            "drop_first_dim_i1" => {
                let bit = self.text.fragment(true, "i1")?;
                self.text.without_first_dimension(of, Some(bit))?
            }
            "vector_first_dim_i1" => {
                let bit = self.text.fragment(true, "i1")?;
                self.text.vector_of_first_dimension(of, TypeId::new(bit))?
            }
            "integer_first_dim_bits" => match self.text.first_dimension(of) {
                Some(size) => Some(self.type_named(&format!("i{size}"))?),
                None => None,
            },
            "tensor_of_memref" => self.text.tensor_of_memref(of)?,
            "pdl_range" => {
                let text = self.type_text(of);
                Some(self.type_named(&format!("!pdl.range<{}>", text.trim_start_matches("!pdl.")))?)
            }
            _ => None,
        };
        Ok(transformed_type.map(|transformed_type| vec![transformed_type]))
    }

    /// The type of a rule, whose text contains the part of another type in angle brackets.
    pub(in crate::parse) fn around_body(&mut self, rule: &str, text: &str) -> Parsed<TypeId> {
        let body = text.find('<').and_then(|start| text.get(start..)).unwrap_or_default();
        self.type_named(&rule.replacen(BODY, body, 1))
    }

    // The pointee of a pointer; for a tensor of pointers, the tensor of their pointees.
    fn pointee_or_pointees(&mut self, of: TypeId) -> Parsed<Option<TypeId>> {
        let Some(element) = self.text.element_of(of)? else { return self.inner_type(of) };
        match self.inner_type(element)? {
            Some(inner) => self.text.with_element(of, inner),
            None => Ok(Some(element)),
        }
    }

    // The first parameter of a type of a dialect without a table, as in `!async.value<f32>`.
    fn inner_type(&mut self, of: TypeId) -> Parsed<Option<TypeId>> {
        let text = self.whole_type(of)?;
        let Some((head, body)) = text.split_once('<') else { return Ok(None) };
        if !head.starts_with('!') {
            return Ok(None);
        }
        let body = body.strip_suffix('>').unwrap_or(body);
        let mut depth = 0_usize;
        let mut end = body.len();
        for (place, letter) in body.char_indices() {
            match letter {
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    end = place;
                    break;
                }
                _ => {}
            }
        }
        let inner = body.get(..end).unwrap_or_default();
        // The elements of a matrix follow its shape.
        let inner = match head {
            "!gpu.mma_matrix" => inner.rsplit_once('x').map_or(inner, |(_, element)| element),
            // The size of an array.
            _ => match inner.split_once('x') {
                Some((size, element)) if is_number(size) => element,
                _ => inner,
            },
        };
        let inner = match head.starts_with("!llvm.") {
            true => return self.llvm_type(inner).map(Some),
            false => inner,
        };
        // A type of the dialect lacks its prefix.
        let word = inner.split('<').next().unwrap_or_default();
        let is_type = word.starts_with(|first: char| first.is_ascii_lowercase()) && inner.contains('<');
        let is_builtin = matches!(word, "vector" | "tensor" | "memref" | "tuple" | "complex");
        if let Some((dialect, _)) = head.split_once('.').filter(|_| is_type && !is_builtin) {
            return self.type_named(&format!("{dialect}.{inner}")).map(Some);
        }
        self.type_named(inner).map(Some)
    }
}

/// The texts before and after the first arrow that is in no brackets.
fn arrow_outside(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (place, letter) in text.char_indices() {
        match letter {
            '>' if before == '-' && depth == 0 => {
                let (inputs, results) = (text.get(..place - 1)?, text.get(place + 1..)?);
                return Some((inputs.trim(), results.trim()));
            }
            '>' if before == '-' => {}
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = letter;
    }
    None
}

/// The integer or float type with twice as many bits.
fn doubled(text: &str) -> Option<String> {
    match text {
        "f16" | "bf16" => return Some("f32".to_owned()),
        "f32" => return Some("f64".to_owned()),
        _ => {}
    }
    let digits = text.find(|letter: char| letter.is_ascii_digit())?;
    let (head, digits) = text.split_at(digits);
    let bits: u64 = digits.parse().ok()?;
    matches!(head, "i" | "si" | "ui").then(|| format!("{head}{}", bits.saturating_mul(2)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
