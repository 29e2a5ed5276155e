//! Compiles a context-free grammar to a regular tree grammar.
//!
//! In: a [`Grammar`]. Out: a [`Tree`]: per rule its alternatives, per alternative the child rules
//! and the ready-made text around them, and the [`TreePlan`] by which everything is counted.
//!
//! **Size** is that of Winterer's thesis (section 7.3): every production that contains a
//! nonterminal gets a constructor and costs one; a production of terminals only costs nothing.
//! So `(assert false)` in the Core grammar has size 4 (start, declarations, assert, term),
//! another constant or variable does not change that, and each operator adds one. Since every
//! step of a recursion pays, each size holds finitely many derivations.
//!
//! Enumeration is of derivations, so a grammar in which a rule derives itself without adding text
//! would list one formula infinitely often: that is refused here, as is a rule that never ends.
//! An ambiguous grammar is not refused (the question is undecidable); it repeats formulas.

use std::collections::BTreeMap;

use super::error::GrammarError;
use super::grammar::{Grammar, Symbol};
use super::words;

/// How a script's commands are separated. This never changes indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One command per line: for people and for files.
    Lines,
    /// The whole script on one line: for pipes.
    OneLine,
}

/// The compiled grammar.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The grammar's name.
    pub name: String,
    /// All rules that `start` reaches.
    pub rules: Vec<TreeRule>,
    /// The root.
    pub start: usize,
    /// How to count.
    pub plan: TreePlan,
    /// The largest size, if the language is finite.
    pub largest: Option<usize>,
}

/// One rule of the tree grammar.
#[derive(Debug, Clone)]
pub struct TreeRule {
    /// Its name.
    pub name: String,
    /// Its constructors.
    pub alternatives: Vec<Alternative>,
    /// Its row in the counting plan; `None` for an atom: a rule of terminals only, which always
    /// has size 0.
    pub series: Option<usize>,
}

/// One constructor.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// Child rules, left to right.
    pub children: Vec<usize>,
    /// Text before, between and after the children: one more than there are children.
    pub pieces: Vec<String>,
    /// For each child position (and the end): how the children from there on are counted.
    pub suffixes: Vec<Factor>,
}

/// A count of the form `scale × series[size]`; without a series, `scale` at size 0 only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    /// Combinations of the atoms.
    pub scale: u64,
    /// The row that counts the other children.
    pub series: Option<usize>,
}

/// How to count: first one row per rule, then rows for products.
#[derive(Debug, Clone, Default)]
pub struct TreePlan {
    /// Rows that are sums over a rule's alternatives.
    pub sums: Vec<Sum>,
    /// Rows that are products `left × right`; row number = number of sums + position. The right
    /// row is a sum or an earlier product.
    pub products: Vec<(usize, usize)>,
    /// The smallest size with a count above zero, per row.
    pub least: Vec<usize>,
}

/// One rule's row.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    /// How many alternatives are terminals only (size 0).
    pub terminals: u64,
    /// The others; each is shifted by the one it costs.
    pub terms: Vec<Factor>,
}

impl Alternative {
    /// What this constructor adds to the size.
    #[must_use]
    pub fn cost(&self) -> usize {
        usize::from(!self.children.is_empty())
    }
}

impl Tree {
    /// Checks and compiles a grammar.
    pub fn compile(grammar: &Grammar, layout: Layout) -> Result<Tree, GrammarError> {
        let reachable = reachable(grammar);
        refuse_endless(grammar, &reachable)?;
        refuse_chains(grammar, &reachable)?;
        let largest = largest(grammar, &reachable)?;
        let joints = Joints::of(grammar, layout);
        let number: BTreeMap<usize, usize> =
            reachable.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let mut rules: Vec<TreeRule> = Vec::with_capacity(reachable.len());
        let mut sums = 0;
        for &old in &reachable {
            let rule = &grammar.rules[old];
            let alternatives: Vec<Alternative> =
                rule.alternatives.iter().map(|symbols| joints.alternative(old, symbols, &number)).collect();
            let atom = alternatives.iter().all(|a| a.children.is_empty());
            let series = (!atom).then(|| {
                sums += 1;
                sums - 1
            });
            rules.push(TreeRule { name: rule.name.clone(), alternatives, series });
        }
        let plan = Planner::new(sums).plan(&mut rules)?;
        Ok(Tree { name: grammar.name.clone(), rules, start: number[&grammar.start], plan, largest })
    }
}

