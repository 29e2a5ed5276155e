//! Asks a solver for the truth of many ground formulas in one process.

use smtlib::theory::Row;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub struct Solver {
    pub name: &'static str,
    program: std::path::PathBuf,
    args: &'static [&'static str],
    head: &'static str,
}

#[derive(Debug)]
pub enum Answer {
    True,
    False,
    Other,
    Error(String),
}

impl Solver {
    /// The newest z3 and cvc5 under a home folder.
    pub fn all(home: &Path) -> Vec<Solver> {
        let newest = |name: &str| {
            let mut found: Vec<_> = std::fs::read_dir(home.join("releases"))
                .into_iter()
                .flatten()
                .flatten()
                .filter_map(|entry| {
                    let folder = entry.file_name().into_string().ok()?;
                    let version = folder.strip_prefix(name)?.strip_prefix('-')?;
                    let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
                    Some((parts, entry.path().join(name)))
                })
                .collect();
            found.sort();
            found.pop().map(|(_, path)| path)
        };
        let mut all = vec![];
        if let Some(program) = newest("z3") {
            all.push(Solver { name: "z3", program, args: &["-in", "-T:120"], head: "" });
        }
        if let Some(program) = newest("cvc5") {
            let args = &[
                "--produce-models",
                "--interactive",
                "--strings-exp",
                "--fp-exp",
                "--arrays-exp",
                "--sets-exp",
            ];
            all.push(Solver { name: "cvc5", program, args, head: "(set-logic HO_ALL)\n" });
        }
        all
    }

    pub fn is_z3(&self) -> bool {
        self.name == "z3"
    }

    pub fn takes(&self, row: &Row) -> bool {
        row.by.as_ref().is_none_or(|by| by.contains(&self.name))
    }

    fn query(&self, term: &str) -> String {
        if self.is_z3() { format!("(eval {term})") } else { format!("(get-value ({term}))") }
    }

    /// The answers to many queries, as text.
    fn ask(&self, terms: &[String]) -> Vec<String> {
        let mut input = format!("{}(check-sat)\n", self.head);
        for (n, term) in terms.iter().enumerate() {
            input.push_str(&format!("(echo \"#{n}#\")\n{}\n", self.query(term)));
        }
        input.push_str(&format!("(echo \"#{}#\")\n(exit)\n", terms.len()));
        let text = self.run(input);
        let mut rest = text.as_str();
        let mut answers = vec![];
        for n in 0..terms.len() {
            let (from, to) = (format!("#{n}#"), format!("#{}#", n + 1));
            let Some(start) = rest.find(&from) else { break };
            rest = &rest[start + from.len()..];
            let end = rest.find(&to).unwrap_or(rest.len());
            answers.push(rest[..end].trim_matches(|c: char| c.is_whitespace() || c == '"').to_owned());
        }
        answers
    }

    /// What the solver prints for an input.
    fn run(&self, input: String) -> String {
        let mut child = Command::new(&self.program)
            .args(self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().unwrap();
        let _ = writer.join();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn truths(&self, formulas: &[String]) -> Vec<Answer> {
        let mut answers: Vec<Answer> = self.ask(formulas).iter().map(|text| self.read(text)).collect();
        // A solver that died at one formula is asked again from the next one on.
        while answers.len() < formulas.len() {
            answers.push(Answer::Error("the solver ended here".to_owned()));
            let more = self.ask(&formulas[answers.len()..]);
            answers.extend(more.iter().map(|text| self.read(text)));
        }
        answers
    }

    fn read(&self, text: &str) -> Answer {
        let text = text.trim_end_matches("cvc5>").trim();
        if text.contains("(error") {
            return Answer::Error(text.to_owned());
        }
        match (text, text.rsplit(' ').next()) {
            ("true", _) | (_, Some("true))")) => Answer::True,
            ("false", _) | (_, Some("false))")) => Answer::False,
            _ => Answer::Other,
        }
    }

    /// Whether the solver finds that a formula cannot hold.
    pub fn refutes(&self, formula: &str) -> bool {
        let input = format!("{}(assert {formula})\n(check-sat)\n(exit)\n", self.head);
        self.run(input).contains("unsat")
    }

    /// What the solver thinks a term is.
    pub fn value(&self, term: &str) -> String {
        self.ask(&[term.to_owned()]).pop().unwrap_or_default()
    }
}
