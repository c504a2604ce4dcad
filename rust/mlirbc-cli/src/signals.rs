//! Signals that end the command while it writes a file: no temporary file may stay.
//!
//! A thread waits for them, removes temporary files, and lets the signal end the process as it would have
//! without the thread. The thread is started with the first file that is written, so other commands do not
//! pay for it. On Windows, the one signal is Ctrl-C.

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// From now on, SIGTERM, SIGINT and SIGHUP leave no temporary file; each that is ignored or handled by the process
/// already stays so.
pub(crate) fn remove_unfinished_files() {
    #[cfg(any(unix, windows))]
    {
        use std::sync::Once;

        static STARTED: Once = Once::new();
        STARTED.call_once(system::start);
    }
}

/// Signals that ask long work to stop and save its results, instead of ending the process.
///
/// The first one is noted; one that comes later ends the process at once.
#[derive(Debug, Default)]
pub(crate) struct StopRequest(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl StopRequest {
    /// From now on, SIGTERM, SIGINT and SIGHUP are noted; each that is ignored stays so.
    pub(crate) fn listen() -> Self {
        let this = Self::default();
        #[cfg(any(unix, windows))]
        system::listen(&this.0);
        this
    }

    /// Whether a signal came.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) != 0
    }

    /// Ends the process as the signal that came would have, if one came.
    pub(crate) fn finish(&self) {
        #[cfg(any(unix, windows))]
        system::finish(&self.0);
    }
}

#[cfg(unix)]
mod unix {
    use std::io::{IsTerminal, stdin};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    pub(super) fn start() {
        let signals = left_to_the_system();
        if signals.is_empty() {
            return;
        }
        let (ready, wait) = mpsc::channel();
        // The thread registers the signals, so that nothing is registered without it. If no thread can be
        // started, a signal ends the command at once, like any other command.
        let started = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let Ok(mut registered) = Signals::new(&signals) else { return };
            // The receiver exists unless its thread panicked.
            let _ = ready.send(());
            if let Some(signal) = registered.forever().next() {
                let _unfinished = mlirbc::write::replace::abandon();
                // Fails only for signals that cannot be emulated, which these can.
                let _ = emulate_default_handler(signal);
            }
        });
        if started.is_ok() {
            // An error means that nothing could be registered.
            let _ = wait.recv();
        }
    }

    /// Stores the number of the first signal.
    pub(super) fn listen(number: &Arc<AtomicUsize>) {
        let signals = left_to_the_system();
        let Ok(mut registered) = Signals::new(&signals) else { return };
        let number = Arc::clone(number);
        // Without a thread, signals are not noted, and the work goes on.
        let _ = thread::Builder::new().name("stop".to_owned()).spawn(move || {
            let mut first = None;
            for signal in registered.forever() {
                number.store(signal as usize, Ordering::Relaxed);
                // `timeout` sends its signal to the process and to its group.
                let since = first.get_or_insert_with(Instant::now).elapsed();
                if since > Duration::from_millis(300) {
                    let _unfinished = mlirbc::write::replace::abandon();
                    let _ = emulate_default_handler(signal);
                }
            }
        });
    }

    pub(super) fn finish(number: &AtomicUsize) {
        let signal = number.load(Ordering::Relaxed);
        if signal != 0 {
            // Fails only for signals that cannot be emulated, which these can.
            let _ = emulate_default_handler(signal as i32);
        }
    }

    // A background job ignores SIGINT and one under `nohup` ignores SIGHUP; a program around this one may handle them.
    fn left_to_the_system() -> Vec<i32> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            u64::from_str_radix(line.trim(), 16).ok()
        };
        let taken = match (mask("SigIgn:"), mask("SigCgt:")) {
            (Some(ignored), Some(caught)) => ignored | caught,
            // On systems other than Linux, these commands do not read from a terminal.
            _ if !stdin().is_terminal() => 1 << (SIGINT - 1) | 1 << (SIGHUP - 1),
            _ => 0,
        };
        [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|signal| taken >> (signal - 1) & 1 == 0).collect()
    }
}

#[cfg(windows)]
mod windows {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Once};
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    /// The interval between two looks at the flag; a handler without unsafe code can only set a flag.
    const POLL: Duration = Duration::from_millis(20);

    /// The exit status of a process that Ctrl-C ends (`STATUS_CONTROL_C_EXIT`).
    const INTERRUPTED: i32 = 0xC000_013A_u32.cast_signed();

    pub(super) fn start() {
        watch(None);
    }

    /// Stores the number of the first signal.
    pub(super) fn listen(number: &Arc<AtomicUsize>) {
        watch(Some(Arc::clone(number)));
    }

    pub(super) fn finish(number: &AtomicUsize) {
        if number.load(Ordering::Relaxed) != 0 {
            std::process::exit(INTERRUPTED);
        }
    }

    /// Waits for Ctrl-C in a thread. The first caller decides what Ctrl-C does, as on Unix, where a handled
    /// signal stays handled.
    fn watch(noted: Option<Arc<AtomicUsize>>) {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let is_interrupted = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&is_interrupted);
            // Without a thread nothing may be registered: Ctrl-C would be lost.
            let started = thread::Builder::new().name("signals".to_owned()).spawn(move || {
                loop {
                    thread::sleep(POLL);
                    if !flag.swap(false, Ordering::Relaxed) {
                        continue;
                    }
                    let is_first =
                        |number: &AtomicUsize| number.swap(SIGINT as usize, Ordering::Relaxed) == 0;
                    if !noted.as_deref().is_some_and(is_first) {
                        let _unfinished = mlirbc::write::replace::abandon();
                        std::process::exit(INTERRUPTED);
                    }
                }
            });
            if started.is_ok() {
                // An error means that Ctrl-C ends the process at once, as without the thread.
                let _ = flag::register(SIGINT, is_interrupted);
            }
        });
    }
}
