//! Commands: dropped or simplified. Unused declarations are removed elsewhere (see `snapshot`).

use super::value;
use crate::reduce::edit::Edit;
use crate::reduce::snapshot::Snapshot;
use smtlib::script::Command;
use smtlib::sexp::Forest;
use smtlib::symbol::write_name;
use smtlib::term::Role;

/// Everything that declares nothing and opens or closes no scope. A single check-sat is kept: few bugs show without
/// one, and every group that contains it would fail.
pub fn delete(snapshot: &Snapshot) -> Vec<Edit> {
    let keeps_scope = |command: &Command| !matches!(command, Command::Push(_) | Command::Pop(_));
    let only_check = snapshot.script.commands.iter().filter(|command| command.is_check()).count() == 1;
    let commands = snapshot.script.commands.iter().enumerate();
    commands
        .filter(|(_, command)| !command.is_declaration() && keeps_scope(command))
        .filter(|(_, command)| !(only_check && command.is_check()))
        .map(|(n, _)| Edit::delete(snapshot.command_range(n)))
        .collect()
}

/// Every check-sat: for bugs that show before the first one.
pub fn checks(snapshot: &Snapshot) -> Vec<Edit> {
    let commands = snapshot.script.commands.iter().enumerate();
    let checks = commands.filter(|(_, command)| command.is_check());
    let all = checks.fold(Edit::default(), |edit, (n, _)| edit.and(snapshot.command_range(n), vec![]));
    if all.splices.is_empty() { vec![] } else { vec![all] }
}

/// Declarations, one by one: for scripts whose unused declarations may not be removed together.
pub fn declarations(snapshot: &Snapshot) -> Vec<Edit> {
    snapshot.unused_commands()
}

/// Each `push` with the `pop` that ends it; `None` if it stays open.
fn scopes(snapshot: &Snapshot) -> Vec<(usize, Option<usize>)> {
    let mut open: Vec<usize> = vec![];
    let mut scopes = vec![];
    for (n, command) in snapshot.script.commands.iter().enumerate() {
        match command {
            Command::Push(1) => open.push(n),
            Command::Pop(1) => scopes.extend(open.pop().map(|push| (push, Some(n)))),
            _ => {}
        }
    }
    scopes.extend(open.into_iter().map(|push| (push, None)));
    scopes.sort_unstable();
    scopes
}

/// A `push`, its `pop` and everything between.
pub fn blocks(snapshot: &Snapshot) -> Vec<Edit> {
    let block = |(push, pop): (usize, Option<usize>)| {
        let end = snapshot.command_range(pop?).end;
        Some(Edit::delete(snapshot.command_range(push).start..end))
    };
    scopes(snapshot).into_iter().filter_map(block).collect()
}

/// A `push` with its `pop`; what is between stays.
pub fn pairs(snapshot: &Snapshot) -> Vec<Edit> {
    let pair = |(push, pop): (usize, Option<usize>)| {
        let edit = Edit::delete(snapshot.command_range(push));
        match pop {
            Some(pop) => edit.and(snapshot.command_range(pop), vec![]),
            None => edit,
        }
    };
    let mut edits: Vec<Edit> = scopes(snapshot).into_iter().map(pair).collect();
    // One without its partner: the rest may still be balanced enough.
    for (n, command) in snapshot.script.commands.iter().enumerate() {
        if let Command::Push(_) | Command::Pop(_) = command {
            edits.push(Edit::delete(snapshot.command_range(n)));
        }
    }
    edits
}

/// Simpler commands: plain `check-sat`, constants declared as such, fewer assumptions.
pub fn simplify(snapshot: &Snapshot) -> Vec<Edit> {
    let pool = snapshot.pool();
    let mut edits = vec![];
    for (n, command) in snapshot.script.commands.iter().enumerate() {
        let range = snapshot.script.spans[n].range();
        match command {
            Command::CheckSatUsing(_) => edits.push(Edit::replace(range, *b"(check-sat)")),
            Command::CheckSatAssuming(terms) => {
                edits.push(Edit::replace(range, *b"(check-sat)"));
                let tops = (0..snapshot.places.len())
                    .filter(|&at| snapshot.places[at].command as usize == n && snapshot.is_top(at));
                // Down to none: `(check-sat-assuming ())` differs from `(check-sat)` for some solvers.
                if !terms.is_empty() {
                    edits.extend(tops.map(|at| Edit::delete(snapshot.range(at))));
                }
            }
            Command::DeclareFun { decl, constant: false } if pool.decl(*decl).params.is_empty() => {
                let mut text = b"(declare-const ".to_vec();
                write_name(&mut text, pool.bytes(pool.decl(*decl).name));
                text.push(b' ');
                smtlib::printer::write_sort(&mut text, pool, pool.decl(*decl).result);
                text.push(b')');
                edits.push(Edit::replace(range, text));
            }
            _ => {}
        }
    }
    edits
}

