//! The rows of attributes and types of dialects.
//!
//! A parameter has a C++ type; [`resolve`] finds the kind of its text when all classes of all dumps are known.

use serde_json::{Map, Value as Json, json};

use super::constraints::{ClassNames, class_of};
use super::enumerations::Enumerations;
use super::format_tree;
use super::records::{Record, Records};

/// A mark of a parameter whose parser or printer is C++ of the project, until [`resolve`].
const BY_CODE: &str = "by_code";

/// A mark of a parameter that is written by the name of a case, without quotes, until [`resolve`].
const IS_CASE: &str = "is_case";

/// The C++ class of the type of an attribute, until [`resolve`].
const VALUE_CLASS: &str = "value_class";

/// Lists in one another.
const DEEPEST: usize = 4;

/// The row of an attribute or a type, without its name.
pub(super) fn row(records: &Records, record: &Record, dialect: &Record) -> Json {
    let mut row = Map::new();
    row.insert("class".into(), json!(class_of(record, dialect)));
    let parameters: Vec<Json> =
        record.dag("parameters").map(|(value, name)| parameter(records, value, name)).collect();
    if !parameters.is_empty() {
        row.insert("parameters".into(), Json::Array(parameters));
    }
    let format = record.text("assemblyFormat");
    match (format_tree::parse(format), record.bit("hasCustomAssemblyFormat")) {
        (Some(tree), _) if !format.trim().is_empty() => drop(row.insert("format".into(), Json::Array(tree))),
        (_, is_custom) if is_custom || !format.trim().is_empty() => {
            row.insert("format".into(), json!("custom"));
        }
        _ => {}
    }
    if record.bit("genMnemonicAlias") {
        row.insert("alias".into(), json!(true));
    } else if let Some(name) = fixed_alias(record.text("extraClassDeclaration")) {
        row.insert("alias".into(), json!(name));
    }
    if let Some(name) = value_name(record.text("extraClassDeclaration")) {
        row.insert("value_name".into(), json!(name));
    }
    if let Some(class) = value_class(record.text("extraClassDeclaration")) {
        row.insert(VALUE_CLASS.into(), json!(class));
    }
    if let Some(cases) = records.inner(record, "enum") {
        row.insert("cases".into(), json!(Enumerations::name_of(cases)));
    }
    for (key, text) in [("summary", record.text("summary").trim()), ("at", &record.source)] {
        if !text.is_empty() {
            row.insert(key.into(), json!(text));
        }
    }
    Json::Object(row)
}

/// The alias that `getAlias` in C++ writes, if its body only writes texts.
fn fixed_alias(code: &str) -> Option<String> {
    let (_, body) = code.split_once("getAlias(")?.1.split_once('{')?;
    let mut name = String::new();
    for statement in body.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        if statement.starts_with("return ") {
            return statement.ends_with("Alias").then_some(name).filter(|name| !name.is_empty());
        }
        let text = statement.strip_prefix("os")?.trim_start().strip_prefix("<<")?.trim();
        name.push_str(text.strip_prefix('"')?.strip_suffix('"').filter(|text| !text.contains('"'))?);
    }
    None
}

/// The C++ class of the type that `getType` returns for any attribute of a class.
fn value_class(code: &str) -> Option<&str> {
    let (_, body) = code.split_once(" getType() const {")?;
    let (statement, _) = body.split_once('}')?;
    let class = statement.trim().strip_prefix("return ")?.strip_suffix("::get(getContext());")?;
    class.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':').then_some(class)
}

/// The name that `getAsmName` in C++ gives to values of a type, if its body only sets a text.
fn value_name(code: &str) -> Option<&str> {
    let (_, body) = code.split_once("getAsmName(")?.1.split_once('{')?;
    let (statement, _) = body.split_once('}')?;
    let text = statement.trim().strip_prefix("setNameFn(\"")?.strip_suffix("\");")?;
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some(text)
}

/// A parameter: its name, its C++ type, and what else is known.
fn parameter(records: &Records, value: &Json, name: &str) -> Json {
    if let Some(class) = value.as_str() {
        return json!([name, class]);
    }
    let Some(record) = records.named(Some(value)) else { return json!([name, ""]) };
    let mut marks = Map::new();
    let default = record.text("defaultValue");
    if !default.is_empty() {
        marks.insert("optional".into(), json!(true));
        marks.insert("code".into(), json!(default));
    }
    if record.is("AttributeSelfTypeParameter") {
        marks.insert("self_type".into(), json!(true));
    } else if is_by_code(record) {
        marks.insert(BY_CODE.into(), json!(true));
    } else if is_case(record) {
        marks.insert(IS_CASE.into(), json!(true));
    }
    match marks.is_empty() {
        true => json!([name, record.text("cppType")]),
        false => json!([name, record.text("cppType"), marks]),
    }
}

/// Whether a parser or a printer of a parameter is one of the project. Parsers and printers of LLVM's classes for strings and enumerations are
/// the usual ones.
fn is_by_code(record: &Record) -> bool {
    let (parser, printer) = (record.text("parser").trim(), record.text("printer").trim());
    let is_case = is_case(record);
    let is_of_llvm = is_case || record.is("StringRefParameter");
    !(is_of_llvm || printer.is_empty() && parser.is_empty())
}

