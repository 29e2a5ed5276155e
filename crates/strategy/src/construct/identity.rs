//! Formulas that deny a law which holds for all values.
//!
//! In: the laws of `identities.txt`, each with the sorts of its terms. Out: formulas that assert the negation of a law
//! over grown terms, next to assertions that the chosen model satisfies. Such a formula is unsatisfiable because of
//! the negated law alone; all other assertions can be satisfied together. So every unsat core contains the negated
//! law, and the smallest core consists of it alone.

use super::claim;
use super::grow::Grove;
use super::stage::Stage;
use super::world::World;
use crate::mutant::places::solvers;
use crate::{Draft, Expect, Expected, Ground, Rng};
use semantics::eval::Evaluator;
use smtlib::SortId;

/// The laws as they are embedded.
pub const LAWS: &str = include_str!("identities.txt");

/// Number of attempts to grow a term, per formula.
const ATTEMPTS: usize = 8;
/// The datatypes that occur in laws.
const DATATYPES: &str = "(declare-datatypes ((List 0) (Color 0)) \
     (((nil) (cons (head Int) (tail List))) ((red) (green) (blue))))";

/// A law over given sorts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    pub solvers: u8,
    pub logic: String,
    pub sorts: Vec<String>,
    pub text: String,
}

/// Replacements for the words in capitals. Each list is one choice for all of them.
const WORDS: &[&[(&str, &str)]] = &[
    &[
        ("N", "2"),
        ("N-1", "1"),
        ("bvN", "bv2"),
        ("POW", "4"),
        ("E", "2"),
        ("S", "3"),
        ("A", "Int"),
        ("B", "Int"),
    ],
    &[
        ("N", "3"),
        ("N-1", "2"),
        ("bvN", "bv3"),
        ("POW", "8"),
        ("E", "3"),
        ("S", "3"),
        ("A", "Bool"),
        ("B", "Bool"),
    ],
    &[
        ("N", "4"),
        ("N-1", "3"),
        ("bvN", "bv4"),
        ("POW", "16"),
        ("E", "5"),
        ("S", "11"),
        ("A", "(_ BitVec 2)"),
        ("B", "(Array Bool Bool)"),
    ],
    &[
        ("N", "8"),
        ("N-1", "7"),
        ("bvN", "bv8"),
        ("POW", "256"),
        ("E", "8"),
        ("S", "24"),
        ("A", "RoundingMode"),
        ("B", "(_ BitVec 2)"),
    ],
    &[
        ("N", "32"),
        ("N-1", "31"),
        ("bvN", "bv32"),
        ("POW", "4294967296"),
        ("E", "11"),
        ("S", "53"),
        ("A", "String"),
        ("B", "Real"),
    ],
];

/// All laws of a text with all choices of sorts, each once.
pub fn laws(text: &str) -> Vec<Law> {
    let mut found: Vec<Law> = vec![];
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [by, logic, sorts, law] = parts[..] else { continue };
        let by: Vec<&str> = by.split_whitespace().collect();
        for words in WORDS {
            // cvc5 as we configure it does not support small formats.
            let usual = !sorts.contains("FloatingPoint")
                || words.contains(&("E", "8"))
                || words.contains(&("E", "11"));
            let solvers = if usual { solvers::of(Some(&by)) } else { solvers::Z3 };
            let sorts = split(&filled(sorts, words));
            let law = Law { solvers, logic: logic.to_owned(), sorts, text: filled(law, words) };
            if !found.contains(&law) {
                found.push(law);
            }
        }
    }
    found
}

/// The text with words replaced; a word ends at a space or a parenthesis.
fn filled(text: &str, words: &[(&str, &str)]) -> String {
    let is_end = |c: char| matches!(c, ' ' | '(' | ')');
    let replaced = |piece: &str| -> String {
        let word = piece.trim_end_matches(is_end);
        match words.iter().find(|(name, _)| *name == word) {
            Some((_, by)) => format!("{by}{}", &piece[word.len()..]),
            None => piece.to_owned(),
        }
    };
    text.split_inclusive(is_end).map(replaced).collect()
}

/// The S-expressions of a text.
fn split(text: &str) -> Vec<String> {
    let mut found: Vec<String> = vec![];
    let mut depth = 0;
    for word in text.split(' ') {
        match found.last_mut() {
            Some(last) if depth > 0 => {
                last.push(' ');
                last.push_str(word);
            }
            _ => found.push(word.to_owned()),
        }
        depth += word.matches('(').count();
        depth -= word.matches(')').count().min(depth);
    }
    found
}

