//! Each system call of a replacement fails, is refused, or is the last one of its process. The target is then
//! the old file or the new file, complete, and no user gains access. Tests of the command check the view of
//! other users' processes.

use std::cell::{Cell, RefCell};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

use super::calls::{Call, Gate};
use super::unix::Unfinished;
use super::{Replacement, Target, access, split};

const OLD: &[u8] = b"the old file";
const NEW: &[u8] = b"the new file, which is longer";
const LIST: &str = "system.posix_acl_access";
const NOTE: &str = "user.note";
// Owner and group of the old file, where the test may set them.
const OTHER: u32 = 54_321;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A single call fails; calls are counted from 0.
    Fails(usize),
    /// Nothing has an effect from this call on.
    Dies(usize),
    /// The process ends instead of making this call.
    Exits(usize),
    /// Calls of this kind are not permitted.
    Refused(Call),
}

/// Checks the folder before each call, and then lets the call pass or not.
#[derive(Debug)]
struct Watch {
    folder: PathBuf,
    // The most bits that new bytes may have.
    allowed: u32,
    fault: Fault,
    calls: RefCell<Vec<Call>>,
    is_dead: Cell<bool>,
}

impl Gate for Rc<Watch> {
    fn before(&self, call: Call) -> io::Result<()> {
        check_folder(&self.folder, self.allowed);
        let step = self.calls.borrow().len();
        self.calls.borrow_mut().push(call);
        match self.fault {
            Fault::Exits(at) if step == at => std::process::exit(DEATH),
            Fault::Dies(at) if step == at => self.is_dead.set(true),
            Fault::Fails(at) if step == at => return Err(Errno::IO.into()),
            Fault::Refused(refused) if refused == call => return Err(Errno::PERM.into()),
            _ => {}
        }
        if self.is_dead.get() { Err(Errno::IO.into()) } else { Ok(()) }
    }
}

// Checks the invariants that hold at any moment, and returns the number of temporary files.
fn check_folder(folder: &Path, allowed: u32) -> usize {
    let target = folder.join("target");
    if let Ok(content) = fs::read(&target) {
        let mode = target.metadata().unwrap().mode() & 0o7777;
        // New bytes never have set-ID bits, and no user gains bits.
        assert!(content == OLD || content == NEW, "{content:?}");
        assert!(content == OLD || mode & !allowed == 0, "{mode:o}");
    }
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name == "target" {
            continue;
        }
        assert!(name.starts_with(".mlirbc-"), "{name}");
        let metadata = entry.metadata().unwrap();
        if metadata.len() < NEW.len() as u64 && metadata.len() > 0 {
            assert_eq!(metadata.mode() & 0o7777, 0o600, "bytes are missing");
        }
        assert_eq!(metadata.mode() & 0o7777 & !(allowed | 0o600), 0);
        count += 1;
    }
    count
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Attributes {
    owner: u32,
    group: u32,
    mode: u32,
    list: Option<Vec<u8>>,
    note: Option<Vec<u8>>,
}

impl Attributes {
    fn of(path: &Path) -> Self {
        let metadata = path.metadata().unwrap();
        let attribute = |name| {
            let mut value = [0; 256];
            let length = rustix::fs::getxattr(path, name, &mut value[..]).ok()?;
            Some(value[..length].to_vec())
        };
        Self {
            owner: metadata.uid(),
            group: metadata.gid(),
            mode: metadata.mode() & 0o7777,
            list: attribute(LIST),
            note: attribute(NOTE),
        }
    }
}

fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(permissions.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

/// Grants everything to the owner, nothing to the group, reading to one user, executing to another: the mode
/// is 0750.
fn old_list() -> Vec<u8> {
    let nobody = u32::MAX;
    list(&[(1, 7, nobody), (2, 4, 1111), (2, 1, 2222), (4, 0, nobody), (0x10, 5, nobody), (0x20, 0, nobody)])
}

/// Creates a folder with a file that has every kind of attribute that the machine permits.
fn setting() -> (tempfile::TempDir, Attributes) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    fs::write(&target, OLD).unwrap();
    for (name, value) in [(LIST, old_list()), (NOTE, b"mine".to_vec())] {
        if let Err(error) = rustix::fs::setxattr(&target, name, &value, XattrFlags::empty()) {
            eprintln!("without {name}: {error}");
        }
    }
    if let Err(error) = std::os::unix::fs::chown(&target, Some(OTHER), Some(OTHER)) {
        eprintln!("without another owner: {error}");
    }
    fs::set_permissions(&target, Permissions::from_mode(0o6750)).unwrap();
    let attributes = Attributes::of(&target);
    (folder, attributes)
}

fn save(folder: &Path, fault: Fault, unnamed: bool) -> (io::Result<()>, Vec<Call>) {
    let exists = folder.join("target").exists();
    let watch = Rc::new(Watch {
        folder: folder.to_owned(),
        allowed: if exists { 0o750 } else { 0o664 },
        fault,
        calls: RefCell::default(),
        is_dead: Cell::new(false),
    });
    let done = (|| {
        let mut file = Unfinished::begin_with(watch.clone(), unnamed, folder, "target".into(), exists)?;
        for part in NEW.chunks(NEW.len() / 2) {
            assert_eq!(file.write(part)?, part.len());
        }
        file.commit(super::Durability::OnReturn)
    })();
    let calls = watch.calls.borrow().clone();
    (done, calls)
}

/// Checks that the target is the old file unchanged, or the new file with the old file's attributes.
fn check_target(folder: &Path, old: &Attributes, is_new: bool, step: usize) {
    let target = folder.join("target");
    let actual = (fs::read(&target).unwrap(), Attributes::of(&target));
    let new = Attributes { mode: old.mode & access::PERMISSIONS, ..old.clone() };
    let expected = if is_new { (NEW.to_vec(), new) } else { (OLD.to_vec(), old.clone()) };
    assert_eq!(actual, expected, "step {step}");
}

#[test]
fn the_calls_come_in_the_safe_order() {
    for unnamed in [true, false] {
        let (folder, old) = setting();
        let (done, calls) = save(folder.path(), Fault::None, unnamed);
        done.unwrap();
        check_target(folder.path(), &old, true, 0);
        assert_eq!(check_folder(folder.path(), 0o777), 0);
        let place = |call| calls.iter().position(|&other| other == call).unwrap();
        let last = |call| calls.iter().rposition(|&other| other == call).unwrap();
        assert!(last(Call::Write) < last(Call::SetBits), "{calls:?}");
        assert!(last(Call::SetBits) < place(Call::Sync), "{calls:?}");
        assert!(place(Call::Sync) < place(Call::Rename), "{calls:?}");
        assert_eq!(last(Call::SyncFolder), calls.len() - 1, "{calls:?}");
        if let Some(owner) = calls.iter().position(|&other| other == Call::SetOwner) {
            assert!(owner < place(Call::SetBits), "{calls:?}");
        }
    }
}

#[test]
fn a_failure_of_any_call_leaves_one_whole_file_and_nothing_beside_it() {
    for unnamed in [true, false] {
        for exists in [true, false] {
            let mut steps = 0;
            for step in 0.. {
                let (folder, old) = setting();
                if !exists {
                    fs::remove_file(folder.path().join("target")).unwrap();
                }
                let (done, calls) = save(folder.path(), Fault::Fails(step), unnamed);
                let Some(&call) = calls.get(step) else { break };
                assert_eq!(check_folder(folder.path(), 0o777), 0, "{call:?}");
                // If files without names are not supported, a file with a name is used.
                let is_new = matches!(call, Call::CreateUnnamed | Call::SyncFolder);
                assert_eq!(done.is_err(), call != Call::CreateUnnamed, "{call:?}");
                if exists {
                    check_target(folder.path(), &old, is_new, step);
                } else {
                    assert_eq!(folder.path().join("target").exists(), is_new, "{call:?}");
                }
                steps += 1;
            }
            assert!(steps > 8, "{steps}");
        }
    }
}

