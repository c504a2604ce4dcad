//! The parser of conditions: operators by precedence, function calls, lists and names.

use super::expression::{Expression, Function, Operator};

/// A token of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Word(&'static str),
    Number(i64),
    Text(&'static str),
    Mark(&'static str),
    End,
}

/// The marks, longer ones before their beginnings.
const MARKS: &[&str] =
    &["=>", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ","];

/// Each level binds more strongly than the level before.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("=>", Operator::Implies)],
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

pub(super) struct RuleParser<'n> {
    rest: &'static str,
    token: Token,
    names: &'n mut Vec<&'static str>,
    pub(super) reads_surroundings: bool,
}

impl<'n> RuleParser<'n> {
    pub(super) fn new(text: &'static str, names: &'n mut Vec<&'static str>) -> Self {
        Self { rest: text, token: Token::End, names, reads_surroundings: false }
    }

    /// Parses a whole text.
    ///
    /// # Errors
    /// A sentence about the first error.
    pub(super) fn parse(&mut self) -> Result<Expression, String> {
        self.advance()?;
        let expression = self.level(0)?;
        match self.token {
            Token::End => Ok(expression),
            token => Err(format!("expected the end of the condition, found {token:?}")),
        }
    }

    fn advance(&mut self) -> Result<Token, String> {
        let text = self.rest.trim_start();
        let length = |is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
        let first = text.chars().next();
        let (token, size) = match first {
            None => (Token::End, 0),
            Some('0'..='9') => {
                let (digits, _) = text.split_at(length(|c| c.is_ascii_digit()));
                let number = digits.parse().map_err(|_| format!("`{digits}` is too large"))?;
                (Token::Number(number), digits.len())
            }
            Some('\'') => {
                let (contents, _) =
                    text.get(1..).and_then(|rest| rest.split_once('\'')).ok_or("expected `'`")?;
                (Token::Text(contents), contents.len() + 2)
            }
            Some(letter) if letter.is_ascii_alphabetic() || letter == '_' => {
                let (word, _) = text.split_at(length(|c| c.is_ascii_alphanumeric() || c == '_'));
                (Token::Word(word), word.len())
            }
            Some(letter) => {
                let mark = MARKS.iter().find(|mark| text.starts_with(**mark));
                let mark = mark.ok_or_else(|| format!("unexpected `{letter}`"))?;
                (Token::Mark(mark), mark.len())
            }
        };
        self.rest = text.get(size..).unwrap_or_default();
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn level(&mut self, number: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(number) else { return self.prefixed() };
        let mut left = self.level(number + 1)?;
        loop {
            let (Token::Mark(text) | Token::Word(text)) = self.token else { return Ok(left) };
            let Some((_, operator)) = operators.iter().find(|row| row.0 == text) else { return Ok(left) };
            self.advance()?;
            // Implications associate to the right.
            let right = self.level(if *operator == Operator::Implies { number } else { number + 1 })?;
            left = Expression::Binary(*operator, Box::new(left), Box::new(right));
        }
    }

    fn prefixed(&mut self) -> Result<Expression, String> {
        match self.token {
            Token::Word("not") => {
                self.advance()?;
                Ok(Expression::Not(Box::new(self.prefixed()?)))
            }
            Token::Mark("-") => {
                self.advance()?;
                let zero = Box::new(Expression::Number(0));
                Ok(Expression::Binary(Operator::Subtract, zero, Box::new(self.prefixed()?)))
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Result<Expression, String> {
        match self.advance()? {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(text) => Ok(Expression::Text(text)),
            Token::Mark("(") => {
                let inner = self.level(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Mark("[") => Ok(Expression::List(self.arguments("]")?)),
            Token::Word(word) if self.token == Token::Mark("(") => self.call(word),
            Token::Word(word) => Ok(self.word(word)),
            token => Err(format!("expected a value, found {token:?}")),
        }
    }

    fn word(&mut self, word: &'static str) -> Expression {
        match word {
            "operands" => Expression::Operands,
            "results" => Expression::Results,
            "it" => Expression::Item,
            "outer" => Expression::OuterItem,
            "place" => Expression::Place,
            "true" => Expression::Bool(true),
            "false" => Expression::Bool(false),
            name => {
                let place = self.names.iter().position(|place| *place == name);
                Expression::Name(place.unwrap_or_else(|| {
                    self.names.push(name);
                    self.names.len() - 1
                }))
            }
        }
    }

    fn call(&mut self, word: &str) -> Result<Expression, String> {
        self.advance()?;
        let function = Function::named(word).ok_or_else(|| format!("there is no function `{word}`"))?;
        let arguments = self.arguments(")")?;
        if arguments.len() != function.arity() {
            let (expected, count) = (function.arity(), arguments.len());
            return Err(format!("`{word}` has {expected} argument(s), found {count}"));
        }
        self.reads_surroundings |= function.reads_surroundings();
        Ok(Expression::Call(function, arguments))
    }

    fn arguments(&mut self, end: &'static str) -> Result<Vec<Expression>, String> {
        let mut arguments = Vec::new();
        while self.token != Token::Mark(end) {
            arguments.push(self.level(0)?);
            if self.token != Token::Mark(",") {
                break;
            }
            self.advance()?;
        }
        self.expect(end)?;
        Ok(arguments)
    }

    fn expect(&mut self, mark: &'static str) -> Result<(), String> {
        match self.advance()? {
            Token::Mark(found) if found == mark => Ok(()),
            token => Err(format!("expected `{mark}`, found {token:?}")),
        }
    }
}
