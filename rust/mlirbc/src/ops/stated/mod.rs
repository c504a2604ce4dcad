//! Rules about operations that MLIR implements as C++, stated as conditions in a small language.
//!
//! Owns the table `data/operations/rules.txt` and its language. Does not evaluate conditions: `ir::verify` does,
//! and it treats a condition with an unknown part as satisfied.

mod expression;
mod parser;

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use super::table::OperationDefinition;
use crate::release::Moment;

pub(crate) use expression::{Expression, Function, Operator};
use parser::RuleParser;

const TABLE: &str = include_str!("../../../data/operations/rules.txt");

/// The mark between a condition and its message.
const SEPARATOR: &str = " -- ";

/// A condition that operations must satisfy.
#[derive(Debug)]
pub(crate) struct StatedRule {
    pub(crate) condition: Expression,
    pub(crate) message: Vec<MessagePart>,
    /// The names of operands, results and attributes that the condition or the message mentions.
    pub(crate) names: Vec<&'static str>,
    /// The first and the last release or build that has the rule.
    pub(crate) first: Moment,
    pub(crate) last: Moment,
    /// Whether the rule reads regions, other operations or constants, so that equal shapes may differ in it.
    pub(crate) reads_surroundings: bool,
}

/// A part of a message.
#[derive(Debug)]
pub(crate) enum MessagePart {
    Text(&'static str),
    /// The text of a value.
    Value(Expression),
}

/// A line of the table, which is parsed when an operation needs it: most files have operations of few headings.
#[derive(Debug)]
struct RuleLine {
    number: usize,
    text: &'static str,
    first: Moment,
    last: Moment,
    rule: OnceLock<Result<StatedRule, String>>,
}

impl RuleLine {
    /// Returns the rule of the line.
    ///
    /// # Errors
    /// A sentence with the number of the line. The tests of this file parse every line of the table.
    fn rule(&self) -> Result<&StatedRule, &String> {
        self.rule.get_or_init(|| self.parse()).as_ref()
    }

    fn parse(&self) -> Result<StatedRule, String> {
        let at = |error: String| format!("line {}: {error}", self.number);
        let (condition, message) = self
            .text
            .split_once(SEPARATOR)
            .ok_or_else(|| at(format!("expected `{SEPARATOR}` and a message")))?;
        let mut names = Vec::new();
        let mut reads_surroundings = false;
        let mut parse = |text: &'static str| {
            let mut parser = RuleParser::new(text, &mut names);
            let expression = parser.parse()?;
            reads_surroundings |= parser.reads_surroundings;
            Ok::<_, String>(expression)
        };
        let condition = parse(condition).map_err(at)?;
        let message = message_parts(message, &mut parse).map_err(at)?;
        let (first, last) = (self.first, self.last);
        Ok(StatedRule { condition, message, names, first, last, reads_surroundings })
    }
}

/// The rules by the operations that they are about.
#[derive(Debug, Default)]
struct RuleTable {
    lines: Vec<RuleLine>,
    /// Keys: the name of an operation, `%` and the name of a trait, or `dialect.*`.
    subjects: HashMap<&'static str, Vec<usize>>,
}

static RULES: LazyLock<Result<RuleTable, String>> = LazyLock::new(|| RuleTable::parse(TABLE));

