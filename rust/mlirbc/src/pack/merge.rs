//! Several releases of a project in one pack: rows that are equal in several releases are stored once.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::Pack;
use super::header::PackHeader;
use super::make::write_row;
use super::row::RowKind;
use super::seal::sealed;
use crate::wire::error::{Error, ErrorKind, Result};

/// The releases of a row by their places, and where the newest one defines it.
#[derive(Default)]
struct MergedRow {
    releases: Vec<usize>,
    source: Option<Json>,
}

type MergedRows = BTreeMap<(RowKind, String, String), MergedRow>;

impl Pack {
    /// Writes a pack that has the releases of this pack, and after them the releases of a newer one.
    ///
    /// ```
    /// use mlirbc::pack::Pack;
    /// let text = |release: &str, summary: &str| format!(
    ///     "{{\"format\":\"mlirbc-pack/1\",\"name\":\"m\",\"releases\":[{{\"name\":\"{release}\",\"llvm\":\"llvm-22\"}}]}}\n\
    ///      {{\"op\":\"m.a\",\"summary\":\"{summary}\"}}\n{{\"op\":\"m.b\"}}\n"
    /// );
    /// let limits = mlirbc::Limits::default();
    /// let open = |text: String| Pack::from_bytes(text.as_bytes(), &limits);
    /// let both = open(open(text("m-1", "old"))?.with_newer(&open(text("m-2", "new"))?)?)?;
    /// assert_eq!(both.header().releases.len(), 2);
    /// assert_eq!(both.header().rows, Some(3));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Pack`] if both packs have a release, they are of two projects, or there are too many releases.
    #[doc(hidden)]
    pub fn with_newer(&self, newer: &Self) -> Result<String> {
        if self.header.name != newer.header.name {
            let message =
                format!("a pack of `{}` cannot have releases of `{}`", newer.header.name, self.header.name);
            return Err(Error::message(ErrorKind::Pack, message)
                .with_hint("choose the name of the project with `--name`"));
        }
        let releases = [&*self.header.releases, &newer.header.releases].concat();
        let mut header = PackHeader::new(&self.header.name, releases)?;
        let mut rows = MergedRows::new();
        self.add_to(&mut rows, 0);
        newer.add_to(&mut rows, self.header.releases.len());
        header.rows = Some(rows.len() as u64);
        let count = header.releases.len();
        let mut text = String::new();
        for ((kind, name, json), merged) in rows {
            let mut fields: Map<String, Json> = serde_json::from_str(&json).unwrap_or_default();
            fields.extend(merged.source.map(|source| ("at".to_owned(), source)));
            if merged.releases.len() < count {
                fields.insert("in".to_owned(), json!(merged.releases));
            }
            write_row(&mut text, kind, &name, &fields);
        }
        Ok(sealed(header, &text))
    }

    fn add_to(&self, rows: &mut MergedRows, first: usize) {
        for row in &self.rows {
            let mut fields = row.fields();
            fields.remove(row.kind.key());
            // A definition that only moved in its file is the same.
            let source = fields.remove("at");
            let merged =
                rows.entry((row.kind, row.name.to_string(), Json::Object(fields).to_string())).or_default();
            merged.releases.extend(row.releases().map(|place| first + place));
            merged.source = source.or(merged.source.take());
        }
    }
}
