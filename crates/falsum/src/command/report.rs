//! `falsum report`: what a campaign found, for people and for programs.
//!
//! Reads the campaign folder without a lock, also while a hunt is running in it; writes only where `--out` says, or the
//! page and the drafts beside the database, under names that no hunt uses.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::{Exit, Failure};
use report::{Due, Known, Options, Report};
use smtlib::shown;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(clap::Args)]
pub struct Args {
    /// The campaign folder
    #[arg(value_name = "DIR", default_value = "falsum-out")]
    dir: PathBuf,
    /// What to write [default: text, or what the file extension of --out says]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Where to write it; `-` is standard output [default: DIR/report.html, DIR/issues, else standard output]
    #[arg(long, short, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// How many reports one project gets per week
    #[arg(long, value_name = "N", default_value_t = Options::default().quota)]
    quota: usize,
    /// Known issues, one per line: PATTERN, or PATTERN => WHERE
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// One offline page
    Html,
    /// One document with every draft
    Markdown,
    /// A folder of issue drafts, by project
    Issues,
    /// For programs; docs/guides/report-schema.md
    Json,
    /// For CI systems
    Junit,
    /// For code-scanning pages
    Sarif,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let known = args.known.as_deref().map(known).transpose()?.unwrap_or_default();
    let format = format(&args)?;
    let view = store::Store::read(&args.dir)?;
    if format == Format::Issues
        && let Ok(home) = solver::Home::from_env()
    {
        // A draft shows what its command prints, so commands that have not been run are run now.
        let targets = crate::recorded::targets(view.campaign(), &home);
        crate::demonstrations::catch_up(&view, &targets, &solver::QueryLimits::default(), CATCH_UP);
    }
    let report = Report::read(&view, &Options { quota: args.quota, known, only: None }).map_err(explained)?;
    if format == Format::Issues {
        return issues(&args, &report);
    }
    let text = match format {
        Format::Html => report::html_at(&report, &place(&args)),
        Format::Markdown => report::markdown(&report),
        Format::Json => report::json(&report).map_err(explained)?,
        Format::Junit => report::junit(&report),
        Format::Sarif => report::sarif(&report).map_err(explained)?,
        Format::Text | Format::Issues => report::text(&report),
    };
    let page = (format == Format::Html).then(|| args.dir.join("report.html"));
    match args.out.clone().or(page).filter(|path| path.as_os_str() != "-") {
        None => print(&text)?,
        Some(path) => {
            write(&args, &path, &text)?;
            println!("{}", shown::path(&path));
            if args.open {
                open(&path);
            }
        }
    }
    Ok(Exit::Fine)
}

/// Where the campaign is, as seen from its page.
fn place(args: &Args) -> report::Place {
    let absolute = |path: &Path| path.canonicalize().ok();
    let folder = absolute(&args.dir);
    let parent = match &args.out {
        None => folder.clone(),
        Some(out) => out
            .parent()
            .and_then(|parent| absolute(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })),
    };
    report::Place { elsewhere: parent != folder, folder }
}

/// The list of known bugs in a file.
pub fn known(path: &Path) -> anyhow::Result<Known> {
    let text = fs::read_to_string(path).map_err(|error| trouble(path, &error))?;
    Ok(Known::parse(&text).map_err(|error| Failure::usage(format!("{}: {error}", shown::path(path))))?)
}

/// The exit code of a campaign with findings, of which some may be known.
pub fn known_or_new(folder: &Path, known: Known) -> anyhow::Result<Exit> {
    let view = store::Store::read(folder)?;
    let report = Report::read(&view, &Options { known, ..Options::default() }).map_err(explained)?;
    let (new, old) = (report.bugs.iter().filter(|bug| bug.due.is_new()).count(), report.count(Due::Known));
    eprintln!("{new} new, {old} known");
    Ok(if new == 0 && old > 0 { Exit::KnownFindings } else { Exit::Findings })
}

/// A closed pipe (`| head`) is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

fn format(args: &Args) -> anyhow::Result<Format> {
    if args.open && args.format.is_some_and(|format| format != Format::Html) {
        return Err(Failure::usage("--open shows the page; it goes with --format html").into());
    }
    let end = args.out.as_deref().and_then(Path::extension).and_then(|end| end.to_str());
    Ok(args.format.unwrap_or(match end {
        _ if args.open => Format::Html,
        Some("html" | "htm") => Format::Html,
        Some("md") => Format::Markdown,
        Some("json") => Format::Json,
        Some("xml") => Format::Junit,
        Some("sarif") => Format::Sarif,
        _ => Format::Text,
    }))
}

/// How long the commands of drafts may take.
const CATCH_UP: std::time::Duration = std::time::Duration::from_secs(300);

fn issues(args: &Args, report: &Report) -> anyhow::Result<Exit> {
    let folder = args.out.clone().unwrap_or_else(|| args.dir.join("issues"));
    for (name, text) in report::issues(report) {
        let path = folder.join(name);
        refuse_links(args, &path)?;
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| trouble(parent, &error))?;
        write(args, &path, &text)?;
    }
    println!("{}", shown::path(&folder.join("INDEX.md")));
    Ok(Exit::Fine)
}

/// Inside the campaign folder, which may come from another user, nothing is written through a symbolic link at any
/// level; a path that the user names may be one.
fn refuse_links(args: &Args, path: &Path) -> anyhow::Result<()> {
    let mut inside = path.ancestors().take_while(|folder| *folder != args.dir);
    let link = inside.find(|part| part.is_symlink()).filter(|_| args.out.is_none());
    let Some(link) = link else { return Ok(()) };
    let message = format!("{} is a link, and falsum does not write through links here", shown::path(link));
    Err(Failure::usage(message).hint("say with --out where to write").into())
}

fn write(args: &Args, path: &Path, text: &str) -> anyhow::Result<()> {
    refuse_links(args, path)?;
    if args.out.is_none() {
        return Ok(store::write_file(path, text.as_bytes())?);
    }
    Ok(fs::write(path, text).map_err(|error| trouble(path, &error))?)
}

/// Starts the desktop's opener; if there is none, the printed path has to do.
fn open(path: &Path) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // Neither the program nor its search path may come from the current folder.
    let started = solver::discover::lookup(program).map(|program| {
        Command::new(program)
            .arg(absolute)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    });
    if !matches!(started, Some(Ok(_))) {
        eprintln!("note: `{program}` cannot be started; open the file in a browser");
    }
}

fn trouble(path: &Path, error: &std::io::Error) -> Failure {
    Failure::io(shown::path(path), error)
}

fn explained(error: report::Error) -> anyhow::Error {
    match error {
        report::Error::Store(error) => error.into(),
        error => Failure::usage(error.to_string()).into(),
    }
}
