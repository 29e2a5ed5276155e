//! Asks a solver for the truth of many ground formulas in one process.
//!
//! Formulas are sent in groups, each group as one conjunction: if that is true, so is each of its members, and only the
//! members of other groups are sent one by one. Every process has a limit on processor time; the query at which one was
//! ended, or died, counts as not answered, and another process continues with the next.

use crate::installed::program;
use crate::make::PRELUDE;
use run::{Input, Limits, Why};
use smtlib::theory::Row;
use std::time::Duration;

pub struct Solver {
    pub name: &'static str,
    program: run::Spec,
    head: &'static str,
    /// Limits the time for one check.
    patience: &'static str,
}

#[derive(Clone, Debug)]
pub enum Answer {
    True,
    False,
    /// Neither: the solver leaves it open.
    Other,
    /// It took too long.
    Slow,
    Error(String),
}

/// Formulas per conjunction.
const GROUP: usize = 20;
/// Questions per process: cvc5 grows with every one.
const BATCH: usize = 2_000;

/// How many proofs may be cut off before the rest is skipped: such rows are too hard for the solver.
const MOST_SLOW: usize = 2;

impl Solver {
    /// The newest z3 and cvc5.
    pub fn all() -> Vec<Solver> {
        let limits = Limits {
            wall: Some(Duration::from_secs(600)),
            cpu: Some(Duration::from_secs(8)),
            memory: Some(3 << 30),
            output: 1 << 30,
            head: 256 << 20,
            ..Limits::default()
        };
        let cvc5 = [
            "--produce-models",
            "--incremental",
            "--strings-exp",
            "--fp-exp",
            "--arrays-exp",
            "--sets-exp",
            "--tlimit-per=1000",
        ];
        let z3 = program("z3@5.4.0", &["-in"]).limits(limits.clone());
        let cvc5 = program("cvc5@1.4.2", &cvc5).limits(limits);
        vec![
            Solver { name: "z3", program: z3, head: "", patience: "(set-option :timeout 300)\n" },
            Solver { name: "cvc5", program: cvc5, head: "(set-logic HO_ALL)\n", patience: "" },
        ]
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

    /// The answers to the first queries, as text: all of them unless the process ended before. And whether it was
    /// cut off by a limit.
    fn ask(&self, terms: &[String]) -> (Vec<String>, bool) {
        let mut input = format!("{}{PRELUDE}(check-sat)\n", self.head);
        for (n, term) in terms.iter().enumerate() {
            input.push_str(&format!("(echo \"#{n}#\")\n{}\n", self.query(term)));
        }
        input.push_str(&format!("(echo \"#{}#\")\n(exit)\n", terms.len()));
        let (text, cut) = self.run(&input);
        let mut rest = text.as_str();
        let mut answers = vec![];
        for n in 0..terms.len() {
            let (from, to) = (format!("#{n}#"), format!("#{}#", n + 1));
            let Some(start) = rest.find(&from) else { break };
            let answer = &rest[start + from.len()..];
            let Some(end) = answer.find(&to) else { break };
            answers.push(answer[..end].trim_matches(|c: char| c.is_whitespace() || c == '"').to_owned());
            rest = &answer[end..];
        }
        (answers, cut)
    }

    /// What the solver prints for an input, and whether a limit ended it.
    fn run(&self, input: &str) -> (String, bool) {
        let outcome = run::once(&self.program, Input::Bytes(input.as_bytes()))
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        assert!(!outcome.stdout.is_cut(), "{} printed more than is kept", self.name);
        (outcome.stdout.text(), outcome.why != Why::ByItself)
    }

    pub fn truths(&self, formulas: &[String]) -> Vec<Answer> {
        let groups: Vec<String> =
            formulas.chunks(GROUP).map(|group| format!("(and true {})", group.join(" "))).collect();
        let mut answers = self.each(&groups);
        let mut single = vec![];
        for (group, answer) in formulas.chunks(GROUP).zip(&answers) {
            if !matches!(answer, Answer::True) {
                single.extend_from_slice(group);
            }
        }
        let mut single = self.each(&single).into_iter();
        let mut all = vec![];
        for (group, answer) in formulas.chunks(GROUP).zip(answers.drain(..)) {
            let one = |_| match answer {
                Answer::True => Answer::True,
                _ => single.next().unwrap_or(Answer::Slow),
            };
            all.extend(group.iter().map(one));
        }
        all
    }

    /// The answer to each formula, however many processes that takes.
    fn each(&self, formulas: &[String]) -> Vec<Answer> {
        let mut answers: Vec<Answer> = vec![];
        while answers.len() < formulas.len() {
            let rest = &formulas[answers.len()..];
            let batch = &rest[..rest.len().min(BATCH)];
            let (texts, cut) = self.ask(batch);
            answers.extend(texts.iter().map(|text| truth(text, self.is_z3())));
            if texts.len() < batch.len() {
                let ended = Answer::Error("the solver ended here".to_owned());
                answers.push(if cut { Answer::Slow } else { ended });
            }
        }
        answers
    }

    /// For formulas that evaluation left open: whether solving proves them, within a short limit for each.
    pub fn proves(&self, formulas: &[String]) -> Vec<Answer> {
        let mut answers = vec![];
        let mut slow = 0;
        while answers.len() < formulas.len() {
            if slow == MOST_SLOW {
                answers.resize(formulas.len(), Answer::Other);
                break;
            }
            let rest = &formulas[answers.len()..];
            let batch = &rest[..rest.len().min(BATCH)];
            let mut input = format!("{}{}{PRELUDE}", self.head, self.patience);
            for formula in batch {
                input.push_str(&format!("(push 1)(assert (not {formula}))(check-sat)(pop 1)\n"));
            }
            let (text, cut) = self.run(&input);
            let before = answers.len();
            for line in text.lines().take(batch.len()) {
                answers.push(match line {
                    "unsat" => Answer::True,
                    "sat" | "unknown" => Answer::Other,
                    _ => Answer::Error(line.to_owned()),
                });
            }
            if answers.len() - before < batch.len() {
                let ended = Answer::Error("the solver ended here".to_owned());
                answers.push(if cut { Answer::Slow } else { ended });
                slow += usize::from(cut);
            }
        }
        answers
    }

    /// Whether the solver finds that a formula cannot hold.
    pub fn refutes(&self, formula: &str) -> bool {
        let head = format!("{}{}{PRELUDE}", self.head, self.patience);
        let input = format!("{head}(assert {formula})\n(check-sat)\n(exit)\n");
        self.run(&input).0.lines().any(|line| line == "unsat")
    }

    /// The solver's value of a term.
    pub fn value(&self, term: &str) -> String {
        self.ask(&[term.to_owned()]).0.pop().unwrap_or_default()
    }
}

/// z3 prints the value alone, cvc5 `((FORMULA VALUE))`. An unevaluated term may also end in `true`.
fn truth(text: &str, alone: bool) -> Answer {
    if text.contains("(error") {
        return Answer::Error(text.to_owned());
    }
    let value = match text.strip_suffix("))") {
        // Two parentheses after the value mean that it is an atom.
        Some(pair) if !alone => pair.rsplit(' ').next().unwrap_or(""),
        _ => text,
    };
    match value {
        "true" => Answer::True,
        "false" => Answer::False,
        _ => Answer::Other,
    }
}

#[test]
fn a_formula_that_ends_in_a_truth_value_is_not_a_truth_value() {
    assert!(matches!(truth("true", true), Answer::True));
    assert!(matches!(truth("(= a (store b 1 false))", true), Answer::Other));
    assert!(matches!(truth("(((= 1 2) false))", false), Answer::False));
    assert!(matches!(truth("(((= a b) (= a (f true))))", false), Answer::Other));
}
