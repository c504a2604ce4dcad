//! Values that a constraint of integer attributes allows: the cases of an enumeration, and the bounds in its
//! summary after `whose` (`mlir/include/mlir/IR/CommonAttrConstraints.td`); and the numbers of elements that a
//! constraint of dense arrays allows.

use crate::attr::{Attribute, FieldValue};
use crate::ops::{AttributeText, Constraint};

/// The allowed values; every value if nothing is known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberRule {
    least: Option<i64>,
    most: Option<i64>,
    one_of: Vec<i64>,
    is_power_of_two: bool,
    is_partly_unknown: bool,
    length: Option<LengthRule>,
}

/// The numbers of elements that a dense array may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LengthRule {
    Exactly(u64),
    AtLeast(u64),
    NoneOr(u64),
}

impl LengthRule {
    /// The rule in a summary such as `i64 dense array attribute with exactly 3 elements`.
    fn new(summary: &str) -> Option<Self> {
        let (_, rule) = summary.split_once(" dense array attribute with ")?;
        let rule = rule.strip_suffix(" (if present)").unwrap_or(rule).strip_suffix(" elements")?;
        if let Some(least) = rule.strip_prefix("at least ") {
            return Some(Self::AtLeast(least.parse().ok()?));
        }
        if let Some(length) = rule.strip_prefix("0 or ") {
            return Some(Self::NoneOr(length.parse().ok()?));
        }
        Some(Self::Exactly(rule.strip_prefix("exactly ").unwrap_or(rule).parse().ok()?))
    }

    fn complaint(self, length: u64) -> Option<String> {
        let (is_right, expected) = match self {
            Self::Exactly(expected) => (length == expected, format!("{expected} elements")),
            Self::AtLeast(least) => (length >= least, format!("at least {least} elements")),
            Self::NoneOr(expected) => {
                (matches!(length, 0) || length == expected, format!("0 or {expected} elements"))
            }
        };
        (!is_right).then(|| format!("expected {expected}, found {length}"))
    }
}

impl NumberRule {
    pub(crate) fn new(constraint: &Constraint) -> Self {
        let mut this = Self::default();
        if let AttributeText::Case(_, cases) = constraint.attribute_text()
            && cases.separator().is_none()
        {
            this.one_of = cases.cases().map(|(value, _)| value).collect();
        }
        if constraint.storage() != "IntegerAttr" {
            this.length = LengthRule::new(constraint.summary());
            return this;
        }
        for clause in constraint.summary().split("whose ").skip(1) {
            let clause = clause.trim_end().trim_end_matches(" and");
            let number = |start| clause.strip_prefix(start)?.parse().ok();
            let list = || {
                let list = clause.strip_prefix("value is one of {")?.strip_suffix('}')?;
                list.split(", ").map(|number| number.parse().ok()).collect::<Option<Vec<i64>>>()
            };
            if clause == "value is a power of two > 0" {
                this.is_power_of_two = true;
            } else if clause == "value is non-negative" {
                this.least = Some(0);
            } else if clause == "value is positive" {
                this.least = Some(1);
            } else if let Some(least) = number("minimum value is ") {
                this.least = Some(least);
            } else if let Some(most) = number("maximum value is ") {
                this.most = Some(most);
            } else if let Some(list) = list() {
                this.one_of = list;
            } else {
                this.is_partly_unknown = true;
            }
        }
        this
    }

    pub(crate) fn is_partly_unknown(&self) -> bool {
        self.is_partly_unknown
    }

    /// Describes a value that the rule does not allow; `None` also if the attribute is not an integer.
    pub(super) fn complaint(&self, attribute: &Attribute) -> Option<String> {
        if *self == Self::default() {
            return None;
        }
        if let Some(rule) = self.length
            && attribute.class() == Some("DenseArrayAttr")
            && let Ok(Some(FieldValue::Unsigned(length))) = attribute.field("size")
        {
            return rule.complaint(length);
        }
        if attribute.class() != Some("IntegerAttr") {
            return None;
        }
        let Ok(Some(FieldValue::Integer { words, width })) = attribute.field("value") else { return None };
        let (&[word], 1..=64) = (&words[..], width) else { return None };
        // The bits above the width are zero.
        let shift = 64 - width;
        let value = ((word << shift) as i64) >> shift;
        let unsigned = (width < 64).then_some(word as i64);
        if let Some(least) = self.least.filter(|least| value < *least) {
            return Some(format!("expected a value of at least {least}, found {value}"));
        }
        if let Some(most) = self.most.filter(|most| value > *most) {
            return Some(format!("expected a value of at most {most}, found {value}"));
        }
        if self.is_power_of_two && (value <= 0 || value & (value - 1) != 0) {
            return Some(format!("expected a power of two, found {value}"));
        }
        let is_case = |case: &i64| *case == value || Some(*case) == unsigned;
        let is_listed = self.one_of.is_empty() || self.one_of.iter().any(is_case);
        (!is_listed).then(|| format!("{value} is not one of the values of the definition"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    #[test]
    fn values_outside_of_the_bounds_are_refused() {
        let definitions = OperationDefinitions::named("llvm-22").unwrap();
        let rule = |name: &str| NumberRule::new(&definitions.constraint(name).unwrap());
        let positive = rule("64-bit signless integer attribute whose value is positive");
        let cases = rule("Arith_CmpIPredicateAttr");
        let load = definitions.get("spirv.Load").unwrap();
        let (three, three_or_none) =
            (rule("GPU_OptionalDimSizeHintAttr"), rule("i64 dense array attribute with 0 or 3 elements"));
        let power = NumberRule::new(load.attribute("alignment").unwrap().constraint().unwrap());
        for (rule, text, is_fine) in [
            (&positive, "1 : i64", true),
            (&positive, "0 : i64", false),
            (&positive, "-1 : i64", false),
            (&power, "16 : i32", true),
            (&power, "6 : i32", false),
            (&power, "0 : i32", false),
            (&three, "array<i32: 1, 2, 3>", true),
            (&three, "array<i32: 1, 2>", false),
            (&three, "array<i32>", false),
            (&three_or_none, "array<i64>", true),
            (&three_or_none, "array<i64: 1>", false),
            (&cases, "9 : i64", true),
            (&cases, "10 : i64", false),
        ] {
            let message = rule.complaint(&Attribute::parse(text).unwrap());
            assert_eq!(message.is_none(), is_fine, "{text}: {message:?}");
        }
    }
}
