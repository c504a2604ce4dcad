//! Runs a command with limits on its time, memory and output.
//!
//! The child leads a process group of its own, so that processes that it starts end with it, and Ctrl-C at a
//! terminal reaches only the caller. The system limits its memory (`RLIMIT_AS`, Linux only), and it writes no
//! core file.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// The limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The time until the process group is killed.
    pub timeout: Duration,
    /// The address space of each process, in bytes; unlimited if `None`.
    pub memory: Option<u64>,
    /// The number of bytes that are kept of each output: the first half and the last half of the limit.
    pub output: usize,
}

impl Default for Limits {
    /// Ten seconds, 4 GiB, and 1 MiB of output.
    fn default() -> Self {
        Self { timeout: Duration::from_secs(10), memory: Some(4 << 30), output: 1 << 20 }
    }
}

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With an exit status.
    Exited(i32),
    /// By a signal.
    Signaled(i32),
    /// The process was killed because the time limit was exceeded.
    TimedOut,
    /// The process was killed because the caller stopped the run.
    Stopped,
}

/// The result of a process.
#[derive(Debug)]
pub struct Finished {
    /// The end of the process.
    pub end: End,
    /// The standard output.
    pub stdout: CapturedOutput,
    /// The standard error.
    pub stderr: CapturedOutput,
    /// The run time.
    pub elapsed: Duration,
}

/// Output up to a limit, and a hash of the whole output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CapturedOutput {
    /// The bytes; missing bytes are missing in the middle.
    pub bytes: Vec<u8>,
    /// The number of bytes that were written.
    pub len: u64,
    /// [`hash`] of everything that was written.
    pub hash: u64,
}

impl CapturedOutput {
    /// Whether no bytes are missing.
    pub fn is_whole(&self) -> bool {
        self.len == self.bytes.len() as u64
    }

    /// Returns the text, with U+FFFD for bytes that are not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Returns a hash that is the same on every machine (FNV-1a); it does not resist hostile collisions.
///
/// ```
/// assert_eq!(mlirbc_fuzz_tools::process::hash(b"a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub fn hash(bytes: &[u8]) -> u64 {
    hash_more(0xcbf2_9ce4_8422_2325, bytes)
}

fn hash_more(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Runs a command until it ends, its time is over, or `stop` is true; captures its output.
///
/// # Errors
/// If the command cannot be started.
pub fn run(command: &mut Command, limits: &Limits, stop: &dyn Fn() -> bool) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = start_limited(command, limits)?;
    let stdout = child.stdout.take().map(|pipe| keep(pipe, limits.output));
    let stderr = child.stderr.take().map(|pipe| keep(pipe, limits.output));
    let end = wait(&mut child, start, limits, stop)?;
    let elapsed = start.elapsed();
    let collect =
        |kept: Option<Receiver<CapturedOutput>>| kept.and_then(|kept| kept.recv_timeout(GRACE).ok());
    let (stdout, stderr) = (collect(stdout).unwrap_or_default(), collect(stderr).unwrap_or_default());
    Ok(Finished { end, stdout, stderr, elapsed })
}

/// The time to wait for the pipes, which a process that left its group may hold open.
const GRACE: Duration = Duration::from_secs(2);

/// The longest sleep between two polls of a child.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

fn keep(mut pipe: impl Read + Send + 'static, limit: usize) -> Receiver<CapturedOutput> {
    let (done, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (mut kept, mut tail) =
            (CapturedOutput { hash: hash(&[]), ..CapturedOutput::default() }, Vec::new());
        let half = limit / 2;
        let mut piece = vec![0; 1 << 16];
        loop {
            let len = match pipe.read(&mut piece) {
                Ok(0) => break,
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let piece = &piece[..len];
            kept.len += len as u64;
            kept.hash = hash_more(kept.hash, piece);
            let room = half.saturating_sub(kept.bytes.len()).min(len);
            kept.bytes.extend_from_slice(&piece[..room]);
            tail.extend_from_slice(&piece[room..]);
            // Bytes are dropped rarely, so that each byte is moved only a few times.
            if tail.len() > limit + (1 << 16) {
                tail.drain(..tail.len() - half);
            }
        }
        let surplus = if kept.bytes.len() + tail.len() > limit { tail.len().saturating_sub(half) } else { 0 };
        kept.bytes.extend_from_slice(&tail[surplus..]);
        // The receiver may have given up.
        let _ = done.send(kept);
    });
    receiver
}

fn wait(child: &mut Child, start: Instant, limits: &Limits, stop: &dyn Fn() -> bool) -> io::Result<End> {
    let mut sleep = Duration::from_micros(100);
    loop {
        if has_ended(child)? {
            // The group is killed before the child is reaped, because later another group could get the
            // number.
            kill_group(child);
            return Ok(ended(child.wait()?));
        }
        let end = if stop() {
            Some(End::Stopped)
        } else {
            (start.elapsed() >= limits.timeout).then_some(End::TimedOut)
        };
        if let Some(end) = end {
            kill_group(child);
            child.wait()?;
            return Ok(end);
        }
        let remaining = limits.timeout.saturating_sub(start.elapsed());
        thread::sleep(sleep.min(remaining));
        sleep = (sleep * 5 / 4).min(LONGEST_SLEEP);
    }
}

