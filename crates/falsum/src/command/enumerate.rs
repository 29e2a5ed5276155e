//! `falsum enumerate`: the formulas of a grammar, smallest first, or from any index on.
//!
//! Formulas go to a folder (`<index>.smt2`, one command per line), to stdout (one script per line, so that
//! `wc -l` and `sort -u` work on formulas) or nowhere (`--null`, to measure). One sentence on stderr states exactly
//! what was covered. All decisions are made in `strategy::enumerate`; this file opens grammars, writes bytes and must
//! never change a formula.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dashu_int::UBig;
use serde::Serialize;
use strategy::enumerate::{
    Classes, Enumeration, Formula, Grammar, GrammarError, Layout, Symmetry, Walked, catalog,
};

use crate::command::hunt::{listeners, mix, say_short, shard, warn};
use crate::command::sample;
use crate::exit::{Exit, Failure};
use crate::panel::{SolverArgs, duration};
use campaign::crew::Crew;
use campaign::enumeration::{Extent, Scope, enumerate, guarantee};
use campaign::spread::jobs;
use campaign::{Assignment, Begun, Budget, Ledger, Mix, Policy, Schedule};
use strategy::enumerate::cases::{Enumerate, Range};
use strategy::enumerate::export::{Exported, Wanted, export};
use strategy::{Bank, Settings};
use triage::Panel;

/// Enumerate the formulas of a grammar, smallest first
#[derive(clap::Args)]
pub struct Args {
    /// An embedded grammar (Core, Ints, Reals, …) or a grammar file; `F.json` beside `F.g4` holds its classes
    #[arg(
        long,
        value_name = "G",
        required_unless_present = "sorts",
        default_value = "",
        hide_default_value = true
    )]
    grammar: String,
    /// Build the grammar from the theory tables instead: all operators over these sorts, `Int; (_ BitVec 8)`
    #[arg(long, value_delimiter = ';', value_name = "SORTS", conflicts_with = "grammar")]
    sorts: Vec<String>,
    /// With --sorts: also operators beyond the standard
    #[arg(long, requires = "sorts")]
    extensions: bool,
    /// Print the grammar and its class file, and stop; with --out DIR, write NAME.g4 and NAME.json there
    #[arg(long)]
    show_grammar: bool,
    /// How many variables each class has
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=100))]
    variables: Option<u16>,
    /// How many formulas
    #[arg(long, value_name = "N", default_value_t = 1000)]
    take: u64,
    /// Index of the first formula, of any size: digits, or a power such as 10^1700
    #[arg(long, value_name = "INDEX", default_value = "0", value_parser = parse_index)]
    from: UBig,
    /// Draw random formulas of this size instead, each with the same probability (with --no-solve; `hunt DIR --strategy
    /// seeds` runs them)
    #[arg(long, value_name = "SIZE", requires = "no_solve", conflicts_with_all = ["from", "modulo", "null"])]
    sample: Option<usize>,
    /// The key of the random choices of --sample: the same key draws the same formulas
    #[arg(long, value_name = "K", default_value = "falsum", requires = "sample")]
    key: String,
    /// Skip formulas that are equal to an earlier one up to this
    #[arg(long, value_name = "WHAT")]
    modulo: Option<Modulo>,
    /// Print how many formulas there are of each size up to K, and stop
    #[arg(long, value_name = "K")]
    count_size: Option<usize>,
    /// Do not run any solver
    #[arg(long)]
    no_solve: bool,
    /// Without --no-solve the campaign folder; with it, where formulas go: a folder, or `-` for stdout, one per line
    #[arg(long, value_name = "DIR|-")]
    out: Option<PathBuf>,
    /// Generate the formulas and discard them, to measure
    #[arg(long, conflicts_with = "out")]
    null: bool,
    /// Print one JSON object about the run
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    solvers: SolverArgs,
    /// Look only for these kinds of findings (`soundness`, `crash`, …). With `performance` every solver runs in a fresh
    /// process, the limit is one of processor time, and everything that looks slow is measured
    #[arg(long, value_delimiter = ',', value_parser = campaign::focus::kinds_named, value_name = "KIND")]
    only: Vec<String>,
    /// How solver processes are reused between formulas
    #[arg(long, default_value = "mixed", value_parser = mix, value_name = "fresh|reset|scoped|mixed")]
    session: Mix,
    /// Workers; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    /// Stop after this time; running work ends at most 10 s and a fifth of the time later; --resume continues
    #[arg(long = "for", value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Resume the enumeration in the folder
    #[arg(long)]
    resume: bool,
    /// Do only this part of the work: `0/4` is the first of four
    #[arg(long, default_value = "0/1", value_parser = shard, value_name = "I/N")]
    shard: (u64, u64),
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

