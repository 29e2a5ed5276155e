//! A name for every assertion, so that a solver can be asked for an unsat core of any formula.
//!
//! In: a script. Out: the same script with `(! t :named n)` in place of every asserted term that has no name yet. Names
//! change no answer (Winterer's thesis, section 7.4, asks for cores in all configurations); a solver may treat named
//! assertions in another way, which is one more reason to ask. The result is a function of the script alone, so that a
//! recipe only says that there are names.

use crate::mutant::donors::prefix;
use crate::mutant::splice::{Edit, splice};
use smtlib::Script;
use smtlib::printer::{Format, print_mapped};
use smtlib::script::Command;
use smtlib::term::Kind;

/// The script with names; `None` if it does not parse or asserts nothing without a name.
pub fn with_names(text: &[u8]) -> Option<Vec<u8>> {
    let script = Script::parse(text).ok()?;
    let printed = print_mapped(&script, Format::Faithful);
    let prefix = prefix(&script.pool);
    let mut texts: Vec<(u32, u32, String)> = vec![];
    for occurrence in printed.occurrences.iter().filter(|occurrence| occurrence.parent == u32::MAX) {
        let asserted = matches!(script.commands[occurrence.command as usize], Command::Assert(_));
        if asserted && !matches!(script.pool.kind(occurrence.term), Kind::Annot(_)) {
            let name = format!(" :named {prefix}!{})", texts.len() + 1);
            texts.push((occurrence.start, occurrence.end, name));
        }
    }
    if texts.is_empty() {
        return None;
    }
    let mut edits: Vec<Edit<'_>> = vec![];
    for (start, end, name) in &texts {
        edits.push(Edit { start: *start, end: *start, text: b"(! " });
        edits.push(Edit { start: *end, end: *end, text: name.as_bytes() });
    }
    Some(splice(&printed.bytes, &mut edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assertion_without_a_name_gets_one_that_is_new() {
        let text =
            b"(declare-const fresh1 Int)(assert (> fresh1 0))(assert (! (< fresh1 9) :named n))(push 1)\
            (assert (= fresh1 (- 1)))(check-sat)(pop 1)(check-sat)";
        let named = String::from_utf8(with_names(text).unwrap()).unwrap();
        assert!(named.contains("(assert (! (> fresh1 0) :named fresh!!1))"), "{named}");
        assert!(named.contains("(assert (! (< fresh1 9) :named n))"), "{named}");
        assert!(named.contains("(assert (! (= fresh1 (- 1)) :named fresh!!2))"), "{named}");
        assert_eq!(Script::parse(named.as_bytes()).unwrap().checks(), 2);
        assert_eq!(with_names(named.as_bytes()), None);
    }
}
