use super::*;

fn row(format: &str) -> String {
    let marks = r#"["b","","{}"]"#.replace("\"{}\"", r#"{"kind":"attribute t.c","optional":true}"#);
    format!(r#"{{"attribute":"t.a","parameters":[["a","int",{{"kind":"int"}}],{marks}],"format":{format}}}"#)
}

#[test]
fn formats_of_classes_are_checked() {
    for format in [
        "null",
        r#""custom""#,
        r#"["`<","$a","`>"]"#,
        r#"["`<",["struct","params"],"`>"]"#,
        r#"["`<","params","`>"]"#,
        r#"["$a",["group",["`,",["qualified","$b"]],1]]"#,
        r#"[["group",["`none"],-1,["$b"]]]"#,
    ] {
        assert!(check_class(&row(format)).is_ok(), "{format}");
    }
    let deep = format!("{}[\"$a\"]{}", r#"[["group","#.repeat(50), ",0]]".repeat(50));
    for (format, reason) in [
        ("3", "neither a list"),
        ("[3]", "no element"),
        (r#"["$valu"]"#, "`$valu`, which is not a parameter"),
        (r#"["attr-dict"]"#, "no directive"),
        (r#"[["frob"]]"#, "no directive"),
        (r#"[["qualified","$a","$b"]]"#, "one parameter"),
        (r#"[["group",["`x"],0]]"#, "not a parameter"),
        (r#"[["group",["$a"],-9223372036854775808]]"#, "not a parameter"),
        (r#"["`\u0000"]"#, "not printable"),
        (&deep, "levels"),
    ] {
        let error = check_class(&row(format)).unwrap_err();
        assert!(error.contains(reason), "{format}: {error}");
    }
    for (text, reason) in [
        (r#"{"type":"t.a","parameters":[[3]]}"#, "begins with its name"),
        (r#"{"type":"t.a","parameters":[["a","int",{"kind":"frob"}]]}"#, "kind of the parameter `a`"),
        (r#"{"type":"t.a","parameters":[["a","int",3]]}"#, "something other"),
        (r#"{"type":"t.a","parameters":[["a","int",{"x":1}]]}"#, "unknown key `x`"),
        (r#"{"type":"t.a","alias":3}"#, "neither true nor a name"),
        (r#"{"type":"t.a","frob":3}"#, "unknown field"),
    ] {
        let error = check_class(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
}