/// When two formulas count as one.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Modulo {
    /// They differ in names of variables of one sort and in the order of commutative arguments
    Symmetry,
}

/// Runs it.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    if args.show_grammar {
        return show_grammar(&args);
    }
    let grammar = read_grammar(&args)?;
    for at in &grammar.repeated {
        eprintln!("note: {}:{at}: this alternative repeats an earlier one and is ignored", args.grammar);
    }
    if let Some(size) = args.count_size {
        return count(&grammar, size, args.json);
    }
    if args.null {
        return measure(&args, &grammar);
    }
    if let (Some(size), Some(out)) = (args.sample, &args.out) {
        let drawn = sample::draw(&grammar, size, args.take, &args.key, out == Path::new("-"));
        let drawn = drawn.map_err(|error| failure(&grammar.name, &error))?;
        return finish(drawn.write(&grammar, out).map(|()| Exit::Fine));
    }
    match (&args.out, args.no_solve) {
        (_, false) => solve(&args, grammar),
        (Some(out), true) if out.as_os_str() == "-" => to_stdout(&args, &grammar),
        (Some(out), true) => to_folder(&args, &grammar, out),
        (None, true) => Err(Failure::usage("no output was chosen for the formulas")
            .hint("add --out DIR, --out - or --null")
            .into()),
    }
}

/// Runs solvers on the formulas and ends with a statement about all of them.
fn solve(args: &Args, grammar: Grammar) -> anyhow::Result<Exit> {
    let explain = |error: GrammarError| failure(&args.grammar, &error);
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("falsum-out"));
    let (name, variables) = (grammar.name.clone(), args.variables.map(usize::from));
    let range = Range { from: args.from.clone(), take: args.take, modulo_symmetry: args.modulo.is_some() };
    let formulas = Enumerate::new(grammar, origin(args), variables, range).map_err(explain)?;
    let (targets, references) = args.solvers.resolve()?;
    let Crew { workers, idle, short } = Crew::muster(args.jobs, targets.len() + references.len());
    let solvers = targets.iter().chain(&references).map(|target| target.name.clone()).collect();
    let strategy = crate::strategies::find("enumerate")?;
    let bank = Bank::default();
    let focus = campaign::Focus { only: args.only.clone(), ..campaign::Focus::default() };
    let assignment = Assignment {
        strategies: vec![Begun::new(strategy, &bank, &settings(args)?)?],
        bank,
        key: formulas.key(),
        panel: Panel::new(targets, references, idle),
        limits: args.solvers.limits(),
        policy: Policy::enumerate(args.session),
        turns: None,
        focus,
        tilts: campaign::learned::Tilts::default(),
        covered: None,
        ration: campaign::Ration::default(),
        spending: campaign::Spending::default(),
        cancel: run::Cancel::new()?,
    };
    let budget = Budget {
        time: args.time,
        cases: None,
        stop_after: None,
        workers,
        schedule: Schedule::Fixed,
        shard: args.shard,
        reduce: false,
        record: store::Record::default(),
        triage_share: campaign::TRIAGE_SHARE,
        sharing: campaign::Sharing::default(),
    };
    if args.resume {
        refuse_other_solvers(&out, &assignment)?;
    }
    let listeners = listeners(&out, args.quiet || args.json, false, &assignment);
    let mut ledger = Ledger::open(&out, args.resume, &assignment, &budget, listeners)?;
    warn(&ledger);
    say_short(&mut ledger, short)?;
    let extent = Extent { workers, shard: args.shard, time: args.time };
    let exit: Exit = enumerate(&assignment, &formulas, &extent, &out, ledger)?.into();
    let complete = formulas.complete(formulas.range.take).map_err(explain)?;
    let scope = Scope {
        grammar: name,
        variables,
        from: args.from.to_string(),
        take: formulas.range.take,
        modulo_symmetry: args.modulo.is_some(),
        shard: args.shard,
        solvers,
        seconds: args.solvers.timeout.as_secs_f64(),
        complete: complete.map(|(size, count)| (size, count.to_string())),
    };
    let guarantee = guarantee(&out, scope)?;
    let text = if args.json { guarantee.json().to_string() } else { guarantee.sentence() };
    print_line(&text)?;
    Ok(match exit {
        Exit::Fine if guarantee.bugs > 0 => Exit::Findings,
        exit => exit,
    })
}

