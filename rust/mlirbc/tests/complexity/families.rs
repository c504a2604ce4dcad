//! Families of files that once took more than linear memory or time, and some others. tests/complexity has
//! many more.

use crate::file::{File, MODULE, OP, Op, T, varint, varints};

pub(crate) type Family = (&'static str, fn(usize) -> Vec<u8>);

pub(crate) const FAMILIES: &[Family] = &[
    ("flat operations", flat),
    ("operations in regions n deep", nested),
    ("isolated operations n deep", isolated),
    ("operands of the outermost value in regions n deep", outer),
    ("many dialects with an operation each", dialects),
    ("many dialects with an attribute each", dialects_with_attributes),
    ("a long dialect name and many operation names", long_dialect),
    ("many operation names", op_names),
    ("one large dictionary of many operations", shared_dictionary),
    ("one large dictionary of many different operations", shared_by_different),
    ("a wide dictionary", wide_dictionary),
    ("many symbols with one long name", shared_symbol),
    ("a dictionary with equal names", equal_names),
    ("a dictionary with a long name, often", equal_long_names),
    ("an array of arrays, n deep", deep_array),
    ("a cycle of arrays", cyclic_array),
    ("a cycle of types", cyclic_type),
    ("arrays above a cycle", above_cycle),
    ("arrays that have the one before twice", doubled_array),
    ("a tuple of tuples, n deep", deep_tuple),
    ("a chain of call sites", call_sites),
    ("a fused location with many parts", fused),
    ("a tensor with many dimensions", dimensions),
    ("complex types of complex types", complex),
    ("arrays whose size overflows, as text", overflow),
    ("long text", text),
    ("brackets in text, n deep", brackets),
    ("one value with many uses", uses),
    ("a long dialect name and many encoded types", long_dialect_of_types),
    ("tuples of tuples, each used", tuples),
    ("specifications as text, n deep", specifications),
    ("modules n deep with one specification", modules),
    ("many modules with one specification", siblings),
];

fn repeated(n: usize, op: &Op<'_>) -> Vec<u8> {
    let mut ops = Vec::new();
    (0..n).for_each(|_| op.write(&mut ops));
    ops
}

/// A module with one operation, whose attribute `k` this is.
fn with_attribute(mut file: File, value: usize) -> Vec<u8> {
    let key = file.string_attribute(b"k");
    let attributes = file.attribute(&varints(&[1, 1, key, value]));
    let op = Op { name: OP, attributes: Some(attributes), ..Op::default() };
    file.module(&repeated(1, &op), 1, 0)
}

fn with_type(file: &File, ty: usize) -> Vec<u8> {
    let op = Op { name: OP, results: &[ty], ..Op::default() };
    file.module(&repeated(1, &op), 1, 1)
}

fn flat(n: usize) -> Vec<u8> {
    File::new().module(&repeated(n, &Op { name: OP, ..Op::default() }), n, 0)
}

fn nest(n: usize, is_isolated: bool) -> Vec<u8> {
    let mut ops = repeated(1, &Op { name: OP, ..Op::default() });
    for _ in 0..n {
        ops = repeated(1, &Op { name: OP, region: Some((&ops, 1, 0)), is_isolated, ..Op::default() });
    }
    File::new().module(&ops, 1, 0)
}

fn nested(n: usize) -> Vec<u8> {
    nest(n, false)
}

fn isolated(n: usize) -> Vec<u8> {
    nest(n, true)
}

fn outer(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let i32 = file.i32();
    let user = Op { name: OP, operands: &[0], ..Op::default() };
    let mut ops = repeated(1, &user);
    for depth in 0..n {
        let nested = Op { name: OP, region: Some((&ops, 1 + usize::from(depth > 0), 0)), ..Op::default() };
        let mut next = Vec::new();
        user.write(&mut next);
        nested.write(&mut next);
        ops = next;
    }
    let mut all = repeated(1, &Op { name: OP, results: &[i32], ..Op::default() });
    all.extend(ops);
    file.module(&all, 3, 1)
}

fn dialects(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let mut ops = Vec::new();
    for number in 0..n {
        let dialect = file.dialect(format!("d{number}").as_bytes());
        let name = file.op_name(dialect, b"op");
        Op { name, ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n, 0)
}

fn dialects_with_attributes(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let (key, mut ops) = (file.string_attribute(b"k"), Vec::new());
    for number in 0..n {
        let dialect = file.dialect(format!("d{number}").as_bytes());
        let value = file.text_attribute(dialect, &format!("#d{number}.a"));
        let attributes = Some(file.attribute(&varints(&[1, 1, key, value])));
        Op { name: OP, attributes, ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n, 0)
}

fn long_dialect(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let (dialect, mut ops) = (file.dialect(&vec![b'd'; 4 * n]), Vec::new());
    for number in 0..n {
        let name = file.op_name(dialect, format!("o{number}").as_bytes());
        Op { name, ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n, 0)
}

fn op_names(n: usize) -> Vec<u8> {
    let (mut file, mut ops) = (File::new(), Vec::new());
    for number in 0..n {
        let name = file.op_name(T, format!("o{number}").as_bytes());
        Op { name, ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n, 0)
}

fn shared_dictionary(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let unit = file.attribute(&varints(&[7]));
    let attributes = Some(file.dictionary(n, unit));
    file.module(&repeated(n, &Op { name: OP, attributes, ..Op::default() }), n, 0)
}

fn shared_by_different(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let unit = file.attribute(&varints(&[7]));
    let attributes = Some(file.dictionary(n / 4, unit));
    let mut ops = Vec::new();
    for number in 0..n / 4 {
        let name = file.op_name(T, format!("o{number}").as_bytes());
        Op { name, attributes, ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n / 4, 0)
}

fn wide_dictionary(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let unit = file.attribute(&varints(&[7]));
    let attributes = Some(file.dictionary(n, unit));
    file.module(&repeated(1, &Op { name: OP, attributes, ..Op::default() }), 1, 0)
}

fn equal_long_names(n: usize) -> Vec<u8> {
    dictionary_of(n, &vec![b'n'; 8 * n])
}

fn equal_names(n: usize) -> Vec<u8> {
    dictionary_of(n, b"same")
}

fn cyclic_array(n: usize) -> Vec<u8> {
    let mut file = File::new();
    // The number of the first one is known once it is there.
    let first = file.attribute(&varints(&[0, 0])) + 1;
    for number in 0..n {
        file.attribute(&varints(&[0, 1, first + (number + 1) % n]));
    }
    with_attribute(file, first)
}

fn above_cycle(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let first = file.attribute(&varints(&[0, 0])) + 1;
    for number in 0..n {
        file.attribute(&varints(&[0, 1, first + number.saturating_sub(1)]));
    }
    with_attribute(file, first + n - 1)
}

fn cyclic_type(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let first = file.i32() + 1;
    for number in 0..n {
        file.ty(&varints(&[15, 1, first + (number + 1) % n]));
    }
    with_type(&file, first)
}

/// An operation with that attribute n times.
fn shared_symbol(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let (name, key) = (file.string_attribute(&vec![b'n'; 15 * n]), file.string_attribute(b"sym_name"));
    let attributes = Some(file.attribute(&varints(&[1, 1, key, name])));
    file.module(&repeated(n, &Op { name: OP, attributes, ..Op::default() }), n, 0)
}

fn dictionary_of(n: usize, name: &[u8]) -> Vec<u8> {
    let mut file = File::new();
    let (unit, key) = (file.attribute(&varints(&[7])), file.string_attribute(name));
    let mut bytes = varints(&[1, n]);
    (0..n).for_each(|_| bytes.extend(varints(&[key, unit])));
    let attributes = Some(file.attribute(&bytes));
    file.module(&repeated(1, &Op { name: OP, attributes, ..Op::default() }), 1, 0)
}

fn chain(file: &mut File, n: usize, link: impl Fn(usize) -> Vec<usize>) -> usize {
    let unit = file.attribute(&varints(&[7]));
    (0..n).fold(unit, |before, _| file.attribute(&varints(&link(before))))
}

fn deep_array(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let deep = chain(&mut file, n, |before| vec![0, 1, before]);
    with_attribute(file, deep)
}

/// The text doubles with each, so that only a limit ends it: there are as many as the limit needs at both sizes.
fn doubled_array(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let value = (0..n / 8).fold(0, |_, _| chain(&mut file, 6, |before| vec![0, 2, before, before]));
    with_attribute(file, value)
}

fn deep_tuple(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let i32 = file.i32();
    let ty = (0..n).fold(i32, |before, _| file.ty(&varints(&[15, 1, before])));
    with_type(&file, ty)
}

fn with_location(file: &File, location: usize) -> Vec<u8> {
    file.module(&repeated(1, &Op { name: OP, location, ..Op::default() }), 1, 0)
}

fn call_sites(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let location = (0..n).fold(0, |before, _| file.attribute(&varints(&[10, before, 0])));
    with_location(&file, location)
}

fn fused(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let mut bytes = varints(&[12, n]);
    bytes.extend(varints(&vec![0; n]));
    let location = file.attribute(&bytes);
    with_location(&file, location)
}

fn dimensions(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let i32 = file.i32();
    let mut bytes = varints(&[13, n]);
    (0..n).for_each(|_| varint(&mut bytes, 2));
    varint(&mut bytes, i32);
    let ty = file.ty(&bytes);
    with_type(&file, ty)
}

fn complex(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let f32 = file.ty(&varints(&[5]));
    let ty = (0..n).fold(f32, |before, _| file.ty(&varints(&[9, before])));
    with_type(&file, ty)
}

fn overflow(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let llvm = file.dialect(b"llvm");
    let text = format!("{}i64{}", "!llvm.array<4294967295 x ".repeat(n), ">".repeat(n));
    let ty = file.text_type(llvm, &text);
    with_type(&file, ty)
}

fn text(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let value = file.text_attribute(T, &format!("#t.a<\"{}\">", "x".repeat(n)));
    with_attribute(file, value)
}

fn brackets(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let value = file.text_attribute(T, &format!("#t.a<{}1{}>", "[".repeat(n), "]".repeat(n)));
    with_attribute(file, value)
}

fn uses(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let i32 = file.i32();
    let mut ops = repeated(1, &Op { name: OP, results: &[i32], ..Op::default() });
    ops.extend(repeated(n, &Op { name: OP, operands: &[0], ..Op::default() }));
    file.module(&ops, n + 1, 1)
}

fn long_dialect_of_types(n: usize) -> Vec<u8> {
    let (mut file, mut ops) = (File::new(), Vec::new());
    let dialect = file.dialect(&vec![b'd'; 10 * n]);
    for number in 0..n {
        let ty = file.encoded_type(dialect, &number.to_be_bytes());
        Op { name: OP, results: &[ty], ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n, n)
}

fn tuples(n: usize) -> Vec<u8> {
    let (mut file, mut ops) = (File::new(), Vec::new());
    let mut ty = file.i32();
    for _ in 0..n {
        ty = file.ty(&varints(&[15, 1, ty]));
        Op { name: OP, results: &[ty], ..Op::default() }.write(&mut ops);
    }
    file.module(&ops, n, n)
}

fn specifications(n: usize) -> Vec<u8> {
    let mut file = File::new();
    let text = format!("#t.a<{}1{}>", "#dlti.dl_spec<\"a\" = ".repeat(n), ">".repeat(n));
    let value = file.text_attribute(T, &text);
    with_attribute(file, value)
}

/// A file, and a dictionary with a specification of so many entries.
fn specified(entries: usize) -> (File, usize) {
    let mut file = File::new();
    let dialect = file.dialect(b"dlti");
    let entries: Vec<String> =
        (0..entries).map(|number| format!("\"k{number:03}\" = {number} : i32")).collect();
    let spec = file.text_attribute(dialect, &format!("#dlti.dl_spec<{}>", entries.join(", ")));
    let key = file.string_attribute(b"dlti.dl_spec");
    let attributes = file.attribute(&varints(&[1, 1, key, spec]));
    (file, attributes)
}

fn modules(n: usize) -> Vec<u8> {
    let (file, attributes) = specified(n / 4);
    let mut ops = repeated(1, &Op { name: OP, ..Op::default() });
    for _ in 0..n {
        let region = Some((&*ops, 1, 0));
        let module = Op { name: MODULE, attributes: Some(attributes), region, ..Op::default() };
        ops = repeated(1, &module);
    }
    file.module(&ops, 1, 0)
}

fn siblings(n: usize) -> Vec<u8> {
    let (file, attributes) = specified(n / 4);
    let ops = repeated(1, &Op { name: OP, ..Op::default() });
    let region = Some((&*ops, 1, 0));
    let module = Op { name: MODULE, attributes: Some(attributes), region, ..Op::default() };
    file.module(&repeated(n, &module), n, 0)
}