fn check_death(folder: &Path, old: &Attributes, calls: &[Call], step: usize, unnamed: bool) {
    let call = calls[step];
    check_target(folder, old, call == Call::SyncFolder, step);
    let has_name = if unnamed {
        call == Call::Rename
    } else {
        calls[..step].contains(&Call::CreateNamed) && call != Call::SyncFolder
    };
    assert_eq!(check_folder(folder, 0o777), usize::from(has_name), "{call:?}");
}

#[test]
fn a_death_at_any_call_leaves_one_whole_file_and_at_most_one_private_one() {
    for unnamed in [true, false] {
        for step in 0.. {
            let (folder, old) = setting();
            let (done, calls) = save(folder.path(), Fault::Dies(step), unnamed);
            if calls.len() <= step {
                done.unwrap();
                assert!(step > 8);
                break;
            }
            assert!(done.is_err());
            if calls[step] != Call::CreateUnnamed {
                check_death(folder.path(), &old, &calls, step, unnamed);
            }
        }
    }
}

const DEATH: i32 = 99;
const VICTIM: &str = "MLIRBC_TEST_REPLACE_VICTIM";

#[test]
fn a_process_that_ends_at_any_call_does_the_same() {
    for unnamed in [true, false] {
        let (folder, _) = setting();
        let (_, calls) = save(folder.path(), Fault::None, unnamed);
        for step in 0..calls.len() {
            let (folder, old) = setting();
            let ended = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "write::replace::tests::victim"])
                .env(VICTIM, format!("{step} {unnamed} {}", folder.path().display()))
                .output()
                .unwrap();
            assert_eq!(ended.status.code(), Some(DEATH), "{ended:?}");
            check_death(folder.path(), &old, &calls, step, unnamed);
        }
    }
}

/// The process that the test above starts; does nothing without its variable.
#[test]
fn victim() {
    let Ok(request) = std::env::var(VICTIM) else { return };
    let mut words = request.splitn(3, ' ');
    let step = words.next().unwrap().parse().unwrap();
    let unnamed = words.next().unwrap() == "true";
    let (done, calls) = save(Path::new(words.next().unwrap()), Fault::Exits(step), unnamed);
    panic!("it went on: {done:?} {calls:?}");
}

#[test]
fn what_may_not_be_set_widens_nothing() {
    let narrow = |mode, list: &Option<Vec<u8>>| match list {
        Some(list) => access::without_list(mode, list),
        None => mode,
    };
    for unnamed in [true, false] {
        // The group is lost, and with it the list, which would refer to another group.
        let (folder, old) = setting();
        save(folder.path(), Fault::Refused(Call::SetOwner), unnamed).0.unwrap();
        let new = Attributes::of(&folder.path().join("target"));
        if new.group != old.group {
            assert_eq!((new.mode, &new.list, &new.note), (0o700, &None, &old.note));
        }
        // The list is lost. The group bits showed its mask, which grants more than the group had.
        let (folder, old) = setting();
        save(folder.path(), Fault::Refused(Call::SetAttribute), unnamed).0.unwrap();
        let new = Attributes::of(&folder.path().join("target"));
        let mode = narrow(old.mode & access::PERMISSIONS, &old.list);
        assert_eq!((new.owner, new.mode, new.list, new.note), (old.owner, mode, None, None));
        // A list that cannot be read may have denied anything.
        let (folder, _) = setting();
        save(folder.path(), Fault::Refused(Call::ListAttributes), unnamed).0.unwrap();
        assert_eq!(Attributes::of(&folder.path().join("target")).mode, 0o700);
        // The bits are lost.
        let (folder, old) = setting();
        save(folder.path(), Fault::Refused(Call::SetBits), unnamed).0.unwrap();
        let bits = Attributes::of(&folder.path().join("target")).mode;
        // A list sets bits, too.
        assert_eq!(bits, if old.list.is_some() { 0o750 } else { 0o600 });
    }
}

