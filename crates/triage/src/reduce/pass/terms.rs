//! Terms: replaced by a value, a subterm, a constant; arguments dropped; nested operators flattened.

use super::value;
use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::Sort;
use smtlib::script::Command;
use smtlib::symbol::write_name;
use smtlib::term::Kind;
use smtlib::theory::Assoc;
use std::collections::BTreeMap;

/// How many subterms of one term are tried.
const SUBTERMS: usize = 24;

/// The compound terms of a level. Of lets inside each other only the outermost counts, and the innermost body.
fn at_level(snapshot: &Snapshot, level: u32) -> impl Iterator<Item = usize> + '_ {
    let levels = snapshot.levels();
    let counts = |at: usize| !(snapshot.is_leaf(at) || is_let(snapshot, at) && snapshot.is_body(at));
    (0..snapshot.places.len()).filter(move |&at| levels[at] == level && counts(at))
}

fn is_let(snapshot: &Snapshot, at: usize) -> bool {
    matches!(snapshot.kind(at), Kind::Let(_))
}

/// Replaces every compound term of a level by the n-th simple value of its sort.
pub fn defaults(snapshot: &Snapshot, level: u32, n: usize) -> Vec<Edit> {
    let edit = |at| {
        let value = value::simple(snapshot.pool(), snapshot.sort(at)).into_iter().nth(n)?;
        Some(Edit::replace(snapshot.range(at), value))
    };
    at_level(snapshot, level).filter_map(edit).collect()
}

/// Replaces every assertion by `false`, all at once: if one is enough, all are, and the next round keeps one.
pub fn contradiction(snapshot: &Snapshot) -> Vec<Edit> {
    let edit = at_level(snapshot, 0)
        .filter(|&at| is_assertion(snapshot, at))
        .fold(Edit::default(), |edit, at| edit.and(snapshot.range(at), *b"false"));
    if edit.splices.is_empty() { vec![] } else { vec![edit] }
}

/// Replaces every compound term of a level by the nearest terms of its sort inside it.
pub fn subterms(snapshot: &Snapshot, level: u32) -> Vec<Edit> {
    at_level(snapshot, level).flat_map(|at| replace_by(snapshot, at, nearest(snapshot, at))).collect()
}

/// Replaces every compound term by any term of its sort inside it.
pub fn far_subterms(snapshot: &Snapshot) -> Vec<Edit> {
    let all = |at: usize| {
        let sort = snapshot.sort(at);
        let near = nearest(snapshot, at);
        let far = (at + 1..snapshot.after(at))
            .filter(move |&other| snapshot.sort(other) == sort && !near.contains(&other));
        far.take(SUBTERMS).collect::<Vec<_>>()
    };
    compound(snapshot).flat_map(|at| replace_by(snapshot, at, all(at))).collect()
}

fn is_assertion(snapshot: &Snapshot, at: usize) -> bool {
    let command = &snapshot.script.commands[snapshot.places[at].command as usize];
    snapshot.is_top(at) && matches!(command, Command::Assert(_))
}

fn compound(snapshot: &Snapshot) -> impl Iterator<Item = usize> + '_ {
    (0..snapshot.places.len()).filter(|&at| !snapshot.is_leaf(at))
}

fn replace_by(snapshot: &Snapshot, at: usize, others: Vec<usize>) -> Vec<Edit> {
    replace_all_by(snapshot, &[at], others)
}

/// Replaces some places at once by the text of each of the others.
fn replace_all_by(snapshot: &Snapshot, places: &[usize], others: Vec<usize>) -> Vec<Edit> {
    let mut texts: Vec<&[u8]> = vec![];
    for other in others {
        if !texts.contains(&snapshot.bytes(other)) {
            texts.push(snapshot.bytes(other));
        }
    }
    let everywhere =
        |text| places.iter().fold(Edit::default(), |edit, &at| edit.and(snapshot.range(at), text));
    texts.into_iter().map(everywhere).collect()
}

/// Places inside that have the same sort, none inside another. The body of a `let` needs its variables.
fn nearest(snapshot: &Snapshot, at: usize) -> Vec<usize> {
    let sort = snapshot.sort(at);
    let mut found = vec![];
    let mut next = at + 1;
    while next < snapshot.after(at) && found.len() < SUBTERMS {
        if snapshot.sort(next) == sort && !snapshot.is_body(next) {
            found.push(next);
            next = snapshot.after(next);
        } else {
            next += 1;
        }
    }
    found
}

/// Arguments of operators that take any number.
pub fn drop_arguments(snapshot: &Snapshot, level: u32) -> Vec<Edit> {
    let mut edits = vec![];
    for at in at_level(snapshot, level) {
        let Kind::Op { op, .. } = snapshot.kind(at) else { continue };
        let children = snapshot.children(at);
        if op.row().assoc == Assoc::Fixed || children.len() <= 2 {
            continue;
        }
        // Including the blank before it.
        edits.extend(children.iter().map(|&child| {
            let range = snapshot.range(child);
            Edit::delete(range.start - 1..range.end)
        }));
    }
    edits
}

/// `(and (and p q) r)` to `(and p q r)`.
pub fn flatten(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in compound(snapshot) {
        let parent = snapshot.places[at].parent as usize;
        let (Kind::Op { op, .. }, true) = (snapshot.kind(at), parent < snapshot.places.len()) else {
            continue;
        };
        let chains = matches!(op.row().assoc, Assoc::Left | Assoc::Right | Assoc::Chainable);
        if !chains || !matches!(snapshot.kind(parent), Kind::Op { op: outer, .. } if outer == op) {
            continue;
        }
        let children = snapshot.children(at);
        if let (Some(&first), Some(&last)) = (children.first(), children.last()) {
            let inside = snapshot.range(first).start..snapshot.range(last).end;
            edits.push(Edit::replace(snapshot.range(at), &snapshot.text[inside]));
        }
    }
    edits
}

