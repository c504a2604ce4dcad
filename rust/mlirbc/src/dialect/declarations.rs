//! Declarations of a dialect beyond its attributes and types: the encoding of the properties of its ops, and
//! its versions.
//!
//! A declared encoding describes property blobs whose layout only the op defines otherwise (`writeProperties`
//! of generated ops), so that the indices in the blobs can be renumbered. The encoding is applied to a value
//! only if it consumes all bytes and reproduces them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::format::id::TypeId;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};

use super::entries::{Entries, bits_of};
use super::node::Node;
use super::primitive;
use super::table::{Bits, DialectTable, Encoding, Encodings, Layout, ReleaseLayout, refers};

/// The encodings of property blobs, by op.
#[derive(Debug, Default, Clone)]
pub(crate) struct OpForms {
    all: Option<Encoding>,
    by_stem: HashMap<Box<str>, Encoding>,
}

impl OpForms {
    /// Adds the encoding of one op, or the encoding of all ops without their own; returns whether there was
    /// none.
    pub(crate) fn add(&mut self, stem: Option<Box<str>>, form: Encoding) -> bool {
        match stem {
            Some(stem) => self.by_stem.insert(stem, form).is_none(),
            None => self.all.replace(form).is_none(),
        }
    }

    /// All encodings.
    fn rows(&self) -> impl Iterator<Item = &Encoding> {
        self.by_stem.values().chain(&self.all)
    }

    fn at_version(&self, version: &[u64]) -> Self {
        let gated = |form: &Encoding| {
            let mut form = form.clone();
            apply_gate(&mut form, version);
            form
        };
        Self {
            all: self.all.as_ref().map(gated),
            by_stem: self.by_stem.iter().map(|(stem, form)| (stem.clone(), gated(form))).collect(),
        }
    }

    /// The encoding of an op, by its name without the dialect.
    pub(crate) fn find(&self, stem: &[u8]) -> Option<&Encoding> {
        let op_form = std::str::from_utf8(stem).ok().and_then(|stem| self.by_stem.get(stem));
        op_form.or(self.all.as_ref())
    }
}

/// Decodes bytes into `node` and checks that encoding reproduces them; returns the number of the matching
/// layout.
///
/// # Errors
/// The mismatch, or [`ErrorKind::SchemeRoundTrip`].
pub(crate) fn decode_exactly(
    form: &Encoding,
    data: &[u8],
    offset: u64,
    entries: &impl Entries,
    node: &mut Node,
) -> Result<usize> {
    let number = primitive::decode(form, data, offset, entries, node)?;
    let Some(layout) = form.layouts.get(number) else {
        return Err(Error::message(ErrorKind::SchemeRoundTrip, "the declared encoding has no layout"));
    };
    let again = primitive::encode(form, layout, node, data, &|index| bits_of(entries, index))?;
    if again == data {
        return Ok(number);
    }
    let at = again.iter().zip(data).take_while(|(a, b)| a == b).count();
    let name = &form.name;
    let message = format!("the declared encoding of `{name}` does not reproduce its bytes from byte {at} on");
    let error = Error::message(ErrorKind::SchemeRoundTrip, message);
    Err(error.at(offset + at as u64))
}

/// A property blob with a declared encoding.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(crate) table: Arc<DialectTable>,
    pub(crate) stem: Box<[u8]>,
    pub(crate) layout: usize,
    pub(crate) node: Node,
    pub(crate) data: Box<[u8]>,
}

impl PartialEq for Declared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.table, &other.table) && self.stem == other.stem && self.data == other.data
    }
}

impl Declared {
    /// Reads the blob of an op; `None` if the dialect declares no encoding for it.
    ///
    /// # Errors
    /// As [`decode_exactly`].
    pub(crate) fn read(
        table: &Arc<DialectTable>,
        stem: &[u8],
        data: &[u8],
        offset: u64,
        entries: &impl Entries,
    ) -> Result<Option<Self>> {
        let Some(form) = table.ops.find(stem) else { return Ok(None) };
        let mut node = Node::default();
        let layout = decode_exactly(form, data, offset, entries, &mut node)?;
        Ok(Some(Self { table: table.clone(), stem: stem.into(), layout, node, data: data.into() }))
    }

    /// The encoding and the layout of the blob; `None` only for an encoding that was not read.
    pub(crate) fn form(&self) -> Option<(&Encoding, &Layout)> {
        let form = self.table.ops.find(&self.stem)?;
        Some((form, form.layouts.get(self.layout)?))
    }

    /// Whether some of the bytes may be undeclared indices.
    pub(crate) fn is_opaque(&self) -> bool {
        self.form().is_none_or(|(_, layout)| layout.fields.iter().any(|field| field.primitive.is_opaque()))
    }

