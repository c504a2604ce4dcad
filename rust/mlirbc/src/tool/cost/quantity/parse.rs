//! Formulas as users and JAX write them: `2*b + 1`, `floordiv(b, 2)`, `2*elements(result)`.

use super::{Excess, Function, Quantity};

/// The greatest length of a formula in bytes.
const MAX_TEXT: usize = 1 << 12;
/// The greatest depth of parentheses.
const MAX_DEPTH: u32 = 64;

/// A formula that was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Formula {
    Number(i128),
    /// A name with arguments: `b`, `elements(operand, 0)`.
    Name(String, Vec<Formula>),
    Sum(Box<Formula>, Box<Formula>),
    Difference(Box<Formula>, Box<Formula>),
    Product(Box<Formula>, Box<Formula>),
    Power(Box<Formula>, u32),
}

/// The byte at which a formula is invalid, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct FormulaError {
    pub(in super::super) at: usize,
    pub(in super::super) reason: String,
}

/// Finds the value of a name with its arguments; `None` if the name has no value.
pub(in super::super) type Lookup<'l> = dyn Fn(&str, &[Formula]) -> Result<Option<Quantity>, Excess> + 'l;

/// Why a formula has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum NoValue {
    Excess(Excess),
    Name(String),
}

impl std::fmt::Display for NoValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Excess(Excess::Number) => f.write_str("a number exceeds 127 bits"),
            Self::Excess(Excess::Terms) => f.write_str("it has more than 256 terms"),
            Self::Name(name) => write!(f, "`{name}` has no value for a call"),
        }
    }
}

impl From<Excess> for NoValue {
    fn from(excess: Excess) -> Self {
        Self::Excess(excess)
    }
}

impl Formula {
    pub(in super::super) fn parse(text: &str) -> Result<Self, FormulaError> {
        if text.len() > MAX_TEXT {
            return Err(FormulaError {
                at: MAX_TEXT,
                reason: format!("a formula has at most {MAX_TEXT} bytes"),
            });
        }
        let mut parser = Parser { text, at: 0, depth: 0 };
        let formula = parser.sum()?;
        match parser.peek() {
            None => Ok(formula),
            Some(_) => Err(parser.error("expected an operator or the end")),
        }
    }

    pub(in super::super) fn evaluate(&self, lookup: &Lookup<'_>) -> Result<Quantity, NoValue> {
        let value = |formula: &Self| formula.evaluate(lookup);
        Ok(match self {
            Self::Number(number) => Quantity::Number(*number),
            Self::Sum(left, right) => value(left)?.plus(&value(right)?)?,
            Self::Difference(left, right) => value(left)?.minus(&value(right)?)?,
            Self::Product(left, right) => value(left)?.times(&value(right)?)?,
            Self::Power(base, exponent) => {
                let base = value(base)?;
                (0..*exponent).try_fold(Quantity::ONE, |power, _| power.times(&base))?
            }
            Self::Name(name, arguments) => match (Function::from_name(name), &arguments[..]) {
                (Some(function), [left]) if function == Function::CeilLog2 => {
                    Quantity::call(function, &value(left)?, &Quantity::ZERO)
                        .ok_or_else(|| NoValue::Name(name.clone()))?
                }
                (Some(function), [left, right]) if function != Function::CeilLog2 => {
                    Quantity::call(function, &value(left)?, &value(right)?)
                        .ok_or_else(|| NoValue::Name(name.clone()))?
                }
                _ => lookup(name, arguments)?.ok_or_else(|| NoValue::Name(name.clone()))?,
            },
        })
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<u8> {
        let remaining = self.text.as_bytes().get(self.at..)?;
        self.at += remaining.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, reason: &str) -> FormulaError {
        FormulaError { at: self.at, reason: reason.to_owned() }
    }

    fn skip(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn sum(&mut self) -> Result<Formula, FormulaError> {
        let mut sum = self.product()?;
        loop {
            if self.skip(b'+') {
                sum = Formula::Sum(Box::new(sum), Box::new(self.product()?));
            } else if self.skip(b'-') {
                sum = Formula::Difference(Box::new(sum), Box::new(self.product()?));
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Formula, FormulaError> {
        let mut product = self.power()?;
        while self.skip(b'*') {
            product = Formula::Product(Box::new(product), Box::new(self.power()?));
        }
        Ok(product)
    }

    fn power(&mut self) -> Result<Formula, FormulaError> {
        let base = self.factor()?;
        if !self.skip(b'^') {
            return Ok(base);
        }
        match self.peek() {
            Some(b'0'..=b'9') => {}
            _ => return Err(self.error("expected an exponent")),
        }
        match self.number()? {
            exponent @ 0..=64 => Ok(Formula::Power(Box::new(base), exponent as u32)),
            _ => Err(self.error("an exponent is at most 64")),
        }
    }

    fn factor(&mut self) -> Result<Formula, FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("too many parentheses"));
        }
        let formula = match self.peek() {
            Some(b'(') => {
                self.at += 1;
                let inner = self.sum()?;
                match self.skip(b')') {
                    true => Ok(inner),
                    false => Err(self.error("expected `)`")),
                }
            }
            Some(b'-') => {
                self.at += 1;
                let negated = self.power()?;
                Ok(Formula::Difference(Box::new(Formula::Number(0)), Box::new(negated)))
            }
            Some(b'0'..=b'9') => self.number().map(Formula::Number),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.name(),
            _ => Err(self.error("expected a number, a name or `(`")),
        };
        self.depth -= 1;
        formula
    }

    fn number(&mut self) -> Result<i128, FormulaError> {
        let remaining = &self.text[self.at..];
        let len = remaining.bytes().take_while(u8::is_ascii_digit).count();
        let number = remaining[..len].parse().map_err(|_| self.error("the number has more than 127 bits"))?;
        self.at += len;
        Ok(number)
    }

    fn name(&mut self) -> Result<Formula, FormulaError> {
        let remaining = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let len = remaining.bytes().take_while(is_part).count();
        let name = remaining[..len].to_owned();
        self.at += len;
        let mut arguments = Vec::new();
        if self.skip(b'(') && !self.skip(b')') {
            loop {
                arguments.push(self.sum()?);
                if self.skip(b')') {
                    break;
                }
                if !self.skip(b',') {
                    return Err(self.error("expected `,` or `)`"));
                }
            }
        }
        Ok(Formula::Name(name, arguments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_a_place() {
        for (text, at) in
            [("", 0), ("2*", 2), ("(b", 2), ("b b", 2), ("f(a", 3), ("b^c", 2), ("b^99", 4), ("é", 0)]
        {
            assert_eq!(Formula::parse(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn depth_and_length_are_limited() {
        assert!(Formula::parse(&"(".repeat(1000)).is_err());
        assert!(Formula::parse(&"-".repeat(1000)).is_err());
        assert!(Formula::parse(&"1+".repeat(4000)).is_err());
    }

    #[test]
    fn names_without_a_value_are_named() {
        let value = Formula::parse("elements(x)").unwrap().evaluate(&|_, _| Ok(None));
        assert_eq!(value, Err(NoValue::Name("elements".to_owned())));
    }
}
