//! The one line that is the same for every trigger of a bug.
//!
//! The innermost functions say where it broke, the outermost only that a solver ran. What belongs to the language or
//! to the system (an allocator, `abort`, containers) is passed over, as is what a solver's profile calls plumbing: the
//! functions that every part of it uses. Three that remain are the place. A stack that is full is a recursion
//! without end, and where it happened to hit the bottom is chance: its place is the functions that go round.

use std::collections::BTreeMap;

/// Functions that were active, innermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    pub functions: Vec<String>,
}

/// How many functions are a place.
const INNERMOST: usize = 3;
/// A stack of more frames than this is a recursion without end.
const DEEP: usize = 1_000;

/// Beginnings of names that belong to the language and the system.
const RUNTIME: [&str; 26] = [
    "std::",
    "__gnu_cxx::",
    "__cxxabiv1::",
    "__cxa_",
    "__gxx_",
    "__GI_",
    "__libc_",
    "__assert",
    "__pthread",
    "__kill",
    "__stack_chk",
    "__fortify",
    "__restore_rt",
    "operator new",
    "operator delete",
    "abort",
    "raise",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "cfree",
    "_int_",
    "mem",
    "_Unwind_",
    "gsignal",
];
/// Files that do.
const LIBRARIES: [&str; 8] =
    ["libc.so", "libc-", "libstdc++", "libgcc_s", "libpthread", "libm.so", "ld-linux", "[vdso"];
/// Where every program begins.
const ENTRANCES: [&str; 4] = ["main", "_start", "start_thread", "clone"];

/// `f, from g, from h`; `None` if nothing of the program itself is on the stack.
pub fn place(stack: &Stack, plumbing: &[String]) -> Option<String> {
    let own = |name: &&str| !is_foreign(name);
    let functions: Vec<&str> = stack.functions.iter().map(String::as_str).filter(own).collect();
    if stack.functions.len() > DEEP {
        return Some(format!("endless recursion of {}", going_round(&functions)?.join(", ")));
    }
    let is_plumbing = |name: &&&str| plumbing.iter().any(|beginning| name.starts_with(beginning.as_str()));
    let passed = functions.iter().take_while(is_plumbing).count();
    // A stack of nothing but plumbing is still better than none.
    let from = if passed == functions.len() { 0 } else { passed };
    let innermost: Vec<&str> = functions[from..].iter().take(INNERMOST).copied().collect();
    (!innermost.is_empty()).then(|| innermost.join(", from "))
}

fn is_foreign(name: &str) -> bool {
    name == "?"
        || ENTRANCES.contains(&name)
        || RUNTIME.iter().any(|beginning| name.starts_with(beginning))
        || LIBRARIES.iter().any(|library| name.starts_with(library))
}

/// The functions that are on a deep stack again and again, in the order of the alphabet, since where a circle begins
/// is chance.
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
        Stack { functions: names.iter().map(|&name| name.to_owned()).collect() }
    }

    #[test]
    fn the_place_is_the_innermost_functions_of_the_program_itself() {
        let died = stack(&["raise", "abort", "util::at", "seq::length", "seq::check", "smt::final", "main"]);
        let plumbing = ["util::".to_owned()];
        assert_eq!(place(&died, &plumbing).as_deref(), Some("seq::length, from seq::check, from smt::final"));
        assert_eq!(
            place(&stack(&["util::at", "util::do"]), &plumbing).as_deref(),
            Some("util::at, from util::do")
        );
        assert_eq!(place(&stack(&["raise", "main", "?"]), &[]), None);
    }

    #[test]
    fn a_recursion_without_end_is_its_circle_wherever_it_was_cut() {
        let circle = |turn: usize| {
            let names: Vec<&str> =
                ["b", "a", "malloc"].iter().copied().cycle().skip(turn).take(2_000).collect();
            place(&stack(&names), &[])
        };
        assert_eq!(circle(0).as_deref(), Some("endless recursion of a, b"));
        assert_eq!(circle(0), circle(1));
    }
}
