//! Checks the guarantee of the printer: printed text is parsed as the same script.
//!
//! In: a parsed script. Out: nothing, or how the guarantee was violated. It is used by `falsum parse --round-trip`, by
//! the tests over the corpus and by the fuzz tests, so that all three use the same definition of "round-trips".

use crate::error::Error;
use crate::limits::ReadLimits;
use crate::printer::{Format, print};
use crate::script::{Command, Script};
use crate::symbol::Symbol;

/// How printing and parsing again failed. Each is a defect of falsum, never of the script.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Broken {
    /// The printed text does not parse.
    #[error("the printed text is not accepted: {0}")]
    Rejected(Error, Vec<u8>),
    /// Printing the parsed text again gives another text.
    #[error("printing is not a fixpoint")]
    NotAFixpoint,
    /// The printed text has other commands or other terms.
    #[error("the printed text has other terms")]
    OtherTerms,
}

/// Prints, parses and prints again. Faithful text must give the same terms. Canonical text (which drops comments,
/// annotations and old spellings) must at least be its own canonical form.
pub fn check(script: &Script, format: Format, limits: ReadLimits) -> Result<(), Broken> {
    let printed = print(script, format);
    let again = match Script::parse_with(&printed, limits) {
        Ok(again) => again,
        Err(error) => return Err(Broken::Rejected(error, printed)),
    };
    if format == Format::Faithful && !same_terms(script, &again) {
        return Err(Broken::OtherTerms);
    }
    if print(&again, format) != printed { Err(Broken::NotAFixpoint) } else { Ok(()) }
}

/// Whether two scripts have the same commands with the same terms. What a command keeps as text is compared as text: the
/// number of a word depends on the words before it, and `Float32` and `#f3m7` are printed in other words.
fn same_terms(script: &Script, again: &Script) -> bool {
    use Command::{
        AssertSoft, CheckSatUsing, DefineSort, Maximize, Minimize, Other, SetInfo, SetLogic, SetOption,
    };
    let word = |one: &Symbol, other: &Symbol| script.pool.bytes(*one) == again.pool.bytes(*other);
    let same = |(one, other): (&Command, &Command)| match (one, other) {
        (SetLogic(a), SetLogic(b)) | (CheckSatUsing(a), CheckSatUsing(b)) => word(a, b),
        (SetInfo(a, x), SetInfo(b, y))
        | (SetOption(a, x), SetOption(b, y))
        | (Other { name: a, rest: x }, Other { name: b, rest: y }) => word(a, b) && word(x, y),
        (AssertSoft(t, a), AssertSoft(u, b))
        | (Minimize(t, a), Minimize(u, b))
        | (Maximize(t, a), Maximize(u, b)) => t == u && word(a, b),
        (DefineSort { name: a, params: x, sort: s }, DefineSort { name: b, params: y, sort: t }) => {
            s == t && word(a, b) && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| word(x, y))
        }
        _ => one == other,
    };
    script.commands.len() == again.commands.len()
        && script.pool.len() == again.pool.len()
        && script.commands.iter().zip(&again.commands).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_after_a_literal_with_two_spellings_are_printed_as_themselves() {
        for command in [
            "(set-info :status sat)",
            "(set-option :frob |x y|)",
            "(assert-soft (= a a) :weight 2)",
            "(define-sort F (T) (Array T T))",
            "(minimize 3)(maximize 4)",
            "(check-sat-using (then simplify smt))",
            "(set-logic ALL)",
        ] {
            let text = format!("(declare-const a (_ FiniteField 7))(assert (= a #f6m7)){command}");
            let script = Script::parse(text.as_bytes()).unwrap();
            let kept = check(&script, Format::Faithful, ReadLimits::default());
            assert!(kept.is_ok(), "{command}: {kept:?}");
        }
    }

    #[test]
    fn an_unknown_command_after_a_sort_with_two_spellings_is_printed_as_itself() {
        let text = b"(declare-const h (_ FloatingPoint 5 11))(declare-const s Float32)(foo i 1)";
        let script = Script::parse(text).unwrap();
        assert!(check(&script, Format::Faithful, ReadLimits::default()).is_ok());
    }
}
