//! The cases of enumerations that the target has, as words in a text and as numbers.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::fields::symbol_at;
use super::{NewValue, ReleaseConversion};
use crate::attr::Attribute;
use crate::attr::text::parse::fields::symbols;
use crate::ops::{AttributeText, Constraint, Enumeration, OperationDefinitions};
use crate::wire::error::Result;
use crate::wire::loss::LossKind;

type Classes = HashMap<Box<str>, Arc<Constraint>>;

/// Returns the enumerations of a release by the names of their attributes.
fn classes(release: &str) -> Option<&'static Classes> {
    static KNOWN: OnceLock<HashMap<&'static str, Classes>> = OnceLock::new();
    let all = KNOWN.get_or_init(|| {
        let enumerations_of = |name| Some((name, OperationDefinitions::named(name)?.enumerations()));
        OperationDefinitions::releases().filter_map(enumerations_of).collect()
    });
    all.get(release)
}

/// Splits the mnemonic of `#gpu<dim x>` or `#omp<clause_task_depend(in)>` from the text after it.
pub(super) fn split_mnemonic(body: &str) -> Option<(&str, &str)> {
    let body = body.trim();
    let end = body.find([' ', '('])?;
    body.split_at_checked(end)
}

impl ReleaseConversion {
    /// Whether an attribute is the case of an enumeration in the target.
    pub(super) fn has_case_form(&self, name: &str) -> bool {
        self.enumerations(name.trim_start_matches('#')).is_some()
    }

    /// Whether a symbol of a text is a case that the file's release has and the target does not.
    pub(super) fn lacks_case(&self, name: &str, body: Option<&str>) -> bool {
        let (Some(name), Some(body)) = (name.strip_prefix('#'), body) else { return false };
        // `#gpu<dim x>` and `#gpu.dim<x>`.
        let (class, cases) = match split_mnemonic(body) {
            Some((mnemonic, cases)) if !name.contains('.') => (format!("{name}.{mnemonic}"), cases),
            _ => (name.to_owned(), body),
        };
        let Some((own, target)) = self.enumerations(&class) else { return false };
        let words = cases.split(['|', ',', ' ', '(', ')']).map(str::trim).filter(|word| !word.is_empty());
        let has = |cases: &Enumeration, word: &str| cases.cases().any(|(_, known)| known == word);
        words.clone().all(|word| has(own, word)) && words.clone().any(|word| !has(target, word))
    }

    /// Returns a text with spaces in place of the cases of enumerations, because cases may be named like
    /// types.
    pub(super) fn without_cases<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let Ok(whole) = std::str::from_utf8(text) else { return Cow::Borrowed(text) };
        let Some(source_classes) = classes(&self.own) else { return Cow::Borrowed(text) };
        let mut new = Cow::Borrowed(text);
        let mut done = 0;
        for start in symbols(whole) {
            let Some((name, Some(body))) = symbol_at(whole, start) else { continue };
            let Some(class) = name.strip_prefix('#').filter(|_| start >= done) else { continue };
            let mnemonic = split_mnemonic(body).map_or(body, |(mnemonic, _)| mnemonic);
            let class = if class.contains('.') { class.to_owned() } else { format!("{class}.{mnemonic}") };
            let cases = start + name.len() + 1..start + name.len() + 1 + body.len();
            if source_classes.get(&*class).is_some_and(|class| class.enumeration().is_some()) {
                done = cases.end;
                if let Some(cases) = new.to_mut().get_mut(cases) {
                    cases.fill(b' ');
                }
            }
        }
        new
    }

    fn enumerations(&self, class: &str) -> Option<(&'static Enumeration, &'static Enumeration)> {
        let target = self.release.map(|release| &*release.name)?;
        let source = classes(&self.own)?.get(class)?.enumeration()?;
        Some((source, classes(target)?.get(class)?.enumeration()?))
    }

    /// Translates the value of an attribute, if the target has another number for its case, or another
    /// integer type.
    ///
    /// # Errors
    /// If `value` fails, or the other value cannot be made. The inner error is the reason why the target does
    /// not have the value.
    pub(crate) fn value_in_target(
        &self,
        op: &str,
        (own_name, name): (&str, &str),
        value: impl FnOnce() -> Result<Attribute>,
    ) -> Result<std::result::Result<NewValue, LossKind>> {
        const SAME: Result<std::result::Result<NewValue, LossKind>> = Ok(Ok(NewValue::Same));
        let Some(release) = self.release.filter(|_| !self.is_any) else { return SAME };
        let Some(target) = StoredAttribute::of(&release.name, self.op_name(op), name) else { return SAME };
        let Some(own) = StoredAttribute::of(&self.own, op, own_name) else { return SAME };
        match (own, target) {
            (StoredAttribute::Integer(own), StoredAttribute::Integer(target)) if own != target => {
                let new = value()?.with_width(target)?;
                Ok(new.map(NewValue::Other).ok_or_else(|| LossKind::NotOfClass(name.to_owned())))
            }
            (StoredAttribute::Case(own), StoredAttribute::Case(target)) if own != target => {
                // Rules with numbers know which cases were renamed.
                if self.renamed(op).any(|rule| rule.from == own_name && rule.has_numbers()) {
                    return SAME;
                }
                let new = renumbered(&own, &target, &value()?)?;
                Ok(new.map_err(|case| LossKind::NoSuchCase(case, name.to_owned())))
            }
            _ => SAME,
        }
    }
}

/// How an operation stores an attribute.
enum StoredAttribute {
    /// An integer of this width.
    Integer(u32),
    /// A case of an enumeration.
    Case(Enumeration),
}

impl StoredAttribute {
    fn of(release: &str, op: &str, attribute: &str) -> Option<Self> {
        let definitions = OperationDefinitions::named(release)?;
        let definition = definitions.get(op).filter(|_| !definitions.is_included(op))?;
        let constraint = definition.attribute(attribute)?.constraint()?;
        match constraint.attribute_text() {
            AttributeText::Typed(name) => name.strip_prefix('i')?.parse().ok().map(Self::Integer),
            _ => constraint.enumeration().cloned().map(Self::Case),
        }
    }
}

/// Returns the same cases as a number of another enumeration, or the first case that the other enumeration
/// lacks.
fn renumbered(
    own: &Enumeration,
    target: &Enumeration,
    value: &Attribute,
) -> Result<std::result::Result<NewValue, String>> {
    let missing = RefCell::new(None);
    let number = |number: i64| {
        let Some(text) = own.text(number) else { return Some(number) };
        let separator = own.separator().map_or("\0", str::trim);
        let mut sum = 0;
        for word in text.split(separator).map(str::trim) {
            match target.cases().find(|(_, known)| *known == word) {
                Some((bits, _)) => sum |= bits,
                None => {
                    *missing.borrow_mut() = Some(word.to_owned());
                    return None;
                }
            }
        }
        Some(sum)
    };
    let new = value.renumbered(number)?;
    Ok(match (new, missing.into_inner()) {
        (_, Some(word)) => Err(word),
        (Some(new), None) if new != *value => Ok(NewValue::Other(new)),
        _ => Ok(NewValue::Same),
    })
}
