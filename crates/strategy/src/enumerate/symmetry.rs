//! Skips formulas that are equivalent to an earlier one.
//!
//! In: the stream's current derivation. Out: whether it is the first of its kind. Two formulas are
//! of one kind when they differ only in the names of interchangeable variables and in the order of
//! the two arguments of commutative operators (`commutative.txt`).
//!
//! Why skipping is right: a formula is skipped only if a concrete equivalent derivation of the
//! *same grammar and size* comes earlier in the order, so the earliest of each kind is always
//! kept and "all formulas up to size k" stays true of what remains. Renaming maps the language to
//! itself because a variable rule counts only if its names are declared in every script, with one
//! sort, and occur nowhere else in the grammar; swapping does because both arguments come from
//! the same rule. Anything that this file does not recognise (bound variables, n-ary applications, variables spread
//! over several rules) is not used. Then fewer formulas are skipped, but never a wrong one.
//!
//! How: a derivation is compared as the sequence of its decisions (size and alternative of each
//! node in preorder), whose lexicographic order is the enumeration's order. For each renaming of
//! the variables in use, the sequence is copied, renamed, and its commutative pairs are sorted
//! from the leaves up; the result is the earliest formula that this renaming can reach. If it
//! comes before the formula itself, the formula is skipped. Cost: a pass per renaming; a formula
//! whose variables do not occur in order fails before the first.

use std::collections::BTreeMap;

use super::grammar::{Grammar, Symbol};
use super::stream::{Frame, Stream};
use super::tree::Tree;
use super::words::words;

/// Operators whose last two arguments commute, one per line with the number of arguments before.
const COMMUTATIVE: &str = include_str!("../../grammars/commutative.txt");

/// With more variables in use, only exchanges of two neighbours are tried instead of all renamings. This is still
/// correct but skips fewer formulas.
const ALL_RENAMINGS: usize = 5;

/// Which two arguments may be exchanged.
#[derive(Debug, Clone, Default)]
struct Pair {
    /// The slot of the first of the two arguments.
    first: u32,
    /// The slot of the operator, and which of its alternatives commute. `None` if the operator is part of the text;
    /// then it commutes.
    operator: Option<(u32, Vec<bool>)>,
}

/// What is interchangeable in one grammar, and buffers for the work.
#[derive(Debug, Clone)]
pub struct Symmetry {
    /// Per rule: how many interchangeable variables it lists (0: none).
    variables: Vec<u32>,
    /// Per rule, per alternative.
    pairs: Vec<Vec<Option<Pair>>>,
    ends: Vec<u32>,
    original: Vec<Decision>,
    changed: Vec<Decision>,
    swaps: Vec<(u32, u32, u32)>,
}

type Decision = (u32, u32);

impl Symmetry {
    /// Finds what is interchangeable. `tree` must be compiled from `grammar`.
    #[must_use]
    pub fn of(grammar: &Grammar, tree: &Tree) -> Symmetry {
        let commutative: BTreeMap<&str, usize> = COMMUTATIVE
            .lines()
            .filter_map(|line| line.split('#').next())
            .filter_map(|line| {
                let mut fields = line.split_whitespace();
                Some((fields.next()?, fields.next().and_then(|n| n.parse().ok()).unwrap_or(0)))
            })
            .collect();
        let by_name: BTreeMap<&str, usize> =
            grammar.rules.iter().enumerate().map(|(number, rule)| (rule.name.as_str(), number)).collect();
        let declared = Declarations::of(grammar);
        let (mut variables, mut pairs) = (Vec::new(), Vec::new());
        for rule in &tree.rules {
            let source = by_name[rule.name.as_str()];
            let count = if declared.interchangeable(grammar, source) { rule.alternatives.len() } else { 0 };
            variables.push(u32::try_from(count).unwrap_or(0));
            let alternatives = grammar.rules[source].alternatives.iter();
            pairs.push(alternatives.map(|symbols| pair(grammar, symbols, &commutative)).collect());
        }
        Symmetry {
            variables,
            pairs,
            ends: Vec::new(),
            original: Vec::new(),
            changed: Vec::new(),
            swaps: Vec::new(),
        }
    }

    /// How many variable classes and how many commutative constructors were recognised.
    #[must_use]
    pub fn recognised(&self) -> (usize, usize) {
        let classes = self.variables.iter().filter(|&&count| count > 1).count();
        (classes, self.pairs.iter().flatten().filter(|pair| pair.is_some()).count())
    }

    /// Whether no equivalent formula comes before the stream's current one.
    pub fn is_first(&mut self, stream: &Stream<'_>) -> bool {
        let frames = stream.frames();
        let used = match self.variables_in_order(frames) {
            Some(used) => used,
            None => return false,
        };
        self.original.clear();
        self.original.extend(frames.iter().map(|frame| (frame.size, frame.alternative)));
        self.find_swaps(frames);
        let mut renamings = Renamings::of(&used);
        loop {
            if self.reaches_earlier(frames, &renamings) {
                return false;
            }
            if !renamings.next() {
                return true;
            }
        }
    }

