//! Mutations of sections, strings, entries and resources, whose lengths are put right.

use crate::frames::Pieces;
use crate::tables::{Payloads, Properties, Strings};

use super::{Noise, edit};

/// Drops, repeats, exchanges or aligns a section.
pub(super) fn section(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = Pieces::of(file)?;
    let count = pieces.sections.len();
    let (one, other) = (noise.below(count), noise.below(count));
    match noise.below(6) {
        0 => drop(pieces.sections.remove(one)),
        1 => {
            let copy = pieces.sections[one].clone();
            pieces.sections.insert(other, copy);
        }
        2 => pieces.sections.swap(one, other),
        3 => pieces.sections[one].alignment = Some(1 << noise.below(9)),
        4 => pieces.sections[one].id = noise.below(10) as u8,
        _ => pieces.sections[one].data.clear(),
    }
    Some(pieces.join())
}

/// Changes a string, or the encoding of an attribute or a type.
pub(super) fn entry(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = Pieces::of(file)?;
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
    let mut pieces = Pieces::of(file)?;
    let mut resources = Payloads::resources(&pieces)?;
    change(&mut resources, noise)?;
    resources.write(&mut pieces);
    Some(pieces.join())
}

/// Changes properties, or puts those of another operation in their place.
pub(super) fn property(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut pieces = Pieces::of(file)?;
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

// Edits a payload, or puts another one in its place.
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