fn children(symbols: &[Symbol]) -> impl Iterator<Item = usize> {
    symbols.iter().filter_map(|symbol| match symbol {
        Symbol::Rule(number) => Some(*number),
        Symbol::Text(_) => None,
    })
}

/// Rules that `start` can reach, in file order.
fn reachable(grammar: &Grammar) -> Vec<usize> {
    let mut seen = vec![false; grammar.rules.len()];
    let mut open = vec![grammar.start];
    while let Some(rule) = open.pop() {
        if !std::mem::replace(&mut seen[rule], true) {
            open.extend(grammar.rules[rule].alternatives.iter().flat_map(|a| children(a)));
        }
    }
    (0..grammar.rules.len()).filter(|&rule| seen[rule]).collect()
}

/// The rules for which `holds` follows, in the least fixpoint of "some alternative's symbols all hold".
fn some_alternative(grammar: &Grammar, text: impl Fn(&str) -> bool) -> Vec<bool> {
    let mut holds = vec![false; grammar.rules.len()];
    loop {
        let mut changed = false;
        for (number, rule) in grammar.rules.iter().enumerate() {
            let now = holds[number]
                || rule.alternatives.iter().any(|a| {
                    a.iter().all(|symbol| match symbol {
                        Symbol::Text(t) => text(t),
                        Symbol::Rule(r) => holds[*r],
                    })
                });
            changed |= now != holds[number];
            holds[number] = now;
        }
        if !changed {
            return holds;
        }
    }
}

fn refuse_endless(grammar: &Grammar, reachable: &[usize]) -> Result<(), GrammarError> {
    let ends = some_alternative(grammar, |_| true);
    match reachable.iter().find(|&&rule| !ends[rule]) {
        None => Ok(()),
        Some(&rule) => {
            let rule = &grammar.rules[rule];
            Err(GrammarError::Endless { at: rule.at, name: rule.name.clone() })
        }
    }
}

/// Refuses a rule that derives itself while everything around it derives the empty text.
fn refuse_chains(grammar: &Grammar, reachable: &[usize]) -> Result<(), GrammarError> {
    let empty = some_alternative(grammar, |text| text.trim().is_empty());
    let vanishes = |symbol: &Symbol| match symbol {
        Symbol::Text(text) => text.trim().is_empty(),
        Symbol::Rule(rule) => empty[*rule],
    };
    let steps = |rule: usize| -> Vec<usize> {
        let alternatives = grammar.rules[rule].alternatives.iter();
        let unit = alternatives.flat_map(|a| {
            a.iter().enumerate().filter_map(move |(place, symbol)| match symbol {
                Symbol::Rule(next) if a.iter().enumerate().all(|(i, s)| i == place || vanishes(s)) => {
                    Some(*next)
                }
                _ => None,
            })
        });
        unit.collect()
    };
    let Some(cycle) = find_cycle(grammar.rules.len(), reachable, steps) else { return Ok(()) };
    let names: Vec<&str> = cycle.iter().map(|&rule| grammar.rules[rule].name.as_str()).collect();
    Err(GrammarError::InfiniteChain { at: grammar.rules[cycle[0]].at, chain: names.join(" -> ") })
}

/// A cycle of `steps`, its first rule repeated at the end; found by depth-first search with an
/// explicit stack.
fn find_cycle(rules: usize, roots: &[usize], steps: impl Fn(usize) -> Vec<usize>) -> Option<Vec<usize>> {
    let mut done = vec![false; rules];
    for &root in roots {
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        if !done[root] {
            path.push((root, steps(root)));
        }
        while let Some((rule, open)) = path.last_mut() {
            let rule = *rule;
            let Some(next) = open.pop() else {
                done[rule] = true;
                path.pop();
                continue;
            };
            if let Some(begin) = path.iter().position(|(seen, _)| *seen == next) {
                let cycle = path[begin..].iter().map(|(rule, _)| *rule).chain([next]);
                return Some(cycle.collect());
            }
            if !done[next] {
                path.push((next, steps(next)));
            }
        }
    }
    None
}

