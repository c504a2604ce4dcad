//! Layouts as data: a table of classes of types, and formulas for their sizes and alignments.
//! `docs/reference/data-layout.md` explains the keys.

mod entry;
mod parameter;
mod parse;

use parse::parse;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;

use crate::attr::Type;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::toml::{from_str, in_line};

use super::container::{laid_out, struct_size_in_bits};
use super::dlti::{brief, shorten};
use super::registrations::{TypeLayout, TypeQuestion};
use super::shape::check_class;
use super::{DataLayout, DltiEntry, TypeSize};

/// Layouts of classes of types, as data.
#[derive(Debug, Clone)]
pub struct LayoutTable(Vec<(String, Arc<dyn TypeLayout>)>);

impl LayoutTable {
    /// Parses a table; `docs/reference/data-layout.md` explains its keys.
    ///
    /// # Errors
    /// [`ErrorKind::LayoutTable`] with the line, or the class and the formula, of the error.
    ///
    /// ```
    /// use mlirbc::layout::LayoutTable;
    /// let error = LayoutTable::from_toml("[[type]]\nname = \"a.b\"\nsize_in_bits = \"1 +\"\nabi_alignment = 1");
    /// assert_eq!(error.unwrap_err().identifier(), "mlirbc.layout.table");
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::new(from_str(text).map_err(|error| in_line(error.message(), error.offset(), text)))
    }

    /// Reads a table from JSON with the keys of the TOML form.
    ///
    /// # Errors
    /// As [`Self::from_toml`].
    ///
    /// ```
    /// let text = r#"{"type": [{"name": "a.b", "size_in_bits": 8, "abi_alignment": 1}]}"#;
    /// assert_eq!(mlirbc::layout::LayoutTable::from_json(text)?.types()[0].0, "a.b");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        Self::new(serde_json::from_str(text).map_err(|error| error.to_string()))
    }

    fn new(file: std::result::Result<File, String>) -> Result<Self> {
        let file = file.map_err(|error| {
            let error = error.replace('\n', " ");
            Error::message(ErrorKind::LayoutTable, format!("invalid layout table: {error}"))
        })?;
        let rows = file.types.into_iter().map(|row| {
            let (name, class) = Formulas::new(row)?;
            Ok((name, Arc::new(class) as Arc<dyn TypeLayout>))
        });
        Ok(Self(rows.collect::<Result<_>>()?))
    }

    /// The layouts by class, for [`super::Options::types`].
    #[doc(hidden)]
    pub fn types(&self) -> Vec<(String, Arc<dyn TypeLayout>)> {
        self.0.clone()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "type")]
    types: Vec<ClassRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassRow {
    name: String,
    #[serde(default)]
    parameters: Vec<String>,
    size_in_bits: Option<FormulaSource>,
    abi_alignment: FormulaSource,
    preferred_alignment: Option<FormulaSource>,
    index_bitwidth: Option<FormulaSource>,
    /// The model that applies if no entry selects one.
    model: Option<String>,
    #[serde(default)]
    models: HashMap<String, FormulaSource>,
    /// The names of the values of an entry, and their defaults.
    #[serde(default)]
    entry: BTreeMap<String, FormulaSource>,
    #[serde(default)]
    memory_reference: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FormulaSource {
    Number(u64),
    Formula(String),
}

/// A class of types that a table describes.
#[derive(Debug)]
struct Formulas {
    class: String,
    /// The parts of each parameter: every part but the last is a size in front of an `x`.
    parameters: Vec<Vec<String>>,
    size: Size,
    abi: Formula,
    preferred: Option<Formula>,
    index: Option<Formula>,
    /// The names of the values of an entry, and their defaults.
    entry: BTreeMap<String, Operand>,
    is_reference: bool,
}

#[derive(Debug)]
enum Size {
    One(Formula),
    /// A formula for each `model` of an entry.
    Models {
        otherwise: String,
        models: HashMap<String, Formula>,
    },
}

/// Steps in reverse Polish notation, to avoid recursion.
#[derive(Debug, Clone)]
struct Formula(Vec<FormulaStep>);

#[derive(Debug, Clone)]
enum FormulaStep {
    Number(u64),
    Name(String),
    Type(Type),
    Call(Call),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Add,
    Subtract,
    Multiply,
    Divide,
    SizeInBits,
    Size,
    AbiAlignment,
    PreferredAlignment,
    Min,
    Max,
    CeilDiv,
    AlignTo,
    NextPowerOfTwo,
    Product,
    Len,
}

/// Functions by name, and their number of arguments.
const FUNCTIONS: [(&str, Call, usize); 11] = [
    ("size_in_bits", Call::SizeInBits, 1),
    ("size", Call::Size, 1),
    ("abi_alignment", Call::AbiAlignment, 1),
    ("preferred_alignment", Call::PreferredAlignment, 1),
    ("min", Call::Min, 2),
    ("max", Call::Max, 2),
    ("ceil_div", Call::CeilDiv, 2),
    ("align_to", Call::AlignTo, 2),
    ("next_power_of_two", Call::NextPowerOfTwo, 1),
    ("product", Call::Product, 1),
    ("len", Call::Len, 1),
];

#[derive(Debug, Clone)]
enum Operand {
    Number(u64),
    Type(Type),
    List(Vec<u64>),
    /// Types that are laid out like a struct of these members.
    Types(Vec<Type>),
}

#[cold]
fn wrong(expected: impl Into<String>, actual: impl Into<String>) -> Error {
    Error::new(ErrorKind::LayoutTable, expected.into(), actual.into())
}

impl Formula {
    fn new(written: &FormulaSource, class: &str) -> Result<Self> {
        match written {
            FormulaSource::Number(number) => Ok(Self(vec![FormulaStep::Number(*number)])),
            FormulaSource::Formula(text) => parse(text).map_err(|expected| {
                wrong(format!("{expected} in a formula of `{class}`"), format!("`{}`", shorten(text)))
            }),
        }
    }

    fn value(&self, class: &Formulas, question: &TypeQuestion<'_>) -> Result<u64> {
        let mut stack: Vec<Operand> = Vec::new();
        for step in &self.0 {
            let operand = match step {
                FormulaStep::Number(number) => Operand::Number(*number),
                FormulaStep::Type(r#type) => Operand::Type(r#type.clone()),
                FormulaStep::Name(name) => class.parameter(name, question)?,
                FormulaStep::Call(call) => {
                    let second = if call.arguments() == 2 { stack.pop() } else { None };
                    let first = stack.pop();
                    call.value(first, second, class, question)?
                }
            };
            stack.push(operand);
        }
        match stack.pop() {
            Some(Operand::Number(number)) => Ok(number),
            _ => Err(Error::message(
                ErrorKind::LayoutTable,
                format!("a formula of `{}` gives a type or a list, not a number", class.class),
            )),
        }
    }
}

impl Call {
    fn arguments(self) -> usize {
        FUNCTIONS.iter().find(|(_, call, _)| *call == self).map_or(2, |(.., count)| *count)
    }

    fn value(
        self,
        first: Option<Operand>,
        second: Option<Operand>,
        class: &Formulas,
        question: &TypeQuestion<'_>,
    ) -> Result<Operand> {
        let layout = question.layout;
        let fixed = |size: TypeSize| match size.is_scalable() {
            true => Err(Error::message(
                ErrorKind::LayoutScalable,
                format!(
                    "a formula of `{}` uses a scalable type in `{}`",
                    class.class,
                    brief(&question.r#type.0)
                ),
            )),
            false => Ok(size.known_min_value()),
        };
        let number = match (self, first, second) {
            (Self::SizeInBits, Some(Operand::Type(r#type)), _) => fixed(layout.type_size_in_bits(&r#type)?)?,
            (Self::Size, Some(Operand::Type(r#type)), _) => fixed(layout.type_size(&r#type)?)?,
            (Self::AbiAlignment, Some(Operand::Type(r#type)), _) => layout.type_abi_alignment(&r#type)?,
            (Self::PreferredAlignment, Some(Operand::Type(r#type)), _) => {
                layout.type_preferred_alignment(&r#type)?
            }
            (Self::SizeInBits, Some(Operand::Types(types)), _) => struct_size_in_bits(question, &types)?,
            (Self::Size, Some(Operand::Types(types)), _) => struct_size_in_bits(question, &types)? / 8,
            (Self::AbiAlignment, Some(Operand::Types(types)), _) => {
                laid_out(question, &types, DataLayout::type_abi_alignment)?.1
            }
            (Self::PreferredAlignment, Some(Operand::Types(types)), _) => {
                laid_out(question, &types, DataLayout::type_preferred_alignment)?.1
            }
            (Self::Len, Some(Operand::Types(types)), _) => types.len() as u64,
            (Self::Product, Some(Operand::List(list)), _) => list
                .iter()
                .try_fold(1_u64, |product, item| product.checked_mul(*item))
                .ok_or_else(|| class.overflow(question))?,
            (Self::Len, Some(Operand::List(list)), _) => list.len() as u64,
            (Self::NextPowerOfTwo, Some(Operand::Number(number)), _) => match number {
                0 => 0,
                _ => number.checked_next_power_of_two().ok_or_else(|| class.overflow(question))?,
            },
            (call, Some(Operand::Number(left)), Some(Operand::Number(right))) => match call {
                Self::Add => left.checked_add(right),
                Self::Subtract => left.checked_sub(right),
                Self::Multiply => left.checked_mul(right),
                Self::Min => Some(left.min(right)),
                Self::Max => Some(left.max(right)),
                _ if right == 0 => return Err(class.zero(question)),
                Self::Divide => Some(left / right),
                Self::CeilDiv => Some(left.div_ceil(right)),
                _ => left.checked_next_multiple_of(right),
            }
            .ok_or_else(|| class.overflow(question))?,
            (call, ..) => {
                let name =
                    FUNCTIONS.iter().find(|(_, other, _)| *other == call).map_or("an operator", |row| row.0);
                let message =
                    format!("wrong kind of argument for `{name}` in a formula of `{}`", class.class);
                return Err(Error::message(ErrorKind::LayoutTable, message));
            }
        };
        Ok(Operand::Number(number))
    }
}

impl Formulas {
    fn new(row: ClassRow) -> Result<(String, Self)> {
        let class = row.name;
        check_class(&class)?;
        let formula = |written: &FormulaSource| Formula::new(written, &class);
        let optional = |written: &Option<FormulaSource>| written.as_ref().map(formula).transpose();
        let size = match (&row.size_in_bits, row.model) {
            (Some(size), None) if row.models.is_empty() => Size::One(formula(size)?),
            (None, Some(otherwise)) if row.models.contains_key(&otherwise) => {
                let models = row.models.iter();
                let models = models.map(|(name, written)| Ok((name.clone(), formula(written)?)));
                Size::Models { otherwise, models: models.collect::<Result<_>>()? }
            }
            _ => {
                let message = format!(
                    "`{class}` requires either `size_in_bits`, or `models` and one of them as `model`"
                );
                return Err(Error::message(ErrorKind::LayoutTable, message));
            }
        };
        let parts = |parameter: &String| parameter.split(" x ").map(|part| part.trim().to_owned()).collect();
        let parameters: Vec<Vec<String>> = row.parameters.iter().map(parts).collect();
        let this = Self {
            entry: Self::entry_defaults(&class, row.entry, &parameters)?,
            is_reference: row.memory_reference,
            parameters,
            size,
            abi: formula(&row.abi_alignment)?,
            preferred: optional(&row.preferred_alignment)?,
            index: optional(&row.index_bitwidth)?,
            class: class.clone(),
        };
        Ok((class, this))
    }

    #[cold]
    fn overflow(&self, question: &TypeQuestion<'_>) -> Error {
        let message =
            format!("a formula gives a number below 0 or above 2^64 - 1 for `{}`", brief(&question.r#type.0));
        Error::message(ErrorKind::LayoutOverflow, message)
    }

    #[cold]
    fn zero(&self, question: &TypeQuestion<'_>) -> Error {
        let message = format!("a formula divides by zero for `{}`", brief(&question.r#type.0));
        Error::message(ErrorKind::LayoutZero, message)
    }
}

impl TypeLayout for Formulas {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> Result<TypeSize> {
        let formula = match &self.size {
            Size::One(formula) => Some(formula),
            Size::Models { otherwise, models } => {
                models.get(self.model(question.entries).as_ref().unwrap_or(otherwise))
            }
        };
        match formula {
            Some(formula) => Ok(TypeSize::fixed(formula.value(self, question)?)),
            None => Err(Error::message(ErrorKind::LayoutTable, "unknown model")),
        }
    }

    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        self.abi.value(self, question)
    }

    fn preferred_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        self.preferred.as_ref().unwrap_or(&self.abi).value(self, question)
    }

    fn index_bitwidth(&self, question: &TypeQuestion<'_>) -> Result<Option<u64>> {
        self.index.as_ref().map(|formula| formula.value(self, question)).transpose()
    }

    fn is_memory_reference(&self, _: &Type) -> Result<bool> {
        Ok(self.is_reference)
    }

    fn verify_entries(&self, entries: &[DltiEntry]) -> Result<()> {
        self.check_entries(entries)
    }

    /// An entry applies to all types of the class, whatever its key. Outer entries with other keys therefore
    /// stay in effect and must have the same value.
    fn are_compatible(&self, outer: &[DltiEntry], inner: &[DltiEntry]) -> Result<bool> {
        Ok(inner.iter().all(|new| outer.iter().all(|old| old.key == new.key || old.value == new.value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{DataLayout, Options};

    fn size(formula: &str, type_text: &str) -> Result<u64> {
        let table = format!(
            "[[type]]\nname = \"toy.t\"\nparameters = [\"rows x columns x element\", \"space\"]\n\
             size_in_bits = '{formula}'\nabi_alignment = 1"
        );
        let options = Options { types: LayoutTable::from_toml(&table)?.types(), ..Options::default() };
        let layout = DataLayout::of_specs(&[], &options)?;
        Ok(layout.type_size_in_bits(&Type::parse(type_text)?)?.known_min_value())
    }

    #[test]
    fn formulas_are_computed_as_written() {
        let matrix = "!toy.t<2x3xf32, 7>";
        for (formula, value) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("7 - 2 - 1", 4),
            ("100 / 10 / 5", 2),
            ("rows * columns * size_in_bits(element)", 192),
            ("align_to(rows + 3, 4) + max(space, min(2, 1))", 15),
            ("next_power_of_two(ceil_div(space, 2))", 4),
            ("size_in_bits(i7) + size(\"!llvm.ptr\")", 15),
        ] {
            assert_eq!(size(formula, matrix).unwrap(), value, "{formula}");
        }
    }

    #[test]
    fn bad_formulas_are_refused() {
        for formula in ["", "1 +", "(1", "1)", "max(1)", "max(1, 2, 3)", "foo(1)", "1 2", "size_in_bits()"] {
            assert_eq!(
                size(formula, "!toy.t<2x3xf32, 7>").unwrap_err().kind(),
                ErrorKind::LayoutTable,
                "{formula}"
            );
        }
        let kind = |formula| size(formula, "!toy.t<2x3xf32, 7>").unwrap_err().kind();
        assert_eq!(kind("1 - 2"), ErrorKind::LayoutOverflow);
        assert_eq!(kind("1 / (1 - 1)"), ErrorKind::LayoutZero);
        assert_eq!(kind("element"), ErrorKind::LayoutTable);
        assert_eq!(kind("depth"), ErrorKind::LayoutNone);
    }
}
