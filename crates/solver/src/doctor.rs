//! Checks everything that a campaign needs, and suggests a fix for each problem.
//!
//! In: the home folder and this machine. Out: rows with a state, a detail and, for a problem, a fix. Every solver is
//! really run (a sat, an unsat and a model query), because an executable file may still not work. Nothing is changed
//! and nothing is downloaded.

use crate::answer::Answer;
use crate::discover;
use crate::home::{Home, Release};
use crate::pip::Pip;
use crate::probe;
use crate::profile::{Profiles, SessionKind};
use crate::scratch;
use crate::session::{Extras, Pool, Query, QueryLimits};
use crate::spec::quote;
use crate::target::Target;
use crate::verify;
use std::path::Path;
use std::time::{Duration, Instant};

/// The state of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Ok,
    /// falsum works, but less well than it could.
    Warn,
    /// This does not work.
    Bad,
}

/// One thing that was checked.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Row {
    pub name: String,
    pub state: State,
    pub detail: String,
    /// The fix; present unless the state is ok.
    pub fix: Option<String>,
}

/// All rows, in the order in which they are shown.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Examination {
    pub rows: Vec<Row>,
    /// How many solvers answer.
    pub usable: usize,
}

impl Row {
    fn ok(name: impl Into<String>, detail: impl Into<String>) -> Row {
        Row { name: name.into(), state: State::Ok, detail: detail.into(), fix: None }
    }

    fn not(state: State, name: impl Into<String>, detail: impl Into<String>, fix: impl Into<String>) -> Row {
        Row { name: name.into(), state, detail: detail.into(), fix: Some(fix.into()) }
    }
}

/// Checks everything.
pub fn examine(home: &Home) -> Examination {
    let solvers = solvers(home);
    let usable = solvers.iter().filter(|r| r.state == State::Ok).count();
    let mut rows = solvers;
    if usable == 0 {
        let fix = "falsum solvers add z3 cvc5";
        rows.insert(0, Row::not(State::Bad, "solvers", "no solver can be used", fix));
    }
    rows.push(client(usable));
    rows.push(folder(home));
    rows.push(scratch_folder());
    rows.push(containment());
    rows.push(sandbox());
    rows.push(crashes());
    rows.push(descriptors());
    Examination { rows, usable }
}

/// Looks at solvers that the user named: what each was recognised as, and whether it answers in every kind of process
/// that a hunt uses.
pub fn examine_targets(targets: &[Target]) -> Examination {
    const LIMIT: Duration = Duration::from_secs(10);
    let mut rows = vec![];
    let mut usable = 0;
    for target in targets {
        let version =
            target.version.as_ref().map_or("no version".to_owned(), |version| format!("version {version}"));
        let path = smtlib::shown::path(&target.path);
        let solver = &target.profile.name;
        rows.push(Row::ok(&target.name, format!("recognised as {solver}, {version}, {path}")));
        let pool = Pool::new(target.clone(), 1);
        let kinds = [SessionKind::Fresh].into_iter().chain(target.profile.session.kinds.iter().copied());
        let answers: Vec<Row> = kinds.map(|kind| in_process(&pool, kind, LIMIT)).collect();
        usable += usize::from(answers.first().is_some_and(|row| row.state == State::Ok));
        rows.extend(answers);
    }
    Examination { rows, usable }
}

/// The same for the start of a hunt: only what does not work, and nothing that takes long. All kinds of processes are
/// asked at the same time; a program that answers no fresh query in time is not asked further.
pub fn troubles(targets: &[Target]) -> Vec<Row> {
    const LIMIT: Duration = Duration::from_secs(2);
    let mut rows = vec![];
    for target in targets {
        let pool = Pool::new(target.clone(), 1);
        let kinds = target.profile.session.kinds.iter().copied();
        let mut found = vec![in_process(&pool, SessionKind::Fresh, LIMIT)];
        if found[0].state != State::Bad {
            std::thread::scope(|scope| {
                let asked: Vec<_> = kinds
                    .map(|kind| {
                        scope.spawn({
                            let pool = &pool;
                            move || in_process(pool, kind, LIMIT)
                        })
                    })
                    .collect();
                found.extend(asked.into_iter().filter_map(|asked| asked.join().ok()));
            });
        }
        rows.extend(found.into_iter().filter(|row| row.state != State::Ok));
    }
    rows
}

