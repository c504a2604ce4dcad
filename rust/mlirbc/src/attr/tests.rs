use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use proptest::prelude::*;

use crate::test_module::TestFile;

use super::*;
use crate::Module;

fn ty(kind: &str, fields: &[(&str, FieldValue)]) -> Type {
    Type::build("builtin", kind, fields).unwrap()
}

fn attr(kind: &str, fields: &[(&str, FieldValue)]) -> Attribute {
    Attribute::build("builtin", kind, fields).unwrap()
}

fn refused(kind: &str, fields: &[(&str, FieldValue)]) -> String {
    let error = Attribute::build("builtin", kind, fields).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Value, "{error}");
    error.to_string()
}

fn bytes(text: &str) -> FieldValue {
    FieldValue::String(Bytes::copy_from_slice(text.as_bytes()))
}

fn integer_type(width: u64) -> Type {
    ty("IntegerType", &[("widthAndSign", FieldValue::Unsigned(width << 2))])
}

fn integer(width: u64, value: i64) -> Attribute {
    let fields = [("type", FieldValue::Type(integer_type(width))), ("value", FieldValue::Signed(value))];
    attr("IntegerAttr", &fields)
}

fn string(text: &str) -> Attribute {
    attr("StringAttr", &[("value", bytes(text))])
}

fn array(items: impl IntoIterator<Item = Attribute>) -> Attribute {
    let items = items.into_iter().map(FieldValue::Attribute).collect();
    attr("ArrayAttr", &[("value", FieldValue::List(items))])
}

fn tensor(shape: &[i64], element: Type) -> Type {
    let shape = shape.iter().map(|&size| FieldValue::Signed(size)).collect();
    ty("RankedTensorType", &[("shape", FieldValue::List(shape)), ("elementType", FieldValue::Type(element))])
}

fn hash_of(value: &Attribute) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn rebuilt(value: &Attribute) -> Attribute {
    let fields = value.fields().unwrap();
    let fields_by_name: Vec<(&str, FieldValue)> =
        fields.iter().map(|field| (&*field.0, field.1.clone())).collect();
    Attribute::build(&value.dialect(), value.class().unwrap(), &fields_by_name).unwrap()
}

fn example() -> Module {
    Module::open("../../examples/two_layers.mlirbc").unwrap()
}

#[test]
fn values_may_go_to_other_threads() {
    fn check<T: Send + Sync>() {}
    check::<(Attribute, Type, FieldValue)>();
}

#[test]
fn every_attribute_of_a_file_is_rebuilt_from_its_fields() {
    let module = example();
    let mut rebuilds = 0;
    for id in (0..module.tables().entry_counts().unwrap().attributes).map(AttrId::new) {
        let value = Attribute::of_file(module.tables(), id).unwrap().unwrap();
        assert_eq!(value.id(), Some(id));
        let copy = if value.class().is_some() {
            rebuilt(&value)
        } else {
            Attribute::from_text_entry(&value.dialect(), value.text().unwrap()).unwrap()
        };
        rebuilds += 1;
        assert_eq!(value, copy);
        assert_eq!(hash_of(&value), hash_of(&copy));
        assert_eq!(value.to_text(Some(22)).unwrap(), copy.to_text(Some(22)).unwrap());
        assert_eq!(Attribute::parse(value.to_text(Some(22)).unwrap()).unwrap(), value);
    }
    assert!(rebuilds > 50);
}

#[test]
fn different_attributes_of_a_file_differ() {
    let module = example();
    let count = module.tables().entry_counts().unwrap().attributes;
    let values = (0..count).map(|id| Attribute::of_file(module.tables(), AttrId::new(id)).unwrap().unwrap());
    assert_eq!(values.collect::<HashSet<_>>().len(), count as usize);
}

