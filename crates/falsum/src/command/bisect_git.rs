//! `falsum bisect FILE --git REPO --build CMD`: the commit of a solver's repository that introduced a bug.
//!
//! The repository is not touched: commits are built in a worktree of their own, which is removed at the end. The newest
//! commit is built first and must be wrong, by the oracle's evidence; its symptom is what is looked for in the others. A
//! commit that cannot be built or does not answer is left out and a neighbour is tried. In: a script, a repository, the
//! command that builds it, the program that results. Out: the first bad commit.
//!
//! The build command is typed by the user and run by a shell in the worktree, as `git bisect run` would do it, within a limit
//! of time: a build that waits or hangs is ended with all that it started, and its commit is left out.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use smtlib::{Parsed, shown};
use solver::{Profiles, QueryLimits, Spec, Target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use strategy::Case;
use triage::bisect::ask;
use triage::{Panel, Plan, Symptom, inquire};

/// Which commits, how to build them, and what to run.
pub struct Commits<'a> {
    pub repo: &'a Path,
    pub build: &'a str,
    /// How long one build may take.
    pub patience: Duration,
    pub good: &'a str,
    pub bad: &'a str,
    /// The program and its options, relative to the repository.
    pub program: &'a str,
    pub references: Vec<Target>,
    pub limits: QueryLimits,
}

/// A commit as it was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    Good,
    Bad,
    /// It cannot be built, or gives no answer.
    Skipped,
}

