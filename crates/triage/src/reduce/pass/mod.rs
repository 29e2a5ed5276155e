//! The passes, in order of benefit. A pass examines a snapshot and proposes edits; it never checks anything.
//!
//! Passes need not keep the meaning: any well-typed candidate is allowed, since the check decides. So they may capture
//! variables, drop quantifiers and narrow sorts; but they must not propose edits that cannot shrink the script.

mod binders;
mod commands;
mod literals;
pub mod names;
mod negations;
mod sorts;
mod terms;
mod value;

use super::edit::Edit;
use super::search::{Groups, Search};
use super::snapshot::Snapshot;

/// If there are at most this many constants, they are given values before terms are tried.
const FEW: usize = 8;

/// Once, at the beginning: whether a check-sat is needed at all.
pub fn first(search: &mut Search<'_>) {
    run(search, Groups::Single, commands::checks);
}

/// Everything that can be removed as a whole.
pub fn commands(search: &mut Search<'_>, groups: Groups) {
    run(search, groups, commands::blocks);
    let some = if groups == Groups::Halving { Groups::Halves } else { groups };
    run(search, some, commands::delete);
    run(search, groups, commands::pairs);
}

/// Largest parts first: commands, then terms level by level from the top.
pub fn coarse(search: &mut Search<'_>, groups: Groups) {
    commands(search, groups);
    levels(search, groups);
    run(search, groups, binders::inline_small);
}

/// Replaces constants by values, if there are few.
pub fn settle(search: &mut Search<'_>) {
    let few = |snapshot: &Snapshot| names::constants(snapshot).len() <= FEW;
    while search.snapshot().is_some_and(|snapshot| few(&snapshot))
        && run(search, Groups::Single, names::instantiate)
    {}
}

/// Makes sorts as small as possible.
pub fn narrow(search: &mut Search<'_>) {
    while run(search, Groups::Single, sorts::narrow) {}
}

/// All other edits, one at a time.
pub fn fine(search: &mut Search<'_>) {
    let passes: &[fn(&Snapshot) -> Vec<Edit>] = &[
        commands::declarations,
        commands::simplify,
        commands::rank,
        commands::parameters,
        commands::constructors,
        terms::far_subterms,
        terms::flatten,
        negations::inwards,
        terms::equate,
        terms::testers,
        terms::constants,
        terms::fresh,
        terms::shared,
        binders::inline_each,
        binders::definitions,
        binders::quantifiers,
        binders::retype,
        names::equations,
        names::instantiate,
        names::merge,
        terms::leaves,
        literals::shrink,
        sorts::narrow,
        sorts::replace,
    ];
    for pass in passes {
        while run(search, Groups::Single, *pass) {}
    }
    search.spelled(|search| {
        if let Some(snapshot) = search.snapshot()
            && !search.offer(&names::shorten(&snapshot))
        {
            run(search, Groups::Single, names::shorten_each);
        }
    });
}

/// Larger texts that may lead to smaller ones: every `let` and definition inlined. The result of a detour is kept only
/// if it is smaller than the text where it began.
pub fn detours(search: &mut Search<'_>, rounds: fn(&mut Search<'_>)) {
    for expand in [binders::expand_lets, binders::expand_definitions] {
        let home = search.best().to_vec();
        let Some(expanded) = search.snapshot().and_then(|snapshot| expand(&snapshot)) else { continue };
        if search.is_stopped() || expanded.len() > home.len() * 4 + 1024 {
            continue;
        }
        let Some(start) = search.holds_at_any_size(&expanded) else { continue };
        search.detour_from(start);
        rounds(search);
        search.come_home(home);
    }
}

fn run(search: &mut Search<'_>, groups: Groups, pass: fn(&Snapshot) -> Vec<Edit>) -> bool {
    let Some(snapshot) = search.snapshot() else { return false };
    let edits = pass(&snapshot);
    search.minimise(&edits, groups)
}

/// Terms, one level after the other; a level at which a deeper term moved up is tried again.
fn levels(search: &mut Search<'_>, groups: Groups) {
    let mut level = 0;
    while let Some(snapshot) = search.snapshot() {
        if !snapshot.levels().iter().any(|&l| l >= level) || search.is_stopped() {
            return;
        }
        // An assertion of `true` has no effect, and deleting it was tried.
        if level > 0 {
            search.minimise(&terms::defaults(&snapshot, level, 0), groups);
            again(search, |s| terms::defaults(s, level, 1), groups);
        } else if groups == Groups::Single {
            again(search, terms::contradiction, groups);
        }
        again(search, |s| terms::drop_arguments(s, level), groups);
        while again(search, |s| terms::subterms(s, level), groups) {}
        level += 1;
    }
}

fn again(search: &mut Search<'_>, pass: impl Fn(&Snapshot) -> Vec<Edit>, groups: Groups) -> bool {
    let Some(snapshot) = search.snapshot() else { return false };
    search.minimise(&pass(&snapshot), groups)
}
