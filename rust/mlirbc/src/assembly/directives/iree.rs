//! Directives that the dialects of IREE share (`compiler/src/iree/compiler/Dialect` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Direction, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;
use super::{stream, stream_regions, tied_results};

directives! {
    DispatchOperands: "DispatchOperands" => stream::dispatch_operands,
    DispatchResources: "DispatchResources" => stream::dispatch_resources,
    EntryPoints: "DispatchEntryPoints" => entry_points,
    ExportedFunction: "ExportedFunction" => exported_function,
    FailureCondition: "FailureCondition" => failure_condition,
    ListTypeGet: "ListTypeGet" => list_type_get,
    ListTypeSet: "ListTypeSet" => list_type_set,
    Queues: "DeviceQueueAffinityList" => stream::queues,
    ResultTypes: "ResultTypeList" => result_types,
    ShapedFunctionType: "ShapedFunctionType" => tied_results::function_type,
    ShapedResults: "ShapedResults" => shaped_results,
    ShapedTypes: "ShapedTypeList" => shaped_types,
    SliceRanges: "PackSliceRanges" => stream::slice_ranges,
    SymbolAlias: "SymbolAlias" => symbol_alias,
    TiedResult: "ShapedTiedResult" => tied_result,
    TiedResults: "TiedFunctionResultList" => tied_results::tied_results,
    SymbolOrValue: "SymbolOrValue" => symbol_or_value,
    TypeAlias: "TypeAlias" => type_alias,
    TypeOrValue: "TypeOrAttr" => type_or_value;
    ConditionRegion: "ExportConditionRegion" => stream_regions::condition_region,
    CountRegion: "DispatchWorkgroupsCountRegion" => stream_regions::count_region,
    DispatchBody: "DispatchBody" => stream_regions::dispatch_body,
    ResourceRegion: "ResourceRegion" => stream_regions::resource_region,
    WorkgroupBody: "DispatchWorkgroupBody" => stream_regions::workgroup_body,
    WorkgroupRegion: "WorkgroupCountRegion" => stream_regions::workgroup_region;
    ExplicitRegion: "ExplicitResourceRegion" => stream_regions::explicit_region,
}

/// `@name`, or `@name as("other")`
fn symbol_alias<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let alias = renamed_symbol(s, call, [1, 0])?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    // Printed without escapes.
    s.require(!S::PRINTS || alias.is_none_or(|alias| alias.iter().all(is_plain)))
}

/// `@f as("name")`; the name is the one of the function, if there is none.
fn exported_function<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    renamed_symbol(s, call, [0, 1]).map(drop)
}

/// A reference to a symbol, and a name that is shown unless the symbol has it. Returns the shown name.
fn renamed_symbol<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    [symbol, name]: [usize; 2],
) -> Result<Option<Vec<u8>>, S::Error> {
    let (known_symbol, known_text) = (s.attribute_at(call, symbol)?, s.string_at(call, name)?);
    s.require(known_text.is_some() || !S::PRINTS)?;
    let (reference, symbol_name) = s.symbol_reference(known_symbol)?;
    s.set_at(call, symbol, reference);
    let mut shown = None;
    if s.optional_text(" as(", |_| Ok(symbol_name != known_text))? {
        shown = Some(s.unescaped(known_text.as_deref())?);
        s.text(")")?;
    }
    let text = shown.clone().or(symbol_name).unwrap_or_default();
    s.set_string_at(call, name, &text)?;
    Ok(shown)
}

/// `type`, or `type as type`
fn type_alias<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (encoding, storage) = (s.attribute_at(call, 0)?, s.types_at(call, 1)?);
    let encoding = encoding.and_then(|encoding| s.type_in(encoding));
    s.require(!S::PRINTS || encoding.is_some() && storage.len() == 1)?;
    let storage = storage.first().copied();
    let is_same = match (encoding, storage) {
        (Some(encoding), Some(storage)) => s.is_same_type(encoding, storage),
        _ => false,
    };
    let encoding = s.r#type(if is_same { storage } else { encoding })?;
    let storage = match s.optional_text(" as ", |_| Ok(!is_same))? {
        true => s.r#type(storage)?,
        false => encoding,
    };
    s.set_type_at(call, 0, encoding)?;
    s.set_types_at(call, 1, vec![storage]);
    Ok(())
}

