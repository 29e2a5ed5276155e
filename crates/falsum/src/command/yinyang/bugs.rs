//! The `bugs/` folder as yinyang lays it out: `KIND-SOLVER-SEED-RANDOM.smt2` beside a `.output` file.
//!
//! In: a mutant, the solver that is wrong about it, and one that is not. Out: the path of the new file. The output file
//! is produced by running the user's own command lines once more on the file that is left in `bugs/`.

use super::Stop;
use solver::Target;
use std::path::{Path, PathBuf};
use std::time::Duration;
use strategy::Rng;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    Crash,
    Segfault,
    Incorrect,
    InvalidModel,
    /// Says unknown where the baseline decides.
    Regression,
    /// Says unknown to what one rule makes of a formula that it decides.
    Implication,
}

impl Trigger {
    fn word(self) -> &'static str {
        match self {
            Trigger::Crash => "crash",
            Trigger::Segfault => "segfault",
            Trigger::Incorrect => "incorrect",
            Trigger::InvalidModel => "invalid_model",
            Trigger::Regression => "regression-incompleteness",
            Trigger::Implication => "implication-incompleteness",
        }
    }

    pub fn is_incompleteness(self) -> bool {
        matches!(self, Trigger::Regression | Trigger::Implication)
    }

    /// The line that announces it.
    pub fn line(self, path: &Path) -> String {
        let path = smtlib::shown::path(path);
        match self {
            Trigger::Crash => format!("Detected crash bug: {path}"),
            Trigger::Segfault => format!("Detected segfault: {path}"),
            Trigger::Incorrect => format!("Detected soundness bug! {path}"),
            Trigger::InvalidModel => format!("Detected invalid model bug! {path}"),
            Trigger::Regression => format!("Detected regression incompleteness: {path}"),
            Trigger::Implication => format!("Detected implication incompleteness: {path}"),
        }
    }
}

/// One bug to write to the folder.
pub struct Bug<'a> {
    pub trigger: Trigger,
    pub mutant: &'a [u8],
    /// The formula before it, where the bug is about both.
    pub before: Option<&'a [u8]>,
    /// The seed's file name without its extension.
    pub seed: &'a str,
    pub culprit: &'a Target,
    /// A solver that answers differently.
    pub reference: Option<&'a Target>,
    /// Why the culprit is wrong, for people.
    pub why: &'a str,
}

impl Bug<'_> {
    /// Writes the mutant and the outputs; gives the path of the mutant.
    pub fn write(&self, folder: &Path, timeout: Duration, rng: &mut Rng) -> Result<PathBuf, Stop> {
        let stem = format!("{}-{}-{}", self.trigger.word(), file_stem(&self.culprit.name), escape(self.seed));
        let path = folder.join(format!("{stem}-{}.smt2", random_word(rng)));
        let failed = |_| Stop::disk("error: couldn't copy scratchfile to bugfolder.");
        std::fs::write(&path, self.mutant).map_err(failed)?;
        if let Some(before) = self.before {
            let beside = folder.join(format!("{stem}-{}-previous.smt2", random_word(rng)));
            std::fs::write(beside, before).map_err(failed)?;
        }
        let mut output = String::new();
        match self.reference {
            Some(reference) => {
                output += "*** REFERENCE \n";
                output += &printed(reference, &path, timeout);
                output += "\n\n*** INCORRECT \n";
                output += &printed(self.culprit, &path, timeout);
            }
            None => output += &printed(self.culprit, &path, timeout),
        }
        if !self.why.is_empty() {
            output += &format!("\n\n*** EVIDENCE \n{}\n", self.why);
        }
        std::fs::write(folder.join(format!("{stem}-{}.output", random_word(rng))), output).map_err(failed)?;
        Ok(path)
    }
}

/// Runs a command line on a file and shows what it printed.
fn printed(target: &Target, file: &Path, timeout: Duration) -> String {
    let mut words = target.command.iter();
    let program = words.next().cloned().unwrap_or_default();
    let limits = run::Limits { wall: Some(timeout), ..run::Limits::default() };
    let spec = run::Spec::new(program).args(words).args(&target.args).limits(limits);
    let spec = solver::confine::confined(spec);
    let (stdout, stderr) = match send(target, &spec, file) {
        Ok(outcome) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (text(&outcome.stdout.bytes()), text(&outcome.stderr.bytes()))
        }
        Err(error) => (String::new(), format!("{error}\n")),
    };
    format!("command: {}\nstderr:\n{stderr}stdout:\n{stdout}", target.name)
}

/// Runs a solver on the part of a file that may be sent to it.
fn send(target: &Target, spec: &run::Spec, file: &Path) -> Result<run::Outcome, String> {
    let script = std::fs::read(file).map_err(|error| error.to_string())?;
    let permitted = solver::permit::permit(&target.profile, &script);
    if let Some(why) = permitted.refused {
        return Err(format!("not sent to the solver: {why}"));
    }
    let reduced = if permitted.left_out.is_empty() {
        None
    } else {
        Some(solver::Scratch::write(&permitted.script).map_err(|error| error.to_string())?)
    };
    let path = reduced.as_ref().map_or(file, solver::Scratch::path);
    run::once(spec, run::Input::Argument(path)).map_err(|error| error.to_string())
}

/// A command line as part of a file name: each word without its folder, all joined.
fn file_stem(cli: &str) -> String {
    escape(&cli.split(' ').map(|word| word.rsplit('/').next().unwrap_or(word)).collect::<String>())
}

pub fn escape(text: &str) -> String {
    text.replace(['.', '=', '/'], "")
}

/// Five letters and digits.
pub fn random_word(rng: &mut Rng) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    (0..5).map(|_| char::from(SIGNS[rng.below(SIGNS.len())])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_made_as_yinyang_makes_them() {
        assert_eq!(file_stem("./cvc4-1.7-x86_64-linux-opt -q"), "cvc4-17-x86_64-linux-opt-q");
        assert_eq!(file_stem("bin/z3 model_validate=true"), "z3model_validatetrue");
        assert_eq!(escape("seed.a=b"), "seedab");
    }
}
