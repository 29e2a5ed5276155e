//! Checks the guarantee of the printer: printed text is parsed as the same script.
//!
//! In: a parsed script. Out: nothing, or how the guarantee was violated. It is used by `falsum parse --round-trip`, by
//! the tests over the corpus and by the fuzz tests, so that all three use the same definition of "round-trips".

use crate::error::Error;
use crate::limits::ReadLimits;
use crate::printer::{Format, print};
use crate::script::{Command, Script};

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

/// Whether two scripts have the same commands with the same terms. A command that we do not know is kept as text, which
/// is compared as text: the number of a word depends on the words before it, and `Float32` is printed in other words.
fn same_terms(script: &Script, again: &Script) -> bool {
    let same = |(one, other): (&Command, &Command)| match (one, other) {
        (Command::Other { name, rest }, Command::Other { name: other_name, rest: other_rest }) => {
            script.pool.bytes(*name) == again.pool.bytes(*other_name)
                && script.pool.bytes(*rest) == again.pool.bytes(*other_rest)
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
    fn an_unknown_command_after_a_sort_with_two_spellings_is_printed_as_itself() {
        let text = b"(declare-const h (_ FloatingPoint 5 11))(declare-const s Float32)(foo i 1)";
        let script = Script::parse(text).unwrap();
        assert!(check(&script, Format::Faithful, ReadLimits::default()).is_ok());
    }
}
