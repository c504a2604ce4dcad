//! The names of temporary files of this process, so that they can be removed when a signal ends it.

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

/// The permission to name and remove temporary files; one thread has it at a time.
pub(super) struct Names(MutexGuard<'static, Vec<Name>>);

impl Names {
    pub(super) fn lock() -> Self {
        Self(NAMES.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn add(&mut self, folder: &Arc<File>, name: &OsStr) {
        self.0.push(Name { folder: folder.clone(), name: name.to_owned() });
    }

    pub(super) fn forget(&mut self, folder: &Arc<File>, name: &OsStr) {
        self.0.retain(|temporary| !(Arc::ptr_eq(&temporary.folder, folder) && temporary.name == name));
    }
}

/// A name that identifies its origin.
pub(super) fn random() -> OsString {
    // The keys of each hash state differ, and come from the system's randomness. Files are created
    // exclusively, so nothing depends on the randomness.
    let number = RandomState::new().build_hasher().finish();
    format!(".mlirbc-{number:016x}").into()
}

/// Prevents other threads from naming temporary files, until it is dropped.
#[doc(hidden)]
pub struct Abandoned(#[allow(dead_code, reason = "it is held, not used")] Names);

/// Removes the temporary files of all [`Replacement`](super::Replacement)s of the process, which then fail to
/// commit, and prevents further naming and renaming of files while the result is held.
///
/// Call it before ending the process, from a thread that waits for signals, not from a signal handler. On
/// Linux, temporary files have names for an instant only, and this waits for it.
#[doc(hidden)]
pub fn abandon() -> Abandoned {
    let mut names = Names::lock();
    for Name { folder, name } in names.0.drain(..) {
        // A file that cannot be removed is left, because the process is about to end.
        let _ = unlinkat(&*folder, &name, AtFlags::empty());
    }
    Abandoned(names)
}
