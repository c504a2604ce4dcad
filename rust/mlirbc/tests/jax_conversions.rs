//! Exports for other releases of JAX: the container has the form that the release itself writes.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mlirbc::artifact::JaxConversion;
use mlirbc::container::Container;
use mlirbc::tool::JaxReaders;
use mlirbc::{Artifact, Error, ErrorKind};

const MLP: &str = "../../../examples/mlp.jax";

/// Releases of JAX that were run with converted files.
const RELEASES: [&str; 13] = [
    "0.4.30", "0.4.36", "0.5.0", "0.5.3", "0.6.0", "0.6.2", "0.7.2", "0.8.0", "0.8.3", "0.9.0", "0.9.2",
    "0.10.0", "0.10.2",
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/containers").join(name)
}

fn bytes(conversion: &JaxConversion) -> Vec<u8> {
    let mut bytes = Vec::new();
    conversion.prepared.write(&mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, conversion.prepared.len());
    bytes
}

fn convert(artifact: &Artifact, version: &str) -> Result<JaxConversion, Error> {
    mlirbc::tool::prepare_for_jax(artifact, version, &Default::default())
}

fn opened(bytes: Vec<u8>) -> Artifact {
    Artifact::from_source(bytes.into(), &Default::default()).unwrap()
}

/// The container with modules of one byte.
fn container(artifact: &Artifact) -> Vec<u8> {
    let container: &Container = artifact.container().unwrap();
    let sizes: Vec<_> = (0..artifact.modules().len()).map(|index| (index, 1)).collect();
    let mut bytes = Vec::new();
    let put = &mut |_: usize, output: &mut dyn std::io::Write| {
        output.write_all(b"M").unwrap();
        Ok(())
    };
    container.prepare(&sizes).unwrap().write(&mut bytes, put).unwrap();
    bytes
}

#[test]
fn a_converted_container_has_the_bytes_of_the_release_itself() {
    let newest = Artifact::open(path("releases/0.10.2.jax")).unwrap();
    for version in ["0.9.0", "0.8.3", "0.8.0", "0.7.2", "0.6.2"] {
        let written = Artifact::open(path(&format!("releases/{version}.jax"))).unwrap();
        let conversion = convert(&newest, version).unwrap();
        assert_eq!(container(&opened(bytes(&conversion))), container(&written), "{version}");
    }
}

#[test]
fn an_export_for_its_own_release_is_unchanged() {
    for (name, version) in [
        (MLP, "0.10.2"),
        ("sharded.jax", "0.10.2"),
        ("sharded_derivative.jax", "0.10.2"),
        ("key.jax", "0.10.2"),
        ("tree.jax", "0.10.2"),
        ("platforms.jax", "0.8.0"),
        ("old.jax", "0.4.30"),
        ("releases/0.9.0.jax", "0.9.0"),
        ("releases/0.8.3.jax", "0.8.3"),
        ("releases/0.8.0.jax", "0.8.0"),
        ("releases/0.7.2.jax", "0.7.2"),
        ("releases/0.6.2.jax", "0.6.2"),
    ] {
        let conversion = convert(&Artifact::open(path(name)).unwrap(), version).unwrap();
        assert!(conversion.is_known && conversion.notes.is_empty(), "{name}: {:?}", conversion.notes);
        assert!(bytes(&conversion) == std::fs::read(path(name)).unwrap(), "{name}");
    }
}

#[test]
fn whatever_is_converted_is_called_by_the_release() {
    for name in [
        MLP,
        "cholesky.jax",
        "key.jax",
        "newest.jax",
        "norm.jax",
        "old.jax",
        "platforms.jax",
        "sharded.jax",
        "sharded_derivative.jax",
        "tpu_kernel.jax",
        "tree.jax",
        "releases/0.8.0.jax",
    ] {
        let before = Artifact::open(path(name)).unwrap();
        for version in RELEASES {
            let conversion = match convert(&before, version) {
                Ok(conversion) => conversion,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{name} for {version}: {error}");
                    let place = |version: &str| RELEASES.iter().position(|known| *known == version);
                    let first = match name {
                        // A custom call has a rule of Shardy for its sharding.
                        "cholesky.jax" => "0.7.2",
                        "key.jax" => "0.6.0",
                        "tree.jax" => "0.4.36",
                        _ => RELEASES[0],
                    };
                    assert!(place(version) < place(first), "{name} for {version}: {error}");
                    continue;
                }
            };
            let after = opened(bytes(&conversion));
            for index in 0..before.modules().len() {
                let readers = JaxReaders::of(&after, index).unwrap().unwrap();
                let reader = readers.reader(version).unwrap();
                assert!(reader.calls(), "{name} for {version}: {:?}", reader.reasons);
                let exported =
                    |artifact: &Artifact| artifact.container().unwrap().exported(index).unwrap().unwrap();
                let (before, after) = (exported(&before), exported(&after));
                assert_eq!(after.fun_name, before.fun_name);
                assert_eq!((after.nr_devices, &after.platforms), (before.nr_devices, &before.platforms));
                assert_eq!((after.in_paths, after.out_paths), (before.in_paths, before.out_paths));
                assert_eq!((after.in_avals, after.out_avals), (before.in_avals, before.out_avals), "{name}");
                assert_eq!(after.module_kept_var_idx, before.module_kept_var_idx);
            }
        }
    }
}

