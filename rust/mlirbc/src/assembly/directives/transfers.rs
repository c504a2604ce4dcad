//! Lists of parameter transfers, one on each line, of `stream` and `io_parameters` (`StreamOps.cpp` and
//! `IOParametersOps.cpp` of the IREE project).

use std::collections::BTreeMap;

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

use super::clauses::ClauseSteps;

/// A part of each line. Numbers refer to arguments of the directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TransferPart {
    /// Literals with the spaces around them.
    Text(&'static str),
    /// `%scope::%key`, or `%key`; all lines have one scope.
    Key(usize, usize),
    /// A value of this line.
    Each(usize),
    /// A value of all lines.
    Shared(usize),
    /// The type of a result of this line.
    EachType(usize),
    /// A type of all lines.
    SharedType(usize),
}

use TransferPart::{Each, EachType, Key, Shared, SharedType, Text};

/// `%scope::%key[%offset] : type{%size}`
const LOAD: &[TransferPart] =
    &[Key(0, 1), Text("["), Each(2), Text("] : "), EachType(3), Text("{"), Each(4), Text("}")];

/// `%scope::%key[%offset] -> %target[%offset to %end for %length] : type{%size}`
const ASYNC_GATHER: &[TransferPart] = &[
    Key(0, 1),
    Text("["),
    Each(2),
    Text("] -> "),
    Shared(3),
    Text("["),
    Each(6),
    Text(" to "),
    Each(7),
    Text(" for "),
    Each(8),
    Text("] : "),
    SharedType(4),
    Text("{"),
    Shared(5),
    Text("}"),
];

/// `%scope::%key[%offset] -> %target[%offset for %length] : type{%size}`
const GATHER: &[TransferPart] = &[
    Key(0, 1),
    Text("["),
    Each(2),
    Text("] -> "),
    Shared(3),
    Text("["),
    Each(6),
    Text(" for "),
    Each(7),
    Text("] : "),
    SharedType(4),
    Text("{"),
    Shared(5),
    Text("}"),
];

/// `%scope::%key[%offset] -> %target[%offset for %length] : type`
const UNSIZED_GATHER: &[TransferPart] = &[
    Key(0, 1),
    Text("["),
    Each(2),
    Text("] -> "),
    Shared(3),
    Text("["),
    Each(5),
    Text(" for "),
    Each(6),
    Text("] : "),
    SharedType(4),
];

/// `%source[%offset to %end for %length] : type{%size} -> %scope::%key[%offset]`
const ASYNC_SCATTER: &[TransferPart] = &[
    Shared(0),
    Text("["),
    Each(3),
    Text(" to "),
    Each(4),
    Text(" for "),
    Each(5),
    Text("] : "),
    SharedType(1),
    Text("{"),
    Shared(2),
    Text("} -> "),
    Key(6, 7),
    Text("["),
    Each(8),
    Text("]"),
];

/// `%source[%offset for %length] : type{%size} -> %scope::%key[%offset]`
const SCATTER: &[TransferPart] = &[
    Shared(0),
    Text("["),
    Each(3),
    Text(" for "),
    Each(4),
    Text("] : "),
    SharedType(1),
    Text("{"),
    Shared(2),
    Text("} -> "),
    Key(5, 6),
    Text("["),
    Each(7),
    Text("]"),
];

/// `%source[%offset for %length] : type -> %scope::%key[%offset]`
const UNSIZED_SCATTER: &[TransferPart] = &[
    Shared(0),
    Text("["),
    Each(2),
    Text(" for "),
    Each(3),
    Text("] : "),
    SharedType(1),
    Text(" -> "),
    Key(4, 5),
    Text("["),
    Each(6),
    Text("]"),
];

/// The values and types that the lines give to the operation, by argument.
struct Lines<S: DirectiveSyntax> {
    values: BTreeMap<usize, Vec<S::Value>>,
    types: BTreeMap<usize, Vec<S::Type>>,
}