/// Whether the printer of a parameter writes the name of a case as it is.
fn is_case(record: &Record) -> bool {
    let printer = record.text("printer").trim();
    printer.starts_with("$_printer << stringify") && printer.ends_with("($_self)")
}

/// Finds the kinds and the defaults of the parameters of a row.
pub(super) fn resolve(row: &mut Map<String, Json>, classes: &ClassNames, enumerations: &mut Enumerations) {
    let class = row.get("class").and_then(Json::as_str).unwrap_or_default().to_owned();
    let namespace = class.rsplit_once("::").map_or("", |(namespace, _)| namespace);
    if let Some(cases) = row.get("cases").and_then(Json::as_str) {
        enumerations.mark_used(cases);
    }
    resolve_value_type(row, &Kinds { classes, namespace });
    let parameters = row.get_mut("parameters").and_then(Json::as_array_mut).into_iter().flatten();
    for parameter in parameters.filter_map(Json::as_array_mut) {
        let code = parameter.get(1).and_then(Json::as_str).unwrap_or_default().to_owned();
        let mut marks = match parameter.get_mut(2).map(Json::take) {
            Some(Json::Object(marks)) => marks,
            _ => Map::new(),
        };
        let kinds = Kinds { classes, namespace };
        let is_by_code = marks.remove(BY_CODE).is_some();
        let declared_kind = marks.get("kind").and_then(Json::as_str).map(str::to_owned);
        let is_case = marks.remove(IS_CASE).is_some();
        let (inner, is_optional) = unwrapped_optional(&code);
        let kind = (!is_by_code).then(|| kinds.of(inner, enumerations, 0)).flatten();
        let kind = kind.map(|kind| if is_case { kind.replace("keyword ", "enum ") } else { kind });
        let kind = declared_kind.or(kind);
        if is_optional {
            marks.insert("optional".into(), json!(true));
        }
        if let Some(default) = marks.get("code").and_then(Json::as_str).map(str::to_owned) {
            let text = kind.as_deref().and_then(|kind| default_text(kind, &default, enumerations));
            if let Some(text) = text {
                marks.insert("default".into(), json!(text));
            }
            // The C++ of a null attribute says what `optional` says.
            if default.ends_with("()") || marks.contains_key("default") {
                marks.remove("code");
            }
        }
        if let Some(kind) = kind {
            marks.insert("kind".into(), json!(kind));
        }
        parameter.truncate(2);
        if !marks.is_empty() {
            parameter.push(Json::Object(marks));
        }
    }
}

/// Replaces the C++ class of the type of an attribute by the type, unless an author declared the type.
fn resolve_value_type(row: &mut Map<String, Json>, kinds: &Kinds<'_>) {
    let Some(class) = row.remove(VALUE_CLASS) else { return };
    let class = class.as_str().unwrap_or_default();
    let kind = kinds.candidates(class).iter().find_map(|name| kinds.classes.kind(name));
    if let Some((true, name)) = kind {
        row.entry("value_type").or_insert_with(|| json!(format!("!{name}")));
    }
}

fn unwrapped_optional(code: &str) -> (&str, bool) {
    let code = code.trim();
    let inner =
        template_argument(code, &["std::optional", "::std::optional", "Optional", "::llvm::Optional"]);
    (inner.unwrap_or(code), inner.is_some())
}

/// The argument of one of these class templates.
fn template_argument<'c>(code: &'c str, names: &[&str]) -> Option<&'c str> {
    let (name, rest) = code.split_once('<')?;
    names.contains(&name.trim()).then(|| rest.strip_suffix('>')).flatten().map(str::trim)
}

/// The kinds of parameters in a namespace.
struct Kinds<'c> {
    classes: &'c ClassNames,
    namespace: &'c str,
}

