//! Mutation: seven operators, each a small change of one individual.
//!
//! They are those of the paper, for every theory: what may be written where follows from the theory tables (`mutant`,
//! `regrow`, `opswap`), and the result is type-checked before it is used. An operator that has nothing to do gives
//! `None`, and another one is tried.

use super::genome::{Declaration, Genome, prepare};
use crate::mutant::donors::{donors, prefix};
use crate::mutant::fit::Admission;
use crate::mutant::logic::{Reach, Widening};
use crate::mutant::splice::{Edit, splice};
use crate::opswap::{self, Opswap};
use crate::regrow::ground::{Ground, Hole};
use crate::regrow::grow::Grower;
use crate::regrow::harvest::Harvest;
use crate::regrow::{self, Weights};
use crate::{Bank, Prepared, Rng};
use rustc_hash::FxHashMap;
use smtlib::printer::{Occurrence, sort_text};
use smtlib::symbol::write_name;
use smtlib::term::{DeclId, Kind, Lit};
use smtlib::{Command, Sort, SortId, TermId};

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    NewVariable,
    DeleteVariable,
    AddAssertion,
    DeleteAssertion,
    FuzzLiteral,
    ReplaceOperator,
    ExchangeNodes,
}

impl Operator {
    pub const ALL: [(&'static str, Operator); 7] = [
        ("new-variable", Operator::NewVariable),
        ("delete-variable", Operator::DeleteVariable),
        ("add-assertion", Operator::AddAssertion),
        ("delete-assertion", Operator::DeleteAssertion),
        ("fuzz-literal", Operator::FuzzLiteral),
        ("replace-operator", Operator::ReplaceOperator),
        ("exchange-nodes", Operator::ExchangeNodes),
    ];
}

/// How the terms of new assertions are grown.
const WEIGHTS: Weights = Weights { apply: 60, swap: 10, value: 5, harvest: 25, driven: 0 };

/// How often a random choice is repeated before an operator gives up.
const TRIES: usize = 32;

/// Changes an individual by a random operator; also says by which.
pub fn mutate(genome: &Genome, harvest: &Harvest, rng: &mut Rng) -> Option<(Genome, &'static str)> {
    for _ in 0..2 * Operator::ALL.len() {
        let (name, operator) = Operator::ALL[rng.below(Operator::ALL.len())];
        if let Some(changed) = apply(operator, genome, harvest, rng).filter(|changed| changed != genome) {
            return Some((changed, name));
        }
    }
    None
}

/// Changes an individual by one operator, if there is anything to change.
pub fn apply(operator: Operator, genome: &Genome, harvest: &Harvest, rng: &mut Rng) -> Option<Genome> {
    match operator {
        Operator::NewVariable => new_variable(genome, harvest, rng),
        Operator::DeleteVariable => read(delete_variable(&of(genome)?, rng)?),
        Operator::AddAssertion => add_assertion(genome, harvest, rng),
        Operator::DeleteAssertion => delete_assertion(genome, rng),
        Operator::FuzzLiteral => read(fuzz_literal(&of(genome)?, rng)?),
        Operator::ReplaceOperator => read(replace_operator(&of(genome)?, rng)?),
        Operator::ExchangeNodes => read(exchange_nodes(&of(genome)?, rng)?),
    }
}

fn of(genome: &Genome) -> Option<Prepared> {
    prepare(genome.text())
}

fn read(text: Vec<u8>) -> Option<Genome> {
    Genome::of(&prepare(text)?.script)
}

fn ground(prepared: &Prepared) -> Ground {
    Ground::of(prepared, Admission::default(), Widening::default(), None)
}

/// A variable of a sort that the individual has, and an assertion that equates it with a fresh term.
fn new_variable(genome: &Genome, harvest: &Harvest, rng: &mut Rng) -> Option<Genome> {
    let prepared = of(genome)?;
    let pool = &prepared.script.pool;
    let is_usual = |sort: SortId| !matches!(pool.sort(sort), Sort::RegLan | Sort::Fun(_) | Sort::Param(_));
    let mut sorts: Vec<SortId> = prepared
        .printed
        .occurrences
        .iter()
        .filter(|occurrence| prepared_at_top(&prepared, occurrence))
        .map(|occurrence| pool.sort_of(occurrence.term))
        .filter(|&sort| is_usual(sort))
        .collect();
    sorts.sort_unstable();
    sorts.dedup();
    let sort = *rng.pick(&sorts)?;
    let name = format!("{}{}", prefix(pool), 0);
    let mut larger = genome.clone();
    let text = format!("(declare-const {name} {})", sort_text(pool, sort)).into_bytes();
    larger.declarations.push(Declaration { names: vec![name.clone().into_bytes()], text });
    larger.assertions.push(format!("(assert (= {name} {name}))").into_bytes());
    grow_last(&larger, harvest, 2, rng)
}

/// Whether an occurrence is in an assertion.
fn prepared_at_top(prepared: &Prepared, occurrence: &Occurrence) -> bool {
    matches!(prepared.script.commands[occurrence.command as usize], Command::Assert(_))
}

fn add_assertion(genome: &Genome, harvest: &Harvest, rng: &mut Rng) -> Option<Genome> {
    let mut larger = genome.clone();
    larger.assertions.push(b"(assert true)".to_vec());
    grow_last(&larger, harvest, 0, rng)
}

/// Grows a new term in place of the n-th occurrence in the last assertion.
fn grow_last(genome: &Genome, harvest: &Harvest, nth: usize, rng: &mut Rng) -> Option<Genome> {
    let prepared = of(genome)?;
    let ground = ground(&prepared);
    let last = prepared.printed.occurrences.iter().map(|occurrence| occurrence.command).max()?;
    let place =
        prepared.printed.occurrences.iter().filter(|occurrence| occurrence.command == last).nth(nth)?;
    let is_place = |hole: &Hole| (hole.start, hole.end) == (place.start, place.end);
    let number = ground.holes.iter().position(is_place)? as u32;
    let mut grower = Grower::new(&prepared, &ground, harvest);
    for _ in 0..TRIES {
        let Some(plant) = grower.plant(number, &WEIGHTS, rng) else { continue };
        let allowed = plant.reach != Reach::All || ground.places.logic.allows_all();
        if let Some(read) = allowed.then(|| regrow::write(&prepared, &ground, &[plant])).and_then(read) {
            return Some(read);
        }
    }
    None
}

fn delete_assertion(genome: &Genome, rng: &mut Rng) -> Option<Genome> {
    let mut smaller = genome.clone();
    if smaller.assertions.len() < 2 {
        return None;
    }
    smaller.assertions.remove(rng.below(smaller.assertions.len()));
    smaller.read().map(|(genome, _)| genome)
}

/// Deletes a constant; another one of its sort stands in its place. The last constant of a sort stays.
fn delete_variable(prepared: &Prepared, rng: &mut Rng) -> Option<Vec<u8>> {
    let pool = &prepared.script.pool;
    let constants: Vec<(usize, DeclId)> = prepared
        .script
        .commands
        .iter()
        .enumerate()
        .filter_map(|(n, command)| match command {
            Command::DeclareFun { decl, .. } if pool.decl(*decl).params.is_empty() => Some((n, *decl)),
            _ => None,
        })
        .collect();
    let (at, victim) = *rng.pick(&constants)?;
    let sort = pool.decl(victim).result;
    let others: Vec<DeclId> = constants
        .iter()
        .map(|&(_, decl)| decl)
        .filter(|&decl| decl != victim && pool.decl(decl).result == sort)
        .collect();
    let heir = *rng.pick(&others)?;
    let mut name = vec![];
    write_name(&mut name, pool.bytes(pool.decl(heir).name));
    let start = prepared.printed.commands[at];
    let end = prepared.printed.commands.get(at + 1).copied()?;
    let mut edits = vec![Edit { start, end, text: b"" }];
    for occurrence in &prepared.printed.occurrences {
        if matches!(pool.kind(occurrence.term), Kind::Fun { decl, .. } if decl == victim) {
            edits.push(Edit { start: occurrence.start, end: occurrence.end, text: &name });
        }
    }
    Some(splice(&prepared.printed.bytes, &mut edits))
}

/// Changes one number, word or string.
fn fuzz_literal(prepared: &Prepared, rng: &mut Rng) -> Option<Vec<u8>> {
    let pool = &prepared.script.pool;
    let is_literal = |occurrence: &&Occurrence| {
        prepared_at_top(prepared, occurrence)
            && matches!(
                pool.kind(occurrence.term),
                Kind::Lit(Lit::Numeral | Lit::Decimal | Lit::Hex | Lit::Binary | Lit::String, _)
            )
    };
    let literals: Vec<&Occurrence> = prepared.printed.occurrences.iter().filter(is_literal).collect();
    let occurrence = rng.pick(&literals)?;
    let Kind::Lit(lit, _) = pool.kind(occurrence.term) else { return None };
    let (start, end) = (occurrence.start, occurrence.end);
    let old = &prepared.printed.bytes[start as usize..end as usize];
    let text = match lit {
        Lit::String => fuzz_string(old, rng),
        Lit::Hex => digits(old, 2, b"0123456789abcdef", rng),
        Lit::Binary => digits(old, 2, b"01", rng),
        Lit::Decimal => decimal(old, rng),
        _ => number(old, rng),
    };
    Some(splice(&prepared.printed.bytes, &mut [Edit { start, end, text: &text }]))
}

/// Another numeral: near the old one, a multiple of it, a power of two, or any small one.
fn number(old: &[u8], rng: &mut Rng) -> Vec<u8> {
    let value: Option<u64> = std::str::from_utf8(old).ok().and_then(|text| text.parse().ok());
    let value = value.unwrap_or(0);
    let new = match rng.below(6) {
        0 => value.saturating_add(1),
        1 => value.saturating_sub(1),
        2 => value.saturating_mul(2),
        3 => 1 << rng.below(40),
        4 => value.saturating_add(rng.below(100) as u64),
        _ => rng.below(64) as u64,
    };
    new.to_string().into_bytes()
}

/// Another decimal: one of its digits changes, or its whole part does.
fn decimal(old: &[u8], rng: &mut Rng) -> Vec<u8> {
    match old.iter().position(|&byte| byte == b'.') {
        Some(point) if rng.chance(1, 2) => [&number(&old[..point], rng)[..], &old[point..]].concat(),
        Some(point) => digits(old, point + 1, b"0123456789", rng),
        None => number(old, rng),
    }
}

/// The text with one digit after `from` replaced.
fn digits(old: &[u8], from: usize, alphabet: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = old.to_vec();
    if text.len() > from {
        let at = from + rng.below(text.len() - from);
        text[at] = alphabet[rng.below(alphabet.len())];
    }
    text
}

/// Another string: a character is inserted, removed or replaced, or a part is repeated.
fn fuzz_string(old: &[u8], rng: &mut Rng) -> Vec<u8> {
    let inner = String::from_utf8_lossy(old);
    let inner = inner.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
    let mut chars: Vec<char> = inner.replace("\"\"", "\"").chars().collect();
    let mut any = || char::from(b"abcABC012 -+*./\\\"{}u"[rng.below(20)]);
    let (one, at, how) = (any(), rng.below(chars.len() + 1), rng.below(4));
    match how {
        0 if at < chars.len() => drop(chars.remove(at)),
        1 if at < chars.len() => chars[at] = one,
        2 if chars.len() < 64 => {
            let tail: Vec<char> = chars[at..].to_vec();
            chars.extend(tail);
        }
        _ => chars.insert(at, one),
    }
    let text: String = chars.into_iter().collect();
    format!("\"{}\"", text.replace('"', "\"\"")).into_bytes()
}

/// An operator of the same type in place of another.
fn replace_operator(prepared: &Prepared, rng: &mut Rng) -> Option<Vec<u8>> {
    let opswap = Opswap::new(&Bank::default(), opswap::Config::default());
    let swaps = opswap.swaps(prepared);
    if swaps.sites.is_empty() {
        return None;
    }
    let site = rng.below(swaps.sites.len());
    let choice = 1 + rng.below(swaps.choices(site).len() - 1);
    Some(swaps.write(prepared, &[(site as u32, choice as u16)]))
}

/// A changed literal or a replaced operator, whichever there is.
pub fn literal_or_operator(prepared: &Prepared, rng: &mut Rng) -> Option<Vec<u8>> {
    if rng.chance(1, 2) {
        return fuzz_literal(prepared, rng).or_else(|| replace_operator(prepared, rng));
    }
    replace_operator(prepared, rng).or_else(|| fuzz_literal(prepared, rng))
}

/// Two terms of one sort change places.
fn exchange_nodes(prepared: &Prepared, rng: &mut Rng) -> Option<Vec<u8>> {
    exchange(prepared, |_, _| true, rng)
}

/// A leaf and a larger term of its sort change places.
pub fn graft(prepared: &Prepared, rng: &mut Rng) -> Option<Vec<u8>> {
    let is_leaf = |term: TermId| prepared.script.pool.args(term).is_empty();
    exchange(prepared, |a, b| is_leaf(a) != is_leaf(b), rng)
}

/// Two terms of one sort for which this holds change places.
fn exchange(prepared: &Prepared, may: impl Fn(TermId, TermId) -> bool, rng: &mut Rng) -> Option<Vec<u8>> {
    let ground = ground(prepared);
    let pool = &prepared.script.pool;
    let movable: FxHashMap<TermId, _> = donors(prepared, &ground.places)
        .into_iter()
        .map(|(donor, _)| (prepared.printed.occurrences[donor.occurrence as usize].term, donor))
        .collect();
    let places: FxHashMap<(u32, u32), TermId> = prepared
        .printed
        .occurrences
        .iter()
        .rev()
        .map(|occurrence| ((occurrence.start, occurrence.end), occurrence.term))
        .collect();
    let term = |hole: &Hole| places.get(&(hole.start, hole.end)).copied();
    let is_alike = |a: TermId, b: TermId| a != b && pool.sort_of(a) == pool.sort_of(b) && may(a, b);
    for _ in 0..TRIES {
        let (a, b) = (rng.pick(&ground.holes)?, rng.pick(&ground.holes)?);
        let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
        let (Some(first), Some(second)) = (term(a), term(b)) else { continue };
        let (Some(one), Some(two)) = (movable.get(&first), movable.get(&second)) else { continue };
        if a.end > b.start || !is_alike(first, second) || !ground.fits(one, b) || !ground.fits(two, a) {
            continue;
        }
        let text = |hole: &Hole| &prepared.printed.bytes[hole.start as usize..hole.end as usize];
        let mut edits = vec![
            Edit { start: a.start, end: a.end, text: text(b) },
            Edit { start: b.start, end: b.end, text: text(a) },
        ];
        let reach = if a.scaled || b.scaled { Reach::Nonlinear } else { Reach::Inside };
        if let Some(logic) = &ground.widened[reach as usize] {
            let renamed = |&(start, end): &(u32, u32)| Edit { start, end, text: logic.as_bytes() };
            edits.extend(ground.places.logic_names.iter().map(renamed));
        }
        return Some(splice(&prepared.printed.bytes, &mut edits));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignKey;
    use smtlib::Script;
    use std::collections::BTreeSet;

    const SCRIPT: &str = "(set-logic QF_SLIA)(declare-fun a () String)(declare-fun b () String)(declare-fun n () Int)\
        (assert (= (str.len a) 3))(assert (< n (str.to_int b)))(assert (str.prefixof \"ab\" a))(check-sat)";

    fn genome() -> Genome {
        Genome::of(&Script::parse(SCRIPT.as_bytes()).unwrap()).unwrap()
    }

    fn all(operator: Operator) -> Vec<Genome> {
        let rng = |unit| Rng::of(&CampaignKey("k".into()), "s", unit);
        let changed = |unit| apply(operator, &genome(), &Harvest::default(), &mut rng(unit));
        let all: Vec<Genome> = (0..60).filter_map(changed).collect();
        assert!(!all.is_empty(), "{operator:?} does nothing");
        all
    }

    #[test]
    fn a_new_variable_comes_with_an_assertion_that_uses_it() {
        for changed in all(Operator::NewVariable) {
            assert_eq!((changed.declarations.len(), changed.assertions.len()), (4, 4));
            let last = String::from_utf8(changed.assertions[3].clone()).unwrap();
            assert!(last.starts_with("(assert (= fresh0 ") && last != "(assert (= fresh0 fresh0))", "{last}");
        }
    }

    #[test]
    fn a_deleted_variable_leaves_one_of_each_sort() {
        for changed in all(Operator::DeleteVariable) {
            let names: Vec<_> = changed.declarations.iter().flat_map(|d| d.names.clone()).collect();
            assert!(names.contains(&b"n".to_vec()), "the only Int stays");
            assert_eq!(names.len(), 2);
        }
    }

    #[test]
    fn assertions_are_added_and_deleted_but_never_the_last_one() {
        assert!(all(Operator::AddAssertion).iter().all(|changed| changed.assertions.len() == 4));
        assert!(all(Operator::DeleteAssertion).iter().all(|changed| changed.assertions.len() == 2));
        let mut one = genome();
        one.assertions.truncate(1);
        let mut rng = Rng::of(&CampaignKey("k".into()), "s", 0);
        assert!(apply(Operator::DeleteAssertion, &one, &Harvest::default(), &mut rng).is_none());
    }

    #[test]
    fn literals_operators_and_nodes_change_and_the_rest_stays() {
        for operator in [Operator::FuzzLiteral, Operator::ReplaceOperator, Operator::ExchangeNodes] {
            let all = all(operator);
            assert!(all.iter().all(|changed| changed.declarations == genome().declarations));
            let texts: BTreeSet<Vec<u8>> = all.iter().map(Genome::text).collect();
            assert!(texts.len() > 2, "{operator:?}");
        }
    }

    #[test]
    fn literals_stay_literals_of_their_kind() {
        let mut rng = Rng::of(&CampaignKey("k".into()), "s", 0);
        for _ in 0..200 {
            assert_eq!(digits(b"#b0101", 2, b"01", &mut rng).len(), 6);
            let text = fuzz_string(b"\"a\"\"b\"", &mut rng);
            let script = [b"(assert (= ", &text[..], b" \"\"))(check-sat)"].concat();
            assert!(Script::parse(&script).is_ok(), "{}", String::from_utf8_lossy(&text));
            assert!(number(b"7", &mut rng).iter().all(u8::is_ascii_digit));
            assert!(decimal(b"1.50", &mut rng).contains(&b'.'));
        }
    }
}
