//! `shapes`: string formulas of chosen shapes, from nothing.
//!
//! Idea. String solvers have a weak point per shape: long concatenations, many lengths, a variable that overlaps itself,
//! deep regular expressions. Each generator makes one shape, larger and smaller at random.
//! From: Blotsky, Mora, Berzish, Zheng, Kabir, Ganesh, "StringFuzz: A Fuzzer for String Solvers" (CAV 2018): its
//! generators concats, lengths, overlaps, equality, regex, random-text and random-ast (`--part`).
//! Expectation: none (any answer may be right), so verdicts rest on models, references and certificates.
//! Cost: a few microseconds. Needs no seed.
//! Differs from StringFuzz: random text stands in string literals, quoted names and comments, where a script may have
//! any text, because a script that is no script tests nothing behind the parser; random trees are well-typed.
//! `--notation 2.5` writes the names that operators had before SMT-LIB 2.6; `--depth` bounds the depth of terms.

use crate::notation;
use crate::{Bank, Draft, Plain, Propose, Rng, Settings, Skip, Strategy};
use std::fmt::Write;

pub const STRATEGY: Strategy = Strategy {
    name: "shapes",
    about: "string formulas of chosen shapes: concatenations, lengths, overlaps, regular expressions",
    source: include_str!("shapes.rs"),
    begin: |_: &Bank, settings| Ok(Box::new(Plain(Shapes::of(settings)?))),
};