impl Kinds<'_> {
    /// The kind of a C++ type; `None` if only the project knows its text.
    fn of(&self, code: &str, enumerations: &mut Enumerations, depth: usize) -> Option<String> {
        let lists = [
            "::llvm::ArrayRef",
            "llvm::ArrayRef",
            "ArrayRef",
            "::mlir::ArrayRef",
            "::llvm::SmallVector",
            "llvm::SmallVector",
            "SmallVector",
            "std::vector",
            "::std::vector",
        ];
        if let Some(inner) = template_argument(code, &lists) {
            // A size may follow the element.
            let inner = inner.split_once(',').map_or(inner, |(inner, _)| inner);
            let inner = if depth < DEEPEST { self.of(inner, enumerations, depth + 1)? } else { return None };
            return Some(format!("list({inner})"));
        }
        let code = code.trim().trim_start_matches("const ").trim_end_matches('&').trim();
        let short =
            super::constraints::unqualified(code).trim_start_matches("llvm::").trim_start_matches("std::");
        let fixed = match short {
            "int" | "unsigned" | "size_t" | "int8_t" | "int16_t" | "int32_t" | "int64_t" | "uint8_t"
            | "uint16_t" | "uint32_t" | "uint64_t" | "long" | "unsigned int" | "APInt" => Some("int"),
            "bool" => Some("bool"),
            "double" | "float" => Some("float"),
            "StringRef" => Some("string"),
            "Attribute" => Some("attribute"),
            "Type" => Some("type"),
            _ => None,
        };
        if let Some(fixed) = fixed {
            return Some(fixed.to_owned());
        }
        for class in self.candidates(code) {
            if let Some((is_type, name)) = self.classes.kind(&class) {
                return Some(format!("{} {name}", if is_type { "type" } else { "attribute" }));
            }
            if enumerations.mark_used(&class) {
                return Some(format!("keyword {class}"));
            }
        }
        // Classes of LLVM and interfaces, whose text is the full one.
        let is_known = !short.contains("::") || code.starts_with("::mlir::") || code.starts_with("mlir::");
        let word = short.strip_suffix("Interface").unwrap_or(short);
        match () {
            () if word.ends_with("Attr") && is_known => Some("attribute".to_owned()),
            () if word.ends_with("Type") && is_known => Some("type".to_owned()),
            () => None,
        }
    }

    /// The qualified names that a name may stand for: in the namespace of the class, and in those around it.
    fn candidates(&self, code: &str) -> Vec<String> {
        let short = super::constraints::unqualified(code);
        let mut names = vec![short.to_owned()];
        let mut namespace = self.namespace;
        while !namespace.is_empty() && !code.starts_with("::") {
            names.push(format!("{namespace}::{short}"));
            namespace = namespace.rsplit_once("::").map_or("", |(outer, _)| outer);
        }
        names
    }
}

/// The text of a default.
fn default_text(kind: &str, code: &str, enumerations: &Enumerations) -> Option<String> {
    let code = code.trim();
    match kind.split_once(' ') {
        Some(("enum" | "keyword", name)) => enumerations.case_of(name, code).map(str::to_owned),
        _ => match kind {
            "int" => code.parse::<i128>().ok().map(|number| number.to_string()),
            "bool" => matches!(code, "true" | "false").then(|| code.to_owned()),
            "string" => {
                (code.len() > 1 && code.starts_with('"') && code.ends_with('"')).then(|| code.to_owned())
            }
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_that_only_write_texts() {
        let code = |body: &str| format!("AliasResult getAlias(raw_ostream &os) const {{ {body} }} bool f();");
        for (body, expected) in [
            ("os << \"pk\"; return AliasResult::FinalAlias;", Some("pk")),
            ("os << \"p\"; os << \"k\"; ; return AliasResult::OverridableAlias;", Some("pk")),
            ("os << \"Z\" << getX(); return AliasResult::FinalAlias;", None),
            ("if (a) os << \"pk\"; return AliasResult::FinalAlias;", None),
            ("return AliasResult::NoAlias;", None),
        ] {
            assert_eq!(fixed_alias(&code(body)).as_deref(), expected, "{body}");
        }
        assert_eq!(fixed_alias("AliasResult getAlias(raw_ostream &os) const;"), None);
    }

    #[test]
    fn types_of_attributes_have_no_parameters() {
        let code = |body: &str| format!("bool f(); Type getType() const {{\n {body}\n }} int g();");
        assert_eq!(value_class(&code("return t::XType::get(getContext());")), Some("t::XType"));
        for computed in
            ["return XType::get(getContext(), 1);", "return getX();", "f(); return X::get(getContext());"]
        {
            assert_eq!(value_class(&code(computed)), None, "{computed}");
        }
        assert_eq!(value_class("Type getType() const;"), None);
    }

    #[test]
    fn names_of_values_are_texts() {
        let code =
            |body: &str| format!("void getAsmName(OpAsmSetNameFn setNameFn) const {{ {body} }} bool f();");
        assert_eq!(value_name(&code("setNameFn(\"ct\");")), Some("ct"));
        for computed in ["setNameFn(getName());", "setNameFn(\"a b\");", "", "setNameFn(\"a\"); f(\"\");"] {
            assert_eq!(value_name(&code(computed)), None, "{computed}");
        }
    }

    #[test]
    fn kinds_follow_from_classes() {
        let classes = ClassNames::default();
        let kinds = Kinds { classes: &classes, namespace: "toy" };
        for (code, expected) in [
            ("::mlir::Type", Some("type")),
            ("mlir::IntegerAttr", Some("attribute")),
            ("ShapedType", Some("type")),
            ("uint64_t", Some("int")),
            ("std::int64_t", Some("int")),
            ("::llvm::ArrayRef<int64_t>", Some("list(int)")),
            ("SmallVector<::mlir::Attribute, 4>", Some("list(attribute)")),
            ("::llvm::StringRef", Some("string")),
            ("std::string", None),
            ("mlir::AffineMap", None),
            ("Frob", None),
        ] {
            assert_eq!(kinds.of(code, &mut Enumerations::default(), 0).as_deref(), expected, "{code}");
        }
    }
}
