//! What a person sees who runs the printed command: the file, the command, and its output.
//!
//! Findings are established in sessions, with options that falsum sets and models that it requests. A report must not
//! show any of that as if it were the output of a plain command. So the command of a report is run here as it is printed
//! (`solver::session::Printed`), in the plainest of the ways that show the symptom, and the report shows what came back.
//! If no way shows it, the record says so, and no draft is written.
//!
//! A campaign folder may come from a stranger, who can write any command and any output into such a record. So a record carries
//! a mark: a hash of it and its formula under a key of this user's own ([`mark_with`]). A record without it is not read; the
//! command is run again, or there is no draft.

use crate::symptom::{Sign, Symptom};
use oracle::notation;
use serde::{Deserialize, Serialize};
use smtlib::Parsed;
use solver::session::{Printed, Ran, build_of, installed_as};
use solver::{QueryLimits, Target};
use std::sync::OnceLock;

static KEY: OnceLock<fn() -> [u8; 32]> = OnceLock::new();

/// From now on records are marked with this key, and others are not believed. Without a key every record is.
pub fn mark_with(key: fn() -> [u8; 32]) {
    let _ = KEY.set(key);
}

/// Output is cut after this many bytes.
const MOST_OUTPUT: usize = 16 << 10;

/// The record beside a finding: a command, and what it printed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Demonstration {
    /// What shows that it was made here: in its file, and nowhere else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
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

    /// The file of the record, with its mark; `formula` is what was run.
    pub fn bytes(&self, formula: &[u8]) -> Vec<u8> {
        let open = Demonstration { mark: String::new(), ..self.clone() };
        let text = serde_json::to_string_pretty(&open).unwrap_or_default() + "\n";
        let Some(key) = KEY.get() else { return text.into_bytes() };
        text.replacen("{\n", &format!("{{\n{}", line(&mark(&key(), &text, formula))), 1).into_bytes()
    }

    /// Reads a record that was made here, about this formula.
    pub fn read(text: &[u8], formula: &[u8]) -> Option<Demonstration> {
        let found: Demonstration = serde_json::from_slice(text).ok()?;
        if let Some(key) = KEY.get() {
            let open = std::str::from_utf8(text).ok()?.replacen(&line(&found.mark), "", 1);
            (found.mark == mark(&key(), &open, formula)).then_some(())?;
        }
        Some(Demonstration { mark: String::new(), ..found })
    }
}

/// The line of a record with its mark.
fn line(mark: &str) -> String {
    format!("  \"mark\": \"{mark}\",\n")
}

/// The mark of a record and its formula.
fn mark(key: &[u8; 32], text: &str, formula: &[u8]) -> String {
    let mut hash = blake3::Hasher::new_keyed(key);
    hash.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes()).update(formula);
    hash.finalize().to_hex().to_string()
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
        mark: String::new(),
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