    /// The bytes, with the current indices of `node`.
    ///
    /// # Errors
    /// If an index does not fit its field.
    pub(crate) fn encode(&self, width: &dyn Fn(TypeId) -> Option<u64>) -> Result<Vec<u8>> {
        let Some((form, layout)) = self.form() else { return Ok(self.data.to_vec()) };
        primitive::encode(form, layout, &self.node, &self.data, width)
    }
}

/// Parses `2.0` into its numbers.
pub(crate) fn parse_version(text: &str) -> Option<Vec<u64>> {
    text.split('.').map(|part| part.trim().parse().ok()).collect()
}

impl DialectTable {
    /// Decodes the numbers of a version as the table declares.
    ///
    /// # Errors
    /// If the bytes do not have that encoding. `None` if the table declares none.
    pub(crate) fn read_version(
        &self,
        data: &[u8],
        offset: u64,
        entries: &impl Entries,
    ) -> Result<Option<Vec<u64>>> {
        let Some(form) = &self.version else { return Ok(None) };
        let mut node = Node::default();
        decode_exactly(form, data, offset, entries, &mut node)?;
        Ok(Some((0..node.len()).map(|field| node.number(field)).collect()))
    }

    /// Encodes a version; `None` if the table does not declare versions, or declares another number of
    /// fields.
    ///
    /// ```
    /// let table = mlirbc::dialect::DialectTable::from_toml("dialect = 'toy'\nversion = ['major: varint', 'minor: varint']")?;
    /// assert_eq!(table.version_bytes(&[1, 2]), Some(vec![0x03, 0x05]));
    /// assert_eq!(table.version_bytes(&[1]), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn version_bytes(&self, numbers: &[u64]) -> Option<Vec<u8>> {
        use super::node::Field;
        use super::table::Primitive;
        let form = self.version.as_ref()?;
        let layout = form.layouts.first()?;
        if layout.fields.len() != numbers.len() {
            return None;
        }
        let mut node = Node::default();
        for (spec, &number) in layout.fields.iter().zip(numbers) {
            node.begin_field();
            node.push(match spec.primitive {
                Primitive::Signed => Field::Signed(number as i64),
                Primitive::Bool => Field::Bool(number != 0),
                Primitive::Float(_) => Field::Bits(number),
                _ => Field::Unsigned(number),
            });
        }
        primitive::encode(form, layout, &node, &[], &|_| None).ok()
    }

    /// The declared op of this dialect that represents unregistered operations.
    #[doc(hidden)]
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// Whether layouts depend on the dialect version.
    pub(crate) fn has_gates(&self) -> bool {
        let mut forms = self.attributes.rows.iter().chain(&self.types.rows).chain(self.ops.rows());
        forms.any(|form| !form.gates.is_empty())
    }

    /// Whether a version is after all gates. Files without a version are then read in the same way.
    pub(crate) fn is_newest(&self, version: &[u64]) -> bool {
        let mut forms = self.attributes.rows.iter().chain(&self.types.rows).chain(self.ops.rows());
        forms.all(|form| form.gates.iter().all(|(before, _)| version >= &**before))
    }

    /// The newest version that the table knows: the declared version, or otherwise the last version that
    /// changed an encoding.
    pub(crate) fn newest_version(&self) -> Option<&[u64]> {
        let forms = self.attributes.rows.iter().chain(&self.types.rows);
        let changes = forms
            .flat_map(|form| form.gates.iter().map(|(before, _)| &before[..]).chain(form.since.as_deref()));
        self.newest.as_deref().or_else(|| changes.max())
    }

    /// Whether layouts depend on the release of LLVM.
    pub(crate) fn has_releases(&self) -> bool {
        let mut forms = self.attributes.rows.iter().chain(&self.types.rows);
        forms.any(|form| !form.releases.is_empty())
    }

    /// Returns the table for files of a release of LLVM. Builds of its main branch may have the layout of the
    /// previous release as well, and files of unknown producers any layout.
    pub(crate) fn at_release(&self, llvm: Option<Llvm>, is_released: bool) -> Self {
        let (oldest, newest) = match llvm {
            Some(llvm) if is_released => (llvm.0, llvm.0),
            Some(llvm) => (llvm.0.saturating_sub(1), llvm.0),
            None => (0, u32::MAX),
        };
        self.with_layouts(oldest, newest, !is_released, !is_released)
    }

    /// Returns the table for writing for a release, or for the known build of the main branch with this
    /// number.
    pub(crate) fn for_target(&self, llvm: Llvm, is_build: bool) -> Self {
        self.with_layouts(llvm.0, llvm.0, is_build, false)
    }

    // Uses the layouts of the newest of these releases, with the layouts of the older releases as
    // alternatives.
    fn with_layouts(&self, oldest: u32, newest: u32, is_build: bool, may_be_newer: bool) -> Self {
        let mut table = self.at_version(&[u64::MAX]);
        let forms = table.attributes.rows.iter_mut().chain(&mut table.types.rows);
        for form in forms.filter(|form| !form.releases.is_empty()) {
            let is_of = |row: &ReleaseLayout| {
                newest < row.before || newest == row.before && is_build && row.has_builds
            };
            let newer = form.releases.iter().position(is_of);
            let of_newest = newer.unwrap_or(form.releases.len());
            let older = form.releases[..of_newest].iter().rev().filter(|row| oldest < row.before);
            let mut alternatives: Vec<Layout> = older.map(|row| row.layout.clone()).collect();
            if let Some(row) = newer.and_then(|place| form.releases.get(place)).cloned() {
                if newest == row.before && may_be_newer {
                    alternatives.extend(form.layouts.first().cloned());
                }
                apply_layout(form, row.layout);
            }
            form.layouts.extend(alternatives);
            form.has_fixed_layout &= super::fixed_layout::has_fixed_layout(&form.layouts);
            form.refers = refers(&form.layouts);
        }
        table
    }

    /// Returns the table for files with that version.
    pub(crate) fn at_version(&self, version: &[u64]) -> Self {
        Self {
            dialect: self.dialect.clone(),
            attributes: gated(&self.attributes, version),
            types: gated(&self.types, version),
            ops: self.ops.at_version(version),
            version: self.version.clone(),
            newest: self.newest.clone(),
            fallback: self.fallback.clone(),
            is_shipped: self.is_shipped,
            deviation: self.deviation,
            enums: self.enums.clone(),
            aliases: self.aliases.clone(),
            bare: self.bare.clone(),
            words: self.words.clone(),
            value_names: self.value_names.clone(),
            assembly_bits: self.assembly_bits.clone(),
        }
    }
}

