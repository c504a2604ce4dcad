//! Constraints of IRDL: values of one constraint are equal in an operation, so a constraint is a variable.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

/// The constraints that a definition may have.
const MOST_CONSTRAINTS: usize = 4096;

/// The constraints of an operation, an attribute or a type, with the parts that have them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variables {
    pub(crate) constraints: Box<[VariableConstraint]>,
    #[serde(default)]
    pub(crate) operands: Box<[usize]>,
    #[serde(default)]
    pub(crate) results: Box<[usize]>,
    #[serde(default)]
    pub(crate) attributes: BTreeMap<Box<str>, usize>,
    #[serde(default)]
    pub(crate) regions: Box<[RegionConstraint]>,
    #[serde(default)]
    pub(crate) parameters: Box<[usize]>,
}

/// The constraint of a region.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegionConstraint {
    /// The constraints of the arguments; any arguments without the key.
    #[serde(default)]
    pub(crate) arguments: Option<Box<[usize]>>,
    #[serde(default)]
    pub(crate) blocks: Option<usize>,
}

/// A constraint, which refers to earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Json>")]
pub(crate) enum VariableConstraint {
    Any,
    /// An attribute or a type as text.
    Is(Box<str>),
    /// A class, `!dialect.mnemonic` or `#dialect.mnemonic`.
    Base(Box<str>),
    /// A class with constraints of its parameters.
    Parametric(Box<str>, Box<[usize]>),
    AnyOf(Box<[usize]>),
    AllOf(Box<[usize]>),
    /// A constraint that only C++ decides.
    Unknown,
}

impl TryFrom<Vec<Json>> for VariableConstraint {
    type Error = String;

    fn try_from(row: Vec<Json>) -> Result<Self, String> {
        let text = |place: usize| row.get(place).and_then(Json::as_str);
        let name = text(0).ok_or("a constraint begins with its kind")?;
        let argument = || text(1).map(Box::from).ok_or_else(|| format!("`{name}` has a text"));
        let numbers = |place: usize| {
            let list =
                row.get(place).and_then(Json::as_array).ok_or_else(|| format!("`{name}` has a list"))?;
            let number = |number: &Json| number.as_u64().and_then(|number| usize::try_from(number).ok());
            list.iter()
                .map(|one| number(one).ok_or_else(|| format!("`{name}` names constraints by number")))
                .collect::<Result<Box<[usize]>, String>>()
        };
        Ok(match name {
            "any" => Self::Any,
            "is" => Self::Is(argument()?),
            "base" => Self::Base(argument()?),
            "parametric" => Self::Parametric(argument()?, numbers(2)?),
            "any_of" => Self::AnyOf(numbers(1)?),
            "all_of" => Self::AllOf(numbers(1)?),
            "unknown" => Self::Unknown,
            _ => return Err(format!("`{name}` is no kind of constraint")),
        })
    }
}

impl Variables {
    /// Checks that constraints refer to earlier ones, so that no evaluation is endless.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.constraints.len() > MOST_CONSTRAINTS {
            return Err(format!("the definition has more than {MOST_CONSTRAINTS} constraints"));
        }
        for (number, constraint) in self.constraints.iter().enumerate() {
            let inner = match constraint {
                VariableConstraint::Parametric(_, inner)
                | VariableConstraint::AnyOf(inner)
                | VariableConstraint::AllOf(inner) => &**inner,
                _ => continue,
            };
            if let Some(later) = inner.iter().find(|&&inner| inner >= number) {
                return Err(format!("the constraint {number} refers to {later}, which is not before it"));
            }
        }
        let arguments = self.regions.iter().filter_map(|region| region.arguments.as_deref()).flatten();
        let parts = self.operands.iter().chain(&self.results).chain(&self.parameters);
        let mut all = parts.chain(self.attributes.values()).chain(arguments);
        match all.find(|&&number| number >= self.constraints.len()) {
            Some(number) => Err(format!("there is no constraint {number}")),
            None => Ok(()),
        }
    }
}
