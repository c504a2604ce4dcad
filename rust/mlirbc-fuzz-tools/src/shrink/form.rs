//! The form in which a module is checked: bytecode, or text.
//!
//! Owns the conversion from a module to the file that the check sees, the rule that candidates are well-formed, and the
//! measure of files. Passes change modules and texts; they do not know which files are accepted.

use mlirbc::artifact::ModuleFile;
use mlirbc::edit::Editor;
use mlirbc::print::{PrintForm, PrintOptions};
use mlirbc::{Module, ReadOptions, Release};

/// A file that is checked, and the module in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) file: Vec<u8>,
    /// The bytecode of a text that can be read; `None` for bytecode, which is the file.
    assembled: Option<Vec<u8>>,
    pub(super) size: Size,
}

/// The measure of files: a file with fewer operations is smaller, and of two with the same number, the shorter one. A
/// constant counts less than any other operation, because it ends a chain of operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    computed: u64,
    operations: u64,
    bytes: usize,
}

impl Variant {
    /// A file of which only the bytes count.
    pub(super) fn of_bytes(file: Vec<u8>) -> Self {
        let size = Size { computed: 0, operations: 0, bytes: file.len() };
        Self { file, assembled: None, size }
    }

    /// The bytecode of the module.
    pub(super) fn module(&self) -> &[u8] {
        self.assembled.as_ref().unwrap_or(&self.file)
    }

    /// Whether the file is text that was assembled.
    pub(super) fn is_assembled(&self) -> bool {
        self.assembled.is_some()
    }
}

/// How modules are written, read and measured.
#[derive(Clone, Default)]
pub(super) struct ModuleForm {
    pub(super) is_text: bool,
    pub(super) print: PrintForm,
    pub(super) read: ReadOptions,
    /// Whether files must pass `verify --ops`; then the number of operations counts before the length.
    pub(super) is_valid: bool,
}

impl ModuleForm {
    /// Opens an editor that leaves verification to the form.
    pub(super) fn open(&self, module: &[u8]) -> Option<Editor> {
        let mut editor = self.read(module).and_then(|module| Editor::new(module).ok())?;
        editor.set_verification(false, false);
        Some(editor)
    }

    fn read(&self, module: &[u8]) -> Option<Module> {
        Module::from_source(module.to_vec().into(), &self.read).ok()
    }

    /// Reads later files as the release of this module, because they may lose its producer string.
    pub(super) fn keep_release(&mut self, module: &[u8]) {
        let Some(module) = self.read(module) else { return };
        let name = module.release().ok().and_then(|release| release.nearest()).map(str::to_owned);
        self.read.release = self.read.release.take().or_else(|| name.map(Release::named));
    }

    /// Returns whether `verify --ops` accepts the module.
    pub(super) fn accepts(&self, module: &[u8]) -> bool {
        self.read(module).is_some_and(|module| is_well_formed(&module))
    }

    /// Returns the file with this module, unless it must be valid and is not.
    pub(super) fn with_module(&self, bytecode: Vec<u8>) -> Option<Variant> {
        if !self.is_text && !self.is_valid {
            return Some(Variant::of_bytes(bytecode));
        }
        let module = self.read(&bytecode);
        if self.is_valid && !module.as_ref().is_some_and(is_well_formed) {
            return None;
        }
        if !self.is_text {
            let size = self.measure(module.as_ref(), bytecode.len());
            return Some(Variant { file: bytecode, assembled: None, size });
        }
        let module = module?;
        let mut file = Vec::new();
        module.print(&mut file, &PrintOptions::default().form(self.print)).ok()?;
        let size = self.measure(Some(&module), file.len());
        Some(Variant { file, assembled: Some(bytecode), size })
    }

    /// Returns the file with this text. A text that cannot be read has no module, and is not valid.
    pub(super) fn with_text(&self, text: Vec<u8>) -> Option<Variant> {
        let Some(bytecode) = self.assembled(&text) else {
            return (!self.is_valid).then(|| Variant::of_bytes(text));
        };
        let module = self.read(&bytecode);
        if self.is_valid && !module.as_ref().is_some_and(is_well_formed) {
            return None;
        }
        let size = self.measure(module.as_ref(), text.len());
        Some(Variant { file: text, assembled: Some(bytecode), size })
    }

    /// Returns the bytecode of a text.
    pub(super) fn assembled(&self, text: &[u8]) -> Option<Vec<u8>> {
        let file = ModuleFile::new("-").assembled(text.to_vec().into(), &self.read).ok()?;
        file.is_text.then(|| file.source.all(&self.read.limits).ok()).flatten().map(|bytes| bytes.to_vec())
    }

    fn measure(&self, module: Option<&Module>, bytes: usize) -> Size {
        let mut size = Size { computed: 0, operations: 0, bytes };
        let Some(top) = module.filter(|_| self.is_valid).and_then(|module| module.operation().ok()) else {
            return size;
        };
        for op in top.pre_order().flatten() {
            size.operations += 1;
            size.computed += u64::from(!is_constant(&op.name()));
        }
        size
    }
}

/// The operations that have a value and no operands.
fn is_constant(name: &str) -> bool {
    name.ends_with(".constant") || matches!(name, "ub.poison" | "llvm.mlir.undef")
}

fn is_well_formed(module: &Module) -> bool {
    module.operation().is_ok()
        && module.verify().is_ok()
        && module.verify_operations().is_ok_and(|checks| checks.error_count() == 0)
}
