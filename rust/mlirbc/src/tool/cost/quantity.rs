//! Numbers of elements and of steps as polynomials in the symbolic dimensions of a program: `12*b*s*d^2`.
//!
//! Owns the arithmetic, the spelling and the parser, which reads the dimensions of JAX exports and the formulas of users.

mod parse;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use crate::wire::error::{Error, ErrorKind};

pub(super) use parse::{Formula, NoValue};

/// The greatest number of terms; a program with more has no useful formula.
const MAX_TERMS: usize = 256;

/// The factors of a term with their exponents, in order.
type Monomial = Vec<(Atom, u32)>;

/// A number that a program determines when it starts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Quantity {
    Number(i128),
    /// At least one term has a factor, and no coefficient is zero.
    Polynomial(Rc<BTreeMap<Monomial, i128>>),
}

/// A factor that arithmetic cannot take apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Atom {
    /// A symbolic dimension.
    Symbol(Rc<str>),
    /// A function of other quantities, with its spelling, which orders it.
    Call(Rc<str>, Rc<Call>),
}

/// A function of quantities.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Call {
    function: Function,
    left: Quantity,
    right: Quantity,
}

impl PartialOrd for Call {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Call {
    fn cmp(&self, _other: &Self) -> std::cmp::Ordering {
        // The spelling beside it has decided.
        std::cmp::Ordering::Equal
    }
}

/// The functions that programs and formulas use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Function {
    FloorDiv,
    Mod,
    Max,
    Min,
    /// The smallest power of two that is not below the left side, as an exponent; the right side is zero.
    CeilLog2,
}

impl Function {
    const ALL: [(Self, &'static str); 5] = [
        (Self::FloorDiv, "floordiv"),
        (Self::Mod, "mod"),
        (Self::Max, "max"),
        (Self::Min, "min"),
        (Self::CeilLog2, "ceil_log2"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(function, _)| *function == self).map_or("", |(_, name)| name)
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, text)| *text == name).map(|(function, _)| *function)
    }

    fn of_numbers(self, left: i128, right: i128) -> Option<i128> {
        match self {
            Self::FloorDiv => {
                (right != 0).then(|| left.checked_div_euclid(right)).flatten().map(|quotient| {
                    // Euclid's division rounds up for negative divisors.
                    quotient - i128::from(right < 0 && left.rem_euclid(right) != 0)
                })
            }
            Self::Mod => (right > 0).then(|| left.checked_rem_euclid(right)).flatten(),
            Self::Max => Some(left.max(right)),
            Self::Min => Some(left.min(right)),
            Self::CeilLog2 => Some(match u128::try_from(left) {
                Ok(number @ 2..) => i128::from(128 - (number - 1).leading_zeros()),
                _ => 0,
            }),
        }
    }
}

/// Why a quantity cannot be represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excess {
    /// A number exceeds 127 bits.
    Number,
    /// The formula has too many terms.
    Terms,
}

/// Returns the error for a quantity that cannot be represented.
pub(super) fn too_large(excess: Excess) -> Error {
    match excess {
        Excess::Number => Error::message(ErrorKind::Value, "a cost exceeds 127 bits"),
        Excess::Terms => Error::message(ErrorKind::Value, "the formula of a cost has more than 256 terms")
            .with_hint("give values to symbolic dimensions"),
    }
}

pub(super) type Computed = Result<Quantity, Excess>;

impl Quantity {
    pub(super) const ZERO: Self = Self::Number(0);
    pub(super) const ONE: Self = Self::Number(1);

    pub(super) fn symbol(name: &str) -> Self {
        Self::from_atom(Atom::Symbol(name.into()))
    }

    fn from_atom(atom: Atom) -> Self {
        Self::Polynomial(Rc::new(BTreeMap::from([(vec![(atom, 1)], 1)])))
    }

