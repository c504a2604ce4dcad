//! Declarations of authors that are not about operations: aliases, names in earlier releases, texts and types of attributes.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use mlirbc::Module;
use mlirbc::limits::Limits;
use mlirbc::pack::{Pack, PackMaker, PackOptions, RowKind};
use mlirbc::parse::{ParseOptions, parse};

fn made(dialect: &str, release: &str, extra: &str) -> mlirbc::Result<String> {
    let options = PackOptions {
        name: dialect.to_owned(),
        release: release.to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options)?;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/packs");
    let dump = std::fs::read(data.join(format!("{dialect}.json"))).unwrap();
    maker.add_dump(&dump, &Limits::default())?;
    maker.add_extra(extra)?;
    Ok(maker.finish())
}

fn registered(dialect: &str, release: &str, extra: &str) -> Pack {
    let text = made(dialect, release, extra).unwrap();
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    pack.register().unwrap();
    pack
}

fn assembled(text: &str, release: &str) -> Module {
    let options = ParseOptions::default().target(mlirbc::Release::named(release.to_owned()));
    let mut bytes = Vec::new();
    parse(text.as_bytes(), &options).unwrap().write(&mut bytes, &Default::default()).unwrap();
    let read = mlirbc::ReadOptions::default().release(mlirbc::Release::named(release.to_owned()));
    Module::from_source(bytes.into(), &read).unwrap()
}

fn printed(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn an_alias_has_parts_of_the_parameters() {
    registered("forms", "forms-alias", "[alias]\n\"forms.ring\" = \"r_{0:word}\"");
    let module = assembled("module attributes {t.x = !forms.ring<i32>} {}", "forms-alias");
    assert!(printed(&module).starts_with("!r_i32 = !forms.ring<i32>\n"), "{}", printed(&module));
}

#[test]
fn a_name_in_an_earlier_release_is_a_row() {
    let pack =
        registered("toy", "toy-renamed", "[rename]\n\"toy.plus\" = \"toy.sum\"\n\"toy.sum\" = \"toy.other\"");
    // The release has the second one, and lacks what it would be called.
    assert_eq!(pack.names(RowKind::Rename, 0).collect::<Vec<_>>(), ["toy.plus"]);
}

#[test]
fn an_attribute_has_the_type_that_the_author_says() {
    let extra = "[attribute.\"forms.point\"]\nvalue_type = \"!forms.place\"";
    registered("forms", "forms-value-type", extra);
    for text in ["#forms.point<x = 1>", "#forms.point<x = 1> : !forms.place"] {
        let module = assembled(&format!("module attributes {{t.x = {text}}} {{}}"), "forms-value-type");
        assert!(
            printed(&module).contains("t.x = #forms.point<x = 1> : !forms.place}"),
            "{}",
            printed(&module)
        );
    }
    for wrong in ["!forms.place<1>", "1", ""] {
        let extra = format!("[attribute.\"forms.point\"]\nvalue_type = \"{wrong}\"");
        let text = made("forms", "forms-wrong-type", &extra).unwrap();
        let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
        let [warning] = pack.warnings() else { panic!("{:?}", pack.warnings()) };
        assert!(warning.reason.contains("`value_type`"), "{warning:?}");
    }
}
