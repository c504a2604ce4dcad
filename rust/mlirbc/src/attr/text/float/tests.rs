use super::literal::{Literal, parse_float};
use super::*;
use proptest::prelude::*;
use rustc_apfloat::{Float, ieee};

fn written(semantics: Semantics, bits: u128) -> String {
    let mut out = Vec::new();
    write_float(&mut out, semantics, bits);
    String::from_utf8(out).unwrap()
}

#[test]
fn floats_are_printed_as_mlir_prints_them() {
    for (name, bits, text) in [
        ("f32", 0x3f80_0000, "1.000000e+00"),
        ("f32", 0x8000_0000, "-0.000000e+00"),
        ("f32", 0x3f33_3333, "0.699999988"),
        ("f32", 0x4b80_0000, "0x4B800000"), // 16777216 has no point
        ("f32", 0x7fc0_0000, "0x7FC00000"),
        ("f32", 1, "1.401300e-45"),
        ("f32", 0x3f80_0001, "1.00000012"),
        ("f32", 0x501502f9, "1.000000e+10"),
        ("f64", 0x3fb9_9999_9999_999a, "1.000000e-01"),
        ("f64", 0x3fd5_5555_5555_5555, "0.33333333333333331"),
        ("f64", 0xfff0_0000_0000_0000, "0xFFF0000000000000"),
        ("f16", 0x7c01, "0x7C01"),
        ("f80", 0x7fff_8000_0000_0000_0000, "0x7FFF8000000000000000"),
        ("f80", 0x3ffb_cccc_cccc_cccc_d000, "0.100000000000000005551"),
        ("f128", 0x7fff << 112, "0x7FFF0000000000000000000000000000"),
        ("tf32", 0x0_0001, "1.147940e-41"),
        ("tf32", 0x3_f801, "1.703070e+38"),
        ("f8E8M0FNU", 0x00, "5.877470e-39"),
        ("f8E8M0FNU", 0xff, "0xFF"),
        ("f8E5M2FNUZ", 0x80, "0x80"),
        ("f8E4M3FN", 0x7f, "0x7F"),
    ] {
        assert_eq!(written(Semantics::from_name(name).unwrap(), bits), text);
    }
}

/// Returns the text that MLIR prints, computed with the Rust translation of LLVM's `APFloat`: six digits if
/// they identify the number, otherwise as many digits as needed, and the bits where neither is a literal.
fn printed_by_apfloat<F: Float>(semantics: Semantics, bits: u128) -> String {
    let value = F::from_bits(bits);
    if value.is_finite() {
        let short = format!("{value:#0$.6}", 0);
        if short.parse::<F>().is_ok_and(|read| read.to_bits() == bits) {
            return short;
        }
        let exact = value.to_string();
        if exact.contains('.') {
            return exact;
        }
    }
    format!("0x{bits:00$X}", semantics.bits() as usize / 4)
}

fn agrees_with_apfloat<F: Float>(semantics: Semantics) {
    let bits = semantics.bits();
    // `APFloat` takes long for large exponents, which are frequent in the wide formats.
    let count = match bits {
        ..=16 => 1 << bits,
        17..=64 => 2_000,
        _ => 40,
    };
    // Multiples of an odd number visit all exponents.
    let step = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128;
    for number in 0_u128..count {
        let pattern = if bits <= 16 { number } else { number.wrapping_mul(step) >> (128 - bits) };
        // Some patterns of f80 are not numbers, and `APFloat` changes them.
        if F::from_bits(pattern).to_bits() == pattern {
            let expected = printed_by_apfloat::<F>(semantics, pattern);
            assert_eq!(written(semantics, pattern), expected, "{} {pattern:#x}", semantics.name());
        }
    }
}

/// `rustc_apfloat` has 8 of the 18 formats. It therefore cannot be used for printing, but it can check the
/// printer.
#[test]
fn digits_are_those_of_apfloat_in_every_format_that_it_has() {
    agrees_with_apfloat::<ieee::Half>(Semantics::F16);
    agrees_with_apfloat::<ieee::BFloat>(Semantics::BF16);
    agrees_with_apfloat::<ieee::Single>(Semantics::F32);
    agrees_with_apfloat::<ieee::Double>(Semantics::F64);
    agrees_with_apfloat::<ieee::X87DoubleExtended>(Semantics::F80);
    agrees_with_apfloat::<ieee::Quad>(Semantics::F128);
    agrees_with_apfloat::<ieee::Float8E5M2>(Semantics::F8E5M2);
    agrees_with_apfloat::<ieee::Float8E4M3FN>(Semantics::F8E4M3FN);
}

#[test]
fn an_x87_number_without_its_leading_one_is_a_nan() {
    assert_eq!(written(Semantics::F80, 0x3fff_4000_0000_0000_0000), "0x7FFF4000000000000000");
    assert_eq!(written(Semantics::F80, 0x8000_0000_0000_0000), written(Semantics::F80, 1 << 64 | 1 << 63));
}

#[test]
fn what_is_too_large_depends_on_the_format() {
    for (name, bits) in [
        ("f32", 0x7f80_0000),
        ("f80", 0x7fff_8000_0000_0000_0000),
        ("f8E5M2", 0x7c),
        ("f8E4M3FN", 0x7f),
        ("f8E4M3FNUZ", 0x80),
        ("f8E8M0FNU", 0xff),
        ("f6E2M3FN", 0x1f),
        ("f4E2M1FN", 0x7),
    ] {
        let semantics = Semantics::from_name(name).unwrap();
        assert_eq!(parse_float(b"1.0e9999", semantics), Some(bits), "{name}");
    }
    assert_eq!(parse_literal(b"1.0e10", Semantics::F6E2M3FN), Some(0x1f));
    assert_eq!(parse_literal(b"-1.0e400", Semantics::F6E2M3FN), Some(0x20));
}

