//! The parser of templates.

use crate::assembly::Bracket;

use super::{
    Cell, ColumnRule, Group, List, ListStyle, Part, Place, Store, Template, Test, TypeRule, TypesStyle,
};

/// Parts that may be in one another; shipped templates have three.
const DEEPEST: usize = 16;

/// The result of reading a part, or the reason why the template is refused.
type Read<T> = Result<T, String>;

impl Template {
    /// Parses the text of a template.
    ///
    /// # Errors
    /// The reason why the text is refused.
    pub(crate) fn parse(text: &str) -> Read<Self> {
        let mut parser = Parser { rest: text, columns: Vec::new(), depth: 0, list: None };
        let parts = parser.parts()?;
        match parser.peek() {
            None => Ok(Self { parts, columns: parser.columns.into() }),
            Some(_) => Err(format!("expected the end of the template, found `{}`", parser.rest)),
        }
    }
}

struct Parser<'t> {
    rest: &'t str,
    columns: Vec<ColumnRule>,
    depth: usize,
    /// The arguments with an item for each line of the list that is read.
    list: Option<Vec<Place>>,
}

impl<'t> Parser<'t> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn eat(&mut self, mark: char) -> bool {
        self.peek();
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn expect(&mut self, mark: char) -> Read<()> {
        match self.eat(mark) {
            true => Ok(()),
            false => Err(format!("expected `{mark}` in a template, found `{}`", self.rest)),
        }
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        self.peek();
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn word(&mut self) -> &'t str {
        self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    }

    /// `` `text` ``
    fn text(&mut self) -> Read<Box<str>> {
        self.expect('`')?;
        let (text, rest) = self.rest.split_once('`').ok_or("a text in a template has no end")?;
        self.rest = rest;
        if text.bytes().any(|byte| !matches!(byte, b' '..=b'~')) {
            return Err(format!("the text {text:?} of a template is not printable"));
        }
        Ok(text.into())
    }

    /// `$0`
    fn argument(&mut self) -> Read<usize> {
        self.expect('$')?;
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        digits.parse().map_err(|_| format!("expected the number of an argument, found `{}`", self.rest))
    }

    /// An argument that is stored in this way.
    fn column(&mut self, store: Store) -> Read<Place> {
        let argument = self.argument()?;
        let known_place = self.columns.iter().position(|column| column.argument == argument);
        let place = known_place.unwrap_or(self.columns.len());
        match self.columns.get_mut(place) {
            Some(column) if column.store == Store::One => column.store = store,
            Some(_) => {}
            None => self.columns.push(ColumnRule { argument, store }),
        }
        Ok(place)
    }

    /// An argument with an item for each line, if a list is read.
    fn line(&mut self, in_list: Store, alone: Store) -> Read<Place> {
        let place = self.column(if self.list.is_some() { in_list } else { alone })?;
        if let Some(places) = &mut self.list {
            places.push(place);
        }
        Ok(place)
    }

