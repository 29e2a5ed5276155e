//! The applications that can be grown: operators with sorts for their arguments, by result sort.
//!
//! The rows of the tables are used in the other direction: instead of checking given arguments, sorts of the seed are
//! tried for each argument. A sort that follows from earlier arguments is computed, not searched, so few attempts are
//! wasted.

use crate::mutant::fit::{self, could_be};
use crate::mutant::logic::Reach;
use crate::mutant::places::{Number, Places};
use rustc_hash::FxHashMap;
use smtlib::term::Index;
use smtlib::theory::row::IndexVar;
use smtlib::theory::{self, Assoc, OpId, Pat, Row, rank};
use smtlib::{Pool, Sort, SortId};

/// Maximum number of applications of one row with one number of arguments.
const PER_ROW: usize = 48;

/// An application to grow.
#[derive(Clone, Debug)]
pub struct Production {
    pub op: OpId,
    /// The operator as it is written, with its indices.
    pub head: Box<[u8]>,
    pub indices: Box<[Index]>,
    pub args: Box<[SortId]>,
    pub reach: Reach,
    /// In a linear logic: the arguments that must be literal numbers.
    pub numbers: Box<[bool]>,
}

/// All productions over these sorts, by result.
pub fn productions(
    pool: &mut Pool,
    places: &Places,
    sorts: &[SortId],
    admitted: &[Option<Reach>],
) -> FxHashMap<SortId, Vec<Production>> {
    let mut search = Search {
        numbers: numbers(pool, sorts),
        formats: formats(pool, sorts),
        pool,
        places,
        sorts,
        found: FxHashMap::default(),
        here: 0,
    };
    for (n, row) in theory::rows().iter().enumerate() {
        if let Some(reach) = admitted[n] {
            search.row(OpId(n as u16), row, reach);
        }
    }
    search.found
}

/// Widths, and differences of widths, for indices.
fn numbers(pool: &Pool, sorts: &[SortId]) -> Vec<u64> {
    let widths: Vec<u64> = sorts
        .iter()
        .filter_map(|&sort| if let Sort::BitVec(w) = *pool.sort(sort) { Some(u64::from(w)) } else { None })
        .take(5)
        .collect();
    let mut numbers = widths.clone();
    numbers.extend(widths.iter().map(|width| width - 1));
    for a in &widths {
        numbers.extend(widths.iter().filter(|b| *b < a).map(|b| a - b));
    }
    numbers.extend([0, 1, 2, 3]);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn formats(pool: &Pool, sorts: &[SortId]) -> Vec<(u64, u64)> {
    let format = |&sort: &SortId| match *pool.sort(sort) {
        Sort::Float { eb, sb } => Some((u64::from(eb), u64::from(sb))),
        _ => None,
    };
    sorts.iter().filter_map(format).collect()
}

struct Search<'a> {
    pool: &'a mut Pool,
    places: &'a Places,
    sorts: &'a [SortId],
    numbers: Vec<u64>,
    formats: Vec<(u64, u64)>,
    found: FxHashMap<SortId, Vec<Production>>,
    /// Number of productions found for the current row.
    here: usize,
}

impl Search<'_> {
    fn row(&mut self, op: OpId, row: &'static Row, reach: Reach) {
        if !self.sorts.iter().any(|&sort| could_be(self.pool, &row.result, sort)) {
            return;
        }
        let counts: &[usize] = match row.assoc {
            Assoc::Fixed => &[row.args.len()],
            _ => &[2, 3],
        };
        for &count in counts.iter().filter(|&&count| row.takes(count)) {
            self.here = 0;
            for indices in self.indices(row) {
                let mut sorts = vec![SortId::BOOL; count];
                self.fill(op, row, &indices, &mut sorts, 0, reach);
            }
        }
    }

    fn indices(&self, row: &Row) -> Vec<Vec<Index>> {
        let list = |numbers: &[u64]| numbers.iter().map(|&n| Index::Num(n)).collect::<Vec<_>>();
        let wide = row.args.iter().chain([&row.result]).any(|p| matches!(p, Pat::BitVec(_)));
        let numbers: &[u64] = if wide { &self.numbers } else { &[0, 1, 2, 3] };
        match row.indices.len() {
            0 => vec![vec![]],
            _ if row.args.is_empty() => vec![],
            2 if matches!(row.result, Pat::Float(..)) => {
                self.formats.iter().map(|&(eb, sb)| list(&[eb, sb])).collect()
            }
            1 => numbers.iter().map(|&n| list(&[n])).collect(),
            2 => numbers.iter().flat_map(|&i| numbers.iter().map(move |&j| list(&[i, j]))).collect(),
            _ => vec![],
        }
    }

    fn fill(
        &mut self,
        op: OpId,
        row: &'static Row,
        indices: &[Index],
        sorts: &mut Vec<SortId>,
        n: usize,
        reach: Reach,
    ) {
        if self.here >= PER_ROW {
            return;
        }
        if n == sorts.len() {
            return self.finish(op, row, indices, sorts, reach);
        }
        let pattern = row.arg_pattern(n, sorts.len());
        match rank::expected(self.pool, row, indices, sorts, n) {
            Some(sort) => {
                if self.sorts.contains(&sort) {
                    sorts[n] = sort;
                    self.fill(op, row, indices, sorts, n + 1, reach);
                }
            }
            None => {
                for m in 0..self.sorts.len() {
                    let sort = self.sorts[m];
                    let exact = !matches!(pattern, Pat::Real) || sort == SortId::REAL;
                    if exact && could_be(self.pool, pattern, sort) {
                        sorts[n] = sort;
                        self.fill(op, row, indices, sorts, n + 1, reach);
                    }
                }
            }
        }
    }

    fn finish(&mut self, op: OpId, row: &'static Row, indices: &[Index], sorts: &[SortId], reach: Reach) {
        let Some((found, result)) = fit::resolve(self.pool, row.name, indices, sorts) else { return };
        if found != op || !self.sorts.contains(&result) {
            return;
        }
        let Some(head) = fit::head_text(row.name, indices) else { return };
        let mut add = |reach: Reach, numbers: Vec<bool>| {
            let production = Production {
                op,
                head: head.clone().into(),
                indices: indices.into(),
                args: sorts.into(),
                reach,
                numbers: numbers.into(),
            };
            self.found.entry(result).or_default().push(production);
            self.here += 1;
        };
        let free = vec![false; sorts.len()];
        let compared = sorts.iter().any(|&sort| sort == SortId::INT || sort == SortId::REAL);
        if self.places.logic.is_difference() && compared {
            return add(reach.max(Reach::Nonlinear), free);
        }
        match fit::linear_reach(&self.places.logic, row, &vec![Number::Not; sorts.len()]) {
            Reach::Inside => add(reach, free),
            beyond => {
                add(reach.max(beyond), free);
                // To stay linear, all arguments except the first or the last must be numbers.
                let kept = if row.name == "*" { sorts.len() - 1 } else { 0 };
                add(reach, (0..sorts.len()).map(|n| n != kept).collect());
            }
        }
    }
}

/// Whether a row can be grown at all, for the list of operators.
pub fn is_grown(row: &Row) -> bool {
    let numerals = row.indices.iter().all(|index| matches!(index, IndexVar::Num(_)));
    fit::is_writable(row) && numerals && (row.indices.is_empty() || !row.args.is_empty())
}
