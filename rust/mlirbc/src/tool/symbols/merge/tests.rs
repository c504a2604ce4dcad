use super::*;
use crate::tool::symbols::{Split, prepare};
use crate::tool::{HashOptions, content_key};

fn module(text: &str) -> Module {
    crate::parse::parse(text, &Default::default()).unwrap()
}

fn text(module: &Module) -> String {
    let mut out = Vec::new();
    module.print(&mut out, &Default::default()).unwrap();
    String::from_utf8(out).unwrap()
}

fn merged(texts: &[&str], rename: bool) -> Result<(String, Merged)> {
    let modules: Vec<Module> = texts.iter().map(|text| module(text)).collect();
    let mut merged = merge(&modules, &MergeOptions { rename, ..MergeOptions::default() })?;
    let merged_module = prepare(&mut merged.editor, &Default::default())?.into_module()?;
    Ok((text(&merged_module), merged))
}

const CALLS_ONE: &str = r#"module {
    func.func @a() { func.call @help() : () -> () return }
    func.func private @help() { "t.one"() : () -> () return }
    func.func private @same() { return }
}"#;
const CALLS_TWO: &str = r#"module {
    func.func @b() { func.call @help() : () -> () func.call @same() : () -> () "t.x"() {t = @help_0} : () -> () return }
    func.func private @help() { "t.two"() : () -> () return }
    func.func private @same() { return }
}"#;

#[test]
fn private_symbols_get_other_names_and_equal_ones_are_there_once() {
    let (text, merged) = merged(&[CALLS_ONE, CALLS_TWO, CALLS_TWO], false).unwrap();
    assert_eq!(merged.operations, 5);
    let renamed = Renamed { module: 1, name: "help".into(), new: "help_0".into() };
    assert_eq!(merged.renamed[0], renamed);
    assert_eq!(text.matches("call @help_0()").count(), 1, "{text}");
    assert_eq!(text.matches("@same()").count(), 2, "{text}");
}

#[test]
fn what_refers_to_different_symbols_is_different() {
    let outer = |inner: &str| {
        format!(
            "module {{ func.func private @outer() {{ func.call @inner() : () -> () return }}
             func.func private @inner() {{ \"t.{inner}\"() : () -> () return }}
             func.func @main_{inner}() {{ func.call @outer() : () -> () return }} }}"
        )
    };
    let (text, merged) = merged(&[&outer("x"), &outer("y")], false).unwrap();
    assert_eq!((merged.operations, merged.renamed.len()), (6, 2));
    assert!(text.contains("call @outer_0()") && text.contains("call @inner_0()"), "{text}");
}

#[test]
fn different_public_symbols_are_an_error() {
    let texts = ["module { func.func @f() { return } }", "module { func.func @f(%x: i1) { return } }"];
    let error = merged(&texts, false).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Merge);
    assert_eq!(merged(&texts, true).unwrap().1.renamed[0].new, "f_0");
}

#[test]
fn a_declaration_refers_to_the_definition_in_another_module() {
    let uses = "module { func.func @a() { func.call @f() : () -> () return } func.func private @f() }";
    let (text, merged) = merged(&[uses, "module { func.func @f() { return } }"], false).unwrap();
    assert_eq!((merged.operations, &merged.linked[..]), (2, &["@f".to_owned()][..]));
    assert!(text.contains("func.func @f() {"), "{text}");
    let error = self::merged(&[uses, "module { func.func @f(%x: i1) { return } }"], false).unwrap_err();
    assert!(error.to_string().contains("another type"), "{error}");
}

#[test]
fn attributes_of_the_modules_are_equal() {
    let texts = ["module attributes {t.a = 1 : i32} {}", "module attributes {t.a = 2 : i32, t.b} {}"];
    let error = merged(&texts, true).unwrap_err();
    assert!(error.to_string().contains("differ in `t.a`, `t.b`"), "{error}");
    assert!(merged(&["module @a {}", "module @b {}"], false).is_ok());
}

#[test]
fn resources_with_one_key_get_others() {
    let with = |name: &str, byte: u8| {
        format!(
            "module {{ func.func @{name}() {{ \"t.a\"() {{v = dense_resource<key> : tensor<1xi8>}} : () -> () return }} }}
             {{-# dialect_resources: {{ builtin: {{ key: \"0x01000000{byte:02x}\" }} }} #-}}"
        )
    };
    let (text, merged) = merged(&[&with("a", 1), &with("b", 2), &with("c", 1)], false).unwrap();
    assert_eq!(merged.resources.len(), 1);
    assert_eq!(text.matches("dense_resource<key>").count(), 2, "{text}");
    assert_eq!(text.matches("dense_resource<key_1>").count(), 1, "{text}");
}

#[test]
fn parts_are_merged_to_the_same_module() {
    let module = module(
        r#"module @whole attributes {t.hook = @hook} {
            func.func private @hook()
            "t.about"() {of = @a} : () -> ()
            func.func @a() { func.call @b() : () -> () "t.k"() {k = @k::@f} : () -> () return }
            func.func private @b() { func.call @a() : () -> () "t.a"() {v = dense_resource<key> : tensor<1xi8>} : () -> () return }
            module @k { func.func @f() { return } }
            func.func @"a/B"() { return }
            func.func @"a?B"() { return }
        }
        {-# dialect_resources: { builtin: { key: "0x0100000001" } }, external_resources: { tool: { note: "text" } } #-}"#,
    );
    let mut split = Split::new(&module).unwrap();
    let files: Vec<&str> = split.parts().iter().map(|part| part.file.as_str()).collect();
    let named = ["hook", "module", "a", "b", "k", "a_B", "a_B"];
    let expected: Vec<String> = (0..).zip(named).map(|(n, name)| format!("{n}-{name}.mlirbc")).collect();
    assert_eq!(files, expected);
    let a = &split.parts()[2];
    assert_eq!(a.declares[0].symbol, "@b");
    assert_eq!((a.includes.len(), &*a.includes[1].file), (2, "4-k.mlirbc"));
    let mut parts = Vec::new();
    for number in 0..split.parts().len() {
        let part = prepare(&mut split.editor(number).unwrap(), &Default::default()).unwrap();
        parts.push(part.into_module().unwrap());
    }
    assert!(!text(&parts[2]).contains("dense_resource"), "{}", text(&parts[2]));
    let options = MergeOptions { order: Some(split.order()), ..MergeOptions::default() };
    let mut merged = merge(&parts, &options).unwrap();
    let again = prepare(&mut merged.editor, &Default::default()).unwrap().into_module().unwrap();
    let key =
        |module| content_key(module, HashOptions { locations: true, ..HashOptions::default() }).unwrap();
    assert_eq!(key(&again), key(&module), "{}", text(&again));
    // Without an explicit order, declarations come in a different order.
    assert_eq!(merge(&parts, &MergeOptions::default()).unwrap().operations, 7);
}