    fn parts(&mut self) -> Read<Box<[Part]>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the template has more than {DEEPEST} levels"));
        }
        let mut parts = Vec::new();
        while let Some(next) = self.peek()
            && !matches!(next, ')' | '|')
        {
            parts.push(self.part(next)?);
        }
        self.depth -= 1;
        Ok(parts.into())
    }

    fn part(&mut self, next: char) -> Read<Part> {
        match next {
            '`' => return self.text().map(Part::Text),
            '$' => return self.line(Store::Array, Store::One).map(|place| Part::Cell(Cell::One(place))),
            _ => {}
        }
        let word = self.word();
        match word {
            "newline" => return Ok(Part::Newline),
            "indent" => return Ok(Part::Indent),
            "dedent" => return Ok(Part::Dedent),
            _ => self.expect('(')?,
        }
        let one = |this: &mut Self| this.column(Store::One);
        let part = match word {
            "maybe" => self.group(false)?,
            "required" => self.group(true)?,
            "list" => self.list(ListStyle::Separated)?,
            "trailing" => self.list(ListStyle::Trailing)?,
            "lines" => self.list(ListStyle::Lines)?,
            "round" => self.list(ListStyle::Bracketed(Bracket::Round))?,
            "square" => self.list(ListStyle::Bracketed(Bracket::Square))?,
            "curly" => self.list(ListStyle::Bracketed(Bracket::Curly))?,
            "same" => Part::Types(TypeRule::Same { place: one(self)?, like: one(self)? }),
            "each" => Part::Types(TypeRule::Each { place: one(self)?, like: one(self)? }),
            _ => Part::Cell(self.cell(word)?),
        };
        self.expect(')')?;
        Ok(part)
    }

    fn cell(&mut self, word: &str) -> Read<Cell> {
        let one = |this: &mut Self| this.column(Store::One);
        Ok(match word {
            "shared" => Cell::Shared(one(self)?),
            "key" => {
                let scope = one(self)?;
                Cell::Key([scope, self.line(Store::Array, Store::One)?])
            }
            "values" => Cell::Values(one(self)?),
            "types" => Cell::Types(one(self)?, TypesStyle::Plain),
            "results" => Cell::Types(one(self)?, TypesStyle::Results),
            "plain_results" => Cell::Types(one(self)?, TypesStyle::PlainResults),
            "typed_values" => Cell::TypedValues([one(self)?, one(self)?]),
            "item" => Cell::Item(self.line(Store::Array, Store::One)?),
            "number" => self.number(Store::Integers)?,
            "number_item" => self.number(Store::IntegerItems)?,
            "flag" => Cell::Flag(self.column(Store::Booleans)?, self.text()?),
            "word" => Cell::Word(one(self)?),
            "symbol" => Cell::Symbol(one(self)?),
            "unescaped" => Cell::UnescapedString(one(self)?),
            "type_attribute" => Cell::TypeAttribute(one(self)?),
            "unit" => Cell::Unit(one(self)?),
            "empty" => Cell::Empty(self.column(Store::Array)?),
            _ => return Err(format!("`{word}` is not a part of a template")),
        })
    }

    /// `$0 i64`: the type of the number follows the argument.
    fn number(&mut self, in_list: fn(Box<str>) -> Store) -> Read<Cell> {
        let place = self.line(Store::One, Store::One)?;
        let r#type = self.word().into();
        let store = if self.list.is_some() { in_list(r#type) } else { Store::Integer(r#type) };
        if let Some(column) = self.columns.get_mut(place) {
            column.store = store;
        }
        Ok(Cell::Number(place))
    }

    /// `!$0 $1: parts | parts`
    fn group(&mut self, is_required: bool) -> Read<Part> {
        let mut tests = Vec::new();
        while !self.eat(':') {
            let is_absent = self.eat('!');
            tests.push(Test { place: self.column(Store::One)?, is_absent });
        }
        let then = self.parts()?;
        let otherwise = if self.eat('|') { self.parts()? } else { Box::default() };
        Ok(Part::Group(Group { tests: tests.into(), is_required, then, otherwise }))
    }

    fn list(&mut self, style: ListStyle) -> Read<Part> {
        if self.list.is_some() {
            return Err("a list in a template is in another list".to_owned());
        }
        self.list = Some(Vec::new());
        let parts = self.parts()?;
        let places = self.list.take().unwrap_or_default();
        match places.is_empty() {
            true => Err("a list in a template has no argument".to_owned()),
            false => Ok(Part::List(List { style, parts, places: places.into() })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_a_list_have_an_item_for_each_line() {
        let template = Template::parse("list(key($0 $1) `[` $2 `] : ` shared($3))").unwrap();
        let [Part::List(list)] = &*template.parts else { panic!("{template:?}") };
        assert_eq!(*list.places, [1, 2]);
        assert!(template.fits(4) && !template.fits(3));
    }

    #[test]
    fn wrong_templates_are_refused_with_a_reason() {
        let deep = "maybe(: ".repeat(100);
        for (text, reason) in [
            ("`a", "has no end"),
            ("`\u{7}`", "not printable"),
            ("$x", "expected the number of an argument"),
            ("frobnicate($0)", "`frobnicate` is not a part"),
            ("values $0", "expected `(`"),
            ("list(`a`)", "has no argument"),
            ("list(list($0))", "is in another list"),
            ("values($0", "expected `)`"),
            ("$0 )", "expected the end"),
            ("maybe(x", "expected `$`"),
            (&deep, "more than 16 levels"),
        ] {
            let error = Template::parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
