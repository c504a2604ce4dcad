//! Lists of parameter transfers, one on each line, of `stream` and `io_parameters`
//! (`StreamOps.cpp` and `IOParametersOps.cpp` of the IREE project). Printer and parser interpret the same rows.

/// A part of each line. Numbers are those of the arguments of the directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransferPart {
    /// Literals with the spaces around them.
    Text(&'static str),
    /// `%scope::%key`, or `%key`: the scope is that of all lines.
    Key(usize, usize),
    /// A value of this line.
    Each(usize),
    /// A value of all lines.
    Shared(usize),
    /// The type of a result of this line.
    EachType(usize),
    /// A type of all lines.
    SharedType(usize),
}

use TransferPart::{Each, EachType, Key, Shared, SharedType, Text};

/// `%scope::%key[%offset] : type{%size}`
pub(crate) const LOAD: &[TransferPart] =
    &[Key(0, 1), Text("["), Each(2), Text("] : "), EachType(3), Text("{"), Each(4), Text("}")];

/// `%scope::%key[%offset] -> %target[%offset to %end for %length] : type{%size}`
pub(crate) const ASYNC_GATHER: &[TransferPart] = &[
    Key(0, 1),
    Text("["),
    Each(2),
    Text("] -> "),
    Shared(3),
    Text("["),
    Each(6),
    Text(" to "),
    Each(7),
    Text(" for "),
    Each(8),
    Text("] : "),
    SharedType(4),
    Text("{"),
    Shared(5),
    Text("}"),
];

/// `%scope::%key[%offset] -> %target[%offset for %length] : type{%size}`
pub(crate) const GATHER: &[TransferPart] = &[
    Key(0, 1),
    Text("["),
    Each(2),
    Text("] -> "),
    Shared(3),
    Text("["),
    Each(6),
    Text(" for "),
    Each(7),
    Text("] : "),
    SharedType(4),
    Text("{"),
    Shared(5),
    Text("}"),
];

/// `%scope::%key[%offset] -> %target[%offset for %length] : type`
pub(crate) const UNSIZED_GATHER: &[TransferPart] = &[
    Key(0, 1),
    Text("["),
    Each(2),
    Text("] -> "),
    Shared(3),
    Text("["),
    Each(5),
    Text(" for "),
    Each(6),
    Text("] : "),
    SharedType(4),
];

/// `%source[%offset to %end for %length] : type{%size} -> %scope::%key[%offset]`
pub(crate) const ASYNC_SCATTER: &[TransferPart] = &[
    Shared(0),
    Text("["),
    Each(3),
    Text(" to "),
    Each(4),
    Text(" for "),
    Each(5),
    Text("] : "),
    SharedType(1),
    Text("{"),
    Shared(2),
    Text("} -> "),
    Key(6, 7),
    Text("["),
    Each(8),
    Text("]"),
];

/// `%source[%offset for %length] : type{%size} -> %scope::%key[%offset]`
pub(crate) const SCATTER: &[TransferPart] = &[
    Shared(0),
    Text("["),
    Each(3),
    Text(" for "),
    Each(4),
    Text("] : "),
    SharedType(1),
    Text("{"),
    Shared(2),
    Text("} -> "),
    Key(5, 6),
    Text("["),
    Each(7),
    Text("]"),
];

/// `%source[%offset for %length] : type -> %scope::%key[%offset]`
pub(crate) const UNSIZED_SCATTER: &[TransferPart] = &[
    Shared(0),
    Text("["),
    Each(2),
    Text(" for "),
    Each(3),
    Text("] : "),
    SharedType(1),
    Text(" -> "),
    Key(4, 5),
    Text("["),
    Each(6),
    Text("]"),
];