impl<S: DirectiveSyntax> Lines<S> {
    fn add(&mut self, of: usize, value: S::Value) {
        self.values.entry(of).or_default().push(value);
    }

    /// Keeps a value that all lines have, or that no line has.
    fn share(&mut self, s: &mut S, argument: usize, value: Option<S::Value>, line: usize) -> Written<S> {
        let shared_values = self.values.entry(argument).or_default();
        match line {
            0 => shared_values.extend(value),
            _ if shared_values.first() != value.as_ref() => return Err(differs(s)),
            _ => {}
        }
        Ok(())
    }

    fn part(&mut self, s: &mut S, call: S::Call<'_>, part: TransferPart, line: usize) -> Written<S> {
        match part {
            Text(text) => s.text(text),
            Key(scope, keys) => self.key(s, call, [scope, keys], line),
            Each(of) => {
                let known_value = s.values_at(call, of)?.get(line).copied();
                let value = s.value(known_value)?;
                self.add(of, value);
                Ok(())
            }
            Shared(of) => {
                let known_value = s.values_at(call, of)?.first().copied();
                let value = s.value(known_value)?;
                self.share(s, of, Some(value), line)
            }
            EachType(of) => {
                let known_type = s.types_at(call, of)?.get(line).copied();
                let r#type = s.r#type(known_type)?;
                self.types.entry(of).or_default().push(r#type);
                Ok(())
            }
            SharedType(of) => {
                let known_type = s.types_at(call, of)?.first().copied();
                let r#type = s.r#type(known_type)?;
                let shared = self.types.entry(of).or_default();
                match (line, shared.first()) {
                    (0, _) => shared.push(r#type),
                    (_, Some(first)) if *first == r#type => {}
                    _ => return Err(differs(s)),
                }
                Ok(())
            }
        }
    }

    fn key(&mut self, s: &mut S, call: S::Call<'_>, [scope, keys]: [usize; 2], line: usize) -> Written<S> {
        let (known_scope, known_keys) = (s.values_at(call, scope)?, s.values_at(call, keys)?);
        let known_key = known_keys.get(line).copied();
        s.require(known_key.is_some() || !S::PRINTS)?;
        let first = s.value(known_scope.first().copied().or(known_key))?;
        if s.optional_text("::", |_| Ok(!known_scope.is_empty()))? {
            self.share(s, scope, Some(first), line)?;
            let key = s.value(known_key)?;
            self.add(keys, key);
        } else {
            self.share(s, scope, None, line)?;
            self.add(keys, first);
        }
        Ok(())
    }
}

fn differs<S: DirectiveSyntax>(s: &mut S) -> S::Error {
    s.refuse("its lines have different scopes or resources; they must have the same ones")
}

fn transfers<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, parts: &[TransferPart]) -> Written<S> {
    // As many as there are keys.
    let mut count = 0;
    for part in parts {
        if let Key(_, keys) = part {
            count = s.values_at(call, *keys)?.len();
        }
    }
    let mut lines = Lines { values: BTreeMap::new(), types: BTreeMap::new() };
    s.lines(count, |s, line| parts.iter().try_for_each(|part| lines.part(s, call, *part, line)))?;
    s.newline();
    for (argument, values) in lines.values {
        s.add_values_at(call, argument, values);
    }
    for (argument, types) in lines.types {
        s.set_types_at(call, argument, types);
    }
    Ok(())
}

pub(super) fn async_gather<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, ASYNC_GATHER)
}

pub(super) fn async_scatter<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, ASYNC_SCATTER)
}

pub(super) fn gather<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, GATHER)
}

pub(super) fn load<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, LOAD)
}

pub(super) fn scatter<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, SCATTER)
}

pub(super) fn unsized_gather<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, UNSIZED_GATHER)
}

pub(super) fn unsized_scatter<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    transfers(s, call, UNSIZED_SCATTER)
}
