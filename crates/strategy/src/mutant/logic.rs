//! What a script's logic allows, and which logic allows more.
//!
//! Solvers reject terms outside the logic that a script sets, and choose their engine by it. Therefore a mutant keeps
//! its seed's logic if it can. If it needs more, `set-logic` is widened just enough: to the nonlinear logic (QF_LRA to
//! QF_NRA) or to ALL. A logic without integers reads `1` as a Real, so its mutants never change to ALL: every numeral
//! in them would change its sort.

use smtlib::logic::Features;
use smtlib::theory::{Pat, Row};

/// How far outside its logic something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// The logic allows it.
    Inside,
    /// It needs nonlinear arithmetic.
    Nonlinear,
    /// It needs another theory.
    All,
}

/// What to do about mutants that leave their seed's logic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Widening {
    /// Rewrite `set-logic` as far as needed.
    #[default]
    AsNeeded,
    /// Make no such mutant.
    Never,
    /// Always `(set-logic ALL)`, except where numerals are Reals.
    Always,
}

/// A logic by its name.
#[derive(Clone, Debug)]
pub struct Logic {
    name: Option<String>,
    has: Features,
}

impl Logic {
    /// Reads the name of a logic; `None` if the script sets none.
    pub fn of(name: Option<&str>) -> Logic {
        Logic { name: name.map(str::to_owned), has: Features::of_logic(name) }
    }

    /// Whether `1` is a Real.
    pub fn real_numerals(&self) -> bool {
        self.has.numerals_are_real()
    }

    /// Whether products and quotients of variables are outside.
    pub fn is_linear(&self) -> bool {
        self.has_minus() && !self.has.has(Features::NONLINEAR)
    }

    /// Whether all arithmetic except comparisons of differences is outside.
    pub fn is_difference(&self) -> bool {
        self.has_minus() && !self.has.has(Features::LINEAR)
    }

    /// Whether the logic has a minus. A logic of strings alone has integers, but no negative ones.
    pub fn has_minus(&self) -> bool {
        self.has.has(Features::DIFFERENCES)
    }

    /// Whether mutants may change to ALL.
    pub fn allows_all(&self) -> bool {
        !self.real_numerals()
    }

    /// The name of a logic that allows this; `None` if the script need not change or there is no such logic.
    pub fn widened(&self, reach: Reach) -> Option<String> {
        let name = self.name.as_deref().filter(|_| !self.is_open())?;
        let all = if self.has.has(Features::HIGHER_ORDER) { "HO_ALL" } else { "ALL" };
        match reach {
            Reach::Inside => None,
            Reach::Nonlinear => {
                let transcendental = self.has.has(Features::TRANSCENDENTAL);
                let (stem, tail) = match name.strip_suffix('T').filter(|_| transcendental) {
                    Some(stem) => (stem, "T"),
                    None => (name, ""),
                };
                let renamed =
                    [("LIRA", "NIRA"), ("LIA", "NIA"), ("LRA", "NRA"), ("IDL", "NIA"), ("RDL", "NRA")]
                        .iter()
                        .find_map(|(from, to)| Some(format!("{}{to}{tail}", stem.strip_suffix(from)?)));
                Some(renamed.unwrap_or_else(|| all.to_owned()))
            }
            Reach::All => Some(all.to_owned()),
        }
    }

    /// How far outside a row is, given the theories that the script already uses; `None` if it cannot be reached. The
    /// caller checks linearity, because it depends on the arguments.
    pub fn reach(&self, row: &Row, used: &[&str]) -> Option<Reach> {
        self.reach_unless(self.is_open() || self.has_row(row, used))
    }

    /// How far outside terms with these features are; `None` if they cannot be reached.
    pub fn reach_features(&self, needed: Features) -> Option<Reach> {
        self.reach_unless(self.has.has(needed))
    }

    fn reach_unless(&self, inside: bool) -> Option<Reach> {
        if inside { Some(Reach::Inside) } else { self.allows_all().then_some(Reach::All) }
    }

    /// Whether everything is allowed: no logic is set, or ALL is.
    fn is_open(&self) -> bool {
        self.has.has(Features::ALL)
    }

    fn has_row(&self, row: &Row, used: &[&str]) -> bool {
        let theory = match row.logic {
            Some(needed) => row.in_logics && self.has.has(needed),
            None => used.contains(&row.theory),
        };
        theory && row.args.iter().chain([&row.result]).all(|pattern| self.has_sort(pattern, used))
    }

    fn has_sort(&self, pattern: &Pat, used: &[&str]) -> bool {
        let has = |features| self.has.has(features);
        match pattern {
            Pat::Int => has(Features::INTS),
            Pat::Real => has(Features::REALS),
            Pat::String | Pat::RegLan => has(Features::STRINGS),
            Pat::BitVec(_) => has(Features::BITVECTORS) || used.contains(&"FixedSizeBitVectors"),
            Pat::Float(..) | Pat::RoundingMode => has(Features::FLOATS),
            Pat::Array(index, element) => {
                has(Features::ARRAYS) && self.has_sort(index, used) && self.has_sort(element, used)
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smtlib::{Pool, SortId, theory};

    fn reach(logic: &str, operator: &str) -> Option<Reach> {
        Logic::of(Some(logic)).reach(theory::constant(operator).row(), &[])
    }

    #[test]
    fn an_operator_of_the_logic_is_inside_and_one_of_another_theory_needs_all() {
        assert_eq!(reach("QF_BV", "bvadd"), Some(Reach::Inside));
        assert_eq!(reach("QF_BV", "ubv_to_int"), Some(Reach::All));
        assert_eq!(reach("QF_SLIA", "str.len"), Some(Reach::Inside));
        let select = theory::rows().iter().find(|r| r.name == "select" && r.theory == "ArraysEx").unwrap();
        assert_eq!(Logic::of(Some("QF_AUFBV")).reach(select, &[]), Some(Reach::Inside));
        assert_eq!(reach("ALL", "set.union"), Some(Reach::Inside));
    }

    #[test]
    fn a_logic_that_reads_numerals_as_reals_is_never_left_for_all() {
        assert_eq!(reach("QF_LRA", "div"), None);
        assert!(Logic::of(Some("QF_UFNRA")).real_numerals());
        assert!(!Logic::of(Some("AUFLIRA")).real_numerals());
    }

    #[test]
    fn a_sort_of_another_theory_needs_all() {
        let pool = Pool::new();
        let reach = |logic, sort| Logic::of(Some(logic)).reach_features(Features::of_sort(&pool, sort));
        assert_eq!(reach("QF_LIA", SortId::STRING), Some(Reach::All));
        assert_eq!(reach("QF_LRA", SortId::STRING), None);
        assert_eq!(reach("QF_S", SortId::INT), Some(Reach::Inside));
        assert_eq!(reach("ALL", SortId::REGLAN), Some(Reach::Inside));
        assert!(!Logic::of(Some("QF_S")).has_minus() && Logic::of(Some("QF_SLIA")).has_minus());
    }

    #[test]
    fn a_linear_logic_widens_to_its_nonlinear_sibling() {
        let widened = |name| Logic::of(Some(name)).widened(Reach::Nonlinear);
        assert_eq!(widened("QF_LRA").as_deref(), Some("QF_NRA"));
        assert_eq!(widened("QF_IDL").as_deref(), Some("QF_NIA"));
        assert_eq!(widened("AUFLIRA").as_deref(), Some("AUFNIRA"));
        assert_eq!(widened("HO_UF").as_deref(), Some("HO_ALL"));
        assert_eq!(widened("ALL"), None);
        assert_eq!(Logic::of(None).widened(Reach::All), None);
    }
}