#[test]
fn a_conversion_keeps_named_shardings_where_the_release_reads_them() {
    let shardings = |artifact: &Artifact| {
        let exported = artifact.container().unwrap().exported(0).unwrap().unwrap();
        (exported.in_shardings, exported.out_shardings)
    };
    let before = Artifact::open(path("sharded_derivative.jax")).unwrap();
    let names = shardings(&before);
    for (version, has_names) in [("0.10.0", true), ("0.9.2", true), ("0.9.0", true), ("0.8.3", false)] {
        let conversion = convert(&before, version).unwrap();
        assert_eq!(shardings(&opened(bytes(&conversion))) == names, has_names, "{version}");
        let is_noted = conversion.notes.iter().any(|note| note.contains("without the axes of the mesh"));
        assert_eq!(is_noted, !has_names, "{version}: {:?}", conversion.notes);
    }
    // Upwards, the form of HLO remains: the names cannot be known.
    let older = opened(bytes(&convert(&before, "0.8.3").unwrap()));
    let newer = opened(bytes(&convert(&older, "0.10.2").unwrap()));
    let exported = newer.container().unwrap().exported(0).unwrap().unwrap();
    assert!(exported.has_hlo_shardings && exported.serialization_version == 3);
    // Named shardings become unique ones.
    let older = opened(bytes(&convert(&before, "0.9.2").unwrap()));
    assert_eq!(shardings(&opened(bytes(&convert(&older, "0.10.2").unwrap()))), names);
}

#[test]
fn what_a_release_does_not_have_is_refused() {
    let key = Artifact::open(path("key.jax")).unwrap();
    let error = convert(&key, "0.5.3").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let message = error.to_string();
    assert!(
        message
            .contains("JAX 0.5.3 cannot read the export: `main`: it does not know the element type key<fry>")
    );
    assert!(message.contains("jax.random.key_data"), "{message}");
    // A kernel is not converted.
    let kernel = convert(&Artifact::open(path("tpu_kernel.jax")).unwrap(), "0.7.2").unwrap();
    assert_eq!(kernel.notes, ["kernels remain as they are: `main/kernels/blocked_dot`"]);
    let tree = Artifact::open(path("tree.jax")).unwrap();
    let message = convert(&tree, "0.4.30").unwrap_err().to_string();
    assert!(message.contains("custom pytree nodes"), "{message}");
    for wrong in ["", "0.8.x", "0.1.0", "1.2.3.4"] {
        assert_eq!(convert(&key, wrong).unwrap_err().kind(), ErrorKind::Value, "{wrong}");
    }
    // Any release between two known ones is like the older one.
    let conversion = convert(&tree, "0.7.1").unwrap();
    assert_eq!((&*conversion.release, conversion.is_known), ("0.7.0", false));
}

/// The number of devices of an export, which lies in the root table, replaced by another one.
#[test]
fn so_many_devices_are_refused_where_the_field_is_short() {
    let mut file = std::fs::read(path("sharded.jax")).unwrap();
    let root = u32::from_le_bytes(file[..4].try_into().unwrap()) as usize;
    let back = i32::from_le_bytes(file[root..root + 4].try_into().unwrap());
    let vtable = (root as i64 - i64::from(back)) as usize;
    let slot = vtable + 4 + 2 * 18;
    let field = root + usize::from(u16::from_le_bytes(file[slot..slot + 2].try_into().unwrap()));
    assert_eq!(file[field..field + 4], [8, 0, 0, 0]);
    file[field..field + 4].copy_from_slice(&40_000_u32.to_le_bytes());
    let artifact = opened(file);
    let error = convert(&artifact, "0.8.3").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("40000 devices"), "{error}");
    convert(&artifact, "0.9.2").unwrap();
}

#[test]
fn a_field_that_is_not_known_is_refused() {
    let mut file = std::fs::read(path("key.jax")).unwrap();
    let root = u32::from_le_bytes(file[..4].try_into().unwrap()) as usize;
    let back = i32::from_le_bytes(file[root..root + 4].try_into().unwrap());
    let vtable = (root as i64 - i64::from(back)) as usize;
    // A vtable with one slot more than the schema has, at the end.
    let size = usize::from(u16::from_le_bytes(file[vtable..vtable + 2].try_into().unwrap()));
    let mut longer = file[vtable..vtable + size].to_vec();
    longer.resize(4 + 2 * 28, 0);
    let first = longer[4..6].to_vec();
    longer[4 + 2 * 27..].copy_from_slice(&first);
    let len = longer.len() as u16;
    longer[..2].copy_from_slice(&len.to_le_bytes());
    file.resize(file.len().next_multiple_of(4), 0);
    let place = file.len();
    file[root..root + 4].copy_from_slice(&(root as i32 - place as i32).to_le_bytes());
    file.extend(longer);
    let error = convert(&opened(file), "0.7.2").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("does not know") && error.offset().is_some(), "{error}");
}

#[test]
fn a_portable_artifact_gets_the_version_of_the_release() {
    let export = Artifact::open(path(MLP)).unwrap();
    let module = export.module(0).unwrap();
    let conversion = export.prepare_module_for_jax(&module, "0.6", &Default::default()).unwrap();
    let alone = opened(bytes(&conversion));
    assert!(alone.is_for_jax().unwrap() && !alone.has_fields());
    let version = |artifact: &Artifact| {
        let module = artifact.module(0).unwrap();
        mlirbc::convert::portable::artifact_version(&module).unwrap().to_string()
    };
    assert_eq!(version(&alone), "1.10.4");
    // A file alone is converted in the same way, and not at all if the release reads it.
    assert_eq!(version(&opened(bytes(&convert(&alone, "0.5.0").unwrap()))), "1.8.9");
    let same = convert(&alone, "0.7.2").unwrap();
    assert!(bytes(&same) == bytes(&conversion));
    assert!(!opened(mlirbc::doc_example()).is_for_jax().unwrap());
}
