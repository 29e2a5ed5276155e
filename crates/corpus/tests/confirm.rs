//! The long test: asks z3 and cvc5 about every embedded seed that names them in its `; CONFIRMED:` line.
//!
//! It runs only on request (`--ignored`), with the solvers on PATH. An answer that contradicts a status fails. Giving
//! up does not fail, because what solvers can decide changes between releases. The solvers may be other releases than
//! those that confirmed the seed, so a failure here is either a bad seed or a bug worth reporting.

use std::io::Write;
use std::process::{Command, Stdio};

use corpus::{Seed, Status, embedded};

fn ask(program: &str, seed: &Seed) -> Option<Vec<Status>> {
    let mut command = Command::new(program);
    match program {
        "z3" => command.args(["-in", "-T:10"]),
        _ => command.args(["--incremental", "--tlimit-per=10000", "-q"]).args(seed.command_line()),
    };
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = piped.spawn().ok()?;
    // The script is smaller than a pipe, so writing it all before reading cannot block.
    child.stdin.take()?.write_all(&seed.text).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers = text.lines().filter_map(|l| l.trim().parse().ok());
    (!text.contains("(error")).then(|| answers.collect())
}

fn check(program: &str) {
    if let Err(error) = Command::new(program).arg("--version").output() {
        return testkit::skip(&format!("{program} is not on PATH: {error}"));
    }
    let mut wrong = Vec::new();
    let mut decided = 0;
    for seed in embedded() {
        let named = seed.header_values("CONFIRMED").any(|line| line.contains(&format!("{program}@")));
        let Some(answers) = named.then(|| ask(program, &seed)).flatten() else { continue };
        let informative = |(known, said): (Status, &Status)| *said != Status::Unknown && *said != known;
        decided += 1;
        if seed.statuses().zip(&answers).any(informative) {
            wrong.push((seed.name.clone(), answers));
        }
    }
    assert!(wrong.is_empty(), "{program}: {wrong:?}");
    assert!(decided * 10 >= embedded().count() * 8, "{program} answered {decided} seeds only");
}

#[test]
#[ignore = "asks z3 from PATH about every seed"]
fn z3_answers_every_seed_as_its_status_says() {
    check("z3");
}

#[test]
#[ignore = "asks cvc5 from PATH about every seed"]
fn cvc5_answers_every_seed_as_its_status_says() {
    check("cvc5");
}
