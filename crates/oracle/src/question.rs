//! Questions that would settle more: the same assertions asked another way.
//!
//! `flatten` turns one check-sat of an incremental script into a plain script with the same assertions in force, so
//! that an incremental answer can be compared with a fresh one. `without` leaves only the assertions of an unsat
//! core. `with_models` switches on what certification needs.

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

/// The n-th check-sat with only the assertions whose name is in the core; unnamed assertions stay.
pub fn core_only(script: &Script, check: usize, core: &[Vec<u8>]) -> Option<Vec<u8>> {
    let (commands, assumptions) = in_force(script, check)?;
    let mut out = vec![];
    for command in commands {
        let keep = match command {
            Command::Assert(term) => name_of(script, *term).is_none_or(|name| core.contains(&name)),
            _ => true,
        };
        if keep {
            push_line(&mut out, script, command);
        }
    }
    for term in assumptions {
        let text = smtlib::printer::term_text(&script.pool, term).into_bytes();
        if core.contains(&text) {
            push_line(&mut out, script, &Command::Assert(term));
        }
    }
    out.extend_from_slice(b"(check-sat)\n");
    Some(out)
}

fn push_line(out: &mut Vec<u8>, script: &Script, command: &Command) {
    out.extend(command_text(&script.pool, command));
    out.push(b'\n');
}

/// The `:named` name of an asserted term.
pub fn name_of(script: &Script, term: TermId) -> Option<Vec<u8>> {
    let Kind::Annot(attrs) = script.pool.kind(term) else { return None };
    script.pool.attr_list(attrs).iter().find_map(|attr| match attr.value {
        AttrValue::Name(decl) => Some(script.pool.bytes(script.pool.decl(decl).name).to_vec()),
        _ => None,
    })
}

/// The commands in force at a check-sat, without the checks and the questions before it, and its assumptions.
fn in_force(script: &Script, check: usize) -> Option<(Vec<&Command>, Vec<TermId>)> {
    let mut kept: Vec<&Command> = vec![];
    let mut levels: Vec<usize> = vec![];
    let mut seen = 0;
    for command in &script.commands {
        match command {
            command if command.is_check() => {
                if seen == check {
                    let assumptions = match command {
                        Command::CheckSatAssuming(terms) => terms.to_vec(),
                        _ => vec![],
                    };
                    return Some((kept, assumptions));
                }
                seen += 1;
            }
            Command::Push(count) => levels.extend(std::iter::repeat_n(kept.len(), *count as usize)),
            Command::Pop(count) => {
                for _ in 0..*count {
                    kept.truncate(levels.pop()?);
                }
            }
            Command::Reset => {
                kept.clear();
                levels.clear();
            }
            Command::ResetAssertions => {
                levels.clear();
                kept.retain(|command| matches!(command, Command::SetLogic(_) | Command::SetOption(..)));
            }
            Command::GetValue(_) | Command::Exit | Command::SetInfo(..) => {}
            Command::Other { name, .. } if script.pool.bytes(*name).starts_with(b"get-") => {}
            Command::Other { name, .. } if script.pool.bytes(*name) == b"echo" => {}
            _ => kept.push(command),
        }
    }
    None
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
    fn a_core_keeps_its_names_and_everything_unnamed() {
        let text = "(declare-const p Bool)(assert (! p :named a))(assert (! (not p) :named b))(assert true)(check-sat)";
        let script = Script::parse(text.as_bytes()).unwrap();
        let cut = core_only(&script, 0, &[b"a".to_vec()]).unwrap();
        let cut = String::from_utf8(cut).unwrap();
        assert!(cut.contains(":named a") && !cut.contains(":named b") && cut.contains("(assert true)"));
    }
}