type Shape = fn(&mut Maker<'_>);

/// The generators by name.
const SHAPES: [(&str, Shape); 7] = [
    ("concats", concats),
    ("lengths", lengths),
    ("overlaps", overlaps),
    ("equality", equality),
    ("regex", regex),
    ("random-text", random_text),
    ("random-ast", random_ast),
];

struct Shapes {
    shapes: Vec<(&'static str, Shape)>,
    depth: usize,
    old: bool,
}

impl Shapes {
    fn of(settings: &Settings) -> Result<Shapes, Skip> {
        let wanted: Vec<&str> = settings.part.iter().flat_map(|part| part.split(',')).collect();
        let known: Vec<_> = SHAPES.into_iter().filter(|(name, _)| wanted.contains(name)).collect();
        // The flag may name parts of other strategies.
        let shapes = if known.is_empty() { SHAPES.to_vec() } else { known };
        let depth = settings.depth.map_or(4, |depth| depth as usize);
        Ok(Shapes { shapes, depth, old: settings.notation.as_deref() == Some(notation::OLD) })
    }
}

impl Propose for Shapes {
    fn propose(&self, _: u64, rng: &mut Rng) -> Result<Vec<Draft>, Skip> {
        let (name, shape) = self.shapes[rng.below(self.shapes.len())];
        let depth = 1 + rng.below(self.depth.max(1));
        let mut maker = Maker { rng, depth, variables: 0, out: String::new() };
        shape(&mut maker);
        let script = maker.script().into_bytes();
        let script = if self.old { notation::old(&script) } else { script };
        Ok(vec![Draft::of(script).rules([name.to_owned()])])
    }
}

/// Writes one formula.
struct Maker<'r> {
    rng: &'r mut Rng,
    depth: usize,
    variables: usize,
    /// Assertions.
    out: String,
}

impl Maker<'_> {
    fn script(self) -> String {
        let mut text = "(set-logic QF_SLIA)\n".to_owned();
        for n in 0..self.variables {
            let _ = writeln!(text, "(declare-fun x{n} () String)");
        }
        text + &self.out + "(check-sat)\n"
    }

    fn assert(&mut self, term: &str) {
        let _ = writeln!(self.out, "(assert {term})");
    }

    fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("x{}", self.variables - 1)
    }

    /// A variable, usually one that there is already.
    fn variable(&mut self) -> String {
        if self.variables == 0 || self.rng.chance(1, 3) {
            return self.fresh();
        }
        format!("x{}", self.rng.below(self.variables))
    }

    fn word(&mut self, most: usize) -> String {
        let length = self.rng.below(most + 1);
        (0..length).map(|_| char::from(b"abcxyz019 "[self.rng.below(10)])).collect()
    }

    fn literal(&mut self, most: usize) -> String {
        format!("\"{}\"", self.word(most))
    }

    /// A tree of concatenations.
    fn concat(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.rng.chance(1, 3) { self.literal(6) } else { self.variable() };
        }
        let count = 2 + self.rng.below(3);
        let parts: Vec<String> = (0..count)
            .map(|_| {
                let below = self.rng.below(depth);
                self.concat(below)
            })
            .collect();
        format!("(str.++ {})", parts.join(" "))
    }

    fn language(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => {
                    let low = self.rng.below(20) as u8;
                    let high = low + self.rng.below(6) as u8;
                    format!("(re.range \"{}\" \"{}\")", char::from(b'a' + low), char::from(b'a' + high))
                }
                1 => "re.allchar".to_owned(),
                _ => format!("(str.to_re {})", self.literal(4)),
            };
        }
        let inner = self.language(depth - 1);
        match self.rng.below(8) {
            0 => format!("(re.* {inner})"),
            1 => format!("(re.+ {inner})"),
            2 => format!("(re.opt {inner})"),
            3 => format!("(re.comp {inner})"),
            4 => format!("(re.inter {inner} {})", self.language(depth - 1)),
            5 => {
                let low = self.rng.below(4);
                let high = low + self.rng.below(5);
                format!("((_ re.loop {low} {high}) {inner})")
            }
            6 => format!("(re.union {inner} {})", self.language(depth - 1)),
            _ => format!("(re.++ {inner} {})", self.language(depth - 1)),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.rng.below(20).to_string();
        }
        match self.rng.below(5) {
            0 => format!("(str.len {})", self.text(depth - 1)),
            1 => format!("(str.to_int {})", self.text(depth - 1)),
            2 => format!(
                "(str.indexof {} {} {})",
                self.text(depth - 1),
                self.text(depth - 1),
                self.number(depth - 1)
            ),
            3 => format!("(+ {} {})", self.number(depth - 1), self.number(depth - 1)),
            _ => format!("(- {} {})", self.number(depth - 1), self.number(depth - 1)),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.rng.chance(1, 3) { self.literal(5) } else { self.variable() };
        }
        match self.rng.below(6) {
            0 => format!("(str.at {} {})", self.text(depth - 1), self.number(depth - 1)),
            1 => format!(
                "(str.substr {} {} {})",
                self.text(depth - 1),
                self.number(depth - 1),
                self.number(depth - 1)
            ),
            2 => format!(
                "(str.replace {} {} {})",
                self.text(depth - 1),
                self.text(depth - 1),
                self.text(depth - 1)
            ),
            3 => format!("(str.from_int {})", self.number(depth - 1)),
            4 => format!(
                "(str.replace_all {} {} {})",
                self.text(depth - 1),
                self.text(depth - 1),
                self.text(depth - 1)
            ),
            _ => format!("(str.++ {} {})", self.text(depth - 1), self.text(depth - 1)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth > 1 && self.rng.chance(1, 3) {
            return match self.rng.below(3) {
                0 => format!("(not {})", self.truth(depth - 1)),
                1 => format!("(or {} {})", self.truth(depth - 1), self.truth(depth - 1)),
                _ => format!("(and {} {})", self.truth(depth - 1), self.truth(depth - 1)),
            };
        }
        let below = depth.saturating_sub(1);
        match self.rng.below(7) {
            0 => format!("(= {} {})", self.text(below), self.text(below)),
            1 => format!("(str.contains {} {})", self.text(below), self.text(below)),
            2 => format!("(str.prefixof {} {})", self.text(below), self.text(below)),
            3 => format!("(str.suffixof {} {})", self.text(below), self.text(below)),
            4 => format!("(str.in_re {} {})", self.text(below), self.language(below)),
            5 => format!("(<= {} {})", self.number(below), self.number(below)),
            _ => format!("(= {} {})", self.number(below), self.number(below)),
        }
    }
}

/// A long chain of concatenations, with a few characters of the result fixed.
fn concats(maker: &mut Maker<'_>) {
    let whole = maker.fresh();
    let mut last = whole.clone();
    for _ in 0..1 + maker.rng.below(2 * maker.depth) {
        let (left, right) = (maker.fresh(), maker.concat(1));
        maker.assert(&format!("(= {last} (str.++ {left} {right}))"));
        last = left;
    }
    let tree = maker.concat(maker.depth);
    maker.assert(&format!("(= {last} {tree})"));
    for _ in 0..maker.rng.below(3) {
        let (at, one) = (maker.rng.below(30), maker.word(1));
        maker.assert(&format!("(= (str.at {whole} {at}) \"{one}\")"));
    }
}

/// Many variables with their lengths.
fn lengths(maker: &mut Maker<'_>) {
    for _ in 0..2 + maker.rng.below(3 * maker.depth) {
        let name = maker.fresh();
        let relation = ["=", "<", "<=", ">", ">="][maker.rng.below(5)];
        let bound = maker.rng.below(200);
        maker.assert(&format!("({relation} (str.len {name}) {bound})"));
    }
    for _ in 0..maker.rng.below(maker.depth + 1) {
        let (one, two, three) = (maker.variable(), maker.variable(), maker.variable());
        maker.assert(&format!("(= {one} (str.++ {two} {three}))"));
    }
}