#[test]
fn a_file_that_may_not_be_linked_is_written_once_more() {
    for exists in [true, false] {
        let (folder, old) = setting();
        if !exists {
            fs::remove_file(folder.path().join("target")).unwrap();
        }
        let (done, calls) = save(folder.path(), Fault::Refused(Call::Link), true);
        done.unwrap();
        assert!(calls.contains(&Call::Link) && calls.contains(&Call::CreateNamed), "{calls:?}");
        assert_eq!(check_folder(folder.path(), 0o777), 0);
        if exists {
            check_target(folder.path(), &old, true, 0);
        }
        assert_eq!(fs::read(folder.path().join("target")).unwrap(), NEW);
    }
}

#[test]
fn the_list_of_the_folder_is_for_new_files_only() {
    let nobody = u32::MAX;
    let default = list(&[(1, 7, nobody), (2, 7, 1111), (4, 7, nobody), (0x10, 7, nobody), (0x20, 0, nobody)]);
    for unnamed in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (target, twin) = (folder.path().join("target"), folder.path().join("twin"));
        fs::write(&target, OLD).unwrap();
        fs::set_permissions(&target, Permissions::from_mode(0o640)).unwrap();
        let set =
            rustix::fs::setxattr(folder.path(), "system.posix_acl_default", &default, XattrFlags::empty());
        if let Err(error) = set {
            eprintln!("skipped: no access lists here: {error}");
            return;
        }
        save(folder.path(), Fault::None, unnamed).0.unwrap();
        let new = Attributes::of(&target);
        assert_eq!((new.mode, new.list), (0o640, None), "as the old file");
        fs::write(&target, OLD).unwrap();
        save(folder.path(), Fault::Refused(Call::RemoveAttribute), unnamed).0.unwrap();
        assert_eq!(Attributes::of(&target).mode, 0o600, "the mask limits what the folder gave");
        fs::remove_file(&target).unwrap();
        save(folder.path(), Fault::None, unnamed).0.unwrap();
        fs::write(&twin, NEW).unwrap();
        let (new, twin) = (Attributes::of(&target), Attributes::of(&twin));
        assert!(twin.list.is_some());
        assert_eq!((new.mode, new.list), (twin.mode, twin.list), "as any new file");
    }
}

#[test]
fn a_name_alone_is_in_the_current_folder() {
    for (path, parent) in [("a", "."), ("./a", "."), ("b/a", "b"), ("/a", "/")] {
        let Ok(Target::File { folder, name, .. }) = split(Path::new(path), false) else { panic!("{path}") };
        assert_eq!((folder.as_path(), name.to_str()), (Path::new(parent), Some("a")), "{path}");
    }
    assert!(split(Path::new("b/"), false).is_err() && split(Path::new(""), false).is_err());
}

#[test]
fn a_link_that_leads_nowhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    let refusal = |path: &Path| Replacement::begin(path).unwrap_err().to_string();
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    assert_eq!(refusal(&link), "it is a symbolic link to `nowhere`, which does not exist");
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("link", &link).unwrap();
    assert_eq!(refusal(&link), "its symbolic links lead in a circle");
    assert_eq!(refusal(&folder.path().join("link/file")), "its symbolic links lead in a circle");
    assert_eq!(refusal(&folder.path().join("new/")), "the folder does not exist");
    assert!(link.is_symlink());
}

#[test]
fn a_target_that_became_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    fs::write(&target, OLD).unwrap();
    let file = Replacement::begin(&target).unwrap();
    fs::remove_file(&target).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &target).unwrap();
    assert_eq!(file.commit().unwrap_err().to_string(), "it is not a regular file any more");
    assert!(target.is_symlink());

    fs::remove_file(&target).unwrap();
    let mut file = Replacement::begin(&target).unwrap();
    io::Write::write_all(&mut file, NEW).unwrap();
    // Another program was faster; its file is replaced like a file that existed before.
    fs::write(&target, OLD).unwrap();
    fs::set_permissions(&target, Permissions::from_mode(0o604)).unwrap();
    file.commit().unwrap();
    assert_eq!((fs::read(&target).unwrap(), Attributes::of(&target).mode), (NEW.to_vec(), 0o604));
}
