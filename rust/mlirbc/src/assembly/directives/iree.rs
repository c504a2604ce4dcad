//! Directives that the dialects of IREE share (`compiler/src/iree/compiler/Dialect` of the IREE project).

use crate::assembly::steps::Steps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};

directives! {
    Bindings: "BindingTable" | "Bindings" => bindings,
    ConstantValues: "ConstantValueList" => constant_values,
    EntryPoints: "DispatchEntryPoints" => entry_points,
    OperandTypes: "OperandTypeList" => operand_types,
    Parameter: "ParameterReference" => parameter,
    Ranges: "RangeList" => ranges,
    SizedType: "SizeAwareType" => sized_type,
    SymbolAlias: "SymbolAlias" => symbol_alias,
    TypeAlias: "TypeAlias" => type_alias,
    ValueList: "TypedValueList" => value_list,
    ValueTypes: "ValueTypeList" => value_types,
}

/// `(type, type)`
fn operand_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known, mut types) = (s.types_at(call, 0)?, Vec::new());
    s.list(Bracket::Round, known.len(), |s, place| {
        types.push(s.r#type(known.get(place).copied())?);
        Ok(())
    })?;
    s.set_types_at(call, 0, types);
    Ok(())
}

/// `[%a, %b]`, each of the type that is known.
fn value_list<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.values_at(call, 1)?;
    let values = s.values_in(Bracket::Square, &known)?;
    let of = s.read_types_at(call, 0).first().copied();
    let types = values.iter().filter_map(|_| of).collect();
    s.add_values_at(call, 1, values);
    s.set_types_at(call, 2, types);
    Ok(())
}

/// `[%a : type, %b : type]`
fn value_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.values_at(call, 0)?;
    let known_types = s.types_of(&known);
    let (mut values, mut types) = (Vec::new(), Vec::new());
    s.list(Bracket::Square, known.len(), |s, place| {
        values.push(s.value(known.get(place).copied())?);
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    s.set_types_at(call, 1, types);
    Ok(())
}

/// `[%offset for %length], [%offset for %length]`
fn ranges<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = [s.values_at(call, 0)?, s.values_at(call, 1)?];
    s.require(known[0].len() == known[1].len())?;
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    s.separated(known[0].len(), |s, place| {
        s.text("[")?;
        offsets.push(s.value(known[0].get(place).copied())?);
        s.text(" for ")?;
        lengths.push(s.value(known[1].get(place).copied())?);
        s.text("]")
    })?;
    s.add_values_at(call, 0, offsets);
    s.add_values_at(call, 1, lengths);
    Ok(())
}

/// `type{%size}`
fn sized_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known, sizes) = (s.types_at(call, 0)?, s.values_at(call, 1)?);
    s.require(!S::PRINTS || known.len() == 1 && sizes.len() == 1)?;
    let r#type = s.r#type(known.first().copied())?;
    s.text("{")?;
    let size = s.value(sizes.first().copied())?;
    s.text("}")?;
    s.set_types_at(call, 0, vec![r#type]);
    s.add_values_at(call, 1, vec![size]);
    Ok(())
}

/// `@name`, or `@name as("other")`
fn symbol_alias<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (own, of) = (s.attribute_at(call, 0)?, s.attribute_at(call, 1)?);
    let known = own.and_then(|own| s.string(own));
    s.require(known.is_some() || !S::PRINTS)?;
    let (reference, mut name) = s.symbol_reference(of)?;
    s.set_at(call, 1, reference);
    if s.optional_text(" as(", |_| Ok(name != known))? {
        let text = s.unescaped(known.as_deref())?;
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
        // Printed without escapes.
        s.require(!S::PRINTS || text.iter().all(is_plain))?;
        s.text(")")?;
        name = Some(text);
    }
    let own = s.name_at(call, 0);
    s.set_string(&own, &name.unwrap_or_default())
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
    let name = s.name_at(call, 0);
    s.set_type(&name, encoding)?;
    s.set_types_at(call, 1, vec![storage]);
    Ok(())
}

/// `type{%size} = value`, one on each line
fn constant_values<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known, known_sizes) = (s.types_at(call, 0)?, s.values_at(call, 1)?);
    let known_values = s.items_at(call, 2)?;
    s.require(known.len() == known_sizes.len() && known.len() == known_values.len())?;
    let (mut types, mut sizes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut place = 0;
    while place < known.len() || !S::PRINTS {
        s.newline();
        if S::PRINTS {
            s.text("  ")?;
        }
        types.push(s.r#type(known.get(place).copied())?);
        s.text("{")?;
        sizes.push(s.value(known_sizes.get(place).copied())?);
        s.text("} = ")?;
        values.push(s.attribute(known_values.get(place).copied())?);
        place += 1;
        if !s.optional_text(",", |_| Ok(place < known.len()))? {
            break;
        }
    }
    s.set_types_at(call, 0, types);
    s.add_values_at(call, 1, sizes);
    s.set_array_at(call, 2, &values)
}

/// `@name`, or `{@name, @name}`
fn entry_points<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.attribute_at(call, 0)?;
    s.require(known.is_some() || !S::PRINTS)?;
    let (known, mut found) = (s.items_at(call, 0)?, Vec::new());
    if s.optional_text("{", |_| Ok(known.len() != 1))? {
        if known.is_empty() && !S::PRINTS && s.optional_text("}", |_| Ok(false))? {
            return s.set_array_at(call, 0, &[]);
        }
        s.separated(known.len(), |s, place| {
            found.push(s.attribute(known.get(place).copied())?);
            Ok(())
        })?;
        s.text("}")?;
    } else {
        found.push(s.attribute(known.first().copied())?);
    }
    s.set_array_at(call, 0, &found)
}

/// Lines of `(%buffer : type)[%offset, %length]`, with commas between them
fn bindings<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known, known_types) = (s.values_at(call, 0)?, s.types_at(call, 1)?);
    let ranges = [s.values_at(call, 2)?, s.values_at(call, 3)?];
    s.require([known_types.len(), ranges[0].len(), ranges[1].len()] == [known.len(); 3])?;
    let (mut buffers, mut types) = (Vec::new(), Vec::new());
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    s.separated(known.len(), |s, place| {
        s.newline();
        s.text("  (")?;
        buffers.push(s.value(known.get(place).copied())?);
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        s.text(")[")?;
        offsets.push(s.value(ranges[0].get(place).copied())?);
        s.text(", ")?;
        lengths.push(s.value(ranges[1].get(place).copied())?);
        s.text("]")
    })?;
    s.newline();
    s.set_types_at(call, 1, types);
    for (place, values) in [(0, buffers), (2, offsets), (3, lengths)] {
        s.add_values_at(call, place, values);
    }
    Ok(())
}

/// `%key`, or `%scope::%key`
fn parameter<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (scope, key) = (s.values_at(call, 0)?, s.values_at(call, 1)?);
    let known = if scope.is_empty() { key } else { scope };
    let first = s.value(known.first().copied())?;
    if s.optional_text("::", |_| Ok(!scope.is_empty()))? {
        let key = s.value(key.first().copied())?;
        s.add_values_at(call, 0, vec![first]);
        s.add_values_at(call, 1, vec![key]);
    } else {
        s.add_values_at(call, 1, vec![first]);
    }
    Ok(())
}