    /// For each variable rule, how many variables are in use; `None` if they do not first occur
    /// in order, in which case renaming them by first occurrence gives an earlier formula.
    fn variables_in_order(&self, frames: &[Frame]) -> Option<Vec<(u32, u32)>> {
        let mut used: Vec<(u32, u32)> = Vec::new();
        for frame in frames.iter().filter(|frame| self.variables[frame.rule as usize] > 1) {
            let place = used.iter().position(|(rule, _)| *rule == frame.rule).unwrap_or_else(|| {
                used.push((frame.rule, 0));
                used.len() - 1
            });
            let seen = &mut used[place].1;
            match frame.alternative.cmp(seen) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => *seen += 1,
                std::cmp::Ordering::Greater => return None,
            }
        }
        Some(used)
    }

    /// Collects the exchangeable ranges (first argument, second argument, end), innermost first.
    fn find_swaps(&mut self, frames: &[Frame]) {
        self.swaps.clear();
        self.ends.clear();
        self.ends.extend(1..=frames.len() as u32);
        for number in (1..frames.len()).rev() {
            let parent = frames[number].parent as usize;
            self.ends[parent] = self.ends[parent].max(self.ends[number]);
        }
        for number in (1..frames.len()).rev() {
            let frame = &frames[number];
            let parent = &frames[frame.parent as usize];
            let Some(pair) = &self.pairs[parent.rule as usize][parent.alternative as usize] else { continue };
            if pair.first != frame.slot || !commutes(pair, frames, number) {
                continue;
            }
            let middle = self.ends[number];
            self.swaps.push((number as u32, middle, self.ends[middle as usize]));
        }
    }

    /// Whether this renaming, followed by the best order of all pairs, gives an earlier formula.
    fn reaches_earlier(&mut self, frames: &[Frame], renamings: &Renamings) -> bool {
        self.changed.clear();
        self.changed.extend_from_slice(&self.original);
        if !renamings.identity() {
            for (decision, frame) in self.changed.iter_mut().zip(frames) {
                if self.variables[frame.rule as usize] > 1 {
                    decision.1 = renamings.rename(frame.rule, decision.1);
                }
            }
        }
        for &(begin, middle, end) in &self.swaps {
            let range = &mut self.changed[begin as usize..end as usize];
            let (left, right) = range.split_at((middle - begin) as usize);
            if left > right {
                range.rotate_left((middle - begin) as usize);
            }
        }
        self.changed < self.original
    }
}

/// Whether the operator chosen beside this first argument commutes.
fn commutes(pair: &Pair, frames: &[Frame], first: usize) -> bool {
    let Some((slot, which)) = &pair.operator else { return true };
    let parent = frames[first].parent;
    let operator = frames[parent as usize + 1..first].iter().find(|f| f.parent == parent && f.slot == *slot);
    operator.is_some_and(|frame| which[frame.alternative as usize])
}

/// All combinations of renamings of the variables in use, rule by rule.
struct Renamings {
    rules: Vec<(u32, Vec<u32>)>,
    first: bool,
    exchanges: Option<usize>,
}

impl Renamings {
    fn of(used: &[(u32, u32)]) -> Renamings {
        let rules: Vec<(u32, Vec<u32>)> =
            used.iter().map(|&(rule, count)| (rule, (0..count).collect())).collect();
        let total: usize = rules.iter().map(|(_, names)| names.len()).sum();
        let exchanges = (total > ALL_RENAMINGS).then_some(0);
        Renamings { rules, first: true, exchanges }
    }

    fn identity(&self) -> bool {
        self.first
    }

    fn rename(&self, rule: u32, variable: u32) -> u32 {
        let names = self.rules.iter().find(|(known, _)| *known == rule);
        names.map_or(variable, |(_, names)| names[variable as usize])
    }

    /// Moves to the next combination; false after the last.
    fn next(&mut self) -> bool {
        self.first = false;
        match self.exchanges {
            Some(number) => self.next_exchange(number),
            None => self.rules.iter_mut().any(|(_, names)| next_permutation(names)),
        }
    }

    fn next_exchange(&mut self, mut number: usize) -> bool {
        self.exchanges = Some(number + 1);
        for (_, names) in &mut self.rules {
            names.sort_unstable();
        }
        for (_, names) in &mut self.rules {
            let pairs = names.len().saturating_sub(1);
            if number < pairs {
                names.swap(number, number + 1);
                return true;
            }
            number -= pairs;
        }
        false
    }
}

/// The next permutation in lexicographic order; after the last one, goes back to the first and returns false.
fn next_permutation(names: &mut [u32]) -> bool {
    let Some(pivot) = names.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        names.reverse();
        return false;
    };
    let successor = names.iter().rposition(|&name| name > names[pivot]).unwrap_or(pivot);
    names.swap(pivot, successor);
    names[pivot + 1..].reverse();
    true
}

/// One item of an alternative: a word of its text or a child.
enum Item<'g> {
    Word(&'g str),
    Child(u32, usize),
}

