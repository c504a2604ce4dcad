//! The known property schemas: shipped ones and registered ones.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::release::{self, KnownRelease, Release, waiting};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;

use super::op_name::OperationName;
use super::schema::PropertySchema;
use super::shipped_ops;

enum RankedSchema {
    Added(Arc<PropertySchema>),
    Shipped(&'static str),
}

static ADDED: RwLock<Vec<Arc<PropertySchema>>> = RwLock::new(Vec::new());

/// Registers a schema for all modules opened from now on, replacing one with the same name.
///
/// ```
/// use mlirbc::props::PropertySchema;
/// let schema = PropertySchema::from_json(r#"{
///     "format": "mlirbc-properties/1", "release": "toy-2", "version": "2.0", "producers": ["TOY2."],
///     "includes": ["llvm-22"], "ops": {"toy.print": {}}
/// }"#)?;
/// mlirbc::props::register_schema(schema);
/// assert!(mlirbc::props::known_releases().contains(&"toy-2".to_owned()));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn register_schema(schema: Arc<PropertySchema>) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.retain(|other| other.name() != schema.name());
    added.push(schema);
}

/// The names of all releases with a schema, sorted.
///
/// ```
/// assert!(mlirbc::props::known_releases().contains(&"llvm-22".to_owned()));
/// ```
pub fn known_releases() -> Vec<String> {
    Schemas::snapshot(&[]).names()
}

impl Release {
    /// Returns all releases that can be selected, sorted by name, registered ones included; [`Release::ANY`] is
    /// not among them.
    ///
    /// ```
    /// use mlirbc::Release;
    /// assert!(Release::known().contains(&Release::named("jaxlib-0.10")));
    /// ```
    pub fn known() -> Vec<Self> {
        known_releases().into_iter().map(Self::named).collect()
    }
}

/// Accepts `any` and the names of known and registered releases.
impl FromStr for Release {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if name == Self::ANY.as_str() {
            return Ok(Self::ANY);
        }
        Schemas::snapshot(&[]).check(name)?;
        Ok(Self::named(name.to_owned()))
    }
}

/// Returns whether a dialect belongs to another project than a known release: neither LLVM nor the release
/// has operations of the dialect. Such a release says nothing about the codes of the dialect.
pub(crate) fn is_of_other_project(name: &str, dialect: &[u8]) -> bool {
    let has = |name: &str| {
        let schema = shipped_schema(name);
        schema.is_some_and(|schema| {
            let mut included = schema.includes().filter_map(shipped_schema);
            schema.has_dialect(dialect) || included.any(|schema| schema.has_dialect(dialect))
        })
    };
    !has(name) && !has("llvm-22")
}

/// The shipped schema with this name.
pub(crate) fn shipped_schema(name: &str) -> Option<Arc<PropertySchema>> {
    static LOADED: OnceLock<Vec<OnceLock<Option<Arc<PropertySchema>>>>> = OnceLock::new();
    let place = shipped_ops::releases().iter().position(|release| release.name == name)?;
    let release = shipped_ops::releases().get(place)?;
    let loaded = LOADED.get_or_init(|| shipped_ops::releases().iter().map(|_| OnceLock::new()).collect());
    // A text that does not load counts as missing; the tests below exclude it.
    let load = || PropertySchema::from_shipped(release.head, release.classes, release.letter);
    loaded.get(place)?.get_or_init(load).clone()
}

/// The schema of an installed pack, which is loaded.
fn installed_schema(name: &str) -> Option<Arc<PropertySchema>> {
    if !waiting::load_for_release(name) {
        return None;
    }
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.iter().find(|schema| schema.name() == name).cloned()
}

/// The schemas of a module; later registrations do not change it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schemas(Vec<Arc<PropertySchema>>);

impl Schemas {
    /// Returns the registered schemas, after `more`.
    pub(crate) fn snapshot(more: &[Arc<PropertySchema>]) -> Self {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        let mut schemas = more.to_vec();
        // The schema that was added last comes first.
        for schema in added.iter().rev() {
            if schemas.iter().all(|other| other.name() != schema.name()) {
                schemas.push(schema.clone());
            }
        }
        Self(schemas)
    }

    fn names(&self) -> Vec<String> {
        let added = self.0.iter().map(|schema| schema.name());
        let mut names: Vec<_> =
            added.chain(shipped_ops::releases().iter().map(|row| row.name)).map(str::to_owned).collect();
        names.extend(waiting::releases());
        sort_by(&mut names, Ord::cmp);
        names.dedup();
        names
    }

