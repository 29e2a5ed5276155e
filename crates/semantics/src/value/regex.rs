//! `Regex`: a value of sort RegLan, and the questions that can be asked about it.
//!
//! A `Regex` is the ground term as written: an immutable tree with shared parts, cheap to clone, safe to send between
//! threads, printable as SMT-LIB. `==` and `Hash` compare that *term*; two different terms may denote one language,
//! and only `RegexPool::equal` decides that.
//!
//! A `RegexPool` answers the questions: it is an arena where terms are normalised and hash-consed, and where
//! Brzozowski derivatives are computed and cached. Each question has a budget of steps; when it runs out the answer is
//! the error `StepLimit` and never a guess. Terms may be nested as deeply as memory allows: building, comparing,
//! printing, deriving and dropping use no recursion.

mod derive;
mod import;
mod pool;
mod replace;
mod search;

pub use pool::{RegexPool, StepLimit};
pub use replace::ReplaceError;

use super::int::Int;
use super::text::{MAX_CHAR, Text};
use rustc_hash::{FxHashSet, FxHasher};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The kind of a node of the term; its operands are stored separately.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegexKind {
    None,
    All,
    AllChar,
    Word(Text),
    /// Two code points in order, both included.
    Range(u32, u32),
    Concat,
    Union,
    Inter,
    /// The first operand without all the others.
    Diff,
    Comp,
    Star,
    Plus,
    Opt,
    Power(u64),
    /// At least, at most.
    Loop(u64, u64),
    /// z3's `re.reverse`.
    Reverse,
}

struct Node {
    kind: RegexKind,
    kids: Vec<Regex>,
    hash: u64,
    /// The number of nodes of the term, shared ones counted each time; saturates.
    weight: u64,
    /// The number of operands of this node after flattening nested nodes of the same operator; saturates, because
    /// sharing can make it exponential.
    flat: u64,
    /// The nesting depth of such nodes.
    nesting: u64,
}

/// A regular language as a term. See the head of this file.
#[derive(Clone)]
pub struct Regex(Arc<Node>);

impl Regex {
    fn new(kind: RegexKind, kids: Vec<Regex>) -> Regex {
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        kids.iter().for_each(|kid| hasher.write_u64(kid.0.hash));
        let (mut flat, mut nesting) = (0u64, 0);
        let mut weight = match &kind {
            RegexKind::Word(word) => 1 + word.len() as u64 / 2,
            _ => 1,
        };
        for Regex(kid) in &kids {
            weight = weight.saturating_add(kid.weight);
            let same = kid.kind == kind;
            flat = flat.saturating_add(if same { kid.flat } else { 1 });
            nesting = nesting.max(if same { kid.nesting + 1 } else { 0 });
        }
        let hash = hasher.finish();
        Regex(Arc::new(Node { kind, kids, hash, weight, flat, nesting }))
    }

    /// `re.none`.
    pub fn none() -> Regex {
        Regex::new(RegexKind::None, vec![])
    }

    /// `re.all`.
    pub fn all() -> Regex {
        Regex::new(RegexKind::All, vec![])
    }

    /// `re.allchar`.
    pub fn all_char() -> Regex {
        Regex::new(RegexKind::AllChar, vec![])
    }

    /// `str.to_re`.
    pub fn word(word: Text) -> Regex {
        Regex::new(RegexKind::Word(word), vec![])
    }

    /// `re.range`: empty unless both are single characters in order.
    pub fn range(from: &Text, to: &Text) -> Regex {
        match (from.single(), to.single()) {
            (Some(lo), Some(hi)) if lo <= hi => Regex::new(RegexKind::Range(lo, hi), vec![]),
            _ => Regex::none(),
        }
    }

    fn many(kind: RegexKind, kids: &[Regex], unit: fn() -> Regex) -> Regex {
        match kids {
            [] => unit(),
            [only] => only.clone(),
            _ => Regex::new(kind, kids.to_vec()),
        }
    }

    /// `re.++`.
    pub fn concat(parts: &[Regex]) -> Regex {
        Regex::many(RegexKind::Concat, parts, || Regex::word(Text::default()))
    }

    /// `re.union`.
    pub fn union(parts: &[Regex]) -> Regex {
        Regex::many(RegexKind::Union, parts, Regex::none)
    }

    /// `re.inter`.
    pub fn inter(parts: &[Regex]) -> Regex {
        Regex::many(RegexKind::Inter, parts, Regex::all)
    }

    /// `re.diff`, left-associative: `self` without each of `others`.
    pub fn diff(&self, others: &[Regex]) -> Regex {
        let mut kids = vec![self.clone()];
        kids.extend_from_slice(others);
        Regex::many(RegexKind::Diff, &kids, Regex::none)
    }

    /// z3's `re.xor`: in exactly one of the two.
    pub fn xor(&self, other: &Regex) -> Regex {
        let from_ref = std::slice::from_ref;
        Regex::union(&[self.diff(from_ref(other)), other.diff(from_ref(self))])
    }

    /// `re.comp`.
    pub fn comp(&self) -> Regex {
        Regex::new(RegexKind::Comp, vec![self.clone()])
    }

    /// `re.*`.
    pub fn star(&self) -> Regex {
        Regex::new(RegexKind::Star, vec![self.clone()])
    }

    /// `re.+`.
    pub fn plus(&self) -> Regex {
        Regex::new(RegexKind::Plus, vec![self.clone()])
    }

    /// `re.opt`.
    pub fn opt(&self) -> Regex {
        Regex::new(RegexKind::Opt, vec![self.clone()])
    }

