//! The `falsum` binary: flags in, one command run, one exit code out.
//!
//! Each command lives in its own file under `command/` and owns its flags. This file only maps the command
//! line to a command and its outcome to an exit code. It must never hold logic that a library crate should own.

mod allowance;
mod command;
mod config;
mod demonstrations;
mod exit;
mod like;
mod listeners;
mod nearest;
mod paint;
mod panel;
mod protection;
mod pulse;
mod recorded;
mod releases;
mod screen;
mod strategies;

use clap::{CommandFactory, FromArgMatches, Parser};
use exit::{Exit, Failure};
use std::process::ExitCode;

/// Finds, proves, shrinks and reports bugs in SMT solvers.
#[derive(Parser)]
#[command(name = "falsum", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    color: paint::When,
}

/// Stack for what still recurses on the depth of a term; less where the system does not give that much.
const STACKS: [usize; 3] = [512 << 20, 128 << 20, 32 << 20];

/// Handles failed printing, on which `println!` panics: a closed pipe (`falsum … | head`) ends the run quietly, a full
/// disk with its own exit code.
fn end_in_order_when_printing_fails() {
    let otherwise = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        let Some(why) = message.strip_prefix("failed printing to std") else { return otherwise(panic) };
        if why.contains("(os error 32)") {
            std::process::exit(Exit::Fine as i32);
        }
        if why.contains("(os error 28)") {
            let full = std::io::Error::from_raw_os_error(28);
            std::process::exit(exit::explain(&Failure::printing(&full).into()) as i32);
        }
        otherwise(panic);
    }));
}

/// The exit code, unless the output could not be written; a closed pipe is not a failure.
fn in_order(printed: std::io::Result<()>, exit: Exit) -> Exit {
    use std::io::Write;
    match printed.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            exit::explain(&Failure::printing(&error).into())
        }
        _ => exit,
    }
}

/// Runs on the largest stack that there is address space for.
fn on_a_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<std::thread::JoinHandle<T>> {
    // A thread that cannot be started drops its closure, so the work is kept outside.
    let work = std::sync::Arc::new(std::sync::Mutex::new(Some(work)));
    let mut refused = std::io::Error::from(std::io::ErrorKind::OutOfMemory);
    for stack in STACKS {
        let work = std::sync::Arc::clone(&work);
        let take = move || work.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let begin = move || take().map_or_else(|| unreachable!("only one thread is started"), |work| work());
        match std::thread::Builder::new().name("falsum".into()).stack_size(stack).spawn(begin) {
            Ok(thread) => return Ok(thread),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// With less address space an allocation fails at some point, which ends a program without a message.
const LEAST_SPACE: u64 = 256 << 20;

/// Reports that the limit on address space is too low, if it is.
fn refuse_a_tiny_address_space() -> Result<(), Failure> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    match limit {
        // When it runs as a solver, it has the limits that the user gave to solvers.
        Some(limit)
            if limit < LEAST_SPACE && std::env::args_os().nth(1).is_none_or(|arg| arg != "cvc5-driver") =>
        {
            let message = format!("falsum may use only {} MB of address space (ulimit -v)", limit >> 20);
            Err(Failure::usage(message)
                .hint(format!("it needs {} MB, and more for solvers", LEAST_SPACE >> 20)))
        }
        _ => Ok(()),
    }
}

fn main() -> ExitCode {
    end_in_order_when_printing_fails();
    solver::this_program_hosts();
    campaign::crew::raise_descriptors();
    triage::mark_with(demonstrations::key);
    if let Err(failure) = refuse_a_tiny_address_space() {
        return exit::explain(&failure.into()).into();
    }
    let parser = Cli::command();
    let expanded = match config::expand(
        command::spelled_out(std::env::args_os().collect()),
        &config::find().unwrap_or_else(|| config::FILE.into()),
        &parser,
    ) {
        Ok(expanded) => expanded,
        Err(failure) => return exit::explain(&failure.into()).into(),
    };
    let typed = expanded.args.clone();
    let parser = parser.color(paint::foresee(&expanded.args));
    let found = parser.try_get_matches_from(expanded.args);
    let cli = match found.and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(mut error) => {
            nearest::suggest(&mut error, &Cli::command(), &typed);
            let code = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            let printed = error.print();
            if code == Exit::Usage {
                config::tell(&expanded.added);
            }
            return in_order(printed, code).into();
        }
    };
    paint::choose(cli.color);
    if let command::Command::Cvc5Driver(_) = cli.command {
        // On the first thread and no other, so that the process can be copied.
        return match command::run(cli.command) {
            Ok(exit) => exit.into(),
            Err(error) => exit::explain(&error).into(),
        };
    }
    let outcome = on_a_large_stack(move || command::run(cli.command)).map(std::thread::JoinHandle::join);
    solver::clear_scratch();
    match outcome {
        Ok(Ok(Ok(exit))) => in_order(Ok(()), exit).into(),
        Ok(Ok(Err(error))) => exit::explain(&error).into(),
        Ok(Err(_panic)) => Exit::Internal.into(),
        Err(error) => exit::explain(&error.into()).into(),
    }
}
