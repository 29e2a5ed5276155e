//! The flag or word that a user meant: fewest letters changed, added, removed or swapped.
//!
//! The argument parser suggests by common beginnings, so `--fro` became `--fresh-rounds` and not `--for`. In: its error, the
//! definition of the commands, what was typed. Out: the error with the nearest flag of that command as its suggestion.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// A word further away than this is not suggested.
const FAR: usize = 2;

/// Replaces the suggestion of an error about an unknown flag, if a flag is near.
pub fn suggest(error: &mut Error, cli: &Command, typed: &[OsString]) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return };
    let Some(wrong) = wrong.strip_prefix("--").map(|flag| flag.split('=').next().unwrap_or(flag).to_owned())
    else {
        return;
    };
    let mut command = cli;
    for word in typed.iter().skip(1) {
        command = command.find_subcommand(word).unwrap_or(command);
    }
    let flags = command.get_arguments().filter_map(|arg| arg.get_long());
    let near = flags.map(|flag| (distance(flag, &wrong), flag)).min();
    if let Some((_, flag)) = near.filter(|(far, _)| *far <= FAR) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{flag}")));
    }
}

/// How many letters must be changed, added, removed or swapped with their neighbour to make one word of the other.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn swapped_letters_are_one_step() {
        assert_eq!((distance("for", "fro"), distance("for", "for"), distance("", "ab")), (1, 0, 2));
        assert_eq!(distance("flaky", "flacky"), 1);
    }

    #[test]
    fn a_mistyped_flag_suggests_the_nearest_one_of_its_command() {
        let words: Vec<OsString> = ["falsum", "hunt", "--fro", "3s"].map(OsString::from).to_vec();
        let mut error = crate::Cli::command().try_get_matches_from(&words).unwrap_err();
        suggest(&mut error, &crate::Cli::command(), &words);
        assert!(error.to_string().contains("'--for'"), "{error}");
    }
}
