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
//! | the same nested modules give the same bytes | an encoding that is not kept around a module |
//! | nested modules without locations are read again as they were put back, at the same paths | a length or a hash that does not follow |
//! | with another module, the fields say the same | contents that are written in another order |
//! | an export with an argument less is read again, with one leaf less | trees, types and shardings that disagree |
//! | an export for another release of JAX has the same names and types, and is itself for that release | slots that are confused |

use std::collections::BTreeMap;
use std::io;

use mlirbc::artifact::NestedModule;
use mlirbc::bytes::{ReadAt, Source};
use mlirbc::container::jax::Aval;
use mlirbc::container::{Container, ModuleChoice};
use mlirbc::error::ErrorClass;
use mlirbc::limits::Limits;
use mlirbc::progress::Progress;
use mlirbc::tool::{FreezeOptions, NamedTensor, Rewrite, prepare_for_jax};
use mlirbc::write::Numbering;
use mlirbc::{Artifact, Error, Module, ReadOptions, Result, WriteOptions};

use crate::cost;

// The memory limit for one file.
const LIMIT: u64 = 4 << 20;
// These releases write different forms of the container.
const RELEASES: &[&str] = &["0.4.30", "0.7.2", "0.8.3", "0.9.0", "0.10.2"];
// The number of modules to check; a chain of derivatives can have many modules.
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
    let limits = Limits::default().max_memory(Some(LIMIT));
    Module::from_source(source, &ReadOptions::default().limits(limits).module(module))
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
    check_nested(&Artifact::of(&module));
    let Some(container) = module.container() else { return };
    assert!(!container.modules().is_empty());
    RELEASES.iter().for_each(|version| check_conversion(&module, version));
    check_freezing(&module);
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

fn check_nested(artifact: &Artifact) {
    let indices = 0..artifact.modules().len().min(MODULES);
    let listed: Result<Vec<_>> = indices.map(|index| artifact.nested(index)).collect();
    let listed = match listed {
        Ok(listed) => listed.concat(),
        Err(error) => return of_the_file(&error),
    };
    if listed.is_empty() {
        return;
    }
    let outermost = |nested: &&NestedModule| nested.path.matches("/kernels/").count() == 1;
    let same: Vec<_> =
        listed.iter().filter(outermost).map(|nested| (nested.path.clone(), nested.bytes.clone())).collect();
    // Bytes that cannot be opened are refused.
    if let Ok(prepared) = artifact.with_modules(&same) {
        let mut written = Vec::new();
        prepared.write(&mut written).expect("a prepared file is written");
        let before = artifact.container().map_or(artifact.first().source().len(), Container::content_size);
        assert_eq!(written.len() as u64, before, "the same modules in another file");
    }
    let options = WriteOptions::default().numbering(Numbering::Canonical).strip_locations(true);
    let mut stripped = BTreeMap::new();
    let prepared = artifact.prepare_nested(
        &mut |nested| {
            let bytes = nested.written(&options, artifact.limits())?;
            stripped.insert(nested.path.clone(), bytes.clone());
            Ok(Some(bytes))
        },
        &mut |module| module.prepare_write(&options),
    );
    let Ok(prepared) = prepared else { return };
    let mut written = Vec::new();
    prepared.write(&mut written).expect("a prepared file is written");
    let again = artifact.like(written.into()).expect("a stripped file is read");
    let indices = 0..again.modules().len().min(MODULES);
    let nested_modules: Result<Vec<_>> = indices.map(|index| again.nested(index)).collect();
    for nested in nested_modules.expect("nested modules are read again").concat() {
        assert!(
            stripped.get(&nested.path) == Some(&nested.bytes),
            "{} was put back as something else",
            nested.path
        );
    }
}

fn of_the_file(error: &Error) {
    let class = error.class();
    assert!(
        matches!(class, ErrorClass::Read | ErrorClass::Limit | ErrorClass::Unsupported),
        "{class:?}: {error}"
    );
}

