//! The permission bits of a new file that cannot keep all access limits of the old file.
//!
//! The rule is that no user gains access, except the user who saves, who chose the bytes, and the owner of the
//! old file, who could change its bits at any time. A lost owner therefore costs no bits, and a lost group or
//! access list does.

/// Read, write and execute for owner, group and others. Set-user-ID, set-group-ID and sticky bits are never
/// copied: they were set for the old bytes.
pub(super) const PERMISSIONS: u32 = 0o777;
/// The bits of a file while it is written.
pub(super) const PRIVATE: u32 = 0o600;
/// The bits of a new file before the user's mask is applied.
pub(super) const NEW: u32 = 0o666;
/// The bits of the owner.
pub(super) const OWNER: u32 = 0o700;

/// Returns the bits of `mode` for a file of another group. Members of the new group were among the others
/// before, and members of the old group are among the others now.
pub(super) fn without_group(mode: u32) -> u32 {
    shared(mode, (mode >> 3) & mode)
}

/// Returns the bits of `mode` for a file that lost its POSIX access list, in the system's format: group and
/// others get the bits that everyone in the list had.
#[cfg(any(target_os = "linux", target_os = "android", test))]
pub(super) fn without_list(mode: u32, list: &[u8]) -> u32 {
    shared(mode, granted_to_all(list).unwrap_or(0))
}

fn shared(mode: u32, all: u32) -> u32 {
    let all = all & 7;
    (mode & OWNER) | (all << 3) | all
}

// Returns the bits that every entry except the owner's grants; `None` if the bytes are not a list of version
// 2.
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
            // This entry is the owner's.
            0x01 => {}
            // These entries are for a user, the file's group, or a group.
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
        // The list denies a group and lets a user read; the group bits of the mode show the mask, which is
        // neither.
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
