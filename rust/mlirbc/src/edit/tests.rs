use super::*;
use crate::ReadOptions;
use crate::wire::limits::Limits;

fn limited(bytes: u64) -> Result<Editor> {
    let limits = Limits { max_memory: Some(bytes), ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    Editor::new(Module::from_source(crate::doc_example().into(), &options)?)
}

fn integer(number: usize) -> Attribute {
    Attribute::parse(format!("{number} : i32")).unwrap()
}

#[test]
fn the_outermost_block_stays_as_it_is() {
    let module = Module::from_bytes(crate::doc_example()).unwrap();
    let mut editor = Editor::new(module).unwrap();
    let (top, of) = (editor.top_level(), Type::parse("i8").unwrap());
    let region = editor.region_of(top).unwrap().unwrap();
    assert_eq!(editor.add_argument(top, &of, None).unwrap_err().kind(), ErrorKind::Edit);
    assert_eq!(editor.add_block(region, None, &[]).unwrap_err().kind(), ErrorKind::Edit);
    assert_eq!(editor.erase_block(top).unwrap_err().kind(), ErrorKind::Edit);
    assert_eq!(editor.clear_region(region).unwrap_err().kind(), ErrorKind::Edit);
    assert!(!editor.is_changed());
}

#[test]
fn setting_attributes_one_by_one_keeps_no_unused_dictionaries() {
    let mut editor = limited(64 << 20).unwrap();
    let module = editor.operation().unwrap();
    const COUNT: usize = 2000;
    for number in 0..COUNT {
        editor.set_attribute(module, format!("t.a{number}"), &integer(number)).unwrap();
    }
    assert_eq!(editor.attribute(module, "t.a7").unwrap(), Some(integer(7)));
    let bytes =
        |editor: &Editor| editor.tables.attributes.iter().map(|entry| entry.data.len()).sum::<usize>();
    assert!(bytes(&editor) < 20 * COUNT, "{}", bytes(&editor));
    let mut written = Vec::new();
    editor.write(&mut written, &crate::WriteOptions::default()).unwrap();
    assert!(written.len() < 60 * COUNT, "{}", written.len());
    let read = Editor::new(Module::from_bytes(written).unwrap()).unwrap();
    let attributes = read.attributes(read.operation().unwrap()).unwrap();
    assert_eq!(attributes.len(), COUNT);
    assert!(attributes.iter().all(|attribute| attribute.name.starts_with(b"t.a")));
}

#[test]
fn ops_that_take_turns_keep_what_they_have() {
    let mut editor = limited(64 << 20).unwrap();
    let module = editor.operation().unwrap();
    let body = editor.body(module).unwrap();
    let mut ops = Vec::new();
    for _ in 0..20 {
        let new = NewOperation::new("t.x");
        ops.push(editor.create(&new, InsertionPoint::AtBegin(body)).unwrap());
    }
    for number in 0..3 {
        for &op in &ops {
            editor.set_attribute(op, format!("a{number}"), &integer(number)).unwrap();
        }
    }
    for &op in &ops {
        assert!(editor.remove_attribute(op, "a1").unwrap() && !editor.remove_attribute(op, "a1").unwrap());
    }
    let copy = editor.clone_op(ops[19]).unwrap();
    editor.set_attribute(copy, "a2", &integer(9)).unwrap();
    for &op in &ops {
        let values: Vec<_> =
            editor.attributes(op).unwrap().into_iter().map(|attribute| attribute.value).collect();
        assert_eq!(values, [integer(0), integer(2)]);
    }
    assert_eq!(editor.attribute(copy, "a2").unwrap(), Some(integer(9)));
}

#[test]
fn other_operands_take_the_rows_of_the_old_ones() {
    let mut editor = limited(64 << 20).unwrap();
    let module = editor.operation().unwrap();
    let body = editor.body(module).unwrap();
    let first = editor.operations(body).unwrap()[0];
    let value = editor.results(first).unwrap()[0];
    let new = NewOperation { operands: vec![value; 3], ..NewOperation::new("t.x") };
    let op = editor.create(&new, InsertionPoint::After(first)).unwrap();
    let before = editor.arena.uses.len();
    for count in [3, 1, 0, 2, 3] {
        editor.set_operands(op, &vec![value; count]).unwrap();
        assert_eq!(editor.operands(op).unwrap(), vec![value; count]);
        assert_eq!(editor.uses(value).unwrap().iter().filter(|of| of.0 == op).count(), count);
    }
    let grown = editor.arena.uses.len() - before;
    assert!(grown <= 3, "{grown}");
}

#[test]
fn edits_take_no_more_memory_than_their_account_has() {
    let mut editor = limited(100_000).unwrap();
    let module = editor.operation().unwrap();
    let body = editor.body(module).unwrap();
    let first_error = (0..100_000).find_map(|_| {
        let new = NewOperation::new("t.x");
        editor.create(&new, InsertionPoint::AtEnd(body)).err()
    });
    assert_eq!(first_error.map(|error| error.kind()), Some(ErrorKind::MemoryLimit));
    let mut editor = limited(100_000).unwrap();
    let first_error = (0..100_000)
        .find_map(|number| editor.set_attribute(editor.operation().unwrap(), "t.a", &integer(number)).err());
    assert_eq!(first_error.map(|error| error.kind()), Some(ErrorKind::MemoryLimit));
}
