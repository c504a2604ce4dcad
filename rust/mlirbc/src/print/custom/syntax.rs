//! The printer of forms: each step adds pieces.

use std::ops::Range;
use std::rc::Rc;

use crate::assembly::{Bracket, Form, Group, MapShape, RegionStyle, Signature, Step, Syntax, Values};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::ir::{OpId, ValueId};
use crate::ops::{OperationDefinition, ValueDefinition};
use crate::release::Llvm;

use super::affine;
use super::draft::{
    Container, Draft, Drafted, Given, MOST_EQUAL, TextSignature, TypePart, has_attributes,
    has_operands_or_results,
};
use super::linalg;
use super::linalg_body::note_body;
use super::plan::Piece;
use super::util::dimensions;
use super::{stablehlo, tosa};

/// The form cannot say the operation, which is printed in generic form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) struct Generic;

type Written = Result<(), Generic>;

fn known<T>(value: Option<T>) -> Result<T, Generic> {
    value.ok_or(Generic)
}

fn written(drafted: Drafted) -> Written {
    drafted.ok_or(Generic)
}

/// A type of a signature.
#[derive(Clone)]
pub(in crate::print) enum SignatureType<'m> {
    Entry(u32),
    /// An input in the text of a type of a dialect.
    Input(Rc<TextSignature<'m>>, usize),
    Result(Rc<TextSignature<'m>>, usize),
}

impl<'m> SignatureType<'m> {
    fn part(&self) -> Option<&TypePart<'m>> {
        match self {
            Self::Entry(_) => None,
            Self::Input(of, place) => of.inputs.get(*place),
            Self::Result(of, place) => of.results.get(*place),
        }
    }
}

/// Adds the pieces of a form, phase by phase.
pub(super) fn write(draft: &mut Draft<'_, '_, '_>, form: Form) -> Drafted {
    for phase in 0.. {
        if form.run(draft, phase).ok()? == Step::Done {
            break;
        }
    }
    Some(())
}

/// Argument rows of the entry block of a region.
pub(super) fn rows(arguments: Range<u32>) -> Vec<u32> {
    arguments.collect()
}

impl<'m> Draft<'_, 'm, '_> {
    // The operands of each name, which are computed once.
    fn grouped_operands(&mut self) -> Option<&[Range<usize>]> {
        if self.groups.is_none() {
            self.groups = Some(self.operand_groups()?);
        }
        self.groups.as_deref()
    }

    fn group(&mut self, group: Group<'_>) -> Option<&'m [ValueId]> {
        let place = match group {
            Group::At(place) => place,
            Group::Named(name) => {
                self.definition.operands().iter().map(ValueDefinition::name).position(|own| own == name)?
            }
        };
        let range = self.grouped_operands()?.get(place)?.clone();
        self.all_operands().get(range)
    }
}

impl Draft<'_, '_, '_> {
    fn has_other(&mut self, shown: &[&str], elides_defaults: bool) -> Result<bool, Generic> {
        Ok(!known(self.dictionary_entries(shown, elides_defaults))?.is_empty())
    }

    // `iterator_types = ["parallel"]`, whose items are enumerations; release 16 has strings, too.
    fn iterator_types(&mut self, attribute: u32) -> Drafted {
        let types = Draft::items(self, attribute)?;
        Draft::text(self, "iterator_types = [");
        Draft::list(self, types, |draft, item| {
            if let Some(word) = Draft::string(draft, item) {
                Draft::quoted(draft, word);
                return Some(());
            }
            let text = Draft::word(draft, item)?;
            Draft::quoted(draft, text.strip_suffix(b">")?.rsplit(|byte| *byte == b'<').next()?);
            Some(())
        })?;
        Draft::text(self, "]");
        Some(())
    }

