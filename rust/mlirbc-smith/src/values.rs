//! Attributes, types and locations as text, without an operation that restricts them.

use std::rc::Rc;

use mlirbc::smith::TextSupport;

use crate::draws::Draws;

/// The attributes and types that a text may contain.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) support: TextSupport,
    /// The types of the pool that belong to the release and to the wanted dialects.
    pub(crate) types: Rc<[String]>,
    pub(crate) unregistered: bool,
    pub(crate) resources: bool,
}

/// A resource that an attribute refers to: its key and size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Referred {
    pub(crate) key: String,
    pub(crate) size: usize,
}

/// The depth below which attributes and types contain no others.
const DEEP: usize = 3;

const ELEMENTS: [(&str, usize); 6] = [("i8", 1), ("i16", 2), ("i32", 4), ("f32", 4), ("i64", 8), ("f64", 8)];

impl Language {
    pub(crate) fn any_type(&self, draws: &mut Draws<'_, '_>, depth: usize) -> String {
        let simple = draws.pick(&self.types).cloned().unwrap_or_else(|| "i32".to_owned());
        if depth >= DEEP {
            return simple;
        }
        match draws.below(16) {
            0 => format!("i{}", draws.text(&["1", "2", "7", "24", "63", "65", "1000", "16777215"])),
            1 => format!("{}i{}", draws.text(&["s", "u"]), 1 + draws.below(130)),
            2 => {
                let (inputs, results) = (self.types(draws, depth), self.types(draws, depth));
                format!("({}) -> ({})", inputs.join(", "), results.join(", "))
            }
            3 => format!("tuple<{}>", self.types(draws, depth).join(", ")),
            4 => {
                let sizes = self.sizes(draws, &["?x", "4x", "0x", "1x", "9223372036854775807x"]);
                let encoding = match draws.below(4) {
                    0 => format!(", {}", self.attribute(draws, DEEP, &mut Vec::new())),
                    _ => String::new(),
                };
                format!("tensor<{sizes}{}{encoding}>", self.element(draws))
            }
            5 => {
                let sizes = self.sizes(draws, &["4x", "[8]x", "1x"]);
                format!("vector<{sizes}{}>", draws.text(&["i1", "f32", "index", "i17"]))
            }
            6 => {
                let layout = draws.text(&[
                    "",
                    ", strided<[?], offset: ?>",
                    ", affine_map<(d0) -> (d0 * 2)>",
                    ", 3",
                    ", strided<[2], offset: -1>",
                ]);
                format!("memref<{}x{}{layout}>", draws.text(&["?", "4", "0"]), self.element(draws))
            }
            7 => format!("tensor<*x{}>", self.element(draws)),
            8 => format!("memref<*x{}{}>", self.element(draws), draws.text(&["", ", 1", ", \"space\""])),
            9 => format!("complex<{}>", draws.text(&["f32", "i8", "f16", "i1"])),
            10 if self.unregistered => {
                format!(
                    "!smith.{}",
                    draws.text(&["type", "type<1, \"a\">", "other<tensor<2xf32>>", "none<>"])
                )
            }
            11 if self.support.narrow_floats => draws
                .text(&["tf32", "f8E3M4", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3"])
                .to_owned(),
            12 => draws.text(&["f8E5M2", "f8E4M3FN", "bf16", "f80", "f128", "none", "index"]).to_owned(),
            _ => simple,
        }
    }

    fn types(&self, draws: &mut Draws<'_, '_>, depth: usize) -> Vec<String> {
        (0..draws.up_to(3)).map(|_| self.any_type(draws, depth + 1)).collect()
    }

    fn sizes(&self, draws: &mut Draws<'_, '_>, sizes: &[&'static str]) -> String {
        (0..1 + draws.up_to(2)).map(|_| draws.text(sizes)).collect()
    }

    fn element(&self, draws: &mut Draws<'_, '_>) -> &'static str {
        draws.text(&["f32", "i1", "index", "complex<f64>", "si8", "bf16", "vector<2xi4>"])
    }

    /// Draws an attribute; resources that it refers to are added to the list.
    pub(crate) fn attribute(
        &self,
        draws: &mut Draws<'_, '_>,
        depth: usize,
        referred: &mut Vec<Referred>,
    ) -> String {
        let choice = draws.below(if depth >= DEEP { 6 } else { 20 });
        match choice {
            0 => "unit".to_owned(),
            1 => {
                let value = draws.text(&["0", "1", "-1", "127", "-128"]);
                format!("{value} : {}", draws.text(&["i32", "i8", "index", "i64", "si16", "i128"]))
            }
            2 => quoted(&draws.bytes(12)),
            3 => {
                let value = draws.text(&["0.0", "-0.0", "1.5", "1.0e-30"]);
                format!("{value} : {}", draws.text(&["f32", "f64", "f16", "bf16", "f80", "f128"]))
            }
            4 => draws.text(&["true", "false"]).to_owned(),
            5 => draws.text(&["@a", "@a::@b", "@\"not a name\"::@b::@c"]).to_owned(),
            6 => {
                let items: Vec<_> =
                    (0..draws.up_to(3)).map(|_| self.attribute(draws, depth + 1, referred)).collect();
                format!("[{}]", items.join(", "))
            }
            7 => {
                let names = ["a", "\"b c\"", "z"];
                let items: Vec<_> = names
                    .iter()
                    .take(draws.up_to(names.len()))
                    .map(|name| format!("{name} = {}", self.attribute(draws, depth + 1, referred)))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
            8 => self.any_type(draws, depth + 1),
            9 => {
                let map = draws.text(&[
                    "() -> ()",
                    "(d0) -> (d0)",
                    "(d0, d1)[s0] -> (d1 * 3 + s0, d0 floordiv 4 - 7)",
                    "(d0)[s0, s1] -> ((d0 + s1) mod 5, d0 ceildiv 2)",
                ]);
                format!("affine_map<{map}>")
            }
            10 => format!(
                "affine_set<{}>",
                draws.text(&[
                    "(d0) : (d0 >= 0)",
                    "() : (1 == 0)",
                    "(d0, d1)[s0] : (d0 - s0 == 0, d1 - 1 >= 0)"
                ])
            ),
            11 => self.dense(draws),
            12 => {
                let element = draws.text(&["i8", "i16", "i32", "i64"]);
                let items: Vec<_> = (0..draws.up_to(5)).map(|_| draws.text(&["0", "-1", "100"])).collect();
                let colon = if items.is_empty() { "" } else { ": " };
                format!("array<{element}{colon}{}>", items.join(", "))
            }
            13 => draws
                .text(&["array<i1: true, false>", "array<f32: 1.0, -2.5>", "array<f64>", "array<i1>"])
                .to_owned(),
            14 => format!("sparse<[[0, 0], [1, 2]], {}> : tensor<2x3xi32>", draws.text(&["[1, 5]", "7"])),
            15 => "strided<[1, ?], offset: 3>".to_owned(),
            16 if self.resources => {
                let (element, width) = draws.pick(&ELEMENTS).copied().unwrap_or(("i8", 1));
                let count = 1 + draws.below(6);
                let key = format!("{}{}", draws.text(&["weight", "a b", "key"]), referred.len());
                let size = count * width;
                referred.push(Referred { key: key.clone(), size });
                format!("dense_resource<{}> : tensor<{count}x{element}>", quoted_key(&key))
            }
            17 if self.unregistered => {
                format!("#smith.{}", draws.text(&["attr", "attr<[1, \"a\"]>", "other<i32 : tensor<2xf32>>"]))
            }
            18 if self.support.distinct_attributes => format!("distinct[{}]<unit>", draws.below(4)),
            19 => format!("loc({})", self.location(draws, depth + 1)),
            _ => format!("{} : i64", draws.word() as i64),
        }
    }

    fn dense(&self, draws: &mut Draws<'_, '_>) -> String {
        let container = draws.text(&["tensor", "vector"]);
        match draws.below(6) {
            0 => format!(
                "dense<{}> : {container}<2x3xi32>",
                draws.text(&["0", "-1", "[[1, 2, 3], [4, 5, 6]]"])
            ),
            1 => format!("dense<{}> : {container}<2xf32>", draws.text(&["0.0", "[1.5, -0.0]", "0x7FC00000"])),
            2 => format!(
                "dense<{}> : {container}<9xi1>",
                draws.text(&["true", "false", "[1, 0, 1, 0, 0, 1, 1, 1, 1]"])
            ),
            3 => format!(
                "dense<{}> : tensor<2xcomplex<f32>>",
                draws.text(&["(1.0, 2.0)", "[(0.0, 1.0), (2.0, -3.0)]"])
            ),
            4 => draws
                .text(&[
                    "dense<> : tensor<0xi8>",
                    "dense<3> : tensor<index>",
                    "dense<[1, -1]> : tensor<2xi4>",
                ])
                .to_owned(),
            _ if self.unregistered => {
                format!("dense<{}> : tensor<2x!smith.string>", draws.text(&["\"one\"", "[\"a\", \"\"]"]))
            }
            _ => {
                let digits: String = draws.bytes(16).iter().map(|byte| format!("{byte:02X}")).collect();
                let digits = format!("{digits:0<32}");
                format!("dense<\"0x{digits}\"> : tensor<16xi8>")
            }
        }
    }

    /// Returns a location without `loc(…)`.
    pub(crate) fn location(&self, draws: &mut Draws<'_, '_>, depth: usize) -> String {
        let choice = draws.below(if depth >= DEEP { 4 } else { 8 });
        match choice {
            0 => "unknown".to_owned(),
            1 | 2 => format!(
                "{}:{}:{}",
                draws.text(&["\"a.py\"", "\"dir/b.mlir\"", "\"\""]),
                draws.below(5000),
                draws.below(90)
            ),
            3 => draws.text(&["\"name\"", "\"a name\""]).to_owned(),
            4 => format!("\"named\"({})", self.location(draws, depth + 1)),
            5 => {
                let (callee, caller) = (self.location(draws, depth + 1), self.location(draws, depth + 1));
                format!("callsite({callee} at {caller})")
            }
            6 => {
                let parts: Vec<_> =
                    (0..2 + draws.up_to(1)).map(|_| self.location(draws, depth + 1)).collect();
                let data = draws.text(&["", "<\"data\">", "<[1, unit]>"]);
                format!("fused{data}[{}]", parts.join(", "))
            }
            _ if self.support.location_ranges => {
                draws.text(&["\"r.py\":1:2 to :9", "\"r.py\":1:2 to 3:4"]).to_owned()
            }
            _ => "\"z\":1:1".to_owned(),
        }
    }
}

fn quoted(bytes: &[u8]) -> String {
    let escaped = |byte: &u8| match byte {
        b'a'..=b'z' | b' ' | b'0'..=b'9' => char::from(*byte).to_string(),
        _ => format!("\\{byte:02X}"),
    };
    format!("\"{}\"", bytes.iter().map(escaped).collect::<String>())
}

fn quoted_key(key: &str) -> String {
    if key.contains(' ') { format!("\"{key}\"") } else { key.to_owned() }
}