/// Finds the first bad commit and prints it.
pub fn run(commits: &Commits<'_>, script: &Parsed) -> anyhow::Result<Exit> {
    let tree = Worktree::new(commits.repo)?;
    let (good, bad) = (commits.id(commits.good)?, commits.id(commits.bad)?);
    let symptom = commits.symptom(&tree, &bad, script)?;
    eprintln!("{}  bad   {}", short(&bad), symptom.kind.word());
    let mut search = Search { goods: vec![good.clone()], bad, skipped: vec![] };
    match commits.judge(&tree, &good, script, &symptom)? {
        Tried::Good => eprintln!("{}  good", short(&good)),
        _ => {
            let message = format!("{} does not answer rightly, so it cannot be the good end", commits.good);
            return Err(Failure::usage(message).hint("give an older commit with --good").into());
        }
    }
    while let Some(next) = search.next(commits)? {
        let tried = commits.judge(&tree, &next, script, &symptom)?;
        eprintln!(
            "{}  {}",
            short(&next),
            match tried {
                Tried::Good => "good",
                Tried::Bad => "bad",
                Tried::Skipped => "left out: it cannot be built, or gives no answer",
            }
        );
        search.tried(next, tried);
    }
    let log = commits.git(&["log", "-1", "--format=%h %an %ad%n    %s", "--date=short", &search.bad])?;
    println!("first bad commit {}", shown::text(log.lines().next().unwrap_or_default()));
    log.lines().skip(1).for_each(|line| println!("{}", report::escaped(line)));
    if !search.skipped.is_empty() {
        println!("{} commits were left out; the first bad one may be among them", search.skipped.len());
    }
    Ok(Exit::Findings)
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// What is known about the commits.
struct Search {
    goods: Vec<String>,
    bad: String,
    skipped: Vec<String>,
}

impl Search {
    /// The next commit to try; `None` if the first bad one is known as well as it can be.
    fn next(&self, commits: &Commits<'_>) -> anyhow::Result<Option<String>> {
        let mut range = vec![self.bad.as_str(), "--not"];
        range.extend(self.goods.iter().map(String::as_str));
        let list = |first: &[&str]| commits.git(&[first, &range[..]].concat());
        let open = |commit: &&str| **commit != self.bad && !self.skipped.iter().any(|other| other == commit);
        let middle = list(&["rev-list", "--bisect"])?;
        if let Some(middle) = middle.lines().next().filter(|commit| open(commit)) {
            return Ok(Some(middle.to_owned()));
        }
        let all = list(&["rev-list", "--topo-order"])?;
        let all: Vec<&str> = all.lines().filter(open).collect();
        Ok(all.get(all.len() / 2).map(|&commit| commit.to_owned()))
    }

    fn tried(&mut self, commit: String, tried: Tried) {
        match tried {
            Tried::Good => self.goods.push(commit),
            Tried::Bad => self.bad = commit,
            Tried::Skipped => self.skipped.push(commit),
        }
    }
}

impl Commits<'_> {
    /// The output of git in the repository.
    fn git(&self, args: &[&str]) -> anyhow::Result<String> {
        git(self.repo, args)
    }

    fn id(&self, name: &str) -> anyhow::Result<String> {
        let commit = format!("{name}^{{commit}}");
        Ok(self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?.trim().to_owned())
    }

    /// Builds a commit; `None` if that fails.
    fn built(&self, tree: &Worktree, commit: &str) -> anyhow::Result<Option<Target>> {
        git(&tree.folder, &["checkout", "--quiet", "--detach", "--force", commit])?;
        let limits = run::Limits {
            wall: Some(self.patience),
            processes: None,
            output: u64::MAX,
            ..run::Limits::default()
        };
        let mut build = run::Spec::new("/bin/sh").arg("-c").arg(self.build).limits(limits);
        build.cwd = Some(tree.folder.clone());
        let done = run::once(&build, run::Input::Nothing)?;
        if done.why != run::Why::ByItself {
            let after = self.patience.as_secs();
            eprintln!("{}  the build was ended after {after} s (--build-time)", short(commit));
        }
        if done.why != run::Why::ByItself || done.exit != run::Exit::Code(0) {
            return Ok(None);
        }
        let program = tree.folder.join(self.program.trim_start_matches("./"));
        let spec = Spec::parse(&program.to_string_lossy()).map_err(crate::command::solver_failure)?;
        let home = solver::Home::at("/dev/null");
        let found = Target::resolve(&home, &Profiles::embedded(), &spec).ok();
        Ok(found.and_then(|mut targets| targets.pop()))
    }

    /// What the newest commit does wrong.
    fn symptom(&self, tree: &Worktree, bad: &str, script: &Parsed) -> anyhow::Result<Symptom> {
        let Some(target) = self.built(tree, bad)? else {
            let message = format!("{} cannot be built with `{}`", self.bad, shown::text(self.build));
            return Err(Failure::usage(message).hint("try the command in the repository").into());
        };
        let panel = Panel::new(vec![target.clone()], self.references.clone(), 0);
        let inquiry = inquire(
            &panel,
            &Case::of_script(script.clone()),
            &Plan::thorough(self.limits.clone()).as_asked(),
        );
        let mut accused = inquiry.verdict.findings().iter().filter(|one| one.accuses(&target.name));
        let symptom =
            accused.find_map(|one| triage::confirm::symptom(one, &inquiry)).map(|(symptom, _)| symptom);
        symptom.ok_or_else(|| {
            let message = format!("{} is not wrong about it, as far as can be decided", self.bad);
            Failure::usage(message).hint("falsum check FILE -s PROGRAM says more").into()
        })
    }

    fn judge(
        &self,
        tree: &Worktree,
        commit: &str,
        script: &Parsed,
        symptom: &Symptom,
    ) -> anyhow::Result<Tried> {
        let Some(target) = self.built(tree, commit)? else { return Ok(Tried::Skipped) };
        let row = ask(&target, script, symptom, &self.limits);
        Ok(match (row.bad, row.decides) {
            (true, _) => Tried::Bad,
            (false, true) => Tried::Good,
            (false, false) => Tried::Skipped,
        })
    }
}

fn git(folder: &Path, args: &[&str]) -> anyhow::Result<String> {
    // Not one of the current folder.
    let git = solver::discover::lookup("git").ok_or_else(|| Failure::usage("git is not installed"))?;
    let output = Command::new(git).arg("-C").arg(folder).args(args).stdin(Stdio::null()).output();
    let output = output.map_err(|error| Failure::usage(format!("git cannot be started: {error}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let said = if said.is_empty() { "there is no such commit".to_owned() } else { said };
    let message = format!("git {}: {}", args.join(" "), shown::text(&said));
    Err(Failure::usage(shown::text(&message)).into())
}

/// A worktree of our own, removed when it is dropped.
struct Worktree {
    repo: PathBuf,
    folder: PathBuf,
}

impl Worktree {
    fn new(repo: &Path) -> anyhow::Result<Worktree> {
        // What another user could prepare is not built in: the program there is run.
        let place = std::env::temp_dir();
        let folder = solver::private_in(&place).map_err(|error| Failure::io(shown::path(&place), &error))?;
        let repo = repo.to_owned();
        git(&repo, &["worktree", "add", "--quiet", "--detach", &folder.to_string_lossy(), "HEAD"])?;
        Ok(Worktree { repo, folder })
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        let _ = git(&self.repo, &["worktree", "remove", "--force", &self.folder.to_string_lossy()]);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