/// A sat, an unsat and a model query in one kind of process.
fn in_process(pool: &Pool, kind: SessionKind, limit: Duration) -> Row {
    let name = format!("{} {}", pool.target().name, kind.name());
    let began = Instant::now();
    let want = Extras { model: true, ..Extras::default() };
    let unsat = probe::SCRIPT.replace("#x03", "#x02");
    for (script, right) in [(probe::SCRIPT, Answer::Sat), (unsat.as_str(), Answer::Unsat)] {
        let query = Query::new(script.as_bytes()).limits(QueryLimits::wall(limit)).want(want);
        let reply = pool.ask(&query, kind);
        let said = reply.answer().map_or("nothing".to_owned(), |answer| answer.word().to_owned());
        let more = reply.ended.message().map(|message| format!(": {message}")).unwrap_or_default();
        if reply.answer() != Some(right) {
            let detail = format!("says {said} where {} is right{more}", right.word());
            let by_hand = pool.target().command_line("FILE");
            return Row::not(State::Bad, name, detail, format!("run `{by_hand}` on a small script by hand"));
        }
        if right == Answer::Sat && reply.checks.first().is_none_or(|check| check.model.is_none()) {
            let fix = "answers can be compared, but models cannot be checked";
            return Row::not(State::Warn, name, format!("prints no model{more}"), fix);
        }
    }
    Row::ok(name, format!("answers sat, unsat and a model in {} ms", began.elapsed().as_millis()))
}

fn solvers(home: &Home) -> Vec<Row> {
    let (releases, broken) = home.releases();
    let mut rows: Vec<Row> = releases.iter().map(release).collect();
    for folder in broken {
        let name = folder.folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let fix = format!("rm -r {}", quote(&folder.folder.to_string_lossy()));
        rows.push(Row::not(State::Bad, name, format!("is not a complete release: {}", folder.why), fix));
    }
    rows.extend(discover::on_path().iter().map(on_path));
    rows
}

fn release(release: &Release) -> Row {
    let label = release.label();
    let again = format!("falsum solvers remove {label} && falsum solvers add {label}");
    match release.current_hash() {
        Ok(hash) if hash == release.record.hash => {}
        Ok(_) => return Row::not(State::Bad, label, "its files changed since it was installed", again),
        Err(error) => return Row::not(State::Bad, label, error.to_string(), again),
    }
    asked(label, &verify_release(release), again)
}

fn on_path(found: &discover::Found) -> Row {
    let fix = format!("reinstall {}, or remove it from PATH", found.path.display());
    let name = match &found.version {
        Some(version) => format!("{}@{version}", found.solver),
        None => found.solver.to_owned(),
    };
    let outcome = Target::of_program(&Profiles::embedded(), &found.path)
        .and_then(|target| timed(|| verify::command(&name, &target.command)))
        .map(|time| format!("{time}, on PATH: {}", found.path.display()));
    asked(name, &outcome, fix)
}

fn verify_release(release: &Release) -> crate::Result<String> {
    timed(|| verify::release(release))
}

fn timed(work: impl FnOnce() -> crate::Result<()>) -> crate::Result<String> {
    let began = Instant::now();
    work()?;
    Ok(format!("answers sat, unsat and a model in {} ms", began.elapsed().as_millis()))
}

fn asked(name: String, outcome: &crate::Result<String>, fix: String) -> Row {
    match outcome {
        Ok(detail) => Row::ok(name, detail.clone()),
        Err(error) => Row::not(State::Bad, name, error.to_string(), fix),
    }
}

/// pip is only needed to install; without any solver that is a problem.
fn client(usable: usize) -> Row {
    match Pip::find() {
        Ok(pip) => Row::ok("pip", format!("{} -m pip", pip.python().display())),
        Err(error) => {
            let state = if usable == 0 { State::Bad } else { State::Warn };
            Row::not(state, "pip", error.to_string(), error.hint().unwrap_or_default())
        }
    }
}

