use super::*;

fn row(format: &str) -> String {
    format!(r#"{{"op":"t.a","operands":[["x","AnyType"]],"format":{format}}}"#)
}

#[test]
fn formats_are_checked() {
    for format in [
        "null",
        r#""custom""#,
        r#"["$x","attr-dict","`:",["type","$x"]]"#,
        r#"[["group",["`a","$x"],1]]"#,
        r#"[["group",["`a"],-1,["$x"]]]"#,
        r#"[["oilist",["`a","$x"]]]"#,
        r#"["`","` ","`\n"]"#,
    ] {
        assert_eq!(check_operation(&row(format)), Ok(()), "{format}");
    }
    let deep = format!("{}{}", r#"["type","#.repeat(100), "\"$x\"".to_owned() + &"]".repeat(100));
    for (format, complaint) in [
        ("3", "neither a list"),
        ("[3]", "no element"),
        ("[[]]", "begins with the name"),
        (r#"[["group",["$x"],1]]"#, "past its elements"),
        (r#"[["group",["$x"],-9223372036854775808]]"#, "past its elements"),
        (r#"[["oilist",[]]]"#, "begins with a literal"),
        (r#"[["oilist",["$x"]]]"#, "begins with a literal"),
        (r#"[["oilist",["` "]]]"#, "begins with a literal"),
        (r#"["`\u0000"]"#, "not printable"),
        (&format!("[{deep}]"), "levels"),
    ] {
        let error = check_operation(&row(format)).unwrap_err().to_string();
        assert!(error.contains(complaint), "{format}: {error}");
    }
}

#[test]
fn a_text_is_stored_once() {
    let operations = [(DefinitionKind::Operation, NamedRow { name: "once.a", row: r#"{"op":"once.a"}"# })];
    let open = || {
        let names = PackNames { pointers: vec!["once.ptr"], renames: Vec::new() };
        open_pack("once-1", operations.into_iter(), names, None)
    };
    assert!(std::ptr::eq(open(), open()));
    assert!(open().get("once.a").is_some() && open().has_dialect("once"));
    assert_eq!(open().pointers().collect::<Vec<_>>(), ["once.ptr"]);
    assert!(OperationDefinitions::named("once-1").is_none());
}
