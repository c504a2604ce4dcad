//! The permission bits of a new file if it cannot keep everything that limited access to the old one.
//!
//! The rule is that no user gains access, except the user who saves, who chose the bytes, and the owner of the
//! old file, who could change its bits at any time. A lost owner therefore costs no bits, and a lost group or
//! access list does.

/// Read, write and execute for owner, group and others. Never set-user-ID, set-group-ID or sticky: whoever
/// set them on the old file did not set them for other bytes.
pub(super) const PERMISSIONS: u32 = 0o777;
/// Bits while a file is being written.
pub(super) const PRIVATE: u32 = 0o600;
/// Bits of any new file, before the user's mask.
pub(super) const NEW: u32 = 0o666;
/// Bits of the owner.
pub(super) const OWNER: u32 = 0o700;

/// The bits of `mode` for a file of another group: its members were among the others before, and the members
/// of the old group are now.
pub(super) fn without_group(mode: u32) -> u32 {
    shared(mode, (mode >> 3) & mode)
}

/// The bits of `mode` for a file that lost its POSIX access list, given as the system stores it: group and
/// others get the bits that everyone in the list had.
#[cfg(any(target_os = "linux", target_os = "android", test))]
pub(super) fn without_list(mode: u32, list: &[u8]) -> u32 {
    shared(mode, granted_to_all(list).unwrap_or(0))
}

fn shared(mode: u32, all: u32) -> u32 {
    let all = all & 7;
    (mode & OWNER) | (all << 3) | all
}

// The bits that every entry grants except the owner's; `None` if it is not a list of version 2.
#[cfg(any(target_os = "linux", target_os = "android", test))]
fn granted_to_all(list: &[u8]) -> Option<u32> {
    const VERSION: u32 = 2;
    let (version, entries) = list.split_first_chunk::<4>()?;
    if u32::from_le_bytes(*version) != VERSION || !entries.len().is_multiple_of(8) {
        return None;
    }
    let (mut limited, mut mask, mut other) = (7, 7, None);
    for entry in entries.chunks_exact(8) {
        let [tag, _, permissions, ..] = *entry else { return None };
        let permissions = u32::from(permissions) & 7;
        match tag {
            // The owner.
            0x01 => {}
            // A user, the file's group, a group.
            0x02 | 0x04 | 0x08 => limited &= permissions,
            0x10 => mask = permissions,
            0x20 => other = Some(permissions),
            _ => return None,
        }
    }
    Some(limited & mask & other?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_group_gets_what_group_and_others_both_had() {
        for (before, after) in [
            (0o644, 0o644),
            (0o640, 0o600),
            (0o664, 0o644),
            (0o606, 0o600),
            (0o755, 0o755),
            (0o775, 0o755),
            (0o6755, 0o755),
        ] {
            assert_eq!(without_group(before), after, "{before:o}");
        }
    }

    fn list(entries: &[(u16, u16)]) -> Vec<u8> {
        let mut bytes = 2_u32.to_le_bytes().to_vec();
        for (tag, permissions) in entries {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(permissions.to_le_bytes());
            bytes.extend(u32::MAX.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn a_lost_list_leaves_what_everyone_in_it_had() {
        // A group that the list denies, a user that may read: the mode shows the mask, which is neither.
        let denied = list(&[(1, 6), (2, 4), (4, 0), (0x10, 4), (0x20, 0)]);
        assert_eq!(without_list(0o640, &denied), 0o600);
        let generous = list(&[(1, 6), (2, 7), (4, 6), (8, 5), (0x10, 7), (0x20, 4)]);
        assert_eq!(without_list(0o674, &generous), 0o644);
        let masked = list(&[(1, 6), (2, 7), (4, 7), (0x10, 1), (0x20, 7)]);
        assert_eq!(without_list(0o617, &masked), 0o611);
    }

    #[test]
    fn a_list_that_cannot_be_read_leaves_the_owner_only() {
        let unknown = list(&[(1, 6), (4, 7), (0x20, 7), (0x40, 7)]);
        let no_others = list(&[(1, 6), (4, 7)]);
        for list in [&b""[..], b"\x01\0\0\0", b"\x02\0\0\0\x20", &unknown, &no_others] {
            assert_eq!(without_list(0o777, list), 0o700, "{list:?}");
        }
    }
}