/// A law together with the stage that its terms are grown from.
pub struct Ready {
    law: Law,
    sorts: Vec<SortId>,
    stage: Stage,
}

impl Ready {
    /// Two constants of each sort; `None` if the law cannot be read.
    pub fn new(law: &Law) -> Option<Ready> {
        let mut script = format!("(set-logic {})\n", law.logic);
        if law.sorts.iter().any(|sort| sort == "List" || sort == "Color") {
            script.push_str(DATATYPES);
            script.push('\n');
        }
        for (n, sort) in law.sorts.iter().enumerate() {
            script.push_str(&format!("(declare-const x{n} {sort})\n(declare-const y{n} {sort})\n"));
        }
        if law.sorts[0].starts_with("(Set ") {
            script.push_str("(assert (set.is_empty x0))\n");
        }
        let stage = Stage::read("law", law.solvers, &script)?;
        // The constants come in pairs, in the order of the law's sorts.
        let sorts = stage.constants.iter().step_by(2).map(|constant| constant.result).collect();
        Some(Ready { law: law.clone(), sorts, stage })
    }

    pub fn evaluator(&self) -> Evaluator<'_> {
        self.stage.evaluator()
    }

    /// A formula that denies the law. With `plain`, its terms are constants only.
    pub fn deny(&self, evaluator: &mut Evaluator<'_>, plain: bool, rng: &mut Rng) -> Draft {
        let mut grove = Grove::plant(&self.stage, rng);
        let attempts = if plain { 0 } else { ATTEMPTS };
        for n in 0..attempts {
            match self.sorts.get(n / 2) {
                Some(&sort) => grove.grow_sort(evaluator, sort, rng),
                None => grove.grow(evaluator, rng),
            };
        }
        let denial =
            if plain { self.denial(|n| grove.items[2 * n].text.as_slice()) } else { self.grown(&grove, rng) };
        let others = if plain { 0 } else { rng.below(3) };
        let mut asserted = claim::assert(&grove, others, rng).texts;
        let because = format!("`{}` holds for all values", self.law.text);
        let at = rng.below(asserted.len() + 1);
        asserted.insert(at, denial);
        write(&self.stage.preamble, &asserted, at, because)
    }

    /// Values for the constants, as an answer to `get-model`.
    pub fn some_model(&self, rng: &mut Rng) -> String {
        World::choose(&self.stage, rng).text(&self.stage)
    }

    /// Denies the law for grown terms.
    fn grown(&self, grove: &Grove<'_>, rng: &mut Rng) -> Vec<u8> {
        let picked: Vec<usize> =
            self.sorts.iter().enumerate().map(|(n, &sort)| grove.some(sort, rng).unwrap_or(2 * n)).collect();
        self.denial(|n| grove.items[picked[n]].text.as_slice())
    }

    /// Denies the law for these terms.
    fn denial<'g>(&self, term: impl Fn(usize) -> &'g [u8]) -> Vec<u8> {
        let mut text = self.law.text.clone();
        for n in 0..self.sorts.len() {
            text = text.replace(&format!("${}", n + 1), &String::from_utf8_lossy(term(n)));
        }
        format!("(not {text})").into_bytes()
    }
}

/// Writes the script, with named assertions where it has a core.
fn write(preamble: &str, asserted: &[Vec<u8>], denial: usize, because: String) -> Draft {
    let named = asserted.len() > 1;
    let mut script = preamble.as_bytes().to_vec();
    for (n, text) in asserted.iter().enumerate() {
        script.extend_from_slice(if named { b"(assert (! " } else { b"(assert " });
        script.extend_from_slice(text);
        if named {
            script.extend_from_slice(format!(" :named assertion{n})").as_bytes());
        }
        script.extend_from_slice(b")\n");
    }
    script.extend_from_slice(b"(check-sat)\n");
    let rule = format!("deny that {because}");
    let ground = match named {
        true => Ground::Core { names: vec![format!("assertion{denial}")], because },
        false => Ground::Argument(because),
    };
    let expect = Expect { answer: Expected::Unsat, ground };
    Draft::of(script).rules([rule]).expecting(vec![Some(expect)])
}
