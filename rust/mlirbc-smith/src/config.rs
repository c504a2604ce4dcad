//! Options of the generator.

use mlirbc::version::BytecodeVersion;
use mlirbc::{Error, ErrorKind, Result};

use crate::catalogue::{self, Catalogue};

/// The options for generated modules.
///
/// ```
/// use mlirbc_smith::{Config, GeneratedModule};
/// let config = Config { release: "llvm-19".into(), max_operations: 10, ..Config::default() };
/// let module = GeneratedModule::from_seed(&config, 7)?;
/// assert!(module.module()?.operation()?.pre_order().count() >= 1);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The release that must accept the modules, one of [`releases`](crate::releases).
    pub release: String,
    /// The bytecode version; by default a version that the release writes.
    pub version: Option<BytecodeVersion>,
    /// The greatest number of operations, not counting the module and operations that operands, terminators
    /// and regions require.
    pub max_operations: usize,
    /// The greatest depth of operations within operations, up to 32.
    pub max_depth: usize,
    /// The greatest number of blocks of a region, up to 32.
    pub max_blocks: usize,
    /// The greatest number of arguments of a block.
    pub max_arguments: usize,
    /// The greatest number of attributes of an operation besides the attributes in its definition.
    pub max_attributes: usize,
    /// The greatest size of a resource in bytes.
    pub max_resource: usize,
    /// The greatest alignment of a resource, a power of two.
    pub max_alignment: u64,
    /// The dialects whose operations, attributes and types are generated; by default all dialects of the
    /// release. Modules, functions, branches, `scf` and casts are generated in any case.
    pub dialects: Option<Vec<String>>,
    /// Optional parts of the language.
    pub features: Features,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            release: "llvm-22".into(),
            version: None,
            max_operations: 40,
            max_depth: 5,
            max_blocks: 4,
            max_arguments: 3,
            max_attributes: 3,
            max_resource: 100,
            max_alignment: 16,
            dialects: None,
            features: Features::default(),
        }
    }
}

/// Parts of the language that can be switched off; all are on by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Operations, attributes and types of the dialect `smith`, which no release has. `mlir-opt` then needs
    /// `--allow-unregistered-dialect`.
    pub unregistered: bool,
    /// Regions with several blocks.
    pub control_flow: bool,
    /// Uses before definitions, in the bodies of modules.
    pub forward_references: bool,
    /// Orders of uses that differ from the order in the file.
    pub use_list_orders: bool,
    /// Attributes that are not in the definition of their operation.
    pub attributes: bool,
    /// Attributes and types by the rows of the dialect tables, including tables that were added by
    /// [`register_dialect`](mlirbc::dialect::register_dialect).
    pub dialect_entries: bool,
    /// Locations other than the unknown one.
    pub locations: bool,
    /// Resources of the builtin dialect and of external groups.
    pub resources: bool,
    /// Versions of MLIR's dialect `test`, the only dialect with versions in LLVM's releases.
    pub dialect_versions: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            unregistered: true,
            control_flow: true,
            forward_references: true,
            use_list_orders: true,
            attributes: true,
            dialect_entries: true,
            locations: true,
            resources: true,
            dialect_versions: true,
        }
    }
}

impl Features {
    /// The names of the features, for command lines.
    ///
    /// ```
    /// use mlirbc_smith::Features;
    /// let mut features = Features::default();
    /// for name in Features::NAMES {
    ///     assert!(features.switch_off(name));
    /// }
    /// assert_eq!(features, Features::none());
    /// assert!(!features.switch_off("no-such-feature"));
    /// ```
    pub const NAMES: [&'static str; 9] = [
        "unregistered",
        "control-flow",
        "forward-references",
        "use-list-orders",
        "attributes",
        "dialect-entries",
        "locations",
        "resources",
        "dialect-versions",
    ];

    /// Switches off the feature of this name; returns false for an unknown name.
    pub fn switch_off(&mut self, name: &str) -> bool {
        let feature = match name {
            "unregistered" => &mut self.unregistered,
            "control-flow" => &mut self.control_flow,
            "forward-references" => &mut self.forward_references,
            "use-list-orders" => &mut self.use_list_orders,
            "attributes" => &mut self.attributes,
            "dialect-entries" => &mut self.dialect_entries,
            "locations" => &mut self.locations,
            "resources" => &mut self.resources,
            "dialect-versions" => &mut self.dialect_versions,
            _ => return false,
        };
        *feature = false;
        true
    }

    /// Returns features for modules with only functions and operations of the dialects.
    pub fn none() -> Self {
        Self {
            unregistered: false,
            control_flow: false,
            forward_references: false,
            use_list_orders: false,
            attributes: false,
            dialect_entries: false,
            locations: false,
            resources: false,
            dialect_versions: false,
        }
    }
}

impl Config {
    pub(crate) fn catalogue(&self) -> Result<&'static Catalogue> {
        Catalogue::of(&self.release).ok_or_else(|| {
            let names: Vec<_> = catalogue::releases().collect();
            let release = &self.release;
            Error::message(
                ErrorKind::UnknownRelease,
                format!("modules are not generated for `{release}`; choose one of {}", names.join(", ")),
            )
        })
    }

    /// Removes dialects that the release does not have.
    pub(crate) fn of_release(&self) -> Self {
        let mut config = self.clone();
        if let Some(known) = catalogue::dialects_of(&self.release) {
            let all = || known.iter().map(|name| (*name).to_owned()).collect();
            let dialects: Vec<String> = config.dialects.take().unwrap_or_else(all);
            config.dialects =
                Some(dialects.into_iter().filter(|name| known.contains(&name.as_str())).collect());
        }
        config
    }

    /// Whether a text uses only attributes and types of the wanted dialects.
    pub(crate) fn has_wanted(&self, text: &str) -> bool {
        let Some(wanted) = &self.dialects else { return true };
        text.match_indices(['!', '#']).all(|(at, _)| {
            let name = text.get(at + 1..).unwrap_or_default();
            let name =
                name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            ["", "builtin", "smith", "t"].contains(&name) || wanted.iter().any(|one| one == name)
        })
    }

    /// Whether rows and versions of this dialect are wanted.
    pub(crate) fn wants(&self, dialect: &str) -> bool {
        dialect == "builtin"
            || self.dialects.as_ref().is_none_or(|wanted| wanted.iter().any(|one| one == dialect))
    }

    /// Returns the versions that may be drawn, newest first.
    pub(crate) fn versions(&self) -> Vec<BytecodeVersion> {
        let newest = BytecodeVersion::MAX.number();
        match self.version {
            Some(version) => vec![version],
            None => (0..=newest).rev().filter_map(|number| BytecodeVersion::new(number.into())).collect(),
        }
    }
}