/// Arranges the fields of an encoding in the order of another of its layouts.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if one of the two layouts has a field that the other one lacks.
pub(crate) fn in_layout(form: &Encoding, from: &Layout, target: &Layout, node: &Node) -> Result<Node> {
    let lacks = |name: &str| {
        let message = format!("{} has no field `{name}` in the requested version", form.name);
        Error::message(ErrorKind::Unsupported, message).with_hint("change the operations first")
    };
    let mut order = Vec::with_capacity(target.fields.len());
    for spec in &target.fields {
        order.push(from.index(&spec.name).ok_or_else(|| lacks(&spec.name))?);
    }
    if let Some(lost) = from.fields.iter().find(|spec| target.index(&spec.name).is_none()) {
        return Err(lacks(&lost.name));
    }
    node.picked(&order).ok_or_else(|| lacks(&form.name))
}

fn apply_gate(form: &mut Encoding, version: &[u64]) {
    // The lowest gate above the version applies.
    let gate = form.gates.iter().find(|(before, _)| version < &**before);
    if let Some((_, layout)) = gate.cloned() {
        apply_layout(form, layout);
    }
}

fn apply_layout(form: &mut Encoding, layout: Layout) {
    // Templates and formulas refer to fields by their position in the newest layout; missing ones are
    // absent.
    let names: Vec<Box<str>> = form
        .layouts
        .first()
        .map_or_else(Vec::new, |newest| newest.fields.iter().map(|field| field.name.clone()).collect());
    let to = |number: usize| names.get(number).and_then(|name| layout.index(name)).unwrap_or(usize::MAX);
    form.asm = form.asm.renumbered(&to);
    form.as_builtin = form.as_builtin.as_ref().map(|template| template.renumbered(&to));
    form.bits = form.bits.map(|bits| match bits {
        Bits::Field(number, divisor) => Bits::Field(to(number), divisor),
        fixed => fixed,
    });
    form.layouts = vec![layout];
    form.has_fixed_layout &= super::fixed_layout::has_fixed_layout(&form.layouts);
    form.refers = refers(&form.layouts);
}

