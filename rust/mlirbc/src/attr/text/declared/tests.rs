use super::*;
use crate::ops::{DefinitionKind, NamedRow, PackNames, open_pack};

const PAIR: &str = r#"{"attribute":"d.pair","parameters":[["a","int",{"kind":"int"}],["b","Type",{"kind":"type","optional":true}]],
    "format":["`<","$a",["group",["`,","$b"],1],"`>"]}"#;
const MODE: &str =
    r#"{"attribute":"d.mode","parameters":[["value","M",{"kind":"enum M"}]],"format":["$value"]}"#;
const MANY: &str = r#"{"attribute":"d.many","parameters":[
    ["n","int",{"kind":"int","optional":true,"default":"3"}],["inner","P",{"kind":"attribute d.pair"}],
    ["flags","F",{"kind":"enum F"}],["mode","M",{"kind":"attribute d.mode","optional":true}],
    ["list","L",{"kind":"list(int)","optional":true}]],"format":["`<",["struct","params"],"`>"]}"#;
const LIST: &str = r#"{"type":"d.list","parameters":[["items","L",{"kind":"list(type)"}],["q","P",{"kind":"attribute d.pair"}]],
    "format":["`[","$items","`]","`with",["qualified","$q"]]}"#;
const CODE: &str = r#"{"type":"d.code","format":"custom"}"#;

fn definitions() -> &'static OperationDefinitions {
    let row = |kind, name, row| (kind, NamedRow { name, row });
    let rows = [PAIR, MODE, MANY].map(|text| text.replace('\n', ""));
    let [pair, mode, many] = &rows;
    let list = LIST.replace('\n', "");
    let rows = [
        row(DefinitionKind::Attribute, "d.pair", &**pair),
        row(DefinitionKind::Attribute, "d.mode", mode),
        row(DefinitionKind::Attribute, "d.many", many),
        row(DefinitionKind::Type, "d.list", &list),
        row(DefinitionKind::Type, "d.code", CODE),
        row(DefinitionKind::Enumeration, "M", r#"{"enum":"M","cases":[[0,"fast"],[1,"fast_er"]]}"#),
        row(
            DefinitionKind::Enumeration,
            "F",
            r#"{"enum":"F","cases":[[0,"none"],[1,"x"],[2,"y"]],"separator":"|"}"#,
        ),
    ];
    open_pack("declared-1", rows.into_iter(), PackNames::default(), None)
}

fn read(text: &str) -> Option<DeclaredText> {
    let parts = SymbolParts::of(text).unwrap();
    let mut canonical = |text: &str, _| Some(text.replace("  ", " "));
    DeclaredText::read(
        definitions(),
        (text.starts_with('!'), parts.dialect),
        parts.symbol,
        Llvm::NEWEST,
        &mut canonical,
    )
}

#[test]
fn texts_are_read_and_written_in_their_usual_form() {
    for (text, expected) in [
        ("#d.pair<1>", "pair<1>"),
        ("#d.pair< 0x10 ,i32>", "pair<16, i32>"),
        ("#d<mode fast_er>", "mode fast_er"),
        ("#d.many<flags = y | x, inner = <1>>", "many<inner = <1>, flags = x|y>"),
        (
            "#d.many<n = 3, inner = #d.pair<2>, flags = none, list = 1,2>",
            "many<inner = <2>, flags = none, list = 1, 2>",
        ),
        (
            "#d.many<n = -4, inner = <2>, flags = x, mode = #d<mode fast>>",
            "many<n = -4, inner = <2>, flags = x, mode =  fast>",
        ),
        ("#d.many<inner = <2>, flags = x, list = 1, n = 5>", "many<n = 5, inner = <2>, flags = x, list = 1>"),
        ("!d<list[i32,tensor<2xi8>] with #d.pair<1>>", "list[i32, tensor<2xi8>] with #d.pair<1>"),
        ("!d<list[i32] with <1, index>>", "list[i32] with #d.pair<1, index>"),
    ] {
        assert_eq!(read(text).map(|read| read.symbol()).as_deref(), Some(expected), "{text}");
        assert_eq!(SymbolParts::of(&full_text(false, "d", expected)).unwrap().symbol, expected);
    }
    for text in [
        "#d.pair",
        "#d.pair<>",
        "#d.pair<1, i32> ",
        "#d.pair<1, 2>",
        "#d.many<flags = z, inner = <1>>",
        "#d.x<1>",
        "!d.code<1>",
    ] {
        assert!(read(text).is_none() || text.ends_with(' '), "{text}");
    }
}

#[test]
fn attacks_end() {
    let deep = format!("#d.many<{}", "inner = #d.pair<".repeat(2000));
    assert!(SymbolParts::of(&deep).is_none());
    let groups = format!("#d.many<{}inner = <1>, flags = x>", "flags = x, ".repeat(2000));
    assert!(read(&groups).is_none());
}

#[test]
fn symbols_have_parts() {
    for (text, dialect, symbol, r#type) in [
        ("#d.m<\">\"> : i32", "d", "m<\">\">", "i32"),
        ("!d<m x>", "d", "m x", ""),
        ("#d.m.n", "d", "m.n", ""),
    ] {
        assert_eq!(SymbolParts::of(text), Some(SymbolParts { dialect, symbol, r#type }), "{text}");
    }
    for text in ["i32", "#d<", "#d", "#d<a"] {
        assert!(SymbolParts::of(text).is_none_or(|parts| parts.symbol.is_empty()), "{text}");
    }
}
