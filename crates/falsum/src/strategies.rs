//! The flags for strategies and their settings, shared by the commands, and the seeds that strategies work on.
//!
//! The same flags serve `hunt`, `generate`, `ci` and `falsum.toml`; a file that a flag names is read here, and its
//! text goes into the settings, so that a recipe does not depend on the file.
#![allow(clippy::print_stderr, reason = "a command prints to the user")]

use crate::exit::Failure;
use campaign::Begun;
use smtlib::shown;
use std::path::{Path, PathBuf};
use strategy::regrow::ChainShape;
use strategy::regrow::grow::GrowthWay;
use strategy::weaken::rules::Rules;
use strategy::{AimBy, Bank, Settings, Strategy, registry};

/// The settings of strategies that a user can change.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SettingArgs {
    /// Changes per chain of `opswap`, `regrow` and `weaken`; rounds of `skeleton`; cases per seed of `reseed`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub steps: Option<u32>,
    /// After how many changes of a chain there is a case (`opswap`, `regrow`, `weaken`)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub every: Option<u32>,
    /// Where later changes of `regrow` fall: on the seed's own terms, or anywhere in the last mutant; both without it
    #[arg(long, value_name = "wide|deep", value_parser = shape)]
    pub shape: Option<ChainShape>,
    /// How `regrow` may grow a term: operator, exchange, value, database, data-driven
    #[arg(long, value_name = "WAY", value_delimiter = ',')]
    pub ways: Vec<String>,
    /// The grammar whose formulas `enumerate` makes in order, by its embedded name or a file; without it, random formulas
    /// of all embedded grammars
    #[arg(long, value_name = "G")]
    pub grammar: Option<String>,
    /// How many variables each class of the grammar has
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub variables: Option<u16>,
    /// Index of the first formula of the grammar, in digits
    #[arg(long, value_name = "INDEX", value_parser = index)]
    pub from: Option<String>,
    /// Let `fusion` draw only the published functions, evenly
    #[arg(long)]
    pub published: bool,
    /// Operator classes to use instead of the tables' (`bvnot,bvneg`; `abs -> -`)
    #[arg(long, value_name = "FILE")]
    pub classes: Option<PathBuf>,
    /// Operators to grow instead of all that the tables have (`(str.at String Int String)`)
    #[arg(long, value_name = "FILE")]
    pub signatures: Option<PathBuf>,
    /// Fusion functions to use instead of the embedded ones, in yinyang's format
    #[arg(long, value_name = "FILE")]
    pub functions: Option<PathBuf>,
    /// Parts of `construct`, `strings`, `shapes` and `changes` to use, separated by commas (`falsum strategy show` names them)
    #[arg(long, value_name = "PART")]
    pub part: Option<String>,
    /// How deep the terms of `strings` and `shapes` are, and how many changes of `strings` are stacked
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: Option<u32>,
    /// Tables of `strings` to use instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    pub tables: Option<PathBuf>,
    /// Definitions of the operations of `strings` that mean something else than the standard says
    #[arg(long, value_name = "FILE")]
    pub semantics: Option<PathBuf>,
    /// Let `fusion` only concatenate seeds and fuse nothing (the baseline ConcatFuzz)
    #[arg(long)]
    pub concat_only: bool,
    /// Cases of a unit of `weaken`; the chain begins again from the seed after `--steps` changes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub iterations: Option<u32>,
    /// Rules for `weaken` or `skeleton` instead of the embedded ones (`falsum strategy show weaken --rules`)
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Use only these rules or sections of `weaken` or `skeleton`, separated by commas (`core,numbers/table-gt-ge`)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub rule_set: Vec<String>,
    /// What decides whether `weaken` and `skeleton` weaken or strengthen: the status claimed of the seed, or what solvers
    /// answer to the seed, which is asked first; without it, whichever is known
    #[arg(long, value_name = "status|answer", value_parser = aim_by)]
    pub aim_by: Option<AimBy>,
    /// The most literals that `skeleton` changes in one round
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub literals: Option<u32>,
    /// Let `skeleton` only transform predicate symbols
    #[arg(long, alias = "transform-only", conflicts_with = "lpi_only")]
    pub pst_only: bool,
    /// Let `skeleton` only inject live predicates
    #[arg(long, alias = "inject-only")]
    pub lpi_only: bool,
    /// Begin every round of `skeleton` from the seed instead of the last mutant
    #[arg(long)]
    pub fresh_rounds: bool,
    /// Let `skeleton` use seeds whose assertions are constant too
    #[arg(long)]
    pub all_seeds: bool,
    /// What `reseed` may do: shuffle, rename, notation, push, detour, assume, seed
    #[arg(long, value_name = "MOVE", value_delimiter = ',')]
    pub moves: Vec<String>,
    /// The notation of strings that `shapes`, `changes` and `evolve` write: 2.6, or the names before it [default: 2.6]
    #[arg(long, value_name = "2.5|2.6", value_parser = ["2.5", "2.6"])]
    pub notation: Option<String>,
    /// Which search `evolve` is, by the rows of its paper's table: default, only-time, no-coverage, no-complexity,
    /// default-crowding, stringfuzz, stringfuzz-difference
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Individuals of a generation of `evolve` [default: 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub population: Option<u32>,
    /// How often parents in `evolve` exchange assertions, in percent [default: 75]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub crossover: Option<u32>,
    /// How often a child in `evolve` is changed, in percent [default: 25]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub mutation: Option<u32>,
    /// How `evolve` compares traces: by sketches, or row by row [default: sketch]
    #[arg(long, value_name = "sketch|full")]
    pub similarity: Option<String>,
}

