//! The operating system, and requests to stop.

use super::rule::rules;

rules! {
    Io "io" Io "system calls succeed, for example those that open, read or write a file" Some("the message ends with the reason that the operating system gives");
    Interrupted "interrupted" Interrupted "the caller does not request to stop" Some("make the same call again to start over");
}
