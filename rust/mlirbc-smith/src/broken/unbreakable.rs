//! The rules that no bytecode file can break, with the reason.

use mlirbc::ErrorKind;

/// Rules that no file breaks, for one reason.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct UnbreakableRules {
    /// The reason.
    pub reason: &'static str,
    /// The error kinds of the rules.
    pub kinds: &'static [ErrorKind],
}

/// Returns the rules that are not about the bytes of a file. Together with
/// [`breakable_rules`](crate::breakable_rules) they are all rules of the page of errors.
///
/// ```
/// let kinds = mlirbc_smith::unbreakable_rules().iter().flat_map(|rules| rules.kinds);
/// let all = mlirbc_smith::breakable_rules().len() + kinds.count();
/// assert_eq!(all, mlirbc::error::RULES.len());
/// ```
pub fn unbreakable_rules() -> &'static [UnbreakableRules] {
    UNBREAKABLE
}

const UNBREAKABLE: &[UnbreakableRules] = &[
    UnbreakableRules {
        reason: "it is about what a caller asks of a file: a module, a key, the layout of a type, a cast",
        kinds: &[
            ErrorKind::ModuleChoice,
            ErrorKind::LayoutNone,
            ErrorKind::LayoutScalable,
            ErrorKind::LayoutOverflow,
            ErrorKind::LayoutKeyNotFound,
            ErrorKind::LayoutNotQueryable,
            ErrorKind::LayoutNoQueryable,
            ErrorKind::LayoutBitWidth,
            ErrorKind::LayoutShape,
            ErrorKind::LayoutOperandType,
            ErrorKind::LayoutIncompatible,
        ],
    },
    UnbreakableRules {
        reason: "it is about tables, schemas, layouts and code that a caller passes",
        kinds: &[
            ErrorKind::DialectTable,
            ErrorKind::HostTable,
            ErrorKind::Pack,
            ErrorKind::PropertySchema,
            ErrorKind::UnknownRelease,
            ErrorKind::SchemeRoundTrip,
            ErrorKind::DialectHook,
            ErrorKind::HookLimit,
            ErrorKind::LayoutTable,
            ErrorKind::LayoutTypeClass,
            ErrorKind::LayoutFixedRule,
        ],
    },
    UnbreakableRules {
        reason: "it is about changes that a caller makes, and values that it creates",
        kinds: &[
            ErrorKind::EntryEncode,
            ErrorKind::AsmText,
            ErrorKind::Value,
            ErrorKind::Definition,
            ErrorKind::Erased,
            ErrorKind::Edit,
            ErrorKind::AmbiguousSymbol,
            ErrorKind::Merge,
            ErrorKind::ResourceSize,
            ErrorKind::Weights,
        ],
    },
    UnbreakableRules {
        reason: "it is about a kernel in an attribute, which no generated module has",
        kinds: &[ErrorKind::Nested],
    },
    UnbreakableRules {
        reason: "it is about a file of weights beside the module",
        kinds: &[ErrorKind::Safetensors, ErrorKind::ParameterFile],
    },
    UnbreakableRules {
        reason: "it is about the version or the release that a caller writes for",
        kinds: &[ErrorKind::Unsupported],
    },
    UnbreakableRules {
        reason: "it is about the file system: the bytes become fewer while they are read",
        kinds: &[ErrorKind::Shrunk],
    },
    UnbreakableRules {
        reason: "it is about the system, or a request to stop",
        kinds: &[ErrorKind::Io, ErrorKind::Interrupted],
    },
];
