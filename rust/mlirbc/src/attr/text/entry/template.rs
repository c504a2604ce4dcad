//! Printing of entries by the templates of dialect tables.

use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::attr::text::escape;
use crate::attr::text::factor;
use crate::attr::text::out::Out;
use crate::attr::text::parse::skim;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, FieldSpec, Primitive, Style};
use crate::dialect::template::{Template, TemplatePiece};
use crate::format::id::AttrId;
use crate::wire::error::{Error, ErrorKind};

use super::{Context, Elide, EntryPrinter, Item, dimension};

impl<'e, E: Entries> EntryPrinter<'e, E> {
    pub(super) fn template(
        &mut self,
        out: &mut Out<'_>,
        template: &'e Template,
        context: &Context<'_, 'e>,
        elide: Elide,
    ) {
        for piece in &template.pieces {
            match piece {
                TemplatePiece::Text(text) => self.emit(out, Item::Text(text)),
                TemplatePiece::Field(number, style) => {
                    self.field(out, context, context.here(*number), *style)
                }
                TemplatePiece::Params(fields) => self.params(out, context, fields),
                TemplatePiece::Where(number, inner)
                    if !context.is_empty(self.entries, context.here(*number)) =>
                {
                    self.template(out, inner, context, elide);
                }
                TemplatePiece::Unless(number, inner)
                    if context.is_empty(self.entries, context.here(*number)) =>
                {
                    self.template(out, inner, context, elide);
                }
                TemplatePiece::Where(..) | TemplatePiece::Unless(..) => {}
                TemplatePiece::Print => self.content(out, context, elide),
            }
        }
    }

    fn params(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, fields: &'e [usize]) {
        let mut is_first = true;
        for &number in fields {
            let number = context.here(number);
            if context.is_left_out(self.entries, number) {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                self.emit(out, Item::Text(", "));
            }
            if let Some(spec) = context.layout.fields.get(number) {
                self.emit(out, Item::Text(&spec.name));
                self.emit(out, Item::Text(" = "));
            }
            self.field(out, context, number, None);
        }
    }

    pub(super) fn field(
        &mut self,
        out: &mut Out<'_>,
        context: &Context<'_, 'e>,
        number: usize,
        style: Option<Style>,
    ) {
        let Some(spec) = context.layout.fields.get(number) else { return };
        let style = style.unwrap_or(spec.style);
        match context.node.field(number) {
            Field::List(_) => {
                let items = context.node.items(number);
                if style == Style::Dims {
                    for &item in items {
                        self.emit(out, dimension(item));
                        self.emit(out, Item::Text("x"));
                    }
                    return;
                }
                if style == Style::Pairs {
                    for (number, pair) in items.chunks(2).enumerate() {
                        if number > 0 {
                            self.emit(out, Item::Text(", "));
                        }
                        for (place, &item) in pair.iter().enumerate() {
                            if place > 0 {
                                self.emit(out, Item::Text(" = "));
                            }
                            self.value(out, context, spec, item, Style::Plain);
                        }
                    }
                    return;
                }
                if matches!(style, Style::Factors | Style::FactorProduct | Style::FactorSizes) {
                    return self.factors(out, items, style);
                }
                if style == Style::Array {
                    self.emit(out, Item::Text("["));
                }
                let mut is_first = true;
                for &item in items {
                    if !std::mem::take(&mut is_first) {
                        self.emit(out, Item::Text(", "));
                    }
                    self.value(out, context, spec, item, style);
                }
                if style == Style::Array {
                    self.emit(out, Item::Text("]"));
                }
            }
            value => self.value(out, context, spec, value, style),
        }
    }

