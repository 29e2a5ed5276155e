//! The same rule once more, wherever it applies.
//!
//! A finding about a pair (this formula is decided, that one is not) is reduced by reducing the first formula and making
//! the second of it again, by the rule that led from the one to the other (Algorithm 7 of Winterer's thesis). In: a
//! script and a rule. Out: every script that one use of the rule makes of it, with what that does to the whole. Where a
//! rule leaves something to choose, a few choices are made, always the same ones for the same script.

use super::ground::Ground;
use super::rules::Rules;
use super::step::{Effect, Stepper};
use crate::{Bank, CampaignKey, Rng, RuleUse};
use corpus::{Origin, Seed};

/// How often a rule with choices is applied at one place.
const DRAWS: u64 = 3;

/// A script that one use of a rule made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    pub script: Vec<u8>,
    pub effect: Effect,
}

/// What one use of the rule makes of a script, place by place. The rules need hold no other.
pub fn everywhere(script: &[u8], rules: &Rules, used: &RuleUse) -> Vec<Changed> {
    let seed = Seed::new("formula".into(), Origin::Embedded, script.to_vec().into());
    let Ok(seed) = seed else { return vec![] };
    let (bank, _) = Bank::new([seed]);
    let Some(prepared) = bank.seeds().first() else { return vec![] };
    let ground = Ground::of(prepared, rules);
    let key = CampaignKey("again".into());
    let mut all: Vec<Changed> = vec![];
    for node in 0..ground.formula.nodes.len() as u32 {
        for draw in 0..DRAWS {
            let mut rng = Rng::of(&key, &used.rule, u64::from(node) * DRAWS + draw);
            let mut formula = ground.formula.clone();
            let mut stepper = Stepper::new(prepared, &ground, rules);
            let change = stepper.apply_at(&mut formula, &used.rule, used.forward, node, &mut rng);
            let Some(change) = change else { break };
            let changed = Changed { script: ground.write(&formula, change.reach), effect: change.effect };
            if !all.contains(&changed) {
                all.push(changed);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_applied_at_every_place_where_it_applies_and_says_what_that_does() {
        let rules = Rules::embedded().unwrap().only("numbers/table-gt-ge").unwrap();
        let used = RuleUse { rule: "numbers/table-gt-ge".into(), forward: true };
        let script = "(declare-const x Int)\n(assert (and (> x 1) (not (> x 5))))\n(check-sat)\n";
        let all = everywhere(script.as_bytes(), &rules, &used);
        let texts: Vec<(String, Effect)> = all
            .into_iter()
            .map(|changed| (String::from_utf8(changed.script).unwrap(), changed.effect))
            .collect();
        assert_eq!(
            texts,
            [
                (script.replace("(> x 1)", "(>= x 1)"), Effect::Weaker),
                (script.replace("(> x 5)", "(>= x 5)"), Effect::Stronger),
            ]
        );
        assert!(everywhere(b"(assert true)(check-sat)", &rules, &used).is_empty());
    }
}
