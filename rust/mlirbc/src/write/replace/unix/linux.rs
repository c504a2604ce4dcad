//! Features that Linux has beyond other Unix systems: files without names, and extended attributes including
//! access lists.

use std::fs::File;
use std::io::{self, Seek};
use std::path::PathBuf;

use rustix::io::Errno;

use super::{ATTEMPTS, Unfinished, with_name};
use crate::write::replace::access;
use crate::write::replace::calls::{Calls, Gate, descriptor, is_refusal};
use crate::write::replace::names;
use crate::write::replace::names::Names;

const LIST: &[u8] = b"system.posix_acl_access";
const DEFAULT_LIST: &[u8] = b"system.posix_acl_default";

/// Access lists, which limit access to a file in addition to its bits.
#[derive(Debug, Default)]
pub(super) struct Lists {
    posix: Option<Vec<u8>>,
    // Lists of other kinds, such as NFSv4, by the name of the attribute.
    other: Vec<(Vec<u8>, Vec<u8>)>,
    is_unreadable: bool,
}

/// Returns the bits that the user's mask removes from new files in the folder.
///
/// The system has already applied the mask, except before Linux 6.0 to files without a name on file systems
/// without access lists.
pub(super) fn mask<G: Gate>(calls: &Calls<G>, folder: &File) -> io::Result<u32> {
    match calls.attribute_of(folder, DEFAULT_LIST) {
        // The default list of the folder replaces the mask.
        Ok(Some(_)) => return Ok(0),
        Err(error) if !is_refusal(&error) => return Err(error),
        _ => {}
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    Ok(mask.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok()).unwrap_or(0o077))
}

/// Copies the attributes that users gave the old file, and returns its access lists.
///
/// `security.*` and `trusted.*` are not copied: capabilities and signatures belong to the old bytes, and
/// labels to the system's policy. Attributes come before the owner, because afterwards only the owner may set
/// them.
pub(super) fn attributes<G: Gate>(new: &Unfinished<G>) -> io::Result<Lists> {
    let path = old_path(new);
    let names = match new.calls.attributes(&path) {
        Ok(names) => names,
        Err(error) if is_refusal(&error) => return Ok(Lists { is_unreadable: true, ..Lists::default() }),
        Err(error) => return Err(error),
    };
    let mut lists = Lists::default();
    for name in names {
        let is_users = name.starts_with(b"user.");
        let is_list = name.starts_with(b"system.")
            && name != DEFAULT_LIST
            && name.windows(3).any(|part| part == b"acl");
        if !is_users && !is_list {
            continue;
        }
        match new.calls.attribute(&path, &name) {
            Ok(value) if name == LIST => lists.posix = Some(value),
            Ok(value) if is_list => lists.other.push((name, value)),
            Ok(value) => super::permitted(new.calls.set_attribute(&new.file, &name, &value))?,
            // The attribute was removed meanwhile.
            Err(error) if Errno::from_io_error(&error) == Some(Errno::NODATA) => {}
            Err(error) if is_refusal(&error) => lists.is_unreadable |= is_list,
            Err(error) => return Err(error),
        }
    }
    Ok(lists)
}

// Attributes are read by path, because the old file need not be readable. The path goes through the open
// folder, but needs `/proc`, which files without a name need, too.
fn old_path<G: Gate>(new: &Unfinished<G>) -> PathBuf {
    let folder = if new.temporary.is_none() { descriptor(&new.folder) } else { new.path.clone() };
    folder.join(&new.name)
}

/// Sets the access lists, and then `mode` without the bits that would widen access because a list was lost.
pub(super) fn set_access<G: Gate>(
    new: &Unfinished<G>,
    lists: &Lists,
    mode: u32,
    is_group_kept: bool,
) -> io::Result<()> {
    let is_set = match &lists.posix {
        Some(list) if is_group_kept => match new.calls.set_attribute(&new.file, LIST, list) {
            Ok(()) => true,
            Err(error) if is_refusal(&error) => false,
            Err(error) => return Err(error),
        },
        _ => false,
    };
    let mut mode = match &lists.posix {
        _ if lists.is_unreadable => mode & access::OWNER,
        Some(list) if !is_set => access::without_list(mode, list),
        _ => mode,
    };
    if !is_set {
        // The folder's default list may have given the new file a list.
        match new.calls.remove_attribute(&new.file, LIST) {
            // The bits of the group are the most that any entry except the owner's gets.
            Err(error) if is_refusal(&error) => mode &= !0o070,
            done => done?,
        }
    }
    new.set_bits(mode)?;
    for (name, value) in &lists.other {
        // The file system derives a list from the bits. If it differs from the old list, the users that it
        // denies are unknown.
        if !is_group_kept || new.calls.attribute_of(&new.file, name)?.as_ref() != Some(value) {
            return new.set_bits(mode & access::OWNER);
        }
    }
    Ok(())
}

/// Gives the file without a name the name of the target, or a private name that is renamed at once; `false`
/// means that the target must be checked again first.
pub(super) fn put<G: Gate>(new: &mut Unfinished<G>, replaces: bool) -> io::Result<bool> {
    // A thread that ends the process for a signal waits for this lock, so that no private name is left.
    let names = Names::lock();
    for _ in 0..ATTEMPTS {
        let name = if replaces { names::random() } else { new.name.clone() };
        match new.calls.link(&new.file, &new.folder, &name) {
            Ok(()) if replaces => {
                let renamed = new.calls.rename(&new.folder, &name, &new.name);
                if renamed.is_err() {
                    // The temporary file is removed, as when dropped.
                    let _ = new.calls.remove(&new.folder, &name);
                }
                return renamed.map(|()| true);
            }
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && replaces => {}
            // Another program created the target meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            Err(error) if is_refusal(&error) => {
                drop(names);
                return copy_to_name(new).map(|()| false);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

// Some policies let a program create files but not link them.
fn copy_to_name<G: Gate>(new: &mut Unfinished<G>) -> io::Result<()> {
    let (mut file, name) = with_name(&new.calls, &new.folder, access::PRIVATE)?;
    new.temporary = Some(name);
    new.file.rewind()?;
    io::copy(&mut new.file, &mut file)?;
    new.file = file;
    Ok(())
}