#[test]
fn blobs_of_files_and_of_builders_are_not_copied() {
    let data = Bytes::from((0..4096_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    let r#type = tensor(&[4096], integer_type(32));
    let fields = [("type", FieldValue::Type(r#type)), ("data", FieldValue::Blob(data.clone()))];
    let dense = attr("DenseIntOrFPElementsAttr", &fields);
    for value in [dense.clone(), rebuilt(&dense)] {
        let Some(FieldValue::Blob(blob)) = value.field("data").unwrap() else { panic!() };
        assert_eq!(blob.as_ptr(), data.as_ptr());
    }
    let outer = array([dense.clone(), dense.clone()]);
    let Some(FieldValue::List(items)) = outer.field("value").unwrap() else { panic!() };
    let FieldValue::Attribute(inner) = &items[1] else { panic!() };
    let Some(FieldValue::Blob(blob)) = inner.field("data").unwrap() else { panic!() };
    assert_eq!(blob.as_ptr(), data.as_ptr());
    assert_eq!(inner, &dense);
    assert!(dense.payload().ends_with(&data));
    assert_eq!(dense.payload().as_ptr(), dense.payload().as_ptr());
}

#[test]
fn a_form_is_chosen_by_its_fields() {
    assert_eq!(&*string("x").payload(), [2 << 1 | 1, 1]);
    let typed = attr("StringAttr", &[("value", bytes("x")), ("type", FieldValue::Type(integer_type(8)))]);
    assert_eq!(typed.to_string(), "\"x\" : i8");
    let none = FieldValue::Type(ty("NoneType", &[]));
    assert_eq!(attr("StringAttr", &[("value", bytes("x")), ("type", none)]), string("x"));
    let absent = attr("StringAttr", &[("type", FieldValue::Absent), ("value", bytes("x"))]);
    assert_eq!(absent, string("x"));
    let message = refused("StringAttr", &[("type", FieldValue::Absent)]);
    assert!(message.contains("`value` or `value`, `type` for StringAttr, found no fields"), "{message}");
    assert!(refused("NoAttr", &[]).contains("has no `NoAttr`"));
    let error = Attribute::build("nobody", "A", &[]).unwrap_err();
    assert!(error.to_string().contains("no table is known for dialect `nobody`"));
}

#[test]
fn optional_fields_of_other_dialects_may_be_left_out() {
    let name = FieldValue::Attribute(string("x"));
    let fields = [("name", name), ("exportSymbols", FieldValue::Bool(true))];
    let block = Attribute::build("llvm", "DIModuleAttr", &fields);
    assert!(block.is_err(), "{block:?}");
    let scope = Attribute::build("llvm", "DINamespaceAttr", &fields).unwrap();
    assert_eq!(scope.field("scope").unwrap(), None);
    assert_eq!(scope.field("exportSymbols").unwrap(), Some(FieldValue::Bool(true)));
    assert_eq!(rebuilt(&scope), scope);
}

#[test]
fn what_does_not_fit_is_refused() {
    let i8 = || FieldValue::Type(integer_type(8));
    let refused_integer = |value| refused("IntegerAttr", &[("type", i8()), ("value", value)]);
    assert!(
        refused_integer(FieldValue::Signed(128))
            .contains("an integer of 8 bits, found `128` (field `value` of IntegerAttr)")
    );
    assert!(refused_integer(FieldValue::Unsigned(256)).contains("found `256`"));
    assert!(
        refused_integer(FieldValue::Integer { words: vec![1], width: 9 }).contains("found one of 9 bits")
    );
    assert!(refused_integer(FieldValue::Integer { words: vec![256], width: 8 }).contains("needs more bits"));
    assert!(refused_integer(bytes("x")).contains("found a string"));
    let f32 = || FieldValue::Type(ty("Float32Type", &[]));
    let float = [("type", f32()), ("value", FieldValue::Signed(1))];
    assert!(refused("FloatAttr", &float).contains("32 bits"));
    assert!(
        refused(
            "IntegerAttr",
            &[("type", f32()), ("value", FieldValue::Integer { words: vec![1], width: 32 })]
        )
        .contains("an integer type")
    );
    let symbol = [("root", FieldValue::Attribute(integer(8, 1)))];
    assert!(
        refused("FlatSymbolRefAttr", &symbol).contains("an attribute of class StringAttr, found IntegerAttr")
    );
    let dense = |shape: &[i64], len| {
        let data = FieldValue::Blob(vec![1; len].into());
        let r#type = FieldValue::Type(tensor(shape, integer_type(16)));
        Attribute::build("builtin", "DenseIntOrFPElementsAttr", &[("type", r#type), ("data", data)])
    };
    assert!(dense(&[3], 6).is_ok() && dense(&[3], 2).is_ok());
    assert!(
        dense(&[3], 5)
            .unwrap_err()
            .to_string()
            .contains("`3` elements of `2` bytes, or one, found `5` bytes")
    );
    assert!(dense(&[i64::MIN], 2).unwrap_err().to_string().contains("static shape"));
    let tuple = FieldValue::Type(ty("TupleType", &[("types", FieldValue::List(Vec::new()))]));
    let holder = Type::build("builtin", "UnrankedTensorType", &[("elementType", tuple)]).unwrap_err();
    assert!(
        holder.to_string().contains("an element type that UnrankedTensorType accepts, found TupleType"),
        "{holder}"
    );
    let key = || FieldValue::Attribute(string("a"));
    let pair = || FieldValue::List(vec![key(), key()]);
    assert!(
        refused("DictionaryAttr", &[("value", FieldValue::List(vec![pair(), pair()]))])
            .contains("`a` occurs twice")
    );
    let wide = Type::build("builtin", "IntegerType", &[("widthAndSign", FieldValue::Unsigned(1 << 26))]);
    assert!(wide.is_err());
}

#[test]
fn dictionaries_are_sorted_and_equal_elements_kept_once() {
    let pair = |name| {
        FieldValue::List(vec![FieldValue::Attribute(string(name)), FieldValue::Attribute(string(name))])
    };
    let dictionary = attr("DictionaryAttr", &[("value", FieldValue::List(vec![pair("b"), pair("a")]))]);
    assert_eq!(dictionary.to_string(), "{a = \"a\", b = \"b\"}");
    let i1 = |len: i64, data: &[u8]| {
        let data = FieldValue::Blob(data.to_vec().into());
        let r#type = FieldValue::Type(tensor(&[len], integer_type(1)));
        attr("DenseIntOrFPElementsAttr", &[("type", r#type), ("data", data)])
    };
    assert_eq!(i1(3, &[1, 1, 1]).field("data").unwrap(), Some(FieldValue::Blob(vec![0xff].into())));
    assert_eq!(i1(9, &[1, 0, 0, 0, 0, 0, 0, 0, 1]), i1(9, &[1, 1]));
    assert_eq!(i1(1, &[1]), i1(1, &[0xff]));
}

#[test]
fn a_distinct_attribute_is_only_itself_and_its_copies() {
    let make = || attr("DistinctAttr", &[("referenced", FieldValue::Attribute(string("x")))]);
    let (first, second) = (make(), make());
    assert_ne!(first, second);
    assert_eq!(first, first.clone());
    let pair_of_both = array([first.clone(), second.clone(), first.clone()]);
    assert_eq!(pair_of_both.to_string(), "[distinct[0]<\"x\">, distinct[1]<\"x\">, distinct[0]<\"x\">]");
    let Some(FieldValue::List(items)) = pair_of_both.field("value").unwrap() else { panic!() };
    assert_eq!(items[2], FieldValue::Attribute(first.clone()));
    assert_ne!(items[1], FieldValue::Attribute(first));
    assert_eq!(pair_of_both, pair_of_both.clone());
}

#[test]
fn text_of_the_builtin_dialect_has_a_class_and_fields() {
    for (text, class) in [
        ("affine_map<(d0) -> (d0 + 1)>", "AffineMapAttr"),
        ("affine_set<(d0) : (d0 >= 0)>", "IntegerSetAttr"),
        ("strided<[4, ?], offset: 3>", "StridedLayoutAttr"),
        ("strided<[]>", "StridedLayoutAttr"),
    ] {
        let value = Attribute::from_text_entry("builtin", text).unwrap();
        assert_eq!(value.class(), Some(class));
        assert_eq!(rebuilt(&value), value);
    }
    let f8 = Type::from_text_entry("builtin", "f8E5M2").unwrap();
    assert_eq!(f8.class(), Some("Float8E5M2Type"));
    assert_eq!(f8, ty("Float8E5M2Type", &[]));
    assert!(f8.is_text());
    assert_eq!(Type::from_text_entry("toy", "f8E5M2").unwrap().class(), None);
    assert!(Type::from_text_entry("toy", "a\0b").is_err());
}

#[test]
fn text_with_another_dialect_is_something_else() {
    let text = |dialect| Attribute::from_text_entry(dialect, "#toy.a").unwrap();
    assert_eq!(text("toy"), text("toy"));
    assert_ne!(text("toy"), text("boy"));
}

#[test]
fn deep_values_neither_overflow_nor_take_long() {
    let depth = 100_000;
    let deep = |leaf: &str| {
        let text = format!("{}{leaf}{}", "[".repeat(depth), "]".repeat(depth));
        Attribute::parse(text).unwrap()
    };
    let (value, same, different) = (deep("1"), deep("1"), deep("2"));
    assert_eq!(value, same);
    assert_eq!(hash_of(&value), hash_of(&same));
    assert_ne!(value, different);
    assert_eq!(array([value.clone()]), array([same]));
    assert_eq!(value.to_string().len(), 2 * depth + 1);
}

#[test]
fn shared_parts_are_compared_once() {
    let twice = |value: Attribute| array([value.clone(), value]);
    let grown = || (0..200).fold(integer(64, 7), |value, _| twice(value));
    let (first, second) = (grown(), grown());
    assert_eq!(first, second);
    assert_eq!(hash_of(&first), hash_of(&second));
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        (0..130_u64).prop_map(integer_type),
        Just(ty("IndexType", &[])),
        Just(ty("Float32Type", &[])),
        Just(ty("Float8E5M2Type", &[])),
        Just(ty("Float80Type", &[])),
        Just(Type::from_text_entry("toy", "!toy.t<1>").unwrap()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let types = || proptest::collection::vec(inner.clone(), 0..3);
        let list = |types: Vec<Type>| FieldValue::List(types.into_iter().map(FieldValue::Type).collect());
        prop_oneof![
            types().prop_map(move |types| ty("TupleType", &[("types", list(types))])),
            (types(), types()).prop_map(move |(inputs, results)| {
                ty("FunctionType", &[("inputs", list(inputs)), ("results", list(results))])
            }),
            (proptest::collection::vec(0..9_i64, 0..3), 1..99_u64)
                .prop_map(|(shape, width)| tensor(&shape, integer_type(width))),
        ]
    })
}

fn any_attribute() -> impl Strategy<Value = Attribute> {
    let leaf = prop_oneof![
        "[a-c\"\u{e9}]{0,4}".prop_map(|text| string(&text)),
        any_type().prop_map(|r#type| attr("TypeAttr", &[("value", FieldValue::Type(r#type))])),
        (1..=64_u64, any::<i64>())
            .prop_map(|(width, value)| integer(width, value << (64 - width) >> (64 - width))),
        (65..200_u32, any::<[u64; 2]>()).prop_map(|(width, words)| {
            let mut words = words.to_vec();
            words.resize(width.div_ceil(64) as usize, 0);
            if width < 128 {
                words[1] &= (1 << (width - 64)) - 1;
            }
            let r#type = FieldValue::Type(integer_type(width.into()));
            attr("IntegerAttr", &[("type", r#type), ("value", FieldValue::Integer { words, width })])
        }),
        any::<u64>().prop_map(|bits| {
            let value = FieldValue::Integer { words: vec![bits], width: 64 };
            attr("FloatAttr", &[("type", FieldValue::Type(ty("Float64Type", &[]))), ("value", value)])
        }),
        proptest::collection::vec(any::<u8>(), 1..400).prop_map(|data| {
            let r#type = FieldValue::Type(tensor(&[data.len() as i64], integer_type(8)));
            attr("DenseIntOrFPElementsAttr", &[("type", r#type), ("data", FieldValue::Blob(data.into()))])
        }),
        Just(Attribute::from_text_entry("toy", "#toy.a<\"\\01\">").unwrap()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(array),
            proptest::collection::btree_map("[a-c]{1,2}", inner, 0..4).prop_map(|entries| {
                let pair = |(name, value): (String, Attribute)| {
                    FieldValue::List(vec![FieldValue::Attribute(string(&name)), FieldValue::Attribute(value)])
                };
                attr(
                    "DictionaryAttr",
                    &[("value", FieldValue::List(entries.into_iter().map(pair).collect()))],
                )
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_built_is_built_again_from_its_fields(value in any_attribute()) {
        prop_assume!(value.class().is_some());
        let again = rebuilt(&value);
        prop_assert_eq!(&again, &value);
        prop_assert_eq!(hash_of(&again), hash_of(&value));
        prop_assert_eq!(again.fields().unwrap(), value.fields().unwrap());
    }

    #[test]
    fn what_is_printed_is_read_back(value in any_attribute()) {
        let text = value.to_text(Some(22)).unwrap();
        let again = Attribute::parse(&text).unwrap();
        prop_assert_eq!(again.to_text(Some(22)).unwrap(), text);
        prop_assert_eq!(again, value);
    }

    #[test]
    fn equal_text_is_equality(left in any_attribute(), right in any_attribute()) {
        prop_assert_eq!(left == right, left.to_string() == right.to_string());
    }
}

/// All lists in a list in a list, the outermost first.
fn levels(text: &str) -> Vec<Attribute> {
    let mut levels = vec![Attribute::parse(text).unwrap()];
    while let Some(FieldValue::List(items)) = levels[levels.len() - 1].field("value").unwrap() {
        let Some(FieldValue::Attribute(item)) = items.first() else { break };
        levels.push(item.clone());
    }
    levels
}

#[cfg(feature = "steps")]
fn steps_of(work: impl FnOnce()) -> u64 {
    let before = crate::wire::steps::taken();
    work();
    crate::wire::steps::taken() - before
}

#[cfg(feature = "steps")]
#[test]
#[allow(clippy::mutable_key_type)] // marks are kept in an entry, and no hash depends on them
fn values_that_nest_are_hashed_once_each() {
    let steps_for = |depth: usize| {
        let levels = levels(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        assert_eq!(levels.len(), depth);
        let mut distinct_values = HashSet::new();
        steps_of(|| levels.iter().for_each(|level| assert!(distinct_values.insert(level.clone()))))
    };
    let (some, twice) = (steps_for(300), steps_for(600));
    assert!(some > 300 && twice < 3 * some, "{some}, {twice}");
}

#[cfg(feature = "steps")]
#[test]
fn values_that_nest_are_compared_once_each() {
    let steps_for = |depth: usize| {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let (lefts, rights) = (levels(&text), levels(&text));
        let steps = steps_of(|| assert!(lefts.iter().zip(&rights).all(|(l, r)| l == r)));
        // Cached marks of some values do not make other values equal.
        let deeper = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(levels(&deeper).iter().zip(&rights).all(|(l, r)| l != r));
        steps
    };
    let (some, twice) = (steps_for(300), steps_for(600));
    assert!(some > 300 && twice < 3 * some, "{some}, {twice}");
}

#[test]
fn the_beginning_of_a_value_costs_no_more_than_that() {
    let mut shared = integer_type(8);
    for _ in 0..60 {
        let types = FieldValue::List(vec![FieldValue::Type(shared.clone()), FieldValue::Type(shared)]);
        shared = ty("TupleType", &[("types", types)]);
    }
    let brief = shared.0.excerpt(81);
    assert!(brief.starts_with("tuple<tuple<") && brief.len() < 2000, "{}", brief.len());
    assert_eq!(integer_type(8).0.excerpt(81), "i8");
}

#[cfg(all(unix, feature = "mmap"))]
#[test]
fn entries_of_a_file_that_was_cut_are_not_taken_for_others() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), crate::doc_example()).unwrap();
    let module = Module::open(file.path()).unwrap();
    let whole = Module::from_bytes(crate::doc_example()).unwrap();
    let value = |module: &Module| Attribute::of_file(module.tables(), AttrId::new(1)).unwrap().unwrap();
    let (cut, same, intact) = (value(&module), value(&module), value(&whole));
    file.as_file().set_len(40).unwrap();
    assert_eq!(cut, same);
    assert_ne!(cut, intact);
    assert_eq!(hash_of(&cut), hash_of(&same));
    assert_eq!(cut.to_string(), "<<UNREADABLE>>");
    for error in [cut.fields().map(drop), cut.to_text(None).map(drop)] {
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Shrunk);
    }
    let op = module.operation();
    assert!(op.and_then(|op| op.attributes().map(drop)).is_err());
}

/// Each attribute of a file of arrays, by the indices of its items.
fn arrays(items: &[&[usize]]) -> Vec<Attribute> {
    let mut file = TestFile::new();
    let first = file.attributes.len() as u64;
    for items in items {
        let items = items.iter().map(|&item| first + item as u64);
        let payload: Vec<u64> = [0, items.len() as u64].into_iter().chain(items).collect();
        file.attribute(&payload);
    }
    let module = file.module(64 << 20);
    let value = |index| Attribute::of_file(module.tables(), AttrId::new(index)).unwrap().unwrap();
    (first as u32..file.attributes.len() as u32).map(value).collect()
}

#[test]
fn what_contains_itself_is_equal_to_itself_only() {
    // Two entries that contain each other, two that contain themselves, two above the same entry, and one
    // above another entry.
    let items: [&[usize]; 8] = [&[1], &[0], &[2], &[3], &[0, 7], &[0, 7], &[1, 7], &[]];
    let (lefts, rights) = (arrays(&items), arrays(&items));
    for hashed_first in [false, true] {
        for (place, one) in lefts.iter().enumerate() {
            for (at, other) in lefts.iter().enumerate() {
                let is_equal = place == at || [place.min(at), place.max(at)] == [4, 5];
                if hashed_first {
                    assert_eq!(hash_of(one) == hash_of(other), is_equal, "{place} {at}");
                }
                assert_eq!(one == other, is_equal, "{place} {at}");
            }
            assert_eq!(*one == rights[place], place == 7, "{place}");
        }
    }
}

#[test]
fn hashes_do_not_depend_on_where_a_cycle_is_entered() {
    let items: [&[usize]; 7] = [&[1, 6], &[2, 0], &[0, 3], &[4], &[5, 3], &[6, 6], &[]];
    let attributes = arrays(&items);
    let forward: Vec<u64> = attributes.iter().map(hash_of).collect();
    assert_eq!(forward.iter().collect::<HashSet<_>>().len(), items.len());
    // The hash of a cycle contains the address of the module; other hashes are the same in every module.
    for from in 0..items.len() {
        let reordered = arrays(&items);
        hash_of(&reordered[from]);
        assert_eq!(reordered[from], reordered[from].clone());
        assert_eq!([hash_of(&reordered[5]), hash_of(&reordered[6])], [forward[5], forward[6]]);
        assert_eq!(reordered.iter().map(hash_of).collect::<HashSet<_>>().len(), items.len());
    }
}

#[cfg(feature = "steps")]
#[test]
#[allow(clippy::mutable_key_type)] // marks are kept in an entry, and no hash depends on them
fn cycles_are_hashed_and_compared_once() {
    let steps_for = |count: usize, above: bool| {
        // A cycle, or a chain that leads into one.
        let items: Vec<[usize; 1]> =
            (0..count).map(|at| if above { [at.saturating_sub(1)] } else { [(at + 1) % count] }).collect();
        let items: Vec<&[usize]> = items.iter().map(|items| &items[..]).collect();
        let (lefts, rights) = (arrays(&items), arrays(&items));
        let mut distinct_values = HashSet::new();
        let hashed =
            steps_of(|| lefts.iter().for_each(|value| assert!(distinct_values.insert(value.clone()))));
        let (lefts, rights) = (arrays(&items), rights);
        let compared = steps_of(|| assert!(lefts.iter().zip(&rights).all(|(l, r)| l != r)));
        (hashed, compared)
    };
    for above in [false, true] {
        let (some, twice) = (steps_for(300, above), steps_for(600, above));
        assert!(some.0 > 300 && twice.0 < 3 * some.0, "{some:?}, {twice:?}");
        assert!(some.1 > 300 && twice.1 < 3 * some.1, "{some:?}, {twice:?}");
    }
}

#[cfg(feature = "steps")]
#[test]
fn values_that_differ_far_inside_are_gone_through_once() {
    let steps_for = |depth: usize| {
        let text = |leaf: &str| format!("{}{leaf}{}", "[".repeat(depth), "]".repeat(depth));
        let (lefts, rights) = (levels(&text("1")), levels(&text("2")));
        steps_of(|| assert!(lefts.iter().zip(&rights).all(|(l, r)| l != r)))
    };
    let (some, twice) = (steps_for(300), steps_for(600));
    assert!(some > 300 && twice < 3 * some, "{some}, {twice}");
}

#[cfg(feature = "steps")]
#[test]
fn the_beginning_of_what_is_wide_is_all_that_is_decoded() {
    let list =
        |item: &str, open: &str, close: &str| format!("{open}{}{close}", vec![item; 20_000].join(", "));
    let pairs: Vec<String> = (0..20_000).map(|number| format!("k{number:05}")).collect();
    let places: Vec<String> = (1..20_000).map(|line| format!("\"f\":{line}:1")).collect();
    let indices: Vec<String> =
        (0..20_000).map(|at| format!("{}[{at}]", if at == 0 { "[" } else { "" })).collect();
    let texts = [
        list("unit", "[", "]"),
        format!("{{{}}}", pairs.join(", ")),
        list("i8", "tuple<", ">"),
        list("i8", "(", ") -> ()"),
        list("i8", "() -> (", ")"),
        format!("loc(fused[{}])", places.join(", ")),
        format!("dense<{}> : tensor<20000xi8>", list("1", "[", "]").replacen('1', "2", 1)),
        format!("sparse<{}, 1> : tensor<20000xi8>", indices.join(", ") + "]"),
        format!("array<i8: {}>", list("1", "", "")),
    ];
    for text in texts {
        let value = Attribute::parse(&text).unwrap();
        // Dense elements become hexadecimal.
        let text = value.to_string();
        // Attributes and types within an array or a location.
        let outer = if text.starts_with("loc") { value.clone() } else { array([value.clone()]) };
        assert_eq!(outer.to_text(None).unwrap().len(), text.len() + if outer == value { 0 } else { 2 });
        let steps = steps_of(|| {
            let brief = outer.to_text_within(100);
            let whole = if outer == value { text.clone() } else { format!("[{text}]") };
            assert!(brief.len() == 103 && whole.starts_with(&brief[..100]), "{brief}");
        });
        assert!(steps < 2000, "{steps} steps for {}", &text[..20]);
    }
}

#[cfg(feature = "steps")]
#[test]
fn what_differs_in_the_middle_of_a_blob_is_gone_through_once() {
    let steps_for = |depth: usize| {
        let chain = |middle: u8| {
            let mut data = vec![0; 10_000];
            data[5000] = middle;
            let r#type = FieldValue::Type(tensor(&[10_000], integer_type(8)));
            let fields = [("type", r#type), ("data", FieldValue::Blob(data.into()))];
            let deep = (0..depth).fold(attr("DenseIntOrFPElementsAttr", &fields), |deep, _| array([deep]));
            let mut levels = vec![deep];
            for _ in 0..depth {
                let Some(FieldValue::List(items)) = levels[levels.len() - 1].field("value").unwrap() else {
                    panic!()
                };
                let FieldValue::Attribute(item) = &items[0] else { panic!() };
                levels.push(item.clone());
            }
            levels.reverse();
            levels
        };
        let (lefts, rights, equals) = (chain(1), chain(2), chain(1));
        let steps = steps_of(|| assert!(lefts.iter().zip(&rights).all(|(l, r)| l != r)));
        assert!(lefts.iter().zip(&equals).all(|(l, r)| l == r && hash_of(l) == hash_of(r)));
        steps
    };
    let (some, twice) = (steps_for(300), steps_for(600));
    assert!(twice < 2 * some + 60_000, "{some}, {twice}");
}