/// The closing statement covers all runs in the folder, so all must have used the same solvers and limits.
fn refuse_other_solvers(out: &Path, setup: &Assignment) -> anyhow::Result<()> {
    let Ok(view) = store::Store::read(out) else { return Ok(()) }; // opening it reports what is wrong
    let before = view.campaign();
    let record = |record: &store::TargetRecord| {
        let args = record.command.iter().skip(1).cloned().collect::<Vec<_>>().join(" ");
        (record.name.clone(), record.hash.clone(), args)
    };
    let mut then: Vec<_> = before.targets.iter().chain(&before.references).map(record).collect();
    let now = setup.panel.all().map(solver::Pool::target);
    let mut now: Vec<_> = now.map(|t| (t.name.clone(), t.hash.clone(), t.args.join(" "))).collect();
    then.sort();
    now.sort();
    let limits = |wall: u64, memory: u64| format!("{} s and {} MB", wall as f64 / 1000.0, memory >> 20);
    let then_limits = limits(before.limits.full_ms, before.limits.memory_bytes);
    let now_limits = limits(setup.limits.wall.as_millis() as u64, setup.limits.memory.unwrap_or(0));
    let names =
        |all: &[(String, String, String)]| all.iter().map(|t| t.0.as_str()).collect::<Vec<_>>().join(", ");
    let (then_names, now_names) = (names(&then), names(&now));
    let (then, now) = match () {
        () if then_names != now_names => (then_names, now_names),
        () if then != now => (then_names, format!("{now_names}, but another program or other options")),
        () if then_limits != now_limits => (then_limits, now_limits),
        () => return Ok(()),
    };
    let hint = "resume with the same solvers and limits, or give another folder with --out";
    Err(Failure::usage(format!(
        "the formulas in {} were run on other solvers or with other limits: there {then}; now {now}",
        smtlib::shown::path(out)
    ))
    .hint(hint)
    .into())
}

/// The settings that produce the same formulas again, even if the grammar's file has moved.
fn settings(args: &Args) -> anyhow::Result<Settings> {
    let (grammar, grammar_classes) = match catalog::find(&args.grammar) {
        Some(embedded) => (embedded.name.to_owned(), None),
        None if !args.sorts.is_empty() => {
            let Exported { grammar, classes } = exported(args)?;
            (grammar, Some(classes))
        }
        None => {
            let path = Path::new(&args.grammar);
            let read = |path: &Path| std::fs::read_to_string(path).ok();
            (read(path).unwrap_or_default(), read(&path.with_extension("json")))
        }
    };
    Ok(Settings {
        grammar: Some(grammar),
        grammar_classes,
        variables: args.variables.map(usize::from),
        from: Some(args.from.to_string()),
        modulo_symmetry: args.modulo.is_some(),
        ..Settings::default()
    })
}

/// A lasting identity of the grammar: its name, or its file and a hash of the content.
fn origin(args: &Args) -> String {
    match catalog::find(&args.grammar) {
        Some(embedded) => embedded.name.to_owned(),
        None if !args.sorts.is_empty() => format!("sorts {}", args.sorts.join(";")),
        None => {
            let bytes = std::fs::read(&args.grammar).unwrap_or_default();
            format!("{} {}", args.grammar, &blake3::hash(&bytes).to_hex()[..16])
        }
    }
}

