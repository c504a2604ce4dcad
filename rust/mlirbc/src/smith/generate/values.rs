//! Rules that rows do not contain: dependent fields, and values that MLIR's verifiers require.
//!
//! `verify` and `verifyInvariants` of the classes in `mlir/lib/IR/BuiltinAttributes.cpp`, `BuiltinTypes.cpp`,
//! `mlir/lib/Dialect/Quant/IR/QuantTypes.cpp` and `stablehlo/dialect/VhloOps.cpp`.

use crate::attr::text::affine::{AffineMap, IntegerSet};
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::dialect::entries::bits_of;
use crate::release::Llvm;
use crate::wire::cursor::ByteSink;

use super::{Generator, Given, Sort, Value, Wanted};

/// Float types of the builtin dialect up to LLVM 16, by the names of their rows.
const FLOATS: [&str; 6] =
    ["Float32Type", "Float64Type", "Float16Type", "BFloat16Type", "Float80Type", "Float128Type"];

/// Those that got rows after LLVM 22, and are text until then.
const LATE_FLOATS: [(&str, &str); 12] = [
    ("FloatTF32Type", "tf32"),
    ("Float8E5M2Type", "f8E5M2"),
    ("Float8E4M3Type", "f8E4M3"),
    ("Float8E4M3FNType", "f8E4M3FN"),
    ("Float8E5M2FNUZType", "f8E5M2FNUZ"),
    ("Float8E4M3FNUZType", "f8E4M3FNUZ"),
    ("Float8E4M3B11FNUZType", "f8E4M3B11FNUZ"),
    ("Float8E3M4Type", "f8E3M4"),
    ("Float4E2M1FNType", "f4E2M1FN"),
    ("Float6E2M3FNType", "f6E2M3FN"),
    ("Float6E3M2FNType", "f6E3M2FN"),
    ("Float8E8M0FNUType", "f8E8M0FNU"),
];

const VHLO_FLOATS: [&str; 15] = [
    "FloatF32V1Type",
    "FloatF64V1Type",
    "FloatF16V1Type",
    "FloatBF16V1Type",
    "FloatF8E4M3FNV1Type",
    "FloatF8E5M2V1Type",
    "FloatF8E4M3FNUZV1Type",
    "FloatF8E5M2FNUZV1Type",
    "FloatF8E4M3B11FNUZV1Type",
    "FloatF8E4M3V1Type",
    "FloatF8E3M4V1Type",
    "FloatF4E2M1FNV1Type",
    "FloatF6E2M3FNV1Type",
    "FloatF6E3M2FNV1Type",
    "FloatF8E8M0FNUV1Type",
];

// Two-bit types have elements, but MLIR aborts on a value of them.
const VHLO_INTEGERS: [&str; 10] = [
    "IntegerSI32V1Type",
    "IntegerSI64V1Type",
    "IntegerSI8V1Type",
    "IntegerSI16V1Type",
    "IntegerSI4V1Type",
    "IntegerUI8V1Type",
    "IntegerUI64V1Type",
    "IntegerUI4V1Type",
    "BooleanV1Type",
    "IndexV1Type",
];

const WIDTHS: [u64; 20] = [32, 1, 0, 2, 3, 4, 7, 8, 9, 15, 16, 31, 33, 63, 64, 65, 100, 127, 128, 257];

const STRINGS: [&[u8]; 12] = [
    b"a",
    b"",
    b"sym_name",
    b"b.c$d-0",
    b"two words",
    b"\"quoted\" \\ back",
    b"tab\there\nline",
    b"zero\0inside",
    b"\xff\xfe not text",
    "gr\u{fc}\u{df}e \u{1f98a}".as_bytes(),
    b"0begins with a digit",
    b"a string of some length, so that its length takes two bytes on the wire when it is written down there; \
      and then some more of it.",
];

