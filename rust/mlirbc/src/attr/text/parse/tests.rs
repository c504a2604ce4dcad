use super::*;

fn attribute(text: &str) -> Attribute {
    Attribute::parse(text).unwrap_or_else(|error| panic!("{:.60}: {error}", text))
}

fn refused(text: &str) -> (u64, String) {
    let error = Attribute::parse(text).expect_err(text);
    assert_eq!(error.kind(), ErrorKind::AsmText, "{text}: {error}");
    let place = error.offset().unwrap();
    (place, error.to_string())
}

/// Each text and its printed form; empty if both are the same.
const TEXTS: &[(&str, &str)] = &[
    ("unit", ""),
    ("token", ""),
    ("tuple<token, none>", ""),
    ("(token) -> token", ""),
    ("1", "1 : i64"),
    ("0x1F : ui8", "31 : ui8"),
    ("255 : i8", "-1 : i8"),
    ("-1 : i1", "true"),
    ("0 : i0", ""),
    ("123456789012345678901234567890 : i128", ""),
    ("1.5", "1.500000e+00 : f64"),
    ("0x7FC00000 : f32", ""),
    ("0x40 : f8E5M2", "2.000000e+00 : f8E5M2"),
    ("\"a\\n\\22\" : i8", "\"a\\0A\\22\" : i8"),
    ("\"a\" : none", "\"a\""),
    ("[1, [], unit]", "[1, [], unit]"),
    ("{b, \"a c\" = 1, i8 = 2, a = unit}", "{a, \"a c\" = 1 : i64, b, i8 = 2 : i64}"),
    ("@a::@\"b c\"::@\"d\"", "@a::@\"b c\"::@d"),
    ("(i8) -> (() -> ())", ""),
    ("() -> () ", "() -> ()"),
    ("array<i8: 1, -1, 255>", "array<i8: 1, -1, -1>"),
    ("array<i1: true, false>", ""),
    ("array<f32>", ""),
    ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>", ""),
    ("dense<[5, 5]> : vector<2xi8>", "dense<5> : vector<2xi8>"),
    ("dense<> : tensor<0xf32>", ""),
    ("dense<1> : tensor<0xi8>", ""),
    ("dense<[true, false, true]> : tensor<3xi1>", ""),
    ("dense<\"0x0102\"> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>"),
    ("dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>", "dense<[(1,2), (3,4)]> : tensor<2xcomplex<i8>>"),
    ("dense<[\"a\", \"b\"]> : tensor<2x!toy.s>", ""),
    ("dense<[0x7F800000, 1.0]> : tensor<2xf32>", "dense<[0x7F800000, 1.000000e+00]> : tensor<2xf32>"),
    ("dense_resource<\"a b\"> : tensor<?xf32>", ""),
    ("sparse<[[0, 1], [1, 0]], [5, 6]> : tensor<2x2xi8>", ""),
    ("sparse<> : tensor<2xi8>", ""),
    (
        "[distinct[7]<1>, distinct[3]<1>, distinct[7]<1>]",
        "[distinct[0]<1 : i64>, distinct[1]<1 : i64>, distinct[0]<1 : i64>]",
    ),
    (
        "loc(callsite(\"f\"(\"a\":1:2) at fused<1>[\"b\", unknown]))",
        "loc(callsite(\"f\"(\"a\":1:2) at fused<1 : i64>[\"b\"]))",
    ),
    ("loc(fused[\"a\", fused[\"b\", \"a\"]])", "loc(fused[\"a\", \"b\"])"),
    ("loc(\"a\":1:2 to :3)", ""),
    ("loc(\"a\":1:2 to 3:4)", ""),
    ("loc(\"a\":5)", "loc(\"a\":5:0)"),
    ("loc(\"\":1:2)", "loc(\"-\":1:2)"),
    (
        "affine_map<(i)[n] -> (i + n * 2, i floordiv 4)>",
        "affine_map<(d0)[s0] -> (d0 + s0 * 2, d0 floordiv 4)>",
    ),
    ("affine_set<(i) : (i >= 0)>", "affine_set<(d0) : (d0 >= 0)>"),
    ("strided<[4, ?], offset: 0>", "strided<[4, ?]>"),
    ("#toy<pair<1, 2>> : tensor<2x f32>", "#toy.pair<1, 2> : tensor<2xf32>"),
    ("#toy<\"a b\"> : none", "#toy<\"a b\">"),
    ("!toy.t<(a -> b)>", ""),
    ("memref<2x?xf32, 0>", "memref<2x?xf32>"),
    ("memref<2xf32, affine_map<(d0) -> (d0)>, 1>", "memref<2xf32, 1>"),
    ("memref<*xf32, \"fast\">", ""),
    ("vector<[2]x4xi1>", ""),
    ("tensor<0x8xf32, #toy.sorted>", ""),
    ("tuple<complex<f64>, f4E2M1FN, none>", ""),
];

#[test]
fn text_is_read_as_mlir_reads_it() {
    for &(text, printed) in TEXTS {
        let value = attribute(text);
        let printed = if printed.is_empty() { text } else { printed };
        // An array omits types that are the parser's default, which are different here.
        assert_eq!(value.to_text(Some(22)).unwrap(), printed);
        if !text.contains("distinct") {
            assert_eq!(attribute(printed), value, "{text}");
        }
    }
}

