//! The operating system, and requests to stop.

use super::rule::rules;

rules! {
    Io "io" Io "system calls succeed, for example those that open, read or write a file" None;
    Interrupted "interrupted" Interrupted "the caller does not request to stop" None;
}
