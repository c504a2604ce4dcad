//! The bodies of structured operations, which their names stand for.

use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;
use crate::ops::StructuredBody;

use super::super::frames::{AsmParser, Pending};
use super::linalg::Structured;

/// What the functions of structured operations distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Float(u32),
    Integer(u32),
    Index,
    Complex,
}

impl<'t> AsmParser<'t> {
    /// The body of a structured operation, and the maps that it keeps.
    pub(super) fn structured_body(
        &mut self,
        pending: &mut Pending<'t>,
        name: &str,
        kind: Option<&str>,
        operands: &Structured<'t>,
    ) -> Parsed<u32> {
        let types: Vec<u32> = operands.input_types.iter().chain(&operands.output_types).copied().collect();
        let mut elementwise = String::new();
        let body = match kind {
            Some(kind) => {
                let word = kind.rsplit('<').next().unwrap_or_default().trim_end_matches('>');
                let inputs = types.len().saturating_sub(1);
                let function = ["u", "u", "b", "n"].get(inputs).copied().unwrap_or("n");
                for input in 0..inputs {
                    elementwise.push_str(&format!("a{input} "));
                }
                elementwise.push_str(&format!("{function}:{word} y:a{inputs}"));
                StructuredBody { arguments: types.len(), program: "", maps: "", symbols: "", functions: "" }
            }
            None => match StructuredBody::of(name, self.release.0) {
                Some(body) => body,
                None => return Err(self.unsupported(pending, "its body is not known")),
            },
        };
        if types.len() != body.arguments {
            let message = format!("expected `{}` operands, found `{}`", body.arguments, types.len());
            return Err(self.contents(pending, message));
        }
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let unknown = self.unknown_location()?;
        let mut arguments = Vec::with_capacity(types.len());
        for r#type in types {
            let is_container = self.text.is_shaped(r#type) && self.text.vector_parts(r#type).is_none();
            let element = match is_container {
                true => self.text.element_of(r#type)?.unwrap_or(r#type),
                false => r#type,
            };
            let value = self.push_value(element, block, true, unknown)?;
            self.editor.arena.block_mut(block).arguments.push(value);
            arguments.push(value);
        }
        let program = if elementwise.is_empty() { body.program } else { &elementwise };
        self.run_body(pending, block, program, body.functions, &arguments)?;
        self.memoized_maps(pending, body)?;
        Ok(region)
    }

    fn run_body(
        &mut self,
        pending: &mut Pending<'t>,
        block: u32,
        program: &str,
        functions: &str,
        arguments: &[u32],
    ) -> Parsed<()> {
        let place = (pending.position, self.unknown_location()?);
        let mut stack: Vec<u32> = Vec::new();
        let mut yields: Vec<u32> = Vec::new();
        for part in program.split(' ') {
            let (head, rest) = part.split_once(':').unwrap_or((part, ""));
            match head {
                "c" | "i" => {
                    let value = match head {
                        "c" => {
                            let (number, r#type) = rest.split_once(':').unwrap_or((rest, "i64"));
                            let value = self.text.fragment(false, &format!("{number} : {type}"))?;
                            let r#type = self.type_named(r#type)?;
                            self.constant(block, place, value, r#type)?
                        }
                        _ => {
                            let index = self.index()?;
                            let dim = self.text.fragment(false, &format!("{rest} : i64"))?;
                            let name = self.attribute_name(b"dim");
                            self.one(block, place, "linalg.index", &[], index, vec![(name, dim)])?
                        }
                    };
                    stack.push(value);
                }
                "t" => {
                    let (function, to) = rest.split_once(':').unwrap_or((rest, "a0"));
                    let function = self.chosen(pending, function, functions)?;
                    let to = match argument(to, arguments) {
                        Some(value) => self.editor.arena.value(value).r#type,
                        None => self.type_named(&to.to_lowercase())?,
                    };
                    let Some(value) = stack.pop() else { break };
                    let is_new = self.editor.arena.value(value).r#type != to;
                    if is_new && self.number_kind(to) == Some(Number::Complex) {
                        return Err(
                            self.unsupported(pending, "its body has a conversion to a complex number")
                        );
                    }
                    let value = self.cast(block, place, value, to, function == "cast_unsigned")?;
                    stack.push(value);
                }
                "u" | "b" | "n" => {
                    let function = self.chosen(pending, rest, functions)?;
                    let count = match head {
                        "u" => 1,
                        "b" => 2,
                        _ => 3,
                    };
                    let values = stack.split_off(stack.len().saturating_sub(count));
                    match self.apply(block, place, &function, &values)? {
                        Some(value) => stack.push(value),
                        None => {
                            let message =
                                format!("`{function}` is not defined for the types of the operands");
                            return Err(self.contents(pending, message));
                        }
                    }
                }
                "y" => yields.extend(stack.pop()),
                head => stack.extend(argument(head, arguments)),
            }
        }
        self.add_op("linalg.yield", block, place, &yields, &[], Vec::new()).map(drop)
    }

    // The name of a function, which an attribute may choose.
    fn chosen(&mut self, pending: &Pending<'t>, function: &str, functions: &str) -> Parsed<String> {
        let Some(attribute) = function.strip_prefix('@') else { return Ok(function.to_owned()) };
        if let Some(value) = self.found(pending, attribute) {
            let text = self.whole_attribute(value)?;
            return Ok(text.rsplit('<').next().unwrap_or_default().trim_end_matches('>').to_owned());
        }
        let default = functions.split(';').find_map(|one| one.strip_prefix(attribute)?.strip_prefix('='));
        Ok(default.unwrap_or("cast_signed").to_owned())
    }

    fn number_kind(&self, r#type: u32) -> Option<Number> {
        let class = self.text.class_of(EntryRef::Type(r#type))?;
        let text = self.whole_type(r#type).ok()?;
        Some(match &*class {
            "IntegerType" => Number::Integer(
                text.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?,
            ),
            "IndexType" => Number::Index,
            "ComplexType" => Number::Complex,
            _ => Number::Float(match &*text {
                "f80" => 80,
                "f128" => 128,
                "f64" => 64,
                "f32" => 32,
                "tf32" => 19,
                "f16" | "bf16" => 16,
                text if text.starts_with("f8") => 8,
                text if text.starts_with("f6") => 6,
                text if text.starts_with("f4") => 4,
                _ => return None,
            }),
        })
    }

    fn kind_of(&self, value: u32) -> Option<Number> {
        self.number_kind(self.editor.arena.value(value).r#type)
    }

    fn one(
        &mut self,
        block: u32,
        place: (usize, u32),
        name: &str,
        values: &[u32],
        result: u32,
        attributes: Vec<(u32, u32)>,
    ) -> Parsed<u32> {
        let op = self.add_op(name, block, place, values, &[result], attributes)?;
        Ok(self.results_of(op).start)
    }

    fn constant(&mut self, block: u32, place: (usize, u32), value: u32, r#type: u32) -> Parsed<u32> {
        let name = self.attribute_name(b"value");
        self.one(block, place, "arith.constant", &[], r#type, vec![(name, value)])
    }

    // `convertScalarToDtype` in `mlir/lib/Dialect/Arith/Utils/Utils.cpp`.
    fn cast(&mut self, block: u32, place: (usize, u32), value: u32, to: u32, unsigned: bool) -> Parsed<u32> {
        let from = self.editor.arena.value(value).r#type;
        if from == to {
            return Ok(value);
        }
        let name = match (self.number_kind(from), self.number_kind(to)) {
            (Some(Number::Index), Some(Number::Integer(_))) => "arith.index_cast",
            (Some(Number::Integer(_)), Some(Number::Float(_))) => {
                if unsigned {
                    "arith.uitofp"
                } else {
                    "arith.sitofp"
                }
            }
            (Some(Number::Float(_)), Some(Number::Integer(_))) => {
                if unsigned {
                    "arith.fptoui"
                } else {
                    "arith.fptosi"
                }
            }
            (Some(Number::Float(from)), Some(Number::Float(to))) if to > from => "arith.extf",
            (Some(Number::Float(from)), Some(Number::Float(to))) if to < from => "arith.truncf",
            (Some(Number::Integer(from)), Some(Number::Integer(to))) if to > from => {
                if unsigned {
                    "arith.extui"
                } else {
                    "arith.extsi"
                }
            }
            (Some(Number::Integer(from)), Some(Number::Integer(to))) if to < from => "arith.trunci",
            // MLIR warns and leaves the value as it is.
            _ => return Ok(value),
        };
        self.one(block, place, name, &[value], to, Vec::new())
    }

    // The result of a function of the operations; `None` if it is not defined for the values.
    fn apply(
        &mut self,
        block: u32,
        place: (usize, u32),
        function: &str,
        values: &[u32],
    ) -> Parsed<Option<u32>> {
        let Some(&first) = values.first() else { return Ok(None) };
        let mut result = self.editor.arena.value(first).r#type;
        let kinds: Vec<Option<Number>> = values.iter().map(|&value| self.kind_of(value)).collect();
        let all = |is: fn(&Number) -> bool| kinds.iter().all(|kind| kind.as_ref().is_some_and(is));
        let floats = all(|kind| matches!(kind, Number::Float(_)));
        let integers = all(|kind| matches!(kind, Number::Integer(_)));
        let complex = all(|kind| matches!(kind, Number::Complex));
        let booleans = all(|kind| matches!(kind, Number::Integer(1)));
        let is_16 = self.release.0 < 17;
        let mut values = values.to_vec();
        let pick = |float: &'static str,
                    integer: &'static str,
                    complex_name: &'static str,
                    boolean: &'static str| {
            let name = if complex {
                complex_name
            } else if floats {
                float
            } else if booleans {
                boolean
            } else if integers {
                integer
            } else {
                ""
            };
            (!name.is_empty()).then_some(name)
        };
        let float = |name: &'static str| floats.then_some(name);
        let name = match function {
            "exp" => float("math.exp"),
            "log" => float("math.log"),
            "abs" => float("math.absf"),
            "ceil" => float("math.ceil"),
            "floor" => float("math.floor"),
            "negf" => float("arith.negf"),
            "round" => float("math.round"),
            "sqrt" => float("math.sqrt"),
            "rsqrt" => float("math.rsqrt"),
            "tanh" => float("math.tanh"),
            "erf" => float("math.erf"),
            "square" => {
                values.push(first);
                float("arith.mulf")
            }
            "reciprocal" => {
                if floats {
                    let text = self.whole_type(result)?;
                    let one = self.text.fragment(false, &format!("1.0 : {text}"))?;
                    let one = self.constant(block, place, one, result)?;
                    values.insert(0, one);
                }
                float("arith.divf")
            }
            "add" => pick("arith.addf", "arith.addi", "complex.add", "arith.ori"),
            "sub" => pick("arith.subf", "arith.subi", "complex.sub", ""),
            "mul" => pick("arith.mulf", "arith.muli", "complex.mul", "arith.andi"),
            "div" => pick("arith.divf", "arith.divsi", "complex.div", ""),
            "div_unsigned" => pick("", "arith.divui", "", ""),
            "max_signed" if is_16 => pick("arith.maxf", "arith.maxsi", "", "arith.maxsi"),
            "min_signed" if is_16 => pick("arith.minf", "arith.minsi", "", "arith.minsi"),
            "max_unsigned" if is_16 => pick("arith.maxf", "arith.maxui", "", "arith.maxui"),
            "min_unsigned" if is_16 => pick("arith.minf", "arith.minui", "", "arith.minui"),
            "max_signed" => pick("arith.maximumf", "arith.maxsi", "", "arith.maxsi"),
            "min_signed" => pick("arith.minimumf", "arith.minsi", "", "arith.minsi"),
            "max_unsigned" if self.release.0 < 20 => pick("arith.maximumf", "arith.maxui", "", "arith.maxui"),
            "min_unsigned" if self.release.0 < 20 => pick("arith.minimumf", "arith.minui", "", "arith.minui"),
            "max_unsigned" => pick("", "arith.maxui", "", ""),
            "min_unsigned" => pick("", "arith.minui", "", ""),
            "powf" => float("math.powf"),
            "select" => {
                result = values.get(1).map_or(result, |&value| self.editor.arena.value(value).r#type);
                Some("arith.select")
            }
            _ => None,
        };
        match name {
            Some(name) => self.one(block, place, name, &values, result, Vec::new()).map(Some),
            None => Ok(None),
        }
    }

    // The verifier of MLIR stores the maps that it computes.
    fn memoized_maps(&mut self, pending: &mut Pending<'t>, body: StructuredBody) -> Parsed<()> {
        if body.maps.is_empty() {
            return Ok(());
        }
        let mut bindings: Vec<(String, String)> = Vec::new();
        for symbol in body.symbols.split(';').filter(|symbol| !symbol.is_empty()) {
            let mut parts = symbol.split('=');
            let (name, numbers) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let mut values: Vec<String> =
                parts.next().unwrap_or_default().split(',').map(str::to_owned).collect();
            if let Some(attribute) = self.found(pending, name) {
                let text = self.whole_attribute(attribute)?;
                let list = text.trim_start_matches("dense<").split('>').next().unwrap_or_default();
                let own: Vec<String> = list.trim_matches(['[', ']']).split(", ").map(str::to_owned).collect();
                values = match own.as_slice() {
                    [one] => vec![one.clone(); numbers.split(',').count()],
                    _ => own,
                };
            }
            bindings.extend(numbers.split(',').map(|number| format!("s{number}")).zip(values));
        }
        self.set_text(pending, "linalg.memoized_indexing_maps", &body.maps_with(&bindings))
    }
}

fn argument(text: &str, arguments: &[u32]) -> Option<u32> {
    let number: usize = text.strip_prefix('a')?.parse().ok()?;
    arguments.get(number).copied()
}
