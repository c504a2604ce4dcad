//! Runs the programs of structured operations: the parser creates the operations of a body, the printer
//! compares a body with them.

use crate::release::Llvm;

/// The kinds of numbers that functions of structured operations distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Float(u32),
    Integer(u32),
    Index,
    Complex,
}

impl Number {
    fn of(r#type: &str) -> Option<Self> {
        if let Some(width) = r#type.trim_start_matches(['s', 'u']).strip_prefix('i')
            && let Ok(width) = width.parse()
        {
            return Some(Self::Integer(width));
        }
        Some(match r#type {
            "index" => Self::Index,
            "f80" => Self::Float(80),
            "f128" => Self::Float(128),
            "f64" => Self::Float(64),
            "f32" => Self::Float(32),
            "tf32" => Self::Float(19),
            "f16" | "bf16" => Self::Float(16),
            _ if r#type.starts_with("complex<") => Self::Complex,
            _ if r#type.starts_with("f8") => Self::Float(8),
            _ if r#type.starts_with("f6") => Self::Float(6),
            _ if r#type.starts_with("f4") => Self::Float(4),
            _ => return None,
        })
    }
}

/// An attribute of an operation of a body: its name, its literal, and its type.
pub(crate) type BodyAttribute<'a, T> = Option<(&'static str, &'a str, T)>;

/// A body that is created, or compared, one operation after the other.
pub(crate) trait StructuredOperations {
    type BodyValue: Copy;
    type Type: Clone + PartialEq;
    type Error;

