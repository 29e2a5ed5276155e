//! Recorded output of real solvers, and how falsum must classify it. One file per case in `tests/golden`.

#![allow(clippy::unwrap_used, reason = "a test")]

use run::{Captured, Containment, Exit, Leak, Outcome, Why};
use solver::{Ended, Profile, session::read_run};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

#[test]
fn recorded_outputs_are_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let case = Case::parse(&std::fs::read_to_string(&path).unwrap());
        let (answers, ended) = case.read();
        if (answers.as_str(), ended.as_str()) != (case.field("answers"), case.field("ended")) {
            wrong.push(format!("{name}: answers {answers}, ended {ended}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "the golden files are gone");
}

/// A golden file: fields, then sections.
struct Case {
    fields: HashMap<String, String>,
    sections: HashMap<String, String>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let (mut fields, mut sections) = (HashMap::new(), HashMap::<String, String>::new());
        let mut section = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("--- ") {
                section = Some(name.to_owned());
            } else if let Some(name) = section.as_ref().filter(|s| *s != "expect") {
                let body = sections.entry(name.clone()).or_default();
                body.push_str(line);
                body.push('\n');
            } else if let Some((name, value)) = line.split_once(": ") {
                fields.insert(name.to_owned(), value.to_owned());
            }
        }
        Case { fields, sections }
    }

    fn field(&self, name: &str) -> &str {
        self.fields.get(name).unwrap_or_else(|| panic!("the field {name} is missing"))
    }

    fn bytes(&self, section: &str) -> Captured {
        let head = self.sections.get(section).cloned().unwrap_or_default().into_bytes();
        Captured { total: head.len() as u64, head, tail: vec![] }
    }

    fn read(&self) -> (String, String) {
        let (kind, number) = self.field("exit").split_once(' ').unwrap();
        let number = number.parse().unwrap();
        let exit = if kind == "signal" { Exit::Signal(number) } else { Exit::Code(number) };
        let outcome = Outcome {
            why: Why::ByItself,
            exit,
            wrapper_signal: exit.wrapper_signal(),
            stdout: self.bytes("stdout"),
            stderr: self.bytes("stderr"),
            wall: Duration::ZERO,
            paused: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory: 0,
            leak: Leak::default(),
            containment: Containment::Subreaper,
        };
        let script = self.bytes("script").head;
        let reply = read_run(&Profile::named(self.field("solver")), &script, &outcome);
        let answers: Vec<_> = reply.checks.iter().map(|c| c.answer.map_or("-", |a| a.word())).collect();
        let ended = match &reply.ended {
            Ended::Crash { signal: Some(n), .. } => format!("crash {n}"),
            other => other.word().to_owned(),
        };
        (answers.join(" "), ended)
    }
}
