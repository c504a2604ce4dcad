//! Paths of members, whose names are in the text of a type.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::brackets::split;
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    FirstType: "FirstType" => first_type,
    MemberNumbers: "MemberNumbers" => member_numbers,
    MemberPath: "MemberPath" => member_path,
}

/// The number that stands for a value.
const VALUE: i64 = i32::MIN as i64;

/// `member, %a, other`: values, and members of a type by their names.
///
/// Values, the numbers of members and of values, and a type.
fn member_path<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, mut known_numbers) = (s.values_at(call, 0)?, s.integers_at(call, 1)?);
    if s.attribute_at(call, 1)?.is_none() {
        known_numbers = known_values.iter().map(|_| VALUE).collect();
    }
    let base = match S::PRINTS {
        true => {
            let base = s.types_at(call, 2)?.first().copied();
            let base = s.some(base)?;
            s.long_type_text(base).unwrap_or_default()
        }
        false => String::new(),
    };
    let known_names = member_names(&base, &known_numbers);
    let known_names = s.some(known_names)?;
    let mut remaining = known_values.iter().copied();
    let mut values = Vec::new();
    s.separated(known_numbers.len(), |s, place| {
        let name = known_names.get(place).copied().flatten();
        if s.at(TokenKind::Value, |_| Ok(name.is_none()))? {
            values.push(s.value(remaining.next())?);
            s.keep_number(VALUE);
            return Ok(());
        }
        let name = s.word(name, "a value, or the name of a member")?;
        s.keep_number(0);
        s.keep_word(name);
        Ok(())
    })?;
    s.require(remaining.next().is_none())?;
    s.add_values_at(call, 0, values);
    Ok(())
}

/// Nothing: an attribute is the first of the types.
fn first_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::PRINTS {
        let (first, attribute) = (s.types_at(call, 1)?.first().copied(), s.attribute_at(call, 0)?);
        let r#type = attribute.and_then(|attribute| s.type_in(attribute));
        match first.zip(r#type) {
            Some((first, r#type)) if s.is_same_type(first, r#type) => {}
            _ => s.lose("a type that differs from the one of its first operand"),
        }
        return Ok(());
    }
    let first = s.read_types_at(call, 1).first().copied();
    let (first, name) = (s.some(first)?, s.name_at(call, 0));
    s.set_type(&name, first)
}

/// Nothing: the numbers of members of the first type whose names were read.
fn member_numbers<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::PRINTS {
        return Ok(());
    }
    let base = s.read_types_at(call, 1).first().copied();
    let base = s.some(base)?;
    let mut numbers = s.kept_numbers();
    let text = s.type_text(base).unwrap_or_default();
    let (mut names, mut inner) = (Vec::new(), &*text);
    while let Some(name) = s.kept_word() {
        names.push(name);
    }
    for number in numbers.iter_mut().filter(|number| **number != VALUE) {
        let name = names.pop().unwrap_or_default();
        let member_list = members(inner, &text)
            .and_then(|members| members.into_iter().enumerate().find(|(_, (known, _))| *known == name));
        let Some((place, (_, r#type))) = member_list else {
            return Err(s.refuse(format!("the type of its first operand has no member `{name}`")));
        };
        (*number, inner) = (place as i64, r#type);
    }
    match numbers.iter().any(|number| *number != VALUE) {
        true => s.set_integers_at(call, 0, "i32", &numbers),
        false => Ok(()),
    }
}

/// The names of the members on a path; none for values.
fn member_names<'t>(text: &'t str, numbers: &[i64]) -> Option<Vec<Option<&'t str>>> {
    let mut inner = text;
    let mut name_of = |&number: &i64| {
        if number == VALUE {
            return Some(None);
        }
        let (name, r#type) = *members(inner, text)?.get(usize::try_from(number).ok()?)?;
        inner = r#type;
        Some(Some(name))
    };
    numbers.iter().map(&mut name_of).collect()
}

/// The members in `!d.box<!d.type<name{a:i32,b:f32}>>` with their types. Within its own members, a type has only its name, so
/// that its members are those in `whole`.
fn members<'t>(text: &'t str, whole: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
    let list = match text.split_once('{') {
        Some((_, list)) => list,
        None => {
            let name = text.rsplit_once('<')?.1.split('>').next()?;
            let mut places = whole.match_indices(name).map(|(place, _)| whole.get(place + name.len()..));
            let body_start = places.find(|rest| rest.is_some_and(|rest| rest.starts_with(['{', '('])));
            body_start??.split_once('{')?.1
        }
    };
    let end = closing(list)?;
    split(list.get(..end)?)?.into_iter().map(|member| member.split_once(':')).collect()
}

/// The place of the brace that closes a list.
fn closing(list: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(place),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_named_by_their_numbers() {
        let text = "!d.ref<!d.array<2x!d.type<T(k:i32){a:i32,b:!d.type<U{x:f32,y:!d.char<1,2>}>,c:!d.box<!d.type<T>>}>>>";
        let names = |numbers: &[i64]| member_names(text, numbers);
        assert_eq!(names(&[VALUE, 1, 1]).unwrap(), [None, Some("b"), Some("y")]);
        assert_eq!(names(&[2, 2, 0]).unwrap(), [Some("c"), Some("c"), Some("a")]);
        assert_eq!(names(&[0, 0]), None);
        assert_eq!(names(&[3]), None);
        assert_eq!(member_names("i32", &[0]), None);
        assert_eq!(member_names("!d.type<T{a:i32", &[0]), None);
    }
}
