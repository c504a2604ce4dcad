//! Encodings of attributes and types in bytecode, from the records of `BytecodeBase.td`.
//!
//! A list of a dialect (`DialectAttributes`, `DialectTypes`) has its encodings in the order of their codes. The C++ of a member's
//! reader names the primitive; a member that only C++ of the project reads ends the fields that are known.

use serde_json::{Map, Value as Json, json};

use super::RowsByName;
use super::constraints::unqualified;
use super::records::{Record, Records};
use crate::dialect::find_dialect;

/// Members in one another.
const DEEPEST: usize = 8;

/// The encodings of dumps by `dialect.Name`, where the dialect has the name of the list: `CIR.IntAttr`.
#[derive(Debug, Default)]
pub(super) struct Encodings(RowsByName);

impl Encodings {
    pub(super) fn add(&mut self, records: &Records) {
        for (list_class, sort) in [("DialectAttributes", "attribute"), ("DialectTypes", "type")] {
            for list in records.instances(list_class) {
                let elements: Vec<&Record> =
                    list.list("elems").filter_map(|element| records.named(Some(element))).collect();
                for (code, element) in elements.iter().enumerate().filter(|(_, one)| !is_hole(one)) {
                    let name = format!("{}.{}", list.text("dialect"), element.name);
                    let reader = MemberReader { records, elements: &elements };
                    self.0.entry(name).or_insert_with(|| reader.row(element, sort, code));
                }
            }
        }
    }

    /// The rows of the dialects of a pack. The name of a list is the name of a dialect in another case, without `_`.
    pub(super) fn into_rows(self, dialects: &[String]) -> RowsByName {
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let rename = |(name, row): (String, Map<String, Json>)| {
            let (list, element) = name.split_once('.')?;
            let dialect = dialects.iter().find(|dialect| plain(dialect) == plain(list))?;
            Some((format!("{dialect}.{element}"), row))
        };
        self.0.into_iter().filter_map(rename).collect()
    }
}

/// Whether a place of a list has no encoding.
fn is_hole(element: &Record) -> bool {
    &*element.name == "ReservedOrDead"
}

struct MemberReader<'r> {
    records: &'r Records,
    /// The encodings of the same list, whose classes references are checked for.
    elements: &'r [&'r Record],
}

