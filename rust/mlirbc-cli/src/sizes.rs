//! Parses numbers of bytes on the command line: `docs/reference/cli.md` has the rule.

/// The units that may follow a number; each is 1024 times the one before.
const UNITS: &str = "KMGT";

/// A number of bytes: `4096`, `64K`, `64KiB`, `1M`, `2g`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let shift = match unit.strip_suffix("IB").unwrap_or(&unit) {
        "" if unit.is_empty() => Some(0),
        letter if letter.len() == 1 => UNITS.find(letter).map(|place| 10 * (place + 1)),
        // Some programs mean powers of 1000, others powers of 1024.
        "KB" | "MB" | "GB" | "TB" => {
            let (letter, _) = unit.split_at(1);
            return Err(format!("`{unit}` is ambiguous; write `{digits}{letter}iB` for powers of 1024"));
        }
        _ => None,
    };
    // `parse` would accept a sign.
    let digits = Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let number = shift.zip(digits.and_then(|digits| digits.parse::<u64>().ok()));
    let size = number.and_then(|(shift, number)| number.checked_mul(1 << shift));
    size.ok_or_else(|| "expected a number of bytes, such as `4096`, `64K`, `1M` or `2GiB`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024() {
        for (text, expected) in [
            ("0", 0),
            ("12", 12),
            ("1k", 1024),
            ("64KiB", 64 << 10),
            ("1M", 1 << 20),
            ("2mib", 2 << 20),
            ("3G", 3 << 30),
            ("1T", 1 << 40),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_sizes() {
        for text in
            ["", "M", "-1", "+1", "1.5M", "1 M", "1Q", "iB", "1iB", "1KMiB", "99999999999G", "1é", "x1", "1B"]
        {
            assert!(bytes(text).unwrap_err().starts_with("expected a number of bytes"), "{text}");
        }
        assert_eq!(bytes("1MB").unwrap_err(), "`MB` is ambiguous; write `1MiB` for powers of 1024");
    }
}
