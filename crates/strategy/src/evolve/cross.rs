//! Crossover: two individuals exchange assertions.
//!
//! A fifth of both parents' assertions together is exchanged; if one of them has fewer, one assertion is. A name that
//! both parents declare alike means the same in both, so exchanged assertions speak about the other parent's
//! variables: that is how structures that make a solver slow come together. A constant that the other parent declares
//! with another sort gets a fresh name; an assertion that uses anything else that both declare differently stays.

use super::genome::{Declaration, Genome, symbols};
use crate::Rng;
use crate::mutant::logic::{Logic, Reach};
use smtlib::lexer::{Lexer, TokenKind};

/// How many assertions parents with so many exchange.
pub fn exchanged(first: usize, second: usize) -> usize {
    let wanted = (first + second).div_ceil(5);
    if wanted > first.min(second) { 1 } else { wanted }
}

/// Both children; `None` if the parents cannot be mixed.
pub fn cross(first: &Genome, second: &Genome, rng: &mut Rng) -> Option<(Genome, Genome)> {
    let real = first.real_numerals();
    if real != second.real_numerals() || (real && first.logic != second.logic) {
        return None;
    }
    let count = exchanged(first.assertions.len(), second.assertions.len());
    let (given, received) = (draw(first, count, rng), draw(second, count, rng));
    let child = |own: &Genome, gone: &[usize], other: &Genome, new: &[usize]| {
        let mut child = own.clone();
        for &at in gone.iter().rev() {
            child.assertions.remove(at);
        }
        new.iter().for_each(|&n| take(&mut child, other, &other.assertions[n]));
        child.logic = together(own.logic.as_deref(), other.logic.as_deref());
        child.read().map(|(child, _)| child)
    };
    let one = child(first, &given, second, &received);
    let two = child(second, &received, first, &given);
    match (one, two) {
        (None, None) => None,
        (one, two) => Some((one.unwrap_or_else(|| first.clone()), two.unwrap_or_else(|| second.clone()))),
    }
}

/// Different assertions of an individual, with rising numbers.
fn draw(genome: &Genome, count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..genome.assertions.len()).collect();
    while all.len() > count {
        all.remove(rng.below(all.len()));
    }
    all
}

/// A logic that allows what both do.
fn together(first: Option<&str>, second: Option<&str>) -> Option<String> {
    let (first, second) = (first?, second?);
    if first == second {
        return Some(first.to_owned());
    }
    let all = |logic: &str| Logic::of(Some(logic)).widened(Reach::All);
    Some(all(first).or_else(|| all(second)).unwrap_or_else(|| "ALL".to_owned()))
}

/// Adds an assertion of another individual, with the declarations that it needs.
fn take(child: &mut Genome, other: &Genome, assertion: &[u8]) {
    let needed = other.needed(&[assertion.to_vec()]);
    let mut renamed: Vec<(Vec<u8>, Vec<u8>)> = vec![];
    let mut added = vec![];
    for declaration in &other.declarations {
        if !declaration.names.iter().any(|name| needed.contains(name)) {
            continue;
        }
        let clash = declaration.names.iter().find_map(|name| child.declaration(name));
        match clash {
            None => added.push(declaration.clone()),
            Some(own) if own.text == declaration.text || same_constant(&own.text, &declaration.text) => {}
            Some(_) => match fresh_constant(child, declaration.names.as_slice(), &declaration.text) {
                Some((fresh, text)) => {
                    renamed.push((declaration.names[0].clone(), fresh.clone()));
                    added.push(Declaration { names: vec![fresh], text });
                }
                None => return,
            },
        }
    }
    let written = renamed.iter().fold(assertion.to_vec(), |text, (old, new)| rename(&text, old, new));
    child.declarations.extend(added);
    child.assertions.push(written);
}

/// Whether two declarations differ only in how they are written: `declare-const` or `declare-fun`.
fn same_constant(first: &[u8], second: &[u8]) -> bool {
    let plain = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).replacen("(declare-const ", "(declare-fun ", 1);
        text.replacen(" () ", " ", 1)
    };
    plain(first) == plain(second)
}

/// A new name for a constant, and its declaration under that name.
fn fresh_constant(child: &Genome, names: &[Vec<u8>], text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let [name] = names else { return None };
    let declares = |word: &str| text.starts_with(word.as_bytes());
    let is_constant = declares("(declare-const ")
        || (declares("(declare-fun ") && String::from_utf8_lossy(text).contains(" () "));
    if !is_constant {
        return None;
    }
    let taken: Vec<Vec<u8>> = symbols(&child.text());
    let fresh = (0..).map(|n| format!("other{n}").into_bytes()).find(|name| !taken.contains(name))?;
    Some((fresh.clone(), rename(text, name, &fresh)))
}

/// The text with every use of a name replaced.
fn rename(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut lexer = Lexer::new(text);
    let (mut out, mut at) = (vec![], 0);
    while let Ok(token) = lexer.next_token() {
        let is_old = match token.kind {
            TokenKind::End => break,
            TokenKind::Symbol | TokenKind::Quoted => lexer.text(token) == old,
            _ => false,
        };
        if is_old {
            out.extend_from_slice(&text[at..token.span.start as usize]);
            out.extend_from_slice(new);
            at = token.span.end as usize;
        }
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignKey;
    use smtlib::Script;

    fn genome(text: &str) -> Genome {
        Genome::of(&Script::parse(text.as_bytes()).unwrap()).unwrap()
    }

    fn rng(unit: u64) -> Rng {
        Rng::of(&CampaignKey("k".into()), "s", unit)
    }

    #[test]
    fn a_fifth_of_both_is_exchanged_and_one_if_a_parent_has_fewer() {
        assert_eq!((exchanged(5, 5), exchanged(10, 10), exchanged(1, 1)), (2, 4, 1));
        assert_eq!(exchanged(1, 20), 1, "a fifth would be more than the first has");
    }

    #[test]
    fn children_share_variables_that_both_parents_declare_alike() {
        let a = genome("(set-logic QF_LIA)(declare-fun x () Int)(assert (< x 1))(check-sat)");
        let b =
            genome("(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (> x y))(check-sat)");
        let (one, two) = cross(&a, &b, &mut rng(0)).unwrap();
        let text = |genome: &Genome| String::from_utf8(genome.text()).unwrap();
        assert_eq!(
            text(&one),
            "(set-logic QF_LIA)\n(declare-fun x () Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n"
        );
        assert_eq!(
            text(&two),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(assert (< x 1))\n(check-sat)\n"
        );
    }

    #[test]
    fn a_constant_of_another_sort_gets_a_fresh_name_and_the_logic_allows_both() {
        let a = genome("(set-logic QF_LIA)(declare-fun x () Int)(assert (< x 1))(check-sat)");
        let b = genome("(set-logic QF_S)(declare-fun x () String)(assert (= x \"a\"))(check-sat)");
        let (one, two) = cross(&a, &b, &mut rng(0)).unwrap();
        let text = String::from_utf8(one.text()).unwrap();
        assert!(
            text.contains("(set-logic ALL)") && text.contains("(declare-fun other0 () String)"),
            "{text}"
        );
        assert!(two.read().is_some());
    }

    #[test]
    fn logics_that_read_numerals_differently_are_not_mixed() {
        let a = genome("(set-logic QF_LRA)(declare-fun x () Real)(assert (< x 1))(check-sat)");
        let b = genome("(set-logic QF_LIA)(declare-fun y () Int)(assert (< y 1))(check-sat)");
        assert!(cross(&a, &b, &mut rng(0)).is_none());
    }
}
