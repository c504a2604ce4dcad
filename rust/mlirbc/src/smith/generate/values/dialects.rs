//! Plans of attributes and types of other dialects.

use crate::attr::text::dense;
use crate::dialect::entries::bits_of;
use crate::format::id::TypeId;

use super::super::{FixedFields, GeneratedField, Generator, Sort};
use super::{SDY_AXES, VHLO_FLOATS, VHLO_INTEGERS, float, list};

impl Generator<'_> {
    pub(super) fn plan_quantized(&mut self, name: &str) -> FixedFields {
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
        let mut fixed = vec![
            ("flags", GeneratedField::Number(is_signed.into())),
            ("storageType", GeneratedField::Type(storage)),
            ("expressedType", GeneratedField::Type(expressed)),
            ("storageTypeMin", GeneratedField::Signed(least + narrower)),
            ("storageTypeMax", GeneratedField::Signed(most - narrower)),
        ];
        match name {
            "AnyQuantizedType" => fixed.retain(|(name, _)| *name != "expressedType"),
            "CalibratedQuantizedType" => {
                fixed.retain(|(name, _)| *name == "expressedType");
                let (min, max) =
                    (-(self.noise.below(100) as f64) / 3.0, self.noise.below(1000) as f64 / 8.0 + 0.5);
                fixed.extend([("min", float(min)), ("max", float(max))]);
            }
            "UniformQuantizedType" => {
                let scale = GeneratedField::Words(vec![self.scale()]);
                fixed.extend([("scale", scale), ("zeroPoint", GeneratedField::Signed(self.zero_point()))]);
            }
            "UniformQuantizedPerAxisType" => {
                let count = 1 + self.noise.below(4);
                let scales = (0..count).map(|_| GeneratedField::Words(vec![self.scale()])).collect();
                let zeros = (0..count).map(|_| GeneratedField::Signed(self.zero_point())).collect();
                fixed.extend([
                    ("quantizedDimension", GeneratedField::Number(self.noise.below(4) as u64)),
                    ("scales", GeneratedField::List(count as u32, scales)),
                    ("zeroPoints", GeneratedField::List(count as u32, zeros)),
                ]);
            }
            "UniformQuantizedSubChannelType" => fixed.extend(self.sub_channel(storage, expressed)),
            _ => {}
        }
        fixed
    }

    fn zero_point(&mut self) -> i64 {
        self.noise.pick(&[0, 1, -1, 5]).unwrap_or(0)
    }

    fn sub_channel(&mut self, storage: u32, expressed: u32) -> FixedFields {
        let rank = 1 + self.noise.below(3);
        let shape: Vec<i64> = (0..rank).map(|_| 1 + self.noise.below(3) as i64).collect();
        let axes = 1 + self.noise.below(rank);
        let dimensions: Vec<i64> = (0..axes as i64).collect();
        let sizes: Vec<i64> = (0..axes).map(|_| 1 + self.noise.below(4) as i64).collect();
        let scales_type = self.tensor_type(&shape, expressed);
        let zeros_type = self.tensor_type(&shape, storage);
        let count = dense::count(&shape);
        // The two bytes are a positive number in every 16-bit format.
        let size = bits_of(self, TypeId::new(expressed)).unwrap_or(32) as usize / 8;
        let scale_bytes: Vec<u8> = match size {
            8 => self.scale().to_le_bytes().to_vec(),
            4 => (f64::from_bits(self.scale()) as f32).to_le_bytes().to_vec(),
            _ => vec![0x80, 0x3f],
        };
        let data = scale_bytes.repeat(count as usize);
        let fixed = vec![("type", GeneratedField::Type(scales_type)), ("data", GeneratedField::Blob(data))];
        let scales = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", fixed);
        let width = bits_of(self, TypeId::new(storage)).unwrap_or(8);
        let bytes = width.div_ceil(8) as usize;
        let zeros: Vec<u8> =
            (0..count).flat_map(|at| (at as i32 % 3 - 1).to_le_bytes().into_iter().take(bytes)).collect();
        let fixed = vec![("type", GeneratedField::Type(zeros_type)), ("data", GeneratedField::Blob(zeros))];
        let zeros = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", fixed);
        vec![
            ("quantizedDimensions", list(&dimensions)),
            ("blockSizes", list(&sizes)),
            ("scales", GeneratedField::Attribute(scales)),
            ("zeroPoints", GeneratedField::Attribute(zeros)),
        ]
    }

    pub(super) fn plan_llvm(&mut self, name: &str) -> FixedFields {
        match name {
            // References to the attribute itself are numbers.
            "DICompositeTypeAttr" | "DISubprogramAttr" => {
                if self.noise.one_in(2) {
                    return vec![
                        ("recId", GeneratedField::Absent),
                        ("isRecSelf", GeneratedField::Bool(false)),
                    ];
                }
                let id = self.make(Sort::Attribute, "builtin", "DistinctAttr", Vec::new());
                vec![("recId", GeneratedField::Attribute(id))]
            }
            "DISubrangeAttr" => {
                let mut fixed = FixedFields::new();
                for field in ["count", "lowerBound", "upperBound", "stride"] {
                    let value = self.noise.number() as i64 as u64;
                    let is_there = !self.noise.one_in(3);
                    fixed.push((
                        field,
                        match is_there {
                            true => GeneratedField::Attribute(self.integer_attribute(64, value)),
                            false => GeneratedField::Absent,
                        },
                    ));
                }
                fixed
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
                let mut fixed = FixedFields::new();
                for (field, text) in NESTED {
                    let is_there = self.noise.one_in(3);
                    let value =
                        is_there.then(|| GeneratedField::Attribute(self.text(Sort::Attribute, "llvm", text)));
                    fixed.push((field, value.unwrap_or(GeneratedField::Absent)));
                }
                for field in ["disableNonforced", "mustProgress", "isVectorized"] {
                    let flag = self.noise.below(3) as u64;
                    let value =
                        (flag < 2).then(|| GeneratedField::Attribute(self.integer_attribute(1, flag)));
                    fixed.push((field, value.unwrap_or(GeneratedField::Absent)));
                }
                fixed.push(("parallelAccesses", GeneratedField::List(0, Vec::new())));
                fixed
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

    fn vhlo_array(&mut self, items: Vec<GeneratedField>) -> u32 {
        let fixed = vec![("value", GeneratedField::List(items.len() as u32, items))];
        self.make(Sort::Attribute, "vhlo", "ArrayV1Attr", fixed)
    }

    pub(super) fn plan_vhlo_attribute(&mut self, name: &str) -> FixedFields {
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
                        vec![("value", GeneratedField::String(key))],
                    );
                    let value = self.any_attribute("vhlo");
                    pairs.extend([GeneratedField::Attribute(key), GeneratedField::Attribute(value)]);
                }
                vec![("value", GeneratedField::List(count as u32, pairs))]
            }
            "FloatV1Attr" => {
                let name = self.noise.pick(&VHLO_FLOATS).unwrap_or("FloatF32V1Type");
                vec![("type", GeneratedField::Type(self.make(Sort::Type, "vhlo", name, Vec::new())))]
            }
            "IntegerV1Attr" => {
                let name = self.noise.pick(&VHLO_INTEGERS).unwrap_or("IntegerSI32V1Type");
                vec![("type", GeneratedField::Type(self.make(Sort::Type, "vhlo", name, Vec::new())))]
            }
            "TensorV1Attr" => {
                let element = self.vhlo_scalar();
                let shape = self.static_shape();
                let fixed = vec![("shape", list(&shape)), ("elementType", GeneratedField::Type(element))];
                let r#type = self.make(Sort::Type, "vhlo", "RankedTensorV1Type", fixed);
                let data = self.data(element, &shape);
                vec![("type", GeneratedField::Type(r#type)), ("data", GeneratedField::Blob(data))]
            }
            "AxisRefV1Attr" => {
                vec![("has_sub_axis_info", GeneratedField::Number(self.noise.below(2) as u64))]
            }
            "MeshAxisV1Attr" => vec![("name", GeneratedField::Attribute(self.vhlo_string()))],
            "MeshV1Attr" => {
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    GeneratedField::Attribute(self.make(
                        Sort::Attribute,
                        "vhlo",
                        "MeshAxisV1Attr",
                        Vec::new(),
                    ))
                });
                let axes = axes.collect();
                vec![("axes", GeneratedField::Attribute(self.vhlo_array(axes)))]
            }
            "ReplicaGroupMeshAxesV1Attr" => {
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    GeneratedField::Attribute(self.make(Sort::Attribute, "vhlo", "AxisRefV1Attr", Vec::new()))
                });
                let axes = axes.collect();
                let mesh = match self.noise.below(2) {
                    0 => self.vhlo_string(),
                    _ => self.make(Sort::Attribute, "vhlo", "MeshV1Attr", Vec::new()),
                };
                vec![
                    ("mesh", GeneratedField::Attribute(mesh)),
                    ("axes", GeneratedField::Attribute(self.vhlo_array(axes))),
                ]
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn plan_vhlo_type(&mut self, name: &str) -> FixedFields {
        match name {
            "ComplexV1Type" => {
                let part = self.noise.pick(&["FloatF32V1Type", "FloatF64V1Type"]).unwrap_or("FloatF32V1Type");
                vec![("elementType", GeneratedField::Type(self.make(Sort::Type, "vhlo", part, Vec::new())))]
            }
            "RankedTensorV1Type" | "RankedBufferV1Type" => {
                let shape = self.shape();
                vec![("shape", list(&shape)), ("elementType", GeneratedField::Type(self.vhlo_scalar()))]
            }
            "RankedTensorV1TypeWithEncoding" => {
                let bounds: Vec<i64> = self.shape();
                let fixed = vec![("bounds", list(&bounds))];
                let encoding = self.make(Sort::Attribute, "vhlo", "TypeExtensionsV1Attr", fixed);
                vec![
                    ("encoding", GeneratedField::Attribute(encoding)),
                    ("shape", list(&bounds)),
                    ("elementType", GeneratedField::Type(self.vhlo_scalar())),
                ]
            }
            "UnrankedTensorV1Type" => vec![("elementType", GeneratedField::Type(self.vhlo_scalar()))],
            "UniformQuantizedV1Type" | "UniformQuantizedPerAxisV1Type" => {
                let storage = self.make(Sort::Type, "vhlo", "IntegerSI8V1Type", Vec::new());
                let expressed = self.make(Sort::Type, "vhlo", "FloatF32V1Type", Vec::new());
                let mut fixed = vec![
                    ("flags", GeneratedField::Number(1)),
                    ("storageType", GeneratedField::Type(storage)),
                    ("expressedType", GeneratedField::Type(expressed)),
                    ("storageTypeMin", GeneratedField::Signed(-128)),
                    ("storageTypeMax", GeneratedField::Signed(127)),
                ];
                if name == "UniformQuantizedV1Type" {
                    let scale = GeneratedField::Words(vec![self.scale()]);
                    fixed
                        .extend([("scale", scale), ("zeroPoint", GeneratedField::Signed(self.zero_point()))]);
                    return fixed;
                }
                let count = 1 + self.noise.below(3);
                let scales = (0..count).map(|_| GeneratedField::Words(vec![self.scale()])).collect();
                let zeros = (0..count).map(|_| GeneratedField::Signed(self.zero_point())).collect();
                fixed.extend([
                    ("quantizedDimension", GeneratedField::Number(self.noise.below(4) as u64)),
                    ("scales", GeneratedField::List(count as u32, scales)),
                    ("zeroPoints", GeneratedField::List(count as u32, zeros)),
                ]);
                fixed
            }
            _ => Vec::new(),
        }
    }

    // ---- Shardy ----

    pub(super) fn plan_sdy(&mut self, name: &str) -> FixedFields {
        match name {
            "MeshAxisAttr" => {
                let name = self.noise.pick(&SDY_AXES).unwrap_or(b"x");
                let size = self.noise.pick(&[2, 1, 4, 8]).unwrap_or(2);
                vec![
                    ("name", GeneratedField::String(self.intern_string(name))),
                    ("size", GeneratedField::Signed(size)),
                ]
            }
            "MeshAttr" => self.sdy_mesh(),
            "SubAxisInfoAttr" => {
                let pre_size = self.noise.pick(&[1, 2, 4, 1 << 40]).unwrap_or(1);
                vec![("pre_size", GeneratedField::Signed(pre_size)), ("size", GeneratedField::Signed(2))]
            }
            "DimensionShardingAttr" => {
                let priority = self.noise.pick(&[0, 1, 3, 12, 1 << 40]).unwrap_or(0);
                let is_there = self.noise.one_in(2);
                vec![(
                    "priority",
                    if is_there { GeneratedField::Number(priority) } else { GeneratedField::Absent },
                )]
            }
            // The encoding has to be the one that its writer selects.
            "TensorShardingAttr" => vec![("mesh_or_ref", self.sdy_mesh_or_ref())],
            "TensorShardingAttrV2" | "TensorShardingAttrV3" => {
                let axis = self.make(Sort::Attribute, "sdy", "AxisRefAttr", Vec::new());
                let mut fixed = vec![
                    ("mesh_or_ref", self.sdy_mesh_or_ref()),
                    ("unreduced_axes", GeneratedField::List(1, vec![GeneratedField::Attribute(axis)])),
                ];
                if name == "TensorShardingAttrV3" {
                    fixed.push(("reduction_op", GeneratedField::Signed(1 + self.noise.below(2) as i64)));
                }
                fixed
            }
            "TensorShardingPerValueAttr" => {
                let count = self.noise.below(3);
                vec![("shardings", self.sdy_shardings(count, "TensorShardingAttr"))]
            }
            "TensorShardingPerValueAttrV2" => {
                let count = 1 + self.noise.below(2);
                vec![("shardings", self.sdy_shardings(count, "TensorShardingAttrV2"))]
            }
            "DimMappingAttr" => {
                let count = 1 + self.noise.below(2);
                vec![("factor_indices", self.sdy_factors(count))]
            }
            "OpShardingRuleAttr" => {
                let count = self.noise.below(3);
                let sizes: Vec<i64> = (0..20).take(10 * count).map(|place| 1 + place % 5).collect();
                let mut fixed = vec![("factor_sizes", list(&sizes))];
                for field in [
                    "reduction_factors",
                    "need_replication_factors",
                    "permutation_factors",
                    "blocked_propagation_factors",
                ] {
                    let count = self.noise.below(3);
                    fixed.push((field, self.sdy_factors(count)));
                }
                fixed
            }
            _ => Vec::new(),
        }
    }

    fn sdy_factors(&mut self, count: usize) -> GeneratedField {
        let factors: Vec<i64> =
            (0..count).map(|_| self.noise.pick(&[0, 1, 2, 17, 18, 30]).unwrap_or(0)).collect();
        list(&factors)
    }

    fn sdy_shardings(&mut self, count: usize, name: &str) -> GeneratedField {
        let items = (0..count)
            .map(|_| GeneratedField::Attribute(self.make(Sort::Attribute, "sdy", name, Vec::new())));
        GeneratedField::List(count as u32, items.collect())
    }

    fn sdy_mesh_or_ref(&mut self) -> GeneratedField {
        GeneratedField::Attribute(match self.noise.below(3) {
            0 => self.make(Sort::Attribute, "sdy", "MeshAttr", Vec::new()),
            _ => self.make(Sort::Attribute, "builtin", "FlatSymbolRefAttr", Vec::new()),
        })
    }

    /// An empty mesh, a mesh with a single device, or a mesh with axes of different names.
    fn sdy_mesh(&mut self) -> FixedFields {
        let (count, ids): (usize, &[i64]) = match self.noise.below(5) {
            0 => (0, &[]),
            1 => (0, &[3]),
            2 => (2, &[3, 1, 2, 0]),
            // Identifiers in ascending order are omitted when they are read.
            3 if self.noise.one_in(4) => (2, &[0, 1, 2, 3]),
            _ => (1 + self.noise.below(3), &[]),
        };
        let mut axes = Vec::new();
        for name in SDY_AXES.into_iter().take(count) {
            let fixed = vec![
                ("name", GeneratedField::String(self.intern_string(name))),
                ("size", GeneratedField::Signed(2)),
            ];
            axes.push(GeneratedField::Attribute(self.make(Sort::Attribute, "sdy", "MeshAxisAttr", fixed)));
        }
        vec![("axes", GeneratedField::List(axes.len() as u32, axes)), ("device_ids", list(ids))]
    }

    pub(super) fn plan_stablehlo(&mut self, name: &str) -> FixedFields {
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
                let mut fixed = FixedFields::new();
                for [batch, feature, spatial] in FIELDS {
                    let mut dimensions: Vec<i64> = (0..rank as i64).collect();
                    for at in 0..rank {
                        let swapped = self.noise.below(rank);
                        dimensions.swap(at, swapped);
                    }
                    let spatial_dimensions = dimensions.split_off(2);
                    fixed.extend([
                        (batch, GeneratedField::Signed(dimensions[0])),
                        (feature, GeneratedField::Signed(dimensions[1])),
                        (spatial, list(&spatial_dimensions)),
                    ]);
                }
                fixed
            }
            "ArgResultAliasAttr" => vec![("isMustAlias", GeneratedField::Number(self.noise.below(2) as u64))],
            "DotAlgorithmAttr" => {
                let float = |this: &mut Self| GeneratedField::Type(this.float_type());
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
                    GeneratedField::Attribute(self.make(
                        Sort::Attribute,
                        "stablehlo",
                        "AxisRefAttr",
                        Vec::new(),
                    ))
                });
                let axes = axes.collect();
                vec![
                    ("mesh", GeneratedField::Attribute(mesh)),
                    ("axes", GeneratedField::List(count as u32, axes)),
                ]
            }
            "MeshAttr" => {
                let count = self.noise.below(3);
                let axes = (0..count).map(|_| {
                    GeneratedField::Attribute(self.make(
                        Sort::Attribute,
                        "stablehlo",
                        "MeshAxisAttr",
                        Vec::new(),
                    ))
                });
                let axes = GeneratedField::List(count as u32, axes.collect());
                let axes = self.make(Sort::Attribute, "builtin", "ArrayAttr", vec![("value", axes)]);
                let i64_type = self.integer_type(64, 0);
                let r#type = self.tensor_type(&[2], i64_type);
                let data = [0_u64, 1].iter().flat_map(|id| id.to_le_bytes()).collect();
                let fixed =
                    vec![("type", GeneratedField::Type(r#type)), ("data", GeneratedField::Blob(data))];
                let ids = self.make(Sort::Attribute, "builtin", "DenseIntOrFPElementsAttr", fixed);
                let has_ids = self.noise.one_in(2);
                let ids = if has_ids { GeneratedField::Attribute(ids) } else { GeneratedField::Absent };
                vec![
                    ("axes", GeneratedField::Attribute(axes)),
                    ("has_device_ids", GeneratedField::Bool(has_ids)),
                    ("device_ids", ids),
                ]
            }
            _ => Vec::new(),
        }
    }
}
