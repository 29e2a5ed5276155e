//! cvc5 as a command line, made from the libraries in its wheels.
//!
//! The wheels carry `libcvc5` and `libcvc5parser` with a C interface (1.2.0 and later) and no program. `falsum
//! cvc5-driver --lib DIR -- ARGS` loads them and behaves like `cvc5 ARGS`: options, a file or standard input,
//! responses on standard output, each flushed before the next command is read, errors as `(error "…")`.
//!
//! `library` is the only file of this crate with unsafe code; it offers safe calls. This file is the command
//! line on top. It must never print anything that cvc5 did not print, except errors about its own arguments.

mod library;
mod stream;

use crate::error::{Error, Result};
use library::{Host, Step};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use stream::Splitter;

/// What the arguments request.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    /// Options for the library, in order.
    options: Vec<(String, String)>,
    /// Milliseconds for the whole run; the library leaves that to its host.
    time_limit: Option<u64>,
    version: bool,
    /// The input; standard input if none.
    file: Option<String>,
}

/// Runs the command line and ends the process at once: the library's own clean-up takes time and has no benefit.
/// Returns only if the library cannot be loaded.
pub fn main(lib: &Path, args: &[OsString]) -> Error {
    match run(lib, args) {
        Ok(code) => library::exit_now(code),
        Err(error) => error,
    }
}

fn run(lib: &Path, args: &[OsString]) -> Result<i32> {
    let request = match read_args(args) {
        Ok(request) => request,
        Err(why) => {
            say(&mut std::io::stderr(), format!("cvc5: {why}\n").as_bytes());
            return Ok(2);
        }
    };
    library::die_as_a_solver_would();
    library::take_room_for_the_stack();
    let mut host = Host::load(lib)?;
    if request.version {
        say(
            &mut std::io::stdout(),
            format!("This is cvc5 version {} [falsum driver]\n", host.version()).as_bytes(),
        );
        return Ok(0);
    }
    if let Some(limit) = request.time_limit {
        library::exit_after(std::time::Duration::from_millis(limit));
    }
    for (name, value) in &request.options {
        if let Err(message) = host.set_option(name, value) {
            print_error(&message);
            return Ok(1);
        }
    }
    if !request.options.iter().any(|(name, _)| name == "incremental") {
        let interactive = request.file.is_none();
        let _ = host.set_option("incremental", if interactive { "true" } else { "false" });
    }
    host.open_parser();
    let dump = Dump::read(&request.options);
    Ok(match &request.file {
        Some(file) => run_file(&mut host, file, &dump),
        None => run_stdin(&mut host, &dump),
    })
}

/// A whole file: the first error ends it, as in cvc5 itself, unless it only says that there is nothing to get.
fn run_file(host: &mut Host, file: &str, dump: &Dump) -> i32 {
    if let Err(message) = host.read_file(file) {
        print_error(&message);
        return 1;
    }
    loop {
        match host.step() {
            Step::Response { text, name } => {
                respond(&text);
                if text.starts_with(b"(error") && !name.starts_with("get-") {
                    return 1;
                }
                dump.after(host, &name, &text);
                if name == "exit" {
                    return 0;
                }
            }
            Step::Failed { message, name } => {
                print_error(&message);
                if !name.starts_with("get-") {
                    return 1;
                }
            }
            Step::Unreadable(message) => {
                print_error(&message);
                return 1;
            }
            Step::Nothing => return 0,
        }
    }
}

/// Standard input: one command at a time, continuing after errors, as sessions need it.
fn run_stdin(host: &mut Host, dump: &Dump) -> i32 {
    host.read_increments();
    let mut splitter = Splitter::default();
    let mut input = std::io::stdin().lock();
    let mut chunk = vec![0u8; 64 << 10];
    loop {
        let n = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return 1,
        };
        splitter.push(&chunk[..n]);
        while let Some(command) = splitter.next_command() {
            if run_one(host, &command, dump) {
                return 0;
            }
        }
    }
    let rest = splitter.rest();
    if !rest.is_empty() {
        run_one(host, &rest, dump);
    }
    0
}

/// Returns true after `(exit)`.
fn run_one(host: &mut Host, command: &[u8], dump: &Dump) -> bool {
    if let Err(message) = host.append(command) {
        print_error(&message);
        return false;
    }
    match host.step() {
        Step::Response { text, name } => {
            respond(&text);
            dump.after(host, &name, &text);
            name == "exit"
        }
        Step::Failed { message, .. } => {
            print_error(&message);
            false
        }
        Step::Unreadable(message) => {
            print_error(&message);
            host.open_parser();
            host.read_increments();
            false
        }
        Step::Nothing => false,
    }
}