pub fn parse_index(text: &str) -> Result<UBig, String> {
    let number = |digits: &str| {
        digits.replace('_', "").parse::<UBig>().map_err(|_| format!("`{text}` is not a natural number"))
    };
    match text.split_once('^') {
        None => number(text),
        Some((base, exponent)) => {
            let exponent: u32 =
                exponent.parse().map_err(|_| format!("`{exponent}` is not a small exponent"))?;
            let base = number(base)?;
            if exponent > 20_000 || base > UBig::from(1000u32) {
                return Err("that index is too large to be reached".into());
            }
            Ok(base.pow(exponent as usize))
        }
    }
}

/// A grammar error as a foreseen failure with its hint.
fn failure(origin: &str, error: &GrammarError) -> Failure {
    let text = error.to_string();
    match text.split_once("\nhint: ") {
        Some((what, hint)) => Failure::usage(format!("{origin}: {what}")).hint(hint),
        None => Failure::usage(format!("{origin}: {text}")),
    }
}

/// The grammar of `--sorts`, as text.
fn exported(args: &Args) -> anyhow::Result<Exported> {
    let wanted = Wanted {
        sorts: args.sorts.iter().map(|sort| sort.trim().to_owned()).collect(),
        solvers: args.solvers.solvers.iter().filter_map(|spec| solver_of(spec)).collect(),
        extensions: args.extensions,
    };
    export("Tables", &wanted).map_err(|why| {
        Failure::usage(format!("--sorts: {why}"))
            .hint("write sorts as SMT-LIB does, with ; between them")
            .into()
    })
}

/// The solver that a SPEC names, if it is a release.
fn solver_of(spec: &str) -> Option<String> {
    let spec = solver::Spec::parse(spec).ok()?;
    match spec.program {
        solver::spec::Program::Release { solver, .. } => Some(solver.to_string()),
        solver::spec::Program::Path { family, .. } => family,
    }
}

fn show_grammar(args: &Args) -> anyhow::Result<Exit> {
    let (name, text, classes) = match catalog::find(&args.grammar) {
        Some(embedded) => (embedded.name, embedded.text.to_owned(), embedded.classes.to_owned()),
        None if !args.sorts.is_empty() => {
            let Exported { grammar, classes } = exported(args)?;
            ("Tables", grammar, classes)
        }
        None => return Err(Failure::usage("--show-grammar needs an embedded grammar or --sorts").into()),
    };
    let Some(folder) = &args.out else {
        return finish(
            print_line(&format!("{}\n{}", text.trim_end(), classes.trim_end())).map(|()| Exit::Fine),
        );
    };
    let write = |end: &str, text: &str| std::fs::write(folder.join(format!("{name}.{end}")), text);
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| write("g4", &text))
        .and_then(|()| write("json", &classes));
    finish(written.map(|()| Exit::Fine))
}

