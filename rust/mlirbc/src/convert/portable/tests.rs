//! The rows fit the dialect tables and the schemas, and every class of VHLO has one.

use super::entries::{Converted, Direction, EntryConverter};
use super::rules::shipped;
use super::*;
use crate::attr::table::Builder;
use crate::convert::rules::PropertyRule;
use crate::dialect::node::Field;
use crate::dialect::registry::find_dialect;
use crate::props::PropertySchema;
use crate::test_module::TestFile;
use crate::wire::limits::Limits;

fn converter(direction: Direction, builder: &mut Builder) -> EntryConverter {
    let budget = Limits::default().budget(1 << 20);
    EntryConverter::new(shipped().unwrap(), direction, true, builder, &budget).unwrap()
}

fn there_and_back(text: &str) -> String {
    let value = crate::attr::Attribute::parse(text).unwrap();
    let mut builder = Builder::new();
    let imported = builder.import(&value.0.home, value.0.of).unwrap();
    let Converted::To(there, _) =
        converter(Direction::ToVhlo, &mut builder).convert(&mut builder, imported).unwrap()
    else {
        return "no form".to_owned();
    };
    let back = converter(Direction::FromVhlo, &mut builder).convert(&mut builder, there).unwrap();
    let Converted::To(back, _) = back else { return "no way back".to_owned() };
    report::text_of(builder.entries(), back)
}

#[test]
fn every_class_of_vhlo_has_a_row_and_every_version_a_schema() {
    let rules = shipped().unwrap();
    let table = find_dialect("vhlo").unwrap();
    for form in &table.types.rows {
        let is_simple = form.as_builtin.is_some() && form.layouts[0].fields.is_empty();
        let has_row = rules.rows.r#type.iter().any(|row| row.vhlo == form.name);
        assert!(is_simple || has_row, "{}", form.name);
    }
    for form in &table.attributes.rows {
        assert!(rules.rows.attribute.iter().any(|row| row.vhlo == form.name), "{}", form.name);
    }
    let schema = PropertySchema::shipped("stablehlo-1.20").unwrap();
    for op in schema.ops() {
        let Some(stem) = op.name().strip_prefix("stablehlo.") else { continue };
        let of_op = rules.of_op(stem);
        for number in 1..=of_op.newest() {
            assert!(schema.op(of_op.name_of(number).as_bytes()).is_some(), "{stem} {number}");
        }
        assert!(schema.op(of_op.name_of(of_op.newest() + 1).as_bytes()).is_none(), "{stem}");
        let has_default =
            |row: &PropertyRule| row.default.is_some() && (row.each_of.is_none() || row.element().is_some());
        assert!(of_op.defaults().all(has_default), "{stem}");
    }
}

#[test]
fn values_return_as_they_were() {
    for text in [
        "[1 : i32, -2, 3 : ui8, 4 : index, true, false]",
        "{a = 1.500000e+00 : f32, b = \"x\", c = [2.000000e+00]}",
        "dense<[1, 2, 3]> : tensor<3xi64>",
        "dense<true> : tensor<i1>",
        "dense<[true, false, true]> : tensor<3xi1>",
        "dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>",
        "(tensor<2x?xf32, #stablehlo.bounds<?, 4>>, tuple<i1, none>) -> tensor<*xf8E4M3FN>",
        "!stablehlo.token",
        "memref<2x3xf32>",
        "!quant.uniform<i8:f32:0, {2.000000e+00:15,3.000000e+00}>",
        "#stablehlo<precision HIGHEST>",
        "#stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    ] {
        assert_eq!(there_and_back(text), crate::attr::shorten(text));
    }
}

fn parsed(text: &str, target: &str) -> Module {
    let options = crate::parse::ParseOptions {
        target: crate::release::Release::named(target.to_owned()),
        ..Default::default()
    };
    crate::parse::parse(text.as_bytes(), &options).unwrap()
}

