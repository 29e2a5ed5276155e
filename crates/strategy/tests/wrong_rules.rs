//! A wrong rule is rejected: every rule of the two files has a neighbour that is wrong, and the trial finds it out.
//!
//! A check that lets everything pass would pass the rules as well. So of every rule a wrong variant is made: of an
//! implication the reverse, of a rule with a condition the same without it, of an equivalence one with another operator
//! on one side. The evaluator must refute it. What cannot be made wrong so is listed, with the reason.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use strategy::weaken::rules::Rules;
use strategy::weaken::verify::verify;

/// Implications whose reverse holds too, on all values that are tried or at all, and why they are kept one-way.
const REVERSIBLE: &[(&str, &str)] =
    &[("arrays/equal-store", "two arrays that differ at the written place only are not among the values")];

/// Conditions without which no value refutes the rule, and why they are there.
const IDLE: &[(&str, &str)] = &[
    ("integers/equal-mod", "equal numbers have equal remainders even by 0, which is left open; 0 is avoided"),
    ("integers/equal-div", "the same"),
    ("reals/equal-quotient", "a quotient by 0 is left open, so the evaluator does not decide it"),
];

/// An operator, and one that is not it.
const SWAPS: &[(&str, &str)] = &[
    ("and", "or"),
    ("or", "and"),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("=", "distinct"),
    ("distinct", "="),
    ("=>", "and"),
    ("xor", "or"),
    ("true", "false"),
    ("false", "true"),
    ("exists", "forall"),
    ("forall", "exists"),
    ("bvult", "bvule"),
    ("bvule", "bvult"),
    ("bvslt", "bvsle"),
    ("bvsle", "bvslt"),
    ("bvugt", "bvuge"),
    ("bvuge", "bvugt"),
    ("bvsgt", "bvsge"),
    ("bvsge", "bvsgt"),
    ("fp.lt", "fp.leq"),
    ("fp.leq", "fp.lt"),
    ("fp.gt", "fp.geq"),
    ("fp.geq", "fp.gt"),
    ("fp.eq", "fp.lt"),
    ("re.union", "re.inter"),
    ("re.inter", "re.union"),
    ("re.++", "re.union"),
    ("re.*", "re.+"),
    ("re.+", "re.*"),
    ("re.opt", "re.+"),
    ("re.none", "re.all"),
    ("re.all", "re.none"),
    ("set.union", "set.minus"),
    ("set.union", "set.inter"),
    ("set.inter", "set.union"),
    ("set.minus", "set.union"),
    ("str.prefixof", "str.suffixof"),
    ("str.suffixof", "str.prefixof"),
    ("seq.prefixof", "seq.suffixof"),
    ("seq.suffixof", "seq.prefixof"),
];

struct Line {
    name: String,
    strong: String,
    arrow: String,
    weak: String,
    condition: Option<String>,
}

