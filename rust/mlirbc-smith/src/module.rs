//! Generation of whole modules.

use std::collections::HashSet;

use arbitrary::{Arbitrary, Unstructured};
use mlirbc::bytes::Bytes;
use mlirbc::edit::{Editor, NewResource, ResourceContent, ResourceGroup};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Module, ReadOptions, Release, Result, WriteOptions};

use crate::body::{Body, Context, Enclosing};
use crate::config::Config;
use crate::draws::{self, Decide, Draws};

/// The number of decision bytes from a seed, for each operation and each byte of a resource.
const BYTES_FOR_OPERATION: usize = 96;

/// The numbering of generated modules.
pub(crate) const NUMBERING: Numbering = Numbering::Canonical;

/// Returns the number of decision bytes from a seed.
pub(crate) fn bytes_for(config: &Config) -> usize {
    BYTES_FOR_OPERATION * (config.max_operations + 8) + config.max_resource
}

/// A valid module as bytecode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedModule {
    bytes: Vec<u8>,
    release: String,
    version: BytecodeVersion,
}

impl GeneratedModule {
    /// Generates a module from bytes. When they are used up, the remaining decisions make the module as small
    /// as possible.
    ///
    /// # Errors
    /// [`UnknownRelease`](mlirbc::ErrorKind::UnknownRelease) if modules are not generated for the release.
    ///
    /// ```
    /// use mlirbc_smith::{Config, GeneratedModule};
    /// let config = Config { release: "llvm-5".into(), ..Config::default() };
    /// let error = GeneratedModule::from_seed(&config, 1).unwrap_err();
    /// assert_eq!(error.kind(), mlirbc::ErrorKind::UnknownRelease);
    /// ```
    pub fn new(config: &Config, bytes: &mut Unstructured<'_>) -> Result<Self> {
        Self::of_draws(config, Draws::new(bytes))
    }

    /// Generates a module from decisions that are made one by one. Tools that shrink decisions, such as
    /// Hypothesis, make the module smaller.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// ```
    /// use mlirbc_smith::{Config, Decide, GeneratedModule};
    /// struct Smallest;
    /// impl Decide for Smallest {
    ///     fn number(&mut self, _last: u64) -> u64 {
    ///         0
    ///     }
    /// }
    /// let smallest = GeneratedModule::decide(&Config::default(), &mut Smallest)?;
    /// assert_eq!(smallest.module()?.operation()?.pre_order().count(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn decide(config: &Config, decide: &mut dyn Decide) -> Result<Self> {
        Self::of_draws(config, Draws::one_by_one(decide))
    }

    fn of_draws(config: &Config, mut draws: Draws<'_, '_>) -> Result<Self> {
        config.catalogue()?;
        let config = &config.of_release();
        let versions = config.versions();
        let version = draws.pick(&versions).copied().unwrap_or(BytecodeVersion::MAX);
        let editor = Editor::create_module(&Release::named(config.release.clone()), version, None)?;
        let mut body = Body::new(config, version, editor, draws)?;
        let module = body.editor.operation()?;
        if let Some(location) = body.location() {
            body.editor.set_location(module, &location)?;
        }
        let block = body.editor.body(module)?;
        body.module_body(block, Context { depth: 0, around: Enclosing::Module })?;
        body.add_resources()?;
        body.order_uses()?;
        body.add_versions()?;
        Self::written(body)
    }

    pub(crate) fn written(mut body: Body<'_, '_, '_>) -> Result<Self> {
        let mut bytes = Vec::new();
        let options = WriteOptions::default().numbering(NUMBERING);
        body.editor.write(&mut bytes, &options)?;
        Ok(Self { bytes, release: body.config.release.clone(), version: body.version })
    }

    /// Generates a module from a seed.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn from_seed(config: &Config, seed: u64) -> Result<Self> {
        let bytes = draws::bytes_of(seed, bytes_for(config));
        Self::new(config, &mut Unstructured::new(&bytes))
    }

    /// Returns the bytecode.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytecode.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the release that accepts the module.
    pub fn release(&self) -> &str {
        &self.release
    }

    /// Returns the bytecode version.
    pub fn version(&self) -> BytecodeVersion {
        self.version
    }

    /// Opens the module.
    ///
    /// # Errors
    /// If mlirbc cannot read its own output, which would be a defect.
    pub fn module(&self) -> Result<Module> {
        let options = ReadOptions::default().release(Release::named(self.release.clone()));
        Module::from_source(self.bytes.clone().into(), &options)
    }
}

