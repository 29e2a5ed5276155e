//! Questions about whole languages: emptiness, equality, a shortest member, lists of members.
//!
//! The derivatives of an expression are the states of an automaton that need not be built in advance: a breadth-first
//! search visits them as needed, shortest words first, trying one character per class of characters. Every search
//! ends, because there are finitely many states; a search that would take too long ends with `StepLimit`.

use super::Regex;
use super::pool::{ALL, Id, NONE, Node, RegexPool, StepLimit};
use crate::value::text::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

impl RegexPool {
    /// Whether the language has no member at all.
    pub fn is_empty(&mut self, regex: &Regex) -> Result<bool, StepLimit> {
        self.begin();
        let start = self.import(regex)?;
        let found = self
            .search(start, |pool, state| pool.nullable(state) || (pool.positive(state) && state != NONE))?;
        Ok(found.is_none())
    }

    /// A shortest member, or `None` if the language is empty.
    pub fn sample(&mut self, regex: &Regex) -> Result<Option<Text>, StepLimit> {
        self.begin();
        let start = self.import(regex)?;
        self.search(start, |pool, state| pool.nullable(state))
    }

    /// A shortest word that is in exactly one of the two languages; `None` when they are equal.
    pub fn difference(&mut self, a: &Regex, b: &Regex) -> Result<Option<Text>, StepLimit> {
        self.begin();
        let start = (self.import(a)?, self.import(b)?);
        self.walk(
            start,
            |pool, &(a, b)| pool.nullable(a) != pool.nullable(b),
            |_, &(a, b)| a == b,
            |pool, &(a, b)| pool.representatives(&[a, b]),
            |pool, &(a, b), c| Ok((pool.derive(a, c)?, pool.derive(b, c)?)),
        )
    }

    /// `=` on RegLan: whether the two terms denote one language.
    pub fn equal(&mut self, a: &Regex, b: &Regex) -> Result<bool, StepLimit> {
        Ok(self.difference(a, b)?.is_none())
    }

    /// Whether every member of `a` is a member of `b`.
    pub fn subset(&mut self, a: &Regex, b: &Regex) -> Result<bool, StepLimit> {
        self.is_empty(&a.diff(std::slice::from_ref(b)))
    }

    fn search(
        &mut self,
        start: Id,
        goal: impl Fn(&RegexPool, Id) -> bool,
    ) -> Result<Option<Text>, StepLimit> {
        self.walk(
            start,
            |pool, &state| goal(pool, state),
            |_, &state| state == NONE,
            |pool, &state| pool.representatives(&[state]),
            |pool, &state, c| pool.derive(state, c),
        )
    }

    /// Breadth-first search from `start` to a state with `goal` that does not pass through a `dead` state; returns the
    /// word that leads there.
    fn walk<S: Copy + Eq + Hash>(
        &mut self,
        start: S,
        goal: impl Fn(&RegexPool, &S) -> bool,
        dead: impl Fn(&RegexPool, &S) -> bool,
        letters: impl Fn(&mut RegexPool, &S) -> Result<Vec<u32>, StepLimit>,
        step: impl Fn(&mut RegexPool, &S, u32) -> Result<S, StepLimit>,
    ) -> Result<Option<Text>, StepLimit> {
        // Each state with the index in this list that it was reached from, and the character.
        let mut reached = vec![(start, 0, 0)];
        let mut seen = FxHashSet::from_iter([start]);
        let mut next = 0;
        while let Some(&(state, ..)) = reached.get(next) {
            if goal(self, &state) {
                return Ok(Some(spell(&reached, next)));
            }
            if !dead(self, &state) {
                for c in letters(self, &state)? {
                    let after = step(self, &state, c)?;
                    if seen.insert(after) {
                        reached.push((after, next, c));
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// One character for each class of characters that the expression distinguishes, at any position: a property of
    /// members over all characters can be checked on these.
    pub fn alphabet(&mut self, regex: &Regex) -> Result<Vec<u32>, StepLimit> {
        self.begin();
        let root = self.import(regex)?;
        let mut seen = FxHashSet::from_iter([root]);
        let mut pending = vec![root];
        let mut classes = Vec::new();
        while let Some(id) = pending.pop() {
            let kids: Vec<Id> = match self.node(id) {
                Node::None | Node::Epsilon => vec![],
                Node::Class(_) => {
                    classes.push(id);
                    vec![]
                }
                Node::Concat(l, r) => vec![*l, *r],
                Node::Union(kids) | Node::Inter(kids) => kids.to_vec(),
                Node::Star(r) | Node::Loop(r, ..) | Node::Comp(r) => vec![*r],
            };
            self.charge(1 + kids.len())?;
            pending.extend(kids.into_iter().filter(|&kid| seen.insert(kid)));
        }
        classes.sort_unstable();
        self.split(&classes)
    }

    /// The members over `alphabet` of at most `longest` characters, shortest first, then in the
    /// order of `alphabet`; at most `most` of them.
    pub fn members(
        &mut self,
        regex: &Regex,
        alphabet: &[u32],
        longest: usize,
        most: usize,
    ) -> Result<Vec<Text>, StepLimit> {
        self.begin();
        let start = self.import(regex)?;
        let mut out = Vec::new();
        let mut alive: FxHashMap<Id, bool> = FxHashMap::default();
        let mut level: Vec<(Vec<u32>, Id)> = vec![(vec![], start)];
        for length in 0..=longest {
            for (word, state) in &level {
                if out.len() == most {
                    return Ok(out);
                }
                if self.nullable(*state) {
                    out.extend(Text::try_from_codes(word.clone()));
                }
            }
            if length == longest {
                break;
            }
            level = self.longer(level, alphabet, &mut alive)?;
        }
        Ok(out)
    }

    /// Extends every word of the level by every character, as far as it can still become a member.
    fn longer(
        &mut self,
        level: Vec<(Vec<u32>, Id)>,
        alphabet: &[u32],
        alive: &mut FxHashMap<Id, bool>,
    ) -> Result<Vec<(Vec<u32>, Id)>, StepLimit> {
        let mut out = Vec::new();
        for (word, state) in level {
            for &c in alphabet {
                let after = self.derive(state, c)?;
                let lives = match alive.get(&after) {
                    Some(&known) => known,
                    None => {
                        let goal = |pool: &RegexPool, s| {
                            s == ALL || pool.nullable(s) || (pool.positive(s) && s != NONE)
                        };
                        let found = self.search(after, goal)?.is_some();
                        alive.insert(after, found);
                        found
                    }
                };
                if lives {
                    self.charge(word.len())?;
                    let mut longer = word.clone();
                    longer.push(c);
                    out.push((longer, after));
                }
            }
        }
        Ok(out)
    }
}

/// The characters on the path to an index in the list.
fn spell<S>(reached: &[(S, usize, u32)], mut place: usize) -> Text {
    let mut codes = Vec::new();
    while place != 0 {
        let (_, from, c) = reached[place];
        codes.push(c);
        place = from;
    }
    codes.reverse();
    Text::from_codes(codes)
}
