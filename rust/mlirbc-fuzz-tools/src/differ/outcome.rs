//! The result of one reader for one file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::process::{End, Finished, signal_name};

use super::signature::{frames, message, normalize};

/// The way in which a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Exit status 0.
    Accepts,
    /// Another exit status, with a message.
    Rejects,
    /// A signal, a failed assertion, a panic, or a report of a sanitizer.
    Crashes,
    /// The time limit was exceeded.
    Hangs,
    /// The reader could not allocate memory.
    OutOfMemory,
}

impl Class {
    /// All classes, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Accepts, Self::Rejects, Self::Crashes, Self::Hangs, Self::OutOfMemory];

    /// Returns the word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepts => "accepts",
            Self::Rejects => "rejects",
            Self::Crashes => "crashes",
            Self::Hangs => "hangs",
            Self::OutOfMemory => "out of memory",
        }
    }
}

/// The result of one reader for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The way in which the run ended.
    pub class: Class,
    /// The reader's message; empty if it accepts the file.
    pub message: String,
    /// The message and the stack, normalized so that they do not depend on the file.
    pub signature: String,
    /// The functions at the top of the stack, if there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// The run time.
    pub milliseconds: u64,
}

const MEMORY: [&str; 10] = [
    "out of memory",
    "out-of-memory",
    "memory exhausted",
    "bad_alloc",
    "std::length_error",
    "cannot allocate memory",
    "failed to allocate",
    "memoryerror",
    "allocation failed",
    "error while loading shared libraries",
];

const CRASH: [&str; 7] = [
    "AddressSanitizer",
    "UndefinedBehaviorSanitizer",
    "MemorySanitizer",
    "ThreadSanitizer",
    ": runtime error: ",
    "panicked at",
    "PLEASE submit a bug report",
];

/// Classifies a run by its end and its standard error.
pub fn classify(finished: &Finished, file: &Path) -> Observation {
    let stderr = finished.stderr.text();
    let class = class(finished.end, &stderr);
    let (mut text, mut stack) = (String::new(), Vec::new());
    match class {
        Class::Accepts => {}
        Class::Hangs => text = "no result within the time".to_owned(),
        Class::Rejects | Class::OutOfMemory => text = message(&stderr),
        Class::Crashes => {
            stack = frames(&stderr);
            text = cause(&stderr).unwrap_or_default();
        }
    }
    let end = match finished.end {
        End::Signaled(signal) => Some(signal_name(signal)),
        End::Exited(code) if text.is_empty() && class == Class::Rejects => {
            Some(format!("exit status {code}"))
        }
        _ => None,
    };
    let signature = [end.clone().unwrap_or_default(), normalize(&text, file), stack.join(" < ")];
    let signature: Vec<String> = signature.into_iter().filter(|part| !part.is_empty()).collect();
    let parts: Vec<String> = end.into_iter().chain(Some(text).filter(|text| !text.is_empty())).collect();
    Observation {
        class,
        message: parts.join(": "),
        signature: signature.join(" | "),
        frames: stack,
        milliseconds: finished.elapsed.as_millis() as u64,
    }
}

fn class(end: End, stderr: &str) -> Class {
    let lower = stderr.to_ascii_lowercase();
    let is_memory = MEMORY.iter().any(|word| lower.contains(word)) || is_rust_allocation(&lower);
    match end {
        End::Exited(0) => Class::Accepts,
        End::TimedOut | End::Stopped => Class::Hangs,
        // On memory exhaustion the system sends SIGKILL, and nothing else here does.
        End::Signaled(9) => Class::OutOfMemory,
        _ if is_memory => Class::OutOfMemory,
        End::Signaled(_) => Class::Crashes,
        End::Exited(_) if CRASH.iter().any(|word| stderr.contains(word)) => Class::Crashes,
        End::Exited(_) => Class::Rejects,
    }
}

// `memory allocation of 123 bytes failed`
fn is_rust_allocation(lower: &str) -> bool {
    lower.contains("memory allocation of") && lower.contains("bytes failed")
}

// Returns the line with the reason, if there is one; lines of a stack are skipped.
fn cause(stderr: &str) -> Option<String> {
    let words = [
        "Assertion",
        "LLVM ERROR",
        "ERROR: ",
        "runtime error:",
        "panicked at",
        "terminate called",
        "UNREACHABLE",
    ];
    let line = stderr.lines().find(|line| words.iter().any(|word| line.contains(word)))?;
    // A sanitizer's line begins with an identifier of the process.
    let line = line.trim_start_matches(|c: char| c == '=' || c.is_ascii_digit());
    Some(line.trim().chars().take(1000).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::process::{CapturedOutput, hash};

    use super::*;

    fn observe(end: End, stderr: &str) -> Observation {
        let bytes = stderr.as_bytes().to_vec();
        let stderr = CapturedOutput { len: bytes.len() as u64, hash: hash(&bytes), bytes };
        let finished =
            Finished { end, stdout: CapturedOutput::default(), stderr, elapsed: Duration::from_millis(3) };
        classify(&finished, "a.mlirbc".as_ref())
    }

    #[test]
    fn every_class() {
        let class = |end, stderr: &str| observe(end, stderr).class;
        assert_eq!(class(End::Exited(0), "warning: out of memory soon"), Class::Accepts);
        assert_eq!(class(End::Exited(1), "a.mlirbc:0:0: error: x"), Class::Rejects);
        assert_eq!(class(End::Exited(1), "==1==ERROR: AddressSanitizer: x"), Class::Crashes);
        assert_eq!(class(End::Exited(101), "thread 'main' panicked at x"), Class::Crashes);
        assert_eq!(class(End::Signaled(11), ""), Class::Crashes);
        assert_eq!(class(End::Signaled(6), "memory allocation of 8 bytes failed"), Class::OutOfMemory);
        assert_eq!(class(End::Signaled(6), "LLVM ERROR: out of memory"), Class::OutOfMemory);
        assert_eq!(class(End::Exited(1), "Traceback\nMemoryError"), Class::OutOfMemory);
        assert_eq!(class(End::Signaled(9), ""), Class::OutOfMemory);
        assert_eq!(class(End::TimedOut, ""), Class::Hangs);
    }

    #[test]
    fn signatures_are_equal_for_equal_causes() {
        let first = observe(End::Exited(1), "a.mlirbc:0:0: error: index 3 of 'x'");
        let second = observe(End::Exited(1), "a.mlirbc:0:0: error: index 99 of 'y'");
        assert_eq!(first.signature, second.signature);
        assert_ne!(first.message, second.message);
        assert_eq!(observe(End::Signaled(11), "").signature, "SIGSEGV");
        assert_eq!(observe(End::Exited(4), "").signature, "exit status 4");
        let crash = observe(
            End::Signaled(6),
            "t: x.h:3: f(): Assertion `a' failed.\n #0 0x1 abort\n #1 0x2 f(int) x\n",
        );
        assert_eq!(crash.signature, "SIGABRT | assertion failed: a | f");
    }
}
