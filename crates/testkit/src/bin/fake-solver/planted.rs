//! A planted bug: a real solver whose answers are distorted in given cases.
//!
//! Every command is passed on to the real solver, followed by an echoed nonce, so that the end of each reply is known
//! exactly. If the script's current context contains the text of `--wrong-when` (always, if it is not given), the
//! reply to the command in question is distorted. `--plant` gives several texts, each with its own distortion:
//!
//! - `flip`: sat and unsat are exchanged; `refute`: sat becomes unsat; `incremental-only`: the same, but only after a push or an
//!   earlier check-sat; `flaky`: the same, but only about every second time;
//! - `model`: every value in a model is changed; `core`: an unsat core loses its last name;
//! - `crash`: a segmentation fault instead of an answer; `hang`: silence for 30 seconds instead;
//! - `corrupt`: a crash that looks different for every length of the script, as after a write to freed memory.
//!
//! So an oracle can be tested against a solver with exactly one bug.

use crate::answers::Context;
use crate::reader::{Commands, elements, head};
use crate::{Options, endings};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::SystemTime;

struct Real {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: u64,
}

impl Real {
    fn start(command: &str) -> Option<Real> {
        let mut words = command.split_whitespace();
        let mut start = Command::new(words.next()?);
        let mut child = start.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Real { child, to, from, asked: 0 })
    }

    /// Passes a command on and returns its reply; the flag is false if the solver has ended.
    fn ask(&mut self, command: &str) -> (String, bool) {
        self.asked += 1;
        let nonce = format!("planted-{}", self.asked);
        let sent = writeln!(self.to, "{command}\n(echo \"{nonce}\")").and_then(|()| self.to.flush());
        let mut reply = String::new();
        let mut line = Vec::new();
        while sent.is_ok() {
            line.clear();
            if self.from.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
                return (reply, false);
            }
            let text = String::from_utf8_lossy(&line);
            if text.trim().trim_matches('"') == nonce {
                return (reply, true);
            }
            reply.push_str(&text);
        }
        (reply, false)
    }

    /// Ends with the solver's exit status, as a shell would.
    fn end(mut self) -> ExitCode {
        drop(self.to);
        let mut rest = Vec::new();
        let _ = self.from.read_to_end(&mut rest);
        let _ = std::io::stdout().write_all(&rest);
        let status = self.child.wait().unwrap_or_default();
        let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|n| 128 + n);
        ExitCode::from(status.code().or(signal).unwrap_or(1) as u8)
    }
}

/// Runs a script or a session to its end.
pub fn serve(real: &str, options: &Options, source: Box<dyn Read>) -> ExitCode {
    if options.version {
        return version(real);
    }
    let Some(mut real) = Real::start(real) else {
        crate::output::say("(error \"the real solver cannot be started\")\n");
        return ExitCode::FAILURE;
    };
    let mut commands = Commands::new(source);
    let mut context = Context::default();
    loop {
        while let Some(command) = commands.ready() {
            if head(&command) == "exit" {
                let _ = writeln!(real.to, "(exit)");
                return real.end();
            }
            context.follow(&command);
            let wrong = wrong_here(options, &context);
            if head(&command).starts_with("check-sat") {
                misbehave(wrong, &context);
            }
            let (reply, alive) = real.ask(&command);
            crate::output::say(&distort(&command, reply, wrong, &context));
            if !alive {
                return real.end();
            }
        }
        if !commands.more() {
            return real.end();
        }
    }
}

/// The distortion for this context; empty if there is none.
fn wrong_here<'a>(options: &'a Options, context: &Context) -> &'a str {
    if let Some((wrong, _)) = options.plants.iter().find(|(_, pattern)| context.holds(pattern)) {
        return wrong;
    }
    let triggered = options.wrong_when.as_deref().is_none_or(|pattern| context.holds(pattern));
    options.wrong.as_deref().filter(|_| triggered).unwrap_or("")
}