#[cfg(unix)]
fn start_limited(command: &mut Command, limits: &Limits) -> io::Result<Child> {
    use std::os::unix::process::CommandExt;
    #[cfg_attr(not(target_os = "linux"), expect(unused_mut, reason = "only Linux has limits"))]
    let mut child = command.process_group(0).spawn()?;
    // The limit is set from outside at the program's first moment: code between fork and exec would be
    // unsafe.
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, prlimit};
        let pid = pid(&child);
        let limit = |bytes: u64| Rlimit { current: Some(bytes), maximum: Some(bytes) };
        // A child that has already ended needs no limit.
        let _ = prlimit(pid, Resource::Core, limit(0));
        if let Some(memory) = limits.memory {
            let _ = prlimit(pid, Resource::As, limit(memory));
            // On a busy machine the program may have run before the limit was set.
            if address_space(child.id()).is_some_and(|size| size > memory) {
                kill_group(&mut child);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
    Ok(child)
}

/// The size of the address space of a process in bytes, if it still runs (`VmSize` of proc_pid_status(5)).
#[cfg(target_os = "linux")]
fn address_space(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    size.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

#[cfg(not(unix))]
fn start_limited(command: &mut Command, _: &Limits) -> io::Result<Child> {
    command.spawn()
}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(child.id().cast_signed())
}

#[cfg(unix)]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(pid) = pid(child) else { return Ok(true) };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(pid), options) {
        Ok(status) => Ok(status.is_some()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> io::Result<bool> {
    child.try_wait().map(|status| status.is_some())
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    if let Some(pid) = pid(child) {
        // The call fails if nothing is left to kill.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(unix)]
fn ended(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signaled(signal.unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn ended(status: ExitStatus) -> End {
    End::Exited(status.code().unwrap_or(-1))
}

/// The name of a signal, e.g. `SIGSEGV`.
pub fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 11] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
    ];
    // The number of SIGBUS differs between systems.
    if signal == if cfg!(target_os = "macos") { 10 } else { 7 } {
        return "SIGBUS".to_owned();
    }
    let name = NAMES.iter().find(|row| row.0 == signal);
    name.map_or_else(|| format!("signal {signal}"), |row| row.1.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const NEVER: &dyn Fn() -> bool = &|| false;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn limits(milliseconds: u64) -> Limits {
        Limits { timeout: Duration::from_millis(milliseconds), ..Limits::default() }
    }

    #[test]
    fn the_end_is_known() {
        let end = |script: &str| run(&mut shell(script), &limits(20_000), NEVER).unwrap().end;
        assert_eq!(end("exit 0"), End::Exited(0));
        assert_eq!(end("exit 7"), End::Exited(7));
        assert_eq!(end("kill -SEGV $$"), End::Signaled(11));
        assert!(run(&mut Command::new("no/such/program"), &Limits::default(), NEVER).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_size_of_a_process_is_known() {
        let size = address_space(std::process::id()).unwrap();
        assert!(size > 1 << 20, "{size}");
        assert_eq!(address_space(u32::MAX), None);
    }

    #[test]
    fn both_outputs_are_kept() {
        let finished = run(&mut shell("echo out; echo err >&2"), &limits(20_000), NEVER).unwrap();
        assert_eq!(
            (finished.stdout.text(), finished.stderr.text()),
            ("out\n".to_owned(), "err\n".to_owned())
        );
        assert!(finished.stdout.is_whole());
        assert_eq!(finished.stdout.hash, hash(b"out\n"));
    }

    #[test]
    fn long_output_keeps_its_ends() {
        let limits = Limits { output: 100, ..limits(20_000) };
        let script = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done";
        let finished = run(&mut shell(script), &limits, NEVER).unwrap();
        let text = finished.stdout.text();
        assert!(text.starts_with("line 0\n") && text.ends_with("line 19999\n"), "{text}");
        assert_eq!(finished.stdout.bytes.len(), 100);
        assert!(!finished.stdout.is_whole() && finished.stdout.len > 200_000);
    }

    #[test]
    fn a_hang_ends_with_everything_it_started() {
        let start = Instant::now();
        let finished = run(&mut shell("sleep 100 & sleep 100"), &limits(200), NEVER).unwrap();
        assert_eq!(finished.end, End::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn a_child_that_leaves_others_behind_is_not_waited_for() {
        let start = Instant::now();
        let finished = run(&mut shell("sleep 100 & exit 3"), &limits(60_000), NEVER).unwrap();
        assert_eq!(finished.end, End::Exited(3));
        assert!(start.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn a_request_to_stop_is_followed() {
        assert_eq!(run(&mut shell("sleep 100"), &limits(60_000), &|| true).unwrap().end, End::Stopped);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_limited() {
        let limits = Limits { memory: Some(64 << 20), ..limits(60_000) };
        let end = |script: &str| run(&mut shell(script), &limits, NEVER).unwrap().end;
        assert_eq!(end("ulimit -v"), End::Exited(0));
        let finished = run(&mut shell("sleep 0.05; ulimit -v; ulimit -c"), &limits, NEVER).unwrap();
        assert_eq!(finished.stdout.text(), "65536\n0\n");
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(signal_name(11), "SIGSEGV");
        assert_eq!(signal_name(40), "signal 40");
    }
}
