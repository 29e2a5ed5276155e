//! Names: variables replaced by a value, merged, and finally renamed to `a`, `b`, `c`.

use super::value;
use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::script::Command;
use smtlib::sort::Sort;
use smtlib::symbol::write_name;
use smtlib::term::{AttrValue, DeclId, Kind};
use std::collections::{BTreeMap, HashSet};

/// The declared constants.
pub fn constants(snapshot: &Snapshot) -> Vec<DeclId> {
    let each = |command: &Command| match command {
        Command::DeclareFun { decl, .. } if snapshot.pool().decl(*decl).params.is_empty() => Some(*decl),
        _ => None,
    };
    snapshot.script.commands.iter().filter_map(each).collect()
}

fn everywhere(snapshot: &Snapshot, decl: DeclId, text: &[u8]) -> Edit {
    let uses = snapshot.uses_of(decl);
    uses.into_iter().fold(Edit::default(), |edit, at| edit.and(snapshot.range(at), text))
}

/// Replaces each declared constant by a simple value, everywhere.
pub fn instantiate(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for decl in constants(snapshot) {
        let sort = snapshot.pool().decl(decl).result;
        let mut values = value::simple(snapshot.pool(), sort);
        // Many float bugs are about the sign of zero.
        if let Sort::Float { eb, sb } = snapshot.pool().sort(sort) {
            values.push(format!("(_ -zero {eb} {sb})").into_bytes());
        }
        edits.extend(values.iter().map(|value| everywhere(snapshot, decl, value)));
    }
    edits
}

/// Each equation between a declared constant and another term, as an assertion or a conjunct of one: replaces the
/// constant by the other side everywhere and removes the equation.
pub fn equations(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in (0..snapshot.places.len()).filter(|&at| is_stated(snapshot, at)) {
        let &[a, b] = &snapshot.children(at)[..] else { continue };
        for (constant, other) in [(a, b), (b, a)] {
            let Kind::Fun { decl, .. } = snapshot.kind(constant) else { continue };
            let is_constant = snapshot.pool().decl(decl).params.is_empty() && snapshot.is_leaf(constant);
            let uses = snapshot.uses_of(decl);
            let (equation, term) = (snapshot.range(at), snapshot.range(other));
            if !is_constant || uses.iter().any(|&at| term.contains(&snapshot.range(at).start)) {
                continue;
            }
            let gone = match snapshot.places[at].parent {
                u32::MAX => snapshot.command_range(snapshot.places[at].command as usize),
                _ => equation.clone(),
            };
            let elsewhere = uses.into_iter().map(|at| snapshot.range(at));
            let elsewhere = elsewhere.filter(|range| !equation.contains(&range.start));
            let edit = elsewhere.fold(Edit::default(), |edit, at| edit.and(at, snapshot.bytes(other)));
            if !edit.splices.is_empty() {
                edits.push(edit.and(gone, vec![]));
            }
        }
    }
    edits
}

/// Whether an equation is an assertion, or one of the conjuncts of one.
fn is_stated(snapshot: &Snapshot, at: usize) -> bool {
    let is =
        |at: usize, name: &str| matches!(snapshot.kind(at), Kind::Op { op, .. } if op.row().name == name);
    let is_root = |at: usize| snapshot.places[at].parent == u32::MAX;
    let parent = snapshot.places[at].parent as usize;
    is(at, "=") && (is_root(at) || is(parent, "and") && is_root(parent))
}

/// How many partners are tried for one name.
const PARTNERS: usize = 8;

/// Replaces each declared constant or function by an earlier one of the same rank, everywhere.
pub fn merge(snapshot: &Snapshot) -> Vec<Edit> {
    let pool = snapshot.pool();
    let mut seen: Vec<DeclId> = vec![];
    let mut edits = vec![];
    for command in &snapshot.script.commands {
        let Command::DeclareFun { decl, .. } = command else { continue };
        let this = pool.decl(*decl);
        let same = |other: &&DeclId| {
            let other = pool.decl(**other);
            other.params == this.params && other.result == this.result
        };
        for other in seen.iter().filter(same).take(PARTNERS) {
            let mut name = vec![];
            write_name(&mut name, pool.bytes(pool.decl(*other).name));
            let heads = snapshot.uses_of(*decl).into_iter().map(|at| snapshot.places[at]);
            edits.push(heads.fold(Edit::default(), |edit, place| {
                edit.and(place.head_start as usize..place.head_end as usize, name.clone())
            }));
        }
        seen.push(*decl);
    }
    edits
}

/// `a`, `b`, …, `z`, `a0`, `b0`, …
pub fn short_names() -> impl Iterator<Item = Vec<u8>> {
    let letters = || b'a'..=b'z';
    let longer = (0..1000).flat_map(move |n: u32| letters().map(move |c| format!("{}{n}", c as char)));
    letters().map(|c| vec![c]).chain(longer.map(String::into_bytes))
}

