//! Strategies as commands name them: flags for their settings, names to begin with, and the seeds they work on.
//!
//! The same flags serve `hunt`, `generate`, `ci` and `falsum.toml`; a file that a flag names is read here, and its
//! text goes into the settings, so that a recipe does not depend on the file.
#![allow(clippy::print_stderr, reason = "a command speaks to the user")]

use crate::exit::Failure;
use campaign::Begun;
use smtlib::shown;
use std::path::{Path, PathBuf};
use strategy::{Bank, Settings, Strategy, registry};

/// What a user may set about strategies.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SettingArgs {
    /// Changes per chain of `opswap` and `regrow`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub steps: Option<u32>,
    /// Operator classes to use instead of the tables' (`bvnot,bvneg`; `abs -> -`)
    #[arg(long, value_name = "FILE")]
    pub classes: Option<PathBuf>,
    /// Operators to grow instead of all that the tables have (`(str.at String Int String)`)
    #[arg(long, value_name = "FILE")]
    pub signatures: Option<PathBuf>,
    /// Fusion functions to use instead of the embedded ones, in yinyang's format
    #[arg(long, value_name = "FILE")]
    pub functions: Option<PathBuf>,
    /// Parts of `construct` and `strings` to use, separated by commas (`falsum strategy show` names them)
    #[arg(long, value_name = "PART")]
    pub part: Option<String>,
    /// How deep the terms of `strings` are, and how many of its changes are stacked
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: Option<u32>,
    /// Rules of `weaken`, `skeleton` or `strings` to use instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Definitions of the operations of `strings` that mean something else than the standard says
    #[arg(long, value_name = "FILE")]
    pub semantics: Option<PathBuf>,
    /// Let `fusion` put seeds together and fuse nothing (the baseline ConcatFuzz)
    #[arg(long)]
    pub concat_only: bool,
}

impl SettingArgs {
    /// The settings, with the files' texts in them; mistakes in the files are said here.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let settings = Settings {
            steps: self.steps,
            classes: self.classes.as_deref().map(read).transpose()?,
            signatures: self.signatures.as_deref().map(read).transpose()?,
            functions: self.functions.as_deref().map(read).transpose()?,
            concat_only: self.concat_only,
            part: self.part.clone(),
            depth: self.depth,
            rules: self.rules.as_deref().map(read).transpose()?,
            semantics: self.semantics.as_deref().map(read).transpose()?,
            ..Settings::default()
        };
        if let (Some(path), Some(text)) = (&self.classes, &settings.classes) {
            strategy::classes::Classes::read(text).map_err(|error| mistake(path, &error.to_string()))?;
        }
        if let (Some(path), Some(text)) = (&self.signatures, &settings.signatures) {
            let read = strategy::regrow::signatures::Signatures::read(text);
            read.map_err(|error| mistake(path, &error.to_string()))?;
        }
        if let (Some(path), Some(text)) = (&self.functions, &settings.functions) {
            functions(path, text)?;
        }
        Ok(settings)
    }
}

/// Says which blocks of a file of fusion functions cannot be used.
fn functions(path: &Path, text: &str) -> anyhow::Result<()> {
    let found = strategy::fusion::Functions::read(text);
    for refused in &found.refused {
        eprintln!("{}: refused: {refused}", shown::path(path));
    }
    if found.functions.is_empty() {
        return Err(Failure::usage(format!("{} has no usable fusion function", shown::path(path)))
            .hint("`falsum strategy verify --functions FILE` says what is wrong with each")
            .into());
    }
    Ok(())
}

/// A mistake in a file of the user, with the hint that its message ends with.
fn mistake(path: &Path, message: &str) -> Failure {
    match message.split_once("\nhint: ") {
        Some((what, hint)) => Failure::usage(format!("{}: {what}", shown::path(path))).hint(hint),
        None => Failure::usage(format!("{}: {message}", shown::path(path))),
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", shown::path(path))).into())
}

/// The strategy of this name.
pub fn find(name: &str) -> Result<&'static Strategy, Failure> {
    registry::find(name).ok_or_else(|| {
        let names: Vec<&str> = registry::STRATEGIES.iter().map(|strategy| strategy.name).collect();
        Failure::usage(format!("there is no strategy `{}`", shown::text(name)))
            .hint(format!("one of: {}", names.join(", ")))
    })
}

/// The strategies of these names, begun; without names, all that can begin with these seeds.
pub fn begin(names: &[String], bank: &Bank, settings: &Settings) -> anyhow::Result<Vec<Begun>> {
    if names.is_empty() {
        let all =
            registry::STRATEGIES.iter().filter_map(|strategy| Begun::new(strategy, bank, settings).ok());
        return Ok(all.collect());
    }
    let wanted = names.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
    let chosen = registry::STRATEGIES.iter().filter(|s| wanted.iter().any(|w| w.name == s.name));
    Ok(chosen.map(|strategy| Begun::new(strategy, bank, settings)).collect::<campaign::Result<_>>()?)
}
