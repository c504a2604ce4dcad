//! Mutations that know the format; `mlirbc mutate` uses the same ones.

pub use mlirbc_fuzz_tools::mutate::*;

/// Calls [`custom_cross_over`] for two inputs without their first bytes, which select a target, and keeps the
/// first bytes of the first input. Returns the size of the new input, 0 if there is none.
///
/// ```
/// use mlirbc_fuzz::mutate::cross_over_tagged;
/// let input = [&[7][..], &mlirbc::doc_example()].concat();
/// let mut out = [0; 4096];
/// let size = (0..20).map(|seed| cross_over_tagged(1, &input, &input, &mut out, seed)).max().expect("a size");
/// assert!(size > 1 && out[0] == 7);
/// ```
pub fn cross_over_tagged(tag: usize, one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let (Some((tag, one)), Some((_, other))) = (one.split_at_checked(tag), other.split_at_checked(tag))
    else {
        return 0;
    };
    let Some((first, rest)) = out.split_at_mut_checked(tag.len()) else { return 0 };
    match custom_cross_over(one, other, rest, seed) {
        0 => 0,
        size => {
            first.copy_from_slice(tag);
            tag.len() + size
        }
    }
}