/// Each parameter of a declared function, together with that argument of every application.
pub fn rank(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for (n, command) in snapshot.script.commands.iter().enumerate() {
        let Command::DeclareFun { decl, .. } = command else { continue };
        let params = snapshot.pool().decl(*decl).params.len();
        let uses = snapshot.uses_of(*decl);
        let nested = uses.iter().any(|&a| uses.iter().any(|&b| a < b && b < snapshot.after(a)));
        let span = snapshot.script.spans[n].range();
        let Ok(forest) = Forest::read(&snapshot.text[span.clone()]) else { continue };
        let Some(&sorts) = forest.roots().first().and_then(|&root| forest.list(root).get(2)) else {
            continue;
        };
        if nested || forest.list(sorts).len() != params {
            continue;
        }
        for (p, &sort) in forest.list(sorts).iter().enumerate() {
            let at = forest.span(sort).range();
            let mut edit = Edit::delete(span.start + at.start..span.start + at.end);
            for &place in &uses {
                edit = without_argument(snapshot, edit, place, p, params);
            }
            edits.push(edit);
        }
    }
    edits
}

/// Each parameter of a definition, whose uses a value replaces, together with that argument of every application.
pub fn parameters(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for (n, command) in snapshot.script.commands.iter().enumerate() {
        let Command::DefineFun { decl, .. } = command else { continue };
        let Role::Defined { vars, .. } = snapshot.pool().decl(*decl).role else { continue };
        let vars = snapshot.pool().binder_list(vars);
        let calls = snapshot.uses_of(*decl);
        let nested = calls.iter().any(|&a| calls.iter().any(|&b| a < b && b < snapshot.after(a)));
        let span = snapshot.script.spans[n].range();
        let Ok(forest) = Forest::read(&snapshot.text[span.clone()]) else { continue };
        let list = forest.roots().first().and_then(|&root| forest.list(root).get(2));
        let body = snapshot.places.iter().position(|place| place.command as usize == n);
        let (Some(&list), Some(body)) = (list, body) else { continue };
        if nested || forest.list(list).len() != vars.len() {
            continue;
        }
        for (p, &pair) in forest.list(list).iter().enumerate() {
            let uses = snapshot.uses(vars[p].0, body);
            let value = value::simple(snapshot.pool(), vars[p].1).into_iter().next();
            if value.is_none() && !uses.is_empty() {
                continue;
            }
            let at = forest.span(pair).range();
            let mut edit = Edit::delete(span.start + at.start..span.start + at.end);
            for &place in &uses {
                edit = edit.and(snapshot.range(place), value.clone().unwrap_or_default());
            }
            for &call in &calls {
                edit = without_argument(snapshot, edit, call, p, vars.len());
            }
            edits.push(edit);
        }
    }
    edits
}

/// An application without one of its arguments; without its only one, it is its name.
fn without_argument(snapshot: &Snapshot, edit: Edit, call: usize, n: usize, count: usize) -> Edit {
    let place = snapshot.places[call];
    if count == 1 {
        let name = &snapshot.text[place.head_start as usize..place.head_end as usize];
        return edit.and(snapshot.range(call), name);
    }
    match snapshot.children(call).get(n) {
        Some(&child) => edit.and(snapshot.range(child), vec![]),
        None => edit,
    }
}

/// Each constructor, and each field that nothing builds or reads, of each datatype.
pub fn constructors(snapshot: &Snapshot) -> Vec<Edit> {
    let mut edits = vec![];
    for (n, command) in snapshot.script.commands.iter().enumerate() {
        let Command::DeclareDatatypes { sorts, .. } = command else { continue };
        let names: Vec<Vec<u8>> = sorts
            .iter()
            .filter_map(|&sort| snapshot.pool().sort_decl(sort).datatype.as_ref())
            .flat_map(|datatype| &datatype.constructors)
            .map(|constructor| {
                let mut name = vec![];
                write_name(&mut name, snapshot.pool().bytes(snapshot.pool().decl(constructor.decl).name));
                name
            })
            .collect();
        let span = snapshot.script.spans[n].range();
        let Ok(forest) = Forest::read(&snapshot.text[span.clone()]) else { continue };
        let mut stack = forest.roots().to_vec();
        while let Some(sexp) = stack.pop() {
            let list = forest.list(sexp);
            let head = list.first().and_then(|&head| forest.atom(head));
            if head.is_some_and(|head| names.iter().any(|name| name == head)) {
                let range =
                    |s| forest.span(s).range().start + span.start..forest.span(s).range().end + span.start;
                edits.push(Edit::delete(range(sexp)));
                edits.extend(list[1..].iter().map(|&field| Edit::delete(range(field))));
            } else {
                stack.extend(list.iter().rev());
            }
        }
    }
    edits
}