    pub(super) fn number(&self) -> Option<i128> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Polynomial(_) => None,
        }
    }

    fn terms(&self) -> BTreeMap<Monomial, i128> {
        match self {
            Self::Number(0) => BTreeMap::new(),
            Self::Number(number) => BTreeMap::from([(Vec::new(), *number)]),
            Self::Polynomial(terms) => (**terms).clone(),
        }
    }

    fn from_terms(mut terms: BTreeMap<Monomial, i128>) -> Computed {
        terms.retain(|_, coefficient| *coefficient != 0);
        if terms.len() > MAX_TERMS {
            return Err(Excess::Terms);
        }
        match terms.iter().next() {
            None => Ok(Self::ZERO),
            Some((monomial, number)) if terms.len() == 1 && monomial.is_empty() => Ok(Self::Number(*number)),
            Some(_) => Ok(Self::Polynomial(Rc::new(terms))),
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Computed {
        if let (Self::Number(left), Self::Number(right)) = (self, other) {
            return left.checked_add(*right).map(Self::Number).ok_or(Excess::Number);
        }
        let mut terms = self.terms();
        for (monomial, coefficient) in other.terms() {
            let sum = terms.entry(monomial).or_default();
            *sum = sum.checked_add(coefficient).ok_or(Excess::Number)?;
        }
        Self::from_terms(terms)
    }

    pub(super) fn minus(&self, other: &Self) -> Computed {
        self.plus(&other.times(&Self::Number(-1))?)
    }

    pub(super) fn times(&self, other: &Self) -> Computed {
        if let (Self::Number(left), Self::Number(right)) = (self, other) {
            return left.checked_mul(*right).map(Self::Number).ok_or(Excess::Number);
        }
        if *self == Self::ONE {
            return Ok(other.clone());
        }
        if *other == Self::ONE {
            return Ok(self.clone());
        }
        let (left_terms, right_terms) = (self.terms(), other.terms());
        if left_terms.len() * right_terms.len() > 4 * MAX_TERMS {
            return Err(Excess::Terms);
        }
        let mut terms = BTreeMap::<Monomial, i128>::new();
        for (left_factors, left) in &left_terms {
            for (right_factors, right) in &right_terms {
                let product = left.checked_mul(*right).ok_or(Excess::Number)?;
                let sum = terms.entry(product_of(left_factors, right_factors)?).or_default();
                *sum = sum.checked_add(product).ok_or(Excess::Number)?;
            }
        }
        Self::from_terms(terms)
    }

    /// The product of all quantities.
    pub(super) fn product<'q>(quantities: impl IntoIterator<Item = &'q Self>) -> Computed {
        quantities.into_iter().try_fold(Self::ONE, |product, factor| product.times(factor))
    }

    /// The value of a function; `None` if it has no value, such as a division by zero.
    pub(super) fn call(function: Function, left: &Self, right: &Self) -> Option<Self> {
        if let (Some(left), Some(right)) = (left.number(), right.number()) {
            return function.of_numbers(left, right).map(Self::Number);
        }
        match (function, right) {
            (Function::FloorDiv | Function::Mod, Self::Number(..=0)) => return None,
            (Function::FloorDiv, Self::Number(1)) => return Some(left.clone()),
            (Function::Mod, Self::Number(1)) => return Some(Self::ZERO),
            (Function::FloorDiv, Self::Number(divisor)) if left.is_multiple_of(*divisor) => {
                let quotients =
                    left.terms().into_iter().map(|(monomial, number)| (monomial, number / divisor));
                return Self::from_terms(quotients.collect()).ok();
            }
            (Function::Mod, Self::Number(divisor)) if left.is_multiple_of(*divisor) => {
                return Some(Self::ZERO);
            }
            (Function::Max | Function::Min, _) => {
                if let Some(sign) = left.minus(right).ok().and_then(|difference| difference.sign()) {
                    let is_left = (sign >= 0) == (function == Function::Max);
                    return Some(if is_left { left.clone() } else { right.clone() });
                }
            }
            _ => {}
        }
        let spelling = match function {
            Function::CeilLog2 => format!("{}({left})", function.name()),
            _ => format!("{}({left}, {right})", function.name()),
        };
        let call = Call { function, left: left.clone(), right: right.clone() };
        Some(Self::from_atom(Atom::Call(spelling.into(), Rc::new(call))))
    }

    fn is_multiple_of(&self, divisor: i128) -> bool {
        divisor > 0 && self.terms().values().all(|coefficient| coefficient % divisor == 0)
    }

    /// The sign, if all dimensions of at least 1 give the same.
    pub(super) fn sign(&self) -> Option<i32> {
        match self {
            Self::Number(number) => Some(number.signum() as i32),
            Self::Polynomial(terms) => {
                let constant = terms.get(&Vec::new()).copied().unwrap_or_default();
                let factors = || terms.iter().filter(|(monomial, _)| !monomial.is_empty());
                let is_symbolic = terms.keys().flatten().all(|(atom, _)| matches!(atom, Atom::Symbol(_)));
                if !is_symbolic {
                    return None;
                }
                // Each symbol is at least 1, so that each term is at least its coefficient.
                let least = factors().try_fold(constant, |sum, (_, number)| sum.checked_add(*number))?;
                if factors().all(|(_, number)| *number > 0) && least > 0 {
                    return Some(1);
                }
                (factors().all(|(_, number)| *number < 0) && least < 0).then_some(-1)
            }
        }
    }

    /// The value for given dimensions; symbols without a value remain.
    pub(super) fn at(&self, values: &BTreeMap<String, i128>) -> Computed {
        let Self::Polynomial(terms) = self else { return Ok(self.clone()) };
        let mut sum = Self::ZERO;
        for (monomial, coefficient) in &**terms {
            let mut term = Self::Number(*coefficient);
            for (atom, exponent) in monomial {
                let factor = atom.at(values)?;
                for _ in 0..*exponent {
                    term = term.times(&factor)?;
                }
            }
            sum = sum.plus(&term)?;
        }
        Ok(sum)
    }

    /// Adds the names of the symbols.
    pub(super) fn add_symbols(&self, names: &mut std::collections::BTreeSet<String>) {
        let Self::Polynomial(terms) = self else { return };
        for (atom, _) in terms.keys().flatten() {
            match atom {
                Atom::Symbol(name) => {
                    names.insert(name.to_string());
                }
                Atom::Call(_, call) => {
                    call.left.add_symbols(names);
                    call.right.add_symbols(names);
                }
            }
        }
    }
}

