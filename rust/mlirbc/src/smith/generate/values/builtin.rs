//! Plans of builtin attributes and types.

use crate::attr::text::affine::AffineMap;
use crate::attr::text::dense;
use crate::dialect::entries::bits_of;
use crate::format::id::TypeId;
use crate::release::Llvm;
use crate::wire::cursor::ByteSink;
use crate::wire::order;

use super::super::{FixedFields, GeneratedField, Generator, Sort};
use super::{FLOATS, STRINGS, WIDTHS, list};

impl Generator<'_> {
    pub(super) fn plan_builtin_attribute(&mut self, name: &str) -> FixedFields {
        match name {
            "DictionaryAttr" => {
                // The keys are sorted, as in MLIR.
                let mut keys: Vec<&[u8]> = Vec::new();
                for _ in 0..self.noise.below(4) {
                    keys.extend(self.noise.pick(&STRINGS).filter(|key| !key.is_empty()));
                }
                order::sort(&mut keys);
                keys.dedup();
                let mut pairs = Vec::new();
                for key in &keys {
                    let key = self.named_string(key);
                    let value = self.any_attribute("builtin");
                    pairs.extend([GeneratedField::Attribute(key), GeneratedField::Attribute(value)]);
                }
                vec![("value", GeneratedField::List(keys.len() as u32, pairs))]
            }
            // A string without a type has no such field.
            "StringAttrWithType" => {
                let r#type = if self.noise.one_in(2) { self.any_integer_type() } else { self.number_type() };
                vec![("type", GeneratedField::Type(r#type))]
            }
            "SymbolRefAttr" => {
                let count = 1 + self.noise.below(3);
                let nested = (0..count).map(|_| {
                    let index = self.make(Sort::Attribute, "builtin", "FlatSymbolRefAttr", Vec::new());
                    GeneratedField::Attribute(index)
                });
                vec![("nested", GeneratedField::List(count as u32, nested.collect()))]
            }
            "IntegerAttr" => {
                let r#type = if self.noise.one_in(6) { self.index_type() } else { self.any_integer_type() };
                vec![("type", GeneratedField::Type(r#type))]
            }
            "FloatAttr" => vec![("type", GeneratedField::Type(self.float_type()))],
            // A fused location has at least two parts.
            "FusedLoc" => {
                let count = 2 + self.noise.below(3);
                let locations =
                    (0..count).map(|line| GeneratedField::Attribute(self.file_location(line as u64)));
                vec![("locations", GeneratedField::List(count as u32, locations.collect()))]
            }
            "FusedLocWithMetadata" => {
                let count = 1 + self.noise.below(3);
                let locations =
                    (0..count).map(|line| GeneratedField::Attribute(self.file_location(line as u64)));
                vec![("locations", GeneratedField::List(count as u32, locations.collect()))]
            }
            "DenseResourceElementsAttr" => {
                let element = self.number_type();
                vec![("type", GeneratedField::Type(self.static_type(element).0))]
            }
            "DenseArrayAttr" => self.plan_dense_array(),
            "DenseIntOrFPElementsAttr" => {
                let element = self.number_type();
                let (r#type, shape) = self.static_type(element);
                let data = self.data(element, &shape);
                vec![("type", GeneratedField::Type(r#type)), ("data", GeneratedField::Blob(data))]
            }
            "DenseStringElementsAttr" => {
                let element = self.text(Sort::Type, "t", "!t.string");
                let shape = self.static_shape();
                let r#type = self.tensor_type(&shape, element);
                let count = dense::count(&shape);
                let string_count = if count > 0 && self.noise.one_in(2) { 1 } else { count };
                let mut strings: Vec<_> =
                    (0..string_count).map(|_| GeneratedField::String(self.any_string())).collect();
                let is_splat = strings.len() == 1;
                if self.noise.one_in(4) {
                    strings.truncate(1);
                    strings = strings.into_iter().cycle().take(string_count as usize).collect();
                }
                vec![
                    ("type", GeneratedField::Type(r#type)),
                    ("isSplat", GeneratedField::Number(is_splat.into())),
                    ("data", GeneratedField::List(strings.len() as u32, strings)),
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
                let numbers = positions.iter().map(|&number| GeneratedField::Number(number)).collect();
                vec![
                    ("filename", GeneratedField::Attribute(file)),
                    ("positions", GeneratedField::List(positions.len() as u32, numbers)),
                ]
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn data(&mut self, element: u32, shape: &[i64]) -> Vec<u8> {
        match dense::element(self, TypeId::new(element)) {
            Some(element) => self.elements(element, dense::count(shape)),
            None => Vec::new(),
        }
    }

    fn plan_dense_array(&mut self) -> FixedFields {
        let width = self.noise.pick(&[32, 64, 8, 16, 1, 24, 128]).unwrap_or(32);
        let r#type = if self.noise.one_in(3) {
            let name = self.noise.pick(&["Float32Type", "Float64Type", "BFloat16Type", "Float16Type"]);
            self.make(Sort::Type, "builtin", name.unwrap_or("Float32Type"), Vec::new())
        } else {
            self.integer_type(width, 0)
        };
        let bits = bits_of(self, TypeId::new(r#type)).unwrap_or(32);
        let count = self.noise.below(5);
        let mut data = Vec::new();
        for _ in 0..count {
            let words = self.words(bits);
            let bytes = words.iter().flat_map(|word| word.to_le_bytes());
            data.extend(bytes.take(bits.div_ceil(8) as usize));
        }
        vec![
            ("elementType", GeneratedField::Type(r#type)),
            ("size", GeneratedField::Number(count as u64)),
            ("data", GeneratedField::Blob(data)),
        ]
    }

    // There are as many rows of indices as values, all within the shape.
    fn plan_sparse(&mut self) -> FixedFields {
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
        let indices = [("type", self.tensor_type(&[rows, rank as i64], i64_type))]
            .map(|(k, v)| (k, GeneratedField::Type(v)));
        let fixed = indices.into_iter().chain([("data", GeneratedField::Blob(bytes))]).collect();
        let indices = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", fixed);
        let values_type = self.tensor_type(&[rows], element);
        let data = self.data(element, &[rows]);
        let fixed = vec![("type", GeneratedField::Type(values_type)), ("data", GeneratedField::Blob(data))];
        let values = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", fixed);
        vec![
            ("type", GeneratedField::Type(r#type)),
            ("indices", GeneratedField::Attribute(indices)),
            ("values", GeneratedField::Attribute(values)),
        ]
    }

    pub(super) fn plan_builtin_type(&mut self, name: &str, layout: usize) -> FixedFields {
        match name {
            "IntegerType" => {
                let width = match self.noise.below(4) {
                    0 => (1 << 24) - 1 - u64::from(self.noise.byte()),
                    _ => self.noise.pick(&WIDTHS).unwrap_or(32),
                };
                vec![("widthAndSign", GeneratedField::Number(width << 2 | self.noise.below(3) as u64))]
            }
            "ComplexType" => {
                let part = if self.noise.one_in(2) { self.any_integer_type() } else { self.float_type() };
                vec![("elementType", GeneratedField::Type(part))]
            }
            "MemRefType" | "MemRefTypeWithMemSpace" => {
                let shape = self.shape();
                let element = self.number_type();
                let layout = self.memory_layout(shape.len());
                let mut fixed = vec![
                    ("shape", list(&shape)),
                    ("elementType", GeneratedField::Type(element)),
                    ("layout", GeneratedField::Attribute(layout)),
                ];
                if name == "MemRefTypeWithMemSpace" {
                    fixed.push(("memorySpace", GeneratedField::Attribute(self.memory_space())));
                }
                fixed
            }
            "UnrankedMemRefType" => vec![("elementType", GeneratedField::Type(self.number_type()))],
            "UnrankedMemRefTypeWithMemSpace" => {
                let element = self.number_type();
                vec![
                    ("memorySpace", GeneratedField::Attribute(self.memory_space())),
                    ("elementType", GeneratedField::Type(element)),
                ]
            }
            "RankedTensorType" | "RankedTensorTypeWithEncoding" => {
                let shape = self.shape();
                vec![("shape", list(&shape)), ("elementType", GeneratedField::Type(self.tensor_element()))]
            }
            "UnrankedTensorType" => vec![("elementType", GeneratedField::Type(self.tensor_element()))],
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

    fn plan_vector(&mut self, name: &str, layout: usize) -> FixedFields {
        let is_scalable = name == "VectorTypeWithScalableDims";
        let rank = if is_scalable { 1 + self.noise.below(3) } else { self.noise.below(4) };
        // Sizes above 1 cannot be mistaken for the booleans of another layout.
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
        let mut fixed = vec![("shape", list(&shape)), ("elementType", GeneratedField::Type(element))];
        if is_scalable && layout == 0 {
            let mut flags: Vec<GeneratedField> =
                (0..rank).map(|_| GeneratedField::Bool(self.noise.one_in(2))).collect();
            flags[0] = GeneratedField::Bool(
                flags.iter().all(|flag| *flag == GeneratedField::Bool(false)) || self.noise.one_in(2),
            );
            fixed.push(("scalable", GeneratedField::List(rank as u32, flags)));
        } else if is_scalable && layout == 1 {
            fixed.push(("numScalable", GeneratedField::Number(1 + self.noise.below(rank) as u64)));
        }
        fixed
    }

    // A layout with that number of dimensions; rows of maps were added after LLVM 22.
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
        self.make(
            Sort::Attribute,
            "builtin",
            "AffineMapAttr",
            vec![("map", GeneratedField::Blob(sink.into_bytes()))],
        )
    }

    // MLIR treats a zero of an integer type as the absence of a memory space.
    fn memory_space(&mut self) -> u32 {
        match self.noise.below(3) {
            0 => self.integer_attribute(64, 3),
            1 => self.integer_attribute(32, 1),
            _ => self.string_attribute(),
        }
    }
}
