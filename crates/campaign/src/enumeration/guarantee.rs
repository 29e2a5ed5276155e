//! The bounded guarantee: one sentence that states exactly what an enumeration covered.
//!
//! In: the range to be covered, and the counts in the campaign folder. The sentence claims "all formulas up to size k"
//! only if every block from the first formula on was done, by any run; a shard claims only its part.

use serde_json::{Value, json};

/// The range to be covered.
#[derive(Clone, Debug)]
pub struct Scope {
    pub grammar: String,
    pub variables: Option<usize>,
    pub from: String,
    /// How many indices the range has; fewer if the language ended before.
    pub take: u64,
    pub modulo_symmetry: bool,
    pub shard: (u64, u64),
    pub solvers: Vec<String>,
    pub seconds: f64,
    /// The largest size all of whose formulas are in the range, and how many formulas that are.
    pub complete: Option<(usize, String)>,
}

impl Scope {
    /// The counters, under the names that the campaign folder uses.
    pub const COUNTS: [&'static str; 9] = [
        "enumerated.formulas",
        "enumerated.skipped",
        "enumerated.answered-by-all",
        "enumerated.answered-by-some",
        "enumerated.answered-by-one",
        "enumerated.answered-by-none",
        "enumerated.certified",
        "enumerated.inconclusive",
        "enumerated.invalid",
    ];
    pub const FORMULAS: usize = 0;
    pub const SKIPPED: usize = 1;
    pub const BY_ALL: usize = 2;
    pub const BY_SOME: usize = 3;
    pub const BY_ONE: usize = 4;
    pub const BY_NONE: usize = 5;
    pub const CERTIFIED: usize = 6;
    pub const INCONCLUSIVE: usize = 7;
    pub const INVALID: usize = 8;
}

/// What the campaign folder proves.
#[derive(Clone, Debug)]
pub struct Guarantee {
    pub scope: Scope,
    pub counts: [u64; Scope::COUNTS.len()],
    pub bugs: u64,
    pub findings: u64,
}

impl Guarantee {
    /// Whether every formula of the range was done.
    pub fn is_whole(&self) -> bool {
        self.covered() >= self.scope.take && self.scope.shard.1 == 1
    }

    fn covered(&self) -> u64 {
        self.counts[Scope::FORMULAS] + self.counts[Scope::SKIPPED]
    }

    pub fn sentence(&self) -> String {
        let (scope, of) = (&self.scope, |n: usize| self.counts[n]);
        let mut text = format!("{}: ", scope.grammar);
        text += &match (&scope.complete, self.is_whole(), scope.from == "0") {
            (Some((size, count)), true, _) => {
                // An earlier run may have covered formulas beyond this range; they count, but they are not necessarily
                // contiguous.
                let all = self.covered().max(scope.take);
                let more = match count.parse::<u64>().map(|count| all - count.min(all)) {
                    Ok(more) if more > 0 && all == scope.take => format!(" and the next {more}"),
                    Ok(more) if more > 0 => format!(" and {more} more"),
                    _ => String::new(),
                };
                format!("all {count} formulas up to size {size}{more}")
            }
            (None, true, true) if self.covered() == scope.take => {
                format!("the first {} formulas", scope.take)
            }
            (_, true, _) => format!("{} formulas from index {} on", self.covered(), scope.from),
            (_, false, _) => format!("{} of {} formulas", self.covered(), scope.take),
        };
        if scope.shard.1 > 1 {
            text += &format!(" (shard {}/{})", scope.shard.0, scope.shard.1);
        }
        text += &format!(" were run on {}, {} s each", scope.solvers.join(" and "), scope.seconds);
        if scope.modulo_symmetry {
            text += &format!(
                ", except {} that equal an earlier one up to the names of variables and the order of commutative arguments",
                of(Scope::SKIPPED)
            );
        }
        text += &format!("; answered by all {}", of(Scope::BY_ALL));
        if scope.solvers.len() > 2 {
            text += &format!(", by some {}", of(Scope::BY_SOME));
        }
        if scope.solvers.len() > 1 {
            text += &format!(", by one {}", of(Scope::BY_ONE));
        }
        let share = 100.0 * of(Scope::CERTIFIED) as f64 / (of(Scope::FORMULAS) as f64).max(1.0);
        text += &format!(
            ", by none {}; certified {} ({share:.1} %); inconclusive {}",
            of(Scope::BY_NONE),
            of(Scope::CERTIFIED),
            of(Scope::INCONCLUSIVE)
        );
        if of(Scope::INVALID) > 0 {
            text += &format!("; not well-typed {}", of(Scope::INVALID));
        }
        match (self.bugs, self.findings) {
            (0, _) => text + "; no finding.",
            (bugs, findings) => text + &format!("; findings {findings}, bugs {bugs}."),
        }
    }

    pub fn json(&self) -> Value {
        let (scope, of) = (&self.scope, |n: usize| self.counts[n]);
        json!({
            "grammar": scope.grammar, "from": scope.from, "take": scope.take, "variables": scope.variables,
            "modulo_symmetry": scope.modulo_symmetry, "shard": format!("{}/{}", scope.shard.0, scope.shard.1),
            "solvers": scope.solvers, "whole": self.is_whole(),
            "complete_up_to_size": scope.complete.as_ref().filter(|_| self.is_whole()).map(|(size, _)| size),
            "cases": of(Scope::FORMULAS), "skipped": of(Scope::SKIPPED),
            "answered_by_all": of(Scope::BY_ALL), "answered_by_some": of(Scope::BY_SOME),
            "answered_by_one": of(Scope::BY_ONE), "answered_by_none": of(Scope::BY_NONE),
            "certified": of(Scope::CERTIFIED), "inconclusive": of(Scope::INCONCLUSIVE),
            "invalid": of(Scope::INVALID), "findings": self.findings, "bugs": self.bugs,
            "sentence": self.sentence(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarantee(covered: u64) -> Guarantee {
        let scope = Scope {
            grammar: "Core".into(),
            variables: None,
            from: "0".into(),
            take: 100,
            modulo_symmetry: false,
            shard: (0, 1),
            solvers: vec!["z3@5.4.0".into(), "cvc5@1.4.2".into()],
            seconds: 1.0,
            complete: Some((6, "96".into())),
        };
        let mut counts = [0; Scope::COUNTS.len()];
        counts[Scope::FORMULAS] = covered;
        counts[Scope::BY_ALL] = covered;
        counts[Scope::CERTIFIED] = covered / 2;
        Guarantee { scope, counts, bugs: 0, findings: 0 }
    }

    #[test]
    fn a_size_is_claimed_only_when_every_formula_was_done() {
        let whole = guarantee(100).sentence();
        assert_eq!(
            whole,
            "Core: all 96 formulas up to size 6 and the next 4 were run on z3@5.4.0 and cvc5@1.4.2, \
             1 s each; answered by all 100, by one 0, by none 0; certified 50 (50.0 %); inconclusive 0; \
             no finding."
        );
        let part = guarantee(64).sentence();
        assert!(part.starts_with("Core: 64 of 100 formulas were run on"), "{part}");
        let more = guarantee(120).sentence();
        assert!(more.starts_with("Core: all 96 formulas up to size 6 and 24 more were run on"), "{more}");
        let mut shard = guarantee(100);
        shard.scope.shard = (1, 4);
        assert!(!shard.is_whole() && shard.sentence().contains("shard 1/4"));
    }
}