impl Atom {
    fn at(&self, values: &BTreeMap<String, i128>) -> Computed {
        match self {
            Self::Symbol(name) => Ok(values
                .get(&**name)
                .map_or_else(|| Quantity::symbol(name), |value| Quantity::Number(*value))),
            Self::Call(_, call) => {
                let (left_value, right_value) = (call.left.at(values)?, call.right.at(values)?);
                Ok(Quantity::call(call.function, &left_value, &right_value)
                    .unwrap_or_else(|| Quantity::from_atom(self.clone())))
            }
        }
    }
}

// Merges two sorted lists of factors.
fn product_of(left: &Monomial, right: &Monomial) -> Result<Monomial, Excess> {
    let mut factors: BTreeMap<&Atom, u32> = left.iter().map(|(atom, exponent)| (atom, *exponent)).collect();
    for (atom, exponent) in right {
        let sum = factors.entry(atom).or_default();
        *sum = sum.checked_add(*exponent).filter(|sum| *sum <= 64).ok_or(Excess::Number)?;
    }
    Ok(factors.into_iter().map(|(atom, exponent)| (atom.clone(), exponent)).collect())
}

impl Display for Quantity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let terms = match self {
            Self::Number(number) => return number.fmt(f),
            Self::Polynomial(terms) => terms,
        };
        // Terms of higher degree come first, the constant last.
        let degree =
            |monomial: &Monomial| monomial.iter().map(|(_, exponent)| u64::from(*exponent)).sum::<u64>();
        let mut ordered: Vec<_> = terms.iter().collect();
        ordered.sort_by(|left, right| degree(right.0).cmp(&degree(left.0)).then_with(|| left.0.cmp(right.0)));
        for (place, (monomial, coefficient)) in ordered.into_iter().enumerate() {
            match (place, *coefficient < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            write_term(f, monomial, coefficient.unsigned_abs())?;
        }
        Ok(())
    }
}

