//! Rules that rows do not contain: fields that depend on each other, and values that MLIR's verifiers
//! require.
//!
//! `verify` and `verifyInvariants` of the classes in `mlir/lib/IR/BuiltinAttributes.cpp`, `BuiltinTypes.cpp`,
//! `mlir/lib/Dialect/Quant/IR/QuantTypes.cpp` and `stablehlo/dialect/VhloOps.cpp`.

mod builtin;
mod dialects;

use crate::attr::text::affine::{AffineMap, IntegerSet};
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::format::id::TypeId;
use crate::release::Llvm;
use crate::wire::cursor::ByteSink;

use super::{FixedFields, GeneratedField, Generator, RowRef, Sort};

/// Float types of the builtin dialect up to LLVM 16, by the names of their rows.
const FLOATS: [&str; 6] =
    ["Float32Type", "Float64Type", "Float16Type", "BFloat16Type", "Float80Type", "Float128Type"];

/// Float types that got rows after LLVM 22 and are text before that.
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

// Two-bit types can be element types, but MLIR aborts on their values.
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

const SDY_AXES: [&[u8]; 4] = [b"x", b"a b", b"\"q\"\\", b"y"];

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

    /// Adds a resource of the builtin dialect with a unique key.
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

    /// Adds an attribute of any class, or of another dialect if nothing else is allowed.
    pub(super) fn any_attribute(&mut self, dialect: &str) -> u32 {
        if dialect == "vhlo" {
            return self.any_entry(Sort::Attribute, "vhlo");
        }
        match self.noise.below(6) {
            0 => self.string_attribute(),
            1 => self.make(Sort::Attribute, "builtin", "UnitAttr", Vec::new()),
            2 => self.make(Sort::Attribute, "builtin", "IntegerAttr", Vec::new()),
            3 => self.text(Sort::Attribute, "t", "#t.text<\"x\", 1>"),
            _ => self.any_entry(Sort::Attribute, "builtin"),
        }
    }

    fn string_attribute(&mut self) -> u32 {
        self.make(Sort::Attribute, "builtin", "StringAttr", Vec::new())
    }

    fn named_string(&mut self, text: &[u8]) -> u32 {
        let string = self.intern_string(text);
        self.make(Sort::Attribute, "builtin", "StringAttr", vec![("value", GeneratedField::String(string))])
    }

    /// Adds an integer attribute of that signless width.
    fn integer_attribute(&mut self, width: u64, value: u64) -> u32 {
        let r#type = self.integer_type(width, 0);
        let fixed =
            vec![("type", GeneratedField::Type(r#type)), ("value", GeneratedField::Words(vec![value]))];
        self.make(Sort::Attribute, "builtin", "IntegerAttr", fixed)
    }

    /// Adds a location in a file, different for every `line`.
    fn file_location(&mut self, line: u64) -> u32 {
        let file = self.named_string(b"file.mlir");
        let column = self.noise.number() & 0xffff;
        let fixed = vec![
            ("filename", GeneratedField::Attribute(file)),
            ("line", GeneratedField::Number(line)),
            ("column", GeneratedField::Number(column)),
        ];
        self.make(Sort::Attribute, "builtin", "FileLineColLoc", fixed)
    }

    // ---- types ----

    /// Adds a type of any class, or of another dialect if nothing else is allowed.
    pub(super) fn any_type(&mut self, dialect: &str) -> u32 {
        if dialect == "vhlo" {
            return self.any_entry(Sort::Type, "vhlo");
        }
        match self.noise.below(6) {
            0 => self.any_integer_type(),
            1 => self.float_type(),
            2 => self.text(Sort::Type, "t", "!t.text<i8>"),
            _ => self.any_entry(Sort::Type, "builtin"),
        }
    }

    fn integer_type(&mut self, width: u64, sign: u64) -> u32 {
        let fixed = vec![("widthAndSign", GeneratedField::Number(width << 2 | sign))];
        self.make(Sort::Type, "builtin", "IntegerType", fixed)
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

    /// Adds a numeric type that dense elements can have.
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
        self.make(Sort::Type, "builtin", "ComplexType", vec![("elementType", GeneratedField::Type(part))])
    }

    fn tensor_type(&mut self, shape: &[i64], element: u32) -> u32 {
        let fixed = vec![("shape", list(shape)), ("elementType", GeneratedField::Type(element))];
        self.make(Sort::Type, "builtin", "RankedTensorType", fixed)
    }

    /// Adds a tensor type, or now and then a vector type, whose sizes are all known.
    fn static_type(&mut self, element: u32) -> (u32, Vec<i64>) {
        let shape = self.static_shape();
        let is_number = matches!(
            dense::element(self, TypeId::new(element)),
            Some(Element::Signless(_) | Element::Index | Element::Float(_))
        );
        if is_number && self.noise.one_in(4) && shape.iter().all(|&size| size > 0) {
            let fixed = vec![("shape", list(&shape)), ("elementType", GeneratedField::Type(element))];
            return (self.make(Sort::Type, "builtin", "VectorType", fixed), shape);
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

    /// Returns sizes that may be unknown.
    fn shape(&mut self) -> Vec<i64> {
        let rank = self.noise.below(4);
        let sizes = [2, 0, 1, 3, 127, i64::MIN, 1 << 40];
        (0..rank).map(|_| self.noise.pick(&sizes).unwrap_or(2)).collect()
    }

    // ---- numbers ----

    /// Returns words with this number of bits.
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
            // Only the sign bit is set, or only the exponent of most floats.
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
            // The digit before the point is stored, and must agree with the exponent.
            let has_exponent = value[1] & 0x7fff != 0;
            value[0] = value[0] & (u64::MAX >> 1) | u64::from(has_exponent) << 63;
        }
        value
    }

    fn scale(&mut self) -> u64 {
        self.noise.pick(&[1.0_f64, 0.5, 0.1, 2.0, 1e-3, 0.007812, 127.25]).unwrap_or(1.0).to_bits()
    }

    /// Returns the bytes of elements of a type. Equal elements are stored once, as in MLIR.
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
            // Equal elements are all written here; MLIR reads them as a splat.
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

    /// Returns the fields of an entry that its row does not determine.
    pub(super) fn plan(&mut self, row_ref: RowRef<'_>) -> FixedFields {
        let name = &*row_ref.form.name;
        match (row_ref.table.dialect(), row_ref.sort) {
            ("builtin", Sort::Attribute) => self.plan_builtin_attribute(name),
            ("builtin", Sort::Type) => self.plan_builtin_type(name, row_ref.layout),
            ("quant", Sort::Type) => self.plan_quantized(name),
            ("llvm", Sort::Attribute) => self.plan_llvm(name),
            ("vhlo", Sort::Attribute) => self.plan_vhlo_attribute(name),
            ("vhlo", Sort::Type) => self.plan_vhlo_type(name),
            ("stablehlo" | "mhlo", Sort::Attribute) => self.plan_stablehlo(name),
            ("sdy", Sort::Attribute) => self.plan_sdy(name),
            _ => Vec::new(),
        }
    }
}

fn list(numbers: &[i64]) -> GeneratedField {
    GeneratedField::List(
        numbers.len() as u32,
        numbers.iter().map(|&number| GeneratedField::Signed(number)).collect(),
    )
}

fn float(value: f64) -> GeneratedField {
    GeneratedField::Words(vec![value.to_bits()])
}
