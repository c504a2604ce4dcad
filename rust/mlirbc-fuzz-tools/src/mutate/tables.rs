//! Mutations of sections, strings, entries and resources, with corrected lengths.

use crate::frames::SplitFile;
use crate::tables::{Payloads, Properties, Strings};

use super::{Noise, edit};

/// Drops, repeats, exchanges or aligns a section.
pub(super) fn section(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    let count = pieces.sections.len();
    let (first, second) = (noise.below(count), noise.below(count));
    match noise.below(6) {
        0 => drop(pieces.sections.remove(first)),
        1 => {
            let copy = pieces.sections[first].clone();
            pieces.sections.insert(second, copy);
        }
        2 => pieces.sections.swap(first, second),
        3 => pieces.sections[first].alignment = Some(1 << noise.below(9)),
        4 => pieces.sections[first].id = noise.below(10) as u8,
        _ => pieces.sections[first].data.clear(),
    }
    Some(pieces.join())
}

/// Changes a string, or the encoding of an attribute or a type.
pub(super) fn entry(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    if noise.below(4) == 0 {
        let mut strings = Strings::read(&pieces)?;
        let (from, to) = (noise.below(strings.0.len().max(1)), noise.below(strings.0.len().max(1)));
        if noise.below(2) == 0 {
            let copy = strings.0.get(from)?.bytes.clone();
            strings.0.get_mut(to)?.bytes = copy;
        } else {
            edit(&mut strings.0.get_mut(to)?.bytes, noise);
        }
        strings.write(&mut pieces);
    } else {
        let mut entries = Payloads::entries(&pieces)?;
        change(&mut entries, noise)?;
        entries.write(&mut pieces);
    }
    Some(pieces.join())
}

/// Changes the payload of a resource.
pub(super) fn resource(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    let mut resources = Payloads::resources(&pieces)?;
    change(&mut resources, noise)?;
    resources.write(&mut pieces);
    Some(pieces.join())
}

/// Changes properties, or replaces them by the properties of another operation.
pub(super) fn property(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    let mut properties = Properties::read(&pieces)?;
    let count = properties.0.len().max(1);
    let (from, to) = (noise.below(count), noise.below(count));
    if noise.below(3) == 0 {
        *properties.0.get_mut(to)? = properties.0.get(from)?.clone();
    } else {
        edit(properties.0.get_mut(to)?, noise);
    }
    properties.write(&mut pieces);
    Some(pieces.join())
}

// Edits a payload, or replaces it by another one.
fn change(payloads: &mut Payloads, noise: &mut Noise) -> Option<()> {
    let count = payloads.rows.len().max(1);
    let (from, to) = (noise.below(count), noise.below(count));
    match noise.below(4) {
        0 => {
            let copy = payloads.rows.get(from)?.bytes.clone();
            payloads.rows.get_mut(to)?.bytes = copy;
        }
        1 => payloads.rows.get_mut(to)?.bytes.clear(),
        _ => {
            edit(&mut payloads.rows.get_mut(to)?.bytes, noise);
        }
    }
    Some(())
}
