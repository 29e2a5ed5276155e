//! What a script's logic allows, and which logic allows more.
//!
//! Solvers reject terms outside the logic that a script sets, and choose their engine by it. A mutant therefore keeps
//! its seed's logic while it can; where it needs more, `set-logic` is widened just enough: to the nonlinear sibling
//! (QF_LRA to QF_NRA) or to ALL. A logic without integers reads `1` as a Real, so its mutants never leave it for ALL:
//! every numeral in them would change its sort.

use smtlib::theory::{Pat, Row};
use smtlib::{Pool, Sort, SortId};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    None,
    Difference,
    Linear,
    Nonlinear,
}

/// Theories that sorts come from, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sorts(u8);

impl Sorts {
    const INTS: Sorts = Sorts(1);
    const REALS: Sorts = Sorts(2);
    const STRINGS: Sorts = Sorts(4);
    const BITVECTORS: Sorts = Sorts(8);
    const FLOATS: Sorts = Sorts(16);
    const ARRAYS: Sorts = Sorts(32);
    /// What no name of a logic lists.
    const OTHER: Sorts = Sorts(64);
    /// Bit-vectors written out, which floats are made of.
    pub const BITS: Sorts = Sorts(128);

    pub fn with(self, other: Sorts) -> Sorts {
        Sorts(self.0 | other.0)
    }

    /// Where a sort and the sorts in it come from.
    pub fn of(pool: &Pool, sort: SortId) -> Sorts {
        match pool.sort(sort) {
            Sort::Bool => Sorts::default(),
            Sort::Int => Sorts::INTS,
            Sort::Real => Sorts::REALS,
            Sort::String | Sort::RegLan => Sorts::STRINGS,
            Sort::BitVec(_) => Sorts::BITVECTORS,
            Sort::Float { .. } | Sort::RoundingMode => Sorts::FLOATS,
            Sort::Array(index, element) => {
                Sorts::ARRAYS.with(Sorts::of(pool, *index)).with(Sorts::of(pool, *element))
            }
            _ => Sorts::OTHER,
        }
    }
}

/// A logic by its name.
#[derive(Clone, Debug)]
pub struct Logic {
    name: Option<String>,
    /// Everything is allowed: no logic is set, or ALL is.
    open: bool,
    arithmetic: Arithmetic,
    ints: bool,
    reals: bool,
    arrays: bool,
    bitvectors: bool,
    floats: bool,
    strings: bool,
    transcendental: bool,
    /// `1` is a Real.
    pub real_numerals: bool,
}

const SUFFIXES: [(&str, Arithmetic, bool, bool); 8] = [
    ("IDL", Arithmetic::Difference, true, false),
    ("RDL", Arithmetic::Difference, false, true),
    ("LIRA", Arithmetic::Linear, true, true),
    ("NIRA", Arithmetic::Nonlinear, true, true),
    ("LIA", Arithmetic::Linear, true, false),
    ("LRA", Arithmetic::Linear, false, true),
    ("NIA", Arithmetic::Nonlinear, true, false),
    ("NRA", Arithmetic::Nonlinear, false, true),
];

impl Logic {
    /// Reads the name of a logic; `None` if the script sets none.
    pub fn of(name: Option<&str>) -> Logic {
        let plain = name.map(|name| name.strip_prefix("HO_").unwrap_or(name));
        let mut logic = Logic {
            name: name.map(str::to_owned),
            open: matches!(plain, None | Some("ALL" | "ALL_SUPPORTED" | "QF_ALL")),
            arithmetic: Arithmetic::None,
            ints: false,
            reals: false,
            arrays: false,
            bitvectors: false,
            floats: false,
            strings: false,
            transcendental: false,
            real_numerals: false,
        };
        if let Some(plain) = plain.filter(|_| !logic.open) {
            logic.read(plain.strip_prefix("QF_").unwrap_or(plain));
        }
        logic
    }

    fn read(&mut self, mut rest: &str) {
        if let Some(before) = rest.strip_suffix('T')
            && SUFFIXES.iter().any(|(suffix, ..)| before.ends_with(suffix))
        {
            self.transcendental = true;
            rest = before;
        }
        for (suffix, arithmetic, ints, reals) in SUFFIXES {
            if let Some(before) = rest.strip_suffix(suffix) {
                (self.arithmetic, self.ints, self.reals) = (arithmetic, ints, reals);
                self.real_numerals = reals && !ints;
                rest = before;
                break;
            }
        }
        if let Some(after) = rest.strip_prefix("AX") {
            self.arrays = true;
            rest = after;
        }
        for (word, flag) in [
            ("A", &mut self.arrays),
            ("UF", &mut false),
            ("BV", &mut self.bitvectors),
            ("FP", &mut self.floats),
            ("DT", &mut false),
            ("S", &mut self.strings),
        ] {
            if let Some(after) = rest.strip_prefix(word) {
                *flag = true;
                rest = after;
            }
        }
    }

