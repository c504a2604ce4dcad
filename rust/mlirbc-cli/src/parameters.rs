//! Lists of tensors in files without a program, for `info` and `weights`.

use std::io::Write;

use mlirbc::tool::{ParameterFile, ParameterFormat, StoredTensor};
use serde::Serialize;

use crate::input::Input;
use crate::output::{self, Column, Out, TextTable};
use crate::problem::Problem;
use crate::text::{count, printable, shown};

/// The output of `info --json`.
#[derive(Serialize)]
struct ParameterInfo<'p> {
    format: ParameterFormat,
    file_size: u64,
    tensors: &'p [StoredTensor],
}

/// Writes what `info` shows.
pub(crate) fn write_info(
    input: &Input,
    file: &ParameterFile,
    is_json: bool,
    out: &mut Out,
) -> Result<(), Problem> {
    let (format, file_size, tensors) = (file.format(), file.file_size(), file.tensors());
    if is_json {
        return Ok(output::document(out, input, &ParameterInfo { format, file_size, tensors })?);
    }
    writeln!(out, "{}: {format}, {}", printable(&input.name()), count(file_size, "byte"))?;
    writeln!(out)?;
    write_table(&tensors.iter().collect::<Vec<_>>(), out)
}

/// Writes what `weights` lists.
pub(crate) fn write_list(
    input: &Input,
    tensors: &[&StoredTensor],
    is_json: bool,
    out: &mut Out,
) -> Result<(), Problem> {
    if is_json {
        return Ok(output::list(out, input, "weights", &tensors)?);
    }
    write_table(tensors, out)
}

fn write_table(tensors: &[&StoredTensor], out: &mut Out) -> Result<(), Problem> {
    if tensors.is_empty() {
        return Ok(writeln!(out, "no weights")?);
    }
    let columns = ["name", "kind", "dtype", "shape"].map(Column::Text).into_iter();
    let mut rows = TextTable::new(&columns.chain([Column::Number("size")]).collect::<Vec<_>>());
    for tensor in tensors {
        let shape = tensor.shape.as_ref().map_or_else(
            || "-".to_owned(),
            |shape| shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x"),
        );
        rows.add([
            shown(tensor.name.as_bytes()),
            tensor.storage.name().to_owned(),
            tensor.dtype.as_deref().map_or_else(|| "-".to_owned(), |dtype| shown(dtype.as_bytes())),
            shape,
            tensor.size.to_string(),
        ]);
    }
    rows.write(out)?;
    let total = tensors.iter().fold(0u64, |sum, tensor| sum.saturating_add(tensor.size));
    let number = tensors.len() as u64;
    Ok(writeln!(out, "{}, {}", count(number, "weight"), count(total, "byte"))?)
}