#[test]
fn attributes_of_dialects_are_decoded() {
    for text in [
        "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
        "#llvm.di_composite_type<tag = DW_TAG_array_type, flags = Vector>",
        "#llvm.di_composite_type<tag = DW_TAG_array_type, flags = \"Public|Vector\">",
    ] {
        let value = attribute(text);
        assert!(!value.is_text(), "{text}");
        assert_eq!(value.to_string(), text);
    }
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    for (text, place, expected) in [
        ("", 0, "an attribute, found the end of the text"),
        ("[1, 2", 5, "`,` or `]`, found the end"),
        ("1 2", 2, "the end of the text, found `2`"),
        ("256 : i8", 0, "an integer that fits the type, found `256`"),
        ("-1 : ui8", 1, "an integer that fits"),
        ("1 : f32", 0, "a float: digits with a decimal point"),
        ("0x1FFFF : f16", 0, "as many bits as the type has"),
        ("1.0 : i8", 0, "an integer, because the type is not a float type"),
        ("1 : !toy.t", 0, "a value of the type"),
        ("{a = 1, a = 2}", 8, "a name that does not occur twice"),
        ("{\"\" = 1}", 1, "a nonempty name"),
        ("@a::b", 4, "`@` and the name of a nested symbol"),
        ("array<i7: 1>", 6, "a whole number of bytes"),
        ("array<i1: 1>", 10, "`true` or `false`"),
        ("dense<[1, [2]]> : tensor<2xi8>", 10, "lists of one length"),
        ("dense<[[1, 2], [3]]> : tensor<2x2xi8>", 17, "lists of one length"),
        ("dense<[1, 2]> : tensor<3xi8>", 0, "3 elements for the type, found 2 elements"),
        ("dense<[1, 300]> : tensor<2xi8>", 10, "an integer that fits"),
        ("dense<\"0x01\"> : tensor<2xi16>", 0, "4 bytes for the type, found 1 byte"),
        ("dense<\"1\"> : tensor<1xi8>", 6, "`0x` and an even number"),
        ("dense<1> : tensor<?xi8>", 0, "static shape"),
        ("dense<> : tensor<1xi8>", 0, "elements"),
        ("sparse<[[0, 2]], 1> : tensor<2x2xi8>", 12, "an index below the size"),
        ("[distinct[0]<1>, distinct[0]<2>]", 17, "the attribute that this distinct attribute"),
        ("loc(\"a\":1:4294967296)", 10, "the number of a column"),
        ("loc(#toy)", 4, "a location"),
        ("#map", 0, "aliases are not defined here"),
        ("#builtin<x>", 0, "the builtin dialect without its name, as in `i32` or `unit`, found `#builtin`"),
        ("!builtin.token", 0, "the builtin dialect without its name"),
        ("tuple<graph>", 6, "a type of the builtin dialect, or `!dialect.name`, found `graph`"),
        ("tensor<4xtoken>", 9, "allowed as the element type"),
        ("token<1>", 5, "the end of the text"),
        ("affine_map<(d0) : (d0 >= 0)>", 11, "an affine map, not an integer set"),
        ("complex<index>", 8, "an integer or float type"),
        ("tensor<4xnone>", 9, "allowed as the element type"),
        ("vector<0xf32>", 7, "a size above zero"),
        ("memref<2xf32, 1, 2>", 17, "a single memory space"),
        ("memref<2xf32, affine_map<(d0, d1) -> (d0)>>", 14, "as many dimensions"),
        ("i16777216", 0, "an integer type of less than 2^24 bits"),
        ("\"a", 2, "the `\"` that ends the string"),
    ] {
        let (position, message) = refused(text);
        assert!(message.contains(expected) && position == place, "{text}: {message}");
    }
}

#[test]
fn writers_bytes_are_made() {
    let payload = |text| attribute(text).payload().to_vec();
    assert_eq!(payload("\"k\""), [5, 1]);
    assert_eq!(payload("dense<true> : tensor<9xi1>"), [37, 3, 3, 0xff]);
    assert_eq!(payload("dense<[true, false]> : tensor<2xi1>"), [37, 3, 3, 1]);
    assert_eq!(payload("-1 : i8"), [17, 1, 0xff]);
    assert_eq!(payload("affine_map<(a) -> (a)>"), b"affine_map<(d0) -> (d0)>\0");
    let memref = Type::parse("memref<f32>").unwrap();
    let Some(crate::attr::FieldValue::Attribute(layout)) = memref.field("layout").unwrap() else { panic!() };
    assert_eq!(layout.text().as_deref(), Some(&b"affine_map<() -> ()>"[..]));
}