    /// Whether products and quotients of variables are outside.
    pub fn is_linear(&self) -> bool {
        !self.open && matches!(self.arithmetic, Arithmetic::Linear | Arithmetic::Difference)
    }

    /// Whether any arithmetic but comparing is outside.
    pub fn is_difference(&self) -> bool {
        !self.open && self.arithmetic == Arithmetic::Difference
    }

    /// The name of a logic that reaches as far; `None` if the script need not change or none will do.
    pub fn widened(&self, reach: Reach) -> Option<String> {
        let name = self.name.as_deref()?;
        match reach {
            Reach::Inside => None,
            _ if self.open => None,
            Reach::Nonlinear => {
                let (stem, tail) = match name.strip_suffix('T').filter(|_| self.transcendental) {
                    Some(stem) => (stem, "T"),
                    None => (name, ""),
                };
                let renamed =
                    [("LIRA", "NIRA"), ("LIA", "NIA"), ("LRA", "NRA"), ("IDL", "NIA"), ("RDL", "NRA")]
                        .iter()
                        .find_map(|(from, to)| Some(format!("{}{to}{tail}", stem.strip_suffix(from)?)));
                Some(renamed.unwrap_or_else(|| "ALL".to_owned()))
            }
            Reach::All => Some("ALL".to_owned()),
        }
    }

    /// How far outside a row is, given the theories that the script uses already; `None` if it cannot be reached.
    /// Linearity is the caller's business: it depends on the arguments.
    pub fn reach(&self, row: &Row, used: &[&str]) -> Option<Reach> {
        if self.open || self.has(row, used) {
            return Some(Reach::Inside);
        }
        self.allows_all().then_some(Reach::All)
    }

    /// How far outside terms of these sorts are; `None` if they cannot be reached.
    pub fn reach_sorts(&self, sorts: Sorts) -> Option<Reach> {
        let flag = |has: bool, theory: Sorts| if has { theory } else { Sorts::default() };
        let has = flag(self.ints || self.strings, Sorts::INTS)
            .with(flag(self.reals, Sorts::REALS))
            .with(flag(self.strings, Sorts::STRINGS))
            .with(flag(self.bitvectors, Sorts::BITVECTORS))
            .with(flag(self.bitvectors || self.floats, Sorts::BITS))
            .with(flag(self.floats, Sorts::FLOATS))
            .with(flag(self.arrays, Sorts::ARRAYS));
        if self.open || has.with(sorts) == has {
            return Some(Reach::Inside);
        }
        self.allows_all().then_some(Reach::All)
    }

    /// Whether there is a minus: a logic of strings alone has integers, and none below zero.
    pub fn has_minus(&self) -> bool {
        self.open || self.arithmetic != Arithmetic::None
    }

    /// Whether mutants may go to ALL.
    pub fn allows_all(&self) -> bool {
        !self.real_numerals
    }

    fn has(&self, row: &Row, used: &[&str]) -> bool {
        if row.theory == "Core" {
            return row.since.is_some() || used.contains(&"Core*");
        }
        let theory = match row.theory {
            "Ints" => self.ints && row.since.is_some(),
            "Reals" => self.reals && row.since.is_some(),
            "Reals_Ints" => self.ints && self.reals,
            "FixedSizeBitVectors" => self.bitvectors,
            "FloatingPoint" => self.floats,
            "Strings" => self.strings,
            "ArraysEx" => self.arrays && row.since.is_some(),
            "Transcendentals" => self.transcendental,
            other => used.contains(&other),
        };
        theory && row.args.iter().chain([&row.result]).all(|pattern| self.has_sort(pattern, used))
    }

    fn has_sort(&self, pattern: &Pat, used: &[&str]) -> bool {
        match pattern {
            Pat::Int => self.ints || self.strings,
            Pat::Real => self.reals,
            Pat::String | Pat::RegLan => self.strings,
            Pat::BitVec(_) => self.bitvectors || used.contains(&"FixedSizeBitVectors"),
            Pat::Float(..) | Pat::RoundingMode => self.floats,
            Pat::Array(index, element) => {
                self.arrays && self.has_sort(index, used) && self.has_sort(element, used)
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smtlib::theory;

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
        assert!(Logic::of(Some("QF_UFNRA")).real_numerals);
        assert!(!Logic::of(Some("AUFLIRA")).real_numerals);
    }

    #[test]
    fn a_sort_of_another_theory_needs_all() {
        let pool = Pool::new();
        let reach = |logic, sort| Logic::of(Some(logic)).reach_sorts(Sorts::of(&pool, sort));
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
        assert_eq!(widened("ALL"), None);
        assert_eq!(Logic::of(None).widened(Reach::All), None);
    }
}
