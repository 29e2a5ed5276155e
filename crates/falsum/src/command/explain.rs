//! `falsum explain WORD`: what a word on the screen or in a report means.
//!
//! The words are the tables of docs/guides/glossary.md, which is part of the program, so that the page and the command
//! cannot differ. In: a word in any spelling that falsum prints (`[now]`, `t/o`, `Not fixed`). Out: its meaning on stdout.
#![allow(clippy::print_stdout, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use crate::nearest::distance;
use smtlib::shown;

const GLOSSARY: &str = include_str!("../../../../docs/guides/glossary.md");

#[derive(clap::Args)]
pub struct Args {
    /// A word or a phrase; without any, the list of all
    #[arg(value_name = "WORD")]
    words: Vec<String>,
}

/// A row of the glossary: its words and what they mean.
struct Entry {
    words: Vec<&'static str>,
    meaning: &'static str,
}

fn entries() -> Vec<Entry> {
    let rows =
        GLOSSARY.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    rows.filter(|(_, meaning)| *meaning != "what it means")
        .map(|(words, meaning)| Entry { words: words.split(", ").collect(), meaning })
        .collect()
}

/// A word without brackets, quotes and case.
fn plain(word: &str) -> String {
    word.trim_matches(|c: char| "[]()`\"\u{27}:.,%· ".contains(c)).to_lowercase()
}

/// The same word, of one thing or of several.
fn is_same(word: &str, wanted: &str) -> bool {
    let (word, wanted) = (plain(word), plain(wanted));
    word == wanted || word.strip_suffix('s') == Some(&*wanted) || wanted.strip_suffix('s') == Some(&*word)
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let entries = entries();
    if args.words.is_empty() {
        let width = entries.iter().map(|entry| entry.words.join(", ").len()).max().unwrap_or(0);
        for entry in &entries {
            println!("{:<width$}  {}", entry.words.join(", "), entry.meaning);
        }
        return Ok(Exit::Fine);
    }
    // `falsum explain not fixed` and `falsum explain "not fixed"` mean the same.
    let phrase = plain(&args.words.join(" "));
    let means = |wanted: &str| -> Vec<&Entry> {
        entries.iter().filter(|entry| entry.words.iter().any(|word| is_same(word, wanted))).collect()
    };
    let mut found = means(&phrase);
    if found.is_empty() {
        found = args.words.iter().flat_map(|word| means(&plain(word))).collect();
    }
    if found.is_empty() {
        return Err(unknown(&phrase, &entries).into());
    }
    for entry in found {
        println!("{}: {}", entry.words.join(", "), entry.meaning);
    }
    Ok(Exit::Fine)
}

fn unknown(phrase: &str, entries: &[Entry]) -> Failure {
    let near = |word: &&&str| {
        let word = plain(word);
        word.contains(phrase) || phrase.contains(&word) || distance(&word, phrase) <= 2
    };
    let words: Vec<&str> = entries.iter().flat_map(|entry| &entry.words).filter(near).copied().collect();
    let hint = match &words[..] {
        [] => "falsum explain lists all words; falsum help COMMAND explains flags".to_owned(),
        words => format!("did you mean {}?", words.join(", ")),
    };
    Failure::usage(format!("`{}` is not in the glossary", shown::text(phrase))).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_column_and_kind_of_evidence_is_explained() {
        let entries = entries();
        let known = |word: &str| entries.iter().any(|entry| entry.words.iter().any(|w| is_same(w, word)));
        let kinds = oracle::FindingKind::ALL.iter().map(|kind| kind.word());
        let due = ["[now]", "later", "fixed", "known", "unproven", "unshown", "not fixed", "only by a vote"];
        let columns = ["cases", "valid", "certified", "t/o", "accused", "bugs", "unk", "err", "crash"];
        let others =
            ["findings", "phase", "new cases", "confirming", "waiting", "triage beside them", "shards"];
        for word in kinds.chain(due).chain(columns).chain(others) {
            assert!(known(word), "{word}");
        }
        for evidence in ["model", "refuted-model", "majority", "construction", "enumeration", "self-check"] {
            assert!(known(evidence), "{evidence}");
        }
    }

    #[test]
    fn a_word_that_is_nearly_right_is_suggested() {
        let hint = unknown("refutation-unsond", &entries()).hint.unwrap();
        assert!(hint.starts_with("did you mean refutation-unsound"), "{hint}");
    }
}
