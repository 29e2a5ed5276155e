//! Everything that binds names: `let`, definitions and quantifiers.

use super::value;
use crate::reduce::edit::Edit;
use crate::reduce::lets::{Lets, Var};
use crate::reduce::snapshot::Snapshot;
use smtlib::script::Command;
use smtlib::symbol::write_name;
use smtlib::term::{Kind, Role};

/// The range of a place relative to the start of another.
fn shifted(snapshot: &Snapshot, place: usize, within: usize) -> std::ops::Range<usize> {
    let (range, start) = (snapshot.range(place), snapshot.range(within).start);
    range.start - start..range.end - start
}

/// Variables that are used once or whose value is a leaf: inlining them always shrinks.
pub fn inline_small(snapshot: &Snapshot) -> Vec<Edit> {
    let small = |var: &Var| var.uses.len() <= 1 || snapshot.is_leaf(var.value);
    let lets = Lets::of(snapshot).all;
    lets.iter().filter_map(|each| each.inline(snapshot, |_, var| small(var))).collect()
}

/// Every variable of every `let`, one at a time.
pub fn inline_each(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for each in Lets::of(snapshot).all {
        let vars = 0..each.vars.len();
        edits.extend(vars.filter_map(|nth| each.inline(snapshot, |other, _| other == nth)));
    }
    edits
}

/// A text larger than this is not worth a detour.
const DETOUR: usize = 64 << 10;

/// Every `let` inlined; `None` if there is none or the text becomes too large.
pub fn expand_lets(snapshot: &Snapshot) -> Option<Vec<u8>> {
    Lets::of(snapshot).all.first()?;
    let mut now = Snapshot::read(&snapshot.text)?;
    while let Some(innermost) = Lets::of(&now).all.pop() {
        let edit = innermost.inline(&now, |_, _| true)?;
        let text = Edit::apply_all(&now.text, &[edit]);
        if text.len() > DETOUR {
            return None;
        }
        now = Snapshot::read(&text)?;
    }
    Some(now.text)
}

/// Every application of a definition that is not recursive, by its body.
pub fn definitions(snapshot: &Snapshot) -> Vec<Edit> {
    let each = |command: &Command| {
        let Command::DefineFun { decl, .. } = command else { return None };
        let calls = snapshot.uses_of(*decl);
        let mut edit = Edit::default();
        for place in outermost(snapshot, &calls) {
            edit = edit.and(snapshot.range(place), body_at(snapshot, place)?);
        }
        (!edit.splices.is_empty()).then_some(edit)
    };
    snapshot.script.commands.iter().filter_map(each).collect()
}

/// Every definition inlined; `None` if there is none or the text becomes too large.
pub fn expand_definitions(snapshot: &Snapshot) -> Option<Vec<u8>> {
    let mut now = Snapshot::read(&snapshot.text)?;
    let mut changed = false;
    loop {
        let edits = definitions(&now);
        if edits.is_empty() {
            return changed.then_some(now.text);
        }
        changed = true;
        let text = Edit::apply_all(&now.text, &edits[..1]);
        if text.len() > DETOUR {
            return None;
        }
        now = Snapshot::read(&text)?;
    }
}

fn outermost(snapshot: &Snapshot, places: &[usize]) -> Vec<usize> {
    let mut end = 0;
    let mut chosen = vec![];
    for &place in places {
        if place >= end {
            chosen.push(place);
            end = snapshot.after(place);
        }
    }
    chosen
}

/// The body of a definition with the arguments of one application in place of its parameters.
fn body_at(snapshot: &Snapshot, call: usize) -> Option<Vec<u8>> {
    let Kind::Fun { decl, .. } = snapshot.kind(call) else { return None };
    let Role::Defined { vars, recursive: false, .. } = snapshot.pool().decl(decl).role else { return None };
    let defines = |command: &Command| matches!(command, Command::DefineFun { decl: d, .. } if *d == decl);
    let command = snapshot.script.commands.iter().position(defines)? as u32;
    let body = snapshot.places.iter().position(|place| place.command == command)?;
    let mut inside = vec![];
    for (&(name, _), &argument) in snapshot.pool().binder_list(vars).iter().zip(&snapshot.children(call)) {
        for place in snapshot.uses(name, body) {
            inside.push(Edit::replace(shifted(snapshot, place, body), snapshot.bytes(argument)));
        }
    }
    Some(Edit::apply_all(snapshot.bytes(body), &inside))
}