/// `@name`, or `{@name, @name}`
fn entry_points<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_items, mut found) = (s.needed_items_at(call, 0)?, Vec::new());
    if s.optional_text("{", |_| Ok(known_items.len() != 1))? {
        if known_items.is_empty() && !S::PRINTS && s.optional_text("}", |_| Ok(false))? {
            return s.set_array_at(call, 0, &[]);
        }
        found = s.each_separated(&known_items, S::attribute)?;
        s.text("}")?;
    } else {
        found.push(s.attribute(known_items.first().copied())?);
    }
    s.set_array_at(call, 0, &found)
}

/// `(type, type)`, as an attribute
fn result_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_items, mut types) = (s.needed_items_at(call, 0)?, Vec::new());
    s.list(Bracket::Round, known_items.len(), |s, place| {
        match S::PRINTS {
            true => drop(s.attribute(known_items.get(place).copied())?),
            false => types.push(s.r#type(None)?),
        }
        Ok(())
    })?;
    let name = s.name_at(call, 0);
    s.set_type_items(&name, &types)
}

/// `= value`, `: type`, or `: type = value` if the value has another type
fn type_or_value<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (r#type, known_attribute) = (s.needed_at(call, 0)?, s.attribute_at(call, 1)?);
    let declared = r#type.and_then(|of| s.type_in(of));
    s.require(declared.is_some() || !S::PRINTS)?;
    let is_of_type = known_attribute.zip(declared).is_some_and(|(value, of)| s.shows_type(value, of));
    let mut attribute_type = None;
    if s.at(TokenKind::Colon, |_| Ok(!is_of_type))? {
        s.text(": ")?;
        attribute_type = Some(s.r#type(declared)?);
    }
    let has_type = attribute_type.is_some();
    let has_value = s.at(TokenKind::Equal, |_| Ok(!has_type || known_attribute.is_some()))?;
    if !has_type && !has_value {
        return Err(s.refuse("expected `:` and a type, or `=` and a value"));
    }
    if has_value {
        s.text(if has_type { " = " } else { "= " })?;
        let value = s.attribute(known_attribute)?;
        s.set_at(call, 1, value);
        if !has_type {
            attribute_type = s.type_of_value(value)?;
        }
    }
    let name = s.name_at(call, 0);
    attribute_type.map_or(Ok(()), |r#type| s.set_type(&name, r#type))
}

/// `5 : i32`, or `@symbol : type`: a symbol has no type of its own. A space separates attributes before it.
fn symbol_or_value<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_attribute, known_types) = (s.attribute_at(call, 0)?, s.types_at(call, 1)?);
    let name = s.name_at(call, 0);
    if s.has_other_attributes(&[&name])? {
        s.text(" ")?;
    }
    let is_symbol =
        s.at(TokenKind::Symbol, |s| Ok(known_attribute.is_some_and(|value| s.is_symbol(value))))?;
    let value = s.attribute(known_attribute)?;
    s.set_at(call, 0, value);
    let r#type = match is_symbol {
        true => Some(s.type_after(" : ", known_types.first().copied())?),
        false => s.type_of_value(value)?,
    };
    match r#type {
        Some(r#type) => s.set_types_at(call, 1, vec![r#type]),
        None if S::PRINTS => {}
        None => return Err(s.unsupported("its value has no type")),
    }
    Ok(())
}

/// The types of a list and of its element that the printer knows, and whether the second type is shown.
type ListTypes<S> = (Option<<S as Direction>::Type>, Option<<S as Direction>::Type>, bool);

fn list_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Result<ListTypes<S>, S::Error> {
    match (&s.types_at(call, 0)?[..], &s.types_at(call, 1)?[..]) {
        (&[list], &[value]) => Ok((Some(list), Some(value), !s.is_list_of(list, value)?)),
        _ => s.require(!S::PRINTS).map(|()| (None, None, false)),
    }
}

/// Returns the type of the elements of a list, which is required where the text omits it.
fn element_of<S: DirectiveSyntax>(s: &mut S, list: S::Type) -> Result<Option<S::Type>, S::Error> {
    if S::PRINTS {
        return Ok(None);
    }
    let is_open = s.type_text(list).is_none_or(|text| text == "!util.list<?>");
    match if is_open { None } else { s.inner_type("!util.list<", list)? } {
        Some(element) => Ok(Some(element)),
        None => Err(s.refuse("its list has no type of its elements")),
    }
}

/// `!util.list<type>`, or `!util.list<?> -> type`
fn list_type_get<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_list, known_element, is_shown) = list_types(s, call)?;
    let list = s.r#type(known_list)?;
    let element = match s.optional_text(" -> ", |_| Ok(is_shown))? {
        true => Some(s.r#type(known_element)?),
        false => element_of(s, list)?,
    };
    s.set_types_at(call, 0, vec![list]);
    s.set_types_at(call, 1, element.into_iter().collect());
    Ok(())
}

