//! Queries per second of every way to run a solver: bare spawning, a shell loop, yinyang's runner, and falsum's four
//! kinds of session. `-- trivial [COUNT]` asks one small formula instead, over and over.
//!
//! In: a folder of real formulas (`-- FOLDER [COUNT]`), installed releases, and, if `YINYANG` names a folder with that
//! package, its runner. Out: one table per solver, wall and processor time, and the ratios of the kinds on those
//! formulas that take less than a millisecond of the solver's own: the processor time that a warm process spends on
//! reading, solving and answering them.
//!
//! Everything is measured in turns: a chunk of formulas goes through each way before the next chunk, and the order of
//! the ways rotates, so that a busy machine affects all alike and ratios are reliable where single times are not.
//! Formulas are small scripts with one check-sat that both solvers end by themselves within the screening limit; they
//! are taken in the order of their hashes, so the choice depends on their text alone.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, reason = "a bench talks")]

use solver::outline::Outline;
use solver::{Ended, Home, Pool, Profiles, Query, QueryLimits, SessionKind, Spec, Target, install};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const SOLVERS: [&str; 2] = ["z3@5.4.0", "cvc5@1.4.2"];
const LARGEST: usize = 2_000;
const CHUNK: usize = 25;
const SCREEN: Duration = Duration::from_millis(500);
const LIMIT: Duration = Duration::from_secs(10);
const OWN_TIME: Duration = Duration::from_millis(1);

const KINDS: [SessionKind; 4] =
    [SessionKind::Fresh, SessionKind::Forked, SessionKind::Reset, SessionKind::Scoped];
const TRIVIAL: &[u8] = b"(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)";

fn main() {
    let mut words = std::env::args().skip(1).filter(|a| a != "--bench");
    let Some(folder) = words.next() else {
        eprintln!("usage: cargo bench -p solver --bench sessions -- FOLDER [COUNT]");
        return;
    };
    let count = words.next().map_or(500, |w| w.parse().unwrap());
    let home = std::env::var_os("FALSUM_HOME").map(|h| Home::at(PathBuf::from(h)));
    let home = home.expect("FALSUM_HOME says where the releases are");
    let targets = SOLVERS.map(|spec| {
        let release = install::add(&home, &Spec::parse(spec).unwrap(), &|_| {}).unwrap().remove(0);
        Target::of_release(&Profiles::embedded(), &release)
    });
    if folder == "trivial" {
        return targets.iter().for_each(|target| trivial(target, count));
    }
    let scratch = tempfile::tempdir().unwrap();
    let formulas = choose(Path::new(&folder), count, &targets, scratch.path());
    for target in &targets {
        table(target, &formulas);
    }
}

/// One small formula with its model, in every kind, in turns.
fn trivial(target: &Target, count: usize) {
    let pool = Pool::new(target.clone(), 4);
    let want = solver::Extras { model: true, ..solver::Extras::default() };
    let ask = |kind| pool.ask(&Query::new(TRIVIAL).want(want), kind);
    for kind in KINDS {
        (0..3).for_each(|_| drop(ask(kind)));
    }
    let mut costs = [Cost::default(); KINDS.len()];
    for _ in 0..count {
        for (kind, cost) in KINDS.into_iter().zip(&mut costs) {
            *cost += measured(|| {
                let reply = ask(kind);
                assert_eq!((reply.session, reply.answer()), (kind, Some(solver::Answer::Sat)));
            });
        }
    }
    // A live process is not waited for, so its processor time does not show here.
    println!("\n{}: a trivial question, {count} times", target.name);
    for (kind, cost) in KINDS.iter().zip(&costs) {
        let each = |time: Duration| time.as_secs_f64() * 1e3 / count as f64;
        println!("  {:<8} wall {:>8.3} ms   cpu {:>8.3} ms", kind.name(), each(cost.wall), each(cost.cpu));
    }
}

/// A formula, and a file that holds it.
#[derive(Clone)]
struct Formula {
    text: Vec<u8>,
    file: PathBuf,
}

fn choose(folder: &Path, count: usize, targets: &[Target], scratch: &Path) -> Vec<Formula> {
    let scan = corpus::scan(&[folder], &corpus::ScanLimits::default(), &corpus::Quarantine::default());
    let mut texts: Vec<Vec<u8>> = scan.seeds.iter().map(|s| s.text.to_vec()).collect();
    texts.retain(|t| t.len() <= LARGEST && is_single(&Outline::of(t)));
    texts.sort_by_key(|t| *blake3::hash(t).as_bytes());
    let small = texts.len();
    let pools: Vec<Pool> = targets.iter().map(|t| Pool::new(t.clone(), 1)).collect();
    let (mut chosen, mut tried) = (Vec::new(), 0);
    for text in texts {
        if chosen.len() == count {
            break;
        }
        tried += 1;
        let query = Query::new(&text).limits(QueryLimits::wall(SCREEN));
        if pools.iter().all(|p| p.ask(&query, SessionKind::Fresh).ended == Ended::ByItself) {
            let file = scratch.join(format!("{:04}.smt2", chosen.len()));
            std::fs::write(&file, &text).unwrap();
            chosen.push(Formula { text, file });
        }
    }
    println!(
        "{} formulas of at most {LARGEST} bytes, of {small} such; {} left out: slow or refused",
        chosen.len(),
        tried - chosen.len()
    );
    chosen
}