/// A variable that overlaps itself between two words.
fn overlaps(maker: &mut Maker<'_>) {
    let name = maker.fresh();
    let (first, last) = (maker.literal(4 * maker.depth), maker.literal(4 * maker.depth));
    maker.assert(&format!("(= (str.++ {first} {name}) (str.++ {name} {last}))"));
    if maker.rng.chance(1, 2) {
        let least = maker.rng.below(100);
        maker.assert(&format!("(> (str.len {name}) {least})"));
    }
    if maker.rng.chance(1, 2) {
        let (other, word) = (maker.fresh(), maker.literal(3));
        maker.assert(&format!("(= (str.++ {other} {name} {word}) (str.++ {name} {word} {other}))"));
    }
}

/// Concatenations of variables and words that are all equal.
fn equality(maker: &mut Maker<'_>) {
    let sides: Vec<String> = (0..2 + maker.rng.below(2)).map(|_| maker.concat(maker.depth)).collect();
    maker.assert(&format!("(= {})", sides.join(" ")));
    if maker.rng.chance(1, 2) {
        let (name, least) = (maker.variable(), maker.rng.below(40));
        maker.assert(&format!("(>= (str.len {name}) {least})"));
    }
}

/// A word in several languages, of a bounded length.
fn regex(maker: &mut Maker<'_>) {
    let name = maker.fresh();
    for _ in 0..1 + maker.rng.below(3) {
        let language = maker.language(maker.depth);
        let member = format!("(str.in_re {name} {language})");
        let term = if maker.rng.chance(1, 4) { format!("(not {member})") } else { member };
        maker.assert(&term);
    }
    let (low, more) = (maker.rng.below(20), maker.rng.below(40));
    maker.assert(&format!("(>= (str.len {name}) {low})"));
    maker.assert(&format!("(<= (str.len {name}) {})", low + more));
}

/// Any text where a script may have any text.
fn random_text(maker: &mut Maker<'_>) {
    let mut any = |most: usize, apart: &str| -> String {
        let length = maker.rng.below(most);
        let one = |rng: &mut Rng| char::from(b' ' + rng.below(95) as u8);
        (0..length).map(|_| one(maker.rng)).filter(|c| !apart.contains(*c)).collect()
    };
    let (body, name, comment) = (any(60, ""), any(20, "|\\"), any(60, ""));
    let body = body.replace('"', "\"\"");
    let variable = maker.fresh();
    let _ = writeln!(maker.out, "; {comment}");
    let _ = writeln!(maker.out, "(declare-fun |q {name}| () String)");
    maker.assert(&format!("(= {variable} \"{body}\")"));
    maker.assert(&format!("(str.contains {variable} |q {name}|)"));
}

/// Random well-typed terms.
fn random_ast(maker: &mut Maker<'_>) {
    for _ in 0..1 + maker.rng.below(4) {
        let depth = 1 + maker.rng.below(maker.depth);
        let term = maker.truth(depth);
        maker.assert(&term);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CampaignKey, unheard};
    use smtlib::Script;

    fn drafts(settings: &Settings, count: u64) -> Vec<Draft> {
        let source = (STRATEGY.begin)(&Bank::default(), settings).unwrap();
        let unit = |n| unheard(&*source, n, Rng::of(&CampaignKey("k".into()), "shapes", n)).unwrap();
        (0..count).flat_map(unit).collect()
    }

    #[test]
    fn every_shape_is_well_typed_and_has_its_own_operators() {
        for (name, part) in [
            ("concats", "str.++"),
            ("lengths", "str.len"),
            ("overlaps", "str.++"),
            ("equality", "(= "),
            ("regex", "str.in_re"),
            ("random-text", "|q "),
            ("random-ast", "(assert"),
        ] {
            let settings = Settings { part: Some(name.into()), ..Settings::default() };
            for draft in drafts(&settings, 200) {
                let text = String::from_utf8_lossy(draft.script()).into_owned();
                assert!(Script::parse(draft.script()).is_ok(), "{name}: {text}");
                assert!(text.contains(part), "{name}: {text}");
            }
        }
    }

    #[test]
    fn the_old_notation_is_well_typed_too() {
        let settings =
            Settings { part: Some("regex".into()), notation: Some("2.5".into()), ..Settings::default() };
        for draft in drafts(&settings, 50) {
            let text = String::from_utf8_lossy(draft.script()).into_owned();
            assert!(text.contains("str.in.re") && !text.contains("str.in_re"), "{text}");
            assert!(Script::parse(draft.script()).is_ok());
        }
    }
}
