//! Writes Parquet files from an Arrow stream with the crates of the Arrow project, which need the cargo
//! feature `parquet`.

use crate::output::Out;
use crate::problem::Problem;

/// Refuses the command if this program was built without the feature.
pub(crate) fn check() -> Result<(), Problem> {
    if cfg!(feature = "parquet") {
        return Ok(());
    }
    let help = "build it with `cargo install mlirbc-cli --features parquet`, or write `--format arrow`, of which \
                pyarrow, Polars and DuckDB make Parquet";
    Err(Problem::usage("this program was built without Parquet", help))
}

/// Converts the Arrow stream of `write_stream` to Parquet; the stream goes to a temporary file first.
/// `write_stream` also returns whether there is a stream.
#[cfg(feature = "parquet")]
pub(crate) fn write(
    out: &mut Out,
    write_stream: impl FnOnce(&mut Out) -> (bool, Result<(), Problem>),
) -> Result<(), Problem> {
    use std::io::{self, BufReader, Seek, Write};

    let unwritten =
        |error: io::Error| Problem::Unwritten(mlirbc::Error::io("cannot write a temporary file", error));
    let mut stream = tempfile::tempfile().map_err(unwritten)?;
    let mut sink = crate::output::to_open_file(stream.try_clone().map_err(unwritten)?);
    let (has_stream, done) = write_stream(&mut sink);
    sink.flush().map_err(unwritten)?;
    if !has_stream {
        return done;
    }
    stream.rewind().map_err(unwritten)?;
    let mut file = tempfile::tempfile().map_err(unwritten)?;
    convert(BufReader::new(stream), file.try_clone().map_err(unwritten)?).map_err(unwritten)?;
    file.rewind().map_err(unwritten)?;
    io::copy(&mut file, out)?;
    done
}

#[cfg(feature = "parquet")]
fn convert(stream: impl std::io::Read, file: std::fs::File) -> std::io::Result<()> {
    use std::io::Error;

    use arrow_ipc::reader::StreamReader;
    use parquet::arrow::ArrowWriter;
    use parquet::basic::{Compression, GzipLevel};
    use parquet::file::properties::WriterProperties;

    let batches = StreamReader::try_new(stream, None).map_err(Error::other)?;
    let properties =
        WriterProperties::builder().set_compression(Compression::GZIP(GzipLevel::default())).build();
    let mut writer = ArrowWriter::try_new(file, batches.schema(), Some(properties)).map_err(Error::other)?;
    for batch in batches {
        writer.write(&batch.map_err(Error::other)?).map_err(Error::other)?;
    }
    writer.close().map(drop).map_err(Error::other)
}

/// As above; unreachable, because [`check`] refused the command before.
#[cfg(not(feature = "parquet"))]
pub(crate) fn write(
    _: &mut Out,
    _: impl FnOnce(&mut Out) -> (bool, Result<(), Problem>),
) -> Result<(), Problem> {
    check()
}
