//! Checkers of proofs: programs that a user has, described by data.
//!
//! A checker reads a proof in one format and the problem that it is about, and prints one word. Its profile (a file
//! under `checkers/`) says how it is called and which words mean what. Only a line that is exactly one of the words
//! counts, or a message that says that a step is wrong: a checker that cannot read a proof, lacks a rule, crashes or
//! runs out of time says nothing about the solver.
//!
//! In: the program, a script, and a printed proof. Out: a [`ProofVerdict`]. It must never call a proof invalid because
//! of anything else than the checker's own words.

use crate::confine::confined;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use crate::session::QueryLimits;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How to call and read one checker.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckerProfile {
    pub name: String,
    /// The format of proofs that it reads, as solver profiles name it.
    pub format: String,
    /// Arguments with `{proof}`, `{problem}` and `{signature}`.
    pub args: Vec<String>,
    /// Where its signature lies relative to the folder of the program, if it needs one.
    pub signature: Option<String>,
    /// The lines that mean: every step checks; every step that it can check does; some step does not.
    pub valid: Vec<String>,
    pub incomplete: Vec<String>,
    pub invalid: Vec<String>,
    /// Parts of messages that say that a step is wrong.
    #[serde(default)]
    pub invalid_message: Vec<String>,
}

const EMBEDDED: [&str; 2] =
    [include_str!("../checkers/carcara.toml"), include_str!("../checkers/ethos.toml")];

/// What a checker says about a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    Valid,
    /// Some steps could not be checked; the others are right.
    Incomplete,
    /// With the checker's message.
    Invalid(String),
    /// It says nothing about the proof, for this reason.
    Undecided(String),
}

/// A checker that a user has.
#[derive(Clone, Debug)]
pub struct Checker {
    pub profile: CheckerProfile,
    pub path: PathBuf,
}

impl CheckerProfile {
    /// The profile of a known checker.
    pub fn named(name: &str) -> Option<CheckerProfile> {
        EMBEDDED
            .iter()
            .filter_map(|text| toml::from_str::<CheckerProfile>(text).ok())
            .find(|p| p.name == name)
    }

    /// The names of all known checkers.
    pub fn names() -> Vec<String> {
        EMBEDDED
            .iter()
            .filter_map(|text| toml::from_str::<CheckerProfile>(text).ok())
            .map(|p| p.name)
            .collect()
    }

    /// What the output of a run means.
    pub fn read(&self, output: &str) -> ProofVerdict {
        let has = |words: &[String]| output.lines().any(|line| words.iter().any(|word| line.trim() == word));
        let message = |line: &&str| self.invalid_message.iter().any(|part| line.contains(part.as_str()));
        let first = output.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        match (has(&self.invalid), output.lines().find(message)) {
            (true, said) => ProofVerdict::Invalid(said.unwrap_or(first).trim().to_owned()),
            (false, Some(said)) if self.invalid.is_empty() => ProofVerdict::Invalid(said.trim().to_owned()),
            _ if has(&self.incomplete) => ProofVerdict::Incomplete,
            _ if has(&self.valid) => ProofVerdict::Valid,
            _ => ProofVerdict::Undecided(format!("the checker said: {first}")),
        }
    }
}

impl Checker {
    /// `NAME=PATH`, or a path whose file is called like a known checker.
    pub fn parse(text: &str) -> Result<Checker> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name.to_owned(), Path::new(path)),
            None => {
                let path = Path::new(text);
                (path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(), path)
            }
        };
        let known = || CheckerProfile::names().join(", ");
        let profile = CheckerProfile::named(&name).ok_or_else(|| Error::Malformed {
            path: path.to_owned(),
            detail: format!("`{name}` is no proof checker that falsum knows ({})", known()),
        })?;
        let shown = path.to_string_lossy().into_owned();
        if let Some(why) = crate::discover::why_no_program(&shown) {
            return Err(Error::NoProgram { path: shown, why });
        }
        Ok(Checker { profile, path: path.to_owned() })
    }

    /// Checks a printed proof of a script.
    pub fn check(&self, problem: &[u8], proof: &[u8], limits: &QueryLimits) -> ProofVerdict {
        let files = (Scratch::write(problem), Scratch::write(&unwrapped(proof)));
        let (Ok(problem), Ok(proof)) = files else {
            return ProofVerdict::Undecided("the proof could not be written to a file".into());
        };
        let near = self.path.parent().unwrap_or(Path::new("."));
        let signature = near.join(self.profile.signature.as_deref().unwrap_or_default());
        let filled = self.profile.args.iter().map(|arg| {
            arg.replace("{proof}", &proof.path().to_string_lossy())
                .replace("{problem}", &problem.path().to_string_lossy())
                .replace("{signature}", &signature.to_string_lossy())
        });
        let spec = run::Spec::new(&self.path).args(filled).limits(run::Limits {
            wall: Some(limits.wall),
            memory: limits.memory,
            ..run::Limits::default()
        });
        match run::once(&confined(spec), run::Input::Nothing) {
            Ok(outcome) => {
                let said = format!("{}\n{}", outcome.stdout.text(), outcome.stderr.text());
                self.profile.read(&said)
            }
            Err(error) => ProofVerdict::Undecided(format!("{} did not run: {error}", self.profile.name)),
        }
    }
}

/// Solvers print a proof as one list; checkers want its commands.
fn unwrapped(proof: &[u8]) -> Vec<u8> {
    let text = proof.trim_ascii();
    let inner = text.strip_prefix(b"(").and_then(|text| text.strip_suffix(b")"));
    match inner {
        Some(inner) if inner.trim_ascii_start().starts_with(b"(") => inner.to_vec(),
        _ => text.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_checker_parses_and_has_a_format() {
        assert_eq!(CheckerProfile::names(), ["carcara", "ethos"]);
        for text in EMBEDDED {
            let profile: CheckerProfile = toml::from_str(text).unwrap();
            assert!(!profile.format.is_empty() && !profile.valid.is_empty());
        }
    }

    #[test]
    fn only_the_words_of_a_checker_make_a_proof_invalid() {
        let carcara = CheckerProfile::named("carcara").unwrap();
        let invalid = "[ERROR] checking failed on step 't3' with rule 'cong': expected 2 premises\ninvalid\n";
        assert!(matches!(carcara.read(invalid), ProofVerdict::Invalid(said) if said.contains("step 't3'")));
        assert_eq!(carcara.read("valid\n"), ProofVerdict::Valid);
        assert_eq!(carcara.read("holey\n"), ProofVerdict::Incomplete);
        let confused = carcara.read("[ERROR] parser error: identifier 'x' is not defined\n");
        assert!(matches!(confused, ProofVerdict::Undecided(_)), "{confused:?}");
        assert!(matches!(carcara.read(""), ProofVerdict::Undecided(_)));
        let ethos = CheckerProfile::named("ethos").unwrap();
        assert_eq!(ethos.read("correct\n"), ProofVerdict::Valid);
        assert!(matches!(ethos.read("Error: p.eo:3.4: Unexpected conclusion"), ProofVerdict::Invalid(_)));
    }

    #[test]
    fn a_proof_in_one_list_is_given_as_its_commands() {
        assert_eq!(unwrapped(b"(\n(assume a b)\n(step t)\n)\n"), b"\n(assume a b)\n(step t)\n");
        assert_eq!(unwrapped(b"(proof x)"), b"(proof x)");
    }
}