/// Recognises `( op before… X X )` with a commutative `op` and the same rule X twice.
fn pair(grammar: &Grammar, symbols: &[Symbol], commutative: &BTreeMap<&str, usize>) -> Option<Pair> {
    let mut items = Vec::new();
    let mut slot = 0;
    for symbol in symbols {
        match symbol {
            Symbol::Text(text) => items.extend(words(text).map(Item::Word)),
            Symbol::Rule(rule) => {
                items.push(Item::Child(slot, *rule));
                slot += 1;
            }
        }
    }
    let means = |item: &Item<'_>, word: &str| match item {
        Item::Word(found) => *found == word,
        Item::Child(_, rule) => alternatives_as_words(grammar, *rule).is_some_and(|all| all == [word]),
    };
    let [open, operator, before @ .., Item::Child(first, left), Item::Child(_, right), close] =
        items.as_slice()
    else {
        return None;
    };
    if left != right || !means(open, "(") || !means(close, ")") {
        return None;
    }
    let known = |word: &str| commutative.get(word) == Some(&before.len());
    match operator {
        Item::Word(word) => known(word).then_some(Pair { first: *first, operator: None }),
        Item::Child(slot, rule) => {
            let which: Vec<bool> = alternatives_as_words(grammar, *rule)?.into_iter().map(known).collect();
            which.contains(&true).then_some(Pair { first: *first, operator: Some((*slot, which)) })
        }
    }
}

/// The alternatives of a rule of which each is one word.
fn alternatives_as_words(grammar: &Grammar, rule: usize) -> Option<Vec<&str>> {
    let alternatives = grammar.rules[rule].alternatives.iter();
    let single = alternatives.map(|symbols| match symbols.as_slice() {
        [Symbol::Text(text)] => {
            let mut all = words(text);
            let word = all.next()?;
            all.next().is_none().then_some(word)
        }
        _ => None,
    });
    single.collect()
}

/// Which names every script of the grammar declares, and where else names occur.
struct Declarations<'g> {
    sorts: BTreeMap<&'g str, Vec<&'g str>>,
    /// Words outside declarations, with the rule they occur in.
    elsewhere: Vec<(&'g str, usize)>,
}

impl<'g> Declarations<'g> {
    fn of(grammar: &'g Grammar) -> Declarations<'g> {
        let always = always(grammar);
        let mut found = Declarations { sorts: BTreeMap::new(), elsewhere: Vec::new() };
        for (number, rule) in grammar.rules.iter().enumerate() {
            for symbol in rule.alternatives.iter().flatten() {
                if let Symbol::Text(text) = symbol {
                    found.read(text, number, always[number]);
                }
            }
        }
        found
    }

    fn read(&mut self, text: &'g str, rule: usize, always: bool) {
        let all: Vec<&str> = words(text).collect();
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let (name, sort, after) = match rest {
                ["(", "declare-const", name, after @ ..]
                | ["(", "declare-fun", name, "(", ")", after @ ..] => {
                    let (sort, after) = one_term(after);
                    (Some(*name), sort, after)
                }
                _ => (None, &[][..], &rest[1..]),
            };
            match (name, after) {
                (Some(name), [")", after @ ..])
                    if always && !sort.is_empty() && !self.sorts.contains_key(name) =>
                {
                    self.sorts.insert(name, sort.to_vec());
                    self.elsewhere.extend(sort.iter().map(|word| (*word, rule)));
                    rest = after;
                }
                _ => {
                    self.elsewhere.push((rest[0], rule));
                    rest = &rest[1..];
                }
            }
        }
    }

    /// Whether a rule lists variables that may be renamed into each other.
    fn interchangeable(&self, grammar: &Grammar, rule: usize) -> bool {
        let Some(names) = alternatives_as_words(grammar, rule) else { return false };
        let sorts: Vec<_> = names.iter().map(|name| self.sorts.get(name)).collect();
        let same =
            sorts.first().is_some_and(|first| first.is_some() && sorts.iter().all(|sort| sort == first));
        same && !self.elsewhere.iter().any(|(word, other)| *other != rule && names.contains(word))
    }
}

/// Splits off one s-expression.
fn one_term<'w, 'g>(all: &'w [&'g str]) -> (&'w [&'g str], &'w [&'g str]) {
    let mut depth = 0usize;
    for (place, word) in all.iter().enumerate() {
        match *word {
            "(" => depth += 1,
            ")" if depth == 0 => return all.split_at(place),
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return all.split_at(place + 1);
        }
    }
    (&[], all)
}

/// Rules that occur in every derivation: reached from `start` through single alternatives.
fn always(grammar: &Grammar) -> Vec<bool> {
    let mut always = vec![false; grammar.rules.len()];
    let mut open = vec![grammar.start];
    while let Some(rule) = open.pop() {
        if let ([only], false) = (grammar.rules[rule].alternatives.as_slice(), always[rule]) {
            always[rule] = true;
            open.extend(only.iter().filter_map(|symbol| match symbol {
                Symbol::Rule(next) => Some(*next),
                Symbol::Text(_) => None,
            }));
        }
    }
    always
}
