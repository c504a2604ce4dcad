//! The interpreter of templates: each part writes its piece of the text, or reads it.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, Bracket, Direction, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::super::steps::DirectiveSteps;
use super::{PartKind, Store, Template, TemplatePart};

impl Template {
    /// Writes or reads the parts, and gives the operation what was read.
    pub(in crate::assembly::directives) fn run<S: DirectiveSyntax>(
        &self,
        s: &mut S,
        call: S::Call<'_>,
    ) -> Written<S> {
        let mut run = Run { call, stores: &self.stores, columns: Vec::new() };
        for (place, store) in self.stores.iter().enumerate() {
            run.columns.push(Column::of(s, call, place, store)?);
        }
        run.parts(s, &self.parts, 0)?;
        match S::PRINTS {
            // All operands and numbers are shown.
            true => s.require(run.columns.iter().all(|column| {
                column.known.values.len() == column.read.values.len()
                    && (column.known.numbers.is_empty() || column.is_shown)
            })),
            false => run.give(s, &self.parts),
        }
    }
}

/// The values of an argument of one kind, one for each line.
struct Cells<S: Direction> {
    values: Vec<S::Value>,
    types: Vec<S::Type>,
    attributes: Vec<S::Attribute>,
    numbers: Vec<i64>,
}

impl<S: Direction> Cells<S> {
    fn new() -> Self {
        Self { values: Vec::new(), types: Vec::new(), attributes: Vec::new(), numbers: Vec::new() }
    }

    fn len(&self) -> usize {
        self.values.len() + self.types.len() + self.attributes.len() + self.numbers.len()
    }
}

/// An argument of the directive.
struct Column<S: Direction> {
    kind: Option<ArgumentKind>,
    known: Cells<S>,
    read: Cells<S>,
    /// Whether the text has the argument, which may be empty.
    is_shown: bool,
}

impl<S: DirectiveSyntax> Column<S> {
    fn of(s: &mut S, call: S::Call<'_>, place: usize, store: &Store) -> Result<Self, S::Error> {
        let (kind, mut known) = (S::kind_at(call, place), Cells::new());
        match (kind, store) {
            _ if !S::PRINTS => {}
            (_, Store::Unused) => {}
            (Some(ArgumentKind::Operand), _) => known.values.extend_from_slice(&s.values_at(call, place)?),
            (Some(ArgumentKind::Type), _) => known.types = s.types_at(call, place)?,
            (_, Store::One) => known.attributes.extend(s.attribute_at(call, place)?),
            (_, Store::Array) => known.attributes = s.items_at(call, place)?,
            _ => known.numbers = s.integers_at(call, place)?,
        }
        Ok(Self { kind, known, read: Cells::new(), is_shown: false })
    }
}

struct Run<'r, 'c, S: DirectiveSyntax> {
    call: S::Call<'c>,
    stores: &'r [Store],
    columns: Vec<Column<S>>,
}

impl<S: DirectiveSyntax> Run<'_, '_, S> {
    fn parts(&mut self, s: &mut S, parts: &[TemplatePart], line: usize) -> Written<S> {
        parts.iter().try_for_each(|part| self.part(s, part, line))
    }

    fn part(&mut self, s: &mut S, part: &TemplatePart, line: usize) -> Written<S> {
        match part.kind {
            PartKind::Text => return s.text(&part.text),
            PartKind::Newline => s.newline(),
            PartKind::Indent => s.indent(),
            PartKind::Dedent => s.dedent(),
            PartKind::Maybe | PartKind::Unless | PartKind::Required => return self.group(s, part, line),
            PartKind::Key => return self.key(s, part, line),
            PartKind::TypedValues => {
                let [values, types] = part.places[..] else { return Ok(()) };
                let typed_values = s.typed_values(&self.columns[values].known.values)?;
                self.columns[values].read.values = typed_values.values;
                self.columns[types].read.types = typed_values.types;
            }
            // The types are known at the end.
            PartKind::Same | PartKind::Each => {}
            kind if kind.is_list() => return self.list(s, part),
            _ => return self.cell(s, part, line),
        }
        Ok(())
    }

