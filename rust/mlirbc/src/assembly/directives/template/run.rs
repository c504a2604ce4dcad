//! The interpreter of templates: each part writes its piece of the text, or reads it.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, Bracket, Direction, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::super::clauses::ClauseSteps;
use super::super::steps::DirectiveSteps;
use super::{
    Cell, ColumnRule, Group, List, ListStyle, Part, Place, Store, Template, Test, TypeRule, TypesStyle,
};

impl Template {
    /// Writes or reads the parts, and gives the operation what was read.
    pub(in crate::assembly::directives) fn run<S: DirectiveSyntax>(
        &self,
        s: &mut S,
        call: S::Call<'_>,
    ) -> Written<S> {
        let columns = self.columns.iter().map(|rule| Column::of(s, call, rule)).collect::<Result<_, _>>()?;
        let mut run = Run { call, columns };
        run.parts(s, &self.parts, 0)?;
        match S::PRINTS {
            true => s.require(run.columns.iter().all(Column::is_complete)),
            false => run.give(s, &self.parts),
        }
    }
}

/// The values of an argument, one for each line.
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
        // A column has cells of one kind.
        self.values.len() + self.types.len() + self.attributes.len() + self.numbers.len()
    }
}

/// An argument of the directive.
struct Column<'r, S: Direction> {
    rule: &'r ColumnRule,
    kind: Option<ArgumentKind>,
    known: Cells<S>,
    read: Cells<S>,
    /// Whether the text has the column, also if it is empty.
    is_shown: bool,
}

impl<'r, S: DirectiveSyntax> Column<'r, S> {
    fn of(s: &mut S, call: S::Call<'_>, rule: &'r ColumnRule) -> Result<Self, S::Error> {
        let (kind, mut known) = (S::kind_at(call, rule.argument), Cells::new());
        match (kind, &rule.store) {
            _ if !S::PRINTS => {}
            (Some(ArgumentKind::Operand), _) => {
                known.values.extend_from_slice(&s.values_at(call, rule.argument)?)
            }
            (Some(ArgumentKind::Type), _) => known.types = s.types_at(call, rule.argument)?,
            (_, Store::One) => known.attributes.extend(s.attribute_at(call, rule.argument)?),
            (_, Store::Array) => known.attributes = s.items_at(call, rule.argument)?,
            _ => known.numbers = s.integers_at(call, rule.argument)?,
        }
        Ok(Self { rule, kind, known, read: Cells::new(), is_shown: false })
    }

    /// Whether the text shows all operands and numbers.
    fn is_complete(&self) -> bool {
        self.rule.store == Store::Booleans
            || (self.known.values.len(), self.known.numbers.len())
                == (self.read.values.len(), self.read.numbers.len())
    }