    /// The schema of a release.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownRelease`] if it is not known.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<PropertySchema>> {
        let added = self.0.iter().find(|schema| schema.name() == name).cloned();
        let known = added.or_else(|| shipped_schema(name)).or_else(|| installed_schema(name));
        known.ok_or_else(|| self.unknown(name))
    }

    /// Checks that a release is known, without loading its schema.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownRelease`] if it is not.
    pub(crate) fn check(&self, name: &str) -> Result<()> {
        let is_added = self.0.iter().any(|schema| schema.name() == name);
        let is_known = is_added
            || waiting::releases().iter().any(|release| release == name)
            || shipped_ops::releases().iter().any(|row| row.name == name);
        if is_known { Ok(()) } else { Err(self.unknown(name)) }
    }

    #[cold]
    fn unknown(&self, name: &str) -> Error {
        let message = format!("unknown release `{name}`; the known releases are {}", self.names().join(", "));
        Error::message(ErrorKind::UnknownRelease, message)
    }

    /// Finds the schema of the release with this producer string; the longest matching prefix decides. A pack counts only for
    /// files with some of its operations: projects that are built with one revision of LLVM have one producer string. Operations
    /// of StableHLO, which many projects have, do not count.
    pub(crate) fn by_producer(
        &self,
        producer: &[u8],
        names: &[OperationName<'_>],
    ) -> Option<Arc<PropertySchema>> {
        let claims = |release: &KnownRelease| {
            let fitting = release.producers.iter().filter(|prefix| producer.starts_with(prefix.as_bytes()));
            fitting.map(|prefix| prefix.len()).max()
        };
        let known_ops = |schema: &PropertySchema| match schema.is_of_pack() {
            true => names.iter().filter(|name| schema.row_of(name).is_some() && !is_common(name)).count(),
            false => usize::MAX,
        };
        let added = self.0.iter().rev().filter_map(|schema| {
            let len = schema.claims(producer)?;
            let count = known_ops(schema);
            (count > 0).then_some(((len, count), schema))
        });
        let releases = release::releases().unwrap_or_default();
        let shipped = releases.iter().rev().filter_map(|row| Some((claims(row)?, row)));
        // Among equal lengths `max` returns the last schema, which is the preferred one.
        let added = added.max_by_key(|(key, _)| *key).map(|((len, _), schema)| (len, schema));
        let shipped = shipped.max_by_key(|(len, _)| *len);
        match (added, shipped) {
            (Some((len, schema)), other) if other.as_ref().is_none_or(|(other, _)| len >= *other) => {
                Some(schema.clone())
            }
            (_, Some((_, row))) => shipped_schema(&row.name),
            _ => None,
        }
    }

    /// All schemas, preferred ones first.
    pub(crate) fn all(&self) -> Vec<Arc<PropertySchema>> {
        let mut all = self.0.clone();
        let releases = release::releases().unwrap_or_default();
        for row in releases.iter().filter(|row| self.0.iter().all(|schema| *schema.name() != *row.name)) {
            all.extend(shipped_schema(&row.name));
        }
        all
    }

    /// The schemas that have any of these ops, those with more of the ops first; among equal counts, the
    /// preferred schema is first. A shipped schema is loaded when the iterator reaches it.
    pub(crate) fn by_known_ops(
        &self,
        names: &[OperationName<'_>],
    ) -> impl Iterator<Item = Arc<PropertySchema>> {
        let names = || names.iter().filter(|name| name.is_registered != Some(false));
        let added = self.0.iter().map(|schema| {
            let count = names().filter(|name| schema.row_of(name).is_some()).count();
            (count, RankedSchema::Added(schema.clone()))
        });
        let mut ranked: Vec<_> = added.collect();
        let mut counts: HashMap<char, usize> = HashMap::new();
        for name in names() {
            // A release appears in exactly one row; an operation has several rows if releases differ.
            let rows = shipped_ops::named(|other| name.compare_to(other));
            rows.flat_map(|(_, op)| op.letters.chars())
                .for_each(|letter| *counts.entry(letter).or_default() += 1);
        }
        let releases = release::releases().unwrap_or_default();
        for row in releases.iter().filter(|row| self.0.iter().all(|schema| *schema.name() != *row.name)) {
            if let Some(shipped) = shipped_ops::releases().iter().find(|shipped| *shipped.name == *row.name) {
                let count = counts.get(&shipped.letter).copied().unwrap_or_default();
                ranked.push((count, RankedSchema::Shipped(shipped.name)));
            }
        }
        ranked.retain(|row| row.0 > 0);
        sort_by(&mut ranked, |a, b| b.0.cmp(&a.0));
        ranked.into_iter().filter_map(|(_, schema)| match schema {
            RankedSchema::Added(schema) => Some(schema),
            RankedSchema::Shipped(name) => shipped_schema(name),
        })
    }

    /// Returns a schema and the schemas that it includes, each once.
    pub(crate) fn with_includes(&self, schema: Arc<PropertySchema>) -> Result<Vec<Arc<PropertySchema>>> {
        let mut chain = vec![schema];
        let mut next = 0;
        while let Some(schema) = chain.get(next).cloned() {
            next += 1;
            let row = release::find(schema.name())?.filter(|_| schema.includes().len() == 0);
            let more = row.map_or(&[][..], |row| &row.includes).iter().map(|name| &**name);
            for name in schema.includes().chain(more) {
                if chain.iter().all(|known| known.name() != name) {
                    chain.push(self.find(name)?);
                }
            }
        }
        Ok(chain)
    }
}

/// Whether releases of more than three projects have an operation, which then says nothing about the project of a file.
fn is_common(name: &OperationName<'_>) -> bool {
    let rows = shipped_ops::named(|other| name.compare_to(other));
    let letters: Vec<char> = rows.flat_map(|(_, op)| op.letters.chars()).collect();
    let releases = shipped_ops::releases().iter().filter(|release| letters.contains(&release.letter));
    let mut projects: Vec<&str> =
        releases.filter_map(|release| Some(release.name.rsplit_once('-')?.0)).collect();
    projects.sort_unstable();
    projects.dedup();
    projects.len() > 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::id::OpNameId;

    fn file(release: &str) -> serde_json::Value {
        let path = format!("{}/data/releases/{release}.json", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    // Returns the ops of a file as a separate schema, with the classes of the release that the file
    // resembles.
    fn expanded(mut file: serde_json::Value) -> serde_json::Value {
        let like = file["like"].as_str().map(|like| expanded(self::file(like)));
        let rows = file.as_object_mut().unwrap();
        rows.remove("like");
        rows.remove("without");
        if let Some(like) = like {
            let classes = rows["attribute_classes"].as_object_mut().unwrap();
            for (name, class) in like["attribute_classes"].as_object().unwrap() {
                classes.entry(name).or_insert_with(|| class.clone());
            }
        }
        file
    }

    // The number of ops that a file takes over from the release that it resembles.
    fn inherited(file: &serde_json::Value, like: Option<&PropertySchema>) -> usize {
        let gone = |name: &str| {
            let without = file["without"].as_array().into_iter().flatten();
            without.into_iter().any(|other| other == name) || file["ops"].get(name).is_some()
        };
        like.map_or(0, |like| like.ops().filter(|op| !gone(op.name())).count())
    }

    #[test]
    fn operations_of_many_projects_say_nothing_about_one() {
        let is_common = |dialect: &'static str, stem: &'static str| {
            let (dialect, stem) = (dialect.as_bytes(), stem.as_bytes());
            is_common(&OperationName { id: OpNameId::new(0), dialect, stem, is_registered: None })
        };
        for (dialect, stem) in [("stablehlo", "add"), ("func", "func")] {
            assert!(is_common(dialect, stem), "{dialect}.{stem}");
        }
        for (dialect, stem) in [("hw", "module"), ("tpu", "load"), ("torch", "aten.relu"), ("nowhere", "op")]
        {
            assert!(!is_common(dialect, stem), "{dialect}.{stem}");
        }
    }

    #[test]
    fn schemas_are_ranked_as_by_loading_all_of_them() {
        let name = |dialect: &'static str, stem: &'static str, is_registered| OperationName {
            id: OpNameId::new(0),
            dialect: dialect.as_bytes(),
            stem: stem.as_bytes(),
            is_registered,
        };
        let toy = r#"{"format": "mlirbc-properties/1", "release": "toy", "version": "1", "producers": ["TOY"],
            "ops": {"toy.print": {}, "func.func": {}}}"#;
        let schemas = Schemas(vec![PropertySchema::from_json(toy).unwrap()]);
        for names in [
            vec![name("func", "func", None), name("arith", "addf", None), name("func", "return", None)],
            vec![
                name("stablehlo", "add", None),
                name("func", "func", Some(false)),
                name("chlo", "scan", None),
            ],
            vec![name("toy", "print", None), name("func", "func", None)],
            vec![name("nowhere", "op", None)],
            Vec::new(),
        ] {
            let count_known_ops = |schema: &PropertySchema| {
                let names = names.iter().filter(|name| name.is_registered != Some(false));
                names.filter(|name| schema.row_of(name).is_some()).count()
            };
            let mut expected = schemas.all();
            expected.retain(|schema| count_known_ops(schema) > 0);
            expected.sort_by_key(|schema| std::cmp::Reverse(count_known_ops(schema)));
            let ranked: Vec<_> =
                schemas.by_known_ops(&names).map(|schema| schema.name().to_owned()).collect();
            let expected: Vec<_> = expected.iter().map(|schema| schema.name().to_owned()).collect();
            assert_eq!(ranked, expected);
        }
    }

    #[test]
    fn every_shipped_schema_loads_and_agrees() {
        for row in shipped_ops::releases() {
            let schema = shipped_schema(row.name).unwrap();
            let file = file(row.name);
            let alike = file["like"].as_str().map(|like| shipped_schema(like).unwrap());
            let ops = file["ops"].as_object().unwrap();
            for (name, _) in ops {
                assert!(schema.op(name.as_bytes()).is_some(), "{name} of {}", row.name);
            }
            let parsed = PropertySchema::from_json(&expanded(file.clone()).to_string())
                .unwrap_or_else(|error| panic!("{}: {error}", row.name));
            assert_eq!(schema.ops().len(), parsed.ops().len() + inherited(&file, alike.as_deref()));
            for read in parsed.ops() {
                let shipped = schema.op(read.name().as_bytes()).unwrap();
                assert_eq!(format!("{shipped:?}"), format!("{read:?}"));
            }
            assert_eq!(schema.name(), row.name);
            let release = release::find(row.name).unwrap().unwrap();
            assert!(
                schema.producers().eq(release.producers.iter().map(|producer| &**producer)),
                "{}",
                row.name
            );
            assert!(schema.ops().len() > 100, "{}", row.name);
        }
    }

    #[test]
    fn every_known_release_has_a_schema() {
        for release in release::releases().unwrap() {
            assert!(shipped_schema(&release.name).is_some(), "{}", release.name);
        }
    }

    #[test]
    fn facts_of_shipped_schemas() {
        let fields = |release, op: &str| {
            let schema = shipped_schema(release).unwrap();
            schema
                .op(op.as_bytes())
                .unwrap()
                .fields()
                .map(|field| field.name().to_owned())
                .collect::<Vec<_>>()
        };
        let older = ["arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"];
        let newer = ["arg_attrs", "function_type", "no_inline", "res_attrs", "sym_name", "sym_visibility"];
        assert_eq!(fields("llvm-19", "func.func"), older);
        assert_eq!(fields("llvm-22", "func.func"), newer);
        assert_eq!(fields("stablehlo-1.20", "vhlo.add_v1"), [""; 0]);
    }

    #[test]
    fn producers_name_releases() {
        let schemas = Schemas::snapshot(&[]);
        let name =
            |producer: &str| schemas.by_producer(producer.as_bytes(), &[]).map(|s| s.name().to_owned());
        assert_eq!(name("MLIR19.1.7").as_deref(), Some("llvm-19"));
        assert_eq!(name("MLIR22.1.8").as_deref(), Some("llvm-22"));
        assert_eq!(name("StableHLO_v1.17.3").as_deref(), Some("stablehlo-1.20"));
        assert_eq!(name("MLIR17.0.6").as_deref(), Some("llvm-17"));
        assert_eq!(name("MLIR23.0.0git").as_deref(), Some("jaxlib-0.10"));
        assert_eq!(name("MLIR15.0.7"), None);
        assert_eq!(name("MLIR2"), None);
    }

    #[test]
    fn a_callers_schema_comes_first() {
        let text = |name: &str, producer: &str, includes: &str| {
            format!(
                r#"{{"format": "mlirbc-properties/1", "release": "{name}", "version": "1",
                "producers": ["{producer}"], "includes": [{includes}], "ops": {{}}}}"#
            )
        };
        let load = |text: String| PropertySchema::from_json(&text).unwrap();
        let mine = load(text("mine", "MLIR22.", r#""llvm-22", "mine""#));
        let schemas = Schemas::snapshot(std::slice::from_ref(&mine));
        assert_eq!(schemas.by_producer(b"MLIR22.1.8", &[]).unwrap().name(), "mine");
        let chain = schemas.with_includes(mine).unwrap();
        assert_eq!(chain.iter().map(|schema| schema.name()).collect::<Vec<_>>(), ["mine", "llvm-22"]);

        // A pack names its LLVM, and has files with its operations only.
        let pack = load(
            text("pack", "MLIR22.", r#""llvm-22""#)
                .replace(r#""ops": {}"#, r#""llvm": "llvm-22", "ops": {"toy.a": {"properties": []}}"#),
        );
        let with_pack = Schemas::snapshot(std::slice::from_ref(&pack));
        let named = |dialect: &'static [u8]| OperationName {
            id: OpNameId::new(0),
            dialect,
            stem: b"a",
            is_registered: None,
        };
        assert_eq!(with_pack.by_producer(b"MLIR22.1.8", &[named(b"toy")]).unwrap().name(), "pack");
        assert_eq!(with_pack.by_producer(b"MLIR22.1.8", &[named(b"other")]).unwrap().name(), "llvm-22");

        let lost = load(text("lost", "X", r#""nowhere""#));
        let error = schemas.with_includes(lost).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownRelease);
        assert!(schemas.check("llvm-22").is_ok() && schemas.check("nowhere").is_err());
    }
}