    fn value(
        &mut self,
        out: &mut Out<'_>,
        context: &Context<'_, 'e>,
        spec: &'e FieldSpec,
        value: Field,
        style: Style,
    ) {
        let entries = self.entries;
        if let (Primitive::Bits(entry_ref), Field::Bits(_) | Field::Words { .. }) = (&spec.primitive, value) {
            return self.number_of_type(out, context, *entry_ref, value);
        }
        let item = match (value, style) {
            (Field::Unsigned(number), Style::Enum(table)) => match context.names(table, number) {
                Some(name) => Item::Text(name),
                // An absent field prints nothing, as in generated printers.
                None => return,
            },
            (Field::Unsigned(number), Style::Flags(table)) => return self.flags(out, context, table, number),
            (Field::Unsigned(number), _) => Item::Unsigned(number),
            (Field::Signed(number), Style::Enum(table)) => match context.names(table, number as u64) {
                Some(name) => Item::Text(name),
                None => return,
            },
            (Field::Signed(_), Style::Sizes) => dimension(value),
            (Field::Signed(number), _) => Item::Signed(number),
            (Field::Bool(value), _) => Item::Text(if value { "true" } else { "false" }),
            (Field::String(index), Style::Keyword) => Item::Keyword(entries.string(index)),
            (Field::String(index), Style::Verbatim) => return self.verbatim(out, entries.string(index)),
            (Field::String(index), _) => Item::Quoted(entries.string(index)),
            (Field::Attribute(index, _), Style::Bare) => Item::Bare(index.number()),
            (Field::Attribute(index, _), Style::Word) => self.word_of(context, &spec.name, index),
            (Field::Attribute(index, _), Style::Mnemonic) => return self.with_mnemonic(out, context, index),
            (Field::Attribute(index, _), Style::Elements) => return self.elements(out, index),
            (Field::Attribute(index, _), Style::Elided) => Item::Attribute(index.number(), Elide::May),
            (Field::Attribute(index, _), _) if spec.primitive.wants("Location") => {
                Item::Location(index.number())
            }
            (Field::Attribute(index, _), _) if context.form.builtin == BuiltinKind::FileLineColLoc => {
                return self.location_name(out, Some(index));
            }
            (Field::Attribute(index, _), _) => Item::Attribute(index.number(), Elide::Never),
            (Field::Type(index, _), Style::AsBuiltin) => Item::AsBuiltin(index.number()),
            (Field::Type(index, _), _) => Item::Type(index.number()),
            (Field::Bits(bits), _) => Item::Float64(bits),
            (Field::Resource(index), _) => return self.resource_key(out, index),
            _ => return,
        };
        self.emit(out, item);
    }

    // Writes a text of the file that must not end the enclosing text.
    fn verbatim(&mut self, out: &mut Out<'_>, text: &'e [u8]) {
        if skim::is_dialect_body(text) {
            return self.emit(out, Item::Bytes(text));
        }
        self.emit(out, Item::Text("<<UNBALANCED>>"));
        self.fault(Error::message(ErrorKind::EntryText, "the brackets of a string are not balanced"));
    }

    // Writes a number with the width of the type in another field.
    fn number_of_type(
        &mut self,
        out: &mut Out<'_>,
        context: &Context<'_, 'e>,
        type_field: usize,
        value: Field,
    ) {
        let element = context.node.r#type(type_field).and_then(|index| dense::element(self.entries, index));
        let words = context.node.words(value);
        let mut text = out.beside();
        match element {
            Some(Element::Float(semantics)) => {
                text.float(semantics, dense::to_u128(&words));
            }
            Some(element) => dense::write_integer(&mut text.buffer, &words, element),
            None => text.text("<<VALUE>>"),
        }
        self.emit_owned(out, text.buffer);
    }

    fn flags(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, table: usize, number: u64) {
        let Some(rows) = context.entry.table.and_then(|t| t.enums.get(table)).map(|table| &table.rows) else {
            return;
        };
        if let Some((_, name)) = rows.iter().find(|(value, _)| number == *value) {
            return self.emit(out, Item::Text(name));
        }
        // Names of several bits are matched first; joined names are quoted.
        let mut names = Vec::new();
        let mut remaining = number;
        let several = rows.iter().filter(|(value, _)| value.count_ones() > 1);
        for (value, name) in several.chain(rows.iter().filter(|(value, _)| value.count_ones() == 1)) {
            if remaining & value == *value {
                remaining &= !value;
                names.push(&**name);
            }
        }
        // A single bit without a name is not printed.
        if number.count_ones() <= 1 {
            return;
        }
        self.emit(out, Item::Text("\""));
        for (place, name) in names.into_iter().enumerate() {
            if place > 0 {
                self.emit(out, Item::Text("|"));
            }
            self.emit(out, Item::Text(name));
        }
        self.emit(out, Item::Text("\""));
    }

