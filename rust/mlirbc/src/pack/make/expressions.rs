//! C++ expressions with which `TypesMatchWith` computes one type from another, as trees.
//!
//! A tree is `"self"`, `"null"`, or a list that begins with the name of a function: `["param", accessor, of]` reads a parameter of
//! an attribute or a type, `["get", "dialect.mnemonic", …]` builds a type, `["type", text]` is a fixed type, and
//! `["element", of]` and other functions of `assembly` have one argument. Casts are left out.

use serde_json::{Value as Json, json};

use super::built_types::built_type;
use super::constraints::{ClassNames, unqualified};

/// Calls in one another.
const DEEPEST: usize = 16;

/// Accessors and functions that types of LLVM have.
const FUNCTIONS: &[(&str, &str)] = &[
    ("getElementType", "element"),
    ("getElementTypeOrSelf", "element_or_self"),
    ("getI1SameShape", "i1_same_shape"),
    ("getPointeeType", "pointee"),
];

/// The tree of an expression in C++ of a namespace; `None` if it has a part that only C++ computes.
pub(super) fn tree(expression: &str, classes: &ClassNames, namespace: &str) -> Option<Json> {
    let mut parser = ExpressionParser { rest: expression.trim(), classes, namespace, depth: 0 };
    let (tree, _) = parser.expression()?;
    parser.rest.trim().is_empty().then_some(tree).filter(|tree| *tree != json!("null"))
}

struct ExpressionParser<'e> {
    rest: &'e str,
    classes: &'e ClassNames,
    namespace: &'e str,
    depth: usize,
}

/// A tree, and the class of its value if a cast or a constructor names it.
type Typed = (Json, Option<String>);

impl<'e> ExpressionParser<'e> {
    fn expression(&mut self) -> Option<Typed> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut value = self.primary()?;
        while self.accept(".") || self.accept("->") {
            value = self.member(value)?;
        }
        if self.accept("[0]") && value.0 != json!("self") {
            return None;
        }
        self.depth -= 1;
        Some(value)
    }

    fn accept(&mut self, token: &str) -> bool {
        let remaining = self.rest.trim_start();
        match remaining.strip_prefix(token) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    /// A name with its namespaces.
    fn name(&mut self) -> Option<&'e str> {
        let remaining = self.rest.trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '$');
        let (name, after) = remaining.split_at(remaining.find(|c| !is_part(c)).unwrap_or(remaining.len()));
        self.rest = after;
        (!name.is_empty()).then_some(name)
    }

    /// The text up to the bracket that closes one before the position.
    fn up_to(&mut self, open: char, close: char) -> Option<&'e str> {
        let mut depth = 1_usize;
        for (place, c) in self.rest.char_indices() {
            depth = if c == open { depth + 1 } else { depth - usize::from(c == close) };
            if depth == 0 {
                let inside = self.rest.get(..place)?;
                self.rest = self.rest.get(place + close.len_utf8()..)?;
                return Some(inside);
            }
        }
        None
    }

    fn primary(&mut self) -> Option<Typed> {
        let start = self.rest.trim_start();
        if self.accept("(") {
            let value = self.expression()?;
            return self.accept(")").then_some(value);
        }
        let name = self.name()?;
        let template = if self.accept("<") { Some(self.up_to('<', '>')?.trim().to_owned()) } else { None };
        match (name, &template) {
            ("$_self", None) => return Some((json!("self"), None)),
            ("nullptr", None) => return Some((json!("null"), None)),
            ("$_builder", None) => {
                // The call of a builder is one of the fixed types.
                let inside = start.find(')').and_then(|end| start.get(..=end))?;
                let text = built_type(inside, self.classes)?;
                self.rest = start.get(inside.len()..)?;
                return Some((json!(["type", text]), None));
            }
            _ => {}
        }
        if !self.accept("(") {
            return None;
        }
        let short = name.rsplit("::").next()?;
        if short.ends_with("cast") || short.ends_with("cast_or_null") || short.ends_with("cast_if_present") {
            let value = self.expression()?;
            return self.accept(")").then_some((value.0, template));
        }
        if let Some(class) = name.strip_suffix("::get") {
            return self.constructor(class);
        }
        // `PointAttr()` is a null attribute.
        if self.accept(")") {
            return (short.ends_with("Attr") || short.ends_with("Type")).then_some((json!("null"), None));
        }
        let (_, function) = FUNCTIONS.iter().find(|(known, _)| *known == short)?;
        let value = self.expression()?;
        self.accept(")").then_some((json!([function, value.0]), None))
    }

    /// `X::get(context, …)`
    fn constructor(&mut self, class: &str) -> Option<Typed> {
        let short = self.classes.resolved(class, self.namespace).unwrap_or_else(|| unqualified(class));
        let mut arguments = Vec::new();
        while !self.accept(")") {
            let remaining = self.rest.trim_start();
            let is_context = ["$_ctxt", "$_self.getContext()", "$_builder.getContext()"].into_iter();
            match is_context
                .map(|context| (context, remaining.starts_with(context)))
                .find(|(_, is_it)| *is_it)
            {
                Some((context, _)) if arguments.is_empty() => self.rest = remaining.get(context.len()..)?,
                _ => match self.number() {
                    Some(number) => arguments.push(json!(["number", number])),
                    // The digits of a width.
                    None if short == "IntegerType" => arguments.push(json!(["integer", self.count()?])),
                    None => arguments.push(self.expression()?.0),
                },
            }
            if !self.accept(",") {
                if self.accept(")") {
                    break;
                }
                return None;
            }
        }
        match (short, &arguments[..]) {
            ("IntegerType", [Json::Array(width)]) if width.first().is_some_and(|kind| kind == "number") => {
                return Some((json!(["type", format!("i{}", width.get(1)?.as_i64()?)]), None));
            }
            ("IntegerType", [integer]) => return Some((integer.clone(), None)),
            ("IndexType", []) => return Some((json!(["type", "index"]), None)),
            ("NoneType", []) => return Some((json!(["type", "none"]), None)),
            _ => {}
        }
        let (_, name) = self.classes.kind(short).filter(|(is_type, _)| *is_type)?;
        let parameters = self.classes.parameters(short)?;
        if parameters.len() != arguments.len() {
            return None;
        }
        let tree = [json!("get"), json!(name)].into_iter().chain(arguments).collect();
        Some((Json::Array(tree), Some(short.to_owned())))
    }

    /// A number that follows from a type: a parameter, at least a number, or its logarithm.
    fn count(&mut self) -> Option<Json> {
        if self.accept("std::max(1U,") || self.accept("std::max(1u,") {
            let count = self.count()?;
            return self.accept(")").then(|| json!(["at_least", 1, count]));
        }
        if self.accept("llvm::Log2_64_Ceil(") {
            let count = self.count()?;
            return self.accept(")").then(|| json!(["log2_ceil", count]));
        }
        Some(self.expression()?.0)
    }

    fn number(&mut self) -> Option<i64> {
        let remaining = self.rest.trim_start();
        let (digits, after) =
            remaining.split_at(remaining.find(|c: char| !c.is_ascii_digit()).unwrap_or(remaining.len()));
        let number = digits.parse().ok()?;
        self.rest = after;
        Some(number)
    }

    /// `.getElement()` or `.cast<X>()`
    fn member(&mut self, (value, class): Typed) -> Option<Typed> {
        let name = self.name()?;
        let template = if self.accept("<") { Some(self.up_to('<', '>')?.trim().to_owned()) } else { None };
        if !(self.accept("(") && self.accept(")")) {
            return None;
        }
        if name.ends_with("cast") {
            return Some((value, template));
        }
        let class = class.as_deref().and_then(|class| self.classes.resolved(class, self.namespace));
        let parameters = class.and_then(|class| self.classes.parameters(class));
        match parameters {
            Some(parameters) => {
                let known = parameters.iter().find(|parameter| accessor(parameter) == name)?;
                Some((json!(["param", &**known, value]), None))
            }
            None => {
                let (_, function) = FUNCTIONS.iter().find(|(known, _)| *known == name)?;
                Some((json!([function, value]), None))
            }
        }
    }
}

