//! Stages whose sorts are nested into each other at random.
//!
//! In: nothing. Out: stages in the format of `stages.txt`, named `nested-1` and so on. Each has two structured sorts of
//! arrays, sequences, a datatype, sets, bags, fields, rounding modes and tiny floats inside each other, a constant of every
//! sort that occurs in them, and a function. Which sorts a stage has is a function of its name alone, so that a case can be
//! made again. A third of the stages is for z3 alone (with its finite sets), a third for cvc5 alone (with sets, bags and
//! fields), and a third for both.

use crate::{CampaignKey, Rng};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// What the names of these stages begin with; as a part it means all of them.
pub const NAME: &str = "nested";
/// How many such stages there are.
const COUNT: u64 = 24;
/// How deep sorts are nested.
const DEPTH: usize = 3;
/// A stage with more sorts is drawn again: its formulas would speak of too many things.
const SORTS: usize = 7;
/// How often a stage is drawn before it may have that many.
const DRAWN: usize = 50;

/// The stages as a text, made once.
pub fn stages() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| (1..=COUNT).map(stage).collect())
}

/// The solvers of a stage, with the sorts that only they have.
#[derive(Clone, Copy)]
struct By {
    solvers: &'static str,
    leaves: &'static [&'static str],
    /// Sorts of one argument.
    unary: &'static [&'static str],
}

const COMMON: &[&str] = &["Bool", "Int", "Real", "String", "RoundingMode", "(_ BitVec 2)"];
const BY: [By; 3] = [
    By { solvers: "z3 cvc5", leaves: &[], unary: &["Seq"] },
    By { solvers: "z3", leaves: &["(_ FloatingPoint 2 3)"], unary: &["Seq", "FiniteSet"] },
    By { solvers: "cvc5", leaves: &["(_ FiniteField 3)"], unary: &["Seq", "Set", "Bag"] },
];

/// The sorts of a stage, each after those it is made of.
#[derive(Default)]
struct Sorts {
    all: Vec<String>,
    /// The fields of the datatype `Box`, if it is used.
    fields: Vec<String>,
    /// Its fields are being drawn. They do not contain the datatype itself: solvers refuse recursion through other sorts.
    is_in_datatype: bool,
}

impl Sorts {
    fn add(&mut self, sort: String) -> String {
        if !self.all.contains(&sort) {
            self.all.push(sort.clone());
        }
        sort
    }

    /// A random sort, with all its parts.
    fn draw(&mut self, by: By, depth: usize, rng: &mut Rng) -> String {
        let sort = match rng.below(8) {
            _ if depth == 0 => leaf(by, rng),
            0 | 1 if depth < DEPTH => leaf(by, rng),
            0..4 => {
                let (index, element) = (self.draw(by, depth - 1, rng), self.draw(by, depth - 1, rng));
                format!("(Array {index} {element})")
            }
            4 if !self.is_in_datatype => self.datatype(by, depth, rng),
            _ => {
                let element = self.draw(by, depth - 1, rng);
                format!("({} {element})", by.unary[rng.below(by.unary.len())])
            }
        };
        self.add(sort)
    }

    /// The datatype of the stage; its fields are drawn when it is first needed.
    fn datatype(&mut self, by: By, depth: usize, rng: &mut Rng) -> String {
        if self.fields.is_empty() {
            self.is_in_datatype = true;
            self.fields = (0..1 + rng.below(2)).map(|_| self.draw(by, depth - 1, rng)).collect();
            self.is_in_datatype = false;
        }
        "Box".to_owned()
    }
}

fn leaf(by: By, rng: &mut Rng) -> String {
    let count = COMMON.len() + by.leaves.len();
    let leaves = COMMON.iter().chain(by.leaves);
    leaves.cycle().nth(rng.below(count)).copied().unwrap_or("Bool").to_owned()
}

/// One stage, with its heading.
fn stage(number: u64) -> String {
    let by = BY[number as usize % BY.len()];
    let mut rng = Rng::of(&CampaignKey(NAME.to_owned()), "stages", number);
    let mut drawn = None;
    for _ in 0..DRAWN {
        let mut sorts = Sorts::default();
        let main = [DEPTH, DEPTH - 1].map(|depth| sorts.draw(by, depth, &mut rng));
        let fits = sorts.all.len() <= SORTS;
        drawn = Some((sorts, main));
        if fits {
            break;
        }
    }
    let (sorts, main) = drawn.unwrap_or_default();
    format!("\n; stage {NAME}-{number} by {}\n{}", by.solvers, script(&sorts, &main))
}

/// The declarations: a constant of every sort, one more of the two main ones, and a function between them.
fn script(sorts: &Sorts, main: &[String; 2]) -> String {
    let mut text = "(set-logic ALL)\n".to_owned();
    if !sorts.fields.is_empty() {
        let fields = sorts.fields.iter().enumerate();
        let fields: Vec<String> = fields.map(|(n, sort)| format!("(part{n} {sort})")).collect();
        let _ = writeln!(text, "(declare-datatypes ((Box 0)) (((empty) (box {}))))", fields.join(" "));
    }
    for (name, sort) in ('a'..='e').chain('g'..='z').zip(sorts.all.iter().chain(main)) {
        let _ = writeln!(text, "(declare-const {name} {sort})");
        if sort.starts_with("(Set ") {
            // It is the sort of cvc5 if an operator of cvc5 says so.
            let _ = writeln!(text, "(assert (set.subset {name} {name}))");
        }
    }
    let [first, second] = main;
    let _ = writeln!(text, "(declare-fun f ({second}) {first})");
    text
}

#[cfg(test)]
mod tests {
    use super::super::{headings, stage::Stage};
    use super::*;

    #[test]
    fn every_stage_can_be_read_and_has_values_of_all_its_sorts() {
        let all = headings(stages());
        assert_eq!(all.len() as u64, COUNT);
        for heading in all {
            let stage = Stage::read(heading.name, heading.solvers, heading.script);
            let stage = stage.unwrap_or_else(|| panic!("{}", heading.script));
            for constant in &stage.constants {
                let values = stage.literals(constant.result).len();
                assert!(values >= 2, "{}: {values} values in\n{}", constant.name, heading.script);
            }
        }
    }
}