impl Generator<'_> {
    pub(super) fn any_string(&mut self) -> u32 {
        let string = match self.noise.below(STRINGS.len() + 2) {
            choice if choice < STRINGS.len() => STRINGS[choice].to_vec(),
            _ => {
                let len = self.noise.below(12);
                (0..len).map(|_| self.noise.byte()).collect()
            }
        };
        self.intern_string(&string)
    }

    /// A resource of the builtin dialect, with a key of its own.
    pub(super) fn resource(&mut self) -> u32 {
        let number = self.resources.len();
        let key = match self.noise.below(3) {
            0 => format!("blob_{number}"),
            1 => format!("dotted.{number}$-"),
            _ => format!("r{number}"),
        };
        let key = self.intern_string(key.as_bytes());
        let len = self.noise.below(40);
        let data = (0..len).map(|_| self.noise.byte()).collect();
        self.resources.push((key, data));
        number as u32
    }

    // ---- attributes ----

    /// An attribute of any class, of another dialect if nothing else is allowed.
    pub(super) fn any_attribute(&mut self, dialect: &str) -> u32 {
        if dialect == "vhlo" {
            return self.any_of(Sort::Attribute, "vhlo");
        }
        match self.noise.below(6) {
            0 => self.string_attribute(),
            1 => self.make(Sort::Attribute, "builtin", "UnitAttr", Vec::new()),
            2 => self.make(Sort::Attribute, "builtin", "IntegerAttr", Vec::new()),
            3 => self.text(Sort::Attribute, "t", "#t.text<\"x\", 1>"),
            _ => self.any_of(Sort::Attribute, "builtin"),
        }
    }

    fn string_attribute(&mut self) -> u32 {
        self.make(Sort::Attribute, "builtin", "StringAttr", Vec::new())
    }

    fn named_string(&mut self, text: &[u8]) -> u32 {
        let string = self.intern_string(text);
        self.make(Sort::Attribute, "builtin", "StringAttr", vec![("value", Value::String(string))])
    }

    /// An integer attribute of that signless width.
    fn integer_attribute(&mut self, width: u64, value: u64) -> u32 {
        let r#type = self.integer_type(width, 0);
        let given = vec![("type", Value::Type(r#type)), ("value", Value::Words(vec![value]))];
        self.make(Sort::Attribute, "builtin", "IntegerAttr", given)
    }

    /// A location in a file, different for every `line`.
    fn file_location(&mut self, line: u64) -> u32 {
        let file = self.named_string(b"file.mlir");
        let column = self.noise.number() & 0xffff;
        let given = vec![
            ("filename", Value::Attribute(file)),
            ("line", Value::Number(line)),
            ("column", Value::Number(column)),
        ];
        self.make(Sort::Attribute, "builtin", "FileLineColLoc", given)
    }

    // ---- types ----

    /// A type of any class, of another dialect if nothing else is allowed.
    pub(super) fn any_type(&mut self, dialect: &str) -> u32 {
        if dialect == "vhlo" {
            return self.any_of(Sort::Type, "vhlo");
        }
        match self.noise.below(6) {
            0 => self.any_integer_type(),
            1 => self.float_type(),
            2 => self.text(Sort::Type, "t", "!t.text<i8>"),
            _ => self.any_of(Sort::Type, "builtin"),
        }
    }

    fn integer_type(&mut self, width: u64, sign: u64) -> u32 {
        let given = vec![("widthAndSign", Value::Number(width << 2 | sign))];
        self.make(Sort::Type, "builtin", "IntegerType", given)
    }

    fn any_integer_type(&mut self) -> u32 {
        let width = self.noise.pick(&WIDTHS).unwrap_or(32);
        let sign = self.noise.pick(&[0, 0, 1, 2]).unwrap_or(0);
        self.integer_type(width, sign)
    }

    fn index_type(&mut self) -> u32 {
        self.make(Sort::Type, "builtin", "IndexType", Vec::new())
    }

    fn float_type(&mut self) -> u32 {
        let choice = self.noise.below(FLOATS.len() + LATE_FLOATS.len());
        if let Some(name) = FLOATS.get(choice) {
            return self.make(Sort::Type, "builtin", name, Vec::new());
        }
        let (name, text) = LATE_FLOATS.get(choice - FLOATS.len()).copied().unwrap_or(LATE_FLOATS[0]);
        if self.is_newest {
            self.make(Sort::Type, "builtin", name, Vec::new())
        } else {
            self.text(Sort::Type, "builtin", text)
        }
    }

    /// A type of numbers, as dense elements have them.
    fn number_type(&mut self) -> u32 {
        match self.noise.below(8) {
            0..=2 => {
                let width = self.noise.pick(&WIDTHS).unwrap_or(32).max(1);
                let sign = self.noise.pick(&[0, 0, 1, 2]).unwrap_or(0);
                self.integer_type(width, sign)
            }
            3 => self.integer_type(1, 0),
            4 => self.index_type(),
            5 => self.complex_type(),
            _ => self.float_type(),
        }
    }

    fn complex_type(&mut self) -> u32 {
        let part = if self.noise.one_in(3) { self.integer_type(8, 0) } else { self.float_type() };
        self.make(Sort::Type, "builtin", "ComplexType", vec![("elementType", Value::Type(part))])
    }

    fn tensor_type(&mut self, shape: &[i64], element: u32) -> u32 {
        let given = vec![("shape", list(shape)), ("elementType", Value::Type(element))];
        self.make(Sort::Type, "builtin", "RankedTensorType", given)
    }

    /// A tensor, now and then a vector, whose sizes are all known.
    fn static_type(&mut self, element: u32) -> (u32, Vec<i64>) {
        let shape = self.static_shape();
        let is_number = matches!(
            dense::element(self, element),
            Some(Element::Signless(_) | Element::Index | Element::Float(_))
        );
        if is_number && self.noise.one_in(4) && shape.iter().all(|&size| size > 0) {
            let given = vec![("shape", list(&shape)), ("elementType", Value::Type(element))];
            return (self.make(Sort::Type, "builtin", "VectorType", given), shape);
        }
        (self.tensor_type(&shape, element), shape)
    }

    fn static_shape(&mut self) -> Vec<i64> {
        // More than a hundred elements are printed in hexadecimal.
        if self.noise.one_in(12) {
            return vec![101 + self.noise.below(8) as i64];
        }
        let rank = self.noise.below(4);
        (0..rank).map(|_| self.noise.pick(&[2, 1, 3, 5, 0]).unwrap_or(2)).collect()
    }

    /// Sizes that may be unknown.
    fn shape(&mut self) -> Vec<i64> {
        let rank = self.noise.below(4);
        let sizes = [2, 0, 1, 3, 127, i64::MIN, 1 << 40];
        (0..rank).map(|_| self.noise.pick(&sizes).unwrap_or(2)).collect()
    }

    // ---- numbers ----

    /// So many bits.
    pub(super) fn words(&mut self, bits: u64) -> Vec<u64> {
        let words = bits.div_ceil(64).max(1) as usize;
        let choice = self.noise.below(6);
        let mut value: Vec<u64> = match choice {
            0 => vec![0; words],
            1 => vec![u64::MAX; words],
            2 => {
                let mut value = vec![0; words];
                value[0] = 1;
                value
            }
            // The sign alone, or the exponent of most floats.
            3 => {
                let mut value = vec![0; words];
                value[words - 1] = 1 << ((bits.max(1) - 1) % 64);
                value
            }
            _ => (0..words).map(|_| self.noise.word()).collect(),
        };
        let top = bits - 64 * (words as u64 - 1);
        if let (Some(last), 0..64) = (value.last_mut(), top) {
            *last &= (1 << top) - 1;
        }
        if bits == 80 {
            // The digit before the point is written out, and must be what the exponent says.
            let has_exponent = value[1] & 0x7fff != 0;
            value[0] = value[0] & (u64::MAX >> 1) | u64::from(has_exponent) << 63;
        }
        value
    }

    fn scale(&mut self) -> u64 {
        self.noise.pick(&[1.0_f64, 0.5, 0.1, 2.0, 1e-3, 0.007812, 127.25]).unwrap_or(1.0).to_bits()
    }

    /// The bytes of elements of a type, one for all of them where they are equal, as MLIR keeps them.
    fn elements(&mut self, element: Element, count: u64) -> Vec<u8> {
        let is_splat = count > 0 && self.noise.one_in(3);
        if matches!(element, Element::Signless(1) | Element::Signed(1) | Element::Unsigned(1)) {
            let mut bits: Vec<bool> = (0..count).map(|_| self.noise.one_in(2)).collect();
            if is_splat {
                bits.truncate(1);
            }
            if let Some(&first) = bits.first()
                && bits.iter().all(|&bit| bit == first)
            {
                return vec![if first { 0xff } else { 0 }];
            }
            let pack = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
            return bits.chunks(8).map(pack).collect();
        }
        let parts = if matches!(element, Element::Complex(_)) { 2 } else { 1 };
        let size = element.bits().div_ceil(8) as usize;
        let mut elements: Vec<Vec<u8>> = Vec::new();
        for _ in 0..if is_splat { 1 } else { count } {
            let mut bytes = Vec::new();
            for _ in 0..parts {
                let words = self.words(element.bits().into());
                let all = words.iter().flat_map(|word| word.to_le_bytes());
                bytes.extend(all.chain(std::iter::repeat(0)).take(size));
            }
            elements.push(bytes);
        }
        if self.noise.one_in(4) && !is_splat {
            // Equal, and all of them written: MLIR reads a splat.
            elements.truncate(1);
            elements = elements.into_iter().cycle().take(count as usize).collect();
        }
        elements.concat()
    }

    pub(super) fn affine_map(&mut self) -> Vec<u8> {
        const MAPS: [&[u8]; 7] = [
            b"(d0, d1) -> (d0, d1)",
            b"() -> ()",
            b"(d0) -> (0)",
            b"(d0, d1)[s0] -> (d1 * 3 + s0, d0 floordiv 4 - 7)",
            b"(d0)[s0, s1] -> ((d0 + s1) mod 5, d0 ceildiv 2, s0 * -1)",
            b"()[s0] -> (s0 mod 9223372036854775807)",
            b"(d0, d1, d2) -> (d2, d0, d1)",
        ];
        let map = self.noise.pick(&MAPS).and_then(|text| AffineMap::parse(text, Llvm::NEWEST).ok());
        let mut sink = ByteSink::new();
        map.unwrap_or_else(|| AffineMap::identity(2)).encode(&mut sink);
        sink.into_bytes()
    }

    pub(super) fn integer_set(&mut self) -> Vec<u8> {
        const SETS: [&[u8]; 4] = [
            b"(d0) : (d0 >= 0)",
            b"(d0, d1)[s0] : (d0 - s0 == 0, d1 - 1 >= 0)",
            b"() : (1 == 0)",
            b"()[s0] : (s0 mod 2 == 0)",
        ];
        let set = self.noise.pick(&SETS).and_then(|text| IntegerSet::parse(text, Llvm::NEWEST).ok());
        let mut sink = ByteSink::new();
        if let Some(set) = set {
            set.encode(&mut sink);
        }
        sink.into_bytes()
    }

    // ---- fields that depend on each other ----

    /// The fields of an entry that its row does not determine.
    pub(super) fn plan(&mut self, wanted: Wanted<'_>) -> Given {
        let name = &*wanted.form.name;
        match (wanted.table.dialect(), wanted.sort) {
            ("builtin", Sort::Attribute) => self.plan_builtin_attribute(name),
            ("builtin", Sort::Type) => self.plan_builtin_type(name, wanted.layout),
            ("quant", Sort::Type) => self.plan_quantized(name),
            ("llvm", Sort::Attribute) => self.plan_llvm(name),
            ("vhlo", Sort::Attribute) => self.plan_vhlo_attribute(name),
            ("vhlo", Sort::Type) => self.plan_vhlo_type(name),
            ("stablehlo", Sort::Attribute) => self.plan_stablehlo(name),
            _ => Vec::new(),
        }
    }

    fn plan_builtin_attribute(&mut self, name: &str) -> Given {
        match name {
            "DictionaryAttr" => {
                // Sorted, as MLIR keeps them.
                let mut keys: Vec<&[u8]> = Vec::new();
                for _ in 0..self.noise.below(4) {
                    keys.extend(self.noise.pick(&STRINGS).filter(|key| !key.is_empty()));
                }
                keys.sort_unstable();
                keys.dedup();
                let mut pairs = Vec::new();
                for key in &keys {
                    let key = self.named_string(key);
                    let value = self.any_attribute("builtin");
                    pairs.extend([Value::Attribute(key), Value::Attribute(value)]);
                }
                vec![("value", Value::List(keys.len() as u32, pairs))]
            }
            // A string without a type has none.
            "StringAttrWithType" => {
                let r#type = if self.noise.one_in(2) { self.any_integer_type() } else { self.number_type() };
                vec![("type", Value::Type(r#type))]
            }
            "SymbolRefAttr" => {
                let count = 1 + self.noise.below(3);
                let nested = (0..count).map(|_| {
                    let index = self.make(Sort::Attribute, "builtin", "FlatSymbolRefAttr", Vec::new());
                    Value::Attribute(index)
                });
                vec![("nested", Value::List(count as u32, nested.collect()))]
            }
            "IntegerAttr" => {
                let r#type = if self.noise.one_in(6) { self.index_type() } else { self.any_integer_type() };
                vec![("type", Value::Type(r#type))]
            }
            "FloatAttr" => vec![("type", Value::Type(self.float_type()))],
            // A single location, or none, is not a fused one.
            "FusedLoc" => {
                let count = 2 + self.noise.below(3);
                let locations = (0..count).map(|line| Value::Attribute(self.file_location(line as u64)));
                vec![("locations", Value::List(count as u32, locations.collect()))]
            }
            "FusedLocWithMetadata" => {
                let count = 1 + self.noise.below(3);
                let locations = (0..count).map(|line| Value::Attribute(self.file_location(line as u64)));
                vec![("locations", Value::List(count as u32, locations.collect()))]
            }
            "DenseResourceElementsAttr" => {
                let element = self.number_type();
                vec![("type", Value::Type(self.static_type(element).0))]
            }
            "DenseArrayAttr" => self.plan_dense_array(),
            "DenseIntOrFPElementsAttr" => {
                let element = self.number_type();
                let (r#type, shape) = self.static_type(element);
                let data = self.data(element, &shape);
                vec![("type", Value::Type(r#type)), ("data", Value::Blob(data))]
            }
            "DenseStringElementsAttr" => {
                let element = self.text(Sort::Type, "t", "!t.string");
                let shape = self.static_shape();
                let r#type = self.tensor_type(&shape, element);
                let count = dense::count(&shape);
                let made = if count > 0 && self.noise.one_in(2) { 1 } else { count };
                let mut strings: Vec<_> = (0..made).map(|_| Value::String(self.any_string())).collect();
                let is_splat = strings.len() == 1;
                if self.noise.one_in(4) {
                    strings.truncate(1);
                    strings = strings.into_iter().cycle().take(made as usize).collect();
                }
                vec![
                    ("type", Value::Type(r#type)),
                    ("isSplat", Value::Number(is_splat.into())),
                    ("data", Value::List(strings.len() as u32, strings)),
                ]
            }
            "SparseElementsAttr" => self.plan_sparse(),
            "FileLineColRange" => {
                let (line, column) = (self.noise.below(1000) as u64, self.noise.below(200) as u64);
                let (end_line, end_column) =
                    (line + self.noise.number() % 1000, column + 1 + self.noise.number() % 100);
                let positions: Vec<u64> = match self.noise.below(5) {
                    0 => Vec::new(),
                    1 => vec![line],
                    2 => vec![line, column],
                    3 => vec![line, column, end_column],
                    _ => vec![line, column, end_line, end_column],
                };
                let file = self.string_attribute();
                let numbers = positions.iter().map(|&number| Value::Number(number)).collect();
                vec![
                    ("filename", Value::Attribute(file)),
                    ("positions", Value::List(positions.len() as u32, numbers)),
                ]
            }
            _ => Vec::new(),
        }
    }

    fn data(&mut self, element: u32, shape: &[i64]) -> Vec<u8> {
        match dense::element(self, element) {
            Some(element) => self.elements(element, dense::count(shape)),
            None => Vec::new(),
        }
    }

    fn plan_dense_array(&mut self) -> Given {
        let width = self.noise.pick(&[32, 64, 8, 16, 1, 24, 128]).unwrap_or(32);
        let r#type = if self.noise.one_in(3) {
            let name = self.noise.pick(&["Float32Type", "Float64Type", "BFloat16Type", "Float16Type"]);
            self.make(Sort::Type, "builtin", name.unwrap_or("Float32Type"), Vec::new())
        } else {
            self.integer_type(width, 0)
        };
        let bits = bits_of(self, r#type).unwrap_or(32);
        let count = self.noise.below(5);
        let mut data = Vec::new();
        for _ in 0..count {
            let words = self.words(bits);
            let bytes = words.iter().flat_map(|word| word.to_le_bytes());
            data.extend(bytes.take(bits.div_ceil(8) as usize));
        }
        vec![
            ("elementType", Value::Type(r#type)),
            ("size", Value::Number(count as u64)),
            ("data", Value::Blob(data)),
        ]
    }

    // As many rows of indices as values, all within the shape.
    fn plan_sparse(&mut self) -> Given {
        let element = self.number_type();
        let rank = 1 + self.noise.below(2);
        let shape: Vec<i64> = (0..rank).map(|_| 1 + self.noise.below(5) as i64).collect();
        let r#type = self.tensor_type(&shape, element);
        let rows = self.noise.below(4) as i64;
        let mut places: Vec<u64> = Vec::new();
        for _ in 0..rows {
            places.extend(shape.iter().map(|&size| self.noise.below(size as usize) as u64));
        }
        if places.iter().all(|&place| Some(&place) == places.first()) {
            places.truncate(1);
        }
        let bytes = places.iter().flat_map(|place| place.to_le_bytes()).collect();
        let i64_type = self.integer_type(64, 0);
        let indices =
            [("type", self.tensor_type(&[rows, rank as i64], i64_type))].map(|(k, v)| (k, Value::Type(v)));
        let given = indices.into_iter().chain([("data", Value::Blob(bytes))]).collect();
        let indices = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", given);
        let values_type = self.tensor_type(&[rows], element);
        let data = self.data(element, &[rows]);
        let given = vec![("type", Value::Type(values_type)), ("data", Value::Blob(data))];
        let values = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", given);
        vec![
            ("type", Value::Type(r#type)),
            ("indices", Value::Attribute(indices)),
            ("values", Value::Attribute(values)),
        ]
    }

    fn plan_builtin_type(&mut self, name: &str, layout: usize) -> Given {
        match name {
            "IntegerType" => {
                let width = match self.noise.below(4) {
                    0 => (1 << 24) - 1 - u64::from(self.noise.byte()),
                    _ => self.noise.pick(&WIDTHS).unwrap_or(32),
                };
                vec![("widthAndSign", Value::Number(width << 2 | self.noise.below(3) as u64))]
            }
            "ComplexType" => {
                let part = if self.noise.one_in(2) { self.any_integer_type() } else { self.float_type() };
                vec![("elementType", Value::Type(part))]
            }
            "MemRefType" | "MemRefTypeWithMemSpace" => {
                let shape = self.shape();
                let element = self.number_type();
                let layout = self.memory_layout(shape.len());
                let mut given = vec![
                    ("shape", list(&shape)),
                    ("elementType", Value::Type(element)),
                    ("layout", Value::Attribute(layout)),
                ];
                if name == "MemRefTypeWithMemSpace" {
                    given.push(("memorySpace", Value::Attribute(self.memory_space())));
                }
                given
            }
            "UnrankedMemRefType" => vec![("elementType", Value::Type(self.number_type()))],
            "UnrankedMemRefTypeWithMemSpace" => {
                let element = self.number_type();
                vec![
                    ("memorySpace", Value::Attribute(self.memory_space())),
                    ("elementType", Value::Type(element)),
                ]
            }
            "RankedTensorType" | "RankedTensorTypeWithEncoding" => {
                let shape = self.shape();
                vec![("shape", list(&shape)), ("elementType", Value::Type(self.tensor_element()))]
            }
            "UnrankedTensorType" => vec![("elementType", Value::Type(self.tensor_element()))],
            "VectorType" | "VectorTypeWithScalableDims" => self.plan_vector(name, layout),
            _ => Vec::new(),
        }
    }

    fn tensor_element(&mut self) -> u32 {
        match self.noise.below(4) {
            0 => self.text(Sort::Type, "t", "!t.text<i8>"),
            1 => self.make(Sort::Type, "builtin", "VectorType", Vec::new()),
            _ => self.number_type(),
        }
    }

    fn plan_vector(&mut self, name: &str, layout: usize) -> Given {
        let is_scalable = name == "VectorTypeWithScalableDims";
        let rank = if is_scalable { 1 + self.noise.below(3) } else { self.noise.below(4) };
        // Sizes above 1 cannot be taken for the booleans of another layout.
        let sizes = if layout == 0 { [1, 2, 3, 64, 1 << 20] } else { [4, 5, 8, 64, 16] };
        let shape: Vec<i64> = (0..rank).map(|_| self.noise.pick(&sizes).unwrap_or(4)).collect();
        let element = match self.noise.below(4) {
            0 => self.index_type(),
            1 => {
                let width = self.noise.pick(&WIDTHS).unwrap_or(32).max(1);
                self.integer_type(width, 0)
            }
            _ => {
                let name = FLOATS[self.noise.below(4)];
                self.make(Sort::Type, "builtin", name, Vec::new())
            }
        };
        let mut given = vec![("shape", list(&shape)), ("elementType", Value::Type(element))];
        if is_scalable && layout == 0 {
            let mut flags: Vec<Value> = (0..rank).map(|_| Value::Bool(self.noise.one_in(2))).collect();
            flags[0] =
                Value::Bool(flags.iter().all(|flag| *flag == Value::Bool(false)) || self.noise.one_in(2));
            given.push(("scalable", Value::List(rank as u32, flags)));
        } else if is_scalable && layout == 1 {
            given.push(("numScalable", Value::Number(1 + self.noise.below(rank) as u64)));
        }
        given
    }

    // A layout of that many dimensions; rows of maps came after LLVM 22.
    fn memory_layout(&mut self, rank: usize) -> u32 {
        let names = |prefix: &str| (0..rank).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
        let dims = names("d");
        let map = match self.noise.below(4) {
            2 if rank > 0 => {
                let sizes: Vec<_> =
                    (0..rank).map(|_| self.noise.pick(&["1", "?", "12", "-4"]).unwrap_or("1")).collect();
                let offset = self.noise.pick(&["", ", offset: ?", ", offset: 7"]).unwrap_or("");
                return self.text(
                    Sort::Attribute,
                    "builtin",
                    &format!("strided<[{}]{offset}>", sizes.join(", ")),
                );
            }
            3 if rank > 1 => {
                let turned: Vec<_> = dims.iter().rev().cloned().collect();
                format!("({}) -> ({})", dims.join(", "), turned.join(", "))
            }
            _ => format!("({0}) -> ({0})", dims.join(", ")),
        };
        if !self.is_newest {
            return self.text(Sort::Attribute, "builtin", &format!("affine_map<{map}>"));
        }
        let mut sink = ByteSink::new();
        let parsed = AffineMap::parse(map.as_bytes(), Llvm::NEWEST);
        parsed.unwrap_or_else(|_| AffineMap::identity(rank as u32)).encode(&mut sink);
        self.make(Sort::Attribute, "builtin", "AffineMapAttr", vec![("map", Value::Blob(sink.into_bytes()))])
    }

    // A zero of an integer type is the absence of a memory space.
    fn memory_space(&mut self) -> u32 {
        match self.noise.below(3) {
            0 => self.integer_attribute(64, 3),
            1 => self.integer_attribute(32, 1),
            _ => self.string_attribute(),
        }
    }

    fn plan_quantized(&mut self, name: &str) -> Given {
        let is_signed = self.noise.one_in(2);
        let width = self.noise.pick(&[8_u64, 4, 16, 32, 7, 2]).unwrap_or(8);
        let (least, most) = if is_signed {
            (-(1_i64 << (width - 1)), (1_i64 << (width - 1)) - 1)
        } else {
            (0, (1_i64 << width) - 1)
        };
        let narrower = i64::from(self.noise.one_in(2));
        let storage = self.integer_type(width, 0);
        let floats =
            self.noise.pick(&["Float32Type", "Float64Type", "BFloat16Type"]).unwrap_or("Float32Type");
        let expressed = self.make(Sort::Type, "builtin", floats, Vec::new());
        let mut given = vec![
            ("flags", Value::Number(is_signed.into())),
            ("storageType", Value::Type(storage)),
            ("expressedType", Value::Type(expressed)),
            ("storageTypeMin", Value::Signed(least + narrower)),
            ("storageTypeMax", Value::Signed(most - narrower)),
        ];
        match name {
            "AnyQuantizedType" => given.retain(|(name, _)| *name != "expressedType"),
            "CalibratedQuantizedType" => {
                given.retain(|(name, _)| *name == "expressedType");
                let (min, max) =
                    (-(self.noise.below(100) as f64) / 3.0, self.noise.below(1000) as f64 / 8.0 + 0.5);
                given.extend([("min", float(min)), ("max", float(max))]);
            }
            "UniformQuantizedType" => {
                let scale = Value::Words(vec![self.scale()]);
                given.extend([("scale", scale), ("zeroPoint", Value::Signed(self.zero_point()))]);
            }
            "UniformQuantizedPerAxisType" => {
                let count = 1 + self.noise.below(4);
                let scales = (0..count).map(|_| Value::Words(vec![self.scale()])).collect();
                let zeros = (0..count).map(|_| Value::Signed(self.zero_point())).collect();
                given.extend([
                    ("quantizedDimension", Value::Number(self.noise.below(4) as u64)),
                    ("scales", Value::List(count as u32, scales)),
                    ("zeroPoints", Value::List(count as u32, zeros)),
                ]);
            }
            "UniformQuantizedSubChannelType" => given.extend(self.sub_channel(storage, expressed)),
            _ => {}
        }
        given
    }

    fn zero_point(&mut self) -> i64 {
        self.noise.pick(&[0, 1, -1, 5]).unwrap_or(0)
    }

    fn sub_channel(&mut self, storage: u32, expressed: u32) -> Given {
        let rank = 1 + self.noise.below(3);
        let shape: Vec<i64> = (0..rank).map(|_| 1 + self.noise.below(3) as i64).collect();
        let axes = 1 + self.noise.below(rank);
        let dimensions: Vec<i64> = (0..axes as i64).collect();
        let sizes: Vec<i64> = (0..axes).map(|_| 1 + self.noise.below(4) as i64).collect();
        let scales_type = self.tensor_type(&shape, expressed);
        let zeros_type = self.tensor_type(&shape, storage);
        let count = dense::count(&shape);
        // A quarter, whose bits above the lowest bytes are the same in all formats' top bytes.
        let size = bits_of(self, expressed).unwrap_or(32) as usize / 8;
        let one: Vec<u8> = match size {
            8 => self.scale().to_le_bytes().to_vec(),
            4 => (f64::from_bits(self.scale()) as f32).to_le_bytes().to_vec(),
            _ => vec![0x80, 0x3f],
        };
        let data = one.repeat(count as usize);
        let given = vec![("type", Value::Type(scales_type)), ("data", Value::Blob(data))];
        let scales = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", given);
        let width = bits_of(self, storage).unwrap_or(8);
        let bytes = width.div_ceil(8) as usize;
        let zeros: Vec<u8> =
            (0..count).flat_map(|at| (at as i32 % 3 - 1).to_le_bytes().into_iter().take(bytes)).collect();
        let given = vec![("type", Value::Type(zeros_type)), ("data", Value::Blob(zeros))];
        let zeros = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", given);
        vec![
            ("quantizedDimensions", list(&dimensions)),
            ("blockSizes", list(&sizes)),
            ("scales", Value::Attribute(scales)),
            ("zeroPoints", Value::Attribute(zeros)),
        ]
    }

    fn plan_llvm(&mut self, name: &str) -> Given {
        match name {
            // Self-references are by number.
            "DICompositeTypeAttr" | "DISubprogramAttr" => {
                if self.noise.one_in(2) {
                    return vec![("recId", Value::Absent), ("isRecSelf", Value::Bool(false))];
                }
                let id = self.make(Sort::Attribute, "builtin", "DistinctAttr", Vec::new());
                vec![("recId", Value::Attribute(id))]
            }
            "DISubrangeAttr" => {
                let mut given = Given::new();
                for field in ["count", "lowerBound", "upperBound", "stride"] {
                    let value = self.noise.number() as i64 as u64;
                    let is_there = !self.noise.one_in(3);
                    given.push((
                        field,
                        match is_there {
                            true => Value::Attribute(self.integer_attribute(64, value)),
                            false => Value::Absent,
                        },
                    ));
                }
                given
            }
            "LoopAnnotationAttr" => {
                const NESTED: [(&str, &str); 9] = [
                    ("vectorize", "#llvm.loop_vectorize<disable = false>"),
                    ("interleave", "#llvm.loop_interleave<count = 3 : i32>"),
                    ("unroll", "#llvm.loop_unroll<disable = true>"),
                    ("unrollAndJam", "#llvm.loop_unroll_and_jam<disable = true>"),
                    ("licm", "#llvm.loop_licm<disable = true>"),
                    ("distribute", "#llvm.loop_distribute<disable = true>"),
                    ("pipeline", "#llvm.loop_pipeline<disable = true>"),
                    ("peeled", "#llvm.loop_peeled<count = 3 : i32>"),
                    ("unswitch", "#llvm.loop_unswitch<partialDisable = true>"),
                ];
                let mut given = Given::new();
                for (field, text) in NESTED {
                    let is_there = self.noise.one_in(3);
                    let value = is_there.then(|| Value::Attribute(self.text(Sort::Attribute, "llvm", text)));
                    given.push((field, value.unwrap_or(Value::Absent)));
                }
                for field in ["disableNonforced", "mustProgress", "isVectorized"] {
                    let flag = self.noise.below(3) as u64;
                    let value = (flag < 2).then(|| Value::Attribute(self.integer_attribute(1, flag)));
                    given.push((field, value.unwrap_or(Value::Absent)));
                }
                given.push(("parallelAccesses", Value::List(0, Vec::new())));
                given
            }
            _ => Vec::new(),
        }
    }

    // ---- VHLO and StableHLO ----

    fn vhlo_scalar(&mut self) -> u32 {
        let choice = self.noise.below(VHLO_FLOATS.len() + VHLO_INTEGERS.len() + 1);
        let name =
            VHLO_INTEGERS.iter().chain(&VHLO_FLOATS).nth(choice).copied().unwrap_or("IntegerSI2V1Type");
        self.make(Sort::Type, "vhlo", name, Vec::new())
    }

    fn vhlo_string(&mut self) -> u32 {
        self.make(Sort::Attribute, "vhlo", "StringV1Attr", Vec::new())
    }

    fn vhlo_array(&mut self, items: Vec<Value>) -> u32 {
        let given = vec![("value", Value::List(items.len() as u32, items))];
        self.make(Sort::Attribute, "vhlo", "ArrayV1Attr", given)
    }

    fn plan_vhlo_attribute(&mut self, name: &str) -> Given {
        match name {
            "DictionaryV1Attr" => {
                let count = self.noise.below(3);
                let mut pairs = Vec::new();
                for key in [&b"a"[..], b"b"].into_iter().take(count) {
                    let key = self.intern_string(key);
                    let key = self.make(
                        Sort::Attribute,
                        "vhlo",
                        "StringV1Attr",
                        vec![("value", Value::String(key))],
                    );
                    let value = self.any_attribute("vhlo");
                    pairs.extend([Value::Attribute(key), Value::Attribute(value)]);
                }
                vec![("value", Value::List(count as u32, pairs))]
            }
            "FloatV1Attr" => {
                let name = self.noise.pick(&VHLO_FLOATS).unwrap_or("FloatF32V1Type");
                vec![("type", Value::Type(self.make(Sort::Type, "vhlo", name, Vec::new())))]
            }
            "IntegerV1Attr" => {
                let name = self.noise.pick(&VHLO_INTEGERS).unwrap_or("IntegerSI32V1Type");
                vec![("type", Value::Type(self.make(Sort::Type, "vhlo", name, Vec::new())))]
            }
            "TensorV1Attr" => {
                let element = self.vhlo_scalar();
                let shape = self.static_shape();
                let given = vec![("shape", list(&shape)), ("elementType", Value::Type(element))];
                let r#type = self.make(Sort::Type, "vhlo", "RankedTensorV1Type", given);
                let data = self.data(element, &shape);
                vec![("type", Value::Type(r#type)), ("data", Value::Blob(data))]
            }
            "AxisRefV1Attr" => vec![("has_sub_axis_info", Value::Number(self.noise.below(2) as u64))],
            "MeshAxisV1Attr" => vec![("name", Value::Attribute(self.vhlo_string()))],
            "MeshV1Attr" => {
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    Value::Attribute(self.make(Sort::Attribute, "vhlo", "MeshAxisV1Attr", Vec::new()))
                });
                let axes = axes.collect();
                vec![("axes", Value::Attribute(self.vhlo_array(axes)))]
            }
            "ReplicaGroupMeshAxesV1Attr" => {
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    Value::Attribute(self.make(Sort::Attribute, "vhlo", "AxisRefV1Attr", Vec::new()))
                });
                let axes = axes.collect();
                let mesh = match self.noise.below(2) {
                    0 => self.vhlo_string(),
                    _ => self.make(Sort::Attribute, "vhlo", "MeshV1Attr", Vec::new()),
                };
                vec![("mesh", Value::Attribute(mesh)), ("axes", Value::Attribute(self.vhlo_array(axes)))]
            }
            _ => Vec::new(),
        }
    }

    fn plan_vhlo_type(&mut self, name: &str) -> Given {
        match name {
            "ComplexV1Type" => {
                let part = self.noise.pick(&["FloatF32V1Type", "FloatF64V1Type"]).unwrap_or("FloatF32V1Type");
                vec![("elementType", Value::Type(self.make(Sort::Type, "vhlo", part, Vec::new())))]
            }
            "RankedTensorV1Type" | "RankedBufferV1Type" => {
                let shape = self.shape();
                vec![("shape", list(&shape)), ("elementType", Value::Type(self.vhlo_scalar()))]
            }
            "RankedTensorV1TypeWithEncoding" => {
                let bounds: Vec<i64> = self.shape();
                let given = vec![("bounds", list(&bounds))];
                let encoding = self.make(Sort::Attribute, "vhlo", "TypeExtensionsV1Attr", given);
                vec![
                    ("encoding", Value::Attribute(encoding)),
                    ("shape", list(&bounds)),
                    ("elementType", Value::Type(self.vhlo_scalar())),
                ]
            }
            "UnrankedTensorV1Type" => vec![("elementType", Value::Type(self.vhlo_scalar()))],
            "UniformQuantizedV1Type" | "UniformQuantizedPerAxisV1Type" => {
                let storage = self.make(Sort::Type, "vhlo", "IntegerSI8V1Type", Vec::new());
                let expressed = self.make(Sort::Type, "vhlo", "FloatF32V1Type", Vec::new());
                let mut given = vec![
                    ("flags", Value::Number(1)),
                    ("storageType", Value::Type(storage)),
                    ("expressedType", Value::Type(expressed)),
                    ("storageTypeMin", Value::Signed(-128)),
                    ("storageTypeMax", Value::Signed(127)),
                ];
                if name == "UniformQuantizedV1Type" {
                    let scale = Value::Words(vec![self.scale()]);
                    given.extend([("scale", scale), ("zeroPoint", Value::Signed(self.zero_point()))]);
                    return given;
                }
                let count = 1 + self.noise.below(3);
                let scales = (0..count).map(|_| Value::Words(vec![self.scale()])).collect();
                let zeros = (0..count).map(|_| Value::Signed(self.zero_point())).collect();
                given.extend([
                    ("quantizedDimension", Value::Number(self.noise.below(4) as u64)),
                    ("scales", Value::List(count as u32, scales)),
                    ("zeroPoints", Value::List(count as u32, zeros)),
                ]);
                given
            }
            _ => Vec::new(),
        }
    }

    fn plan_stablehlo(&mut self, name: &str) -> Given {
        match name {
            "ConvDimensionNumbersAttr" => {
                const FIELDS: [[&str; 3]; 3] = [
                    ["inputBatchDimension", "inputFeatureDimension", "inputSpatialDimensions"],
                    [
                        "kernelInputFeatureDimension",
                        "kernelOutputFeatureDimension",
                        "kernelSpatialDimensions",
                    ],
                    ["outputBatchDimension", "outputFeatureDimension", "outputSpatialDimensions"],
                ];
                let rank = 2 + self.noise.below(4);
                let mut given = Given::new();
                for [batch, feature, spatial] in FIELDS {
                    let mut places: Vec<i64> = (0..rank as i64).collect();
                    for at in 0..rank {
                        let other = self.noise.below(rank);
                        places.swap(at, other);
                    }
                    let rest = places.split_off(2);
                    given.extend([
                        (batch, Value::Signed(places[0])),
                        (feature, Value::Signed(places[1])),
                        (spatial, list(&rest)),
                    ]);
                }
                given
            }
            "DotAlgorithmAttr" => {
                let float = |this: &mut Self| Value::Type(this.float_type());
                let types = [float(self), float(self), float(self)];
                ["lhs_precision_type", "rhs_precision_type", "accumulation_type"]
                    .into_iter()
                    .zip(types)
                    .collect()
            }
            "ReplicaGroupMeshAxesAttr" => {
                let mesh = match self.noise.below(2) {
                    0 => self.make(Sort::Attribute, "builtin", "FlatSymbolRefAttr", Vec::new()),
                    _ => self.make(Sort::Attribute, "stablehlo", "MeshAttr", Vec::new()),
                };
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    Value::Attribute(self.make(Sort::Attribute, "stablehlo", "AxisRefAttr", Vec::new()))
                });
                let axes = axes.collect();
                vec![("mesh", Value::Attribute(mesh)), ("axes", Value::List(count as u32, axes))]
            }
            "MeshAttr" => {
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    Value::Attribute(self.make(Sort::Attribute, "stablehlo", "MeshAxisAttr", Vec::new()))
                });
                let axes = Value::List(count as u32, axes.collect());
                let axes = self.make(Sort::Attribute, "builtin", "ArrayAttr", vec![("value", axes)]);
                let i64_type = self.integer_type(64, 0);
                let r#type = self.tensor_type(&[2], i64_type);
                let data = [0_u64, 1].iter().flat_map(|id| id.to_le_bytes()).collect();
                let given = vec![("type", Value::Type(r#type)), ("data", Value::Blob(data))];
                let ids = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", given);
                let has_ids = self.noise.one_in(2);
                let ids = if has_ids { Value::Attribute(ids) } else { Value::Absent };
                vec![
                    ("axes", Value::Attribute(axes)),
                    ("has_device_ids", Value::Bool(has_ids)),
                    ("device_ids", ids),
                ]
            }
            _ => Vec::new(),
        }
    }
}

fn list(numbers: &[i64]) -> Value {
    Value::List(numbers.len() as u32, numbers.iter().map(|&number| Value::Signed(number)).collect())
}

fn float(value: f64) -> Value {
    Value::Words(vec![value.to_bits()])
}