fn gated(forms: &Encodings, version: &[u64]) -> Encodings {
    let mut forms = forms.clone();
    for form in &mut forms.rows {
        apply_gate(form, version);
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    fn table(text: &str) -> Result<Arc<DialectTable>> {
        DialectTable::from_toml(&format!("dialect = 'd'\n{text}"))
    }

    #[test]
    fn a_scheme_that_contradicts_itself_is_refused_with_its_line() {
        let fault = |text: &str| table(text).unwrap_err().to_string();
        assert!(
            fault("[[op]]\nfields = ['a: rest', 'b: varint']")
                .contains("extends to the end of the entry in line 3")
        );
        assert!(fault("[[op]]\nfields = ['a: list(rest)']").contains("cannot be in a list"));
        assert!(
            fault("[[op]]\nfields = ['a: switch(0: type | 0: type)']")
                .contains("two cases have the same kind")
        );
        assert!(fault("[[op]]\nfields = ['a: switch(0: rest type)']").contains("nothing can follow"));
        assert!(fault("[[op]]\nfields = ['a: switch(x: type)']").contains("not a case number"));
        assert!(fault("[[op]]\nfields = ['a: int(0)']").contains("not a width"));
        assert!(fault("[[op]]\nfields = ['a: sparse(99999)']").contains("not a number from 1"));
        assert!(fault("[[op]]\nname = 'x'\n[[op]]\nname = 'd.x'").contains("another `[[op]]`"));
        assert!(
            fault("[[attribute]]\ncode = '*'\nname = 'A'\n[[attribute]]\ncode = '*'\nname = 'B'")
                .contains("twice")
        );
        assert!(fault("[[attribute]]\ncode = 'x'\nname = 'A'").contains("line 3"));
        assert!(
            fault("[[attribute]]\ncode = 0\nname = 'A'\ngates = [{ before = 'x', fields = [] }]")
                .contains("not a version")
        );
        let deep = format!("[[op]]\nfields = ['a: {}varint{}']", "list(".repeat(40), ")".repeat(40));
        assert!(fault(&deep).contains("levels deep"));
    }

    fn exactly(fields: &str, data: &[u8]) -> Result<usize> {
        let table = table(&format!("[[op]]\nfields = [{fields}]")).unwrap();
        let module = Module::from_bytes(crate::doc_example()).unwrap();
        let entries = module.tables().entries().unwrap();
        let mut node = Node::default();
        decode_exactly(table.ops.find(b"x").unwrap(), data, 0, &entries, &mut node)
    }

    #[test]
    fn values_are_decoded_only_if_they_are_used_up_and_come_again() {
        assert!(exactly("'v: varint', 'r: list(attribute)'", &[0x05, 0x05, 0x01, 0x03]).is_ok());
        // An attribute that the file does not have, an extra byte, a missing byte.
        assert!(exactly("'r: list(attribute)'", &[0x03, 0x7f]).is_err());
        assert!(exactly("'v: varint'", &[0x05, 0x05]).is_err());
        assert!(exactly("'v: varint', 'w: varint'", &[0x05]).is_err());
        // A varint that is not minimal and a Boolean of 2 are read, but not reproduced.
        let error = exactly("'v: varint'", &[0x0a, 0x00]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SchemeRoundTrip);
        assert!(exactly("'v: bool'", &[0x02]).is_err());
    }

    #[test]
    fn the_whole_vocabulary_comes_again() {
        let ok = |fields: &str, data: &[u8]| {
            exactly(fields, data).unwrap_or_else(|error| panic!("{fields}: {error}"))
        };
        ok("'a: signed', 'b: byte', 'c: bool', 'd: string', 'e: blob'", &[0x03, 7, 1, 0x03, 0x05, 9, 9]);
        ok(
            "'a: optional_attribute', 'b: optional_attribute', 'c: type', 'd: optional_type'",
            &[0x01, 0x03, 0x01, 0x03],
        );
        ok("'a: varint_with_flag', 'b: varint_with_flag'", &[0x09, 0x0b]);
        ok("'a: sparse(2)', 'b: sparse(4)'", &[0x09, 0x05, 0x03, 0x07, 0x05, 0x1d]);
        ok("'a: int(8)', 'b: int(16)', 'c: float(64)'", &[0xff, 0x05, 0x03]);
        ok(
            "'a: list(switch(0: attribute list(attribute) | 1: type | else: varint))'",
            &[0x07, 1, 1, 3, 1, 3, 1, 5, 9],
        );
        ok("'a: varint', 'b: rest'", &[0x01, 1, 2, 3, 0xff]);
        ok("'a: switch(0: rest | 1: )'", &[0x01, 4, 5]);
        ok("'a: switch(0: rest | 1: )'", &[0x03]);
        assert!(exactly("'a: switch(0: rest | 1: )'", &[0x05]).is_err());
    }

    #[test]
    fn the_lowest_gate_above_a_version_counts() {
        let text = "[[attribute]]\ncode = 0\nname = 'A'\nfields = ['c: varint']\n\
            gates = [{ before = '2.0', fields = ['b: varint'] }, { before = '1', fields = ['a: varint'] }]";
        let table = table(text).unwrap();
        let name = |version: &[u64]| {
            table.at_version(version).attributes.rows[0].layouts[0].fields[0].name.to_string()
        };
        assert_eq!(
            [name(&[0, 9]), name(&[1, 0]), name(&[1, 9]), name(&[2, 0]), name(&[3])],
            ["a", "b", "b", "c", "c"]
        );
    }
}