    /// Returns an argument of the body.
    fn argument(&self, number: usize) -> Option<Self::BodyValue>;
    /// Returns the type of a value.
    fn type_of(&mut self, value: Self::BodyValue) -> Self::Type;
    /// Returns the text of a type.
    fn type_text(&mut self, r#type: &Self::Type) -> Result<String, Self::Error>;
    /// Returns the type with a text.
    fn type_named(&mut self, text: &str) -> Result<Self::Type, Self::Error>;
    /// Returns the case of an attribute of the structured operation.
    fn case_of(&mut self, attribute: &str) -> Result<Option<String>, Self::Error>;
    /// Handles the next operation; returns its result.
    fn operation(
        &mut self,
        name: &'static str,
        operands: &[Self::BodyValue],
        result: Self::Type,
        attribute: BodyAttribute<'_, Self::Type>,
    ) -> Result<Self::BodyValue, Self::Error>;
    /// Handles the last operation.
    fn terminator(&mut self, operands: &[Self::BodyValue]) -> Result<(), Self::Error>;
    /// Creates the error for operands whose types a function does not support.
    fn undefined(&mut self, function: &str) -> Self::Error;
    /// Creates the error for an unknown operation of the body.
    fn unsupported(&mut self, why: &'static str) -> Self::Error;
}

/// Runs a program in postfix notation; `functions` are the defaults of functions that attributes may choose
/// (`RegionBuilderHelper` in `mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).
///
/// # Errors
/// The errors of `body`.
pub(crate) fn run_program<B: StructuredOperations>(
    body: &mut B,
    program: &str,
    functions: &str,
    release: Llvm,
) -> Result<(), B::Error> {
    let mut stack: Vec<B::BodyValue> = Vec::new();
    let mut yields: Vec<B::BodyValue> = Vec::new();
    for part in program.split(' ') {
        let (head, rest) = part.split_once(':').unwrap_or((part, ""));
        match head {
            "c" => {
                let (literal, r#type) = rest.split_once(':').unwrap_or((rest, "i64"));
                let r#type = body.type_named(r#type)?;
                stack.push(constant(body, literal, r#type)?);
            }
            "i" => {
                let (index, i64) = (body.type_named("index")?, body.type_named("i64")?);
                stack.push(body.operation("linalg.index", &[], index, Some(("dim", rest, i64)))?);
            }
            "t" => {
                let (function, to) = rest.split_once(':').unwrap_or((rest, "a0"));
                let function = chosen(body, function, functions)?;
                let to = match argument(body, to) {
                    Some(value) => body.type_of(value),
                    None => body.type_named(&to.to_lowercase())?,
                };
                let Some(value) = stack.pop() else { break };
                stack.push(cast(body, value, to, function == "cast_unsigned")?);
            }
            "u" | "b" | "n" => {
                let function = chosen(body, rest, functions)?;
                let count = match head {
                    "u" => 1,
                    "b" => 2,
                    _ => 3,
                };
                let values = stack.split_off(stack.len().saturating_sub(count));
                stack.push(apply(body, &function, values, release)?);
            }
            "y" => yields.extend(stack.pop()),
            head => stack.extend(argument(body, head)),
        }
    }
    body.terminator(&yields)
}

fn argument<B: StructuredOperations>(body: &B, text: &str) -> Option<B::BodyValue> {
    body.argument(text.strip_prefix('a')?.parse().ok()?)
}

fn constant<B: StructuredOperations>(
    body: &mut B,
    literal: &str,
    r#type: B::Type,
) -> Result<B::BodyValue, B::Error> {
    body.operation("arith.constant", &[], r#type.clone(), Some(("value", literal, r#type)))
}

// Returns the name of a function, which an attribute may choose.
fn chosen<B: StructuredOperations>(
    body: &mut B,
    function: &str,
    functions: &str,
) -> Result<String, B::Error> {
    let Some(attribute) = function.strip_prefix('@') else { return Ok(function.to_owned()) };
    if let Some(case) = body.case_of(attribute)? {
        return Ok(case);
    }
    let default = functions.split(';').find_map(|one| one.strip_prefix(attribute)?.strip_prefix('='));
    Ok(default.unwrap_or("cast_signed").to_owned())
}

fn number<B: StructuredOperations>(body: &mut B, r#type: &B::Type) -> Result<Option<Number>, B::Error> {
    Ok(Number::of(&body.type_text(r#type)?))
}

// Converts a value to a type, as `convertScalarToDtype` in `mlir/lib/Dialect/Arith/Utils/Utils.cpp` does.
fn cast<B: StructuredOperations>(
    body: &mut B,
    value: B::BodyValue,
    to: B::Type,
    is_unsigned: bool,
) -> Result<B::BodyValue, B::Error> {
    use Number::{Complex, Float, Index, Integer};
    let from = body.type_of(value);
    if from == to {
        return Ok(value);
    }
    let (signed, unsigned) = match (number(body, &from)?, number(body, &to)?) {
        (_, Some(Complex)) => {
            return Err(body.unsupported("its body has a conversion to a complex number"));
        }
        (Some(Index), Some(Integer(_))) => ("arith.index_cast", "arith.index_cast"),
        (Some(Integer(_)), Some(Float(_))) => ("arith.sitofp", "arith.uitofp"),
        (Some(Float(_)), Some(Integer(_))) => ("arith.fptosi", "arith.fptoui"),
        (Some(Float(from)), Some(Float(to))) if to > from => ("arith.extf", "arith.extf"),
        (Some(Float(from)), Some(Float(to))) if to < from => ("arith.truncf", "arith.truncf"),
        (Some(Integer(from)), Some(Integer(to))) if to > from => ("arith.extsi", "arith.extui"),
        (Some(Integer(from)), Some(Integer(to))) if to < from => ("arith.trunci", "arith.trunci"),
        // MLIR warns and leaves the value unchanged.
        _ => return Ok(value),
    };
    body.operation(if is_unsigned { unsigned } else { signed }, &[value], to, None)
}

// Applies a function to operands, and returns the result.
fn apply<B: StructuredOperations>(
    body: &mut B,
    function: &str,
    mut values: Vec<B::BodyValue>,
    release: Llvm,
) -> Result<B::BodyValue, B::Error> {
    let Some(&first) = values.first() else { return Err(body.undefined(function)) };
    let types: Vec<B::Type> = values.iter().map(|&value| body.type_of(value)).collect();
    let kinds = types.iter().map(|r#type| number(body, r#type)).collect::<Result<Vec<_>, _>>()?;
    let all = |is: fn(&Number) -> bool| kinds.iter().all(|kind| kind.as_ref().is_some_and(is));
    let floats = all(|kind| matches!(kind, Number::Float(_)));
    let integers = all(|kind| matches!(kind, Number::Integer(_)));
    let complex = all(|kind| matches!(kind, Number::Complex));
    let booleans = all(|kind| matches!(kind, Number::Integer(1)));
    let float = |name: &'static str| floats.then_some(name);
    let pick = |float_name, integer_name, complex_name, boolean_name| {
        let name: &'static str = match () {
            () if complex => complex_name,
            () if floats => float_name,
            () if booleans => boolean_name,
            () if integers => integer_name,
            () => "",
        };
        (!name.is_empty()).then_some(name)
    };
    let mut result = body.type_of(first);
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
        "powf" => float("math.powf"),
        "square" => {
            values.push(first);
            float("arith.mulf")
        }
        "reciprocal" => {
            if floats {
                values.insert(0, constant(body, "1.0", result.clone())?);
            }
            float("arith.divf")
        }
        "add" => pick("arith.addf", "arith.addi", "complex.add", "arith.ori"),
        "sub" => pick("arith.subf", "arith.subi", "complex.sub", ""),
        "mul" => pick("arith.mulf", "arith.muli", "complex.mul", "arith.andi"),
        "div" => pick("arith.divf", "arith.divsi", "complex.div", ""),
        "div_unsigned" => pick("", "arith.divui", "", ""),
        "max_signed" | "max_unsigned" | "min_signed" | "min_unsigned" => {
            let [float_name, integer_name, boolean_name] = extremum(function, release);
            pick(float_name, integer_name, "", boolean_name)
        }
        "select" => {
            result = types.get(1).cloned().unwrap_or(result);
            Some("arith.select")
        }
        _ => None,
    };
    match name {
        Some(name) => body.operation(name, &values, result, None),
        None => Err(body.undefined(function)),
    }
}

/// The operations for the largest or smallest of floats, of integers, and of booleans.
fn extremum(function: &str, release: Llvm) -> [&'static str; 3] {
    let has_maxf = !release.fills_with_maximumf();
    let compares_floats = !release.compares_unsigned_integers_only();
    match function {
        "max_signed" if has_maxf => ["arith.maxf", "arith.maxsi", "arith.maxsi"],
        "min_signed" if has_maxf => ["arith.minf", "arith.minsi", "arith.minsi"],
        "max_unsigned" if has_maxf => ["arith.maxf", "arith.maxui", "arith.maxui"],
        "min_unsigned" if has_maxf => ["arith.minf", "arith.minui", "arith.minui"],
        "max_signed" => ["arith.maximumf", "arith.maxsi", "arith.maxsi"],
        "min_signed" => ["arith.minimumf", "arith.minsi", "arith.minsi"],
        "max_unsigned" if compares_floats => ["arith.maximumf", "arith.maxui", "arith.maxui"],
        "min_unsigned" if compares_floats => ["arith.minimumf", "arith.minui", "arith.minui"],
        "max_unsigned" => ["", "arith.maxui", ""],
        "min_unsigned" => ["", "arith.minui", ""],
        _ => [""; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::props::PropertySchema;

    #[test]
    fn releases_have_the_operations_of_bodies() {
        for llvm in 16..=23 {
            let release = PropertySchema::shipped(&format!("llvm-{llvm}")).unwrap();
            for function in ["max_signed", "min_signed", "max_unsigned", "min_unsigned"] {
                for name in extremum(function, Llvm(llvm)).into_iter().filter(|name| !name.is_empty()) {
                    assert!(release.op(name.as_bytes()).is_some(), "{name} in {}", release.name());
                }
            }
        }
        assert_eq!(extremum("max_signed", Llvm(17))[0], "arith.maxf");
        assert_eq!(extremum("max_signed", Llvm(18))[0], "arith.maximumf");
    }
}
