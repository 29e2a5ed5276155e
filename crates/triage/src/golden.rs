//! Interestingness by a program: a run that must match a golden run, or a script that exits with 0.
//!
//! The command is run once on the input; a candidate is interesting if its run matches: the same exit code and the
//! same output, or the given text in the output. The name of the temporary file is not compared. If the output changes
//! with an empty line before the input, it has line numbers, which a reduction always changes: then numbers are not
//! compared either. The candidate's file is appended to the command, or replaces an
//! argument `{}` or `@@` (with a suffix, as in `@@.smt2`). No shell is involved.

use crate::reduce::Interesting;
use run::{Cancel, Input, Limits, Outcome, Spec, Why};
use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    #[error("the command is empty")]
    Empty,
    #[error("cannot run {command}: {error}")]
    Run { command: String, error: String },
    #[error("the golden run was ended by {0:?}")]
    Limit(Why),
    #[error("the golden run does not contain the text to match")]
    NoMatch,
    #[error("the script does not accept the input (it did not exit with 0)")]
    Refused,
}

/// How runs are compared.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// Text that standard output must contain.
    pub out: Option<String>,
    /// Text that standard error must contain.
    pub err: Option<String>,
    /// Compare exit codes only.
    pub ignore_output: bool,
}

/// A check by running a command.
pub struct Golden {
    command: Vec<OsString>,
    limits: Limits,
    matching: Matching,
    /// `None`: exit code 0 means interesting.
    golden: Option<Seen>,
    /// Whether numbers in the output are not compared.
    numbers_vary: bool,
    cancel: Option<Cancel>,
}

