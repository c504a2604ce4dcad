//! The names of temporary files that are under way in this process, so that a signal need not leave one behind.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::fs::{AtFlags, unlinkat};

#[derive(Debug)]
struct Name {
    folder: Arc<File>,
    name: OsString,
}

static NAMES: Mutex<Vec<Name>> = Mutex::new(Vec::new());

/// The right to give temporary files names and to take them away: while one thread has it, no other does either.
pub(super) struct Names(MutexGuard<'static, Vec<Name>>);

impl Names {
    pub(super) fn lock() -> Self {
        Self(NAMES.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn add(&mut self, folder: &Arc<File>, name: &OsStr) {
        self.0.push(Name { folder: folder.clone(), name: name.to_owned() });
    }

    pub(super) fn forget(&mut self, folder: &Arc<File>, name: &OsStr) {
        self.0.retain(|known| !(Arc::ptr_eq(&known.folder, folder) && known.name == name));
    }
}

/// A name that says whose file it is.
pub(super) fn random() -> OsString {
    // The keys of each state differ, and are the system's randomness. Creation is exclusive, so nothing depends on it.
    let number = RandomState::new().build_hasher().finish();
    format!(".mlirbc-{number:016x}").into()
}

/// Keeps other threads from giving temporary files names, until it is dropped.
pub struct Abandoned(#[allow(dead_code, reason = "it is held, not used")] Names);

/// Removes the temporary files of all [`Replacement`](super::Replacement)s of the process that have names, which then
/// fail to commit, and lets no file get a name or be put in place while the answer is held.
///
/// Call it from a thread that waits for signals, not from a signal handler, before the process is ended. On Linux,
/// temporary files have no names for all but an instant, and it waits for that.
pub fn abandon() -> Abandoned {
    let mut names = Names::lock();
    for Name { folder, name } in names.0.drain(..) {
        // What cannot be removed is left: the process is about to end.
        let _ = unlinkat(&*folder, &name, AtFlags::empty());
    }
    Abandoned(names)
}