impl MemberReader<'_> {
    fn row(&self, element: &Record, sort: &str, code: usize) -> Map<String, Json> {
        let mut row = Map::new();
        row.insert("of".into(), json!(sort));
        row.insert("code".into(), json!(code));
        let class = element.text("cType");
        if !class.is_empty() && class != &*element.name {
            row.insert("class".into(), json!(unqualified(class)));
        }
        row.insert("fields".into(), json!(self.fields(element, 0)));
        // Builds read the encoding of earlier ones, and never write it.
        if element.text("printerPredicate").trim() == "false" {
            row.insert("written".into(), json!(false));
        }
        if !element.source.is_empty() {
            row.insert("at".into(), json!(&*element.source));
        }
        row
    }

    fn fields(&self, element: &Record, depth: usize) -> Vec<String> {
        let mut fields = Vec::new();
        for (value, name) in element.dag("members") {
            let Some(member) = self.records.named(Some(value)) else { continue };
            if is_computed(member) {
                continue;
            }
            let name = self.name_of(element, name);
            match self.primitive(member, depth) {
                Some(primitive) => fields.push(format!("{name}: {primitive}")),
                None => {
                    fields.push(format!("{name}: opaque"));
                    break;
                }
            }
        }
        fields
    }

    /// Returns the name of a member. A member such as `_rawFlags` has the name of the member that its cast gives.
    fn name_of(&self, element: &Record, name: &str) -> String {
        let is_cast_of = |member: &&str| {
            let Some((_, expression)) = local_expression(member) else { return false };
            expression.rsplit(')').next().is_some_and(|source| source.trim() == name)
                && expression.starts_with('(')
        };
        let cast = element.dag("members").find(|(value, _)| {
            self.records.named(Some(value)).is_some_and(|member| is_cast_of(&member.text("cParser")))
        });
        cast.map_or_else(|| name.trim_start_matches('_').to_owned(), |(_, name)| name.to_owned())
    }

    /// The primitive of a member as a dialect table has it; `None` if C++ of the project reads it.
    fn primitive(&self, member: &Record, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        if member.is("ArrayWithKnownSize") {
            return None;
        }
        if member.is("Array") {
            let element = self.records.inner(member, "elemT")?;
            return Some(format!("list({})", self.items(element, depth + 1)?));
        }
        if member.is("CompositeBytecode") {
            let parts = self.parts(member, depth + 1)?;
            return <[String; 1]>::try_from(parts).ok().map(|[only]| only);
        }
        let call = member.text("cParser").trim();
        let call = call.strip_prefix("succeeded(")?.strip_suffix(')')?;
        let (function, arguments) = call.split_once('(')?;
        let arguments: Vec<&str> = arguments.strip_suffix(')')?.split(',').map(str::trim).collect();
        let (function, template) = match function.split_once('<') {
            Some((function, rest)) => (function, rest.strip_suffix('>').unwrap_or(rest)),
            None => (function, ""),
        };
        self.of_function(function.trim(), template, &arguments, member)
    }

    fn of_function(
        &self,
        function: &str,
        template: &str,
        arguments: &[&str],
        member: &Record,
    ) -> Option<String> {
        let name_at = |place: usize| {
            let name = arguments.get(place)?;
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_name.then(|| name.trim_start_matches('_'))
        };
        Some(match function {
            "$_reader.readAttribute" => format!("attribute{}", self.class_of(member)),
            "$_reader.readOptionalAttribute" => format!("optional_attribute{}", self.class_of(member)),
            "$_reader.readType" => "type".to_owned(),
            "$_reader.readOptionalType" => "optional_type".to_owned(),
            "$_reader.readVarInt" => "varint".to_owned(),
            "$_reader.readVarIntWithFlag" => "varint_with_flag".to_owned(),
            "$_reader.readSignedVarInt" => "signed".to_owned(),
            "$_reader.readString" => "string".to_owned(),
            "$_reader.readBlob" => "blob".to_owned(),
            "$_reader.readBool" => "bool".to_owned(),
            "readAPIntWithKnownWidth" => format!("int({})", name_at(1)?),
            "readAPFloatWithKnownSemantics" => format!("float({})", name_at(1)?),
            "readResourceHandle" => "resource".to_owned(),
            // Functions of LLVM's dialects.
            "readDoubleAPFloat" => "float(f64)".to_owned(),
            "readOptionalInt" => "optional_varint".to_owned(),
            "readFileLineColRangeLocs" => "list(varint)".to_owned(),
            "readPotentiallySplatString" => format!("splat({})", name_at(2)?),
            "readOptionalArrayRef" if is_integer(template) => "optional_list(varint)".to_owned(),
            "readOptionalArrayRef" => {
                format!("optional_list(optional_attribute{})", self.checked_class(template))
            }
            _ => return None,
        })
    }

    /// The primitives of an element of a list, which may be a composite of several.
    fn items(&self, element: &Record, depth: usize) -> Option<String> {
        match element.is("CompositeBytecode") {
            true => Some(self.parts(element, depth + 1)?.join(" ")),
            false => self.primitive(element, depth),
        }
    }

    fn parts(&self, composite: &Record, depth: usize) -> Option<Vec<String>> {
        let members = composite.dag("members").filter_map(|(value, _)| self.records.named(Some(value)));
        members.filter(|member| !is_computed(member)).map(|member| self.primitive(member, depth)).collect()
    }

    fn class_of(&self, member: &Record) -> String {
        let class = member.text("cType");
        self.checked_class(if class.is_empty() && !member.is_anonymous() { &member.name } else { class })
    }

    /// The class of a reference in parentheses, if it has an encoding: interfaces and base classes are not checked.
    fn checked_class(&self, class: &str) -> String {
        let class = unqualified(class);
        let has_class =
            |element: &&&Record| &*element.name == class || unqualified(element.text("cType")) == class;
        let is_builtin = || {
            let builtin = find_dialect("builtin");
            builtin.is_some_and(|builtin| builtin.attributes.of_kind(class).next().is_some())
        };
        match self.elements.iter().any(|element| has_class(&element)) || is_builtin() {
            true => format!("({class})"),
            false => String::new(),
        }
    }
}

fn is_integer(class: &str) -> bool {
    matches!(class.trim_start_matches("::").trim_start_matches("std::"), "uint64_t" | "uint32_t" | "unsigned")
}

/// Whether a member is computed from others, and not in the bytes.
fn is_computed(member: &Record) -> bool {
    local_expression(member.text("cParser")).is_some()
}

/// The variable and the expression of `(($_var = EXPRESSION), true)`.
fn local_expression(parser: &str) -> Option<(&str, &str)> {
    let assignment = parser.trim().strip_prefix("((")?.strip_suffix("), true)")?;
    let (variable, expression) = assignment.split_once('=')?;
    Some((variable.trim(), expression.trim()))
}

#[cfg(test)]
mod tests;
