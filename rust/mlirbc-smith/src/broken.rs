//! Modules that break exactly one rule.
//!
//! A valid module is generated and given the feature that the rule is about; then one place is changed in the
//! decoded structure, and the tables and sections are written again around the change. So the reader gets as
//! far as the rule, and each seed gives another file.

mod artifact;
mod assembly;
mod check;
mod container;
mod entries;
mod events;
mod layouts;
mod limits;
mod operations;
mod original;
mod preparations;
mod properties;
mod references;
mod resources;
mod rules;
mod sections;
mod strings;
mod tables;
mod unbreakable;

use arbitrary::Unstructured;
use mlirbc::edit::Editor;
use mlirbc::limits::Limits;
use mlirbc::version::BytecodeVersion;
use mlirbc::{Error, ErrorKind, ReadOptions, Result, WriteOptions};

use crate::catalogue::releases;
use crate::config::Config;
use crate::draws::{self, Draws};
use crate::module::{self, GeneratedModule};

pub use check::Check;
#[doc(hidden)]
pub use events::{Event, Events};
pub use rules::BreakableRule;
pub use unbreakable::{UnbreakableRules, unbreakable_rules};

use original::Original;

/// The number of bytes for decisions about the damage.
const BYTES_FOR_DAMAGE: usize = 4096;

/// The rules that files can break, in the order of the page of errors.
///
/// ```
/// let identifiers: Vec<_> = mlirbc_smith::breakable_rules().iter().map(|rule| rule.identifier()).collect();
/// assert!(identifiers.contains(&"mlirbc.read.entry.cycle"));
/// ```
pub fn breakable_rules() -> &'static [BreakableRule] {
    rules::RULES
}

/// Returns the rule with this identifier, with or without `mlirbc.` before it.
///
/// ```
/// assert!(mlirbc_smith::breakable_rule("read.padding").is_some());
/// assert!(mlirbc_smith::breakable_rule("mlirbc.io").is_none(), "no file breaks it");
/// ```
pub fn breakable_rule(identifier: &str) -> Option<&'static BreakableRule> {
    let short = |identifier: &'static str| identifier.strip_prefix("mlirbc.").unwrap_or(identifier);
    breakable_rules()
        .iter()
        .find(|rule| rule.identifier() == identifier || short(rule.identifier()) == identifier)
}

/// A file that breaks exactly one rule.
///
/// ```
/// use mlirbc_smith::{BrokenModule, Config, breakable_rule};
/// let rule = breakable_rule("mlirbc.read.string.gap").expect("a rule about files");
/// let broken = BrokenModule::from_seed(&Config::default(), rule, 5)?;
/// assert_eq!(broken.raised().expect("an error").identifier(), rule.identifier());
/// assert!(broken.check_valid().is_ok());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BrokenModule {
    rule: &'static BreakableRule,
    bytes: Vec<u8>,
    valid: Vec<u8>,
    release: String,
    limits: Limits,
    version: BytecodeVersion,
}

impl BrokenModule {
    /// Breaks a rule in a module that is generated from bytes.
    ///
    /// # Errors As [`GeneratedModule::new`]; [`ErrorKind::Unsupported`] if the configuration has a version in
    /// which the rule cannot be broken, or a release that is not one of LLVM, because the readers of other
    /// releases are known less exactly.
    ///
    /// ```
    /// use arbitrary::Unstructured;
    /// use mlirbc_smith::{BrokenModule, Config, breakable_rule};
    /// let rule = breakable_rule("read.property.version").expect("a rule about files");
    /// let broken = BrokenModule::new(&Config::default(), rule, &mut Unstructured::new(&[7; 100]))?;
    /// assert!(!broken.version().has_native_properties());
    /// let config = Config { version: mlirbc::version::BytecodeVersion::new(6), ..Config::default() };
    /// assert!(BrokenModule::new(&config, rule, &mut Unstructured::new(&[])).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn new(config: &Config, rule: &'static BreakableRule, bytes: &mut Unstructured<'_>) -> Result<Self> {
        if !config.release.starts_with("llvm-") && releases().any(|release| release == config.release) {
            let message = format!("rules are broken in modules for LLVM, not for `{}`", config.release);
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        let damage: u64 = bytes.arbitrary().unwrap_or_default();
        let decisions = draws::bytes_of(damage, BYTES_FOR_DAMAGE);
        let mut decisions = Unstructured::new(&decisions);
        let mut draws = Draws::new(&mut decisions);

        let versions: Vec<_> = config.versions().into_iter().filter(|&one| rule.is_of_version(one)).collect();
        let Some(&version) = draws.pick(&versions) else {
            let message = format!("modules of this version cannot break the rule `{}`", rule.identifier());
            return Err(Error::message(ErrorKind::Unsupported, message));
        };
        let config =
            Config { version: Some(version), features: (rule.features)(config.features), ..config.clone() };
        let generated = GeneratedModule::new(&config, bytes)?;

        let mut editor = Editor::new(generated.module()?)?;
        (rule.prepare)(&mut editor, &mut draws)?;
        let mut module = Vec::new();
        editor.write(&mut module, &WriteOptions::default().numbering(module::NUMBERING))?;
        let valid = (rule.wrap)(module.clone());
        let original = Original { bytes: &valid, bare: &module, release: &config.release, texts: rule.texts };
        let limits = (rule.limits)(&original)?;
        let bytes = (rule.damage)(&original, &mut draws)?;
        Ok(Self { rule, bytes, valid, release: config.release, limits, version })
    }

    /// Breaks a rule in a module that is generated from a seed.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn from_seed(config: &Config, rule: &'static BreakableRule, seed: u64) -> Result<Self> {
        let bytes = draws::bytes_of(seed, 8 + module::bytes_for(config));
        Self::new(config, rule, &mut Unstructured::new(&bytes))
    }

    /// Returns the broken rule.
    pub fn rule(&self) -> &'static BreakableRule {
        self.rule
    }

    /// Returns the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the valid file before it was damaged.
    pub fn valid_bytes(&self) -> &[u8] {
        &self.valid
    }

    /// Returns the bytecode version of the valid file.
    pub fn version(&self) -> BytecodeVersion {
        self.version
    }

    /// Returns the options for reading the file: the release, and limits if the rule is about a limit.
    pub fn options(&self) -> ReadOptions {
        let (release, limits) = (Some(self.release.clone()), self.limits.clone());
        ReadOptions::default().release(release.map(mlirbc::Release::named)).limits(limits)
    }

    /// Whether the file is read with limits other than the default ones.
    pub fn is_limited(&self) -> bool {
        self.limits != Limits::default()
    }

    /// Reads the file, and returns the error that mlirbc raises.
    pub fn raised(&self) -> Option<Error> {
        self.rule.check.run(&self.bytes, &self.options()).err()
    }

    /// Reads the file before it was damaged in the same way, and verifies it.
    ///
    /// # Errors
    /// If the file is not valid, which would be a defect.
    pub fn check_valid(&self) -> Result<()> {
        if !self.rule.is_text() {
            Check::Verify.run(&self.valid, &self.options())?;
        }
        self.rule.check.run(&self.valid, &self.options())
    }
}
