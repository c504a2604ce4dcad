//! Containers: bytes that may be a JAX export or a compressed stream, with any offset wrong.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | nothing panics, hangs, or takes memory out of proportion to the input | any |
//! | errors are of the classes for files and limits | errors of the caller or of the system in their place |
//! | a file that is read on demand gives the same result as one in memory | windows that end too early |
//! | a module lies within the content | lengths that are not checked |
//! | writing the same module into its container gives the same bytes, unless it was compressed | a writer that differs |
//! | with another module, the length that was computed beforehand is written | pieces that are written twice |

use std::io;

use mlirbc::bytes::{ReadAt, Source};
use mlirbc::container::{Container, ModuleChoice};
use mlirbc::error::ErrorClass;
use mlirbc::limits::Limits;
use mlirbc::{Error, Module, ReadOptions, Result, WriteOptions};

use crate::cost;

// The limit on memory for one file.
const LIMIT: u64 = 4 << 20;
// A chain of derivatives can have many modules.
const MODULES: usize = 8;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::container(data);
    cost::alone(|| check(data));
}

struct File(Vec<u8>);

impl ReadAt for File {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = offset as usize;
        buffer.copy_from_slice(self.0.get(start..start + buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

fn open(source: Source, module: Option<ModuleChoice>) -> Result<Module> {
    let limits = Limits { max_memory: Some(LIMIT), ..Limits::default() };
    Module::from_source(source, &ReadOptions { limits, module, ..ReadOptions::default() })
}

fn check(data: &[u8]) {
    let resident = open(data.to_vec().into(), None);
    let ranged = open(Source::ranged(File(data.to_vec())), None);
    match (&resident, &ranged) {
        (Ok(_), Ok(_)) => {}
        (Err(left), Err(right)) => assert_eq!(left.to_string(), right.to_string()),
        _ => panic!("{:?} in memory, {:?} on demand", resident.err(), ranged.err()),
    }
    let Ok(module) = resident.map_err(|error| of_the_file(&error)) else { return };
    let Some(container) = module.container() else { return };
    assert!(!container.modules().is_empty());
    for (index, place) in container.modules().iter().enumerate().take(MODULES) {
        assert!(place.offset + place.size <= container.content_size());
        if let Err(error) = container.exported(index) {
            of_the_file(&error);
        }
        match open(data.to_vec().into(), Some(ModuleChoice::Index(index))) {
            Ok(opened) => check_writing(data, container, &opened),
            Err(error) => of_the_file(&error),
        }
    }
}

fn of_the_file(error: &Error) {
    let class = error.class();
    assert!(
        matches!(class, ErrorClass::Read | ErrorClass::Limit | ErrorClass::Unsupported),
        "{class:?}: {error}"
    );
}

fn check_writing(data: &[u8], container: &Container, module: &Module) {
    let mut same = Vec::new();
    module.write_contained(&mut same, &WriteOptions::default()).expect("the bytes of the module");
    match container.compression() {
        None => assert!(same == data, "another container"),
        Some(_) => assert_eq!(same.len() as u64, container.content_size()),
    }
    let index = module.module_index();
    for tenths in [0, 5, 20] {
        let other = vec![b'x'; container.modules()[index].size as usize * tenths / 10];
        let mut written = Vec::new();
        let put = |writer: &mut dyn io::Write| {
            writer.write_all(&other).map_err(|error| Error::io("cannot write", error))
        };
        container.write_with(index, other.len() as u64, &mut written, put).expect("a small module fits");
        assert_eq!(written.len() as u64, container.size_with(index, other.len() as u64));
    }
}
