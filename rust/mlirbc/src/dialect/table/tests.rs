use super::load::toml_of_json;
use super::*;

fn fault(form: &str) -> String {
    let text = format!("dialect = 'd'\n[[type]]\ncode = 0\nname = 'T'\n{form}");
    DialectTable::from_toml(&text).unwrap_err().to_string()
}

#[test]
fn json_has_the_keys_of_toml() {
    let text = r#"{"enums": {"E": {"0": "a \" b", "1": "c"}}, "dialect": "toy", "attribute": [
            {"code": 0, "name": "A", "mnemonic": "a", "fields": ["x: varint as enum(E)"], "asm": "<{x}>"}]}"#;
    let toml = toml_of_json(text).unwrap();
    assert_eq!(toml.lines().count(), 5, "{toml}");
    assert_eq!(DialectTable::from_json(text).unwrap().dialect(), "toy");
    let error = DialectTable::from_json(&text.replace("enum(E)", "enum(F)")).unwrap_err().to_string();
    assert!(error.contains("[enums.F]") && error.contains(r#"name = "A""#), "{error}");
    assert!(DialectTable::from_json("{\"dialect\": null}").is_err());
    assert!(DialectTable::from_json("[]").is_err());
}

#[test]
fn a_bad_table_says_where() {
    assert!(fault("fields = ['x']").contains("`x` is not `name: primitive` in line 5"));
    assert!(fault("fields = ['x: nonsense']").contains("unknown primitive `nonsense` in line 5"));
    assert!(fault("fields = ['x: int(y)']").contains("an earlier field"));
    assert!(fault("fields = ['x: list(varint']").contains("not closed"));
    assert!(fault("fields = ['x: varint as enum(E)']").contains("no `[enums.E]`"));
    assert!(fault("asm = '<{x}>'").contains("line 5"));
    assert!(fault("print = 'magic'").contains("in line 5"));
    assert!(fault("bits = 'x / 4'").contains("line 5"));
    assert!(fault("[[type]]\ncode = 0\nname = 'U'").contains("occurs twice"));
}
