//! Operations of `llvm` that call or unwind (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Direction, Flow, Progress, Syntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::llvm::{CaseClass, case_word, convention};

const TAIL_CALLS: &[&str] = &["none", "notail", "musttail", "tail"];

const ELIDED: &[&str] = &[
    "CConv",
    "TailCallKind",
    "arg_attrs",
    "callee",
    "callee_type",
    "op_bundle_sizes",
    "op_bundle_tags",
    "res_attrs",
    "var_callee_type",
];

/// A callee with its arguments: a symbol, or a pointer that is the first operand.
struct Callee<S: Syntax> {
    values: Vec<S::Value>,
    /// The operands that are known: the pointer and the arguments.
    known: Vec<S::Value>,
    is_indirect: bool,
}

impl<S: Syntax> Callee<S> {
    /// `@f(%a)`, or `%f(%a)`
    fn of(s: &mut S, known_values: &[S::Value]) -> Result<Self, S::Error> {
        let is_direct = s.attr("callee").is_some();
        let is_indirect = s.at(TokenKind::Value, |_| Ok(!is_direct))?;
        let (mut values, mut arguments) = (Vec::new(), known_values);
        if is_indirect {
            values.push(s.value(known_values.first().copied())?);
            arguments = known_values.get(1..).unwrap_or_default();
        } else {
            s.named("callee")?;
        }
        values.extend(s.values_in(Bracket::Round, arguments)?);
        Ok(Self { values, known: known_values.to_vec(), is_indirect })
    }