fn read_grammar(args: &Args) -> anyhow::Result<Grammar> {
    let variables = args.variables.map(usize::from);
    if !args.sorts.is_empty() {
        let Exported { grammar, classes } = exported(args)?;
        let classes = Classes::parse(&classes).map_err(|error| failure("--sorts", &error))?;
        let read = Grammar::parse_with(&grammar, &classes, variables.unwrap_or(2));
        return read.map_err(|error| failure("--sorts", &error).into());
    }
    if let Some(embedded) = catalog::find(&args.grammar) {
        return embedded.grammar(variables).map_err(|error| failure(embedded.name, &error).into());
    }
    let path = Path::new(&args.grammar);
    let text = std::fs::read_to_string(path).map_err(|error| {
        let names: Vec<&str> = catalog::EMBEDDED.iter().map(|embedded| embedded.name).collect();
        let hint = format!("embedded grammars: {}", names.join(", "));
        Failure::usage(format!("grammar `{}`: {error}", args.grammar)).hint(hint)
    })?;
    let beside = path.with_extension("json");
    let classes = match std::fs::read_to_string(&beside) {
        Ok(json) => Classes::parse(&json).map_err(|error| failure(&smtlib::shown::path(&beside), &error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Classes::default(),
        Err(error) => return Err(Failure::usage(format!("{}: {error}", smtlib::shown::path(&beside))).into()),
    };
    let read = Grammar::parse_with(&text, &classes, variables.unwrap_or(2));
    read.map_err(|error| failure(&args.grammar, &error).into())
}

#[derive(Serialize)]
struct CountLine {
    size: usize,
    /// Decimal text: these numbers outgrow JSON's.
    count: String,
    total: String,
}

fn count(grammar: &Grammar, upto: usize, json: bool) -> anyhow::Result<Exit> {
    let explain = |error| failure(&grammar.name, &error);
    let mut enumeration = Enumeration::new(grammar, Layout::Lines).map_err(explain)?;
    enumeration.count(upto).map_err(explain)?;
    let mut lines = Vec::with_capacity(upto + 1);
    for size in 0..=upto {
        let (count, total) =
            (enumeration.count(size).map_err(explain)?, enumeration.count_upto(size).map_err(explain)?);
        lines.push(CountLine { size, count: count.to_string(), total: total.to_string() });
    }
    if json {
        let report = serde_json::json!({"grammar": grammar.name, "counts": lines});
        return finish(print_line(&report.to_string()).map(|()| Exit::Fine));
    }
    let mut text = String::from("size  formulas of this size  up to this size");
    for line in lines.iter().filter(|line| line.count != "0") {
        text.push_str(&format!("\n{:>4}  {:>21}  {:>15}", line.size, line.count, line.total));
    }
    finish(print_line(&text).map(|()| Exit::Fine))
}

fn print_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// A reader that closed the pipe needs no more output; that is not a failure.
fn finish(result: io::Result<Exit>) -> anyhow::Result<Exit> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Fine),
        Err(error) if error.kind() == io::ErrorKind::StorageFull => Err(Failure {
            exit: Exit::DiskFull,
            message: error.to_string(),
            hint: Some("free some space and continue with --from".into()),
        }
        .into()),
        Err(error) => Err(Failure::usage(error.to_string()).into()),
        Ok(exit) => Ok(exit),
    }
}

/// What a run covered.
struct Covered {
    walked: Walked,
    bytes: u64,
    seconds: f64,
    sizes: Option<(usize, usize)>,
    /// Every formula up to this size was generated, if the run began at 0.
    complete: Option<usize>,
}

/// Iterates over the formulas and passes each with its offset from `--from` to `each`.
fn walk(
    args: &Args,
    grammar: &Grammar,
    layout: Layout,
    mut each: impl FnMut(u64, Formula<'_>) -> io::Result<()>,
) -> anyhow::Result<(Covered, io::Result<()>)> {
    let explain = |error| failure(&grammar.name, &error);
    let begin = Instant::now();
    let mut enumeration = Enumeration::new(grammar, layout).map_err(explain)?;
    let mut symmetry = args.modulo.map(|Modulo::Symmetry| Symmetry::of(grammar, enumeration.tree()));
    let (mut bytes, mut sizes, mut written) = (0, None, Ok(()));
    let consume = |formula: Formula<'_>| {
        bytes += formula.text.len() as u64 + 1;
        sizes = Some((sizes.map_or(formula.size, |(first, _)| first), formula.size));
        written = each(formula.number + formula.skipped, formula);
        written.is_ok()
    };
    let walked = enumeration.walk(&args.from, args.take, symmetry.as_mut(), consume).map_err(explain)?;
    let seconds = begin.elapsed().as_secs_f64();
    let complete = match sizes {
        Some((_, last)) if args.from == UBig::ZERO => {
            let met = UBig::from(walked.formulas + walked.skipped);
            let whole = enumeration.count_upto(last).map_err(explain)? <= met;
            let size = if whole { Some(last) } else { last.checked_sub(1) };
            match size {
                Some(size) if enumeration.count_upto(size).map_err(explain)? > UBig::ZERO => Some(size),
                _ => None, // no formula is that small: the statement would be empty
            }
        }
        _ => None,
    };
    Ok((Covered { walked, bytes, seconds, sizes, complete }, written))
}

