//! The options for dialect versions, for commands that write modules.

use clap::Args;
use mlirbc::WriteOptions;
use mlirbc::write::DialectVersion;

#[derive(Debug, Args)]
pub(crate) struct DialectVersions {
    /// The version of a dialect in the output, e.g. `vhlo=1.0.0`; may be given for several dialects
    #[arg(long, value_name = "NAME=V", value_parser = dialect_version)]
    dialect_version: Vec<(String, DialectVersion)>,

    /// Write versions of dialects that are newer than their tables know
    #[arg(long, requires = "dialect_version")]
    allow_newer_versions: bool,
}

fn dialect_version(text: &str) -> Result<(String, DialectVersion), String> {
    let (name, version) = text.split_once('=').ok_or("it has the form `NAME=V`, e.g. `vhlo=1.0.0`")?;
    Ok((name.to_owned(), version.parse().map_err(|error: mlirbc::Error| error.to_string())?))
}

impl DialectVersions {
    /// Adds the versions to the options of writing.
    pub(crate) fn apply(&self, options: WriteOptions) -> WriteOptions {
        options.dialect_versions(self.dialect_version.clone()).allow_newer_versions(self.allow_newer_versions)
    }
}
