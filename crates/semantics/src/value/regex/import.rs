//! Converts terms to nodes of the arena and back.
//!
//! Nested concatenations, unions and intersections are flattened into one list before they are built, so that a tree
//! of a hundred thousand levels costs no more than a flat one. Sharing can make such a list exponentially long; then
//! the nodes are built pair by pair instead. A term under `re.reverse` is read backwards, which every operator allows.

use super::pool::{ALL, ALL_CHAR, EPSILON, Id, NONE, Node, RegexPool, StepLimit};
use super::{Regex, RegexKind};
use crate::value::text::Text;
use rustc_hash::FxHashMap;

impl RegexPool {
    /// The node for a term, cached by the term's address.
    pub(super) fn import(&mut self, regex: &Regex) -> Result<Id, StepLimit> {
        if let Some(&id) = self.imported.get(&(regex.address(), false)) {
            return Ok(id);
        }
        // This comes first: an address may be cached only while its term is alive.
        self.kept.push(regex.clone());
        let mut pending = vec![(regex, false)];
        while let Some(&(top, backwards)) = pending.last() {
            let key = (top.address(), backwards);
            if self.imported.contains_key(&key) {
                pending.pop();
                continue;
            }
            let leaves = leaves(top);
            self.charge(1 + leaves.len())?;
            let below = backwards ^ (top.kind() == &RegexKind::Reverse);
            let before = pending.len();
            for leaf in &leaves {
                let word = matches!(leaf.kind(), RegexKind::Word(_));
                if !word && !self.imported.contains_key(&(leaf.address(), below)) {
                    pending.push((leaf, below));
                }
            }
            if pending.len() == before {
                let id = self.build(top.kind(), &leaves, below)?;
                self.imported.insert(key, id);
                pending.pop();
            }
        }
        Ok(self.imported[&(regex.address(), false)])
    }

    /// One node from operands that have been imported already (except words).
    fn build(&mut self, kind: &RegexKind, leaves: &[&Regex], backwards: bool) -> Result<Id, StepLimit> {
        if *kind == RegexKind::Concat {
            return self.build_concat(leaves, backwards);
        }
        let mut ids = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            ids.push(match leaf.kind() {
                RegexKind::Word(word) => self.word(word, backwards, EPSILON)?,
                _ => self.imported[&(leaf.address(), backwards)],
            });
        }
        let first = ids.first().copied().unwrap_or(NONE);
        Ok(match *kind {
            RegexKind::None => NONE,
            RegexKind::All => ALL,
            RegexKind::AllChar => ALL_CHAR,
            RegexKind::Word(ref word) => self.word(word, backwards, EPSILON)?,
            RegexKind::Range(lo, hi) => self.class(vec![(lo, hi)]),
            RegexKind::Concat | RegexKind::Reverse => first,
            RegexKind::Union => self.union(ids),
            RegexKind::Inter => self.inter(ids),
            RegexKind::Diff => {
                for id in &mut ids[1..] {
                    *id = self.comp(*id);
                }
                self.inter(ids)
            }
            RegexKind::Comp => self.comp(first),
            RegexKind::Star => self.star(first),
            RegexKind::Plus => {
                let star = self.star(first);
                if self.nullable(first) { star } else { self.concat(first, star) }
            }
            RegexKind::Opt => self.union(vec![first, EPSILON]),
            RegexKind::Power(n) => self.repeat(first, n, n),
            RegexKind::Loop(lo, hi) => self.repeat(first, lo, hi),
        })
    }

    fn build_concat(&mut self, leaves: &[&Regex], backwards: bool) -> Result<Id, StepLimit> {
        let mut out = EPSILON;
        for i in 0..leaves.len() {
            let leaf = leaves[if backwards { i } else { leaves.len() - 1 - i }];
            out = match leaf.kind() {
                RegexKind::Word(word) => self.word(word, backwards, out)?,
                _ => {
                    let id = self.imported[&(leaf.address(), backwards)];
                    self.concat(id, out)
                }
            };
        }
        Ok(out)
    }

    /// The word, then `rest`.
    fn word(&mut self, word: &Text, backwards: bool, rest: Id) -> Result<Id, StepLimit> {
        let codes = word.codes();
        self.charge(codes.len())?;
        let mut out = rest;
        for i in 0..codes.len() {
            let c = codes[if backwards { i } else { codes.len() - 1 - i }];
            let letter = self.class(vec![(c, c)]);
            out = self.concat(letter, out);
        }
        Ok(out)
    }

    /// A term for a node.
    pub(super) fn export(&mut self, id: Id) -> Result<Regex, StepLimit> {
        let mut done: FxHashMap<Id, Regex> = FxHashMap::default();
        let mut pending = vec![id];
        while let Some(&top) = pending.last() {
            if done.contains_key(&top) {
                pending.pop();
                continue;
            }
            let kids: Vec<Id> = match self.node(top) {
                Node::None | Node::Epsilon | Node::Class(_) => vec![],
                Node::Concat(l, r) => vec![*l, *r],
                Node::Union(kids) | Node::Inter(kids) => kids.to_vec(),
                Node::Star(r) | Node::Loop(r, ..) | Node::Comp(r) => vec![*r],
            };
            self.charge(1 + kids.len())?;
            let before = pending.len();
            pending.extend(kids.iter().filter(|kid| !done.contains_key(kid)));
            if pending.len() == before {
                let terms: Vec<Regex> = kids.iter().map(|kid| done[kid].clone()).collect();
                done.insert(top, self.term(top, &terms));
                pending.pop();
            }
        }
        Ok(done[&id].clone())
    }

    fn term(&self, id: Id, kids: &[Regex]) -> Regex {
        match self.node(id) {
            _ if id == ALL => Regex::all(),
            Node::None => Regex::none(),
            Node::Epsilon => Regex::word(Text::default()),
            Node::Class(ranges) => Regex::class(ranges),
            Node::Concat(..) => Regex::concat(kids),
            Node::Union(_) => Regex::union(kids),
            Node::Inter(_) => Regex::inter(kids),
            Node::Star(_) => kids[0].star(),
            Node::Loop(_, lo, hi) => kids[0].repeat(*lo, *hi),
            Node::Comp(_) => kids[0].comp(),
        }
    }
}

/// The operands, with nested nodes of the same associative operator flattened.
fn leaves(regex: &Regex) -> Vec<&Regex> {
    if !regex.opens() {
        return regex.operands().iter().collect();
    }
    let mut out = Vec::new();
    let mut pending: Vec<&Regex> = regex.operands().iter().rev().collect();
    while let Some(next) = pending.pop() {
        if next.kind() == regex.kind() {
            pending.extend(next.operands().iter().rev());
        } else {
            out.push(next);
        }
    }
    out
}
