//! Messages and stacks, normalized so that they do not depend on the file.

use std::path::Path;

/// The length at which messages are cut.
const LONGEST: usize = 240;

/// The number of frames of a stack that are compared.
const FRAMES: usize = 3;

/// Prefixes of functions that report a crash or end the process; they are above the function that caused it.
const REPORTING: [&str; 26] = [
    "llvm::sys::",
    "llvm::report_",
    "llvm::llvm_unreachable_internal",
    "SignalHandler",
    "PrintStackTrace",
    "RunSignalHandlers",
    "CrashRecoverySignalHandler",
    "__restore_rt",
    "__pthread_kill",
    "pthread_kill",
    "gsignal",
    "raise",
    "abort",
    "__assert_fail",
    "__GI_",
    "__libc_message",
    "malloc_printerr",
    "__cxa_throw",
    "__gnu_cxx::",
    "std::terminate",
    "std::__throw_",
    "rust_begin_unwind",
    "core::panicking::",
    "std::panicking::",
    "__asan",
    "__interceptor",
];

/// Returns the message that explains why a process failed: the first line with an error, otherwise the last
/// line.
pub fn message(stderr: &str) -> String {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_explained = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        // The last line of a Python traceback has the message.
        !line.starts_with("Traceback")
            && ["error:", "error[", "assertion", "panicked at"].iter().any(|word| lower.contains(word))
    };
    let line = lines().find(is_explained).or_else(|| lines().next_back()).unwrap_or_default();
    line.chars().take(4 * LONGEST).collect()
}

/// Returns a message in which the file, numbers, addresses and quoted names are replaced.
///
/// ```
/// use mlirbc_fuzz_tools::differ::signature::normalize;
/// let normalized = normalize("/tmp/a.mlirbc:0:0: error: invalid index 17 of 'arith.addi'", "/tmp/a.mlirbc".as_ref());
/// assert_eq!(normalized, "FILE:N:N: error: invalid index N of '…'");
/// ```
pub fn normalize(message: &str, file: &Path) -> String {
    let text = without_file(message, file);
    if let Some(id) = identifier(&text) {
        return id.to_owned();
    }
    // The quoted text of an assertion is its condition.
    if let Some(condition) = assertion(&text) {
        return format!("assertion failed: {}", without_numbers(condition));
    }
    let mut safe = String::new();
    let mut remaining = text.as_str();
    let mut before = ' ';
    while let Some(first) = remaining.chars().next() {
        let closing = match first {
            '\'' if !before.is_alphanumeric() => Some('\''),
            '"' => Some('"'),
            '`' => Some('`'),
            _ => None,
        };
        let after = &remaining[first.len_utf8()..];
        match closing.and_then(|closing| after.find(closing)) {
            Some(end) => {
                safe.push(first);
                safe.push('…');
                safe.push(first);
                remaining = &after[end + first.len_utf8()..];
                before = first;
            }
            None => {
                safe.push(first);
                remaining = after;
                before = first;
            }
        }
    }
    cut(&without_numbers(&safe))
}

/// Returns the stable identifier of an mlirbc error in a message.
fn identifier(text: &str) -> Option<&str> {
    let start = text.find("error[mlirbc.")? + "error[".len();
    let after = &text[start..];
    Some(&after[..after.find(']')?])
}

fn assertion(text: &str) -> Option<&str> {
    let start = text.find("Assertion `").map(|start| start + "Assertion `".len())?;
    let after = &text[start..];
    Some(&after[..after.rfind("' failed")?])
}

fn without_file(message: &str, file: &Path) -> String {
    let path = file.to_string_lossy();
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let mut text = message.to_owned();
    if !path.is_empty() {
        text = text.replace(path.as_ref(), "FILE");
    }
    if !name.is_empty() {
        text = text.replace(name.as_ref(), "FILE");
    }
    text
}