/// Returns the rules for the operations of a definition, each with its number in the table.
pub(crate) fn stated_rules(definition: &OperationDefinition) -> Vec<(usize, &'static StatedRule)> {
    let Ok(table) = &*RULES else { return Vec::new() };
    let dialect = definition.name().split('.').next().unwrap_or_default();
    let traits = definition.traits().iter().map(|r#trait| format!("%{}", r#trait.name()));
    let subjects = traits.chain([definition.name().to_owned(), format!("{dialect}.*")]);
    let mut numbers: Vec<usize> =
        subjects.filter_map(|subject| table.subjects.get(&*subject)).flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let rule = |number: usize| Some((number, table.lines.get(number)?.rule().ok()?));
    numbers.into_iter().filter_map(rule).collect()
}

/// The operations and the releases of the rules that follow a heading.
#[derive(Debug, Clone)]
struct Heading {
    subjects: Vec<&'static str>,
    first: Moment,
    last: Moment,
}

impl Heading {
    /// Parses `on NAME NAME since RELEASE until RELEASE`.
    fn parse(line: &'static str) -> Result<Self, String> {
        let mut heading =
            Self { subjects: Vec::new(), first: Moment::Release(0), last: Moment::Release(u32::MAX) };
        let mut words = line.split_whitespace().skip(1);
        while let Some(word) = words.next() {
            match word {
                "since" => heading.first = moment(words.next())?,
                "until" => heading.last = moment(words.next())?,
                subject => heading.subjects.push(subject),
            }
        }
        Ok(heading)
    }
}

/// Parses a release of LLVM, or the day of a change.
fn moment(word: Option<&'static str>) -> Result<Moment, String> {
    let word = word.ok_or("expected a release after `since` and `until`")?;
    match word.parse() {
        Ok(llvm) => Ok(Moment::Release(llvm)),
        Err(_) if word.contains('-') => Ok(Moment::Day(word)),
        Err(_) => Err(format!("expected a release or a day, found `{word}`")),
    }
}

impl RuleTable {
    fn parse(text: &'static str) -> Result<Self, String> {
        let mut table = Self::default();
        let mut heading = Heading::parse("on")?;
        for (number, line) in text.lines().enumerate() {
            let at = |error: String| format!("line {}: {error}", number + 1);
            match line.trim() {
                comment if comment.is_empty() || comment.starts_with('#') => {}
                names if names.starts_with("on ") => heading = Heading::parse(names).map_err(at)?,
                rule => table.add(&heading, number + 1, rule),
            }
        }
        Ok(table)
    }

    fn add(&mut self, heading: &Heading, number: usize, text: &'static str) {
        for subject in &heading.subjects {
            self.subjects.entry(subject).or_default().push(self.lines.len());
        }
        let (first, last) = (heading.first, heading.last);
        self.lines.push(RuleLine { number, text, first, last, rule: OnceLock::new() });
    }
}

/// Splits a message at its expressions in braces.
fn message_parts(
    mut text: &'static str,
    parse: &mut impl FnMut(&'static str) -> Result<Expression, String>,
) -> Result<Vec<MessagePart>, String> {
    let mut parts = Vec::new();
    while let Some((before, rest)) = text.split_once('{') {
        let (value, after) = rest.split_once('}').ok_or("expected `}` in a message")?;
        parts.extend([MessagePart::Text(before), MessagePart::Value(parse(value)?)]);
        text = after;
    }
    parts.push(MessagePart::Text(text));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    #[test]
    fn the_table_can_be_parsed() {
        let table = RULES.as_ref().unwrap();
        assert!(table.lines.len() > 60, "{}", table.lines.len());
        for line in &table.lines {
            assert!(line.rule().is_ok(), "{:?}", line.rule());
        }
    }

    #[test]
    fn a_rule_names_parts_of_its_operations() {
        let releases = ["llvm-16", "llvm-19", "llvm-22", "stablehlo-1.20", "jaxlib-0.10"];
        let all: Vec<_> = releases.iter().filter_map(|name| OperationDefinitions::named(name)).collect();
        for (subject, numbers) in &RULES.as_ref().unwrap().subjects {
            if subject.starts_with('%') || subject.ends_with(".*") {
                continue;
            }
            let definitions: Vec<_> = all.iter().filter_map(|release| release.get(subject)).collect();
            assert!(!definitions.is_empty(), "no release has `{subject}`");
            for number in numbers {
                for name in &RULES.as_ref().unwrap().lines[*number].rule().unwrap().names {
                    let has_name = definitions.iter().any(|definition| {
                        definition.attribute(name).is_some()
                            || definition.operands().iter().any(|operand| operand.name() == *name)
                            || definition.results().iter().any(|result| result.name() == *name)
                    });
                    assert!(has_name, "`{subject}` has no `{name}`");
                }
            }
        }
    }

    #[test]
    fn malformed_rules_are_refused() {
        for (text, part) in [
            ("on a.b\n  rank(x) = 1 -- m", "line 2"),
            ("on a.b\n  rank(x) == 1", "and a message"),
            ("on a.b\n  unknown(x) -- m", "no function `unknown`"),
            ("on a.b\n  rank(x, y) -- m", "`rank` has 1 argument"),
            ("on a.b since x\n", "a release or a day"),
            ("on a.b\n  true -- {x", "expected `}`"),
        ] {
            let error = RuleTable::parse(text).and_then(|table| match table.lines.first() {
                Some(line) => line.rule().map(drop).map_err(String::clone),
                None => Ok(()),
            });
            let error = error.unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
