//! What a person sees who runs the printed command: the file, the command, and its output.
//!
//! Findings are established in sessions, with options that falsum sets and models that it requests. A report must not
//! show any of that as if it were the output of a plain command. So the command of a report is run here as it is printed
//! (`solver::session::Printed`), in the plainest of the ways that show the symptom, and the report shows what came back.
//! If no way shows it, the record says so, and no draft is written.

use crate::symptom::{Sign, Symptom};
use oracle::notation;
use serde::{Deserialize, Serialize};
use smtlib::Parsed;
use solver::session::{Printed, Ran, build_of, installed_as};
use solver::{QueryLimits, Target};

/// Output is cut after this many bytes.
const MOST_OUTPUT: usize = 16 << 10;

/// The record beside a finding: a command, and what it printed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Demonstration {
    /// Whether the output shows the bug.
    pub shows: bool,
    /// The command line, run in the folder of its file.
    pub command: String,
    pub stdout: String,
    pub stderr: String,
    /// `exit code 0`, `signal 11`.
    pub exit: String,
    pub seconds: f64,
    /// The options of the command that are not falsum's own.
    pub options: Vec<String>,
    /// The package that the program came in; empty for a program of the user's own.
    #[serde(default)]
    pub package: String,
    /// Whether it is a library hosted by falsum, because the package has no program.
    #[serde(default)]
    pub hosted: bool,
    /// The operating system and the processor.
    #[serde(default)]
    pub system: String,
    /// What the program prints about its build.
    #[serde(default)]
    pub build: String,
    /// For a wrong model: the subterms of the false assertion and their values.
    #[serde(default)]
    pub subterms: Vec<(String, String)>,
}

impl Demonstration {
    /// Its file in the folder of a finding; the formula is beside it.
    pub const FILE: &'static str = "shown.json";
    /// The formula, with the options and requests that it needs.
    pub const FORMULA: &'static str = solver::session::FILE;

    pub fn bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }
}

/// Runs a script as it would be printed, until one way shows the symptom. Returns the file and the record; `None` if it
/// could not be run at all.
pub fn demonstrate(
    target: &Target,
    script: &Parsed,
    symptom: &Symptom,
    limits: &QueryLimits,
    cancel: Option<&run::Cancel>,
) -> Option<(Vec<u8>, Demonstration)> {
    let mut last = None;
    for way in Printed::ways(target, script.text(), symptom.wants(), symptom.check) {
        let ran = way.run(target, limits, cancel)?;
        let shows = symptom.shows(&ran.reply, script, target) == Some(true);
        last = Some((way, ran, shows));
        if shows {
            break;
        }
    }
    let (way, ran, shows) = last?;
    let record = record(target, script, symptom, &way, &ran, shows);
    Some((way.file, record))
}

fn record(
    target: &Target,
    script: &Parsed,
    symptom: &Symptom,
    way: &Printed,
    ran: &Ran,
    shows: bool,
) -> Demonstration {
    let (package, hosted) = installed_as(target).unwrap_or_default();
    let model = ran.reply.checks.get(symptom.check).and_then(|said| said.model.as_deref());
    let subterms = match (&symptom.sign, model) {
        (Sign::ModelFails, Some(model)) => {
            oracle::subterms(&mut script.to_script(), symptom.check, model, notation(target))
        }
        _ => vec![],
    };
    Demonstration {
        shows,
        command: way.line.clone(),
        stdout: cut(&ran.stdout),
        stderr: cut(&ran.stderr),
        exit: match ran.exit {
            run::Exit::Code(code) => format!("exit code {code}"),
            run::Exit::Signal(signal) => format!("signal {signal}"),
            run::Exit::Unknown => "an unknown exit code".to_owned(),
        },
        seconds: ran.reply.wall.as_secs_f64(),
        options: target.args.clone(),
        package,
        hosted,
        system: system(),
        build: if shows { build_of(target) } else { String::new() },
        subterms,
    }
}

/// `Debian GNU/Linux 12 (bookworm), linux x86_64`.
fn system() -> String {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or_default();
    let machine = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    match name.trim_matches('"') {
        "" => machine,
        name => format!("{name}, {machine}"),
    }
}

fn cut(bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_OUTPUT)]).into_owned();
    match bytes.len().checked_sub(MOST_OUTPUT) {
        None | Some(0) => head,
        Some(more) => format!("{head}\n… {more} more bytes\n"),
    }
}
