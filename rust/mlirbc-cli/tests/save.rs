//! Files that commands write: attributes that they keep of the replaced file, permissions, and temporary
//! files after a signal.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

mod support;

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::XattrFlags;
use support::{complaint, example, heed_signals, root};

const NOTE: &[u8] = b"weights chosen by hand";
const LIST: &str = "system.posix_acl_access";

/// A folder that any user may write to, with the command and its input in another folder that any user may
/// read.
struct Setting {
    _folder: tempfile::TempDir,
    tools: PathBuf,
    folder: PathBuf,
}

impl Setting {
    fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        let (tools, folder) = (top.path().join("tools"), top.path().join("folder"));
        for (path, mode) in [(top.path(), 0o755), (&*tools, 0o755), (&*folder, 0o777)] {
            fs::create_dir_all(path).unwrap();
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
        // A process of its own copies the command: another test that starts a process in this moment would inherit a
        // file that is open for writing, and Linux refuses to run such a file.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_mlirbc")).arg(tools.join("mlirbc")).status();
        assert!(copied.unwrap().success());
        fs::copy(example(), tools.join("model.mlirbc")).unwrap();
        fs::copy(
            root().join("tests/data/bytecode/llvm-22/v6/resources_external.mlirbc"),
            tools.join("blob.mlirbc"),
        )
        .unwrap();
        fs::write(tools.join("weights"), b"new weights").unwrap();
        Self { _folder: top, tools, folder }
    }

    fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.tools.join("mlirbc"));
        command.args(words).current_dir(&self.tools).stdin(Stdio::null());
        command
    }

    fn extract(&self) -> Command {
        let mut command = self.command(&["resources", "model.mlirbc", "--extract", "note", "-o"]);
        command.arg(self.target());
        command
    }

    /// Every way to write a file.
    fn writers(&self) -> [Command; 5] {
        let target = self.target();
        let target = target.to_str().unwrap();
        [
            self.extract(),
            self.command(&["print", "model.mlirbc", "-o", target]),
            self.command(&["convert", "model.mlirbc", "--bytecode-version", "4", "-o", target]),
            self.command(&["strip", "model.mlirbc", "--locations", "-o", target]),
            self.command(&[
                "resources",
                "blob.mlirbc",
                "--group",
                "builtin",
                "--resize",
                "--replace",
                "blob=weights",
                "-o",
                target,
            ]),
        ]
    }

    /// The names in the folder, sorted.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[track_caller]
