//! Formula snippets over the terms of a seed, for live predicate injection.
//!
//! A snippet has three levels: at most two atoms under a connective, two terms under a predicate, two variables or
//! constants under a function. Operators come from the sort's row below, as far as the theory tables type them and the
//! seed's logic allows them; in a linear logic, one factor is a number. Snippets are well-sorted by construction.

use crate::Rng;
use crate::mutant::fit::{self, Admission};
use crate::mutant::logic::Reach;
use crate::mutant::places::Number;
use crate::weaken::formula::Node;
use crate::weaken::ground::Ground;
use smtlib::{Pool, Sort, SortId};

/// Predicates and functions of two arguments, by kind of sort.
const NUMBERS: [&[&str]; 2] = [&["<", "<=", ">", ">=", "=", "distinct"], &["+", "-", "*", "div", "mod", "/"]];
const WORDS: [&[&str]; 2] = [
    &["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "=", "distinct"],
    &["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvudiv", "bvurem"],
];
const FLOATS: [&[&str]; 2] = [
    &["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "=", "distinct"],
    &["fp.add", "fp.sub", "fp.mul", "fp.rem"],
];
const STRINGS: [&[&str]; 2] =
    [&["str.<", "str.<=", "str.prefixof", "str.suffixof", "str.contains", "=", "distinct"], &["str.++"]];
const SEQUENCES: [&[&str]; 2] =
    [&["seq.prefixof", "seq.suffixof", "seq.contains", "=", "distinct"], &["seq.++"]];
const OTHERS: [&[&str]; 2] = [&["=", "distinct"], &[]];

/// An operator of two arguments of one sort, possibly after a rounding mode.
struct Operator {
    name: &'static str,
    rounded: bool,
    /// The second argument must be a nonzero number.
    scaled: bool,
}

/// The material for snippets in one seed.
pub struct Snippets {
    rows: Vec<(SortId, Vec<Operator>, Vec<Operator>)>,
}

impl Snippets {
    pub fn of(pool: &Pool, ground: &Ground) -> Snippets {
        let mut pool = pool.clone();
        let mut sorts: Vec<SortId> = ground.donors_of.keys().copied().collect();
        sorts.sort_unstable();
        sorts.retain(|&sort| sort != SortId::BOOL && sort != SortId::REGLAN);
        let mut rows = vec![];
        for sort in sorts {
            let [predicates, functions] = table(&pool, sort);
            let mut admitted = |names: &[&'static str], result: SortId| -> Vec<Operator> {
                names.iter().filter_map(|name| operator(&mut pool, ground, name, sort, result)).collect()
            };
            let (predicates, functions) = (admitted(predicates, SortId::BOOL), admitted(functions, sort));
            if !predicates.is_empty() {
                rows.push((sort, predicates, functions));
            }
        }
        Snippets { rows }
    }

    /// A snippet for a place; `None` if nothing suitable is in scope there.
    pub fn write(&self, ground: &Ground, at: &Node, rng: &mut Rng) -> Option<Vec<u8>> {
        let mut pen = Pen { snippets: self, ground, at, out: vec![], rng };
        match pen.rng.below(6) {
            0 => pen.atom()?,
            1 => pen.connected("not", 1)?,
            n => pen.connected(["and", "or", "=>", "xor"][n - 2], 2)?,
        }
        Some(pen.out)
    }
}

fn table(pool: &Pool, sort: SortId) -> [&'static [&'static str]; 2] {
    match pool.sort(sort) {
        Sort::Int | Sort::Real => NUMBERS,
        Sort::BitVec(_) => WORDS,
        Sort::Float { .. } => FLOATS,
        Sort::String => STRINGS,
        Sort::Seq(_) => SEQUENCES,
        _ => OTHERS,
    }
}

/// An operator, if it accepts two terms of the sort and the logic allows it.
fn operator(
    pool: &mut Pool,
    ground: &Ground,
    name: &'static str,
    sort: SortId,
    result: SortId,
) -> Option<Operator> {
    for rounded in [false, true] {
        let args = if rounded { vec![SortId::ROUNDING_MODE, sort, sort] } else { vec![sort, sort] };
        let Some((op, found)) = fit::resolve(pool, name, &[], &args) else { continue };
        if found != result || Admission::default().admits(&ground.places, op.row()) != Some(Reach::Inside) {
            return None;
        }
        let linear = |second| fit::linear_reach(&ground.places.logic, op.row(), &[Number::Not, second]);
        return match (linear(Number::Not), linear(Number::Other)) {
            (Reach::Inside, _) => Some(Operator { name, rounded, scaled: false }),
            (_, Reach::Inside) => Some(Operator { name, rounded, scaled: true }),
            _ => None,
        };
    }
    None
}

struct Pen<'a> {
    snippets: &'a Snippets,
    ground: &'a Ground,
    at: &'a Node,
    out: Vec<u8>,
    rng: &'a mut Rng,
}

impl Pen<'_> {
    fn push(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    fn connected(&mut self, name: &str, atoms: usize) -> Option<()> {
        self.push(b"(");
        self.push(name.as_bytes());
        for _ in 0..atoms {
            self.push(b" ");
            self.atom()?;
        }
        self.push(b")");
        Some(())
    }

    /// Two terms under a predicate, or a formula of the seed.
    fn atom(&mut self) -> Option<()> {
        let snippets = self.snippets;
        if snippets.rows.is_empty() || self.rng.chance(1, 8) {
            return self.leaf(SortId::BOOL, false);
        }
        let (sort, predicates, functions) = self.rng.pick(&snippets.rows)?;
        let predicate = self.rng.pick(predicates)?;
        self.open(predicate);
        for _ in 0..2 {
            self.push(b" ");
            self.term(*sort, functions)?;
        }
        self.push(b")");
        Some(())
    }

    fn open(&mut self, operator: &Operator) {
        self.push(b"(");
        self.push(operator.name.as_bytes());
        if operator.rounded {
            let modes = ["RNE", "RNA", "RTP", "RTN", "RTZ"];
            self.push(b" ");
            let mode = modes[self.rng.below(modes.len())];
            self.push(mode.as_bytes());
        }
    }

    fn term(&mut self, sort: SortId, functions: &[Operator]) -> Option<()> {
        let function = if self.rng.chance(1, 2) { self.rng.pick(functions) } else { None };
        let Some(function) = function else { return self.leaf(sort, false) };
        self.open(function);
        self.push(b" ");
        self.leaf(sort, false)?;
        self.push(b" ");
        self.leaf(sort, function.scaled)?;
        self.push(b")");
        Some(())
    }

    /// A term of the seed that is in scope, or a literal.
    fn leaf(&mut self, sort: SortId, number: bool) -> Option<()> {
        let ground = self.ground;
        let donors = ground.donors_of.get(&sort).map_or(&[][..], Vec::as_slice);
        let env = &ground.places.envs[self.at.env as usize];
        for _ in 0..if number { 0 } else { 8 } {
            let Some(&n) = self.rng.pick(donors) else { break };
            let donor = &ground.donors[n as usize];
            if donor.fits(env, self.at.command) {
                let text = ground.formula.text(donor.occurrence);
                self.out.extend_from_slice(text);
                return Some(());
            }
        }
        let literals = ground.literals.get(&sort)?;
        for _ in 0..8 {
            let literal = self.rng.pick(literals)?;
            let zero = crate::mutant::places::is_zero(&literal.text);
            if literal.life.covers(self.at.command) && !(number && zero) {
                self.push(&literal.text);
                return Some(());
            }
        }
        None
    }
}
