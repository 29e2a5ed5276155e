//! `falsum generations`: how searches by `evolve` converged, and what they bred.
//!
//! Reads campaign folders without a lock. With `--again` the result set is measured once more under a longer limit, by
//! the recorded target or the one that `-s` names; that is the only thing here that runs a solver.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use crate::panel::{SolverArgs, some_time};
use crate::recorded;
use campaign::spread::{cores, jobs, spread};
use report::generations::{Search, csv, page, table};
use smtlib::shown;
use solver::{Home, Query, QueryLimits, SessionKind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Store;

#[derive(clap::Args)]
pub struct Args {
    /// Campaign folders, each with a search by `evolve`
    #[arg(value_name = "DIR", default_value = "falsum-out")]
    dirs: Vec<PathBuf>,
    /// Where to write it: a page (.html), a line per generation (.csv) or everything (.json)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the formulas of the last populations into this folder
    #[arg(long, value_name = "FOLDER")]
    export: Option<PathBuf>,
    /// Measure the last populations again, with this limit of processor time (the paper's is 2400s)
    #[arg(long, value_parser = some_time, value_name = "TIME")]
    again: Option<Duration>,
    /// Workers for `--again`; without it, one per core
    #[arg(short = 'j', long, value_parser = jobs, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    solvers: SolverArgs,
}

pub fn run(mut args: Args) -> anyhow::Result<Exit> {
    args.solvers.protection.apply()?;
    let mut searches = vec![];
    for dir in args.dirs.clone() {
        let view = Store::read(&dir)?;
        let found = Search::read(&view).map_err(|error| Failure::usage(error.to_string()))?;
        let Some(mut search) = found else {
            let message = format!("{} has no finished generation of evolve", shown::path(&dir));
            return Err(Failure::usage(message).hint("falsum hunt --strategy evolve makes some").into());
        };
        if let Some(limit) = args.again {
            measure(&mut args, &dir, view.campaign(), &mut search, limit)?;
        }
        searches.push(search);
    }
    if let Some(folder) = &args.export {
        export(folder, &searches)?;
    }
    match &args.out {
        None => print!("{}", table(&searches)),
        Some(path) => {
            let text = match path.extension().and_then(|end| end.to_str()) {
                Some("html" | "htm") => page(&searches),
                Some("csv") => csv(&searches),
                Some("json") => serde_json::to_string_pretty(&searches)? + "\n",
                _ => {
                    let message = format!("{} is neither .html, .csv nor .json", shown::path(path));
                    return Err(Failure::usage(message).into());
                }
            };
            std::fs::write(path, text).map_err(|error| Failure::io(shown::path(path), &error))?;
            println!("{}", shown::path(path));
        }
    }
    Ok(Exit::Fine)
}

/// Runs the target on every member once more.
fn measure(
    args: &mut Args,
    dir: &Path,
    campaign: &store::Campaign,
    search: &mut Search,
    limit: Duration,
) -> anyhow::Result<()> {
    if args.solvers.solvers.is_empty() {
        let home = Home::from_env().map_err(crate::command::solver_failure)?;
        let again = format!("falsum generations {} --again {}s", shown::word(dir), limit.as_secs());
        args.solvers.solvers = recorded::specs(campaign, &home, &again)?.0;
    }
    let panel = args.solvers.panel(1)?;
    let Some(pool) = panel.targets.first() else { return Ok(()) };
    let limits = QueryLimits { wall: limit * 4, cpu: Some(limit), memory: Some(args.solvers.memory) };
    let scripts: Vec<(usize, String)> =
        search.members.iter().map(|member| member.script.clone()).enumerate().collect();
    let work = |_: &mut (), (n, script): (usize, String)| {
        let reply = pool.ask(&Query::new(script.as_bytes()).limits(limits.clone()), SessionKind::Fresh);
        (n, reply.cpu.as_secs_f64(), reply.ended.is_limit())
    };
    let mut all = vec![];
    spread(args.jobs.unwrap_or_else(cores), scripts, &|| false, work, |one| {
        all.push(one);
        Ok(())
    })?;
    for (n, seconds, limited) in all {
        search.members[n].again = Some((seconds, limited));
    }
    search.again = Some(limit.as_secs_f64());
    Ok(())
}

fn export(folder: &Path, searches: &[Search]) -> anyhow::Result<()> {
    for (number, search) in searches.iter().enumerate() {
        let folder = folder.join(format!("{number}-{}", search.variant));
        std::fs::create_dir_all(&folder).map_err(|error| Failure::io(shown::path(&folder), &error))?;
        for member in &search.members {
            let path = folder.join(format!("{}-{}.smt2", member.unit, member.step));
            let reference =
                member.reference.map_or_else(String::new, |time| format!(", reference {time:.3} s"));
            let text = format!("; target {:.3} s{reference}\n{}", member.target, member.script);
            std::fs::write(&path, text).map_err(|error| Failure::io(shown::path(&path), &error))?;
        }
    }
    Ok(())
}
