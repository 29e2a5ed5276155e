//! Which options a hunt varies: sets of options per target, made from the campaign key.
//!
//! In: the targets, what the user allows, the key. Out: a number of sets, each with arguments for every target: one to
//! three options of the target's table, or a whole strategy of the solver (a default tactic, or one for the check-sats
//! of the script). The sets of a campaign are fixed, so that
//! processes are kept and used again per set, and so that a key gives the same ones. Whether a finding needs its
//! options is found out afterwards, like any other part of it (`triage::Pinned::without_needless_options`).

use solver::options::{OptionChoice, OptionLevel, argument, choices, is_whole};
use solver::{Home, Target};
use strategy::{CampaignKey, Rng};

/// What may be varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variation {
    Nothing,
    /// The options that the projects call regular.
    Regular,
    /// Also those for experts.
    All,
    /// Those of a user's file, by a word of the target's command line.
    Listed(Vec<(String, Vec<OptionChoice>)>),
}

/// How many sets a campaign has.
const SETS: u64 = 16;

/// The most options in one set.
const MOST: usize = 3;

/// One set in this many is a whole strategy, where the solver has some.
const STRATEGIES: usize = 4;

impl Variation {
    /// The choices for a target.
    fn choices(&self, home: &Home, target: &Target) -> Vec<OptionChoice> {
        match self {
            Variation::Nothing => vec![],
            Variation::Regular => choices(home, target, OptionLevel::Regular),
            Variation::All => choices(home, target, OptionLevel::Expert),
            Variation::Listed(blocks) => {
                let line = format!("{} {}", target.name, target.command_line(""));
                let own = blocks.iter().filter(|(keyword, _)| line.contains(keyword.as_str()));
                own.flat_map(|(_, choices)| choices.iter().cloned()).collect()
            }
        }
    }

    /// The sets of a campaign, each with arguments per target; none if no target has a choice.
    pub fn sets(&self, home: &Home, targets: &[Target], key: &CampaignKey) -> Vec<Vec<Vec<String>>> {
        let all: Vec<Vec<OptionChoice>> = targets.iter().map(|target| self.choices(home, target)).collect();
        if all.iter().all(Vec::is_empty) {
            return vec![];
        }
        let set = |number: u64| {
            let mut rng = Rng::of(key, "option set", number);
            let each = targets.iter().zip(&all);
            each.map(|(target, choices)| one(target, choices, &mut rng)).collect()
        };
        (0..SETS).map(set).collect()
    }
}

/// One to three options that the user did not set.
fn one(target: &Target, choices: &[OptionChoice], rng: &mut Rng) -> Vec<String> {
    let solver = &target.profile.name;
    let (strategies, options): (Vec<&OptionChoice>, Vec<&OptionChoice>) =
        choices.iter().partition(|choice| is_whole(&choice.name));
    let whole = !strategies.is_empty() && rng.chance(1, STRATEGIES);
    let (list, count) = if whole { (strategies, 1) } else { (options, 1 + rng.below(MOST)) };
    let mut names: Vec<&str> = vec![];
    let mut args = vec![];
    for _ in 0..count {
        let Some(choice) = rng.pick(&list) else { break };
        let Some(value) = rng.pick(&choice.values) else { continue };
        let given = target.args.iter().any(|arg| arg.contains(choice.name.as_str()));
        if !given && !names.contains(&choice.name.as_str()) {
            names.push(&choice.name);
            args.push(argument(solver, &choice.name, value));
        }
    }
    args
}