/// Less than this is too little for a few releases and a campaign.
const ROOM: u64 = 1 << 30;

fn folder(home: &Home) -> Row {
    let root = home.root();
    // Before the first installation it does not exist; then the nearest existing folder counts.
    let existing = root.ancestors().find(|p| p.exists()).unwrap_or(Path::new("/"));
    let writable = rustix::fs::access(existing, rustix::fs::Access::WRITE_OK).is_ok();
    let free = free_bytes(existing);
    let detail = format!("{}, {} free", root.display(), size(free));
    if !writable {
        return Row::not(
            State::Bad,
            "home",
            format!("{} is not writable", root.display()),
            "set FALSUM_HOME to a folder you may write to",
        );
    }
    if free < ROOM {
        return Row::not(State::Warn, "home", detail, "free some space, or set FALSUM_HOME to a larger disk");
    }
    Row::ok("home", detail)
}

fn scratch_folder() -> Row {
    let folder = match scratch::folder() {
        Ok(folder) => folder,
        Err(error) => {
            return Row::not(
                State::Bad,
                "scratch",
                error.to_string(),
                "set TMPDIR to a folder you may write to",
            );
        }
    };
    let free = free_bytes(folder);
    let detail = format!("{}, {} free", folder.display(), size(free));
    if free < 64 << 20 {
        return Row::not(State::Warn, "scratch", detail, "set TMPDIR to a folder with more space");
    }
    Row::ok("scratch", detail)
}

fn free_bytes(path: &Path) -> u64 {
    rustix::fs::statvfs(path).map_or(0, |s| s.f_bavail.saturating_mul(s.f_frsize))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..0x4000_0000 => format!("{} MB", bytes >> 20),
        _ => format!("{} GB", bytes >> 30),
    }
}

/// How processes that a solver starts are controlled.
fn containment() -> Row {
    let groups = match run::has_cgroups() {
        true => "trees of several processes get a control group",
        false => "there are no control groups (cgroup v2) to use",
    };
    match run::prepare() {
        run::Containment::Cgroup | run::Containment::Subreaper => Row::ok(
            "containment",
            format!("process groups, and falsum adopts and ends processes that leave them; {groups}"),
        ),
        run::Containment::ProcessGroup => Row::not(
            State::Warn,
            "containment",
            "process groups only: a process that leaves its group may survive",
            "run on Linux 3.4 or newer, or in a container of its own",
        ),
    }
}

/// What the sandbox prevents; the parts that the kernel lacks are named.
fn sandbox() -> Row {
    let held = run::held();
    if !held.files {
        let fix = "use Linux 5.13 or newer with Landlock, or run falsum in a container";
        return Row::not(State::Warn, "sandbox", "solvers can write wherever you can", fix);
    }
    let parts = [
        (held.files, "write outside their scratch folder"),
        (held.truncation, "truncate files"),
        (held.network, "use TCP"),
        (held.signals, "send signals to other processes"),
    ];
    let list = |on: bool| parts.iter().filter(|p| p.0 == on).map(|p| p.1).collect::<Vec<_>>().join(", ");
    let kept = format!("solvers cannot {}", list(true));
    match list(false) {
        missing if missing.is_empty() => Row::ok("sandbox", kept),
        missing => Row::ok("sandbox", format!("{kept}; they can {missing} (Linux 6.12 prevents all of it)")),
    }
}

/// Not a problem of the solvers, and they can all be used without it.
fn crashes() -> Row {
    let detail = match autopsy::is_allowed() {
        true => "identified by where they happen",
        false => "identified by what triggers them, since tracing is not allowed here (ptrace)",
    };
    Row::ok("crashes", detail)
}

fn descriptors() -> Row {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let detail = limit.map_or_else(|| "no limit on open files".to_owned(), |n| format!("{n} open files"));
    if limit.is_some_and(|n| n < 256) {
        return Row::not(State::Warn, "limits", detail, "ulimit -n 1024");
    }
    Row::ok("limits", detail)
}