/// One check-sat, and nothing that a plain command line would not accept.
fn is_single(outline: &Outline<'_>) -> bool {
    let odd = |name: &[u8]| outline.has(name);
    !outline.malformed
        && outline.checks == 1
        && ![&b"push"[..], b"check-sat-assuming", b"reset"].into_iter().any(odd)
}

/// Wall and processor time.
#[derive(Clone, Copy, Default)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

/// A way to run a solver.
trait Way {
    fn name(&self) -> &'static str;
    fn ask_all(&mut self, formulas: &[Formula]) -> Cost;
    /// The cost of ending it, and cost before that was not measured.
    fn end(&mut self) -> Cost {
        Cost::default()
    }
    fn kind(&self) -> SessionKind {
        SessionKind::Fresh
    }
    /// What each formula took, in order; nothing if only their sum is known.
    fn each(&self) -> &[Asked] {
        &[]
    }
}

/// One formula run in one way.
#[derive(Clone, Copy)]
struct Asked {
    wall: Duration,
    /// Processor time of the solver between query and answer.
    cpu: Duration,
    kind: SessionKind,
}

fn table(target: &Target, formulas: &[Formula]) {
    println!("\n{}: {} formulas", target.name, formulas.len());
    let mut ways: Vec<Box<dyn Way>> = vec![Box::new(Bare::new(target)), Box::new(Shell::new(target))];
    if let Some(package) = std::env::var_os("YINYANG") {
        ways.push(Box::new(Yinyang::new(target, &package)));
    }
    for kind in KINDS {
        ways.push(Box::new(Falsum { pool: Pool::new(target.clone(), 4), kind, asked: Vec::new() }));
    }
    let mut costs = vec![Cost::default(); ways.len()];
    for (turn, chunk) in formulas.chunks(CHUNK).enumerate() {
        for place in 0..ways.len() {
            let at = (place + turn) % ways.len();
            costs[at] += ways[at].ask_all(chunk);
        }
    }
    for (way, cost) in ways.iter_mut().zip(&mut costs) {
        *cost += way.end();
    }
    let bare = costs[0];
    println!(
        "  {:<18} {:>10} {:>9} {:>9} {:>12} {:>11} {:>7}",
        "way", "queries/s", "wall ms", "cpu ms", "wall/bare", "cpu/bare", "routed"
    );
    for (way, cost) in ways.iter().zip(&costs) {
        let each = |d: Duration| d.as_secs_f64() * 1e3 / formulas.len() as f64;
        println!(
            "  {:<18} {:>10.1} {:>9.3} {:>9.3} {:>12.3} {:>11.3} {:>7}",
            way.name(),
            1e3 / each(cost.wall),
            each(cost.wall),
            each(cost.cpu),
            cost.wall.as_secs_f64() / bare.wall.as_secs_f64(),
            cost.cpu.as_secs_f64() / bare.cpu.as_secs_f64(),
            way.each().iter().filter(|a| a.kind != way.kind()).count(),
        );
    }
    quick(&ways);
}

/// The kinds compared on formulas that take less than a millisecond of the solver's own.
fn quick(ways: &[Box<dyn Way>]) {
    let of =
        |kind: SessionKind| ways.iter().find(|w| !w.each().is_empty() && w.kind() == kind).unwrap().each();
    let (fresh, reset, scoped) = (of(SessionKind::Fresh), of(SessionKind::Reset), of(SessionKind::Scoped));
    let least = fresh.iter().map(|a| a.cpu).min().unwrap_or_default();
    let own = |n: usize| match scoped[n].kind {
        SessionKind::Scoped => scoped[n].cpu,
        _ => fresh[n].cpu.saturating_sub(least),
    };
    let quick: Vec<usize> = (0..fresh.len()).filter(|&n| own(n) < OWN_TIME).collect();
    for (which, live) in [("all of them", false), ("those that a live process serves", true)] {
        let some: Vec<usize> =
            quick.iter().copied().filter(|&n| !live || scoped[n].kind == SessionKind::Scoped).collect();
        let mean = |all: &[Asked]| {
            some.iter().map(|&n| all[n].wall).sum::<Duration>().as_secs_f64() / some.len() as f64
        };
        let median = |all: &[Asked]| {
            let mut walls: Vec<Duration> = some.iter().map(|&n| all[n].wall).collect();
            walls.sort_unstable();
            walls.get(walls.len() / 2).copied().unwrap_or_default().as_secs_f64()
        };
        let ratios =
            |of: &dyn Fn(&[Asked]) -> f64| (of(fresh) * 1e3, of(fresh) / of(reset), of(fresh) / of(scoped));
        let ((ms, to_reset, to_scoped), (mid, mid_reset, mid_scoped)) = (ratios(&mean), ratios(&median));
        println!("  below 1 ms, {which}: {} formulas", some.len());
        println!(
            "    mean   fresh {ms:.3} ms, reset {to_reset:.1} times as fast, scoped {to_scoped:.1} times"
        );
        println!(
            "    median fresh {mid:.3} ms, reset {mid_reset:.1} times as fast, scoped {mid_scoped:.1} times"
        );
    }
}