/// The name of an embedded grammar, or the text of a file.
fn grammar(name: &str) -> anyhow::Result<String> {
    let embedded = strategy::enumerate::catalog::EMBEDDED.iter().any(|embedded| embedded.name == name);
    if embedded { Ok(name.to_owned()) } else { read(Path::new(name)) }
}

fn index(text: &str) -> Result<String, String> {
    match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(text.to_owned()),
        false => Err(format!("`{text}` is not an index")),
    }
}

fn shape(word: &str) -> Result<ChainShape, String> {
    let found = ChainShape::ALL.iter().find(|(name, _)| *name == word);
    found.map(|&(_, shape)| shape).ok_or_else(|| format!("`{word}` is neither wide nor deep"))
}

fn aim_by(word: &str) -> Result<AimBy, String> {
    let found = AimBy::ALL.iter().find(|(name, _)| *name == word);
    found.map(|&(_, by)| by).ok_or_else(|| format!("`{word}` is neither status nor answer"))
}

impl SettingArgs {
    /// The settings, with the files' texts in them; mistakes in the files are reported here.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let settings = Settings {
            steps: self.steps,
            every: self.every,
            grammar: self.grammar.as_deref().map(grammar).transpose()?,
            variables: self.variables.map(usize::from),
            from: self.from.clone(),
            shape: self.shape,
            ways: self.ways.clone(),
            published: self.published,
            classes: self.classes.as_deref().map(read).transpose()?,
            signatures: self.signatures.as_deref().map(read).transpose()?,
            functions: self.functions.as_deref().map(read).transpose()?,
            concat_only: self.concat_only,
            iterations: self.iterations,
            rules: self.rules.as_deref().map(read).transpose()?,
            aim_by: self.aim_by,
            literals: self.literals,
            transform_only: self.pst_only,
            inject_only: self.lpi_only,
            fresh_rounds: self.fresh_rounds,
            all_seeds: self.all_seeds,
            moves: self.moves.clone(),
            rule_set: self.rule_set.clone(),
            part: self.part.clone(),
            depth: self.depth,
            tables: self.tables.as_deref().map(read).transpose()?,
            semantics: self.semantics.as_deref().map(read).transpose()?,
            notation: self.notation.clone().filter(|word| word == strategy::notation::OLD),
            variant: self.variant.clone(),
            population: self.population,
            crossover: self.crossover,
            mutation: self.mutation,
            similarity: self.similarity.clone(),
            ..Settings::default()
        };
        strategy::evolve::Config::of(&settings).map_err(|error| Failure::usage(error.to_string()))?;
        for word in &settings.moves {
            strategy::reseed::Move::named(word).map_err(|error| Failure::usage(error.to_string()))?;
        }
        if let Some(word) = self.ways.iter().find(|word| !GrowthWay::ALL.iter().any(|(name, _)| name == word))
        {
            let wrong = Failure::usage(format!("`{}` is no way to grow a term", shown::text(word)));
            return Err(wrong.hint(strategy::regrow::ways_are()).into());
        }
        if let (Some(path), Some(text)) = (&self.rules, &settings.rules) {
            Rules::read(text).map_err(|error| mistake(path, &error.to_string()))?;
        }
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

/// Reports which blocks of a file of fusion functions cannot be used.
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

/// A mistake in a user's file, with the hint at the end of its message.
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

/// The strategies of these names, begun; without names, all that apply to these seeds. One that measures solvers takes
/// the whole limit for every case, so it is used only by its name.
pub fn begin(names: &[String], bank: &Bank, settings: &Settings) -> anyhow::Result<Vec<Begun>> {
    if names.is_empty() {
        let all =
            registry::STRATEGIES.iter().filter_map(|strategy| Begun::new(strategy, bank, settings).ok());
        return Ok(all.filter(|begun| !begun.measures()).collect());
    }
    let wanted = names.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
    let chosen = registry::STRATEGIES.iter().filter(|s| wanted.iter().any(|w| w.name == s.name));
    Ok(chosen.map(|strategy| Begun::new(strategy, bank, settings)).collect::<campaign::Result<_>>()?)
}