/// Quantifiers without one of their variables, which a value or a constant replaces.
pub fn quantifiers(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in 0..snapshot.places.len() {
        let Kind::Quant(_, binders) = snapshot.kind(at) else { continue };
        let vars = snapshot.pool().binder_list(binders);
        let children = snapshot.children(at);
        let &[body] = &children[..] else { continue };
        for (n, &(name, sort)) in vars.iter().enumerate() {
            let uses = snapshot.uses(name, body);
            let mut values = value::simple(snapshot.pool(), sort);
            values.extend(value::constants(&snapshot.script, sort).take(2));
            let same = vars.iter().filter(|&&(other, s)| other != name && s == sort).take(2);
            values.extend(same.map(|&(other, _)| {
                let mut text = vec![];
                write_name(&mut text, snapshot.pool().bytes(other));
                text
            }));
            if uses.is_empty() {
                values = vec![vec![]];
            }
            for value in values {
                let inside: Vec<Edit> =
                    uses.iter().map(|&u| Edit::replace(shifted(snapshot, u, body), value.clone())).collect();
                let text = Edit::apply_all(snapshot.bytes(body), &inside);
                edits.push(Edit::replace(snapshot.range(at), without_variable(snapshot, at, n, &text)));
            }
        }
    }
    edits
}

/// Each variable of a quantifier with a shorter sort: most bodies do not allow it, which costs only a parse.
pub fn retype(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for at in 0..snapshot.places.len() {
        let Kind::Quant(_, binders) = snapshot.kind(at) else { continue };
        let vars = snapshot.pool().binder_list(binders);
        let &[body] = &snapshot.children(at)[..] else { continue };
        for n in (0..vars.len()).filter(|&n| vars[n].1 != smtlib::SortId::INT) {
            for sort in [&b"Int"[..], b"Bool"] {
                let text = bound(snapshot, at, snapshot.bytes(body), |_| true, |m| (m == n).then_some(sort));
                edits.push(Edit::replace(snapshot.range(at), text));
            }
        }
    }
    edits
}

/// A quantifier without its n-th variable, and with another body.
fn without_variable(snapshot: &Snapshot, at: usize, n: usize, body: &[u8]) -> Vec<u8> {
    let Kind::Quant(_, binders) = snapshot.kind(at) else { return body.to_vec() };
    if snapshot.pool().binder_list(binders).len() == 1 {
        return body.to_vec();
    }
    bound(snapshot, at, body, |m| m != n, |_| None)
}

/// A quantifier with another body, with some of its variables, some of them with other sorts.
fn bound<'s>(
    snapshot: &Snapshot,
    at: usize,
    body: &[u8],
    keep: impl Fn(usize) -> bool,
    other_sort: impl Fn(usize) -> Option<&'s [u8]>,
) -> Vec<u8> {
    let Kind::Quant(quantifier, binders) = snapshot.kind(at) else { return body.to_vec() };
    let vars = snapshot.pool().binder_list(binders);
    let mut text = format!("({} (", quantifier.name()).into_bytes();
    let mut first = true;
    for (m, &(name, sort)) in vars.iter().enumerate().filter(|&(m, _)| keep(m)) {
        text.extend_from_slice(if std::mem::take(&mut first) { b"(" } else { b" (" });
        write_name(&mut text, snapshot.pool().bytes(name));
        text.push(b' ');
        match other_sort(m) {
            Some(sort) => text.extend_from_slice(sort),
            None => smtlib::printer::write_sort(&mut text, snapshot.pool(), sort),
        }
        text.push(b')');
    }
    text.extend_from_slice(b") ");
    text.extend_from_slice(body);
    text.push(b')');
    text
}