/// The words of a plain command line.
fn plain(target: &Target) -> Vec<std::ffi::OsString> {
    let file = &target.profile.file;
    let words = file.args.iter().chain(&file.extra).chain(&target.args);
    target.command.iter().cloned().chain(words.map(Into::into)).collect()
}

fn measured(act: impl FnOnce()) -> Cost {
    let (wall, cpu) = (Instant::now(), run::used_cpu());
    act();
    Cost { wall: wall.elapsed(), cpu: run::used_cpu().saturating_sub(cpu) }
}

/// Spawn and wait, with the output not read: the cost of the solver itself.
struct Bare {
    words: Vec<std::ffi::OsString>,
}

impl Bare {
    fn new(target: &Target) -> Bare {
        Bare { words: plain(target) }
    }
}

impl Way for Bare {
    fn name(&self) -> &'static str {
        "bare spawn"
    }

    fn ask_all(&mut self, formulas: &[Formula]) -> Cost {
        measured(|| {
            for formula in formulas {
                let mut command = Command::new(&self.words[0]);
                command.args(&self.words[1..]).arg(&formula.file);
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                command.status().unwrap();
            }
        })
    }
}

/// `for f in …; do solver "$f"; done`.
struct Shell {
    words: Vec<std::ffi::OsString>,
}

impl Shell {
    fn new(target: &Target) -> Shell {
        Shell { words: plain(target) }
    }
}

impl Way for Shell {
    fn name(&self) -> &'static str {
        "shell loop"
    }

    fn ask_all(&mut self, formulas: &[Formula]) -> Cost {
        let quoted =
            |word: &std::ffi::OsString| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''"));
        let line: Vec<String> = self.words.iter().map(quoted).collect();
        let text = format!("for f in \"$@\"; do answer=$({} \"$f\" 2>&1); done", line.join(" "));
        measured(|| {
            let files = formulas.iter().map(|f| &f.file);
            Command::new("sh").arg("-c").arg(text).arg("sh").args(files).status().unwrap();
        })
    }
}

/// yinyang's class `Solver`, called by a small Python program that stays alive.
struct Yinyang {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

const PYTHON: &str = "
import resource, sys, time
from yinyang.src.core.Solver import Solver
solver = Solver(sys.argv[1])
def used():
    both = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in both)
print('ready', flush=True)
for line in sys.stdin:
    wall, cpu = time.perf_counter(), used()
    for file in line.split():
        solver.solve(file, 10)
    print(time.perf_counter() - wall, used() - cpu, flush=True)
";

impl Yinyang {
    fn new(target: &Target, package: &std::ffi::OsStr) -> Yinyang {
        let words: Vec<String> = plain(target).iter().map(|w| w.to_string_lossy().into_owned()).collect();
        let mut command = Command::new("python3");
        command.args(["-c", PYTHON, &words.join(" ")]).env("PYTHONPATH", package);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut runner = Yinyang { child, input, output: BufReader::new(output) };
        assert_eq!(runner.line(), "ready", "is yinyang in {}?", package.to_string_lossy());
        runner
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

impl Drop for Yinyang {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Way for Yinyang {
    fn name(&self) -> &'static str {
        "yinyang's runner"
    }

    fn ask_all(&mut self, formulas: &[Formula]) -> Cost {
        let files: Vec<_> = formulas.iter().map(|f| f.file.to_string_lossy()).collect();
        writeln!(self.input, "{}", files.join(" ")).unwrap();
        let line = self.line();
        let mut seconds = line.split(' ').map(|w| Duration::from_secs_f64(w.parse().unwrap()));
        Cost { wall: seconds.next().unwrap(), cpu: seconds.next().unwrap() }
    }
}

/// Our sessions, through the pool that hunts use.
struct Falsum {
    pool: Pool,
    kind: SessionKind,
    asked: Vec<Asked>,
}

impl Way for Falsum {
    fn name(&self) -> &'static str {
        match self.kind {
            SessionKind::Fresh => "falsum fresh",
            SessionKind::Forked => "falsum forked",
            SessionKind::Reset => "falsum reset",
            SessionKind::Scoped => "falsum scoped",
        }
    }

    fn ask_all(&mut self, formulas: &[Formula]) -> Cost {
        measured(|| {
            for formula in formulas {
                let began = Instant::now();
                let reply =
                    self.pool.ask(&Query::new(&formula.text).limits(QueryLimits::wall(LIMIT)), self.kind);
                self.asked.push(Asked { wall: began.elapsed(), cpu: reply.cpu, kind: reply.session });
            }
        })
    }

    /// Live processes end here, so their processor time is counted here.
    fn end(&mut self) -> Cost {
        let cost = measured(|| self.pool.clear());
        Cost { wall: Duration::ZERO, ..cost }
    }

    fn each(&self) -> &[Asked] {
        &self.asked
    }

    fn kind(&self) -> SessionKind {
        self.kind
    }
}
