//! Operations of the smt dialect (`mlir/lib/Dialect/SMT/IR/SMTOps.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "smt.int.constant" => AsmParser::smt_constant,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `5`
    fn smt_constant(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let negative = self.eat(TokenKind::Minus)?;
        let token = self.expect(TokenKind::Integer, "a whole number")?;
        let digits = String::from_utf8_lossy(self.spelling(token)).into_owned();
        let Ok(number) = digits.parse::<u64>() else {
            return Err(self.unsupported(pending, "its number has more than 64 bits"));
        };
        let has_least_width = self.release.0 >= 24;
        if has_least_width && number >> 63 == 1 {
            return Err(self.unsupported(
                pending,
                "its number is 2^63 or greater, and the width that this release gives such a number is not known",
            ));
        }
        // Four bits for each digit, and one for the sign where those are not enough (`StringRef::getAsInteger`); later at
        // least 64.
        let bits = match 4 * digits.trim_start_matches('0').len() {
            0 => 64,
            _ if has_least_width => 64,
            bits if number.checked_shr(bits as u32 - 1).unwrap_or(0) & 1 == 1 => bits + 1,
            bits => bits,
        };
        // The type has no sign, so a negative number is stored as its complement.
        let stored = match 1_u128.checked_shl(bits as u32) {
            Some(end) if negative && number > 0 => end - u128::from(number),
            _ => u128::from(number),
        };
        self.set_text(pending, "value", &format!("{stored} : ui{bits}"))?;
        self.optional_attributes(pending)?;
        let result = self.type_named("!smt.int")?;
        custom.result(vec![result]);
        Ok(None)
    }
}