/// `!util.list<type>`, or `type -> !util.list<?>`
fn list_type_set<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_list, known_element, is_shown) = list_types(s, call)?;
    let first = s.r#type(if is_shown { known_element } else { known_list })?;
    let (list, element) = match s.optional_text(" -> ", |_| Ok(is_shown))? {
        true => (s.r#type(known_list)?, Some(first)),
        false => (first, element_of(s, first)?),
    };
    s.set_types_at(call, 0, vec![list]);
    s.set_types_at(call, 1, element.into_iter().collect());
    Ok(())
}

/// `type{%size}, type`: the last argument has the sizes.
fn shaped_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let last = S::argument_count(call).saturating_sub(1);
    let (known_types, known_sizes) = (s.types_at(call, 0)?, s.values_at(call, last)?);
    let mut sizes = Vec::new();
    let types = s.each_separated(&known_types, |s, of| shaped_type(s, of, &known_sizes, &mut sizes))?;
    (0..last).for_each(|place| s.set_types_at(call, place, types.clone()));
    s.add_values_at(call, last, sizes);
    Ok(())
}

/// `type{%size}`, whose sizes follow the sizes that are shown already.
pub(super) fn shaped_type<S: DirectiveSyntax>(
    s: &mut S,
    known_type: Option<S::Type>,
    known_sizes: &[S::Value],
    shown: &mut Vec<S::Value>,
) -> Result<S::Type, S::Error> {
    let (r#type, sizes) = s.shaped_type(known_type, known_sizes.get(shown.len()..).unwrap_or_default())?;
    shown.extend(sizes);
    Ok(r#type)
}

/// `type{%size}`, or `%target as type{%size}`. Only some operations have an attribute that says which form is used.
fn tied_result<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let has_attribute = S::argument_count(call) > 2;
    let (known_types, sizes) = (s.types_at(call, 0)?, s.values_at(call, 1)?);
    s.require(!S::PRINTS || known_types.len() == 1)?;
    let is_tied = !has_attribute || s.integers_at(call, 2)?.first().is_some_and(|&number| number >= 0);
    let target = if is_tied { s.operands("target")?.first().copied() } else { None };
    s.require(!S::PRINTS || target.is_some() == is_tied)?;
    let target = s.optional_value(target)?;
    if target.is_some() {
        s.text(" as ")?;
    }
    let (r#type, found) = s.shaped_type(known_types.first().copied(), &sizes)?;
    s.set_types_at(call, 0, vec![r#type]);
    s.add_values_at(call, 1, found);
    match has_attribute {
        true => s.set_integer_items_at(call, 2, "index", &[if target.is_some() { 0 } else { -1 }]),
        false => Ok(()),
    }
}

/// `%condition, %status, "message"`, of which only the status is required.
fn failure_condition<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, known_status) = (s.values_at(call, 0)?, s.values_at(call, 1)?);
    let (known_value, known_status) = (known_values.first().copied(), known_status.first().copied());
    let message = s.attribute_at(call, 2)?;
    let is_status = known_value == known_status;
    let condition = s.value(known_value)?;
    let mut status = condition;
    let mut goes_on = s.optional_text(", ", |_| Ok(!is_status || message.is_some()))?;
    if goes_on && let Some(value) = s.optional_value(known_status.filter(|_| !is_status))? {
        status = value;
        goes_on = s.optional_text(", ", |_| Ok(message.is_some()))?;
    }
    if goes_on {
        let message = message.and_then(|message| s.string(message));
        let (message, name) = (s.unescaped(message.as_deref())?, s.name_at(call, 2));
        s.set_string(&name, &message)?;
    }
    s.add_values_at(call, 0, vec![condition]);
    s.add_values_at(call, 1, vec![status]);
    Ok(())
}

/// ` -> (type{%size}, type)`
fn shaped_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_types, known_sizes) = (s.types_at(call, 0)?, s.values_at(call, 1)?);
    let (mut types, mut sizes) = (Vec::new(), Vec::new());
    if s.optional_text(" -> ", |_| Ok(true))? {
        let item = |s: &mut S, of| shaped_type(s, of, &known_sizes, &mut sizes);
        types = s.each(Bracket::Round, &known_types, item)?;
    }
    s.set_types_at(call, 0, types);
    s.add_values_at(call, 1, sizes);
    Ok(())
}
