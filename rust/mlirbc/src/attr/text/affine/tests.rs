use super::simplify::Refusal;
use super::*;
use proptest::prelude::*;

const NEWEST: Llvm = Llvm::DEVELOPMENT;

fn printed(parsed: &MapOrSet) -> String {
    let mut out = Vec::new();
    match parsed {
        MapOrSet::Map(map) => write_map(&mut out, map),
        MapOrSet::Set(set) => write_set(&mut out, set),
    }
    String::from_utf8(out).unwrap()
}

fn simplified(text: &str) -> String {
    printed(&parse_whole(text.as_bytes(), NEWEST).unwrap())
}

fn error(text: &str) -> (usize, &'static str) {
    let error = parse_whole(text.as_bytes(), NEWEST).unwrap_err();
    (error.position, error.expected)
}

fn decode_map(data: &[u8]) -> Option<AffineMap> {
    let mut cursor = Cursor::new(data, 0, None);
    AffineMap::decode(&mut cursor).ok().filter(|_| cursor.is_at_end())
}

fn decode_set(data: &[u8]) -> Option<IntegerSet> {
    let mut cursor = Cursor::new(data, 0, None);
    IntegerSet::decode(&mut cursor).ok().filter(|_| cursor.is_at_end())
}

fn encoded(parsed: &MapOrSet) -> Vec<u8> {
    let mut sink = ByteSink::new();
    match parsed {
        MapOrSet::Map(map) => map.encode(&mut sink),
        MapOrSet::Set(set) => set.encode(&mut sink),
    }
    sink.into_bytes()
}

#[test]
fn a_text_that_is_grouped_in_another_way_when_it_is_parsed_is_restated() {
    let restate =
        |text: &str| restated(text.as_bytes(), || NEWEST).map(|text| String::from_utf8(text).unwrap());
    // The right sides are the output of `mlir-opt-22`.
    let maps = [
        ("affine_map<(d0)[s0, s1] -> (d0 + -s0 + s1)>", "affine_map<(d0)[s0, s1] -> (d0 - s0 + s1)>"),
        (
            "affine_map<(d0)[s0, s1, s2] -> (d0 + s0 + -(s0 - s1) + s2)>",
            "affine_map<(d0)[s0, s1, s2] -> (d0 + s0 - (s0 - s1) + s2)>",
        ),
    ];
    for (text, expected) in maps {
        assert_eq!(restate(text).as_deref(), Some(expected));
        assert_eq!(restate(expected), None);
    }
    assert_eq!(restate("affine_set<(d0) : (d0 >= 0)>"), None);
    assert_eq!(restate("affine_map<"), None);
}

#[test]
fn expressions_are_simplified_as_mlir_does() {
    for (expression, simple) in [
        ("2 * d0 + s0 - 3*d0*2", "d0 * 2 + s0 - d0 * 6"),
        ("d0 floordiv 4 * 4", "(d0 floordiv 4) * 4"),
        ("4 - d0", "-d0 + 4"),
        ("(d0 + 9223372036854775807) + 1", "d0 - -9223372036854775808"),
        ("(d0 * -4) floordiv -2", "d0 * 2"),
        ("7 floordiv -2", "-4"),
        ("7 ceildiv -2", "-3"),
        ("7 mod -2", "7 mod -2"),
        ("(d0 * -4 + d1) floordiv -4", "d0 + d1 floordiv -4"),
        ("(d0 * 4) ceildiv -2", "d0 * -2"),
        ("(d0 mod -4) mod 2", "(d0 mod -4) mod 2"),
        ("3 mod 0", "3 mod 0"),
        ("((d0 * 8) floordiv 4) mod 2", "0"),
        ("s0 * s1 * 3 * s0", "((s0 * s1) * s0) * 3"),
        ("3 * s0 * d0", "d0 * (s0 * 3)"),
        ("-(s0 * 2)", "s0 * -2"),
        ("s0 + d0", "d0 + s0"),
        ("d0 - (d0 floordiv s0) * s0", "d0 mod s0"),
        ("d0 - d0 floordiv 4 * 4", "d0 mod 4"),
        ("d0 - d0", "0"),
        ("d0 + d1 - d1", "d0 + d1 - d1"),
        ("-9223372036854775807 - 1", "-9223372036854775808"),
        ("(-9223372036854775807 - 1) floordiv -1", "-9223372036854775808 floordiv -1"),
        ("-(-d0)", "d0"),
        ("(d0 mod 6) mod 3", "d0 mod 3"),
        ("d1 - (d0 + d1) * 3", "d1 - (d0 + d1) * 3"),
        ("-(d0 + d1) + d1 * (s0 + 1)", "-(d0 + d1) + d1 * (s0 + 1)"),
    ] {
        let map = |expression| format!("(d0, d1)[s0, s1] -> ({expression})");
        assert_eq!(simplified(&map(expression)), map(simple));
    }
}

