//! Published configurations by name: which strategies a paper's tool has, with which settings.
//!
//! `hunt --like opfuzz` mutates as OpFuzz does, and runs, judges and triages as every hunt. A configuration is a row of
//! data: the strategies, the settings that differ from ours, and whether solver options are varied. A flag of the user
//! goes before the row. In: a name. Out: the row. Where the papers leave a number open, the tool's own default is used.

use crate::exit::Failure;
use strategy::regrow::ChainShape;
use strategy::{AimBy, Settings};

/// One published configuration.
pub struct Published {
    pub name: &'static str,
    pub about: &'static str,
    pub strategies: &'static [&'static str],
    settings: fn() -> Settings,
    /// Whether options of solvers are varied: none, or as `--options` says.
    pub options: &'static str,
}

fn usual() -> Settings {
    Settings::default()
}

fn ways(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

pub const ALL: &[Published] = &[
    Published {
        name: "opfuzz",
        about: "type-aware operator mutation (OOPSLA 2020): 300 mutations per seed, a case after each",
        strategies: &["opswap"],
        settings: || Settings { steps: Some(300), every: Some(1), ..usual() },
        options: "none",
    },
    Published {
        name: "typefuzz",
        about: "generative type-aware mutation (OOPSLA 2021): a chain of 30, each on the last mutant",
        strategies: &["regrow"],
        settings: || Settings {
            steps: Some(30),
            every: Some(1),
            shape: Some(ChainShape::Deep),
            ways: ways(&["operator", "exchange"]),
            ..usual()
        },
        options: "none",
    },
    Published {
        name: "fuzzchick",
        about: "FuzzChick's mutator as the thesis compares it (section 5.3.1): terms are exchanged",
        strategies: &["regrow"],
        settings: || Settings {
            steps: Some(30),
            every: Some(1),
            shape: Some(ChainShape::Deep),
            ways: ways(&["exchange"]),
            ..usual()
        },
        options: "none",
    },
    Published {
        name: "data-driven",
        about: "data-driven type-aware mutation (section 5.6 of the thesis): operators over terms of other seeds",
        strategies: &["regrow"],
        settings: || Settings {
            steps: Some(30),
            every: Some(1),
            shape: Some(ChainShape::Wide),
            ways: ways(&["data-driven"]),
            ..usual()
        },
        options: "none",
    },
    Published {
        name: "yinyang",
        about: "semantic fusion (PLDI 2020) with the eleven published functions",
        strategies: &["fusion"],
        settings: || Settings { published: true, ..usual() },
        options: "none",
    },
    Published {
        name: "concatfuzz",
        about: "the baseline of semantic fusion: two seeds side by side",
        strategies: &["fusion"],
        settings: || Settings { concat_only: true, ..usual() },
        options: "none",
    },
    Published {
        name: "et",
        about: "enumerative testing (chapter 7 of the thesis): small formulas of a grammar, all or sampled",
        strategies: &["enumerate"],
        settings: usual,
        options: "none",
    },
    Published {
        name: "janus",
        about: "weakening and strengthening (ICSE 2023): 300 cases per seed, 25 steps before the chain begins again",
        strategies: &["weaken"],
        settings: || Settings { steps: Some(25), iterations: Some(300), ..usual() },
        options: "none",
    },
    Published {
        name: "sparrow",
        about: "skeletal approximation enumeration (ESEC/FSE 2021): rounds of literals, by the seed's status",
        strategies: &["skeleton"],
        settings: || Settings { aim_by: Some(AimBy::Status), ..usual() },
        options: "none",
    },
    Published {
        name: "strings",
        about: "string formulas by construction (ICSE 2020), satisfiable and unsatisfiable",
        strategies: &["strings"],
        settings: usual,
        options: "none",
    },
    Published {
        name: "optfuzz",
        about: "operator mutation with other solver options in a third of the cases (section 4.4.1 of the thesis)",
        strategies: &["opswap"],
        settings: || Settings { steps: Some(300), every: Some(1), ..usual() },
        options: "regular",
    },
];

/// The configuration of this name.
pub fn find(name: &str) -> Result<&'static Published, Failure> {
    ALL.iter().find(|published| published.name == name).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().map(|published| published.name).collect();
        Failure::usage(format!("there is no configuration `{}`", smtlib::shown::text(name)))
            .hint(format!("one of: {}", names.join(", ")))
    })
}

impl Published {
    /// Its settings, where the user has set none.
    pub fn settings(&self, user: Settings) -> Settings {
        let own = (self.settings)();
        let ways = if user.ways.is_empty() { own.ways } else { user.ways };
        Settings {
            steps: user.steps.or(own.steps),
            every: user.every.or(own.every),
            iterations: user.iterations.or(own.iterations),
            shape: user.shape.or(own.shape),
            aim_by: user.aim_by.or(own.aim_by),
            published: user.published || own.published,
            concat_only: user.concat_only || own.concat_only,
            ways,
            ..user
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_configuration_begins_on_the_embedded_seeds_and_makes_cases() {
        let (bank, _) = strategy::Bank::new(corpus::embedded());
        for published in ALL {
            let settings = published.settings(Settings::default());
            for name in published.strategies {
                let strategy = strategy::registry::find(name).unwrap();
                let source =
                    (strategy.begin)(&bank, &settings).unwrap_or_else(|e| panic!("{}: {e}", published.name));
                let key = strategy::CampaignKey("like".into());
                let made = (0..20).any(|unit| {
                    let rng = strategy::Rng::of(&key, name, unit);
                    source.unit(unit, rng).is_ok_and(|mut dialogue| dialogue.next(None).is_some())
                });
                assert!(made, "{} makes no case", published.name);
            }
        }
    }

    #[test]
    fn a_flag_of_the_user_goes_before_the_configuration() {
        let user = Settings { steps: Some(7), ..Settings::default() };
        let settings = find("typefuzz").unwrap().settings(user);
        assert_eq!((settings.steps, settings.shape), (Some(7), Some(ChainShape::Deep)));
        assert!(find("nothing").is_err());
    }
}
