//! Short strings of bytes that share allocations.

use ::bytes::{Bytes, BytesMut};

/// Longer strings get an allocation of their own.
const LONG: usize = 1 << 10;
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 16;

/// Copies bytes to buffers that many strings share, instead of one allocation for each string.
#[derive(Debug, Default)]
pub(crate) struct SharedBytes {
    buffer: BytesMut,
    size: usize,
}

impl SharedBytes {
    /// Returns a copy of the bytes.
    pub(crate) fn copy(&mut self, bytes: &[u8]) -> Bytes {
        if bytes.len() > LONG {
            return Bytes::copy_from_slice(bytes);
        }
        if self.buffer.capacity() < bytes.len() {
            self.size = (2 * self.size).clamp(FIRST, MOST);
            self.buffer = BytesMut::with_capacity(self.size.max(bytes.len()));
        }
        self.buffer.extend_from_slice(bytes);
        self.buffer.split().freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn copies_keep_their_bytes(rows in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..1500), 0..200)) {
            let mut shared = SharedBytes::default();
            let copies: Vec<Bytes> = rows.iter().map(|row| shared.copy(row)).collect();
            drop(shared);
            prop_assert_eq!(copies, rows);
        }
    }
}