#[test]
fn formats_without_zero_or_sign_take_what_they_have() {
    assert_eq!(parse_literal(b"0.0", Semantics::F8E8M0FNU), Some(0));
    assert_eq!(parse_literal(b"-1.0", Semantics::F8E8M0FNU), None);
    assert_eq!(parse_literal(b"-0.0", Semantics::F8E5M2FNUZ), Some(0));
    assert_eq!(parse_literal(b"-1.0e-10", Semantics::F8E5M2), Some(0x80));
}

#[test]
fn a_literal_is_rounded_to_f64_first() {
    assert_eq!(parse_literal(b"0.1", Semantics::F80), Some(0x3ffb_cccc_cccc_cccc_d000));
    assert_eq!(parse_float(b"0.1", Semantics::F80), Some(0x3ffb_cccc_cccc_cccc_cccd));
}

#[test]
fn exact_literals_are_read_as_the_same_bits() {
    let text = |semantics, bits| {
        let mut out = Vec::new();
        let is_hexadecimal = write_exact_float(&mut out, semantics, bits);
        (String::from_utf8(out).unwrap(), is_hexadecimal)
    };
    let f80 = |bits| text(Semantics::F80, bits);
    assert_eq!(f80(0x3fff_8000_0000_0000_0000), ("1.000000e+00".to_owned(), false));
    assert_eq!(f80(0x3ffb_cccc_cccc_cccc_cccd), ("0x3FFBCCCCCCCCCCCCCCCD".to_owned(), true));
    assert_eq!(f80(0xbffb_cccc_cccc_cccc_cccd), ("0xBFFBCCCCCCCCCCCCCCCD".to_owned(), true));
    let tenth = 0x3ffb_9999_9999_9999_9999_9999_9999_999a;
    assert_eq!(text(Semantics::F128, tenth), ("0x3FFB999999999999999999999999999A".to_owned(), true));
    assert_eq!(text(Semantics::F64, 0x3fb9_9999_9999_999a).0, "1.000000e-01");
}

#[test]
fn only_decimal_literals_are_floats() {
    for text in ["", "-", ".5", "1e", "1.0e+", "+1.0", "inf", "nan", "0x10", "1.0f", "1..0", "--1.0"] {
        assert_eq!(parse_float(text.as_bytes(), Semantics::F32), None, "{text}");
        assert_eq!(parse_float(text.as_bytes(), Semantics::F16), None, "{text}");
    }
    assert_eq!(parse_float(b"1.", Semantics::F32), Some(0x3f80_0000));
}

#[test]
fn the_smallest_numbers_are_reached_from_both_sides() {
    for (semantics, smallest) in
        [(Semantics::F8E5M2FNUZ, -17), (Semantics::F16, -24), (Semantics::F8E3M4, -6)]
    {
        let exactly = 2_f64.powi(smallest);
        for (factor, bits) in [(0.49, 0), (0.5, 0), (0.51, 1), (0.9999, 1), (1.0, 1), (1.49, 1), (1.5, 2)] {
            let text = format!("{:.60}", exactly * factor);
            assert_eq!(parse_float(text.as_bytes(), semantics), Some(bits), "{semantics:?} {text}");
            assert_eq!(parse_literal(text.as_bytes(), semantics), Some(bits), "{semantics:?} {text}");
        }
    }
}

#[test]
fn long_literals_take_no_long_time() {
    let mut text = vec![b'0'; 300_000];
    text.push(b'.');
    text.extend(std::iter::repeat_n(b'9', 300_000));
    assert_eq!(parse_float(&text, Semantics::F16), Some(0x3c00));
    assert_eq!(parse_float(b"1.0e-99999999999999999999", Semantics::F128), Some(0));
}

fn any_format() -> impl Strategy<Value = Semantics> {
    proptest::sample::select(&Semantics::ALL[..])
}

proptest! {
    #[test]
    fn what_is_printed_leads_back(semantics in any_format(), bits: u128) {
        let (bits, text) = (bits & mask(semantics.bits()), written(semantics, bits));
        match text.strip_prefix("0x") {
            Some(hex) => {
                let read = u128::from_str_radix(hex, 16).unwrap();
                prop_assert!(read == bits || semantics == Semantics::F80);
            }
            None => {
                let read = parse_float(text.as_bytes(), semantics).unwrap();
                prop_assert_eq!(semantics.decode(read), semantics.decode(bits));
            }
        }
    }

    #[test]
    fn the_slow_way_rounds_like_the_standard_library(
        digits in "[0-9]{1,40}[.][0-9]{0,40}",
        exponent in -360..330,
    ) {
        let text = format!("{digits}e{exponent}");
        let slow = Literal::new(text.as_bytes()).unwrap();
        prop_assert_eq!(slow.round(Semantics::F64), u128::from(text.parse::<f64>().unwrap().to_bits()));
        prop_assert_eq!(slow.round(Semantics::F32), u128::from(text.parse::<f32>().unwrap().to_bits()));
    }

    #[test]
    fn any_text_is_read_or_refused(semantics in any_format(), text in "[-+.eE0-9a]{0,30}") {
        let _ = parse_float(text.as_bytes(), semantics);
        let _ = parse_literal(text.as_bytes(), semantics);
    }
}
