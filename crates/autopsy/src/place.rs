//! The one line that is the same for every trigger of a bug.
//!
//! The innermost functions show where it broke, the outermost only that a solver ran. Functions of the language or the
//! system (an allocator, `abort`, containers) are skipped, and so are those that a solver's profile lists as used by
//! every part of it, which would give different bugs the same place. The first three that remain, each once, are the
//! place; if none remains there is no place, and the crash is identified by its trigger. In a stack overflow it is
//! random which function reaches the end of the stack: the place is the set of functions in the recursion.

use std::collections::BTreeMap;

/// Functions that were active, innermost first, without those of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    pub functions: Vec<String>,
    /// The stack overflowed.
    pub overflow: bool,
    /// It used a pointer that is neither null nor valid: memory was freed, overwritten or never written before, so that
    /// where it was noticed says little about where the mistake is.
    pub wild: bool,
}

/// How many functions make a place.
const INNERMOST: usize = 3;

/// Prefixes of names that belong to languages and libraries, wherever they are linked.
const RUNTIME: [&str; 26] = [
    "std::",
    "core::",
    "alloc::",
    "<std::",
    "<core::",
    "<alloc::",
    "rust_",
    "__rust",
    "__gnu_cxx::",
    "__cxxabiv1::",
    "__cxa_",
    "__gxx_",
    "__libc_",
    "__assert",
    "__pthread",
    "__restore_rt",
    "_Unwind_",
    "operator new",
    "operator delete",
    "__asan",
    "__interceptor",
    "__sanitizer",
    "__gmp",
    "mpfr_",
    "__pyx",
    "_Py",
];
/// Whole names that do. Their processor-specific copies have two underscores before them and a suffix.
const SYSTEM: [&str; 24] = [
    "abort",
    "raise",
    "gsignal",
    "kill",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "cfree",
    "int_malloc",
    "int_free",
    "sysmalloc",
    "malloc_consolidate",
    "malloc_printerr",
    "memcpy",
    "memmove",
    "memset",
    "memchr",
    "memcmp",
    "strlen",
    "strcmp",
    "start_thread",
    "clone",
    "main",
];

/// `f, from g, from h`; `None` if the stack has no function that distinguishes bugs.
pub fn place(stack: &Stack, plumbing: &[String]) -> Option<String> {
    let is_plumbing = |name: &str| plumbing.iter().any(|beginning| name.starts_with(beginning.as_str()));
    let own = |name: &&str| !is_foreign(name) && !is_plumbing(name);
    let functions: Vec<&str> = stack.functions.iter().map(String::as_str).filter(own).collect();
    if stack.overflow {
        return Some(format!("endless recursion of {}", going_round(&functions)?.join(", ")));
    }
    let mut innermost: Vec<&str> = vec![];
    for name in functions {
        if innermost.len() < INNERMOST && !innermost.contains(&name) {
            innermost.push(name);
        }
    }
    (!innermost.is_empty()).then(|| innermost.join(", from "))
}

/// Where a process spends its time: the innermost functions of the program itself that most stacks have in common, seen
/// from the outermost on. `None` if there is nothing.
pub fn whereabouts(stacks: &[Stack], plumbing: &[String]) -> Option<String> {
    let is_plumbing = |name: &str| plumbing.iter().any(|beginning| name.starts_with(beginning.as_str()));
    let own = |name: &&str| !is_foreign(name) && !is_plumbing(name);
    let mut chains: Vec<Vec<&str>> = stacks
        .iter()
        .map(|stack| stack.functions.iter().rev().map(String::as_str).filter(own).collect())
        .collect();
    chains.retain(|chain: &Vec<&str>| !chain.is_empty());
    let enough = (chains.len() * 3).div_ceil(4);
    let mut common: Vec<&str> = vec![];
    loop {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        chains
            .iter()
            .filter_map(|chain| chain.get(common.len()))
            .for_each(|name| *counts.entry(name).or_default() += 1);
        let Some((name, _)) =
            counts.into_iter().max_by_key(|(_, count)| *count).filter(|(_, n)| *n >= enough)
        else {
            break;
        };
        chains.retain(|chain| chain.get(common.len()) == Some(&name));
        common.push(name);
    }
    let mut innermost: Vec<&str> = vec![];
    for name in common.into_iter().rev() {
        if innermost.len() < INNERMOST && !innermost.contains(&name) {
            innermost.push(name);
        }
    }
    (!innermost.is_empty()).then(|| innermost.join(", from "))
}

fn is_foreign(name: &str) -> bool {
    let bare = name.trim_start_matches('_');
    let for_a_processor =
        |system: &&str| bare.strip_prefix(*system).is_some_and(|rest| rest.starts_with('_'));
    let python = |rest: &str| rest.starts_with(|c: char| c.is_uppercase() || c == '_');
    bare == "start"
        || SYSTEM.contains(&bare)
        || (name.starts_with("__") && SYSTEM.iter().any(for_a_processor))
        || name.strip_prefix("Py").is_some_and(python)
        || RUNTIME.iter().any(|beginning| name.starts_with(beginning))
}

/// The functions that recur on an overflowed stack, in alphabetical order, since the beginning of a cycle is random.
fn going_round<'a>(functions: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    functions.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let most = counts.values().copied().max()?;
    let often = counts.into_iter().filter(|(_, count)| count * 4 > most).map(|(name, _)| name);
    Some(often.take(INNERMOST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(names: &[&str]) -> Stack {
        Stack { functions: names.iter().map(|&name| name.to_owned()).collect(), overflow: false, wild: false }
    }

    #[test]
    fn the_place_is_the_innermost_functions_of_the_program_itself() {
        let died = stack(&[
            "raise",
            "abort",
            "util::at",
            "seq::length",
            "util::do",
            "seq::length",
            "smt::final",
            "main",
        ]);
        let plumbing = ["util::".to_owned()];
        assert_eq!(place(&died, &plumbing).as_deref(), Some("seq::length, from smt::final"));
        assert_eq!(
            place(&stack(&["util::at", "main"]), &plumbing),
            None,
            "every part of it uses that function"
        );
        assert_eq!(
            place(&stack(&["__memcpy_avx2", "free_bvpoly", "__GI_raise"]), &[]).as_deref(),
            Some("free_bvpoly, from __GI_raise")
        );
    }

    #[test]
    fn where_the_time_goes_is_what_the_stacks_have_in_common() {
        let at = |inner: &[&str]| stack(&[inner, &["nl::check", "smt::check", "main"]].concat());
        let stacks = [at(&["poly::gcd"]), at(&["poly::mul", "poly::gcd"]), at(&["memcpy", "roots"]), at(&[])];
        assert_eq!(whereabouts(&stacks, &[]).as_deref(), Some("nl::check, from smt::check"));
        assert_eq!(
            whereabouts(&stacks[..1], &[]).as_deref(),
            Some("poly::gcd, from nl::check, from smt::check")
        );
        assert_eq!(whereabouts(&[], &[]), None);
    }

    #[test]
    fn an_endless_recursion_is_identified_by_its_cycle_wherever_it_was_cut() {
        let circle = |turn: usize| {
            let names: Vec<&str> =
                ["b", "a", "malloc"].iter().copied().cycle().skip(turn).take(300).collect();
            place(&Stack { overflow: true, ..stack(&names) }, &[])
        };
        assert_eq!(circle(0).as_deref(), Some("endless recursion of a, b"));
        assert_eq!(circle(0), circle(1));
    }
}