// Replaces numbers by `N`, including hexadecimal numbers with a prefix.
fn without_numbers(text: &str) -> String {
    let mut safe = String::new();
    let mut remaining = text;
    while let Some(first) = remaining.chars().next() {
        if !first.is_ascii_digit() {
            safe.push(first);
            remaining = &remaining[first.len_utf8()..];
            continue;
        }
        let hex = remaining
            .strip_prefix("0x")
            .map(|digits| digits.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
        remaining = hex.unwrap_or_else(|| remaining.trim_start_matches(|c: char| c.is_ascii_digit()));
        safe.push('N');
    }
    safe
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the functions at the top of the first stack in `stderr`, innermost first, without the functions
/// that report the crash.
///
/// Reads the stacks that LLVM's tools, the sanitizers, glibc and Rust print: lines that begin with `#` and a number.
/// A frame without a name is given as its library and offset.
pub fn frames(stderr: &str) -> Vec<String> {
    let mut frames = Vec::new();
    let mut begun = false;
    for line in stderr.lines() {
        let Some(frame) = frame(line) else {
            if begun && !line.trim().is_empty() {
                break;
            }
            continue;
        };
        // The number 0 begins a second stack; the first stack belongs to the crash.
        begun = true;
        frames.push(frame);
    }
    // Frames above the signal handler belong to the handler.
    let handler = frames
        .iter()
        .take(6)
        .rposition(|frame| frame.starts_with("libc.so") || frame.starts_with("__restore_rt"));
    let after = handler.map_or(0, |position| position + 1);
    let is_reporting = |frame: &String| REPORTING.iter().any(|start| frame.starts_with(start));
    let named: Vec<String> = frames.split_off(after).into_iter().skip_while(is_reporting).collect();
    // Nameless frames of one library, between reporting functions and the cause, belong to the report.
    let begin = named.iter().take(4).rposition(is_reporting).map_or(0, |position| position + 1);
    named.into_iter().skip(begin).take(FRAMES).collect()
}

// ` #3 0x00007f function(arguments) (library+0x1f)`, `#3 0x7f in function file.cpp:1:2`, ` 3: function`.
fn frame(line: &str) -> Option<String> {
    let line = line.trim_start();
    let text = line.strip_prefix('#')?;
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 {
        return None;
    }
    let text = text[digits..].trim_start();
    let text = match text.strip_prefix("0x") {
        Some(address) => address.trim_start_matches(|c: char| c.is_ascii_hexdigit()).trim_start(),
        None => text,
    };
    let text = text.strip_prefix("in ").unwrap_or(text);
    if let Some(place) = text.strip_prefix('(').filter(|text| !text.starts_with("anonymous")) {
        let place = place.strip_suffix(')').unwrap_or(place);
        return Some(place.rsplit('/').next().unwrap_or(place).to_owned());
    }
    let name = function(text);
    (!name.is_empty()).then_some(name)
}

// Returns the name before the arguments; parentheses and blanks within template arguments belong to the name.
fn function(text: &str) -> String {
    let mut depth = 0_usize;
    let mut name = String::new();
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0
                && !name.is_empty()
                && !text[name.len()..].starts_with("(anonymous namespace)") =>
            {
                break;
            }
            ' ' if depth == 0 && !name.ends_with("anonymous") && !name.ends_with("operator") => break,
            _ => {}
        }
        name.push(c);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_without_what_differs() {
        let normal = |text: &str| normalize(text, "dir/a.mlirbc".as_ref());
        assert_eq!(
            normal("dir/a.mlirbc:0:0: error: bad byte 0xAf at 12"),
            "FILE:N:N: error: bad byte N at N"
        );
        assert_eq!(normal("can't read 'x' of \"y\""), "can't read '…' of \"…\"");
        assert_eq!(
            normal("a.mlirbc: error[mlirbc.read.varint.truncated]: x"),
            "mlirbc.read.varint.truncated"
        );
        assert_eq!(
            normal("opt: X.h:12: T f(int): Assertion `i < size() && \"x\"' failed."),
            "assertion failed: i < size() && \"x\""
        );
        assert_eq!(normal(&"é".repeat(1000)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn the_message_is_the_line_with_the_error() {
        assert_eq!(message("note\na: error: b\nc: error: d\n"), "a: error: b");
        assert_eq!(message("Traceback (most recent call last):\n  x\nValueError: no\n\n"), "ValueError: no");
        assert_eq!(message(""), "");
    }

    #[test]
    fn the_stack_of_llvm_begins_at_the_cause() {
        let stderr = "Stack dump:
0.\tProgram arguments: mlir-opt x
 #0 0x00007f llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM.so.22.1+0x4eb8786)
 #1 0x00007f llvm::sys::RunSignalHandlers() (/lib/libLLVM.so.22.1+0x4eb5fd3)
 #2 0x00007f (/lib/libLLVM.so.22.1+0x4eb94f4)
 #3 0x00007f (/lib/libc.so.6+0x3c050)
 #4 0x00007f __pthread_kill_implementation ./nptl/./nptl/pthread_kill.c:44:76
 #5 0x00007f raise ./signal/../sysdeps/posix/raise.c:27:6
 #6 0x00007f abort ./stdlib/./stdlib/abort.c:81:7
 #7 0x00007f llvm::report_fatal_error(llvm::Twine const&, bool) (/lib/libLLVM.so.22.1+0x4df9aa7)
 #8 0x00007f (/lib/libLLVM.so.22.1+0x4e3bf6f)
 #9 0x00007f llvm::SmallVectorBase<unsigned int>::grow_pod(void*, unsigned long) (/lib/libLLVM.so.22.1+0x1)
#10 0x00007f (/usr/lib/llvm-22/bin/../lib/libMLIR.so.22.1+0x28d4076)
#11 0x00007f mlir::BytecodeReader::Impl::read(mlir::Block*) (/usr/lib/libMLIR.so.22.1+0x2)
";
        let expected = [
            "libLLVM.so.22.1+0x4e3bf6f",
            "llvm::SmallVectorBase<unsigned int>::grow_pod",
            "libMLIR.so.22.1+0x28d4076",
        ];
        assert_eq!(frames(stderr), expected);
    }

    #[test]
    fn the_stack_of_a_sanitizer() {
        let stderr = "==1==ERROR: AddressSanitizer: heap-buffer-overflow
    #0 0x55 in (anonymous namespace)::read(int) /x/a.cpp:1:2
    #1 0x56 in main /x/b.cpp:3:4

0x60 is located
    #0 0x57 in malloc x
";
        assert_eq!(frames(stderr), ["(anonymous namespace)::read", "main"]);
        assert!(frames("nothing\n#x\n").is_empty());
    }
}