/// `--dump-models` and `--dump-unsat-cores`: options of cvc5's program that its library accepts but leaves to its host.
#[derive(Debug, Default)]
struct Dump {
    models: bool,
    cores: bool,
}

impl Dump {
    fn read(options: &[(String, String)]) -> Dump {
        let on = |wanted: &str| options.iter().any(|(name, value)| name == wanted && value == "true");
        Dump { models: on("dump-models"), cores: on("dump-unsat-cores") }
    }

    fn after(&self, host: &mut Host, command: &str, response: &[u8]) {
        if !command.starts_with("check-sat") {
            return;
        }
        let ask: &[u8] = match response.trim_ascii() {
            b"sat" if self.models => b"(get-model)\n",
            b"unsat" if self.cores => b"(get-unsat-core)\n",
            _ => return,
        };
        if let Ok(text) = host.aside(ask) {
            respond(&text);
        }
    }
}

fn read_args(args: &[OsString]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut words = args.iter().map(|a| a.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        let yes = |name: &str| (name.to_owned(), "true".to_owned());
        match word.as_str() {
            "-" => request.file = None,
            "-V" | "--version" => request.version = true,
            "-q" | "--quiet" => request.options.push(("verbosity".to_owned(), "-1".to_owned())),
            "-v" | "--verbose" => request.options.push(("verbosity".to_owned(), "1".to_owned())),
            "-i" => request.options.push(yes("incremental")),
            "-m" => request.options.push(yes("produce-models")),
            "-L" | "--lang" | "--input-language" => drop(words.next()),
            "--tlimit" => request.time_limit = words.next().and_then(|w| w.parse().ok()),
            _ if word.starts_with("--lang=") || word.starts_with("--input-language=") => {}
            _ if word.starts_with("--") => long_option(&word[2..], &mut request)?,
            _ if word.starts_with('-') => return Err(format!("unknown option {word}")),
            _ if request.file.is_some() => return Err("more than one input file".to_owned()),
            _ => request.file = Some(word),
        }
    }
    Ok(request)
}

fn long_option(text: &str, request: &mut Request) -> Result<(), String> {
    let (name, value) = match (text.split_once('='), text.strip_prefix("no-")) {
        (Some((name, value)), _) => (name, value),
        (None, Some(name)) => (name, "false"),
        (None, None) => (text, "true"),
    };
    if name == "tlimit" {
        let limit = value.parse().map_err(|_| format!("--tlimit={value} is not a number of milliseconds"))?;
        request.time_limit = Some(limit);
    } else {
        request.options.push((name.to_owned(), value.to_owned()));
    }
    Ok(())
}

fn respond(text: &[u8]) {
    if !text.is_empty() {
        say(&mut std::io::stdout(), text);
    }
}

fn print_error(message: &str) {
    let escaped = message.trim_end().replace('"', "\"\"");
    say(&mut std::io::stdout(), format!("(error \"{escaped}\")\n").as_bytes());
}

/// Writes and flushes; after a closed pipe the rest is not needed.
fn say(out: &mut dyn Write, text: &[u8]) {
    if out.write_all(text).and_then(|()| out.flush()).is_err() {
        library::exit_now(0);
    }
}

/// The error of a folder without the libraries.
fn no_library(lib: &Path, detail: impl Into<String>) -> Error {
    Error::Library { path: lib.to_owned(), detail: detail.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Request, String> {
        read_args(&args.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn the_command_line_is_cvc5s() {
        let request =
            read(&["-q", "-i", "--lang=smt2", "--no-strings-exp", "--seed=3", "--tlimit=500", "a.smt2"]);
        let request = request.unwrap();
        let options: Vec<_> = request.options.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(options, ["verbosity=-1", "incremental=true", "strings-exp=false", "seed=3"]);
        assert_eq!((request.time_limit, request.file.as_deref()), (Some(500), Some("a.smt2")));
        assert_eq!(read(&["--lang", "smt2", "-"]).unwrap(), Request::default());
        assert!(read(&["-x"]).is_err());
        assert!(read(&["a", "b"]).is_err());
        assert!(read(&["--tlimit=x"]).is_err());
    }
}
