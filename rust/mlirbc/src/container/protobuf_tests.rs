//! Tests of modules inside protocol buffers: files of TensorFlow and Orbax, other sizes, and damaged
//! messages.

use std::path::Path;

use super::*;

fn content(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/containers");
    std::fs::read(folder.join(name)).unwrap()
}

fn recognize(bytes: &[u8]) -> Result<Option<Container>> {
    Container::recognize(&bytes.to_vec().into(), &Limits::default())
}

fn container(bytes: &[u8]) -> Container {
    recognize(bytes).unwrap().unwrap()
}

fn with_modules(container: &Container, modules: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let sizes: Vec<_> = modules.iter().map(|(index, bytes)| (*index, bytes.len() as u64)).collect();
    let prepared = container.prepare(&sizes).unwrap();
    let mut written = Vec::new();
    let mut put = |index: usize, output: &mut dyn Write| {
        let (_, bytes) = modules.iter().find(|(number, _)| *number == index).unwrap();
        output.write_all(bytes).unwrap();
        Ok(())
    };
    prepared.write(&mut written, &mut put).unwrap();
    assert_eq!(written.len() as u64, prepared.len());
    written
}

/// A field with a length.
fn field(number: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = value.len();
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(value);
    bytes
}

/// A SavedModel with these bytes as its graph.
fn saved_model(graph: &[u8]) -> Vec<u8> {
    [&b"\x08\x01"[..], &field(2, &field(2, graph))].concat()
}

fn node(name: &str, module: &[u8]) -> Vec<u8> {
    let attribute = [field(1, b"module"), field(2, &field(2, module))].concat();
    field(1, &[field(1, name.as_bytes()), field(2, b"XlaCallModule"), field(5, &attribute)].concat())
}

// The expected offsets and sizes come from TensorFlow's own messages.
#[test]
fn modules_of_a_saved_model_have_functions_and_attributes() {
    let container = container(&content("saved_model.pb"));
    assert_eq!(container.kind(), ContainerKind::SavedModel);
    let modules: Vec<_> =
        container.modules().iter().map(|module| (&*module.path, module.offset, module.size)).collect();
    let expected = [
        ("__inference_serve_14/XlaCallModule", 3730, 931),
        ("__inference_helper_11/XlaCallModule", 10938, 743),
    ];
    assert_eq!(modules, expected);
    assert_eq!(container.index_of(Some(&ModuleChoice::Name("__inference_helper_11".into()))).unwrap(), 1);
    let summary = container.summary(1).unwrap();
    let text = |name| {
        summary.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &*attribute.text)
    };
    assert_eq!((text("version"), text("platforms")), (Some("10"), Some("CPU, CUDA")));
    // The writer leaves out a default value.
    assert_eq!(text("use_shardy_partitioner"), None);
    assert!(summary.exported.is_none());
}

#[test]
fn modules_of_an_orbax_manifest_have_objects_and_attributes() {
    let container = container(&content("orbax_manifest.pb"));
    assert_eq!(container.kind(), ContainerKind::OrbaxManifest);
    let module = &container.modules()[0];
    assert_eq!((&*module.path, module.offset, module.size), ("serving", 30, 823));
    let attributes: Vec<_> = container
        .summary(0)
        .unwrap()
        .attributes
        .into_iter()
        .map(|attribute| (attribute.name, attribute.text))
        .collect();
    let expected = [
        ("mime_type", "mlir_stablehlo"),
        ("calling_convention_version", "10"),
        ("lowering_platforms", "cpu"),
        ("module_kept_var_idx", "0, 1, 2"),
    ];
    assert_eq!(attributes, expected.map(|(name, text)| (name, text.to_owned())));
}

#[test]
fn lengths_of_all_messages_follow_the_modules() {
    for name in ["saved_model.pb", "orbax_manifest.pb"] {
        let whole = content(name);
        let container = container(&whole);
        let count = container.modules().len();
        let module = |index: usize| {
            let place = &container.modules()[index];
            whole[place.offset as usize..(place.offset + place.size) as usize].to_vec()
        };
        let unchanged: Vec<_> = (0..count).map(|index| (index, module(index))).collect();
        assert_eq!(with_modules(&container, &unchanged), whole, "{name}");
        let fields = container.fields().unwrap();
        // The length of each size has another number of bytes, in the module or in a message around it.
        for size in [4, 60, 127, 128, 400, 16_000, 16_383, 16_384, 2_100_000] {
            for index in 0..count {
                let bytes = [&MAGIC[..], &vec![7; size - 4]].concat();
                let written = with_modules(&container, &[(index, bytes.clone())]);
                let again = self::container(&written);
                assert_eq!(again.fields().unwrap(), fields, "{name}, module {index} of {size} bytes");
                for other in 0..count {
                    let expected = if other == index { bytes.clone() } else { module(other) };
                    assert_eq!(again.source(other).unwrap().get(0..expected.len() as u64).unwrap(), expected);
                    assert_eq!(again.modules()[other].size, expected.len() as u64);
                }
                assert_eq!(with_modules(&again, &[(index, module(index))]), whole, "{name}");
            }
        }
        // Modules may be given in any order.
        let grown: Vec<_> =
            (0..count).rev().map(|index| (index, [module(index), vec![0; 9000]].concat())).collect();
        let again = self::container(&with_modules(&container, &grown));
        assert!(
            again.modules().iter().zip(container.modules()).all(|(new, old)| new.size == old.size + 9000)
        );
    }
}

