//! Further questions about a case: the same assertions in another script.
//!
//! `flatten` turns one check-sat of an incremental script into a plain script with the same assertions in force, so
//! that an incremental answer can be compared with a fresh one. `core_only` leaves only the assertions of an unsat core.

use smtlib::printer::command_text;
use smtlib::script::{Command, Script};
use smtlib::term::{AttrValue, Kind, TermId};

/// Whether the script is more than declarations, assertions and one check-sat.
pub fn is_incremental(script: &Script) -> bool {
    script.checks() > 1
        || script.commands.iter().any(|command| {
            matches!(
                command,
                Command::Push(_)
                    | Command::Pop(_)
                    | Command::CheckSatAssuming(_)
                    | Command::ResetAssertions
                    | Command::Reset
            )
        })
}

/// The n-th check-sat of a script as a plain script: everything in force there, one `check-sat` at the end.
pub fn flatten(script: &Script, check: usize) -> Option<Vec<u8>> {
    let (commands, assumptions) = in_force(script, check)?;
    let mut out = vec![];
    for command in commands {
        push_line(&mut out, script, command);
    }
    for term in assumptions {
        push_line(&mut out, script, &Command::Assert(term));
    }
    out.extend_from_slice(b"(check-sat)\n");
    Some(out)
}

/// The n-th check-sat with only the assertions that have a name in the core. Unnamed assertions stay, and so do
/// assumptions, since solvers differ in whether a core lists them. `None` if the core has a name that the script does
/// not give: then the core cannot be interpreted.
pub fn core_only(script: &Script, check: usize, core: &[Vec<u8>]) -> Option<Vec<u8>> {
    let (commands, assumptions) = in_force(script, check)?;
    let mut out = vec![];
    let mut known = 0;
    for command in commands {
        let Command::Assert(term) = command else {
            push_line(&mut out, script, command);
            continue;
        };
        let names = names_of(script, *term);
        let listed = names.iter().filter(|name| core.contains(name)).count();
        known += listed;
        if names.is_empty() || listed > 0 {
            push_line(&mut out, script, command);
        }
    }
    if known < core.len() && assumptions.is_empty() {
        return None;
    }
    for term in assumptions {
        push_line(&mut out, script, &Command::Assert(term));
    }
    out.extend_from_slice(b"(check-sat)\n");
    Some(out)
}

/// The n-th check-sat with all its assertions and only these of its assumptions.
pub fn assuming_only(script: &Script, check: usize, assumptions: &[TermId]) -> Option<Vec<u8>> {
    let (commands, _) = in_force(script, check)?;
    let mut out = vec![];
    for command in commands {
        push_line(&mut out, script, command);
    }
    for &term in assumptions {
        push_line(&mut out, script, &Command::Assert(term));
    }
    out.extend_from_slice(b"(check-sat)\n");
    Some(out)
}

pub(crate) fn push_line(out: &mut Vec<u8>, script: &Script, command: &Command) {
    out.extend(command_text(&script.pool, command));
    out.push(b'\n');
}

/// The names that `:named` gives to an asserted term; annotations may be nested.
pub fn names_of(script: &Script, mut term: TermId) -> Vec<Vec<u8>> {
    let pool = &script.pool;
    let mut names = vec![];
    while let Kind::Annot(attrs) = pool.kind(term) {
        names.extend(pool.attr_list(attrs).iter().filter_map(|attr| match attr.value {
            AttrValue::Name(decl) => Some(pool.bytes(pool.decl(decl).name).to_vec()),
            _ => None,
        }));
        term = pool.args(term)[0];
    }
    names
}

/// The commands in force at a check-sat, without earlier checks and queries, and its assumptions.
pub(crate) fn in_force(script: &Script, check: usize) -> Option<(Vec<&Command>, Vec<TermId>)> {
    let mut checks = script.commands.iter().enumerate().filter(|(_, command)| command.is_check());
    let (position, command) = checks.nth(check)?;
    let assumptions = match command {
        Command::CheckSatAssuming(terms) => terms.to_vec(),
        _ => vec![],
    };
    Some((in_force_before(script, position)?, assumptions))
}