fn write_term(f: &mut Formatter<'_>, monomial: &Monomial, coefficient: u128) -> fmt::Result {
    if coefficient != 1 || monomial.is_empty() {
        write!(f, "{coefficient}")?;
    }
    for (place, (atom, exponent)) in monomial.iter().enumerate() {
        if place > 0 || coefficient != 1 {
            f.write_str("*")?;
        }
        match atom {
            Atom::Symbol(name) => f.write_str(name)?,
            Atom::Call(spelling, _) => f.write_str(spelling)?,
        }
        if *exponent > 1 {
            write!(f, "^{exponent}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        Formula::parse(text).unwrap().evaluate(&|name, _| Ok(Some(Quantity::symbol(name)))).unwrap()
    }

    #[test]
    fn sums_and_products_are_polynomials() {
        for (text, spelling) in [
            ("12*b*s*d*d", "12*b*d^2*s"),
            ("(b + 1)*(b - 1)", "b^2 - 1"),
            ("2*b - b - b", "0"),
            ("b + 3*b*s + 7", "3*b*s + b + 7"),
            ("-b", "-b"),
            ("floordiv(4*b, 2)", "2*b"),
            ("floordiv(b, 2) * 2", "2*floordiv(b, 2)"),
            ("mod(b, 2)", "mod(b, 2)"),
            ("max(b, b + 1)", "b + 1"),
            ("ceil_log2(5)", "3"),
            ("ceil_log2(8)", "3"),
            ("b^3", "b^3"),
        ] {
            assert_eq!(quantity(text).to_string(), spelling, "{text}");
        }
    }

    #[test]
    fn values_replace_symbols() {
        let values = BTreeMap::from([("b".to_owned(), 7), ("s".to_owned(), 2)]);
        assert_eq!(quantity("b*s^2 + floordiv(b, 2)").at(&values).unwrap(), Quantity::Number(31));
        assert_eq!(quantity("b*d").at(&values).unwrap().to_string(), "7*d");
    }

    #[test]
    fn functions_round_down() {
        let numbers = |function: Function, left, right| function.of_numbers(left, right);
        assert_eq!(numbers(Function::FloorDiv, -7, 2), Some(-4));
        assert_eq!(numbers(Function::FloorDiv, 7, -2), Some(-4));
        assert_eq!(numbers(Function::FloorDiv, 1, 0), None);
        assert_eq!(numbers(Function::Mod, -7, 2), Some(1));
        assert_eq!(numbers(Function::CeilLog2, 1, 0), Some(0));
    }

    #[test]
    fn excess_is_reported() {
        let large = Quantity::Number(i128::MAX);
        assert_eq!(large.plus(&Quantity::ONE), Err(Excess::Number));
        let names: Vec<_> = (0..40).map(|number| Quantity::symbol(&format!("s{number}"))).collect();
        let sum = names.iter().try_fold(Quantity::ONE, |sum, name| sum.plus(name)).unwrap();
        assert_eq!(sum.times(&sum), Err(Excess::Terms));
    }

    #[test]
    fn signs_hold_for_all_dimensions() {
        assert_eq!(quantity("b*s").sign(), Some(1));
        assert_eq!(quantity("b - 1").sign(), None);
        assert_eq!(quantity("0 - b").sign(), Some(-1));
        assert_eq!(quantity("b - s").sign(), None);
    }
}