#[test]
fn nothing_nests_too_deep() {
    // A stack frame has more than 100 bytes and the stack of a test 2 MiB, so recursion would overflow it.
    const DEPTH: usize = 20_000;
    for (open, leaf, close) in [
        ("[", "1", "]"),
        ("{a = ", "unit", "}"),
        ("tuple<", "", ">"),
        ("() -> (", "i8", ")"),
        ("(", "() -> ()", ") -> ()"),
        ("memref<2x", "i8", ">"),
    ] {
        let text = [&*open.repeat(DEPTH), leaf, &*close.repeat(DEPTH)].concat();
        assert_eq!(attribute(&text), attribute(&text));
    }
    let location = format!("loc({}unknown{})", "\"a\"(".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(attribute(&location), attribute(&location));
    let list = format!("dense<{}1{}> : tensor<1xi8>", "[".repeat(DEPTH), "]".repeat(DEPTH));
    assert!(Attribute::parse(list).is_err());
    for open in ["[", "{a = ", "tuple<", "(", "memref<2x", "loc(\"a\"(", "dense<[", "fused<", "distinct[1]<"]
    {
        assert!(Attribute::parse(open.repeat(DEPTH)).is_err());
    }
}

#[test]
fn what_repeats_itself_at_each_level_is_limited() {
    const DEPTH: usize = 10_000;
    for (open, leaf, close) in [("#toy.a : tensor<f32, ", "unit", ">"), ("loc(fused<1>[\"a\", ", "", "")] {
        let text = [&*open.repeat(DEPTH), leaf, &*close.repeat(DEPTH)].concat();
        assert!(Attribute::parse(text).is_err());
    }
    let names: Vec<String> = (0..DEPTH).map(|n| format!("fused[\"{n}\", ")).collect();
    let text = format!("loc({}\"x\"{})", names.concat(), "]".repeat(DEPTH));
    assert_eq!(Attribute::parse(text).unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn distinct_attributes_differ_from_text_to_text() {
    let distinct = attribute("distinct[0]<>");
    assert_eq!(distinct, distinct.clone());
    assert_ne!(distinct, attribute("distinct[0]<>"));
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in r#"([\[\](){}<>,:x#!@"-]|[0-9]|dense|tensor|loc|array|i8|f32|memref|\PC){0,24}"#) {
        if let Ok(value) = Attribute::parse(&text) {
            let printed = value.to_text(Some(22)).unwrap();
            let _ = Attribute::parse(printed);
        }
    }
}

#[cfg(feature = "steps")]
#[test]
fn no_character_of_a_shape_is_read_more_than_a_few_times() {
    use crate::wire::steps::taken;
    const DIMS: u64 = 2000;
    for text in [
        format!("tensor<{}i8>", "1x".repeat(DIMS as usize)),
        format!("vector<{}i8>", "1x".repeat(DIMS as usize)),
        format!("memref<{}f32>", "0x".repeat(DIMS as usize)),
        format!("tensor<{}xi8>", "?x".repeat(DIMS as usize).trim_end_matches('x')),
    ] {
        let before = taken();
        let _ = Type::parse(&text).map(drop);
        let lexed = taken() - before;
        assert!(lexed > DIMS / 2 && lexed < 20 * text.len() as u64, "{lexed} of {}", text.len());
    }
}

fn assembled(attribute: &str, target: &str) -> Result<Vec<u8>> {
    let options = crate::parse::ParseOptions::default().target(target.parse()?);
    crate::parse::assemble(format!("\"t.a\"() {{a = {attribute}}} : () -> ()"), &options)
}

/// jaxlib 0.10 wrote the texts and the results.
#[test]
fn the_type_of_elements_may_come_first() {
    for (first, second) in [
        ("dense<tensor<2xi32> : [1 : i32, 2 : i32]>", "dense<[1, 2]> : tensor<2xi32>"),
        ("dense<tensor<2xi32> : 1 : i32>", "dense<1> : tensor<2xi32>"),
        (
            "dense<tensor<2x2xi8> : [[1 : i8, 2 : i8], [3 : i8, -4 : i8]]>",
            "dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>",
        ),
        ("dense<vector<2xf32> : [1.0 : f32, 2.0 : f32]>", "dense<[1.0, 2.0]> : vector<2xf32>"),
        ("dense<tensor<2xi1> : [true, false]>", "dense<[true, false]> : tensor<2xi1>"),
        ("dense<tensor<2xi64> : [1, 2]>", "dense<[1, 2]> : tensor<2xi64>"),
        ("dense<tensor<0xi32> : []>", "dense<> : tensor<0xi32>"),
        ("dense<tensor<i32> : 1 : i32>", "dense<1> : tensor<i32>"),
    ] {
        assert_eq!(
            assembled(first, "jaxlib-0.10").unwrap(),
            assembled(second, "jaxlib-0.10").unwrap(),
            "{first}"
        );
    }
    for wrong in [
        "dense<tensor<2xi32> : [1, 2]>",
        "dense<tensor<2xi8> : [1 : i32, 2 : i32]>",
        "dense<tensor<2xi32> : [1 : i32]>",
        "dense<tensor<i32> : [1 : i32]>",
        "dense<tensor<2xi32> : \"0x0100000002000000\">",
    ] {
        assert!(assembled(wrong, "jaxlib-0.10").is_err(), "{wrong}");
    }
    assert!(assembled("dense<tensor<2xi64> : [1, 2]>", "llvm-22").is_err());
}