/// The largest size of the language, or `None` if some rule recurs.
fn largest(grammar: &Grammar, reachable: &[usize]) -> Result<Option<usize>, GrammarError> {
    let steps = |rule: usize| grammar.rules[rule].alternatives.iter().flat_map(|a| children(a)).collect();
    if find_cycle(grammar.rules.len(), reachable, steps).is_some() {
        return Ok(None);
    }
    let mut size: Vec<Option<usize>> = vec![None; grammar.rules.len()];
    let mut open = vec![grammar.start];
    while let Some(&rule) = open.last() {
        let missing: Vec<usize> = steps(rule).into_iter().filter(|&child| size[child].is_none()).collect();
        if missing.is_empty() {
            let sizes = grammar.rules[rule].alternatives.iter().map(|a| {
                let below: usize = children(a).filter_map(|child| size[child]).sum();
                below.saturating_add(usize::from(children(a).next().is_some()))
            });
            size[rule] = sizes.max();
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    Ok(size[grammar.start])
}

/// Decides what goes between two symbols: nothing beside a parenthesis, a line break between
/// commands, else a blank.
struct Joints<'g> {
    grammar: &'g Grammar,
    opens: Vec<bool>,
    closes: Vec<bool>,
    top: Vec<bool>,
    layout: Layout,
}

impl<'g> Joints<'g> {
    fn of(grammar: &'g Grammar, layout: Layout) -> Joints<'g> {
        let all = |edge: fn(&[Symbol]) -> Option<&str>, matches: fn(&str) -> bool| -> Vec<bool> {
            let rules = grammar.rules.iter();
            rules.map(|r| r.alternatives.iter().all(|a| edge(a).is_some_and(matches))).collect()
        };
        let opens = all(|a| a.last().and_then(text_of), |t| t.ends_with('('));
        let closes = all(|a| a.first().and_then(text_of), |t| t.starts_with(')'));
        let mut joints = Joints { grammar, opens, closes, top: vec![false; grammar.rules.len()], layout };
        joints.find_top();
        joints
    }

    /// Marks the rules that occur outside all parentheses: sequences of commands.
    fn find_top(&mut self) {
        let mut open = vec![self.grammar.start];
        while let Some(rule) = open.pop() {
            if std::mem::replace(&mut self.top[rule], true) {
                continue;
            }
            for symbols in &self.grammar.rules[rule].alternatives {
                let mut depth = 0;
                for symbol in symbols {
                    if let (0, Symbol::Rule(next)) = (depth, symbol) {
                        open.push(*next);
                    }
                    depth += self.depth(symbol);
                }
            }
        }
    }

    fn depth(&self, symbol: &Symbol) -> isize {
        match symbol {
            Symbol::Text(text) => words::balance(text),
            Symbol::Rule(rule) => match self.grammar.rules[*rule].alternatives.first().map(Vec::as_slice) {
                Some([Symbol::Text(text)]) => words::balance(text),
                _ => 0,
            },
        }
    }

    fn joint(&self, rule: usize, depth: isize, left: &Symbol, right: &Symbol) -> &'static str {
        let opens = match left {
            Symbol::Text(text) => text.is_empty() || text.ends_with('('),
            Symbol::Rule(rule) => self.opens[*rule],
        };
        let closes = match right {
            Symbol::Text(text) => text.is_empty() || text.starts_with(')'),
            Symbol::Rule(rule) => self.closes[*rule],
        };
        match () {
            () if opens || closes => "",
            () if self.top[rule] && depth == 0 && self.layout == Layout::Lines => "\n",
            () => " ",
        }
    }

    fn alternative(&self, rule: usize, symbols: &[Symbol], number: &BTreeMap<usize, usize>) -> Alternative {
        let (mut pieces, mut found, mut depth) = (vec![String::new()], Vec::new(), 0);
        for (place, symbol) in symbols.iter().enumerate() {
            let mut text = String::new();
            if place > 0 {
                text.push_str(self.joint(rule, depth, &symbols[place - 1], symbol));
            }
            match symbol {
                Symbol::Text(terminal) => text.push_str(terminal),
                Symbol::Rule(_) => {}
            }
            if let Some(last) = pieces.last_mut() {
                last.push_str(&text);
            }
            if let Symbol::Rule(child) = symbol {
                found.push(number[child]);
                pieces.push(String::new());
            }
            depth += self.depth(symbol);
        }
        Alternative { children: found, pieces, suffixes: Vec::new() }
    }
}

fn text_of(symbol: &Symbol) -> Option<&str> {
    match symbol {
        Symbol::Text(text) => Some(text),
        Symbol::Rule(_) => None,
    }
}

/// Builds the plan, sharing a product row among all alternatives that end in the same children.
struct Planner {
    sums: usize,
    products: Vec<(usize, usize)>,
    known: BTreeMap<(usize, usize), usize>,
}

impl Planner {
    fn new(sums: usize) -> Planner {
        Planner { sums, products: Vec::new(), known: BTreeMap::new() }
    }

    fn plan(mut self, rules: &mut [TreeRule]) -> Result<TreePlan, GrammarError> {
        let shapes: Vec<(Option<usize>, u64)> =
            rules.iter().map(|rule| (rule.series, rule.alternatives.len() as u64)).collect();
        let mut sums = vec![Sum::default(); self.sums];
        for rule in rules.iter_mut() {
            for alternative in &mut rule.alternatives {
                let wide = || GrammarError::TooWide { name: rule.name.clone() };
                alternative.suffixes = self.suffixes(&alternative.children, &shapes).ok_or_else(wide)?;
                let Some(row) = rule.series else { continue };
                match alternative.children.is_empty() {
                    true => sums[row].terminals += 1,
                    false => sums[row].terms.push(alternative.suffixes[0]),
                }
            }
        }
        let mut plan = TreePlan { sums, products: self.products, least: Vec::new() };
        plan.find_least();
        Ok(plan)
    }

    fn suffixes(&mut self, children: &[usize], shapes: &[(Option<usize>, u64)]) -> Option<Vec<Factor>> {
        let mut factors = vec![Factor { scale: 1, series: None }];
        for &child in children.iter().rev() {
            let rest = factors[factors.len() - 1];
            factors.push(match (shapes[child], rest.series) {
                ((None, count), series) => Factor { scale: rest.scale.checked_mul(count)?, series },
                ((Some(row), _), None) => Factor { scale: rest.scale, series: Some(row) },
                ((Some(row), _), Some(series)) => {
                    Factor { scale: rest.scale, series: Some(self.product(row, series)) }
                }
            });
        }
        factors.reverse();
        Some(factors)
    }

    fn product(&mut self, left: usize, right: usize) -> usize {
        let next = self.sums + self.products.len();
        let row = *self.known.entry((left, right)).or_insert(next);
        if row == next {
            self.products.push((left, right));
        }
        row
    }
}

impl TreePlan {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.sums.len() + self.products.len()
    }

    /// The least size of a factor.
    #[must_use]
    pub fn least_of(&self, factor: Factor) -> usize {
        factor.series.map_or(0, |row| self.least[row])
    }

    fn find_least(&mut self) {
        self.least = vec![usize::MAX; self.rows()];
        loop {
            let before = self.least.clone();
            for row in 0..self.sums.len() {
                let sum = &self.sums[row];
                let terms = sum.terms.iter().map(|&term| self.least_of(term).saturating_add(1)).min();
                let least = if sum.terminals > 0 { 0 } else { terms.unwrap_or(usize::MAX) };
                self.least[row] = least;
            }
            for (place, &(left, right)) in self.products.iter().enumerate() {
                self.least[self.sums.len() + place] = self.least[left].saturating_add(self.least[right]);
            }
            if before == self.least {
                return;
            }
        }
    }
}