fn check_conversion(module: &Module, version: &str) {
    let converted = |artifact: &Artifact| {
        let conversion = prepare_for_jax(artifact, version, &Progress::default()).ok()?;
        let mut bytes = Vec::new();
        conversion.prepared.write(&mut bytes).expect("a prepared artifact is written");
        assert_eq!(bytes.len() as u64, conversion.prepared.len());
        Some(bytes)
    };
    let before = Artifact::of(module);
    let Some(bytes) = converted(&before) else { return };
    let limits = Limits::default().max_memory(Some(8 * LIMIT));
    let options = ReadOptions::default().limits(limits);
    let after = Artifact::from_source(bytes.clone().into(), &options).expect("an export remains one");
    for index in 0..before.modules().len().min(MODULES) {
        let exported =
            |artifact: &Artifact| artifact.container().and_then(|file| file.exported(index).ok()?);
        if let (Some(before), Some(after)) = (exported(&before), exported(&after)) {
            assert_eq!((&after.fun_name, &after.platforms), (&before.fun_name, &before.platforms));
            let types = |avals: &[Aval]| {
                avals.iter().map(|aval| (aval.shape.clone(), aval.dtype.clone())).collect::<Vec<_>>()
            };
            assert_eq!(types(&after.in_avals), types(&before.in_avals));
            assert_eq!(types(&after.out_avals), types(&before.out_avals));
            assert_eq!(after.nr_devices, before.nr_devices);
        }
    }
    if let Some(again) = converted(&after) {
        assert!(again == bytes, "another form for {version}");
    }
}

fn check_freezing(module: &Module) {
    let artifact = Artifact::of(module);
    let exported = |artifact: &Artifact| artifact.container().and_then(|file| file.exported(0).ok()?);
    let Some(before) = exported(&artifact) else { return };
    let (Some(name), Some(aval)) = (before.in_paths.first(), before.in_avals.first()) else { return };
    let shape: Option<Vec<u64>> =
        aval.shape.iter().map(|size| size.parse().ok().filter(|&size| size < 64)).collect();
    let Some(shape) = shape.filter(|shape| shape.len() < 4) else { return };
    let count: u64 = shape.iter().product();
    let tensor = NamedTensor::new(&**name, "f32", &shape, vec![1; 4 * count as usize]);
    let Ok((mut rewrite, _)) = Rewrite::freeze(&artifact, &[tensor], &FreezeOptions::default()) else {
        return;
    };
    let Ok(prepared) = rewrite.prepare(&WriteOptions::default()) else { return };
    let mut bytes = Vec::new();
    prepared.write(&mut bytes).expect("a prepared artifact is written");
    let limits = Limits::default().max_memory(Some(8 * LIMIT));
    let options = ReadOptions::default().limits(limits);
    let after = Artifact::from_source(bytes.into(), &options).expect("an export remains one");
    let after = exported(&after).expect("an export has fields");
    assert_eq!(after.in_avals.len() + 1, before.in_avals.len());
    assert_eq!(after.in_paths.len() + 1, before.in_paths.len());
}

fn check_writing(data: &[u8], container: &Container, module: &Module) {
    let mut same = Vec::new();
    module.write_contained(&mut same, &WriteOptions::default()).expect("the bytes of the module");
    match container.compression() {
        None => assert!(same == data, "another container"),
        Some(_) => assert_eq!(same.len() as u64, container.content_size()),
    }
    let index = module.tables().module_index();
    for tenths in [0, 5, 20] {
        let other_module = vec![b'x'; container.modules()[index].size as usize * tenths / 10];
        let prepared = match container.prepare(&[(index, other_module.len() as u64)]) {
            Ok(prepared) => prepared,
            // Fields that opening does not read may be invalid.
            Err(error) => return of_the_file(&error),
        };
        let mut written = Vec::new();
        let put = &mut |_: usize, writer: &mut dyn io::Write| {
            writer.write_all(&other_module).map_err(|error| Error::io("cannot write", error))
        };
        prepared.write(&mut written, put).expect("a prepared container is written");
        assert_eq!(written.len() as u64, prepared.len());
        check_fields(container, &written, index);
    }
}

// The written container must have the same fields. The original module is put back first, because bytes that
// are not bytecode do not open as a container.
fn check_fields(container: &Container, written: &[u8], index: usize) {
    let Ok(old) = container.source(index).and_then(|source| source.get(0..source.len())) else { return };
    if old.len() < 4 || index > 0 {
        return;
    }
    let mut written = written.to_vec();
    let Some(at) = written.windows(4).position(|window| window == b"xxxx") else { return };
    written[at..at + 4].copy_from_slice(b"ML\xefR");
    let options = ReadOptions::default().limits(Limits::default().max_memory(Some(8 * LIMIT)));
    let Ok(module) = Module::from_source(written.into(), &options) else { return };
    let written_container = module.container().expect("a container remains one");
    for index in 0..container.modules().len().min(MODULES) {
        if let (Ok(before), Ok(after)) = (container.exported(index), written_container.exported(index)) {
            assert!(before == after, "module {index}: {before:?} became {after:?}");
        }
    }
}
