//! The system calls of a replacement, each through a gate, at which tests fail a call or end the process.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, RawMode, Uid};

/// The calls, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    OpenFolder,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    CreateUnnamed,
    CreateNamed,
    Write,
    Look,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    ListAttributes,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    GetAttribute,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    SetAttribute,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    RemoveAttribute,
    SetOwner,
    SetBits,
    Sync,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    Link,
    Rename,
    Remove,
    SyncFolder,
}

/// Consulted before each call.
pub(super) trait Gate {
    fn before(&self, call: Call) -> io::Result<()>;
}

/// Lets every call pass.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenGate;

impl Gate for OpenGate {
    fn before(&self, _: Call) -> io::Result<()> {
        Ok(())
    }
}

/// The file that is to be replaced.
#[derive(Debug, Clone, Copy)]
pub(super) struct Old {
    pub(super) owner: u32,
    pub(super) group: u32,
    pub(super) mode: u32,
    pub(super) is_file: bool,
}

/// The calls of a replacement, which pass through a gate.
#[derive(Debug)]
pub(super) struct Calls<G>(pub(super) G);

impl<G: Gate> Calls<G> {
    /// Opens the folder and returns whether it can be synced: a folder that is writable but not readable
    /// cannot.
    pub(super) fn open_folder(&self, folder: &Path) -> io::Result<(File, bool)> {
        self.0.before(Call::OpenFolder)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        match rustix::fs::open(folder, flags | OFlags::RDONLY, Mode::empty()) {
            Ok(folder) => Ok((folder.into(), true)),
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Err(rustix::io::Errno::ACCESS) => {
                Ok((rustix::fs::open(folder, flags | OFlags::PATH, Mode::empty())?.into(), false))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn create_named(&self, folder: &File, name: &OsStr, mode: u32) -> io::Result<File> {
        self.0.before(Call::CreateNamed)?;
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::RDWR | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(folder, name, flags, bits(mode))?.into())
    }

    pub(super) fn old(&self, folder: &File, name: &OsStr) -> io::Result<Option<Old>> {
        self.0.before(Call::Look)?;
        match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => Ok(Some(Old {
                owner: found.st_uid,
                group: found.st_gid,
                #[allow(clippy::unnecessary_cast, reason = "16 bits on some systems")]
                mode: found.st_mode as u32,
                is_file: FileType::from_raw_mode(found.st_mode) == FileType::RegularFile,
            })),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn metadata(&self, file: &File) -> io::Result<Metadata> {
        self.0.before(Call::Look)?;
        file.metadata()
    }

    pub(super) fn set_owner(&self, file: &File, owner: Option<u32>, group: Option<u32>) -> io::Result<()> {
        self.0.before(Call::SetOwner)?;
        Ok(rustix::fs::fchown(file, owner.map(Uid::from_raw), group.map(Gid::from_raw))?)
    }

    pub(super) fn set_bits(&self, file: &File, mode: u32) -> io::Result<()> {
        self.0.before(Call::SetBits)?;
        Ok(rustix::fs::fchmod(file, bits(mode))?)
    }

    pub(super) fn sync(&self, file: &File) -> io::Result<()> {
        self.0.before(Call::Sync)?;
        file.sync_all()
    }

    pub(super) fn rename(&self, folder: &File, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.0.before(Call::Rename)?;
        Ok(rustix::fs::renameat(folder, from, folder, to)?)
    }

    pub(super) fn remove(&self, folder: &File, name: &OsStr) -> io::Result<()> {
        self.0.before(Call::Remove)?;
        Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?)
    }

    pub(super) fn sync_folder(&self, folder: &File) -> io::Result<()> {
        self.0.before(Call::SyncFolder)?;
        match folder.sync_all() {
            // Some file systems have nothing to sync.
            Err(error) if is_refusal(&error) => Ok(()),
            done => done,
        }
    }
}

/// Calls of Linux that other Unix systems do not have.
#[cfg(any(target_os = "linux", target_os = "android"))]
impl<G: Gate> Calls<G> {
    /// A file that has no name, and can be given one later.
    pub(super) fn create_unnamed(&self, folder: &File, mode: u32) -> io::Result<File> {
        self.0.before(Call::CreateUnnamed)?;
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(folder, ".", flags, bits(mode))?);
        let (by_handle, by_path) = (rustix::fs::fstat(&file)?, rustix::fs::stat(descriptor(&file))?);
        if (by_handle.st_dev, by_handle.st_ino) == (by_path.st_dev, by_path.st_ino) {
            Ok(file)
        } else {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    pub(super) fn link(&self, file: &File, folder: &File, name: &OsStr) -> io::Result<()> {
        self.0.before(Call::Link)?;
        Ok(rustix::fs::linkat(rustix::fs::CWD, descriptor(file), folder, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    /// Returns the names of a file's extended attributes; empty if the file system has no such attributes.
    pub(super) fn attributes(&self, path: &Path) -> io::Result<Vec<Vec<u8>>> {
        self.0.before(Call::ListAttributes)?;
        let mut list = vec![0; LARGEST];
        let length = match rustix::fs::llistxattr(path, &mut list[..]) {
            Ok(length) => length,
            Err(rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS) => 0,
            Err(error) => return Err(error.into()),
        };
        let names = list.get(..length).unwrap_or_default().split(|&byte| byte == 0);
        Ok(names.filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
    }

    pub(super) fn attribute(&self, path: &Path, name: &[u8]) -> io::Result<Vec<u8>> {
        self.0.before(Call::GetAttribute)?;
        let mut value = vec![0; LARGEST];
        let length = rustix::fs::lgetxattr(path, name, &mut value[..])?;
        value.truncate(length);
        Ok(value)
    }

    /// Returns an attribute of an open file; `None` if the file does not have it.
    pub(super) fn attribute_of(&self, file: &File, name: &[u8]) -> io::Result<Option<Vec<u8>>> {
        self.0.before(Call::GetAttribute)?;
        let mut value = vec![0; LARGEST];
        match rustix::fs::fgetxattr(file, name, &mut value[..]) {
            Ok(length) => {
                value.truncate(length);
                Ok(Some(value))
            }
            Err(rustix::io::Errno::NODATA | rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn set_attribute(&self, file: &File, name: &[u8], value: &[u8]) -> io::Result<()> {
        self.0.before(Call::SetAttribute)?;
        Ok(rustix::fs::fsetxattr(file, name, value, rustix::fs::XattrFlags::empty())?)
    }

    pub(super) fn remove_attribute(&self, file: &File, name: &[u8]) -> io::Result<()> {
        self.0.before(Call::RemoveAttribute)?;
        match rustix::fs::fremovexattr(file, name) {
            Err(rustix::io::Errno::NODATA | rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS) => Ok(()),
            done => Ok(done?),
        }
    }
}

// The kernel's limit for values and for lists of names.
#[cfg(any(target_os = "linux", target_os = "android"))]
const LARGEST: usize = 64 << 10;

/// The path to an open file of this process.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn descriptor(file: &File) -> std::path::PathBuf {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

fn bits(mode: u32) -> Mode {
    Mode::from_raw_mode(mode as RawMode)
}

/// Whether a call was not permitted or is not supported, as opposed to having failed.
pub(super) fn is_refusal(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let refusals = [
        Errno::PERM,
        Errno::ACCESS,
        Errno::INVAL,
        Errno::NOTSUP,
        Errno::OPNOTSUPP,
        Errno::NOSYS,
        Errno::BADF,
    ];
    Errno::from_io_error(error).is_some_and(|error| refusals.contains(&error))
}