fn done(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// Owner, group and bits.
fn rights(path: &Path) -> (u32, u32, u32) {
    let metadata = path.metadata().unwrap();
    (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
}

/// Writes a file with the owner and the group; `None`, with a reason, if the test may not do that.
fn place(path: &Path, owner: u32, group: u32, mode: u32) -> Option<()> {
    let _ = fs::remove_file(path);
    fs::write(path, b"old").unwrap();
    if let Err(error) = chown(path, Some(owner), Some(group)) {
        eprintln!("skipped: only root gives files away: {error}");
        return None;
    }
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    Some(())
}

#[test]
fn a_file_of_another_user_stays_theirs_without_set_id_bits() {
    let setting = Setting::new();
    for command in setting.writers() {
        if place(&setting.target(), 1234, 5678, 0o6755).is_none() {
            return;
        }
        done(command);
        assert_ne!(fs::read(setting.target()).unwrap(), b"old");
        assert_eq!(rights(&setting.target()), (1234, 5678, 0o755));
        assert_eq!(setting.names(), ["target"]);
    }
    for (before, after) in [(0o1644, 0o644), (0o4700, 0o700), (0o2670, 0o670), (0o606, 0o606)] {
        place(&setting.target(), 1234, 5678, before).unwrap();
        done(setting.extract());
        assert_eq!(rights(&setting.target()), (1234, 5678, after), "{before:o}");
    }
}

#[test]
fn a_group_that_cannot_be_kept_costs_the_bits_that_depend_on_it() {
    let setting = Setting::new();
    for (before, after) in [(0o664, 0o644), (0o660, 0o600), (0o606, 0o600), (0o6775, 0o755)] {
        if place(&setting.target(), 1234, 5678, before).is_none() {
            return;
        }
        let mut command = setting.extract();
        command.uid(4321).gid(4321);
        done(command);
        assert_eq!(rights(&setting.target()), (4321, 4321, after), "{before:o}");
        // A member of the group keeps it.
        place(&setting.target(), 1234, 5678, before).unwrap();
        let mut command = setting.extract();
        command.uid(4321).gid(5678);
        done(command);
        assert_eq!(rights(&setting.target()), (4321, 5678, before & 0o777), "{before:o}");
    }
}

#[test]
fn another_user_cannot_save_where_they_may_not() {
    let setting = Setting::new();
    if place(&setting.target(), 1234, 5678, 0o644).is_none() {
        return;
    }
    let refused = |mode: u32| {
        fs::set_permissions(&setting.folder, Permissions::from_mode(mode)).unwrap();
        let mut command = setting.extract();
        let output = command.uid(4321).gid(4321).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(complaint(&output).contains("cannot write `"), "{output:?}");
        assert_eq!(fs::read(setting.target()).unwrap(), b"old");
        assert_eq!(rights(&setting.target()), (1234, 5678, 0o644));
        assert_eq!(setting.names(), ["target"]);
    };
    refused(0o755);
    // In a sticky folder only the owner may replace a file, which shows only in the last step, the rename.
    refused(0o1777);
    // A folder may be writable but not readable: then only the file is synced, and not the folder.
    fs::set_permissions(&setting.folder, Permissions::from_mode(0o733)).unwrap();
    let mut command = setting.extract();
    command.uid(4321).gid(4321);
    done(command);
    assert_eq!(fs::read(setting.target()).unwrap(), NOTE);
}

#[test]
fn a_new_file_gets_the_users_mask() {
    let setting = Setting::new();
    for (mask, mode) in [("022", 0o644), ("027", 0o640), ("077", 0o600), ("000", 0o666)] {
        for command in setting.writers() {
            let _ = fs::remove_file(setting.target());
            let mut masked = Command::new("sh");
            masked.args(["-c", &format!("umask {mask}; exec \"$0\" \"$@\"")]).current_dir(&setting.tools);
            masked.arg(command.get_program()).args(command.get_args());
            done(masked);
            assert_eq!(rights(&setting.target()).2, mode, "{command:?}");
        }
    }
}

#[test]
fn links_stay_links_and_those_that_lead_nowhere_are_refused() {
    let setting = Setting::new();
    let file = setting.folder.join("file");
    symlink("file", setting.target()).unwrap();
    for mut command in setting.writers() {
        let refused = command.output().unwrap();
        assert_eq!(refused.status.code(), Some(3));
        let line = complaint(&refused);
        assert!(line.contains("it is a symbolic link to `file`, which does not exist"), "{line}");
        assert_eq!(setting.names(), ["target"]);
    }
    for command in setting.writers() {
        fs::write(&file, b"old").unwrap();
        done(command);
        assert!(setting.target().is_symlink());
        assert!(file.metadata().unwrap().is_file() && fs::read(&file).unwrap() != b"old");
        assert_eq!(setting.names(), ["file", "target"]);
    }
    fs::remove_file(&file).unwrap();
    symlink("target", &file).unwrap();
    for mut command in setting.writers() {
        let refused = command.output().unwrap();
        assert_eq!(refused.status.code(), Some(3));
        let line = complaint(&refused);
        assert!(line.contains("its symbolic links lead in a circle"), "{line}");
        assert!(file.is_symlink() && setting.target().is_symlink());
    }
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = [0; 256];
    let length = rustix::fs::getxattr(path, name, &mut value[..]).ok()?;
    Some(value[..length].to_vec())
}

#[test]
fn lists_and_attributes_are_kept_and_capabilities_are_not() {
    let setting = Setting::new();
    let nobody = u32::MAX;
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in
        [(1_u16, 6_u16, nobody), (2, 4, 1111), (4, 0, nobody), (0x10, 4, nobody), (0x20, 0, nobody)]
    {
        list.extend(tag.to_le_bytes());
        list.extend(permissions.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    // `cap_setuid=ep`, in the second version of the format.
    let capability = [1, 0, 0, 2, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let set = |name: &str, value: &[u8]| match rustix::fs::setxattr(
        setting.target(),
        name,
        value,
        XattrFlags::empty(),
    ) {
        Ok(()) => Some(()),
        Err(error) => {
            eprintln!("skipped: `{name}` cannot be set here: {error}");
            None
        }
    };
    for command in setting.writers() {
        let _ = fs::remove_file(setting.target());
        fs::write(setting.target(), b"old").unwrap();
        let has_list = set(LIST, &list).is_some();
        let has_note = set("user.note", b"mine").is_some();
        let _ = set("security.capability", &capability);
        done(command);
        assert_eq!(attribute(&setting.target(), "security.capability"), None);
        if has_note {
            assert_eq!(attribute(&setting.target(), "user.note").as_deref(), Some(&b"mine"[..]));
        }
        if has_list {
            assert_eq!(attribute(&setting.target(), LIST), Some(list.clone()));
            assert_eq!(rights(&setting.target()).2, 0o640);
        }
    }
    // The list names a group that the saver cannot keep. The mode shows the list's mask, which the group never had.
    if place(&setting.target(), 1234, 5678, 0o644).is_none() || set(LIST, &list).is_none() {
        return;
    }
    let mut command = setting.extract();
    command.uid(4321).gid(4321);
    done(command);
    assert_eq!(rights(&setting.target()), (4321, 4321, 0o600));
    assert_eq!(attribute(&setting.target(), LIST), None);
}

/// Runs a script whose mounts are invisible to other processes; `None`, with a reason, if that is not
/// allowed.
fn with_own_mounts(script: &str, words: &[&Path]) -> Option<Command> {
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script, "sh"]).args(words).stdin(Stdio::null());
    let allowed = Command::new("unshare").args(["--mount", "sh", "-c", "mount -t tmpfs none /mnt"]).output();
    if allowed.is_ok_and(|output| output.status.success()) {
        return Some(command);
    }
    eprintln!("skipped: file systems cannot be mounted here");
    None
}

#[test]
fn a_full_file_system_keeps_the_old_file() {
    let setting = Setting::new();
    let script = "mount -t tmpfs -o size=64k none \"$1\" && echo old > \"$1/target\" && chmod 640 \"$1/target\" || exit 9
        cd \"$2\"
        head -c 500000 /dev/zero > weights
        ./mlirbc resources blob.mlirbc --group builtin --resize --replace blob=weights -o \"$1/target\"
        echo \"status $?\"; ls -A \"$1\"; cat \"$1/target\"; stat -c %a \"$1/target\"";
    let Some(command) = with_own_mounts(script, &[&setting.folder, &setting.tools]) else { return };
    let output = done(command);
    assert_eq!(support::text(&output.stdout), "status 3\ntarget\nold\n640\n", "{output:?}");
    assert!(support::text(&output.stderr).contains("cannot write `"), "{output:?}");
}

const LARGE: u64 = 256 << 20;

impl Setting {
    /// A command that takes a while to write.
    fn large(&self) -> Command {
        fs::File::create(self.tools.join("weights")).unwrap().set_len(LARGE).unwrap();
        self.writers().into_iter().next_back().unwrap()
    }

    /// As `large`, where an open file cannot be found by its number, so that temporary files need names.
    fn large_with_names(&self) -> Option<Command> {
        let large = self.large();
        let mut command = with_own_mounts("mount -t tmpfs none /proc && exec \"$@\"", &[])?;
        command.arg(large.get_program()).args(large.get_args()).current_dir(&self.tools);
        Some(command)
    }

    /// Waits until the command writes.
    fn wait_for_writing(&self, child: &mut Child) {
        let start = Instant::now();
        let open = format!("/proc/{}/fd", child.id());
        loop {
            // Paths cannot be read in a process with its own mounts, but then the file has a name.
            let has_name = fs::read_dir(&self.folder).unwrap().flatten().any(|entry| {
                let name = entry.file_name().into_encoded_bytes();
                name.starts_with(b".mlirbc-") && entry.metadata().is_ok_and(|found| found.len() > 0)
            });
            let files = fs::read_dir(&open).into_iter().flatten().flatten();
            let mut files = files.filter_map(|file| Some((fs::read_link(file.path()).ok()?, file.path())));
            let is_writing = has_name
                || files.any(|(leads, file)| {
                    leads.starts_with(&self.folder) && file.metadata().is_ok_and(|found| found.len() > 0)
                });
            if is_writing {
                return;
            }
            assert!(child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_signal_ends_the_command_and_leaves_nothing() {
    heed_signals();
    let setting = Setting::new();
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        for has_names in [false, true] {
            fs::write(setting.target(), b"old").unwrap();
            let command = if has_names { setting.large_with_names() } else { Some(setting.large()) };
            let Some(mut command) = command else { continue };
            // Without `/proc`, ignored signals cannot be found out, and signals of terminals are left to the
            // system.
            if has_names && name != "TERM" {
                continue;
            }
            // A save that is complete before the signal arrives is tried again.
            let was_ended = (0..20).any(|_| {
                fs::write(setting.target(), b"old").unwrap();
                let mut child = command.stderr(Stdio::null()).spawn().unwrap();
                setting.wait_for_writing(&mut child);
                // A temporary file without a name gets one for a moment when it is complete, just before it
                // replaces the old file.
                let is_under_way = !has_names || setting.names().len() == 2;
                signal(&child, name);
                let status = child.wait().unwrap();
                assert!(status.success() || status.signal() == Some(number), "{name}: {status}");
                is_under_way && !status.success()
            });
            assert!(was_ended, "{name}");
            assert_eq!(setting.names(), ["target"], "{name}");
            assert_eq!(fs::read(setting.target()).unwrap(), b"old");
        }
    }
}

#[test]
fn a_kill_leaves_nothing_where_files_need_no_names() {
    let setting = Setting::new();
    // A save that is complete before the signal arrives is tried again.
    let was_killed = (0..20).any(|_| {
        fs::write(setting.target(), b"old").unwrap();
        let mut child = setting.large().stderr(Stdio::null()).spawn().unwrap();
        setting.wait_for_writing(&mut child);
        child.kill().unwrap();
        child.wait().unwrap().signal() == Some(9)
    });
    assert!(was_killed);
    assert_eq!(setting.names(), ["target"]);
    assert_eq!(fs::read(setting.target()).unwrap(), b"old");
}

#[test]
fn a_signal_that_is_ignored_stays_so() {
    let setting = Setting::new();
    let large = setting.large();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP INT; exec \"$0\" \"$@\""]).current_dir(&setting.tools);
    let mut child = command.arg(large.get_program()).args(large.get_args()).spawn().unwrap();
    setting.wait_for_writing(&mut child);
    signal(&child, "HUP");
    signal(&child, "INT");
    assert!(child.wait().unwrap().success());
    assert!(setting.target().metadata().unwrap().len() > LARGE);
}