#[test]
fn fields_tell_what_differs() {
    let whole = content("saved_model.pb");
    let fields = |bytes: &[u8]| container(bytes).fields().unwrap();
    let before = fields(&whole);
    let changed = |text: &[u8], new: &[u8]| {
        let mut bytes = whole.clone();
        let at = bytes.windows(text.len()).rposition(|window| window == text).unwrap();
        bytes[at..at + new.len()].copy_from_slice(new);
        let after = fields(&bytes);
        let names = before.iter().zip(&after).filter(|(old, new)| old != new);
        names.map(|(old, _)| (old.module, old.name)).collect::<Vec<_>>()
    };
    assert_eq!(changed(b"CUDA", b"ROCM"), [(1, "platforms")]);
    assert_eq!(changed(b"serving_default", b"serving_defaulT"), [(0, "rest")]);
}

#[test]
fn paths_are_unique() {
    let module = [&MAGIC[..], b"\rx\0"].concat();
    let graph = [node("call", &module), node("call", &module), node("", &module)].concat();
    let modules = container(&saved_model(&graph)).modules().to_vec();
    let paths: Vec<_> = modules.iter().map(|module| &*module.path).collect();
    assert_eq!(paths, ["call", "call.1", ".2"]);
}

#[test]
fn messages_that_lie_are_refused_where_they_do() {
    // The graph begins at 6; a node has its length at 7.
    for (graph, offset) in [
        // A length past the message, of 2 GiB, and of 2^64.
        (&b"\x0a\x09ab"[..], 7),
        (b"\x0a\xff\xff\xff\xff\x07ab", 7),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 7),
        // A number of eleven bytes, and one that is cut.
        (b"\x18\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 7),
        (b"\x18\x80\x80", 7),
        // A number of 4 and of 8 bytes past the end.
        (b"\x1d\0\0\0", 6),
        (b"\x19\0\0\0\0", 6),
        // A group, which may be nested; a wire type that does not exist; the field 0.
        (b"\x0b\x0b\x0c\x0c", 6),
        (b"\x0f", 6),
        (b"\x02\0", 6),
    ] {
        let error = recognize(&saved_model(graph)).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Protobuf, Some(offset)), "{graph:?}");
    }
    // Other files may begin as a manifest does.
    for text in [&b"\nmodule {}\n"[..], b"\n", b"\x0a\xff\xff\xff\xff\x07", b"\x0a\x03abc\x0b"] {
        assert!(recognize(text).unwrap().is_none());
    }
}

#[test]
fn damaged_files_end_in_errors() {
    for name in ["saved_model.pb", "orbax_manifest.pb"] {
        let whole = content(name);
        for len in (0..whole.len()).step_by(7) {
            let cut = recognize(&whole[..len]);
            assert!(
                cut.is_err()
                    || cut
                        .is_ok_and(|container| container.is_none_or(|container| container.fields().is_ok())),
                "{name} {len}"
            );
        }
        for at in (0..whole.len()).step_by(11) {
            for change in [1, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                if let Ok(Some(found)) = recognize(&bytes) {
                    found.fields().unwrap();
                    let bytes = vec![(0, vec![1; 300])];
                    with_modules(&found, &bytes);
                }
            }
        }
    }
}

#[cfg(feature = "steps")]
#[test]
fn work_is_linear_in_the_size_of_the_graph() {
    let steps = |count: usize| {
        let module = [&MAGIC[..], b"\rx\0"].concat();
        let graph = node("call", &module).repeat(count);
        let bytes = saved_model(&graph);
        let before = crate::wire::steps::taken();
        let opened = container(&bytes);
        opened.fields().unwrap();
        let sizes: Vec<_> = (0..count).map(|index| (index, 9)).collect();
        opened.prepare(&sizes).unwrap();
        crate::wire::steps::taken() - before
    };
    let (few, many) = (steps(500), steps(4000));
    assert!(many < 9 * few, "{few} {many}");
}
