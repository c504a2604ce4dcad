//! Printing arbitrary files in custom form, and parsing the text.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | lossless custom text parses if the generic text does, unless the parser does not support a form | formats that the printer and the parser treat differently |
//! | both texts are the same module | parts that a format omits without a note |

use mlirbc::error::ErrorClass;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::print::{PrintForm, PrintOptions};
use mlirbc::version::BytecodeVersion;
use mlirbc::{ErrorKind, Module, ReadOptions};

use crate::cost;

/// The length above which text is not checked: nesting makes long text of short files.
const CAP: u64 = 1 << 20;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    let limits = Limits::default().max_text(Some(CAP)).max_memory(Some(64 << 20));
    let options = ReadOptions::default().limits(limits.clone());
    let Ok(module) = Module::from_source(data.to_vec().into(), &options) else { return };
    // An operation that breaks its definition has no custom form that could be parsed.
    if module.verify().is_err() || module.verify_operations().map_or(true, |checks| checks.error_count() > 0)
    {
        return;
    }
    let Some(target) = module.release().ok().and_then(|release| release.nearest()).map(str::to_owned) else {
        return;
    };
    let version = Some(module.tables().bytecode().version());
    let Some(generic) = printed(&module, PrintForm::Generic) else { return };
    let Some(custom) = printed(&module, PrintForm::Custom) else { return };
    let Some(Ok(expected)) = parsed(&generic, &target, version, &limits) else { return };
    match parsed(&custom, &target, version, &limits) {
        Some(Ok(found)) => {
            let difference =
                first_difference(printed(&found, PrintForm::Generic), printed(&expected, PrintForm::Generic));
            if let Some(difference) = difference {
                panic!("another module: {difference}\n{}", String::from_utf8_lossy(&custom));
            }
        }
        Some(Err(error)) => panic!("{error:?}\n{}", String::from_utf8_lossy(&custom)),
        None => {}
    }
}

fn printed(module: &Module, form: PrintForm) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let options = PrintOptions::default().form(form).lossless(true).strict(true);
    module.print(&mut text, &options).ok().map(|_| text)
}

fn first_difference(custom: Option<Vec<u8>>, generic: Option<Vec<u8>>) -> Option<String> {
    if custom == generic {
        return None;
    }
    let (custom, generic) = (custom.unwrap_or_default(), generic.unwrap_or_default());
    let lines =
        |text: &[u8]| -> Vec<String> { String::from_utf8_lossy(text).lines().map(str::to_owned).collect() };
    let (custom, generic) = (lines(&custom), lines(&generic));
    let at = custom.iter().zip(&generic).take_while(|(custom, generic)| custom == generic).count();
    let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
    Some(format!("custom: {}\ngeneric: {}", line(&custom), line(&generic)))
}

// Parses the text; `None` if the parser does not support a form, or a limit is reached.
fn parsed(
    text: &[u8],
    target: &str,
    version: Option<BytecodeVersion>,
    limits: &Limits,
) -> Option<mlirbc::Result<Module>> {
    let options = ParseOptions::default()
        .target(mlirbc::Release::named(target.to_owned()))
        .version(version)
        .limits(limits.clone());
    let result = parse(text, &options);
    let is_left_out = result
        .as_ref()
        .is_err_and(|error| error.kind() == ErrorKind::AsmForm || error.class() == ErrorClass::Limit);
    (!is_left_out).then_some(result)
}
