//! Replacement on Unix systems: a file without a name, or with a private name, that is renamed when it is
//! complete.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::calls::{Call, Calls, Gate, Old, OpenGate, is_refusal};
use super::names;
use super::names::Names;
use super::{Durability, access, no_folder};

// The most names to try, and the most checks of a target that other programs keep creating.
const ATTEMPTS: usize = 100;

/// A file that does not have its final name yet.
#[derive(Debug)]
pub(super) struct Unfinished<G: Gate = OpenGate> {
    calls: Calls<G>,
    // The resolved path of the folder; calls use the open folder where they can.
    #[cfg_attr(not(any(target_os = "linux", target_os = "android")), allow(dead_code))]
    path: PathBuf,
    folder: Arc<File>,
    is_synced: bool,
    name: OsString,
    file: File,
    temporary: Option<OsString>,
    // The bits of a new file.
    granted: u32,
}

impl Unfinished {
    pub(super) fn begin(folder: &Path, name: OsString, exists: bool) -> io::Result<Self> {
        Self::begin_with(OpenGate, true, folder, name, exists)
    }
}

impl<G: Gate> Unfinished<G> {
    /// Creates the file, without a name if `unnamed` and the system supports that.
    pub(super) fn begin_with(
        gate: G,
        unnamed: bool,
        path: &Path,
        name: OsString,
        exists: bool,
    ) -> io::Result<Self> {
        let calls = Calls(gate);
        let (folder, is_synced) = match calls.open_folder(path) {
            Ok(opened) => opened,
            Err(_) if !path.is_dir() => return Err(no_folder()),
            Err(error) => return Err(error),
        };
        let folder = Arc::new(folder);
        // The system applies the user's mask, and the folder's default access list, to new files only.
        let mode = if exists { access::PRIVATE } else { access::NEW };
        let (file, temporary) = match unnamed.then(|| without_name(&calls, &folder, mode)).flatten() {
            Some(file) => (file, None),
            None => {
                let (file, name) = with_name(&calls, &folder, mode)?;
                (file, Some(name))
            }
        };
        let mut this = Self {
            calls,
            path: path.to_owned(),
            folder,
            is_synced,
            name,
            file,
            temporary,
            granted: access::PRIVATE,
        };
        if !exists {
            this.granted = this.calls.metadata(&this.file)?.mode() & access::PERMISSIONS;
            #[cfg(any(target_os = "linux", target_os = "android"))]
            if this.temporary.is_none() {
                this.granted &= !linux::mask(&this.calls, &this.folder)?;
            }
            this.set_bits(access::PRIVATE)?;
        }
        Ok(this)
    }

    pub(super) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls.0.before(Call::Write)?;
        self.file.write(bytes)
    }

    pub(super) fn commit(mut self, durability: Durability) -> io::Result<()> {
        for _ in 0..ATTEMPTS {
            let old = self.old()?;
            match &old {
                Some(old) => self.inherit(old)?,
                None => self.set_bits(self.granted)?,
            }
            let is_synced = durability == Durability::OnReturn;
            if is_synced {
                self.calls.sync(&self.file)?;
            }
            if self.put(old.is_some())? {
                return if is_synced && self.is_synced {
                    self.calls.sync_folder(&self.folder)
                } else {
                    Ok(())
                };
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Returns the file that has the name now, which need not be the file that had it at the beginning.
    fn old(&self) -> io::Result<Option<Old>> {
        match self.calls.old(&self.folder, &self.name)? {
            Some(old) if !old.is_file => Err(io::Error::other("it is not a regular file any more")),
            Some(old) if old.mode & 0o222 == 0 => Err(io::ErrorKind::PermissionDenied.into()),
            old => Ok(old),
        }
    }

    /// Gives the new file the attributes of the old file. Bits come last: until then only the owner may open
    /// the file.
    fn inherit(&mut self, old: &Old) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let attributes = linux::attributes(self)?;
        self.give(old)?;
        let is_group_kept = self.calls.metadata(&self.file)?.gid() == old.group;
        let mode = old.mode & access::PERMISSIONS;
        let mode = if is_group_kept { mode } else { access::without_group(mode) };
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return linux::set_access(self, &attributes, mode, is_group_kept);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        self.set_bits(mode)
    }

    /// Gives the file to the old file's owner and group, or to the group alone, as far as the user is
    /// permitted to.
    fn give(&self, old: &Old) -> io::Result<()> {
        let metadata = self.calls.metadata(&self.file)?;
        let (owner, group) = (metadata.uid() != old.owner, metadata.gid() != old.group);
        if !owner && !group {
            return Ok(());
        }
        let owner = owner.then_some(old.owner);
        let group = group.then_some(old.group);
        match self.calls.set_owner(&self.file, owner, group) {
            Err(error) if is_refusal(&error) && owner.is_some() && group.is_some() => {
                permitted(self.calls.set_owner(&self.file, None, group))
            }
            done => permitted(done),
        }
    }

    fn set_bits(&self, mode: u32) -> io::Result<()> {
        // If bits cannot be set, the file keeps the bits with which it was created.
        permitted(self.calls.set_bits(&self.file, mode))
    }

    /// Gives the file its final name; `false` means that the target must be checked again first.
    fn put(&mut self, replaces: bool) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if self.temporary.is_none() {
            return linux::put(self, replaces);
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = replaces;
        if let Some(temporary) = &self.temporary {
            let mut names = Names::lock();
            self.calls.rename(&self.folder, temporary, &self.name)?;
            names.forget(&self.folder, temporary);
            self.temporary = None;
        }
        Ok(true)
    }
}

impl<G: Gate> Drop for Unfinished<G> {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let mut names = Names::lock();
            // A failure cannot be reported from here, and the name of the file identifies its origin.
            let _ = self.calls.remove(&self.folder, temporary);
            names.forget(&self.folder, temporary);
        }
    }
}

/// Ignores errors of missing permission; other errors remain.
fn permitted(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if is_refusal(&error) => Ok(()),
        done => done,
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn without_name<G: Gate>(calls: &Calls<G>, folder: &File, mode: u32) -> Option<File> {
    // Not every file system supports it. For any error, creating a file with a name reports the reason
    // better.
    calls.create_unnamed(folder, mode).ok()
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn without_name<G: Gate>(_: &Calls<G>, _: &File, _: u32) -> Option<File> {
    None
}

fn with_name<G: Gate>(calls: &Calls<G>, folder: &Arc<File>, mode: u32) -> io::Result<(File, OsString)> {
    let mut names = Names::lock();
    for _ in 0..ATTEMPTS {
        let name = names::random();
        match calls.create_named(folder, &name, mode) {
            Ok(file) => {
                names.add(folder, &name);
                return Ok((file, name));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.kind().into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