/// The C++ name of the function that returns a parameter: `getElementType` for `element_type`.
fn accessor(parameter: &str) -> String {
    let words = parameter.split('_').filter(|word| !word.is_empty());
    let capitalized = words.map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    });
    format!("get{}", capitalized.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes() -> ClassNames {
        let mut classes = ClassNames::default();
        classes.insert("t::PairType", true, "t.pair", &["first", "second_type"]);
        classes.insert("t::RingType", true, "t.ring", &["element", "origin"]);
        classes
    }

    #[test]
    fn expressions_become_trees() {
        for (expression, expected) in [
            ("$_self", json!("self")),
            ("::llvm::cast<::t::PairType>($_self).getFirst()", json!(["param", "first", "self"])),
            ("$_self.cast<t::PairType>().getSecondType()", json!(["param", "second_type", "self"])),
            (
                "t::type_cast<t::PairType>(cast<t::PairType>($_self).getFirst()).getFirst()",
                json!(["param", "first", ["param", "first", "self"]]),
            ),
            ("t::RingType::get($_ctxt, $_self, ::t::PointAttr())", json!(["get", "t.ring", "self", "null"])),
            (
                "t::RingType::get(getElementTypeOrSelf($_self), nullptr)",
                json!(["get", "t.ring", ["element_or_self", "self"], "null"]),
            ),
            ("IntegerType::get($_self.getContext(), 8)", json!(["type", "i8"])),
            ("$_builder.getI16Type()", json!(["type", "i16"])),
            ("cast<ShapedType>($_self).getElementType()", json!(["element", "self"])),
            ("cast<PairType>($_self).getFirst()", json!(["param", "first", "self"])),
            ("RingType::get($_ctxt, $_self, PointAttr())", json!(["get", "t.ring", "self", "null"])),
            (
                "IntegerType::get($_self.getContext(), std::max(1U, cast<PairType>($_self).getFirst()))",
                json!(["integer", ["at_least", 1, ["param", "first", "self"]]]),
            ),
        ] {
            assert_eq!(tree(expression, &classes(), "t"), Some(expected), "{expression}");
        }
    }

    #[test]
    fn expressions_that_only_cpp_computes() {
        let deep = "(".repeat(1000);
        for expression in [
            "frob($_self)",
            "cast<t::PairType>($_self).getThird()",
            "t::RingType::get($_self)",
            "$_self + 1",
            "cast<t::PairType>(",
            "nullptr",
            "",
            "$_self.getFrob()",
            "cast<",
            &deep,
        ] {
            assert_eq!(tree(expression, &classes(), "t"), None, "{expression}");
        }
    }
}