#[test]
fn releases_simplify_differently() {
    for (expression, by_16, by_19, by_22) in [
        ("d0 floordiv -1", "d0 floordiv -1", "d0 floordiv -1", "d0 floordiv -1"),
        ("(d0 * 4) floordiv -2", "(d0 * 4) floordiv -2", "d0 * -2", "d0 * -2"),
        ("s1 * s0", "s1 * s0", "s1 * s0", "s0 * s1"),
        ("d1 + d0", "d1 + d0", "d1 + d0", "d0 + d1"),
        ("d0 + (d0 floordiv 4 - 4)", "d0 mod 4", "d0 + d0 floordiv 4 - 4", "d0 + d0 floordiv 4 - 4"),
        ("d0 + (d0 floordiv s0) * -s0", "d0 mod s0", "d0 mod s0", "d0 + (d0 floordiv s0) * (-s0)"),
        (
            "d0 * 2 + d1 - d1 floordiv 4 * 4",
            "d0 * 2 + d1 - (d1 floordiv 4) * 4",
            "d0 * 2 + d1 - (d1 floordiv 4) * 4",
            "d0 * 2 + d1 mod 4",
        ),
        ("8 * 4611686018427387904", "0", "8 * 4611686018427387904", "8 * 4611686018427387904"),
        (
            "9223372036854775807 + 1",
            "-9223372036854775808",
            "9223372036854775807 + 1",
            "9223372036854775807 + 1",
        ),
    ] {
        for (llvm, simple) in [(Llvm(16), by_16), (Llvm(19), by_19), (Llvm(22), by_22)] {
            let text = format!("(d0, d1)[s0, s1] -> ({expression})");
            let map = parse_whole(text.as_bytes(), llvm).unwrap();
            assert_eq!(printed(&map), format!("(d0, d1)[s0, s1] -> ({simple})"), "{llvm:?}");
        }
    }
}

#[test]
fn the_newest_divide_symbols_by_themselves() {
    for (expression, by_22, by_newest) in [
        ("s0 floordiv s0", "s0 floordiv s0", "1"),
        ("(s0 * 2) ceildiv (s0 * 2)", "(s0 * 2) ceildiv (s0 * 2)", "1"),
        ("(s0 + 1) mod (s0 + 1)", "(s0 + 1) mod (s0 + 1)", "0"),
        ("-3 mod -3", "-3 mod -3", "-3 mod -3"),
        ("0 floordiv 0", "0 floordiv 0", "0 floordiv 0"),
    ] {
        for (llvm, simple) in [(Llvm(22), by_22), (NEWEST, by_newest)] {
            let map = parse_whole(format!("()[s0] -> ({expression})").as_bytes(), llvm).unwrap();
            assert_eq!(printed(&map), format!("()[s0] -> ({simple})"), "{llvm:?}");
        }
    }
}

#[test]
fn names_may_be_any_word() {
    assert_eq!(
        simplified("(i, mod)[floordiv]->(mod mod 5 + floordiv, i)"),
        "(d0, d1)[s0] -> (d1 mod 5 + s0, d0)"
    );
    assert_eq!(simplified("(i32) -> (i32 + 0x10)"), "(d0) -> (d0 + 16)");
    assert_eq!(simplified("() -> ()"), "() -> ()");
}