    // The entries with these names in their order, or those of the dictionary with its defaults.
    fn traits(&mut self, names: &[&str], shows_defaults: bool) -> Drafted {
        let mut entries: Vec<(&[u8], Given<'_>)> = Vec::new();
        if shows_defaults {
            entries = self.dictionary_entries(&[], false)?;
            entries.retain(|(name, _)| names.iter().any(|known| known.as_bytes() == *name));
        } else {
            for name in names {
                if let Some(value) = Draft::attr(self, name) {
                    entries.push((name.as_bytes(), Given::Attribute(value)));
                }
            }
        }
        Draft::text(self, "{");
        Draft::list(self, entries, |draft, (name, value)| {
            match (name, value) {
                (b"iterator_types", Given::Attribute(index)) => return draft.iterator_types(index),
                (name, Given::Attribute(index)) => {
                    let (start, end) = draft.plan.kept(|out| out.extend_from_slice(name));
                    draft.push(Piece::Named(start, end, index));
                }
                (name, Given::Text(text)) => {
                    draft.keyword(name);
                    Draft::text(draft, " = ");
                    Draft::text(draft, text);
                }
            }
            Some(())
        })?;
        Draft::text(self, "}");
        Some(())
    }
}

impl<'m> Syntax for Draft<'_, 'm, '_> {
    const PRINTS: bool = true;
    type Error = Generic;
    type Value = ValueId;
    type Type = u32;
    type Attribute = u32;
    type Argument = u32;
    type Values = &'m [ValueId];
    type Types = &'m [u32];
    type Part = SignatureType<'m>;
    type Payload = ();

    fn definition(&self) -> &OperationDefinition {
        self.definition
    }

    fn release(&self) -> Llvm {
        Draft::release(self)
    }

    fn refuse(&mut self, _: impl Into<String>) -> Generic {
        Generic
    }

    fn unsupported(&mut self, _: &str) -> Generic {
        Generic
    }

    fn lose(&mut self, what: &'static str) {
        self.lost.get_or_insert(what);
    }

    fn lose_rather(&mut self, what: &'static str) {
        *self.lost = Some(what);
    }

    fn lose_discardable(&mut self) {
        if !self.discardable.is_empty() {
            *self.lost = Some("its discardable attributes");
        }
    }

    fn lose_other_attributes(&mut self, shown: &[&str]) -> Written {
        if self.has_other(shown, false)? {
            *self.lost = Some("its other attributes");
        }
        Ok(())
    }

    fn has_other_attributes(&mut self, shown: &[&str]) -> Result<bool, Generic> {
        self.has_other(shown, self.definition.name() == "vector.outerproduct")
    }

    // ---- text ----

    fn text(&mut self, text: &str) -> Written {
        Draft::text(self, text);
        Ok(())
    }

    fn optional_text(
        &mut self,
        text: &str,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Generic>,
    ) -> Result<bool, Generic> {
        let is_printed = is_printed(self)?;
        if is_printed {
            Draft::text(self, text);
        }
        Ok(is_printed)
    }

    fn at(
        &mut self,
        _: TokenKind,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Generic>,
    ) -> Result<bool, Generic> {
        is_printed(self)
    }

    fn newline(&mut self) {
        Draft::newline(self);
    }

    fn indent(&mut self) {
        self.push(Piece::Indent);
    }

    fn dedent(&mut self) {
        self.push(Piece::Dedent);
    }

    // ---- lists ----

    fn list(
        &mut self,
        bracket: Bracket,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written,
    ) -> Written {
        let (open, close) = bracket.texts();
        Draft::text(self, open);
        self.separated(known, item)?;
        Draft::text(self, close);
        Ok(())
    }

    fn separated(&mut self, known: usize, mut item: impl FnMut(&mut Self, usize) -> Written) -> Written {
        for place in 0..known {
            if place > 0 {
                Draft::text(self, ", ");
            }
            item(self, place)?;
        }
        Ok(())
    }

    // ---- operands ----

    fn value(&mut self, value: Option<ValueId>) -> Result<ValueId, Generic> {
        let value = known(value)?;
        Draft::value(self, value);
        Ok(value)
    }

    fn optional_value(&mut self, value: Option<ValueId>) -> Result<Option<ValueId>, Generic> {
        value.into_iter().for_each(|value| Draft::value(self, value));
        Ok(value)
    }

    fn values(&mut self, values: &[ValueId]) -> Result<Vec<ValueId>, Generic> {
        Draft::values(self, values);
        Ok(values.to_vec())
    }

    fn all_operands(&self) -> &'m [ValueId] {
        Draft::all_operands(self)
    }