impl Covered {
    fn json(&self) -> String {
        let rate = self.walked.formulas as f64 / self.seconds.max(1e-9);
        serde_json::json!({
            "cases": self.walked.formulas,
            "bytes": self.bytes,
            "seconds": self.seconds,
            "cases_per_s": rate,
            "skipped": self.walked.skipped,
            "complete_up_to_size": self.complete,
        })
        .to_string()
    }

    fn sentence(&self, args: &Args, grammar: &Grammar) -> String {
        let mut text = format!("{}: {} formulas", grammar.name, self.walked.formulas);
        if let Some((first, last)) = self.sizes {
            text.push_str(&format!(" of size {first} to {last}"));
        }
        if args.modulo.is_some() {
            text.push_str(&format!(
                ", {} skipped as equal to an earlier one up to symmetry",
                self.walked.skipped
            ));
        }
        if let Some(size) = self.complete {
            text.push_str(&format!("; all formulas up to size {size}"));
        }
        if self.walked.ended {
            text.push_str("; the grammar has no more");
        }
        text
    }

    /// Prints what was covered: JSON on stdout (on stderr if the formulas are there), else a sentence on stderr.
    fn report(&self, args: &Args, grammar: &Grammar, formulas_on_stdout: bool) -> io::Result<()> {
        match (args.json, formulas_on_stdout) {
            (true, false) => return print_line(&self.json()),
            (true, true) => eprintln!("{}", self.json()),
            (false, _) => eprintln!("{}", self.sentence(args, grammar)),
        }
        Ok(())
    }
}

fn measure(args: &Args, grammar: &Grammar) -> anyhow::Result<Exit> {
    let mut buffer: Vec<u8> = Vec::with_capacity(1 << 16);
    let (covered, _) = walk(args, grammar, Layout::OneLine, |_, formula| {
        if buffer.len() + formula.text.len() >= buffer.capacity() {
            std::hint::black_box(&buffer);
            buffer.clear();
        }
        buffer.extend_from_slice(formula.text.as_bytes());
        buffer.push(b'\n');
        Ok(())
    })?;
    if !args.json {
        let rate = covered.walked.formulas as f64 / covered.seconds.max(1e-9);
        eprintln!("{} bytes in {:.3} s, {rate:.0} formulas per second", covered.bytes, covered.seconds);
    }
    finish(covered.report(args, grammar, false).map(|()| Exit::Fine))
}

fn to_stdout(args: &Args, grammar: &Grammar) -> anyhow::Result<Exit> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (covered, written) = walk(args, grammar, Layout::OneLine, |_, formula| {
        out.write_all(formula.text.as_bytes())?;
        out.write_all(b"\n")
    })?;
    let written = written.and_then(|()| out.flush());
    finish(written.and_then(|()| covered.report(args, grammar, true)).map(|()| Exit::Fine))
}

fn to_folder(args: &Args, grammar: &Grammar, folder: &Path) -> anyhow::Result<Exit> {
    let at = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", smtlib::shown::path(path)))
    };
    if let Err(error) = std::fs::create_dir_all(folder) {
        return finish(Err(at(folder, error)));
    }
    let mut script = String::new();
    let (covered, written) = walk(args, grammar, Layout::Lines, |offset, formula| {
        let index = (&args.from + UBig::from(offset)).to_string();
        script.clear();
        script.push_str(&format!("; grammar {}, index {index}, size {}\n", grammar.name, formula.size));
        script.push_str(formula.text);
        script.push('\n');
        // A file name holds at most 255 bytes; beyond that the name counts from --from.
        let name = if index.len() <= 200 { format!("{index}.smt2") } else { format!("from+{offset}.smt2") };
        let path = folder.join(name);
        std::fs::write(&path, &script).map_err(|error| at(&path, error))
    })?;
    finish(written.and_then(|()| covered.report(args, grammar, false)).map(|()| Exit::Fine))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_digits_or_powers() {
        assert_eq!(parse_index("1_000").unwrap(), UBig::from(1000u32));
        assert_eq!(parse_index("10^30").unwrap(), UBig::from(10u8).pow(30));
        for wrong in ["", "-1", "x", "10^x", "10^999999999", "1.5"] {
            assert!(parse_index(wrong).is_err(), "{wrong}");
        }
    }
}