/// Forwards `--version` to the real solver.
fn version(real: &str) -> ExitCode {
    let program = real.split_whitespace().next().unwrap_or("");
    let status = Command::new(program).arg("--version").status();
    if status.is_ok_and(|s| s.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What glibc's allocator says when it notices that its lists are damaged.
const NOTICED: [&str; 5] = [
    "malloc(): invalid size (unsorted)",
    "free(): invalid pointer",
    "double free or corruption (!prev)",
    "corrupted size vs. prev_size",
    "malloc_consolidate(): unaligned fastbin chunk detected",
];

#[allow(clippy::print_stderr, reason = "glibc writes there")]
fn corrupt(context: &Context) {
    match NOTICED.get(context.size() % (NOTICED.len() + 1)) {
        Some(noticed) => {
            eprintln!("{noticed}");
            endings::signal_self(rustix::process::Signal::ABORT);
        }
        None => endings::signal_self(rustix::process::Signal::SEGV),
    }
}

fn misbehave(wrong: &str, context: &Context) {
    match wrong {
        "corrupt" => corrupt(context),
        "crash" => endings::signal_self(rustix::process::Signal::SEGV),
        "hang" => endings::sleep(30_000),
        _ => {}
    }
}

fn distort(command: &str, reply: String, wrong: &str, context: &Context) -> String {
    let check = head(command).starts_with("check-sat");
    let flips = match wrong {
        "flip" => true,
        "incremental-only" => context.pushed || context.checks > 1,
        "flaky" => by_the_clock(),
        _ => false,
    };
    match (wrong, head(command)) {
        _ if check && flips => flip(&reply),
        ("undecided", _) if check => "unknown\n".into(),
        ("refute", _) if check && reply.trim() == "sat" => "unsat\n".into(),
        ("model", "get-model") => distort_model(&reply),
        ("model", "get-value") => distort_values(&reply),
        ("core", "get-unsat-core") => distort_core(&reply),
        _ => reply,
    }
}

fn by_the_clock() -> bool {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_micros().is_multiple_of(2)
}

fn flip(reply: &str) -> String {
    let turn = |line: &str| match line {
        "sat" => "unsat".to_string(),
        "unsat" => "sat".to_string(),
        other => other.to_string(),
    };
    reply.lines().map(|l| turn(l) + "\n").collect()
}

/// Changes the body of every constant of a model.
fn distort_model(reply: &str) -> String {
    let mut wrong = reply.to_string();
    for definition in elements(reply.trim()) {
        let parts = elements(definition);
        if let ["define-fun", name, "()", sort, body] = parts[..] {
            let changed = format!("(define-fun {name} () {sort} {})", another_value(body));
            wrong = wrong.replacen(definition, &changed, 1);
        }
    }
    wrong
}

fn distort_values(reply: &str) -> String {
    let changed = elements(reply.trim()).into_iter().map(|pair| match elements(pair)[..] {
        [term, value] => format!("({term} {})", another_value(value)),
        _ => pair.to_string(),
    });
    format!("({})\n", changed.collect::<Vec<_>>().join(" "))
}

fn distort_core(reply: &str) -> String {
    let names = elements(reply.trim());
    format!("({})\n", names[..names.len().saturating_sub(1)].join(" "))
}

/// A different value of the same sort, for the common kinds of literals.
fn another_value(value: &str) -> String {
    let last = |from: &str, to: &str| format!("{}{to}", &value[..value.len() - from.len()]);
    if value == "true" {
        return "false".into();
    }
    if value == "false" {
        return "true".into();
    }
    if value.starts_with("#b") || value.starts_with("#x") {
        return if value.ends_with('0') { last("0", "1") } else { last("0", "0") };
    }
    if value.starts_with('"') && value.ends_with('"') && value.len() >= 2 {
        return last("\"", "x\"");
    }
    if let Some(whole) = value.strip_suffix(".0") {
        return whole.parse::<i128>().map_or(value.into(), |n| format!("{}.0", n + 1));
    }
    if let Ok(number) = value.parse::<i128>() {
        return (number + 1).to_string();
    }
    match elements(value)[..] {
        ["-", inner] if !inner.starts_with('(') => inner.to_string(),
        ["_", name, width] if name.starts_with("bv") => {
            format!("(_ {} {width})", if name == "bv0" { "bv1" } else { "bv0" })
        }
        ["fp", sign, exponent, rest] => {
            format!("(fp {} {exponent} {rest})", if sign == "#b0" { "#b1" } else { "#b0" })
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_of_a_distorted_model_differs() {
        let model = "(\n  (define-fun x () Int 5)\n  (define-fun b () Bool\n    true)\n  (define-fun f ((y Int)) Int y)\n)\n";
        let wrong = distort_model(model);
        assert!(wrong.contains("(define-fun x () Int 6)") && wrong.contains("(define-fun b () Bool false)"));
        assert!(wrong.contains("(define-fun f ((y Int)) Int y)"));
    }

    #[test]
    fn values_of_the_common_sorts_are_changed() {
        for (value, other) in [
            ("#b0110", "#b0111"),
            ("#xff", "#xf0"),
            ("\"ab\"", "\"abx\""),
            ("2.0", "3.0"),
            ("(- 3)", "3"),
            ("(_ bv7 8)", "(_ bv0 8)"),
            ("(fp #b0 #b00 #b1)", "(fp #b1 #b00 #b1)"),
        ] {
            assert_eq!(another_value(value), other);
        }
    }

    #[test]
    fn a_distorted_core_loses_a_name_and_a_distorted_answer_is_flipped() {
        assert_eq!(distort_core("(a b c)\n"), "(a b)\n");
        assert_eq!(flip("sat\n"), "unsat\n");
        assert_eq!(flip("unknown\n"), "unknown\n");
    }
}