impl<'b> Arbitrary<'b> for GeneratedModule {
    fn arbitrary(bytes: &mut Unstructured<'b>) -> arbitrary::Result<Self> {
        Self::new(&Config::default(), bytes).map_err(|_| arbitrary::Error::IncorrectFormat)
    }
}

impl Body<'_, '_, '_> {
    /// Adds the resources that attributes refer to, and others.
    fn add_resources(&mut self) -> Result<()> {
        if !self.config.features.resources {
            return Ok(());
        }
        self.add_referred()?;
        for number in 0..self.draws.up_to(3) {
            let content = match self.draws.below(3) {
                0 => ResourceContent::Bool(self.draws.one_in(2)),
                1 => ResourceContent::String(self.draws.text(&["", "a text", "\u{e9}\u{4e16}"]).into()),
                _ => {
                    let bytes = self.draws.bytes(self.config.max_resource);
                    self.blob(bytes)
                }
            };
            // MLIR prints the name of a group without quotes, so it must be an identifier.
            let group = self.draws.text(&["smith", "another_group"]).as_bytes().to_vec();
            let key = format!("{}{number}", self.draws.text(&["key", "a key", "\u{e9}"])).into_bytes();
            self.editor.add_resource(NewResource { key, group: ResourceGroup::External(group), content })?;
        }
        Ok(())
    }

    /// Adds the resources that attributes refer to.
    pub(crate) fn add_referred(&mut self) -> Result<()> {
        let mut keys = HashSet::new();
        for referred in std::mem::take(&mut self.referred) {
            if keys.insert(referred.key.clone()) {
                let mut bytes = self.draws.bytes(0);
                bytes.resize(referred.size, self.draws.word() as u8);
                let content = self.blob(bytes);
                self.editor.add_resource(NewResource {
                    key: referred.key.into_bytes(),
                    group: ResourceGroup::builtin(),
                    content,
                })?;
            }
        }
        Ok(())
    }

    fn blob(&mut self, bytes: Vec<u8>) -> ResourceContent {
        let most = self.config.max_alignment.max(1).ilog2() as usize;
        let alignment = 1 << self.draws.up_to(most);
        ResourceContent::Blob { bytes: Bytes::from(bytes), alignment: Some(alignment) }
    }

    /// Gives values with several uses another order of uses.
    fn order_uses(&mut self) -> Result<()> {
        if !self.config.features.use_list_orders || !self.version.has_use_list_orders() {
            return Ok(());
        }
        for value in std::mem::take(&mut self.values) {
            let uses = self.editor.uses(value)?;
            if uses.len() > 1 && self.draws.one_in(2) {
                let order = self.draws.order(uses.len());
                let order: Vec<_> = order.into_iter().filter_map(|place| uses.get(place).copied()).collect();
                self.editor.set_use_list_order(value, &order)?;
            }
        }
        Ok(())
    }

    fn add_versions(&mut self) -> Result<()> {
        if self.config.features.dialect_versions
            && self.config.wants("test")
            && self.version.has_dialect_versions()
            && self.draws.one_in(2)
        {
            // 2.0, 1.0 and 1.42: no other dialect of these releases has versions.
            let versions: [&[u8]; 3] = [&[0x05, 0x01], &[0x03, 0x01], &[0x03, 0x55]];
            let version = self.draws.pick(&versions).copied();
            self.editor.set_dialect_version("test", version)?;
        }
        Ok(())
    }
}