    fn give(self, s: &mut S, call: S::Call<'_>) -> Written<S> {
        let place = self.rule.argument;
        match (self.kind, &self.rule.store) {
            (Some(ArgumentKind::Operand), _) => s.add_values_at(call, place, self.read.values),
            (Some(ArgumentKind::Type), _) => s.set_types_at(call, place, self.read.types),
            _ if !self.is_shown => {}
            (_, Store::One) => {}
            (_, Store::Array) => return s.set_array_at(call, place, &self.read.attributes),
            (_, Store::Integer(r#type)) => {
                let number = self.read.numbers.first().copied().unwrap_or_default();
                return s.set_integer_at(call, place, number, r#type);
            }
            (_, Store::Integers(r#type)) => {
                return s.set_integers_at(call, place, r#type, &self.read.numbers);
            }
            (_, Store::IntegerItems(r#type)) => {
                return s.set_integer_items_at(call, place, r#type, &self.read.numbers);
            }
            (_, Store::Booleans) => {
                let (name, flags) = (s.name_at(call, place), self.read.numbers.iter().map(|flag| *flag != 0));
                return s.set_booleans(&name, &flags.collect::<Vec<_>>());
            }
        }
        Ok(())
    }
}

struct Run<'r, 'c, S: DirectiveSyntax> {
    call: S::Call<'c>,
    columns: Vec<Column<'r, S>>,
}

impl<S: DirectiveSyntax> Run<'_, '_, S> {
    fn parts(&mut self, s: &mut S, parts: &[Part], line: usize) -> Written<S> {
        parts.iter().try_for_each(|part| self.part(s, part, line))
    }

    fn part(&mut self, s: &mut S, part: &Part, line: usize) -> Written<S> {
        match part {
            Part::Text(text) => return s.text(text),
            Part::Newline => s.newline(),
            Part::Indent => s.indent(),
            Part::Dedent => s.dedent(),
            Part::Cell(cell) => return self.cell(s, cell, line),
            Part::Group(group) => return self.group(s, group, line),
            Part::List(list) => return self.list(s, list),
            Part::Types(_) => {}
        }
        Ok(())
    }

    // ---- groups and lists ----

    fn is_present(&self, test: &Test, line: usize) -> bool {
        (self.columns[test.place].known.len() > line) != test.is_absent
    }

    fn group(&mut self, s: &mut S, group: &Group, line: usize) -> Written<S> {
        let first = match S::PRINTS || group.is_required {
            true => {
                let is_present = group.tests.iter().any(|test| self.is_present(test, line));
                (is_present || !S::PRINTS).then_some(0)
            }
            false => begins(s, &group.then)?,
        };
        let parts = first.and_then(|first| group.then.get(first..));
        self.parts(s, parts.unwrap_or(&group.otherwise), line)
    }

    fn list(&mut self, s: &mut S, list: &List) -> Written<S> {
        let count = self.columns[list.places[0]].known.len();
        for &place in &list.places {
            let column = &mut self.columns[place];
            column.is_shown = true;
            s.require(column.known.len() == count)?;
        }
        let item = |s: &mut S, line: usize| self.parts(s, &list.parts, line);
        match list.style {
            ListStyle::Separated => s.separated(count, item),
            ListStyle::Lines => s.lines(count, item),
            ListStyle::Bracketed(bracket) => s.list(bracket, count, item),
            ListStyle::Trailing => {
                let (mut item, mut line) = (item, 0);
                while s.optional_text(", ", |_| Ok(line < count))? {
                    item(s, line)?;
                    line += 1;
                }
                Ok(())
            }
        }
    }

    // ---- cells ----

    fn cell(&mut self, s: &mut S, cell: &Cell, line: usize) -> Written<S> {
        match cell {
            Cell::One(place) => self.one(s, *place, line)?,
            Cell::Shared(place) => self.shared(s, *place, line)?,
            Cell::Key(places) => self.key(s, *places, line)?,
            Cell::Values(place) => {
                let column = &mut self.columns[*place];
                column.read.values = s.values(&column.known.values)?;
            }
            Cell::Types(place, style) => {
                let column = &mut self.columns[*place];
                column.read.types = match style {
                    TypesStyle::Plain => s.types(&column.known.types)?,
                    TypesStyle::Results => s.result_types(&column.known.types)?,
                    TypesStyle::PlainResults => s.plain_result_types(&column.known.types)?,
                };
            }
            Cell::TypedValues([values, types]) => {
                let typed_values = s.typed_values(&self.columns[*values].known.values)?;
                self.columns[*values].read.values = typed_values.values;
                self.columns[*types].read.types = typed_values.types;
            }
            cell => self.attribute(s, cell, line)?,
        }
        Ok(())
    }

    /// A value, a type or an attribute.
    fn one(&mut self, s: &mut S, place: Place, line: usize) -> Written<S> {
        let Column { rule, kind, known, read, .. } = &mut self.columns[place];
        match kind {
            Some(ArgumentKind::Operand) => read.values.push(s.value(known.values.get(line).copied())?),
            Some(ArgumentKind::Type) => read.types.push(s.r#type(known.types.get(line).copied())?),
            _ => {
                let value = s.attribute(known.attributes.get(line).copied())?;
                match rule.store {
                    Store::One => s.set_at(self.call, rule.argument, value),
                    _ => read.attributes.push(value),
                }
            }
        }
        Ok(())
    }

    /// A value or a type that all lines have.
    fn shared(&mut self, s: &mut S, place: Place, line: usize) -> Written<S> {
        let Column { kind, known, read, .. } = &mut self.columns[place];
        let is_same = match kind {
            Some(ArgumentKind::Operand) => {
                let value = s.value(known.values.first().copied())?;
                share(&mut read.values, Some(value), line)
            }
            _ => {
                let r#type = s.r#type(known.types.first().copied())?;
                share(&mut read.types, Some(r#type), line)
            }
        };
        if is_same { Ok(()) } else { Err(differs(s)) }
    }

    fn key(&mut self, s: &mut S, [scope, keys]: [Place; 2], line: usize) -> Written<S> {
        let known_scope = self.columns[scope].known.values.first().copied();
        let known_key = self.columns[keys].known.values.get(line).copied();
        s.require(known_key.is_some() || !S::PRINTS)?;
        let first = s.value(known_scope.or(known_key))?;
        let has_scope = s.optional_text("::", |_| Ok(known_scope.is_some()))?;
        if !share(&mut self.columns[scope].read.values, has_scope.then_some(first), line) {
            return Err(differs(s));
        }
        let key = if has_scope { s.value(known_key)? } else { first };
        self.columns[keys].read.values.push(key);
        Ok(())
    }

    fn attribute(&mut self, s: &mut S, cell: &Cell, line: usize) -> Written<S> {
        match cell {
            Cell::Item(place) => {
                let column = &mut self.columns[*place];
                column.read.attributes.push(s.item(column.known.attributes.get(line).copied())?);
            }
            Cell::Number(place) => {
                let column = &mut self.columns[*place];
                column.read.numbers.push(s.integer(column.known.numbers.get(line).copied())?);
                column.is_shown = true;
            }
            Cell::Flag(place, text) => {
                let column = &mut self.columns[*place];
                let is_set = column.known.numbers.get(line).is_some_and(|flag| *flag != 0);
                column.read.numbers.push(s.optional_text(text, |_| Ok(is_set))?.into());
                column.is_shown = true;
            }
            Cell::Empty(place) => self.columns[*place].is_shown = true,
            cell => self.whole_attribute(s, cell)?,
        }
        Ok(())
    }

    /// Cells of attributes that a template has outside of lists.
    fn whole_attribute(&mut self, s: &mut S, cell: &Cell) -> Written<S> {
        let (Cell::Word(place)
        | Cell::Symbol(place)
        | Cell::UnescapedString(place)
        | Cell::TypeAttribute(place)
        | Cell::Unit(place)) = cell
        else {
            return Ok(());
        };
        let Column { rule, known, .. } = &self.columns[*place];
        let known_text = known.attributes.first().and_then(|&known_text| s.string(known_text));
        let text = match cell {
            Cell::Symbol(_) => s.symbol(known_text.as_deref())?,
            Cell::UnescapedString(_) => s.unescaped(known_text.as_deref())?,
            Cell::Word(_) => return s.word_at(self.call, rule.argument),
            Cell::TypeAttribute(_) => return s.type_attribute_at(self.call, rule.argument).map(drop),
            _ => return s.set_unit_at(self.call, rule.argument),
        };
        let name = s.name_at(self.call, rule.argument);
        s.set_string(&name, &text)
    }

    // ---- what was read ----

    fn give(self, s: &mut S, parts: &[Part]) -> Written<S> {
        let Self { call, columns } = self;
        let arguments: Vec<usize> = columns.iter().map(|column| column.rule.argument).collect();
        columns.into_iter().try_for_each(|column| column.give(s, call))?;
        for part in parts {
            match part {
                Part::Types(TypeRule::Same { place, like }) => {
                    let types = s.read_types_at(call, arguments[*like]);
                    s.set_types_at(call, arguments[*place], types);
                }
                Part::Types(TypeRule::Each { place, like }) => {
                    if let Some(&r#type) = s.read_types_at(call, arguments[*like]).first() {
                        s.set_one_type_at(call, arguments[*place], r#type);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether the first part with a token comes next in a text that is read: the number of the first part that was not read.
fn begins<S: DirectiveSyntax>(s: &mut S, parts: &[Part]) -> Result<Option<usize>, S::Error> {
    for (number, part) in parts.iter().enumerate() {
        let is_next = match part {
            Part::Text(text) if text.trim().is_empty() => continue,
            Part::Newline | Part::Indent | Part::Dedent | Part::Types(_) => continue,
            Part::Text(text) => {
                return Ok(s.optional_text(text, |_| Ok(false))?.then_some(number + 1));
            }
            Part::List(List { style: ListStyle::Bracketed(bracket), .. }) => {
                s.at(opens(*bracket), |_| Ok(false))?
            }
            Part::Cell(Cell::Word(_)) => s.at(TokenKind::Identifier, |_| Ok(false))?,
            _ => s.at(TokenKind::Value, |_| Ok(false))?,
        };
        return Ok(is_next.then_some(number));
    }
    Ok(None)
}

fn opens(bracket: Bracket) -> TokenKind {
    match bracket {
        Bracket::Round => TokenKind::LeftParen,
        Bracket::Square => TokenKind::LeftSquare,
        Bracket::Curly => TokenKind::LeftBrace,
    }
}

/// Keeps a value that all lines have, or that no line has. Returns whether that is so.
fn share<T: PartialEq>(shared: &mut Vec<T>, value: Option<T>, line: usize) -> bool {
    if line == 0 {
        shared.extend(value);
        return true;
    }
    shared.first() == value.as_ref()
}

fn differs<S: DirectiveSyntax>(s: &mut S) -> S::Error {
    s.refuse("its lines have different scopes or resources; they must have the same ones")
}
