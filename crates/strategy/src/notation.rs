//! The notation of SMT-LIB 2.5 for strings: `str.to.int`, `str.in.re`, `re.nostr`.
//!
//! The standard renamed these operators in version 2.6. Old releases (z3 before 4.8.8, CVC4) read only the old names, and
//! z3 still reads both; the old names are the first aliases of their rows in the theory table, so nothing is listed
//! here. Meaning does not change, only spelling.

use smtlib::Script;
use smtlib::printer::{Format, print_mapped};
use smtlib::term::{IndicesId, Kind, Spelling};

use crate::mutant::splice::{Edit, splice};

/// The word for the old notation.
pub const OLD: &str = "2.5";

/// The script with the old names; unchanged if it does not parse.
pub fn old(text: &[u8]) -> Vec<u8> {
    let Ok(script) = Script::parse(text) else { return text.to_vec() };
    let printed = print_mapped(&script, Format::Faithful);
    let mut edits = vec![];
    for occurrence in &printed.occurrences {
        if let Kind::Op { op, indices: IndicesId::NONE, spelling: Spelling::Canonical, qualified: false } =
            script.pool.kind(occurrence.term)
            && op.row().theory == "Strings"
            && let Some(name) = op.row().aliases.first()
        {
            let (start, end) = (occurrence.head_start, occurrence.head_end);
            edits.push(Edit { start, end, text: name.as_bytes() });
        }
    }
    splice(&printed.bytes, &mut edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_mean_the_same_and_the_rest_stays() {
        let text = b"(declare-fun x () String)\n(assert (str.in_re x (re.++ (str.to_re \"a\") re.none)))\n(assert (= 1 (str.to_int x)))\n";
        let old = old(text);
        let expected = "(declare-fun x () String)\n(assert (str.in.re x (re.++ (str.to.re \"a\") re.nostr)))\n(assert (= 1 (str.to.int x)))\n";
        assert_eq!(String::from_utf8(old.clone()).unwrap(), expected);
        let canonical =
            |text: &[u8]| smtlib::printer::print(&Script::parse(text).unwrap(), Format::Canonical);
        assert_eq!(canonical(&old), canonical(text));
    }
}
