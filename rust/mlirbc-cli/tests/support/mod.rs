//! Shared by the tests: running the command, and generated files. The support module of the core's tests
//! knows the paths.

#![allow(dead_code)] // each test binary uses its part

#[path = "../../../mlirbc/tests/support/mod.rs"]
mod repository;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use mlirbc::Module;
use mlirbc::cursor::ByteSink;
use mlirbc::format::container::Bytecode;
use mlirbc::format::ir::{BlockHead, IrWriter, OpHead, OpSink, RegionHead, Root};
use mlirbc::section::SectionId;
use serde_json::Value;

pub use self::repository::{files, root};

pub fn example() -> PathBuf {
    root().join("examples/two_layers.mlirbc")
}

pub fn mlirbc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mlirbc"));
    command.stdin(Stdio::null());
    command
}

pub fn run<I: IntoIterator<Item: AsRef<OsStr>>>(args: I) -> Output {
    mlirbc().args(args).output().unwrap()
}

/// Makes commands heed SIGINT and SIGHUP, which they otherwise ignore where the caller of the tests does: in the
/// background of a shell, or under `nohup`.
///
/// A child gets the default action for a signal that its parent handles. The handler itself ends this process, as the
/// signal would without it.
#[cfg(unix)]
pub fn heed_signals() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    static INSTALLED: std::sync::Once = std::sync::Once::new();
    INSTALLED.call_once(|| {
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
            let condition = Arc::new(AtomicBool::new(true));
            signal_hook::flag::register_conditional_default(signal, condition).unwrap();
        }
    });
}

/// The JSON that a command writes when all is well.
pub fn json<I: IntoIterator<Item: AsRef<OsStr>>>(args: I) -> Value {
    let output = run(args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The one line of standard error.
#[track_caller]
pub fn complaint(output: &Output) -> &str {
    let line = text(&output.stderr).strip_suffix('\n').unwrap();
    assert!(!line.contains('\n'), "{line}");
    line
}

/// Every file of the corpus written as version 6 by the newest release.
pub fn newest_files() -> Vec<PathBuf> {
    files("tests/data/bytecode/llvm-22/v6")
}

/// The core's smallest module with another IR section.
pub fn module_with_ir(write: impl FnOnce(&mut IrWriter)) -> Vec<u8> {
    let bytes = mlirbc::doc_example();
    let module = Module::from_bytes(bytes.clone()).unwrap();
    let bytecode = module.tables().bytecode();
    let mut writer = IrWriter::new(bytecode.version(), Root::TopLevel);
    write(&mut writer);
    let ir = writer.finish();

    let mut file = ByteSink::new();
    Bytecode::write_header(bytecode.version(), bytecode.producer(), &mut file);
    for section in bytecode.sections() {
        let mut data = ByteSink::new();
        match section.id {
            SectionId::Ir => data.bytes(ir.as_bytes()),
            _ => data.bytes(&bytes[section.offset as usize..][..section.size as usize]),
        }
        file.section(section.id, &data);
    }
    file.into_bytes()
}

const OP: OpHead = OpHead { name: 1, location: 0, attributes: None, properties: None };

/// A module of `count` operations side by side.
pub fn wide(count: u64) -> Vec<u8> {
    module_with_ir(|ir| {
        ir.begin_region(RegionHead { blocks: 1, values: 0 });
        ir.begin_block(BlockHead { ops: count, arguments: None });
        ir.begin_ops();
        (0..count).for_each(|_| ir.op(OP));
        ir.end_block();
        ir.end_region();
    })
}

/// A module of `depth` operations, each inside the one before.
pub fn deep(depth: u64) -> Vec<u8> {
    module_with_ir(|ir| {
        for level in 0..depth {
            if level > 0 {
                ir.regions(1, false);
            }
            ir.begin_region(RegionHead { blocks: 1, values: 0 });
            ir.begin_block(BlockHead { ops: 1, arguments: None });
            ir.begin_ops();
            ir.op(OP);
        }
        for level in 0..depth {
            ir.end_block();
            ir.end_region();
            if level + 1 < depth {
                ir.end_regions();
            }
        }
    })
}
