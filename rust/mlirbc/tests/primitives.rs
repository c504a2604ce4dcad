//! The primitives of the format on every small input: all inputs of up to two bytes, all first bytes with every length
//! around the one they announce, and all widths, against definitions that are as simple as possible.
//!
//! A proof tool would cover all inputs; these tests cover the inputs at which the code takes another path.

#![allow(clippy::unwrap_used, clippy::panic)]

use mlirbc::ErrorKind;
use mlirbc::cursor::{Cursor, PADDING};
use mlirbc::format::Offsets;
use mlirbc::varint::{SignedVarInt, VarInt};

/// Bytes after the first: none, all and alternating bits, the lowest and the highest alone.
const FILLS: [u8; 5] = [0x00, 0xff, 0x55, 0x01, 0x80];

/// The definition: the trailing zero bits of the first byte count the bytes after it, and the bits above the marker,
/// little-endian, are the value.
fn defined(bytes: &[u8]) -> Option<(u64, usize)> {
    let len = (0..8).find(|&bit| bytes.first().is_some_and(|first| first >> bit & 1 == 1)).unwrap_or(8) + 1;
    let stored = bytes.get(..len)?;
    let word = stored.iter().rev().fold(0_u128, |word, &byte| word << 8 | u128::from(byte));
    Some(((word >> if len == 9 { 8 } else { len }) as u64, len))
}

fn check_varint(bytes: &[u8]) {
    let expected = defined(bytes);
    assert_eq!(VarInt::read(bytes), expected.map(|(value, len)| (VarInt(value), len)), "{bytes:02x?}");
    let mut cursor = Cursor::new(bytes, 100, None);
    match (cursor.varint(), expected) {
        (Ok(value), Some((expected, len))) => {
            assert_eq!((value, cursor.position()), (expected, len), "{bytes:02x?}");
            let mut flagged = Cursor::new(bytes, 0, None);
            assert_eq!(flagged.varint_with_flag().unwrap(), (value >> 1, value & 1 == 1));
            let mut folded = Cursor::new(bytes, 0, None);
            let magnitude = (value >> 1) as i64;
            assert_eq!(folded.signed_varint().unwrap(), if value & 1 == 0 { magnitude } else { !magnitude });
        }
        (Err(error), None) => {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, Some(100)), "{bytes:02x?}");
            assert_eq!(cursor.position(), 0);
        }
        (found, expected) => panic!("{bytes:02x?}: {found:?}, expected {expected:?}"),
    }
}

#[test]
fn varints_of_all_inputs_of_up_to_two_bytes() {
    check_varint(&[]);
    for first in 0..=255 {
        check_varint(&[first]);
        for second in 0..=255 {
            check_varint(&[first, second]);
        }
    }
}

#[test]
fn varints_of_all_first_bytes_at_every_length() {
    for first in 0..=255 {
        for fill in FILLS {
            // Nine bytes is the longest form, and reading eight at once needs them all.
            for len in 1..=18 {
                let mut bytes = vec![fill; len];
                bytes[0] = first;
                check_varint(&bytes);
            }
        }
    }
}

#[test]
fn values_of_all_widths_in_all_forms() {
    for bits in 0..=64 {
        let power = 1_u128 << bits;
        for value in [power - 1, power, power + 1].into_iter().filter_map(|value| u64::try_from(value).ok()) {
            let mut shortest = Vec::new();
            VarInt(value).write(&mut shortest);
            let fits = |len: usize| len == 9 || value >> (7 * len) == 0;
            let expected = (1..=9).find(|&len| fits(len)).unwrap();
            assert_eq!((shortest.len(), VarInt(value).encoded_len()), (expected, expected), "{value}");
            for len in (1..=9).filter(|&len| fits(len)) {
                let word =
                    if len == 9 { u128::from(value) << 8 } else { (u128::from(value) << 1 | 1) << (len - 1) };
                let mut form = word.to_le_bytes()[..len].to_vec();
                assert!(len > expected || form == shortest);
                for rest in 0..=9 {
                    assert_eq!(defined(&form), Some((value, len)));
                    check_varint(&form);
                    if rest == 0 {
                        (1..len).for_each(|cut| check_varint(&form[..cut]));
                    }
                    form.push(0xff);
                }
            }
        }
    }
}

#[test]
fn signed_values_of_16_bits_and_of_all_widths() {
    let powers = (0..63).flat_map(|bit| [1_i64 << bit, (1 << bit) - 1, -(1 << bit), -(1 << bit) - 1]);
    let values = (i64::from(i16::MIN)..=i64::from(i16::MAX)).chain(powers).chain([i64::MIN, i64::MAX]);
    for value in values {
        let mut bytes = Vec::new();
        SignedVarInt(value).write(&mut bytes);
        assert_eq!(SignedVarInt::read(&bytes), Some((SignedVarInt(value), bytes.len())));
        assert_eq!(Cursor::new(&bytes, 0, None).signed_varint().unwrap(), value);
    }
}