    /// `(_ re.^ n)`.
    pub fn power(&self, n: u64) -> Regex {
        Regex::new(RegexKind::Power(n), vec![self.clone()])
    }

    /// `(_ re.loop lo hi)`: empty when `lo > hi`.
    pub fn repeat(&self, lo: u64, hi: u64) -> Regex {
        Regex::new(RegexKind::Loop(lo, hi), vec![self.clone()])
    }

    /// z3's `(_ re.loop lo)`: `lo` times or more.
    pub fn at_least(&self, lo: u64) -> Regex {
        Regex::concat(&[self.power(lo), self.star()])
    }

    /// The old forms `(re.loop r lo hi)` and `(re.loop r lo)`, whose bounds are terms. `None` for a negative bound,
    /// which is undefined, and for one that is too large for our counters.
    pub fn repeat_ints(&self, lo: &Int, hi: Option<&Int>) -> Option<Regex> {
        let lo = lo.to_u64()?;
        Some(match hi {
            Some(hi) => self.repeat(lo, hi.to_u64()?),
            None => self.at_least(lo),
        })
    }

    /// z3's `re.reverse`.
    pub fn reverse(&self) -> Regex {
        Regex::new(RegexKind::Reverse, vec![self.clone()])
    }

    /// One character out of sorted, disjoint ranges.
    pub(crate) fn class(ranges: &[(u32, u32)]) -> Regex {
        let parts: Vec<Regex> = ranges
            .iter()
            .map(|&(lo, hi)| match (lo, hi) {
                (0, MAX_CHAR) => Regex::all_char(),
                _ => Regex::new(RegexKind::Range(lo, hi), vec![]),
            })
            .collect();
        Regex::union(&parts)
    }

    pub fn kind(&self) -> &RegexKind {
        &self.0.kind
    }

    pub fn operands(&self) -> &[Regex] {
        &self.0.kids
    }

    /// The number of nodes of the term, shared ones counted each time; saturates.
    pub fn weight(&self) -> u64 {
        self.0.weight
    }

    /// An order of terms, which is unrelated to their languages. Visits each pair of nodes once.
    pub fn structural_order(&self, other: &Regex) -> Ordering {
        let mut seen = FxHashSet::default();
        let mut pending = vec![(self, other)];
        while let Some((a, b)) = pending.pop() {
            if a.address() == b.address() || !seen.insert((a.address(), b.address())) {
                continue;
            }
            let order = (a.0.weight, a.0.hash, &a.0.kind, a.0.kids.len()).cmp(&(
                b.0.weight,
                b.0.hash,
                &b.0.kind,
                b.0.kids.len(),
            ));
            if order.is_ne() {
                return order;
            }
            pending.extend(a.0.kids.iter().zip(&b.0.kids).rev());
        }
        Ordering::Equal
    }

    fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Whether flattening the operands is worthwhile: they are nested deeply, but flattening does not create many more
    /// operands than there are nodes.
    fn opens(&self) -> bool {
        let node = &self.0;
        let room = 256 + 2 * node.kids.len() as u64 + 32 * node.nesting;
        matches!(node.kind, RegexKind::Concat | RegexKind::Union | RegexKind::Inter) && node.flat <= room
    }
}

/// Drops the whole tree with a list instead of the call stack.
impl Drop for Node {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.kids);
        while let Some(Regex(node)) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                pending.append(&mut node.kids);
            }
        }
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.0.hash == other.0.hash && self.structural_order(other).is_eq()
    }
}

impl Eq for Regex {}

impl Hash for Regex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The term in SMT-LIB.
impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Pending output, in reverse order; `None` closes a parenthesis.
        let mut pending = vec![Some(self)];
        let mut space = false;
        while let Some(next) = pending.pop() {
            let Some(regex) = next else {
                f.write_str(")")?;
                continue;
            };
            if space {
                f.write_str(" ")?;
            }
            space = true;
            if regex.0.kids.is_empty() {
                regex.0.kind.write_leaf(f)?;
            } else {
                f.write_str("(")?;
                regex.0.kind.write_operator(f)?;
                pending.push(None);
                pending.extend(regex.0.kids.iter().rev().map(Some));
            }
        }
        Ok(())
    }
}

impl RegexKind {
    fn write_leaf(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegexKind::Word(word) => write!(f, "(str.to_re {word})"),
            RegexKind::Range(lo, hi) => {
                let (lo, hi) = (Text::from_code((*lo).into()), Text::from_code((*hi).into()));
                write!(f, "(re.range {lo} {hi})")
            }
            other => other.write_operator(f),
        }
    }

    fn write_operator(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RegexKind::None => "re.none",
            RegexKind::All => "re.all",
            RegexKind::AllChar => "re.allchar",
            RegexKind::Word(_) => "str.to_re",
            RegexKind::Range(..) => "re.range",
            RegexKind::Concat => "re.++",
            RegexKind::Union => "re.union",
            RegexKind::Inter => "re.inter",
            RegexKind::Diff => "re.diff",
            RegexKind::Comp => "re.comp",
            RegexKind::Star => "re.*",
            RegexKind::Plus => "re.+",
            RegexKind::Opt => "re.opt",
            RegexKind::Reverse => "re.reverse",
            RegexKind::Power(n) => return write!(f, "(_ re.^ {n})"),
            RegexKind::Loop(lo, hi) => return write!(f, "(_ re.loop {lo} {hi})"),
        })
    }
}