/// The commands in force before a command, without checks and queries.
pub(crate) fn in_force_before(script: &Script, position: usize) -> Option<Vec<&Command>> {
    let mut kept: Vec<&Command> = vec![];
    let mut levels: Vec<usize> = vec![];
    let mut global = false;
    for command in &script.commands[..position] {
        match command {
            command if command.is_check() => {}
            Command::Push(count) => levels.extend(std::iter::repeat_n(kept.len(), *count as usize)),
            Command::Pop(count) => {
                for _ in 0..*count {
                    let popped = kept.split_off(levels.pop()?);
                    kept.extend(popped.into_iter().filter(|command| global && command.is_declaration()));
                }
            }
            Command::Reset => {
                kept.clear();
                levels.clear();
                global = false;
            }
            Command::ResetAssertions => {
                levels.clear();
                kept.retain(|command| {
                    matches!(command, Command::SetLogic(_) | Command::SetOption(..))
                        || (global && command.is_declaration())
                });
            }
            Command::GetValue(_) | Command::Exit | Command::SetInfo(..) => {}
            Command::Other { name, .. } if script.pool.bytes(*name).starts_with(b"get-") => {}
            Command::Other { name, .. } if script.pool.bytes(*name) == b"echo" => {}
            _ => {
                if let Command::SetOption(key, value) = command
                    && script.pool.bytes(*key) == b":global-declarations"
                {
                    global = script.pool.bytes(*value) == b"true";
                }
                kept.push(command);
            }
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str, check: usize) -> String {
        let script = Script::parse(text.as_bytes()).unwrap();
        String::from_utf8(flatten(&script, check).unwrap()).unwrap()
    }

    #[test]
    fn a_flattened_check_has_what_was_in_force_there() {
        let text = "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat-assuming (p))";
        assert_eq!(flat(text, 0), "(declare-const p Bool)\n(assert p)\n(check-sat)\n");
        assert_eq!(flat(text, 1), "(declare-const p Bool)\n(assert (not p))\n(assert p)\n(check-sat)\n");
    }

    #[test]
    fn global_declarations_outlive_their_level() {
        let text = "(set-option :global-declarations true)(push 1)(declare-const p Bool)(assert p)(pop 1)(assert (not p))(check-sat)";
        let flat = flat(text, 0);
        assert!(flat.contains("(declare-const p Bool)") && !flat.contains("(assert p)"), "{flat}");
    }

    #[test]
    fn a_core_keeps_whatever_has_one_of_its_names_and_all_assumptions() {
        let text = "(declare-const p Bool)(declare-const q Bool)(assert (! (! p :named a) :named b))\
            (assert (! (not p) :named c))(check-sat-assuming (q))";
        let script = Script::parse(text.as_bytes()).unwrap();
        let cut = |names: &[&str]| {
            let names: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
            core_only(&script, 0, &names).map(|text| String::from_utf8(text).unwrap())
        };
        let both = cut(&["a", "c"]).unwrap();
        assert!(both.contains(":named b") && both.contains(":named c") && both.contains("(assert q)"));
        assert!(!cut(&["c", "|the assumption q|"]).unwrap().contains(":named b"));
    }

    #[test]
    fn a_core_with_a_name_that_the_script_does_not_give_is_not_interpreted() {
        let text = "(declare-const p Bool)(assert (! p :named a))(check-sat)";
        let script = Script::parse(text.as_bytes()).unwrap();
        assert_eq!(core_only(&script, 0, &[b"z".to_vec()]), None);
    }

    #[test]
    fn a_core_keeps_its_names_and_everything_unnamed() {
        let text = "(declare-const p Bool)(assert (! p :named a))(assert (! (not p) :named b))(assert true)(check-sat)";
        let script = Script::parse(text.as_bytes()).unwrap();
        let cut = core_only(&script, 0, &[b"a".to_vec()]).unwrap();
        let cut = String::from_utf8(cut).unwrap();
        assert!(cut.contains(":named a") && !cut.contains(":named b") && cut.contains("(assert true)"));
    }
}