/// Replaces every relation between terms of one sort by equality, or by a strict one: shorter, and triggers of one bug
/// that differ in an irrelevant relation are reduced to one form.
pub fn equate(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in compound(snapshot).filter(|&at| snapshot.sort(at) == smtlib::SortId::BOOL) {
        let children = snapshot.children(at);
        let Some((&first, rest)) = children.split_first() else { continue };
        let alike =
            !rest.is_empty() && rest.iter().all(|&other| snapshot.sort(other) == snapshot.sort(first));
        let head = snapshot.places[at].head_start as usize..snapshot.places[at].head_end as usize;
        if alike && matches!(snapshot.kind(at), Kind::Op { .. }) && head.len() > 1 {
            edits.push(Edit::replace(head.clone(), *b"="));
        }
        // A sort with only two values: one of them is enough if any is.
        let bit = matches!(snapshot.pool().sort(snapshot.sort(first)), Sort::BitVec(1));
        let inner = children.iter().filter(|&&child| !snapshot.is_leaf(child)).collect::<Vec<_>>();
        if let ([inner], true, 2) = (&inner[..], bit && head.len() > 1, children.len()) {
            edits.extend([b" #b0)", b" #b1)"].map(|value| {
                Edit::replace(snapshot.range(at), [b"(= ", snapshot.bytes(**inner), value].concat())
            }));
        }
        if let [strict @ (b'<' | b'>'), b'='] = &snapshot.text[head.clone()] {
            edits.push(Edit::replace(head, [*strict]));
        }
    }
    edits
}

/// Replaces every tester by that of another constructor.
pub fn testers(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in compound(snapshot) {
        let (Kind::Tester { constructor, .. }, Some(&argument)) =
            (snapshot.kind(at), snapshot.children(at).first())
        else {
            continue;
        };
        let Some((datatype, _)) = snapshot.pool().datatype(snapshot.sort(argument)) else { continue };
        let head = snapshot.places[at].head_start as usize..snapshot.places[at].head_end as usize;
        for other in datatype.constructors.iter().filter(|other| other.decl != constructor) {
            let mut text = b"(_ is ".to_vec();
            write_name(&mut text, snapshot.pool().bytes(snapshot.pool().decl(other.decl).name));
            text.push(b')');
            edits.push(Edit::replace(head.clone(), text));
        }
    }
    edits
}

/// How many constants are tried for one term.
const CONSTANTS: usize = 3;

/// Replaces every compound term by a declared constant of its sort.
pub fn constants(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in compound(snapshot) {
        for constant in value::constants(&snapshot.script, snapshot.sort(at)).take(CONSTANTS) {
            edits.push(Edit::replace(snapshot.range(at), constant));
        }
    }
    edits
}

/// Replaces every compound term by a new constant, which may remove the last use of others. A new constant as an
/// assertion has no effect.
pub fn fresh(snapshot: &Snapshot) -> Vec<Edit> {
    let places = compound(snapshot).filter(|&at| !is_assertion(snapshot, at));
    places.map(|at| by_new_constant(snapshot, &[at])).collect()
}

/// Every compound term that occurs more than once, everywhere: by the nearest terms of its sort inside it, by a new
/// constant.
pub fn shared(snapshot: &Snapshot) -> Vec<Edit> {
    let mut alike: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in compound(snapshot) {
        alike.entry(snapshot.bytes(at)).or_default().push(at);
    }
    let mut edits = vec![];
    for places in alike.values().filter(|places| places.len() > 1) {
        edits.extend(replace_all_by(snapshot, places, nearest(snapshot, places[0])));
        edits.push(by_new_constant(snapshot, places));
    }
    edits
}

/// A new constant in some places, declared before the first of them.
fn by_new_constant(snapshot: &Snapshot, places: &[usize]) -> Edit {
    let name = unused_name(snapshot);
    let mut declaration = [b"(declare-const ", &name[..], b" "].concat();
    smtlib::printer::write_sort(&mut declaration, snapshot.pool(), snapshot.sort(places[0]));
    declaration.extend_from_slice(b")\n");
    let command = snapshot.command_range(snapshot.places[places[0]].command as usize).start;
    let edit = Edit::default().and(command..command, declaration);
    places.iter().fold(edit, |edit, &at| edit.and(snapshot.range(at), name.clone()))
}

/// A short name that the script does not contain.
fn unused_name(snapshot: &Snapshot) -> Vec<u8> {
    let taken = |name: &Vec<u8>| snapshot.pool().symbols.find(name).is_some();
    super::names::short_names().find(|name| !taken(name)).unwrap_or_else(|| b"fresh".to_vec())
}

/// Replaces every leaf by a simpler value or a constant that sorts before it.
pub fn leaves(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in (0..snapshot.places.len()).filter(|&at| snapshot.is_leaf(at)) {
        let (now, sort) = (snapshot.bytes(at), snapshot.sort(at));
        let mut others = value::simple(snapshot.pool(), sort);
        if sort == smtlib::SortId::REAL {
            others.push(b"0".to_vec());
        }
        others.extend(value::constants(&snapshot.script, sort).take(CONSTANTS));
        for other in others.into_iter().filter(|other| other != now) {
            edits.push(Edit::replace(snapshot.range(at), other));
        }
    }
    edits
}