/// The names that the script itself introduces, in order of first appearance, with shorter ones.
fn renaming(snapshot: &Snapshot) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let own = own_names(snapshot);
    let ours = |name: &Vec<u8>| smtlib::theory::lookup(name).is_none();
    let (mut order, mut seen) = (vec![], HashSet::new());
    for (_, name) in symbols(&snapshot.text) {
        if own.contains(&name) && ours(&name) && seen.insert(name.clone()) {
            order.push(name);
        }
    }
    let foreign = |name: &Vec<u8>| !own.contains(name) && snapshot.pool().symbols.find(name).is_some();
    let mut fresh = short_names().filter(|name| !foreign(name) && ours(name));
    order.into_iter().map_while(|name| Some((name, fresh.next()?))).collect()
}

fn own_names(snapshot: &Snapshot) -> std::collections::BTreeSet<Vec<u8>> {
    let pool = snapshot.pool();
    let mut symbols: Vec<smtlib::symbol::Symbol> = pool.decls.iter().map(|decl| decl.name).collect();
    for decl in &pool.sort_decls {
        symbols.push(decl.name);
        symbols.extend(decl.datatype.iter().flat_map(|datatype| datatype.params.iter().copied()));
    }
    for at in 0..snapshot.places.len() {
        match snapshot.kind(at) {
            Kind::Var(name) => symbols.push(name),
            Kind::Let(binders) | Kind::Quant(_, binders) => {
                symbols.extend(pool.binder_list(binders).iter().map(|&(name, _)| name));
            }
            Kind::Annot(attrs) => {
                symbols.extend(pool.attr_list(attrs).iter().filter_map(|attr| match attr.value {
                    AttrValue::Name(decl) => Some(pool.decl(decl).name),
                    _ => None,
                }))
            }
            _ => {}
        }
    }
    for decl in &pool.decls {
        if let smtlib::term::Role::Defined { vars, .. } = decl.role {
            symbols.extend(pool.binder_list(vars).iter().map(|&(name, _)| name));
        }
    }
    symbols.into_iter().map(|symbol| pool.bytes(symbol).to_vec()).collect()
}

/// Where each symbol of a text is, and its name without bars.
fn symbols(text: &[u8]) -> Vec<(std::ops::Range<usize>, Vec<u8>)> {
    let mut found = vec![];
    let mut at = 0;
    while at < text.len() {
        let start = at;
        match text[at] {
            b'"' => {
                at += 1;
                while at < text.len() && (text[at] != b'"' || text.get(at + 1) == Some(&b'"')) {
                    at += if text[at] == b'"' { 2 } else { 1 };
                }
                at += 1;
            }
            b'|' => {
                at += 1 + text[at + 1..].iter().position(|&b| b == b'|').unwrap_or(text.len() - at - 1);
                found.push((start..at + 1, text[start + 1..at].to_vec()));
                at += 1;
            }
            b';' => at += text[at..].iter().position(|&b| b == b'\n').unwrap_or(text.len() - at),
            b'(' | b')' => at += 1,
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let ends = |b: &u8| b.is_ascii_whitespace() || b"()\"|;".contains(b);
                at += text[at..].iter().position(ends).unwrap_or(text.len() - at);
                found.push((start..at, text[start..at].to_vec()));
            }
        }
    }
    found
}

/// The whole script with short names.
pub fn shorten(snapshot: &Snapshot) -> Vec<u8> {
    let names = renaming(snapshot);
    let edits: Vec<Edit> = symbols(&snapshot.text)
        .into_iter()
        .filter_map(|(range, name)| Some(Edit::replace(range, names.get(&name)?.clone())))
        .collect();
    Edit::apply_all(&snapshot.text, &edits)
}

/// The script in a canonical spelling: short names, constants declared as functions, `1` for `1.0`. A candidate that
/// failed in one spelling need not be tried in another.
pub fn shape(snapshot: &Snapshot) -> Vec<u8> {
    let names = renaming(snapshot);
    let edits: Vec<Edit> = symbols(&snapshot.text)
        .into_iter()
        .filter_map(|(range, name)| {
            let other = names.get(&name).cloned().or_else(|| name.strip_suffix(b".0").map(<[u8]>::to_vec));
            Some(Edit::replace(range, other?))
        })
        .collect();
    let short = Edit::apply_all(&snapshot.text, &edits);
    let mut shape = Vec::with_capacity(short.len());
    for line in short.split_inclusive(|&byte| byte == b'\n') {
        let constant = line.strip_prefix(b"(declare-const ");
        match constant.and_then(|rest| Some(rest.split_at(rest.iter().position(|&byte| byte == b' ')?))) {
            Some((name, sort)) => shape.extend([b"(declare-fun ", name, b" ()", sort].concat()),
            None => shape.extend(line),
        }
    }
    shape
}

/// One name at a time, for bugs that depend on names.
pub fn shorten_each(snapshot: &Snapshot) -> Vec<Edit> {
    let places = symbols(&snapshot.text);
    let mut short = short_names().filter(|name| snapshot.pool().symbols.find(name).is_none());
    let long = renaming(snapshot).into_keys().filter(|name| name.len() > 1);
    long.filter_map(|name| {
        let other = short.next()?;
        let uses = places.iter().filter(|(_, n)| *n == name);
        Some(uses.fold(Edit::default(), |edit, (range, _)| edit.and(range.clone(), other.clone())))
    })
    .collect()
}
