//! The differences of numbers in two constants or weights of one type.

use std::ops::Range;

use serde::Serialize;

use crate::attr::Attribute;
use crate::attr::FieldValue;
use crate::attr::float::FloatFormat;
use crate::attr::text::dense::{self, Dense, Element};
use crate::format::id::TypeId;
use crate::format::resource::ResourcePayload;
use crate::ir::Module;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

/// How the elements of two constants differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementsDifference {
    /// The type of the elements.
    pub dtype: String,
    /// The sizes of the dimensions.
    pub shape: Vec<i64>,
    /// The number of elements.
    pub count: u64,
    /// The number of elements that differ.
    pub changed: u64,
    /// The largest absolute difference; `None` if one is not a number.
    pub max: Option<f64>,
    /// The mean of the absolute differences of all elements; `None` if one is not a number.
    pub mean: Option<f64>,
}

/// The bytes of elements, either in memory or in a resource, which is read in chunks.
enum Data<'m> {
    Bytes(Bytes),
    File(&'m Module, Range<u64>),
}

impl Data<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, range) => range.end - range.start,
        }
    }

    fn get(&self, from: u64, to: u64) -> Result<Bytes> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.slice(from as usize..to as usize)),
            Self::File(module, range) => module.source().get(range.start + from..range.start + to),
        }
    }
}

struct Elements<'m> {
    element: Element,
    name: String,
    shape: Vec<i64>,
    count: u64,
    is_splat: bool,
    data: Data<'m>,
}

/// The number of bytes that are compared at a time: a multiple of the size of every element.
const STEP: u64 = 3 << 20;

/// The difference of two dense constants with elements of one type and one shape; `None` for anything else.
///
/// # Errors
/// If a resource cannot be read.
pub(super) fn difference(
    a: (&Module, &Attribute),
    b: (&Module, &Attribute),
) -> Result<Option<ElementsDifference>> {
    let (Some(a), Some(b)) = (elements(a)?, elements(b)?) else { return Ok(None) };
    if a.element != b.element
        || a.shape != b.shape
        || matches!(a.element, Element::Complex(_))
        || a.element.is_bool()
    {
        return Ok(None);
    }
    let size = a.element.storage() as u64;
    let count = a.count;
    let whole = |side: &Elements<'_>| side.data.len() == if side.is_splat { size } else { count * size };
    if size == 0 || !whole(&a) || !whole(&b) {
        return Ok(None);
    }
    let (mut changed, mut sum, mut most, mut is_number) = (0_u64, 0.0, 0.0_f64, true);
    let step = STEP / size * size;
    let mut done = 0;
    while done < count * size {
        let next = (count * size).min(done + step);
        let part = |side: &Elements<'_>| {
            side.data.get(if side.is_splat { 0 } else { done }, if side.is_splat { size } else { next })
        };
        let (x, y) = (part(&a)?, part(&b)?);
        if a.is_splat == b.is_splat && x == y {
            done = next;
            if a.is_splat {
                break;
            }
            continue;
        }
        let item = |bytes: &Bytes, is_splat: bool, at: usize| {
            let at = if is_splat { 0 } else { at };
            let mut word = [0_u8; 16];
            let from = bytes.get(at..at + size as usize).unwrap_or_default();
            word.get_mut(..from.len()).unwrap_or_default().copy_from_slice(from);
            u128::from_le_bytes(word)
        };
        for at in (0..(next - done) as usize).step_by(size as usize) {
            let (l, r) = (item(&x, a.is_splat, at), item(&y, b.is_splat, at));
            if l == r {
                continue;
            }
            changed += 1;
            let distance = (value(a.element, l) - value(a.element, r)).abs();
            is_number &= distance.is_finite();
            most = most.max(distance);
            sum += distance;
        }
        done = next;
    }
    Ok(Some(ElementsDifference {
        dtype: a.name,
        shape: a.shape,
        count,
        changed,
        max: is_number.then_some(most),
        mean: is_number.then_some(sum / count.max(1) as f64),
    }))
}

fn value(element: Element, bits: u128) -> f64 {
    let width = element.bits().clamp(1, 128);
    match element {
        Element::Float(semantics) => FloatFormat::from(semantics).decode(bits),
        Element::Unsigned(_) => bits as f64,
        _ => (((bits << (128 - width)) as i128) >> (128 - width)) as f64,
    }
}

fn elements<'m>((module, value): (&'m Module, &Attribute)) -> Result<Option<Elements<'m>>> {
    let is_resource = match value.class() {
        // Tensors of VHLO have the same fields.
        Some("DenseIntOrFPElementsAttr" | "TensorV1Attr") => false,
        Some("DenseResourceElementsAttr") => true,
        _ => return Ok(None),
    };
    let (mut r#type, mut data) = (None, None);
    for (_, field) in value.fields()? {
        match field {
            FieldValue::Type(value) => r#type = Some(value),
            FieldValue::Blob(bytes) if !is_resource => data = Some(Data::Bytes(bytes)),
            FieldValue::Resource(key) => {
                let mut matches = module.resources_named(&key)?.filter(|resource| !resource.is_external());
                let payload = matches.next().map(|resource| resource.payload()).transpose()?.flatten();
                if let Some(ResourcePayload::Blob { range, .. }) = payload {
                    data = Some(Data::File(module, range));
                }
            }
            _ => {}
        }
    }
    let (Some(r#type), Some(data)) = (r#type, data) else { return Ok(None) };
    let view = r#type.0.home.view()?;
    let index = r#type.0.of.index();
    let Some(inner) = dense::element_type(&view, TypeId::new(index)) else { return Ok(None) };
    let (Some(element), Some(shape)) =
        (dense::element(&view, inner), dense::shape(&view, TypeId::new(index)))
    else {
        return Ok(None);
    };
    let count = dense::count(&shape);
    let is_splat = match &data {
        Data::Bytes(bytes) => {
            Dense::new(&view, TypeId::new(index), bytes).is_some_and(|dense| dense.is_splat)
        }
        Data::File(..) => false,
    };
    let name = match element {
        Element::Signless(width) => format!("i{width}"),
        Element::Signed(width) => format!("si{width}"),
        Element::Unsigned(width) => format!("ui{width}"),
        Element::Index => "index".to_owned(),
        Element::Float(semantics) => FloatFormat::from(semantics).name().to_owned(),
        Element::Complex(_) => "complex".to_owned(),
    };
    Ok((count < 1 << 60).then_some(Elements { element, name, shape, count, is_splat, data }))
}