#[test]
fn attributes_that_readers_decode_differently_are_refused() {
    // The language of a unit is an attribute in LLVM 24, and a number before.
    let text = "module attributes {a = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, \
        file = <\"a\" in \"b\">, isOptimized = true, emissionKind = Full>} {}";
    let refused = |error: Error| {
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(
            error
                .to_string()
                .starts_with("`llvm.di_compile_unit` is encoded differently in iree-3.13 than in"),
            "{error}"
        );
    };
    let module = parsed(text, "iree-3.13");
    refused(serialize(&module, &SerializeOptions::default()).err().unwrap());
    refused(deserialize(&module, &Progress::default()).err().unwrap());
    for target in ["jaxlib-0.10", "llvm-22"] {
        let artifact = serialize(&parsed(text, target), &SerializeOptions::default()).unwrap();
        let again = deserialize(&artifact.into_module().unwrap(), &Progress::default()).unwrap();
        assert!(again.into_module().is_ok());
    }
}

#[test]
fn operations_whose_properties_readers_miss_are_refused() {
    // The operation has no properties in LLVM 19; readers of artifacts expect a `static_basis`.
    let text = "func.func @f(%i: index, %b: index) {\n  %0:2 = \"affine.delinearize_index\"(%i, %b) : \
        (index, index) -> (index, index)\n  return\n}";
    let error = serialize(&parsed(text, "llvm-19"), &SerializeOptions::default()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let expected = "the artifact could not be read back: 1 affine.delinearize_index operation";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn a_type_that_is_a_text_becomes_what_vhlo_becomes() {
    let mut builder = Builder::new();
    let (builtin, table) = entries::values::dialect(&mut builder, "builtin").unwrap();
    let element = builder.text(true, builtin, b"f4E2M1FN").unwrap();
    let mut tensor = crate::dialect::node::Node::default();
    tensor.begin_field();
    let shape = tensor.begin_list();
    tensor.push(Field::Signed(2));
    tensor.end_list(shape, 1);
    tensor.begin_field();
    tensor.push(Field::Type(crate::format::id::TypeId::new(element.index()), 0));
    let form = entries::values::form_of(&table, true, "RankedTensorType").unwrap();
    let none = crate::wire::bytes::Bytes::new();
    let tensor = entries::values::make(&mut builder, (true, builtin), form, &tensor, &none).unwrap();
    let [mut to, mut from] =
        [Direction::ToVhlo, Direction::FromVhlo].map(|direction| converter(direction, &mut builder));
    for of in [element, tensor] {
        let Converted::To(vhlo, _) = to.convert(&mut builder, of).unwrap() else { panic!("no form") };
        let [kept, back] = [of, vhlo].map(|of| match from.convert(&mut builder, of).unwrap() {
            Converted::To(to, _) => to,
            Converted::Nothing => panic!("no way back"),
        });
        assert_eq!(kept, back);
        assert_ne!(kept, of);
    }
}

#[test]
fn what_is_lost_is_known() {
    assert_eq!(there_and_back("@a"), "\"a\"");
    assert_eq!(there_and_back("array<i64: 1, 1>"), "dense<1> : tensor<2xi64>");
    assert_eq!(there_and_back("array<i1: true, false>"), "dense<[true, false]> : tensor<2xi1>");
    // Other dialects keep their attributes.
    assert_eq!(there_and_back("array<i32: 1>"), "array<i32: 1>");
    assert_eq!(there_and_back("unit"), "unit");
    for text in [
        "vector<2xf32>",
        "si8",
        "i3",
        "1 : i3",
        "\"x\" : i32",
        "#stablehlo.channel_handle<handle = 1, type = 2>",
    ] {
        assert_eq!(there_and_back(text), "no form", "{text}");
    }
}

#[test]
fn depth_costs_no_stack() {
    let depth = 20_000;
    let text = format!("{}unit{}", "[".repeat(depth), "]".repeat(depth));
    assert!(there_and_back(&text).starts_with("[["));
}

#[test]
fn versions_are_three_numbers() {
    assert_eq!("1.9.0".parse::<VhloVersion>().unwrap().to_string(), "1.9.0");
    for text in ["", "1", "1.2", "1.2.3.4", "a.b.c", "1.-2.3", "1..2", "+1.2.3", "99999999999.0.0"] {
        assert_eq!(text.parse::<VhloVersion>().unwrap_err().kind(), ErrorKind::Value, "{text}");
    }
    let rules = shipped().unwrap();
    for (version, bytecode) in
        [("0.9.0", 0), ("0.10.3", 1), ("0.13.0", 3), ("0.14.0", 4), ("0.21.0", 6), ("1.20.0", 6)]
    {
        assert_eq!(
            u64::from(rules.versions.bytecode(version.parse().unwrap()).number()),
            bytecode,
            "{version}"
        );
    }
}

/// The StableHLO module of a file with an operation of another dialect, whose location is attribute 0.
fn deserialized(mut file: TestFile, dictionary: Option<u32>, memory: u64) -> Result<Module> {
    let dialect = file.dialect("t");
    let name = file.op_name(dialect, "op", false);
    file.ops.push((name, dictionary, None));
    deserialize(&file.module(memory), &Progress::default())?.into_module()
}

const PLENTY: u64 = 4 << 20;

// Codes of the builtin dialect.
const STRING: u64 = 2;
const FILE_LINE_COL_LOC: u64 = 11;
const FUSED_LOC: u64 = 12;
const NAME_LOC: u64 = 14;
const UNKNOWN_LOC: u64 = 15;

fn varints(numbers: &[u64]) -> Vec<u8> {
    let mut sink = crate::wire::cursor::ByteSink::new();
    numbers.iter().for_each(|&number| sink.varint(number));
    sink.into_bytes()
}

#[test]
fn locations_with_equal_names_become_one() {
    let mut file = TestFile::new();
    let texts = [file.string("x"), file.string("x")];
    let names = texts.map(|text| u64::from(file.attribute(&[STRING, text.into()])));
    let unknown = file.attribute(&[UNKNOWN_LOC]).into();
    let locations = names.map(|name| u64::from(file.attribute(&[NAME_LOC, name, unknown])));
    file.attributes[0] = varints(&[FUSED_LOC, 2, locations[0], locations[1]]);
    let module = deserialized(file, None, PLENTY).unwrap();
    assert_eq!(module.tables().entry_counts().unwrap().attributes, 4);
}

#[test]
fn a_location_inside_an_attribute_is_not_written_twice() {
    let mut file = TestFile::new();
    let text = file.string("x");
    let name = file.attribute(&[STRING, text.into()]);
    let unknown = file.attribute(&[UNKNOWN_LOC]);
    file.attributes[0] = varints(&[NAME_LOC, name.into(), unknown.into()]);
    let dictionary = file.attribute(&[1, 1, name.into(), 0]);
    let module = deserialized(file, Some(dictionary), PLENTY).unwrap();
    assert_eq!(module.tables().entry_counts().unwrap().attributes, 4);
}

#[test]
fn a_location_that_contains_itself_is_an_error() {
    let mut file = TestFile::new();
    let text = file.string("x");
    let name = file.attribute(&[STRING, text.into()]);
    let cyclic = file.attribute(&[NAME_LOC, name.into(), 0]);
    file.attributes[0] = varints(&[NAME_LOC, name.into(), cyclic.into()]);
    assert_eq!(deserialized(file, None, PLENTY).unwrap_err().kind(), ErrorKind::EntryCycle);
}

#[test]
fn locations_take_little_memory() {
    let mut file = TestFile::new();
    let text = file.string("x");
    let name = file.attribute(&[STRING, text.into()]);
    let count = 20_000;
    let mut all = vec![FUSED_LOC, count];
    all.extend((1..=count).map(|line| u64::from(file.attribute(&[FILE_LINE_COL_LOC, name.into(), line, 1]))));
    file.attributes[0] = varints(&all);
    // A copy of an entry alone takes more than 200 bytes.
    let module = deserialized(file, None, 200 * count).unwrap();
    assert_eq!(u64::from(module.tables().entry_counts().unwrap().attributes), count + 2);
}