/// The s-expressions of a line, as text.
fn parts(text: &str) -> Vec<String> {
    let (mut all, mut depth, mut word, mut quoted) = (vec![], 0, String::new(), false);
    for c in text.chars() {
        quoted ^= c == '"';
        match c {
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if c.is_whitespace() && depth == 0 && !quoted {
            if !word.is_empty() {
                all.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    all.extend((!word.is_empty()).then_some(word));
    all
}

/// The sections of a file, each with its rules.
fn sections(text: &str) -> Vec<(String, Vec<Line>)> {
    let mut all: Vec<(String, Vec<Line>)> = vec![];
    let mut section = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("(section ") {
            section = rest.split_whitespace().next().unwrap().to_owned();
            all.push((line.to_owned(), vec![]));
        }
        let Some(rest) = line.strip_prefix("(rule ") else { continue };
        let parts = parts(rest.trim_end().strip_suffix(')').unwrap());
        let [name, strong, arrow, weak, condition @ ..] = &parts[..] else { panic!("{line}") };
        all.last_mut().unwrap().1.push(Line {
            name: format!("{section}/{name}"),
            strong: strong.clone(),
            arrow: arrow.clone(),
            weak: weak.clone(),
            condition: condition.get(1).cloned(),
        });
    }
    all
}

/// A side with one operator exchanged, once for each that can be.
fn exchanged(side: &str) -> Vec<String> {
    let bytes = side.as_bytes();
    let ends = |at: usize| at >= bytes.len() || b" ()".contains(&bytes[at]);
    let mut all = vec![];
    for (from, to) in SWAPS {
        for (at, _) in side.match_indices(from) {
            if (at == 0 || b" (".contains(&bytes[at - 1])) && ends(at + from.len()) {
                all.push(format!("{}{to}{}", &side[..at], &side[at + from.len()..]));
            }
        }
    }
    all
}

/// Wrong variants of a rule, as lines without a name.
fn variants(line: &Line) -> Vec<String> {
    let Line { strong, arrow, weak, condition, .. } = line;
    let restricted = |sides: String| match condition {
        Some(condition) => format!("{sides} :if {condition}"),
        None => sides,
    };
    let mut all = vec![];
    if condition.is_some() {
        all.push(format!("{strong} {arrow} {weak}"));
    }
    if arrow == "=>" {
        all.push(restricted(format!("{weak} => {strong}")));
    }
    for side in exchanged(weak) {
        all.push(restricted(format!("{strong} {arrow} {side}")));
    }
    for side in exchanged(strong) {
        all.push(restricted(format!("{side} {arrow} {weak}")));
    }
    // What is left: the rule with one side denied.
    all.push(restricted(format!("{strong} {arrow} (not {weak})")));
    all.push(restricted(format!("{strong} {arrow} (re.comp {weak})")));
    all
}

/// Of every rule, how many wrong variants are refuted and which is the first one.
fn refuted(text: &str) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (header, lines) in sections(text) {
        for line in lines {
            let count = counts.entry(line.name.clone()).or_default();
            for variant in variants(&line) {
                // A variant that is not typed says nothing.
                let Ok(rules) = Rules::read(&format!("{header}\n(rule v {variant})")) else { continue };
                let (_, trial) = &verify(&rules, 60)[0];
                *count += usize::from(trial.refuted.is_some());
                if *count >= 1 {
                    break;
                }
            }
        }
    }
    counts
}

fn all_have_a_refuted_variant(text: &str) {
    let counts = refuted(text);
    let weak: Vec<&String> = counts.iter().filter(|(_, count)| **count == 0).map(|(name, _)| name).collect();
    assert!(weak.is_empty(), "no wrong variant is refuted of {weak:?}");
}

#[test]
fn every_rule_of_weaken_has_a_wrong_variant_that_is_refuted() {
    all_have_a_refuted_variant(strategy::weaken::rules::TEXT);
}

#[test]
fn every_rule_of_skeleton_has_a_wrong_variant_that_is_refuted() {
    all_have_a_refuted_variant(strategy::skeleton::RULES);
}

#[test]
fn no_implication_is_an_equivalence_in_disguise_and_no_condition_is_idle() {
    let mut idle = vec![];
    for (header, lines) in sections(strategy::weaken::rules::TEXT) {
        for line in lines {
            let is_refuted = |variant: String| {
                let rules = Rules::read(&format!("{header}\n(rule v {variant})"));
                rules.is_ok_and(|rules| verify(&rules, 300)[0].1.refuted.is_some())
            };
            let Line { name, strong, arrow, weak, condition } = &line;
            let idle_by_design = IDLE.iter().any(|(known, _)| known == name);
            if condition.is_some() && !idle_by_design && !is_refuted(format!("{strong} {arrow} {weak}")) {
                idle.push(format!("{name}: condition"));
            }
            let reversible = REVERSIBLE.iter().any(|(known, _)| known == name);
            if arrow == "=>"
                && condition.is_none()
                && !reversible
                && !is_refuted(format!("{weak} => {strong}"))
            {
                idle.push(format!("{name}: reverse"));
            }
        }
    }
    assert!(idle.is_empty(), "{idle:?}");
}