#[test]
fn sets_compare_with_zero() {
    assert_eq!(
        simplified("(d0)[s0] : (d0 - 1 >= 0, 0 <= d0, s0 == d0)"),
        "(d0)[s0] : (d0 - 1 >= 0, d0 >= 0, -d0 + s0 == 0)"
    );
    assert_eq!(simplified("(d0) : ()"), "(d0) : (0 == 0)");
}

#[test]
fn what_mlir_refuses_is_refused() {
    for (text, position, expected) in [
        ("(d0, d0) -> ()", 5, "a name that is not declared twice"),
        ("(d0) -> (d1)", 9, "a declared name"),
        ("(d0) -> (d0 * d0)", 12, "a factor or divisor without dimensions"),
        ("(d0) -> (4 mod d0)", 11, "a factor or divisor without dimensions"),
        ("(d0) -> (d0", 11, "`,` or the end of the list"),
        ("(d0) -> ((d0", 12, "`)`"),
        ("(d0) -> (d0,)", 12, "an affine expression"),
        ("(d0) -> (9223372036854775808)", 9, "a constant below 2^63"),
        ("(d0) -> (symbol)", 9, "an affine expression"),
        ("(d0) -> () x", 11, "the end of the text"),
        ("(d0) = ()", 5, "`->` or `:`"),
        ("(d0) : (d0 > 0)", 11, "`==`, `>=` or `<=`"),
    ] {
        assert_eq!(error(text), (position, expected), "{text}");
    }
    assert!(AffineMap::parse(b"(d0) : ()", NEWEST).is_err());
    assert!(IntegerSet::parse(b"(d0) -> ()", NEWEST).is_err());
}

#[test]
fn bytecode_forms_are_as_short_as_they_can_be() {
    for (text, bytes) in [
        ("(d0, d1) -> (d0, d1)", &[0x11][..]),
        ("(d0, d1) -> (d1, d0)", &[0x13, 0x03, 0x01]),
        ("(d0, d1) -> (d1)", &[0x15, 0x03, 0x03]),
        ("(d0)[s0] -> (d0)", &[0x0f, 0x03, 0x03, 0x01, 0x01]),
        ("(d0)[s0] -> (d0 + s0 * -1)", &[0x0f, 0x03, 0x03, 0x07, 0x01, 0x01, 0x09, 0x03, 0x01, 0x05, 0x03]),
        ("(d0) : (d0 >= 0, d0 == 0)", &[0x03, 0x01, 0x05, 0x01, 0x01, 0x01, 0x01, 0x00, 0x01]),
    ] {
        assert_eq!(encoded(&parse_whole(text.as_bytes(), NEWEST).unwrap()), bytes, "{text}");
    }
}

#[test]
fn bytecode_names_only_what_there_is() {
    let kind = |bytes: &[u8]| AffineMap::decode(&mut Cursor::new(bytes, 0, None)).unwrap_err().kind();
    assert_eq!(kind(&[0x0b, 0x03]), ErrorKind::Index);
    assert_eq!(kind(&[0x0f, 0x01, 0x03, 0x03, 0x01]), ErrorKind::Index);
    assert_eq!(kind(&[0x0f, 0x01, 0x03, 0x11]), ErrorKind::EntryUnknownCode);
    assert_eq!(kind(&[0x0f, 0x01, 0x03, 0x09, 0x01, 0x01, 0x01, 0x01]), ErrorKind::EntryUnknownCode);
    assert_eq!(kind(&[0x00, 0, 0, 0, 0, 0, 0, 0, 0x10]), ErrorKind::Count);
    assert_eq!(kind(&[0x0f, 0x01, 0x07]), ErrorKind::Count);
    assert_eq!(decode_map(&[0x11, 0x01]), None);
}

#[test]
fn identity_maps_are_known() {
    let is_identity = |text: &str| AffineMap::parse(text.as_bytes(), NEWEST).unwrap().is_identity();
    assert!(is_identity("(d0, d1) -> (d0, d1)"));
    assert!(is_identity("() -> ()"));
    assert!(is_identity("(d0)[s0] -> (d0)"));
    assert!(!is_identity("(d0, d1) -> (d1, d0)"));
    assert!(!is_identity("(d0, d1) -> (d0)"));
    assert_eq!(AffineMap::identity(2), AffineMap::parse(b"(a, b) -> (a, b)", NEWEST).unwrap());
}