    fn operands<'n>(&mut self, group: impl Into<Group<'n>>) -> Result<&'m [ValueId], Generic> {
        known(self.group(group.into()))
    }

    fn operand_count(&mut self, group: usize) -> usize {
        self.group(Group::At(group)).map_or(0, <[_]>::len)
    }

    fn types_of(&self, values: &[ValueId]) -> Vec<u32> {
        self.operand_types(values)
    }

    fn give<'n>(&mut self, _: impl Into<Group<'n>>, _: Vec<ValueId>, _: Vec<u32>) {}

    fn give_all(&mut self, _: Vec<ValueId>, _: Vec<u32>) {}

    fn optional_value_name(&mut self, name: Option<&[u8]>) -> Result<Option<Vec<u8>>, Generic> {
        if let Some(name) = name {
            Draft::text(self, "%");
            written(self.bare(name))?;
        }
        Ok(name.map(<[u8]>::to_vec))
    }

    // ---- types ----

    fn r#type(&mut self, r#type: Option<u32>) -> Result<u32, Generic> {
        let r#type = known(r#type)?;
        Draft::r#type(self, r#type);
        Ok(r#type)
    }

    fn types(&mut self, types: &[u32]) -> Result<Vec<u32>, Generic> {
        Draft::types(self, types);
        Ok(types.to_vec())
    }

    fn function_type(&mut self, inputs: &[u32], results: &[u32]) -> Result<(Vec<u32>, Vec<u32>), Generic> {
        self.functional_type(inputs, results);
        Ok((inputs.to_vec(), results.to_vec()))
    }

    fn result_types(&mut self, types: &[u32]) -> Result<Vec<u32>, Generic> {
        Draft::result_types(self, types);
        Ok(types.to_vec())
    }

    fn all_results(&self) -> &'m [u32] {
        Draft::all_results(self)
    }

    fn set_types(&mut self, _: Values, _: Vec<u32>) {}

    fn named_type(&mut self, _: &str) -> Result<Option<u32>, Generic> {
        Ok(None)
    }

    fn signature(&mut self, name: &str) -> Result<Signature<Self>, Generic> {
        let attribute = known(Draft::attr(self, name))?;
        let r#type = known(Draft::type_in(self, attribute))?;
        if let Some((inputs, results)) = Draft::function_type(self, r#type) {
            let entries = |types: Vec<u32>| types.into_iter().map(SignatureType::Entry).collect();
            return Ok(Signature { inputs: entries(inputs), is_variadic: false, results: entries(results) });
        }
        let text = match self.llvm_function(r#type) {
            Some(text) => text,
            None => known(self.spirv_graph(r#type))?,
        };
        let inputs = (0..text.inputs.len()).map(|place| SignatureType::Input(text.clone(), place));
        let results = (0..text.results.len()).map(|place| SignatureType::Result(text.clone(), place));
        Ok(Signature { inputs: inputs.collect(), is_variadic: text.is_variadic, results: results.collect() })
    }

    fn part(&mut self, part: Option<&SignatureType<'m>>) -> Result<Option<u32>, Generic> {
        match known(part)? {
            SignatureType::Entry(index) => Draft::r#type(self, *index),
            part => known(part.part())?.write(self),
        }
        Ok(None)
    }

    fn is_part(&mut self, part: &SignatureType<'m>, r#type: u32) -> bool {
        match part {
            SignatureType::Entry(index) => self.is_same_type(*index, r#type),
            part => part.part().is_some_and(|part| Draft::is_part(self, part, r#type)),
        }
    }

    fn is_function(&self, part: &SignatureType<'m>) -> bool {
        match part {
            SignatureType::Entry(index) => self.plain.needs_parentheses(*index),
            _ => false,
        }
    }

    fn implies(&mut self, types: &[u32], text: &str) {
        Draft::implies(self, types, text);
    }

    fn implies_same(&mut self, types: &[u32], printed: u32) {
        Draft::implies_same(self, types, printed);
    }

    fn check_references(&mut self, name: &str) -> Written {
        let attribute = known(Draft::attr(self, name))?;
        let r#type = known(Draft::type_in(self, attribute))?;
        let (inputs, _) = known(Draft::function_type(self, r#type))?;
        let arguments = known(self.regions())?.argument_types(0);
        if arguments.len() != inputs.len() {
            self.lose("the types of its arguments");
        }
        for (&argument, input) in arguments.iter().zip(inputs) {
            self.implies_local_reference(argument, input);
        }
        Ok(())
    }

    fn number_type(&self, r#type: u32) -> Option<Element> {
        Draft::number_type(self, r#type)
    }

    fn vector_parts(&mut self, r#type: u32) -> Option<(Vec<i64>, Vec<bool>, u32)> {
        let shaped = self.shaped(r#type).filter(|shaped| shaped.container == Container::Vector)?;
        let (sizes, _) = self.shape(r#type)?;
        let is_scalable = shaped.first.is_some_and(|first| first.is_scalable);
        let scalable = sizes.iter().map(|_| is_scalable).collect();
        Some((sizes, scalable, shaped.element))
    }

    fn memref_rank(&mut self, r#type: u32) -> Option<usize> {
        self.shaped(r#type).filter(|shaped| shaped.container == Container::MemRef)?.rank
    }

    fn iteration_levels(&mut self, r#type: u32) -> Option<i64> {
        Draft::iteration_levels(self, r#type)
    }

    fn constant(&mut self, value: ValueId) -> Option<i64> {
        Draft::constant(self, value)
    }

    fn pointee_of(&mut self, pointer: Option<u32>) -> Written {
        let pointer = known(pointer)?;
        known(self.write_llvm_pointee(pointer))
    }

    fn is_opaque_pointer(&mut self, pointer: u32) -> bool {
        Draft::is_opaque_pointer(self, pointer)
    }

    fn is_dialect_type(&self, r#type: u32, name: &str) -> bool {
        Draft::is_dialect_type(self, r#type, name)
    }

    fn llvm_string_length(&mut self, r#type: u32) -> Option<u64> {
        Draft::llvm_string_length(self, r#type)
    }

    fn is_index(&self, r#type: u32) -> bool {
        Draft::is_index(self, r#type)
    }

    fn element_type(&mut self, r#type: u32) -> Result<Option<u32>, Generic> {
        Ok(Draft::element_type(self, r#type))
    }

    fn known_function(&mut self, name: &str) -> Result<(Vec<u32>, Vec<u32>), Generic> {
        let attribute = known(Draft::attr(self, name))?;
        let r#type = known(Draft::type_in(self, attribute))?;
        known(Draft::function_type(self, r#type))
    }

    fn is_same_type(&mut self, left: u32, right: u32) -> bool {
        Draft::is_same_type(self, left, right)
    }

    fn tuple_len(&mut self, r#type: u32) -> Option<usize> {
        Draft::tuple_len(self, r#type)
    }

    fn shaped_type(
        &mut self,
        r#type: Option<u32>,
        sizes: &[ValueId],
    ) -> Result<(u32, Vec<ValueId>), Generic> {
        let r#type = known(r#type)?;
        Draft::r#type(self, r#type);
        let rest = known(dimensions(self, r#type, sizes))?;
        Ok((r#type, sizes.iter().take(sizes.len() - rest.len()).copied().collect()))
    }

    fn storage_class(&mut self, pointer: ValueId) -> Option<String> {
        Some(self.spirv_pointer(self.body.type_of(pointer))?.storage_class().to_owned())
    }

    fn spirv_pointee(&mut self, pointer: Option<u32>) -> Result<Option<u32>, Generic> {
        let pointer = known(pointer)?;
        known(self.spirv_pointer(pointer))?.pointee().write(self);
        Ok(None)
    }

    fn needs_type(&mut self, r#type: u32) -> bool {
        self.is_tensor(r#type)
    }

    // ---- attributes ----

    fn attribute(&mut self, attribute: Option<u32>) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        Draft::attribute(self, attribute);
        Ok(attribute)
    }

    fn stripped(&mut self, attribute: Option<u32>, class: &str) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        self.push(Piece::Stripped(attribute, class.len() as u32 + 1));
        Ok(attribute)
    }

    fn symbol_reference(&mut self, attribute: Option<u32>) -> Result<(u32, Option<Vec<u8>>), Generic> {
        let attribute = known(attribute)?;
        Draft::attribute(self, attribute);
        Ok((attribute, self.symbol_in(attribute).map(<[u8]>::to_vec)))
    }

    fn words_dictionary(&mut self, classes: &[(&str, &str)], left_out: Option<(&str, &str)>) -> Written {
        written(tosa::words(self, classes, left_out))
    }

    fn integer(&mut self, number: Option<i64>) -> Result<i64, Generic> {
        let number = known(number)?;
        self.number(number);
        Ok(number)
    }

    fn quoted(&mut self, text: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let text = known(text)?;
        Draft::quoted(self, text);
        Ok(text.to_vec())
    }

    fn unescaped(&mut self, text: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let text = known(text)?;
        if text.iter().any(|byte| !(b' '..=b'~').contains(byte) || matches!(byte, b'"' | b'\\')) {
            return Err(Generic);
        }
        Draft::text(self, "\"");
        self.bytes(text);
        Draft::text(self, "\"");
        Ok(text.to_vec())
    }

    fn word(&mut self, word: Option<&str>, _: &'static str) -> Result<String, Generic> {
        let word = known(word)?;
        Draft::text(self, word);
        Ok(word.to_owned())
    }

    fn optional_word(
        &mut self,
        word: Option<&[u8]>,
        cases: &[&'static str],
    ) -> Result<Option<&'static str>, Generic> {
        let Some(word) = word else { return Ok(None) };
        let case = known(cases.iter().find(|case| case.as_bytes() == word))?;
        Draft::text(self, case);
        Ok(Some(case))
    }

    fn digits(&mut self, digits: Option<&str>) -> Result<(bool, String), Generic> {
        let digits = known(digits)?;
        Draft::text(self, digits);
        Ok((digits.starts_with('-'), digits.trim_start_matches('-').to_owned()))
    }

    fn symbol(&mut self, name: Option<&[u8]>) -> Result<Vec<u8>, Generic> {
        let name = known(name)?;
        Draft::symbol(self, name);
        Ok(name.to_vec())
    }

    fn attr_dict(&mut self, elided: &[&str]) -> Written {
        written(Draft::attr_dict(self, elided))
    }

    fn attr_dict_with_keyword(&mut self, elided: &[&str]) -> Written {
        written(Draft::attr_dict_with_keyword(self, elided))
    }

    fn dictionary(&mut self, dictionary: Option<u32>, is_aliased: bool) -> Result<Option<u32>, Generic> {
        if let Some(dictionary) = dictionary {
            written(match is_aliased {
                true => self.dictionary_of(dictionary),
                false => self.dictionary_of_argument(dictionary),
            })?;
        }
        Ok(dictionary)
    }

    fn attr(&mut self, name: &str) -> Option<u32> {
        Draft::attr(self, name)
    }

    fn any_attr(&mut self, name: &str) -> Option<u32> {
        Draft::attr(self, name).or_else(|| self.discardable_attr(name))
    }

    fn is_inherent(&self, name: &str) -> bool {
        self.definition.attribute(name).is_some()
    }

    fn declared_attribute(&mut self, name: &str) -> Written {
        let place = self.definition.attributes().iter().position(|one| one.name() == name);
        written(super::format::attribute(self, known(place)?, false))
    }

    fn text_of(&mut self, attribute: u32) -> Option<String> {
        String::from_utf8(Draft::word(self, attribute)?).ok()
    }

    fn set(&mut self, _: &str, _: u32) {}

    fn set_text(&mut self, _: &str, _: &str) -> Written {
        Ok(())
    }

    fn set_unit(&mut self, _: &str) -> Written {
        Ok(())
    }

    fn set_integer(&mut self, _: &str, _: i64, _: &str) -> Written {
        Ok(())
    }

    fn set_integers(&mut self, _: &str, _: &str, _: &[i64]) -> Written {
        Ok(())
    }

    fn set_elements(&mut self, _: &str, _: &str, _: &str, _: &[i64]) -> Written {
        Ok(())
    }

    fn set_array(&mut self, _: &str, _: &[u32]) -> Written {
        Ok(())
    }

    fn set_string(&mut self, _: &str, _: &[u8]) -> Written {
        Ok(())
    }

    fn set_type(&mut self, _: &str, _: u32) -> Written {
        Ok(())
    }

    fn set_function_type(&mut self, _: &str, _: &[u32], _: &[u32]) -> Written {
        Ok(())
    }

    fn set_dictionaries(&mut self, _: &str, _: &[Option<u32>]) -> Written {
        Ok(())
    }

    // ---- what attributes and types say ----

    fn integers_of(&mut self, name: &str) -> Option<Vec<i64>> {
        Draft::integers_of(self, name)
    }

    fn integers_in(&mut self, attribute: u32) -> Option<Vec<i64>> {
        self.integers(attribute)
    }

    fn items(&mut self, attribute: u32) -> Option<Vec<u32>> {
        Draft::items(self, attribute)
    }

    fn pairs(&mut self, attribute: u32) -> Option<Vec<(u32, u32)>> {
        Draft::pairs(self, attribute)
    }

    fn tensor_numbers(&mut self, attribute: u32, element: Element) -> Option<Vec<i64>> {
        let elements = self.elements(attribute)?;
        let is_list = elements.element() == element && elements.shape().len() == 1;
        let is_short = !elements.is_splat() || elements.len() <= MOST_EQUAL;
        (is_list && is_short && self.is_plain_tensor(elements.r#type()))
            .then(|| elements.integers().collect())?
    }

    fn integer_words(&self, attribute: u32) -> Option<(Element, Vec<u64>)> {
        Draft::integer_words(self, attribute)
    }

    fn string(&self, attribute: u32) -> Option<Vec<u8>> {
        Draft::string(self, attribute).map(<[u8]>::to_vec)
    }

    fn string_length(&self, attribute: u32) -> Option<usize> {
        Draft::string(self, attribute).map(<[u8]>::len)
    }

    fn type_in(&self, attribute: u32) -> Option<u32> {
        Draft::type_in(self, attribute)
    }

    fn is_symbol(&self, attribute: u32) -> bool {
        Draft::is_symbol(self, attribute)
    }

    fn elements_type(&mut self, attribute: u32) -> Option<u32> {
        Draft::type_of_elements(self, attribute)
    }

    fn is_written(&mut self, attribute: u32, text: &str) -> bool {
        Draft::is_written(self, attribute, text)
    }

    fn case(&mut self, name: &str) -> Result<String, Generic> {
        known(super::blocks::case(self, name))
    }

    // ---- maps and bodies ----

    fn map_shape(&mut self, map: u32) -> Option<MapShape> {
        self.affine_map(map).map(|map| map.shape())
    }

    fn map_of_values(
        &mut self,
        bracket: Bracket,
        name: &str,
        values: &[ValueId],
    ) -> Result<Vec<ValueId>, Generic> {
        let map = known(self.any_attr(name).and_then(|map| self.affine_map(map)))?;
        let (open, close) = bracket.texts();
        Draft::text(self, open);
        written(affine::map_of_values(self, &map, values))?;
        Draft::text(self, close);
        Ok(values.to_vec())
    }

    fn grouped_bounds(
        &mut self,
        keyword: &str,
        map: &str,
        groups: &str,
        values: &[ValueId],
    ) -> Result<Vec<ValueId>, Generic> {
        Draft::text(self, "(");
        written(affine::grouped_bounds(self, [map, groups], values, keyword))?;
        Draft::text(self, ")");
        Ok(values.to_vec())
    }

    fn reduction(&mut self, kind: Option<u32>) -> Result<i64, Generic> {
        let kind = known(kind.and_then(|kind| Draft::integer(self, kind)))?;
        let name = usize::try_from(kind)
            .ok()
            .and_then(|kind| affine::reductions_of(Draft::release(self)).get(kind).copied());
        Draft::quoted(self, known(name)?.as_bytes());
        Ok(kind)
    }

    fn iteration_traits(&mut self, names: &[&str], _: &str, shows_defaults: bool) -> Written {
        written(self.traits(names, shows_defaults))
    }

    fn dense_array(&mut self, name: &str) -> Written {
        let attribute = known(Draft::attr(self, name))?;
        self.push(Piece::Array(attribute));
        Ok(())
    }

    fn note_structured_body(&mut self, kind: Option<u32>) {
        note_body(self, kind);
    }

    fn note_memoized_maps(&mut self) {
        linalg::note_maps(self);
    }

    fn payload(&mut self, init_first: bool, has_unused_init: bool) -> Result<Option<()>, Generic> {
        match linalg::payload(self, init_first, has_unused_init) {
            Some(op) => written(linalg::short_payload(self, op)).map(Some),
            None => Ok(None),
        }
    }

    fn reducer(&mut self, inputs: &[ValueId]) -> Result<Option<String>, Generic> {
        known(stablehlo::reducer(self, inputs))
    }

    fn wrapped_operation(&mut self, region: usize) -> Result<Vec<u32>, Generic> {
        let regions = known(self.regions())?;
        let block = known(regions.entry(region))?;
        if block.ops != 2 || regions.body.detail(OpId(block.first_op)).is_some() {
            return Err(Generic);
        }
        self.push(Piece::InlineGeneric(block.first_op));
        Ok(Vec::new())
    }

    // ---- regions and successors ----

    fn argument(&mut self, argument: Option<u32>) -> Result<u32, Generic> {
        let argument = known(argument)?;
        self.push(Piece::Argument(argument));
        Ok(argument)
    }

    fn argument_name(&mut self, argument: Option<u32>) -> Result<u32, Generic> {
        Syntax::argument(self, argument)
    }

    fn numbered_argument(&mut self, place: usize) -> Result<u32, Generic> {
        Draft::text(self, "%arg");
        self.number(place);
        Ok(u32::try_from(place).unwrap_or(u32::MAX))
    }

    fn tied_argument(&mut self, argument: Option<usize>, _: &[u32]) -> Result<Option<usize>, Generic> {
        if let Some(place) = argument {
            Draft::text(self, "%arg");
            self.number(place);
        }
        Ok(argument)
    }

    fn argument_location(&mut self, argument: u32) -> Result<u32, Generic> {
        Draft::argument_location(self, argument);
        Ok(argument)
    }

    fn typed_argument(&mut self, argument: Option<u32>) -> Result<u32, Generic> {
        let argument = known(argument)?;
        let regions = known(self.regions())?;
        Draft::argument(self, regions, argument);
        Draft::argument_location(self, argument);
        Ok(argument)
    }

    fn arguments(&mut self, region: usize) -> Result<Vec<u32>, Generic> {
        Ok(rows(known(self.regions())?.arguments(region)))
    }

    fn argument_type(&mut self, argument: u32) -> Result<u32, Generic> {
        let regions = known(self.regions())?;
        known(regions.body.argument_type.get(argument as usize).copied())
    }

    fn with_type(&self, argument: u32, _: u32) -> u32 {
        argument
    }

    fn has_blocks(&mut self, region: usize) -> Result<bool, Generic> {
        Ok(!known(self.regions())?.blocks(region).is_empty())
    }

    fn has_plain_terminator(&mut self, region: usize) -> Result<bool, Generic> {
        let regions = known(self.regions())?;
        Ok(regions.last_op(region).is_some_and(|last| {
            !has_operands_or_results(regions.body, last) && !has_attributes(regions.body, last)
        }))
    }

    fn region(&mut self, number: usize, style: RegionStyle, _: Vec<u32>) -> Result<Step, Generic> {
        Draft::region(self, number, style);
        Ok(Step::Region)
    }

    fn inline_region(&mut self, number: usize) -> Result<Step, Generic> {
        let regions = known(self.regions())?;
        let block = known(regions.entry(number))?;
        // The operation stands on the same line, so it has no regions of its own.
        if block.ops == 0 || block.ops > 2 || regions.body.detail(OpId(block.first_op)).is_some() {
            return Err(Generic);
        }
        Draft::text(self, "{ ");
        self.push(Piece::Inline(block.first_op));
        Draft::text(self, " }");
        Ok(Step::Region)
    }

    fn hides_terminator(&mut self, region: usize) -> Written {
        let regions = known(self.regions())?;
        if regions.last_op(region).is_some_and(|last| has_attributes(regions.body, last)) {
            *self.lost = Some("the attributes of its terminator");
        }
        Ok(())
    }

    fn successor(
        &mut self,
        _: usize,
        number: usize,
        operands: &[ValueId],
    ) -> Result<(Vec<ValueId>, Vec<u32>), Generic> {
        written(self.successor_with(number, operands))?;
        Ok((Vec::new(), Vec::new()))
    }
}