/// A run, with its output without the name of the temporary file.
struct Ran {
    outcome: Outcome,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

struct Seen {
    exit: run::Exit,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Golden {
    /// Runs the command on the input and stores its result.
    pub fn of_command(
        command: Vec<OsString>,
        input: &[u8],
        matching: Matching,
        limits: Limits,
        cancel: Option<Cancel>,
    ) -> Result<Golden, GoldenError> {
        if command.is_empty() {
            return Err(GoldenError::Empty);
        }
        let mut golden = Golden { command, limits, matching, golden: None, numbers_vary: false, cancel };
        let Ran { outcome, stdout, stderr } = golden.run(input)?;
        if outcome.why != Why::ByItself {
            return Err(GoldenError::Limit(outcome.why));
        }
        // Enough time for a run that behaves alike.
        golden.limits.wall = Some((outcome.wall + Duration::from_secs(1)).mul_f64(1.5));
        golden.golden = Some(Seen { exit: outcome.exit, stdout: stdout.clone(), stderr: stderr.clone() });
        let first = Ran { outcome, stdout, stderr };
        if !golden.matches(&first) {
            return Err(GoldenError::NoMatch);
        }
        let shifted = golden.run(&[b"\n", input].concat())?;
        if !golden.matches(&shifted) {
            golden.numbers_vary = true;
            golden.numbers_vary = golden.matches(&shifted);
        }
        Ok(golden)
    }

    /// Whether numbers in the output are not compared, because they depend on the position in the file.
    pub fn ignores_numbers(&self) -> bool {
        self.numbers_vary
    }

    /// A program that exits with 0 for interesting files.
    pub fn of_script(script: OsString, limits: Limits, cancel: Option<Cancel>) -> Golden {
        Golden {
            command: vec![script],
            limits,
            matching: Matching::default(),
            golden: None,
            numbers_vary: false,
            cancel,
        }
    }

    /// Why a file is not interesting.
    pub fn refusal(&self, text: &[u8]) -> GoldenError {
        self.run(text).err().unwrap_or(GoldenError::Refused)
    }

    fn matches(&self, Ran { outcome, stdout: out, stderr: err }: &Ran) -> bool {
        let Some(golden) = &self.golden else {
            return outcome.why == Why::ByItself && outcome.exit.is_success();
        };
        if outcome.why != Why::ByItself || outcome.exit != golden.exit {
            return false;
        }
        if self.matching.ignore_output {
            return true;
        }
        let same = |now: &[u8], then: &[u8]| match self.numbers_vary {
            true => without_numbers(now) == without_numbers(then),
            false => now == then,
        };
        match (&self.matching.out, &self.matching.err) {
            (None, None) => same(out, &golden.stdout) && same(err, &golden.stderr),
            (wanted_out, wanted_err) => {
                wanted_out.as_ref().is_none_or(|text| contains(out, text.as_bytes()))
                    && wanted_err.as_ref().is_none_or(|text| contains(err, text.as_bytes()))
            }
        }
    }

    fn run(&self, text: &[u8]) -> Result<Ran, GoldenError> {
        let shown = || self.command[0].to_string_lossy().into_owned();
        let failed = |error: String| GoldenError::Run { command: shown(), error };
        let mut file = tempfile::Builder::new()
            .prefix("falsum-")
            .suffix(".smt2")
            .tempfile()
            .map_err(|error| failed(error.to_string()))?;
        // The command has no profile, so the rules for a solver without a profile apply.
        let permitted = solver::permit::permit(&solver::Profile::named("generic"), text);
        if let Some(why) = permitted.refused {
            return Err(failed(format!("the file is not passed to it: {why}")));
        }
        file.write_all(&permitted.script).map_err(|error| failed(error.to_string()))?;
        let path = file.path().as_os_str().to_owned();
        let (args, placed) = arguments(&self.command[1..], &path);
        let mut spec = Spec::new(&self.command[0]).args(args).limits(self.limits.clone());
        spec.cancel = self.cancel.clone();
        let input = if placed { Input::Nothing } else { Input::Argument(file.path()) };
        let outcome = run::once(&spec, input).map_err(|error| failed(error.to_string()))?;
        let name = path.to_string_lossy().into_owned();
        let unnamed = |bytes: &[u8]| match contains(bytes, name.as_bytes()) {
            true => String::from_utf8_lossy(bytes).replace(&name, "FILE").into_bytes(),
            false => bytes.to_vec(),
        };
        let (stdout, stderr) = (unnamed(&outcome.stdout.bytes()), unnamed(&outcome.stderr.bytes()));
        Ok(Ran { outcome, stdout, stderr })
    }
}

impl Interesting for Golden {
    fn holds(&self, text: &[u8]) -> bool {
        self.run(text).is_ok_and(|ran| self.matches(&ran))
    }
}

/// The arguments with the file's path inserted, and whether the command had a placeholder for it.
fn arguments(args: &[OsString], path: &OsString) -> (Vec<OsString>, bool) {
    let mut placed = false;
    let args = args
        .iter()
        .map(|arg| {
            let text = arg.to_string_lossy();
            if text == "{}" || text.starts_with("@@") {
                placed = true;
                path.clone()
            } else {
                arg.clone()
            }
        })
        .collect();
    (args, placed)
}

/// The output with `#` for each number.
fn without_numbers(text: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = vec![];
    for &byte in text {
        match byte {
            b'0'..=b'9' if out.last() == Some(&b'#') => {}
            b'0'..=b'9' => out.push(b'#'),
            byte => out.push(byte),
        }
    }
    out
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_golden_run_compares_everything_unless_a_text_to_match_is_given() {
        let make = |matching| {
            Golden::of_command(words("cat"), b"one two", matching, Limits::default(), None).unwrap()
        };
        let all = make(Matching::default());
        assert!(all.holds(b"one two") && !all.holds(b"one"));
        let part = make(Matching { out: Some("one".into()), ..Matching::default() });
        assert!(part.holds(b"xx one") && !part.holds(b"two"));
        let none = make(Matching { ignore_output: true, ..Matching::default() });
        assert!(none.holds(b"anything"));
    }

    #[test]
    fn line_numbers_and_the_name_of_the_file_are_not_compared() {
        let make = |command| {
            Golden::of_command(words(command), b"a\nxy\n", Matching::default(), Limits::default(), None)
                .unwrap()
        };
        let numbered = make("grep -n x");
        assert!(numbered.ignores_numbers() && numbered.holds(b"b\nb\nxy\n") && !numbered.holds(b"a\nxz\n"));
        let named = make("grep -H x");
        assert!(!named.ignores_numbers() && named.holds(b"xy\n") && !named.holds(b"x2\n"));
    }

    #[test]
    fn the_file_replaces_the_placeholder_of_the_command() {
        let golden = Golden::of_command(
            words("grep -q two @@.smt2"),
            b"two",
            Matching::default(),
            Limits::default(),
            None,
        );
        assert!(golden.is_ok_and(|golden| golden.holds(b"one two") && !golden.holds(b"one")));
    }

    #[test]
    fn an_input_that_the_program_rejects_is_an_error() {
        let never = Golden::of_script("false".into(), Limits::default(), None);
        assert!(!never.holds(b"") && matches!(never.refusal(b""), GoldenError::Refused));
    }
}