    fn group(&mut self, s: &mut S, part: &TemplatePart, line: usize) -> Written<S> {
        let first = match S::PRINTS {
            true => {
                let is_present = |&place: &usize| self.columns[place].known.len() > line;
                (part.places.iter().any(is_present) != (part.kind == PartKind::Unless)).then_some(0)
            }
            false if part.kind == PartKind::Required => Some(0),
            false => begins(s, &part.parts)?,
        };
        let parts = first.and_then(|first| part.parts.get(first..));
        self.parts(s, parts.unwrap_or(&part.otherwise), line)
    }

    fn list(&mut self, s: &mut S, part: &TemplatePart) -> Written<S> {
        let mut count = None;
        for place in TemplatePart::lines(&part.parts) {
            let column = &mut self.columns[place];
            column.is_shown = true;
            let column_length = column.known.len();
            s.require(*count.get_or_insert(column_length) == column_length)?;
        }
        let count = count.unwrap_or(0);
        let mut item = |s: &mut S, line: usize| self.parts(s, &part.parts, line);
        match part.kind {
            PartKind::List => s.separated(count, item),
            PartKind::Lines => s.lines(count, item),
            PartKind::Trailing => {
                let mut line = 0;
                while s.optional_text(", ", |_| Ok(line < count))? {
                    item(s, line)?;
                    line += 1;
                }
                Ok(())
            }
            kind => s.list(bracket(kind).0, count, item),
        }
    }