#[test]
fn depth_takes_neither_stack_nor_quadratic_time() {
    const DEPTH: usize = 100_000;
    let (open, close) = ("(".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(simplified(&format!("(d0) -> ({open}d0{close})")), "(d0) -> (d0)");
    assert_eq!(simplified(&format!("(d0) -> ({}d0)", "-".repeat(DEPTH))), "(d0) -> (d0)");
    for text in [
        format!("(d0)[s0] -> ({open}d0{})", " floordiv s0)".repeat(DEPTH)),
        format!("(d0)[s0] -> ({}d0{close})", "(s0 floordiv 3) * (d0 mod 5 + ".repeat(DEPTH)),
        format!("(d0)[s0] -> (d0{})", " + d0 mod 3 + 1 + s0".repeat(DEPTH)),
    ] {
        let MapOrSet::Map(map) = parse_whole(text.as_bytes(), NEWEST).unwrap() else { panic!() };
        let bytes = encoded(&MapOrSet::Map(map.clone()));
        assert_eq!(decode_map(&bytes).unwrap(), map);
        assert_eq!(AffineMap::parse(simplified(&text).as_bytes(), NEWEST).unwrap(), map);
    }
}

#[test]
fn work_without_end_is_refused() {
    // The product's known divisor overflows to zero, so that every division is distributed over the sum.
    let term = "d0 * 4294967296 * (s0 * 4294967296)";
    let sum = format!("{term} + d0 mod 7 * 4294967296 * (s0 * 4294967296) + ").repeat(2_000) + term;
    let text = format!("(d0)[s0] -> ({}({sum}){})", "(".repeat(2_000), " floordiv 3)".repeat(2_000));
    let expected = parse_whole(text.as_bytes(), NEWEST).unwrap_err().expected;
    assert_eq!(expected, Refusal::TooMuchWork.expected());
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        proptest::sample::select(&["d0", "d1", "s0", "s1"][..]).prop_map(str::to_owned),
        (-9..9_i64).prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.saturating_abs().to_string()),
    ];
    leaf.prop_recursive(6, 40, 2, |inner| {
        let operators = proptest::sample::select(&["+", "-", "*", "mod", "floordiv", "ceildiv"][..]);
        (inner.clone(), operators, inner, any::<bool>()).prop_map(|(left, operator, right, negate)| {
            format!("{}(({left}) {operator} ({right}))", if negate { "-" } else { "" })
        })
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(expressions in proptest::collection::vec(expression(), 0..4), set: bool) {
        let text = match set {
            false => format!("(d0, d1)[s0, s1] -> ({})", expressions.join(", ")),
            true => {
                let constraints: Vec<String> =
                    expressions.iter().map(|expression| format!("{expression} >= 0")).collect();
                format!("(d0, d1)[s0, s1] : ({})", constraints.join(", "))
            }
        };
        if let Ok(parsed) = parse_whole(text.as_bytes(), NEWEST) {
            let bytes = encoded(&parsed);
            let text = printed(&parsed);
            match &parsed {
                MapOrSet::Map(_) => prop_assert!(decode_map(&bytes).is_some()),
                MapOrSet::Set(_) => prop_assert!(decode_set(&bytes).is_some()),
            }
            // The minimum is printed with a sign that MLIR does not parse.
            if !text.contains("9223372036854775808") {
                prop_assert!(parse_whole(text.as_bytes(), NEWEST).is_ok(), "{}", text);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in r"\(d0\)(\[s0\])?(->|:)[()0-9ds+*<>=, \-]{0,40}") {
        let _ = parse_whole(text.as_bytes(), NEWEST);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(0..24_u8, 0..40)) {
        let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte << 1 | 1).collect();
        if let Some(map) = decode_map(&bytes) {
            prop_assert!(!printed(&MapOrSet::Map(map)).is_empty());
        }
        let _ = decode_set(&bytes);
    }
}
