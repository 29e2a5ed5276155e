//! Three queries with one right answer each, run on a release before it is used.
//!
//! In: a command. Out: nothing, or its output instead of `sat`, `unsat` and `x = 3`. The queries are plain QF_BV, which
//! every solver of the catalogue supports. A solver that passes is installed correctly; whether it is *right* is tested
//! by the rest of falsum.

use crate::confine::confined;
use crate::error::{Error, Result};
use crate::home::Release;
use crate::scratch::Scratch;
use crate::sexp;
use std::ffi::OsString;
use std::time::Duration;

/// The three queries and what to find in their output.
const QUERIES: [(&str, &str, &str); 3] = [
    ("sat", "", "(assert (= (bvmul x #x03) #x09))(check-sat)"),
    ("unsat", "", "(assert (= (bvmul x #x02) #x09))(check-sat)"),
    (
        "model",
        "(set-option :produce-models true)",
        "(assert (= (bvmul x #x03) #x09))(check-sat)(get-value (x))",
    ),
];

/// Verifies an unpacked release.
pub fn release(release: &Release) -> Result<()> {
    command(&release.label(), &release.command())
}

/// Verifies any command that reads SMT-LIB from a file given as its last argument.
pub fn command(label: &str, command: &[OsString]) -> Result<()> {
    for (query, before, after) in QUERIES {
        let script = format!("{before}(set-logic QF_BV)(declare-fun x () (_ BitVec 8)){after}(exit)\n");
        let output = ask(command, script.as_bytes()).map_err(|e| failed(label, query, &e))?;
        if !right(query, &output) {
            return Err(failed(label, query, &String::from_utf8_lossy(&output)));
        }
    }
    Ok(())
}

fn failed(label: &str, query: &'static str, detail: &str) -> Error {
    let detail = detail.trim().chars().take(400).collect::<String>();
    let detail = if detail.is_empty() { "it printed nothing".into() } else { detail };
    Error::Verification { release: label.to_owned(), query, detail }
}

fn right(query: &str, output: &[u8]) -> bool {
    let end = sexp::line_end(output, 0);
    let answer = output[..end].trim_ascii();
    let rest = output[end..].trim_ascii();
    match query {
        "model" => answer == b"sat" && value_of_x(rest).is_some_and(is_three),
        other => answer == other.as_bytes() && rest.is_empty(),
    }
}

/// The value in `((x V))`.
fn value_of_x(text: &[u8]) -> Option<&[u8]> {
    let pair = sexp::elements(text).next()?;
    let mut parts = sexp::elements(pair);
    (parts.next()? == b"x").then(|| parts.next()).flatten()
}

fn is_three(value: &[u8]) -> bool {
    [&b"#x03"[..], b"#b00000011", b"(_ bv3 8)"].contains(&value)
}

fn ask(command: &[OsString], script: &[u8]) -> Result<Vec<u8>, String> {
    let (program, args) = command.split_first().ok_or("there is no program")?;
    let file = Scratch::write(script).map_err(|e| e.to_string())?;
    let spec = confined(run::Spec::new(program).args(args).wall(Duration::from_secs(60)));
    let outcome = run::once(&spec, run::Input::Argument(file.path())).map_err(|e| e.to_string())?;
    let mut output = outcome.stdout.bytes().into_owned();
    if output.is_empty() {
        output = outcome.stderr.bytes().into_owned();
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_answers_pass() {
        assert!(right("sat", b"sat\n"));
        assert!(right("unsat", b"unsat\n"));
        assert!(!right("unsat", b"sat\n"));
        assert!(!right("sat", b"(error \"x\")\nsat\n"));
        assert!(!right("sat", b"satellite\n"));
        for value in ["#x03", "#b00000011", "(_ bv3 8)"] {
            assert!(right("model", format!("sat\n((x {value}))\n").as_bytes()), "{value}");
        }
        assert!(!right("model", b"sat\n((x #x04))\n"));
        assert!(!right("model", b"sat\n((y #x03))\n"));
        assert!(!right("model", b"sat\n"));
    }
}