#[test]
fn indices_and_counts_at_their_bounds() {
    for value in 0..300_u64 {
        let mut bytes = Vec::new();
        VarInt(value).write(&mut bytes);
        for bound in 0..300 {
            let result = Cursor::new(&bytes, 7, None).index("an entry", bound);
            match result {
                Ok(index) => assert!(u64::from(index) == value && value < u64::from(bound)),
                Err(error) => {
                    assert!(value >= u64::from(bound));
                    assert_eq!((error.kind(), error.offset()), (ErrorKind::Index, Some(7)));
                }
            }
        }
        for rest in 0..300 {
            let input = [&bytes[..], &vec![0; rest]].concat();
            let result = Cursor::new(&input, 7, None).count("entries");
            match result {
                Ok(count) => assert!(count as u64 == value && count <= rest),
                Err(error) => {
                    assert!(value > rest as u64);
                    assert_eq!((error.kind(), error.offset()), (ErrorKind::Count, Some(7)));
                }
            }
        }
    }
}

#[test]
fn padding_at_every_offset_with_every_fault() {
    for base in 0..64_u64 {
        for alignment in (0..7).map(|bit| 1_u64 << bit) {
            let gap = (base.next_multiple_of(alignment) - base) as usize;
            for len in 0..=gap + 1 {
                let padding = vec![PADDING; len];
                let mut cursor = Cursor::new(&padding, base, None);
                match cursor.align(alignment) {
                    Ok(()) => assert!(len >= gap && cursor.position() == gap),
                    Err(error) => {
                        assert!(len < gap);
                        let place = (error.kind(), error.offset());
                        assert_eq!(place, (ErrorKind::Truncated, Some(base + len as u64)));
                    }
                }
            }
            for fault in 0..gap {
                let mut padding = vec![PADDING; gap];
                padding[fault] = 0;
                let error = Cursor::new(&padding, base, None).align(alignment).unwrap_err();
                assert_eq!((error.kind(), error.offset()), (ErrorKind::Padding, Some(base + fault as u64)));
            }
        }
    }
}

#[test]
fn alignments_of_all_inputs_of_two_bytes() {
    for first in 0..=255 {
        for second in 0..=255 {
            let bytes = [first, second];
            let expected = defined(&bytes).map(|(value, _)| u64::from(value as u32));
            match Cursor::new(&bytes, 0, None).alignment() {
                Ok(alignment) => assert!(expected == Some(alignment) && alignment.is_power_of_two()),
                Err(error) if error.kind() == ErrorKind::Truncated => assert_eq!(expected, None),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Alignment);
                    assert!(expected.is_some_and(|value| !value.is_power_of_two()));
                }
            }
        }
    }
}

#[test]
fn section_headers_of_all_inputs_of_two_bytes() {
    for first in 0..=255_u8 {
        for second in 0..=255 {
            for rest in
                [&[][..], &[0x01], &[0x03; 3], &[PADDING; 9], &[0x05, PADDING, PADDING, 0, 0, 0, 0, 0]]
            {
                let bytes = [&[first, second][..], rest].concat();
                let mut cursor = Cursor::new(&bytes, 0, None);
                let Ok(frame) = cursor.section_frame() else { continue };
                let (size, len) = defined(&bytes[1..]).unwrap();
                assert_eq!((frame.id, frame.alignment.is_some()), (first & 0x7f, first & 0x80 != 0));
                assert!(frame.start > len && frame.start <= frame.end && frame.end <= bytes.len());
                assert_eq!((frame.end - frame.start) as u64, size, "{bytes:02x?}");
                let alignment = frame.alignment.unwrap_or(1);
                assert!(alignment.is_power_of_two() && (frame.start as u64).is_multiple_of(alignment));
            }
        }
    }
}

#[test]
fn texts_of_all_lengths_with_a_zero_at_every_place() {
    for len in 0..20 {
        for zero in 0..=len {
            let mut bytes = vec![b'a'; len];
            if let Some(byte) = bytes.get_mut(zero) {
                *byte = 0;
            }
            let mut cursor = Cursor::new(&bytes, 0, None);
            match cursor.zero_terminated("a text") {
                Ok(text) => assert_eq!((text.len(), cursor.position()), (zero, zero + 1)),
                Err(error) => {
                    assert_eq!((error.kind(), zero), (ErrorKind::UnterminatedString, len));
                }
            }
        }
    }
}

#[test]
fn offsets_of_both_widths_answer_alike() {
    const BORDERS: [u32; 5] = [0, 1, 255, u32::MAX - 1, u32::MAX];
    for len in 0..=4_u32 {
        for number in 0..5_usize.pow(len) {
            let borders: Vec<u32> = (0..len).map(|place| BORDERS[number / 5_usize.pow(place) % 5]).collect();
            let narrow = Offsets::Narrow(borders.clone());
            let wide = Offsets::Wide(borders.iter().copied().map(u64::from).collect());
            assert_eq!((narrow.len(), narrow.is_empty()), (wide.len(), wide.is_empty()));
            assert_eq!(narrow.len(), borders.len().saturating_sub(1));
            for index in (0..6).chain([usize::MAX - 1, usize::MAX]) {
                let expected = match borders.get(index..).unwrap_or_default() {
                    [start, end, ..] => Some(*start as usize..*end as usize),
                    _ => None,
                };
                assert_eq!((narrow.get(index), wide.get(index)), (expected.clone(), expected));
            }
        }
    }
}
