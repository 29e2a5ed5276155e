//! How far a script and a solver are trusted: the flags `--trust-options` and `--sandbox`.
//!
//! In: the flags. Out: settings of this process, made before any solver starts. The flags lower a protection, so a
//! `falsum.toml` that has them needs the user's permission first (see `allowance`).

use crate::exit::Failure;
use smtlib::shown;

#[derive(clap::Args, Clone, Debug, Default)]
pub struct Protection {
    /// Send options and commands of scripts that could name a file to the solvers as well
    #[arg(long)]
    pub trust_options: bool,
    /// What solvers are prevented from: `files` (writing outside their scratch folder), `full` (also TCP and signals),
    /// `off`; without it, as much of `full` as this machine supports
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub sandbox: Option<Level>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    Off,
    Files,
    Full,
}

impl Protection {
    /// Applies the settings. A requested level that this machine does not support is an error.
    pub fn apply(&self) -> Result<(), Failure> {
        solver::permit::on_left_out(tell);
        if self.trust_options {
            solver::permit::trust_options();
        }
        let held = run::held();
        let (level, holds) = match self.sandbox {
            None => (Some(run::Level::Full), true),
            Some(Level::Off) => (None, true),
            Some(Level::Files) => (Some(run::Level::Files), held.files && held.truncation),
            Some(Level::Full) => (Some(run::Level::Full), held.truncation && held.network && held.signals),
        };
        if !holds {
            let hint = "`falsum doctor` shows what this machine supports; without the flag falsum uses that";
            return Err(Failure::usage("this machine does not support that sandbox (Landlock)").hint(hint));
        }
        solver::confine::choose(level);
        Ok(())
    }
}

#[allow(clippy::print_stderr, reason = "the user should know that a solver saw less than the file says")]
fn tell(what: &str) {
    eprintln!("note: {}; --trust-options sends scripts as they are", shown::text(what));
}