    /// A part with one argument.
    fn cell(&mut self, s: &mut S, part: &TemplatePart, line: usize) -> Written<S> {
        let Some(&place) = part.places.first() else { return Ok(()) };
        let (call, store, Column { kind, known, read, is_shown }) =
            (self.call, &self.stores[place], &mut self.columns[place]);
        let known_attribute = known.attributes.get(line).copied();
        match (part.kind, kind) {
            (PartKind::Values, _) => read.values = s.values(&known.values)?,
            (PartKind::Types, _) => read.types = s.types(&known.types)?,
            (PartKind::Results, _) => read.types = s.plain_result_types(&known.types)?,
            (PartKind::Shared, Some(ArgumentKind::Operand)) => {
                let value = s.value(known.values.first().copied())?;
                return share(s, &mut read.values, Some(value), line);
            }
            (PartKind::Shared, _) => {
                let r#type = s.r#type(known.types.first().copied())?;
                return share(s, &mut read.types, Some(r#type), line);
            }
            (PartKind::One, Some(ArgumentKind::Operand)) => {
                read.values.push(s.value(known.values.get(line).copied())?);
            }
            (PartKind::One, Some(ArgumentKind::Type)) => {
                read.types.push(s.r#type(known.types.get(line).copied())?);
            }
            (PartKind::One, _) => {
                let value = s.attribute(known_attribute)?;
                match store {
                    Store::One => s.set_at(call, place, value),
                    _ => read.attributes.push(value),
                }
            }
            (PartKind::Item, _) => read.attributes.push(s.item(known_attribute)?),
            (PartKind::Number, _) => {
                read.numbers.push(s.integer(known.numbers.get(line).copied())?);
                *is_shown = true;
            }
            (PartKind::Flag, _) => {
                let is_set = known.numbers.get(line).is_some_and(|flag| *flag != 0);
                read.numbers.push(s.optional_text(&part.text, |_| Ok(is_set))?.into());
                *is_shown = true;
            }
            (PartKind::Empty, _) => *is_shown = true,
            (PartKind::Word, _) => return s.word_at(call, place),
            (PartKind::TypeAttribute, _) => return s.type_attribute_at(call, place).map(drop),
            (PartKind::Unit, _) => return s.set_unit_at(call, place),
            (kind, _) => {
                let known_text = known_attribute.and_then(|known_text| s.string(known_text));
                let text = match kind {
                    PartKind::Symbol => s.symbol(known_text.as_deref())?,
                    _ => s.unescaped(known_text.as_deref())?,
                };
                return s.set_string_at(call, place, &text);
            }
        }
        Ok(())
    }

    fn key(&mut self, s: &mut S, part: &TemplatePart, line: usize) -> Written<S> {
        let [scope, keys] = part.places[..] else { return Ok(()) };
        let known_scope = self.columns[scope].known.values.first().copied();
        let known_key = self.columns[keys].known.values.get(line).copied();
        s.require(known_key.is_some() || !S::PRINTS)?;
        let first = s.value(known_scope.or(known_key))?;
        let has_scope = s.optional_text("::", |_| Ok(known_scope.is_some()))?;
        share(s, &mut self.columns[scope].read.values, has_scope.then_some(first), line)?;
        let key = if has_scope { s.value(known_key)? } else { first };
        self.columns[keys].read.values.push(key);
        Ok(())
    }

    // ---- what was read ----

    fn give(self, s: &mut S, parts: &[TemplatePart]) -> Written<S> {
        let call = self.call;
        let implied = || parts.iter().filter(|part| matches!(part.kind, PartKind::Same | PartKind::Each));
        for (place, (column, store)) in self.columns.into_iter().zip(self.stores).enumerate() {
            let Cells { values, types, attributes, numbers } = column.read;
            match (column.kind, store) {
                (_, Store::Unused) => {}
                // Types that only others follow are read elsewhere in the format.
                (Some(ArgumentKind::Type), _)
                    if types.is_empty() && implied().any(|part| part.places.get(1) == Some(&place)) => {}
                (Some(ArgumentKind::Operand), _) => s.add_values_at(call, place, values),
                (Some(ArgumentKind::Type), _) => s.set_types_at(call, place, types),
                _ if !column.is_shown => {}
                (_, Store::One) => {}
                (_, Store::Array) => s.set_array_at(call, place, &attributes)?,
                (_, Store::Integers(r#type)) => s.set_integers_at(call, place, r#type, &numbers)?,
                (_, Store::Integer(r#type)) => {
                    s.set_integer_at(call, place, numbers.first().copied().unwrap_or_default(), r#type)?;
                }
                (_, Store::Booleans) => {
                    let flags: Vec<bool> = numbers.iter().map(|flag| *flag != 0).collect();
                    s.set_booleans_at(call, place, &flags)?;
                }
            }
        }
        for part in implied() {
            let [place, like] = part.places[..] else { continue };
            let types = s.read_types_at(call, like);
            match (part.kind, types.first()) {
                (PartKind::Each, Some(&first)) => s.set_one_type_at(call, place, first),
                _ => s.set_types_at(call, place, types),
            }
        }
        Ok(())
    }
}

fn bracket(kind: PartKind) -> (Bracket, TokenKind) {
    match kind {
        PartKind::Square => (Bracket::Square, TokenKind::LeftSquare),
        PartKind::Curly => (Bracket::Curly, TokenKind::LeftBrace),
        _ => (Bracket::Round, TokenKind::LeftParen),
    }
}

/// The number of the first part that was not read, if the first part with a token comes next in a text that is read.
fn begins<S: DirectiveSyntax>(s: &mut S, parts: &[TemplatePart]) -> Result<Option<usize>, S::Error> {
    let is_visible = |part: &TemplatePart| match part.kind {
        PartKind::Text => !part.text.trim().is_empty(),
        kind => kind.places() > 0,
    };
    let Some(number) = parts.iter().position(is_visible) else { return Ok(None) };
    let is_next = match parts[number].kind {
        PartKind::Text => {
            return Ok(s.optional_text(&parts[number].text, |_| Ok(false))?.then_some(number + 1));
        }
        PartKind::Word => s.at(TokenKind::Identifier, |_| Ok(false))?,
        PartKind::One => s.at(TokenKind::Value, |_| Ok(false))?,
        kind => s.at(bracket(kind).1, |_| Ok(false))?,
    };
    Ok(is_next.then_some(number))
}

/// Keeps a value that all lines have, or that no line has.
fn share<S: Direction, T: PartialEq>(
    s: &mut S,
    shared: &mut Vec<T>,
    value: Option<T>,
    line: usize,
) -> Written<S> {
    match line {
        0 => shared.extend(value),
        _ if shared.first() == value.as_ref() => {}
        _ => {
            return Err(
                s.refuse("its lines have different scopes or resources; they must have the same ones")
            );
        }
    }
    Ok(())
}
