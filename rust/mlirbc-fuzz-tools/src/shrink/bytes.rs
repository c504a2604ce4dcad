//! Removing bytes, whatever they mean.

use super::{Goal, Level, Search};

/// The size up to which single bytes are removed.
const SMALL: usize = 4096;

/// Removes runs of bytes: of one byte in a small file, of a thousandth in a large one.
pub(super) fn run(search: &mut Search<'_>) {
    loop {
        let size = search.best.file.len();
        let least = if size <= SMALL { 1 } else { size / 1024 };
        search.reduce_at(Level::File, Goal::Smaller, least, <[u8]>::len, |best, range| {
            Some([&best[..range.start], &best[range.end..]].concat())
        });
        // Finer runs become affordable as the file gets smaller.
        if search.is_stopped() || search.best.file.len() >= size.div_ceil(2) {
            return;
        }
    }
}