    // Prints the word of the only field of an attribute stored as text, and any other attribute in full.
    fn word_of(&self, context: &Context<'_, 'e>, parameter: &str, index: AttrId) -> Item<'e> {
        let text = self.entries.entry(EntryRef::Attribute(index)).and_then(|entry| entry.text());
        let word = || {
            let mnemonic = context.form.mnemonic.as_ref()?.as_bytes();
            let before = context.entry.table?.words.get(mnemonic)?.get(parameter.as_bytes())?;
            let text = text?.strip_prefix(b"#")?.strip_prefix(context.entry.dialect)?.strip_prefix(b".")?;
            let word = text.strip_prefix(before.as_bytes())?.strip_suffix(b">")?;
            escape::is_bare_identifier(word).then_some(word)
        };
        word().map_or(Item::Attribute(index.number(), Elide::Never), Item::Bytes)
    }

    // Prints an attribute of the same dialect without the name of the dialect, and any other attribute in
    // full.
    fn with_mnemonic(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, index: AttrId) {
        let entry_ref = EntryRef::Attribute(index);
        let entry = self.entries.entry(entry_ref).filter(|entry| entry.dialect == context.entry.dialect);
        match entry.and_then(|entry| entry.form(entry_ref).ok().flatten()?.mnemonic.as_deref()) {
            Some(mnemonic) => {
                self.emit(out, Item::Text(mnemonic));
                self.emit(out, Item::Bare(index.number()));
            }
            None => self.emit(out, Item::Attribute(index.number(), Elide::Never)),
        }
    }

    // Prints factors of a sharding rule (`printFactorSizes`, `printFactorsWithType` and
    // `DimMappingAttr::print` in `shardy/dialect/sdy/ir/printers.cc`).
    fn factors(&mut self, out: &mut Out<'_>, items: &[Field], style: Style) {
        let mut text = Vec::new();
        for (place, &item) in (0..).zip(items) {
            let Field::Signed(number) = item else { continue };
            if place > 0 && style != Style::FactorProduct {
                text.extend_from_slice(b", ");
            }
            if style == Style::FactorSizes {
                factor::write(&mut text, place);
                text.push(b'=');
                text.extend_from_slice(number.to_string().as_bytes());
            } else {
                factor::write(&mut text, number);
            }
        }
        self.emit_owned(out, text);
    }

    // Prints the elements of an array attribute.
    fn elements(&mut self, out: &mut Out<'_>, index: AttrId) {
        let entry_ref = EntryRef::Attribute(index);
        let mut node = Node::default();
        let entry = self.entries.entry(entry_ref);
        if !matches!(entry.map(|entry| entry.decode(entry_ref, self.entries, &mut node)), Some(Ok(Some(_)))) {
            return self.emit(out, Item::Attribute(index.number(), Elide::Never));
        }
        for (number, item) in node.items(0).iter().enumerate() {
            let &Field::Attribute(element, _) = item else { continue };
            if number > 0 {
                self.emit(out, Item::Text(", "));
            }
            self.emit(out, Item::Bare(element.number()));
        }
    }

    pub(super) fn resource_key(&mut self, out: &mut Out<'_>, index: u32) {
        if self.seen_resources.insert(index) {
            self.resources.push(index);
        }
        let entries = self.entries;
        let key = entries.resource_key(index);
        let item =
            if self.style.release.quotes_resource_keys() { Item::Keyword(key) } else { Item::Plain(key) };
        self.emit(out, item);
    }
}
