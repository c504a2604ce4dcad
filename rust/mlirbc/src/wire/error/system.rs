//! The operating system, and requests to stop.

use super::rule::rules;

rules! {
    Io "io" Io "the operation of the operating system succeeds" None;
    Interrupted "interrupted" Interrupted "the caller does not request to stop" None;
}