    /// Writes or reads the text after the arguments; `of_pointer` has the operands whose types are printed.
    fn rest(self, s: &mut S, of_pointer: &[S::Value], elided: &[&str]) -> Flow<S> {
        if s.declares("var_callee_type")
            && s.optional_text(" vararg(", |s| Ok(s.attr("var_callee_type").is_some()))?
        {
            s.type_attribute("var_callee_type")?;
            s.text(")")?;
        }
        optional_bundles(s)?;
        s.attr_dict(elided)?;
        s.text(" : ")?;
        let mut types = Vec::new();
        if self.is_indirect && (!S::PRINTS || s.release().prints_called_pointer_types()) {
            let pointer = s.types_of(of_pointer.get(..1).unwrap_or_default()).first().copied();
            types.push(s.r#type(pointer)?);
            s.text(", ")?;
        }
        let arguments = self.known.get(usize::from(self.is_indirect)..).unwrap_or_default();
        types.extend(signature(s, arguments)?);
        s.same_count(self.values.len(), types.len())?;
        s.give(0, self.values, types);
        Ok(Progress::Done)
    }
}

/// The types of arguments and results with their attributes; the types of the arguments.
pub(in crate::assembly) fn signature<S: Syntax>(
    s: &mut S,
    arguments: &[S::Value],
) -> Result<Vec<S::Type>, S::Error> {
    let (known_types, known_results) = (s.types_of(arguments), s.all_results());
    let attributes = ["arg_attrs", "res_attrs"].map(|name| s.attr(name).filter(|_| S::PRINTS));
    if S::PRINTS && attributes == [None, None] {
        return Ok(s.function_type(&known_types, &known_results)?.0);
    }
    let (types, argument_attributes) = typed(s, &known_types, attributes[0])?;
    let (mut results, mut result_attributes) = (Vec::new(), Vec::new());
    if s.optional_text(" -> ", |_| Ok(true))? {
        let has_attributes = match (&known_results[..], attributes[1]) {
            ([_], Some(all)) => {
                let first = s.items(all).and_then(|items| s.pairs(*items.first()?));
                !s.some(first)?.is_empty()
            }
            _ => !S::PRINTS,
        };
        match has_attributes && s.at(TokenKind::LeftParen, |_| Ok(true))? {
            true => (results, result_attributes) = typed(s, &known_results, attributes[1])?,
            false if S::PRINTS => results = s.result_types(&known_results)?,
            false => {
                results.push(s.r#type(None)?);
                result_attributes.push(None);
            }
        }
    }
    if s.declares("arg_attrs") {
        s.set_dictionaries("arg_attrs", &argument_attributes)?;
        s.set_dictionaries("res_attrs", &result_attributes)?;
    }
    s.give_results(results);
    Ok(types)
}

type Typed<S> = (Vec<<S as Direction>::Type>, Vec<Option<<S as Direction>::Attribute>>);

/// `(i32 {name = value}, f32)`
fn typed<S: Syntax>(
    s: &mut S,
    known_types: &[S::Type],
    attributes: Option<S::Attribute>,
) -> Result<Typed<S>, S::Error> {
    let dictionaries = match attributes {
        Some(all) => {
            let items = s.items(all);
            s.some(items)?
        }
        None => Vec::new(),
    };
    let (mut types, mut read_dictionaries) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, known_types.len(), |s, place| {
        types.push(s.r#type(known_types.get(place).copied())?);
        read_dictionaries.push(s.dictionary(dictionaries.get(place).copied(), true)?);
        s.skip_location()
    })?;
    Ok((types, read_dictionaries))
}

/// ` ["tag"(%a : i32), "other"()]`, or nothing.
fn optional_bundles<S: Syntax>(s: &mut S) -> Written<S> {
    match s.declares("op_bundle_sizes") {
        true => bundles(s, " "),
        false => Ok(()),
    }
}

/// Writes or reads bundles after `space`.
pub(in crate::assembly) fn bundles<S: Syntax>(s: &mut S, space: &str) -> Written<S> {
    if !S::PRINTS && !s.declares("op_bundle_sizes") {
        return Ok(());
    }
    let known_numbers = s.integers_of("op_bundle_sizes").filter(|_| S::PRINTS).unwrap_or_default();
    let (mut tags, mut sizes) = (Vec::new(), Vec::new());
    let (mut values, mut types) = (Vec::new(), Vec::new());
    // There are bundles without operands.
    if s.at(TokenKind::LeftSquare, |_| Ok(!known_numbers.is_empty()))? {
        s.text(space)?;
        let operands = s.operands("op_bundle_operands")?;
        let mut remaining: &[S::Value] = &operands;
        let known_tags = s.attr("op_bundle_tags").filter(|_| S::PRINTS).and_then(|all| s.items(all));
        s.require(known_tags.as_ref().map_or(0, Vec::len) == known_numbers.len())?;
        let known_tags = known_tags.unwrap_or_default();
        s.list(Bracket::Square, known_numbers.len(), |s, place| {
            let count = known_numbers.get(place).map_or(Some(0), |&size| usize::try_from(size).ok());
            let split = count.and_then(|count| remaining.split_at_checked(count));
            let (bundle_values, later_values) = s.some(split)?;
            remaining = later_values;
            let tag = known_tags.get(place).and_then(|&tag| s.string(tag));
            let tag = s.quoted(tag.as_deref())?;
            tags.extend(s.string_attribute(&tag)?);
            s.text("(")?;
            let mut read_values = Vec::new();
            if !s.at(TokenKind::RightParen, |_| Ok(bundle_values.is_empty()))? {
                read_values = s.values(bundle_values)?;
                s.text(" : ")?;
                let known_types = s.types_of(bundle_values);
                let read_types = s.types(&known_types)?;
                s.same_count(read_values.len(), read_types.len())?;
                types.extend(read_types);
            }
            s.text(")")?;
            sizes.push(read_values.len() as i64);
            values.extend(read_values);
            Ok(())
        })?;
    }
    if !tags.is_empty() {
        s.set_array("op_bundle_tags", &tags)?;
    }
    s.set_integers("op_bundle_sizes", "i32", &sizes)?;
    s.give("op_bundle_operands", values, types);
    Ok(())
}

/// The attributes that are not printed: also fast-math flags that are none.
fn elided<S: Syntax>(s: &mut S, more: Option<&'static str>) -> Vec<&'static str> {
    let mut elided = ELIDED.to_vec();
    elided.extend(more);
    let has_flags = match s.attr("fastmathFlags").filter(|_| S::PRINTS) {
        Some(flags) => !s.is_written(flags, "#llvm.fastmath<none>"),
        None => false,
    };
    if !has_flags {
        elided.push("fastmathFlags");
    }
    elided
}

/// `@f(%a) : (i32) -> i32`, or `%f(%a) : !llvm.ptr, (i32) -> i32`
pub(super) fn call<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let call_operands = match s.declares_operands("callee_operands") {
        true => s.operands("callee_operands")?,
        // Release 16 has one group of operands.
        false => s.all_operands(),
    };
    s.text(" ")?;
    convention(s)?;
    if s.declares("TailCallKind") {
        case_word(s, "TailCallKind", TAIL_CALLS, "none", CaseClass::Named("llvm.tailcallkind"))?;
    }
    let callee = Callee::of(s, &call_operands)?;
    let elided = elided(s, None);
    callee.rest(s, &call_operands, &elided)
}

/// `"llvm.name"(%a) : (i32) -> i32`
pub(super) fn intrinsic<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let arguments = s.operands("args")?;
    s.text(" ")?;
    let known_text = s.attr("intrin").and_then(|name| s.string(name));
    let name = s.quoted(known_text.as_deref())?;
    s.set_string("intrin", &name)?;
    let values = s.values_in(Bracket::Round, &arguments)?;
    let callee = Callee { values, known: arguments.to_vec(), is_indirect: false };
    let elided = elided(s, Some("intrin"));
    callee.rest(s, &[], &elided)
}

/// `@f(%a) to ^bb1 unwind ^bb2(%x : i32) : (i32) -> i32`
pub(super) fn invoke<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let call_operands = s.operands("callee_operands")?;
    s.text(" ")?;
    convention(s)?;
    let groups = [" to ", " unwind "].into_iter().zip(["normalDestOperands", "unwindDestOperands"]);
    let mut shown = call_operands;
    if S::PRINTS && s.release().repeats_invoke_operands() {
        for (_, name) in groups.clone() {
            let successor_operands = s.operands(name)?;
            s.require(successor_operands.is_empty())?;
        }
        shown = s.all_operands();
    }
    let callee = Callee::of(s, &shown)?;
    for (number, (text, name)) in groups.enumerate() {
        s.text(text)?;
        let known_values = s.operands(name)?;
        let (values, types) = s.successor(number, number, &known_values)?;
        s.give(name, values, types);
    }
    callee.rest(s, &call_operands, ELIDED)
}
